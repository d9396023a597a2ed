//! Suspending this process and its job, as Ctrl-Z does.

use super::descendants::Kinship;
use rustix::process::{Signal, getpid, getppid, getsid, kill_current_process_group, kill_process};
use signal_hook::consts::{SIGCONT, SIGTSTP};
use signal_hook::{SigId, flag, low_level};
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// Whether processes can be suspended on this system.
pub const HAS_SUSPENSION: bool = true;

/// Shown when this process [cannot be suspended](can_be_suspended).
pub const CANNOT_SUSPEND: &str = "Cannot suspend: there is no shell to return to.";

/// Timeout for this process's own SIGTSTP, which never arrives if the parent process blocked it.
const OWN_STOP: Duration = Duration::from_millis(100);

/// Suspends the process group, and returns when this process continues. The shell sees the whole group as one job and
/// takes over only after every process of the job, such as a wrapper script, has stopped.
///
/// The group receives SIGTSTP, as Ctrl-Z would send it. SIGSTOP would also stop a parent that blocks SIGTSTP because it
/// stops only after its child, such as `su`; when continued, that parent would then stop a second time.
///
/// This process catches SIGTSTP and then stops itself. When this function returns, every other handler of SIGTSTP and
/// SIGCONT has been called once more, which the caller must ignore.
pub fn suspend() -> io::Result<()> {
    let [stop, continues] = [SIGTSTP, SIGCONT].map(Caught::register);
    let (stop, continues) = (stop?, continues?);
    let sent = Instant::now();
    kill_current_process_group(Signal::TSTP)?;
    stop.wait_until(|| sent.elapsed() >= OWN_STOP);
    kill_process(getpid(), Signal::STOP)?;
    // If the signal was delivered to a different thread, this thread stops a moment later.
    continues.wait_until(|| false);
    Ok(())
}

/// Whether a signal has arrived since the registration.
struct Caught {
    has_come: Arc<AtomicBool>,
    handler: SigId,
}

impl Caught {
    fn register(signal: i32) -> io::Result<Caught> {
        let has_come = Arc::default();
        let handler = flag::register(signal, Arc::clone(&has_come))?;
        Ok(Caught { has_come, handler })
    }

    fn wait_until(&self, is_too_late: impl Fn() -> bool) {
        while !self.has_come.load(Ordering::SeqCst) && !is_too_late() {
            thread::sleep(Duration::from_millis(1));
        }
    }
}

impl Drop for Caught {
    fn drop(&mut self) {
        low_level::unregister(self.handler);
    }
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
