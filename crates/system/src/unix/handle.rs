//! Open files, pipes and sockets, read and written without a buffer.

use rustix::io::Errno;
use rustix::net::Shutdown;
use std::io;

pub use rustix::stdio::{stderr, stdin, stdout};
pub use std::os::fd::{AsFd as AsHandle, BorrowedFd as BorrowedHandle, OwnedFd as OwnedHandle};
pub use std::os::unix::net::{UnixListener as Listener, UnixStream as Stream};

/// Reads the available bytes. Returns 0 at the end, and for a terminal that has hung up.
pub fn read(handle: impl AsHandle, bytes: &mut [u8]) -> io::Result<usize> {
    match rustix::io::read(handle, bytes) {
        Err(Errno::IO) => Ok(0),
        read => Ok(read?),
    }
}

pub fn write(handle: impl AsHandle, bytes: &[u8]) -> io::Result<usize> {
    Ok(rustix::io::write(handle, bytes)?)
}

/// Makes reads and writes fail with `WouldBlock` instead of waiting.
pub fn stop_blocking(handle: impl AsHandle) -> io::Result<()> {
    Ok(rustix::io::ioctl_fionbio(handle, true)?)
}

/// Tells the other end of a socket that nothing more will be written. A pipe ends when its last handle is closed.
pub fn finish(socket: impl AsHandle) {
    let _ = rustix::net::shutdown(socket, Shutdown::Write);
}

/// Returns whether an error only means that there is nothing to read or no room to write right now.
pub fn is_not_ready(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::Interrupted | io::ErrorKind::WouldBlock)
}

/// Returns whether an error means that the reader of a pipe has closed it.
pub fn is_closed_pipe(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::BrokenPipe
}
