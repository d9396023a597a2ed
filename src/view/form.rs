//! A form: rows with a name and a value that the arrow keys change.

use super::{Phrase, Tone, Typed};
use crate::action::Action;
use quadrille_scene::{Lettering, Scene};
use std::rc::Rc;

pub struct FormView<'a> {
    pub title: &'a str,
    /// Dim text after the title.
    pub beside_title: &'static str,
    pub rows: Vec<FormField<'a>>,
    pub at: usize,
    /// The width of the name column including margins, normally and on narrow screens.
    pub names: [u16; 2],
    /// The help below the rows. If room is short, the last text takes precedence.
    pub help: Vec<Phrase>,
    pub help_rows: u16,
    pub preview: Option<Preview>,
}

pub struct FormField<'a> {
    pub name: String,
    pub value: FieldValue<'a>,
    /// Text after the value, such as a unit.
    pub kind: Phrase,
    /// Whether the left and right arrow keys change the value.
    pub turns: bool,
    /// The action for a click on the row when the cursor is already on it.
    pub click: Option<Action>,
    /// Whether to leave an empty row above, if there is room.
    pub begins_group: bool,
}

pub enum FieldValue<'a> {
    Text(String, Tone),
    /// A few choices, and the index of the selected one.
    Choices(Vec<&'static str>, usize),
    /// A seat number and the name of its player.
    Seat(u8, String),
    Typed(Typed<'a>),
    /// A button without a value; `true` if it is enabled. A button in the last row has a fixed position on the screen.
    Button(bool),
}

pub struct Preview {
    pub board: Option<Rc<Scene>>,
    pub lettering: Lettering,
    pub words: Vec<Phrase>,
    /// The rows reserved for the text at a width of at least 40 columns, and at smaller widths. The board shrinks if
    /// the text needs more rows.
    pub rows: [u16; 2],
    /// Whether to show the colours of all seats below the board.
    pub has_inks: bool,
}
