//! The engines and programs at a table: one for each seat that has one, and one for hints and values.

use super::handle::Handle;
use super::program::{self, Launcher, ProgramLimits};
use super::worker::{self, EngineLimits};
use super::{Ask, EngineEvent, Question, Respondent};
use crate::rules::Seat;
use crate::search::TableCache;
use crate::session::{EngineSeat, Player};
use std::io::{self, Write};
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

/// Bytes for the tables of an engine.
const MEMORY: usize = 512 << 20;

/// The engines and programs at a table. One question is under way at a time; a new one stops the one before.
///
/// No two of them share a thread or a transposition table.
pub struct Engines {
    listener: UnixStream,
    table_cache: Arc<dyn TableCache + Send>,
    /// How programs are started.
    launcher: Launcher,
    /// An answer of an engine comes no sooner than this.
    pace: Duration,
    helper: Option<Handle>,
    /// The session that the engines in `seated` play in.
    session: Option<u64>,
    seated: Vec<(Seat, Handle)>,
    /// The answer to a question that nobody could be asked.
    unasked: Option<(u64, EngineEvent)>,
}

impl Engines {
    /// No engine runs yet. A byte is written to `listener` for each event that can be
    /// [`next_event`](Engines::next_event).
    pub fn new(
        table_cache: Arc<dyn TableCache + Send>,
        launcher: Launcher,
        listener: UnixStream,
        pace: Duration,
    ) -> Engines {
        let (helper, session, seated, unasked) = (None, None, Vec::new(), None);
        Engines { listener, table_cache, launcher, pace, helper, session, seated, unasked }
    }

    /// What each program that is started from now on may use.
    pub fn limit_programs(&mut self, limits: ProgramLimits) {
        self.launcher.limits = limits;
    }

    /// Asks a question. Its events come under this ticket. Where there is no thread to think in, its answer is that.
    pub fn think(&mut self, ticket: u64, question: Question) {
        self.rest();
        let (asked, is_pondering) = (question.to.clone(), question.ask == Ask::Ponder);
        let Err(why) = self.ask(ticket, question) else { return };
        // The next question tries again.
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

    /// An engine for a seat, or with `None` the helper.
    fn engine(&self, seat: Option<EngineSeat>) -> io::Result<Handle> {
        let (table_cache, listener) = (Arc::clone(&self.table_cache), self.listener.try_clone()?);
        let threads = thread::available_parallelism().map_or(1, usize::from);
        let limits = EngineLimits { memory: MEMORY, threads, pace: self.pace };
        let limits = seat.map_or(limits, |seat| limits.of(seat));
        Ok(worker::engine(table_cache, listener, limits))
    }

    /// Stops all thinking.
    pub fn rest(&self) {
        for handle in self.handles() {
            handle.stop();
        }
    }

    /// This process is about to be stopped: nobody is to think until [`resume`](Engines::resume).
    pub fn suspend(&self) {
        self.handles().for_each(Handle::suspend);
    }

    /// This process goes on, and so do those who were thinking.
    pub fn resume(&self) {
        self.handles().for_each(Handle::resume);
    }

    /// Drops the engines at seats of any other session than this one. With `None`, all at seats are
    /// dropped.
    pub fn drop_all_but(&mut self, session: Option<u64>) {
        if self.session != session {
            self.session = None;
            self.seated.clear();
        }
    }

    /// The next event, if there is one.
    pub fn next_event(&mut self) -> Option<(u64, EngineEvent)> {
        self.unasked.take().or_else(|| self.handles().find_map(Handle::next_event))
    }

    fn handles(&self) -> impl Iterator<Item = &Handle> {
        self.seated.iter().map(|(_, handle)| handle).chain(&self.helper)
    }
}
