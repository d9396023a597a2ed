//! Prepares a record for the replay screen.

use crate::app::{App, OpenRecord};
use crate::board::Viewer;
use quadrille_table::record_reader::PlayedRecord;
use quadrille_text::wording::capital;

/// Opens a record for a replay. The text says how the declared result contradicts the moves, if it does.
pub fn open(record: PlayedRecord) -> (OpenRecord, Option<String>) {
    let PlayedRecord { entry, game, names, clock, comments, contradiction, .. } = record;
    let opened = OpenRecord::new(entry, Viewer::new(game), &names);
    (opened.with_clock(clock).with_comments(&comments), contradiction)
}

pub fn warn(app: &mut App, contradiction: Option<String>) {
    if let Some(why) = contradiction {
        let text = format!("{}. Using the moves.", capital(&why));
        app.warn("Result and moves disagree", &text);
    }
}
