//! This machine: folders, files, calendar, seeds and stop signals.
//!
//! - [`read`] is the only module of the workspace that reads files; every read has a [`Limit`](read::Limit), and no file
//!   of the wrong kind blocks.
//! - [`disk`] is the only module that replaces, removes and syncs files; a file is replaced as a whole or not at all.
//! - [`folders`] are the user's folders for state, cache, settings and pictures (XDG).
//! - [`calendar`] is the local date and time, [`fresh_seed`] a random number.
//! - [`StopSignal`](stop_signal::StopSignal) turns SIGINT and SIGTERM into a flag.
//!
//! It promises that a crash leaves no half-written file. It must not know a game, a match or a screen.

pub mod calendar;
pub mod disk;
pub mod folders;
pub mod read;
pub mod stop_signal;

use std::hash::{BuildHasher, RandomState};

/// Returns a new random seed, short enough to type.
pub fn fresh_seed() -> u32 {
    (RandomState::new().hash_one(()) % 9999) as u32 + 1
}
