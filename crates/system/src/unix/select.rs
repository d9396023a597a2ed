//! `select`, for devices that `poll` refuses on macOS. It is compiled for tests on every system, so that it is tested.

use super::wait::Source;
use nix::libc::FD_SETSIZE;
use nix::sys::select::FdSet;
use nix::sys::time::TimeVal;
use rustix::event::PollFlags;
use rustix::io::ioctl_fionread;
use std::io;
use std::os::fd::AsRawFd;
use std::time::Duration;

/// Waits until a source is ready, or until the timeout.
///
/// `select` does not report that the other end is closed. A source that is readable although it has no bytes has ended,
/// so it counts as closed; a source that only waits for the other end to close is never found.
pub(super) fn select(sources: &mut [Source<'_>], most: Option<Duration>) -> io::Result<()> {
    let (mut reads, mut writes) = (FdSet::new(), FdSet::new());
    for source in &*sources {
        if source.handle.as_raw_fd() as usize >= FD_SETSIZE {
            return Err(io::Error::other("too many open files to wait for the terminal"));
        }
        if source.awaited.contains(PollFlags::IN) {
            reads.insert(source.handle);
        }
        if source.awaited.contains(PollFlags::OUT) {
            writes.insert(source.handle);
        }
    }
    let mut time =
        most.map(|time| TimeVal::new(time.as_secs() as _, time.subsec_micros().cast_signed() as _));
    nix::sys::select::select(None, &mut reads, &mut writes, None, &mut time)?;
    for source in sources {
        let (can_read, can_write) = (reads.contains(source.handle), writes.contains(source.handle));
        source.found = PollFlags::empty();
        source.found.set(PollFlags::IN, can_read);
        source.found.set(PollFlags::OUT, can_write);
        let has_ended = can_read && ioctl_fionread(source.handle) == Ok(0);
        source.found.set(PollFlags::HUP, has_ended);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::handle::Stream;
    use std::io::{Read, Write};

    /// Compares `select` with `poll`.
    fn found(stream: &Stream) -> [bool; 4] {
        let sources = || [Source::readable(stream), Source::writable(stream)];
        let mut selected = sources();
        select(&mut selected, Some(Duration::ZERO)).unwrap();
        let [reads, writes] = sources().map(Source::checked);
        let found = [
            selected[0].can_read(),
            selected[0].is_closed(),
            selected[1].can_write(),
            selected[1].is_ready(),
        ];
        assert_eq!(found, [reads.can_read(), reads.is_closed(), writes.can_write(), true]);
        found
    }

    #[test]
    fn select_finds_what_poll_finds() {
        let (ours, mut theirs) = Stream::pair().unwrap();
        assert_eq!(found(&ours), [false, false, true, true]);
        theirs.write_all(b"a").unwrap();
        assert_eq!(found(&ours), [true, false, true, true]);
        (&ours).read_exact(&mut [0]).unwrap();
        assert_eq!(found(&ours), [false, false, true, true]);
        drop(theirs);
        assert_eq!(found(&ours), [true, true, true, true]);
    }

    #[test]
    fn select_waits_until_the_timeout() {
        let (ours, _theirs) = Stream::pair().unwrap();
        let mut sources = [Source::readable(&ours), Source::closed(&ours)];
        select(&mut sources, Some(Duration::from_millis(1))).unwrap();
        assert!(!sources.iter().any(Source::is_ready));
    }
}
