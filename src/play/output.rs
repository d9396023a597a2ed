//! Standard output for somebody who never waits for its reader.

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{CWD, Mode, OFlags, openat};
use rustix::io::{Errno, write};
use rustix::stdio::stdout;
use rustix::termios::{isatty, tcgetpgrp, ttyname};
use std::io::{self, Write};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::time::{Duration, Instant};

/// The most bytes for an output that may make us wait; a pipe that has any room has room for these.
const PIECE: usize = 512;

/// Standard output. What is flushed while its reader reads nothing, as after Ctrl-S, is kept, and goes out with a later
/// flush.
#[derive(Debug)]
pub struct Output {
    /// The terminal, opened once more: not to wait for it must not hold for the shell, which shares standard output.
    terminal: Option<OwnedFd>,
    pending: Vec<u8>,
}

impl Output {
    /// Standard output as it is now.
    pub fn open() -> Output {
        let flags = OFlags::WRONLY | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
        let terminal = isatty(stdout()).then(|| {
            let named = ttyname(stdout(), Vec::new());
            let named = named.and_then(|name| openat(CWD, name, flags, Mode::empty()));
            // It can belong to another user, but under this name it is open to all that it controls.
            let own = || {
                let is_ours = tcgetpgrp(stdout()) != Err(Errno::NOTTY);
                is_ours.then(|| openat(CWD, "/dev/tty", flags, Mode::empty()).ok()).flatten()
            };
            named.ok().or_else(own)
        });
        Output { terminal: terminal.flatten(), pending: Vec::new() }
    }

    /// Whether something waits for the reader. It can go on when [`Output::source`] has room.
    pub const fn is_blocked(&self) -> bool {
        !self.pending.is_empty()
    }

    /// What has to have room for more.
    pub fn source(&self) -> BorrowedFd<'_> {
        self.terminal.as_ref().map_or(stdout(), AsFd::as_fd)
    }

    /// Waits for the reader, but no longer than this. Returns whether all was written.
    pub fn drain(&mut self, patience: Duration) -> io::Result<bool> {
        let until = Instant::now() + patience;
        self.flush()?;
        while self.is_blocked() && Instant::now() < until {
            self.has_room(until.saturating_duration_since(Instant::now()));
            self.flush()?;
        }
        Ok(!self.is_blocked())
    }

    /// Forgets what was not written yet.
    pub fn forget(&mut self) {
        self.pending.clear();
    }

    /// Whether there is room, or an error to be found by writing, within this time.
    fn has_room(&self, time: Duration) -> bool {
        let time = Timespec { tv_sec: time.as_secs() as i64, tv_nsec: time.subsec_nanos().into() };
        let mut source = [PollFd::from_borrowed_fd(self.source(), PollFlags::OUT)];
        poll(&mut source, Some(&time)).is_ok_and(|count| count > 0)
    }
}

impl Write for Output {
    /// Keeps it until the next flush.
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.pending.extend(bytes);
        Ok(bytes.len())
    }

    /// Writes as much as there is room for.
    fn flush(&mut self) -> io::Result<()> {
        // While a panic in another thread gives the terminal back, nothing is drawn over its message.
        let _out = io::stdout().lock();
        let mut written = 0;
        let done = loop {
            let rest = &self.pending[written..];
            if rest.is_empty() || !self.has_room(Duration::ZERO) {
                break Ok(());
            }
            let piece = if self.terminal.is_some() { rest } else { &rest[..rest.len().min(PIECE)] };
            match write(self.source(), piece) {
                Ok(length) => written += length,
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN) => break Ok(()),
                Err(error) => break Err(error.into()),
            }
        };
        self.pending.drain(..written);
        done
    }
}
