//! Tests of all built-in puzzles, and of attempts at them.

use super::judge::Judge;
use super::mine::Miner;
use super::*;
use jiff::civil::date;
use quadrille_match::session::{Match, PositionSpec};
use quadrille_match::store::progress::{Event, Progress};
use quadrille_rules::join_the_dots::JoinTheDots;
use quadrille_search::Value;
use std::collections::{HashMap, HashSet};
use std::time::Duration;

/// The minimum number of puzzles for each game, in the order of the files.
const MIN_PUZZLES: [usize; 4] = [250, 120, 250, 120];

fn puzzle(id: &str) -> Puzzle {
    find(id).unwrap().clone()
}

fn attempt(id: &str) -> Attempt {
    Attempt::new(puzzle(id)).unwrap()
}

/// Returns a puzzle that has several turns, one of them with several moves.
fn long() -> Puzzle {
    of("dots-and-boxes").find(|puzzle| puzzle.decisions > 1).unwrap().clone()
}

#[test]
fn every_puzzle_file_line_is_a_puzzle() {
    let mut ids = HashSet::new();
    for ((game, prefix, file), least) in FILES.iter().zip(MIN_PUZZLES) {
        let count = lines(file).count();
        assert!(count >= least, "{game}: {count} puzzles");
        for (line, number) in lines(file).zip(1..) {
            let puzzle = Puzzle::read(line).unwrap_or_else(|why| panic!("{line}: {why}"));
            assert_eq!(puzzle.to_string(), line);
            assert_eq!((&*puzzle.id, puzzle.game), (&*format!("{prefix}-{number}"), *game));
            assert!(ids.insert(puzzle.id.clone()), "{line}");
            assert!((400..=2400).contains(&puzzle.rating), "{line}");
            assert!((1..=5).contains(&puzzle.decisions), "{line}");
            assert!(!puzzle.themes.is_empty(), "{line}");
            let attempt = Attempt::new(puzzle).unwrap_or_else(|why| panic!("{line}: {why}"));
            assert!(!themes::hint(&attempt.puzzle().themes).contains("greedy"), "{line}");
        }
    }
    assert_eq!(all().len(), ids.len());
}

#[test]
fn only_defense_keeps_its_id_in_files() {
    let mut attempt = attempt("quixo-6");
    attempt.give_up();
    assert_eq!(attempt.explain()[0], "Theme: the only defense.");
    let puzzle = attempt.puzzle();
    assert_eq!(puzzle.themes, ["only defence"]);
    assert!(puzzle.to_json().contains("\"only defence\""));
    assert!(puzzle.to_string().contains("only defence"));
}

/// Rebuilds a puzzle from its position and checks the value, the only best way, and a beginner's failure.
fn prove(puzzle: &Puzzle, miner: &mut Miner) {
    let made =
        miner.puzzle(&puzzle.position().unwrap()).unwrap_or_else(|why| panic!("{puzzle}: {why}"));
    let same = Puzzle { id: puzzle.id.clone(), rating: puzzle.rating, ..made };
    assert_eq!(same.to_string(), puzzle.to_string());
}

/// Quixo needs the table of all boards, which takes a minute to build; see the next test.
#[test]
fn sample_of_puzzles_is_proven() {
    for game in ["dots-and-boxes", "join-the-dots", "intersections"] {
        let miner = || Miner::new(quadrille_table::catalogue::find(game).unwrap(), 0);
        of(game).step_by(23).for_each(|puzzle| prove(puzzle, &mut miner()));
    }
}

#[test]
#[ignore = "takes some minutes"]
fn all_puzzles_are_proven() {
    for game in games() {
        let miner = || Miner::new(quadrille_table::catalogue::find(game).unwrap(), 1_000_000_000);
        // Build the table of all boards of Quixo only once.
        let mut one = miner();
        of(game).for_each(|puzzle| match game {
            "quixo" => prove(puzzle, &mut one),
            _ => prove(puzzle, &mut miner()),
        });
    }
}

/// The solution is right at each step, and no other move is proven right, except moves of the same turn.
#[test]
fn sample_solutions_are_right_for_the_live_judge() {
    for puzzle in games().flat_map(|game| of(game).step_by(11)) {
        let mut attempt = Attempt::new(puzzle.clone()).unwrap();
        let mut left = puzzle.solution.iter();
        while let Some(mv) = left.next() {
            assert!(!attempt.is_over(), "{puzzle}");
            let replies = match attempt.answer(mv).unwrap() {
                Answer::Right { replies } => replies,
                Answer::Solved { .. } => Vec::new(),
                Answer::Wrong { says, .. } => panic!("{puzzle}: {says}"),
            };
            let named: Vec<String> = left.by_ref().take(replies.len()).cloned().collect();
            assert_eq!(replies, named, "{puzzle}");
        }
        assert!(attempt.is_solved() && attempt.at_first_try() && attempt.is_rated(), "{puzzle}");
        assert!(!attempt.explain().is_empty(), "{puzzle}");
    }
}

/// Returns the other moves that lead to the same board as a move.
fn twins(game: &Match, mv: &str) -> Vec<String> {
    let after = |mv: &str| {
        let mut next = game.now().copy();
        next.play(mv).unwrap();
        next
    };
    let mut moves = game.legal_moves();
    moves.retain(|other| other != mv && after(other).is(&*after(mv)));
    moves
}

/// Returns whether a move of the solver has a twin.
fn has_twin(puzzle: &Puzzle) -> bool {
    let mut game = puzzle.position().unwrap();
    let solver = game.to_move();
    puzzle.solution.iter().any(|mv| {
        let has_twin = game.to_move() == solver && !twins(&game, mv).is_empty();
        game.play(mv).unwrap();
        has_twin
    })
}

/// Twins of the moves of a solution solve the puzzle too, and its rating counts them, since it counts the right moves of
/// the levels.
#[test]
fn ratings_count_all_solutions() {
    let puzzles: Vec<&Puzzle> = all().iter().filter(|puzzle| has_twin(puzzle)).collect();
    assert_eq!(puzzles.len(), 34);
    for puzzle in puzzles {
        let mut attempt = Attempt::new(puzzle.clone()).unwrap();
        let mut left = puzzle.solution.iter();
        while let Some(mv) = left.next() {
            for twin in twins(attempt.current_match(), mv) {
                assert!(attempt.is_right(&twin).unwrap(), "{puzzle}: {twin}");
            }
            if let Answer::Right { replies } = attempt.answer(mv).unwrap() {
                left.by_ref().take(replies.len()).for_each(drop);
            }
        }
        assert_eq!(mine::rate(puzzle), Ok(puzzle.rating), "{puzzle}");
    }
}

/// Puzzles of all builds are rated by the same levels, so their ratings are comparable.
#[test]
fn sample_of_ratings_is_exact() {
    let puzzles: Vec<&Puzzle> = games().flat_map(|game| of(game).step_by(22)).collect();
    assert!(puzzles.len() >= 50, "{}", puzzles.len());
    for puzzle in puzzles {
        assert_eq!(mine::rate(puzzle), Ok(puzzle.rating), "{puzzle}");
    }
}

#[test]
#[ignore = "takes some minutes"]
fn all_ratings_are_exact() {
    for puzzle in all() {
        assert_eq!(mine::rate(puzzle), Ok(puzzle.rating), "{puzzle}");
    }
}

/// In a puzzle with one move, every other move is wrong and is taken back.
#[test]
fn a_wrong_move_is_refuted_and_taken_back() {
    let simple = |puzzle: &&Puzzle| puzzle.solution.len() == 1;
    for puzzle in games().filter_map(|game| of(game).find(simple)) {
        let mut attempt = Attempt::new(puzzle.clone()).unwrap();
        let before = PositionSpec::to(attempt.current_match());
        for mv in attempt.current_match().legal_moves() {
            if mv == puzzle.solution[0] {
                continue;
            }
            match attempt.answer(&mv).unwrap() {
                Answer::Wrong { refutation, says } => {
                    assert!(says.starts_with("That ") && says.ends_with('.'), "{says}");
                    let line = [&[mv.clone()][..], &refutation].concat();
                    attempt.show(&line);
                    assert_eq!(attempt.as_ref().ply(), before.moves.len() + line.len(), "{puzzle}");
                }
                answer => panic!("{puzzle}: {mv}: {answer:?}"),
            }
            assert_eq!(PositionSpec::to(attempt.current_match()), before);
        }
        assert!(!attempt.at_first_try() && !attempt.is_over());
        assert!(matches!(attempt.answer(&puzzle.solution[0]), Ok(Answer::Solved { .. })));
        assert!(attempt.is_solved() && !attempt.at_first_try());
    }
}

#[test]
fn illegal_move_is_refused_and_is_no_try() {
    let mut attempt = attempt("dots-1");
    assert!(attempt.answer("H9,9").is_err());
    assert!(attempt.answer("nonsense").is_err());
    assert!(!attempt.is_touched() && attempt.at_first_try());
}

#[test]
fn hints_give_the_theme_then_the_move() {
    let mut attempt = attempt("quixo-1");
    assert!(matches!(attempt.hint(), Ok(Hint::Theme(_))));
    let mv = attempt.puzzle().solution[0].clone();
    assert_eq!(attempt.hint(), Ok(Hint::Move(mv)));
    assert!(!attempt.is_rated());
    attempt.restart();
    assert!(attempt.is_rated() && !attempt.is_touched());
}

#[test]
fn give_up_returns_the_solution() {
    let mut attempt = Attempt::new(long()).unwrap();
    let solution = attempt.give_up();
    assert_eq!(solution, attempt.puzzle().solution);
    attempt.show(&solution);
    assert_eq!(attempt.as_ref().ply(), attempt.current_match().ply() + solution.len());
    assert!(attempt.is_over() && !attempt.is_solved() && !attempt.at_first_try());
}

#[test]
fn invalid_puzzle_line_is_an_error() {
    let line = puzzle("dots-1").to_string();
    assert_eq!(Puzzle::read("dots-1 | "), Err(PuzzleError::Shape));
    assert_eq!(
        Puzzle::read(&line.replacen("dots-1", "chess-1", 1)),
        Err(PuzzleError::Id("chess-1".to_owned()))
    );
    assert_eq!(
        Puzzle::read(&line.replacen("dots-1", "dots-x", 1)),
        Err(PuzzleError::Id("dots-x".to_owned()))
    );
    let wrong = Puzzle { moves: vec!["H9,9".to_owned()], ..puzzle("dots-1") };
    assert!(matches!(Attempt::new(wrong), Err(PuzzleError::Move(_))));
}

#[test]
fn daily_puzzle_depends_only_on_the_date() {
    let first = date(2026, 11, 25);
    assert_eq!(daily(first.yesterday().unwrap(), None), None);
    assert_eq!(daily(first, Some("tic-tac-toe")), None);
    let days: Vec<Daily> = (0..8)
        .map(|days| daily(first.checked_add(jiff::Span::new().days(days)).unwrap(), None).unwrap())
        .collect();
    let names: Vec<&str> = days.iter().map(|daily| daily.puzzle.game).collect();
    assert_eq!(names[..4], games().collect::<Vec<_>>(), "a day each");
    assert_eq!(names[..4], names[4..]);
    assert_eq!(days.iter().map(|daily| daily.number).collect::<Vec<_>>(), [1, 2, 3, 4, 5, 6, 7, 8]);
    assert_eq!(daily(first, Some("quixo")).unwrap().puzzle.id, "quixo-1");
    // The file repeats from the start after its last line.
    let count = offered().filter(|puzzle| puzzle.game == "quixo").count() as i64;
    let later = first.checked_add(jiff::Span::new().days(count)).unwrap();
    assert_eq!(daily(later, Some("quixo")).unwrap().puzzle.id, "quixo-1");
    let earlier = archive(date(2026, 11, 28));
    assert_eq!(earlier.iter().map(|daily| daily.number).collect::<Vec<_>>(), [3, 2, 1]);
}

/// These days are in the past, or will be when this version is released. Players have shared their numbers.
#[test]
fn past_daily_puzzles_never_change() {
    let days = [
        (date(2026, 11, 25), "dots-1"),
        (date(2026, 11, 26), "join-2"),
        (date(2026, 11, 27), "quixo-3"),
        (date(2026, 11, 28), "intersections-4"),
        (date(2026, 11, 29), "dots-5"),
        (date(2026, 11, 30), "join-6"),
    ];
    for ((day, id), number) in days.into_iter().zip(1..) {
        let daily = |game| daily(day, game).unwrap();
        assert_eq!((daily(None).number, &*daily(None).puzzle.id), (number, id));
        for (game, prefix, _) in FILES {
            let of_game = daily(Some(game));
            assert_eq!((of_game.number, of_game.puzzle.id), (number, format!("{prefix}-{number}")));
        }
    }
}

#[test]
fn one_puzzle_per_symmetry_class_is_offered() {
    let (mut classes, mut known) = (Classes::default(), HashMap::new());
    let mut repeats = Vec::new();
    for puzzle in all() {
        let first = *known.entry(classes.of(puzzle).unwrap()).or_insert(&*puzzle.id);
        let is_offered = offered().any(|offered| offered.id == puzzle.id);
        if is_offered != (first == puzzle.id) {
            repeats.push((first, &*puzzle.id));
        }
    }
    assert_eq!(repeats, [], "the first of each is offered, and nothing else");
    let hidden =
        |game: &str| of(game).count() - offered().filter(|puzzle| puzzle.game == game).count();
    assert_eq!(
        ["quixo", "intersections", "dots-and-boxes", "join-the-dots"].map(hidden),
        [30, 44, 0, 21]
    );
    // The lines of hidden puzzles are kept, and the puzzles can still be requested.
    assert!(find("quixo-32").is_some() && offered().all(|puzzle| puzzle.id != "quixo-32"));
    for days in 6..600 {
        let day = date(2026, 11, 25).checked_add(jiff::Span::new().days(days)).unwrap();
        for game in games() {
            let daily = daily(day, Some(game)).unwrap();
            assert_eq!(i64::from(daily.number), days + 1);
            assert!(offered().any(|offered| offered.id == daily.puzzle.id), "{day}");
        }
    }
}

/// Puzzles that only require counting the safe lines between more than eight dots come after all other puzzles.
#[test]
fn long_counting_puzzles_come_last() {
    let only_counts = |puzzle: &&Puzzle| {
        let game = puzzle.position().unwrap();
        let position: Option<&JoinTheDots> = game.now().typed();
        puzzle.themes.iter().all(|theme| ["parity", "last safe line"].contains(&&**theme))
            && position.unwrap().points_left().count() > 8
    };
    let wanted: Vec<&str> =
        of("join-the-dots").filter(only_counts).map(|puzzle| &*puzzle.id).collect();
    let late: Vec<&str> =
        all().iter().filter(|puzzle| comes_last(puzzle)).map(|puzzle| &*puzzle.id).collect();
    assert_eq!(late, wanted);
    let mut rush = Rush::new(Some("join-the-dots"));
    let first: Vec<Puzzle> =
        (0..200).map(|seed| rush.next(&Progress::default(), seed).unwrap()).collect();
    assert!(!first.iter().any(comes_last));
}

/// Rotated, mirrored and color-swapped positions belong to the same class.
#[test]
fn symmetric_positions_share_a_class() {
    let line = |setup: &str, moves: &str| {
        let solution = "|";
        let id = if setup.contains("first=X") { "quixo-1" } else { "intersections-1" };
        Puzzle::read(&format!("{id} 1000 +1 1 - | {setup} | {moves} {solution}")).unwrap()
    };
    let of = |setup, moves| Classes::default().of(&line(setup, moves)).unwrap();
    let quixo = "size=4 first=X";
    assert_eq!(of(quixo, "A1-D1 A2-D2"), of(quixo, "D4-A4 D3-A3"), "turned");
    assert_eq!(of(quixo, "A1-D1 A2-D2"), of(quixo, "A1-A4 B1-B4"), "mirrored");
    assert_eq!(of(quixo, "A1-D1"), of(quixo, "A4-A1"));
    assert_ne!(of(quixo, "A1-D1 A2-D2"), of(quixo, "A1-D1 A3-D3"));
    let rounds = "rows=3 cols=4 players=2 rounds=2 segments=2 first=offense";
    assert_eq!(of(rounds, "0,0-0,1"), of(rounds, "2,2-2,3"));
    assert_eq!(
        of(rounds, "0,0-0,1"),
        of(rounds, "1,0-1,1 0,0-0,1 2,2-2,3"),
        "rounds before do not matter"
    );
    assert_ne!(of(rounds, "0,0-0,1"), of(rounds, "0,1-0,2"));
}

/// Solves a puzzle by playing its solution.
fn solve(attempt: &mut Attempt) -> Answer {
    loop {
        let at = attempt.current_match().ply() - attempt.puzzle().moves.len();
        let mv = attempt.puzzle().solution[at].clone();
        let answer = attempt.answer(&mv).unwrap();
        if attempt.is_over() {
            return answer;
        }
    }
}

fn noon(day: jiff::civil::Date) -> jiff::Timestamp {
    day.at(12, 0, 0, 0).to_zoned(jiff::tz::TimeZone::UTC).unwrap().timestamp()
}

#[test]
fn hint_is_recorded_at_once_and_ends_the_first_try() {
    let today = date(2026, 11, 26);
    let mut progress = Progress::default();
    let begin =
        |progress: &Progress| PuzzleSet::One(puzzle("dots-1")).begin(progress, today, 0).unwrap();
    let mut left = begin(&progress);
    assert_eq!(left.note(noon(today)), None, "nothing was tried");
    left.hint().unwrap();
    let event = left.note(noon(today)).unwrap();
    assert!(matches!(event, Event::Puzzle { solved: false, rated: false, .. }), "{event:?}");
    progress.add(event);
    assert_eq!(left.note(noon(today)), None, "it is written down once");
    // On a second visit, the puzzle is known.
    let mut attempt = begin(&progress);
    let Answer::Solved { says } = solve(&mut attempt) else { panic!() };
    assert_eq!(says, "Solved: it wins by 3.");
    progress.add(attempt.note(noon(today)).unwrap());
    assert_eq!(strength::Strength::of(&progress, "dots-and-boxes", today), None, "it is not rated");
    // An unfinished attempt is solved with a hint.
    let Answer::Solved { says } = solve(&mut left) else { panic!() };
    assert_eq!(says, "Solved: it wins by 3.");
    let event = left.note(noon(today)).unwrap();
    assert!(matches!(event, Event::Puzzle { solved: true, rated: false, .. }), "{event:?}");
}

#[test]
fn wrong_move_ends_the_first_try() {
    let today = date(2026, 11, 26);
    let mut attempt = attempt("dots-1");
    assert!(matches!(attempt.answer("H0,0"), Ok(Answer::Wrong { .. })));
    let event = attempt.note(noon(today)).unwrap();
    attempt.restart();
    assert!(!attempt.at_first_try());
    let Answer::Solved { says } = solve(&mut attempt) else { panic!() };
    assert!(!says.contains("first try"), "{says}");
    let mut progress = Progress::default();
    progress.add(event);
    let rating = strength::Strength::of(&progress, "dots-and-boxes", today);
    let event = attempt.note(noon(today)).unwrap();
    assert!(matches!(event, Event::Puzzle { solved: true, rated: false, .. }), "{event:?}");
    assert_eq!(attempt.note(noon(today)), None, "it is written down once");
    progress.add(event);
    assert_eq!(strength::Strength::of(&progress, "dots-and-boxes", today), rating);
    let daily = daily(date(2026, 11, 25), None).unwrap();
    assert_eq!(daily.puzzle.id, "dots-1");
    let mut set = PuzzleSet::Daily(daily);
    let mut again = set.begin(&progress, date(2026, 11, 25), 0).unwrap();
    solve(&mut again);
    let after = set.after_daily(&again, &progress, noon(today), date(2026, 11, 25)).unwrap();
    assert_eq!(after.share.text(true), "Quadrille daily 1, Dots and Boxes: +");
}

#[test]
fn daily_puzzle_counts_for_the_day_it_was_opened() {
    let (day, next) = (date(2026, 11, 25), date(2026, 11, 26));
    let progress = Progress::default();
    let solved = |opened, today| {
        let mut set = PuzzleSet::Daily(daily(day, None).unwrap());
        let mut attempt = set.begin(&progress, opened, 0).unwrap();
        solve(&mut attempt);
        set.after_daily(&attempt, &progress, noon(today), today).unwrap()
    };
    let counts_for = |after: &AfterDaily| match after.event {
        Some(Event::Daily { day, .. }) => day,
        _ => panic!("{after:?}"),
    };
    let on_the_day = solved(day, day);
    assert_eq!((counts_for(&on_the_day), &on_the_day.note), (Some(day), &None));
    let after_midnight = solved(day, next);
    assert_eq!(counts_for(&after_midnight), Some(day));
    assert_eq!(
        after_midnight.note.as_deref(),
        Some("It counts for 25 November, the day you opened it.")
    );
    let from_the_archive = solved(next, next);
    assert_eq!((counts_for(&from_the_archive), &from_the_archive.note), (None, &None));
}

fn solved(id: &str) -> Event {
    let puzzle = puzzle(id);
    let at = jiff::Timestamp::UNIX_EPOCH;
    let (game, rating) = (puzzle.game.to_owned(), puzzle.rating);
    Event::Puzzle { at, game, id: id.to_owned(), rating, solved: true, rated: true }
}

#[test]
fn puzzles_repeat_only_after_all_others() {
    let mut progress = Progress::default();
    let mut set = PuzzleSet::AtMyLevel(Some("quixo"));
    let mut seen = HashSet::new();
    let count = offered().filter(|puzzle| puzzle.game == "quixo").count();
    for seed in 0..count as u64 {
        let puzzle = set.next(&progress, date(2026, 12, 1), seed).unwrap();
        assert_eq!(puzzle.game, "quixo");
        assert!(seen.insert(puzzle.id.clone()), "{}", puzzle.id);
        progress.add(solved(&puzzle.id));
    }
    assert!(set.next(&progress, date(2026, 12, 1), 0).is_some(), "then all come again");
}

/// Checks that every wrong legal move of these puzzles is explained by its value and its answer, and that the
/// statements about the solution are true under best play.
fn check_sentences(puzzles: impl Iterator<Item = &'static Puzzle>) -> usize {
    let mut count = 0;
    for puzzle in puzzles {
        let mut attempt = Attempt::new(puzzle.clone()).unwrap();
        let mut judge = Judge::live(puzzle.entry().unwrap());
        let here = attempt.current_match().copy_line();
        let judged = judge.judge(&here).unwrap();
        for mv in here.legal_moves() {
            if attempt.is_right(&mv).unwrap() {
                continue;
            }
            let Answer::Wrong { refutation, says } = attempt.answer(&mv).unwrap() else {
                panic!("{puzzle}: {mv}");
            };
            let value = judged.value_of(&mv);
            let most = Value { upper: value.upper, ..Value::default() };
            let worth = if value.proven().is_some() { value } else { most };
            let worth = judged.value_format.too_little_in_words(worth);
            if worth.is_empty() {
                assert_eq!(says, "That is not enough.");
                continue;
            }
            let mut next = here.copy_line();
            next.play(&mv).unwrap();
            let is_theirs = next.to_move().is_some_and(|seat| seat != attempt.seat());
            let after = if is_theirs { format!(" after {}", refutation[0]) } else { String::new() };
            assert_eq!(says, format!("That {worth}{after}."), "{puzzle}");
            count += 1;
        }
        solve(&mut attempt);
        for sentence in attempt.explain() {
            count += 1;
            if !sentence.contains("must open") && !sentence.contains("to keep control") {
                continue;
            }
            let mut turn =
                sentence.split(" gives ").next().unwrap().split(" leaves ").next().unwrap();
            turn = turn.split(' ').next_back().unwrap();
            let at = puzzle.solution.iter().position(|mv| mv == turn).unwrap();
            let mut game = puzzle.position().unwrap();
            puzzle.solution[..=at].iter().for_each(|mv| game.play(mv).unwrap());
            let opener = first_to_give(game.copy_line(), &judge.best_line(&game, 60).unwrap());
            assert!(opener.is_some_and(|seat| seat != attempt.seat()), "{puzzle}: {sentence}");
        }
    }
    count
}

/// Returns the first player in this line of Dots and Boxes who gives boxes away.
fn first_to_give(mut game: Match, line: &[String]) -> Option<Seat> {
    let scored = |game: &Match| game.scores().unwrap().iter().sum::<u32>();
    for mv in line {
        let (mover, before) = (game.to_move(), scored(&game));
        game.play(mv).unwrap();
        let can_take = |mv: &String| {
            let mut next = game.copy_line();
            next.play(mv).unwrap();
            scored(&next) > scored(&game)
        };
        if scored(&game) == before && game.legal_moves().iter().any(can_take) {
            return mover;
        }
    }
    None
}

#[test]
fn move_explanations_of_sample_puzzles_are_consistent() {
    assert!(check_sentences(games().flat_map(|game| of(game).step_by(40))) > 300);
}

#[test]
#[ignore = "takes some minutes"]
fn move_explanations_of_all_puzzles_are_consistent() {
    println!("{} sentences", check_sentences(all().iter()));
}

/// The main theme changes from puzzle to puzzle. In games with many themes, a theme does not return at once.
#[test]
fn next_puzzle_changes_theme_and_fits_the_rating() {
    for game in games() {
        let mut progress = Progress::default();
        let mut set = PuzzleSet::AtMyLevel(Some(game));
        let mut seen: Vec<Puzzle> = Vec::new();
        for seed in 0..10 {
            let puzzle = set.next(&progress, date(2026, 12, 1), 7 * seed).unwrap();
            let apart = if game == "intersections" { 1 } else { 2 };
            let mut last = seen.iter().rev().take(apart);
            assert!(last.all(|last| last.themes[0] != puzzle.themes[0]), "{game}: {puzzle}");
            // A try with a hint does not change the rating, so the same puzzles remain suitable.
            let Event::Puzzle { at, game, id, rating, solved, .. } = solved(&puzzle.id) else {
                panic!()
            };
            progress.add(Event::Puzzle { at, game, id, rating, solved, rated: false });
            assert!(puzzle.rating.abs_diff(1000) <= 300, "{puzzle}");
            seen.push(puzzle);
        }
    }
}

fn rush() -> (Rush, Attempt) {
    let mut rush = Rush::new(Some("dots-and-boxes"));
    let puzzle = rush.next(&Progress::default(), 0).unwrap();
    (rush, Attempt::new(puzzle).unwrap())
}

fn says(rush: &Rush) -> &str {
    &rush.result().unwrap().says
}

#[test]
fn a_rush_gets_harder_with_each_solved_puzzle() {
    let (mut rush, mut attempt) = rush();
    let first = attempt.puzzle().rating;
    for seed in 1..20 {
        let answer = solve(&mut attempt);
        rush.count(&answer, &mut attempt);
        assert_eq!(says(&rush), "Solved.");
        rush.go_on();
        attempt = Attempt::new(rush.next(&Progress::default(), seed).unwrap()).unwrap();
    }
    assert!(attempt.puzzle().rating > first + 500, "{}", attempt.puzzle().rating);
    assert_eq!(rush.standing(), "3:00, 19 solved, 0 mistakes");
    rush.end();
    assert_eq!(rush.summary(&Progress::default()), "19 solved.", "there was no earlier best");
    for (best, says) in [(18, "19 solved. New best!"), (19, "19 solved. Your best is 19.")] {
        let mut progress = Progress::default();
        let (at, game) = (jiff::Timestamp::UNIX_EPOCH, Some("dots-and-boxes".to_owned()));
        progress.add(Event::Rush { at, game, score: best });
        assert_eq!(rush.summary(&progress), says);
    }
}

#[test]
fn third_mistake_or_skip_ends_the_rush() {
    let (mut rush, mut attempt) = rush();
    let solution = attempt.puzzle().solution.join(" ");
    let legal = attempt.current_match().legal_moves();
    let wrong = legal.iter().find(|mv| !attempt.is_right(mv).unwrap()).unwrap();
    let answer = attempt.answer(wrong).unwrap();
    rush.count(&answer, &mut attempt);
    let said = says(&rush);
    assert!(said.starts_with(&format!("Wrong. The solution is {solution}, which ")), "{said}");
    let event = attempt.note(jiff::Timestamp::UNIX_EPOCH);
    assert!(matches!(event, Some(Event::Puzzle { solved: false, rated: true, .. })), "{event:?}");
    for mistakes in 2..=3 {
        rush.go_on();
        assert!(!rush.is_over());
        let mut attempt = Attempt::new(rush.next(&Progress::default(), mistakes).unwrap()).unwrap();
        rush.skip(&mut attempt);
        assert!(says(&rush).starts_with("Skipped. The solution is "), "{}", says(&rush));
        assert!(
            attempt.note(jiff::Timestamp::UNIX_EPOCH).is_some(),
            "a skipped puzzle is not solved"
        );
    }
    assert!(!rush.is_over(), "the result comes first");
    rush.go_on();
    assert!(rush.is_over());
    assert_eq!(rush.summary(&Progress::default()), "Three mistakes. 0 solved.");
    assert_eq!(rush.marks(), [TryMark::Wrong, TryMark::Skipped, TryMark::Skipped]);
    assert_eq!(rush.missed().len(), 3);
}

/// Untried puzzles come first in a rush, then those that were tried longest ago.
#[test]
fn rush_prefers_puzzles_that_were_not_tried_lately() {
    let mut progress = Progress::default();
    let count = offered().filter(|puzzle| puzzle.game == "quixo").count();
    let mut order = Vec::new();
    for seed in 0..count as u64 {
        // A rush for each puzzle.
        let puzzle = Rush::new(Some("quixo")).next(&progress, seed).unwrap();
        if progress.tried(&puzzle.id) {
            // Every puzzle that can begin a rush was tried.
            assert_eq!(Some(&puzzle.id), order.first());
            assert!(order.len() > 10, "{order:?}");
            return;
        }
        assert!(!order.contains(&puzzle.id));
        progress.add(solved(&puzzle.id));
        order.push(puzzle.id);
    }
    panic!("no puzzle came again");
}

#[test]
fn rush_clock_runs_only_while_a_puzzle_is_open() {
    let (mut rush, mut attempt) = rush();
    rush.pass(Duration::from_secs(60));
    assert_eq!(rush.standing(), "2:00, 0 solved, 0 mistakes");
    rush.skip(&mut attempt);
    rush.pass(Duration::from_secs(600));
    assert_eq!(rush.left(), Duration::from_secs(120), "no puzzle is open");
    rush.go_on();
    rush.pass(Duration::from_secs(120));
    assert!(rush.is_over());
    let mut progress = Progress::default();
    progress.add(Event::Rush {
        at: jiff::Timestamp::UNIX_EPOCH,
        game: Some("dots-and-boxes".to_owned()),
        score: 4,
    });
    assert_eq!(rush.summary(&progress), "Time is up. 0 solved. Your best is 4.");
}

/// Returns the line to share after a daily puzzle of Dots and Boxes, for a solver who has done `play`.
fn shared(progress: &Progress, play: impl FnOnce(&mut Attempt)) -> (String, String) {
    let day = date(2026, 11, 25);
    let mut set = PuzzleSet::Daily(daily(day, None).unwrap());
    let mut attempt = set.begin(progress, day, 0).unwrap();
    play(&mut attempt);
    let after = set.after_daily(&attempt, progress, noon(day), day).unwrap();
    let Some(Event::Tries { marks, .. }) = set.note_tries(&attempt, progress, noon(day)) else {
        panic!("{attempt:?}")
    };
    (after.share.text(true), marks)
}

#[test]
fn share_line_has_a_mark_for_each_try() {
    let none = Progress::default();
    let is = |marks: &str| format!("Quadrille daily 1, Dots and Boxes: {marks}");
    let try_wrong = |attempt: &mut Attempt| {
        assert!(matches!(attempt.answer("H0,0"), Ok(Answer::Wrong { .. })));
    };
    let hinted_twice = |attempt: &mut Attempt| {
        try_wrong(attempt);
        attempt.hint().unwrap();
        attempt.hint().unwrap();
    };
    let (line, _) = shared(&none, |attempt| {
        hinted_twice(attempt);
        solve(attempt);
        attempt.restart();
        solve(attempt);
    });
    assert_eq!(line, is("x?+"), "tries after the solution do not count");
    let (line, _) = shared(&none, |attempt| {
        hinted_twice(attempt);
        attempt.restart();
        solve(attempt);
    });
    assert_eq!(line, is("x?+"), "tries before a restart count");
    let (line, _) = shared(&none, |attempt| {
        try_wrong(attempt);
        attempt.give_up();
    });
    assert_eq!(line, is("xx"), "giving up is a try");
    // The tries of an earlier visit.
    let (_, marks) = shared(&none, hinted_twice);
    let mut before = Progress::default();
    let (at, game) = (noon(date(2026, 11, 25)), "dots-and-boxes".to_owned());
    before.add(Event::Tries { at, number: 1, game, marks });
    let (line, _) = shared(&before, |attempt| {
        solve(attempt);
    });
    assert_eq!(line, is("x?+"));
}

#[test]
fn goals_are_sentences() {
    let goals = |game| -> HashSet<String> {
        of(game).map(|puzzle| Attempt::new(puzzle.clone()).unwrap().goal()).collect()
    };
    let quixo = goals("quixo");
    for goal in quixo {
        let moves = goal
            .strip_prefix("Win in ")
            .and_then(|goal| goal.strip_suffix(" moves: four in a row"));
        let is_number =
            moves.is_some_and(|moves| moves.parse::<u32>().is_ok_and(|moves| moves > 1));
        assert!(is_number || goal == "Hold the draw", "{goal}");
    }
    // Three plies are two moves of the solver.
    let short = of("quixo").find(|puzzle| puzzle.plies == Some(3)).unwrap();
    let goal = Attempt::new(short.clone()).unwrap().goal();
    assert_eq!(goal, "Win in 2 moves: four in a row");
    for game in ["dots-and-boxes", "join-the-dots", "intersections"] {
        for goal in goals(game) {
            let number = goal
                .strip_prefix("Win by ")
                .or_else(|| goal.strip_prefix("Lose by ")?.strip_suffix(" at most"));
            let is_number = number.is_some_and(|number| number.parse::<u32>().is_ok());
            assert!(is_number || goal == "Hold the draw", "{goal}");
        }
    }
}

/// A rush begins with simple puzzles, in a rush of all games each of another game, and then climbs.
#[test]
fn rush_begins_with_simple_puzzles() {
    for seed in 0..40 {
        for game in [None].into_iter().chain(games().map(Some)) {
            let mut rush = Rush::new(game);
            let first: Vec<Puzzle> =
                (0..3).map(|more| rush.next(&Progress::default(), seed + more).unwrap()).collect();
            for puzzle in &first {
                assert_eq!(puzzle.decisions, 1, "{puzzle}");
                let is_won = puzzle.value > 0 && puzzle.plies.is_none_or(|plies| plies <= 3);
                assert!(is_won, "{puzzle}");
                assert!(game.is_none_or(|game| game == puzzle.game), "{puzzle}");
            }
            let games: HashSet<&str> = first.iter().map(|puzzle| puzzle.game).collect();
            assert_eq!(games.len(), if game.is_none() { 3 } else { 1 });
        }
    }
}

#[test]
fn easier_puzzles_are_offered_until_five_are_tried() {
    let today = date(2026, 11, 26);
    let mut progress = Progress::default();
    let mut set = PuzzleSet::Easier;
    let mut ratings = Vec::new();
    while PuzzleSet::offers_easier(&progress) {
        let mut attempt = set.begin(&progress, today, 0).unwrap();
        assert!(rush::begins_rush(attempt.puzzle()) && !progress.tried(&attempt.puzzle().id));
        ratings.push(attempt.puzzle().rating);
        solve(&mut attempt);
        assert!(set.after_daily(&attempt, &progress, noon(today), today).is_none());
        let event = attempt.note(noon(today)).unwrap();
        assert!(matches!(event, Event::Puzzle { solved: true, rated: true, .. }), "{event:?}");
        progress.add(event);
    }
    assert_eq!(ratings.len(), 5);
    assert!(ratings.is_sorted() && ratings[0] < 800, "{ratings:?}");
    assert_eq!(progress.streak(today), 0);
    set.begin(&progress, today, 0).unwrap();
    assert!(matches!(set, PuzzleSet::AtMyLevel(None)));
}

/// Returns a run at this set on a day without progress.
fn run(set: PuzzleSet, progress: &Progress, today: jiff::civil::Date) -> PuzzleRun {
    PuzzleRun::begin(set, SolverDay { progress, at: noon(today), today }).unwrap()
}

/// Plays the solution of the run's puzzle.
fn solve_run(run: &mut PuzzleRun, progress: &Progress, today: jiff::civil::Date) {
    let day = SolverDay { progress, at: noon(today), today };
    while !run.is_over() {
        let at = run.attempt().current_match().ply() - run.attempt().puzzle().moves.len();
        let mv = run.attempt().puzzle().solution[at].clone();
        run.answer(&mv, day).unwrap();
    }
}

#[test]
fn the_win_is_played_out_after_the_solution() {
    let (progress, today) = (Progress::default(), date(2026, 11, 28));
    let puzzle = of("quixo").find(|puzzle| puzzle.plies == Some(5)).unwrap();
    let seat = puzzle.seat().unwrap();
    for gives_up in [false, true] {
        let mut run = run(PuzzleSet::One(puzzle.clone()), &progress, today);
        if gives_up {
            run.give_up(SolverDay { progress: &progress, at: noon(today), today });
        } else {
            solve_run(&mut run, &progress, today);
        }
        let said = run.texts().said.clone().unwrap();
        assert!(said.contains("Watch the rest. Your rating: "), "{said}");
        assert!(run.as_ref().outcome().is_none() && !run.shows_wrong());
        while run.line_shown().is_some() {
            run.show_more();
        }
        assert!(run.as_ref().outcome().unwrap().is_winner(seat) && run.shows_line());
    }
    // The end of this match is too far away.
    let mut run = run(PuzzleSet::One(find("dots-1").unwrap().clone()), &progress, today);
    solve_run(&mut run, &progress, today);
    let said = run.texts().said.clone().unwrap();
    assert_eq!(run.line_shown().is_some(), said.contains("Watch the rest."), "{said}");
}

#[test]
fn end_of_a_rated_puzzle_shows_the_rating_and_its_change() {
    let today = date(2026, 11, 28);
    let mut progress = Progress::default();
    progress.add(solved("dots-2"));
    let puzzle = PuzzleSet::One(find("dots-1").unwrap().clone());
    let mut first = run(puzzle.clone(), &progress, today);
    solve_run(&mut first, &progress, today);
    let said = first.texts().said.clone().unwrap();
    let rating = strength::Strength::of(&progress, "dots-and-boxes", today).unwrap().rating;
    let (_, change) = said.split_once(" (+").unwrap();
    assert!(said.contains(" Your rating: ") && change.ends_with(")."), "{said}");
    for event in first.take_events() {
        progress.add(event);
    }
    let after = strength::Strength::of(&progress, "dots-and-boxes", today).unwrap().rating;
    assert_eq!(change, format!("{:.0}).", after.round() - rating.round()));
    // A second try is not rated.
    let mut again = run(puzzle, &progress, today);
    solve_run(&mut again, &progress, today);
    assert!(!again.texts().said.as_ref().unwrap().contains("rating"));
}

#[test]
fn solved_puzzles_count_also_with_hints_and_mistakes() {
    let today = date(2026, 11, 28);
    let count = |events: Vec<Event>| {
        let mut progress = Progress::default();
        for event in events {
            progress.add(event);
        }
        puzzles_solved(&progress, "dots-and-boxes")
    };
    let play = |wrong: bool, hint: bool, gives_up: bool| {
        let progress = Progress::default();
        let day = SolverDay { progress: &progress, at: noon(today), today };
        let mut run = run(PuzzleSet::One(find("dots-1").unwrap().clone()), &progress, today);
        if wrong {
            run.answer("H0,0", day).unwrap();
            run.take_back();
        }
        if hint {
            run.give_hint(day);
        }
        if gives_up {
            run.give_up(day);
        } else {
            solve_run(&mut run, &progress, today);
        }
        count(run.take_events())
    };
    for (wrong, hint) in [(false, false), (true, false), (false, true), (true, true)] {
        assert_eq!(play(wrong, hint, false), 1);
        assert_eq!(play(wrong, hint, true), 0);
    }
    // Earlier versions recorded a daily puzzle solved after a mistake like this.
    let Event::Puzzle { at, game, id, rating, .. } = solved("dots-1") else { panic!() };
    let tried = Event::Puzzle { at, game: game.clone(), id, rating, solved: false, rated: true };
    let daily = Event::Daily { at, number: 1, game, day: None };
    assert_eq!(count(vec![tried.clone()]), 0);
    assert_eq!(count(vec![tried, daily.clone(), daily.clone()]), 1);
    assert_eq!(count(vec![solved("dots-1"), daily]), 1);
}

#[test]
fn solved_daily_puzzle_opens_as_solved_with_its_line() {
    let (day, next) = (date(2026, 11, 25), date(2026, 11, 26));
    let set = || PuzzleSet::Daily(daily(day, None).unwrap());
    let mut progress = Progress::default();
    let mut first = run(set(), &progress, day);
    first.give_hint(SolverDay { progress: &progress, at: noon(day), today: day });
    solve_run(&mut first, &progress, day);
    for event in first.take_events() {
        progress.add(event);
    }
    let yesterday = Event::Daily {
        at: noon(day),
        number: 0,
        game: "quixo".to_owned(),
        day: Some(day.yesterday().unwrap()),
    };
    progress.add(yesterday);
    let mut again = run(set(), &progress, day);
    assert!(again.is_over() && again.attempt().is_solved());
    let line = |run: &PuzzleRun| run.texts().share.as_ref().unwrap().text(true);
    assert_eq!(line(&again), "Quadrille daily 1, Dots and Boxes: ?+, 2-day streak");
    assert_eq!(again.take_events(), []);
    again.try_again();
    assert!(!again.is_over() && again.texts().share.is_none());
    // As a puzzle of an earlier day, it adds nothing to a streak.
    let later = run(set(), &progress, next);
    assert_eq!(line(&later), "Quadrille daily 1, Dots and Boxes: ?+");
    assert_eq!(later.result().unwrap().number, None);
}

#[test]
fn live_judge_covers_all_legal_moves() {
    for puzzle in games().filter_map(|game| of(game).next()) {
        let mut judge = Judge::live(puzzle.entry().unwrap());
        let game = puzzle.position().unwrap();
        let judged = judge.judge(&game).unwrap();
        let moves: HashSet<&String> = judged.moves.iter().map(|(mv, _)| mv).collect();
        let legal = game.legal_moves();
        assert_eq!(moves, legal.iter().collect());
    }
}
