//! The observable state of a running tournament.

use super::{Fixture, GameLine, PlayedGame, Results, SprtVerdict, TournamentTable};
use quadrille_match::session::FischerClock;
use quadrille_system::handle::Stream;
use quadrille_table::catalogue::GameEntry;
use std::io::Write;
use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// A handle to the state of a running tournament; clones share the state. The game threads write it, and observers can
/// read it at any time.
#[derive(Clone, Debug)]
pub struct LiveTournament(Arc<Mutex<LiveState>>);

#[derive(Debug)]
struct LiveState {
    results: Results,
    finished: Vec<Arc<GameLine>>,
    under_way: Vec<UnderWay>,
    view: TournamentStatus,
    waker: Option<Stream>,
    has_news: bool,
}

/// The progress of a tournament.
#[derive(Clone, Debug)]
pub struct TournamentStatus {
    pub entry: &'static GameEntry,
    /// The total number of games.
    pub games: u64,
    /// The number of games played, in this run and earlier runs.
    pub played: u64,
    /// The number of games played in this run, used to estimate the remaining time.
    pub played_now: u64,
    pub stage: Stage,
    /// The verdict of the sequential test, if the tournament uses one.
    pub test: Option<SprtVerdict>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stage {
    Running,
    /// All games have been played, or the sequential test has ended the tournament.
    Over,
    /// The reason why the tournament stopped early. Games played so far are kept.
    Failed(String),
}

/// A game in progress.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnderWay {
    /// The game's number in the schedule.
    pub game: u64,
    pub setup: String,
    /// The player names, in seat order.
    pub players: Vec<String>,
    /// The number of opening moves.
    pub opening: usize,
    pub moves: Vec<String>,
    /// The remaining time of each seat after the last move; empty without clocks.
    pub left: Vec<Duration>,
    pub clock: Option<FischerClock>,
}

impl LiveState {
    fn wake(&self) {
        if let Some(mut waker) = self.waker.as_ref() {
            // If the socket buffer is full, a wake-up is already pending.
            let _ = waker.write(&[0]);
        }
    }
}

impl LiveTournament {
    pub fn new(entry: &'static GameEntry, results: Results, games: u64) -> LiveTournament {
        let stage = Stage::Running;
        let view = TournamentStatus { entry, games, played: 0, played_now: 0, stage, test: None };
        let (finished, under_way) = (Vec::new(), Vec::new());
        LiveTournament(Arc::new(Mutex::new(LiveState {
            results,
            finished,
            under_way,
            view,
            waker: None,
            has_news: false,
        })))
    }

    /// Registers a socket that receives one byte on the first change after each call to [`view`](LiveTournament::view).
    pub fn wake_by(&self, waker: Stream) {
        let mut state = self.state();
        state.waker = Some(waker);
        if state.has_news {
            state.wake();
        }
    }

    fn state(&self) -> MutexGuard<'_, LiveState> {
        // The state is consistent even after a panic, since each change is made in a single step.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn change(&self, change: impl FnOnce(&mut LiveState)) {
        let mut state = self.state();
        change(&mut state);
        if !std::mem::replace(&mut state.has_news, true) {
            state.wake();
        }
    }

    pub fn begins(&self, game: UnderWay) {
        self.change(|state| state.under_way.push(game));
    }

    pub fn moved(&self, game: u64, mv: &str, left: Vec<Duration>) {
        self.change(|state| {
            if let Some(running) = state.under_way.iter_mut().find(|running| running.game == game) {
                running.moves.push(mv.to_owned());
                running.left = left;
            }
        });
    }

    /// Records the end of a game. `now` tells whether the game was played in this run.
    pub fn ended(&self, line: GameLine, fixture: &Fixture, now: bool) {
        self.change(|state| {
            state.under_way.retain(|running| running.game != line.game);
            state.results.add(&PlayedGame::new(fixture, &line));
            state.finished.push(Arc::new(line));
            state.view.played += 1;
            state.view.played_now += u64::from(now);
        });
    }

    pub fn tested(&self, test: SprtVerdict) {
        self.change(|state| state.view.test = Some(test));
    }

    /// Replaces all finished games and the results.
    pub fn replace(&self, results: Results, finished: Vec<Arc<GameLine>>) {
        self.change(|state| {
            state.view.played = finished.len() as u64;
            (state.results, state.finished) = (results, finished);
        });
    }

    pub fn stops(&self, stage: Stage) {
        self.change(|state| {
            state.view.stage = stage;
            state.under_way.clear();
        });
    }

    /// Returns the current status and re-arms the waker for the next change.
    pub fn view(&self) -> TournamentStatus {
        let mut state = self.state();
        state.has_news = false;
        state.view.clone()
    }

    /// Returns whether the state has changed since the last call to [`view`](LiveTournament::view).
    pub fn has_news(&self) -> bool {
        self.state().has_news
    }

    pub fn table(&self) -> TournamentTable {
        // Computed outside the lock, so that game threads are not blocked.
        let (results, sprt) = {
            let state = self.state();
            (state.results.clone(), state.view.test)
        };
        TournamentTable { sprt, ..results.table() }
    }

    /// Returns the games in progress, in the order in which they started.
    pub fn under_way(&self) -> Vec<UnderWay> {
        self.state().under_way.clone()
    }

    /// Returns a range of the finished games, in the order in which they ended.
    pub fn lines(&self, range: Range<usize>) -> Vec<Arc<GameLine>> {
        let state = self.state();
        let end = range.end.min(state.finished.len());
        state.finished.get(range.start..end).unwrap_or_default().to_vec()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quadrille_table::catalogue::GAMES;
    use std::io::Read;

    #[test]
    fn bell_rings_once_until_viewed() {
        let (mut heard, waker) = Stream::pair().unwrap();
        heard.set_nonblocking(true).unwrap();
        let mut rings = || heard.read(&mut [0; 16]).unwrap_or(0);
        let live = LiveTournament::new(&GAMES[0], Results::new(vec!["Ann".to_owned()], &[]), 5);
        assert!(!live.has_news());
        live.stops(Stage::Over);
        live.wake_by(waker);
        assert_eq!((rings(), live.has_news()), (1, true), "what came before is heard too");
        live.stops(Stage::Over);
        assert_eq!(rings(), 0);
        assert_eq!((live.view().stage, live.has_news()), (Stage::Over, false));
        live.stops(Stage::Running);
        assert_eq!(rings(), 1);
    }
}
