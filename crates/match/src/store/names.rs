//! Names of people and command lines of programs that were used here before.

use super::MatchStore;
use super::error::{StoreError, StoreErrorKind};
use crate::session::Player;
use quadrille_system::disk;
use quadrille_system::read::{self, Limit};
use quadrille_text::printable::{in_a_line, is_name};
use std::io;
use std::path::PathBuf;

/// The maximum number of names and of command lines.
const MAX_NAMES: usize = 50;

impl MatchStore {
    fn names_list(&self) -> List {
        List { path: self.folder().join("names"), limit: Limit::NAMES }
    }

    fn commands_list(&self) -> List {
        List { path: self.folder().join("commands"), limit: Limit::COMMANDS }
    }

    /// Returns the names that a person alone at the terminal has used, latest first, without duplicates.
    ///
    /// Omits names that earlier builds accepted but a person cannot have, such as a program's command.
    pub fn names(&self) -> Vec<String> {
        let mut names = self.names_list().read().unwrap_or_default();
        names.retain(|name| Player::check_name(name).is_ok());
        names
    }

    /// Moves a name to the front of the list. A list that cannot be read is not overwritten.
    pub fn remember_name(&self, name: &str) -> Result<(), StoreError> {
        self.names_list().remember(&[name.to_owned()])
    }

    /// Remembers a name that was given for one match, unless another one is known.
    pub fn remember_first_name(&self, name: &str) -> Result<(), StoreError> {
        if self.names().is_empty() { self.remember_name(name) } else { Ok(()) }
    }

    /// Returns the command lines of programs that played here, latest first, without duplicates. A command in a file
    /// came from elsewhere if it is not in this list.
    pub fn commands(&self) -> Vec<String> {
        self.commands_list().read().unwrap_or_default()
    }

    /// Moves these command lines to the front of the list. A list that cannot be read is not overwritten.
    pub fn remember_commands(&self, commands: &[String]) -> Result<(), StoreError> {
        self.commands_list().remember(commands)
    }
}

/// A file with one text per line, latest first, without duplicates.
struct List {
    path: PathBuf,
    limit: Limit,
}

impl List {
    fn read(&self) -> io::Result<Vec<String>> {
        let bytes = match read::regular(&self.path, self.limit) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
            bytes => bytes?,
        };
        Ok(distinct(String::from_utf8_lossy(&bytes).lines()))
    }

    fn remember(&self, texts: &[String]) -> Result<(), StoreError> {
        let error = |error: io::Error| StoreErrorKind::from(error).at(&self.path);
        let known = self.read().map_err(error)?;
        let all = distinct(texts.iter().chain(&known).map(|text| &**text));
        if all == known {
            return Ok(());
        }
        let text: String = all.into_iter().map(|text| text + "\n").collect();
        disk::replace(&self.path, text.as_bytes(), None).map_err(error)
    }
}

/// Returns the first [`MAX_NAMES`] distinct texts, each reduced to a single line. Drops invisible texts.
fn distinct<'n>(texts: impl Iterator<Item = &'n str>) -> Vec<String> {
    let mut distinct: Vec<String> = Vec::new();
    for text in texts.map(|text| in_a_line(text).trim().to_owned()) {
        if distinct.len() < MAX_NAMES && is_name(&text) && !distinct.contains(&text) {
            distinct.push(text);
        }
    }
    distinct
}
