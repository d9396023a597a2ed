//! What goes wrong in the store.

use super::disk;
use super::journal_text::Damage;
use crate::session::RecordError;
use crate::wording::cut;
use std::error::Error;
use std::fmt;
use std::fs::TryLockError;
use std::io;
use std::path::{Path, PathBuf};

/// What is wrong with a file of the store, in one sentence: the file, and why.
#[derive(Debug)]
pub struct StoreError {
    path: PathBuf,
    reason: StoreErrorKind,
}

#[derive(Debug)]
pub(super) enum StoreErrorKind {
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

impl StoreErrorKind {
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
        matches!(self.reason, StoreErrorKind::InUse)
    }

    /// Whether another file was put in the place of the journal of a match being played.
    pub fn is_replaced(&self) -> bool {
        matches!(self.reason, StoreErrorKind::Replaced)
    }

    /// Whether somebody has cut the journal of a match being played.
    pub fn is_shortened(&self) -> bool {
        matches!(self.reason, StoreErrorKind::Shortened)
    }

    /// Whether the file is not there.
    pub fn is_gone(&self) -> bool {
        matches!(&self.reason, StoreErrorKind::Io(error) if error.kind() == io::ErrorKind::NotFound)
    }
}

impl From<io::Error> for StoreErrorKind {
    fn from(error: io::Error) -> StoreErrorKind {
        StoreErrorKind::Io(error)
    }
}

impl From<TryLockError> for StoreErrorKind {
    fn from(error: TryLockError) -> StoreErrorKind {
        match error {
            TryLockError::WouldBlock => StoreErrorKind::InUse,
            TryLockError::Error(error) => StoreErrorKind::Io(error),
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

impl fmt::Display for StoreErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StoreErrorKind::Io(error) => f.write_str(&plain(error)),
            StoreErrorKind::InUse => f.write_str("this match is being played elsewhere"),
            StoreErrorKind::Replaced => f.write_str("another file was put in its place"),
            StoreErrorKind::Shortened => f.write_str("it was cut while the match was played"),
            StoreErrorKind::OtherMatch => f.write_str("the journal of another match"),
            StoreErrorKind::Empty => f.write_str("the file is empty"),
            StoreErrorKind::NotAJournal => f.write_str("not the journal of a match"),
            StoreErrorKind::Version(version) => {
                write!(f, "a journal of version {version:?}, which this program cannot read")
            }
            StoreErrorKind::Head(damage) => {
                write!(f, "{}; the match cannot be resumed", damage.place(f.alternate()))
            }
            StoreErrorKind::Damage(damage) => damage.fmt(f),
            StoreErrorKind::NoGame(game) => {
                write!(f, "there is no game {:?} with this setup here", cut(game))
            }
            StoreErrorKind::Record(error) => error.fmt(f),
            StoreErrorKind::NoName => f.write_str("a name needs letters or digits"),
        }
    }
}

impl Error for StoreError {}
