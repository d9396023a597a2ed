//! The question that the engines are working on.
//!
//! After every event the app asks the top screen for its current question; the screen keeps no record of earlier
//! questions. The app compares it with the pending question and notifies the engines of any change. Each question has a
//! ticket; events with an outdated ticket are dropped.

use super::tasks::EngineTask;
use quadrille_table::play::Question;

#[derive(Debug, Default)]
pub(super) struct PendingQuestion {
    ticket: u64,
    question: Option<Question>,
}

impl PendingQuestion {
    /// Makes this the pending question. Returns a task for the engines if the question has changed.
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

    /// Returns whether this ticket belongs to the pending question.
    pub fn is_under_way(&self, ticket: u64) -> bool {
        self.ticket == ticket && self.question.is_some()
    }
}
