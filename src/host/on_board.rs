//! Showing a record on a board.

use super::file;
use crate::board::Viewer;
use crate::catalogue::GameEntry;
use crate::session::Record;
use anyhow::Context;

/// A record on a board of its game, at the end of the main line.
pub struct OnBoard {
    /// The game of the record.
    pub entry: &'static GameEntry,
    /// The board.
    pub viewer: Viewer,
    /// The player of each seat, as the record writes it; empty where it has none.
    pub names: Vec<String>,
    /// How the result that the record names contradicts its moves, if it does.
    pub contradiction: Option<String>,
}

impl OnBoard {
    /// Plays the moves of a record.
    pub fn play(record: &Record) -> anyhow::Result<OnBoard> {
        let (entry, setup) = file::start(record)?;
        let mut game = (entry.start)(&setup).context("setup")?;
        record.replay(&mut game)?;
        let contradiction = record.contradiction(&game);
        let names = record.names(game.seats());
        let names = names.into_iter().map(Option::unwrap_or_default).collect();
        Ok(OnBoard { entry, viewer: Viewer::new(game), names, contradiction })
    }
}
