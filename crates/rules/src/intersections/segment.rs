//! Dots and segments, independent of the array's size.

use crate::{ParseMoveError, text};
use std::fmt;
use std::str::FromStr;

/// The position of a dot, row and column from 0, written `0,3`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Dot {
    /// The row, counted from 0 at the top.
    pub row: u8,
    /// The column, counted from 0 at the left.
    pub col: u8,
}

/// A line segment between two dots, written `0,0-0,3` with the smaller dot first; parsing accepts either order. Slanted
/// segments parse, but are never legal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Segment {
    a: Dot,
    b: Dot,
}

impl Segment {
    /// Creates the segment between two dots, given in either order.
    pub fn new(a: Dot, b: Dot) -> Segment {
        Segment { a: a.min(b), b: a.max(b) }
    }

    /// Returns both ends, the smaller first.
    pub const fn ends(self) -> [Dot; 2] {
        [self.a, self.b]
    }

    /// Returns whether the segment runs along a row.
    pub const fn is_horizontal(self) -> bool {
        self.a.row == self.b.row
    }

    /// Returns the dots from end to end, including both ends; a slanted segment has only its ends.
    pub fn dots(self) -> Vec<Dot> {
        let Segment { a, b } = self;
        if a.row == b.row {
            (a.col..=b.col).map(|col| Dot { col, ..a }).collect()
        } else if a.col == b.col {
            (a.row..=b.row).map(|row| Dot { row, ..a }).collect()
        } else {
            vec![a, b]
        }
    }

    /// Returns whether the segment passes through the dot without ending there.
    pub const fn passes(self, Dot { row, col }: Dot) -> bool {
        let Segment { a, b } = self;
        if a.row == b.row {
            row == a.row && a.col < col && col < b.col
        } else {
            a.col == b.col && col == a.col && a.row < row && row < b.row
        }
    }

    /// Returns whether the two segments overlap by at least one unit of length.
    pub(super) const fn coincides(self, other: Segment) -> bool {
        let (a, b, c, d) = (self.a, self.b, other.a, other.b);
        if self.is_horizontal() && other.is_horizontal() {
            a.row == c.row && a.col < d.col && c.col < b.col
        } else {
            let vertical = !self.is_horizontal() && !other.is_horizontal();
            vertical && a.col == c.col && a.row < d.row && c.row < b.row
        }
    }
}

impl fmt::Display for Dot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}", self.row, self.col)
    }
}

impl fmt::Display for Segment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.a, self.b)
    }
}

impl FromStr for Segment {
    type Err = ParseMoveError;

    fn from_str(text: &str) -> Result<Segment, ParseMoveError> {
        let dot = |text| text::pair(text).map(|(row, col)| Dot { row, col });
        let segment = || {
            let (a, b) = text.split_once('-')?;
            Some(Segment::new(dot(a)?, dot(b)?))
        };
        segment().ok_or(ParseMoveError::new(
            "a segment is row,column of two dots, such as 0,0-0,3",
            "a segment is row,column of two dots",
        ))
    }
}
