//! Why a file cannot hold the record of a match.

use crate::rules::{Setup, SetupError};
use crate::session::{BadMove, RecordError};
use crate::store::disk;
use crate::wording::cut;
use std::error::Error;
use std::fmt;
use std::io;
use std::path::PathBuf;

/// Why a file cannot hold the record of this match, in one sentence that begins with its name.
#[derive(Debug)]
pub struct RecordFileError {
    pub(super) path: PathBuf,
    pub(super) reason: RecordFileErrorKind,
}

#[derive(Debug)]
pub(super) enum RecordFileErrorKind {
    Io(io::Error),
    Record(RecordError),
    Setup(SetupError),
    Move(Box<BadMove>),
    /// Its tag `Result` contradicts its moves; a clause that says how.
    Contradiction(String),
    NoFolder(PathBuf),
    /// Another program has written it since we did.
    Changed,
    OtherGame {
        theirs: String,
        ours: &'static str,
    },
    OtherSetup {
        theirs: String,
        ours: String,
    },
}

impl RecordFileErrorKind {
    /// Names the first words in which two complete setups of one game differ.
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

impl From<io::Error> for RecordFileErrorKind {
    fn from(error: io::Error) -> RecordFileErrorKind {
        RecordFileErrorKind::Io(error)
    }
}

impl RecordFileError {
    /// The same sentence for a line on the screen: the reason first, and only the end of the path.
    pub fn brief(&self) -> String {
        format!("{:#} ({})", self.reason, disk::brief(&self.path))
    }
}

impl fmt::Display for RecordFileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path.display(), self.reason)
    }
}

impl fmt::Display for RecordFileErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RecordFileErrorKind::Io(error) => error.fmt(f),
            RecordFileErrorKind::Contradiction(why) => {
                write!(f, "{why}; correct the tag, or remove it")
            }
            RecordFileErrorKind::NoFolder(folder) => {
                let folder = folder.display();
                write!(f, "there is no folder {folder}; make it, or name a file in another folder")
            }
            RecordFileErrorKind::Changed => {
                f.write_str("another program has changed it meanwhile, so it was left as it is")
            }
            RecordFileErrorKind::Record(error) => error.fmt(f),
            RecordFileErrorKind::Setup(error) => {
                f.write_str("setup: ")?;
                error.fmt(f)
            }
            RecordFileErrorKind::Move(error) => error.fmt(f),
            RecordFileErrorKind::OtherGame { theirs, ours } => {
                write!(f, "a record of {}, not of {ours}", cut(theirs))
            }
            RecordFileErrorKind::OtherSetup { theirs, ours } => {
                write!(f, "a record with another setup: {theirs}, not {ours}")
            }
        }
    }
}

impl Error for RecordFileError {}
