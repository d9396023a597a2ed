//! The keys of a file that describes a tournament, and what is wrong with them.

use super::Problem;
use crate::toml_file::{KeyValue, Source, Value, in_order};
use std::ops::RangeInclusive;
use toml::de::DeTable;

/// The keys of a table, each known and each once.
pub(super) struct Keys<'a> {
    pub source: Source<'a>,
    /// Where the table stands.
    pub at: usize,
    /// What errors put before its keys.
    prefix: String,
    entries: Vec<KeyValue<'a>>,
}

impl<'a> Keys<'a> {
    /// Those of a file.
    pub fn top(source: Source<'a>, known: &[&str]) -> Result<Keys<'a>, Problem> {
        let entries = source.entries(|message| message)?;
        Keys { source, at: 0, prefix: String::new(), entries }.only(known)
    }

    /// Those of a table within it, whose keys errors call by this and their name.
    pub fn inner(
        source: Source<'a>,
        table: &DeTable<'a>,
        at: usize,
        prefix: &str,
        known: &[&str],
    ) -> Result<Keys<'a>, Problem> {
        let (prefix, entries) = (prefix.to_owned(), in_order(table.clone()));
        Keys { source, at, prefix, entries }.only(known)
    }

    fn only(self, known: &[&str]) -> Result<Keys<'a>, Problem> {
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

    pub fn find(&self, key: &str) -> Option<&Value<'a>> {
        self.entries.iter().find(|(it, _)| it.get_ref() == key).map(|(_, value)| value)
    }

    /// Where a key stands, or the table if it is not there.
    pub fn place(&self, key: &str) -> usize {
        self.find(key).map_or(self.at, |value| value.span().start)
    }

    pub fn text<'v>(&self, key: &str, value: &'v Value<'_>) -> Result<&'v str, Problem> {
        let key = &self.called(key);
        self.source.text(key, value, |kind| format!("must be a text, not {}", a(kind)))
    }

    /// A whole number within a range; without a default it has to be there.
    pub fn whole(
        &self,
        key: &str,
        range: RangeInclusive<i64>,
        default: Option<i64>,
    ) -> Result<i64, Problem> {
        let what = format!("a whole number from {} to {}", range.start(), range.end());
        match (self.find(key), default) {
            (None, None) => Err(self.missing(key, &what)),
            (None, Some(default)) => Ok(default),
            (Some(value), _) => {
                let called = &self.called(key);
                let number = self.source.integer(called, value, |_| format!("must be {what}"))?;
                let wrong = || self.error(value, key, format!("must be {what}, not {number}"));
                range.contains(&number).then_some(number).ok_or_else(wrong)
            }
        }
    }

    /// A table with these keys, if it is there.
    pub fn table(&self, key: &str, known: &[&str]) -> Result<Option<Keys<'a>>, Problem> {
        let Some(value) = self.find(key) else { return Ok(None) };
        let why = || format!("must be {{ {} }}", known.join(" = …, ") + " = …");
        let table = value.get_ref().as_table();
        let table = table.ok_or_else(|| self.error(value, key, why()))?;
        Keys::inner(self.source, table, value.span().start, &format!("{key}."), known).map(Some)
    }

    pub fn error(&self, value: &Value<'_>, key: &str, why: String) -> Problem {
        self.error_at(value.span().start, key, why)
    }

    pub fn error_at(&self, at: usize, key: &str, why: String) -> Problem {
        self.source.error(at, Some(&self.called(key)), why)
    }

    pub fn missing(&self, key: &str, what: &str) -> Problem {
        self.error_at(self.at, key, format!("is missing: {what}"))
    }
}

/// A kind of value with its article.
pub(super) fn a(kind: &str) -> String {
    let article = if kind.starts_with(['a', 'i']) { "an" } else { "a" };
    format!("{article} {kind}")
}
