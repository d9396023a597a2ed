//! Runs a tournament: several threads play the games, and one thread writes the finished games.
#![allow(clippy::disallowed_methods, clippy::disallowed_types, reason = "plays matches on threads")]

use super::folder::Folder;
use super::game::{Finished, GameRunner};
use super::player_pool::PlayerPool;
use super::{
    Contestant, Fixture, GameLine, LiveTournament, PlayedGame, Resources, Results, Schedule, Shard,
    Sprt, Stage, Stop, TournamentPlan, TournamentTable,
};
use quadrille_search::startable_threads;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// The minimum time between two writes of the table while games are running.
const BETWEEN_TABLES: Duration = Duration::from_secs(10);

/// A tournament that is ready to run: its schedule, the shard to play, and the folder with the games so far.
#[derive(Debug)]
pub struct Tournament {
    schedule: Schedule,
    shard: Shard,
    folder: Folder,
    state: RunState,
}

/// The outcome of a tournament run.
#[derive(Clone, Debug)]
pub struct RunOutcome {
    /// Whether all games have been played or the sequential test has decided. Otherwise, the next run continues.
    pub is_over: bool,
    pub table: TournamentTable,
    /// The number of games that could run concurrently, if fewer than requested.
    pub fewer_at_once: Option<usize>,
    /// The number of games played after the end of the sequential test. These games do not count and were removed.
    pub discarded: usize,
    /// For each program that forfeited, by name, the log of its standard error.
    pub messages: BTreeMap<String, PathBuf>,
}

/// Called with each game when it ends. An error ends the tournament.
pub type Tell<'t> = dyn FnMut(&GameLine) -> Result<(), String> + 't;

/// With a sequential test, no game starts more than this many sets (pairs of games with seats exchanged) times
/// `concurrency` after the set that the test is waiting for: games after the end of the test are wasted.
const AHEAD: u64 = 4;

/// The state shared by all threads: the games played so far, and the next game.
#[derive(Debug)]
struct RunState {
    /// Contains the lines of all finished games, in the order in which the games ended.
    live: LiveTournament,
    /// For each game of the schedule, the half points of the player who starts its set at the first seat; `None` if the
    /// game has not been played.
    halves: Vec<Option<u8>>,
    /// All games before this one have been started.
    next: u64,
    test: Option<Test>,
    failed: Option<String>,
}

/// The sequential test, which receives sets in schedule order.
#[derive(Debug)]
struct Test {
    sprt: Sprt,
    /// The set that the test is waiting for.
    next: u64,
}

impl Test {
    /// Returns the last set that counts, once the test has decided.
    fn last_set(&self) -> Option<u64> {
        self.sprt.verdict().accepted.and(self.next.checked_sub(1))
    }
}

impl Tournament {
    /// Opens the folder and reads the games already played. The schedule may extend the folder's schedule. The error is
    /// one sentence.
    pub fn open(schedule: Schedule, shard: Shard, path: &Path) -> Result<Tournament, String> {
        let plan = schedule.plan();
        let test = plan.sprt.map(Sprt::new).transpose()?.map(|sprt| Test { sprt, next: 0 });
        if test.is_some() && shard != Shard::WHOLE {
            return Err(
                "sprt needs the results in schedule order, so it cannot be split into parts; remove sprt or --shard"
                    .to_owned(),
            );
        }
        let (folder, schedule, lines) = Folder::open(path, schedule, shard, false)?;
        let plan = schedule.plan();
        let results = Results::new(plan.names(), schedule.kinds());
        let live = LiveTournament::new(plan.entry, results, shard.games(&schedule));
        let mut state = RunState {
            live,
            halves: vec![None; schedule.games() as usize],
            next: 1,
            test,
            failed: None,
        };
        for line in lines {
            state.enter(&schedule, line, false);
        }
        Ok(Tournament { schedule, shard, folder, state })
    }

    /// Returns the observable state of the tournament while it is running.
    pub fn live(&self) -> &LiveTournament {
        &self.state.live
    }

    /// Returns the total number of games and the number of games played.
    pub fn progress(&self) -> (u64, u64) {
        (self.shard.games(&self.schedule), self.state.played())
    }

    /// Plays the remaining games and calls `tell` when each one ends. If the tournament cannot continue, returns the
    /// reason as an error; games played until then are kept.
    ///
    /// The calling thread writes the games while other threads keep playing: writing a file may take longer than
    /// playing a game.
    pub fn play(
        self,
        resources: &Resources,
        stop: &Stop,
        tell: &mut Tell<'_>,
    ) -> Result<RunOutcome, String> {
        let Tournament { schedule, shard, folder, state } = self;
        let live = state.live.clone();
        let wanted = schedule.plan().concurrency;
        let wanted = wanted.min(shard.games(&schedule) as usize);
        let concurrency = at_once(schedule.plan(), wanted);
        let pool = PlayerPool::new(concurrency);
        let runner = GameRunner { schedule: &schedule, pool: &pool, resources, stop, live: &live };
        let (state, entered) = (Mutex::new(state), Condvar::new());
        let locked = || -> MutexGuard<'_, RunState> {
            // If a thread panics, `StopOnPanic` stops the others.
            state.lock().unwrap_or_else(PoisonError::into_inner)
        };
        let next = || {
            let mut state = locked();
            loop {
                match state.take_next(&schedule, shard, stop) {
                    NextGame::Game(fixture) => return Some(fixture),
                    NextGame::Nothing => return None,
                    // The thread that finishes the awaited game wakes the waiting threads, however the game ends.
                    NextGame::Wait => {
                        state = entered.wait(state).unwrap_or_else(PoisonError::into_inner);
                    }
                }
            }
        };
        let play_on = |ended: SyncSender<_>| {
            let _guard = StopOnPanic { stop, entered: &entered };
            while let Some(fixture) = next()
                && ended.send(runner.play(&fixture)).is_ok()
            {}
        };
        let mut writer = GameWriter { folder, saved: Instant::now(), messages: BTreeMap::new() };
        let mut fewer_at_once = None;
        thread::scope(|scope| {
            let _guard = StopOnPanic { stop, entered: &entered };
            let (sender, games) = sync_channel(concurrency);
            let start = || {
                let (play_on, ended) = (&play_on, sender.clone());
                thread::Builder::new().spawn_scoped(scope, move || play_on(ended))
            };
            let started: Vec<_> = (0..concurrency)
                .map_while(|number| match start() {
                    Ok(thread) => Some(thread),
                    Err(why) => {
                        if number == 0 {
                            locked().failed = Some(format!("cannot start a game thread: {why}"));
                        }
                        None
                    }
                })
                .collect();
            fewer_at_once = (started.len() < wanted).then_some(started.len());
            drop(sender);
            for game in games {
                let ends_early = locked().ends_early();
                let done = match game {
                    // A game that ends after the test has decided does not count.
                    _ if ends_early => Ok(()),
                    // The tournament was stopped.
                    Ok(None) => Ok(()),
                    Err(why) => Err(why),
                    Ok(Some(game)) => writer.write(game, tell).and_then(|line| {
                        locked().enter(&schedule, line, true);
                        writer.save_if_due(&live)
                    }),
                };
                let mut state = locked();
                state.failed = state.failed.take().or(done.err());
                if state.ends_early() {
                    stop.stop();
                }
                drop(state);
                entered.notify_all();
            }
        });
        drop(pool);
        let done = state.into_inner().unwrap_or_else(PoisonError::into_inner);
        let ended = done.end(&schedule, shard, writer);
        let ended = ended.map(|outcome| RunOutcome { fewer_at_once, ..outcome });
        live.stops(match &ended {
            Ok(_) => Stage::Over,
            Err(why) => Stage::Failed(why.clone()),
        });
        ended
    }
}

/// Returns how many of the `wanted` games can run concurrently. Each game needs its own thread and, for each player, an
/// engine thread or a program with its supervisor.
fn at_once(plan: &TournamentPlan, wanted: usize) -> usize {
    let seats = plan.setups.iter().map(|setup| usize::from(setup.seats)).max().unwrap_or_default();
    let of = |player: &Contestant| if player.player.program().is_some() { 2 } else { 1 };
    let each = 1 + seats * plan.players.iter().map(of).max().unwrap_or_default();
    // If there is not even space for one game, the tournament itself reports the error.
    (startable_threads(wanted * each) / each).clamp(1, wanted.max(1))
}

/// Stops all other threads if one panics: otherwise, they would wait for its game forever.
struct StopOnPanic<'a> {
    stop: &'a Stop,
    entered: &'a Condvar,
}

impl Drop for StopOnPanic<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.stop.stop();
            self.entered.notify_all();
        }
    }
}

/// Writes games to the folder when they end.
struct GameWriter {
    folder: Folder,
    /// The time when the table was last written.
    saved: Instant,
    messages: BTreeMap<String, PathBuf>,
}

impl GameWriter {
    /// Writes a game and reports it. Returns its line.
    fn write(&mut self, game: Finished, tell: &mut Tell<'_>) -> Result<GameLine, String> {
        let Finished { line, record, messages } = game;
        self.folder.write(&line, &record)?;
        tell(&line)?;
        if let (Some(path), Some(seat)) = (messages, line.by) {
            let name = line.players.get(usize::from(seat)).cloned().unwrap_or_default();
            self.messages.insert(name, path);
        }
        Ok(line)
    }

    /// Writes the table if the last write was long enough ago.
    fn save_if_due(&mut self, live: &LiveTournament) -> Result<(), String> {
        if self.saved.elapsed() >= BETWEEN_TABLES {
            self.folder.save(&live.table())?;
            self.saved = Instant::now();
        }
        Ok(())
    }
}

/// What a thread should do next.
enum NextGame {
    Game(Fixture),
    /// Wait: the next game is too far ahead of the set that the sequential test is waiting for.
    Wait,
    Nothing,
}

impl RunState {
    /// Takes the next game to play, if there is one and the tournament has not ended.
    fn take_next(&mut self, schedule: &Schedule, shard: Shard, stop: &Stop) -> NextGame {
        if self.ends_early() || stop.is_stopped() {
            return NextGame::Nothing;
        }
        let ahead = AHEAD * schedule.plan().concurrency as u64;
        while let Some(fixture) = schedule.fixture(self.next) {
            let is_open = self.halves[fixture.game as usize - 1].is_none();
            if is_open && self.test.as_ref().is_some_and(|test| fixture.set > test.next + ahead) {
                return NextGame::Wait;
            }
            self.next += 1;
            if is_open && shard.has(&fixture) {
                return NextGame::Game(fixture);
            }
        }
        NextGame::Nothing
    }

    /// Returns whether the tournament ends before all games are played: an error occurred or the test has decided.
    fn ends_early(&self) -> bool {
        self.failed.is_some() || self.test.as_ref().is_some_and(|test| test.last_set().is_some())
    }

    /// Returns the number of games played, in this run and earlier runs.
    fn played(&self) -> u64 {
        self.halves.iter().flatten().count() as u64
    }

    /// Adds a finished game, and passes complete sets to the test in schedule order.
    fn enter(&mut self, schedule: &Schedule, line: GameLine, now: bool) {
        let Some(fixture) = schedule.fixture(line.game) else { return };
        let first = schedule.games_of_set(fixture.set).map_or(line.game, |(first, _)| first);
        let points = line.points.get((line.game - first) as usize);
        self.halves[line.game as usize - 1] = points.map(|points| points.halves as u8);
        self.live.ended(line, &fixture, now);
        let Some(test) = &mut self.test else { return };
        let halves = |game: u64| Some(u64::from((*self.halves.get(game as usize - 1)?)?));
        while test.last_set().is_none()
            && let Some((game, _)) = schedule.games_of_set(test.next)
            && let (Some(first), Some(second)) = (halves(game), halves(game + 1))
        {
            test.sprt.add(first + second);
            test.next += 1;
        }
        self.live.tested(test.sprt.verdict());
    }

    /// Writes the table. If the tournament is over, also sorts the games in schedule order and removes those after the
    /// end of the test.
    fn end(
        self,
        schedule: &Schedule,
        shard: Shard,
        writer: GameWriter,
    ) -> Result<RunOutcome, String> {
        let GameWriter { mut folder, messages, .. } = writer;
        let last_set = self.test.as_ref().and_then(Test::last_set);
        let is_over = last_set.is_some() || self.played() == shard.games(schedule);
        let mut discarded = 0;
        if is_over {
            let set = |line: &GameLine| schedule.fixture(line.game).map(|fixture| fixture.set);
            let counts = |line: &GameLine| last_set.is_none_or(|last| set(line) <= Some(last));
            let mut lines = self.live.lines(0..usize::MAX);
            let played = lines.len();
            lines.retain(|line| counts(line));
            discarded = played - lines.len();
            lines.sort_by_key(|line| line.game);
            folder.finish(lines.iter().map(Arc::as_ref))?;
            let results = results(schedule, lines.iter().map(Arc::as_ref));
            self.live.replace(results, lines);
        }
        let table = self.live.table();
        folder.save(&table)?;
        match self.failed {
            Some(why) => Err(why),
            None => Ok(RunOutcome { is_over, table, fewer_at_once: None, discarded, messages }),
        }
    }
}

/// Counts the results of these games.
pub(super) fn results<'l>(
    schedule: &Schedule,
    lines: impl IntoIterator<Item = &'l GameLine>,
) -> Results {
    let mut results = Results::new(schedule.plan().names(), schedule.kinds());
    for line in lines {
        if let Some(fixture) = schedule.fixture(line.game) {
            results.add(&PlayedGame::new(&fixture, line));
        }
    }
    results
}

#[cfg(test)]
mod tests {
    use super::super::{Ending, Points, read};
    use super::*;
    use quadrille_text::toml_file::Source;
    use std::sync::Arc;

    fn schedule(lines: &str) -> Schedule {
        let text = format!(
            "game = \"tic-tac-toe\"\nsetups = [\"\"]\nrounds = 100\nout = \"results\"\n{lines}\n\
             players = [{{ engine = \"casual\" }}, {{ engine = \"beginner\" }}]\n"
        );
        let plan = read(Source { file: "t.toml", text: &text }, &|_, _| Ok(())).unwrap();
        Schedule::new(Arc::new(plan)).unwrap()
    }

    /// Returns the line of a game that this player wins.
    fn won_by(schedule: &Schedule, game: u64, winner: usize) -> GameLine {
        let players = schedule.fixture(game).unwrap().players;
        let halves = |player: &usize| if *player == winner { 2 } else { 0 };
        GameLine {
            game,
            setup: String::new(),
            opening: Vec::new(),
            players: players.iter().map(|&at| schedule.plan().players[at].name.clone()).collect(),
            points: players.iter().map(|player| Points { halves: halves(player) }).collect(),
            scores: None,
            termination: Ending::Rules,
            by: None,
            detail: None,
            plies: 5,
            levels: None,
            record: format!("games/{game:04}.game"),
        }
    }

    /// The test gets the sets in schedule order, in whatever order the games end, and the set that decides it counts.
    #[test]
    fn sequential_test_ends_with_the_deciding_set() {
        let schedule = schedule("sprt = { elo0 = 0, elo1 = 100 }");
        let mut sprt = Sprt::new(schedule.plan().sprt.unwrap()).unwrap();
        // The second player wins the first set, and the first player all others.
        let winner = |set: u64| usize::from(set == 0);
        let halves = |set| if winner(set) == 0 { 4 } else { 0 };
        let deciding = (0..100).find(|&set| sprt.add(halves(set)).accepted.is_some()).unwrap();
        assert!(deciding > 2, "{deciding}");
        let folder = tempfile::tempdir().unwrap();
        let opened = Tournament::open(schedule, Shard::WHOLE, folder.path()).unwrap();
        let Tournament { schedule, shard, folder, mut state } = opened;
        let live = state.live.clone();
        for set in (0..=deciding + 2).rev() {
            assert!(!state.ends_early(), "the first set is missing");
            let (first, games) = schedule.games_of_set(set).unwrap();
            for game in (first..first + u64::from(games)).rev() {
                let line = won_by(&schedule, game, winner(set));
                state.enter(&schedule, line, true);
            }
        }
        assert!(state.ends_early());
        let writer = GameWriter { folder, saved: Instant::now(), messages: BTreeMap::new() };
        let outcome = state.end(&schedule, shard, writer).unwrap();
        assert_eq!((outcome.is_over, outcome.discarded), (true, 4));
        let games = live.lines(0..usize::MAX).iter().map(|line| line.game).collect::<Vec<_>>();
        assert!(games.into_iter().eq(1..=2 * (deciding + 1)));
        assert_eq!(outcome.table.sprt, Some(sprt.verdict()));
    }
}
