//! Standard output that never blocks on its reader.
#![allow(clippy::disallowed_methods, clippy::disallowed_types, reason = "writes to programs")]

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{CWD, Mode, OFlags, openat};
use rustix::io::{Errno, write};
use rustix::stdio::stdout;
use rustix::termios::{isatty, tcgetpgrp, ttyname};
use std::io::{self, Write};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::time::{Duration, Instant};

/// The write size for a blocking output. A pipe that polls as writable accepts at least this many bytes.
const PIECE: usize = 512;

/// Standard output. If its reader has stopped, for example after Ctrl-S, flushed data is kept for a later flush.
#[derive(Debug)]
pub struct Output {
    /// The terminal, opened separately so that non-blocking mode does not affect the shell, which shares stdout.
    terminal: Option<OwnedFd>,
    pending: Vec<u8>,
}

impl Output {
    pub fn open() -> Output {
        let flags = OFlags::WRONLY | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
        let terminal = isatty(stdout()).then(|| {
            let named = ttyname(stdout(), Vec::new());
            let named = named.and_then(|name| openat(CWD, name, flags, Mode::empty()));
            // The terminal device may belong to a different user, but its processes can always open `/dev/tty`.
            let own = || {
                let is_ours = tcgetpgrp(stdout()) != Err(Errno::NOTTY);
                is_ours.then(|| openat(CWD, "/dev/tty", flags, Mode::empty()).ok()).flatten()
            };
            named.ok().or_else(own)
        });
        Output { terminal: terminal.flatten(), pending: Vec::new() }
    }

    /// Returns whether unwritten data is pending. Retry when [`Output::source`] is writable.
    pub const fn is_blocked(&self) -> bool {
        !self.pending.is_empty()
    }

    /// Returns the descriptor to poll for writing.
    pub fn source(&self) -> BorrowedFd<'_> {
        self.terminal.as_ref().map_or(stdout(), AsFd::as_fd)
    }

    /// Waits up to `patience` for the reader. Returns whether everything was written.
    pub fn drain(&mut self, patience: Duration) -> io::Result<bool> {
        let until = Instant::now() + patience;
        self.flush()?;
        while self.is_blocked() && Instant::now() < until {
            self.has_room(until.saturating_duration_since(Instant::now()));
            self.flush()?;
        }
        Ok(!self.is_blocked())
    }

    /// Discards unwritten data.
    pub fn forget(&mut self) {
        self.pending.clear();
    }

    /// Returns whether the output becomes writable or reports an error within this time.
    fn has_room(&self, time: Duration) -> bool {
        let time = Timespec { tv_sec: time.as_secs() as i64, tv_nsec: time.subsec_nanos().into() };
        let mut source = [PollFd::from_borrowed_fd(self.source(), PollFlags::OUT)];
        poll(&mut source, Some(&time)).is_ok_and(|count| count > 0)
    }
}

impl Write for Output {
    /// Buffers until the next flush.
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.pending.extend(bytes);
        Ok(bytes.len())
    }

    /// Writes as much as fits.
    fn flush(&mut self) -> io::Result<()> {
        // The lock prevents drawing over the message of a panic in another thread, which restores the terminal.
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
