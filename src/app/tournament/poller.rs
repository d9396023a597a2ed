//! Polls a running tournament, and collects what is new.

use crate::app::news::TournamentUpdate;
use crate::arena::tournament::{LiveTournament, Stage};
use std::time::Duration;

/// The least time between two looks, however much happens.
const PERIOD: Duration = Duration::from_millis(100);

/// Looks at a running tournament, but only when it has news, and at most once per [`PERIOD`].
#[derive(Debug)]
pub(in crate::app) struct TournamentPoller {
    live: LiveTournament,
    /// How long it has run, without the time for which the program was suspended.
    time: Duration,
    /// When it may be looked at again.
    due: Duration,
    /// How many finished games were seen, and the stage of the tournament then.
    seen: usize,
    stage: Stage,
}

impl TournamentPoller {
    /// Begins to poll; also returns the state at the start, with a table.
    pub fn new(live: LiveTournament) -> (TournamentPoller, TournamentUpdate) {
        // Games of earlier runs are no news.
        let seen = live.view().played as usize;
        let (time, due, stage) = (Duration::ZERO, Duration::ZERO, Stage::Running);
        let mut poller = TournamentPoller { live, time, due, seen, stage };
        let mut seen = poller.look();
        seen.table = Some(poller.live.table());
        (poller, seen)
    }

    /// The tournament that is polled.
    pub fn live(&self) -> &LiveTournament {
        &self.live
    }

    /// This much time has passed while the program was not suspended.
    pub fn pass(&mut self, time: Duration) {
        self.time += time;
    }

    /// When to look again; `None` as long as nothing has happened.
    pub fn deadline(&self) -> Option<Duration> {
        self.live.has_news().then_some(self.due)
    }

    /// Looks at the tournament, if there is news and it is due.
    pub fn look_at(&mut self, now: Duration) -> Option<TournamentUpdate> {
        self.deadline().filter(|due| *due <= now)?;
        self.due = now + PERIOD;
        Some(self.look())
    }

    fn look(&mut self) -> TournamentUpdate {
        let status = self.live.view();
        let played = status.played as usize;
        let ended = self.live.lines(self.seen..played);
        // A game can also stop counting at the end, so `played` may have gone down.
        let has_changed = played != self.seen || status.stage != self.stage;
        let table = has_changed.then(|| self.live.table());
        (self.seen, self.stage) = (played, status.stage.clone());
        TournamentUpdate { status, table, under_way: self.live.under_way(), ended, time: self.time }
    }
}
