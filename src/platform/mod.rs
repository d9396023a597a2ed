//! Access to this machine: folders, files that the user names, the config file, the calendar, random seeds, signals,
//! and the [`keeper`](keeper::Keeper), which saves matches.
//!
//! - Parsing arguments and naming the invalid one in an error is left to `cli`.
//! - Errors are `anyhow` errors, one sentence each. All output to stderr goes through [`say`], except the lines of
//!   [`progress`], so that text from outside cannot control the terminal.
//! - The keeper does not use the screen. It holds the user's own record, and the journals of all matches on the stack
//!   of screens: moves of a covered match can still be taken back, so its journal is filed only when the player leaves
//!   the match. A match that could not be saved stays in memory. The keeper retries whenever a match is left, and a
//!   last time on exit, where [`say`] reports what is lost.

pub mod config_file;
pub mod pictures;
pub mod progress;
pub mod seats;
pub mod terminal;
pub mod themes;

use quadrille_text::printable::printable;
use std::io::{self, Write};

/// Writes a line to stderr, escaping everything that could control the terminal.
pub fn say(line: &str) {
    // If stderr is closed, nobody reads the line.
    let _ = writeln!(io::stderr(), "{}", printable(line));
}

/// Formats an error as one line for the screen, in plain English (`{:#}`) rather than in the wording of the rules'
/// source.
pub fn plain(error: &anyhow::Error) -> String {
    error.chain().map(|cause| format!("{cause:#}")).collect::<Vec<_>>().join(": ")
}
