//! Waiting for several sources at once.

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use std::io::{ErrorKind, Read};
use std::os::fd::BorrowedFd;
use std::os::unix::net::UnixStream;
use std::time::Duration;

/// Waits until one of the given sources is readable, or writable if its flags say so, or until the timeout. Returns
/// which sources are ready.
pub fn wait_for<const N: usize>(
    sources: [(Option<BorrowedFd<'_>>, PollFlags); N],
    most: Option<Duration>,
) -> Result<[bool; N], Errno> {
    let time = most.map(|time| Timespec {
        tv_sec: time.as_secs() as i64,
        tv_nsec: time.subsec_nanos().into(),
    });
    let present = sources.iter().filter_map(|(source, what)| Some(((*source)?, *what)));
    let mut polled: Vec<_> =
        present.map(|(source, what)| PollFd::from_borrowed_fd(source, what)).collect();
    poll(&mut polled, time.as_ref())?;
    let mut come = polled.iter().map(|source| !source.revents().is_empty());
    Ok(sources.map(|(source, _)| source.is_some() && come.next().unwrap_or(false)))
}

/// Discards pending wake-ups. Returns whether its other end is still open.
pub fn take_wakeups(mut wakeups: &UnixStream) -> bool {
    loop {
        match wakeups.read(&mut [0; 64]) {
            Ok(0) => return false,
            Ok(_) => {}
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return error.kind() == ErrorKind::WouldBlock,
        }
    }
}
