//! The files of the seatings, one for each unfinished match that was shared, named after its journal. Only their user
//! can read them.
#![allow(clippy::disallowed_methods, clippy::disallowed_types, reason = "keeps files")]

use super::seating::Seating;
use quadrille_match::store::StoredFile;
use quadrille_system::disk;
use quadrille_system::files::create_private_folder;
use quadrille_system::folders;
use quadrille_system::read::{self, Limit};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The folder of the seatings in the state folder.
const FOLDER: &str = "seatings";

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

/// Reads the seating of an unfinished match; `None` if it is missing or unreadable.
pub fn read(journal: &str) -> Option<Seating> {
    let bytes = read::regular(&folder().ok()?.join(journal), Limit::HOST).ok()?;
    Seating::read(&String::from_utf8(bytes).ok()?).ok()
}

/// Removes the files of matches that were finished or deleted since. `journals` lists all unfinished matches.
pub fn remove_all_but(journals: &[StoredFile]) {
    let Ok(folder) = folder() else { return };
    let Ok(entries) = fs::read_dir(&folder) else { return };
    let is_stale = |path: &PathBuf| {
        let name = path.file_name().and_then(|name| name.to_str());
        !disk::is_draft(path) && !journals.iter().any(|journal| Some(&*journal.id) == name)
    };
    for path in entries.flatten().map(|entry| entry.path()).filter(is_stale) {
        let _ = disk::remove(&path);
    }
}

fn folder() -> Result<PathBuf, folders::NoHome> {
    Ok(folders::state()?.join(FOLDER))
}

fn make_folder(path: &Path) -> io::Result<()> {
    path.parent().map_or(Ok(()), create_private_folder)
}
