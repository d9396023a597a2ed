//! What others see of a running tournament.

use super::{Fixture, GameLine, PlayedGame, Results, SprtVerdict, TournamentTable};
use crate::catalogue::GameEntry;
use crate::session::TimeControl;
use std::io::Write;
use std::ops::Range;
use std::os::unix::net::UnixStream;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// A running tournament as others see it: the threads that play write to it, and others read whenever they like.
/// Clones share their state.
#[derive(Clone, Debug)]
pub struct LiveTournament(Arc<Mutex<LiveState>>);

#[derive(Debug)]
struct LiveState {
    results: Results,
    finished: Vec<GameLine>,
    under_way: Vec<UnderWay>,
    view: TournamentStatus,
    bell: Option<UnixStream>,
    has_news: bool,
}

/// The state of a tournament: how many games were played, and whether it still runs.
#[derive(Clone, Debug)]
pub struct TournamentStatus {
    pub entry: &'static GameEntry,
    /// How many games are to be played.
    pub games: u64,
    /// How many were played, in this run and before.
    pub played: u64,
    /// How many were played in this run. The remaining time is estimated from these.
    pub played_now: u64,
    /// Whether it still runs.
    pub stage: Stage,
    /// What the sequential test says, where there is one.
    pub test: Option<SprtVerdict>,
}

/// Whether a tournament still runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stage {
    Running,
    /// All games were played, or the sequential test has ended it.
    Over,
    /// It could not go on, for this reason. The games played so far are kept.
    Failed(String),
}

/// A game that is being played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnderWay {
    /// Its number in the schedule.
    pub game: u64,
    /// The words of its setup.
    pub setup: String,
    /// The names of the players, that of the first seat first.
    pub players: Vec<String>,
    /// How many of the moves are the opening.
    pub opening: usize,
    pub moves: Vec<String>,
    /// How much time each seat had left after the last move; empty without a clock.
    pub left: Vec<Duration>,
    pub clock: Option<TimeControl>,
}

impl LiveState {
    fn ring(&self) {
        if let Some(mut bell) = self.bell.as_ref() {
            // If the pipe is full, it wakes the reader anyway.
            let _ = bell.write(&[0]);
        }
    }
}

impl LiveTournament {
    /// A tournament of this many games, with no results yet.
    pub fn new(entry: &'static GameEntry, results: Results, games: u64) -> LiveTournament {
        let stage = Stage::Running;
        let view = TournamentStatus { entry, games, played: 0, played_now: 0, stage, test: None };
        let (finished, under_way) = (Vec::new(), Vec::new());
        LiveTournament(Arc::new(Mutex::new(LiveState {
            results,
            finished,
            under_way,
            view,
            bell: None,
            has_news: false,
        })))
    }

    /// Writes a byte to `bell` at the first change after a call of [`view`](LiveTournament::view). Later changes write
    /// nothing until the next call.
    pub fn wake_by(&self, bell: UnixStream) {
        let mut state = self.state();
        state.bell = Some(bell);
        if state.has_news {
            state.ring();
        }
    }

    fn state(&self) -> MutexGuard<'_, LiveState> {
        // After a panic the state is still consistent: each change is complete in itself.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn change(&self, change: impl FnOnce(&mut LiveState)) {
        let mut state = self.state();
        change(&mut state);
        if !std::mem::replace(&mut state.has_news, true) {
            state.ring();
        }
    }

    pub fn begins(&self, game: UnderWay) {
        self.change(|state| state.under_way.push(game));
    }

    /// A move was played in a game.
    pub fn moved(&self, game: u64, mv: &str, left: Vec<Duration>) {
        self.change(|state| {
            if let Some(running) = state.under_way.iter_mut().find(|running| running.game == game) {
                running.moves.push(mv.to_owned());
                running.left = left;
            }
        });
    }

    /// A game has ended; `now` says that it was played in this run.
    pub fn ended(&self, line: GameLine, fixture: &Fixture, now: bool) {
        self.change(|state| {
            state.under_way.retain(|running| running.game != line.game);
            state.results.add(&PlayedGame::new(fixture, &line));
            state.finished.push(line);
            state.view.played += 1;
            state.view.played_now += u64::from(now);
        });
    }

    /// The sequential test has a new verdict.
    pub fn tested(&self, test: SprtVerdict) {
        self.change(|state| state.view.test = Some(test));
    }

    /// Replaces all games that have ended and their results: only these count, in this order.
    pub fn replace(&self, results: Results, finished: Vec<GameLine>) {
        self.change(|state| {
            state.view.played = finished.len() as u64;
            (state.results, state.finished) = (results, finished);
        });
    }

    /// The tournament has ended.
    pub fn stops(&self, stage: Stage) {
        self.change(|state| {
            state.view.stage = stage;
            state.under_way.clear();
        });
    }

    /// The present state. The next change rings the bell again.
    pub fn view(&self) -> TournamentStatus {
        let mut state = self.state();
        state.has_news = false;
        state.view.clone()
    }

    /// Whether something has changed since the last call of [`view`](LiveTournament::view).
    pub fn has_news(&self) -> bool {
        self.state().has_news
    }

    pub fn table(&self) -> TournamentTable {
        // Computed outside the lock, so that the threads that play do not wait.
        let (results, sprt) = {
            let state = self.state();
            (state.results.clone(), state.view.test)
        };
        TournamentTable { sprt, ..results.table() }
    }

    /// The games that are being played, the one that began first first.
    pub fn under_way(&self) -> Vec<UnderWay> {
        self.state().under_way.clone()
    }

    /// Some of the games that have ended, in the order in which they ended.
    pub fn lines(&self, range: Range<usize>) -> Vec<GameLine> {
        let state = self.state();
        let end = range.end.min(state.finished.len());
        state.finished.get(range.start..end).unwrap_or_default().to_vec()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::GAMES;
    use std::io::Read;

    #[test]
    fn the_bell_rings_once_until_somebody_looks() {
        let (mut heard, bell) = UnixStream::pair().unwrap();
        heard.set_nonblocking(true).unwrap();
        let mut rings = || heard.read(&mut [0; 16]).unwrap_or(0);
        let live = LiveTournament::new(&GAMES[0], Results::new(vec!["Ann".to_owned()], &[]), 5);
        assert!(!live.has_news());
        live.stops(Stage::Over);
        live.wake_by(bell);
        assert_eq!((rings(), live.has_news()), (1, true), "what came before is heard too");
        live.stops(Stage::Over);
        assert_eq!(rings(), 0);
        assert_eq!((live.view().stage, live.has_news()), (Stage::Over, false));
        live.stops(Stage::Running);
        assert_eq!(rings(), 1);
    }
}
