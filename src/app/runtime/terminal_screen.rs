//! The terminal as a screen: the program sets it up, draws on it, and restores it.

use super::sequence::ASK_BACKGROUND;
use crate::app::App;
use crate::play::{Output, suspend};
use crossterm::clipboard::CopyToClipboard;
use crossterm::event::{
    DisableBracketedPaste, DisableMouseCapture, EnableBracketedPaste, EnableMouseCapture,
};
use crossterm::terminal::{
    EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use crossterm::{cursor, execute, queue};
use ratatui::backend::Backend;
use ratatui::buffer::Buffer;
use ratatui::layout::{Rect, Size};
use ratatui_crossterm::CrosstermBackend;
use rustix::stdio::{stdin, stdout};
use rustix::termios::{QueueSelector, tcflush};
use std::io::{self, Write};
use std::mem;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The terminal while the program has it. Dropping this value restores the terminal.
///
/// ratatui's `Terminal` is not used: it queries the terminal, shows the cursor when it is dropped, and
/// draws on the whole terminal, however large that claims to be.
pub(super) struct TerminalScreen {
    output: Output,
    /// What is on the terminal.
    shown: Buffer,
    /// What is being drawn.
    next: Buffer,
    /// Whether the terminal's own cursor is shown.
    cursor: bool,
    /// Whether the terminal reports the mouse.
    mouse: bool,
    /// When the last drawing began, until the terminal has taken it.
    begun: Option<Instant>,
}

impl TerminalScreen {
    /// The largest part of a terminal that is drawn on. A terminal can claim 65535 columns and rows, for
    /// which there is no memory.
    const LARGEST: Size = Size::new(1000, 500);

    pub fn take(mouse: bool) -> io::Result<TerminalScreen> {
        let (shown, next) = (Buffer::default(), Buffer::default());
        let output = Output::open();
        let mut screen = TerminalScreen { output, shown, next, cursor: false, mouse, begun: None };
        // The terminal may be set up in part after an error. Dropping this restores it.
        screen.retake()?;
        Ok(screen)
    }

    /// What goes to the terminal.
    pub const fn output(&self) -> &Output {
        &self.output
    }

    /// Writes what the terminal did not take before, as far as it does now. Then tells the app how long it took.
    pub fn flush(&mut self, app: &mut App) -> io::Result<()> {
        self.output.flush()?;
        if let Some(begun) = self.begun.take_if(|_| !self.output.is_blocked()) {
            app.drawn(begun.elapsed());
        }
        Ok(())
    }

    /// Draws the app. What was drawn before must have been written.
    pub fn draw(&mut self, app: &mut App) -> io::Result<()> {
        if self.area()? != self.next.area {
            self.forget()?;
        }
        let cursor = app.draw(self.next.area, &mut self.next);
        self.begun = Some(Instant::now());
        let mut backend = CrosstermBackend::new(&mut self.output);
        let mut changes = self.shown.diff_iter(&self.next).peekable();
        // The backend would write some bytes even without changes.
        if changes.peek().is_some() {
            backend.draw(changes)?;
        }
        match cursor {
            Some(position) => {
                backend.show_cursor()?;
                backend.set_cursor_position(position)?;
            }
            None if self.cursor => backend.hide_cursor()?,
            None => {}
        }
        self.cursor = cursor.is_some();
        mem::swap(&mut self.shown, &mut self.next);
        self.next.reset();
        self.flush(app)
    }

    /// The part of the terminal to draw on, at its present size.
    fn area(&mut self) -> io::Result<Rect> {
        let Size { width, height } = CrosstermBackend::new(&mut self.output).size()?;
        let largest = TerminalScreen::LARGEST;
        Ok(Rect::new(0, 0, width.min(largest.width), height.min(largest.height)))
    }

    /// Makes the terminal report the mouse, or keep it to itself.
    pub fn report_mouse(&mut self, on: bool) -> io::Result<()> {
        self.mouse = on;
        if on {
            execute!(self.output, EnableMouseCapture)
        } else {
            execute!(self.output, DisableMouseCapture)
        }
    }

    /// Asks for the colour of the background, once. The answer comes among the keys, or never; nothing waits for it.
    pub fn ask_background(&mut self) -> io::Result<()> {
        // It goes out with the first drawing.
        self.output.write_all(ASK_BACKGROUND)
    }

    /// Rings the terminal's bell.
    pub fn ring(&mut self) -> io::Result<()> {
        self.output.write_all(b"\x07")?;
        self.output.flush()
    }

    /// Asks the terminal to put a text on the clipboard. One that cannot do that ignores it.
    pub fn copy(&mut self, text: &str) -> io::Result<()> {
        queue!(self.output, CopyToClipboard::to_clipboard_from(text))?;
        self.output.flush()
    }

    /// Restores the terminal, suspends the process, and takes the terminal again when the process goes on.
    pub fn suspend(&mut self) -> io::Result<()> {
        self.output.forget();
        give_back();
        suspend()?;
        self.retake()
    }

    /// Restores the terminal while somebody else uses it.
    pub fn lend<T>(&mut self, work: impl FnOnce() -> T) -> io::Result<T> {
        self.output.forget();
        give_back();
        let done = work();
        self.retake()?;
        Ok(done)
    }

    /// Takes the terminal again after others had it, and forgets what was drawn.
    pub fn retake(&mut self) -> io::Result<()> {
        OURS.store(true, Ordering::SeqCst);
        enable_raw_mode()?;
        queue!(self.output, EnterAlternateScreen, EnableBracketedPaste, cursor::Hide)?;
        if self.mouse {
            queue!(self.output, EnableMouseCapture)?;
        }
        // On a terminal without an alternate screen, what was there must be cleared.
        self.forget()
    }

    /// Clears the terminal, and forgets what was drawn on it.
    fn forget(&mut self) -> io::Result<()> {
        let area = self.area()?;
        CrosstermBackend::new(&mut self.output).clear()?;
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

/// How long a terminal may take for what gives it back. It may be one whose reader has stopped.
const PATIENCE: Duration = Duration::from_millis(50);

/// Restores the terminal, if the program has it. It must not happen twice: leaving the alternate screen
/// again would move the cursor back, over a message written since. Errors are ignored, because nothing can
/// be done about them.
pub(super) fn give_back() {
    if OURS.swap(false, Ordering::SeqCst) {
        let mut output = Output::open();
        let _ = queue!(
            output,
            DisableMouseCapture,
            DisableBracketedPaste,
            LeaveAlternateScreen,
            cursor::Show
        );
        if !output.drain(PATIENCE).unwrap_or(true) {
            // What it has not read of the screen is dropped, which makes room for this.
            let _ = tcflush(stdout(), QueueSelector::OFlush);
            let _ = output.flush();
        }
        // Keys typed for the program must not reach the shell.
        let _ = tcflush(stdin(), QueueSelector::IFlush);
        let _ = disable_raw_mode();
    }
}
