//! A form: rows with a name and a value that the arrow keys change.

use super::{Phrase, Tone, Typed};
use crate::action::Action;
use crate::field::{Domain, Field};
use quadrille_scene::{Lettering, Scene};
use std::rc::Rc;

pub struct FormView<'a> {
    pub title: &'a str,
    /// Dim text after the title.
    pub beside_title: &'static str,
    pub rows: Vec<FormField<'a>>,
    pub at: usize,
    /// The help below the rows. If room is short, the last text takes precedence.
    pub help: Vec<Phrase>,
    pub preview: Option<Preview>,
}

pub struct FormField<'a> {
    pub field: Field,
    pub value: FieldValue<'a>,
    /// Whether the value is the reason why the form is incomplete.
    pub is_wrong: bool,
    /// Whether to leave an empty row above, if there is room.
    pub begins_group: bool,
}

/// How the value of a field is shown.
pub enum FieldValue<'a> {
    Text(String, Tone),
    /// A few choices, and the index of the selected one.
    Choices(Vec<String>, usize),
    /// A seat number and the name of its player.
    Seat(u8, String),
    Typed(Typed<'a>),
    /// A button without a value; `true` if it is enabled. A button in the last row has a fixed position on the screen.
    Button(bool),
}

impl FormField<'_> {
    pub fn of(field: Field) -> Self {
        let value = match (&field.domain, field.seat) {
            (Domain::Button, _) => FieldValue::Button(true),
            _ if field.shown.is_empty() => {
                FieldValue::Text(field.placeholder.to_owned(), Tone::Dim)
            }
            (_, Some(seat)) => FieldValue::Seat(seat, field.shown.clone()),
            _ => FieldValue::Text(field.shown.clone(), Tone::Strong),
        };
        FormField { field, value, is_wrong: false, begins_group: false }
    }

    /// Shows all choices side by side.
    #[must_use]
    pub fn spread(self) -> Self {
        let choices = self.field.domain.choices();
        let at = choices.iter().position(|choice| choice.value == self.field.value);
        let words = choices.iter().map(|choice| choice.shown.clone()).collect();
        FormField { value: FieldValue::Choices(words, at.unwrap_or(0)), ..self }
    }

    /// Returns the action for a click on the row when the cursor is already on it.
    pub fn click(&self) -> Action {
        let opens = matches!(self.field.domain, Domain::Link | Domain::Button);
        if opens || self.field.is_edited() { Action::Choose } else { Action::NextValue }
    }
}

pub struct Preview {
    pub board: Option<Rc<Scene>>,
    pub lettering: Lettering,
    pub below: PreviewNote,
}

/// What is below the board of a preview.
pub enum PreviewNote {
    /// Short phrases, each on a line.
    Caption(Vec<Phrase>),
    /// A paragraph. The board keeps its size if another paragraph is shown.
    Text(Phrase),
    /// The colors of all seats.
    Inks,
}
