//! The minimum time per engine move, which lets people follow a match.

use quadrille_match::session::Session;
use std::time::Duration;

/// The minimum time for a move, and the move if it was found before this time is over. It has no clock: the owner waits
/// for [`MovePace::least`], then calls [`MovePace::end`].
#[derive(Debug, Default)]
pub struct MovePace {
    least: Duration,
    is_over: bool,
    found: Option<String>,
}

impl MovePace {
    /// Sets the minimum time in a match. On a clock, engine moves are not delayed.
    pub fn set(&mut self, pace: Duration, session: &Session) {
        self.least = if session.fischer_clock().is_some() { Duration::ZERO } else { pace };
    }

    /// Restarts the minimum time for a new position.
    pub fn restart(&mut self) {
        (self.is_over, self.found) = (false, None);
    }

    /// Returns the minimum time, unless it is over.
    pub fn least(&self) -> Option<Duration> {
        Some(self.least).filter(|least| !self.is_over && !least.is_zero())
    }

    /// Stores the engine's move. Returns the move if it can be played immediately; otherwise [`MovePace::end`] returns
    /// it later.
    pub fn found(&mut self, mv: String) -> Option<String> {
        if self.least().is_none() {
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
