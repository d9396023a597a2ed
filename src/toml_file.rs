//! TOML files that people write. Every error names the file and the line, and the key if it is about one.

use crate::printable::printable;
use crate::wording::cut_to;
use std::borrow::Cow;
use std::error::Error;
use std::fmt;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// A value, and where it stands in the text.
pub type TomlValue<'a> = Spanned<DeValue<'a>>;

/// A key with its value.
pub type KeyValue<'a> = (Spanned<Cow<'a, str>>, TomlValue<'a>);

/// The longest key and the longest sentence in an error, in letters. What somebody has written into a file may be of
/// any length.
const LONGEST_KEY: usize = 100;
const LONGEST: usize = 400;

/// What is wrong in a file, and where. As a text it is one sentence, without anything that acts on a terminal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileError<W> {
    /// What the file is called.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// The key, if the error is about one.
    pub key: Option<String>,
    /// What is wrong.
    pub why: W,
}

impl<W: fmt::Display> fmt::Display for FileError<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: line {}: ", self.file, self.line)?;
        if let Some(key) = &self.key {
            write!(f, "{}: ", printable(&cut_to(key, LONGEST_KEY)))?;
        }
        f.write_str(&printable(&cut_to(&self.why.to_string(), LONGEST)))
    }
}

impl<W: fmt::Debug + fmt::Display> Error for FileError<W> {}

/// What is wrong, and where in bytes from the start of the text. [`Source::errors`] finds the lines of many at once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault<W> {
    /// The place.
    pub at: usize,
    /// The key, if the error is about one.
    pub key: Option<String>,
    /// What is wrong.
    pub why: W,
}

/// The text of a file, and the name of that file in errors.
#[derive(Clone, Copy, Debug)]
pub struct Source<'a> {
    /// The name of the file in errors.
    pub file: &'a str,
    /// What is in it.
    pub text: &'a str,
}

impl<'a> Source<'a> {
    /// Its keys with their values, in the order of the file, so that errors come in that order too. If the text
    /// is not TOML, `why` makes the error from the parser's message.
    pub fn entries<W>(&self, why: impl Fn(String) -> W) -> Result<Vec<KeyValue<'a>>, FileError<W>> {
        let table = DeTable::parse(self.text).map_err(|error| {
            let at = error.span().map_or(0, |span| span.start);
            self.error(at, None, why(error.message().replace('\n', ", ")))
        })?;
        Ok(in_order(table.into_inner()))
    }

    /// What `read` makes of a value. If it makes nothing of it, `why` makes the error from the name of the value's
    /// type.
    pub fn value<'v, 'i, T, W>(
        &self,
        key: &str,
        value: &'v TomlValue<'i>,
        read: impl FnOnce(&'v DeValue<'i>) -> Option<T>,
        why: impl FnOnce(&'static str) -> W,
    ) -> Result<T, FileError<W>> {
        let wrong = || self.error(value.span().start, Some(key), why(value.get_ref().type_str()));
        read(value.get_ref()).ok_or_else(wrong)
    }

    /// An error at this place of the text, in bytes from its start.
    pub fn error<W>(&self, at: usize, key: Option<&str>, why: W) -> FileError<W> {
        let line = 1 + self.line_ends(0, at);
        FileError { file: self.file.to_owned(), line, key: key.map(str::to_owned), why }
    }

    /// The errors for all these, in the order of the file. The text is gone through once.
    pub fn errors<W>(&self, mut faults: Vec<Fault<W>>) -> Vec<FileError<W>> {
        faults.sort_by_key(|fault| fault.at);
        let (mut line, mut counted) = (1, 0);
        let errors = faults.into_iter().map(|Fault { at, key, why }| {
            line += self.line_ends(counted, at);
            counted = at;
            FileError { file: self.file.to_owned(), line, key, why }
        });
        errors.collect()
    }

    /// How many lines end between these places. The parser may name one within a character.
    fn line_ends(&self, from: usize, to: usize) -> usize {
        let bytes = self.text.as_bytes().get(from..to).unwrap_or_default();
        bytes.split(|byte| *byte == b'\n').count() - 1
    }
}

/// The keys of a table, in the order of the file.
pub fn in_order(table: DeTable<'_>) -> Vec<KeyValue<'_>> {
    let mut entries: Vec<KeyValue> = table.into_iter().collect();
    entries.sort_by_key(|(key, _)| key.span().start);
    entries
}

/// A whole number within an `i64`.
pub fn integer(value: &DeValue<'_>) -> Option<i64> {
    let number = value.as_integer()?;
    i64::from_str_radix(number.as_str(), number.radix()).ok()
}

/// A number, whole or not.
pub fn number(value: &DeValue<'_>) -> Option<f64> {
    match value.as_float() {
        Some(number) => number.as_str().parse().ok(),
        None => integer(value).map(|number| number as f64),
    }
}
