//! The console of this process: its modes, its size, and what the environment says about it.

use crossterm::ansi_support::supports_ansi;
use crossterm::terminal::{disable_raw_mode, enable_raw_mode, is_raw_mode_enabled, size};
use std::io::{IsTerminal, stdout};
use std::{env, io};

/// Whether the keys of a terminal arrive as bytes on stdin, with the terminal's answers among them. Here, crossterm reads
/// them as events, and a terminal cannot be asked.
pub const HAS_BYTES: bool = false;

/// The modes of the console.
pub struct TerminalModes {
    is_raw: bool,
}

impl TerminalModes {
    pub fn current() -> io::Result<TerminalModes> {
        Ok(TerminalModes { is_raw: is_raw_mode_enabled()? })
    }

    /// Returns these modes, but with keys that arrive as typed, without line editing, echo and signals.
    #[must_use]
    pub fn raw(&self) -> TerminalModes {
        TerminalModes { is_raw: true }
    }

    pub fn set(&self) -> io::Result<()> {
        if !self.is_raw {
            return disable_raw_mode();
        }
        if !supports_ansi() {
            return Err(io::Error::other(
                "this console cannot show full-screen programs; use Windows Terminal, or --plain",
            ));
        }
        enable_raw_mode()
    }
}

/// Does nothing: the thread that reads events has them.
pub fn discard_input() {}

/// Does nothing: everything is shown.
pub fn discard_output() {}

/// The size of the terminal on stdout in cells. Its size in pixels is not known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WindowSize {
    pub columns: u16,
    pub rows: u16,
    pub width: u16,
    pub height: u16,
}

/// Returns the size of the terminal on stdout; `None` if stdout is not a terminal.
pub fn window_size() -> Option<WindowSize> {
    let (columns, rows) = size().ok().filter(|_| stdout().is_terminal())?;
    Some(WindowSize { columns, rows, width: 0, height: 0 })
}

/// Returns whether this process has a console, wherever stdin and stdout lead.
pub fn is_there() -> bool {
    size().is_ok()
}

/// Returns `false`: the end of the console is a signal.
pub fn has_gone(_error: &io::Error) -> bool {
    false
}

/// Returns whether stdin is a terminal.
pub fn is_stdin() -> bool {
    io::stdin().is_terminal()
}

/// Returns the kind of terminal: the value of `TERM`, which is usually not set, or one with all colors.
pub fn term() -> String {
    set("TERM").unwrap_or_else(|| "xterm-direct".to_owned())
}

/// Returns the locale for characters. Text is written to the console as Unicode in any case.
pub fn locale() -> Option<String> {
    ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find_map(set).or_else(|| Some("UTF-8".to_owned()))
}

fn set(variable: &str) -> Option<String> {
    env::var(variable).ok().filter(|value| !value.is_empty())
}
