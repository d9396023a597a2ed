//! A form: rows with a name and a value that arrows change.

use super::{Phrase, Tone, Typed};
use crate::action::Action;
use crate::board::AnyBoard;

pub struct FormView<'a> {
    pub title: &'a str,
    /// Dim words after the title.
    pub beside_title: &'static str,
    pub rows: Vec<FormField<'a>>,
    pub at: usize,
    /// The width of the names in columns with their margins, normally and where room is short.
    pub names: [u16; 2],
    /// The help below the rows. The last text gets its room first.
    pub help: Vec<Phrase>,
    pub help_rows: u16,
    pub preview: Option<Preview<'a>>,
}

pub struct FormField<'a> {
    pub name: String,
    pub value: FieldValue<'a>,
    /// A word after the value, such as its unit.
    pub kind: Phrase,
    /// Whether left and right change the value.
    pub turns: bool,
    /// The effect of a click on the row once the cursor is there.
    pub click: Option<Action>,
    /// Whether to leave a row free above it, if there is room.
    pub begins_group: bool,
}

pub enum FieldValue<'a> {
    Text(String, Tone),
    /// A few words, one of them chosen.
    Choices(Vec<&'static str>, usize),
    /// The name of the player at a seat.
    Seat(u8, String),
    Typed(Typed<'a>),
    /// No value: the row is a button, `true` if it can be pressed. As the last row, it keeps its place on the screen.
    Button(bool),
}

pub struct Preview<'a> {
    pub board: Option<&'a dyn AnyBoard>,
    /// Whether the board is a picture, without coordinates and a cursor.
    pub is_picture: bool,
    pub words: Vec<Phrase>,
    /// The rows reserved for the text, if it has at least 40 columns and if it has fewer. The board gives way to more.
    pub rows: [u16; 2],
    /// Whether the colours of all seats are shown below it.
    pub has_inks: bool,
}
