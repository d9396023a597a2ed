//! The view of the setup screen: the form, the help for the row under the cursor, and a preview of the board.

use super::SetupScreen;
use super::rows::FormRow;
use super::seats::SeatChoice;
use crate::board::AnyBoard;
use crate::field::Field;
use crate::view::{FieldValue, FormField, FormView, Phrase, Preview, PreviewNote, View};
use quadrille_scene::Lettering;
use quadrille_text::wording::list;
use std::rc::Rc;

impl SetupScreen {
    pub(super) fn form(&self) -> View<'_> {
        let rows = self.rows();
        let at = self.list.at().min(rows.len() - 1);
        let help = match &self.error {
            Some(error) => Phrase::wrong(&*error.text),
            None => Phrase::dim(&*rows[at].field.help),
        };
        let show = |(index, row): (usize, FormRow)| self.show_row(index, row.field);
        View::Form(FormView {
            title: self.entry.name,
            beside_title: "new match",
            rows: rows.into_iter().enumerate().map(show).collect(),
            at,
            help: vec![help],
            preview: Some(self.preview()),
        })
    }

    /// Returns the board, with its size and the expected length of the match.
    fn preview(&self) -> Preview {
        let board = self.preview.as_ref().map(|(_, viewer)| &*viewer.board);
        let caption = board.map(AnyBoard::caption);
        let words =
            caption.map(|caption| [Phrase::plain(caption.board), Phrase::dim(caption.progress)]);
        Preview {
            board: board.map(|board| Rc::new(board.still())),
            lettering: Lettering::None,
            below: PreviewNote::Caption(words.into_iter().flatten().collect()),
        }
    }

    fn show_row(&self, index: usize, field: Field) -> FormField<'_> {
        let error = self.error.as_ref();
        let is_wrong = error.is_some_and(|error| error.row.as_ref() == Some(&field.label));
        let is_typed = index == self.list.at();
        let typing = self.typing.as_ref().filter(|_| is_typed);
        let mut row = FormField { is_wrong, ..FormField::of(field) };
        if index == 0 {
            row = row.spread();
        }
        if let Some(field) = typing {
            row.value = FieldValue::Typed(field.typed());
        } else if let FieldValue::Button(is_enabled) = &mut row.value {
            *is_enabled = error.is_none();
        }
        row
    }

    /// Describes the players as text, such as `Ann against Beginner`.
    pub(super) fn players_in_words(&self) -> String {
        let name = |seat| match self.choice(seat) {
            SeatChoice { name, other: None } if name.is_empty() && self.shows_own_name() => {
                "You".to_owned()
            }
            _ => self.seat_name(seat),
        };
        let names: Vec<String> = (0..self.seats).map(name).collect();
        if let [one, other] = &*names { format!("{one} against {other}") } else { list(names) }
    }
}
