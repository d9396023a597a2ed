//! Panics while the program holds the terminal.

use super::terminal_screen;
use crate::play::is_caught;
use std::{io, panic, process, thread};

/// The exit status of a Rust program that has panicked.
const PANICKED: i32 = 101;

/// Makes an uncaught panic restore the terminal before its message is written. A panic in another thread also ends the
/// process, which would otherwise run on without the terminal.
///
/// All moves are on disk by then, except perhaps one being written.
pub(super) fn install_hook() {
    let ours = thread::current().id();
    let say = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        if is_caught() {
            return;
        }
        // The lock keeps other threads from drawing over the message. This thread can take it again.
        let _out = io::stdout().lock();
        terminal_screen::give_back();
        say(info);
        if thread::current().id() != ours {
            process::exit(PANICKED);
        }
    }));
}
