//! `quadrille replay`: a record on the screen.

use super::disk_host::{self, DiskHost};
use super::display_args::DisplayArgs;
use super::file;
use super::keeper::Keeper;
use super::on_board::OnBoard;
use super::play;
use crate::app::{App, OpenRecord};
use crate::session::Record;
use anyhow::Context;
use std::path::PathBuf;

/// Step through a record on the screen
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The record, or a dots-and-boxes game as trmph text
    #[arg(value_name = "FILE")]
    file: PathBuf,
}

pub(super) fn run(args: &Args, display_args: &DisplayArgs) -> anyhow::Result<()> {
    let record = file::read(&args.file).and_then(|record| open(&record));
    let (record, contradiction) = record.with_context(|| file::name(&args.file).to_string())?;
    let looks = display_args.on_the_terminal("show FILE")?;
    let mut app = play::app(&looks).with_replay(record);
    warn(&mut app, contradiction);
    disk_host::run(app, &mut DiskHost::new(Keeper::new(None), &looks))
}

/// Opens a record for the replay screen. The text says how the result that it names contradicts its moves, if it does.
pub(super) fn open(record: &Record) -> anyhow::Result<(OpenRecord, Option<String>)> {
    let OnBoard { entry, viewer, names, contradiction } = OnBoard::play(record)?;
    let opened = OpenRecord::new(entry, viewer, &names)
        .with_clock(record.clock())
        .with_comments(&record.move_comments());
    Ok((opened, contradiction))
}

/// Shows such a text over the replay screen.
pub(super) fn warn(app: &mut App, contradiction: Option<String>) {
    if let Some(why) = contradiction {
        let mut letters = why.chars();
        let first = letters.next().map(|letter| letter.to_ascii_uppercase());
        let text: String = first.into_iter().chain(letters).collect();
        app.warn("Result and moves differ", &format!("{text}. The moves count."));
    }
}
