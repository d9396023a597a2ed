//! The loop that ties the app to a real terminal: the only place that waits, reads keys, draws on
//! the terminal and gives it back.

mod keys;
mod panics;
mod screen;
mod sequence;
mod sources;

pub use crate::play::catch;

use super::{App, DiskTask, EngineTask, Task, TerminalTask};
use crate::play::Engines;
use crate::play::program::Launcher;
use crate::search::{NoTableCache, TableCache};
use screen::Screen;
use signal_hook::consts::{SIGCONT, SIGHUP, SIGTSTP, SIGWINCH};
use signal_hook::low_level::emulate_default_handler;
use sources::Sources;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// Carries out what the app wants done outside itself, besides what the terminal is for.
pub trait Host {
    /// Does a task, and tells the app what came of it.
    fn perform(&mut self, task: DiskTask, app: &mut App);

    /// Whether the terminal is to report what the mouse does. Else it keeps the mouse for itself, as for
    /// selecting text.
    fn has_mouse(&self) -> bool {
        true
    }

    /// The process is about to be stopped: whoever plays or thinks besides the screens is to stand still.
    fn suspend(&mut self) {}

    /// The process goes on, and so do they.
    fn resume(&mut self) {}

    /// Whether something is left to be done that nobody waits for.
    fn has_work(&self) -> bool {
        false
    }

    /// Does a piece of that, a short one, since keys wait for it. Whether the app has heard anything.
    fn work(&mut self, app: &mut App) -> bool {
        let _ = app;
        false
    }

    /// The folder for what programs write to their standard error; nowhere, unless it says otherwise.
    fn messages(&self) -> Option<PathBuf> {
        None
    }

    /// Where engines keep their tables: nowhere, unless it says otherwise.
    fn table_cache(&self) -> Arc<dyn TableCache + Send> {
        Arc::new(NoTableCache)
    }
}

/// Why the loop has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The app has come to its end.
    Quit,
    /// This signal asks the process to end.
    Signal(i32),
    /// The terminal has gone.
    Gone,
}

impl Ending {
    /// Ends the process as the signal would have done, so that whoever started it sees that. For
    /// the other endings it does nothing.
    pub fn pass_on(self) -> io::Result<()> {
        match self {
            Ending::Signal(signal) => emulate_default_handler(signal),
            Ending::Quit | Ending::Gone => Ok(()),
        }
    }
}

/// An answer of an engine comes no sooner than this, so that the eye can follow its moves.
const PACE: Duration = Duration::from_millis(250);

/// Runs the app in the terminal of standard input and output until it ends.
///
/// The process sleeps until a key, a signal or the app's own tick comes, and draws only when that
/// has changed something; keys that came together are drawn once.
///
/// From here on a panic of any thread gives the terminal back and ends the process, unless it comes
/// in work that is done by [`catch`].
pub fn run(app: &mut App, host: &mut dyn Host) -> io::Result<Ending> {
    panics::end_the_program();
    let mut sources = Sources::watch()?;
    let mut screen = Screen::take(host.has_mouse())?;
    let ended = match serve(app, host, &mut screen, &mut sources) {
        // A terminal that cannot be read or written any more is gone, whatever it calls that.
        Err(error) if error.raw_os_error() == Some(EIO) => Ok(Ending::Gone),
        ended => ended,
    };
    drop(screen);
    app.pause();
    match ended {
        // It comes with SIGHUP for most, if a little late, and that is the better word for it.
        Ok(Ending::Gone) if sources.hang_up()? => Ok(Ending::Signal(SIGHUP)),
        ended => ended,
    }
}

/// "Input/output error", the same number on every Unix.
const EIO: i32 = 5;

fn serve(
    app: &mut App,
    host: &mut dyn Host,
    screen: &mut Screen,
    sources: &mut Sources,
) -> io::Result<Ending> {
    screen.draw(app)?;
    let launcher = Launcher::new(host.messages())?;
    let mut engines = Engines::new(host.table_cache(), launcher, sources.bell()?, PACE);
    if let Some(tournament) = app.tournament() {
        tournament.ring(sources.bell()?);
    }
    loop {
        engines.keep(app.table_at_play());
        match app.attend() {
            Some(EngineTask::Think(ticket, question)) => {
                engines.limit_programs(app.program_limits());
                engines.think(ticket, *question)?;
            }
            Some(EngineTask::Rest) => engines.rest(),
            None => {}
        }
        let deadline = app.deadline(sources.now());
        // While the host has work, what has come is looked at and nothing is waited for.
        if !sources.wait(if host.has_work() { Some(Duration::ZERO) } else { deadline })? {
            return Ok(Ending::Gone);
        }
        let mut changed = false;
        let mut tasks = Vec::new();
        let ticked = app.tick(sources.now());
        tasks.extend(ticked.inspect(|_| changed = true).unwrap_or_default());
        while let Some((ticket, heard)) = engines.heard() {
            let heard = app.heard(ticket, heard);
            tasks.extend(heard.inspect(|_| changed = true).unwrap_or_default());
        }
        // Before the keys, so that the first of them finds what a list begins with.
        if host.has_work() {
            changed |= host.work(app);
        }
        sources.listen()?;
        // Done in their order, and each before the next key is looked at. Many keys may be there, and
        // no signal waits for all of them.
        loop {
            for task in tasks.drain(..) {
                match task {
                    Task::Terminal(TerminalTask::Quit) => return Ok(Ending::Quit),
                    Task::Terminal(TerminalTask::Suspend) => {
                        suspend(app, host, screen, sources, &engines)?;
                    }
                    Task::Terminal(TerminalTask::Mouse(on)) => screen.report_mouse(on)?,
                    Task::Terminal(TerminalTask::Bell) => screen.ring()?,
                    Task::Disk(task) => host.perform(task, app),
                }
            }
            for signal in sources.signals() {
                match signal {
                    SIGTSTP => suspend(app, host, screen, sources, &engines)?,
                    SIGCONT => screen.retake()?,
                    SIGWINCH => {}
                    signal => return Ok(Ending::Signal(signal)),
                }
                changed = true;
            }
            let Some(event) = sources.key() else { break };
            tasks.extend(app.update(&event).inspect(|_| changed = true).unwrap_or_default());
        }
        if changed {
            screen.draw(app)?;
        }
    }
}

fn suspend(
    app: &mut App,
    host: &mut dyn Host,
    screen: &mut Screen,
    sources: &mut Sources,
    engines: &Engines,
) -> io::Result<()> {
    engines.suspend();
    host.suspend();
    let suspended = screen.suspend();
    host.resume();
    engines.resume();
    suspended?;
    // It has continued us, which is no news.
    sources.forget(SIGCONT);
    app.resumed(sources.now());
    Ok(())
}
