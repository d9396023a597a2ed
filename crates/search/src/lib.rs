//! The game engines, which play against people and solve positions exactly.
//!
//! Every game has an [`Engine`] in its own file or folder; code shared by several games is at the top level. An engine
//! works with the moves and positions of its game, never with their text. Engines are free to pack positions: tests
//! compare each packing with the rules, and each optimized search with [`minimax`], which visits everything.
//!
//! ```
//! use quadrille_rules::{Position, tic_tac_toe};
//! use quadrille_search::{Control, Engine, Limits, NoTableCache, Scope, TicTacToeEngine, Value};
//! use std::sync::atomic::AtomicBool;
//!
//! let setup = "grid=XX-OO---- first=X".parse().unwrap();
//! let position = tic_tac_toe::TicTacToe::from_setup(&setup).unwrap();
//! let stop = AtomicBool::new(false);
//! let control = Control::new(&stop, Limits::default(), &NoTableCache, &|_| ());
//! let report = TicTacToeEngine::default().analyse(&position, Scope::Best, &control);
//! assert_eq!(report.best[0].to_string(), "c1");
//! assert_eq!(report.value, Value::exact(1).with_plies(1));
//! ```
//!
//! # What an engine answers
//!
//! [`Engine::analyse`] evaluates a position and its moves; [`Engine::choose`] plays as a player of some [`Level`]. Both
//! return a [`Report`]. Its [`Value`]s separate what is proven (`lower`, `upper`) from what is likely (`estimate`). No
//! heuristic result ever enters the proven bounds; the level Perfect relies on that. Every value is for the seat to
//! move, including the value of a round ([`Report::round_value`]).
//!
//! [`Engine::why`] returns the [`Reason`] for a move, as data without wording. A reason depends only on the position,
//! not on search results, so it is always true. Every legal move has a reason, and tests check each reason against the
//! rules.
//!
//! A search uses its [`Control`] to check whether to continue, to send reports, and to find its limits on memory and
//! threads and its table cache. A search uses only threads that it has started itself, and no files.
//!
//! # Levels
//!
//! Strong and Perfect analyze the position, with and without a deadline respectively. The levels below Strong share one
//! `lookahead`, with a `Sight` that sets how many plies a player looks ahead, how many moves it considers, and which
//! features of the position it overlooks for a whole turn (more at distant plies). The file `levels` beside each engine
//! contains the numbers for its game and the features that a player sees in a position; Tic-tac-toe uses `ByRules`.
//! Dots and Boxes has a player of its own, since people learn ideas in that game rather than plies. None of these
//! players read the clock, so a level plays equally well on every machine. [`version_1`] has the levels that rate
//! puzzles.
//!
//! # What games share
//!
//! - `analysis`: the results known about a position during a search, and their report (Join the Dots, Making
//!   Intersections). Its `Scale` converts the margin still to be won in the searched part of a game to the margin at
//!   the end of the game.
//! - `table_slot`: keeps a table between questions, while it is useful and its budget stays the same.
//! - `shared_table`: a lock-free transposition table shared by all threads of a search (Dots and Boxes, Join the Dots).
//!   Each game defines the contents of an entry in its own `table`.
//! - `buckets`: the table of searches that compare positions in full (Quixo, Making Intersections).
//! - `window`: the bounds that null windows have proven for a value, and the next number to ask about.
//! - `max_n`, in which every seat plays for itself, and `monte_carlo`: searches for Making Intersections on large
//!   boards and with several players.
//! - [`census`]: counts positions.
//!
//! The page `docs/values.md` of the repository lists the known values of whole games, one command per row;
//! `assets/values.py` runs the commands and writes values and times into the rows.

#![deny(missing_docs)]

mod analysis;
mod bits;
mod buckets;
pub mod census;
pub mod dots_and_boxes;
mod in_progress;
mod max_n;
pub mod minimax;
mod monte_carlo;
pub mod quixo;
mod random;
#[cfg(test)]
mod recorded_games;

mod intersections;

mod control;
mod helpers;
mod join_the_dots;
mod level;
mod lookahead;
pub mod memory;
mod report;
mod shared_table;
mod table_slot;
#[cfg(test)]
mod testing;
mod tic_tac_toe;
pub mod version_1;
mod window;

pub use control::{Control, GAMES_A_PLY, Limits, NoTableCache, StopReason, TableCache};
pub use dots_and_boxes::{DotsAndBoxesEngine, DotsAndBoxesReason};
pub use helpers::{HELPER_THREAD, startable_threads};
pub use intersections::{IntersectionsEngine, IntersectionsReason};
pub use join_the_dots::{JoinTheDotsEngine, JoinTheDotsReason};
pub use level::{Level, ParseLevelError};
pub use memory::OutOfMemory;
pub use quixo::{QuixoEngine, QuixoReason};
pub use report::{Fill, Kind, RatedMove, Report, RoundValue, Value};
pub use tic_tac_toe::{TicTacToeEngine, TicTacToeReason};

use census::{OrderTypes, Symmetry};
use quadrille_rules::Position;
use std::time::Duration;

/// The part of the position to prove.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// The value of the position and one best move.
    Best,
    /// The value of every legal move, and therefore all best moves.
    Moves,
}

/// How far ahead an engine sees from a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Horizon {
    /// To the end of the game, so the level [`Perfect`](Level::Perfect) is offered.
    Solved,
    /// To the end of the game, once at most this many lines are left.
    Lines(u32),
    /// To the end of the game, once at most this many points are left.
    Points(u32),
    /// To the end of a round, once at most this many segments are left; `None` with more than two seats, since a round
    /// then does not decide the match.
    Segments(Option<u32>),
    /// About this many pushes ahead.
    Pushes(u32),
}

/// The reason for a move: its effect on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the variants are the games")]
pub enum Reason {
    DotsAndBoxes(DotsAndBoxesReason),
    JoinTheDots(JoinTheDotsReason),
    Quixo(QuixoReason),
    TicTacToe(TicTacToeReason),
    Intersections(IntersectionsReason),
}

/// The move an engine has chosen.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice<M> {
    /// A legal move.
    pub mv: M,
    /// The report of the search for the move.
    pub report: Report<M>,
}

/// The engine of a game. It may keep tables and other results between questions. They may only change how far the
/// engine gets in the available time, never what is proven.
pub trait Engine: Default + Send + 'static {
    /// The game that the engine plays.
    type Game: Position;

    /// Returns how far the engine sees from this position in about this time on an ordinary machine. Returns
    /// immediately, without a search.
    fn horizon(position: &Self::Game, time: Duration) -> Horizon;

    /// Searches until everything in `scope` is proven or the control stops the search. If stopped, returns what is
    /// known so far, with the cause in [`Report::halt`]. Sends intermediate reports to [`Control::send_report`].
    ///
    /// The position must have a seat to move; otherwise the report is of no use.
    fn analyse(
        &mut self,
        position: &Self::Game,
        scope: Scope,
        control: &Control<'_, Move<Self>>,
    ) -> Report<Move<Self>>;

    /// Chooses a move as a player of this level would. A level below [`Level::Strong`] makes its mistakes according to
    /// the control's seed. [`Level::Perfect`] ignores the deadline: it searches until its move is proven, or until it
    /// is stopped.
    ///
    /// The position must have a seat to move.
    fn choose(
        &mut self,
        position: &Self::Game,
        level: Level,
        control: &Control<'_, Move<Self>>,
    ) -> Choice<Move<Self>> {
        let report = match level {
            Level::Strong => self.play_well(position, control),
            Level::Perfect => self.play_well(position, &control.without_deadline()),
            _ => self.play_as(position, level, control),
        };
        let mv = report.best.first().copied().unwrap_or_else(|| any_move(position));
        Choice { mv, report }
    }

    /// Like [`choose`](Engine::choose), but in a match. `earlier` lists the previous positions of the match, oldest
    /// first, without the current one. They only matter in a game in which positions can repeat.
    fn choose_in_match(
        &mut self,
        _earlier: impl Iterator<Item = Self::Game>,
        position: &Self::Game,
        level: Level,
        control: &Control<'_, Move<Self>>,
    ) -> Choice<Move<Self>> {
        self.choose(position, level, control)
    }

    /// Returns the report from which [`Level::Strong`] and [`Level::Perfect`] play the first of the best moves.
    fn play_well(
        &mut self,
        position: &Self::Game,
        control: &Control<'_, Move<Self>>,
    ) -> Report<Move<Self>> {
        self.analyse(position, Scope::Best, control)
    }

    /// Returns the report of a player below [`Level::Strong`], who does not see everything. Takes at most about 50 ms
    /// and does not read the clock, so that a level plays equally well on every machine.
    fn play_as(
        &mut self,
        position: &Self::Game,
        level: Level,
        control: &Control<'_, Move<Self>>,
    ) -> Report<Move<Self>>;

    /// Searches a position in which an opponent is to move, until the control stops the search. The results stay in the
    /// engine's tables, for the question after the opponent's move. An engine without such tables does nothing.
    ///
    /// The position must have a seat to move.
    fn ponder(&mut self, _position: &Self::Game, _control: &Control<'_, Move<Self>>) {}

    /// Returns the [`Symmetry`] with which a [`census`] of the game distinguishes positions.
    fn symmetry(start: &Self::Game) -> Box<dyn Symmetry<Self::Game>>;

    /// Takes the census over all order types of this many points. `None` unless the game is played on points in the
    /// plane and their order types are known.
    fn order_types(_points: u32) -> Option<OrderTypes> {
        None
    }

    /// Returns the reason for a move, which is true of the position regardless of search results. `None` if the move is
    /// illegal.
    fn why(position: &Self::Game, mv: Move<Self>) -> Option<Reason>;
}

/// A move of an engine's game.
pub type Move<E> = <<E as Engine>::Game as Position>::Move;

/// The score of a won game in a heuristic evaluation, above any number of points.
pub const WIN_SCORE: i32 = 1_000_000;

/// Returns the first legal move, for a search that was stopped before it found a move.
fn any_move<G: Position>(position: &G) -> G::Move {
    position.legal_moves()[0]
}

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
