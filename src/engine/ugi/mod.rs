//! The Universal Game Interface: what a program that plays and whoever runs its match say to one
//! another, a line each, as values.
//!
//! It is UCI for any game, as in `ugi.md` of kz04px's cutegames, with what that lacks for games of extra
//! turns and of up to eight seats; `assets/ugi.md` tells all of it to somebody who writes a program. What
//! is written is exact. What is read may have runs of blanks and words nobody knows between others; those
//! are passed over, as in UCI.

mod command;
mod go;
mod info;
mod lines;
mod option;
mod reply;
mod words;

pub use command::{Command, Query, Start};
pub use go::{Clock, Go};
pub use info::{Info, Score};
pub use lines::{Lines, TooLong};
pub use option::{Kind, UgiOption};
pub use reply::Reply;

use std::error::Error;
use std::fmt;

/// The most bytes that a line of a program may have, without its end.
pub const MOST_BYTES: usize = 64 << 10;

/// The seats that can have a clock.
pub const SEATS: usize = 8;

/// A line that cannot be used, and why, in one sentence without a full stop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadLine(String);

impl BadLine {
    fn new(reason: impl fmt::Display) -> BadLine {
        BadLine(reason.to_string())
    }
}

impl fmt::Display for BadLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Error for BadLine {}

#[cfg(test)]
mod tests;
