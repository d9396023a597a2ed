//! A program at a seat. Each request gets an answer, whatever the program does.

use super::conversation::{Conversation, MatchSetup, NoMove, stopped};
use super::process::{Launcher, Process, ProcessEvent};
use super::ready::wait_for;
use super::stderr_log::LogName;
use super::suspension::Suspension;
use crate::play::question::match_seed;
use crate::play::{Ask, EngineEvent, Question, Respondent};
use quadrille_match::session::{Forfeit, ProgramSeat};
use rustix::event::PollFlags;
use std::io;
use std::os::fd::BorrowedFd;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

/// How long after its move a program is paused. A request within this time avoids the pause, which costs more than a
/// fast program needs to answer.
const PAUSE_DELAY: Duration = Duration::from_millis(2);

/// Why a request was canceled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interrupted {
    /// The request was withdrawn.
    Withdrawn,
    /// The requester is gone.
    Gone,
}

/// How to wait for a program: sources of interruption, and periodic work.
pub struct Waiting<'a> {
    /// Becomes readable when the request may have been withdrawn.
    pub wakeups: BorrowedFd<'a>,
    /// Checks whether the request was canceled.
    pub look: &'a dyn Fn() -> Option<Interrupted>,
    /// Does periodic work. Returns the time until the next call.
    pub tick: &'a dyn Fn() -> Option<Duration>,
}

impl Waiting<'_> {
    /// Waits until the deadline for the next event of a program.
    pub(super) fn next_event(&self, process: &mut Process, deadline: Instant) -> ProcessEvent {
        loop {
            let tick = (self.tick)().map(|left| process.now() + left);
            let until = tick.map_or(deadline, |tick| tick.min(deadline));
            match process.next_event(Some(until), Some(self.wakeups)) {
                ProcessEvent::TimeUp if until < deadline => {}
                heard => return heard,
            }
        }
    }
}

/// A program at a seat. After its first move it runs only during requests: it is paused shortly after each move.
pub struct ProgramPlayer {
    launcher: Launcher,
    command: Vec<String>,
    /// The options set by the user.
    wanted: Vec<(String, String)>,
    /// The name of its stderr log.
    log: LogName,
    suspension: Arc<Suspension>,
    running: Option<Conversation>,
    /// When the program answered, by its own clock ([`Suspension::now`]). `None` while it is paused, and before its
    /// first answer, because a program that is still starting is not paused.
    idle_since: Option<Instant>,
    /// Why the program exited between two requests, if it did, and the path of its stderr log.
    lost: Option<(Forfeit, Option<PathBuf>)>,
    /// Whether the program failed to give a valid answer. Such a program gets no more requests, because its late output
    /// could not be matched to one.
    is_spent: bool,
}

/// Converts a name to a valid file name.
fn file_name(name: &str) -> String {
    let fit = |c: char| if c.is_ascii_alphanumeric() || "-_.".contains(c) { c } else { '-' };
    let name: String = name.chars().take(64).map(fit).collect();
    let name = name.trim_start_matches('.');
    if name.is_empty() { "program".to_owned() } else { name.to_owned() }
}

impl ProgramPlayer {
    /// Creates a player whose program starts with [`begin`](ProgramPlayer::begin).
    pub fn new(launcher: &Launcher, seat: &ProgramSeat) -> ProgramPlayer {
        ProgramPlayer {
            launcher: launcher.clone(),
            command: seat.words(),
            wanted: seat.options().to_vec(),
            log: LogName { name: file_name(seat.name()), is_new: false },
            suspension: Arc::default(),
            running: None,
            idle_since: None,
            lost: None,
            is_spent: false,
        }
    }

    /// Sets the name of a new stderr log, used from the next start on.
    pub fn log_to(&mut self, name: &str) {
        self.log = LogName { name: file_name(name), is_new: true };
    }

    /// Returns the suspension to share with the code that suspends this process.
    pub const fn suspension(&self) -> &Arc<Suspension> {
        &self.suspension
    }

    /// Starts the program. If its supervisor cannot be started, the first request tries again and reports why. A
    /// program that cannot be started is treated as one that has exited.
    pub fn begin(&mut self) {
        self.running = self.start().ok();
    }

    fn start(&self) -> io::Result<Conversation> {
        let suspension = Arc::clone(&self.suspension);
        Process::start(&self.launcher, &self.command, &self.log, suspension)
            .map(|process| Conversation::new(process, self.wanted.clone()))
    }

    /// Requests a move and forwards the program's reports. Returns `None` if the requester is gone. After a
    /// [`Forfeit`](EngineEvent::Forfeit), the next request restarts the program. Call
    /// [`end_if_spent`](ProgramPlayer::end_if_spent) after each answer.
    pub fn answer(
        &mut self,
        question: &Question,
        waiting: &Waiting<'_>,
        say: &dyn Fn(EngineEvent),
    ) -> Option<EngineEvent> {
        if let Some((reason, messages)) = self.lost.take() {
            return Some(EngineEvent::Forfeit { reason, messages });
        }
        // The request may have been withdrawn before it is sent.
        match (waiting.look)() {
            Some(Interrupted::Gone) => return None,
            Some(Interrupted::Withdrawn) => return Some(stopped()),
            None => {}
        }
        self.end_if_spent();
        self.idle_since = None;
        let answer = match self.ask(question, waiting, say) {
            Ok(chosen) => {
                self.idle_since = self.running.as_ref().map(|running| running.process.now());
                return Some(chosen);
            }
            Err(NoMove::Interrupted(Interrupted::Gone)) => return None,
            Err(NoMove::Interrupted(Interrupted::Withdrawn)) => stopped(),
            Err(NoMove::Failed(why)) => EngineEvent::Failed(why),
            Err(NoMove::Lost(reason)) => {
                let process = self.running.as_ref().map(|running| &running.process);
                let messages = process.and_then(|process| process.messages().map(Path::to_owned));
                EngineEvent::Forfeit { reason, messages }
            }
        };
        self.is_spent = true;
        Some(answer)
    }

    /// Ends the program if it failed to give a valid answer. The time this takes does not count for the program.
    pub fn end_if_spent(&mut self) {
        if std::mem::take(&mut self.is_spent) {
            self.end_process();
        }
    }

    fn ask(
        &mut self,
        question: &Question,
        waiting: &Waiting<'_>,
        say: &dyn Fn(EngineEvent),
    ) -> Result<EngineEvent, NoMove> {
        let (Ask::Move { time, limits, seed, .. }, Respondent::Seat { session, .. }) =
            (&question.ask, &question.to)
        else {
            return Err(NoMove::Failed("programs can only choose moves".to_owned()));
        };
        let setup = MatchSetup {
            session: *session,
            game: question.entry.id,
            setup: question.game.setup(),
            seed: match_seed(*seed),
        };
        if !self.running.as_ref().is_some_and(|running| running.is_set_up(&setup)) {
            say(EngineEvent::Starting);
        }
        let failed = |error| NoMove::Failed(format!("{}: {error}", self.log.name));
        let running = self.running.take();
        let mut running = running.map_or_else(|| self.start(), Ok).map_err(failed)?;
        let chosen = running.choose(&setup, question, (time, *limits), waiting, say);
        self.running = Some(running);
        chosen
    }

    /// Pauses the program if it has been idle for long enough. Returns the time until then if it is idle and not paused
    /// yet.
    pub fn pause_if_idle(&mut self) -> Option<Duration> {
        let (running, since) = (self.running.as_mut()?, self.idle_since?);
        let left =
            PAUSE_DELAY.saturating_sub(running.process.now().saturating_duration_since(since));
        if left > Duration::ZERO {
            return Some(left);
        }
        running.process.pause();
        self.idle_since = None;
        None
    }

    /// Waits until a wake-up arrives or the program exits, and pauses the program in between. The next request reports
    /// an exit.
    pub fn sleep(&mut self, wakeups: BorrowedFd<'_>) {
        let Some(running) = &mut self.running else {
            // Errors are harmless: the caller checks for wake-ups.
            let _ = wait_for([(Some(wakeups), PollFlags::IN)], None);
            return;
        };
        let process = &mut running.process;
        let to_pause = self.idle_since.map(|since| since + PAUSE_DELAY);
        let mut heard = process.wait_for_end(to_pause, wakeups);
        if heard == ProcessEvent::TimeUp {
            process.pause();
            self.idle_since = None;
            heard = process.wait_for_end(None, wakeups);
        }
        if let ProcessEvent::Ended(why) = heard {
            self.lost = Some((why, self.end_process()));
        }
    }

    /// Ends the remaining processes. Returns the path of the stderr log.
    fn end_process(&mut self) -> Option<PathBuf> {
        self.idle_since = None;
        self.running.take().and_then(|running| running.process.messages().map(Path::to_owned))
    }
}

impl Drop for ProgramPlayer {
    /// A background thread waits until all processes of the program have ended.
    fn drop(&mut self) {
        if let Some(running) = self.running.take() {
            // If no thread can be started, the current thread waits.
            let _ = thread::Builder::new().spawn(move || drop(running));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_program_has_a_file_name() {
        for (name, file) in [
            ("mine", "mine"),
            ("bot.py", "bot.py"),
            ("../../etc/x", "-..-etc-x"),
            ("..", "program"),
            ("", "program"),
            ("\u{1b}[2J a", "--2J-a"),
        ] {
            assert_eq!(file_name(name), file);
        }
        assert_eq!(file_name(&"x".repeat(300)).len(), 64);
    }
}
