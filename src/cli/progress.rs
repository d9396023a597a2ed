//! The line that says how far something is: on stderr, if that is a terminal.

use crossterm::cursor::{MoveDown, MoveLeft, MoveRight, MoveToColumn, MoveUp};
use crossterm::style::Print;
use crossterm::terminal::{self, Clear, ClearType};
use crossterm::{Command, execute};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle, TermLike};
use std::env::var;
use std::io::{self, IsTerminal, Write, stderr};
use std::time::Duration;

/// How often the line is drawn in a second at most.
const FRAMES: u8 = 20;
/// How often the time on the line moves on.
const TICK: Duration = Duration::from_millis(125);

/// Whether anybody sees such a line.
pub(super) fn is_shown() -> bool {
    let is_dumb = matches!(&*var("TERM").unwrap_or_default(), "" | "dumb");
    stderr().is_terminal() && !is_dumb
}

/// Where it is drawn.
pub(super) fn target() -> ProgressDrawTarget {
    ProgressDrawTarget::term_like_with_hz(Box::new(Line), FRAMES)
}

/// Such a line with the time, and what is known by now. A clone is the same line.
#[derive(Clone)]
pub(super) struct Progress {
    bar: ProgressBar,
    /// How long it may take.
    until: &'static str,
    /// What it is at.
    place: String,
}

impl Progress {
    pub fn new(until: &'static str) -> Progress {
        let bar = if is_shown() {
            ProgressBar::with_draw_target(None, target())
        } else {
            ProgressBar::hidden()
        };
        if let Ok(style) = ProgressStyle::with_template("{spinner} {elapsed} {wide_msg}") {
            bar.set_style(style.tick_chars("|/-\\ "));
        }
        if !bar.is_hidden() {
            bar.enable_steady_tick(TICK);
        }
        Progress { bar, until, place: String::new() }
    }

    /// Says what it is at from now on.
    pub fn set_place(&mut self, place: String) {
        self.place = place;
        self.say(String::new);
    }

    /// Says what is known by now.
    pub fn say(&self, known: impl FnOnce() -> String) {
        if !self.bar.is_hidden() {
            let Progress { place, until, .. } = self;
            let parts = [place, &known(), *until];
            let parts = parts.into_iter().filter(|part| !part.is_empty());
            self.bar.set_message(parts.collect::<Vec<_>>().join("  "));
        }
    }

    /// Says something that stays, above the line where there is one.
    pub fn warn(&self, text: &str) {
        // Where stderr is closed nobody reads it.
        self.bar.suspend(|| drop(writeln!(stderr(), "{text}")));
    }

    pub fn clear(&self) {
        self.bar.finish_and_clear();
    }
}

/// A line of the terminal with room at its end for the `^C` that the terminal itself writes there:
/// on a line written full that would go to the next one, and this one could not be cleared.
#[derive(Debug)]
struct Line;

impl Line {
    const ROOM: u16 = 3;

    fn write(command: impl Command) -> io::Result<()> {
        execute!(stderr(), command)
    }

    /// Crossterm would move by one for none.
    fn go(by: usize, command: impl FnOnce(u16) -> io::Result<()>) -> io::Result<()> {
        if by == 0 { Ok(()) } else { command(by as u16) }
    }
}

impl TermLike for Line {
    fn width(&self) -> u16 {
        // A terminal that does not know its size says 0.
        let columns = terminal::size().ok().map(|(columns, _)| columns).filter(|&it| it > 0);
        columns.unwrap_or(80).saturating_sub(Line::ROOM).max(1)
    }

    fn move_cursor_up(&self, n: usize) -> io::Result<()> {
        Line::go(n, |n| Line::write(MoveUp(n)))
    }

    fn move_cursor_down(&self, n: usize) -> io::Result<()> {
        Line::go(n, |n| Line::write(MoveDown(n)))
    }

    fn move_cursor_right(&self, n: usize) -> io::Result<()> {
        Line::go(n, |n| Line::write(MoveRight(n)))
    }

    fn move_cursor_left(&self, n: usize) -> io::Result<()> {
        Line::go(n, |n| Line::write(MoveLeft(n)))
    }

    fn write_line(&self, text: &str) -> io::Result<()> {
        Line::write(Print(format_args!("{text}\n")))
    }

    fn write_str(&self, text: &str) -> io::Result<()> {
        Line::write(Print(text))
    }

    fn clear_line(&self) -> io::Result<()> {
        execute!(stderr(), MoveToColumn(0), Clear(ClearType::CurrentLine))
    }

    fn flush(&self) -> io::Result<()> {
        stderr().flush()
    }
}
