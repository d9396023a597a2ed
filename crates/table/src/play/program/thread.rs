//! The thread that waits for a program at a seat, so that the user interface never blocks.

use super::player::{Interrupted, ProgramPlayer, Waiting};
use super::process::Launcher;
use crate::play::handle::{EventSender, Handle, Job};
use quadrille_match::session::ProgramSeat;
use quadrille_system::handle::Stream;
use quadrille_system::wait::{Source, take_wakeups};
use std::io;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, TryRecvError};

/// Creates a handle for a program, which starts when the handle [begins](Handle::begin). A byte is written to
/// `listener` for each event.
pub fn program(launcher: &Launcher, seat: &ProgramSeat, listener: Stream) -> io::Result<Handle> {
    let (wakeups, waker) = Stream::pair()?;
    wakeups.set_nonblocking(true)?;
    waker.set_nonblocking(true)?;
    let player = ProgramPlayer::new(launcher, seat);
    let suspension = Arc::clone(player.suspension());
    let handle = Handle::new("program", listener, Some(waker), move |jobs, events| {
        ProgramThread { player, wakeups, jobs, events }.run();
    });
    Ok(handle.with_suspension(suspension))
}

struct ProgramThread {
    player: ProgramPlayer,
    /// The handle writes to the other end, and closes it on drop.
    wakeups: Stream,
    jobs: Receiver<Job>,
    events: EventSender,
}

impl ProgramThread {
    /// Answers each job exactly once until the handle is dropped.
    fn run(mut self) {
        self.player.begin();
        loop {
            match self.jobs.try_recv() {
                Ok(job) => {
                    if self.answer(&job).is_none() {
                        return;
                    }
                }
                Err(TryRecvError::Disconnected) => return,
                Err(TryRecvError::Empty) => {
                    self.player.sleep(Source::readable(&self.wakeups));
                    if !take_wakeups(&self.wakeups) {
                        return;
                    }
                }
            }
        }
    }

    /// Answers a job. Returns `None` if the handle was dropped.
    fn answer(&mut self, job: &Job) -> Option<()> {
        let (wakeups, events) = (&self.wakeups, &self.events);
        let look = || match (take_wakeups(wakeups), job.stop.load(Ordering::Relaxed)) {
            (false, _) => Some(Interrupted::Gone),
            (true, true) => Some(Interrupted::Withdrawn),
            (true, false) => None,
        };
        let waiting = Waiting { wakeups: Source::readable(wakeups), look: &look, tick: &|| None };
        let say = |event| events.send(job.ticket, event);
        let answer = self.player.answer(&job.question, &waiting, &say)?;
        self.player.end_if_spent();
        events.send(job.ticket, answer);
        Some(())
    }
}
