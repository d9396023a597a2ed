//! What is kept on disk between two runs: the journals of matches that go on, the records of
//! finished ones, the names of who plays, and how games were set up.
//!
//! In the folder of the shelf:
//!
//! ```text
//! matches/ID.journal    a match that goes on; see Journal
//! matches/ID.damaged    what a journal was before its whole part was gone on with
//! records/NAME.game     a finished match; NAME is its ID until it is renamed
//! names                 who played, one a line, the latest first
//! setups                how each game was set up last, a line of JSON each
//! ```

mod error;
mod journal;
mod names;
mod records;
mod script;
mod setups;
mod trace;

pub use error::ShelfError;
pub use journal::Journal;
pub use records::Entry;
pub use script::Head;
pub use setups::LastSetup;

use super::{AnyMatch, Record, disk};
use crate::rules::Setup;
use error::Reason;
use journal::{EXTENSION, Share, candidates};
use std::fs::{self, DirBuilder};
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// The folder in which matches are kept. Several processes may use it at once.
#[derive(Clone, Debug)]
pub struct Shelf {
    folder: PathBuf,
}

/// A match that can be gone on with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unfinished {
    /// Its name on the shelf.
    pub id: String,
    /// What it is, and who plays.
    pub head: Head,
    /// The points of each seat, where the game keeps any.
    pub scores: Option<Vec<u32>>,
    /// How many plies are played.
    pub ply: usize,
    /// When something was last written.
    pub written: SystemTime,
}

/// Starts the game of this name with a setup, if there is such a game.
type Start<'a> = dyn Fn(&str, &Setup) -> Option<Box<dyn AnyMatch>> + 'a;

impl Shelf {
    /// The shelf in this folder, which is made if it is not there: only the user may look into it.
    pub fn open(folder: &Path) -> Result<Shelf, ShelfError> {
        let shelf = Shelf { folder: folder.to_owned() };
        for folder in [shelf.matches(), shelf.records_folder()] {
            make_folder(&folder).map_err(|error| Reason::from(error).at(&folder))?;
        }
        Ok(shelf)
    }

    /// The folder it is in.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    fn matches(&self) -> PathBuf {
        self.folder.join("matches")
    }

    /// The journal of a match that begins, or of one that was played elsewhere so far. `words` is
    /// what it was set up with, `date` the day as `2026-11-20`.
    ///
    /// Nothing is written before the first [`Journal::record`] after the first move.
    pub fn begin(
        &self,
        game: &dyn AnyMatch,
        words: &Setup,
        names: &[String],
        date: &str,
    ) -> Journal {
        Journal::begin(&self.matches(), Head::of(game, words, names, date))
    }

    /// The matches that can be gone on with, the one written to last first, and what is wrong
    /// with each file that could not be used, or not all of it. Those being played at the moment are left
    /// out. One that is over, though its process had no time to put it away, becomes a record.
    pub fn unfinished(&self, start: &Start) -> (Vec<Unfinished>, Vec<ShelfError>) {
        let (paths, mut troubles) = files(&self.matches(), EXTENSION);
        let mut unfinished = Vec::new();
        for path in paths {
            match self.look(&path, start) {
                Ok((found, trouble)) => {
                    unfinished.extend(found);
                    troubles.extend(trouble);
                }
                Err(error) if error.is_in_use() || error.is_gone() => {}
                Err(error) => troubles.push(error),
            }
        }
        unfinished.sort_by(|a, b| (b.written, &b.id).cmp(&(a.written, &a.id)));
        (unfinished, troubles)
    }

    /// What is in a journal, unless it is of a match that is over, and what of it is lost.
    fn look(
        &self,
        path: &Path,
        start: &Start,
    ) -> Result<(Option<Unfinished>, Option<ShelfError>), ShelfError> {
        let open = |share| {
            let mut journal = Journal::open(path, share)?;
            let Head { game, setup, .. } = journal.head();
            let game = start(game, setup).ok_or_else(|| Reason::NoGame(game.clone()).at(path));
            let mut game = game?;
            let trouble = journal.replay(&mut *game).err();
            Ok((journal, game, trouble))
        };
        let (journal, game, trouble) = open(Share::Looking)?;
        if game.outcome().is_none() {
            let metadata = fs::metadata(path).and_then(|metadata| metadata.modified());
            let written = metadata.map_err(|error| Reason::from(error).at(path))?;
            let (scores, ply) = (game.scores(), game.ply());
            let (id, head) = (journal.id(), journal.head().clone());
            return Ok((Some(Unfinished { id, head, scores, ply, written }), trouble));
        }
        drop(journal);
        let (journal, game, trouble) = open(Share::Nobody)?;
        if game.outcome().is_some() {
            self.finish(journal, &*game)?;
        }
        Ok((None, trouble))
    }

    /// Takes a match up again: open the game of [`Journal::head`], and [`Journal::replay`] it.
    pub fn resume(&self, id: &str) -> Result<Journal, ShelfError> {
        Journal::open(&self.matches().join(format!("{id}.{EXTENSION}")), Share::Nobody)
    }

    /// Deletes a match that goes on, for ever. What of its journal is damaged is kept beside it all
    /// the same.
    pub fn discard(&self, id: &str) -> Result<(), ShelfError> {
        match self.resume(id) {
            Err(error) if error.is_gone() => Ok(()),
            journal => journal?.remove(),
        }
    }

    /// Puts the record of a match among the others, and then takes its journal away. After an error
    /// the journal is still there, and [`unfinished`](Shelf::unfinished) will try again.
    pub fn finish(&self, mut journal: Journal, game: &dyn AnyMatch) -> Result<PathBuf, ShelfError> {
        // If we are ended after the record is made, the next one made from the journal must be the
        // same to the letter, so that it is found there and no second one is made.
        journal.record(game)?;
        let Head { names, date, .. } = journal.head();
        let text = Record::of(game, names, date).to_string();
        let (folder, id) = (self.records_folder(), journal.id());
        let names = candidates(&id, records::EXTENSION);
        let path = disk::create_somewhere(&folder, names, text.as_bytes());
        let path = path.map_err(|error| Reason::from(error).at(&folder))?;
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

/// The files of a folder whose names end like this, sorted, and what is wrong with the folder.
fn files(folder: &Path, extension: &str) -> (Vec<PathBuf>, Vec<ShelfError>) {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) => return (Vec::new(), vec![Reason::from(error).at(folder)]),
    };
    let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
    let mut paths: Vec<PathBuf> =
        paths.filter(|path| path.extension().is_some_and(|it| it == extension)).collect();
    paths.sort();
    (paths, Vec::new())
}
