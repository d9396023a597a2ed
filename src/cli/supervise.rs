//! `quadrille supervise`: one of our own processes, beside each program that plays.

use crate::play::program::{Supervision, supervise};
use std::ffi::OsString;
use std::path::PathBuf;

/// Stand between Quadrille and a program that plays, and let nothing of it be left
#[derive(Debug, clap::Args)]
#[command(hide = true)]
pub(super) struct Args {
    /// The most bytes of memory that each of its processes may have
    #[arg(long, value_name = "BYTES")]
    memory: u64,
    /// The folder for what it writes to its standard error
    #[arg(long, value_name = "FOLDER", requires = "name")]
    messages: Option<PathBuf>,
    /// What its file there is called
    #[arg(long, requires = "messages")]
    name: Option<String>,
    /// The program and its arguments
    #[arg(last = true, required = true)]
    command: Vec<OsString>,
}

pub(super) fn run(args: Args) {
    let Args { memory, messages, name, command } = args;
    supervise(&Supervision { command, memory, messages: messages.zip(name) });
}
