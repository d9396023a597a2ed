//! This machine: files, folders, processes, signals, sockets, users, the terminal, the calendar and random numbers.
//!
//! - [`read`] is the only module of the workspace that reads files; every read has a [`Limit`](read::Limit), and no file
//!   of the wrong kind blocks.
//! - [`disk`] is the only module that replaces, removes and syncs files; a file is replaced as a whole or not at all.
//! - [`folders`] are the user's folders for state, cache, settings and pictures (XDG).
//! - [`calendar`] is the local date and time, [`fresh_seed`] a random number.
//! - Everything that differs between systems is in one folder per system, `unix` or `windows`, chosen here. Its modules have the
//!   same names for each system: [`processes`], [`signals`], [`sockets`], [`terminal`], [`users`] and so on.
//! - [`wait`](mod@wait) waits for several [`Source`](wait::Source)s at once; [`Wakers`](wakers::Wakers) waits for
//!   stdin, signals and other threads; [`Output`](output::Output) never waits for the reader of stdout.
//!
//! It promises that a crash leaves no half-written file. It must not know a game, a match or a screen.

pub mod calendar;
pub mod disk;
pub mod folders;
pub mod locked_file;
mod process;
pub mod read;
pub mod stop_signal;
#[cfg(unix)]
mod unix;
pub mod wakers;
#[cfg(windows)]
mod windows;

#[cfg(unix)]
use unix as system;
#[cfg(windows)]
use windows as system;

use system::lock;
pub use system::{
    file_watch, files, handle, job_control, output, processes, signals, sockets, terminal, users,
    wait,
};

use std::hash::{BuildHasher, RandomState};
use std::io;

/// Whether tables can be opened here: processes that outlive their terminal, and sockets with owners.
pub const CAN_HOST_TABLES: bool = cfg!(unix);

/// Returns a new random seed, short enough to type.
pub fn fresh_seed() -> u32 {
    (RandomState::new().hash_one(()) % 9999) as u32 + 1
}

/// Fills the bytes with unpredictable random numbers.
pub fn fill_unpredictably(bytes: &mut [u8]) -> io::Result<()> {
    Ok(getrandom::fill(bytes)?)
}
