//! Waiting for several handles at once.

use super::handle::{AsHandle, BorrowedHandle, Stream, stdin};
use rustix::event::{PollFd, PollFlags, Timespec};
use std::io::{self, ErrorKind, Read};
use std::time::{Duration, Instant};

/// A handle to wait for, and what the last wait found there.
#[derive(Clone, Copy, Debug)]
pub struct Source<'a> {
    pub(super) handle: BorrowedHandle<'a>,
    pub(super) awaited: PollFlags,
    pub(super) found: PollFlags,
}

impl<'a> Source<'a> {
    /// Waits until there is something to read, or the other end is closed.
    pub fn readable(handle: &'a impl AsHandle) -> Source<'a> {
        Source::new(handle.as_fd(), PollFlags::IN)
    }

    /// Waits until there is something to read on stdin, or it has ended.
    pub fn stdin() -> Source<'static> {
        Source::new(stdin(), PollFlags::IN)
    }

    /// Waits until there is room to write, or the other end is closed.
    pub fn writable(handle: &'a impl AsHandle) -> Source<'a> {
        Source::new(handle.as_fd(), PollFlags::OUT)
    }

    /// Waits until the other end is closed. `select` cannot tell.
    pub fn closed(handle: &'a impl AsHandle) -> Source<'a> {
        Source::new(handle.as_fd(), PollFlags::empty())
    }

    pub(super) fn new(handle: BorrowedHandle<'a>, awaited: PollFlags) -> Source<'a> {
        Source { handle, awaited, found: PollFlags::empty() }
    }

    /// Checks the source without waiting. Nothing is found if that fails.
    #[must_use]
    pub fn checked(self) -> Source<'a> {
        let mut source = [self];
        let _ = poll(&mut source, Some(Duration::ZERO));
        source[0]
    }

    /// Returns whether anything was found: what was awaited, or that the other end is closed.
    pub fn is_ready(&self) -> bool {
        !self.found.is_empty()
    }

    pub fn can_read(&self) -> bool {
        self.found.contains(PollFlags::IN)
    }

    pub fn can_write(&self) -> bool {
        self.found.contains(PollFlags::OUT)
    }

    /// Returns whether the other end is closed, even if there is still something to read.
    pub fn is_closed(&self) -> bool {
        self.found.intersects(!(PollFlags::IN | PollFlags::OUT))
    }
}

/// Waits until a source is ready, the deadline passes, or a signal arrives.
pub fn wait(sources: &mut [Source<'_>], deadline: Option<Instant>) -> io::Result<()> {
    let left = deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
    match poll(sources, left) {
        Err(error) if error.kind() == ErrorKind::Interrupted => Ok(()),
        waited => waited,
    }
}

/// Waits until one of the given sources is ready, or until the timeout. Returns which are ready. A signal is an error
/// of the kind `Interrupted`.
pub fn wait_for<const N: usize>(
    sources: [Option<Source<'_>>; N],
    most: Option<Duration>,
) -> io::Result<[bool; N]> {
    let mut given: Vec<Source> = sources.iter().flatten().copied().collect();
    poll(&mut given, most)?;
    let mut found = given.iter().map(Source::is_ready);
    Ok(sources.map(|source| source.is_some() && found.next().unwrap_or(false)))
}

fn poll(sources: &mut [Source<'_>], most: Option<Duration>) -> io::Result<()> {
    let time = most.map(|time| Timespec {
        tv_sec: time.as_secs() as i64,
        tv_nsec: time.subsec_nanos().into(),
    });
    let mut polled: Vec<PollFd> = sources
        .iter_mut()
        .map(|source| {
            source.found = PollFlags::empty();
            PollFd::from_borrowed_fd(source.handle, source.awaited)
        })
        .collect();
    rustix::event::poll(&mut polled, time.as_ref())?;
    for (source, polled) in sources.iter_mut().zip(&polled) {
        source.found = polled.revents();
    }
    // There, `poll` refuses devices such as /dev/tty and /dev/null at once, although they are open.
    #[cfg(target_os = "macos")]
    if sources.iter().any(|source| source.found.contains(PollFlags::NVAL)) {
        return super::select::select(sources, most);
    }
    Ok(())
}

/// Discards pending wake-ups. Returns whether the other end is still open.
pub fn take_wakeups(mut wakeups: &Stream) -> bool {
    loop {
        match wakeups.read(&mut [0; 64]) {
            Ok(0) => return false,
            Ok(_) => {}
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return error.kind() == ErrorKind::WouldBlock,
        }
    }
}
