//! Stops and suspends a tournament from another thread.
#![allow(clippy::disallowed_methods, clippy::disallowed_types, reason = "waits for games to end")]

use quadrille_system::handle::Stream;
use quadrille_system::wait::{Source, wait_for};
use quadrille_table::play::program::Suspension;
use std::io;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::{Duration, Instant};

/// Stops or suspends a tournament. Clones share their state.
#[derive(Clone, Debug)]
pub struct Stop(Arc<StopState>);

#[derive(Debug)]
struct StopState {
    /// The end of a socket pair that all threads poll. It becomes readable when [`stop`](Stop::stop) closes the other
    /// end.
    waits: Stream,
    /// The other end of the socket pair; `None` once the tournament is stopped.
    rings: Mutex<Option<Stream>>,
    /// The playing time, which is paused while this process is suspended.
    time: Suspension,
    /// The running programs, which are suspended together with this process.
    programs: Mutex<Vec<Weak<Suspension>>>,
}

impl Stop {
    pub fn new() -> io::Result<Stop> {
        let (waits, rings) = Stream::pair()?;
        Ok(Stop(Arc::new(StopState {
            waits,
            rings: Mutex::new(Some(rings)),
            time: Suspension::default(),
            programs: Mutex::default(),
        })))
    }

    /// Stops the tournament. Games in progress are abandoned and replayed in the next run.
    pub fn stop(&self) {
        self.0.rings.lock().unwrap_or_else(PoisonError::into_inner).take();
    }

    pub fn is_stopped(&self) -> bool {
        self.0.rings.lock().unwrap_or_else(PoisonError::into_inner).is_none()
    }

    /// Must be called before the process is suspended. Pauses programs and the playing time until
    /// [`resume`](Stop::resume).
    pub fn suspend(&self) {
        self.0.time.suspend();
        self.each_program(Suspension::suspend);
    }

    /// Must be called when the process continues.
    pub fn resume(&self) {
        self.each_program(Suspension::resume);
        self.0.time.resume();
    }

    fn each_program(&self, act: impl Fn(&Suspension)) {
        let mut programs = self.0.programs.lock().unwrap_or_else(PoisonError::into_inner);
        programs.retain(|program| program.upgrade().inspect(|program| act(program)).is_some());
    }

    pub(super) fn add_program(&self, program: &Arc<Suspension>) {
        let mut programs = self.0.programs.lock().unwrap_or_else(PoisonError::into_inner);
        programs.retain(|program| program.strong_count() > 0);
        programs.push(Arc::downgrade(program));
    }

    pub(super) fn now(&self) -> Instant {
        self.0.time.now()
    }

    /// Returns a source that is ready when the tournament is stopped.
    pub(super) fn wakeups(&self) -> Source<'_> {
        Source::readable(&self.0.waits)
    }

    /// Waits until a wake-up arrives or the tournament is stopped, for at most this long.
    pub(super) fn wait(&self, wakeups: &Stream, most: Option<Duration>) {
        // Errors are harmless: the caller checks again and waits again.
        let _ = wait_for([Source::readable(wakeups), self.wakeups()].map(Some), most);
    }
}

/// The playing time of a game: the total time for which the players have been thinking.
pub(super) struct Stopwatch<'a> {
    stop: &'a Stop,
    before: Duration,
    since: Option<Instant>,
}

impl<'a> Stopwatch<'a> {
    pub fn new(stop: &'a Stop) -> Stopwatch<'a> {
        Stopwatch { stop, before: Duration::ZERO, since: None }
    }

    pub fn time(&self) -> Duration {
        let now = self.stop.now();
        self.before
            + self.since.map_or(Duration::ZERO, |since| now.saturating_duration_since(since))
    }

    /// Starts or stops the stopwatch.
    pub fn run(&mut self, runs: bool) {
        self.before = self.time();
        self.since = runs.then(|| self.stop.now());
    }
}
