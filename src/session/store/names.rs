//! Who played, to be offered again.

use super::MatchStore;
use super::disk;
use super::error::{Reason, StoreError};
use super::read::{self, Limit};
use crate::printable::{in_a_line, is_name};
use std::io;
use std::path::PathBuf;

/// How many names are kept.
const MOST: usize = 50;

impl MatchStore {
    fn names_path(&self) -> PathBuf {
        self.folder().join("names")
    }

    /// The names of those who played, the latest first, each once.
    pub fn names(&self) -> Vec<String> {
        self.read_names().unwrap_or_default()
    }

    fn read_names(&self) -> io::Result<Vec<String>> {
        let bytes = match read::regular(&self.names_path(), Limit::NAMES) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
            bytes => bytes?,
        };
        Ok(distinct(String::from_utf8_lossy(&bytes).lines()))
    }

    /// Puts some names before all others. A list that cannot be read is not written over.
    pub fn remember(&self, names: &[String]) -> Result<(), StoreError> {
        let path = self.names_path();
        let known = self.read_names().map_err(|error| Reason::from(error).at(&path))?;
        let all = distinct(names.iter().chain(&known).map(|name| &**name));
        if all == known {
            return Ok(());
        }
        let text: String = all.into_iter().map(|name| name + "\n").collect();
        disk::replace(&path, text.as_bytes(), None).map_err(|error| Reason::from(error).at(&path))
    }
}

/// The first of these names, without those that cannot be seen, as they can stand on a line.
fn distinct<'n>(names: impl Iterator<Item = &'n str>) -> Vec<String> {
    let mut distinct: Vec<String> = Vec::new();
    for name in names.map(|name| in_a_line(name).trim().to_owned()) {
        if distinct.len() < MOST && is_name(&name) && !distinct.contains(&name) {
            distinct.push(name);
        }
    }
    distinct
}
