//! `quadrille replay`: a record on the screen.

use super::{file, play};
use std::path::PathBuf;

/// Step through a record on the screen
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The record, or a dots-and-boxes game as trmph text
    #[arg(value_name = "FILE")]
    file: PathBuf,
}

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    let opened = file::open(&args.file)?;
    play::need_terminal()?;
    play::run_replay(opened)
}
