//! Errors of the store.

use super::journal_text::Damage;
use crate::session::RecordError;
use quadrille_system::disk;
use quadrille_system::read::cause;
use quadrille_text::wording::cut;
use std::fs::TryLockError;
use std::io;
use std::path::{Path, PathBuf};

/// An error about a file in the store. `Display` gives one sentence: the file and the reason.
#[derive(Debug, thiserror::Error)]
#[error("{}: {reason}", .path.display())]
pub struct StoreError {
    path: PathBuf,
    reason: StoreErrorKind,
}

#[derive(Debug, thiserror::Error)]
pub(super) enum StoreErrorKind {
    #[error("{}", cause(.0))]
    Io(#[from] io::Error),
    #[error("this match is open in another Quadrille")]
    InUse,
    #[error("another process is writing to it; try again")]
    Busy,
    /// A different file is at the journal's path.
    #[error("the file was replaced")]
    Replaced,
    /// The file was truncated while the match was running.
    #[error("the file was truncated during the match")]
    Shortened,
    #[error("the journal of another match")]
    OtherMatch,
    #[error("the file is empty")]
    Empty,
    #[error("not the journal of a match")]
    NotAJournal,
    #[error("unsupported journal version {0:?}")]
    Version(String),
    /// Damage in the head, before the first move.
    #[error("{}; the match cannot be resumed", .0.place())]
    Head(Damage),
    /// Damage after the journal's head.
    #[error("{0}")]
    Damage(Damage),
    #[error("no game {:?} with this setup", cut(.0))]
    NoGame(String),
    #[error(transparent)]
    Record(RecordError),
    #[error("a name needs at least one letter or digit")]
    NoName,
}

impl StoreErrorKind {
    pub fn at(self, path: &Path) -> StoreError {
        StoreError { path: path.to_owned(), reason: self }
    }
}

impl StoreError {
    /// Returns the sentence for one line of a screen: the reason first, and the path shortened.
    pub fn brief(&self) -> String {
        format!("{} ({})", self.reason, disk::brief(&self.path))
    }

    /// Returns whether the match is being played by a different process or on a different screen of this process.
    pub fn is_in_use(&self) -> bool {
        matches!(self.reason, StoreErrorKind::InUse)
    }

    /// Returns whether a different file has replaced the journal of a running match.
    pub fn is_replaced(&self) -> bool {
        matches!(self.reason, StoreErrorKind::Replaced)
    }

    pub fn is_shortened(&self) -> bool {
        matches!(self.reason, StoreErrorKind::Shortened)
    }

    pub fn is_gone(&self) -> bool {
        matches!(&self.reason, StoreErrorKind::Io(error) if error.kind() == io::ErrorKind::NotFound)
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
