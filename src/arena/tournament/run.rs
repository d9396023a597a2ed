//! Playing a tournament: threads that play its games, and the book in which they enter them.

use super::chair::Chairs;
use super::folder::{Folder, FolderError};
use super::game::{Broken, Finished, Forfeit, Table as Board};
use super::{
    Fixture, GameLine, Host, Played, Points, Results, Schedule, Shard, Sprt, Stage, Stop, Table,
    Watch,
};
use std::collections::BTreeMap;
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
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
#[derive(Clone, Debug)]
pub struct Outcome {
    /// Whether all was played, or the sequential test has ended it. Else the same goes on another time.
    pub is_over: bool,
    /// The table.
    pub table: Table,
    /// How many games had begun before the sequential test was over, and do not count.
    pub in_vain: usize,
    /// The programs that have lost at once, each with the file of what it wrote to its standard error.
    pub messages: BTreeMap<String, PathBuf>,
}

/// Hears of each game as it ends, with why a program has lost at once, if one has. The error ends the tournament.
pub type Tell<'t> = dyn Fn(&GameLine, Option<&Forfeit>) -> Result<(), String> + Sync + 't;

/// How many sets a tournament with a sequential test may be ahead of the one that the test waits for, for
/// each game at once. What is played beyond the end of the test is played in vain.
const AHEAD: u64 = 4;

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
    messages: BTreeMap<String, PathBuf>,
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
            messages: BTreeMap::new(),
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
    pub fn play(self, host: &Host, stop: &Stop, tell: &Tell<'_>) -> Result<Outcome, String> {
        let Tournament { schedule, shard, book } = self;
        let watch = book.watch.clone();
        let concurrency = schedule.plan().concurrency;
        let chairs = Chairs::new(concurrency);
        let board = Board { schedule: &schedule, chairs: &chairs, host, stop, watch: &watch };
        let (book, entered) = (Mutex::new(book), Condvar::new());
        let locked = || -> MutexGuard<'_, Book> {
            // A thread that panics ends all the others by it.
            book.lock().unwrap_or_else(PoisonError::into_inner)
        };
        let next = || {
            let mut book = locked();
            loop {
                match book.take_next(&schedule, shard, stop) {
                    Next::Game(fixture) => return Some(fixture),
                    Next::Nothing => return None,
                    // Who plays the game that is waited for wakes us, however that ends.
                    Next::Wait => {
                        book = entered.wait(book).unwrap_or_else(PoisonError::into_inner);
                    }
                }
            }
        };
        let play_on = || {
            let _others = Ends { stop, entered: &entered };
            while let Some(fixture) = next() {
                let finished = board.play(&fixture);
                let mut book = locked();
                let written = match finished {
                    Ok(finished) => book.write(&schedule, finished, tell),
                    Err(Broken::Stopped) => Ok(()),
                    Err(Broken::Failed(why)) => Err(why),
                };
                if let Err(why) = written {
                    book.failed.get_or_insert(why);
                }
                if book.is_over() {
                    stop.stop();
                }
                drop(book);
                entered.notify_all();
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

/// Ends all other threads where one panics: they would wait for its game.
struct Ends<'a> {
    stop: &'a Stop,
    entered: &'a Condvar,
}

impl Drop for Ends<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.stop.stop();
            self.entered.notify_all();
        }
    }
}

/// What is to be done next.
enum Next {
    Game(Fixture),
    /// It is too far ahead of what the sequential test waits for.
    Wait,
    Nothing,
}

impl Book {
    /// The next game that was not played, if there is one and nothing has ended it all.
    fn take_next(&mut self, schedule: &Schedule, shard: Shard, stop: &Stop) -> Next {
        if self.is_over() || stop.has_come() {
            return Next::Nothing;
        }
        let ahead = AHEAD * schedule.plan().concurrency as u64;
        while let Some(fixture) = schedule.fixture(self.next) {
            let is_open = self.line_of[fixture.game as usize - 1].is_none();
            if is_open && self.test.as_ref().is_some_and(|it| fixture.set > it.next + ahead) {
                return Next::Wait;
            }
            self.next += 1;
            if is_open && shard.has(&fixture) {
                return Next::Game(fixture);
            }
        }
        Next::Nothing
    }

    /// Whether no more games are played.
    fn is_over(&self) -> bool {
        self.failed.is_some() || self.test.as_ref().is_some_and(|test| test.last_set().is_some())
    }

    fn write(
        &mut self,
        schedule: &Schedule,
        finished: Finished,
        tell: &Tell<'_>,
    ) -> Result<(), String> {
        let Finished { line, record, forfeit } = finished;
        // What ends after the test has is no part of it.
        if self.is_over() {
            return Ok(());
        }
        let why = |error: FolderError| error.to_string();
        self.folder.write(&line, &record).map_err(why)?;
        tell(&line, forfeit.as_ref())?;
        if let (Some(Forfeit { messages: Some(path), .. }), Some(seat)) = (forfeit, line.by) {
            let name = line.players.get(usize::from(seat)).cloned().unwrap_or_default();
            self.messages.insert(name, path);
        }
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
    fn end(mut self, schedule: &Schedule, shard: Shard) -> Result<Outcome, String> {
        let last_set = self.test.as_ref().and_then(Test::last_set);
        let is_over = last_set.is_some() || u64::from(self.played) == shard.games(schedule);
        let why = |error: FolderError| error.to_string();
        let mut in_vain = 0;
        if is_over {
            let set = |line: &GameLine| schedule.fixture(line.game).map(|fixture| fixture.set);
            let counts = |line: &GameLine| last_set.is_none_or(|last| set(line) <= Some(last));
            let mut lines = self.watch.lines(0..self.played as usize);
            lines.retain(counts);
            in_vain = self.played as usize - lines.len();
            lines.sort_by_key(|line| line.game);
            self.folder.finish(&lines).map_err(why)?;
            self.watch.replace(results(schedule, &lines), lines);
        }
        let table = self.watch.table();
        self.folder.save(&table).map_err(why)?;
        match self.failed {
            Some(why) => Err(why),
            None => Ok(Outcome { is_over, table, in_vain, messages: self.messages }),
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
