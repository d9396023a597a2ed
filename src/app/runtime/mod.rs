//! The event loop that runs the app in a terminal. Only this module waits, reads keys and draws on the terminal.
//!
//! The loop sleeps in a single `poll` on the terminal and on a pipe to which signal handlers and engines write. It
//! passes events to the app, performs the terminal tasks, hands the disk tasks to a [`Host`], and redraws once after a
//! change. Background work ([`Host::work`]) runs in small pieces between keys.
//!
//! The loop reads as many bytes as are available, and checks for signals between keys. `Keys` parses the bytes without
//! a clock but with deadlines: for the rest of a sequence, which distinguishes Esc from longer sequences, and for an
//! unterminated paste. At startup the terminal is queried once for its background, for kitty's keyboard protocol
//! and for what images need; the answers arrive among the keys, and nothing waits for them. The first frame is text.
//! Once the terminal has answered, [`images`] replace boards ([`Protocol`] says which terminals get them, and how).
//!
//! Output never blocks either: [`Output`](quadrille_system::output::Output) opens the terminal a second time in
//! non-blocking mode, and buffers bytes that the terminal does not accept. Nothing more is drawn until the buffer is
//! flushed, but everything else continues. Restoring the terminal takes at most 50 ms, after which unread output is
//! dropped. The terminal then has 300 ms to answer outstanding queries, so that the answers do not reach the shell.
//!
//! On Windows, crossterm reads events in a thread, output waits for the console, and the terminal is not queried, since
//! its answers would arrive as keys.
//!
//! However the loop ends (quit, signal, error, panic), it restores the terminal. A signal then has its default effect,
//! which the parent process can observe. A panic in any thread restores the terminal before the panic message is
//! written, and ends the process; work that may panic without ending the process runs in
//! [`play::catch`](quadrille_table::play::catch).
#![allow(
    clippy::disallowed_macros,
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "the loop of the screens"
)]

mod cells;
mod control_string;
mod event_thread;
#[cfg(feature = "pictures")]
pub mod images;
#[cfg(not(feature = "pictures"))]
#[path = "no_images.rs"]
pub mod images;
mod keys;
mod panics;
mod probe;
mod protocol;
mod seams;
mod sequence;
mod sources;
mod terminal_screen;

pub use keys::typed_text;
pub use probe::{TerminalAnswers, window_cell};
pub use protocol::{GraphicsEnvironment, NoImages, Protocol};
pub use quadrille_table::play::{ExitReason, catch};

use super::{App, EngineTask, Host, Task, TerminalTask};
use crossterm::event::Event;
use keys::TerminalInput;
use quadrille_system::job_control::{CANNOT_SUSPEND, can_be_suspended};
use quadrille_system::signals::{SIGCONT, SIGHUP, SIGINT, SIGTSTP, SIGWINCH};
use quadrille_system::terminal;
use quadrille_table::play::Engines;
use quadrille_table::play::program::Launcher;
use sources::Sources;
use std::io;
use std::time::Duration;
use terminal_screen::TerminalScreen;

/// Runs the app in the terminal on stdin and stdout until the app ends.
///
/// The process sleeps until a key, a signal, an engine or the app's deadline wakes it. It redraws only after a change,
/// and only once for keys that arrived together.
///
/// After this call, a panic in any thread restores the terminal and ends the process, except in work that runs in
/// [`catch`].
pub fn run(app: &mut App, host: &mut dyn Host) -> io::Result<ExitReason> {
    panics::install_hook();
    let is_far = host.is_terminal_far();
    if is_far {
        app.set_terminal_far();
    }
    let mut sources = Sources::watch(is_far)?;
    let graphics = host.graphics();
    let mut screen = TerminalScreen::take(host.has_mouse(), host.is_terminal_kitty(), graphics)?;
    if screen.ask()? {
        sources.expect_answer(false);
    }
    sources.read_events()?;
    let ended = match serve(app, host, &mut screen, &mut sources) {
        Err(error) if terminal::has_gone(&error) => Ok(ExitReason::Gone),
        ended => ended,
    };
    drop(screen);
    app.pause();
    match ended {
        // Most terminals send SIGHUP shortly afterwards. Ending by this signal gives the parent process more
        // information than an exit status.
        Ok(ExitReason::Gone) if sources.hangs_up_soon()? => Ok(ExitReason::Signal(SIGHUP)),
        ended => ended,
    }
}

fn serve(
    app: &mut App,
    host: &mut dyn Host,
    screen: &mut TerminalScreen,
    sources: &mut Sources,
) -> io::Result<ExitReason> {
    draw(app, screen, sources)?;
    let launcher = Launcher::new(host.program_stderr())?;
    let engines = Engines::new(host.table_cache(), launcher, sources.waker()?);
    if let Some(tournament) = app.tournament() {
        tournament.wake_by(sources.waker()?);
    }
    let mut event_loop = EventLoop { app, host, screen, sources, engines, is_outdated: false };
    loop {
        if let Some(reason) = event_loop.run_once()? {
            return Ok(reason);
        }
    }
}

fn draw(app: &mut App, screen: &mut TerminalScreen, sources: &mut Sources) -> io::Result<()> {
    if screen.ask_as_needed(app)? {
        sources.expect_answer(true);
    }
    screen.draw(app, sources.now())
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
    /// Sleeps until an event arrives, and handles it. If the loop must end, returns the reason.
    fn run_once(&mut self) -> io::Result<Option<ExitReason>> {
        self.ask_engines();
        let deadline = self.app.deadline(self.sources.now());
        // The loop does not sleep while the host has work.
        let deadline = if self.host.has_work() { Some(Duration::ZERO) } else { deadline };
        if !self.sources.wait(self.screen.output(), self.host.line(), deadline)? {
            return Ok(Some(ExitReason::Gone));
        }
        self.screen.flush(self.app, self.sources.now())?;
        let mut changed = false;
        let mut tasks = Vec::new();
        let ticked = self.app.tick(self.sources.now());
        tasks.extend(ticked.inspect(|_| changed = true).unwrap_or_default());
        while let Some((ticket, event)) = self.engines.next_event() {
            let answered = self.app.engine_event(ticket, event);
            tasks.extend(answered.inspect(|_| changed = true).unwrap_or_default());
        }
        let table_tasks = self.host.receive_from_table(self.app);
        tasks.extend(table_tasks.inspect(|_| changed = true).unwrap_or_default());
        // Work runs before keys are handled, so that a list already has some entries at the first key.
        if self.host.has_work() {
            changed |= self.host.work(self.app);
        }
        self.sources.listen()?;
        // All tasks run in order before the next key. Signals are checked between keys, because many keys may be
        // queued.
        loop {
            for task in tasks.drain(..) {
                match task {
                    Task::Terminal(TerminalTask::Quit) => return Ok(Some(ExitReason::Quit)),
                    Task::Terminal(TerminalTask::Suspend) => self.suspend()?,
                    Task::Terminal(TerminalTask::LogIn) => self.log_in()?,
                    Task::Terminal(TerminalTask::Mouse(on)) => self.screen.report_mouse(on)?,
                    Task::Terminal(TerminalTask::Redraw) => self.screen.redraw()?,
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
                Some(TerminalInput::Event(mut event)) => {
                    if let Event::Mouse(mouse) = &mut event {
                        self.app.point_at(self.screen.pixel_of(mouse));
                    }
                    if event == Event::FocusGained {
                        changed |= self.screen.focus();
                    }
                    let answered = self.app.update(&event);
                    tasks.extend(answered.inspect(|_| changed = true).unwrap_or_default());
                }
                Some(TerminalInput::Colour(which, colour)) => {
                    changed |= self.app.set_terminal_colour(which, colour);
                }
                Some(answer) => changed |= self.screen.answer(answer, self.app)?,
                None => break,
            }
        }
        self.host.send_to_table(self.app);
        self.is_outdated |= changed;
        // If the terminal is blocked, only drawing waits.
        if self.is_outdated && !self.screen.output().is_blocked() {
            draw(self.app, self.screen, self.sources)?;
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

    /// Restores the terminal while ssh prompts for a password. Ctrl-C ends only ssh.
    fn log_in(&mut self) -> io::Result<()> {
        if !terminal::HAS_BYTES {
            // The thread that reads the events would take keys from ssh.
            self.app.show_message("ssh asks for a password: leave, and join the table again");
            return Ok(());
        }
        let done = self.screen.lend(|| self.host.log_in())?;
        self.sources.forget(&[SIGINT]);
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
        // SIGCONT has just continued the process. The loop must not regain the terminal a second time.
        self.sources.forget(&[SIGTSTP, SIGCONT]);
        self.app.resumed(self.sources.now());
        Ok(())
    }
}
