//! Access to this machine: directories, files that the user names, the config file, the calendar, random seeds,
//! signals, and the [`keeper`](keeper::Keeper), which saves matches.
//!
//! - `cli` parses arguments and names the wrong one in its errors; nothing here does.
//! - Errors are `anyhow`'s, one sentence each. [`say`] is the only way to stderr, apart from the lines of [`progress`],
//!   so no foreign text acts on the terminal.
//! - The keeper knows no screen. It holds the user's own record, and the journals of all matches on the stack of
//!   screens: a match below another one is still at its table and can be taken back, so its journal is filed only when
//!   the player leaves it. A match that could not be written stays in memory. The keeper retries whenever a match is
//!   left and at the end; then [`say`] reports what is lost.

pub mod calendar;
pub mod config_file;
pub mod file;
pub mod folders;
pub mod keeper;
pub mod listing;
pub mod old_records;
pub mod pictures;
pub mod progress;
pub mod seats;
pub mod seed;
pub mod stop_signal;
pub mod themes;

use crate::printable::printable;
use std::io::{self, Write};

/// Writes a line to stderr, with everything escaped that could act on the terminal.
pub fn say(line: &str) {
    // If stderr is closed, there is no reader.
    let _ = writeln!(io::stderr(), "{}", printable(line));
}

/// Formats an error as one line for the screen, in plain English (`{:#}`), not in the words of the source of the rules.
pub fn plain(error: &anyhow::Error) -> String {
    error.chain().map(|cause| format!("{cause:#}")).collect::<Vec<_>>().join(": ")
}
