//! A form: rows with a name and a value that arrows change.

use super::{Phrase, Tone, Typed};
use crate::action::Action;
use crate::board::AnyBoard;

/// A form, and what stands beside it.
pub struct FormView<'a> {
    pub title: &'a str,
    /// Dim words behind the title.
    pub beside_title: &'static str,
    pub rows: Vec<FormField<'a>>,
    pub at: usize,
    /// The columns of the names, with their margins, and the same where room is short.
    pub names: [u16; 2],
    /// What is said below the rows. The last text gets its room first.
    pub help: Vec<Phrase>,
    /// The rows that are kept for that.
    pub help_rows: u16,
    pub preview: Option<Preview<'a>>,
}

/// A row of a form.
pub struct FormField<'a> {
    pub name: String,
    pub value: FieldValue<'a>,
    /// A word behind the value, such as its unit.
    pub kind: Phrase,
    /// Whether left and right change it.
    pub turns: bool,
    /// What a click on the row does once the cursor is there.
    pub click: Option<Action>,
    /// Whether a row stays free above it, if there is room.
    pub begins_group: bool,
}

/// The value of a row.
pub enum FieldValue<'a> {
    Text(String, Tone),
    /// A few words, of which one is chosen.
    Choices(Vec<&'static str>, usize),
    /// The name of the player at a seat.
    Seat(u8, String),
    Typed(Typed<'a>),
    /// None: the row is a button, `true` if it can be pressed. As the last row it keeps its place on the screen.
    Button(bool),
}

/// A board beside a form or a list, and what is said of it.
pub struct Preview<'a> {
    pub board: Option<&'a dyn AnyBoard>,
    /// Whether the board is a picture, without coordinates and a cursor.
    pub is_picture: bool,
    /// What is said below the board.
    pub words: Vec<Phrase>,
    /// The rows kept for that, where it has at least 40 columns and where it has fewer. The board gives way to more.
    pub rows: [u16; 2],
    /// Whether the colours of all seats are shown below it.
    pub has_inks: bool,
}
