//! Parsing of numbers in moves and setups.

use std::error::Error;
use std::fmt;

/// The error for text that is not a move, with a description of the expected form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ParseMoveError {
    form: &'static str,
    source_term: Option<&'static str>,
}

impl ParseMoveError {
    pub(super) const fn new(form: &'static str) -> ParseMoveError {
        ParseMoveError { form, source_term: None }
    }

    pub(super) const fn in_the_source(self, term: &'static str) -> ParseMoveError {
        ParseMoveError { source_term: Some(term), ..self }
    }

    /// Returns the term for this error in the source of the rules, if it has one.
    pub const fn source_term(&self) -> Option<&'static str> {
        self.source_term
    }
}

impl fmt::Display for ParseMoveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.form)
    }
}

impl Error for ParseMoveError {}

/// Parses digits only: no sign and no leading zero, so that each number has one text.
pub(super) fn number(text: &str) -> Option<u32> {
    let plain = text.bytes().all(|b| b.is_ascii_digit());
    let padded = text.len() > 1 && text.starts_with('0');
    if plain && !padded { text.parse().ok() } else { None }
}

/// Parses `3,7`, two numbers that fit a board.
pub(super) fn pair(text: &str) -> Option<(u8, u8)> {
    let (a, b) = text.split_once(',')?;
    Some((number(a)?.try_into().ok()?, number(b)?.try_into().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn number_parser_accepts_only_plain_digits() {
        assert_eq!(number("0"), Some(0));
        assert_eq!(number("4294967295"), Some(u32::MAX));
        for bad in ["", "00", "+1", "-1", "1 ", "٣", "4294967296", "1_0"] {
            assert_eq!(number(bad), None, "{bad:?}");
        }
        assert_eq!(pair("3,17"), Some((3, 17)));
        for bad in ["3", "3,", "3,256", "3,1,2", "3;1"] {
            assert_eq!(pair(bad), None, "{bad:?}");
        }
    }
}
