//! Reads records and other files that the user names.
#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "reads files that the user names"
)]

use crate::catalogue::{self, GAMES, GameEntry};
use crate::old_records::Filed;
use quadrille_match::session::{
    BadMove, Match, MoveComment, Record, RecordError, TimeControl,
    trmph::{self, TrmphError},
};
use quadrille_match::store::Journal;
use quadrille_rules::SetupError;
use quadrille_system::read::{self, Limit};
use quadrille_text::printable::print_stderr;
use quadrille_text::wording::cut;
use std::io;
use std::path::Path;

/// Why a record cannot be read or replayed.
#[derive(Debug, thiserror::Error)]
pub enum RecordFileError {
    #[error("this is the journal of an unfinished match, not a record; run quadrille resume")]
    Journal,
    #[error("unknown game {:?}; known games: {}", cut(.0), GAMES.map(|entry| entry.id).join(", "))]
    UnknownGame(String),
    #[error("setup")]
    Setup(#[source] SetupError),
    #[error(transparent)]
    Moves(#[from] BadMove),
    #[error(transparent)]
    Io(#[from] io::Error),
    #[error(transparent)]
    Trmph(#[from] TrmphError),
    #[error(transparent)]
    Record(#[from] RecordError),
}

/// Why the record in a file that the user named cannot be read. The message is the file's name, the source the reason.
#[derive(Debug, thiserror::Error)]
#[error("{file}")]
pub struct NamedRecordError {
    pub file: String,
    #[source]
    pub cause: Box<RecordFileError>,
}

pub struct PlayedRecord {
    pub entry: &'static GameEntry,
    /// The match at the end of the main line.
    pub game: Match,
    /// The name of each seat's player in the record; empty if the record does not name one.
    pub names: Vec<String>,
    pub clock: Option<TimeControl>,
    /// The players' evaluations of the moves in the main line.
    pub comments: Vec<Option<MoveComment>>,
    /// How the declared result contradicts the moves; `None` if it does not.
    pub contradiction: Option<String>,
    pub filed: Filed,
}

impl PlayedRecord {
    pub fn of(record: &Record) -> Result<PlayedRecord, RecordFileError> {
        let entry = catalogue::find(record.game())
            .ok_or_else(|| RecordFileError::UnknownGame(record.game().to_owned()))?;
        let setup = record.setup().map_err(RecordFileError::Setup)?;
        let mut game = (entry.start)(&setup).map_err(RecordFileError::Setup)?;
        record.replay(&mut game)?;
        let names = record.names(game.seats());
        Ok(PlayedRecord {
            entry,
            names: names.into_iter().map(Option::unwrap_or_default).collect(),
            clock: record.clock(),
            comments: record.move_comments(),
            contradiction: record.contradiction(&game),
            filed: Filed::from(record),
            game,
        })
    }

    /// Reads a record or trmph text; `-` is stdin. Error messages begin with the [`name`](read::name).
    pub fn read(path: &Path) -> Result<PlayedRecord, NamedRecordError> {
        let played = read(path).and_then(|record| PlayedRecord::of(&record));
        let file = || read::name(path).to_string();
        played.map_err(|cause| NamedRecordError { file: file(), cause: Box::new(cause) })
    }
}

/// Reads a record like [`PlayedRecord::read`]. If the declared result contradicts the moves, reports that on stderr.
pub fn open(path: &Path) -> Result<PlayedRecord, NamedRecordError> {
    let record = PlayedRecord::read(path)?;
    if let Some(why) = &record.contradiction {
        print_stderr(&format!("{}: {why}; using the moves", read::name(path)));
    }
    Ok(record)
}

/// Reads a record or trmph text without playing the moves.
pub fn read(path: &Path) -> Result<Record, RecordFileError> {
    let bytes = if read::is_stdin(path) {
        read::stdin(Limit::RECORD)?
    } else {
        read::named(path, Limit::RECORD)?
    };
    if Journal::looks_like(&bytes) {
        return Err(RecordFileError::Journal);
    }
    Ok(match str::from_utf8(&bytes) {
        Ok(text) if trmph::looks_like(text) => trmph::read(text)?,
        _ => Record::from_bytes(&bytes)?,
    })
}
