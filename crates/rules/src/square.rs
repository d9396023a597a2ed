//! Squares of boards with lettered columns and numbered rows.

use super::text;
use std::fmt;

/// A square, written as the column's letter and the row's number, from 1. `A` is the letter of the first column:
/// `Square<'A'>` is written `B5`, and `Square<'a'>` `b5`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square<const A: char> {
    /// The row, counted from 0 at the top.
    pub row: u8,
    /// The column, counted from 0 at the left.
    pub col: u8,
}

impl<const A: char> Square<A> {
    /// The maximum number of rows and columns: one per letter.
    pub const MAX_SIDE: u8 = 26;

    /// Parses a square of the largest board.
    pub fn read(text: &str) -> Option<Square<A>> {
        let mut chars = text.chars();
        let col = u32::from(chars.next()?).checked_sub(u32::from(A))?;
        let row = text::number(chars.as_str())?.checked_sub(1)?;
        let within = |n: u32| u8::try_from(n).ok().filter(|&n| n < Self::MAX_SIDE);
        Some(Square { row: within(row)?, col: within(col)? })
    }

    /// Returns the squares of a board, row by row.
    pub fn all(rows: u8, cols: u8) -> impl Iterator<Item = Square<A>> + Clone {
        (0..rows).flat_map(move |row| (0..cols).map(move |col| Square { row, col }))
    }
}

impl<const A: char> fmt::Display for Square<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letter = char::from_u32(u32::from(A) + u32::from(self.col)).unwrap_or('?');
        write!(f, "{letter}{}", u16::from(self.row) + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn square_text_round_trips_and_is_unique() {
        for square in Square::<'A'>::all(26, 26) {
            assert_eq!(Square::read(&square.to_string()), Some(square));
            let Square { row, col } = square;
            let lower = Square::<'a'> { row, col };
            assert_eq!(lower.to_string(), square.to_string().to_lowercase());
            assert_eq!(Square::read(&lower.to_string()), Some(lower));
            assert_eq!(Square::<'A'>::read(&lower.to_string()), None);
        }
        for bad in ["", "A", "A0", "A27", "A01", "A+1", "1A", "[1", "@1", "a1", "A1 ", "é1", "AA1"]
        {
            assert_eq!(Square::<'A'>::read(bad), None, "{bad:?}");
        }
        assert_eq!(Square::<'a'>::read("{1"), None);
        let far = Square::<'a'> { row: 255, col: 255 };
        assert!(far.to_string().ends_with("256"), "{far}");
    }
}
