//! Requests to engines about a match, and their answers.

use crate::catalogue::GameEntry;
use crate::engine::ugi::Clock;
use quadrille_match::session::{Forfeit, Match, Player, SearchLimits};
use quadrille_rules::Seat;
use quadrille_search::{Level, Limits, Reason, Report, Scope};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// A request about the current position of a match, and its recipient.
#[derive(Clone, Debug)]
pub struct Question {
    pub entry: &'static GameEntry,
    pub game: Arc<Match>,
    pub ask: Ask,
    pub to: Respondent,
}

/// The engine that a request is addressed to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Respondent {
    Helper,
    /// The engine or program at this seat.
    Seat {
        session: u64,
        seat: Seat,
        /// An engine or a program.
        player: Player,
    },
}

#[derive(Clone, Debug)]
pub enum Ask {
    /// A move as chosen by a player of this level. Programs have no level.
    Move {
        level: Level,
        /// The random seed for this move.
        seed: u64,
        time: MoveTime,
        limits: SearchLimits,
    },
    /// Thinking ahead while a different seat is to move. The findings are not reported, but kept for the engine's next
    /// move.
    Ponder,
    /// A good move and the reason for it.
    Hint,
    /// Values of the position and its moves, refined until stopped.
    Analysis(Scope),
    /// Values of every position up to the current one, last first.
    Review,
    /// Values of the positions after these numbers of moves, in this order, each within these limits.
    Proofs(Arc<[usize]>, ProofLimits),
}

/// The limits of a proof. The number of positions decides, so that the results are the same on every machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProofLimits {
    /// The maximum number of positions to search.
    pub nodes: u64,
    /// The size of the transposition table, in bytes.
    pub memory: usize,
    /// The maximum time, for boards that are much too large.
    pub time: Duration,
}

impl ProofLimits {
    /// Returns the limits of a search, without a deadline.
    pub fn limits(self) -> Limits {
        let ProofLimits { nodes, memory, .. } = self;
        Limits { nodes: Some(nodes), memory, ..Limits::default() }
    }
}

/// How long the seat to move may think.
#[derive(Clone, Debug)]
pub enum MoveTime {
    Unlimited,
    /// A fixed time for each move.
    Each(Duration),
    Clock {
        /// The seat to move.
        seat: Seat,
        /// The remaining time of each seat, in seat order; `None` for a seat without a clock.
        clocks: Vec<Option<Clock>>,
    },
}

impl MoveTime {
    pub fn clock(&self) -> Option<Clock> {
        match self {
            MoveTime::Clock { seat, clocks } => clocks.get(seat.index()).copied().flatten(),
            MoveTime::Unlimited | MoveTime::Each(_) => None,
        }
    }
}

/// Returns the seed for the move at this ply of a match, different for each ply.
pub const fn move_seed(seed: u32, ply: usize) -> u64 {
    (seed as u64) << 20 | ply as u64
}

/// Recovers the match's seed from a move's seed.
pub const fn match_seed(move_seed: u64) -> u32 {
    (move_seed >> 20) as u32
}

impl PartialEq for Question {
    fn eq(&self, other: &Question) -> bool {
        let (own, others) = (&self.game, &other.game);
        let is_same_line = Arc::ptr_eq(own, others)
            || own.moves() == others.moves() && own.setup() == others.setup();
        self.entry.id == other.entry.id
            && self.ask == other.ask
            && self.to == other.to
            && is_same_line
    }
}

impl Eq for Question {}

/// Ignores the time, because the clock keeps running while an engine thinks.
impl PartialEq for Ask {
    fn eq(&self, other: &Ask) -> bool {
        match (self, other) {
            (Ask::Move { level, seed, .. }, Ask::Move { level: other, seed: its_seed, .. }) => {
                (level, seed) == (other, its_seed)
            }
            (Ask::Analysis(scope), Ask::Analysis(other)) => scope == other,
            (Ask::Proofs(plies, limits), Ask::Proofs(other, its_limits)) => {
                (plies, limits) == (other, its_limits)
            }
            (Ask::Ponder, Ask::Ponder) | (Ask::Hint, Ask::Hint) | (Ask::Review, Ask::Review) => {
                true
            }
            _ => false,
        }
    }
}

impl Eq for Ask {}

/// An event of a request: any number of the first four variants, then exactly one of the others.
#[derive(Clone, Debug, PartialEq)]
pub enum EngineEvent {
    /// A program is starting. No match time passes.
    Starting,
    /// The program has started and is thinking.
    Ready,
    /// The result so far.
    News(Report<String>),
    /// For [`Ask::Review`] and [`Ask::Proofs`]: the values of the position after this many moves.
    Ply(usize, Report<String>),
    /// The answer to [`Ask::Move`] and [`Ask::Hint`].
    Chosen {
        /// The move. A program can send any text.
        mv: String,
        /// The reason, unless the move comes from a program; see [`Engine::why`](quadrille_search::Engine::why).
        why: Option<Reason>,
        /// The search result behind the choice.
        report: Report<String>,
    },
    /// The answer to [`Ask::Analysis`].
    Done(Report<String>),
    /// [`Ask::Ponder`] has ended.
    Pondered,
    /// [`Ask::Review`] or [`Ask::Proofs`] is complete.
    Reviewed,
    /// There is no answer, for this reason. The request may be repeated.
    Failed(String),
    /// The program gave no valid answer and forfeits the match.
    Forfeit {
        reason: Forfeit,
        /// The file with the program's stderr.
        messages: Option<PathBuf>,
    },
}

impl EngineEvent {
    /// Returns whether this is the last event of its request.
    pub const fn is_answer(&self) -> bool {
        !matches!(
            self,
            EngineEvent::Starting
                | EngineEvent::Ready
                | EngineEvent::News(_)
                | EngineEvent::Ply(..)
        )
    }
}
