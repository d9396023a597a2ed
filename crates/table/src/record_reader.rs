//! Reads records and other files that the user names.

use quadrille_text::printable::say;
use crate::catalogue::{self, GAMES, GameEntry};
use quadrille_match::session::{Match, MoveComment, Record, TimeControl, trmph};
use quadrille_match::store::Journal;
use quadrille_system::read::{self, Limit};
use quadrille_text::wording::cut;
use anyhow::{Context, anyhow, bail};
use std::fmt::Display;
use std::io;
use std::path::Path;

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
}

impl PlayedRecord {
    pub fn of(record: &Record) -> anyhow::Result<PlayedRecord> {
        let entry = catalogue::find(record.game()).with_context(|| {
            let known = GAMES.map(|entry| entry.id).join(", ");
            format!("unknown game {:?}; known games: {known}", cut(record.game()))
        })?;
        let setup = record.setup().context("setup")?;
        let mut game = (entry.start)(&setup).context("setup")?;
        record.replay(&mut game)?;
        let names = record.names(game.seats());
        Ok(PlayedRecord {
            entry,
            names: names.into_iter().map(Option::unwrap_or_default).collect(),
            clock: record.clock(),
            comments: record.move_comments(),
            contradiction: record.contradiction(&game),
            game,
        })
    }

    /// Reads a record or trmph text; `-` is stdin. Error messages begin with the [`name`].
    pub fn read(path: &Path) -> anyhow::Result<PlayedRecord> {
        let played = read(path).and_then(|record| PlayedRecord::of(&record));
        played.with_context(|| name(path).to_string())
    }
}

/// Reads a record like [`PlayedRecord::read`]. If the declared result contradicts the moves, reports that on stderr.
pub fn open(path: &Path) -> anyhow::Result<PlayedRecord> {
    let record = PlayedRecord::read(path)?;
    if let Some(why) = &record.contradiction {
        say(&format!("{}: {why}; using the moves", name(path)));
    }
    Ok(record)
}

/// Returns the text of a settings file, with its name for messages; `None` if the file does not exist.
pub fn settings(path: &Path) -> anyhow::Result<Option<(String, String)>> {
    let shown = name(path).to_string();
    let read = match read::regular(path, Limit::SETUPS) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) if error.kind() == io::ErrorKind::FileTooLarge => Err(anyhow!("too large")),
        Err(error) => Err(error.into()),
        Ok(bytes) => String::from_utf8(bytes).map_err(|_| anyhow!("not UTF-8")),
    };
    let text = read.with_context(|| shown.clone())?;
    Ok(Some((shown, text)))
}

pub fn name(path: &Path) -> impl Display {
    if is_stdin(path) { Path::new("stdin") } else { path }.display()
}

fn is_stdin(path: &Path) -> bool {
    path == Path::new("-")
}

/// Reads a text that the user names; `-` is stdin. Error messages begin with the [`name`].
pub fn text(path: &Path, limit: Limit) -> anyhow::Result<String> {
    let text = if is_stdin(path) { read::stdin_text(limit) } else { read::named_text(path, limit) };
    text.with_context(|| name(path).to_string())
}

/// Reads a record or trmph text without playing the moves.
pub fn read(path: &Path) -> anyhow::Result<Record> {
    let bytes = if is_stdin(path) {
        read::stdin(Limit::RECORD)?
    } else {
        read::named(path, Limit::RECORD)?
    };
    if Journal::looks_like(&bytes) {
        bail!("this is the journal of an unfinished match, not a record; run quadrille resume");
    }
    Ok(match str::from_utf8(&bytes) {
        Ok(text) if trmph::looks_like(text) => trmph::read(text)?,
        _ => Record::from_bytes(&bytes)?,
    })
}
