//! Stopping this process, as Ctrl-Z does.

use super::program::parent_of;
use rustix::process::{getpgid, getpgrp, getppid, getsid};
use signal_hook::consts::SIGTSTP;
use signal_hook::low_level::emulate_default_handler;
use std::io;

/// What is said when this process [cannot be suspended](can_be_suspended).
pub const CANNOT_SUSPEND: &str =
    "This cannot be suspended here: there is no shell to bring it back.";

/// Stops this process until somebody continues it.
pub fn suspend() -> io::Result<()> {
    emulate_default_handler(SIGTSTP)
}

/// Whether somebody could continue this process: a shell in its session, which has started it as a job. Where there is
/// none, as in a window or a container of its own, its process group is orphaned, and the system would not stop it.
pub fn can_be_suspended() -> bool {
    let (group, session) = (getpgrp(), getsid(None));
    let mut ancestor = getppid();
    while let Some(process) = ancestor {
        if getsid(Some(process)) != session {
            return false;
        }
        if getpgid(Some(process)) != Ok(group) {
            return true;
        }
        // It is part of the same job, and its parent may be the shell. Only Linux tells who that is.
        if !cfg!(target_os = "linux") {
            return true;
        }
        ancestor = parent_of(process);
    }
    false
}
