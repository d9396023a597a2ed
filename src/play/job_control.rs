//! Stopping this process, as Ctrl-Z does.

use super::program::Kinship;
use rustix::process::{getppid, getsid};
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
    // Only Linux tells who the parent of a parent is.
    if !cfg!(target_os = "linux") {
        return getppid().is_some_and(|parent| getsid(Some(parent)) == getsid(None));
    }
    let Some(own) = Kinship::of_this_process() else { return false };
    let mut ancestor = own.parent;
    // One of our group is part of the same job, and its parent may be the shell.
    while let Some(kin) = ancestor.and_then(Kinship::of) {
        if kin.session != own.session {
            return false;
        }
        if kin.group != own.group {
            return true;
        }
        ancestor = kin.parent;
    }
    false
}
