//! The rules of the games, and nothing else.
//!
//! This module is the single authority on whose turn it is, what is legal, what it scores and when
//! a game ends. It knows no terminal, no file, no clock and no thread; chance comes in only through
//! the seed in a [`Setup`]. Positions are plain values: playing on a clone is how one looks ahead,
//! keeping the old value is how one takes a move back.
//!
//! The sources of the rules, to which the documentation of the games refers by title:
//!
//! - *Pipopipette*, a Dutch exercise after Édouard Lucas's game of that name: [`dots_and_boxes`];
//! - Ken Ross, *Project 4: Join the dots*, W4444 Programming and Problem Solving, 2001:
//!   [`join_the_dots`];
//! - *Quixo*, a Dutch exercise: [`quixo`];
//! - *TaTeTi*, in Spanish, 2022: [`tic_tac_toe`];
//! - Leroy Quet, *Making Intersections*, 2009: [`intersections`].

pub mod dots_and_boxes;
pub mod intersections;
pub mod join_the_dots;
pub mod quixo;
pub mod tic_tac_toe;

mod dimensions;
mod outcome;
mod perft;
mod seat;
mod setup;
mod square;
mod symbol;
mod text;

pub use dimensions::Dimensions;
pub use outcome::Outcome;
pub use perft::perft;
pub use seat::Seat;
pub use setup::{Counted, Key, Number, Setup, SetupError, Text, Word};
pub use square::Square;
pub use symbol::Symbol;
pub use text::ParseMoveError;
pub(crate) use text::cut;

use std::error::Error;
use std::fmt::{Debug, Display};
use std::hash::Hash;
use std::str::FromStr;

/// A position of one game, with the rules that lead from it to the next.
///
/// The [`Display`] of a position is its board text: rows without a line break at the end.
pub trait Game: Clone + Eq + Hash + Debug + Display + Send + Sync + 'static {
    /// One whole move, compound ones too (a take *and* a push). Its [`Display`] is the text that
    /// records and programs use; [`FromStr`] takes that text back on any board, whether or not
    /// the move is legal or even names a place there.
    type Move: Copy
        + Eq
        + Ord
        + Hash
        + Debug
        + Display
        + FromStr<Err = ParseMoveError>
        + Send
        + Sync
        + 'static;

    /// Why a move was refused, in one clause without a full stop. `{}` writes it as the source of the
    /// rules does, where that has words of its own for a text that is no move, and `{:#}` in plain
    /// English, with what a move looks like.
    type Illegal: Error + Clone + Eq + Send + Sync + 'static;

    /// The name of the game in commands and records.
    const ID: &'static str;
    /// The name of the game for people.
    const NAME: &'static str;
    /// The rules, to read: paragraphs separated by empty lines.
    const RULES: &'static str;

    /// What can be set up, with the ranges the other words of `setup` leave for each key.
    ///
    /// Never fails: where `setup` holds nonsense, the ranges are those of the defaults.
    fn keys(setup: &Setup) -> Vec<Key>;

    /// The position in which a game with this setup starts.
    fn from_setup(setup: &Setup) -> Result<Self, SetupError>;

    /// Complete words that set up this board anew, random layouts written out.
    ///
    /// What was played is not in it, so the setup of a match is that of its *first* position.
    fn setup(&self) -> Setup;

    /// How many seats there are at the table, from 2 to 8.
    fn seats(&self) -> u8 {
        2
    }

    /// The seat to move, or `None` when the game is over.
    fn to_move(&self) -> Option<Seat>;

    /// Appends every legal move, each once, to `out`, which is not cleared. Over means none.
    fn legal_moves(&self, out: &mut Vec<Self::Move>);

    /// Whether the move is legal, and if not, why not.
    fn check(&self, mv: Self::Move) -> Result<(), Self::Illegal>;

    /// Plays the move for the seat to move. A refused move leaves the position as it was.
    fn play(&mut self, mv: Self::Move) -> Result<(), Self::Illegal>;

    /// The points of each seat so far, or `None` in a game that keeps no score.
    fn scores(&self) -> Option<Vec<u32>>;

    /// Who has won, or `None` while the game goes on.
    fn outcome(&self) -> Option<Outcome>;

    /// What else belongs to the state of this game, as names and numbers.
    fn facts(&self) -> Vec<(&'static str, u64)> {
        Vec::new()
    }

    /// About how many bytes the position takes in memory.
    fn bytes(&self) -> usize;

    /// The letter that stands for a seat on the board and in the score.
    fn mark(seat: Seat) -> char {
        seat.letter()
    }

    /// Recounts by the slow way all that the position keeps up to date by the fast one, and says
    /// what differs. For tests: a position made by this module is always valid.
    fn validate(&self) -> Result<(), String>;
}
