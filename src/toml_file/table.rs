//! Reading keys from a TOML table whose keys are all known.

use super::{Entry, Fault, integer};
use crate::wording::{cut, with_article};
use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;
use toml::de::{DeTable, DeValue};

/// The keys of a TOML table. All are known, and none is there twice.
pub struct TomlTable<'a> {
    /// Where the table begins: a byte offset in the file.
    pub at: usize,
    /// What errors put before its keys: empty, or `sprt.`.
    prefix: String,
    entries: Vec<Entry<'a>>,
}

impl<'a> TomlTable<'a> {
    pub fn new(
        table: &'a DeTable<'a>,
        at: usize,
        prefix: &str,
        known: &[&str],
    ) -> Result<TomlTable<'a>, Fault> {
        let entries = Entry::all(table, prefix);
        let why = || format!("there is no such key here, only {}", known.join(", "));
        match entries.iter().find(|entry| !known.contains(&entry.name)) {
            None => Ok(TomlTable { at, prefix: prefix.to_owned(), entries }),
            Some(entry) => Err(entry.unknown(why())),
        }
    }

    fn find(&self, key: &str) -> Option<&Entry<'a>> {
        self.entries.iter().find(|entry| entry.name == key)
    }

    pub fn has(&self, key: &str) -> bool {
        self.find(key).is_some()
    }

    /// The value of a key if it is there. `what` says in errors what `read` takes.
    pub fn read<T>(
        &self,
        key: &str,
        what: &str,
        read: impl FnOnce(&'a DeValue<'a>) -> Option<T>,
    ) -> Result<Option<T>, Fault> {
        let why = |is| format!("must be {what}, not {}", with_article(is));
        self.find(key).map(|entry| entry.read(read, why)).transpose()
    }

    /// The same. If `read` takes nothing, the error is `form`.
    pub fn read_or<T>(
        &self,
        key: &str,
        form: &str,
        read: impl FnOnce(&'a DeValue<'a>) -> Option<T>,
    ) -> Result<Option<T>, Fault> {
        self.find(key).map(|entry| entry.read(read, |_| form)).transpose()
    }

    pub fn text(&self, key: &str) -> Result<Option<&'a str>, Fault> {
        self.read(key, "a text", DeValue::as_str)
    }

    pub fn flag(&self, key: &str) -> Result<Option<bool>, Fault> {
        self.read(key, "true or false", DeValue::as_bool)
    }

    /// What the text of a key stands for. The error of a text says what it must be.
    pub fn parsed<T: FromStr<Err: Display>>(&self, key: &str) -> Result<Option<T>, Fault> {
        let parse = |text: &str| {
            text.parse().map_err(|why| self.wrong(key, format!("{why}, not {:?}", cut(text))))
        };
        self.text(key)?.map(parse).transpose()
    }

    pub fn whole(&self, key: &str, range: RangeInclusive<i64>) -> Result<Option<i64>, Fault> {
        let Some(entry) = self.find(key) else { return Ok(None) };
        let what = format!("must be a whole number from {} to {}", range.start(), range.end());
        let number = entry.read(integer, |_| &*what)?;
        let wrong = || entry.wrong(format!("{what}, not {number}"));
        range.contains(&number).then_some(Some(number)).ok_or_else(wrong)
    }

    /// The table at this key. It may have only the `known` keys.
    pub fn table(&self, key: &str, known: &[&str]) -> Result<Option<TomlTable<'a>>, Fault> {
        let Some(entry) = self.find(key) else { return Ok(None) };
        let why = |_| format!("must be {{ {} }}", known.join(" = …, ") + " = …");
        let table = entry.read(DeValue::as_table, why)?;
        TomlTable::new(table, self.place(key), &format!("{}.", entry.key), known).map(Some)
    }

    /// The byte offset of a key's value, or of the table if the key is missing.
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
