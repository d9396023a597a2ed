//! Standard output that never blocks on its reader.

use super::handle::{self, AsHandle, BorrowedHandle, OwnedHandle, stdout};
use super::wait::{Source, wait};
use rustix::event::PollFlags;
use rustix::fs::{CWD, Mode, OFlags, openat};
use rustix::io::Errno;
use rustix::termios::{isatty, tcgetpgrp, ttyname};
use std::io::{self, ErrorKind, Write};
use std::time::{Duration, Instant};

/// The write size for a blocking output. A pipe that polls as writable accepts at least this many bytes.
const PIECE: usize = 512;

/// Standard output. If its reader has stopped, for example after Ctrl-S, flushed data is kept for a later flush.
#[derive(Debug)]
pub struct Output {
    /// The terminal, opened separately so that non-blocking mode does not affect the shell, which shares stdout.
    terminal: Option<OwnedHandle>,
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

    /// Returns whether unwritten data is pending. Retry when [`Output::source`] is ready.
    pub const fn is_blocked(&self) -> bool {
        !self.pending.is_empty()
    }

    /// Returns the source that is ready when there is room to write.
    pub fn source(&self) -> Source<'_> {
        Source::new(self.handle(), PollFlags::OUT)
    }

    fn handle(&self) -> BorrowedHandle<'_> {
        self.terminal.as_ref().map_or(stdout(), AsHandle::as_fd)
    }

    /// Waits up to `patience` for the reader. Returns whether everything was written.
    pub fn drain(&mut self, patience: Duration) -> io::Result<bool> {
        let until = Instant::now() + patience;
        self.flush()?;
        while self.is_blocked() && Instant::now() < until {
            wait(&mut [self.source()], Some(until))?;
            self.flush()?;
        }
        Ok(!self.is_blocked())
    }

    /// Discards unwritten data.
    pub fn forget(&mut self) {
        self.pending.clear();
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
            if rest.is_empty() || !self.source().checked().is_ready() {
                break Ok(());
            }
            let piece = if self.terminal.is_some() { rest } else { &rest[..rest.len().min(PIECE)] };
            match handle::write(self.handle(), piece) {
                Ok(length) => written += length,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => break Ok(()),
                Err(error) => break Err(error),
            }
        };
        self.pending.drain(..written);
        done
    }
}
