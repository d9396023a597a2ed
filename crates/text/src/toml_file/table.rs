//! Reads a TOML table that may have only known keys.

use super::{Entry, Fault, integer};
use crate::wording::cut;
use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;
use toml::de::{DeTable, DeValue};

/// A TOML table without unknown or duplicate keys.
pub struct TomlTable<'a> {
    /// The byte offset of the table in the file.
    pub at: usize,
    /// The prefix of the table's keys in errors, such as `sprt.`, or empty.
    prefix: String,
    entries: Vec<Entry<'a>>,
}

impl<'a> TomlTable<'a> {
    /// Reads a table that may have only the `known` keys.
    pub fn new(
        table: &'a DeTable<'a>,
        at: usize,
        prefix: &str,
        known: &[&str],
    ) -> Result<TomlTable<'a>, Fault> {
        let (table, unknown) = TomlTable::with_unknown(table, at, prefix, known);
        unknown.map_or(Ok(table), Err)
    }

    /// Reads a table. Also returns the fault for its first unknown key.
    pub fn with_unknown(
        table: &'a DeTable<'a>,
        at: usize,
        prefix: &str,
        known: &[&str],
    ) -> (TomlTable<'a>, Option<Fault>) {
        let entries = Entry::all(table, prefix);
        let why = || format!("unknown key; the keys here are {}", known.join(", "));
        let unknown = entries.iter().find(|entry| !known.contains(&entry.name));
        let unknown = unknown.map(|entry| entry.unknown(why()));
        (TomlTable { at, prefix: prefix.to_owned(), entries }, unknown)
    }

    fn find(&self, key: &str) -> Option<&Entry<'a>> {
        self.entries.iter().find(|entry| entry.name == key)
    }

    pub fn has(&self, key: &str) -> bool {
        self.find(key).is_some()
    }

    /// Reads the value of a key if the key exists. `what` describes the accepted values in errors.
    pub fn read<T>(
        &self,
        key: &str,
        what: &str,
        read: impl FnOnce(&'a DeValue<'a>) -> Option<T>,
    ) -> Result<Option<T>, Fault> {
        self.find(key).map(|entry| entry.read(what, read)).transpose()
    }

    /// Like [`read`](Self::read), but `form` is the whole error message.
    pub fn read_or<T>(
        &self,
        key: &str,
        form: &str,
        read: impl FnOnce(&'a DeValue<'a>) -> Option<T>,
    ) -> Result<Option<T>, Fault> {
        let read = |entry: &Entry<'a>| read(entry.value.get_ref()).ok_or_else(|| entry.wrong(form));
        self.find(key).map(read).transpose()
    }

    pub fn text(&self, key: &str) -> Result<Option<&'a str>, Fault> {
        self.find(key).map(Entry::text).transpose()
    }

    pub fn flag(&self, key: &str) -> Result<Option<bool>, Fault> {
        self.read(key, "true or false", DeValue::as_bool)
    }

    /// Parses the text at a key. The error comes from the parser, which describes the valid texts.
    pub fn parsed<T: FromStr<Err: Display>>(&self, key: &str) -> Result<Option<T>, Fault> {
        let parse = |text: &str| {
            text.parse().map_err(|why| self.wrong(key, format!("{why}, not {:?}", cut(text))))
        };
        self.text(key)?.map(parse).transpose()
    }

    pub fn whole(&self, key: &str, range: RangeInclusive<i64>) -> Result<Option<i64>, Fault> {
        let what = format!("a whole number from {} to {}", range.start(), range.end());
        self.read(key, &what, |value| integer(value).filter(|number| range.contains(number)))
    }

    /// Reads the table at this key, which may have only the `known` keys.
    pub fn table(&self, key: &str, known: &[&str]) -> Result<Option<TomlTable<'a>>, Fault> {
        let form = format!("must be {{ {} }}", known.join(" = …, ") + " = …");
        let Some(table) = self.read_or(key, &form, DeValue::as_table)? else { return Ok(None) };
        let prefix = format!("{}{key}.", self.prefix);
        TomlTable::new(table, self.place(key), &prefix, known).map(Some)
    }

    /// Returns the byte offset of a key's value, or of the table if the key is missing.
    fn place(&self, key: &str) -> usize {
        self.find(key).map_or(self.at, |entry| entry.value.span().start)
    }

    pub fn wrong(&self, key: &str, why: impl Into<String>) -> Fault {
        Fault::new(self.place(key), format!("{}{key}", self.prefix), why)
    }

    pub fn missing(&self, key: &str, what: &str) -> Fault {
        self.wrong(key, format!("is missing: {what}"))
    }
}
