//! Reads a journal line by line and verifies checksums.

use super::{Damage, DamageKind, FORMAT, Head, JournalMark, Version, crc};
use crate::store::error::StoreErrorKind;
use quadrille_text::wording::cut;

pub(super) struct LineReader<'b> {
    bytes: &'b [u8],
    /// The position before the next line, and the line's number, counted from 1.
    pub mark: JournalMark,
    number: usize,
}

impl LineReader<'_> {
    pub fn new(bytes: &[u8]) -> LineReader<'_> {
        LineReader { bytes, mark: JournalMark::START, number: 1 }
    }

    pub fn rest(&self) -> &[u8] {
        &self.bytes[self.mark.at as usize..]
    }

    /// Parses the next line with `read`. Moves past the line only if it is complete and valid.
    pub fn take<T>(&mut self, read: impl FnOnce(&str) -> Option<T>) -> Option<T> {
        let rest = self.rest();
        let line = &rest[..=rest.iter().position(|&byte| byte == b'\n')?];
        let (sum, text) = line[..line.len() - 1].split_at_checked(9)?;
        let whole = format!("{:08x} ", crc(self.mark.sum, text));
        let text = str::from_utf8(text).ok().filter(|_| sum == whole.as_bytes())?;
        let read = read(text)?;
        let (at, sum) = (self.mark.at + line.len() as u64, crc(self.mark.sum, line));
        self.mark = JournalMark { at, sum };
        self.number += 1;
        Some(read)
    }

    /// Parses the head, and the version that wrote it.
    pub fn head(&mut self) -> Result<(Head, Version), StoreErrorKind> {
        let first = |(version, number)| (version, format!("{FORMAT} {number}\n"));
        if self.bytes.is_empty() {
            return Err(StoreErrorKind::Empty);
        }
        let is_part = |first: &String| first.as_bytes().starts_with(self.bytes);
        let versions = Version::ALL.map(first);
        if versions.iter().any(|(_, first)| self.bytes.len() < first.len() && is_part(first)) {
            return Err(StoreErrorKind::Head(self.damage()));
        }
        let first = versions.iter().find(|(_, first)| self.bytes.starts_with(first.as_bytes()));
        let Some((version, first)) = first else {
            let line = self.bytes.split(|&byte| byte == b'\n').next().unwrap_or_default();
            let version = line.strip_prefix(FORMAT.as_bytes()).and_then(|v| v.strip_prefix(b" "));
            let text = |version| cut(&String::from_utf8_lossy(version));
            return Err(
                version.map_or(StoreErrorKind::NotAJournal, |v| StoreErrorKind::Version(text(v)))
            );
        };
        self.mark.write(first.trim_end(), &mut String::new());
        self.number += 1;
        let head = Head {
            game: self.field("game", |game| Some(game.to_owned()))?,
            setup: self.field("setup", |setup| setup.parse().ok())?,
            given_setup: self.field("words", |words| words.parse().ok())?,
            date: self.field("date", |date| Some(date.to_owned()))?,
            clock: self.field("clock", |clock| clock.parse().ok()).ok(),
            levels: self.field("levels", |levels| levels.parse().ok()).ok(),
            names: std::iter::from_fn(|| self.field("name", |n| Some(n.to_owned())).ok()).collect(),
        };
        Ok((head, *version))
    }

    fn field<T>(&mut self, key: &str, read: fn(&str) -> Option<T>) -> Result<T, StoreErrorKind> {
        let value = self.take(|text| read(text.strip_prefix(key)?.strip_prefix(' ')?));
        value.ok_or_else(|| StoreErrorKind::Head(self.damage()))
    }

    /// Describes the damage that begins at the next line.
    pub fn damage(&self) -> Damage {
        let rest = self.rest();
        let after =
            rest.strip_suffix(b"\n").unwrap_or(rest).split(|&byte| byte == b'\n').count() - 1;
        let is_cut = after == 0 && !rest.ends_with(b"\n");
        let kind = if is_cut { DamageKind::CutOff } else { DamageKind::Rubbish };
        Damage { line: self.number, after, kind }
    }
}
