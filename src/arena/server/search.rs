//! A search, in a thread of its own.

use super::Event;
use super::options::Options;
use super::position::Position;
use crate::catalogue::Entry;
use crate::engine::AnyEngine;
use crate::engine::ugi::{Go, Info};
use crate::play::catch;
use crate::rules::Seat;
use crate::search::{Choice, Control, Level, Limits, Report, TableCache};
use crate::session::PositionSpec;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::SyncSender;
use std::thread;
use std::time::{Duration, Instant};

/// What is left of the time for a move to get it there.
const OVERHEAD: Duration = Duration::from_millis(10);

/// The engine of a game, with what it has learnt, until there is a search of another game.
pub struct Engine {
    table_cache: Arc<dyn TableCache + Send>,
    engine: Option<(&'static str, Box<dyn AnyEngine>)>,
}

impl Engine {
    /// None yet.
    pub fn new(table_cache: Arc<dyn TableCache + Send>) -> Engine {
        Engine { table_cache, engine: None }
    }

    /// What it has learnt goes.
    pub fn forget(&mut self) {
        self.engine = None;
    }

    /// Takes back the engine of a search; one that has failed is gone.
    pub fn give_back(&mut self, engine: Option<(&'static str, Box<dyn AnyEngine>)>) {
        self.engine = engine;
    }

    fn take(&mut self, entry: &Entry) -> (&'static str, Box<dyn AnyEngine>) {
        let same = self.engine.take().filter(|(id, _)| *id == entry.id);
        same.unwrap_or_else(|| (entry.id, (entry.engine)()))
    }
}

/// What has come of a search.
pub struct Answer {
    /// The engine, unless it has failed.
    pub engine: Option<(&'static str, Box<dyn AnyEngine>)>,
    /// The move, or why there is none.
    pub choice: Result<Choice<String>, String>,
}

/// A search under way.
pub struct Search {
    begun: Instant,
    stop: Arc<AtomicBool>,
    /// Whether its answer must not be said before it is told to stop.
    is_endless: bool,
    /// What was told of it last, without the time.
    pub told: Option<Info>,
    /// Its answer, once it is known.
    pub answer: Option<Answer>,
}

impl Search {
    /// Begins to search for a move of this seat. It ends with [`Event::Done`].
    pub fn begin(
        go: &Go,
        seat: Seat,
        position: &Position,
        options: &Options,
        engine: &mut Engine,
        events: &SyncSender<Event>,
    ) -> Result<Search, String> {
        let begun = Instant::now();
        let time = time(go, seat, position)?;
        let job = Job {
            position: position.game().position_spec(),
            level: match options.level {
                // With a time there must be an answer then; up to there the two are the same.
                Level::Perfect if time.is_some() => Level::Strong,
                level => level,
            },
            limits: Limits {
                deadline: time.and_then(|time| begun.checked_add(time)),
                depth: go.depth,
                nodes: go.nodes,
                memory: options.hash << 20,
                threads: options.threads,
                // Each move has a chance of its own.
                seed: options.seed << 20 | position.game().ply() as u64,
            },
            stop: Arc::default(),
            table_cache: Arc::clone(&engine.table_cache),
            events: events.clone(),
        };
        let stop = Arc::clone(&job.stop);
        let (id, thinker) = engine.take(options.game);
        let work = move || {
            let thought = catch(|| {
                let mut thinker = thinker;
                let choice = job.choose(&mut *thinker);
                (thinker, choice)
            });
            let answer = match thought {
                Ok((thinker, choice)) => Answer { engine: Some((id, thinker)), choice },
                Err(why) => Answer { engine: None, choice: Err(why) },
            };
            // Nobody hears it when the program ends.
            let _ = job.events.send(Event::Done(answer));
        };
        let thread = thread::Builder::new().name("engine".to_owned()).spawn(work);
        thread.map_err(|error| format!("no thread to think in: {error}"))?;
        Ok(Search { begun, stop, is_endless: go.is_endless(), told: None, answer: None })
    }

    /// How long it has gone on.
    pub fn elapsed(&self) -> Duration {
        self.begun.elapsed()
    }

    /// Has it end soon, and its answer said.
    pub fn stop(&mut self) {
        self.is_endless = false;
        self.stop.store(true, Ordering::Relaxed);
    }

    /// The answer, if it is known and may be said.
    pub fn take_answer(&mut self) -> Option<Answer> {
        if self.is_endless { None } else { self.answer.take() }
    }
}

impl Drop for Search {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
    }
}

/// How long a seat is to think, if time is what ends it.
fn time(go: &Go, seat: Seat, position: &Position) -> Result<Option<Duration>, String> {
    let in_time = |time: Duration| time.saturating_sub(OVERHEAD).max(time / 2);
    let for_move = go.move_time.map(in_time);
    let by_clock = match go.clocks.get(seat.index()).copied().flatten() {
        Some(clock) => {
            let legal = position.game().legal().len();
            Some(in_time(allot(clock.left, clock.increment, legal)))
        }
        None if go.clocks.iter().any(Option::is_some) => {
            return Err(format!("it is the turn of player {seat}, and there is no p{seat}time"));
        }
        None => None,
    };
    Ok(for_move.into_iter().chain(by_clock).min())
}

/// TEMPORARY until it is there.
fn allot(left: Duration, increment: Duration, legal: usize) -> Duration {
    left / (legal as u32 / 2 + 5) + increment / 2
}

/// What the thread has to do.
struct Job {
    position: Arc<PositionSpec>,
    level: Level,
    limits: Limits,
    stop: Arc<AtomicBool>,
    table_cache: Arc<dyn TableCache + Send>,
    events: SyncSender<Event>,
}

impl Job {
    fn choose(&self, thinker: &mut dyn AnyEngine) -> Result<Choice<String>, String> {
        let hear = |report: &Report<String>| {
            // Whoever does not read them goes without.
            let _ = self.events.try_send(Event::News(report.clone()));
        };
        let control = Control::new(&self.stop, self.limits, &*self.table_cache, &hear);
        thinker.choose(&self.position, self.level, &control).map_err(|why| why.to_string())
    }
}
