//! The Universal Game Interface (UGI): the lines between a program that plays and the side that runs its match,
//! as values.
//!
//! It is UCI for any game, as in `ugi.md` of kz04px's cutegames, with additions for games with extra turns and
//! with up to eight seats. `docs/ugi.md` describes all of it for authors of programs. What is written is exact.
//! What is read may have runs of blanks, and unknown words between others; those are passed over, as in UCI, and
//! [`Command::read`] says which they were.
//!
//! A [`Command`] goes to a program, a [`Reply`] comes from it. Both are parsed and written here and nowhere else, and
//! writing and reading agree. A [`LineBuffer`] makes lines of bytes however they arrive, and never keeps more than one
//! line may have. Nothing here waits, reads or writes.
//!
//! ```
//! use quadrille::engine::ugi::{Command, Query, Reply};
//!
//! assert_eq!("query  legal".parse(), Ok(Command::Query(Query::Legal)));
//! let reply = Reply::BestMove(Some("H0,0".to_owned()));
//! assert_eq!(reply.to_string(), "bestmove H0,0");
//! ```

mod command;
mod go;
mod info;
mod lines;
mod option;
mod reply;
mod words;

pub use command::{Command, Query, Start};
pub use go::{Clock, Go};
pub use info::{Info, UgiScore};
pub use lines::{LineBuffer, TooLong};
pub use option::{OptionKind, UgiOption};
pub use reply::Reply;

use std::fmt;

/// The most bytes that a line of a program may have, without its line end.
pub const MOST_BYTES: usize = 64 << 10;

/// How many seats can have a clock.
pub const SEATS: usize = 8;

/// Why a line cannot be used, in one sentence without a full stop.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct BadLine(String);

impl BadLine {
    fn new(reason: impl fmt::Display) -> BadLine {
        BadLine(reason.to_string())
    }
}

#[cfg(test)]
mod tests;
