//! The engines and programs at a table: one per engine seat, and one for hints and values.

use super::handle::Handle;
use super::program::{self, Launcher, ProgramLimits};
use super::worker::{self, EngineLimits};
use super::{Ask, EngineEvent, Question, Respondent};
use quadrille_match::session::{EngineSeat, Player};
use quadrille_rules::Seat;
use quadrille_search::TableCache;
use std::io::{self, Write};
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::thread;

/// The size of an engine's tables, in bytes.
const MEMORY: usize = 512 << 20;

/// The engines and programs at a table. Only one request runs at a time; a new request stops the previous one.
///
/// Each engine has its own thread and transposition table.
pub struct Engines {
    listener: UnixStream,
    table_cache: Arc<dyn TableCache + Send>,
    launcher: Launcher,
    helper: Option<Handle>,
    /// The session that the engines in `seated` belong to.
    session: Option<u64>,
    seated: Vec<(Seat, Handle)>,
    /// The answer to a request that could not be sent.
    unasked: Option<(u64, EngineEvent)>,
}

impl Engines {
    /// Creates an empty set of engines. A byte is written to `listener` for each [`next_event`](Engines::next_event).
    pub fn new(
        table_cache: Arc<dyn TableCache + Send>,
        launcher: Launcher,
        listener: UnixStream,
    ) -> Engines {
        let (helper, session, seated, unasked) = (None, None, Vec::new(), None);
        Engines { listener, table_cache, launcher, helper, session, seated, unasked }
    }

    /// Sets the resource limits of programs started from now on.
    pub fn limit_programs(&mut self, limits: ProgramLimits) {
        self.launcher.limits = limits;
    }

    /// Sends a request. Its events carry this ticket. If no thread can be started, the answer is a failure.
    pub fn think(&mut self, ticket: u64, question: Question) {
        self.rest();
        let (asked, is_pondering) = (question.to.clone(), question.ask == Ask::Ponder);
        let Err(why) = self.ask(ticket, question) else { return };
        // The next request tries to start a thread again.
        match asked {
            Respondent::Helper => self.helper = None,
            Respondent::Seat { seat, .. } => self.seated.retain(|(at, _)| *at != seat),
        }
        let failed = EngineEvent::Failed(format!("cannot start an engine thread: {why}"));
        self.unasked = Some((ticket, if is_pondering { EngineEvent::Pondered } else { failed }));
        let _ = (&self.listener).write(&[0]);
    }

    fn ask(&mut self, ticket: u64, question: Question) -> io::Result<()> {
        let handle = match &question.to {
            Respondent::Helper => self.helper()?,
            Respondent::Seat { session, seat, player } => self.seated(*session, *seat, player)?,
        };
        handle.ask(ticket, question)
    }

    fn helper(&mut self) -> io::Result<&mut Handle> {
        let known = self.helper.take();
        let helper = if let Some(helper) = known { helper } else { self.engine(None)? };
        Ok(self.helper.insert(helper))
    }

    fn seated(&mut self, session: u64, seat: Seat, player: &Player) -> io::Result<&mut Handle> {
        self.drop_all_but(Some(session));
        self.session = Some(session);
        let known = self.seated.iter().position(|(at, _)| *at == seat);
        let at = if let Some(at) = known {
            at
        } else {
            let handle = self.handle(player)?;
            self.seated.push((seat, handle));
            self.seated.len() - 1
        };
        Ok(&mut self.seated[at].1)
    }

    fn handle(&self, player: &Player) -> io::Result<Handle> {
        match player.program() {
            Some(seat) => program::program(&self.launcher, seat, self.listener.try_clone()?),
            None => self.engine(player.engine()),
        }
    }

    /// Creates an engine for a seat, or with `None` the engine for hints and values.
    fn engine(&self, seat: Option<EngineSeat>) -> io::Result<Handle> {
        let (table_cache, listener) = (Arc::clone(&self.table_cache), self.listener.try_clone()?);
        let threads = thread::available_parallelism().map_or(1, usize::from);
        let limits = EngineLimits { memory: MEMORY, threads };
        let limits = seat.map_or(limits, |seat| limits.of(seat));
        Ok(worker::engine(table_cache, listener, limits))
    }

    /// Stops all engines that are thinking.
    pub fn rest(&self) {
        for handle in self.handles() {
            handle.stop();
        }
    }

    /// Suspends programs before this process stops. [`resume`](Engines::resume) undoes this.
    pub fn suspend(&self) {
        self.handles().for_each(Handle::suspend);
    }

    pub fn resume(&self) {
        self.handles().for_each(Handle::resume);
    }

    /// Drops the seated engines of other sessions. With `None`, drops all seated engines.
    pub fn drop_all_but(&mut self, session: Option<u64>) {
        if self.session != session {
            self.session = None;
            self.seated.clear();
        }
    }

    pub fn next_event(&mut self) -> Option<(u64, EngineEvent)> {
        self.unasked.take().or_else(|| self.handles().find_map(Handle::next_event))
    }

    fn handles(&self) -> impl Iterator<Item = &Handle> {
        self.seated.iter().map(|(_, handle)| handle).chain(&self.helper)
    }
}
