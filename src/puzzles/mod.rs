//! Puzzles, lessons and strength: what is learnt at a board alone. Nothing here draws, waits or reads files.
//!
//! A puzzle is a position of a match between two of our levels in which exactly one move keeps what the solvers have
//! proven, and the move that a beginner would make does not. [`mine`] finds them and [`difficulty`] measures them; both
//! are only used by `quadrille puzzle make`, which has made every line of `assets/puzzles`. An [`Attempt`] is somebody who
//! solves one: it [judges](judge) each move live, so that any move that is as good is right too.

pub mod difficulty;
pub mod judge;
pub mod lessons;
pub mod mine;
pub mod strength;

mod attempt;
mod course;
mod daily;
mod greedy;
mod own;
mod puzzle;
mod themes;

pub use attempt::{Answer, Attempt, Hint};
pub use course::{Course, Rush, share_line};
pub use daily::{Daily, archive, daily};
pub use own::OwnMistakes;
pub use puzzle::{Puzzle, PuzzleError};

use crate::rules::Seat;
use crate::wording;
use std::sync::LazyLock;

/// The games that have puzzles, the first word of the ids of their puzzles, and their files.
const FILES: [(&str, &str, &str); 4] = [
    ("dots-and-boxes", "dots", include_str!("../../assets/puzzles/dots-and-boxes.txt")),
    ("join-the-dots", "join", include_str!("../../assets/puzzles/join-the-dots.txt")),
    ("quixo", "quixo", include_str!("../../assets/puzzles/quixo.txt")),
    ("intersections", "intersections", include_str!("../../assets/puzzles/intersections.txt")),
];

/// The ids of the games that have puzzles.
pub fn games() -> impl Iterator<Item = &'static str> {
    FILES.iter().map(|(game, ..)| *game)
}

/// All puzzles of all games, in the order of the files.
pub fn all() -> &'static [Puzzle] {
    static ALL: LazyLock<Vec<Puzzle>> = LazyLock::new(|| {
        let lines = FILES.iter().flat_map(|(.., file)| lines(file));
        // A line of a later version may be one that this one cannot read.
        lines.filter_map(|line| Puzzle::read(line).ok()).collect()
    });
    &ALL
}

/// The puzzles of a game, in the order of its file.
pub fn of(game: &str) -> impl Iterator<Item = &'static Puzzle> {
    all().iter().filter(move |puzzle| puzzle.game == game)
}

/// The puzzle with this id.
pub fn find(id: &str) -> Option<&'static Puzzle> {
    all().iter().find(|puzzle| puzzle.id == id)
}

/// The lines of a file that are puzzles.
fn lines(file: &str) -> impl Iterator<Item = &str> {
    file.lines().filter(|line| !line.is_empty() && !line.starts_with('#'))
}

/// The first word of the ids of a game's puzzles.
pub fn prefix_of(game: &str) -> Option<&'static str> {
    FILES.iter().find(|(known, ..)| *known == game).map(|(_, prefix, _)| *prefix)
}

/// Who plays which of these moves: `the opponent plays H0,0 H0,1, and you V2,0`.
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

/// The game whose puzzles have ids like this.
fn game_of(id: &str) -> Option<&'static str> {
    let (prefix, number) = id.rsplit_once('-')?;
    let is_number = !number.is_empty() && number.bytes().all(|digit| digit.is_ascii_digit());
    let (game, ..) = FILES.iter().find(|(_, known, _)| *known == prefix)?;
    is_number.then_some(*game)
}

#[cfg(test)]
mod tests;
