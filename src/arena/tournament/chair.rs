//! Whoever plays: each player of a tournament in as many copies as there are games at once.

use super::Contestant;
use super::stop::Stop;
use crate::play::program::{self, Launcher};
use crate::play::{EngineEvent, EngineLimits, Handle, Question, engine};
use crate::search::TableCache;
use std::io::{self, ErrorKind, Read};
use std::os::unix::net::UnixStream;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// What the engines of a tournament may use, each: as many play at once as the machine has room for.
const LIMITS: EngineLimits = EngineLimits { memory: 128 << 20, threads: 1, pace: Duration::ZERO };

/// One who plays, about one game at a time.
pub(super) struct Chair {
    handle: Handle,
    bell: UnixStream,
    ticket: u64,
}

impl Chair {
    fn new(contestant: &Contestant, host: &Host, stop: &Stop) -> io::Result<Chair> {
        let (bell, listener) = UnixStream::pair()?;
        bell.set_nonblocking(true)?;
        listener.set_nonblocking(true)?;
        let mut handle = match contestant.player.program() {
            Some(seat) => program::program(&host.launcher, seat, listener)?,
            None => engine(Arc::clone(&host.table_cache), listener, LIMITS),
        };
        if let Some(suspension) = handle.suspension() {
            stop.add_program(suspension);
        }
        // All programs of a game start at once.
        handle.begin()?;
        Ok(Chair { handle, bell, ticket: 0 })
    }

    /// Asks something.
    pub fn ask(&mut self, question: Question) -> io::Result<()> {
        self.ticket += 1;
        self.handle.ask(self.ticket, question)
    }

    /// What is heard next of that; `None` if it is time to stop.
    pub fn hear(&self, stop: &Stop) -> Option<EngineEvent> {
        loop {
            if stop.has_come() {
                self.handle.stop();
                return None;
            }
            match self.handle.heard() {
                Some((ticket, event)) if ticket == self.ticket => return Some(event),
                Some(_) => {}
                None => {
                    stop.wait(&self.bell);
                    self.silence();
                }
            }
        }
    }

    fn silence(&self) {
        let is_interrupted = |error: &io::Error| error.kind() == ErrorKind::Interrupted;
        while { &self.bell }.read(&mut [0; 64]).is_err_and(|error| is_interrupted(&error)) {}
    }
}

/// What a tournament needs of whoever runs it.
#[derive(Clone)]
pub struct Host {
    /// How programs are started.
    pub launcher: Launcher,
    /// Where engines keep their tables.
    pub table_cache: Arc<dyn TableCache + Send>,
    /// The day, as records have it: `2026-11-20`.
    pub date: String,
}

/// Those who have played and can play again. They keep what they have learnt, and programs go on running.
pub(super) struct Chairs {
    free: Mutex<Vec<(usize, Chair)>>,
    /// No more than so many wait.
    most: usize,
}

impl Chairs {
    /// Enough for so many games at once.
    pub fn new(concurrency: usize) -> Chairs {
        Chairs { free: Mutex::default(), most: concurrency.saturating_mul(8) }
    }

    /// This player, one who is free or a new one.
    pub fn take(
        &self,
        player: usize,
        contestant: &Contestant,
        host: &Host,
        stop: &Stop,
    ) -> io::Result<Chair> {
        let mut free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
        let at = free.iter().rposition(|(it, _)| *it == player);
        let known = at.map(|at| free.remove(at).1);
        drop(free);
        known.map_or_else(|| Chair::new(contestant, host, stop), Ok)
    }

    /// This player is free again. Whoever has waited longest goes when there are too many.
    pub fn give_back(&self, player: usize, chair: Chair) {
        let mut free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
        free.push((player, chair));
        let gone = (free.len() > self.most).then(|| free.remove(0));
        drop(free);
        drop(gone);
    }
}
