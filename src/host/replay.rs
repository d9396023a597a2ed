//! A record for the replay screen.

use super::on_board::OnBoard;
use crate::app::{App, OpenRecord};
use crate::session::Record;

/// Opens a record for the replay screen. The text says how the result that it names contradicts its moves, if it does.
pub fn open(record: &Record) -> anyhow::Result<(OpenRecord, Option<String>)> {
    let OnBoard { entry, viewer, names, contradiction } = OnBoard::play(record)?;
    let opened = OpenRecord::new(entry, viewer, &names)
        .with_clock(record.clock())
        .with_comments(&record.move_comments());
    Ok((opened, contradiction))
}

/// Shows such a text over the replay screen.
pub fn warn(app: &mut App, contradiction: Option<String>) {
    if let Some(why) = contradiction {
        let mut letters = why.chars();
        let first = letters.next().map(|letter| letter.to_ascii_uppercase());
        let text: String = first.into_iter().chain(letters).collect();
        app.warn("Result and moves differ", &format!("{text}. The moves count."));
    }
}
