//! What is proven about a position and its moves, within a fixed amount of work, so that it is the same on every
//! machine.

use crate::catalogue::GameEntry;
use crate::engine::{AnyEngine, ValueFormat};
use crate::search::{Control, Limits, NoTableCache, Scope, Value};
use crate::session::{Match, PositionSpec, Refusal};
use std::collections::HashMap;
use std::fmt;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// How many positions are looked at while somebody waits for the answer, which then comes within a tenth of a second.
const LIVE: u64 = 120_000;

/// The table of a live search, in bytes.
const LIVE_MEMORY: usize = 8 << 20;

/// When a live search gives up. Only a board that is much too large comes to that: there [`LIVE`] positions take longer.
/// A search with a deadline builds no large table first.
const LIVE_TIME: Duration = Duration::from_secs(10);

/// Judges positions of one game, one after the other. It remembers them.
pub struct Judge {
    engine: Box<dyn AnyEngine>,
    limits: Limits,
    /// How long one answer may take.
    time: Option<Duration>,
    /// When all answers must be there.
    until: Option<Instant>,
    known: HashMap<Arc<PositionSpec>, Rc<Judged>>,
}

impl Judge {
    /// A judge that answers at once, on one thread and with little memory.
    pub fn live(entry: &GameEntry) -> Judge {
        let limits = Limits { nodes: Some(LIVE), memory: LIVE_MEMORY, ..Limits::default() };
        Judge::new(entry, limits, Some(LIVE_TIME))
    }

    /// A judge that may look at `nodes` positions, and may solve all boards of a small game first.
    pub fn patient(entry: &GameEntry, nodes: u64) -> Judge {
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        Judge::new(entry, limits, None)
    }

    fn new(entry: &GameEntry, limits: Limits, time: Option<Duration>) -> Judge {
        Judge { engine: (entry.engine)(), limits, time, until: None, known: HashMap::new() }
    }

    /// A judge that gives up at this moment, if there is one.
    pub fn until(self, until: Option<Instant>) -> Judge {
        Judge { until, ..self }
    }

    /// What is proven about the present position, which must not be the end of the game.
    pub fn judge(&mut self, game: &Match) -> Result<Rc<Judged>, Refusal> {
        let spec = game.position_spec();
        if let Some(known) = self.known.get(&spec) {
            return Ok(known.clone());
        }
        let deadline = self.time.map(|time| Instant::now() + time);
        let deadline = deadline.into_iter().chain(self.until).min();
        let limits = Limits { deadline, ..self.limits };
        let stop = AtomicBool::new(false);
        let control = Control::new(&stop, limits, &NoTableCache, &|_| ());
        let report = self.engine.analyse(&spec, Scope::Moves, &control)?;
        let judged = Rc::new(Judged {
            value_format: ValueFormat::of(game),
            value: report.value,
            moves: report.moves.iter().map(|rated| (rated.mv.clone(), rated.value)).collect(),
            pv: report.pv,
        });
        self.known.insert(spec, judged.clone());
        Ok(judged)
    }

    /// A line of best moves from the present position, of at most `most` moves; empty at the end of the game.
    pub fn best_line(&mut self, game: &Match, most: usize) -> Result<Vec<String>, Refusal> {
        let mut game = game.copy_line();
        let mut line: Vec<String> = Vec::new();
        while line.len() < most && game.to_move().is_some() {
            let judged = self.judge(&game)?;
            // A line that a search returns as a whole is also the most stubborn one.
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

    /// The engine, for what it says of moves.
    pub fn engine(&mut self) -> &mut dyn AnyEngine {
        &mut *self.engine
    }

    /// Forgets what was judged.
    pub fn forget(&mut self) {
        self.known.clear();
    }
}

impl fmt::Debug for Judge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Judge").field("limits", &self.limits).finish_non_exhaustive()
    }
}

/// What is proven about a position, for the seat to move.
#[derive(Clone, Debug)]
pub struct Judged {
    /// How its values are written.
    pub value_format: ValueFormat,
    /// What the position is worth.
    pub value: Value,
    /// All legal moves with what they are worth, the best first.
    pub moves: Vec<(String, Value)>,
    /// A line of best moves.
    pub pv: Vec<String>,
}

impl Judged {
    /// What a move is worth; nothing is known of a move that is not legal.
    pub fn value_of(&self, mv: &str) -> Value {
        self.moves
            .iter()
            .find(|(known, _)| known == mv)
            .map(|(_, value)| *value)
            .unwrap_or_default()
    }

    /// Whether the move is proven to be worth at least `value`.
    pub fn reaches(&self, mv: &str, value: i32) -> bool {
        self.value_of(mv).lower.is_some_and(|least| least >= value)
    }

    /// Whether the move is proven to be worth less than `value` by at least `by`, or to lead to another result.
    pub fn is_clearly_worse(&self, mv: &str, value: i32, by: i32) -> bool {
        self.value_of(mv)
            .upper
            .is_some_and(|most| most <= value - by || most.signum() < value.signum())
    }
}
