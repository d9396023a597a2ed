//! The engines and programs that play. A player that plays in several games at once has a copy for each.

use super::Contestant;
use super::stop::Stop;
use crate::play::program::{Interrupted, Launcher, ProgramPlayer, Waiting, take_rings};
use crate::play::{EngineEvent, EngineLimits, Handle, Question, engine};
use crate::search::{NoTableCache, TableCache};
use std::io;
use std::os::unix::net::UnixStream;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// The limits of each engine. They are low because several engines run at once.
const LIMITS: EngineLimits = EngineLimits { memory: 128 << 20, threads: 1, pace: Duration::ZERO };

/// A running engine or program. It plays one game at a time.
pub(super) enum ActivePlayer {
    /// An engine of ours, in a thread of its own.
    Engine(ActiveEngine),
    /// A program. The thread of the game waits for it itself: to wake another one for each move would cost about as
    /// much as a quick program takes to answer.
    Program(Box<ProgramPlayer>),
}

impl ActivePlayer {
    fn new(
        contestant: &Contestant,
        log: &str,
        resources: &Resources,
        stop: &Stop,
    ) -> io::Result<ActivePlayer> {
        let Some(seat) = contestant.player.program() else {
            return ActiveEngine::new(contestant, resources).map(ActivePlayer::Engine);
        };
        let mut program = Box::new(ProgramPlayer::new(&resources.launcher, seat));
        program.log_to(log);
        stop.add_program(program.suspension());
        // All programs of a game start at once.
        program.begin();
        Ok(ActivePlayer::Program(program))
    }

    /// Asks for a move and waits for the answer; `None` if the tournament is stopped. Events before the answer go to
    /// `say`. `tick` does what is due meanwhile, and returns how long to wait before it is called again.
    pub fn answer(
        &mut self,
        question: Question,
        stop: &Stop,
        tick: &dyn Fn() -> Option<Duration>,
        say: &dyn Fn(EngineEvent),
    ) -> io::Result<Option<EngineEvent>> {
        match self {
            ActivePlayer::Engine(engine) => engine.answer(question, stop, tick, say),
            ActivePlayer::Program(program) => {
                let look = || stop.is_stopped().then_some(Interrupted::Gone);
                let waiting = Waiting { bell: stop.bell(), look: &look, tick };
                Ok(program.answer(&question, &waiting, say))
            }
        }
    }

    /// Ends a program that gave no good answer.
    pub fn end_if_spent(&mut self) {
        if let ActivePlayer::Program(program) = self {
            program.end_if_spent();
        }
    }

    /// Pauses a program that has been idle for long enough. Returns how long until then, if it is idle and not paused
    /// yet.
    pub fn pause_if_idle(&mut self) -> Option<Duration> {
        match self {
            ActivePlayer::Engine(_) => None,
            ActivePlayer::Program(program) => program.pause_if_idle(),
        }
    }
}

/// An engine of ours in its thread.
pub(super) struct ActiveEngine {
    handle: Handle,
    bell: UnixStream,
    ticket: u64,
}

impl ActiveEngine {
    fn new(contestant: &Contestant, resources: &Resources) -> io::Result<ActiveEngine> {
        let (bell, ringer) = UnixStream::pair()?;
        bell.set_nonblocking(true)?;
        ringer.set_nonblocking(true)?;
        let limits = contestant.player.engine().map_or(LIMITS, |engine| LIMITS.of(engine));
        // Tables of an earlier run would change what it plays.
        let table_cache: Arc<dyn TableCache + Send> = if contestant.is_repeatable() {
            Arc::new(NoTableCache)
        } else {
            Arc::clone(&resources.table_cache)
        };
        let handle = engine(table_cache, ringer, limits);
        Ok(ActiveEngine { handle, bell, ticket: 0 })
    }

    fn answer(
        &mut self,
        question: Question,
        stop: &Stop,
        tick: &dyn Fn() -> Option<Duration>,
        say: &dyn Fn(EngineEvent),
    ) -> io::Result<Option<EngineEvent>> {
        // Events of earlier questions are ignored from now on.
        self.ticket += 1;
        self.handle.ask(self.ticket, question)?;
        loop {
            if stop.is_stopped() {
                self.handle.stop();
                return Ok(None);
            }
            match self.handle.next_event() {
                Some((ticket, event)) if ticket == self.ticket => {
                    if event.is_answer() {
                        return Ok(Some(event));
                    }
                    say(event);
                }
                Some(_) => {}
                None => {
                    stop.wait(&self.bell, tick());
                    take_rings(&self.bell);
                }
            }
        }
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

/// Players that wait for their next game. Engines keep their tables; programs are kept too, but paused once they have
/// been idle for a moment.
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

    /// A copy of this player for a game: one that waits, or a new one. If its program starts, its log is named by the
    /// game.
    pub fn take(
        &self,
        (game, player): (u64, usize),
        contestant: &Contestant,
        resources: &Resources,
        stop: &Stop,
    ) -> io::Result<ActivePlayer> {
        let mut free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
        let at = free.iter().rposition(|(other, _)| *other == player);
        let known = at.map(|at| free.remove(at).1);
        drop(free);
        let log = format!("{game:04}-{}", contestant.name);
        let Some(mut known) = known else {
            return ActivePlayer::new(contestant, &log, resources, stop);
        };
        if let ActivePlayer::Program(program) = &mut known {
            program.log_to(&log);
        }
        Ok(known)
    }

    /// Puts a player back. If too many wait, the one that has waited longest is dropped.
    pub fn give_back(&self, player: usize, active: ActivePlayer) {
        let mut free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
        free.push((player, active));
        let gone = (free.len() > self.most).then(|| free.remove(0));
        drop(free);
        drop(gone);
    }

    /// Pauses the programs that have been idle for long enough. Returns how long until the next of the others is to be
    /// paused.
    pub fn pause_if_idle(&self) -> Option<Duration> {
        let mut free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
        free.iter_mut().filter_map(|(_, active)| active.pause_if_idle()).min()
    }
}
