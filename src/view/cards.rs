//! Cards in a row with entries below them.

use super::Phrase;
use quadrille_scene::Scene;
use std::rc::Rc;

/// Cards and entries with one shared cursor. Without room for cards, they are shown as a list.
pub struct CardsView {
    /// The phrase below the program's title.
    pub about: String,
    pub cards: Vec<CardView>,
    pub entries: Vec<CardEntry>,
    /// The index under the cursor, counting cards first.
    pub at: usize,
    /// The notes, in this order. All notes get the same amount of space.
    pub notes: Vec<String>,
    /// The key of the lessons, if the notes on cards offer them.
    pub offer: Option<String>,
    /// A message that replaces the note until the next key press.
    pub message: Option<Phrase>,
}

pub struct CardView {
    pub name: &'static str,
    pub board: Option<Rc<Scene>>,
    /// A board to show instead, if it fits completely.
    pub instead: Option<Rc<Scene>>,
}

pub struct CardEntry {
    pub name: String,
    /// Dim text after the name, in several forms; the longest that fits is shown.
    pub more: Vec<String>,
    pub is_above: bool,
}
