//! Suspending this process and its job, as Ctrl-Z does.

use super::program::Kinship;
use rustix::process::{Signal, getppid, getsid, kill_current_process_group};
use signal_hook::consts::SIGCONT;
use signal_hook::{flag, low_level};
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

/// Shown when this process [cannot be suspended](can_be_suspended).
pub const CANNOT_SUSPEND: &str = "Cannot suspend: there is no shell to return to.";

/// Stops the process group, and returns when this process continues. The whole group is one job of the shell, which
/// takes over only once every process of the job, such as a script, has stopped.
pub fn suspend() -> io::Result<()> {
    let continues = Arc::new(AtomicBool::new(false));
    let handler = flag::register(SIGCONT, Arc::clone(&continues))?;
    kill_current_process_group(Signal::STOP)?;
    // Another thread may have received the signal, and stops this one a moment later.
    while !continues.load(Ordering::SeqCst) {
        thread::sleep(Duration::from_millis(1));
    }
    low_level::unregister(handler);
    Ok(())
}

/// Returns whether a shell in this session started this process as a job and could continue it. Otherwise, as in a
/// window or a container of its own, the process group is orphaned, and the system would not stop it.
pub fn can_be_suspended() -> bool {
    // The parent of a parent is only available on Linux.
    if !cfg!(target_os = "linux") {
        return getppid().is_some_and(|parent| getsid(Some(parent)) == getsid(None));
    }
    let Some(own) = Kinship::of_this_process() else { return false };
    let mut ancestor = own.parent;
    // A process of our group belongs to the same job, and its parent may be the shell.
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
