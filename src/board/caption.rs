//! What is said of a position beside its board.

/// A position in a few words, for a panel of some thirty columns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Caption {
    /// What is played on: `5 x 5 dots`.
    pub ground: String,
    /// What is left, or how far the match has come: `16 boxes, 23 lines left`.
    pub progress: String,
    /// What is scored: the word for one and that for several.
    pub unit: Option<[&'static str; 2]>,
    /// What each seat has or does, behind its score if the game keeps one: `boxes`, `3 dice`.
    pub seats: Vec<String>,
    /// What a bar beside the board tells, if there is something to tell.
    pub bar: Option<Bar>,
}

/// What a bar tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bar {
    /// The score of each seat, as a part of so much that can be had.
    Scores(u32),
    /// The first as a part of the second.
    Part(u32, u32),
}

/// A number and what it counts: the word for one, or that for any other number.
pub(super) fn count(number: usize, [one, many]: [&str; 2]) -> String {
    format!("{number} {}", word(number, [one, many]))
}

/// The word for one, or that for any other number.
pub(super) const fn word(number: usize, [one, many]: [&str; 2]) -> &str {
    if number == 1 { one } else { many }
}
