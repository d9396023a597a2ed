//! The games of a tournament that were played and are being played, for those who play and those who look on.

use super::{GameLine, Played, Results, Table, Verdict};
use crate::catalogue::Entry;
use crate::session::TimeControl;
use std::io::Write;
use std::ops::Range;
use std::os::unix::net::UnixStream;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// A running tournament, to look at: the threads that play tell it what happens, and others look whenever they
/// like. It is cheap to copy, and all copies are the same.
#[derive(Clone, Debug)]
pub struct Watch(Arc<Mutex<State>>);

#[derive(Debug)]
struct State {
    results: Results,
    finished: Vec<GameLine>,
    under_way: Vec<UnderWay>,
    view: View,
    bell: Option<UnixStream>,
    has_news: bool,
}

/// How a tournament stands.
#[derive(Clone, Debug)]
pub struct View {
    /// Its game.
    pub entry: &'static Entry,
    /// How many games are to be played.
    pub games: u64,
    /// How many have been, in this run and before.
    pub played: u64,
    /// How many of these were played in this run: what is left takes time as they did.
    pub played_now: u64,
    /// Whether it still runs.
    pub stage: Stage,
    /// What the sequential test says, where there is one.
    pub test: Option<Verdict>,
}

/// Whether a tournament still runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Games are played.
    Running,
    /// All games were played, or the sequential test has ended it.
    Over,
    /// It cannot go on, for this reason. What was played is kept.
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
    /// How many of the moves are its opening.
    pub opening: usize,
    /// The moves so far.
    pub moves: Vec<String>,
    /// What each seat had left when the last move was played, where there is a clock.
    pub left: Vec<Duration>,
    /// The clock, if there is one.
    pub clock: Option<TimeControl>,
}

impl State {
    fn ring(&self) {
        if let Some(mut bell) = self.bell.as_ref() {
            // A full pipe wakes as well as one byte more.
            let _ = bell.write(&[0]);
        }
    }
}

impl Watch {
    /// A tournament of which nothing is known yet but who plays and how much.
    pub fn new(entry: &'static Entry, names: Vec<String>, games: u64) -> Watch {
        let stage = Stage::Running;
        let view = View { entry, games, played: 0, played_now: 0, stage, test: None };
        let (finished, under_way) = (Vec::new(), Vec::new());
        let results = Results::new(names);
        Watch(Arc::new(Mutex::new(State {
            results,
            finished,
            under_way,
            view,
            bell: None,
            has_news: false,
        })))
    }

    /// Has this written to when something has changed since [`view`](Watch::view) was asked last, and not
    /// again until it is asked.
    pub fn ring(&self, bell: UnixStream) {
        let mut state = self.state();
        state.bell = Some(bell);
        if state.has_news {
            state.ring();
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // Each change is whole by itself.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn change(&self, change: impl FnOnce(&mut State)) {
        let mut state = self.state();
        change(&mut state);
        if !std::mem::replace(&mut state.has_news, true) {
            state.ring();
        }
    }

    /// A game begins.
    pub fn begins(&self, game: UnderWay) {
        self.change(|state| state.under_way.push(game));
    }

    /// A move was played in a game.
    pub fn moved(&self, game: u64, mv: &str, left: Vec<Duration>) {
        self.change(|state| {
            if let Some(it) = state.under_way.iter_mut().find(|it| it.game == game) {
                it.moves.push(mv.to_owned());
                it.left = left;
            }
        });
    }

    /// A game has ended, of this set and with these players, by their index. `now` where it was played in this run.
    pub fn ended(&self, line: GameLine, set: u64, players: &[usize], now: bool) {
        self.change(|state| {
            state.under_way.retain(|it| it.game != line.game);
            state.results.add(&Played::new(set, players, &line));
            state.finished.push(line);
            state.view.played += 1;
            state.view.played_now += u64::from(now);
        });
    }

    /// The sequential test says this.
    pub fn tested(&self, test: Verdict) {
        self.change(|state| state.view.test = Some(test));
    }

    /// These games alone count, with these results, in this order.
    pub fn replace(&self, results: Results, finished: Vec<GameLine>) {
        self.change(|state| {
            state.view.played = finished.len() as u64;
            (state.results, state.finished) = (results, finished);
        });
    }

    /// It has come to an end.
    pub fn stops(&self, stage: Stage) {
        self.change(|state| {
            state.view.stage = stage;
            state.under_way.clear();
        });
    }

    /// How it stands.
    pub fn view(&self) -> View {
        let mut state = self.state();
        state.has_news = false;
        state.view.clone()
    }

    /// Whether something has changed since [`view`](Watch::view) was asked last.
    pub fn has_news(&self) -> bool {
        self.state().has_news
    }

    /// The table as it stands.
    pub fn table(&self) -> Table {
        // Who plays does not wait for it.
        let (results, sprt) = {
            let state = self.state();
            (state.results.clone(), state.view.test)
        };
        Table { sprt, ..results.table() }
    }

    /// The games that are being played, in the order in which they began.
    pub fn under_way(&self) -> Vec<UnderWay> {
        self.state().under_way.clone()
    }

    /// These of the games that have ended, in the order in which they did.
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
        let watch = Watch::new(&GAMES[0], vec!["Ann".to_owned()], 5);
        assert!(!watch.has_news());
        watch.stops(Stage::Over);
        watch.ring(bell);
        assert_eq!((rings(), watch.has_news()), (1, true), "what came before is heard too");
        watch.stops(Stage::Over);
        assert_eq!(rings(), 0);
        assert_eq!((watch.view().stage, watch.has_news()), (Stage::Over, false));
        watch.stops(Stage::Running);
        assert_eq!(rings(), 1);
    }
}
