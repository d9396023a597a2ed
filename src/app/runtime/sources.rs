//! The event sources that wake the event loop.

use super::event_thread::EventThread;
use super::keys::{Keys, TerminalInput};
use quadrille_system::handle::{Stream, is_not_ready, read, stdin};
use quadrille_system::output::Output;
use quadrille_system::signals::{SIGCONT, SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGTSTP, SIGWINCH};
use quadrille_system::terminal;
use quadrille_system::wait::Source;
use quadrille_system::wakers::{PollSources, Wakers};
use std::io;
use std::time::{Duration, Instant};

/// The event sources of the loop: keys, signals, engines, and the loss of the terminal. Reading takes only available
/// bytes, so a signal never waits for a key.
pub(super) struct Sources {
    wakers: Wakers,
    keys: Keys,
    /// In place of `keys` where a terminal sends no bytes.
    events: Option<EventThread>,
    start: Instant,
}

impl Sources {
    /// Timeout for `SIGHUP` after the terminal is gone. The system sends this signal almost immediately.
    const HANGUP_TIMEOUT: Duration = Duration::from_millis(100);
    /// The maximum number of bytes per read. Any further bytes are read after the next drawing.
    const MAX_READ: usize = 4096;

    /// Starts watching all sources. `is_remote` means that the terminal is connected over a network.
    pub fn watch(is_remote: bool) -> io::Result<Sources> {
        let signals = [SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGCONT, SIGTSTP, SIGWINCH];
        let esc_delay = if is_remote { Keys::ESC_FAR } else { Keys::ESC_HERE };
        let (keys, start) = (Keys::new(esc_delay), Instant::now());
        Ok(Sources { wakers: Wakers::watch(&signals)?, keys, events: None, start })
    }

    /// Reads the events of a terminal that sends no bytes. The terminal must be set up already.
    pub fn read_events(&mut self) -> io::Result<()> {
        if !terminal::HAS_BYTES {
            self.events = Some(EventThread::start(self.waker()?)?);
        }
        Ok(())
    }

    /// Returns a stream that wakes the loop when the other side writes to it.
    pub fn waker(&self) -> io::Result<Stream> {
        self.wakers.waker()
    }

    /// Returns the time since the call of [`Sources::watch`].
    pub fn now(&self) -> Duration {
        self.start.elapsed()
    }

    /// Records that the terminal was queried; see [`Keys::expect_answer`].
    pub fn expect_answer(&mut self, is_fenced: bool) {
        self.keys.expect_answer(Instant::now(), is_fenced);
    }

    /// Sleeps until an event arrives, a blocked output becomes writable, or the deadline passes; `false` if the
    /// terminal is gone.
    pub fn wait(
        &mut self,
        output: &Output,
        line: PollSources<'_>,
        deadline: Option<Duration>,
    ) -> io::Result<bool> {
        let deadline = deadline.map(|deadline| self.start + deadline);
        let deadline = deadline.into_iter().chain(self.keys.deadline()).min();
        let woken = self.wakers.wait(self.events.is_none(), Some(output), line, deadline)?;
        let has_gone = self.events.as_ref().map_or(woken.input_has_gone, EventThread::has_ended);
        // A signal takes precedence, because it may explain why the terminal is gone.
        Ok(self.wakers.is_signalled() || !has_gone)
    }

    /// Reads the terminal's input, or gives up on an unfinished sequence.
    pub fn listen(&mut self) -> io::Result<()> {
        if self.events.is_some() {
            return Ok(());
        }
        // Check again directly before reading: if the process was suspended meanwhile, a shell may have read the input.
        if Source::stdin().checked().can_read() {
            let mut bytes = [0; Sources::MAX_READ];
            match read(stdin(), &mut bytes) {
                Ok(0) => {}
                Err(error) if is_not_ready(&error) => {}
                Ok(length) => self.keys.feed(&bytes[..length], Instant::now()),
                Err(error) => return Err(error),
            }
        } else {
            self.keys.expire(Instant::now());
        }
        Ok(())
    }

    pub fn input(&mut self) -> Option<TerminalInput> {
        match &mut self.events {
            Some(events) => events.next().map(TerminalInput::Event),
            None => self.keys.next(),
        }
    }

    pub fn signals(&self) -> Vec<i32> {
        self.wakers.signals()
    }

    /// Returns whether `SIGHUP` arrives within [`Sources::HANGUP_TIMEOUT`].
    pub fn hangs_up_soon(&self) -> io::Result<bool> {
        let deadline = Instant::now() + Sources::HANGUP_TIMEOUT;
        loop {
            if self.signals().contains(&SIGHUP) {
                return Ok(true);
            }
            if deadline <= Instant::now() {
                return Ok(false);
            }
            self.wakers.wait(false, None, PollSources::default(), Some(deadline))?;
        }
    }

    /// Ignores these signals if they have already arrived.
    pub fn forget(&self, signals: &[i32]) {
        self.wakers.forget(signals);
    }
}
