//! Processor time, which does not depend on what else the machine does.

use rustix::time::{ClockId, clock_gettime};
use std::time::Duration;

/// Does some work, and returns how much processor time this thread took for it.
pub fn cpu_time(work: impl FnOnce()) -> Duration {
    let now = || {
        let time = clock_gettime(ClockId::ThreadCPUTime);
        Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
    };
    let begun = now();
    work();
    now().saturating_sub(begun)
}
