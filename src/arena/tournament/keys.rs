//! Reading keys from the TOML tables of a tournament file, with errors that name line and key.

use super::TournamentFileError;
use crate::toml_file::{KeyValue, Source, TomlValue, in_order, integer};
use crate::wording::cut;
use crate::wording::with_article;
use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;
use toml::de::{DeTable, DeValue};

/// The keys of a TOML table. All are known, and none is there twice.
pub(super) struct TomlTable<'a> {
    pub source: Source<'a>,
    /// Where the table begins: a byte offset in the file.
    pub at: usize,
    /// What errors put before its keys: empty, or `sprt.`.
    prefix: String,
    entries: Vec<KeyValue<'a>>,
}

impl<'a> TomlTable<'a> {
    /// The keys at the top of a file.
    pub fn top(source: Source<'a>, known: &[&str]) -> Result<TomlTable<'a>, TournamentFileError> {
        let entries = source.entries(|message| message)?;
        TomlTable { source, at: 0, prefix: String::new(), entries }.only(known)
    }

    /// The keys of a table within the file. Errors call them by `prefix` and their name.
    pub fn inner(
        source: Source<'a>,
        table: &DeTable<'a>,
        at: usize,
        prefix: &str,
        known: &[&str],
    ) -> Result<TomlTable<'a>, TournamentFileError> {
        let (prefix, entries) = (prefix.to_owned(), in_order(table.clone()));
        TomlTable { source, at, prefix, entries }.only(known)
    }

    fn only(self, known: &[&str]) -> Result<TomlTable<'a>, TournamentFileError> {
        let unknown = self.entries.iter().find(|(key, _)| !known.contains(&&**key.get_ref()));
        match unknown {
            None => Ok(self),
            Some((key, _)) => {
                let why = format!("there is no such key here, only {}", known.join(", "));
                Err(self.error_at(key.span().start, key.get_ref(), why))
            }
        }
    }

    /// What errors call a key.
    pub fn called(&self, key: &str) -> String {
        format!("{}{key}", self.prefix)
    }

    pub fn find(&self, key: &str) -> Option<&TomlValue<'a>> {
        self.entries.iter().find(|(it, _)| it.get_ref() == key).map(|(_, value)| value)
    }

    /// The byte offset of a key's value, or of the table if the key is missing.
    pub fn place(&self, key: &str) -> usize {
        self.find(key).map_or(self.at, |value| value.span().start)
    }

    /// A value of one type: what `read` takes from it. `what` names that type in errors.
    pub fn value<'v, T>(
        &self,
        key: &str,
        value: &'v TomlValue<'a>,
        read: impl FnOnce(&'v DeValue<'a>) -> Option<T>,
        what: &str,
    ) -> Result<T, TournamentFileError> {
        let why = |kind| format!("must be {what}, not {}", with_article(kind));
        self.source.value(&self.called(key), value, read, why)
    }

    pub fn text<'v>(
        &self,
        key: &str,
        value: &'v TomlValue<'a>,
    ) -> Result<&'v str, TournamentFileError> {
        self.value(key, value, DeValue::as_str, "a text")
    }

    /// What the text of a key stands for; `None` if the key is missing. The error of a text says what it must be.
    pub fn parsed<T: FromStr<Err: Display>>(
        &self,
        key: &str,
    ) -> Result<Option<T>, TournamentFileError> {
        let Some(value) = self.find(key) else { return Ok(None) };
        let text = self.text(key, value)?;
        let wrong = |why| self.error(value, key, format!("{why}, not {:?}", cut(text)));
        text.parse().map(Some).map_err(wrong)
    }

    /// A whole number within a range. Without a default the key is required.
    pub fn whole(
        &self,
        key: &str,
        range: RangeInclusive<i64>,
        default: Option<i64>,
    ) -> Result<i64, TournamentFileError> {
        let what = format!("a whole number from {} to {}", range.start(), range.end());
        match (self.find(key), default) {
            (None, None) => Err(self.missing(key, &what)),
            (None, Some(default)) => Ok(default),
            (Some(value), _) => {
                let why = |_| format!("must be {what}");
                let number = self.source.value(&self.called(key), value, integer, why)?;
                let wrong = || self.error(value, key, format!("must be {what}, not {number}"));
                range.contains(&number).then_some(number).ok_or_else(wrong)
            }
        }
    }

    /// The table at this key, if it is there. It may have only the `known` keys.
    pub fn table(
        &self,
        key: &str,
        known: &[&str],
    ) -> Result<Option<TomlTable<'a>>, TournamentFileError> {
        let Some(value) = self.find(key) else { return Ok(None) };
        let why = || format!("must be {{ {} }}", known.join(" = …, ") + " = …");
        let table = value.get_ref().as_table();
        let table = table.ok_or_else(|| self.error(value, key, why()))?;
        TomlTable::inner(self.source, table, value.span().start, &format!("{key}."), known)
            .map(Some)
    }

    pub fn error(&self, value: &TomlValue<'_>, key: &str, why: String) -> TournamentFileError {
        self.error_at(value.span().start, key, why)
    }

    pub fn error_at(&self, at: usize, key: &str, why: String) -> TournamentFileError {
        self.source.error(at, Some(&self.called(key)), why)
    }

    pub fn missing(&self, key: &str, what: &str) -> TournamentFileError {
        self.error_at(self.at, key, format!("is missing: {what}"))
    }
}
