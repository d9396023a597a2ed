//! Access to this machine for the front ends: directories, files that the user names, the config file, the calendar,
//! random seeds, signals and the capabilities of the terminal.
//!
//! [`keeper::Keeper`] saves matches; [`disk_host::run`] runs the screens and does what they ask of the disk;
//! [`plain_mode`] does the same for a match in lines. A process chooses its [`appearance::Appearance`], makes the app with them,
//! and runs it.
//!
//! - `cli` parses arguments and names the wrong one in its errors; nothing here does.
//! - Errors are `anyhow`'s, one sentence each. [`say`] is the only way to stderr, apart from the lines of [`progress`],
//!   so no foreign text acts on the terminal.
//! - The keeper knows no screen. It holds the user's own record, and the journals of all matches on the stack of
//!   screens: one that lies under another is still at its table and can be taken back, so it is filed only when it is
//!   left. A match that could not be written stays in memory; it is tried again whenever a match is left and at the
//!   end, and then [`say`] tells what is lost.
//! - Commands that show no screen do not use the modules that do; a test holds them to it.
//! - The caller that shows a [`tournament`] has to call [`ExitReason::pass_on`](crate::play::ExitReason::pass_on) at
//!   the end, or the parent process does not learn that a signal has ended the screens; [`disk_host::run`] does so
//!   itself.

pub mod appearance;
pub mod calendar;
pub mod checkpoint;
pub mod config_file;
pub mod disk_host;
pub mod file;
pub mod folders;
pub mod keeper;
mod listing;
mod old_records;
pub mod pictures;
pub mod plain_mode;
pub mod progress;
mod record_tasks;
pub mod replay;
pub mod seats;
pub mod seed;
pub mod stop_signal;
pub mod table;
pub mod themes;
pub mod tournament;

use crate::printable::printable;
use std::io::{self, Write};

/// Writes a line to stderr. Whatever others have put into it, nothing in it acts on the terminal.
pub fn say(line: &str) {
    // If stderr is closed, there is no reader.
    let _ = writeln!(io::stderr(), "{}", printable(line));
}

/// An error as one line for the screen: its plain English text (`{:#}`), not the text that the source of the rules has.
pub fn plain(error: &anyhow::Error) -> String {
    error.chain().map(|cause| format!("{cause:#}")).collect::<Vec<_>>().join(": ")
}
