//! A list: columns, entries, and a note on the entry under the cursor.

use super::{Phrase, Preview, Typed};

/// A list with a cursor. Only the visible entries are requested.
pub struct ListView<'a> {
    pub title: String,
    /// The phrase after the title.
    pub beside_title: Phrase,
    pub filter: Option<Typed<'a>>,
    /// The maximum width of the list, in columns of the screen.
    pub widest: u16,
    pub columns: &'a [ListColumn],
    pub length: usize,
    pub row: Box<dyn Fn(usize) -> ListRow + 'a>,
    pub at: usize,
    /// The text in place of an empty list.
    pub empty: &'a str,
    pub warning: Option<Phrase>,
    /// The note below the list, on the entry under the cursor or the last key.
    pub note: Phrase,
    pub note_rows: u16,
    /// The first texts of the note, with the numbers of their columns. They are omitted if no column is dropped and
    /// theirs is not cut.
    pub details: Vec<(usize, String)>,
    /// A text being typed in place of the note, and its purpose.
    pub typed: Option<(&'static str, Typed<'a>)>,
    /// The preview beside the list, if there is room.
    pub preview: Option<Preview<'a>>,
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
    /// The heading; if no column has one, there is no row of headings.
    pub head: &'static str,
    pub width: ColumnWidth,
    /// Whether its texts are right-aligned.
    pub is_number: bool,
}

impl ListColumn {
    pub const fn new(head: &'static str, widths: &'static [(u16, u16)]) -> ListColumn {
        ListColumn { head, width: ColumnWidth::From(widths), is_number: false }
    }

    pub const fn number(head: &'static str, widths: &'static [(u16, u16)]) -> ListColumn {
        ListColumn { is_number: true, ..ListColumn::new(head, widths) }
    }

    /// Creates the column that takes the remaining room.
    pub const fn rest(head: &'static str) -> ListColumn {
        ListColumn { head, width: ColumnWidth::Rest, is_number: false }
    }
}

#[derive(Clone, Copy, Debug)]
pub enum ColumnWidth {
    /// Widths of the list, and the width of the column from there on, widest list first. In narrower lists the column
    /// is dropped.
    From(&'static [(u16, u16)]),
    Rest,
}

#[derive(Clone, Debug, Default)]
pub struct ListRow {
    pub cells: Vec<ListCell>,
    /// Dim words at the right end; the cells give way to them.
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
    /// A text, and a shorter form to use instead of cutting it.
    Shorter(String, String),
    /// The names at a table, and the index of the winner. They are cut so that they stay distinct.
    Names(Vec<String>, Option<usize>),
}

impl From<Phrase> for ListCell {
    fn from(words: Phrase) -> ListCell {
        ListCell::Texts(vec![words])
    }
}
