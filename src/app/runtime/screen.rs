//! The terminal as a screen: taken, drawn on, given back.

use crate::app::App;
use crossterm::event::{DisableBracketedPaste, EnableBracketedPaste};
use crossterm::terminal::{
    EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use crossterm::{cursor, execute};
use ratatui::Terminal;
use ratatui::backend::Backend;
use ratatui_crossterm::CrosstermBackend;
use signal_hook::consts::SIGTSTP;
use signal_hook::low_level::emulate_default_handler;
use std::io::{self, BufWriter, Stdout};
use std::sync::atomic::{AtomicBool, Ordering};

/// The terminal while it is ours; dropping it gives it back.
pub(super) struct Screen {
    terminal: Terminal<CrosstermBackend<BufWriter<Stdout>>>,
    /// Whether the terminal's own cursor is in sight.
    cursor: bool,
}

impl Screen {
    pub fn take() -> io::Result<Screen> {
        // From here on the terminal may be ours in part, so that any failure gives it back.
        let taken = take().and_then(|()| {
            let out = BufWriter::with_capacity(1 << 16, io::stdout());
            Terminal::new(CrosstermBackend::new(out))
        });
        let screen = taken.and_then(|terminal| {
            let mut screen = Screen { terminal, cursor: false };
            // A terminal without a second screen shows ours over what was there.
            screen.forget()?;
            Ok(screen)
        });
        screen.inspect_err(|_| give_back())
    }

    pub fn draw(&mut self, app: &App) -> io::Result<()> {
        // The steps of `Terminal::draw`, which would hide the cursor again with every frame.
        self.terminal.autoresize()?;
        let mut frame = self.terminal.get_frame();
        let cursor = app.draw(frame.area(), frame.buffer_mut());
        self.terminal.flush()?;
        // `Terminal` need not know of it: where it has hidden a cursor, it shows it when it is dropped,
        // and panics if the terminal has gone.
        let backend = self.terminal.backend_mut();
        match cursor {
            Some(position) => {
                backend.show_cursor()?;
                backend.set_cursor_position(position)?;
            }
            None if self.cursor => backend.hide_cursor()?,
            None => {}
        }
        self.cursor = cursor.is_some();
        self.terminal.swap_buffers();
        self.terminal.backend_mut().flush()
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

/// Whether the terminal is ours, of which a process has one.
static OURS: AtomicBool = AtomicBool::new(false);

fn take() -> io::Result<()> {
    OURS.store(true, Ordering::SeqCst);
    enable_raw_mode()?;
    execute!(io::stdout(), EnterAlternateScreen, EnableBracketedPaste, cursor::Hide)
}

/// Gives the terminal back as it was, if it is ours. Twice would do harm: who leaves the other screen
/// also puts the cursor where it was before, and so over a message that has been written since. What
/// fails here cannot be mended any more.
pub(super) fn give_back() {
    if OURS.swap(false, Ordering::SeqCst) {
        let _ = execute!(io::stdout(), DisableBracketedPaste, LeaveAlternateScreen, cursor::Show);
        let _ = disable_raw_mode();
    }
}
