//! Calls that may panic.

use quadrille_search::HELPER_THREAD;
use std::any::Any;
use std::cell::Cell;
use std::panic::{self, AssertUnwindSafe};
use std::thread;

thread_local! {
    /// Whether a panic of this thread would be caught.
    static CAUGHT: Cell<bool> = const { Cell::new(false) };
}

/// Runs `work` and returns a panic's message as the error. A panic hook that prints messages must skip
/// [caught](is_caught) panics.
pub fn catch<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    let outer = CAUGHT.replace(true);
    let done = panic::catch_unwind(AssertUnwindSafe(work));
    CAUGHT.set(outer);
    done.map_err(|payload| message(&*payload).to_owned())
}

/// Returns whether a panic of this thread would be caught now. A helper thread of an engine passes its panic on to the
/// engine.
pub fn is_caught() -> bool {
    CAUGHT.get() || thread::current().name() == Some(HELPER_THREAD)
}

/// Suppresses the messages of caught panics.
pub fn hush_caught_panics() {
    let say = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        if !is_caught() {
            say(info);
        }
    }));
}

fn message(payload: &(dyn Any + Send)) -> &str {
    let text = payload.downcast_ref::<&str>().copied();
    text.or_else(|| payload.downcast_ref::<String>().map(String::as_str)).unwrap_or("no message")
}
