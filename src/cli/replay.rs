//! `quadrille replay`: a record on the screen.

use super::disk_host::{self, DiskHost};
use super::display_args::DisplayArgs;
use super::file;
use super::play;
use std::path::PathBuf;

/// Step through a record on the screen
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The record, or a dots-and-boxes game as trmph text
    #[arg(value_name = "FILE")]
    file: PathBuf,
}

pub(super) fn run(args: &Args, display_args: &DisplayArgs) -> anyhow::Result<()> {
    let record = file::open_on_board(&args.file)?;
    let mut app = play::app(display_args.on_the_terminal()?);
    app.open_replay(record);
    disk_host::run(app, &mut DiskHost::new())
}
