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
    pub viewer: Box<dyn Viewer>,
    /// The player of each seat, as the record writes it; empty where it has none.
    pub names: Vec<String>,
    /// How the result that the record names contradicts its moves, if it does.
    pub contradiction: Option<String>,
}

impl OnBoard {
    /// Plays the moves of a record.
    pub fn play(record: &Record) -> anyhow::Result<OnBoard> {
        let (entry, setup) = file::start(record)?;
        let mut viewer = (entry.open)(&setup).context("setup")?;
        let mut played = Ok(());
        viewer.with_game(&mut |game| played = record.replay(game));
        played?;
        let contradiction = record.contradiction(viewer.game());
        let names = record.names(viewer.game().seats());
        let names = names.into_iter().map(Option::unwrap_or_default).collect();
        Ok(OnBoard { entry, viewer, names, contradiction })
    }
}
