//! Waiting for several pipes at once.

use super::handle::{AsHandle, BorrowedHandle, Stream, stdin};
use std::io::{self, ErrorKind, Read};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Held while sources are looked at, so that no change is missed before the wait.
static LOOKING: Mutex<()> = Mutex::new(());
static CHANGED: Condvar = Condvar::new();

/// Wakes all threads that wait, because a pipe has changed.
pub(super) fn changed() {
    drop(looking());
    CHANGED.notify_all();
}

fn looking() -> MutexGuard<'static, ()> {
    LOOKING.lock().unwrap_or_else(PoisonError::into_inner)
}

#[derive(Clone, Copy, Debug)]
enum Awaited {
    Readable,
    Writable,
    Closed,
}

/// A pipe to wait for, and what the last wait found there.
#[derive(Clone, Copy, Debug)]
pub struct Source<'a> {
    handle: BorrowedHandle<'a>,
    awaited: Awaited,
    can_read: bool,
    can_write: bool,
    is_closed: bool,
}

impl<'a> Source<'a> {
    /// Waits until there is something to read, or the other end is closed.
    pub fn readable(handle: &'a impl AsHandle) -> Source<'a> {
        Source::new(handle.as_fd(), Awaited::Readable)
    }

    /// Waits until there is something to read on stdin, or it has ended.
    pub fn stdin() -> Source<'static> {
        Source::new(stdin(), Awaited::Readable)
    }

    /// Waits until there is room to write, or the other end is closed.
    pub fn writable(handle: &'a impl AsHandle) -> Source<'a> {
        Source::new(handle.as_fd(), Awaited::Writable)
    }

    /// Waits until the other end is closed.
    pub fn closed(handle: &'a impl AsHandle) -> Source<'a> {
        Source::new(handle.as_fd(), Awaited::Closed)
    }

    fn new(handle: BorrowedHandle<'a>, awaited: Awaited) -> Source<'a> {
        Source { handle, awaited, can_read: false, can_write: false, is_closed: false }
    }

    /// Checks the source without waiting.
    #[must_use]
    pub fn checked(mut self) -> Source<'a> {
        self.look();
        self
    }

    fn look(&mut self) {
        self.can_read = matches!(self.awaited, Awaited::Readable) && self.handle.can_read();
        self.can_write = matches!(self.awaited, Awaited::Writable) && self.handle.can_write();
        self.is_closed = self.handle.is_closed();
    }

    /// Returns whether anything was found: what was awaited, or that the other end is closed.
    pub fn is_ready(&self) -> bool {
        self.can_read || self.can_write || self.is_closed
    }

    pub fn can_read(&self) -> bool {
        self.can_read
    }

    pub fn can_write(&self) -> bool {
        self.can_write
    }

    /// Returns whether the other end is closed, even if there is still something to read.
    pub fn is_closed(&self) -> bool {
        self.is_closed
    }
}

/// Waits until a source is ready or the deadline passes.
pub fn wait(sources: &mut [Source<'_>], deadline: Option<Instant>) -> io::Result<()> {
    let mut guard = looking();
    loop {
        sources.iter_mut().for_each(Source::look);
        if sources.iter().any(Source::is_ready) {
            return Ok(());
        }
        let left = deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
        guard = match left {
            Some(Duration::ZERO) => return Ok(()),
            Some(left) => {
                CHANGED.wait_timeout(guard, left).unwrap_or_else(PoisonError::into_inner).0
            }
            None => CHANGED.wait(guard).unwrap_or_else(PoisonError::into_inner),
        };
    }
}

/// Waits until one of the given sources is ready, or until the timeout. Returns which are ready.
pub fn wait_for<const N: usize>(
    sources: [Option<Source<'_>>; N],
    most: Option<Duration>,
) -> io::Result<[bool; N]> {
    let mut given: Vec<Source> = sources.iter().flatten().copied().collect();
    wait(&mut given, most.map(|most| Instant::now() + most))?;
    let mut found = given.iter().map(Source::is_ready);
    Ok(sources.map(|source| source.is_some() && found.next().unwrap_or(false)))
}

/// Discards pending wake-ups. Returns whether the other end is still open.
pub fn take_wakeups(mut wakeups: &Stream) -> bool {
    loop {
        match wakeups.read(&mut [0; 64]) {
            Ok(0) => return false,
            Ok(_) => {}
            Err(error) => return error.kind() == ErrorKind::WouldBlock,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;
    use std::thread;

    #[test]
    fn a_write_in_another_thread_ends_the_wait() {
        let (ours, mut theirs) = Stream::pair().unwrap();
        let (other, _other_end) = Stream::pair().unwrap();
        assert_eq!(
            wait_for([Some(Source::readable(&ours)), None], Some(Duration::from_millis(1)))
                .unwrap(),
            [false, false]
        );
        thread::scope(|scope| {
            scope.spawn(move || theirs.write_all(b"a").unwrap());
            let sources = [Source::readable(&ours), Source::readable(&other)].map(Some);
            assert_eq!(wait_for(sources, None).unwrap(), [true, false]);
        });
        assert!(Source::closed(&ours).checked().is_closed());
    }
}
