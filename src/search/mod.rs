//! Engines: what plays against people, and what solves positions exactly.
//!
//! Every game has one [`Engine`], in a file of its own for what is special to the game; what games
//! share stands beside them. An engine knows its game's own moves and positions, never texts, and
//! may pack a position as it likes: tests hold what is packed to the rules, and clever searches to
//! [`plain`] ones.
//!
//! Nothing here waits, draws or knows of screens. A search asks its [`Control`] whether to go on.

pub mod analysis;
pub mod bounds;
mod buckets;
pub mod census;
pub mod dots_and_boxes;
pub mod many;
pub mod monte_carlo;
pub mod plain;
pub mod quixo;

mod intersections;

mod control;
mod helpers;
mod join_the_dots;
mod kept;
mod level;
mod lookahead;
mod report;
pub mod room;
mod shared_table;
mod tic_tac_toe;

pub use control::{Checkpoint, Control, GAMES_A_PLY, Halt, Limits, NoTableCache, TableCache};
pub use dots_and_boxes::DotsAndBoxes;
pub use helpers::HELPER;
pub use intersections::Intersections;
pub use join_the_dots::JoinTheDots;
pub use level::{Level, ParseLevelError};
pub use lookahead::lookahead;
pub use quixo::Quixo;
pub use report::{Fill, Kind, Rated, Report, Value};
pub use room::Refused;
pub use tic_tac_toe::TicTacToe;

use crate::rules::{Game, Seat};
use census::{Forms, OrderTypes, Texts};
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
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Horizon {
    /// To the end: the level [`Perfect`](Level::Perfect) is offered.
    Solved,
    /// Less far; a clause says how far, such as `to the end from the last 28 lines on`.
    Sees(String),
}

/// The move an engine has chosen.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice<M> {
    /// A legal move.
    pub mv: M,
    /// What was found out on the way.
    pub report: Report<M>,
}

/// The engine of one game. It may keep what it has learnt, such as its tables, from one question to
/// the next; an answer must not depend on them but for how far it sees in the time.
pub trait Engine: Default + Send + 'static {
    /// The game it plays.
    type Game: Game;

    /// Whether an analysis can take so long that it leaves [checkpoints](Checkpoint) and goes on from them.
    const HAS_CHECKPOINTS: bool = false;

    /// What a glance at the board says for this seat: the points it leads by, or what comes nearest
    /// to them while a round or a game is still open. A won game is worth [`WON`] more, a lost one
    /// as much less. Cheap: it is asked at every leaf of a [`lookahead()`].
    fn glance(position: &Self::Game, seat: Seat) -> i32;

    /// How far it sees from here in about this time on an ordinary machine. At once, without a
    /// search.
    fn horizon(position: &Self::Game, time: Duration) -> Horizon;

    /// Searches until all that is asked for is proven, or the control says that it is over; in the
    /// second case the report holds what is known by then. News on the way go to
    /// [`Control::tell`].
    ///
    /// The position must have a seat to move.
    fn analyse(
        &mut self,
        position: &Self::Game,
        scope: Scope,
        control: &Control<'_, Move<Self>>,
    ) -> Report<Move<Self>>;

    /// Chooses a move as a player of this level would. A level below [`Level::Strong`] makes its
    /// mistakes by the control's seed; [`Level::Perfect`] goes on past the deadline until its move
    /// is proven, and ends early only when it is stopped.
    ///
    /// The position must have a seat to move.
    fn choose(
        &mut self,
        position: &Self::Game,
        level: Level,
        control: &Control<'_, Move<Self>>,
    ) -> Choice<Move<Self>> {
        let report = match level {
            Level::Beginner => lookahead(position, 1, Self::glance, control),
            Level::Casual => lookahead(position, 2, Self::glance, control),
            Level::Strong => self.analyse(position, Scope::Best, control),
            Level::Perfect => self.analyse(position, Scope::Best, &control.without_deadline()),
        };
        let mv = report.best.first().copied().unwrap_or_else(|| any_move(position));
        Choice { mv, report }
    }

    /// Thinks about a position in which another seat is to move, until the control says that it is over: what it
    /// finds out is kept for the answer to whichever move is made. An engine that keeps nothing does
    /// nothing. Nobody hears of it.
    ///
    /// The position must have a seat to move.
    fn ponder(&mut self, _position: &Self::Game, _control: &Control<'_, Move<Self>>) {}

    /// How a [`census`] of the game tells positions apart: by the text of the board and without any symmetry,
    /// unless the engine knows better.
    fn forms(_start: &Self::Game) -> Box<dyn Forms<Self::Game>> {
        Box::new(Texts)
    }

    /// The census over all kinds of so many points, in a game on scattered points whose kinds are known.
    fn order_types(_points: u32) -> Option<OrderTypes> {
        None
    }

    /// Why this move, in a few words such as `opens a chain of 5`, where the engine knows.
    fn why(_position: &Self::Game, _mv: Move<Self>) -> Option<String> {
        None
    }
}

/// A move of an engine's game.
pub type Move<E> = <<E as Engine>::Game as Game>::Move;

/// What a won game counts in a [`glance`](Engine::glance), more than any points.
pub const WON: i32 = 1_000_000;

/// The first legal move, for a search that was stopped before it knew any better.
fn any_move<G: Game>(position: &G) -> G::Move {
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    moves[0]
}
