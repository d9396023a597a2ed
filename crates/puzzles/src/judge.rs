//! Proofs about positions and moves within a fixed number of nodes, so that the results are the same on every machine.
#![allow(clippy::disallowed_methods, clippy::disallowed_types, reason = "searches with a deadline")]

use quadrille_match::session::{Match, PositionSpec, Refusal};
use quadrille_search::{Control, Horizon, Limits, NoTableCache, Report, Scope, Value};
use quadrille_table::catalogue::GameEntry;
use quadrille_table::engine::{AnyEngine, ValueFormat};
use quadrille_table::play::ProofLimits;
use std::collections::HashMap;
use std::fmt;
use std::rc::Rc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// Returns the limits while a user is waiting. A search within these limits takes about a tenth of a second. The time
/// only matters on boards that are much too large, where so many positions take longer. A search with a deadline does
/// not build a large table first.
pub fn live_limits(entry: &GameEntry) -> ProofLimits {
    // The puzzles of Making Intersections need up to 375,000 positions for all moves and the later round, which are
    // searched quickly.
    let nodes = if entry.id == "intersections" { 500_000 } else { 120_000 };
    ProofLimits { nodes, memory: 8 << 20, time: Duration::from_secs(10) }
}

/// Evaluates positions of one game, and caches the results.
pub struct Judge {
    engine: Box<dyn AnyEngine>,
    limits: Limits,
    /// The time limit per answer. Without one, a game that the engine can solve completely is solved, whatever it
    /// takes.
    time: Option<Duration>,
    /// The deadline for all answers together.
    until: Option<Instant>,
    known: HashMap<PositionSpec, Rc<Judged>>,
}

impl Judge {
    /// Creates a judge for use while a user is waiting, with one thread and little memory.
    pub fn live(entry: &GameEntry) -> Judge {
        let live = live_limits(entry);
        Judge::new(entry, live.limits(), Some(live.time))
    }

    /// Creates a judge with this node limit. In a small game, it may first solve all boards.
    pub fn patient(entry: &GameEntry, nodes: u64) -> Judge {
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        Judge::new(entry, limits, None)
    }

    fn new(entry: &GameEntry, limits: Limits, time: Option<Duration>) -> Judge {
        Judge { engine: (entry.engine)(), limits, time, until: None, known: HashMap::new() }
    }

    pub fn until(self, until: Option<Instant>) -> Judge {
        Judge { until, ..self }
    }

    /// Evaluates the current position. The game must not be over.
    pub fn judge(&mut self, game: &Match) -> Result<Rc<Judged>, Refusal> {
        let spec = PositionSpec::to(game);
        if let Some(known) = self.known.get(&spec) {
            return Ok(known.clone());
        }
        let deadline = self.time.map(|time| Instant::now() + time);
        let deadline = deadline.into_iter().chain(self.until).min();
        let mut limits = Limits { deadline, ..self.limits };
        if self.time.is_none()
            && self.engine.horizon(game.now(), Duration::ZERO)? == Horizon::Solved
        {
            limits.nodes = None;
        }
        let stop = AtomicBool::new(false);
        let control = Control::new(&stop, limits, &NoTableCache, &|_| ());
        let report = self.engine.analyse(game.now(), Scope::Moves, &control)?;
        let judged = Rc::new(Judged::of(game, report));
        self.known.insert(spec, judged.clone());
        Ok(judged)
    }

    /// Returns a line of best moves from the current position with at most `most` moves; empty if the game is over.
    pub fn best_line(&mut self, game: &Match, most: usize) -> Result<Vec<String>, Refusal> {
        let mut game = game.copy_line();
        let mut line: Vec<String> = Vec::new();
        while line.len() < most && game.to_move().is_some() {
            let judged = self.judge(&game)?;
            // Follow the search's whole line, in which the losing side delays the end as long as possible.
            let best = judged.pv.iter().take(most - line.len());
            let before = line.len();
            for mv in best {
                game.play(mv)?;
                line.push(mv.clone());
            }
            if line.len() == before {
                break;
            }
        }
        Ok(line)
    }

    /// Returns the engine, which can give reasons for moves.
    pub fn engine(&mut self) -> &mut dyn AnyEngine {
        &mut *self.engine
    }

    /// Clears the cache.
    pub fn forget(&mut self) {
        self.known.clear();
    }
}

impl fmt::Debug for Judge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Judge").field("limits", &self.limits).finish_non_exhaustive()
    }
}

/// Proven facts about a position, from the perspective of the seat to move.
#[derive(Clone, Debug)]
pub struct Judged {
    pub value_format: ValueFormat,
    pub value: Value,
    /// All legal moves with their values, best first.
    pub moves: Vec<(String, Value)>,
    /// The principal variation.
    pub pv: Vec<String>,
}

impl Judged {
    /// Returns the facts in a report on the current position.
    pub fn of(game: &Match, report: Report<String>) -> Judged {
        Judged {
            value_format: ValueFormat::of(game),
            value: report.value,
            moves: report.moves.into_iter().map(|rated| (rated.mv, rated.value)).collect(),
            pv: report.pv,
        }
    }

    /// Returns the value of a move; unknown for an illegal move.
    pub fn value_of(&self, mv: &str) -> Value {
        self.moves
            .iter()
            .find(|(known, _)| known == mv)
            .map(|(_, value)| *value)
            .unwrap_or_default()
    }

    /// Returns whether the move is proven to be worth at least `value`.
    pub fn reaches(&self, mv: &str, value: i32) -> bool {
        self.value_of(mv).lower.is_some_and(|least| least >= value)
    }

    /// Returns whether the move is proven to be worse than `value` by at least `by`, or to lead to a different result.
    pub fn is_clearly_worse(&self, mv: &str, value: i32, by: i32) -> bool {
        self.value_of(mv)
            .upper
            .is_some_and(|most| most <= value - by || most.signum() < value.signum())
    }
}
