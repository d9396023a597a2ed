//! The terminal as a screen: taken, drawn on, given back.

use super::worker;
use crate::app::App;
use crossterm::event::{DisableBracketedPaste, EnableBracketedPaste};
use crossterm::terminal::{
    EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use crossterm::{cursor, execute};
use ratatui::Terminal;
use ratatui::backend::{Backend, CrosstermBackend};
use signal_hook::consts::SIGTSTP;
use signal_hook::low_level::emulate_default_handler;
use std::io::{self, BufWriter, Stdout};
use std::panic;
use std::thread;

/// The terminal while it is ours; dropping it gives it back.
pub(super) struct Screen {
    terminal: Terminal<CrosstermBackend<BufWriter<Stdout>>>,
}

impl Screen {
    pub fn take() -> io::Result<Screen> {
        let hook = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            // What an engine's thread does is caught and told on the screen.
            if thread::current().name() != Some(worker::THREAD) {
                give_back();
                hook(info);
            }
        }));
        // From here on the terminal may be ours in part, so that any failure gives it back.
        let taken = take().and_then(|()| {
            let out = BufWriter::with_capacity(1 << 16, io::stdout());
            Terminal::new(CrosstermBackend::new(out))
        });
        let screen = taken.and_then(|terminal| {
            let mut screen = Screen { terminal };
            // A terminal without a second screen shows ours over what was there.
            screen.forget()?;
            Ok(screen)
        });
        screen.inspect_err(|_| give_back())
    }

    pub fn draw(&mut self, app: &App) -> io::Result<()> {
        self.terminal.draw(|frame| {
            if let Some(position) = app.draw(frame.area(), frame.buffer_mut()) {
                frame.set_cursor_position(position);
            }
        })?;
        Ok(())
    }

    /// Gives the terminal back, stops the process, and takes the terminal again when the process is
    /// continued. It is stopped by `SIGSTOP`, which stops an orphan too.
    pub fn suspend(&mut self) -> io::Result<()> {
        give_back();
        emulate_default_handler(SIGTSTP)?;
        self.retake()
    }

    /// Takes the terminal again after anybody else had it, and forgets what was drawn.
    pub fn retake(&mut self) -> io::Result<()> {
        take()?;
        self.forget()
    }

    /// Clears the terminal, and forgets what was drawn on it.
    fn forget(&mut self) -> io::Result<()> {
        // Not `Terminal::clear`, which asks the terminal where its cursor is and waits for an answer.
        let size = self.terminal.backend().size()?;
        self.terminal.resize(size.into())
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        give_back();
    }
}

fn take() -> io::Result<()> {
    enable_raw_mode()?;
    execute!(io::stdout(), EnterAlternateScreen, EnableBracketedPaste, cursor::Hide)
}

/// Gives the terminal back as it was. What fails here cannot be mended any more.
fn give_back() {
    let _ = execute!(io::stdout(), DisableBracketedPaste, LeaveAlternateScreen, cursor::Show);
    let _ = disable_raw_mode();
}
