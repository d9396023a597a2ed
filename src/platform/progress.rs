//! The progress line of long commands, shown on stderr if that is a terminal.

use crossterm::cursor::{MoveDown, MoveLeft, MoveRight, MoveToColumn, MoveUp};
use crossterm::style::Print;
use crossterm::terminal::{self, Clear, ClearType};
use crossterm::{Command, execute};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle, TermLike};
use quadrille_search::startable_threads;
use quadrille_text::printable::printable;
use std::env::var;
use std::io::{self, IsTerminal, Write, stderr};
use std::time::Duration;

/// The maximum drawing rate, in frames per second.
const FRAMES: u8 = 20;
/// How often the elapsed time is updated.
const TICK: Duration = Duration::from_millis(125);

/// Creates a bar on stderr, hidden if stderr is not a terminal. The elapsed time is updated at this interval, or
/// together with the other values if no thread can be started.
pub fn bar(
    length: Option<u64>,
    template: &str,
    style: impl FnOnce(ProgressStyle) -> ProgressStyle,
    every: Duration,
) -> ProgressBar {
    let is_dumb = matches!(&*var("TERM").unwrap_or_default(), "" | "dumb");
    if is_dumb || !stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let target = ProgressDrawTarget::term_like_with_hz(Box::new(StderrLine), FRAMES);
    let bar = ProgressBar::with_draw_target(length, target);
    if let Ok(template) = ProgressStyle::with_template(template) {
        bar.set_style(style(template));
    }
    // The bar panics if it cannot start its thread.
    if startable_threads(1) > 0 {
        bar.enable_steady_tick(every);
    }
    bar
}

/// A progress line with the elapsed time and the results so far. Clones share one line.
#[derive(Clone)]
pub struct ProgressLine {
    bar: ProgressBar,
    /// The text at the end of the line: how to end the command.
    until: &'static str,
    /// The text at the start of the line: the current part of the work.
    place: String,
}

impl ProgressLine {
    /// Creates the line, shown if stderr is a terminal. `until` is the text at the end of the line.
    pub fn new(until: &'static str) -> ProgressLine {
        let style = |style: ProgressStyle| style.tick_chars("|/-\\ ");
        let bar = bar(None, "{spinner} {elapsed} {wide_msg}", style, TICK);
        ProgressLine { bar, until, place: String::new() }
    }

    pub fn set_place(&mut self, place: String) {
        self.place = place;
        self.report(String::new);
    }

    pub fn report(&self, known: impl FnOnce() -> String) {
        if !self.bar.is_hidden() {
            let ProgressLine { place, until, .. } = self;
            let parts = [place, &known(), *until];
            let parts = parts.into_iter().filter(|part| !part.is_empty());
            let message = parts.collect::<Vec<_>>().join("  ");
            self.bar.set_message(printable(&message).into_owned());
        }
    }

    pub fn clear(&self) {
        self.bar.finish_and_clear();
    }
}

/// A terminal line with room at the end for the `^C` that the terminal echoes. Without this room the `^C` would wrap to
/// the next line, and this line could not be cleared.
#[derive(Debug)]
struct StderrLine;

impl StderrLine {
    const ROOM: u16 = 3;

    fn write(command: impl Command) -> io::Result<()> {
        execute!(stderr(), command)
    }

    /// Does nothing if `by` is 0, for which crossterm would move by one.
    fn go(by: usize, command: impl FnOnce(u16) -> io::Result<()>) -> io::Result<()> {
        if by == 0 { Ok(()) } else { command(by as u16) }
    }
}

impl TermLike for StderrLine {
    fn width(&self) -> u16 {
        // A terminal of unknown size reports 0.
        let columns =
            terminal::size().ok().map(|(columns, _)| columns).filter(|&columns| columns > 0);
        columns.unwrap_or(80).saturating_sub(StderrLine::ROOM).max(1)
    }

    fn move_cursor_up(&self, n: usize) -> io::Result<()> {
        StderrLine::go(n, |n| StderrLine::write(MoveUp(n)))
    }

    fn move_cursor_down(&self, n: usize) -> io::Result<()> {
        StderrLine::go(n, |n| StderrLine::write(MoveDown(n)))
    }

    fn move_cursor_right(&self, n: usize) -> io::Result<()> {
        StderrLine::go(n, |n| StderrLine::write(MoveRight(n)))
    }

    fn move_cursor_left(&self, n: usize) -> io::Result<()> {
        StderrLine::go(n, |n| StderrLine::write(MoveLeft(n)))
    }

    fn write_line(&self, text: &str) -> io::Result<()> {
        StderrLine::write(Print(format_args!("{text}\n")))
    }

    fn write_str(&self, text: &str) -> io::Result<()> {
        StderrLine::write(Print(text))
    }

    fn clear_line(&self) -> io::Result<()> {
        execute!(stderr(), MoveToColumn(0), Clear(ClearType::CurrentLine))
    }

    fn flush(&self) -> io::Result<()> {
        stderr().flush()
    }
}
