//! CPU time, which does not depend on the machine's load.

use rustix::time::{ClockId, clock_gettime};
use std::time::Duration;

/// Runs some work, and returns this thread's CPU time.
pub fn cpu_time(work: impl FnOnce()) -> Duration {
    let now = || {
        let time = clock_gettime(ClockId::ThreadCPUTime);
        Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
    };
    let begun = now();
    work();
    now().saturating_sub(begun)
}
