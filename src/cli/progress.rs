//! The progress lines of long commands and tournaments, shown on stderr if that is a terminal.
#![allow(clippy::disallowed_macros, reason = "draws on stderr")]

use crossterm::cursor::{MoveDown, MoveLeft, MoveRight, MoveToColumn, MoveUp};
use crossterm::style::Print;
use crossterm::terminal::{self, Clear, ClearType};
use crossterm::{Command, execute};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle, TermLike};
use quadrille_search::startable_threads;
use quadrille_system::terminal::term;
use quadrille_text::printable::printable;
use std::io::{self, IsTerminal, Write, stderr};
use std::time::Duration;

/// The maximum drawing rate, in frames per second.
const FRAMES: u8 = 20;
/// How often the elapsed time is updated.
const TICK: Duration = Duration::from_millis(125);

/// Creates a bar on stderr, hidden if stderr is not a terminal. The elapsed time is updated at this interval, or
/// together with the other values if no thread can be started.
fn bar(
    length: Option<u64>,
    template: &str,
    style: impl FnOnce(ProgressStyle) -> ProgressStyle,
    every: Duration,
) -> ProgressBar {
    let is_dumb = matches!(&*term(), "" | "dumb");
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

/// How often the elapsed time of a tournament is updated.
const TOURNAMENT_TICK: Duration = Duration::from_millis(500);

/// A bar with the number of games played and the time left.
pub struct TournamentBar(ProgressBar);

impl TournamentBar {
    /// Creates a bar for `games` games, including `played` games from earlier runs.
    pub fn new(games: u64, played: u64) -> TournamentBar {
        let template = "{elapsed} [{wide_bar}] {pos} of {len}, {eta} left (Ctrl-C ends it)";
        let style = |style: ProgressStyle| style.progress_chars("=> ");
        let bar = bar(Some(games), template, style, TOURNAMENT_TICK).with_position(played);
        // The estimate must exclude games from earlier runs.
        bar.reset_eta();
        TournamentBar(bar)
    }

    /// Counts a game. `print` writes the game's line while the bar is hidden.
    pub fn count<T>(&self, print: impl FnOnce() -> T) -> T {
        let printed = self.0.suspend(print);
        self.0.inc(1);
        printed
    }

    pub fn clear(&self) {
        self.0.finish_and_clear();
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
