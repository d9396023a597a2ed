//! What goes wrong in the store.

use super::disk;
use super::journal_text::Damage;
use crate::rules::cut;
use crate::session::RecordError;
use std::error::Error;
use std::fmt;
use std::fs::TryLockError;
use std::io;
use std::path::{Path, PathBuf};

/// What is wrong with a file of the store, in one sentence: the file, and why.
#[derive(Debug)]
pub struct StoreError {
    path: PathBuf,
    reason: Reason,
}

#[derive(Debug)]
pub(super) enum Reason {
    Io(io::Error),
    InUse,
    /// There is another file in its place.
    Replaced,
    /// Somebody has cut it while the match was played.
    Shortened,
    OtherMatch,
    Empty,
    NotAJournal,
    Version(String),
    /// Damage before the first move.
    Head(Damage),
    /// Damage from some move on.
    Damage(Damage),
    NoGame(String),
    Record(RecordError),
    NoName,
}

impl Reason {
    pub fn at(self, path: &Path) -> StoreError {
        StoreError { path: path.to_owned(), reason: self }
    }
}

impl StoreError {
    /// The same sentence for a line on the screen: the reason first, and only the end of the path.
    pub fn brief(&self) -> String {
        format!("{:#} ({})", self.reason, disk::brief(&self.path))
    }

    /// Whether the match is being played by another process, or by another screen of this one.
    pub fn is_in_use(&self) -> bool {
        matches!(self.reason, Reason::InUse)
    }

    /// Whether another file was put in the place of the journal of a match being played.
    pub fn is_replaced(&self) -> bool {
        matches!(self.reason, Reason::Replaced)
    }

    /// Whether somebody has cut the journal of a match being played.
    pub fn is_shortened(&self) -> bool {
        matches!(self.reason, Reason::Shortened)
    }

    /// Whether the file is not there.
    pub fn is_gone(&self) -> bool {
        matches!(&self.reason, Reason::Io(error) if error.kind() == io::ErrorKind::NotFound)
    }
}

impl From<io::Error> for Reason {
    fn from(error: io::Error) -> Reason {
        Reason::Io(error)
    }
}

impl From<TryLockError> for Reason {
    fn from(error: TryLockError) -> Reason {
        match error {
            TryLockError::WouldBlock => Reason::InUse,
            TryLockError::Error(error) => Reason::Io(error),
        }
    }
}

/// The system's message as part of a sentence: with a small letter first, and without the error number.
fn plain(error: &io::Error) -> String {
    let text = error.to_string();
    let text = text.split(" (os error").next().unwrap_or_default();
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_lowercase().chain(letters).collect())
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path.display(), self.reason)
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::Io(error) => f.write_str(&plain(error)),
            Reason::InUse => f.write_str("this match is being played elsewhere"),
            Reason::Replaced => f.write_str("another file was put in its place"),
            Reason::Shortened => f.write_str("it was cut while the match was played"),
            Reason::OtherMatch => f.write_str("the journal of another match"),
            Reason::Empty => f.write_str("the file is empty"),
            Reason::NotAJournal => f.write_str("not the journal of a match"),
            Reason::Version(version) => {
                write!(f, "a journal of version {version:?}, which this program cannot read")
            }
            Reason::Head(damage) => {
                write!(f, "{}; the match cannot be resumed", damage.place(f.alternate()))
            }
            Reason::Damage(damage) => damage.fmt(f),
            Reason::NoGame(game) => {
                write!(f, "there is no game {:?} with this setup here", cut(game))
            }
            Reason::Record(error) => error.fmt(f),
            Reason::NoName => f.write_str("a name needs letters or digits"),
        }
    }
}

impl Error for StoreError {}
