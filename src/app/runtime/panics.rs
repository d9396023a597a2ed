//! What a panic does while the terminal is ours.

use super::screen;
use crate::play::is_caught;
use std::{io, panic, process, thread};

/// The exit status of a Rust program that has panicked.
const PANICKED: i32 = 101;

/// Has a panic that nobody catches give the terminal back before its message is written. One in
/// another thread than this ends the process as well: else the rest of it would go on without the
/// terminal.
///
/// All moves are on disk then but one that is just being written, as after any other sudden end.
pub(super) fn end_the_program() {
    let ours = thread::current().id();
    let say = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        if is_caught() {
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
