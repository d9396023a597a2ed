//! Cards in a row, and entries below them.

use super::Phrase;
use crate::board::{AnyBoard, Viewer};

/// Cards and entries, with one cursor. Without room for cards, they form a list.
pub struct CardsView<'a> {
    /// The phrase below the title of the program.
    pub about: String,
    pub cards: Vec<CardView<'a>>,
    pub entries: Vec<CardEntry>,
    /// The index of the cursor, cards first.
    pub at: usize,
    /// The notes in this order. All of them get equal room.
    pub notes: Vec<String>,
    /// Replaces the note until the next key.
    pub message: Option<Phrase>,
}

pub struct CardView<'a> {
    pub name: &'static str,
    pub board: Option<&'a dyn AnyBoard>,
    /// A board to show instead, if all of it fits.
    pub instead: Option<Viewer>,
}

pub struct CardEntry {
    pub name: String,
    /// Dim words after the name: the longest that fit.
    pub more: Vec<String>,
    pub is_above: bool,
}
