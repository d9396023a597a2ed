//! Panic handling while the program holds the terminal.

use super::terminal_screen;
use quadrille_table::play::is_caught;
use std::{io, panic, process, thread};

/// The exit status of a Rust program after a panic.
const PANICKED: i32 = 101;

/// Installs a hook that restores the terminal before the message of an uncaught panic is written. A panic in a thread
/// other than the caller's also ends the process, which would otherwise continue without the terminal.
///
/// When the hook runs, all moves are on disk, with the possible exception of one move that is being written.
pub(super) fn install_hook() {
    let ours = thread::current().id();
    let say = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        if is_caught() {
            return;
        }
        // The lock prevents other threads from drawing over the message. It is reentrant, so this thread can lock
        // stdout again.
        let _out = io::stdout().lock();
        terminal_screen::give_back();
        say(info);
        if thread::current().id() != ours {
            process::exit(PANICKED);
        }
    }));
}
