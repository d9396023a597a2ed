//! `quadrille replay`: a record on the screen.

use super::file::{self, Opened};
use super::looks::Looks;
use super::play;
use super::secretary::{self, Secretary};
use crate::app::Sitting;
use std::path::PathBuf;

/// Step through a record on the screen
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The record, or a dots-and-boxes game as trmph text
    #[arg(value_name = "FILE")]
    file: PathBuf,
}

pub(super) fn run(args: &Args, looks: &Looks) -> anyhow::Result<()> {
    let Opened { entry, table, record } = file::open(&args.file)?;
    let skin = looks.on_the_terminal()?;
    let names = record.names(table.game().seats());
    let names: Vec<String> = names.into_iter().map(Option::unwrap_or_default).collect();
    let setup = table.game().setup();
    let mut app = play::app(skin);
    app.open_replay(Sitting::at(entry, table, setup, &names));
    secretary::run(app, &mut Secretary::new())
}
