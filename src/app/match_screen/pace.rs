//! The least time between moves of engines, so that people can follow them.

use std::time::Duration;

/// Whether the least time for a move has passed, and the move found meanwhile.
#[derive(Debug, Default)]
pub(super) struct MovePace {
    /// The least time for a move.
    pub least: Duration,
    is_over: bool,
    found: Option<String>,
}

impl MovePace {
    /// The position has changed: the time starts again.
    pub fn changed(&mut self) {
        (self.is_over, self.found) = (false, None);
    }

    /// Whether the move must still wait.
    pub fn runs(&self) -> bool {
        !self.is_over && !self.least.is_zero()
    }

    /// The engine has found its move. Returns it if it can be played at once; else [`MovePace::end`]
    /// returns it later.
    pub fn found(&mut self, mv: String) -> Option<String> {
        if !self.runs() {
            return Some(mv);
        }
        self.found = Some(mv);
        None
    }

    /// The least time has passed. Returns the move if it has been found.
    pub fn end(&mut self) -> Option<String> {
        self.is_over = true;
        self.found.take()
    }
}
