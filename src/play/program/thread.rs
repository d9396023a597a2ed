//! The thread of a program: it passes questions to the program, and has an answer whatever the program does.

use super::conversation::{Conversation, Interrupted, MatchSetup, NoMove, Wake, stopped};
use super::process::{Heard, Launcher, Process};
use super::suspension::Suspension;
use crate::play::handle::{EventSender, Handle, Job};
use crate::play::question::match_seed;
use crate::play::{Ask, Asked, EngineEvent};
use crate::session::ProgramSeat;
use rustix::event::{PollFd, PollFlags, poll};
use std::io::{self, ErrorKind, Read};
use std::os::fd::AsFd;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, TryRecvError};
use std::time::Duration;

/// How long after its move a program is stopped. A program that is asked again before that is not stopped at all: stopping
/// would cost more than a quick program takes to answer.
const TO_PAUSE: Duration = Duration::from_millis(2);

/// A handle on a program, which is started when the handle [begins](Handle::begin). It has lost when the answer is a
/// [`Forfeit`](EngineEvent::Forfeit); a question after that starts it afresh.
pub fn program(
    launcher: &Launcher,
    seat: &ProgramSeat,
    listener: UnixStream,
) -> io::Result<Handle> {
    let (bell, rung) = UnixStream::pair()?;
    bell.set_nonblocking(true)?;
    rung.set_nonblocking(true)?;
    let (launcher, command) = (launcher.clone(), seat.words());
    let name = file_name(seat.name());
    let suspension = Arc::new(Suspension::default());
    let shared = Arc::clone(&suspension);
    let handle = Handle::new("program", listener, Some(rung), move |jobs, events| {
        let bell = Bell(bell);
        let (running, lost) = (None, None);
        ProgramThread { launcher, command, name, suspension, bell, jobs, events, running, lost }
            .run();
    });
    Ok(handle.with_suspension(shared))
}

/// A name made fit for a file.
fn file_name(name: &str) -> String {
    let fit = |c: char| if c.is_ascii_alphanumeric() || "-_.".contains(c) { c } else { '-' };
    let name: String = name.chars().take(64).map(fit).collect();
    let name = name.trim_start_matches('.');
    if name.is_empty() { "program".to_owned() } else { name.to_owned() }
}

struct ProgramThread {
    launcher: Launcher,
    command: Vec<String>,
    name: String,
    suspension: Arc<Suspension>,
    bell: Bell,
    jobs: Receiver<Job>,
    events: EventSender,
    running: Option<Conversation>,
    /// Why it has ended between two questions, and the file of its messages.
    lost: Option<(String, Option<PathBuf>)>,
}

/// Rung by the handle, and closed when that is dropped.
struct Bell(UnixStream);

impl Bell {
    /// Whether the handle is still there.
    fn silence(&self) -> bool {
        loop {
            match (&self.0).read(&mut [0; 64]) {
                Ok(0) => return false,
                Ok(_) => {}
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return error.kind() == ErrorKind::WouldBlock,
            }
        }
    }
}

impl ProgramThread {
    /// Answers each job once, until the handle has gone.
    fn run(mut self) {
        // If it cannot be started, the first question tries again and reports why.
        self.running = self.start().ok();
        loop {
            match self.jobs.try_recv() {
                Ok(job) => {
                    if self.answer(&job).is_none() {
                        return;
                    }
                }
                Err(TryRecvError::Disconnected) => return,
                Err(TryRecvError::Empty) => {
                    self.sleep();
                    if !self.bell.silence() {
                        return;
                    }
                }
            }
        }
    }

    /// Waits until there is something to do. If the program ends meanwhile, the next question finds that out.
    fn sleep(&mut self) {
        let bell = self.bell.0.as_fd();
        let Some(running) = &mut self.running else {
            // Whether it was rung is seen anyway.
            let _ = poll(&mut [PollFd::from_borrowed_fd(bell, PollFlags::IN)], None);
            return;
        };
        let has_played = running.has_played();
        let process = &mut running.process;
        // A program that has not played yet is still getting ready, so it is not paused.
        let to_pause = has_played.then(|| process.now() + TO_PAUSE);
        let mut heard = process.hear_end(to_pause, bell);
        if heard == Heard::TimeUp {
            process.pause();
            heard = process.hear_end(None, bell);
        }
        if let Heard::Ended(why) = heard {
            self.lost = Some((why, self.let_go()));
        }
    }

    /// Ends what is left of the program. Returns the file of its messages.
    fn let_go(&mut self) -> Option<PathBuf> {
        self.running.take().and_then(|it| it.process.messages().map(Path::to_owned))
    }

    /// Answers a job. `None` when the handle went meanwhile.
    fn answer(&mut self, job: &Job) -> Option<()> {
        let say = |event| self.events.send(job.ticket, event);
        if let Some((reason, messages)) = self.lost.take() {
            say(EngineEvent::Forfeit { reason, messages });
            return Some(());
        }
        // The question may have been taken back before this thread saw it.
        if job.stop.load(Ordering::Relaxed) {
            say(stopped());
            return Some(());
        }
        match self.ask(job) {
            Ok(chosen) => {
                self.events.send(job.ticket, chosen);
                return Some(());
            }
            Err(NoMove::Interrupted(Interrupted::Gone)) => return None,
            Err(NoMove::Interrupted(Interrupted::Stopped)) => {
                self.events.send(job.ticket, stopped());
            }
            Err(NoMove::Failed(why)) => self.events.send(job.ticket, EngineEvent::Failed(why)),
            Err(NoMove::Lost(reason)) => {
                let process = self.running.as_ref().map(|it| &it.process);
                let messages = process.and_then(|it| it.messages().map(Path::to_owned));
                self.events.send(job.ticket, EngineEvent::Forfeit { reason, messages });
            }
        }
        // Such a program is asked nothing more: what it might still say would belong to no
        // question.
        self.let_go();
        Some(())
    }

    fn start(&self) -> io::Result<Conversation> {
        let suspension = Arc::clone(&self.suspension);
        Process::start(&self.launcher, &self.command, &self.name, suspension).map(Conversation::new)
    }

    fn ask(&mut self, job: &Job) -> Result<EngineEvent, NoMove> {
        let question = &job.question;
        let (Ask::Move { time, seed, .. }, Asked::Seat { session, .. }) =
            (&question.ask, &question.to)
        else {
            return Err(NoMove::Failed("a program can only be asked for moves".to_owned()));
        };
        let say = |event| self.events.send(job.ticket, event);
        let bell = &self.bell;
        let look = || match (bell.silence(), job.stop.load(Ordering::Relaxed)) {
            (false, _) => Some(Interrupted::Gone),
            (true, true) => Some(Interrupted::Stopped),
            (true, false) => None,
        };
        let wake = Wake { bell: bell.0.as_fd(), look: &look };
        let setup = MatchSetup {
            session: *session,
            game: question.entry.id,
            setup: question.position.setup.clone(),
            seed: match_seed(*seed),
        };
        if !self.running.as_ref().is_some_and(|it| it.is_set_up(&setup)) {
            say(EngineEvent::Starting);
        }
        let failed = |error| NoMove::Failed(format!("{}: {error}", self.name));
        let running = self.running.take();
        let mut running = running.map_or_else(|| self.start(), Ok).map_err(failed)?;
        let chosen = running.choose(&setup, question.entry, &question.position, time, &wake, &say);
        self.running = Some(running);
        chosen
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_program_has_a_name_for_a_file() {
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
