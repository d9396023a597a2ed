//! Puzzles, lessons and ratings for solo play. Nothing here draws, blocks or reads files.
//!
//! A puzzle is a position from a match between two of our levels in which exactly one move keeps the value proven by
//! the solvers, and a beginner's move does not. [`mine`] finds puzzles and [`difficulty`] measures their difficulty;
//! both are only used by `quadrille puzzle make`, which produced every line of `assets/puzzles`. An [`Attempt`] is a
//! solver's attempt at one puzzle: it [judges](judge) each move live, so any equally good move is accepted too.
//!
//! [`PuzzleSet`] is a set of puzzles to solve in a row, [`Daily`] the puzzle of a date, [`Rush`] a run against the
//! clock, [`lessons`] the lessons, and [`strength`] the ratings.
//!
//! It promises that every puzzle, hint and lesson states only what a solver proved. It must not draw, wait, or read
//! files.
#![cfg_attr(test, allow(clippy::disallowed_methods, clippy::disallowed_types))]

pub mod difficulty;
pub mod judge;
pub mod lessons;
pub mod mine;
pub mod strength;

mod attempt;
mod daily;
mod greedy;
mod own;
mod puzzle;
mod puzzle_set;
mod repeats;
mod run;
mod rush;
mod share;
mod themes;

pub use attempt::{Answer, Attempt, Hint};
pub use daily::{Daily, archive, daily, puzzles_solved};
pub use own::OwnMistakes;
pub use puzzle::{Puzzle, PuzzleError};
pub use puzzle_set::{AfterDaily, PuzzleSet};
pub use repeats::Classes;
pub use run::{PuzzleRun, SolverDay};
pub use rush::{Rush, RushResult};
pub use share::{ShareLine, TryMark};

use jiff::civil::Date;
use quadrille_rules::Seat;
use quadrille_text::wording;
use std::collections::HashSet;
use std::sync::LazyLock;

/// For each game with puzzles: the game, the prefix of its puzzle ids, and its file.
const FILES: [(&str, &str, &str); 4] = [
    ("dots-and-boxes", "dots", include_str!("../assets/puzzles/dots-and-boxes.txt")),
    ("join-the-dots", "join", include_str!("../assets/puzzles/join-the-dots.txt")),
    ("quixo", "quixo", include_str!("../assets/puzzles/quixo.txt")),
    ("intersections", "intersections", include_str!("../assets/puzzles/intersections.txt")),
];

/// Returns the ids of the games with puzzles.
pub fn games() -> impl Iterator<Item = &'static str> {
    FILES.iter().map(|(game, ..)| *game)
}

/// Returns all puzzles of all games, in file order.
pub fn all() -> &'static [Puzzle] {
    static ALL: LazyLock<Vec<Puzzle>> = LazyLock::new(|| {
        let lines = FILES.iter().flat_map(|(.., file)| lines(file));
        // Skip lines that this version cannot read.
        lines.filter_map(|line| Puzzle::read(line).ok()).collect()
    });
    &ALL
}

/// Returns all puzzles, except those that repeat an earlier puzzle up to symmetry.
pub fn offered() -> impl Iterator<Item = &'static Puzzle> {
    static OFFERED: LazyLock<Vec<&Puzzle>> = LazyLock::new(|| {
        let repeats: HashSet<&str> = FILES
            .iter()
            .flat_map(|(.., file)| listed_in(file, REPEATS))
            .map(|(_, id)| id)
            .collect();
        all().iter().filter(|puzzle| !repeats.contains(&*puzzle.id)).collect()
    });
    OFFERED.iter().copied()
}

/// Returns whether a puzzle comes after all other puzzles of its game.
fn comes_last(puzzle: &Puzzle) -> bool {
    static LATE: LazyLock<HashSet<&str>> = LazyLock::new(|| {
        FILES.iter().flat_map(|(.., file)| listed_in(file, LAST)).map(|(_, id)| id).collect()
    });
    LATE.contains(&*puzzle.id)
}

/// Returns the puzzles of a game, in file order, including hidden ones.
pub fn of(game: &str) -> impl Iterator<Item = &'static Puzzle> {
    all().iter().filter(move |puzzle| puzzle.game == game)
}

pub fn find(id: &str) -> Option<&'static Puzzle> {
    all().iter().find(|puzzle| puzzle.id == id)
}

/// Returns the lines of a file that contain puzzles.
fn lines(file: &str) -> impl Iterator<Item = &str> {
    file.lines().filter(|line| !line.is_empty() && !line.starts_with('#'))
}

/// Prefix of the comment that gives the day from which repeats are hidden, and their ids. Their lines are kept, because
/// earlier days and players' progress refer to them.
const REPEATS: &str = "# repeats from ";

/// Prefix of the comment that gives the day from which some puzzles come after all others of the game, and their ids.
/// These puzzles only require counting the safe lines between more than eight dots.
const LAST: &str = "# last from ";

/// Returns the ids in a file's lists of this kind, each with the day of its list.
fn listed_in<'f>(file: &'f str, list: &str) -> impl Iterator<Item = (Date, &'f str)> {
    let lists = file.lines().filter_map(move |line| line.strip_prefix(list)?.split_once(": "));
    let lists = lists.filter_map(|(day, ids)| Some((day.parse::<Date>().ok()?, ids)));
    lists.flat_map(|(day, ids)| ids.split(' ').map(move |id| (day, id)))
}

/// Returns the prefix of a game's puzzle ids.
pub fn prefix_of(game: &str) -> Option<&'static str> {
    FILES.iter().find(|(known, ..)| *known == game).map(|(_, prefix, _)| *prefix)
}

/// Lists moves with their players, as in `the opponent plays H0,0 H0,1, and you V2,0`.
pub fn who_plays(moves: &[(Seat, String)], you: Seat) -> String {
    let turns = moves.chunk_by(|(seat, _), (next, _)| seat == next).enumerate();
    wording::list(turns.map(|(at, turn)| {
        let moves = turn.iter().map(|(_, mv)| &**mv).collect::<Vec<_>>().join(" ");
        match (turn[0].0 == you, at) {
            (true, 0) => format!("you play {moves}"),
            (true, _) => format!("you {moves}"),
            (false, 0) => format!("the opponent plays {moves}"),
            (false, _) => format!("the opponent {moves}"),
        }
    }))
}

/// Returns the game whose puzzle ids have this prefix.
fn game_of(id: &str) -> Option<&'static str> {
    let (prefix, number) = id.rsplit_once('-')?;
    let is_number = !number.is_empty() && number.bytes().all(|digit| digit.is_ascii_digit());
    let (game, ..) = FILES.iter().find(|(_, known, _)| *known == prefix)?;
    is_number.then_some(*game)
}

#[cfg(test)]
mod tests;
