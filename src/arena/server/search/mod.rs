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
#[derive(Clone)]
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
        let game = position.current_match();
        let spec = game.position_spec();
        let level = match options.level {
            // Perfect knows no deadline. Up to the deadline the two search alike.
            Level::Perfect if time.is_some() => Level::Strong,
            level => level,
        };
        let limits = Limits {
            deadline: time.and_then(|time| begun.checked_add(time)),
            depth: go.depth,
            nodes: go.nodes,
            memory: options.hash << 20,
            threads: options.threads,
            // A different seed for each move.
            seed: options.seed << 20 | game.ply() as u64,
            book: true,
        };
        let stop = Arc::<AtomicBool>::default();
        let (stops, moves) = (Arc::clone(&stop), move_choice.clone());
        let SharedEngine { table_cache, engine } = engine.clone();
        let (entry, events) = (options.game, events.clone());
        let work = move || {
            let on_report = |report: &Report<String>| {
                // Dropped when the queue is full.
                let _ = events.try_send(ServerEvent::Progress(report.clone()));
            };
            let control = Control::new(&stops, limits, &*table_cache, &on_report);
            let choose = |engine: &mut dyn AnyEngine| {
                let choice = if moves.is_plain() {
                    engine.choose(&spec, level, &control)
                } else {
                    moves.choose(&spec, engine, &control)
                };
                choice.map_err(|why| why.to_string())
            };
            let chosen = lock(&engine).work(entry, choose);
            // Fails only if the loop has ended.
            let _ = events.send(ServerEvent::Done(chosen.flatten()));
        };
        let thread = thread::Builder::new().name("engine".to_owned()).spawn(work);
        thread.map_err(|error| format!("cannot start a thread: {error}"))?;
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
            return Err(format!("player {seat} is to move, but p{seat}time is missing"));
        }
        None => None,
    };
    Ok(for_move.into_iter().chain(by_clock).min())
}
