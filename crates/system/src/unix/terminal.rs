//! The terminal of this process: its modes, its size, and what the environment says about it.

use rustix::fs::{Mode, OFlags};
use rustix::io::Errno;
use rustix::stdio::{stdin, stdout};
use rustix::termios::{
    OptionalActions, QueueSelector, Termios, tcflush, tcgetattr, tcgetwinsize, tcsetattr,
};
use std::io::IsTerminal;
use std::{env, io};

/// Whether the keys of a terminal arrive as bytes on stdin, with the terminal's answers among them.
pub const HAS_BYTES: bool = true;

/// The modes of the terminal on stdin.
pub struct TerminalModes(Termios);

impl TerminalModes {
    pub fn current() -> io::Result<TerminalModes> {
        Ok(TerminalModes(tcgetattr(stdin())?))
    }

    /// Returns these modes, but with keys that arrive as typed, without line editing, echo and signals.
    #[must_use]
    pub fn raw(&self) -> TerminalModes {
        let mut raw = self.0.clone();
        raw.make_raw();
        TerminalModes(raw)
    }

    pub fn set(&self) -> io::Result<()> {
        Ok(tcsetattr(stdin(), OptionalActions::Now, &self.0)?)
    }
}

/// Discards what was typed but not read.
pub fn discard_input() {
    let _ = tcflush(stdin(), QueueSelector::IFlush);
}

/// Discards what was written but not shown.
pub fn discard_output() {
    let _ = tcflush(stdout(), QueueSelector::OFlush);
}

/// The size of the terminal on stdout in cells and in pixels, which are 0 where the terminal does not report them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WindowSize {
    pub columns: u16,
    pub rows: u16,
    pub width: u16,
    pub height: u16,
}

/// Returns the size of the terminal on stdout; `None` if stdout is not a terminal.
pub fn window_size() -> Option<WindowSize> {
    let size = tcgetwinsize(stdout()).ok()?;
    let (columns, rows) = (size.ws_col, size.ws_row);
    Some(WindowSize { columns, rows, width: size.ws_xpixel, height: size.ws_ypixel })
}

/// Returns whether this process has a terminal, wherever stdin and stdout lead.
pub fn is_there() -> bool {
    rustix::fs::open("/dev/tty", OFlags::RDWR | OFlags::CLOEXEC, Mode::empty()).is_ok()
}

/// Returns whether an error means that the terminal is gone.
pub fn has_gone(error: &io::Error) -> bool {
    error.raw_os_error() == Some(Errno::IO.raw_os_error())
}

/// Returns whether stdin is a terminal.
pub fn is_stdin() -> bool {
    io::stdin().is_terminal()
}

/// Returns the kind of terminal, the value of `TERM`.
pub fn term() -> String {
    env::var("TERM").unwrap_or_default()
}

/// Returns the locale for characters, checking the variables in POSIX order.
pub fn locale() -> Option<String> {
    let given = |name| env::var(name).ok().filter(|value| !value.is_empty());
    ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find_map(given)
}
