//! The engine of Quixo. Boards of up to 4 × 4 dice are solved by retrograde analysis; larger boards are searched by
//! alpha-beta with iterative deepening (`iterative`, `alpha_beta`).
//!
//! The alpha-beta search evaluates boards line by line (`evaluation`); the line scores for 5 × 5 (`five`) are fitted to
//! self-play games. [`Engine::choose_in_match`] passes the positions of the match to the search, which avoids repeating
//! them in a good position. An incomplete table is kept, and the next question continues building it.

pub mod retrograde;

mod alpha_beta;
mod board;
mod evaluation;
mod five;
mod index;
mod iterative;
pub(crate) mod levels;
mod mask;
mod order;
mod table;
mod transposition;
mod why;

pub use why::QuixoReason;

use super::census::{Cell, Cells, Symmetry};
use super::table_slot::TableSlot;
use super::{
    Choice, Control, Engine, Horizon, Level, Limits, RatedMove, Reason, Report, Scope, StopReason,
    Value,
};
use board::{Board, Geometry};
use iterative::Search;
use mask::{Mask, Wide};
use quadrille_rules::quixo::{Place, Push, Quixo};
use quadrille_rules::{Position, Symbol};
use retrograde::RetrogradeSolver;
use std::convert::Infallible;
use std::time::Duration;
use table::{BoardValue, QuixoTable};
use transposition::TranspositionTable;

/// The engine of Quixo.
#[derive(Default)]
pub struct QuixoEngine {
    /// The board size of the tables.
    size: u8,
    /// The table for a board of up to 4 × 4 dice, complete or incomplete.
    solver: Option<RetrogradeSolver>,
    /// Whether the table was built here and is not in the cache yet.
    to_store: bool,
    /// While choosing a move in a match: the positions of the match, ending with the current one. Otherwise empty.
    earlier: Vec<Quixo>,
    /// The transposition tables, by the width of their masks.
    small: TableSlot<TranspositionTable<u32>>,
    narrow: TableSlot<TranspositionTable<u64>>,
    wide: TableSlot<TranspositionTable<Wide>>,
}

/// The largest board whose places fit in a mask of 32 bits.
const SMALL: u8 = 5;

/// The largest board whose places fit in a mask of 64 bits.
const NARROW: u8 = 8;

/// The share of the time per move that is spent on building an incomplete table. In the remaining tenth, the search is
/// one or two plies shallower, but once the table is complete, it provides the exact value of every position.
const BUILDING: f32 = 0.9;

/// The minimum time left for storing a table, since the disk may be slow.
const STORING: Duration = Duration::from_millis(500);

/// The depth, in plies, of the search that provides the first report before a table is built.
const FIRST_REPORT_DEPTH: u8 = 2;

impl Engine for QuixoEngine {
    type Game = Quixo;

    fn horizon(position: &Quixo, time: Duration) -> Horizon {
        if position.size() <= QuixoTable::MAX_SIZE {
            return Horizon::Solved;
        }
        // The depth completed from empty boards in one second. Ten times the time adds one or two plies; one is
        // counted.
        let pushes = match position.size() {
            0..=8 => 8,
            9..=13 => 6,
            14..=21 => 5,
            _ => 4,
        };
        let further = time.as_secs_f32().max(0.001).log10().round() as i32;
        Horizon::Pushes((pushes + further).max(1) as u32)
    }

    fn analyse(
        &mut self,
        position: &Quixo,
        scope: Scope,
        control: &Control<'_, Push>,
    ) -> Report<Push> {
        let size = position.size();
        if size != self.size {
            let earlier = std::mem::take(&mut self.earlier);
            *self = QuixoEngine { size, earlier, ..QuixoEngine::default() };
        }
        let memory = control.limits.memory;
        let deepest = control.limits.depth.map_or(u8::MAX, |plies| plies.min(255) as u8);
        let question = SearchTask { position, earlier: &self.earlier, scope, control, deepest };
        if size > NARROW {
            return question.search(transposition_of(&mut self.wide, memory));
        } else if size > SMALL {
            return question.search(transposition_of(&mut self.narrow, memory));
        } else if size > QuixoTable::MAX_SIZE {
            return question.search(transposition_of(&mut self.small, memory));
        }
        if self.table().is_none() {
            // The search gets the memory that the table does not need.
            let left = memory.checked_sub(QuixoTable::needs(size)).unwrap_or(memory);
            let at_once = SearchTask { deepest: FIRST_REPORT_DEPTH, ..question };
            let first = at_once.search(transposition_of(&mut self.narrow, left));
            match self.solve(position, &first, control) {
                Ok(()) => self.narrow = TableSlot::default(),
                Err(halt @ (StopReason::MemoryLimit | StopReason::OutOfMemory))
                    if control.limits.deadline.is_none() =>
                {
                    return Report { halt: Some(halt), ..first };
                }
                Err(StopReason::Stopped) => {
                    return Report { halt: Some(StopReason::Stopped), ..first };
                }
                Err(StopReason::Time | StopReason::MemoryLimit | StopReason::OutOfMemory) => {
                    let nodes = control.limits.nodes.map(|most| most.saturating_sub(first.nodes));
                    let control = &control.within(Limits { nodes, ..control.limits });
                    let question =
                        SearchTask { position, earlier: &self.earlier, scope, control, deepest };
                    let report = question.search(transposition_of(&mut self.narrow, left));
                    return Report { nodes: first.nodes + report.nodes, ..report };
                }
            }
        }
        self.store(control);
        let board = board_of(position);
        self.table().map_or_else(Report::default, |table| from_table(table, board))
    }

    fn choose_in_match(
        &mut self,
        earlier: impl Iterator<Item = Quixo>,
        position: &Quixo,
        level: Level,
        control: &Control<'_, Push>,
    ) -> Choice<Push> {
        self.earlier = earlier.collect();
        self.earlier.push(position.clone());
        let choice = self.choose(position, level, control);
        self.earlier.clear();
        choice
    }

    fn play_as(
        &mut self,
        position: &Quixo,
        level: Level,
        control: &Control<'_, Push>,
    ) -> Report<Push> {
        levels::play_as(position, &self.earlier, level, control)
    }

    /// Builds the table of a small board, or fills the transposition table.
    fn ponder(&mut self, position: &Quixo, control: &Control<'_, Push>) {
        self.analyse(position, Scope::Best, control);
    }

    fn symmetry(start: &Quixo) -> Box<dyn Symmetry<Quixo>> {
        let size = start.size();
        let places: Vec<Place> = Place::all(size, size).collect();
        let cells = places.iter().map(|at| Cell::at(at.row, at.col)).collect::<Vec<_>>();
        let read = move |position: &Quixo, out: &mut Vec<u8>| {
            let value = |&place| position.die(place).map_or(0, |symbol| symbol as u8 + 1);
            out.extend(places.iter().map(value));
        };
        Box::new(Cells::new([size, size], &cells, 3, read))
    }

    fn why(position: &Quixo, push: Push) -> Option<Reason> {
        let reason = if position.size() > NARROW {
            why::why::<Wide>(position, push)
        } else {
            why::why::<u64>(position, push)
        };
        reason.map(Reason::Quixo)
    }
}

impl QuixoEngine {
    /// Builds the table, or continues an incomplete one. Meanwhile reports `first` together with the progress. Takes
    /// its [share](BUILDING) of the time, or all of the time if the table will be complete by the deadline. Builds none
    /// if the control limits the depth, or allows fewer positions than the table still needs.
    fn solve(
        &mut self,
        position: &Quixo,
        first: &Report<Push>,
        control: &Control<'_, Push>,
    ) -> Result<(), StopReason> {
        if control.limits.memory < QuixoTable::needs(self.size) {
            return Err(StopReason::MemoryLimit);
        }
        let name = self.name();
        let solver = if let Some(solver) = &mut self.solver {
            solver
        } else {
            if let Some(halt) = control.halt() {
                return Err(halt);
            }
            self.solver.insert(RetrogradeSolver::new(position)?)
        };
        // Another engine may have stored the table since the last question.
        if let Some(kept) = name.as_ref().and_then(|name| control.table_cache.load(name)) {
            solver.load(&kept);
        }
        if solver.table().is_some() {
            return Ok(());
        }
        if control.limits.depth.is_some() || control.nodes_left(first.nodes) < solver.left() {
            return Err(StopReason::Time);
        }
        let part = control.share(BUILDING, Duration::MAX);
        let (time, before) = (control.time_left(), solver.progress());
        let mut reported = 0;
        loop {
            solver.step();
            if solver.table().is_some() {
                self.to_store = name.is_some();
                return Ok(());
            }
            if let Some(halt) = part.halt()
                && (halt != StopReason::Time || !ends_in_time(control, time, solver, before))
            {
                return Err(halt);
            }
            let percent = (solver.progress() * 100.0) as u32;
            if percent > reported {
                reported = percent;
                control.send_report(&Report {
                    table_bytes: solver.bytes(),
                    progress: Some(solver.progress()),
                    halt: None,
                    ..first.clone()
                });
            }
        }
    }

    /// Returns the name of the table in the cache. `None` for smaller tables, since building them is faster than
    /// loading them.
    fn name(&self) -> Option<String> {
        (self.size == QuixoTable::MAX_SIZE).then(|| format!("quixo-{}", self.size))
    }

    /// Stores a table that was built here, once there is time.
    fn store(&mut self, control: &Control<'_, Push>) {
        let has_time = control.time_left().is_none_or(|left| left >= STORING);
        if self.to_store
            && has_time
            && let (Some(name), Some(table)) = (self.name(), self.table())
        {
            if let Ok(bytes) = table.to_bytes() {
                control.table_cache.store(&name, &bytes);
            }
            self.to_store = false;
        }
    }

    fn table(&self) -> Option<&QuixoTable> {
        self.solver.as_ref()?.table()
    }
}

/// The parameters of a search.
#[derive(Clone, Copy)]
struct SearchTask<'a> {
    position: &'a Quixo,
    /// If a move is chosen in a match: the positions of the match, ending with the current one.
    earlier: &'a [Quixo],
    scope: Scope,
    control: &'a Control<'a, Push>,
    deepest: u8,
}

impl SearchTask<'_> {
    fn search<M: Mask>(self, transposition: &mut TranspositionTable<M>) -> Report<Push> {
        let geometry = Geometry::new(self.position);
        Search::new(&geometry, transposition, self.control)
            .in_match(self.earlier.iter().map(board_of).collect())
            .run(board_of(self.position), self.scope, self.deepest)
    }
}

/// Returns the board of a position, from the view of the seat to move.
fn board_of<M: Mask>(position: &Quixo) -> Board<M> {
    Board::of(position, position.to_move().map_or(Symbol::X, Symbol::from))
}

/// Returns whether the table will be complete before the deadline at its current speed, given that building began at
/// the progress `before` with `time` left. `false` once the deadline has passed.
fn ends_in_time(
    control: &Control<'_, Push>,
    time: Option<Duration>,
    solver: &RetrogradeSolver,
    before: f32,
) -> bool {
    let (Some(time), Some(left)) = (time, control.time_left()) else { return true };
    let done = solver.progress() - before;
    let to_do = 1.0 - solver.progress();
    !left.is_zero() && to_do * time.saturating_sub(left).as_secs_f32() <= done * left.as_secs_f32()
}

/// Returns the stored transposition table, or a new one if the budget has changed.
fn transposition_of<M: Mask>(
    kept: &mut TableSlot<TranspositionTable<M>>,
    budget: usize,
) -> &mut TranspositionTable<M> {
    let Ok(transposition) = kept.get_or_rebuild(
        budget,
        |_| true,
        |budget| Ok::<_, Infallible>(TranspositionTable::new(budget)),
    );
    transposition
}

/// A push on a solved board.
struct TablePush {
    push: Push,
    /// The value for the seat that pushes.
    value: BoardValue,
    after: Board<u64>,
    /// The share of the opponent's replies, from 0 to 1, that keep the value.
    easy: f32,
}

/// Returns all legal pushes, best first. Of equal pushes, those with the fewest correct replies come first.
fn table_pushes(table: &QuixoTable, board: Board<u64>) -> Vec<TablePush> {
    let mut pushes: Vec<TablePush> = table
        .geometry
        .legal(board)
        .map(|slide| {
            let after = slide.play(board);
            let value = table.value(after);
            let replies =
                || table.geometry.legal(after).map(|reply| table.value(reply.play(after)));
            let is_right = |reply: &BoardValue| reply.for_parent().outcome() == value.outcome();
            let right = replies().filter(is_right).count();
            let easy = right as f32 / replies().count().max(1) as f32;
            TablePush { push: slide.push, value: value.for_parent(), after, easy }
        })
        .collect();
    pushes.sort_by(|a, b| {
        b.value.rank().cmp(&a.value.rank()).then_with(|| a.easy.total_cmp(&b.easy))
    });
    pushes
}

/// The length, in plies, of the principal variation of a drawn position, from which play may continue forever.
const LINE: usize = 12;

fn from_table(table: &QuixoTable, board: Board<u64>) -> Report<Push> {
    let exact = |value: BoardValue| Value { plies: value.plies(), ..Value::exact(value.outcome()) };
    let pushes = table_pushes(table, board);
    let value = table.value(board);
    let best = pushes.iter().filter(|push| push.value == value).map(|push| push.push);
    let mut pv = Vec::new();
    let mut at = board;
    let most = value.plies().map_or(LINE, |plies| plies as usize);
    while pv.len() < most
        && table.geometry.end(at).is_none()
        && let Some(first) = table_pushes(table, at).first()
    {
        pv.push(first.push);
        at = first.after;
    }
    Report {
        value: exact(value),
        best: best.collect(),
        pv,
        moves: pushes
            .iter()
            .map(|push| RatedMove { mv: push.push, value: exact(push.value), round_value: None })
            .collect(),
        nodes: pushes.len() as u64,
        table_bytes: table.bytes(),
        ..Report::default()
    }
}

#[cfg(test)]
mod tests;
