//! When a running tournament is looked at, and what is seen of it then.

use crate::arena::tournament::{
    GameLine, LiveTournament, Stage, TournamentStatus, TournamentTable, UnderWay,
};
use std::time::Duration;

/// As long as what was seen stands on the screen, however much happens.
const PERIOD: Duration = Duration::from_millis(100);

/// Whoever looks at a running tournament: only when something has happened there, and not too often.
#[derive(Debug)]
pub(in crate::app) struct Lookout {
    watch: LiveTournament,
    /// How long it has run, without the time for which the program was stopped.
    time: Duration,
    /// When it may be looked at again.
    due: Duration,
    /// How many of the games that have ended were seen, and whether it still ran then.
    seen: usize,
    stage: Stage,
}

/// What is seen of a tournament.
#[derive(Debug)]
pub(in crate::app) struct Seen {
    pub view: TournamentStatus,
    /// The table, if it may have changed since it was looked at last.
    pub table: Option<TournamentTable>,
    /// The games that are being played, in the order in which they began.
    pub under_way: Vec<UnderWay>,
    /// The games that have ended since it was looked at last, in the order in which they did.
    pub ended: Vec<GameLine>,
    /// How long it has run.
    pub time: Duration,
}

impl Lookout {
    /// With what there is to be seen at first.
    pub fn new(watch: LiveTournament) -> (Lookout, Seen) {
        // What was played in runs before is no news.
        let seen = watch.view().played as usize;
        let (time, due, stage) = (Duration::ZERO, Duration::ZERO, Stage::Running);
        let mut lookout = Lookout { watch, time, due, seen, stage };
        let mut seen = lookout.look();
        seen.table = Some(lookout.watch.table());
        (lookout, seen)
    }

    /// What is looked at.
    pub fn watch(&self) -> &LiveTournament {
        &self.watch
    }

    /// So much time has passed in which it ran.
    pub fn pass(&mut self, time: Duration) {
        self.time += time;
    }

    /// When there is something to be seen; `None` as long as nothing has happened.
    pub fn deadline(&self) -> Option<Duration> {
        self.watch.has_news().then_some(self.due)
    }

    /// What is to be seen now, if there is anything.
    pub fn look_at(&mut self, now: Duration) -> Option<Seen> {
        self.deadline().filter(|due| *due <= now)?;
        self.due = now + PERIOD;
        Some(self.look())
    }

    fn look(&mut self) -> Seen {
        let view = self.watch.view();
        let played = view.played as usize;
        let ended = self.watch.lines(self.seen..played);
        // At the end some games may count no more.
        let has_changed = played != self.seen || view.stage != self.stage;
        let table = has_changed.then(|| self.watch.table());
        (self.seen, self.stage) = (played, view.stage.clone());
        Seen { view, table, under_way: self.watch.under_way(), ended, time: self.time }
    }
}
