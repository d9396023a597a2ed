//! Polls a running tournament for changes.

use crate::app::news::TournamentUpdate;
use quadrille_arena::tournament::{LiveTournament, Stage};
use std::time::Duration;

/// The minimum time between two polls.
const POLL_INTERVAL: Duration = Duration::from_millis(100);

/// Polls a running tournament when it has news, at most once per [`POLL_INTERVAL`].
#[derive(Debug)]
pub(in crate::app) struct TournamentPoller {
    live: LiveTournament,
    /// The elapsed time, excluding suspensions.
    time: Duration,
    due: Duration,
    /// The number of finished games and the stage at the last poll.
    seen: usize,
    stage: Stage,
}

impl TournamentPoller {
    /// Starts polling. Also returns the initial state, including a table.
    pub fn new(live: LiveTournament) -> (TournamentPoller, TournamentUpdate) {
        // Games from earlier runs do not count as news.
        let seen = live.view().played as usize;
        let (time, due, stage) = (Duration::ZERO, Duration::ZERO, Stage::Running);
        let mut poller = TournamentPoller { live, time, due, seen, stage };
        let mut seen = poller.poll();
        seen.table = Some(poller.live.table());
        (poller, seen)
    }

    pub fn live(&self) -> &LiveTournament {
        &self.live
    }

    /// Adds elapsed time, excluding suspensions.
    pub fn pass(&mut self, time: Duration) {
        self.time += time;
    }

    /// Returns when to poll next; `None` if there is no news.
    pub fn deadline(&self) -> Option<Duration> {
        self.live.has_news().then_some(self.due)
    }

    /// Polls the tournament if it has news and the next poll is due.
    pub fn poll_if_due(&mut self, now: Duration) -> Option<TournamentUpdate> {
        self.deadline().filter(|due| *due <= now)?;
        self.due = now + POLL_INTERVAL;
        Some(self.poll())
    }

    fn poll(&mut self) -> TournamentUpdate {
        let status = self.live.view();
        let played = status.played as usize;
        let ended = self.live.lines(self.seen..played);
        // At the end, a game may also be excluded from the count, so `played` may have decreased.
        let has_changed = played != self.seen || status.stage != self.stage;
        let table = has_changed.then(|| self.live.table());
        (self.seen, self.stage) = (played, status.stage.clone());
        TournamentUpdate { status, table, under_way: self.live.under_way(), ended, time: self.time }
    }
}
