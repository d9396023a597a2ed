//! Data kept on disk between runs: journals of unfinished matches, records of finished matches, player names, command
//! lines of programs, and the last setup of each game.
//!
//! The store's folder contains:
//!
//! ```text
//! matches/ID.journal    an unfinished match; see Journal
//! matches/ID.damaged    the backup of a damaged journal
//! records/NAME.game     a finished match; NAME is its ID until it is renamed
//! names                 player names, one per line, latest first
//! commands              command lines of programs started here, one per line, latest first
//! setups                the last setup of each game, one per line, as JSON
//! progress              puzzles, lessons and rated matches, one event per line; see progress
//! ```
//!
//! The store accesses neither clock nor environment: callers pass its folder and the day. Only `read` reads files, and
//! only `disk` replaces, removes and syncs files; a test enforces both rules.
//!
//! A journal is append-only. [`Journal::record`] appends the steps of the log that the journal lacks, so callers do not
//! report changes, and the next call retries a failed write. A journal is valid up to its first bad line;
//! [`Journal::replay`] replays that part into a new session, and a refused step counts as damage. Damage is backed up
//! before it is overwritten. A journal of an earlier version is rewritten in the current format before its first new
//! step, and a journal is rewritten when a guest gets a name; in both cases the complete new file replaces the old one.
//!
//! A journal is locked while its match is being played, from before the file becomes visible to other processes until
//! the process ends. Before each write, the open file is compared with the file at the path: if the file was removed,
//! it is rewritten; a different file is left alone. A match that began with the moves of a record gets no journal
//! before its first new step, because the record already contains those moves.
//!
//! The progress file is append-only and may have concurrent writers; each line is independent of the others.
//!
//! When a match ends, it is written as a record under the journal's name, and then the journal is removed. After a
//! crash in between, the journal of a finished match remains; [`MatchStore::read_or_archive`] then writes the record
//! again, finds an identical one, and removes the journal.
#![allow(clippy::disallowed_methods, clippy::disallowed_types, reason = "the store keeps files")]

mod error;
mod file_names;
mod journal;
mod journal_text;
mod lock;
mod names;
#[cfg(test)]
mod other_machines;
pub mod progress;
mod progress_file;
mod record_file;
mod records;
mod setups;

pub use error::StoreError;
pub use journal::Journal;
pub use journal_text::Head;
pub use record_file::{RecordFile, RecordFileError, Terms};
pub use records::RecordEntry;
pub use setups::LastSetup;

use crate::session::{Player, Record, Session};
use error::StoreErrorKind;
pub use file_names::MatchId;
use file_names::{candidates, name_with};
use journal::EXTENSION;
use journal_text::JournalText;
use progress::Event;
use quadrille_rules::Scores;
use quadrille_system::files::create_private_folder;
use quadrille_system::locked_file::LockMode;
use quadrille_system::read::{self, Limit};
use quadrille_system::{calendar, disk};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// The folder of matches. Several processes may use the folder at once.
#[derive(Clone, Debug)]
pub struct MatchStore {
    folder: PathBuf,
}

/// A file in the store that has not been read yet. Two values are equal if the file has not changed in between.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredFile {
    /// The file's name in the store.
    pub id: String,
    pub path: PathBuf,
    pub written: SystemTime,
    pub bytes: u64,
}

#[derive(Debug, Default)]
pub struct JournalContents {
    /// The match, if it can be resumed.
    pub unfinished: Option<Resumable>,
    /// The problem with the journal or a part of it.
    pub trouble: Option<StoreError>,
    /// Whether the journal was skipped because its match is being played.
    pub is_in_use: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Resumable {
    /// The match's name in the store.
    pub id: String,
    pub head: Head,
    /// The score of each seat; `None` in a game without scores.
    pub scores: Option<Scores>,
    pub ply: usize,
    /// Whether the match has ended and waits for its players, as with days per move.
    pub is_over: bool,
    pub written: SystemTime,
}

/// Starts a journal's match without its moves; `None` if the game is unknown.
type StartMatch<'a> = dyn Fn(&Head) -> Option<Session> + 'a;

impl MatchStore {
    /// Opens the store in this folder. A missing folder is created, with access for the user only.
    pub fn open(folder: &Path) -> Result<MatchStore, StoreError> {
        let store = MatchStore { folder: folder.to_owned() };
        for folder in [store.matches(), store.records_folder()] {
            create_private_folder(&folder)
                .map_err(|error| StoreErrorKind::from(error).at(&folder))?;
        }
        Ok(store)
    }

    pub fn folder(&self) -> &Path {
        &self.folder
    }

    fn matches(&self) -> PathBuf {
        self.folder.join("matches")
    }

    /// Creates a journal for this match. `date` is the day, such as `2026-11-20`.
    ///
    /// The file is first written by [`Journal::record`] after the first move.
    pub fn begin(&self, session: &Session, date: &str) -> Journal {
        Journal::begin(&self.matches(), session, date)
    }

    /// Returns whether the store in this folder has a journal with this name.
    pub fn has_journal(folder: &Path, id: &str) -> bool {
        folder.join("matches").join(format!("{id}.{EXTENSION}")).is_file()
    }

    /// Reads a match as its journal is now, also while the match is being played. Locks and writes nothing; a step that
    /// is being written is missing. `None` if the journal is gone, or `start` starts no match for its head.
    pub fn view(
        folder: &Path,
        id: &str,
        start: &StartMatch,
    ) -> Result<Option<Session>, StoreError> {
        let path = folder.join("matches").join(format!("{id}.{EXTENSION}"));
        Ok(view(&path, start)?.map(|(_, session)| session))
    }

    /// Reads the record of a finished match that is not filed yet; `None` if the match goes on. Like
    /// [`view`](MatchStore::view), it locks and writes nothing.
    pub fn unfiled(
        &self,
        journal: &StoredFile,
        start: &StartMatch,
    ) -> Result<Option<(RecordEntry, Record)>, StoreError> {
        let viewed = view(&journal.path, start)?;
        let ended = viewed.filter(|(_, session)| session.current_match().outcome().is_some());
        Ok(ended.map(|(head, session)| {
            let record = session.record(&head.names, &head.date);
            (RecordEntry::of(journal, &record), record)
        }))
    }

    /// Lists all journals, most recently written first. Read a journal with
    /// [`read_or_archive`](MatchStore::read_or_archive).
    pub fn journals(&self) -> Result<Vec<StoredFile>, StoreError> {
        files(&self.matches(), EXTENSION)
    }

    pub fn is_journal(&self, file: &StoredFile) -> bool {
        file.path.parent() == Some(&self.matches())
    }

    /// Reads a journal. If the match is being played, only this fact is reported; a missing journal yields nothing. If
    /// the match is finished but its process ended before filing it, the match becomes a record. With days per move,
    /// it waits until its players have seen the end, and [`archive`](MatchStore::archive) files it.
    pub fn read_or_archive(&self, journal: &StoredFile, start: &StartMatch) -> JournalContents {
        self.read_journal(&journal.path, start, |session| session.days().is_none())
    }

    /// Files a finished match as a record.
    pub fn archive(&self, id: &str, start: &StartMatch) {
        self.read_journal(&self.journal_path(id), start, |_| true);
    }

    fn journal_path(&self, id: &str) -> PathBuf {
        self.matches().join(format!("{id}.{EXTENSION}"))
    }

    /// Reads a journal, and archives a finished match for which `may_file` holds.
    fn read_journal(
        &self,
        path: &Path,
        start: &StartMatch,
        may_file: impl Fn(&Session) -> bool,
    ) -> JournalContents {
        match self.try_read_journal(path, start, may_file) {
            Ok(contents) => contents,
            Err(error) if error.is_in_use() => {
                JournalContents { is_in_use: true, ..JournalContents::default() }
            }
            Err(error) if error.is_gone() => JournalContents::default(),
            Err(error) => JournalContents { trouble: Some(error), ..JournalContents::default() },
        }
    }

    fn try_read_journal(
        &self,
        path: &Path,
        start: &StartMatch,
        may_file: impl Fn(&Session) -> bool,
    ) -> Result<JournalContents, StoreError> {
        let open = |mode| {
            let mut journal = Journal::open(path, mode)?;
            let head = journal.head();
            let session =
                start(head).ok_or_else(|| StoreErrorKind::NoGame(head.game.clone()).at(path));
            let mut session = session?;
            let trouble = journal.replay(&mut session).err();
            Ok((journal, session, trouble))
        };
        let (journal, session, trouble) = open(LockMode::Shared)?;
        let game = session.current_match();
        let is_over = game.outcome().is_some();
        if !is_over || !may_file(&session) {
            let metadata = fs::metadata(path).and_then(|metadata| metadata.modified());
            let written = metadata.map_err(|error| StoreErrorKind::from(error).at(path))?;
            let (scores, ply) = (game.scores(), game.ply());
            let (id, head) = (journal.id(), journal.head().clone());
            let unfinished = Some(Resumable { id, head, scores, ply, is_over, written });
            return Ok(JournalContents { unfinished, trouble, is_in_use: false });
        }
        drop(journal);
        let (journal, session, trouble) = open(LockMode::Exclusive)?;
        if session.current_match().outcome().is_some() {
            self.finish(journal, &session)?;
        }
        Ok(JournalContents { trouble, ..JournalContents::default() })
    }

    /// Opens the journal of an unfinished match to continue it: start the game of [`Journal::head`], then
    /// [`Journal::replay`] the journal into it.
    pub fn resume(&self, id: &str) -> Result<Journal, StoreError> {
        Journal::open(&self.journal_path(id), LockMode::Exclusive)
    }

    /// Deletes an unfinished match permanently. A damaged journal is backed up first.
    pub fn discard(&self, id: &str) -> Result<(), StoreError> {
        match self.resume(id) {
            Err(error) if error.is_gone() => Ok(()),
            journal => journal?.remove(),
        }
    }

    /// Files the record of a finished match, adds the result to the progress if it counts toward a person's rating,
    /// and then removes the journal. After an error the journal still exists, and
    /// [`read_or_archive`](MatchStore::read_or_archive) tries again.
    pub fn finish(&self, mut journal: Journal, session: &Session) -> Result<PathBuf, StoreError> {
        // If this process is killed after writing the record, the next process writes the record again from the
        // journal. Both must be identical byte by byte, or there would be two records.
        journal.record(session)?;
        let levels = journal.levels();
        let text = journal.to_record(session).to_string();
        let (folder, id) = (self.records_folder(), journal.id());
        let names = candidates(&id, records::EXTENSION);
        let path = disk::create_somewhere(&folder, names, text.as_bytes());
        let path = path.map_err(|error| StoreErrorKind::from(error).at(&folder))?;
        let written = fs::metadata(&path).and_then(|metadata| metadata.modified());
        let written = written.map_err(|error| StoreErrorKind::from(error).at(&path))?;
        if let Some(event) =
            Event::of_session(session, levels, &id, calendar::whole_seconds(written))
        {
            self.append(&[event])?;
        }
        journal.remove()?;
        // Drafts in the folders of matches and records are removed when those folders are listed.
        let _ = disk::remove_drafts(&self.folder);
        Ok(path)
    }
}

/// Reads a match as its journal is now. `None` if the journal is gone, or `start` starts no match for its head.
fn view(path: &Path, start: &StartMatch) -> Result<Option<(Head, Session)>, StoreError> {
    let text = read::regular(path, Limit::JOURNAL).map_err(StoreErrorKind::from);
    match text.and_then(|bytes| JournalText::read(&bytes)).map_err(|why| why.at(path)) {
        Ok(mut text) => Ok(start(&text.head).map(|mut session| {
            text.replay(&mut session);
            (text.head, session)
        })),
        Err(error) if error.is_gone() => Ok(None),
        Err(error) => Err(error),
    }
}

/// A finished match that is saved by another process, possibly on another machine.
pub struct MatchElsewhere<'a> {
    pub session: &'a Session,
    /// `None` if the table has not told it.
    pub id: Option<MatchId>,
    /// Whether the players were allowed hints.
    pub has_hints: bool,
    /// The day, such as `2026-11-20`.
    pub date: &'a str,
}

impl MatchStore {
    /// Files the record of a match that is saved elsewhere. Processes that share this store keep one record: if it has
    /// a journal or a record of the match, nothing is written.
    pub fn file_copy(&self, elsewhere: &MatchElsewhere) -> Result<(), StoreError> {
        let MatchElsewhere { session, id, has_hints, date } = elsewhere;
        let id = id.clone().unwrap_or_else(MatchId::random);
        let is_it = |file: &StoredFile| MatchId::of_name(&file.id).as_ref() == Some(&id);
        // A record is written before its journal is removed, so the journals come first.
        if self.journals()?.iter().any(is_it) || self.records()?.iter().any(is_it) {
            return Ok(());
        }
        let mut head = Head::of(session, date);
        for ((seat, player), name) in session.players().iter().zip(&mut head.names) {
            // A name from another machine may read as an engine or a command.
            if player.engine().is_none() && !matches!(name.parse(), Ok(Player::Person(_))) {
                Player::placeholder(seat).clone_into(name);
            }
        }
        let mut record = Record::of(session.current_match(), &head.names, &head.date);
        record.set_clock(head.clock);
        if *has_hints {
            record.allow_hints();
        }
        let path = self.record_path(&name_with(&head, &id));
        match disk::create(&path, record.to_string().as_bytes()) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
            done => done.map_err(|error| StoreErrorKind::from(error).at(&path)),
        }
    }
}

/// Lists a folder's files with this extension, most recently written first, and removes the drafts of killed processes.
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
