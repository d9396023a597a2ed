//! The rules of five games, and nothing else.
//!
//! This package alone says whose turn it is, what is legal, what it scores and when a game ends. It knows
//! no terminal, no file, no clock and no thread; the only chance is the seed in a [`Setup`]. Positions are
//! plain values: to look ahead, play on a clone; to take a move back, keep the old position.
//!
//! [`Position`] is the one trait. [`Position::play`] plays a move or refuses it with a typed reason, and then has
//! changed nothing. Two to eight seats, extra turns, rounds and random setups are the business of the game: nothing
//! above the rules works out whose turn it is.
//!
//! Each game has its own type of move, with a text form (`Display`, `FromStr`). An error has two texts: `{}` has the
//! words of the text that the rules were taken from, for the command line, and `{:#}` is plain English, for screens.
//! What is wrong with a setup is said in plain English in both; `{}` adds the words of that text in brackets.
//!
//! A [`Setup`] is options with values, `key=value`. A game describes its options ([`OptionSpec`]): a number, a word or a
//! text, each with its range, default and a line of help. A form, the help of a command line and the errors all follow
//! from that list. [`Position::setup`] writes the complete setup back, so a
//! record never depends on a generator.
//!
//! [`Position::validate`] recounts slowly what a position keeps up to date fast; tests call it after every ply.
//!
//! The sources of the rules. The documentation of the games refers to them by title:
//!
//! - *Pipopipette*, a Dutch exercise after Édouard Lucas's game of that name: [`dots_and_boxes`];
//! - Ken Ross, *Project 4: Join the dots*, W4444 Programming and Problem Solving, 2001:
//!   [`join_the_dots`];
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
pub use setup_option::{NumberOption, OptionSpec, TextOption, WordChoice, WordOption};
pub use square::Square;
pub use symbol::Symbol;
pub use text::ParseMoveError;

use std::error::Error;
use std::fmt::{Debug, Display};
use std::hash::Hash;
use std::str::FromStr;

/// A position of one game, with the rules that lead from it to the next.
///
/// [`Display`] writes the board as text: rows, without a line break at the end.
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
    /// A whole move; in Quixo, the take *and* the push. [`Display`] is its text in records and for programs,
    /// and [`FromStr`] reads that text. Reading knows no board: it also takes a move that is not legal, or
    /// that names a place outside the board.
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

    /// Why a move is refused, in one clause without a full stop. `{}` has the words of the rules' source
    /// where that gives any; `{:#}` is plain English.
    type Illegal: Error + Clone + Eq + Send + Sync + 'static;

    /// The name of the game in commands and records.
    const ID: &'static str;
    /// The name of the game for people.
    const NAME: &'static str;
    /// Other names of the game, which people may type instead.
    const ALIASES: &'static [&'static str] = &[];
    /// What can be set up. The range of an option may depend on the others in `setup`; where one of those
    /// is wrong, its default counts.
    fn options(setup: &Setup) -> Vec<OptionSpec>;

    /// The position in which a game with this setup starts.
    fn from_setup(setup: &Setup) -> Result<Self, SetupError>;

    /// The complete setup of this board: every option has a value, and random points are written out.
    ///
    /// Moves are not part of it, so the setup of a match is that of its *first* position.
    fn setup(&self) -> Setup;

    /// How many seats there are at the table, from 2 to 8.
    fn seats(&self) -> u8 {
        2
    }

    /// The seat to move, or `None` when the game is over.
    fn to_move(&self) -> Option<Seat>;

    /// Appends every legal move to `out`, each once; `out` is not cleared. There are none when the game is over.
    fn legal_moves(&self, out: &mut Vec<Self::Move>);

    /// The legal moves in a new list. A search that visits many positions keeps a list for [`Position::legal_moves`].
    fn legal(&self) -> Vec<Self::Move> {
        let mut moves = Vec::new();
        self.legal_moves(&mut moves);
        moves
    }

    /// Whether the move is legal, and if not, why not.
    fn check(&self, mv: Self::Move) -> Result<(), Self::Illegal>;

    /// Plays the move for the seat to move. A refused move leaves the position as it was.
    fn play(&mut self, mv: Self::Move) -> Result<(), Self::Illegal>;

    /// The points of each seat so far, or `None` in a game that keeps no score.
    fn scores(&self) -> Option<Scores>;

    /// Who has won, or `None` while the game goes on.
    fn outcome(&self) -> Option<Outcome>;

    /// What else belongs to the state of this game, as names with numbers: the round, for example.
    fn facts(&self) -> Vec<(&'static str, u64)> {
        Vec::new()
    }

    /// The letter that stands for a seat on the board and in the score.
    fn mark(seat: Seat) -> char {
        seat.letter()
    }

    /// Counts anew, in the slow and plain way, all that `play` keeps up to date, and says what differs. It is
    /// for tests: a position made by this module is always valid.
    fn validate(&self) -> Result<(), String>;
}

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
