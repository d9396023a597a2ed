//! The running engines and programs. A player in several concurrent games has an instance for each game.

use super::Contestant;
use super::stop::Stop;
use quadrille_search::{NoTableCache, TableCache};
use quadrille_table::play::program::{Interrupted, Launcher, ProgramPlayer, Waiting, take_wakeups};
use quadrille_table::play::{EngineEvent, EngineLimits, Handle, Question, engine};
use std::io;
use std::os::unix::net::UnixStream;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// The limits of each engine. They are low because several engines run concurrently.
const LIMITS: EngineLimits = EngineLimits { memory: 128 << 20, threads: 1 };

/// A running engine or program, which plays one game at a time.
pub(super) enum ActivePlayer {
    /// A built-in engine, in its own thread.
    Engine(ActiveEngine),
    /// A program. The game thread itself waits for the program: waking another thread for each move would take about as
    /// long as a fast program needs to reply.
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
        // All programs of a game start simultaneously.
        program.begin();
        Ok(ActivePlayer::Program(program))
    }

    /// Requests a move and waits for the reply. Returns `None` if the tournament is stopped. Events before the reply
    /// are passed to `say`. `tick` performs periodic work and returns the time until its next call.
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
                let waiting = Waiting { wakeups: stop.wakeups(), look: &look, tick };
                Ok(program.answer(&question, &waiting, say))
            }
        }
    }

    /// Terminates a program that gave no valid reply.
    pub fn end_if_spent(&mut self) {
        if let ActivePlayer::Program(program) = self {
            program.end_if_spent();
        }
    }

    /// Pauses a program that has been idle long enough. Returns the time until it is due to be paused, if the program
    /// is idle and not paused yet.
    pub fn pause_if_idle(&mut self) -> Option<Duration> {
        match self {
            ActivePlayer::Engine(_) => None,
            ActivePlayer::Program(program) => program.pause_if_idle(),
        }
    }
}

/// A built-in engine in its own thread.
pub(super) struct ActiveEngine {
    handle: Handle,
    wakeups: UnixStream,
    ticket: u64,
}

impl ActiveEngine {
    fn new(contestant: &Contestant, resources: &Resources) -> io::Result<ActiveEngine> {
        let (wakeups, waker) = UnixStream::pair()?;
        wakeups.set_nonblocking(true)?;
        waker.set_nonblocking(true)?;
        let limits = contestant.player.engine().map_or(LIMITS, |engine| LIMITS.of(engine));
        // Tables from an earlier run would change the engine's moves.
        let table_cache: Arc<dyn TableCache + Send> = if contestant.is_repeatable() {
            Arc::new(NoTableCache)
        } else {
            Arc::clone(&resources.table_cache)
        };
        let handle = engine(table_cache, waker, limits);
        Ok(ActiveEngine { handle, wakeups, ticket: 0 })
    }

    fn answer(
        &mut self,
        question: Question,
        stop: &Stop,
        tick: &dyn Fn() -> Option<Duration>,
        say: &dyn Fn(EngineEvent),
    ) -> io::Result<Option<EngineEvent>> {
        // From now on, events for earlier requests are ignored.
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
                    stop.wait(&self.wakeups, tick());
                    take_wakeups(&self.wakeups);
                }
            }
        }
    }
}

/// The external resources of a tournament, which reads neither the environment nor the system date.
#[derive(Clone)]
pub struct Resources {
    /// Starts programs.
    pub launcher: Launcher,
    /// Stores engine tables between runs.
    pub table_cache: Arc<dyn TableCache + Send>,
    /// The date for the records: `2026-11-20`.
    pub date: String,
}

/// The players that are waiting for their next game. Engines keep their tables. Programs stay running but are paused
/// when idle for a moment.
pub(super) struct PlayerPool {
    free: Mutex<Vec<(usize, ActivePlayer)>>,
    /// The maximum number of waiting players.
    most: usize,
}

impl PlayerPool {
    /// Creates a pool for this many concurrent games.
    pub fn new(concurrency: usize) -> PlayerPool {
        PlayerPool { free: Mutex::default(), most: concurrency.saturating_mul(8) }
    }

    /// Takes an instance of this player for a game: a waiting one, or else a new one. If a program is started, its log
    /// is named after the game.
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

    /// Returns a player to the pool. If there are too many, drops the one that has waited longest.
    pub fn give_back(&self, player: usize, active: ActivePlayer) {
        let mut free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
        free.push((player, active));
        let gone = (free.len() > self.most).then(|| free.remove(0));
        drop(free);
        drop(gone);
    }

    /// Pauses the programs that have been idle long enough. Returns the time until the next program is due to be
    /// paused.
    pub fn pause_if_idle(&self) -> Option<Duration> {
        let mut free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
        free.iter_mut().filter_map(|(_, active)| active.pause_if_idle()).min()
    }
}
