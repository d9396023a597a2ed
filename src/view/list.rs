//! A list: columns, entries, and a note about the entry under the cursor.

use super::{Phrase, Preview, Typed};
use std::borrow::Cow;

/// A list with a cursor.
pub struct ListView<'a> {
    pub title: String,
    /// The phrase after the title.
    pub beside_title: Phrase,
    pub filter: Option<Typed<'a>>,
    pub columns: &'a [ListColumn],
    pub rows: Cow<'a, [ListRow]>,
    /// The longest text in the [`Rest`](ColumnKind::Rest) column, also of rows that are filtered out.
    pub longest: &'a str,
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
            columns,
            rows: Cow::default(),
            longest: "",
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
    pub kind: ColumnKind,
}

/// What a column contains, which determines its width and when it is dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColumnKind {
    Game,
    Score,
    State,
    Date,
    Number,
    Action,
    /// Takes the remaining width.
    Rest,
}

impl ListColumn {
    pub const fn new(head: &'static str, kind: ColumnKind) -> ListColumn {
        ListColumn { head, kind }
    }
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
    Shorter(Phrase, String),
    /// The names at a table, and the index of the winner. Names are truncated in a way that keeps them distinct.
    Names(Vec<String>, Option<usize>),
}

impl From<Phrase> for ListCell {
    fn from(words: Phrase) -> ListCell {
        ListCell::Texts(vec![words])
    }
}
