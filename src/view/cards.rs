//! Cards in a row, and entries below them.

use super::Phrase;
use crate::board::{AnyBoard, Viewer};

/// Cards and entries, with one cursor. Where there is no room for cards, all of it is a list.
pub struct CardsView<'a> {
    /// Phrase below the title of the program.
    pub about: String,
    pub cards: Vec<CardView<'a>>,
    pub entries: Vec<CardEntry>,
    /// The card or the entry under the cursor: the cards come first.
    pub at: usize,
    /// What is said of each, in this order. The room for it is the same for all.
    pub notes: Vec<String>,
    /// What is said instead, until the next key.
    pub message: Option<Phrase>,
}

/// A card: a small board and a name.
pub struct CardView<'a> {
    pub name: &'static str,
    pub board: Option<&'a dyn AnyBoard>,
    /// A board in its place, if all of it has room.
    pub instead: Option<Viewer>,
}

/// An entry below the cards.
pub struct CardEntry {
    pub name: String,
    /// Dim words behind the name, as far as there is room: the longest that fit.
    pub more: Vec<String>,
    /// Whether it stands in the upper row.
    pub is_above: bool,
}
