//! `quadrille replay`: a record on the screen.

use super::file;
use super::looks::Looks;
use super::play;
use super::secretary::{self, Secretary};
use std::path::PathBuf;

/// Step through a record on the screen
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The record, or a dots-and-boxes game as trmph text
    #[arg(value_name = "FILE")]
    file: PathBuf,
}

pub(super) fn run(args: &Args, looks: &Looks) -> anyhow::Result<()> {
    let opened = file::open(&args.file)?;
    let mut app = play::app(looks.on_the_terminal()?);
    app.open_replay(opened.sitting());
    secretary::run(app, &mut Secretary::new())
}
