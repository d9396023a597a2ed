//! A search, in its own thread.

mod analysis;

use super::ServerEvent;
use super::options::EngineOptions;
use super::position::CurrentPosition;
use crate::engine::AnyEngine;
use crate::engine::time_management::allot;
use crate::engine::ugi::{Go, Info};
use crate::play::ReusableEngine;
use crate::rules::Seat;
use crate::search::{Choice, Control, Level, Limits, Report, TableCache};
use crate::session::PositionSpec;
pub use analysis::MoveChoice;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::SyncSender;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// How much of the time for a move is kept back, so that the move arrives in time.
const OVERHEAD: Duration = Duration::from_millis(10);

/// The engine, which works for one search at a time and keeps its tables between two, and where tables are kept for
/// longer.
pub struct SharedEngine {
    table_cache: Arc<dyn TableCache + Send>,
    engine: Arc<Mutex<ReusableEngine>>,
}

impl SharedEngine {
    pub fn new(table_cache: Arc<dyn TableCache + Send>) -> SharedEngine {
        SharedEngine { table_cache, engine: Arc::default() }
    }

    /// Drops the engine and its tables.
    pub fn forget(&self) {
        lock(&self.engine).forget();
    }
}

fn lock(engine: &Mutex<ReusableEngine>) -> MutexGuard<'_, ReusableEngine> {
    engine.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The move that a search has chosen, or why there is none.
pub type SearchResult = Result<Choice<String>, String>;

/// A search that runs, or has ended and whose move is not written yet.
pub struct RunningSearch {
    begun: Instant,
    stop: Arc<AtomicBool>,
    /// True for `go infinite`: the move must not be written before `stop`.
    is_endless: bool,
    /// The last `info` lines, without the time.
    pub last_infos: Vec<Info>,
    /// What `go` says of the moves to choose from and to report on.
    pub move_choice: MoveChoice,
    /// The result, once the search has ended.
    pub answer: Option<SearchResult>,
}

impl RunningSearch {
    /// Starts a search for a move of this seat. Its last event is [`ServerEvent::Done`].
    pub fn begin(
        go: &Go,
        seat: Seat,
        position: &CurrentPosition,
        options: &EngineOptions,
        engine: &SharedEngine,
        events: &SyncSender<ServerEvent>,
    ) -> Result<RunningSearch, String> {
        let begun = Instant::now();
        let time = time(go, seat, position)?;
        let move_choice = MoveChoice::of(go, position.current_match())?;
        let job = SearchJob {
            move_choice: move_choice.clone(),
            position: position.current_match().position_spec(),
            level: match options.level {
                // Perfect knows no deadline. Up to the deadline the two search alike.
                Level::Perfect if time.is_some() => Level::Strong,
                level => level,
            },
            limits: Limits {
                deadline: time.and_then(|time| begun.checked_add(time)),
                depth: go.depth,
                nodes: go.nodes,
                memory: options.hash << 20,
                threads: options.threads,
                // A different seed for each move.
                seed: options.seed << 20 | position.current_match().ply() as u64,
                book: true,
            },
            stop: Arc::default(),
            table_cache: Arc::clone(&engine.table_cache),
            events: events.clone(),
        };
        let stop = Arc::clone(&job.stop);
        let (entry, engine) = (options.game, Arc::clone(&engine.engine));
        let work = move || {
            let chosen = lock(&engine).work(entry, |engine| job.choose(engine));
            // Fails only if the loop has ended.
            let _ = job.events.send(ServerEvent::Done(chosen.flatten()));
        };
        let thread = thread::Builder::new().name("engine".to_owned()).spawn(work);
        thread.map_err(|error| format!("no thread to think in: {error}"))?;
        Ok(RunningSearch {
            begun,
            stop,
            is_endless: go.is_endless(),
            last_infos: Vec::new(),
            move_choice,
            answer: None,
        })
    }

    pub fn elapsed(&self) -> Duration {
        self.begun.elapsed()
    }

    /// Stops the search. Its move may be written from now on.
    pub fn stop(&mut self) {
        self.is_endless = false;
        self.stop.store(true, Ordering::Relaxed);
    }

    /// The result, if it is known and may be written.
    pub fn take_answer(&mut self) -> Option<SearchResult> {
        if self.is_endless { None } else { self.answer.take() }
    }
}

impl Drop for RunningSearch {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
    }
}

/// How long a seat may think; `None` if `go` names no time. The error is that other seats have a clock and this one
/// has none.
fn time(go: &Go, seat: Seat, position: &CurrentPosition) -> Result<Option<Duration>, String> {
    let for_move = go.move_time.map(|time| time.saturating_sub(OVERHEAD).max(time / 2));
    let by_clock = match go.clocks.get(seat.index()).copied().flatten() {
        Some(clock) => {
            let legal = position.current_match().legal().len();
            Some(allot(clock.left, clock.increment, legal))
        }
        None if go.clocks.iter().any(Option::is_some) => {
            return Err(format!("it is the turn of player {seat}, and there is no p{seat}time"));
        }
        None => None,
    };
    Ok(for_move.into_iter().chain(by_clock).min())
}

/// All that the thread needs.
struct SearchJob {
    move_choice: MoveChoice,
    position: Arc<PositionSpec>,
    level: Level,
    limits: Limits,
    stop: Arc<AtomicBool>,
    table_cache: Arc<dyn TableCache + Send>,
    events: SyncSender<ServerEvent>,
}

impl SearchJob {
    fn choose(&self, engine: &mut dyn AnyEngine) -> SearchResult {
        let on_report = |report: &Report<String>| {
            // Dropped when the queue is full.
            let _ = self.events.try_send(ServerEvent::Progress(report.clone()));
        };
        let control = Control::new(&self.stop, self.limits, &*self.table_cache, &on_report);
        let choice = if self.move_choice.is_plain() {
            engine.choose(&self.position, self.level, &control)
        } else {
            self.move_choice.choose(&self.position, engine, &control)
        };
        choice.map_err(|why| why.to_string())
    }
}
