//! Charts over time, and a table of counts below them.

use super::Phrase;
use jiff::civil::Date;

pub struct ChartView<'a> {
    pub title: &'static str,
    pub charts: Vec<Chart<'a>>,
    pub table_title: &'static str,
    pub heads: [&'static str; 3],
    /// The rows of the table: a text and its counts.
    pub rows: Vec<(Phrase, [u32; 3])>,
    /// The text in place of an empty table.
    pub empty: Option<&'static str>,
    pub note: &'a str,
    /// The first visible row, limited by the number of rows.
    pub top: usize,
}

pub struct Chart<'a> {
    /// The words beside it, a row each.
    pub words: [Phrase; 3],
    pub history: &'a [(Date, f64)],
}
