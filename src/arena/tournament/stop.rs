//! How whoever runs a tournament is told to stop, wherever its threads wait.

use crate::play::program::Suspension;
use rustix::event::{PollFd, PollFlags, poll};
use std::io;
use std::os::fd::AsFd;
use std::os::unix::net::UnixStream;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::{Duration, Instant};

/// Stops a tournament, or has it stand still for a while. All copies are the same.
#[derive(Clone, Debug)]
pub struct Stop(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    has_come: AtomicBool,
    /// Ready to be read from when the other end is closed, which is how all threads hear of it.
    waits: UnixStream,
    rings: Mutex<Option<UnixStream>>,
    /// The tournament's time, which stands still while this process does.
    time: Suspension,
    /// The programs that run.
    programs: Mutex<Vec<Weak<Suspension>>>,
}

impl Stop {
    /// Nobody has said so yet.
    pub fn new() -> io::Result<Stop> {
        let (waits, rings) = UnixStream::pair()?;
        Ok(Stop(Arc::new(Shared {
            has_come: AtomicBool::new(false),
            waits,
            rings: Mutex::new(Some(rings)),
            time: Suspension::default(),
            programs: Mutex::default(),
        })))
    }

    /// Ends all games under way, which are played again another time.
    pub fn stop(&self) {
        self.0.has_come.store(true, Ordering::SeqCst);
        self.0.rings.lock().unwrap_or_else(PoisonError::into_inner).take();
    }

    /// Whether it has been said.
    pub fn has_come(&self) -> bool {
        self.0.has_come.load(Ordering::SeqCst)
    }

    /// This process is about to be stopped: no program runs, and no time passes, until
    /// [`resume`](Stop::resume).
    pub fn suspend(&self) {
        self.0.time.suspend();
        self.each_program(Suspension::suspend);
    }

    /// This process goes on.
    pub fn resume(&self) {
        self.each_program(Suspension::resume);
        self.0.time.resume();
    }

    fn each_program(&self, act: impl Fn(&Suspension)) {
        let mut programs = self.0.programs.lock().unwrap_or_else(PoisonError::into_inner);
        programs.retain(|program| program.upgrade().inspect(|it| act(it)).is_some());
    }

    pub(super) fn add_program(&self, program: &Arc<Suspension>) {
        let mut programs = self.0.programs.lock().unwrap_or_else(PoisonError::into_inner);
        programs.retain(|program| program.strong_count() > 0);
        programs.push(Arc::downgrade(program));
    }

    pub(super) fn now(&self) -> Instant {
        self.0.time.now()
    }

    /// Sleeps until this bell rings, or until it is time to stop.
    pub(super) fn wait(&self, bell: &UnixStream) {
        let [bell, stop] = [bell.as_fd(), self.0.waits.as_fd()];
        let mut sources = [bell, stop].map(|it| PollFd::from_borrowed_fd(it, PollFlags::IN));
        // What has come is looked at anyway.
        let _ = poll(&mut sources, None);
    }
}

/// The time of play of a game: what passes while somebody thinks.
pub(super) struct Stopwatch<'a> {
    stop: &'a Stop,
    before: Duration,
    since: Option<Instant>,
}

impl<'a> Stopwatch<'a> {
    pub fn new(stop: &'a Stop) -> Stopwatch<'a> {
        Stopwatch { stop, before: Duration::ZERO, since: None }
    }

    /// The time so far.
    pub fn time(&self) -> Duration {
        let now = self.stop.now();
        self.before + self.since.map_or(Duration::ZERO, |it| now.saturating_duration_since(it))
    }

    /// Time passes from now on, or none does.
    pub fn run(&mut self, runs: bool) {
        self.before = self.time();
        self.since = runs.then(|| self.stop.now());
    }
}
