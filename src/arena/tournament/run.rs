//! Playing a tournament: threads that play its games, and the book in which they enter them.

use super::chair::Chairs;
use super::folder::{Folder, FolderError};
use super::game::{Broken, Finished, Table as Board};
use super::{
    Fixture, GameLine, Host, Played, Points, Results, Schedule, Shard, Sprt, Stage, Stop, Table,
    Watch,
};
use std::num::NonZeroU32;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// How often the table is written while games are played.
const BETWEEN_TABLES: Duration = Duration::from_secs(10);

/// A tournament that can be played: its schedule, the part of it, and the folder with what was played before.
#[derive(Debug)]
pub struct Tournament {
    schedule: Schedule,
    shard: Shard,
    book: Book,
}

/// How playing came to an end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// All was played, or the sequential test has ended it.
    Over,
    /// It was told to stop. The same goes on another time.
    Stopped,
}

/// What was played, and what is next.
#[derive(Debug)]
struct Book {
    folder: Folder,
    /// Has the lines of all games, in the order in which they ended.
    watch: Watch,
    /// How many there are.
    played: u32,
    /// For each game, its line, counted from 1.
    line_of: Vec<Option<NonZeroU32>>,
    /// Where to look for the next game.
    next: u64,
    test: Option<Test>,
    saved: Instant,
    failed: Option<String>,
}

/// The sequential test, which looks at the sets in the order of the schedule.
#[derive(Debug)]
struct Test {
    sprt: Sprt,
    /// The set it looks at next.
    next: u64,
}

impl Test {
    /// The last set that counts, once it is decided.
    fn last_set(&self) -> Option<u64> {
        self.sprt.verdict().accepted.and(self.next.checked_sub(1))
    }
}

impl Tournament {
    /// Opens the folder, with what was played before. The error is one sentence.
    pub fn open(schedule: Schedule, shard: Shard, path: &Path) -> Result<Tournament, String> {
        let plan = schedule.plan();
        let test = plan.sprt.map(Sprt::new).transpose()?.map(|sprt| Test { sprt, next: 0 });
        if test.is_some() && shard != Shard::WHOLE {
            return Err(
                "sprt looks at results in the order of the schedule, so it cannot be played in \
                        parts; leave out sprt or --shard"
                    .to_owned(),
            );
        }
        let (folder, lines) =
            Folder::open(path, &schedule, shard).map_err(|why| why.to_string())?;
        let watch = Watch::new(plan.entry, plan.names(), shard.games(&schedule));
        let mut book = Book {
            folder,
            watch,
            played: 0,
            line_of: vec![None; schedule.games() as usize],
            next: 1,
            test,
            saved: Instant::now(),
            failed: None,
        };
        for line in lines {
            book.enter(&schedule, line, false);
        }
        book.look_at_sets(&schedule);
        Ok(Tournament { schedule, shard, book })
    }

    /// What is to be seen of it.
    pub fn watch(&self) -> &Watch {
        &self.book.watch
    }

    /// How many games are to be played, and how many have been.
    pub fn progress(&self) -> (u64, u64) {
        (self.shard.games(&self.schedule), self.book.played.into())
    }

    /// Plays what is left, and tells the line of each game as it ends. The error is why it cannot go on; what was
    /// played is kept.
    pub fn play(
        self,
        host: &Host,
        stop: &Stop,
        tell: &(dyn Fn(&GameLine) -> Result<(), String> + Sync),
    ) -> Result<(Outcome, Table), String> {
        let Tournament { schedule, shard, book } = self;
        let watch = book.watch.clone();
        let concurrency = schedule.plan().concurrency;
        let chairs = Chairs::new(concurrency);
        let board = Board { schedule: &schedule, chairs: &chairs, host, stop, watch: &watch };
        let book = Mutex::new(book);
        let locked = || -> MutexGuard<'_, Book> {
            // A thread that panics ends all the others by it.
            book.lock().unwrap_or_else(PoisonError::into_inner)
        };
        let play_on = || {
            loop {
                let Some(fixture) = locked().take_next(&schedule, shard, stop) else { return };
                let finished = board.play(&fixture);
                let mut book = locked();
                let entered = match finished {
                    Ok(finished) => book.write(&schedule, finished, tell),
                    Err(Broken::Stopped) => return,
                    Err(Broken::Failed(why)) => Err(why),
                };
                if let Err(why) = entered {
                    book.failed.get_or_insert(why);
                }
                if book.is_over() {
                    stop.stop();
                }
            }
        };
        thread::scope(|scope| {
            for number in 0..concurrency as u64 {
                if number < shard.games(&schedule) {
                    scope.spawn(play_on);
                }
            }
        });
        drop(chairs);
        let done = book.into_inner().unwrap_or_else(PoisonError::into_inner);
        let ended = done.end(&schedule, shard);
        watch.stops(match &ended {
            Ok(_) => Stage::Over,
            Err(why) => Stage::Failed(why.clone()),
        });
        ended
    }
}

impl Book {
    /// The next game that was not played, if there is one and nothing has ended it all.
    fn take_next(&mut self, schedule: &Schedule, shard: Shard, stop: &Stop) -> Option<Fixture> {
        if self.is_over() || stop.has_come() {
            return None;
        }
        loop {
            let fixture = schedule.fixture(self.next)?;
            self.next += 1;
            if shard.has(&fixture) && self.line_of[fixture.game as usize - 1].is_none() {
                return Some(fixture);
            }
        }
    }

    /// Whether no more games are played.
    fn is_over(&self) -> bool {
        self.failed.is_some() || self.test.as_ref().is_some_and(|test| test.last_set().is_some())
    }

    fn write(
        &mut self,
        schedule: &Schedule,
        finished: Finished,
        tell: &dyn Fn(&GameLine) -> Result<(), String>,
    ) -> Result<(), String> {
        let Finished { line, record } = finished;
        // What ends after the test has is no part of it.
        if self.is_over() {
            return Ok(());
        }
        let why = |error: FolderError| error.to_string();
        self.folder.write(&line, &record).map_err(why)?;
        tell(&line)?;
        self.enter(schedule, line, true);
        self.look_at_sets(schedule);
        if self.saved.elapsed() >= BETWEEN_TABLES {
            self.folder.save(&self.watch.table()).map_err(why)?;
            self.saved = Instant::now();
        }
        Ok(())
    }

    fn enter(&mut self, schedule: &Schedule, line: GameLine, now: bool) {
        let Some(fixture) = schedule.fixture(line.game) else { return };
        self.played += 1;
        self.line_of[fixture.game as usize - 1] = NonZeroU32::new(self.played);
        self.watch.ended(line, fixture.set, &fixture.players, now);
    }

    /// What somebody got in a game, if it has ended.
    fn points(&self, game: u64, seat: usize) -> Option<Points> {
        let line = (*self.line_of.get(game as usize - 1)?)?.get() as usize;
        self.watch.lines(line - 1..line).first()?.points.get(seat).copied()
    }

    /// Shows the test all sets that come next in the schedule and are whole.
    fn look_at_sets(&mut self, schedule: &Schedule) {
        let Some(mut test) = self.test.take() else { return };
        while test.last_set().is_none()
            && let Some((game, _)) = schedule.games_of_set(test.next)
            && let (Some(first), Some(second)) = (self.points(game, 0), self.points(game + 1, 1))
        {
            test.sprt.add([first, second]);
            test.next += 1;
        }
        self.watch.tested(test.sprt.verdict());
        self.test = Some(test);
    }

    /// Puts the games in the order of the schedule if there are no more, and writes the table.
    fn end(mut self, schedule: &Schedule, shard: Shard) -> Result<(Outcome, Table), String> {
        let last_set = self.test.as_ref().and_then(Test::last_set);
        let is_over = last_set.is_some() || u64::from(self.played) == shard.games(schedule);
        let why = |error: FolderError| error.to_string();
        if is_over {
            let set = |line: &GameLine| schedule.fixture(line.game).map(|fixture| fixture.set);
            let counts = |line: &GameLine| last_set.is_none_or(|last| set(line) <= Some(last));
            let mut lines = self.watch.lines(0..self.played as usize);
            lines.retain(counts);
            lines.sort_by_key(|line| line.game);
            self.folder.finish(&lines).map_err(why)?;
            self.watch.replace(results(schedule, &lines), lines);
        }
        let table = self.watch.table();
        self.folder.save(&table).map_err(why)?;
        match self.failed {
            Some(why) => Err(why),
            None if is_over => Ok((Outcome::Over, table)),
            None => Ok((Outcome::Stopped, table)),
        }
    }
}

/// The results of these games.
pub(super) fn results<'l>(
    schedule: &Schedule,
    lines: impl IntoIterator<Item = &'l GameLine>,
) -> Results {
    let mut results = Results::new(schedule.plan().names());
    for line in lines {
        if let Some(fixture) = schedule.fixture(line.game) {
            results.add(&Played::new(fixture.set, &fixture.players, line));
        }
    }
    results
}
