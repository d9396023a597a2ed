//! The loop of plain mode: it reads and writes lines, saves the match, and lets engines think.

use super::talk::cut_line;
use super::{Menu, Shelf, Talk};
use crate::play::program::{Launcher, ProgramLimits};
use crate::play::{
    Ask, CANNOT_SUSPEND, Engines, ExitReason, Host, LineWait, Output, Question, Table, TableNews,
    Wakers, can_be_suspended, hush_caught_panics, suspend,
};
use crate::printable::printable;
use crate::session::Player;
use rustix::io::{Errno, read};
use rustix::stdio::stdin;
use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGTSTP};
use std::collections::VecDeque;
use std::io::{self, ErrorKind, Write};
use std::time::{Duration, Instant};

/// What plain mode asks of the rest of the program.
pub trait TableHost: Host {
    /// Saves what is new in a match, and notes in it what could not be saved. Returns a line if there is
    /// more to say.
    fn save(&mut self, table: &mut Table) -> Option<String>;
    /// Called when a match is left. Returns a line for each thing that is lost.
    fn end(&mut self, table: &mut Table) -> Vec<String>;

    /// Lets the match follow the table elsewhere, if it is of one, and returns what is new.
    fn hear_table(&mut self, table: &mut Table) -> Vec<TableNews> {
        let _ = table;
        Vec::new()
    }

    /// Sends that table what people want of it.
    fn tell_table(&mut self, table: &mut Table) {
        let _ = table;
    }

    /// Connects to that table again; ssh may ask for a password on the terminal. The error is a sentence without its full
    /// stop.
    fn log_in(&mut self) -> Result<(), String> {
        Ok(())
    }

    /// Moves a match with guests to a table, which is returned. The error is a sentence without its full stop.
    fn open_table(&mut self, table: &mut Table) -> Result<Table, String> {
        let _ = table;
        Err("no table can be opened here".to_owned())
    }
}

/// What plain mode may use and do.
#[derive(Clone, Copy, Debug)]
#[allow(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub struct Options {
    /// Whether a person types at a terminal; then there is a prompt.
    pub has_prompt: bool,
    /// Whether only ASCII can be shown.
    pub is_ascii: bool,
    /// Whether engines may be asked for hints and values.
    pub has_hints: bool,
    /// Whether engines also think while a person at the prompt does. They never do without a prompt, so lines
    /// that are typed ahead always get the same answers.
    pub ponders: bool,
    /// The random seed for engines that have none of their own.
    pub seed: u32,
    /// What each program may use.
    pub limits: ProgramLimits,
    /// How long a table that is opened from here waits while nobody is there.
    pub table_idle: Duration,
}

/// The longest line that is read, in bytes.
const LONGEST: usize = 1000;
/// How many lines are read ahead while an engine thinks.
const MOST_AHEAD: usize = 1000;
/// How long the last words may take after a signal.
const FAREWELL: Duration = Duration::from_millis(50);
/// How long an engine may think before a line says so.
const PATIENCE: Duration = Duration::from_secs(3);
/// How long the values of all moves are looked for.
const LOOK: Duration = Duration::from_secs(3);

/// What plain mode with a menu asks of the rest of the program.
pub trait MenuHost: TableHost + Shelf {}

impl<H: TableHost + Shelf> MenuHost for H {}

/// The signals that it answers.
const SIGNALS: [i32; 5] = [SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGTSTP];

/// Plays a match in lines until somebody leaves it. Every line is answered at once; what the answer reports
/// is written to disk first.
pub fn run(
    table: Table,
    warnings: Vec<String>,
    options: Options,
    host: &mut dyn TableHost,
) -> io::Result<ExitReason> {
    hush_caught_panics();
    play(table, warnings, options, host, &mut Console::open()?)
}

/// The least time of play of a move that is typed. A journal has milliseconds, and what happened at none of them is what
/// the match began with.
const LEAST: Duration = Duration::from_millis(1);

/// Shows the menu in lines, and plays the matches that are begun or resumed there, until somebody leaves it.
pub fn run_menu(
    mut menu: Menu,
    line: &str,
    mut warnings: Vec<String>,
    options: Options,
    host: &mut dyn MenuHost,
) -> io::Result<ExitReason> {
    hush_caught_panics();
    let mut console = Console::open()?;
    if !line.is_empty() {
        menu.take_said();
        menu.hear(line, host);
    }
    loop {
        let said = [std::mem::take(&mut warnings), menu.take_said()].concat();
        let put = console.put(&said, !menu.has_quit(), options);
        match put.and_then(|()| console.wait_for_reader(host)) {
            Err(error) if error.kind() == ErrorKind::BrokenPipe => return Ok(ExitReason::Quit),
            written => written?,
        }
        if menu.has_quit() {
            return Ok(ExitReason::Quit);
        }
        let opened = match console.next_line(options)? {
            Next::Line(line) => menu.hear(&line, host),
            Next::Bad(BadLine::TooLong) => {
                menu.say("What you typed is too long.");
                None
            }
            Next::Bad(BadLine::Cut(text)) => {
                menu.say(cut_line(&text));
                None
            }
            Next::End(reason) => return Ok(reason),
        };
        if let Some((table, lost)) = opened {
            console.put(&menu.take_said(), false, options)?;
            match play(table, lost, options, host, &mut console)? {
                ExitReason::Quit if console.input.is_over() => return Ok(ExitReason::Quit),
                ExitReason::Quit => menu.come_back(),
                ended @ (ExitReason::Signal(_) | ExitReason::Gone) => return Ok(ended),
            }
        }
    }
}

/// What comes next at the menu.
enum Next {
    Line(String),
    Bad(BadLine),
    End(ExitReason),
}

fn play(
    table: Table,
    warnings: Vec<String>,
    options: Options,
    host: &mut dyn TableHost,
    console: &mut Console,
) -> io::Result<ExitReason> {
    let launcher = Launcher { limits: options.limits, ..Launcher::new(host.program_stderr())? };
    let engines =
        Engines::new(host.table_cache(), launcher, console.wakers.bell()?, Duration::ZERO);
    let played = table.session().time();
    let mut talk = Talk::new(table, options.seed, options.has_hints);
    for warning in warnings {
        talk.say(warning);
    }
    let mut plain_loop = PlainLoop {
        talk,
        options,
        host,
        console,
        engines,
        played,
        since: Instant::now(),
        ticket: 0,
        pondered: None,
        trouble: Vec::new(),
    };
    let ending = match plain_loop.serve() {
        // Nobody reads the output any more, which is no error.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(ExitReason::Quit),
        ending => ending,
    };
    let at = plain_loop.time();
    plain_loop.talk.table_mut().pause(at);
    // Whose terminal is gone keeps the seat at a table elsewhere, and can come back to it.
    let keeps_seat =
        plain_loop.talk.table().peers().is_some() && !matches!(ending, Ok(ExitReason::Quit));
    let lost =
        if keeps_seat { Vec::new() } else { plain_loop.host.end(plain_loop.talk.table_mut()) };
    plain_loop.say_farewell(&lost, ending.as_ref().ok());
    ending
}

/// Where lines come from and go to, and what wakes us.
struct Console {
    wakers: Wakers,
    input: Input,
    output: Output,
}

impl Console {
    fn open() -> io::Result<Console> {
        let wakers = Wakers::watch(&SIGNALS)?;
        Ok(Console { wakers, input: Input::default(), output: Output::open() })
    }

    /// Writes lines, and a prompt if a person may type now; as much of it as the reader takes now.
    fn put(&mut self, lines: &[String], is_ready: bool, options: Options) -> io::Result<()> {
        let mut text = String::new();
        for line in lines {
            text.push_str(&printable(line));
            text.push('\n');
        }
        if options.has_prompt && is_ready {
            text.push_str("> ");
        }
        if options.is_ascii {
            text = text.replace(|letter: char| !letter.is_ascii(), "?");
        }
        self.output.write_all(text.as_bytes())?;
        self.output.flush()
    }

    /// Waits until all is written. A signal does not wait for that, and the line to a table goes on.
    fn wait_for_reader(&mut self, host: &mut dyn TableHost) -> io::Result<()> {
        while self.output.is_blocked() && !self.wakers.is_signalled() {
            self.wakers.wait(false, Some(&self.output), host.line(), None)?;
            host.keep_up_line();
            self.output.flush()?;
        }
        Ok(())
    }

    fn listen(&mut self, line: LineWait<'_>, deadline: Option<Instant>) -> io::Result<()> {
        self.input.listen(&self.wakers, &self.output, line, deadline)
    }

    /// Waits for input too, but reads only so far ahead of the answers.
    fn listen_ahead(&mut self, line: LineWait<'_>, deadline: Option<Instant>) -> io::Result<()> {
        if self.input.has_ended || self.input.lines.len() >= MOST_AHEAD {
            return self.wakers.wait(false, Some(&self.output), line, deadline).map(drop);
        }
        self.listen(line, deadline)
    }

    /// Waits for a line at the menu.
    fn next_line(&mut self, options: Options) -> io::Result<Next> {
        loop {
            self.output.flush()?;
            for signal in self.wakers.signals() {
                if signal != SIGTSTP {
                    return Ok(Next::End(ExitReason::Signal(signal)));
                }
                if can_be_suspended() {
                    suspend()?;
                } else {
                    self.put(&[CANNOT_SUSPEND.to_owned()], true, options)?;
                }
            }
            match self.input.line() {
                Some(Ok(line)) => return Ok(Next::Line(line)),
                Some(Err(bad)) => return Ok(Next::Bad(bad)),
                None if self.input.has_ended => return Ok(Next::End(ExitReason::Quit)),
                None => self.listen(LineWait::default(), None)?,
            }
        }
    }
}

struct PlainLoop<'h> {
    talk: Talk,
    options: Options,
    host: &'h mut dyn TableHost,
    console: &'h mut Console,
    engines: Engines,
    /// The time of play at the moment `since`.
    played: Duration,
    since: Instant,
    /// The number of the last question to an engine.
    ticket: u64,
    /// What an engine ponders while this waits for a line.
    pondered: Option<Question>,
    /// The problems with saving that were reported last.
    trouble: Vec<String>,
}

impl PlainLoop<'_> {
    fn serve(&mut self) -> io::Result<ExitReason> {
        self.write()?;
        loop {
            if let Some(signal) = self.last_signal()? {
                return Ok(ExitReason::Signal(signal));
            }
            let news = self.host.hear_table(self.talk.table_mut());
            let has_news = !news.is_empty();
            self.talk.hear_table(news);
            self.follow_clock();
            if has_news {
                // What has come is told before the next line is answered. A table that talks without end keeps nobody
                // from typing.
                self.settle()?;
                if self.talk.is_closed() {
                    return Ok(ExitReason::Quit);
                }
                self.console.listen(LineWait::default(), Some(Instant::now()))?;
            }
            let at = self.time();
            let ask = self.talk.wants(at);
            let is_leaving = ask.is_some() && self.is_leaving();
            if self.talk.flag(at) {
                // The end of the match is reported before the next line is read.
            } else if let Some(ask) = ask.filter(|_| !is_leaving) {
                if let Some(signal) = self.ask_and_wait(ask)? {
                    return Ok(ExitReason::Signal(signal));
                }
            } else if let Some(line) = self.console.input.line() {
                match line {
                    Ok(line) => self.talk.hear(&line, at),
                    Err(BadLine::TooLong) => self.talk.say("What you typed is too long."),
                    Err(BadLine::Cut(text)) => self.talk.hear_cut(&text),
                }
            } else if self.console.input.has_ended {
                return Ok(ExitReason::Quit);
            } else if has_news {
                continue;
            } else {
                self.ponder();
                let deadline = self.flag_falls();
                self.console.listen(self.host.line(), deadline)?;
                continue;
            }
            self.settle()?;
            if self.talk.has_quit() {
                return Ok(ExitReason::Quit);
            }
        }
    }

    /// A signal that ends the process, if one has come. A signal that suspends it does so here; that time
    /// counts neither as play nor as thinking.
    fn last_signal(&mut self) -> io::Result<Option<i32>> {
        // What a signal has interrupted goes on.
        self.console.output.flush()?;
        for signal in self.console.wakers.signals() {
            if signal != SIGTSTP {
                return Ok(Some(signal));
            }
            self.time();
            if !can_be_suspended() {
                self.talk.say(CANNOT_SUSPEND);
                self.write()?;
                continue;
            }
            self.engines.suspend();
            suspend()?;
            self.since = Instant::now();
            self.engines.resume();
        }
        Ok(None)
    }

    /// The time of play so far.
    fn time(&mut self) -> Duration {
        let now = Instant::now();
        if self.talk.time_runs() {
            self.played += now - self.since;
        }
        self.since = now;
        self.played.max(LEAST)
    }

    /// When the clock of the seat to move runs out.
    fn flag_falls(&self) -> Option<Instant> {
        let end = self.talk.table().session().runs_out();
        // At a table elsewhere it is the table that looks at the clock.
        let is_here = self.talk.table().peers().is_none();
        let end = end.filter(|_| is_here && self.talk.time_runs())?;
        Some(self.since + end.saturating_sub(self.played))
    }

    /// The clock of a match elsewhere is the table's.
    fn follow_clock(&mut self) {
        if let Some(at) = self.talk.take_clock() {
            (self.played, self.since) = (at, Instant::now());
        }
    }

    /// Saves what has changed, and then writes what was said.
    fn settle(&mut self) -> io::Result<()> {
        self.host.tell_table(self.talk.table_mut());
        if self.talk.take_changed() {
            if let Some(line) = self.host.save(self.talk.table_mut()) {
                self.talk.say(line);
            }
            let trouble: Vec<String> = self.talk.table().saved.troubles().cloned().collect();
            for line in trouble.iter().filter(|line| !self.trouble.contains(line)) {
                self.talk.say(format!("Warning: {line}."));
            }
            self.trouble = trouble;
        }
        if self.talk.wants_login()
            && let Err(why) = self.host.log_in()
        {
            self.talk.say(format!("{why}. Press Enter to try again."));
        }
        if self.talk.wants_table() {
            match self.host.open_table(self.talk.table_mut()) {
                Ok(table) => self.talk.move_to_table(table),
                Err(why) => self.talk.say(format!("{why}. Press Enter to try again.")),
            }
        }
        let table = self.talk.table();
        let goes_on = table.current_match().outcome().is_none();
        self.engines.drop_all_but(goes_on.then(|| table.session().id()));
        if let Some(mut last) = self.talk.begin_rematch() {
            for lost in self.host.end(&mut last) {
                self.talk.say(format!("Lost: {lost}."));
            }
            (self.since, self.played, self.trouble) = (Instant::now(), Duration::ZERO, Vec::new());
        }
        self.write()
    }

    /// Writes what was said. A signal does not wait until somebody reads it.
    fn write(&mut self) -> io::Result<()> {
        self.put_said()?;
        self.console.wait_for_reader(self.host)
    }

    /// Writes as much of what was said as its reader takes now.
    fn put_said(&mut self) -> io::Result<()> {
        let is_ready = self.talk.wants(self.played).is_none() && !self.talk.has_quit();
        self.console.put(&self.talk.take_said(), is_ready, self.options)
    }

    /// Lets an engine think while a person types a line.
    fn ponder(&mut self) {
        let may = self.options.has_prompt && self.options.ponders;
        let question = self.talk.table().ponder_question().filter(|_| may);
        if question != self.pondered {
            self.ticket += 1;
            self.engines.rest();
            if let Some(question) = question.clone() {
                self.engines.think(self.ticket, question);
            }
            self.pondered = question;
        }
        // Its events are of no use.
        while self.engines.next_event().is_some() {}
    }

    /// Whether `quit` or the end of the input leaves the match although an engine has not answered yet. In a pipe, lines
    /// that are typed ahead get the same answers each time, so an engine that answers at once does so first.
    fn is_leaving(&mut self) -> bool {
        let has_prompt = self.options.has_prompt;
        let table = self.talk.table();
        let takes_time = |player: &Player| player.engine().is_none_or(|it| it.level.uses_time());
        if !has_prompt && !table.engine_to_move().is_some_and(takes_time) {
            return false;
        }
        let needs_lines = has_prompt || !table.only_engines_play();
        let Input { lines, has_ended, .. } = &mut self.console.input;
        let ends = needs_lines && *has_ended;
        if has_prompt {
            // A person who leaves no longer waits for answers to the lines before.
            let quit =
                lines.iter().position(|line| matches!(line, Ok(text) if Talk::is_quit(text)));
            lines.drain(..quit.unwrap_or(if ends { lines.len() } else { 0 }));
        }
        match lines.front() {
            Some(Ok(text)) => Talk::is_quit(text),
            Some(Err(BadLine::TooLong)) => false,
            Some(Err(BadLine::Cut(_))) | None => ends,
        }
    }

    /// Asks an engine and waits for its answer, or until the person leaves. Returns a signal if one ends the process
    /// meanwhile.
    fn ask_and_wait(&mut self, ask: Ask) -> io::Result<Option<i32>> {
        let table = self.talk.table();
        let mut say = Some(Instant::now() + PATIENCE);
        // When an analysis is stopped, what it has found so far is its answer.
        let mut stop = matches!(ask, Ask::Analysis(_)).then(|| Instant::now() + LOOK);
        let question = table.question(ask);
        self.ticket += 1;
        self.pondered = None;
        self.engines.think(self.ticket, question);
        loop {
            let at = self.time();
            if let Some(signal) = self.last_signal()? {
                self.engines.rest();
                return Ok(Some(signal));
            }
            if self.talk.flag(at) || self.is_leaving() {
                self.engines.rest();
                return Ok(None);
            }
            while let Some((ticket, event)) = self.engines.next_event() {
                let at = self.time();
                if ticket != self.ticket {
                    continue;
                }
                let is_answer = event.is_answer();
                self.talk.engine_event(event, at);
                if is_answer {
                    return Ok(None);
                }
            }
            if stop.is_some_and(|stop| stop <= Instant::now()) {
                self.engines.rest();
                (stop, say) = (None, None);
            }
            if say.is_some_and(|say| say <= Instant::now()) {
                say = None;
                let line = self.talk.thinking_line();
                self.talk.say(line);
                self.write()?;
            }
            let deadline = stop.into_iter().chain(say).chain(self.flag_falls()).min();
            self.console.listen_ahead(self.host.line(), deadline)?;
            self.host.keep_up_line();
        }
    }

    /// Says whether the match is saved. What is `lost` is reported by the caller of `run`. Write errors no longer
    /// matter.
    fn say_farewell(&mut self, lost: &[String], ending: Option<&ExitReason>) {
        let table = self.talk.table();
        let is_over = table.current_match().outcome().is_some();
        let is_kept = table.saved.is_in_journal() && lost.is_empty();
        let is_in_record = table.saved.record == Some(Ok(()));
        let is_elsewhere = table.peers().is_some();
        let line = match (is_kept, table.is_worth_keeping()) {
            _ if is_elsewhere && self.talk.is_closed() => None,
            _ if is_elsewhere => Some("You have left the table."),
            _ if is_over => None,
            (true, _) if is_in_record => Some(
                "The match is saved, and its record is complete; quadrille resume --plain resumes it.",
            ),
            (true, _) => Some("The match is saved; quadrille resume --plain resumes it."),
            (false, false) if is_in_record && table.current_match().nodes() > 1 => {
                Some("Nothing new was played; the match stays in its record as it was.")
            }
            (false, false) => {
                Some("Nothing was played in this match, so there is nothing to save.")
            }
            (false, true) if is_in_record => {
                Some("The match is saved in its record alone; the same command goes on with it.")
            }
            (false, true) => None,
        };
        if let Some(line) = line {
            self.talk.say(line);
        }
        let is_signalled = matches!(ending, Some(ExitReason::Signal(_)));
        if std::mem::take(&mut self.options.has_prompt) && is_signalled {
            let _ = self.console.output.write_all(b"\n");
        }
        if is_signalled {
            let _ = self.put_said().and_then(|()| self.console.output.drain(FAREWELL));
        } else {
            let _ = self.write();
        }
    }
}

/// Why a line is not taken.
enum BadLine {
    /// It was longer than [`LONGEST`].
    TooLong,
    /// The input ended in it. What was typed may be only a part of what was meant.
    Cut(String),
}

/// The lines that were typed and not answered yet.
#[derive(Default)]
struct Input {
    lines: VecDeque<Result<String, BadLine>>,
    /// The beginning of the next line.
    rest: Vec<u8>,
    /// Whether that line is too long already; then it is dropped.
    is_too_long: bool,
    has_ended: bool,
}

impl Input {
    /// The next line.
    fn line(&mut self) -> Option<Result<String, BadLine>> {
        self.lines.pop_front()
    }

    /// Whether nothing will come any more.
    fn is_over(&self) -> bool {
        self.has_ended && self.lines.is_empty()
    }

    /// Waits for input, a signal or the deadline, and reads what there is.
    fn listen(
        &mut self,
        wakers: &Wakers,
        output: &Output,
        line: LineWait<'_>,
        deadline: Option<Instant>,
    ) -> io::Result<()> {
        if !wakers.wait(true, Some(output), line, deadline)?.has_input {
            return Ok(());
        }
        let mut bytes = [0; 4096];
        match read(stdin(), &mut bytes) {
            Ok(0) | Err(Errno::IO) => {
                self.has_ended = true;
                self.cut_line();
            }
            Ok(length) => self.take_in(&bytes[..length]),
            Err(Errno::INTR | Errno::AGAIN) => {}
            Err(error) => return Err(error.into()),
        }
        Ok(())
    }

    fn take_in(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            match byte {
                b'\n' => self.end_line(),
                _ if self.rest.len() < LONGEST => self.rest.push(byte),
                _ => self.is_too_long = true,
            }
        }
    }

    fn end_line(&mut self) {
        let rest = std::mem::take(&mut self.rest);
        let line = if std::mem::take(&mut self.is_too_long) {
            Err(BadLine::TooLong)
        } else {
            Ok(String::from_utf8_lossy(&rest).into_owned())
        };
        self.lines.push_back(line);
    }

    /// The input has ended: what was typed since the last line is not a whole line.
    fn cut_line(&mut self) {
        let rest = std::mem::take(&mut self.rest);
        let rest = String::from_utf8_lossy(&rest);
        if !rest.trim().is_empty() {
            self.lines.push_back(Err(BadLine::Cut(rest.trim().to_owned())));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_come_in_pieces_and_long_ones_are_refused() {
        let mut input = Input::default();
        input.take_in(b"H0");
        assert!(input.line().is_none());
        input.take_in(b",0\nundo\r\n");
        input.take_in(&[b'x'; 5000]);
        assert_eq!(input.rest.len(), LONGEST);
        input.take_in(b"\nquit\n");
        let lines: Vec<String> =
            input.lines.drain(..).map(|line| line.unwrap_or_else(|_| "too long".into())).collect();
        assert_eq!(lines, ["H0,0", "undo\r", "too long", "quit"]);
        input.take_in(b"1-1");
        input.cut_line();
        assert!(matches!(input.line(), Some(Err(BadLine::Cut(text))) if text == "1-1"));
        input.cut_line();
        assert!(input.line().is_none());
    }
}
