//! Which question the engines work on.
//!
//! After every event the app asks the screen on top which question it wants answered; the screen need not remember what
//! it wanted before. The app compares that with the question under way, and tells the engines of every change. Each
//! question has a ticket; events with an old ticket are dropped.

use super::tasks::EngineTask;
use crate::play::Question;

/// The question under way, and its ticket.
#[derive(Debug, Default)]
pub(super) struct PendingQuestion {
    ticket: u64,
    question: Option<Question>,
}

impl PendingQuestion {
    /// Makes this the question under way. Returns the task for the engines, if that is a change.
    pub fn turn_to(&mut self, question: Option<Question>) -> Option<EngineTask> {
        if self.question == question {
            return None;
        }
        self.ticket += 1;
        self.question.clone_from(&question);
        Some(match question {
            Some(question) => EngineTask::Think(self.ticket, Box::new(question)),
            None => EngineTask::Rest,
        })
    }

    pub fn question(&self) -> Option<&Question> {
        self.question.as_ref()
    }

    /// Whether an event with this ticket is still wanted.
    pub fn is_under_way(&self, ticket: u64) -> bool {
        self.ticket == ticket && self.question.is_some()
    }
}
