//! What can wake the program.

use super::keys::Keys;
use crate::play::Wakers;
use crossterm::event::Event;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::{Errno, read};
use rustix::stdio::stdin;
use signal_hook::consts::{SIGCONT, SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGTSTP, SIGWINCH};
use std::io;
use std::os::unix::net::UnixStream;
use std::time::{Duration, Instant};

/// What can wake us: keys, the signals that concern a program on a terminal, the end of the terminal,
/// and the engine. Nothing is ever read but what is there, so that no signal waits for a key.
pub(super) struct Sources {
    wakers: Wakers,
    keys: Keys,
    start: Instant,
    forgotten: Option<i32>,
}

impl Sources {
    /// The system sends the signal right after the end of the terminal.
    const AT_ONCE: Duration = Duration::from_millis(100);
    /// As much as the terminal has ready at once. What more comes is read after the next drawing.
    const READ: usize = 4096;

    pub fn watch() -> io::Result<Sources> {
        let signals = [SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGCONT, SIGTSTP, SIGWINCH];
        let (keys, start) = (Keys::default(), Instant::now());
        Ok(Sources { wakers: Wakers::watch(&signals)?, keys, start, forgotten: None })
    }

    /// What wakes us when it is written to, for others that have something to tell.
    pub fn bell(&self) -> io::Result<UnixStream> {
        self.wakers.bell()
    }

    /// The time on our clock, which begins with this value.
    pub fn now(&self) -> Duration {
        self.start.elapsed()
    }

    /// Sleeps until something comes, or to this time; `false` if the terminal has gone.
    pub fn wait(&mut self, deadline: Option<Duration>) -> io::Result<bool> {
        let deadline = deadline.map(|deadline| self.start + deadline);
        let deadline = deadline.into_iter().chain(self.keys.deadline()).min();
        let woken = self.wakers.wait(true, deadline)?;
        // A signal is the better word for it, and is looked at first.
        Ok(self.wakers.is_signalled() || !woken.input_has_gone)
    }

    /// Takes in what the terminal has sent, or gives up what it does not complete.
    pub fn listen(&mut self) -> io::Result<()> {
        let stdin = stdin();
        // It is asked again right before it is read: we may have been stopped, and a shell has read
        // what was there.
        let mut terminal = [PollFd::new(&stdin, PollFlags::IN)];
        let is_ready = poll(&mut terminal, Some(&Timespec { tv_sec: 0, tv_nsec: 0 }));
        if is_ready.is_ok_and(|count| count > 0) && terminal[0].revents().contains(PollFlags::IN) {
            let mut bytes = [0; Sources::READ];
            match read(stdin, &mut bytes) {
                Ok(0) | Err(Errno::INTR | Errno::AGAIN) => {}
                Ok(length) => self.keys.feed(&bytes[..length], Instant::now()),
                Err(error) => return Err(error.into()),
            }
        } else if self.keys.deadline().is_some_and(|deadline| deadline <= Instant::now()) {
            self.keys.give_up();
        }
        Ok(())
    }

    /// The next key of what the terminal has sent.
    pub fn key(&mut self) -> Option<Event> {
        self.keys.next()
    }

    /// The signals that have come.
    pub fn signals(&mut self) -> Vec<i32> {
        let forgotten = self.forgotten.take();
        let come = self.wakers.signals().into_iter();
        come.filter(|signal| Some(*signal) != forgotten).collect()
    }

    /// Whether `SIGHUP` has come, or comes at once.
    pub fn hang_up(&mut self) -> io::Result<bool> {
        let patience = Instant::now() + Sources::AT_ONCE;
        loop {
            if self.signals().contains(&SIGHUP) {
                return Ok(true);
            }
            if patience <= Instant::now() {
                return Ok(false);
            }
            self.wakers.wait(false, Some(patience))?;
        }
    }

    /// Leaves signals of this kind out of those that come next.
    pub fn forget(&mut self, signal: i32) {
        self.forgotten = Some(signal);
    }
}
