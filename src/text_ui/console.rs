//! The loop of the text front end, on stdin and stdout.
#![allow(clippy::disallowed_methods, clippy::disallowed_types, reason = "the loop of plain mode")]

use super::TextUi;
use super::input::{LineReader, RefusedLine, is_quit};
use crate::app::{App, DiskTask, EngineTask, Host, Task, TerminalTask};
use quadrille_system::handle::is_closed_pipe;
use quadrille_system::job_control::{CANNOT_SUSPEND, can_be_suspended, suspend};
use quadrille_system::output::Output;
use quadrille_system::signals::{SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGTSTP};
use quadrille_system::wakers::Wakers;
use quadrille_table::play::program::Launcher;
use quadrille_table::play::{Ask, Engines, ExitReason, hush_caught_panics};
use quadrille_text::printable::printable;
use quadrille_text::wording::cut;
use std::io::{self, Write};
use std::time::{Duration, Instant};

#[derive(Clone, Copy, Debug)]
pub struct TextOptions {
    /// Whether to show a prompt, because a person types at a terminal.
    pub has_prompt: bool,
    pub is_ascii: bool,
}

/// The maximum number of lines to read ahead while an engine thinks.
const MAX_LINES_AHEAD: usize = 1000;
/// The timeout for the final output after a signal.
const FAREWELL_TIMEOUT: Duration = Duration::from_millis(50);
/// How long an engine may think before a line says so.
const THINKING_DELAY: Duration = Duration::from_secs(3);
/// How long to search for the values of all moves.
const VALUES_TIMEOUT: Duration = Duration::from_secs(3);
/// The minimum match time of a typed line. A journal stores milliseconds, and events at 0 ms count as part of the start
/// of the match.
const MIN_LINE_TIME: Duration = Duration::from_millis(1);

const SIGNALS: [i32; 5] = [SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGTSTP];

/// Runs the app in text until the user leaves or the input ends. A closed output is not an error. `input` holds the
/// lines typed so far.
pub fn run(
    app: &mut App,
    host: &mut dyn Host,
    options: TextOptions,
    input: LineReader,
) -> io::Result<ExitReason> {
    hush_caught_panics();
    let wakers = Wakers::watch(&SIGNALS)?;
    let launcher =
        Launcher { limits: app.program_limits(), ..Launcher::new(host.program_stderr())? };
    let engines = Engines::new(host.table_cache(), launcher, wakers.waker()?);
    let mut console = Console {
        ui: TextUi::default(),
        app,
        host,
        options,
        engines,
        wakers,
        input,
        output: Output::open(),
        start: Instant::now(),
        answered: 1,
        waits_since: None,
        is_notified: false,
        has_prompted: false,
        is_stale: true,
    };
    let ended = match console.serve() {
        Err(error) if is_closed_pipe(&error) => Ok(ExitReason::Quit),
        ended => ended,
    };
    console.app.pause();
    console.say_farewell(ended.as_ref().ok());
    ended
}

struct Console<'a> {
    ui: TextUi,
    app: &'a mut App,
    host: &'a mut dyn Host,
    options: TextOptions,
    engines: Engines,
    wakers: Wakers,
    input: LineReader,
    output: Output,
    start: Instant,
    /// The number of answered lines. Each line takes at least one millisecond of the app's time.
    answered: u32,
    /// When the current wait for an engine began.
    waits_since: Option<Instant>,
    /// Whether the user was told that an engine is thinking.
    is_notified: bool,
    has_prompted: bool,
    /// Whether something may have happened that was not announced.
    is_stale: bool,
}

impl Console<'_> {
    fn serve(&mut self) -> io::Result<ExitReason> {
        loop {
            self.ask_engines();
            self.print_news()?;
            if self.is_ready() && !self.has_line() && self.input.has_ended {
                return Ok(ExitReason::Quit);
            }
            if !self.has_line() || !self.is_ready() {
                self.listen()?;
            }
            if let Some(reason) = self.run_once()? {
                return Ok(reason);
            }
        }
    }

    fn now(&self) -> Duration {
        self.start.elapsed() + MIN_LINE_TIME * self.answered
    }

    fn has_line(&self) -> bool {
        self.ui.has_line() || !self.input.lines.is_empty()
    }

    /// Returns whether the next line can be answered: no disk task, no engine and no request to a table is pending. At
    /// a prompt, neither the table nor an engine that is to move delays the answer.
    fn is_ready(&self) -> bool {
        let has_prompt = self.options.has_prompt;
        let waits_for_engine =
            self.waits_since.is_some() && !(has_prompt && self.app.awaits_move());
        let waits_for_table = !has_prompt && self.app.awaits_table();
        !waits_for_engine && !waits_for_table && !self.host.has_work()
    }

    /// Notes whether an event has changed anything.
    fn note(&mut self, changed: Option<Vec<Task>>) -> Vec<Task> {
        self.is_stale |= changed.is_some();
        changed.unwrap_or_default()
    }

    /// Prints what has happened since the last call.
    fn announce(&mut self) -> io::Result<()> {
        if std::mem::take(&mut self.is_stale) {
            self.ui.set_loading(self.host.has_work());
            let news = self.ui.announce(self.app);
            self.print(&news)?;
        }
        Ok(())
    }

    /// Handles all events and answers one line. Returns the reason if the loop ends.
    fn run_once(&mut self) -> io::Result<Option<ExitReason>> {
        for signal in self.wakers.signals() {
            if signal != SIGTSTP {
                return Ok(Some(ExitReason::Signal(signal)));
            }
            self.suspend()?;
        }
        let ticked = self.app.tick(self.now());
        let mut tasks = self.note(ticked);
        while let Some((ticket, event)) = self.engines.next_event() {
            let changed = self.app.engine_event(ticket, event);
            tasks.extend(self.note(changed));
        }
        // Print a hint before news from a busy table displaces it.
        if let Some(reason) = self.carry_out(tasks)? {
            return Ok(Some(reason));
        }
        let changed = self.host.receive_from_table(self.app);
        let tasks = self.note(changed);
        if self.host.has_work() {
            // A list is announced when it is complete.
            self.is_stale |= self.host.work(self.app) || !self.host.has_work();
        }
        if let Some(reason) = self.carry_out(tasks)? {
            return Ok(Some(reason));
        }
        self.ask_engines();
        if let Some(reason) = self.end_analysis()? {
            return Ok(Some(reason));
        }
        if self.waits_since.is_some() && !self.is_ready() && self.is_leaving() {
            return Ok(Some(ExitReason::Quit));
        }
        // Print the news before answering the next line.
        self.announce()?;
        if self.is_ready()
            && let Some(reason) = self.answer()?
        {
            return Ok(Some(reason));
        }
        self.host.send_to_table(self.app);
        // The table may refuse at once.
        self.is_stale |= self.app.peers().is_some();
        Ok(None)
    }

    fn answer(&mut self) -> io::Result<Option<ExitReason>> {
        // A line that no screen takes is refused.
        self.is_stale |= self.ui.has_line();
        let line = if let Some(line) = self.ui.next_line(self.app) {
            line
        } else {
            let Some(line) = self.input.line() else { return Ok(None) };
            self.has_prompted = false;
            self.is_stale = true;
            match line {
                Ok(line) => line,
                Err(RefusedLine::TooLong) => {
                    self.ui.print("This line is too long.");
                    return Ok(None);
                }
                Err(RefusedLine::Cut(text)) => {
                    let text = printable(&cut(&text)).into_owned();
                    self.ui.print(format!(
                        "Input ended in the middle of a line; ignored: \"{text}\"."
                    ));
                    return Ok(None);
                }
            }
        };
        self.answered += 1;
        self.is_stale = true;
        let mut tasks = self.app.tick(self.now()).unwrap_or_default();
        tasks.extend(self.ui.on_line(&line, self.app));
        self.carry_out(tasks)
    }

    /// Performs tasks and the tasks that follow immediately from them.
    fn carry_out(&mut self, mut tasks: Vec<Task>) -> io::Result<Option<ExitReason>> {
        self.is_stale |= !tasks.is_empty();
        while self.is_stale {
            for task in std::mem::take(&mut tasks) {
                match task {
                    Task::Terminal(TerminalTask::Quit) => return Ok(Some(ExitReason::Quit)),
                    Task::Terminal(TerminalTask::Suspend) => self.suspend()?,
                    Task::Terminal(TerminalTask::LogIn) => {
                        if let Err(why) = self.host.log_in() {
                            self.ui.print(format!("{why}. Press Enter to retry."));
                        }
                    }
                    Task::Terminal(TerminalTask::Copy(text)) => self.ui.print(text),
                    Task::Terminal(
                        TerminalTask::Mouse(_) | TerminalTask::Redraw | TerminalTask::Bell,
                    ) => {}
                    Task::Disk(task) => {
                        let is_close = task == DiskTask::Close;
                        self.host.perform(task, self.app);
                        if is_close {
                            self.engines.drop_all_but(self.app.session_in_play());
                        }
                    }
                }
            }
            self.ask_engines();
            // Announce a short-lived view before it disappears.
            self.announce()?;
            let next = self.app.skip_pause().or_else(|| self.ui.close_finished_screen(self.app));
            tasks = self.note(next);
        }
        Ok(None)
    }

    /// Announces the values of the moves when they are known or the time limit has passed.
    fn end_analysis(&mut self) -> io::Result<Option<ExitReason>> {
        let is_over = self.waits_since.is_some_and(|since| since.elapsed() >= VALUES_TIMEOUT);
        let asks = self.app.awaited_question().is_some_and(TextUi::is_analysis);
        if !self.ui.wants_values(self.app) || (asks && !is_over) {
            return Ok(None);
        }
        let tasks = self.ui.end_analysis(self.app);
        self.is_stale = true;
        self.carry_out(tasks)
    }

    fn ask_engines(&mut self) {
        self.engines.drop_all_but(self.app.session_in_play());
        match self.app.engine_task() {
            Some(EngineTask::Think(ticket, question)) => {
                self.engines.limit_programs(self.app.program_limits());
                self.engines.think(ticket, *question);
                self.waits_since = None;
                self.is_notified = false;
            }
            Some(EngineTask::Rest) => self.engines.rest(),
            None => {}
        }
        if self.app.awaited_question().is_some() {
            self.waits_since.get_or_insert_with(Instant::now);
        } else {
            (self.waits_since, self.is_notified) = (None, false);
        }
    }

    /// Prints the news, the notice that an engine is still thinking, and the prompt.
    fn print_news(&mut self) -> io::Result<()> {
        if !self.host.has_work() {
            self.announce()?;
        }
        if self.waits_since.is_some_and(|since| since.elapsed() >= THINKING_DELAY)
            && !self.is_notified
        {
            self.is_notified = true;
            let line = self.ui.thinking(self.app);
            self.print(&[line])?;
        }
        // An engine or a table that answers soon does so before the prompt.
        let is_waiting = self.waits_since.is_some() && !self.is_notified;
        let is_quiet = !is_waiting && !self.app.awaits_table();
        let prompts = self.options.has_prompt && is_quiet && self.is_ready();
        if prompts && !self.ui.has_line() && !self.has_prompted {
            self.has_prompted = true;
            self.output.write_all(b"> ")?;
        }
        self.output.flush()?;
        // A signal must not wait for a reader, and the connection to a table must keep running.
        while self.output.is_blocked() && !self.wakers.is_signalled() {
            self.wakers.wait(false, Some(&self.output), self.host.line(), None)?;
            self.host.keep_up_line();
            self.output.flush()?;
        }
        Ok(())
    }

    fn print(&mut self, lines: &[String]) -> io::Result<()> {
        let mut text = String::new();
        if !lines.is_empty() && std::mem::take(&mut self.has_prompted) {
            text.push('\n');
        }
        for line in lines.iter().flat_map(|line| line.lines()) {
            text.push_str(&printable(line));
            text.push('\n');
        }
        if self.options.is_ascii {
            text = text.replace(|letter: char| !letter.is_ascii(), "?");
        }
        self.output.write_all(text.as_bytes())?;
        self.output.flush()
    }

    /// Sleeps until an event, and reads typed lines.
    fn listen(&mut self) -> io::Result<()> {
        let now = Instant::now();
        let deadline = self.app.deadline(self.now()).map(|at| now + at.saturating_sub(self.now()));
        let notice =
            self.waits_since.map(|since| since + THINKING_DELAY).filter(|_| !self.is_notified);
        let work = self.host.has_work().then_some(now);
        let deadline = [deadline, notice, work].into_iter().flatten().min();
        let line = self.host.line();
        if self.input.has_ended || self.input.lines.len() >= MAX_LINES_AHEAD {
            self.wakers.wait(false, Some(&self.output), line, deadline)?;
        } else {
            self.input.listen(&self.wakers, &self.output, line, deadline)?;
        }
        Ok(())
    }

    /// Returns whether `quit` or the end of the input ends the program although an engine has not answered yet. Lines
    /// from a pipe always get the same answers, so an engine that answers immediately does so first.
    fn is_leaving(&mut self) -> bool {
        let has_prompt = self.options.has_prompt;
        let uses_time = match self.app.awaited_question() {
            Some(Ask::Move { level, .. }) => level.uses_time() || self.app.awaits_program(),
            _ => false,
        };
        if !has_prompt && !uses_time {
            return false;
        }
        let only_engines = self.app.open_match().is_some_and(|table| table.only_engines_play());
        let quit = self.input.quit_at();
        let LineReader { lines, has_ended, .. } = &mut self.input;
        let ends = (has_prompt || !only_engines) && *has_ended;
        if has_prompt {
            // A person who quits no longer waits for answers to earlier lines.
            lines.drain(..quit.unwrap_or(if ends { lines.len() } else { 0 }));
        }
        match lines.front() {
            Some(Ok(text)) => is_quit(text),
            Some(Err(RefusedLine::TooLong)) => false,
            Some(Err(RefusedLine::Cut(_))) | None => ends,
        }
    }

    fn suspend(&mut self) -> io::Result<()> {
        self.is_stale = true;
        if !can_be_suspended() {
            self.ui.print(CANNOT_SUSPEND);
            return Ok(());
        }
        self.engines.suspend();
        self.host.suspend();
        let before = self.now();
        suspend()?;
        self.wakers.forget(&[SIGTSTP]);
        // The suspension counts neither as playing time nor as thinking time.
        self.start += self.now().saturating_sub(before);
        self.host.resume();
        self.engines.resume();
        Ok(())
    }

    /// Prints whether the match is saved. Write errors no longer matter.
    fn say_farewell(&mut self, ending: Option<&ExitReason>) {
        self.ui.leave_unanswered();
        let lines = self.ui.announce(self.app);
        let farewell = self.app.open_match().and_then(|table| {
            let is_over = table.current_match().outcome().is_some();
            let is_in_record = table.saved.record == Some(Ok(()));
            if let Some(peers) = table.peers() {
                return (!peers.is_closed()).then_some("You have left the table.");
            }
            match (table.saved.is_in_journal(), table.is_worth_keeping()) {
                _ if is_over => None,
                (true, _) if is_in_record => {
                    Some("Match saved, record complete. Resume with: quadrille resume --plain")
                }
                (true, _) => Some("Match saved. Resume with: quadrille resume --plain"),
                (false, false) if is_in_record && table.current_match().nodes() > 1 => {
                    Some("No new moves; the record is unchanged.")
                }
                (false, false) => Some("No moves played; nothing to save."),
                (false, true) if is_in_record => {
                    Some("Match saved in its record only. Resume it with the same command.")
                }
                (false, true) => None,
            }
        });
        let lines: Vec<String> = lines.into_iter().chain(farewell.map(str::to_owned)).collect();
        let is_signalled = matches!(ending, Some(ExitReason::Signal(_)));
        if self.has_prompted && is_signalled && lines.is_empty() {
            let _ = self.output.write_all(b"\n");
        }
        let _ = self.print(&lines);
        if is_signalled {
            let _ = self.output.drain(FAREWELL_TIMEOUT);
        }
        while self.output.is_blocked() && !self.wakers.is_signalled() && !is_signalled {
            let waited = self.wakers.wait(false, Some(&self.output), self.host.line(), None);
            if waited.and_then(|_| self.output.flush()).is_err() {
                break;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Skin;

    struct IdleHost;

    impl Host for IdleHost {
        fn perform(&mut self, _: DiskTask, _: &mut App) {}
    }

    /// A long line arrives in many pieces.
    #[test]
    fn loop_without_news_makes_no_views() {
        let (mut app, mut host) = (App::new(Skin::default(), 1), IdleHost);
        let wakers = Wakers::watch(&[]).unwrap();
        let launcher = Launcher::new(None).unwrap();
        let waker = wakers.waker().unwrap();
        let engines = Engines::new(host.table_cache(), launcher, waker);
        let mut console = Console {
            ui: TextUi::default(),
            app: &mut app,
            host: &mut host,
            options: TextOptions { has_prompt: false, is_ascii: true },
            engines,
            wakers,
            input: LineReader::default(),
            output: Output::open(),
            start: Instant::now(),
            answered: 1,
            waits_since: None,
            is_notified: false,
            has_prompted: false,
            is_stale: false,
        };
        for _ in 0..100 {
            console.print_news().unwrap();
            assert!(console.run_once().unwrap().is_none());
        }
        assert_eq!(console.app.views_made.get(), 0);
    }
}
