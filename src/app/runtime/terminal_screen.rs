//! The terminal as a screen: setup, drawing and restoration.

use super::images::Images;
use super::keys::{Keys, TerminalInput};
use super::probe::{ImageProbe, window_cell};
use super::protocol::{GraphicsEnvironment, Protocol};
use super::seams;
use super::sequence::{ASK_ATTRIBUTES, ASK_BACKGROUND, ASK_KEYBOARD_FLAGS, ASK_MODE};
use crate::app::App;
use crossterm::clipboard::CopyToClipboard;
use crossterm::event::{
    DisableBracketedPaste, DisableFocusChange, DisableMouseCapture, EnableBracketedPaste,
    EnableFocusChange, EnableMouseCapture, MouseEvent,
};
use crossterm::terminal::{Clear, ClearType, EnterAlternateScreen, LeaveAlternateScreen, size};
use crossterm::{cursor, queue};
use quadrille_scene::pixels::CellSize;
use quadrille_system::handle::{is_not_ready, read, stdin};
use quadrille_system::job_control::suspend;
use quadrille_system::output::Output;
use quadrille_system::terminal::{HAS_BYTES, TerminalModes, discard_input, discard_output};
use quadrille_system::wait::{Source, wait};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use std::io::{self, Write};
use std::mem;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The terminal while the program holds it. Dropping this value restores the terminal.
///
/// ratatui's `Terminal` is not used, because it queries the terminal, shows the cursor on drop, and draws on the whole
/// terminal even if the reported size is enormous.
pub(super) struct TerminalScreen {
    output: Output,
    shown: Buffer,
    next: Buffer,
    cursor: bool,
    mouse: bool,
    is_kitty: bool,
    /// The time at which the latest drawing began; `None` once the terminal has accepted all of its output.
    begun: Option<Instant>,
    probe: ImageProbe,
    images: Images,
    /// The protocol for images and the size of a cell at the latest drawing.
    how: Option<(Protocol, CellSize)>,
    mouse_unit: MouseUnit,
}

/// The unit of the positions in mouse reports.
#[derive(Clone, Copy, PartialEq)]
enum MouseUnit {
    Cells,
    /// Pixels were requested. Reports before the answer are in cells.
    CellsUntilAnswer,
    Pixels,
}

impl TerminalScreen {
    /// The maximum area to draw. A terminal may report 65535 columns and rows, which would need too much memory.
    const MAX_SIZE: (u16, u16) = (1000, 500);
    /// A row number larger than any terminal has, which moves the cursor to the last row.
    const LAST_ROW: u16 = 9998;

    pub fn take(
        mouse: bool,
        is_kitty: bool,
        graphics: Option<GraphicsEnvironment>,
    ) -> io::Result<TerminalScreen> {
        let mut screen = TerminalScreen {
            output: Output::open(),
            shown: Buffer::default(),
            next: Buffer::default(),
            cursor: false,
            mouse,
            is_kitty,
            begun: None,
            probe: ImageProbe::new(graphics),
            images: Images::new(std::process::id()),
            how: None,
            mouse_unit: MouseUnit::Cells,
        };
        // If an error leaves the terminal partly set up, dropping `screen` restores it.
        screen.retake()?;
        Ok(screen)
    }

    pub const fn output(&self) -> &Output {
        &self.output
    }

    /// Flushes buffered output as far as the terminal accepts it. Once all output is flushed, reports the drawing time
    /// to the app.
    pub fn flush(&mut self, app: &mut App, now: Duration) -> io::Result<()> {
        self.output.flush()?;
        if let Some(begun) = self.begun.take_if(|_| !self.output.is_blocked()) {
            app.drawn(now, begun.elapsed());
        }
        Ok(())
    }

    /// Draws the app. The output of the previous drawing must have been flushed.
    pub fn draw(&mut self, app: &mut App, now: Duration) -> io::Result<()> {
        if TerminalScreen::area()? != self.next.area {
            self.forget()?;
        }
        app.notice_changes();
        self.how = self.probe.protocol(app, window_cell());
        app.show_images(self.how.map(|(_, cell)| cell));
        let cursor = app.draw(self.next.area, &mut self.next);
        self.begun = Some(Instant::now());
        seams::close(&mut self.next);
        let TerminalScreen { images, shown, next, output, .. } = self;
        if images.write_frame(self.how, &app.images(), shown, next, output)? {
            self.record_farewell();
        }
        match cursor {
            Some(at) => queue!(self.output, cursor::Show, cursor::MoveTo(at.x, at.y))?,
            None if self.cursor => queue!(self.output, cursor::Hide)?,
            None => {}
        }
        self.cursor = cursor.is_some();
        mem::swap(&mut self.shown, &mut self.next);
        self.next.reset();
        self.flush(app, now)
    }

    /// Asks for the terminal's colors, if they are used on the screen, and whether it shows images, unless that is
    /// known or of no use. Returns whether anything was asked.
    pub fn ask_as_needed(&mut self, app: &App) -> io::Result<bool> {
        let is_asked = HAS_BYTES && self.probe.ask(app.graphics(), app.skin(), &mut self.output)?;
        if is_asked {
            set_awaited(true);
            // A terminal that does not know a query may show it.
            self.forget()?;
        }
        Ok(is_asked)
    }

    /// Takes an answer of the terminal. Returns whether the screen may change.
    pub fn answer(&mut self, input: TerminalInput, app: &App) -> io::Result<bool> {
        if let TerminalInput::Attributes(_) = input {
            set_awaited(false);
        }
        if let TerminalInput::Mode(ImageProbe::PIXEL_MOUSE, 1) = input
            && self.mouse_unit == MouseUnit::CellsUntilAnswer
        {
            self.mouse_unit = MouseUnit::Pixels;
        }
        let is_last = self.probe.on_input(input);
        if is_last && self.probe.protocol(app, window_cell()).is_some() {
            self.request_pixels()?;
        }
        Ok(is_last)
    }

    /// Requests mouse reports in pixels, if the terminal has them.
    fn request_pixels(&mut self) -> io::Result<()> {
        if self.mouse && self.probe.has_pixel_mouse() {
            let (mode, [before, after]) = (ImageProbe::PIXEL_MOUSE, ASK_MODE);
            write!(self.output, "\x1b[?{mode}h{before}{mode}{after}")?;
            self.mouse_unit = MouseUnit::CellsUntilAnswer;
            self.record_farewell();
        }
        Ok(())
    }

    /// Changes the position in a mouse report to a cell, and returns its pixel if the terminal reports pixels.
    pub fn pixel_of(&self, mouse: &mut MouseEvent) -> Option<[f32; 2]> {
        if self.mouse_unit != MouseUnit::Pixels {
            return None;
        }
        let cell = self.probe.cell(window_cell())?;
        let pixel = [mouse.column, mouse.row].map(f32::from);
        (mouse.column, mouse.row) = (mouse.column / cell.width, mouse.row / cell.height);
        Some(pixel)
    }

    /// Sends all images again if the terminal may have lost them while its window was hidden.
    pub fn focus(&mut self) -> bool {
        let is_lossy = matches!(self.how, Some((Protocol::ITerm2 | Protocol::KittyInTmux, _)));
        if is_lossy {
            self.images.forget();
        }
        is_lossy
    }

    /// Records what must be written before the terminal is restored.
    fn record_farewell(&self) {
        let mut farewell = self.images.farewell();
        if self.mouse_unit != MouseUnit::Cells {
            farewell.extend(format!("\x1b[?{}l", ImageProbe::PIXEL_MOUSE).bytes());
        }
        if let Some(before) = &mut *before() {
            before.farewell = farewell;
        }
    }

    /// Returns the area to draw, based on the terminal's current size.
    fn area() -> io::Result<Rect> {
        let ((columns, rows), largest) = (size()?, TerminalScreen::MAX_SIZE);
        Ok(Rect::new(0, 0, columns.min(largest.0), rows.min(largest.1)))
    }

    pub fn report_mouse(&mut self, on: bool) -> io::Result<()> {
        self.mouse = on;
        if on {
            queue!(self.output, EnableMouseCapture)?;
            self.request_pixels()?;
        } else {
            queue!(self.output, DisableMouseCapture)?;
        }
        self.output.flush()
    }

    /// Queries the keyboard protocol and the background color. The answers, if any, arrive among the keys; nothing
    /// waits for them. Returns whether the terminal can answer.
    pub fn ask(&mut self) -> io::Result<bool> {
        if HAS_BYTES {
            // The queries are flushed with the first drawing.
            self.output.write_all(ASK_KEYBOARD_FLAGS)?;
            self.output.write_all(ASK_BACKGROUND)?;
        }
        Ok(HAS_BYTES)
    }

    pub fn ring(&mut self) -> io::Result<()> {
        self.output.write_all(b"\x07")?;
        self.output.flush()
    }

    /// Asks the terminal to copy a text to the clipboard. Terminals that do not support this ignore the request.
    pub fn copy(&mut self, text: &str) -> io::Result<()> {
        queue!(self.output, CopyToClipboard::to_clipboard_from(text))?;
        self.output.flush()
    }

    /// Restores the terminal, suspends the process, and takes the terminal again when the process continues.
    pub fn suspend(&mut self) -> io::Result<()> {
        self.lend(suspend)?
    }

    /// Restores the terminal while `work` uses it.
    pub fn lend<T>(&mut self, work: impl FnOnce() -> T) -> io::Result<T> {
        self.output.forget();
        give_back();
        let done = work();
        self.retake()?;
        Ok(done)
    }

    /// Takes the terminal back from a shell that took over without a call of [`give_back`], as after SIGSTOP.
    pub fn regain(&mut self) -> io::Result<()> {
        // `retake` must not push the flags a second time.
        self.output.write_all(POP_KEYBOARD_FLAGS)?;
        self.retake()
    }

    /// Takes the terminal, and discards the previous drawing.
    fn retake(&mut self) -> io::Result<()> {
        make_raw(self.is_kitty)?;
        queue!(
            self.output,
            EnterAlternateScreen,
            EnableBracketedPaste,
            EnableFocusChange,
            cursor::Hide,
        )?;
        if HAS_BYTES {
            // The main screen and the alternate screen have separate flags.
            self.output.write_all(PUSH_KEYBOARD_FLAGS)?;
        }
        if self.mouse {
            queue!(self.output, EnableMouseCapture)?;
            self.mouse_unit = MouseUnit::Cells;
            self.request_pixels()?;
        }
        self.probe.forget_unanswered();
        // A terminal without an alternate screen still shows the previous content, which must be cleared.
        self.redraw()
    }

    /// Resets the modes that make drawings unreadable, clears the terminal, and discards the previous drawing.
    pub fn redraw(&mut self) -> io::Result<()> {
        self.output.write_all(USUAL_MODES)?;
        if !self.is_kitty {
            self.output.write_all(USUAL_XTERM_MODES)?;
        }
        self.forget()
    }

    /// Clears the terminal, and discards the previous drawing.
    fn forget(&mut self) -> io::Result<()> {
        let area = TerminalScreen::area()?;
        queue!(self.output, Clear(ClearType::All))?;
        for buffer in [&mut self.shown, &mut self.next] {
            *buffer = Buffer::empty(area);
        }
        self.images.forget();
        Ok(())
    }
}

impl Drop for TerminalScreen {
    fn drop(&mut self) {
        give_back();
    }
}

/// Resets modes that an earlier program may have left on: the character set (ASCII as G0, which is in use), the style,
/// insert mode, newline mode, in which Enter sends two characters, origin mode, and the top and bottom margins. Unlike
/// a soft reset (DECSTR), this works in every terminal, and keeps the user's tab stops.
const USUAL_MODES: &[u8] = b"\x1b(B\x0f\x1b[m\x1b[4l\x1b[20l\x1b[?6l\x1b[r";

/// Resets the left and right margins, and xterm's `modifyOtherKeys`. kitty has neither, and reports both as errors on
/// its stderr.
const USUAL_XTERM_MODES: &[u8] = b"\x1b[?69l\x1b[>4;0m";
const USUAL_STYLE: &[u8] = b"\x1b[m";
/// Keys in kitty's protocol: unambiguous, and with what they mean on other layouts (flags 1 and 4). crossterm's commands
/// fail on Windows.
const PUSH_KEYBOARD_FLAGS: &[u8] = b"\x1b[>5u";
const POP_KEYBOARD_FLAGS: &[u8] = b"\x1b[<1u";
/// Restores the user's value of `modifyOtherKeys`.
const OWN_KEYS: &[u8] = b"\x1b[>4m";

/// What restoring the terminal needs.
struct Before {
    /// The terminal modes before the program took the terminal.
    modes: TerminalModes,
    is_kitty: bool,
    /// What to write first: deletes the images, for example.
    farewell: Vec<u8>,
    /// Whether the answer to an earlier [`ASK_ATTRIBUTES`] is outstanding.
    is_awaited: bool,
}

/// Records whether the terminal must still answer [`ASK_ATTRIBUTES`].
fn set_awaited(is_awaited: bool) {
    if let Some(before) = &mut *before() {
        before.is_awaited = is_awaited;
    }
}

/// `None` while the program does not hold the terminal.
static BEFORE: Mutex<Option<Before>> = Mutex::new(None);

fn before() -> MutexGuard<'static, Option<Before>> {
    BEFORE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Puts the terminal into raw mode. crossterm's function would do nothing if a shell has reset the mode, because
/// crossterm still assumes raw mode.
fn make_raw(is_kitty: bool) -> io::Result<()> {
    let modes = TerminalModes::current()?;
    let raw = modes.raw();
    before().get_or_insert_with(|| Before {
        modes,
        is_kitty,
        farewell: Vec::new(),
        is_awaited: false,
    });
    raw.set()
}

/// Timeout for output. The terminal may have stopped reading.
pub(super) const OUTPUT_TIMEOUT: Duration = Duration::from_millis(50);

/// Timeout for the terminal's answer after the restoring output.
const ANSWER_TIMEOUT: Duration = Duration::from_millis(300);

/// Restores the terminal, if the program holds it. This must not happen twice: leaving the alternate screen a second
/// time would move the cursor back, over any message written since. Errors are ignored, because no recovery is
/// possible.
pub(super) fn give_back() {
    let Some(Before { modes, is_kitty, farewell, is_awaited }) = before().take() else { return };
    let mut output = Output::open();
    let _ = output.write_all(&farewell);
    let _ = queue!(output, DisableMouseCapture, DisableFocusChange, DisableBracketedPaste);
    if HAS_BYTES {
        let _ = output.write_all(POP_KEYBOARD_FLAGS);
    }
    if !is_kitty {
        let _ = output.write_all(OWN_KEYS);
    }
    let _ = output.write_all(USUAL_STYLE);
    let _ = queue!(
        output,
        // Without an alternate screen, the prompt would appear in the middle of the board.
        Clear(ClearType::All),
        cursor::MoveTo(0, TerminalScreen::LAST_ROW),
        LeaveAlternateScreen,
        cursor::Show
    );
    if HAS_BYTES {
        let _ = output.write_all(ASK_ATTRIBUTES);
    }
    if output.drain(OUTPUT_TIMEOUT).unwrap_or(true) {
        let answers = if HAS_BYTES { 1 + usize::from(is_awaited) } else { 0 };
        for _ in 0..answers {
            read_to_attributes(ANSWER_TIMEOUT, drop);
        }
    } else {
        // Drop unread output to make room.
        discard_output();
        let _ = output.flush();
    }
    // Keys typed for the program must not reach the shell.
    discard_input();
    let _ = modes.set();
}

/// Reads the terminal's input up to the answer to [`ASK_ATTRIBUTES`], for at most this long, and passes it to
/// `on_input`. So no answers and no mouse reports reach the shell.
pub(super) fn read_to_attributes(timeout: Duration, mut on_input: impl FnMut(TerminalInput)) {
    let until = Instant::now() + timeout;
    let mut keys = Keys::new(timeout);
    let mut bytes = [0; 256];
    while Instant::now() < until {
        let mut source = [Source::stdin()];
        if wait(&mut source, Some(until)).is_err() {
            return;
        }
        if !source[0].is_ready() {
            continue;
        }
        match read(stdin(), &mut bytes) {
            Ok(length @ 1..) => keys.feed(&bytes[..length], Instant::now()),
            Err(error) if is_not_ready(&error) => {}
            _ => return,
        }
        while let Some(input) = keys.next() {
            let is_last = matches!(input, TerminalInput::Attributes(_));
            on_input(input);
            if is_last {
                return;
            }
        }
    }
}
