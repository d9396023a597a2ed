//! The last setup of each game, offered as the default next time.

use super::MatchStore;
use super::error::{StoreError, StoreErrorKind};
use crate::session::{Player, Players, TimeControl};
use quadrille_rules::Setup;
use quadrille_system::disk;
use quadrille_system::read::{self, Limit};
use serde::{Deserialize, Serialize};
use std::io;
use std::path::PathBuf;

/// The maximum number of games to remember.
const MAX_GAMES: usize = 50;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LastSetup {
    /// The game's name in commands and records.
    pub game: String,
    /// The setup as the user gave it.
    pub given_setup: Setup,
    /// The players by seat, in record syntax; empty for players without a name.
    pub names: Vec<String>,
    /// The people who last played the game at one terminal; empty if `names` has their names or if there are none.
    pub pair: Vec<String>,
    pub clock: Option<TimeControl>,
}

/// A [`LastSetup`] as a line in the file.
#[derive(Serialize, Deserialize)]
struct SetupLine {
    game: String,
    setup: String,
    names: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pair: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    clock: Option<String>,
}

impl LastSetup {
    /// Returns the people who last played the game at one terminal.
    pub fn pair(&self) -> Vec<String> {
        let is_person = |name: &String| matches!(name.parse(), Ok(Player::Person(_)));
        let are_people = self.names.iter().all(is_person);
        if are_people && self.names.iter().any(|name| !name.is_empty()) {
            self.names.clone()
        } else {
            self.pair.clone()
        }
    }

    /// Returns the name of the only person at this terminal.
    pub fn name_used_alone(&self) -> Option<String> {
        let players: Vec<Player> = self.names.iter().filter_map(|name| name.parse().ok()).collect();
        let seats = u8::try_from(players.len()).unwrap_or(u8::MAX);
        let players = Players::seated(seats, players);
        players.name_used_alone().map(str::to_owned)
    }

    /// Returns the line for the file; `None` for a setup that would not survive a round trip.
    fn write(&self) -> Option<String> {
        let setup = self.given_setup.to_string();
        let (game, names, pair) = (self.game.clone(), self.names.clone(), self.pair.clone());
        let clock = self.clock.map(|clock| clock.to_string());
        let can_be_read = setup.parse().as_ref() == Ok(&self.given_setup);
        let line = SetupLine { game, setup, names, pair, clock };
        serde_json::to_string(&line).ok().filter(|_| can_be_read)
    }

    fn read(line: &str) -> Option<LastSetup> {
        let SetupLine { game, setup, names, pair, clock } = serde_json::from_str(line).ok()?;
        let clock = clock.and_then(|clock| clock.parse().ok());
        Some(LastSetup { game, given_setup: setup.parse().ok()?, names, pair, clock })
    }
}

impl MatchStore {
    fn setups_path(&self) -> PathBuf {
        self.folder().join("setups")
    }

    /// Returns the last setup of each game, latest first. Omits programs that have never played here.
    pub fn setups(&self) -> Vec<LastSetup> {
        let mut setups = self.read_setups().unwrap_or_default();
        let commands = self.commands();
        let is_foreign = |name: &str| match name.parse() {
            Ok(Player::Program(program)) => {
                !commands.iter().any(|command| command == program.command())
            }
            _ => false,
        };
        for name in setups.iter_mut().flat_map(|setup| &mut setup.names) {
            if is_foreign(name) {
                name.clear();
            }
        }
        setups
    }

    fn read_setups(&self) -> io::Result<Vec<LastSetup>> {
        let bytes = match read::regular(&self.setups_path(), Limit::SETUPS) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
            bytes => bytes?,
        };
        Ok(String::from_utf8_lossy(&bytes).lines().filter_map(LastSetup::read).collect())
    }

    /// Replaces the last setup of a game. A list that cannot be read is not overwritten.
    pub fn remember_setup(&self, setup: LastSetup) -> Result<(), StoreError> {
        let path = self.setups_path();
        let mut known =
            self.read_setups().map_err(|error| StoreErrorKind::from(error).at(&path))?;
        known.retain(|other| other.game != setup.game);
        known.insert(0, setup);
        let lines = known.iter().filter_map(LastSetup::write).take(MAX_GAMES);
        let text: String = lines.map(|line| line + "\n").collect();
        disk::replace(&path, text.as_bytes(), None)
            .map_err(|error| StoreErrorKind::from(error).at(&path))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn setup(game: &str, names: &[&str]) -> LastSetup {
        LastSetup {
            game: game.to_owned(),
            given_setup: Setup::new(),
            names: names.iter().map(|&name| name.to_owned()).collect(),
            pair: Vec::new(),
            clock: None,
        }
    }

    #[test]
    fn lists_are_latest_first_without_duplicates_and_unknown_programs() {
        let folder = tempfile::tempdir().unwrap();
        let store = MatchStore::open(folder.path()).unwrap();
        for name in ["Bob", "Ann", "Cid", "Ann"] {
            store.remember_name(name).unwrap();
        }
        assert_eq!(store.names(), ["Ann", "Cid", "Bob"]);
        let programs = ["run a", "run b"].map(|command| format!("cmd:{command}"));
        store.remember_commands(&["run a".to_owned()]).unwrap();
        let names = programs.each_ref().map(String::as_str);
        for game in ["quixo", "tic-tac-toe", "quixo"] {
            store.remember_setup(setup(game, &names)).unwrap();
        }
        let setups = store.setups();
        let games: Vec<&str> = setups.iter().map(|setup| &*setup.game).collect();
        assert_eq!(games, ["quixo", "tic-tac-toe"]);
        assert_eq!(setups[0].names, ["cmd:run a", ""]);
    }

    /// The files are larger than their limits.
    #[test]
    fn unreadable_lists_are_not_overwritten() {
        let folder = tempfile::tempdir().unwrap();
        let store = MatchStore::open(folder.path()).unwrap();
        let large = 17 << 20;
        let paths = ["setups", "names", "commands"].map(|name| folder.path().join(name));
        for path in &paths {
            fs::File::create(path).unwrap().set_len(large).unwrap();
        }
        store.remember_setup(setup("quixo", &[])).unwrap_err();
        let new = ["new".to_owned()];
        store.remember_name(&new[0]).unwrap_err();
        store.remember_commands(&new).unwrap_err();
        for path in &paths {
            assert_eq!(fs::metadata(path).unwrap().len(), large);
        }
    }
}
