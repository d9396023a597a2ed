//! A list: columns, entries, and what is said of the entry under the cursor.

use super::{Phrase, Preview, Typed};

/// A list with a cursor. Only the entries in sight are asked for.
pub struct ListView<'a> {
    pub title: String,
    /// Phrase behind the title.
    pub beside_title: Phrase,
    /// The words to look for, while they are typed.
    pub filter: Option<Typed<'a>>,
    /// The most columns of the screen that the list takes.
    pub widest: u16,
    pub columns: &'a [ListColumn],
    pub length: usize,
    pub row: Box<dyn Fn(usize) -> ListRow + 'a>,
    pub at: usize,
    /// The text in place of an empty list.
    pub empty: &'a str,
    /// A warning below the list.
    pub warning: Option<Phrase>,
    /// What is said below the list: of the entry under the cursor, or what the last key has done.
    pub note: Phrase,
    /// The rows kept for that.
    pub note_rows: u16,
    /// What the note says first of the entry: texts with the numbers of their columns. They are left out where no column
    /// is dropped and theirs is not cut.
    pub details: Vec<(usize, String)>,
    /// A text being typed in place of the note, and what it is for.
    pub typed: Option<(&'static str, Typed<'a>)>,
    /// What stands beside the list, if there is room.
    pub preview: Option<Preview<'a>>,
}

impl<'a> ListView<'a> {
    /// A list without entries.
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

/// A column of a list.
#[derive(Clone, Copy, Debug)]
pub struct ListColumn {
    /// Its heading; if no column has one, there is no row of headings.
    pub head: &'static str,
    pub width: ColumnWidth,
    /// Whether its texts are aligned at the right.
    pub is_number: bool,
}

impl ListColumn {
    pub const fn new(head: &'static str, widths: &'static [(u16, u16)]) -> ListColumn {
        ListColumn { head, width: ColumnWidth::From(widths), is_number: false }
    }

    pub const fn number(head: &'static str, widths: &'static [(u16, u16)]) -> ListColumn {
        ListColumn { is_number: true, ..ListColumn::new(head, widths) }
    }

    /// The column that takes what room the others leave.
    pub const fn rest(head: &'static str) -> ListColumn {
        ListColumn { head, width: ColumnWidth::Rest, is_number: false }
    }
}

/// How wide a column is.
#[derive(Clone, Copy, Debug)]
pub enum ColumnWidth {
    /// From each width of the list on, the width of the column; the widest list first. In narrower lists it is dropped.
    From(&'static [(u16, u16)]),
    Rest,
}

/// An entry of a list.
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

/// A cell of a list.
#[derive(Clone, Debug)]
pub enum ListCell {
    Texts(Vec<Phrase>),
    /// A text, and a shorter one where that would be cut.
    Shorter(String, String),
    /// The names at a table, and which of them has won. They are cut so that they can be told apart.
    Names(Vec<String>, Option<usize>),
}

impl From<Phrase> for ListCell {
    fn from(words: Phrase) -> ListCell {
        ListCell::Texts(vec![words])
    }
}
