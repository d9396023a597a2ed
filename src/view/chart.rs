//! Charts over time, with a table of counts below.

use super::{Phrase, Typed};
use jiff::civil::Date;

pub struct ChartView<'a> {
    pub title: String,
    /// A line below the title; may be empty.
    pub summary: String,
    pub charts: Vec<Chart<'a>>,
    pub table_title: &'static str,
    pub heads: [&'static str; 3],
    /// The table rows: a text and its counts.
    pub rows: Vec<(Phrase, [u32; 3])>,
    /// The text shown instead of an empty table.
    pub empty: Option<&'static str>,
    pub note: &'a str,
    pub message: Option<&'a str>,
    /// The open text field and its label.
    pub typed: Option<(&'static str, Typed<'a>)>,
    /// The first visible row, clamped to the number of rows.
    pub top: usize,
}

pub struct Chart<'a> {
    /// The text beside the chart, one phrase per row.
    pub words: Vec<Phrase>,
    /// The rating at the end of each day with results; may be empty.
    pub history: &'a [(Date, f64)],
}
