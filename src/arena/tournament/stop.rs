//! Stopping and suspending a tournament from another thread.

use crate::play::program::{Suspension, wait_for};
use rustix::event::PollFlags;
use std::io;
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::net::UnixStream;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::{Duration, Instant};

/// Stops a tournament, or suspends it for a while. Clones share their state.
#[derive(Clone, Debug)]
pub struct Stop(Arc<StopState>);

#[derive(Debug)]
struct StopState {
    /// All threads poll this end. It becomes readable when the other end is closed, which is what
    /// [`stop`](Stop::stop) does.
    waits: UnixStream,
    /// The other end, until it is stopped.
    rings: Mutex<Option<UnixStream>>,
    /// The time of play, which stands still while this process is suspended.
    time: Suspension,
    /// The running programs, which are suspended with this process.
    programs: Mutex<Vec<Weak<Suspension>>>,
}

impl Stop {
    pub fn new() -> io::Result<Stop> {
        let (waits, rings) = UnixStream::pair()?;
        Ok(Stop(Arc::new(StopState {
            waits,
            rings: Mutex::new(Some(rings)),
            time: Suspension::default(),
            programs: Mutex::default(),
        })))
    }

    /// Stops the tournament. Games in progress are abandoned and restarted in the next run.
    pub fn stop(&self) {
        self.0.rings.lock().unwrap_or_else(PoisonError::into_inner).take();
    }

    pub fn is_stopped(&self) -> bool {
        self.0.rings.lock().unwrap_or_else(PoisonError::into_inner).is_none()
    }

    /// Call this before the process is suspended. Programs are stopped and no time of play passes until
    /// [`resume`](Stop::resume).
    pub fn suspend(&self) {
        self.0.time.suspend();
        self.each_program(Suspension::suspend);
    }

    /// Call this when the process continues.
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

    /// Becomes readable when the tournament is stopped.
    pub(super) fn bell(&self) -> BorrowedFd<'_> {
        self.0.waits.as_fd()
    }

    /// Sleeps until the bell rings or the tournament is stopped, but no longer than this.
    pub(super) fn wait(&self, bell: &UnixStream, most: Option<Duration>) {
        let sources = [bell.as_fd(), self.bell()].map(|fd| (Some(fd), PollFlags::IN));
        // An error is harmless: the caller looks again and waits again.
        let _ = wait_for(sources, most);
    }
}

/// The time of play of a game: the sum of all the time for which players have thought.
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

    /// Starts or stops the watch.
    pub fn run(&mut self, runs: bool) {
        self.before = self.time();
        self.since = runs.then(|| self.stop.now());
    }
}
