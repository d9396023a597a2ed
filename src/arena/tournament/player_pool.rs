//! The engines and programs that play: each player of a tournament in as many copies as there are games at once.

use super::Contestant;
use super::stop::Stop;
use crate::play::program::{self, Launcher};
use crate::play::{EngineEvent, EngineLimits, Handle, Question, engine};
use crate::search::TableCache;
use std::io::{self, ErrorKind, Read};
use std::os::unix::net::UnixStream;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// The limits of each engine. They are low because several engines run at once.
const LIMITS: EngineLimits = EngineLimits { memory: 128 << 20, threads: 1, pace: Duration::ZERO };

/// A running engine or program. It plays one game at a time.
pub(super) struct ActivePlayer {
    handle: Handle,
    bell: UnixStream,
    ticket: u64,
}

impl ActivePlayer {
    fn new(
        contestant: &Contestant,
        resources: &Resources,
        stop: &Stop,
    ) -> io::Result<ActivePlayer> {
        let (bell, listener) = UnixStream::pair()?;
        bell.set_nonblocking(true)?;
        listener.set_nonblocking(true)?;
        let mut handle = match contestant.player.program() {
            Some(seat) => program::program(&resources.launcher, seat, listener)?,
            None => engine(Arc::clone(&resources.table_cache), listener, LIMITS),
        };
        if let Some(suspension) = handle.suspension() {
            stop.add_program(suspension);
        }
        // All programs of a game start at once.
        handle.begin()?;
        Ok(ActivePlayer { handle, bell, ticket: 0 })
    }

    /// Asks for a move. Events of earlier questions are ignored from now on.
    pub fn ask(&mut self, question: Question) -> io::Result<()> {
        self.ticket += 1;
        self.handle.ask(self.ticket, question)
    }

    /// Waits for the next event of the last question; `None` if the tournament is stopped.
    pub fn hear(&self, stop: &Stop) -> Option<EngineEvent> {
        loop {
            if stop.is_stopped() {
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

/// What a tournament needs from outside: it reads no environment and no clock of the day.
#[derive(Clone)]
pub struct Resources {
    /// How programs are started.
    pub launcher: Launcher,
    /// Where engines keep tables between two runs.
    pub table_cache: Arc<dyn TableCache + Send>,
    /// The day, as records have it: `2026-11-20`.
    pub date: String,
}

/// Players that wait for their next game. Engines keep their tables, and programs go on running.
pub(super) struct PlayerPool {
    free: Mutex<Vec<(usize, ActivePlayer)>>,
    /// How many may wait.
    most: usize,
}

impl PlayerPool {
    /// A pool for this many games at once.
    pub fn new(concurrency: usize) -> PlayerPool {
        PlayerPool { free: Mutex::default(), most: concurrency.saturating_mul(8) }
    }

    /// A copy of this player: one that waits, or a new one.
    pub fn take(
        &self,
        player: usize,
        contestant: &Contestant,
        resources: &Resources,
        stop: &Stop,
    ) -> io::Result<ActivePlayer> {
        let mut free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
        let at = free.iter().rposition(|(it, _)| *it == player);
        let known = at.map(|at| free.remove(at).1);
        drop(free);
        known.map_or_else(|| ActivePlayer::new(contestant, resources, stop), Ok)
    }

    /// Puts a player back. If too many wait, the one that has waited longest is dropped.
    pub fn give_back(&self, player: usize, active: ActivePlayer) {
        let mut free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
        free.push((player, active));
        let gone = (free.len() > self.most).then(|| free.remove(0));
        drop(free);
        drop(gone);
    }
}
