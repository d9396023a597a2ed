//! The files of the seatings, one for each unfinished match that was shared, named after its journal. Only their user
//! can read them.
#![allow(clippy::disallowed_methods, clippy::disallowed_types, reason = "keeps files")]

use super::folder::{self, HostFile, OpenTable};
use super::seating::Seating;
use quadrille_match::store::MatchStore;
use quadrille_system::files::create_private_folder;
use quadrille_system::read::{self, Limit};
use quadrille_system::{disk, folders, sockets, users};
use std::cmp::Reverse;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// The folder of the seatings in the state folder.
const FOLDER: &str = "seatings";
/// The file in the usual state folder that names the other state folders of this user, one a line.
const POINTERS: &str = "elsewhere";
/// The maximum number of other state folders.
const MAX_POINTERS: usize = 8;

/// The file of a table's match, which follows the match to the next journal after a rematch.
#[derive(Debug, Default)]
pub struct SeatingFile {
    /// `None` while the match has no journal, and so cannot be resumed.
    path: Option<PathBuf>,
    /// The last seating written there.
    written: Option<Seating>,
}

impl SeatingFile {
    /// Writes the seating of the match in this journal. Ignores errors: if the file is missing, the host is asked about
    /// each guest who returns after a resume.
    pub fn store(&mut self, journal: Option<&str>, seating: Seating) {
        let path = journal.and_then(|journal| Some(folder().ok()?.join(journal)));
        if path != self.path {
            self.forget();
            self.path = path;
        }
        let Some(path) = self.path.as_ref().filter(|_| self.written.as_ref() != Some(&seating))
        else {
            return;
        };
        if self.written.is_none() && seating.can_wake {
            leave_pointer();
        }
        let written =
            make_folder(path).and_then(|()| disk::replace(path, seating.write().as_bytes(), None));
        self.written = written.is_ok().then_some(seating);
    }

    /// Removes the file, because its match is over.
    pub fn forget(&mut self) {
        if let Some(path) = self.path.take() {
            let _ = disk::remove(&path);
        }
        self.written = None;
    }
}

/// The seating of an unfinished match, read from its file.
#[derive(Debug)]
pub struct SavedSeating {
    /// The state folder of the match.
    pub state: PathBuf,
    pub journal: String,
    pub seating: Seating,
    written: SystemTime,
}

impl SavedSeating {
    /// `None` if the file is missing or unreadable, or the match is no longer unfinished.
    fn read(state: &Path, journal: &str) -> Option<SavedSeating> {
        let path = state.join(FOLDER).join(journal);
        let written = fs::metadata(&path).and_then(|metadata| metadata.modified()).ok()?;
        let bytes = read::regular(&path, Limit::HOST).ok()?;
        let seating = Seating::read(&String::from_utf8(bytes).ok()?).ok()?;
        MatchStore::has_journal(state, journal).then(|| SavedSeating {
            state: state.to_owned(),
            journal: journal.to_owned(),
            seating,
            written,
        })
    }

    /// Reads the file again.
    pub fn again(&self) -> Option<SavedSeating> {
        SavedSeating::read(&self.state, &self.journal)
    }

    /// Returns the table of this match if its process is alive.
    pub fn open_table(&self) -> Option<OpenTable> {
        let path = self.seating.socket.clone()?;
        let name = path.file_name()?.to_str()?.to_owned();
        let host = HostFile::read(&path).ok()?;
        let is_it = host.journal.as_ref() == Some(&self.journal);
        (is_it && folder::is_alive(&path)).then_some(OpenTable { name, path })
    }
}

/// Reads the seating of an unfinished match in this process's state folder.
pub fn find(journal: &str) -> Option<SavedSeating> {
    SavedSeating::read(&folders::state().ok()?, journal)
}

/// Reads all seatings in this process's state folder and in those that it points to, the latest first.
pub fn everywhere() -> Vec<SavedSeating> {
    let mut all: Vec<SavedSeating> = other_states()
        .into_iter()
        .chain(folders::state())
        .flat_map(|state| all_in(&state))
        .collect();
    all.sort_by_key(|saved| Reverse(saved.written));
    all
}

fn all_in(state: &Path) -> Vec<SavedSeating> {
    let entries = fs::read_dir(state.join(FOLDER)).into_iter().flatten().flatten();
    let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
    names.filter_map(|journal| SavedSeating::read(state, &journal)).collect()
}

/// Removes the files of matches that were finished or deleted since.
pub fn remove_stale() {
    let Ok(state) = folders::state() else { return };
    let Ok(entries) = fs::read_dir(state.join(FOLDER)) else { return };
    let is_stale = |path: &PathBuf| {
        let name = path.file_name().and_then(|name| name.to_str());
        !disk::is_draft(path) && !name.is_some_and(|name| MatchStore::has_journal(&state, name))
    };
    for path in entries.flatten().map(|entry| entry.path()).filter(is_stale) {
        let _ = disk::remove(&path);
    }
}

/// Leaves a pointer to this process's state folder in the usual one, for processes with another environment: those that
/// sshd starts lack the variable that names the folder. Ignores errors: such a process finds no match then.
pub fn leave_pointer() {
    let (Ok(state), Some(usual)) = (folders::state(), folders::usual_state()) else { return };
    let mut known = other_states();
    if state == usual || known.contains(&state) || state.to_str().is_none_or(has_line_ending) {
        return;
    }
    known.insert(0, state);
    known.truncate(MAX_POINTERS);
    let lines: Vec<&str> = known.iter().filter_map(|state| state.to_str()).collect();
    let lines = lines.join("\n") + "\n";
    let _ = create_private_folder(&usual)
        .and_then(|()| disk::replace(&usual.join(POINTERS), lines.as_bytes(), None));
}

fn has_line_ending(path: &str) -> bool {
    path.contains(['\n', '\r'])
}

/// Returns the state folders to which the usual one points.
fn other_states() -> Vec<PathBuf> {
    let Some(usual) = folders::usual_state() else { return Vec::new() };
    let Ok(bytes) = read::regular(&usual.join(POINTERS), Limit::HOST) else { return Vec::new() };
    let text = String::from_utf8_lossy(&bytes);
    let folders = text.lines().map(PathBuf::from);
    let is_ours = |folder: &PathBuf| {
        folder.is_absolute() && sockets::owned_by(folder, users::current()).is_ok()
    };
    folders.filter(is_ours).take(MAX_POINTERS).collect()
}

fn folder() -> Result<PathBuf, folders::NoHome> {
    Ok(folders::state()?.join(FOLDER))
}

fn make_folder(path: &Path) -> io::Result<()> {
    path.parent().map_or(Ok(()), create_private_folder)
}
