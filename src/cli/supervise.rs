//! `quadrille supervise`: an internal process that starts and watches one engine program. Users never call it.

use quadrille_table::play::program::{LogName, Supervision, supervise};
use std::ffi::OsString;
use std::path::PathBuf;

pub(super) const NAME: &str = "supervise";

/// Run a program and end all its processes when Quadrille ends
#[derive(Debug, clap::Parser)]
#[command(name = NAME)]
pub(super) struct SuperviseArgs {
    /// Memory limit per process in bytes
    #[arg(long, value_name = "BYTES")]
    memory: u64,
    /// Folder for its stderr
    #[arg(long, value_name = "FOLDER", requires = "name")]
    messages: Option<PathBuf>,
    /// File name in that folder
    #[arg(long, requires = "messages")]
    name: Option<String>,
    /// Never overwrite a file
    #[arg(long, requires = "messages")]
    new: bool,
    /// The program and its arguments
    #[arg(last = true, required = true)]
    command: Vec<OsString>,
}

pub(super) fn run(args: SuperviseArgs) {
    let SuperviseArgs { memory, messages, name, new: is_new, command } = args;
    let name = name.map(|name| LogName { name, is_new });
    supervise(&Supervision { command, memory, messages: messages.zip(name) });
}
