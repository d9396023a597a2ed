//! Waiting for other processes.

use std::thread;
use std::time::{Duration, Instant};

/// The timeout for expected events, long enough for a busy machine.
pub const EVENT_TIMEOUT: Duration = Duration::from_secs(60);

/// Waits until a condition holds. On timeout, reports the actual state.
pub fn wait_until(what: &str, instead: impl Fn() -> String, mut holds: impl FnMut() -> bool) {
    let deadline = Instant::now() + EVENT_TIMEOUT;
    while !holds() {
        assert!(Instant::now() < deadline, "no {what} on\n{}", instead());
        thread::sleep(Duration::from_millis(2));
    }
}
