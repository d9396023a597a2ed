//! The engines, which play against people and solve positions exactly.
//!
//! Every game has one [`Engine`], in a file or folder of its own; what several games share stands beside them. An
//! engine works with the moves and positions of its game, never with texts. It packs positions as it likes: tests hold
//! each packing to the rules, and each clever search to [`minimax`], which looks at everything.
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
//! assert_eq!(report.value, Value::exact(1).in_plies(1));
//! ```
//!
//! # What an engine answers
//!
//! [`Engine::analyse`] says what a position and its moves are worth, [`Engine::choose`] what a player of some [`Level`]
//! would play. Both give a [`Report`]. A [`Value`] in it keeps apart what is proven (`lower`, `upper`) and what is
//! likely (`estimate`). Nothing heuristic ever gets into the first two; the level Perfect rests on that. Every value is
//! for the seat to move, also that of a round ([`Report::round_value`]).
//!
//! [`Engine::why`] returns the [`Reason`] for a move, a value without words. It depends on the position alone and not on
//! what a search has found, so it is true, and every legal move has one; tests hold each to the rules.
//!
//! A search asks its [`Control`] whether to go on, sends it news, and finds in it how much memory and how many threads
//! it may use and where tables are kept. It touches no thread that it has not started itself, and no file.
//!
//! # Levels
//!
//! Strong and Perfect analyse, with a deadline and without. The levels below are one shared `lookahead`, with a `Sight`
//! that says how many plies a player looks ahead, how many moves it considers, and how many it overlooks (those far
//! away more easily). The file `levels` beside each engine has the numbers of the game and what a player sees in a
//! position; Tic-tac-toe is seen `ByRules`. Dots and Boxes has a player of its own, since people learn ideas there
//! rather than plies. None of these look at the clock, so a level is the same player on every machine.
//!
//! # What games share
//!
//! - `analysis`: what is known of a position during a search, and the report of it (Join the Dots, Making
//!   Intersections). Its `Scale` converts the margin still to be won in the searched part of a game to the margin at
//!   the end of the game.
//! - `table_slot` keeps a table from one question to the next, while it is useful and its budget is the same.
//! - `shared_table` is a transposition table that all threads of a search use without locks (Dots and Boxes, Join the
//!   Dots). Each game says in its own `table` what an entry holds.
//! - `buckets` is the table of searches that compare positions in full (Quixo, Making Intersections).
//! - `window` is what null windows have proven of a value, and which number to ask about next.
//! - `max_n`, where every seat plays for itself, and `monte_carlo` (Making Intersections on large boards and with
//!   several players).
//! - [`census`] counts positions.
//!
//! The page `docs/values.md` of the repository lists the known values of whole games, one command a row;
//! `assets/values.py` runs the commands and writes values and times into the rows.

#![deny(missing_docs)]

mod analysis;
mod bits;
mod buckets;
mod busy;
pub mod census;
pub mod dots_and_boxes;
mod max_n;
pub mod minimax;
mod monte_carlo;
pub mod quixo;

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
mod window;

pub use control::{Control, GAMES_A_PLY, Halt, Limits, NoTableCache, TableCache};
pub use dots_and_boxes::{DotsAndBoxesEngine, DotsAndBoxesReason};
pub use helpers::{HELPER_THREAD, startable_threads};
pub use intersections::{IntersectionsEngine, IntersectionsReason};
pub use join_the_dots::{JoinTheDotsEngine, JoinTheDotsReason};
pub use level::{Level, ParseLevelError};
pub use memory::Refused;
pub use quixo::{QuixoEngine, QuixoReason};
pub use report::{Fill, Kind, Rated, Report, RoundValue, Value};
pub use tic_tac_toe::{TicTacToeEngine, TicTacToeReason};

use census::{OrderTypes, Symmetry};
use quadrille_rules::Position;
use std::time::Duration;

/// How much is asked of an analysis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// The value of the position and one best move.
    Best,
    /// The value of every legal move as well, and so all best ones.
    Moves,
}

/// How far an engine sees from a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Horizon {
    /// To the end: the level [`Perfect`](Level::Perfect) is offered.
    Solved,
    /// To the end, once at most this many lines are left.
    Lines(u32),
    /// To the end, once at most this many points are left.
    Points(u32),
    /// To the end of a round, once at most this many segments are left; `None` with more than two seats, where a round
    /// does not decide the match.
    Segments(Option<u32>),
    /// About so many pushes ahead.
    Pushes(u32),
}

/// The reason for a move: what it does on the board.
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
    /// What was found out on the way.
    pub report: Report<M>,
}

/// The engine of one game. It may keep tables and other results from one question to the next. They
/// may only change how far it gets in the time, never what is proven.
pub trait Engine: Default + Send + 'static {
    /// The game it plays.
    type Game: Position;

    /// How far the engine sees from here in about this time on an ordinary machine. It answers at
    /// once, without a search.
    fn horizon(position: &Self::Game, time: Duration) -> Horizon;

    /// Searches until everything in `scope` is proven or the control says stop. If it is stopped, the
    /// report has what is known by then, and says why in [`Report::halt`]. Reports on the way go to
    /// [`Control::send_report`].
    ///
    /// The position must have a seat to move; otherwise the report is of no use.
    fn analyse(
        &mut self,
        position: &Self::Game,
        scope: Scope,
        control: &Control<'_, Move<Self>>,
    ) -> Report<Move<Self>>;

    /// Chooses a move as a player of this level would. A level below [`Level::Strong`] makes its
    /// mistakes by the control's seed. [`Level::Perfect`] ignores the deadline: it searches until its
    /// move is proven, or until it is stopped.
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

    /// The same as [`choose`](Engine::choose) in a match. `earlier` are the positions that the match has been
    /// through, the oldest first, without this one. They only matter in a game where positions can repeat.
    fn choose_in_match(
        &mut self,
        _earlier: impl Iterator<Item = Self::Game>,
        position: &Self::Game,
        level: Level,
        control: &Control<'_, Move<Self>>,
    ) -> Choice<Move<Self>> {
        self.choose(position, level, control)
    }

    /// The report with which [`Level::Strong`] and [`Level::Perfect`] play: its first best move is the one to
    /// play.
    fn play_well(
        &mut self,
        position: &Self::Game,
        control: &Control<'_, Move<Self>>,
    ) -> Report<Move<Self>> {
        self.analyse(position, Scope::Best, control)
    }

    /// The move of a player below [`Level::Strong`], who does not see everything. It takes some 50 ms at
    /// most and does not look at the clock, so that a level is the same player on every machine.
    fn play_as(
        &mut self,
        position: &Self::Game,
        level: Level,
        control: &Control<'_, Move<Self>>,
    ) -> Report<Move<Self>>;

    /// Searches a position in which an opponent is to move, until the control stops it. What it finds out stays in
    /// the engine's tables, for the question that comes after the opponent's move. An engine without such
    /// tables does nothing.
    ///
    /// The position must have a seat to move.
    fn ponder(&mut self, _position: &Self::Game, _control: &Control<'_, Move<Self>>) {}

    /// How a [`census`] of the game tells positions apart.
    fn symmetry(start: &Self::Game) -> Box<dyn Symmetry<Self::Game>>;

    /// The census over all order types of this many points. `None` unless the game is played on points in
    /// the plane and their order types are known.
    fn order_types(_points: u32) -> Option<OrderTypes> {
        None
    }

    /// Returns the reason for a move. It is true of the position, whatever a search has found. `None` if the move is
    /// not legal.
    fn why(position: &Self::Game, mv: Move<Self>) -> Option<Reason>;
}

/// A move of an engine's game.
pub type Move<E> = <<E as Engine>::Game as Position>::Move;

/// The score of a won game in a heuristic evaluation: more than any number of points.
pub const WON: i32 = 1_000_000;

/// The first legal move, for a search that was stopped before it had found one.
fn any_move<G: Position>(position: &G) -> G::Move {
    position.legal()[0]
}

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
