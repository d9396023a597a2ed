//! What engines are asked about a match, and what is heard of it.

use crate::catalogue::Entry;
use crate::rules::Seat;
use crate::search::{Level, Report, Scope};
use crate::session::{Player, PositionSpec};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// What is to be thought about, and by whom.
#[derive(Clone, Debug)]
pub struct Question {
    /// The game.
    pub entry: &'static Entry,
    /// The position.
    pub position: Arc<PositionSpec>,
    /// What is asked of it.
    pub ask: Ask,
    /// Who is asked.
    pub to: Asked,
}

/// Who is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Asked {
    /// The engine that helps.
    Helper,
    /// Whoever sits at a seat.
    Seat {
        /// The session at whose table that is.
        table: u64,
        /// The seat.
        seat: Seat,
        /// An engine or a program.
        player: Player,
    },
}

/// What is asked of a position.
#[derive(Clone, Debug)]
pub enum Ask {
    /// A move, as a player of this level would choose it. Programs have no level.
    Move {
        /// How well to play.
        level: Level,
        /// Where chance begins, for this move of this match.
        seed: u64,
        /// How long it may take.
        time: MoveTime,
    },
    /// Nothing that is told: it is to be found out what may be of use for the next move, while somebody else is
    /// to move.
    Ponder,
    /// A good move, and why.
    Hint,
    /// What is known of it, for as long as it is asked.
    Analysis(Scope),
    /// What is known of every position on the way, the last ones first.
    Review,
}

/// How long whoever is to move may think.
#[derive(Clone, Debug)]
pub enum MoveTime {
    /// So long about each move.
    Each(Duration),
    /// As the clock has it.
    Clock {
        /// The seat to move.
        seat: Seat,
        /// What each seat has left, the first seat first.
        left: Vec<Duration>,
        /// What each gets for a move.
        increment: Duration,
    },
}

/// The seed for a move of a match that has this one, after so many plies: another one for each move.
pub const fn move_seed(seed: u32, ply: usize) -> u64 {
    (seed as u64) << 20 | ply as u64
}

/// The seed of the match for whose move this is the seed.
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

/// Whether the same is asked. The time is not compared: a clock runs on while somebody thinks.
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

/// What is heard of a question: any number of the first four, and then one of the others.
#[derive(Clone, Debug, PartialEq)]
pub enum EngineEvent {
    /// A program is being started, which is no time of play.
    Starting,
    /// It has started, and thinks.
    Ready,
    /// What is known so far.
    News(Report<String>),
    /// What is known of the position on the way after so many moves: news of [`Ask::Review`].
    Ply(usize, Report<String>),
    /// The answer to [`Ask::Move`] and [`Ask::Hint`].
    Chosen {
        /// The move, which of a program can be any text.
        mv: String,
        /// Why, in a few words, if the engine knows.
        why: Option<String>,
        /// What was found out on the way.
        report: Report<String>,
    },
    /// The answer to [`Ask::Analysis`].
    Done(Report<String>),
    /// [`Ask::Ponder`] is over.
    Pondered,
    /// [`Ask::Review`] has come to the first position.
    Reviewed,
    /// There is no answer, for this reason, and it can be asked again.
    Failed(String),
    /// There is no answer, and the program that was asked has lost the match by it.
    Forfeit {
        /// Why, as in [`Termination::Forfeit`](crate::session::Termination::Forfeit): `no answer`.
        reason: String,
        /// The file with what it has written to its standard error.
        messages: Option<PathBuf>,
    },
}

impl EngineEvent {
    /// Whether it is the last that is heard of a question.
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
