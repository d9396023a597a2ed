//! A list: columns, entries, and a note about the entry under the cursor.

use super::{Phrase, Preview, Typed};

/// A list with a cursor. Only the visible entries are computed.
pub struct ListView<'a> {
    pub title: String,
    /// The phrase after the title.
    pub beside_title: Phrase,
    pub filter: Option<Typed<'a>>,
    /// The maximum width of the list, in terminal columns.
    pub widest: u16,
    pub columns: &'a [ListColumn],
    pub length: usize,
    pub row: Box<dyn Fn(usize) -> ListRow + 'a>,
    pub at: usize,
    /// The text shown instead of an empty list.
    pub empty: &'a str,
    pub warning: Option<Phrase>,
    /// The outcome of the last key press, shown instead of the note.
    pub message: Option<Phrase>,
    /// The note below the list, about the entry under the cursor.
    pub note: Phrase,
    pub note_rows: u16,
    /// The first texts of the note, with the numbers of their columns. They are omitted if no column is dropped and
    /// their columns are not truncated.
    pub details: Vec<(usize, String)>,
    /// A label and the text being typed, shown instead of the note.
    pub typed: Option<(&'static str, Typed<'a>)>,
    /// The preview beside the list, shown if there is room.
    pub preview: Option<Preview>,
}

impl<'a> ListView<'a> {
    pub fn new(title: impl Into<String>, columns: &'a [ListColumn]) -> ListView<'a> {
        ListView {
            title: title.into(),
            beside_title: Phrase::default(),
            filter: None,
            widest: u16::MAX,
            columns,
            length: 0,
            row: Box::new(|_| ListRow::default()),
            at: 0,
            empty: "",
            warning: None,
            message: None,
            note: Phrase::default(),
            note_rows: 1,
            details: Vec::new(),
            typed: None,
            preview: None,
        }
    }
}

#[derive(Clone, Copy, Debug)]
pub struct ListColumn {
    /// The heading. If all headings are empty, the heading row is omitted.
    pub head: &'static str,
    pub width: ColumnWidth,
    /// Whether the column is right-aligned.
    pub is_number: bool,
}

impl ListColumn {
    pub const fn new(head: &'static str, widths: &'static [(u16, u16)]) -> ListColumn {
        ListColumn { head, width: ColumnWidth::From(widths), is_number: false }
    }

    pub const fn number(head: &'static str, widths: &'static [(u16, u16)]) -> ListColumn {
        ListColumn { is_number: true, ..ListColumn::new(head, widths) }
    }

    /// Creates the column that takes the remaining width.
    pub const fn rest(head: &'static str) -> ListColumn {
        ListColumn { head, width: ColumnWidth::Rest, is_number: false }
    }
}

#[derive(Clone, Copy, Debug)]
pub enum ColumnWidth {
    /// Minimum widths of the list, each with the width of the column from that width on, widest list first. In narrower
    /// lists the column is dropped.
    From(&'static [(u16, u16)]),
    Rest,
}

#[derive(Clone, Debug, Default)]
pub struct ListRow {
    pub cells: Vec<ListCell>,
    /// Dim text at the right edge. The cells are shortened to make room for it.
    pub end: String,
}

impl<const N: usize> From<[ListCell; N]> for ListRow {
    fn from(cells: [ListCell; N]) -> ListRow {
        ListRow { cells: cells.into(), end: String::new() }
    }
}

#[derive(Clone, Debug)]
pub enum ListCell {
    Texts(Vec<Phrase>),
    /// A text, and a shorter form to use instead of truncating it.
    Shorter(String, String),
    /// The names at a table, and the index of the winner. Names are truncated in a way that keeps them distinct.
    Names(Vec<String>, Option<usize>),
}

impl From<Phrase> for ListCell {
    fn from(words: Phrase) -> ListCell {
        ListCell::Texts(vec![words])
    }
}
