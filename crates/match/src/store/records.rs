//! The library: the records of finished matches.

use super::error::{StoreError, StoreErrorKind};
use super::file_names::file_name;
use super::{MatchStore, StoredFile, files};
use crate::session::{Record, Termination};
use quadrille_system::disk;
use quadrille_system::read::{self, Limit};
use quadrille_text::printable::is_name;
use std::cmp::Ordering;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

pub(super) const EXTENSION: &str = "game";
/// An upper bound on the number of seats at any table.
const MAX_SEATS: u8 = 8;

/// A record in the library. Missing values are empty texts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordEntry {
    /// The record's name in the store.
    pub id: String,
    pub path: PathBuf,
    /// The game's name in commands and records.
    pub game: String,
    pub names: Vec<String>,
    /// The scores, such as `3-1`, or shares of the win.
    pub result: String,
    /// How the match ended, if the rules did not end it.
    pub termination: Option<Termination>,
    /// The date, such as `2026-11-20`.
    pub date: String,
    /// The number of moves.
    pub length: usize,
    pub written: SystemTime,
}

impl RecordEntry {
    pub(super) fn of(file: &StoredFile, record: &Record) -> RecordEntry {
        let tag = |name| record.tag(name).unwrap_or_default().to_owned();
        let mut names = record.names(MAX_SEATS);
        while names.last().is_some_and(Option::is_none) {
            names.pop();
        }
        RecordEntry {
            id: file.id.clone(),
            path: file.path.clone(),
            game: record.game().to_owned(),
            names: names.into_iter().map(Option::unwrap_or_default).collect(),
            result: tag("Result"),
            termination: record.termination(),
            date: tag("Date"),
            length: record.moves().len(),
            written: file.written,
        }
    }

    /// Compares entries for the library's order: latest day first, then most recently written first.
    pub fn latest_first(a: &RecordEntry, b: &RecordEntry) -> Ordering {
        (&b.date, b.written, &b.id).cmp(&(&a.date, a.written, &a.id))
    }
}

impl MatchStore {
    pub(super) fn records_folder(&self) -> PathBuf {
        self.folder().join("records")
    }

    pub(super) fn record_path(&self, id: &str) -> PathBuf {
        self.records_folder().join(format!("{id}.{EXTENSION}"))
    }

    /// Lists the library's files, most recently written first. Read a file with [`entry`](MatchStore::entry).
    pub fn records(&self) -> Result<Vec<StoredFile>, StoreError> {
        files(&self.records_folder(), EXTENSION)
    }

    pub fn entry(&self, file: &StoredFile) -> Result<RecordEntry, StoreError> {
        Ok(RecordEntry::of(file, &read(&file.path)?))
    }

    pub fn read(&self, id: &str) -> Result<Record, StoreError> {
        read(&self.record_path(id))
    }

    /// Renames a record and returns its new name. Drops characters that are invalid in file names. Refuses a name that
    /// is taken.
    pub fn rename(&self, id: &str, name: &str) -> Result<String, StoreError> {
        let (from, name) = (self.record_path(id), file_name(name));
        if !is_name(&name) {
            return Err(StoreErrorKind::NoName.at(&from));
        }
        if name != id {
            self.export(id, &self.record_path(&name))?;
            self.delete(id)?;
        }
        Ok(name)
    }

    /// Deletes a record permanently.
    pub fn delete(&self, id: &str) -> Result<(), StoreError> {
        let path = self.record_path(id);
        disk::remove(&path).map_err(|error| StoreErrorKind::from(error).at(&path))
    }

    /// Copies a record unchanged to a new file. The file must not exist yet.
    pub fn export(&self, id: &str, to: &Path) -> Result<(), StoreError> {
        let from = self.record_path(id);
        let bytes = read::regular(&from, Limit::RECORD);
        let bytes = bytes.map_err(|error| StoreErrorKind::from(error).at(&from))?;
        disk::create(to, &bytes).map_err(|error| StoreErrorKind::from(error).at(to))
    }
}

fn read(path: &Path) -> Result<Record, StoreError> {
    let bytes = read::regular(path, Limit::RECORD);
    let bytes = bytes.map_err(|error| StoreErrorKind::from(error).at(path))?;
    Record::from_bytes(&bytes).map_err(|error| StoreErrorKind::Record(error).at(path))
}
