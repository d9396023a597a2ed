//! The minimum time between engine moves, which lets people follow the match.

use std::time::Duration;

/// The minimum time for a move, and the move if it was found before this time is over.
#[derive(Debug, Default)]
pub(super) struct MovePace {
    pub least: Duration,
    is_over: bool,
    found: Option<String>,
}

impl MovePace {
    /// Restarts the minimum time for a new position.
    pub fn changed(&mut self) {
        (self.is_over, self.found) = (false, None);
    }

    pub fn runs(&self) -> bool {
        !self.is_over && !self.least.is_zero()
    }

    /// Stores the engine's move. Returns the move if it can be played immediately; otherwise [`MovePace::end`] returns
    /// it later.
    pub fn found(&mut self, mv: String) -> Option<String> {
        if !self.runs() {
            return Some(mv);
        }
        self.found = Some(mv);
        None
    }

    /// Ends the minimum time. Returns the move if the engine has found it.
    pub fn end(&mut self) -> Option<String> {
        self.is_over = true;
        self.found.take()
    }
}
