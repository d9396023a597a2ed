//! The rules of five games, and nothing else.
//!
//! This crate alone decides whose turn it is, which moves are legal, what they score and when a game ends. The crate
//! uses no terminal, filesystem, clock or thread; the only randomness is the seed in a [`Setup`]. Positions are plain
//! values: to look ahead, play on a clone; to take a move back, keep the old position.
//!
//! [`Position`] is the only trait. [`Position::play`] plays a move, or returns a typed error and leaves the position
//! unchanged. Each game handles its own two to eight seats, extra turns, rounds and random setups.
//!
//! Each game has its own move type with a text form (`Display`, `FromStr`). An error has two texts: `{}` quotes the
//! source of the rules, for the command line, and `{:#}` is plain English, for screens. Setup errors are in plain
//! English in both; `{}` adds the source's term in brackets.
//!
//! A [`Setup`] is a list of options, `key=value`. A game describes its options ([`OptionSpec`]): a number, a word or a
//! text, each with its range, default and a line of help. Forms, command-line help and errors are derived from these
//! descriptions. [`Position::setup`] returns the complete setup, so a record never depends on a generator.
//!
//! [`Position::validate`] recomputes the incrementally updated state; tests call it after every ply.
//!
//! The sources of the rules, to which the games' documentation refers by title:
//!
//! - *Pipopipette*, a Dutch exercise after Édouard Lucas's game of that name: [`dots_and_boxes`];
//! - Ken Ross, *Project 4: Join the dots*, W4444 Programming and Problem Solving, 2001: [`join_the_dots`];
//! - *Quixo*, a Dutch exercise: [`quixo`];
//! - *TaTeTi*, in Spanish, 2022: [`tic_tac_toe`];
//! - Leroy Quet, *Making Intersections*, 2009: [`intersections`].

#![deny(missing_docs)]
#![deny(clippy::dbg_macro, clippy::float_arithmetic, clippy::print_stderr, clippy::print_stdout)]

pub mod dots_and_boxes;
pub mod intersections;
pub mod join_the_dots;
pub mod quixo;
pub mod tic_tac_toe;

mod dimensions;
mod outcome;
mod perft;
mod scores;
mod seat;
#[cfg(feature = "serde")]
mod serde;
mod setup;
mod setup_option;
mod square;
mod symbol;
mod text;

pub use dimensions::Dimensions;
pub use outcome::Outcome;
pub use perft::perft;
pub use scores::Scores;
pub use seat::Seat;
pub use setup::{Setup, SetupError};
pub use setup_option::{ChoiceOption, NumberOption, OptionSpec, TextOption, WordChoice};
pub use square::Square;
pub use symbol::Symbol;
pub use text::ParseMoveError;

use std::error::Error;
use std::fmt::{Debug, Display};
use std::hash::Hash;
use std::str::FromStr;

/// A position of one game, with the rules for moves.
///
/// [`Display`] writes the board as text, without a newline at the end.
///
/// ```
/// use quadrille_rules::tic_tac_toe::TicTacToe;
/// use quadrille_rules::{Outcome, Position, Seat, Setup};
///
/// let mut position = TicTacToe::from_setup(&Setup::new()).unwrap();
/// for mv in ["b2", "a1", "b1", "a2", "b3"] {
///     position.play(mv.parse().unwrap()).unwrap();
/// }
/// assert_eq!(position.outcome(), Some(Outcome::win(Seat::FIRST)));
/// let refused = position.play("c3".parse().unwrap()).unwrap_err();
/// assert_eq!(refused.to_string(), "the game is over");
/// ```
pub trait Position: Clone + Eq + Hash + Debug + Display + Send + Sync + 'static {
    /// A whole move; in Quixo, the take *and* the push. [`Display`] and [`FromStr`] are its text in records and UGI.
    /// Parsing does not depend on a board: it accepts illegal moves and places off the board.
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

    /// The reason why a move is illegal, one clause without a full stop. `{}` quotes the source of the rules where
    /// possible; `{:#}` is plain English.
    type IllegalMove: Error + Clone + Eq + Send + Sync + 'static;

    /// The game's name in commands and records.
    const ID: &'static str;
    /// The game's name on screens.
    const NAME: &'static str;
    /// Alternative names that users may type.
    const ALIASES: &'static [&'static str] = &[];
    /// Returns the setup options that have an effect. Options and their ranges may depend on other options in `setup`;
    /// an invalid option counts as its default.
    fn options(setup: &Setup) -> Vec<OptionSpec>;

    /// Creates the starting position of a setup.
    fn from_setup(setup: &Setup) -> Result<Self, SetupError>;

    /// Returns the setup of this board, with random points written out; an empty grid is left out.
    ///
    /// Moves are not included, so the setup of a match is the setup of its *first* position.
    fn setup(&self) -> Setup;

    /// Returns the number of seats, 2 to 8.
    fn seats(&self) -> u8 {
        2
    }

    /// Returns the seat to move, or `None` when the game is over.
    fn to_move(&self) -> Option<Seat>;

    /// Appends every legal move to `out`, each once, without clearing `out`. No moves are legal when the game is over.
    fn append_legal_moves(&self, out: &mut Vec<Self::Move>);

    /// Returns the legal moves in a new list. Searches should reuse a list with [`Position::append_legal_moves`].
    fn legal_moves(&self) -> Vec<Self::Move> {
        let mut moves = Vec::new();
        self.append_legal_moves(&mut moves);
        moves
    }

    /// Returns an error if the move is illegal.
    fn check(&self, mv: Self::Move) -> Result<(), Self::IllegalMove>;

    /// Plays the move for the seat to move. An error leaves the position unchanged.
    fn play(&mut self, mv: Self::Move) -> Result<(), Self::IllegalMove>;

    /// Returns the points of each seat, or `None` if the game has no score.
    fn scores(&self) -> Option<Scores>;

    /// Returns the outcome, or `None` while the game is in progress. A game of Quixo may last forever: positions may
    /// repeat, and only a caller can end it.
    fn outcome(&self) -> Option<Outcome>;

    /// Returns additional state of this game, such as the round, as names with numbers.
    fn facts(&self) -> Vec<(&'static str, u64)> {
        Vec::new()
    }

    /// Returns the letter of a seat on the board and in the score.
    fn mark(seat: Seat) -> char {
        seat.letter()
    }

    /// Recomputes the incrementally updated state and describes the first difference. For tests: positions made by this
    /// crate are always valid.
    fn validate(&self) -> Result<(), String>;
}

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
