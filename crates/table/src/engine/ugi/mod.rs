//! The Universal Game Interface (UGI): the lines exchanged between a program that plays and its match runner, as
//! values.
//!
//! UGI is UCI for any game, as defined by `ugi.md` of kz04px's cutegames, with additions for games with extra turns and
//! for up to eight seats. `docs/ugi.md` specifies UGI for authors of programs. Output is canonical. As in UCI, input
//! may contain multiple blanks, and unknown words, which are skipped; [`Command::read`] returns the skipped words.
//!
//! A [`Command`] goes to a program, and a [`Reply`] comes from it. All parsing and formatting is in this module, and
//! every value survives a round trip. A [`LineBuffer`] splits bytes into lines, and buffers at most one line. Nothing
//! here performs I/O.
//!
//! ```
//! use quadrille_table::engine::ugi::{Command, Query, Reply};
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

/// The maximum length in bytes of a program's line, without its line end.
pub const MAX_LINE_BYTES: usize = 64 << 10;

/// The maximum number of seats with a clock.
pub const SEATS: usize = 8;

/// Why a line is invalid, in one sentence without a full stop.
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
