//! Work that may panic.

use crate::search::HELPER_THREAD;
use std::any::Any;
use std::cell::Cell;
use std::panic::{self, AssertUnwindSafe};
use std::thread;

thread_local! {
    /// Whether a panic of this thread is caught.
    static CAUGHT: Cell<bool> = const { Cell::new(false) };
}

/// Does work that may panic, and keeps the program going if it does. The error is the panic's
/// message. A panic hook that writes messages must leave out those that are [caught](is_caught).
pub fn catch<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    let outer = CAUGHT.replace(true);
    let done = panic::catch_unwind(AssertUnwindSafe(work));
    CAUGHT.set(outer);
    done.map_err(|payload| message(&*payload).to_owned())
}

/// Whether a panic of this thread would be caught now. An engine's helper passes its own on to the engine.
pub fn is_caught() -> bool {
    CAUGHT.get() || thread::current().name() == Some(HELPER_THREAD)
}

/// Makes sure that the message of a caught panic is written nowhere.
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
