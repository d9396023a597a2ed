//! Why a file cannot hold the record of a match.

use crate::session::{BadMove, RecordError};
use quadrille_rules::{Setup, SetupError};
use quadrille_system::disk;
use quadrille_text::wording::cut;
use std::io;
use std::path::PathBuf;

/// An error about a record file. `Display` gives one sentence that begins with the file's name.
#[derive(Debug, thiserror::Error)]
#[error("{}: {reason}", .path.display())]
pub struct RecordFileError {
    pub(super) path: PathBuf,
    pub(super) reason: RecordFileErrorKind,
}

#[derive(Debug, thiserror::Error)]
pub(super) enum RecordFileErrorKind {
    #[error("{0}")]
    Io(#[from] io::Error),
    #[error(transparent)]
    Record(RecordError),
    #[error("setup: {0}")]
    Setup(SetupError),
    #[error(transparent)]
    Move(Box<BadMove>),
    /// The `Result` tag contradicts the moves; holds a clause with the details.
    #[error("{0}; correct or remove the tag")]
    Contradiction(String),
    #[error("no folder {}; create it, or choose another folder", .0.display())]
    NoFolder(PathBuf),
    /// The file was changed by a different program since our last write.
    #[error("another program has changed it, so nothing was written")]
    Changed,
    #[error("it is a record of {}, not of {ours}", cut(.theirs))]
    OtherGame { theirs: String, ours: &'static str },
    #[error("its setup is {theirs}, not {ours}")]
    OtherSetup { theirs: String, ours: String },
}

impl RecordFileErrorKind {
    /// Names the first words that differ between two complete setups of the same game.
    pub fn other_setup(theirs: &Setup, ours: &Setup) -> RecordFileErrorKind {
        let [theirs, ours] = [theirs, ours].map(ToString::to_string);
        let [mut t, mut o] = [&theirs, &ours].map(|setup| setup.split(' '));
        loop {
            match (t.next(), o.next()) {
                (theirs, ours) if theirs == ours && theirs.is_some() => {}
                (theirs, ours) => {
                    let [theirs, ours] = [theirs, ours].map(|word| cut(word.unwrap_or("less")));
                    return RecordFileErrorKind::OtherSetup { theirs, ours };
                }
            }
        }
    }
}

impl RecordFileError {
    /// Returns the sentence for one line of a screen: the reason first, and the path shortened.
    pub fn brief(&self) -> String {
        format!("{} ({})", self.reason, disk::brief(&self.path))
    }
}
