use super::board::{End, Slide};
use super::evaluation::Evaluation;
use super::*;
use crate::rules::{Outcome, Seat, Setup};
use crate::search::plain::after;
use crate::search::{Level, Limits, NoTableCache, TableCache};
use std::collections::{HashMap, HashSet};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

fn legal(position: &Position) -> Vec<Push> {
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    moves
}

fn mover(position: &Position) -> Symbol {
    Symbol::of(position.to_move().unwrap())
}

/// A position from a random setup, on which the game is not over.
fn random(size: u8, blanks: usize, rng: &mut fastrand::Rng) -> Position {
    loop {
        let die = |_| ['X', 'O', '-'][rng.usize(..2 + blanks).min(2)];
        let grid: String = (0..size as usize * size as usize).map(die).collect();
        let first = if rng.bool() { "X" } else { "O" };
        let setup = Setup::new().with("size", size).with("grid", grid).with("first", first);
        let position = Position::from_setup(&setup).unwrap();
        if position.to_move().is_some() {
            return position;
        }
    }
}

fn limits(millis: u64) -> Limits {
    Limits { deadline: Some(Instant::now() + Duration::from_millis(millis)), ..Limits::default() }
}

fn analyse(engine: &mut Quixo, position: &Position, scope: Scope, limits: Limits) -> Report<Push> {
    let stop = AtomicBool::new(false);
    engine.analyse(position, scope, &Control::new(&stop, limits, &NoTableCache, &|_| ()))
}

/// Holds what is looked up of a board, or left out, to what is counted and played.
fn hold_to_plain<M: Mask>(geometry: &Geometry<M>, board: Board<M>) {
    let wins = |slide: &&Slide<M>| geometry.end(slide.play(board)) == Some(End::Lost);
    let winning = geometry.winning(board).map(|at| &geometry.slides[at as usize]);
    assert_eq!(winning.is_some(), geometry.legal(board).any(|slide| wins(&slide)), "{board:?}");
    assert!(winning.is_none_or(|slide| slide.is_legal(board) && wins(&slide)));
    let all: HashSet<_> = geometry.legal(board).map(|slide| slide.play(board)).collect();
    let without_twins = geometry.legal(board).filter(|slide| !slide.has_twin(board));
    let different: HashSet<_> = without_twins.map(|slide| slide.play(board)).collect();
    assert_eq!(different, all, "{board:?}");
    let evaluation = Evaluation::new(geometry);
    let shape = evaluation.shape(board);
    let near = |dice: M| {
        let mut lines = geometry.lines.iter();
        lines.any(|line| (line.places & dice).count() + 1 >= u32::from(geometry.size))
    };
    assert_eq!(shape.near, [near(board.own), near(board.other)], "{board:?}");
    for line in &geometry.lines {
        for dice in [board.own, board.other] {
            assert_eq!(M::dice(dice.shown(line)), (dice & line.places).count());
        }
        assert_eq!(M::dice(line.places.shown(line)), u32::from(geometry.size));
    }
    for place in 0..usize::from(geometry.size).pow(2) {
        assert_eq!(M::place(place).sole(), Some(place));
    }
    assert_eq!((board.own | board.other).sole().is_some(), (board.own | board.other).count() == 1);
}

/// The same board with rows and columns exchanged, and upside down.
fn images(position: &Position) -> [Position; 2] {
    let size = position.size();
    let image = |place: fn(Place, u8) -> Place| {
        let die = |at| position.die(place(at, size - 1)).map_or('-', Symbol::letter);
        let grid: String = Place::all(size, size).map(die).collect();
        Position::from_setup(&position.setup().with("grid", grid)).unwrap()
    };
    [
        image(|at, _| Place { row: at.col, col: at.row }),
        image(|at, last| Place { row: last - at.row, col: at.col }),
    ]
}

#[test]
fn boards_that_are_the_same_look_the_same() {
    fn hold<M: Mask>(size: u8) {
        let mut rng = fastrand::Rng::with_seed(17);
        for round in 0..40 {
            let position = random(size, 1 + round % 4, &mut rng);
            let evaluation = Evaluation::new(&Geometry::<M>::new(&position));
            let shape = evaluation.shape(board_of(&position));
            for image in images(&position) {
                assert_eq!(evaluation.shape(board_of(&image)), shape, "{position}");
            }
            // More dice of one's own are better.
            let full = random(size, 0, &mut rng);
            let board: Board<M> = board_of(&full);
            let none = Board { own: board.own, other: M::NONE };
            assert!(evaluation.shape(none).score > 0 && evaluation.shape(none.turned()).score < 0);
        }
    }
    hold::<u32>(5);
    hold::<u64>(6);
    hold::<u64>(8);
    hold::<Wide>(9);
}

/// On boards without blanks dice can be pushed to and fro for ever.
#[test]
fn a_player_in_a_match_does_not_come_back() {
    let stop = AtomicBool::new(false);
    let limits = Limits { nodes: Some(4_000), ..Limits::default() };
    let control = Control::new(&stop, limits, &NoTableCache, &|_| ());
    let mut rng = fastrand::Rng::with_seed(5);
    let (mut asked, mut moved_on) = (0, 0);
    while asked < 12 {
        let position = random(5, 0, &mut rng);
        let first = Quixo::default().choose(&position, Level::Strong, &control);
        let there = after(&position, first.mv);
        // Who is far behind is glad to.
        if first.report.value.proven().is_none() && first.report.value.likely() > Some(0.0) {
            asked += 1;
            let way = [there.clone()].into_iter();
            let other = Quixo::default().choose_in_match(way, &position, Level::Strong, &control);
            moved_on += usize::from(after(&position, other.mv) != there);
        }
    }
    assert!(moved_on >= 9, "{moved_on}");
}

/// Plays at random, and holds every push and its way back to the rules.
fn hold_to_the_rules<M: Mask>(size: u8, games: u64, plies: usize) {
    let mut rng = fastrand::Rng::with_seed(u64::from(size));
    for game in 0..games {
        let mut position = random(size, if game % 2 == 0 { 60 } else { 1 }, &mut rng);
        let geometry = Geometry::<M>::new(&position);
        for _ in 0..plies {
            if position.to_move().is_none() {
                break;
            }
            let symbol = mover(&position);
            let board = Board::<M>::of(&position, symbol);
            assert_eq!(geometry.end(board), None);
            hold_to_plain(&geometry, board);
            let pushes: Vec<Push> = geometry.legal(board).map(|slide| slide.push).collect();
            assert_eq!(pushes, legal(&position));
            for slide in geometry.legal(board) {
                let next = after(&position, slide.push);
                let played = slide.play(board);
                assert_eq!(played, Board::of(&next, symbol.other()), "{position}\n{}", slide.push);
                let end = next.outcome().map(|outcome| {
                    match [symbol.other(), symbol].map(|symbol| outcome.has(symbol.seat())) {
                        [true, false] => End::Won,
                        [false, true] => End::Lost,
                        _ => End::Drawn,
                    }
                });
                assert_eq!(geometry.end(played), end);
                let [blank, own] = slide.origins(played).unwrap();
                let was_own = board.own & slide.from != M::NONE;
                assert_eq!(if was_own { own } else { blank }, board);
            }
            position.play(pushes[rng.usize(..pushes.len())]).unwrap();
        }
    }
}

#[test]
fn packed_pushes_are_those_of_the_rules() {
    for size in 2..=SMALL {
        hold_to_the_rules::<u32>(size, 6, 40);
    }
    for size in 2..=NARROW {
        hold_to_the_rules::<u64>(size, 6, 40);
    }
    for size in [2, 5, 8, 9, 11, 12, 16, 23] {
        hold_to_the_rules::<Wide>(size, 2, 8);
    }
    hold_to_the_rules::<Wide>(26, 2, 2);
}

/// Every position of a size and its worth, by the rules alone: again and again over all of
/// them until nothing changes.
fn plain_worths(size: u8) -> HashMap<Position, Worth> {
    let cells = u32::from(size).pow(2);
    let mut positions = Vec::new();
    for number in 0..3_u32.pow(cells) {
        let die = |cell| ['-', 'X', 'O'][(number / 3_u32.pow(cell) % 3) as usize];
        let grid: String = (0..cells).map(die).collect();
        let setup = Setup::new().with("size", size).with("grid", grid);
        positions.extend(["X", "O"].map(|first| {
            (Position::from_setup(&setup.clone().with("first", first)).unwrap(), first)
        }));
    }
    let numbers: HashMap<&Position, usize> =
        positions.iter().enumerate().map(|(number, (position, _))| (position, number)).collect();
    let next: Vec<Vec<usize>> = positions
        .iter()
        .map(|(position, _)| {
            legal(position).into_iter().map(|mv| numbers[&after(position, mv)]).collect()
        })
        .collect();
    let mut worths: Vec<Option<Worth>> = positions
        .iter()
        .map(|(position, first)| {
            let seat = if *first == "X" { Seat::FIRST } else { Seat::SECOND };
            position.outcome().map(|outcome| match (outcome.has(seat), outcome.has(seat.next(2))) {
                (true, false) => Worth::Won(0),
                (false, true) => Worth::Lost(0),
                _ => Worth::Drawn,
            })
        })
        .collect();
    let mut plies = 0;
    loop {
        plies += 1;
        let mut found = worths.clone();
        for (number, next) in next.iter().enumerate() {
            if worths[number].is_none() {
                let mut after = next.iter().map(|&next| worths[next]);
                if after.clone().any(|worth| matches!(worth, Some(Worth::Lost(_)))) {
                    found[number] = Some(Worth::Won(plies));
                } else if after.all(|worth| matches!(worth, Some(Worth::Won(_)))) {
                    found[number] = Some(Worth::Lost(plies));
                }
            }
        }
        if found == worths {
            break;
        }
        worths = found;
    }
    let worths = worths.into_iter().map(|worth| worth.unwrap_or(Worth::Drawn));
    positions.into_iter().map(|(position, _)| position).zip(worths).collect()
}

#[test]
fn small_tables_are_what_the_rules_say() {
    for size in [2, 3] {
        let worths = plain_worths(size);
        let mut engine = Quixo::default();
        let start = Position::new(size).unwrap();
        analyse(&mut engine, &start, Scope::Best, Limits::default());
        let table = engine.table().unwrap();
        for (position, worth) in worths {
            if position.to_move().is_some() {
                let board = Board::of(&position, mover(&position));
                assert_eq!(table.worth(board), worth, "{position}");
            }
        }
    }
}

/// What a search without a table claims is what the table has, and it claims all it should.
fn hold_to_the_table(size: u8, boards: usize, depth: u8) {
    let mut engine = Quixo::default();
    let start = Position::new(size).unwrap();
    analyse(&mut engine, &start, Scope::Best, Limits::default());
    let table = engine.table().unwrap();
    let mut rng = fastrand::Rng::with_seed(7);
    let stop = AtomicBool::new(false);
    let mut kept = Kept::default();
    let (mut proven, mut lines) = (0, 0);
    for round in 0..boards {
        let memory = if round % 3 == 0 { 4096 } else { 1 << 20 };
        let limits = Limits { memory, ..Limits::default() };
        let control = Control::new(&stop, limits, &NoTableCache, &|_| ());
        let position = random(size, 1 + round % 4, &mut rng);
        let board = Board::of(&position, mover(&position));
        let scope = if round % 2 == 0 { Scope::Best } else { Scope::Moves };
        let transposition = memo_of(&mut kept, memory);
        let mut search = Search::new(&table.geometry, transposition, &control);
        if round % 10 == 0 {
            // In a match that has been to where it can go. What is proven is so whatever was before.
            let next = table.geometry.legal(board).map(|slide| slide.play(board));
            let earlier = next.step_by(2).chain([board]);
            search = search.in_match(earlier.collect());
        }
        let report = search.run(board, scope, depth);
        let hold = |value: Value, worth: Worth, certain: bool| {
            assert!(
                value.lower.is_none_or(|lower| lower <= worth.value()),
                "{position}\n{value:?}"
            );
            assert!(
                value.upper.is_none_or(|upper| upper >= worth.value()),
                "{position}\n{value:?}"
            );
            if value.plies.is_some() && worth != Worth::Drawn {
                assert_eq!(value.plies, worth.plies(), "{position}\n{value:?}");
            }
            if certain && round % 10 > 0 && worth.plies().is_some_and(|plies| plies <= depth.into())
            {
                assert_eq!(value, Value { plies: worth.plies(), ..Value::exact(worth.value()) });
            }
            usize::from(value.proven().is_some())
        };
        proven += hold(report.value, table.worth(board), true);
        let plies = report.value.plies.filter(|_| report.halt.is_none());
        assert!(report.value.proven() != Some(0) || plies.is_none(), "a draw has no distance");
        if let Some(plies) = plies {
            // A line to the end, of which each push keeps what there is to keep.
            let (mut at, mut worth) = (board, table.worth(board));
            for push in &report.pv {
                let slide = table.geometry.legal(at).find(|slide| slide.push == *push).unwrap();
                at = slide.play(at);
                assert_eq!(table.worth(at).before(), worth, "{position}");
                worth = table.worth(at);
            }
            assert_eq!(report.pv.len(), plies as usize, "{position}");
            lines += 1;
        }
        for rated in &report.moves {
            let slide = table.geometry.legal(board).find(|slide| slide.push == rated.mv).unwrap();
            hold(rated.value, table.worth(slide.play(board)).before(), true);
        }
        assert_eq!(report.moves.is_empty(), scope == Scope::Best);
    }
    assert!(proven > boards / 4 && lines > boards / 8, "{proven} {lines}");
}

#[test]
fn a_search_claims_what_the_table_has() {
    hold_to_the_table(3, 150, 9);
}

#[test]
#[ignore = "solves 4 x 4; cargo test --release -- --ignored"]
fn a_search_of_four_in_a_row_claims_what_the_table_has() {
    hold_to_the_table(4, 1000, 7);
}

fn perfect_gives_nothing_away(size: u8, boards: usize) {
    let mut engine = Quixo::default();
    let mut rng = fastrand::Rng::with_seed(3);
    let stop = AtomicBool::new(false);
    let control = Control::new(&stop, Limits::default(), &NoTableCache, &|_| ());
    for round in 0..boards {
        let position = random(size, 1 + round % 4, &mut rng);
        let choice = engine.choose(&position, Level::Perfect, &control);
        let board = Board::of(&position, mover(&position));
        let table = engine.table().unwrap();
        let slide = table.geometry.legal(board).find(|slide| slide.push == choice.mv).unwrap();
        assert_eq!(table.worth(slide.play(board)).before(), table.worth(board));
        assert_eq!(choice.report.value.proven(), Some(table.worth(board).value()));
        assert_eq!(choice.report.best[0], choice.mv);
        assert_eq!(choice.report.pv[0], choice.mv);
        if let Some(plies) = choice.report.value.plies {
            assert_eq!(choice.report.pv.len(), plies as usize);
            let end = choice.report.pv.iter().fold(position, |at, &mv| after(&at, mv));
            assert!(end.outcome().is_some());
        }
    }
}

#[test]
fn perfect_gives_nothing_away_on_small_boards() {
    perfect_gives_nothing_away(2, 20);
    perfect_gives_nothing_away(3, 200);
}

#[test]
#[ignore = "solves 4 x 4; cargo test --release -- --ignored"]
fn perfect_gives_nothing_away_on_four_in_a_row() {
    perfect_gives_nothing_away(4, 2000);
}

/// Two lines at once, which is a draw; every other push loses. Here a search without a table ends too.
#[test]
fn a_draw_is_the_same_with_a_table_and_without() {
    let setup = "size=4 grid=O-O-XOOOXOXOXOO-".parse().unwrap();
    let position = Position::from_setup(&setup).unwrap();
    let ask = |memory| {
        let limits = Limits { memory, ..limits(2000) };
        analyse(&mut Quixo::default(), &position, Scope::Best, limits)
    };
    for report in [ask(4 << 20), ask(64 << 20)] {
        assert_eq!((report.value, report.halt, report.pv.len()), (Value::exact(0), None, 1));
    }
}

#[test]
fn a_win_is_taken_and_named() {
    // X wins at once by A5-A1 (X stands in the corner below), and O would by its column.
    let setup: Setup = "size=5 grid=-XXXX----------O----X---- first=X".parse().unwrap();
    let position = Position::from_setup(&setup).unwrap();
    let report = analyse(&mut Quixo::default(), &position, Scope::Best, limits(1000));
    assert_eq!((report.value, report.halt), (Value::exact(1).in_plies(1), None));
    assert_eq!(Quixo::why(&position, report.best[0]).unwrap(), "completes a line of X");
    assert_eq!(after(&position, report.best[0]).outcome().unwrap().winners().count(), 1);
}

#[test]
fn all_sizes_get_an_answer_in_time() {
    for size in [5, 6, 7, 8, 9, 15, 26] {
        let position = Position::new(size).unwrap();
        let mut engine = Quixo::default();
        for scope in [Scope::Best, Scope::Moves] {
            let report = analyse(&mut engine, &position, scope, limits(30));
            assert!(position.check(report.best[0]).is_ok());
            assert_eq!(report.halt, Some(Halt::Time));
            assert!(report.value.likely().is_some() && report.value.proven().is_none());
            let rated = if scope == Scope::Moves { legal(&position).len() } else { 0 };
            assert_eq!(report.moves.len(), rated);
        }
    }
}

#[test]
fn a_stop_is_obeyed_while_a_table_is_built() {
    let position = Position::new(4).unwrap();
    let stop = AtomicBool::new(false);
    let heard = Mutex::new(Vec::new());
    let hear = |report: &Report<Push>| {
        heard.lock().unwrap().push(report.clone());
        if report.progress.is_some() {
            stop.store(true, Ordering::Relaxed);
        }
    };
    let mut engine = Quixo::default();
    let control = Control::new(&stop, Limits::default(), &NoTableCache, &hear);
    let report = engine.analyse(&position, Scope::Moves, &control);
    assert_eq!(report.halt, Some(Halt::Stopped));
    assert_eq!(report.moves.len(), 32);
    assert!(report.value.proven().is_none());
    assert!(engine.solver.is_some(), "what is built is kept");
    let heard = heard.lock().unwrap();
    assert_eq!(heard[0].moves.len(), 32, "estimates of all moves come first");
    assert_eq!(heard.iter().filter(|report| report.progress.is_some()).count(), 1);
}

#[test]
fn without_the_memory_for_a_table_there_is_a_search() {
    let position = Position::new(4).unwrap();
    let mut engine = Quixo::default();
    let little = Limits { memory: 1 << 16, ..limits(30) };
    let report = analyse(&mut engine, &position, Scope::Best, little);
    assert_eq!(report.halt, Some(Halt::Time));
    assert!(report.table <= 1 << 16 && position.check(report.best[0]).is_ok());
    let ever = Limits { deadline: None, ..little };
    let report = analyse(&mut engine, &position, Scope::Best, ever);
    assert_eq!(report.halt, Some(Halt::Memory));
    assert!(position.check(report.best[0]).is_ok());
}

/// A cache with one thing in it.
#[derive(Default)]
struct OneTable(Mutex<Option<Vec<u8>>>);

impl TableCache for OneTable {
    fn load(&self, _: &str) -> Option<Vec<u8>> {
        self.0.lock().unwrap().clone()
    }

    fn store(&self, _: &str, bytes: &[u8]) {
        *self.0.lock().unwrap() = Some(bytes.to_vec());
    }
}

#[test]
fn a_kept_table_is_taken_only_whole() {
    let position = Position::new(3).unwrap();
    let mut engine = Quixo::default();
    analyse(&mut engine, &position, Scope::Best, Limits::default());
    let kept = engine.table().unwrap().to_bytes();
    let load = |bytes: &[u8], size: u8| {
        let position = Position::new(size).unwrap();
        let mut solver = Solver::new(&position).unwrap();
        solver.load(bytes);
        solver.table().map(Table::to_bytes)
    };
    assert_eq!(load(&kept, 3).unwrap(), kept);
    assert!(load(&kept, 2).is_none());
    assert!(load(&kept[..kept.len() - 1], 3).is_none());
    assert!(load(&[], 3).is_none());
    for at in 0..kept.len() {
        let mut damaged = kept.clone();
        damaged[at] ^= 0x10;
        assert!(load(&damaged, 3).is_none(), "{at}");
    }
}

#[test]
#[ignore = "solves 4 x 4; cargo test --release -- --ignored"]
fn the_table_of_four_in_a_row_is_kept() {
    let cache = OneTable::default();
    let stop = AtomicBool::new(false);
    let position = Position::new(4).unwrap();
    let ask = || {
        let built = AtomicBool::new(false);
        let hear = |report: &Report<Push>| {
            built.fetch_or(report.progress.is_some(), Ordering::Relaxed);
        };
        let control = Control::new(&stop, Limits::default(), &cache, &hear);
        let report = Quixo::default().analyse(&position, Scope::Best, &control);
        assert_eq!(report.value, Value::exact(1).in_plies(23));
        built.load(Ordering::Relaxed)
    };
    assert!(ask());
    assert!(!ask());
    if let Some(bytes) = cache.0.lock().unwrap().as_mut() {
        bytes[100_000] ^= 1;
    }
    assert!(ask(), "a damaged one is built again");
    assert!(!ask());
}

/// Whether this symbol could complete a line of its own alone if it were its turn.
fn could_win(position: &Position, symbol: Symbol) -> bool {
    let setup = position.setup().with("first", symbol);
    let turned = Position::from_setup(&setup).unwrap();
    legal(&turned)
        .into_iter()
        .any(|push| after(&turned, push).outcome() == Some(Outcome::win(symbol.seat())))
}

#[test]
fn reasons_are_true() {
    let mut engine = Quixo::default();
    analyse(&mut engine, &Position::new(3).unwrap(), Scope::Best, Limits::default());
    let table = engine.table().unwrap();
    let mut rng = fastrand::Rng::with_seed(11);
    let mut said: HashMap<String, usize> = HashMap::new();
    for _ in 0..600 {
        let position = random(3, rng.usize(1..9), &mut rng);
        let (own, other) = (mover(&position), mover(&position).other());
        for push in legal(&position) {
            let Some(reason) = Quixo::why(&position, push) else { continue };
            let next = after(&position, push);
            let words: Vec<&str> = reason.split(' ').collect();
            *said.entry(words[0].to_owned()).or_default() += 1;
            match words[..] {
                ["completes", "a", "line", "of", symbol] => {
                    let symbol = if symbol == "X" { Symbol::X } else { Symbol::O };
                    assert_eq!(next.outcome(), Some(Outcome::win(symbol.seat())));
                }
                ["completes", "lines", ..] => assert_eq!(next.outcome(), Some(Outcome::shared(2))),
                ["wins", "in", plies] => {
                    let board = Board::of(&next, other);
                    assert_eq!(table.worth(board).before(), Worth::Won(plies.parse().unwrap()));
                }
                ["stops", ..] => {
                    assert!(could_win(&position, other) && !could_win(&next, other));
                    assert!(reason.ends_with(other.letter()));
                }
                ["threatens", ..] => {
                    assert!(could_win(&next, own) && reason.ends_with(own.letter()));
                }
                ["brings", count, "of", "3", ..] => {
                    let most = |position: &Position| {
                        let board = Board::<u64>::of(position, own);
                        table
                            .geometry
                            .lines
                            .iter()
                            .map(|line| (line.places & board.own).count())
                            .max()
                    };
                    assert_eq!(most(&next), Some(count.parse().unwrap()));
                    assert!(most(&position) < most(&next));
                }
                _ => panic!("{reason}"),
            }
        }
    }
    assert_eq!(said.len(), 5, "{said:?}");
}

/// How many of the games the better level wins, the others and the draws; every opening of some
/// pushes by chance is played from both sides, and after 300 plies it is a draw.
fn tournament(size: u8, better: Level, worse: Level, millis: u64, opening: u32) -> [u32; 3] {
    let mut engines = [Quixo::default(), Quixo::default()];
    let stop = AtomicBool::new(false);
    let mut tally = [0; 3];
    for game in 0..100 {
        let mut rng = fastrand::Rng::with_seed(game / 2);
        let mut position = Position::new(size).unwrap();
        for _ in 0..opening {
            let pushes = legal(&position);
            position.play(pushes[rng.usize(..pushes.len())]).unwrap();
        }
        let mut plies = 0;
        while let Some(seat) = position.to_move().filter(|_| plies < 300) {
            let side = (seat.index() + game as usize) % 2;
            let limits = Limits { seed: game << 10 | plies, ..limits(millis) };
            let control = Control::new(&stop, limits, &NoTableCache, &|_| ());
            let choice = engines[side].choose(&position, [better, worse][side], &control);
            position.play(choice.mv).unwrap();
            plies += 1;
        }
        let seat = Seat::new((game % 2) as u8);
        let won = |seat| position.outcome().is_some_and(|outcome| outcome.has(seat));
        let result = match (won(seat), won(seat.next(2))) {
            (true, false) => 0,
            (false, true) => 1,
            _ => 2,
        };
        tally[result] += 1;
    }
    tally
}

#[test]
#[ignore = "plays 800 games; cargo test --release -- --ignored --nocapture"]
fn each_level_beats_the_one_below() {
    // On 3 × 3 the first to move wins, so that at best one half of the games has room.
    for (size, opening, least) in [(3, 0, 65), (4, 4, 75), (5, 4, 75), (6, 4, 75)] {
        for (better, worse) in [(Level::Casual, Level::Beginner), (Level::Strong, Level::Casual)] {
            let tally = tournament(size, better, worse, 50, opening);
            eprintln!("{size} × {size}, {better} against {worse}: won, lost, drawn {tally:?}");
            assert!(tally[0] >= least, "{size} × {size}, {better} against {worse}: {tally:?}");
        }
    }
}
