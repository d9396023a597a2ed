//! Suspending this process, which Windows has not.

use std::io;

/// Shown on the attempt.
pub const CANNOT_SUSPEND: &str = "Programs cannot be suspended on Windows.";

pub fn suspend() -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

pub fn can_be_suspended() -> bool {
    false
}
