//! TOML files written by people. Every error names the file, the line and, if the error concerns a key, that key.

mod table;

pub use table::TomlTable;

use crate::printable::printable;
use crate::wording::{cut, cut_to, with_article};
use std::error::Error;
use std::fmt;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

pub type TomlValue<'a> = Spanned<DeValue<'a>>;

/// The maximum lengths in characters of a key and of a sentence in an error. Texts in a file may have any length.
const MAX_KEY_CHARS: usize = 100;
const MAX_REASON_CHARS: usize = 400;

/// A fault with its file and line. `Display` gives one sentence without control characters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileError {
    pub file: String,
    /// The line number, counted from 1.
    pub line: usize,
    pub fault: Fault,
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: line {}: ", self.file, self.line)?;
        if let Some(key) = &self.fault.key {
            write!(f, "{}: ", printable(&cut_to(key, MAX_KEY_CHARS)))?;
        }
        f.write_str(&printable(&cut_to(&self.fault.why, MAX_REASON_CHARS)))
    }
}

impl Error for FileError {}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The byte offset in the text.
    pub at: usize,
    /// The key that the fault concerns, if any.
    pub key: Option<String>,
    pub why: String,
    /// Whether the rest of the file means the same without this fault, as with an unknown key, which a different
    /// version may know.
    pub is_harmless: bool,
}

impl Fault {
    pub fn new(at: usize, key: impl Into<String>, why: impl Into<String>) -> Fault {
        Fault { at, key: Some(key.into()), why: why.into(), is_harmless: false }
    }

    pub fn without_key(at: usize, why: impl Into<String>) -> Fault {
        Fault { key: None, ..Fault::new(at, "", why) }
    }
}

/// The text of a file, and the file's name for errors.
#[derive(Clone, Copy, Debug)]
pub struct Source<'a> {
    pub file: &'a str,
    pub text: &'a str,
}

impl<'a> Source<'a> {
    pub fn parse(&self) -> Result<DeTable<'a>, FileError> {
        let table = DeTable::parse(self.text).map_err(|error| {
            let at = error.span().map_or(0, |span| span.start);
            let why = || Fault::without_key(at, error.message().replace('\n', ", "));
            self.error(self.text_without_quotes(at).unwrap_or_else(why))
        });
        table.map(Spanned::into_inner)
    }

    /// Explains an unquoted text value, such as `key = word`, which the parser misreads: it takes `night` for a
    /// misspelled `nan`, and `#ff9d00` for a comment.
    fn text_without_quotes(&self, at: usize) -> Option<Fault> {
        let begins = self.text.get(..at)?.rfind('\n').map_or(0, |end| end + 1);
        let (key, value) = self.text[begins..].lines().next()?.split_once('=')?;
        let word = value.split_whitespace().next()?;
        let is_flag = ["true", "false"].iter().any(|flag| word.eq_ignore_ascii_case(flag));
        let is_text = word.starts_with(|c: char| c == '#' || c.is_alphabetic())
            && !word.contains(['"', '\''])
            && !is_flag;
        is_text.then(|| Fault::new(at, key.trim(), format!("must be in quotes: \"{word}\"")))
    }

    pub fn error(&self, fault: Fault) -> FileError {
        let line = 1 + self.line_ends(0, fault.at);
        FileError { file: self.file.to_owned(), line, fault }
    }

    /// Converts faults to errors in file order. Scans the text once.
    pub fn errors(&self, mut faults: Vec<Fault>) -> Vec<FileError> {
        faults.sort_by_key(|fault| fault.at);
        let (mut line, mut counted) = (1, 0);
        let errors = faults.into_iter().map(|fault| {
            line += self.line_ends(counted, fault.at);
            counted = fault.at;
            FileError { file: self.file.to_owned(), line, fault }
        });
        errors.collect()
    }

    /// Counts the line ends between two byte offsets. An offset from the parser may be inside a character.
    fn line_ends(&self, from: usize, to: usize) -> usize {
        let bytes = self.text.as_bytes().get(from..to).unwrap_or_default();
        bytes.split(|byte| *byte == b'\n').count() - 1
    }
}

#[derive(Clone, Debug)]
pub struct Entry<'a> {
    pub name: &'a str,
    /// The full key in errors, including its parent keys.
    pub key: String,
    pub key_at: usize,
    pub value: &'a TomlValue<'a>,
}

impl<'a> Entry<'a> {
    /// Returns all entries of a table in file order, so that errors are in that order too. `prefix` is the path to the
    /// table, such as `keys.`, or empty.
    pub fn all(table: &'a DeTable<'a>, prefix: &str) -> Vec<Entry<'a>> {
        let entries = table.iter().map(|(name, value)| {
            let (key_at, name) = (name.span().start, name.get_ref().as_ref());
            Entry { name, key: format!("{prefix}{name}"), key_at, value }
        });
        let mut entries: Vec<Entry> = entries.collect();
        entries.sort_by_key(|entry| entry.key_at);
        entries
    }

    /// Converts the value with `read`. If `read` returns `None`, the error says that the value must be `what`.
    pub fn read<T>(
        &self,
        what: &str,
        read: impl FnOnce(&'a DeValue<'a>) -> Option<T>,
    ) -> Result<T, Fault> {
        read(self.value.get_ref()).ok_or_else(|| self.must_be(what))
    }

    pub fn text(&self) -> Result<&'a str, Fault> {
        self.read("text in quotes", DeValue::as_str)
    }

    pub fn table(&self) -> Result<&'a DeTable<'a>, Fault> {
        self.read("a table", DeValue::as_table)
    }

    pub fn must_be(&self, what: &str) -> Fault {
        let is = match self.value.get_ref() {
            DeValue::String(text) => format!("{:?}", cut(text)),
            DeValue::Integer(number) => number.as_str().to_owned(),
            DeValue::Float(number) => number.as_str().to_owned(),
            other => with_article(other.type_str()),
        };
        self.wrong(format!("must be {what}, not {is}"))
    }

    pub fn wrong(&self, why: impl Into<String>) -> Fault {
        Fault::new(self.value.span().start, &*self.key, why)
    }

    pub fn unknown(&self, why: impl Into<String>) -> Fault {
        Fault { is_harmless: true, ..Fault::new(self.key_at, &*self.key, why) }
    }
}

/// Reads an integer that fits in an `i64`.
pub fn integer(value: &DeValue<'_>) -> Option<i64> {
    let number = value.as_integer()?;
    i64::from_str_radix(number.as_str(), number.radix()).ok()
}

pub fn number(value: &DeValue<'_>) -> Option<f64> {
    match value.as_float() {
        Some(number) => number.as_str().parse().ok(),
        None => integer(value).map(|number| number as f64),
    }
}
