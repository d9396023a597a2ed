//! The terminal as a screen: the program sets it up, draws on it, and restores it.

use super::sequence::ASK_BACKGROUND;
use crate::app::App;
use crossterm::event::{
    DisableBracketedPaste, DisableMouseCapture, EnableBracketedPaste, EnableMouseCapture,
};
use crossterm::terminal::{
    EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use crossterm::{cursor, execute};
use ratatui::backend::Backend;
use ratatui::buffer::Buffer;
use ratatui::layout::{Rect, Size};
use ratatui_crossterm::CrosstermBackend;
use rustix::stdio::stdin;
use rustix::termios::{QueueSelector, tcflush};
use signal_hook::consts::SIGTSTP;
use signal_hook::low_level::emulate_default_handler;
use std::io::{self, BufWriter, Stdout, Write};
use std::mem;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// The terminal while the program has it. Dropping this value restores the terminal.
///
/// ratatui's `Terminal` is not used: it queries the terminal, shows the cursor when it is dropped, and
/// draws on the whole terminal, however large that claims to be.
pub(super) struct TerminalScreen {
    backend: CrosstermBackend<BufWriter<Stdout>>,
    /// What is on the terminal.
    shown: Buffer,
    /// What is being drawn.
    next: Buffer,
    /// Whether the terminal's own cursor is shown.
    cursor: bool,
    /// Whether the terminal reports the mouse.
    mouse: bool,
}

impl TerminalScreen {
    /// The largest part of a terminal that is drawn on. A terminal can claim 65535 columns and rows, for
    /// which there is no memory.
    const LARGEST: Size = Size::new(1000, 500);

    pub fn take(mouse: bool) -> io::Result<TerminalScreen> {
        // The terminal may be set up in part now, so any failure restores it.
        let taken = take(mouse).and_then(|()| {
            let out = BufWriter::with_capacity(1 << 16, io::stdout());
            let backend = CrosstermBackend::new(out);
            let (shown, next) = (Buffer::default(), Buffer::default());
            let mut screen = TerminalScreen { backend, shown, next, cursor: false, mouse };
            // On a terminal without an alternate screen, what was there must be cleared.
            screen.forget()?;
            Ok(screen)
        });
        taken.inspect_err(|_| give_back())
    }

    /// Draws the app, and tells it how long the terminal took.
    pub fn draw(&mut self, app: &mut App) -> io::Result<()> {
        if self.area()? != self.next.area {
            self.forget()?;
        }
        let cursor = app.draw(self.next.area, &mut self.next);
        let begun = Instant::now();
        let mut changes = self.shown.diff_iter(&self.next).peekable();
        // The backend would write some bytes even without changes.
        if changes.peek().is_some() {
            self.backend.draw(changes)?;
        }
        match cursor {
            Some(position) => {
                self.backend.show_cursor()?;
                self.backend.set_cursor_position(position)?;
            }
            None if self.cursor => self.backend.hide_cursor()?,
            None => {}
        }
        self.cursor = cursor.is_some();
        mem::swap(&mut self.shown, &mut self.next);
        self.next.reset();
        Backend::flush(&mut self.backend)?;
        app.drawn(begun.elapsed());
        Ok(())
    }

    /// The part of the terminal to draw on, at its present size.
    fn area(&self) -> io::Result<Rect> {
        let Size { width, height } = self.backend.size()?;
        let largest = TerminalScreen::LARGEST;
        Ok(Rect::new(0, 0, width.min(largest.width), height.min(largest.height)))
    }

    /// Makes the terminal report the mouse, or keep it to itself.
    pub fn report_mouse(&mut self, on: bool) -> io::Result<()> {
        self.mouse = on;
        if on {
            execute!(io::stdout(), EnableMouseCapture)
        } else {
            execute!(io::stdout(), DisableMouseCapture)
        }
    }

    /// Asks for the colour of the background, once. The answer comes among the keys, or never; nothing waits for it.
    pub fn ask_background(&mut self) -> io::Result<()> {
        // It goes out with the first drawing.
        self.backend.write_all(ASK_BACKGROUND)
    }

    /// Rings the terminal's bell.
    pub fn ring(&mut self) -> io::Result<()> {
        self.backend.write_all(b"\x07")?;
        io::Write::flush(&mut self.backend)
    }

    /// Restores the terminal, suspends the process, and takes the terminal again when the process goes on.
    /// The process is stopped by `SIGSTOP`, which also stops an orphan.
    pub fn suspend(&mut self) -> io::Result<()> {
        give_back();
        emulate_default_handler(SIGTSTP)?;
        self.retake()
    }

    /// Takes the terminal again after others had it, and forgets what was drawn.
    pub fn retake(&mut self) -> io::Result<()> {
        take(self.mouse)?;
        self.forget()
    }

    /// Clears the terminal, and forgets what was drawn on it.
    fn forget(&mut self) -> io::Result<()> {
        let area = self.area()?;
        self.backend.clear()?;
        for buffer in [&mut self.shown, &mut self.next] {
            *buffer = Buffer::empty(area);
        }
        Ok(())
    }
}

impl Drop for TerminalScreen {
    fn drop(&mut self) {
        give_back();
    }
}

/// Whether the program has the terminal. A process has only one.
static OURS: AtomicBool = AtomicBool::new(false);

fn take(mouse: bool) -> io::Result<()> {
    OURS.store(true, Ordering::SeqCst);
    enable_raw_mode()?;
    execute!(io::stdout(), EnterAlternateScreen, EnableBracketedPaste, cursor::Hide)?;
    if mouse { execute!(io::stdout(), EnableMouseCapture) } else { Ok(()) }
}

/// Restores the terminal, if the program has it. It must not happen twice: leaving the alternate screen
/// again would move the cursor back, over a message written since. Errors are ignored, because nothing can
/// be done about them.
pub(super) fn give_back() {
    if OURS.swap(false, Ordering::SeqCst) {
        let _ = execute!(
            io::stdout(),
            DisableMouseCapture,
            DisableBracketedPaste,
            LeaveAlternateScreen,
            cursor::Show
        );
        // Keys typed for the program must not reach the shell.
        let _ = tcflush(stdin(), QueueSelector::IFlush);
        let _ = disable_raw_mode();
    }
}
