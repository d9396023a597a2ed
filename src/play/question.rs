//! What engines are asked about a match, and what is heard of it.

use crate::catalogue::Entry;
use crate::search::{Report, Scope};
use crate::session::{EngineSeat, PositionSpec};
use std::sync::Arc;

/// What is to be thought about.
#[derive(Clone, Debug)]
pub struct Question {
    /// The game.
    pub entry: &'static Entry,
    /// The position.
    pub position: Arc<PositionSpec>,
    /// What is asked of it.
    pub ask: Ask,
}

/// What is asked of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ask {
    /// The move of whoever sits there, with the seed of its chance.
    Move(EngineSeat, u64),
    /// A good move, and why.
    Hint,
    /// What is known of it, for as long as it is asked.
    Analysis(Scope),
    /// What is known of every position on the way, the last ones first.
    Review,
}

impl PartialEq for Question {
    fn eq(&self, other: &Question) -> bool {
        let same_way =
            Arc::ptr_eq(&self.position, &other.position) || self.position == other.position;
        self.entry.id == other.entry.id && self.ask == other.ask && same_way
    }
}

impl Eq for Question {}

/// What is heard of a question: any number of [`News`](EngineEvent::News) or [`Ply`](EngineEvent::Ply), and then one
/// of the others.
#[derive(Clone, Debug, PartialEq)]
pub enum EngineEvent {
    /// What is known so far.
    News(Report<String>),
    /// The answer to [`Ask::Move`] and [`Ask::Hint`].
    Chosen {
        /// The move.
        mv: String,
        /// Why, in a few words, if the engine knows.
        why: Option<String>,
        /// What was found out on the way.
        report: Report<String>,
    },
    /// What is known of the position on the way after so many moves: news of [`Ask::Review`].
    Ply(usize, Report<String>),
    /// The answer to [`Ask::Analysis`].
    Done(Report<String>),
    /// [`Ask::Review`] has come to the first position.
    Reviewed,
    /// There is no answer, for this reason.
    Failed(String),
}
