//! What a panic does while the terminal is ours.

use super::screen;
use crate::search::HELPER;
use std::any::Any;
use std::cell::Cell;
use std::panic::{self, AssertUnwindSafe};
use std::{io, process, thread};

/// The exit status of a Rust program that has panicked.
const PANICKED: i32 = 101;

thread_local! {
    /// Whether a panic of this thread is caught.
    static CAUGHT: Cell<bool> = const { Cell::new(false) };
}

/// Has a panic that nobody catches give the terminal back before its message is written. One in
/// another thread than this ends the process as well: else the rest of it would go on without the
/// terminal.
///
/// All moves are on disk then but one that is just being written, as after any other sudden end.
pub(super) fn end_the_program() {
    let ours = thread::current().id();
    let say = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        // An engine's helper passes its panic on to the engine.
        if CAUGHT.get() || thread::current().name() == Some(HELPER) {
            return;
        }
        // Nobody draws over the message: in this thread the lock does not hinder, and another one
        // does not get it before the end.
        let _out = io::stdout().lock();
        screen::give_back();
        say(info);
        if thread::current().id() != ours {
            process::exit(PANICKED);
        }
    }));
}

/// Does work that may panic without that being the end of the program. The error is the panic's
/// message, which is written nowhere else.
pub fn catch<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    let outer = CAUGHT.replace(true);
    let done = panic::catch_unwind(AssertUnwindSafe(work));
    CAUGHT.set(outer);
    done.map_err(|payload| message(&*payload).to_owned())
}

fn message(payload: &(dyn Any + Send)) -> &str {
    let text = payload.downcast_ref::<&str>().copied();
    text.or_else(|| payload.downcast_ref::<String>().map(String::as_str)).unwrap_or("no message")
}
