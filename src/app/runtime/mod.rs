//! The event loop that runs the app in a terminal. Only this module waits, reads keys and draws on the terminal.
//!
//! The loop sleeps in one `poll` on the terminal and on a pipe that signals and engines write to. It passes events to
//! the app, performs the terminal tasks, hands the disk tasks to a [`Host`], and draws once after a change. Background
//! work ([`Host::work`]) is done between two keys, piece by piece.
//!
//! The loop reads keys itself, as many bytes as are available, and checks for signals between two keys. `Keys` parses
//! the bytes without a clock but with deadlines: for the rest of a sequence, so that Esc is a key too, and for an
//! unterminated paste. The terminal is queried for its background and for kitty's keyboard protocol once, at the start;
//! the answers arrive among the keys, and nothing waits for them.
//!
//! Output does not block either: [`Output`](crate::play::Output) opens the terminal a second time, non-blocking, and
//! buffers what the terminal does not accept. Until the buffer is flushed nothing more is drawn, but all else
//! continues. Restoring the terminal takes at most 50 ms, after which unread output is dropped; the terminal then has
//! 300 ms to answer, so that nothing it sends reaches the shell.
//!
//! However the loop ends (quit, signal, error, panic), it restores the terminal, and a signal then has its default
//! effect, so the parent process sees it. A panic in any thread restores the terminal before its message is written,
//! and ends the process; work that may panic without that runs in [`play::catch`](crate::play::catch).

mod keys;
mod panics;
mod sequence;
mod sources;
mod terminal_screen;

pub use crate::play::{ExitReason, catch};

use super::{App, EngineTask, Host, Task, TerminalTask};
use crate::play::program::Launcher;
use crate::play::{CANNOT_SUSPEND, Engines, can_be_suspended};
use crate::scene::Background;
use keys::TerminalInput;
use signal_hook::consts::{SIGCONT, SIGHUP, SIGINT, SIGTSTP, SIGWINCH};
use sources::Sources;
use std::io;
use std::time::Duration;
use terminal_screen::TerminalScreen;

/// The minimum time for a hint or a move of a built-in engine, so that the eye can follow. The setting `pace` is
/// another minimum, for the moves of all engines.
const PACE: Duration = Duration::from_millis(250);

/// Runs the app in the terminal of stdin and stdout until it ends.
///
/// The process sleeps until a key, a signal, an engine or the app's own deadline wakes it. It draws only after a
/// change, and once for keys that arrived together.
///
/// From here on a panic in any thread restores the terminal and ends the process, except in work run by [`catch`].
pub fn run(app: &mut App, host: &mut dyn Host) -> io::Result<ExitReason> {
    panics::install_hook();
    let mut sources = Sources::watch(host.is_terminal_far())?;
    let mut screen = TerminalScreen::take(host.has_mouse())?;
    screen.ask()?;
    sources.expect_answer();
    let ended = match serve(app, host, &mut screen, &mut sources) {
        // This error means that the terminal is gone.
        Err(error) if error.raw_os_error() == Some(EIO) => Ok(ExitReason::Gone),
        ended => ended,
    };
    drop(screen);
    app.pause();
    match ended {
        // Most terminals send SIGHUP a little later. Ending by it tells a parent process more than an exit status.
        Ok(ExitReason::Gone) if sources.hangs_up_soon()? => Ok(ExitReason::Signal(SIGHUP)),
        ended => ended,
    }
}

/// The errno of "Input/output error", equal on every Unix.
const EIO: i32 = 5;

fn serve(
    app: &mut App,
    host: &mut dyn Host,
    screen: &mut TerminalScreen,
    sources: &mut Sources,
) -> io::Result<ExitReason> {
    screen.draw(app)?;
    let launcher = Launcher::new(host.program_stderr())?;
    let engines = Engines::new(host.table_cache(), launcher, sources.waker()?, PACE);
    if let Some(tournament) = app.tournament() {
        tournament.wake_by(sources.waker()?);
    }
    let mut event_loop = EventLoop { app, host, screen, sources, engines, is_outdated: false };
    loop {
        if let Some(reason) = event_loop.turn()? {
            return Ok(reason);
        }
    }
}

struct EventLoop<'a> {
    app: &'a mut App,
    host: &'a mut dyn Host,
    screen: &'a mut TerminalScreen,
    sources: &'a mut Sources,
    engines: Engines,
    is_outdated: bool,
}

impl EventLoop<'_> {
    /// Sleeps until an event, and handles it. Returns the reason if the loop ends.
    fn turn(&mut self) -> io::Result<Option<ExitReason>> {
        self.ask_engines();
        let deadline = self.app.deadline(self.sources.now());
        // While the host has work, the loop does not sleep.
        let deadline = if self.host.has_work() { Some(Duration::ZERO) } else { deadline };
        if !self.sources.wait(self.screen.output(), self.host.line(), deadline)? {
            return Ok(Some(ExitReason::Gone));
        }
        self.screen.flush(self.app)?;
        let mut changed = false;
        let mut tasks = Vec::new();
        let ticked = self.app.tick(self.sources.now());
        tasks.extend(ticked.inspect(|_| changed = true).unwrap_or_default());
        while let Some((ticket, event)) = self.engines.next_event() {
            let answered = self.app.engine_event(ticket, event);
            tasks.extend(answered.inspect(|_| changed = true).unwrap_or_default());
        }
        let heard = self.host.hear_table(self.app);
        tasks.extend(heard.inspect(|_| changed = true).unwrap_or_default());
        // Work comes before keys, so that the first key already finds some entries in a list.
        if self.host.has_work() {
            changed |= self.host.work(self.app);
        }
        self.sources.listen()?;
        // Tasks run in order, all before the next key. Signals are checked between keys, because many keys may be
        // waiting.
        loop {
            for task in tasks.drain(..) {
                match task {
                    Task::Terminal(TerminalTask::Quit) => return Ok(Some(ExitReason::Quit)),
                    Task::Terminal(TerminalTask::Suspend) => self.suspend()?,
                    Task::Terminal(TerminalTask::LogIn) => self.log_in()?,
                    Task::Terminal(TerminalTask::Mouse(on)) => self.screen.report_mouse(on)?,
                    Task::Terminal(TerminalTask::Redraw) => self.screen.forget()?,
                    Task::Terminal(TerminalTask::Bell) => self.screen.ring()?,
                    Task::Terminal(TerminalTask::Copy(text)) => self.screen.copy(&text)?,
                    Task::Disk(task) => self.host.perform(task, self.app),
                }
            }
            for signal in self.sources.signals() {
                match signal {
                    SIGTSTP => self.suspend()?,
                    SIGCONT => self.screen.regain()?,
                    SIGWINCH => {}
                    signal => return Ok(Some(ExitReason::Signal(signal))),
                }
                changed = true;
            }
            match self.sources.input() {
                Some(TerminalInput::Event(event)) => {
                    let answered = self.app.update(&event);
                    tasks.extend(answered.inspect(|_| changed = true).unwrap_or_default());
                }
                Some(TerminalInput::Background(colour)) => {
                    changed |= self.app.set_terminal_background(Background::of(colour));
                }
                Some(TerminalInput::Attributes) => {}
                None => break,
            }
        }
        self.host.tell_table(self.app);
        self.is_outdated |= changed;
        // A blocked terminal is not waited for: everything but drawing continues.
        if self.is_outdated && !self.screen.output().is_blocked() {
            self.screen.draw(self.app)?;
            self.is_outdated = false;
        }
        Ok(None)
    }

    /// Passes the app's current question to the engines.
    fn ask_engines(&mut self) {
        self.engines.drop_all_but(self.app.session_in_play());
        match self.app.engine_task() {
            Some(EngineTask::Think(ticket, question)) => {
                self.engines.limit_programs(self.app.program_limits());
                self.engines.think(ticket, *question);
            }
            Some(EngineTask::Rest) => self.engines.rest(),
            None => {}
        }
    }

    /// Restores the terminal while ssh asks for a password. Ctrl-C ends only ssh.
    fn log_in(&mut self) -> io::Result<()> {
        let done = self.screen.lend(|| self.host.log_in())?;
        self.sources.forget(SIGINT);
        if let Err(why) = done {
            self.app.show_message(&why);
        }
        Ok(())
    }

    fn suspend(&mut self) -> io::Result<()> {
        if !can_be_suspended() {
            self.app.show_message(CANNOT_SUSPEND);
            return Ok(());
        }
        self.engines.suspend();
        self.host.suspend();
        let suspended = self.screen.suspend();
        self.host.resume();
        self.engines.resume();
        suspended?;
        // SIGCONT has just continued the process. The loop must not take the terminal again for it.
        self.sources.forget(SIGCONT);
        self.app.resumed(self.sources.now());
        Ok(())
    }
}
