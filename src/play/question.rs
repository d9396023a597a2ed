//! What engines are asked about a match, and what they answer.

use crate::catalogue::GameEntry;
use crate::engine::ugi::Clock;
use crate::rules::Seat;
use crate::search::{Level, Reason, Report, Scope};
use crate::session::{Forfeit, Player, PositionSpec, SearchLimits};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// A question about a position, and who is to answer it.
#[derive(Clone, Debug)]
pub struct Question {
    /// The game.
    pub entry: &'static GameEntry,
    /// The position.
    pub position: Arc<PositionSpec>,
    /// What is asked about it.
    pub ask: Ask,
    /// Who is asked.
    pub to: Respondent,
}

/// The engine that a question is addressed to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Respondent {
    /// The engine for hints and values, which sits at no seat.
    Helper,
    /// The engine or program at a seat.
    Seat {
        /// The session of the match.
        session: u64,
        /// The seat.
        seat: Seat,
        /// An engine or a program.
        player: Player,
    },
}

/// What is asked about a position.
#[derive(Clone, Debug)]
pub enum Ask {
    /// A move, as a player of this level would choose it. Programs have no level.
    Move {
        /// How well to play.
        level: Level,
        /// The random seed for this move of this match.
        seed: u64,
        /// How long it may take.
        time: MoveTime,
        /// What else ends the search.
        limits: SearchLimits,
    },
    /// To think ahead while another seat is to move. What is found out is not reported, but kept for the engine's
    /// next move.
    Ponder,
    /// A good move, and why.
    Hint,
    /// Values of the position and its moves, refined until the question is taken back.
    Analysis(Scope),
    /// Values of every position up to this one, the last first.
    Review,
}

/// How long the seat to move may think.
#[derive(Clone, Debug)]
pub enum MoveTime {
    /// As long as it takes.
    Unlimited,
    /// This long for each move.
    Each(Duration),
    /// By the clock of the match.
    Clock {
        /// The seat to move.
        seat: Seat,
        /// The time that each seat has left, the first seat first; `None` for a seat without a clock.
        clocks: Vec<Option<Clock>>,
    },
}

impl MoveTime {
    /// The clock of the seat to move, if it has one.
    pub fn clock(&self) -> Option<Clock> {
        match self {
            MoveTime::Clock { seat, clocks } => clocks.get(seat.index()).copied().flatten(),
            MoveTime::Unlimited | MoveTime::Each(_) => None,
        }
    }
}

/// The seed for the next move of a match with this seed, after `plies` plies. Each move gets another one.
pub const fn move_seed(seed: u32, ply: usize) -> u64 {
    (seed as u64) << 20 | ply as u64
}

/// The seed of the match that gave a move this seed.
pub const fn match_seed(move_seed: u64) -> u32 {
    (move_seed >> 20) as u32
}

impl PartialEq for Question {
    fn eq(&self, other: &Question) -> bool {
        let same_way =
            Arc::ptr_eq(&self.position, &other.position) || self.position == other.position;
        self.entry.id == other.entry.id && self.ask == other.ask && self.to == other.to && same_way
    }
}

impl Eq for Question {}

/// Whether two questions ask the same. The time is not compared, as a clock runs on while an engine thinks.
impl PartialEq for Ask {
    fn eq(&self, other: &Ask) -> bool {
        match (self, other) {
            (Ask::Move { level, seed, .. }, Ask::Move { level: other, seed: its_seed, .. }) => {
                (level, seed) == (other, its_seed)
            }
            (Ask::Analysis(scope), Ask::Analysis(other)) => scope == other,
            (Ask::Ponder, Ask::Ponder) | (Ask::Hint, Ask::Hint) | (Ask::Review, Ask::Review) => {
                true
            }
            _ => false,
        }
    }
}

impl Eq for Ask {}

/// What comes back for a question: any number of the first four, then exactly one of the others.
#[derive(Clone, Debug, PartialEq)]
pub enum EngineEvent {
    /// A program is being started. That takes no time of play.
    Starting,
    /// The program has started and is thinking.
    Ready,
    /// What is known so far.
    News(Report<String>),
    /// For [`Ask::Review`]: the values of the position after this many moves.
    Ply(usize, Report<String>),
    /// The answer to [`Ask::Move`] and [`Ask::Hint`].
    Chosen {
        /// The move. From a program this can be any text.
        mv: String,
        /// The reason, unless a program has chosen it; see [`Engine::why`](crate::search::Engine::why).
        why: Option<Reason>,
        /// What was found out on the way.
        report: Report<String>,
    },
    /// The answer to [`Ask::Analysis`].
    Done(Report<String>),
    /// [`Ask::Ponder`] is over.
    Pondered,
    /// [`Ask::Review`] has come to the first position.
    Reviewed,
    /// There is no answer, for this reason. The question can be asked again.
    Failed(String),
    /// The program that was asked gave no good answer, and has lost the match.
    Forfeit {
        /// Why it has lost.
        reason: Forfeit,
        /// The file with what the program wrote to its standard error.
        messages: Option<PathBuf>,
    },
}

impl EngineEvent {
    /// Whether this is the last event of its question.
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
