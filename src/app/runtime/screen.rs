//! The terminal as a screen: taken, drawn on, given back.

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

/// The terminal while it is ours; dropping it gives it back.
///
/// Not ratatui's `Terminal`, which asks the terminal questions, shows the cursor when it is dropped,
/// and draws on all of a terminal, however large it says it is.
pub(super) struct Screen {
    backend: CrosstermBackend<BufWriter<Stdout>>,
    /// What is on the terminal.
    shown: Buffer,
    /// What is being drawn.
    next: Buffer,
    /// Whether the terminal's own cursor is in sight.
    cursor: bool,
    /// Whether the terminal reports what the mouse does; else the mouse is the terminal's own.
    mouse: bool,
}

impl Screen {
    /// The largest part of a terminal that is drawn on. One can say that it has 65535 columns and
    /// rows, for which there is no memory.
    const LARGEST: Size = Size::new(1000, 500);

    pub fn take(mouse: bool) -> io::Result<Screen> {
        // From here on the terminal may be ours in part, so that any failure gives it back.
        let taken = take(mouse).and_then(|()| {
            let out = BufWriter::with_capacity(1 << 16, io::stdout());
            let backend = CrosstermBackend::new(out);
            let (shown, next) = (Buffer::default(), Buffer::default());
            let mut screen = Screen { backend, shown, next, cursor: false, mouse };
            // A terminal without a second screen shows ours over what was there.
            screen.forget()?;
            Ok(screen)
        });
        taken.inspect_err(|_| give_back())
    }

    /// Draws the app, and tells it how long the terminal took for that.
    pub fn draw(&mut self, app: &mut App) -> io::Result<()> {
        if self.area()? != self.next.area {
            self.forget()?;
        }
        let cursor = app.draw(self.next.area, &mut self.next);
        let begun = Instant::now();
        let mut changes = self.shown.diff_iter(&self.next).peekable();
        // Even for nothing it would write something.
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

    /// What is drawn on of the terminal as it is now.
    fn area(&self) -> io::Result<Rect> {
        let Size { width, height } = self.backend.size()?;
        let largest = Screen::LARGEST;
        Ok(Rect::new(0, 0, width.min(largest.width), height.min(largest.height)))
    }

    /// Has the terminal report what the mouse does, or keep that for itself.
    pub fn report_mouse(&mut self, on: bool) -> io::Result<()> {
        self.mouse = on;
        if on {
            execute!(io::stdout(), EnableMouseCapture)
        } else {
            execute!(io::stdout(), DisableMouseCapture)
        }
    }

    /// Rings the terminal's bell.
    pub fn ring(&mut self) -> io::Result<()> {
        self.backend.write_all(b"\x07")?;
        io::Write::flush(&mut self.backend)
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

impl Drop for Screen {
    fn drop(&mut self) {
        give_back();
    }
}

/// Whether the terminal is ours, of which a process has one.
static OURS: AtomicBool = AtomicBool::new(false);

fn take(mouse: bool) -> io::Result<()> {
    OURS.store(true, Ordering::SeqCst);
    enable_raw_mode()?;
    execute!(io::stdout(), EnterAlternateScreen, EnableBracketedPaste, cursor::Hide)?;
    if mouse { execute!(io::stdout(), EnableMouseCapture) } else { Ok(()) }
}

/// Gives the terminal back as it was, if it is ours. Twice would do harm: who leaves the other screen
/// also puts the cursor where it was before, and so over a message that has been written since. What
/// fails here cannot be mended any more.
pub(super) fn give_back() {
    if OURS.swap(false, Ordering::SeqCst) {
        let _ = execute!(
            io::stdout(),
            DisableMouseCapture,
            DisableBracketedPaste,
            LeaveAlternateScreen,
            cursor::Show
        );
        // What was typed for us is no command for a shell.
        let _ = tcflush(stdin(), QueueSelector::IFlush);
        let _ = disable_raw_mode();
    }
}
