//! The time that an engine's move takes at least, so that one can follow it.

use std::time::Duration;

/// How long the engine to move has taken, and the move it has found meanwhile.
#[derive(Debug, Default)]
pub(super) struct Pace {
    /// The least time for a move.
    pub least: Duration,
    is_over: bool,
    found: Option<String>,
}

impl Pace {
    /// The position has changed: the time begins anew.
    pub fn changed(&mut self) {
        (self.is_over, self.found) = (false, None);
    }

    /// Whether the time of this move still runs.
    pub fn runs(&self) -> bool {
        !self.is_over && !self.least.is_zero()
    }

    /// The engine has found its move. Gives it back if it may be played at once; else the end of the time does.
    pub fn found(&mut self, mv: String) -> Option<String> {
        if !self.runs() {
            return Some(mv);
        }
        self.found = Some(mv);
        None
    }

    /// The time is over. Gives back the move if it was found.
    pub fn end(&mut self) -> Option<String> {
        self.is_over = true;
        self.found.take()
    }
}
