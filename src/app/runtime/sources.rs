//! What can wake the program.

use super::keys::Keys;
use crossterm::event::Event;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use signal_hook::consts::{SIGCONT, SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGTSTP, SIGWINCH};
use signal_hook::iterator::backend::SignalDelivery;
use signal_hook::iterator::exfiltrator::SignalOnly;
use std::io::{self, Write};
use std::os::unix::net::UnixStream;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

/// What ended a wait.
pub(super) enum Woken {
    /// A key, or a signal, or both.
    Called,
    Tick,
    Gone,
}

/// What can wake us: keys, the signals that concern a program on a terminal, and the end of the
/// terminal.
///
/// Keys are read by a thread of their own. crossterm's reader never comes back from a terminal that
/// has gone, and waits for the rest of a half sent sequence; neither may keep us from a signal.
/// It and the signals write into one pipe, which is what we sleep on.
pub(super) struct Sources {
    delivery: SignalDelivery<UnixStream, SignalOnly>,
    bell: UnixStream,
    keys: Receiver<io::Result<Event>>,
    reader: Option<Sender<io::Result<Event>>>,
    forgotten: Option<i32>,
}

impl Sources {
    /// The system sends the signal right after the end of the terminal.
    const AT_ONCE: Duration = Duration::from_millis(100);

    pub fn watch() -> io::Result<Sources> {
        let (read, write) = UnixStream::pair()?;
        let bell = write.try_clone()?;
        bell.set_nonblocking(true)?;
        let signals = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGCONT, SIGWINCH];
        let delivery = SignalDelivery::with_pipe(read, write, SignalOnly, signals)?;
        let (reader, keys) = channel();
        Ok(Sources { delivery, bell, keys, reader: Some(reader), forgotten: None })
    }

    /// Begins to read keys, once the terminal is ours.
    pub fn read_keys(&mut self) -> io::Result<()> {
        let Some(reader) = self.reader.take() else { return Ok(()) };
        let mut bell = self.bell.try_clone()?;
        thread::Builder::new().name("keys".to_owned()).spawn(move || {
            let mut keys = Keys::default();
            loop {
                let event = keys.read();
                let failed = event.is_err();
                let heard = reader.send(event).is_ok();
                // A full pipe wakes as well as one byte more.
                let _ = bell.write(&[0]);
                if failed || !heard {
                    break;
                }
            }
        })?;
        Ok(())
    }

    /// What wakes us when it is written to, for others that have something to tell.
    pub fn bell(&self) -> io::Result<UnixStream> {
        self.bell.try_clone()
    }

    /// Sleeps until something comes, or the time has passed.
    pub fn wait(&mut self, time: Option<Duration>) -> io::Result<Woken> {
        let time = time.map(timespec);
        let stdin = rustix::stdio::stdin();
        let mut sources = [
            PollFd::new(self.delivery.get_read(), PollFlags::IN),
            // Nothing is asked for: the end is reported all the same.
            PollFd::new(&stdin, PollFlags::empty()),
        ];
        match poll(&mut sources, time.as_ref()) {
            Ok(0) => return Ok(Woken::Tick),
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
        let [called, terminal] = sources.map(|source| source.revents());
        let gone = called.is_empty() && !terminal.is_empty();
        Ok(if gone { Woken::Gone } else { Woken::Called })
    }

    /// The signals that have come. This also empties the pipe, so that what comes from here on, of
    /// keys too, wakes us again.
    pub fn signals(&mut self) -> Vec<i32> {
        let forgotten = self.forgotten.take();
        self.delivery.pending().filter(|signal| Some(*signal) != forgotten).collect()
    }

    /// Whether `SIGHUP` has come, or comes at once.
    pub fn hang_up(&mut self) -> io::Result<bool> {
        let patience = Instant::now() + Sources::AT_ONCE;
        loop {
            if self.signals().contains(&SIGHUP) {
                return Ok(true);
            }
            let left = patience.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Ok(false);
            }
            let mut signals = [PollFd::new(self.delivery.get_read(), PollFlags::IN)];
            match poll(&mut signals, Some(&timespec(left))) {
                Ok(_) | Err(rustix::io::Errno::INTR) => {}
                Err(error) => return Err(error.into()),
            }
        }
    }

    /// Leaves signals of this kind out of those that come next.
    pub fn forget(&mut self, signal: i32) {
        self.forgotten = Some(signal);
    }

    /// The next key that has come.
    pub fn key(&mut self) -> io::Result<Option<Event>> {
        self.keys.try_recv().ok().transpose()
    }
}

fn timespec(time: Duration) -> Timespec {
    Timespec { tv_sec: time.as_secs() as i64, tv_nsec: time.subsec_nanos().into() }
}
