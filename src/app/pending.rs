//! What is thought about while people look at the screen.
//!
//! A screen says what it wants thought about, each time it is asked; it keeps no account of what is
//! under way. The app compares that with what it has asked for, and whoever thinks is told of every
//! change. Each question has a ticket, and what is heard under an old one is dropped.

use super::tasks::EngineTask;
use crate::play::Question;

/// What is under way.
#[derive(Debug, Default)]
pub(super) struct Pending {
    ticket: u64,
    question: Option<Question>,
}

impl Pending {
    /// What must be done for this question to be the one under way, if anything must.
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

    /// Whether something heard under this ticket is still of use.
    pub fn is_under_way(&self, ticket: u64) -> bool {
        self.ticket == ticket && self.question.is_some()
    }
}
