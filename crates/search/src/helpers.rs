//! Helper threads of a search.

use super::memory;
use std::panic::resume_unwind;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;

/// The name of a helper thread. A panic in a helper propagates to the thread that started it.
pub const HELPER_THREAD: &str = "engine's helper";

/// Returns how many of the wanted threads, each with some memory of its own, can run at the same time. Finds out by
/// starting them, then ends all of them.
pub fn startable_threads(wanted: usize) -> usize {
    let gate = Mutex::new(());
    let closed = gate.lock();
    thread::scope(|threads| {
        let parked = || drop(gate.lock());
        let start = |_| {
            let memory = memory::map(memory::ARENA).ok()?;
            thread::Builder::new().spawn_scoped(threads, parked).ok()?;
            Some(memory)
        };
        let started: Vec<_> = (0..wanted).map_while(start).collect();
        drop(closed);
        started.len()
    })
}

/// Runs `work` in this thread and `help` in up to `count` other threads, and returns their results. `over` becomes true
/// when the work is done or any thread panics; all threads must then end soon.
pub fn with_helpers<T, H: Send>(
    count: usize,
    over: &AtomicBool,
    help: impl Fn() -> H + Sync,
    work: impl FnOnce() -> T,
) -> (T, Vec<H>) {
    let help = || {
        let _over = WhenDropped { over, only_by_panic: true };
        help()
    };
    thread::scope(|threads| {
        let helpers = (0..count).map_while(|_| {
            // If no thread can be started, the search takes longer, but its result is the same.
            let helper = thread::Builder::new().name(HELPER_THREAD.to_owned());
            helper.spawn_scoped(threads, help).ok()
        });
        let helpers: Vec<_> = helpers.collect();
        let done = WhenDropped { over, only_by_panic: false };
        let result = work();
        drop(done);
        let helped = helpers.into_iter().map(|helper| match helper.join() {
            Ok(helped) => helped,
            Err(panic) => resume_unwind(panic),
        });
        (result, helped.collect())
    })
}

/// Raises a flag when it is dropped, so that no thread waits forever.
struct WhenDropped<'a> {
    over: &'a AtomicBool,
    only_by_panic: bool,
}

impl Drop for WhenDropped<'_> {
    fn drop(&mut self) {
        if !self.only_by_panic || thread::panicking() {
            self.over.store(true, Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::panic::{AssertUnwindSafe, catch_unwind};

    fn wait_for(over: &AtomicBool) {
        while !over.load(Relaxed) {
            thread::yield_now();
        }
    }

    #[test]
    fn startable_threads_returns_the_number_it_can_start() {
        assert_eq!([0, 1, 40].map(startable_threads), [0, 1, 40]);
    }

    #[test]
    fn helpers_return_after_the_work() {
        let over = AtomicBool::new(false);
        let help = || {
            wait_for(&over);
            5
        };
        assert_eq!(with_helpers(2, &over, help, || 7), (7, vec![5, 5]));
        let over = AtomicBool::new(false);
        assert_eq!(with_helpers(0, &over, || 5, || 7), (7, vec![]));
    }

    #[test]
    fn helper_panic_ends_the_work_with_its_message() {
        let over = AtomicBool::new(false);
        let help = || panic!("no such box");
        let ask = || with_helpers(1, &over, help, || wait_for(&over)).1.len();
        let panic = catch_unwind(AssertUnwindSafe(ask)).unwrap_err();
        assert_eq!(*panic.downcast_ref::<&str>().unwrap(), "no such box");
    }

    #[test]
    fn work_panic_ends_the_helpers_with_its_message() {
        let over = AtomicBool::new(false);
        let ask = || with_helpers(1, &over, || wait_for(&over), || panic!("at once"));
        let panic = catch_unwind(AssertUnwindSafe(ask)).unwrap_err();
        assert_eq!(*panic.downcast_ref::<&str>().unwrap(), "at once");
    }
}
