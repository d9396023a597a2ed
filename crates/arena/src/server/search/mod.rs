//! A search in its own thread.
#![allow(clippy::disallowed_methods, clippy::disallowed_types, reason = "searches with a deadline")]

mod analysis;

use super::ServerEvent;
use super::options::EngineOptions;
use super::position::CurrentPosition;
pub use analysis::MoveChoice;
use quadrille_rules::Seat;
use quadrille_search::{Choice, Control, Level, Limits, Report, TableCache};
use quadrille_table::engine::AnyEngine;
use quadrille_table::engine::time_management::allot;
use quadrille_table::engine::ugi::{Go, Info};
use quadrille_table::play::ReusableEngine;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::SyncSender;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// The part of the move time held back so that the move arrives in time.
const OVERHEAD: Duration = Duration::from_millis(10);

/// The engine, which runs one search at a time and keeps its tables between searches, and the persistent table cache.
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

/// The move chosen by a search, or the reason why there is none.
pub type SearchResult = Result<Choice<String>, String>;

/// A search that is running, or has ended but whose move has not been written yet.
pub struct RunningSearch {
    begun: Instant,
    stop: Arc<AtomicBool>,
    /// Set for `go infinite`: the move must not be written before `stop`.
    is_endless: bool,
    /// The last `info` lines, without the time.
    pub last_infos: Vec<Info>,
    /// The moves that `go` allows and the number of moves to report.
    pub move_choice: MoveChoice,
    /// The result, once the search has ended.
    pub answer: Option<SearchResult>,
}

impl RunningSearch {
    /// Starts a search for a move of this seat. The last event sent is [`ServerEvent::Done`].
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
        let game = position.current_match().clone();
        let move_choice = MoveChoice::of(go, &game)?;
        let level = match options.level {
            // The level Perfect ignores deadlines. Until the deadline, both levels search alike.
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
                // The report is dropped if the queue is full.
                let _ = events.try_send(ServerEvent::Progress(report.clone()));
            };
            let control = Control::new(&stops, limits, &*table_cache, &on_report);
            let choose = |engine: &mut dyn AnyEngine| {
                let choice = if moves.is_plain() {
                    engine.choose(&game, level, &control)
                } else {
                    moves.choose(&game, engine, &control)
                };
                choice.map_err(|why| why.to_string())
            };
            let chosen = lock(&engine).work(entry, choose);
            // Fails only if the event loop has exited.
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

    /// Stops the search and allows its move to be written.
    pub fn stop(&mut self) {
        self.is_endless = false;
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Takes the result if it is known and may be written.
    pub fn take_answer(&mut self) -> Option<SearchResult> {
        if self.is_endless { None } else { self.answer.take() }
    }
}

impl Drop for RunningSearch {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
    }
}

/// Returns the time that a seat may use; `None` if `go` sets no time. Returns an error if only other seats have a
/// clock.
fn time(go: &Go, seat: Seat, position: &CurrentPosition) -> Result<Option<Duration>, String> {
    let for_move = go.move_time.map(|time| time.saturating_sub(OVERHEAD).max(time / 2));
    let by_clock = match go.clocks.get(seat.index()).copied().flatten() {
        Some(clock) => {
            let legal = position.current_match().legal_moves().len();
            Some(allot(clock.left, clock.increment, legal))
        }
        None if go.clocks.iter().any(Option::is_some) => {
            return Err(format!("player {seat} is to move, but p{seat}time is missing"));
        }
        None => None,
    };
    Ok(for_move.into_iter().chain(by_clock).min())
}
