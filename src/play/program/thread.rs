//! The thread of a program, which waits for it, so that no key ever does.

use super::player::{Interrupted, ProgramPlayer, Wake};
use super::process::Launcher;
use crate::play::handle::{EventSender, Handle, Job};
use crate::session::ProgramSeat;
use std::io::{self, ErrorKind, Read};
use std::os::fd::AsFd;
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, TryRecvError};

/// A handle on a program, which is started when the handle [begins](Handle::begin).
pub fn program(
    launcher: &Launcher,
    seat: &ProgramSeat,
    listener: UnixStream,
) -> io::Result<Handle> {
    let (bell, rung) = UnixStream::pair()?;
    bell.set_nonblocking(true)?;
    rung.set_nonblocking(true)?;
    let player = ProgramPlayer::new(launcher, seat);
    let suspension = Arc::clone(player.suspension());
    let handle = Handle::new("program", listener, Some(rung), move |jobs, events| {
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
                    if !self.bell.silence() {
                        return;
                    }
                }
            }
        }
    }

    /// Answers a job. `None` when the handle went meanwhile.
    fn answer(&mut self, job: &Job) -> Option<()> {
        let (bell, events) = (&self.bell, &self.events);
        let look = || match (bell.silence(), job.stop.load(Ordering::Relaxed)) {
            (false, _) => Some(Interrupted::Gone),
            (true, true) => Some(Interrupted::Stopped),
            (true, false) => None,
        };
        let wake = Wake { bell: bell.0.as_fd(), look: &look, tick: &|| None };
        let say = |event| events.send(job.ticket, event);
        let answer = self.player.answer(&job.question, &wake, &say)?;
        events.send(job.ticket, answer);
        Some(())
    }
}
