//! The thread that waits for a program at a seat, so that the screens never have to.

use super::player::{Interrupted, ProgramPlayer, Waiting};
use super::process::Launcher;
use crate::play::handle::{EventSender, Handle, Job};
use crate::session::ProgramSeat;
use std::io::{self, ErrorKind, Read};
use std::os::fd::AsFd;
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, TryRecvError};

/// A handle on a program, which is started when the handle [begins](Handle::begin). A byte is written to
/// `listener` for each event.
pub fn program(
    launcher: &Launcher,
    seat: &ProgramSeat,
    listener: UnixStream,
) -> io::Result<Handle> {
    let (bell, ringer) = UnixStream::pair()?;
    bell.set_nonblocking(true)?;
    ringer.set_nonblocking(true)?;
    let player = ProgramPlayer::new(launcher, seat);
    let suspension = Arc::clone(player.suspension());
    let handle = Handle::new("program", listener, Some(ringer), move |jobs, events| {
        ProgramThread { player, bell: Bell(bell), jobs, events }.run();
    });
    Ok(handle.with_suspension(suspension))
}

struct ProgramThread {
    player: ProgramPlayer,
    bell: Bell,
    jobs: Receiver<Job>,
    events: EventSender,
}

/// The thread's end of the bell. The handle rings the other end, and closes it when it is dropped.
struct Bell(UnixStream);

impl Bell {
    /// Takes in all rings so far. Returns whether the handle is still there.
    fn take_rings(&self) -> bool {
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
                    self.player.sleep(self.bell.0.as_fd());
                    if !self.bell.take_rings() {
                        return;
                    }
                }
            }
        }
    }

    /// Answers a job. `None` when the handle went meanwhile.
    fn answer(&mut self, job: &Job) -> Option<()> {
        let (bell, events) = (&self.bell, &self.events);
        let look = || match (bell.take_rings(), job.stop.load(Ordering::Relaxed)) {
            (false, _) => Some(Interrupted::Gone),
            (true, true) => Some(Interrupted::Withdrawn),
            (true, false) => None,
        };
        let waiting = Waiting { bell: bell.0.as_fd(), look: &look, tick: &|| None };
        let say = |event| events.send(job.ticket, event);
        let answer = self.player.answer(&job.question, &waiting, &say)?;
        self.player.end_if_spent();
        events.send(job.ticket, answer);
        Some(())
    }
}
