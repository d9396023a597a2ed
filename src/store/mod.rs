//! What is kept on disk between two runs: the journals of unfinished matches, the records of finished ones,
//! the names of players, the programs that were started, and the last setup of each game.
//!
//! In the folder of the store:
//!
//! ```text
//! matches/ID.journal    an unfinished match; see Journal
//! matches/ID.damaged    the backup of a damaged journal
//! records/NAME.game     a finished match; NAME is its ID until it is renamed
//! names                 the names of players, one a line, the latest first
//! commands              command lines of programs that were started here, one a line, the latest first
//! setups                the last setup of each game, one a line, as JSON
//! progress              what was done at a board alone and against the levels, one a line; see progress
//! ```
//!
//! The store has no clock and no environment: its folder and the day are given to it. Only `read` reads files, and only
//! `disk` replaces and removes them; a test holds all others to that.
//!
//! A journal is appended to. [`Journal::record`] appends the steps of the log that the journal does not have
//! yet, so nobody tells it what happened, and the next call writes what a failed one could not. It is whole up to its
//! first bad line, wherever it was cut or changed; [`Journal::replay`] takes the steps of that part in a new session,
//! and a step that is refused there is damage like any other. Before anything damaged is written over, a copy is kept
//! beside it. Journals of earlier versions are written anew in today's format before the first new step, and so are
//! those in which a guest has got a name: the new file takes the place of the old one once it is whole.
//!
//! A journal is locked while its match is played, from before others can see it, and the lock dies with the process.
//! Before each write the open file is compared with the one at the path: if that was removed, it is written anew; if
//! another stands in its place, that is not ours and stays. A match that began with the moves of a record gets no
//! journal before something new happens in it: what it has is in that record.
//!
//! The progress is only ever appended to, by as many processes as there are, and each line stands for itself.
//!
//! A finished match is written as a record under the journal's name, and then the journal is removed. A crash in
//! between leaves a journal of a match that is over; [`MatchStore::look_and_file`] then makes the record again, finds
//! that the very same one is there, and removes the journal.

pub(crate) mod disk;
mod error;
mod file_names;
mod journal;
mod journal_text;
mod lock;
mod names;
pub mod progress;
mod progress_file;
pub mod read;
mod record_file;
mod records;
mod setups;

pub use error::StoreError;
pub use journal::Journal;
pub use journal_text::Head;
pub use record_file::{RecordFile, RecordFileError, Terms};
pub use records::RecordEntry;
pub use setups::LastSetup;

use crate::rules::Scores;
use crate::session::{Record, Session};
use error::StoreErrorKind;
use file_names::candidates;
use journal::EXTENSION;
use lock::Share;
use progress::Event;
use std::fs::{self, DirBuilder};
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// The folder in which matches are kept. Several processes may use it at once.
#[derive(Clone, Debug)]
pub struct MatchStore {
    folder: PathBuf,
}

/// A file in the store, which was not read yet. Two values are equal as long as the file has not changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredFile {
    /// Its name in the store.
    pub id: String,
    pub path: PathBuf,
    /// When something was last written.
    pub written: SystemTime,
    pub bytes: u64,
}

/// What was found in a journal.
#[derive(Debug, Default)]
pub struct JournalContents {
    /// The match, if it can be resumed.
    pub unfinished: Option<Resumable>,
    /// What is wrong with the journal, or with a part of it, if anything is.
    pub trouble: Option<StoreError>,
    /// Whether it was not read, because the match is being played at the moment.
    pub is_in_use: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Resumable {
    /// Its name in the store.
    pub id: String,
    /// Its game, setup and players.
    pub head: Head,
    /// The points of each seat, where the game keeps any.
    pub scores: Option<Scores>,
    pub ply: usize,
    /// When something was last written.
    pub written: SystemTime,
}

/// Starts the match of a journal, without its moves, if the game is known.
type StartMatch<'a> = dyn Fn(&Head) -> Option<Session> + 'a;

impl MatchStore {
    /// The store in this folder. A folder that is not there is made, and only the user may look into it.
    pub fn open(folder: &Path) -> Result<MatchStore, StoreError> {
        let store = MatchStore { folder: folder.to_owned() };
        for folder in [store.matches(), store.records_folder()] {
            make_folder(&folder).map_err(|error| StoreErrorKind::from(error).at(&folder))?;
        }
        // Those in the folders of matches and records are removed when these are listed.
        let _ = disk::remove_drafts(folder);
        Ok(store)
    }

    pub fn folder(&self) -> &Path {
        &self.folder
    }

    fn matches(&self) -> PathBuf {
        self.folder.join("matches")
    }

    /// A new journal for this match. `date` is the day, as `2026-11-20`.
    ///
    /// Nothing is written before the first [`Journal::record`] after the first move.
    pub fn begin(&self, session: &Session, date: &str) -> Journal {
        Journal::begin(&self.matches(), session, date)
    }

    /// All journals, the one written to last first. [`look_and_file`](MatchStore::look_and_file) tells what is in one.
    pub fn journals(&self) -> Result<Vec<StoredFile>, StoreError> {
        files(&self.matches(), EXTENSION)
    }

    /// Looks into a journal. For a match that is being played at the moment it only says so; for one that is gone it
    /// finds nothing. A match that is over, but whose process ended before it could file it, becomes a record.
    pub fn look_and_file(&self, journal: &StoredFile, start: &StartMatch) -> JournalContents {
        match self.try_look_and_file(&journal.path, start) {
            Ok(contents) => contents,
            Err(error) if error.is_in_use() => {
                JournalContents { is_in_use: true, ..JournalContents::default() }
            }
            Err(error) if error.is_gone() => JournalContents::default(),
            Err(error) => JournalContents { trouble: Some(error), ..JournalContents::default() },
        }
    }

    fn try_look_and_file(
        &self,
        path: &Path,
        start: &StartMatch,
    ) -> Result<JournalContents, StoreError> {
        let open = |share| {
            let mut journal = Journal::open(path, share)?;
            let head = journal.head();
            let session =
                start(head).ok_or_else(|| StoreErrorKind::NoGame(head.game.clone()).at(path));
            let mut session = session?;
            let trouble = journal.replay(&mut session).err();
            Ok((journal, session, trouble))
        };
        let (journal, session, trouble) = open(Share::Looking)?;
        let game = session.current_match();
        if game.outcome().is_none() {
            let metadata = fs::metadata(path).and_then(|metadata| metadata.modified());
            let written = metadata.map_err(|error| StoreErrorKind::from(error).at(path))?;
            let (scores, ply) = (game.scores(), game.ply());
            let (id, head) = (journal.id(), journal.head().clone());
            let unfinished = Some(Resumable { id, head, scores, ply, written });
            return Ok(JournalContents { unfinished, trouble, is_in_use: false });
        }
        drop(journal);
        let (journal, session, trouble) = open(Share::Nobody)?;
        if session.current_match().outcome().is_some() {
            self.finish(journal, &session)?;
        }
        Ok(JournalContents { trouble, ..JournalContents::default() })
    }

    /// Opens the journal of a match to play on: start the game of [`Journal::head`], and
    /// [`Journal::replay`] into it.
    pub fn resume(&self, id: &str) -> Result<Journal, StoreError> {
        Journal::open(&self.matches().join(format!("{id}.{EXTENSION}")), Share::Nobody)
    }

    /// Deletes an unfinished match for ever. The backup of a damaged journal is made all the same.
    pub fn discard(&self, id: &str) -> Result<(), StoreError> {
        match self.resume(id) {
            Err(error) if error.is_gone() => Ok(()),
            journal => journal?.remove(),
        }
    }

    /// Files the record of a finished match, adds its result to the progress if it says something about the strength of
    /// a person, and then removes its journal. After an error the journal is still there, and
    /// [`look_and_file`](MatchStore::look_and_file) will try again.
    pub fn finish(&self, mut journal: Journal, session: &Session) -> Result<PathBuf, StoreError> {
        // If the process is killed after the record is made, the next one makes it from the journal again. It
        // must be the same to the letter, so that it is found and no second one is made.
        journal.record(session)?;
        let Head { names, date, clock, .. } = journal.head();
        let mut record = Record::of(session.current_match(), names, date);
        record.set_clock(*clock);
        record.name_persons(session.players());
        let text = record.to_string();
        let (folder, id) = (self.records_folder(), journal.id());
        let names = candidates(&id, records::EXTENSION);
        let path = disk::create_somewhere(&folder, names, text.as_bytes());
        let path = path.map_err(|error| StoreErrorKind::from(error).at(&folder))?;
        let written = fs::metadata(&path).and_then(|metadata| metadata.modified());
        let written = written.map_err(|error| StoreErrorKind::from(error).at(&path))?;
        if let Some(event) = Event::of_session(session, &id, progress::moment(written)) {
            self.append(&[event])?;
        }
        journal.remove()?;
        Ok(path)
    }
}

fn make_folder(path: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.recursive(true).create(path)
}

/// The files of a folder with this extension, the one written to last first. Drafts that killed processes have left
/// there are removed on the way.
fn files(folder: &Path, extension: &str) -> Result<Vec<StoredFile>, StoreError> {
    let entries = fs::read_dir(folder).map_err(|error| StoreErrorKind::from(error).at(folder))?;
    let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
    let (drafts, paths): (Vec<_>, Vec<_>) = paths.partition(|path| disk::is_draft(path));
    for draft in drafts {
        disk::remove_if_left(&draft);
    }
    let paths =
        paths.into_iter().filter(|path| path.extension().is_some_and(|ending| ending == extension));
    let mut files: Vec<StoredFile> = paths.filter_map(|path| StoredFile::at(path).ok()).collect();
    files.sort_by(|a, b| (b.written, &b.id).cmp(&(a.written, &a.id)));
    Ok(files)
}

impl StoredFile {
    fn at(path: PathBuf) -> io::Result<StoredFile> {
        let metadata = fs::metadata(&path)?;
        let id = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        Ok(StoredFile { id, path, written: metadata.modified()?, bytes: metadata.len() })
    }
}
