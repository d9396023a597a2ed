//! Ctrl-C, Ctrl-Break, and the end of the console.

use std::io;
use std::sync::OnceLock;
use std::thread;
use std::time::Duration;
use windows_sys::Win32::System::Console::{CTRL_BREAK_EVENT, CTRL_C_EVENT, SetConsoleCtrlHandler};
use windows_sys::core::BOOL;

const FALSE: BOOL = 0;
const TRUE: BOOL = 1;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConsoleEvent {
    /// Ctrl-C.
    Interrupt,
    /// Ctrl-Break.
    Break,
    /// The window was closed, the user logs off, or the machine shuts down. The process is ended a few seconds later.
    Close,
}

static HEED: OnceLock<fn(ConsoleEvent) -> bool> = OnceLock::new();

/// Calls `heed` with each event from now on, in a thread of the system. If it returns `false`, the event ends the
/// process as usual. Only the first call counts.
pub fn heed(heed: fn(ConsoleEvent) -> bool) -> io::Result<()> {
    if HEED.set(heed).is_err() {
        return Ok(());
    }
    // SAFETY: the system may call `on_event` in any thread and at any time, which a function without state allows.
    if unsafe { SetConsoleCtrlHandler(Some(on_event), TRUE) } == FALSE {
        return Err(io::Error::last_os_error());
    }
    Ok(())
}

extern "system" fn on_event(kind: u32) -> BOOL {
    let event = match kind {
        CTRL_C_EVENT => ConsoleEvent::Interrupt,
        CTRL_BREAK_EVENT => ConsoleEvent::Break,
        _ => ConsoleEvent::Close,
    };
    if !HEED.get().is_some_and(|heed| heed(event)) {
        return FALSE;
    }
    // After such an event the process is ended as soon as its handler returns. The process has to end by itself.
    while event == ConsoleEvent::Close {
        thread::sleep(Duration::MAX);
    }
    TRUE
}
