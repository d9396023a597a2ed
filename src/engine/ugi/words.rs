//! The words of a line.

use super::BadLine;
use crate::printable::printable;
use crate::rules::cut;
use std::fmt;
use std::str::FromStr;

/// The words of a line, with blanks between. A second line in the text is ignored.
pub(super) struct Words<'a> {
    rest: &'a str,
}

impl<'a> Words<'a> {
    pub(super) fn of(line: &'a str) -> Words<'a> {
        Words { rest: line.lines().next().unwrap_or_default().trim() }
    }

    /// The next word, without taking it.
    pub(super) fn peek(&self) -> Option<&'a str> {
        self.rest.split_whitespace().next()
    }

    /// The rest of the line, as it stands.
    pub(super) fn rest(&mut self) -> &'a str {
        std::mem::take(&mut self.rest)
    }

    /// Takes the words before the first of `ends`.
    pub(super) fn until(&mut self, ends: &[&str]) -> Vec<&'a str> {
        let mut words = Vec::new();
        while let Some(word) = self.peek().filter(|word| !ends.contains(word)) {
            words.push(word);
            self.next();
        }
        words
    }

    /// The number after the word `of`, which was taken last.
    pub(super) fn number<T: FromStr>(&mut self, of: &str) -> Result<T, BadLine> {
        let Some(word) = self.next() else {
            return Err(BadLine::new(format_args!("{of}: a number is missing")));
        };
        let wrong =
            |_| BadLine::new(format_args!("{of}: {} is not a number it takes", shown(word)));
        word.parse().map_err(wrong)
    }
}

impl<'a> Iterator for Words<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        let word = self.peek()?;
        self.rest = self.rest.trim_start()[word.len()..].trim_start();
        Some(word)
    }
}

/// A word that was read, fit for a message.
pub(super) fn shown(word: &str) -> String {
    format!("{:?}", printable(&cut(word)))
}

/// Writes a text of any origin as a single line: line ends become blanks.
pub(super) struct OneLine<'a>(pub &'a str);

impl fmt::Display for OneLine<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut lines = self.0.split(['\n', '\r']);
        f.write_str(lines.next().unwrap_or_default())?;
        lines.try_for_each(|line| write!(f, " {line}"))
    }
}

/// Writes words with a blank before each.
pub(super) fn write_words(f: &mut fmt::Formatter<'_>, words: &[impl AsRef<str>]) -> fmt::Result {
    words.iter().try_for_each(|word| write!(f, " {}", OneLine(word.as_ref())))
}
