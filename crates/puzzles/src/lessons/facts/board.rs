//! What the rules alone say about a position.

use quadrille_match::session::Match;
use quadrille_rules::dots_and_boxes::DotsAndBoxes;
use quadrille_rules::intersections::{Dot, Intersections, Segment};
use quadrille_rules::join_the_dots::{self, Edge, JoinTheDots};
use quadrille_rules::quixo::{Place, Quixo};
use quadrille_rules::tic_tac_toe::TicTacToe;
use quadrille_rules::{Position, Seat, Symbol};
use quadrille_search::dots_and_boxes::chains::{BoxRunKind, ChainCount};

pub(super) fn after(game: &Match, mv: &str) -> Match {
    let mut game = game.copy_line();
    game.play(mv).unwrap_or_else(|why| panic!("{mv}: {why}"));
    game
}

pub(super) fn in_game(
    game: &Match,
    whose: impl Fn(Option<Seat>) -> &'static str,
    word: &str,
    rest: &str,
) -> String {
    if let Some(boxes) = game.now().typed::<DotsAndBoxes>() {
        return of_boxes(boxes, whose, word, rest);
    }
    if let Some(lines) = game.now().typed::<JoinTheDots>() {
        return of_lines(lines, word, rest);
    }
    let round = segments(game);
    match word {
        "offense" => whose(Some(round.round().offense)).to_owned(),
        "left" => (round.segments() as usize - round.drawn().len()).to_string(),
        "ends" => round.degree(dot(rest)).to_string(),
        "passed" => yes(round.is_passed(dot(rest))),
        "counting" => round.scoring_dots().count().to_string(),
        "offers" => round_value(&round, round.round().number).to_string(),
        _ => panic!("{word} is no quantity here"),
    }
}

fn of_boxes(
    position: &DotsAndBoxes,
    whose: impl Fn(Option<Seat>) -> &'static str,
    word: &str,
    rest: &str,
) -> String {
    let sides = |at: (u8, u8)| sides(position, at);
    let count = ChainCount::of(position);
    let runs = |kind: BoxRunKind| {
        let runs = count.runs.iter().filter(|run| run.kind == kind);
        numbers(runs.map(|run| run.boxes.len()))
    };
    match word {
        "dots" => (u32::from(position.rows()) * u32::from(position.cols())).to_string(),
        // The number of boxes with this many sides drawn; without a number, of all boxes.
        "boxes" => {
            let number: Option<usize> = rest.parse().ok();
            let boxes =
                position.boxes().filter(|at| number.is_none_or(|sides_| sides(*at) == sides_));
            boxes.count().to_string()
        }
        "sides" => {
            let (row, col) = rest.split_once(',').unwrap();
            sides((row.parse().unwrap(), col.parse().unwrap())).to_string()
        }
        // The number of boxes beside a line.
        "borders" => {
            position.boxes_beside(rest.parse().unwrap()).iter().flatten().count().to_string()
        }
        "owner" => {
            let (row, col) = rest.split_once(',').unwrap();
            whose(position.owner(row.parse().unwrap(), col.parse().unwrap())).to_owned()
        }
        // Whether the drawn lines are symmetric under a half turn of the board.
        "half-turn" => yes(position.lines().filter(|line| position.is_drawn(*line)).all(|line| {
            let (rows, cols) = (position.rows(), position.cols());
            let text = line.to_string();
            let (row, col) = text[1..].split_once(',').unwrap();
            let (row, col): (u8, u8) = (row.parse().unwrap(), col.parse().unwrap());
            let partner = match &text[..1] {
                "H" => format!("H{},{}", rows - 1 - row, cols - 2 - col),
                _ => format!("V{},{}", rows - 2 - row, cols - 1 - col),
            };
            position.is_drawn(partner.parse().unwrap())
        })),
        "has" => {
            let kind = match rest {
                "chain" => BoxRunKind::Chain,
                "loop" => BoxRunKind::Loop,
                _ => panic!("{rest} is no run"),
            };
            yes(count.runs.iter().any(|run| run.kind == kind))
        }
        "chains" => runs(BoxRunKind::Chain),
        "loops" => runs(BoxRunKind::Loop),
        "runs" => runs(BoxRunKind::Open),
        "long" => count.long().to_string(),
        _ => panic!("{word} is no quantity here"),
    }
}

fn of_lines(position: &JoinTheDots, word: &str, rest: &str) -> String {
    let joined = |dot: u8| position.lines().iter().any(|line| line.ends().contains(&dot));
    match word {
        "left" => position.points_left().count().to_string(),
        "lines" => position.lines().len().to_string(),
        "free" => {
            let free = position.points_left().filter(|dot| !joined(*dot));
            numbers(free.map(usize::from))
        }
        // The lines that the given line would cross.
        "crosses" => {
            let lines = position.lines().iter().map(Edge::to_string);
            list(lines.filter(|line| cross(position, rest, line)))
        }
        // The number of dots in each connected tree of lines, largest first.
        "paths" => {
            let mut left: Vec<u8> = position.points_left().filter(|dot| joined(*dot)).collect();
            let mut sizes = Vec::new();
            while let Some(dot) = left.pop() {
                let mut tree = vec![dot];
                while let Some(line) = position
                    .lines()
                    .iter()
                    .find(|line| line.ends().iter().filter(|end| tree.contains(end)).count() == 1)
                {
                    tree.extend(line.ends().iter().filter(|end| left.contains(end)));
                    left.retain(|dot| !tree.contains(dot));
                }
                sizes.push(tree.len());
            }
            sizes.sort_unstable_by(|a, b| b.cmp(a));
            numbers(sizes)
        }
        _ => panic!("{word} is no quantity here"),
    }
}

pub(super) fn list(texts: impl IntoIterator<Item = String>) -> String {
    let texts: Vec<String> = texts.into_iter().collect();
    if texts.is_empty() { "none".to_owned() } else { texts.join(" ") }
}

fn numbers(numbers: impl IntoIterator<Item = usize>) -> String {
    list(numbers.into_iter().map(|number| number.to_string()))
}

/// Returns the match after the mover has taken everything possible.
pub(super) fn take_all(game: &Match) -> Match {
    let Some(mover) = game.to_move() else { return game.copy_line() };
    let next = game.legal_moves().into_iter().map(|mv| after(game, &mv));
    match next.into_iter().find(|next| gain(game, next, mover) > 0) {
        Some(next) if next.to_move() == Some(mover) => take_all(&next),
        Some(next) => next,
        None => game.copy_line(),
    }
}

pub(super) fn yes(is: bool) -> String {
    if is { "yes" } else { "no" }.to_owned()
}

pub(super) fn matches(pattern: &str, mv: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == mv,
        Some((begins, ends)) => mv.starts_with(begins) && mv.ends_with(ends),
    }
}

pub(super) fn gain(game: &Match, next: &Match, seat: Seat) -> i32 {
    let score = |game: &Match| game.scores().unwrap()[seat.index()] as i32;
    score(next) - score(game)
}

/// Returns the number of moves that win immediately.
pub(super) fn mates(game: &Match) -> usize {
    let Some(mover) = game.to_move() else { return 0 };
    let outcomes = game.legal_moves().into_iter().filter_map(|mv| after(game, &mv).outcome());
    outcomes.filter(|outcome| outcome.is_winner(mover) && !outcome.is_winner(mover.next(2))).count()
}

/// Returns the same position with the other player to move.
pub(super) fn passed(game: &Match) -> Match {
    let mover = Symbol::from(game.to_move().unwrap()).opponent().letter();
    let cells: String = grid(game).concat().iter().collect();
    let size = match game.id() {
        "quixo" => format!("size={} ", grid(game).len()),
        _ => String::new(),
    };
    let setup = format!("{size}grid={cells} first={mover}").parse().unwrap();
    (quadrille_table::catalogue::find(game.id()).unwrap().start)(&setup).unwrap()
}

/// Returns the marks of a board, row by row.
pub(super) fn grid(game: &Match) -> Vec<Vec<char>> {
    let letter = |symbol: Option<Symbol>| symbol.map_or('-', Symbol::letter);
    if let Some(quixo) = game.now().typed::<Quixo>() {
        let size = quixo.size();
        let row = |row| (0..size).map(|col| letter(quixo.die(Place { row, col }))).collect();
        return (0..size).map(row).collect();
    }
    let cells = game.now().typed::<TicTacToe>().unwrap().cells();
    cells.chunks(3).map(|row| row.iter().map(|cell| letter(*cell)).collect()).collect()
}

pub(super) fn cell(game: &Match, place: &str) -> char {
    let place = Place::read(&place.to_ascii_uppercase()).unwrap();
    grid(game)[place.row as usize][place.col as usize]
}

/// Returns the marks in a line, named by its ends as in `A1-C3`.
pub(super) fn cells_between(game: &Match, line: &str) -> Vec<char> {
    let (first, last) = line.split_once('-').unwrap();
    let [first, last] =
        [first, last].map(|place| Place::read(&place.to_ascii_uppercase()).unwrap());
    let grid = grid(game);
    let count = grid.len() as i8;
    let step = |from: u8, to: u8| (to as i8 - from as i8) / (count - 1);
    let (rows, cols) = (step(first.row, last.row), step(first.col, last.col));
    let at =
        |i: i8| grid[(first.row as i8 + i * rows) as usize][(first.col as i8 + i * cols) as usize];
    (0..count).map(at).collect()
}

pub(super) fn lines(grid: &[Vec<char>]) -> Vec<Vec<char>> {
    let n = grid.len();
    let mut lines = grid.to_vec();
    lines.extend((0..n).map(|col| grid.iter().map(|row| row[col]).collect()));
    lines.push((0..n).map(|i| grid[i][i]).collect());
    lines.push((0..n).map(|i| grid[i][n - 1 - i]).collect());
    lines
}

/// Returns the number of sides of a box that are drawn.
pub(super) fn sides(position: &DotsAndBoxes, at: (u8, u8)) -> usize {
    DotsAndBoxes::sides(at).iter().filter(|line| position.is_drawn(**line)).count()
}

/// Returns whether two lines of Join the Dots cross.
pub(super) fn cross(position: &JoinTheDots, line: &str, other: &str) -> bool {
    let [[a, b], [c, d]] = [line, other].map(|line| {
        let line: Edge = line.parse().unwrap();
        line.ends().map(|dot| position.point(dot).unwrap())
    });
    join_the_dots::cross(a, b, c, d)
}

/// Returns the number of dots on a segment.
pub(super) fn dots_of(segment: &str) -> i32 {
    segment.parse::<Segment>().unwrap().dots().len() as i32
}

pub(super) fn segments(game: &Match) -> Intersections {
    game.now().typed::<Intersections>().unwrap().clone()
}

fn dot(text: &str) -> Dot {
    let (row, col) = text.split_once(',').unwrap();
    Dot { row: row.parse().unwrap(), col: col.parse().unwrap() }
}

pub(super) fn play(position: &Intersections, mv: &str) -> Intersections {
    let mut next = position.clone();
    next.play(mv.parse().unwrap()).unwrap();
    next
}

/// Returns the number of dots that count, optionally after an additional segment.
pub(super) fn counting(position: &Intersections, mv: Option<&str>) -> i32 {
    match mv {
        None => position.scoring_dots().count() as i32,
        Some(mv) => position.with_segment(mv.parse().unwrap()).scoring_dots().count() as i32,
    }
}

/// Returns the offense's dots in this round with best play. If the next round has begun, returns the dots that the
/// offense scored.
pub(super) fn round_value(position: &Intersections, round: u32) -> i32 {
    let offense = position.offense_in(round);
    let score = |position: &Intersections| position.scores().unwrap()[offense.index()] as i32;
    if position.round().number != round {
        return score(position);
    }
    let is_offense = position.to_move() == Some(offense);
    let values = position.legal_moves().into_iter().map(|mv| {
        let mut next = position.clone();
        next.play(mv).unwrap();
        round_value(&next, round)
    });
    if is_offense { values.max() } else { values.min() }.unwrap()
}
