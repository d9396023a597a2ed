//! What the panel beside a board says about a position.

use crate::wording::counted;

/// A position in a few words, for a panel of some thirty columns.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Caption {
    /// What is played on: `5 x 5 dots`.
    pub board: String,
    /// What is still to play, or how far the match has come: `16 boxes, 23 lines left`.
    pub progress: String,
    /// The unit of the score, in singular and plural; `None` if the game keeps no score.
    pub unit: Option<[&'static str; 2]>,
    /// For each seat, the words behind its score, or what it has or does: `boxes`, `3 dice`, `defense`.
    pub seats: Vec<String>,
    /// What the bar beside the board shows, if it has one.
    pub bar: Option<CaptionBar>,
}

/// What the bar beside a board shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CaptionBar {
    /// The score of each seat as a part of this total.
    Scores(u32),
    /// How far something has come: the first as a part of the second.
    Part(u32, u32),
}

/// A number and what it counts, in singular or plural: `1 box`, `2 boxes`.
pub fn count(number: usize, [one, many]: [&str; 2]) -> String {
    counted(number, one, many)
}

/// The singular or the plural, as the number asks for.
pub const fn word(number: usize, [one, many]: [&str; 2]) -> &str {
    if number == 1 { one } else { many }
}
