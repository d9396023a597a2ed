//! Suspending this process, which Windows has not.

use std::io;

/// Whether processes can be suspended on this system.
pub const HAS_SUSPENSION: bool = false;

/// Shown on the attempt.
pub const CANNOT_SUSPEND: &str = "Programs cannot be suspended on Windows.";

pub fn suspend() -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

pub fn can_be_suspended() -> bool {
    false
}
