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

/// Stops the process group, and returns when this process continues. The shell sees the whole group as one job and
/// takes over only after every process of the job, such as a wrapper script, has stopped.
pub fn suspend() -> io::Result<()> {
    let continues = Arc::new(AtomicBool::new(false));
    let handler = flag::register(SIGCONT, Arc::clone(&continues))?;
    kill_current_process_group(Signal::STOP)?;
    // If the signal was delivered to a different thread, this thread stops a moment later.
    while !continues.load(Ordering::SeqCst) {
        thread::sleep(Duration::from_millis(1));
    }
    low_level::unregister(handler);
    Ok(())
}

/// Returns whether a shell in this session started this process as a job and can continue it. Otherwise the process
/// group is orphaned, as in a dedicated window or container, and the system would not stop it.
pub fn can_be_suspended() -> bool {
    // Only Linux provides the parent of another process.
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
