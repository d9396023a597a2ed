//! The engine of Dots and Boxes.
//!
//! Positions with few enough lines are solved exactly (`solver`). Larger positions are estimated by a Monte Carlo tree
//! search that understands chains (`monte_carlo`).
//!
//! The solver identifies a position by its connected parts (`parts`), and each part by its shape, regardless of where
//! the part lies (`signature`, `shape`). Lines are numbered in search order (`graph::order`), from the middle of the
//! longer side outwards, so that the board soon splits into parts. The replacement policy of a full `table` determines
//! how long a large solve takes.
//!
//! For 4 × 4 boxes there is an opening `book`, a text file in `assets/books` of positions solved beforehand. A new
//! table is filled from the book, so the search needs no other access to it. Matches and `quadrille engine` use the
//! book; `quadrille solve` does not, so its proofs rest on the search alone ([`Limits::book`](crate::Limits::book)). An
//! ignored test solves the book's positions again.
//!
//! The threads of the search report progress (`monitor`).

mod book;
pub mod chains;
mod graph;
mod layout;
pub(crate) mod levels;
mod monitor;
mod monte_carlo;
mod parts;
mod report_writer;
mod shape;
mod signature;
mod simple;
mod small_table;
mod solver;
mod table;
mod why;

pub use why::DotsAndBoxesReason;

use super::census::{Cell, Cells, Symmetry};
use super::helpers::with_helpers;
use super::shared_table::TableMemory;
use super::table_slot::TableSlot;
use super::window::Window;
use super::{
    Control, Engine, Horizon, Level, Limits, RatedMove, Reason, Report, Scope, StopReason, Value,
    memory,
};
use graph::{Graph, LineSet, each};
use layout::{BoardLayout, Marks, Turn};
use monitor::SolveMonitor;
use monte_carlo::ChainTree;
use quadrille_rules::dots_and_boxes::{DotsAndBoxes, Line};
use quadrille_rules::{Position, Seat};
use report_writer::{ReportWriter, help, sort};
use solver::{DotsSolver, SharedDotsSearch};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;
use table::DotsTable;

/// The maximum time spent on estimating a hard position before solving it.
const ESTIMATE_TIME: Duration = Duration::from_millis(300);
/// The maximum number of random games in that time. A position that is solved soon gets an eighth of the time and of
/// the games.
const ESTIMATE_GAMES: u64 = 1 << 12;
/// The excess [`difficulty`], over the difficulty that can be solved in time, above which a position is estimated for
/// most of the time.
const OUT_OF_REACH: u32 = 8;
/// The excess [`difficulty`] above which the estimate takes all of its time, regardless of the number of games, because
/// the choice may rest on it. More time would not help: in 20 positions of 4 × 4 boxes with five lines, two seconds of
/// games chose no better than half a second, which was hardly better than chance. The search that follows proves a
/// line, or fills the table for later moves.
const OUT_OF_TIME: u32 = 3;
/// The maximum number of random games in an estimate without other limits.
const GAMES: u64 = 1 << 20;

/// The engine of Dots and Boxes. Its table persists between positions on the same board.
#[derive(Default)]
pub struct DotsAndBoxesEngine {
    kept: TableSlot<BoardTable>,
}

impl DotsAndBoxesEngine {
    /// Returns the stored table if it can be used for this position; otherwise creates a new one.
    fn table(
        &mut self,
        position: &DotsAndBoxes,
        limits: &Limits,
    ) -> Result<&mut BoardTable, StopReason> {
        let is_useful = |board: &BoardTable| board.graph.holds(position);
        self.kept.get_or_rebuild(limits.memory, is_useful, |memory| {
            let mut board = BoardTable::new(position, memory)?;
            if limits.book {
                book::put_into(&mut board.memory.table(), &board.graph);
            }
            Ok(board)
        })
    }
}

/// The graph of a board and its transposition table.
struct BoardTable {
    graph: Graph,
    memory: TableMemory,
}

impl BoardTable {
    /// Creates the graph of a position's board and an empty table, if the board has few enough lines for a graph.
    fn new(position: &DotsAndBoxes, budget: usize) -> Result<BoardTable, StopReason> {
        let graph = Graph::new(position).ok_or(StopReason::MemoryLimit)?;
        let memory = table::memory(graph.lines.len() as u32, budget)?;
        Ok(BoardTable { graph, memory })
    }
}

impl Engine for DotsAndBoxesEngine {
    type Game = DotsAndBoxes;

    fn horizon(position: &DotsAndBoxes, time: Duration) -> Horizon {
        // Ordinary machines have at least two cores, which halves the time.
        let most = solved_within(time) + 1;
        if difficulty_in_a_match(position) <= most { Horizon::Solved } else { Horizon::Lines(most) }
    }

    fn analyse(
        &mut self,
        position: &DotsAndBoxes,
        scope: Scope,
        control: &Control<'_, Line>,
    ) -> Report<Line> {
        let control = &control.without_depth();
        let mut search = DotsAnalysis::new(position, scope, control);
        let board = match self.table(position, &control.limits) {
            Ok(board) => board,
            Err(halt) => {
                // A search without a deadline was asked for a proof. If it cannot allocate memory, many random games do
                // not help.
                let is_short = halt == StopReason::OutOfMemory && control.limits.deadline.is_none();
                search.estimate(control, if is_short { ESTIMATE_GAMES } else { GAMES });
                search.report.halt = Some(control.halt().unwrap_or(halt));
                return search.report;
            }
        };
        let solved = control.time_left().map(solved_within);
        if solved.is_some_and(|solved| search.difficulty > solved + OUT_OF_REACH) {
            search.estimate(control, GAMES);
        } else if solved.is_some_and(|solved| search.difficulty > solved + OUT_OF_TIME) {
            search.estimate(&control.share(0.3, ESTIMATE_TIME), GAMES);
        } else {
            let soon = search.difficulty <= solved_within(ESTIMATE_TIME);
            let part = if soon { 8 } else { 1 };
            search.estimate(
                &control.share(0.5, ESTIMATE_TIME / part),
                ESTIMATE_GAMES / u64::from(part),
            );
        }
        search.solve(board);
        search.report
    }

    /// Solves every opponent move, so that the table contains each position that the engine may be asked about next.
    fn ponder(&mut self, position: &DotsAndBoxes, control: &Control<'_, Line>) {
        let control = &control.without_depth();
        let mut search = DotsAnalysis::new(position, Scope::Moves, control);
        if let Ok(board) = self.table(position, &control.limits) {
            search.estimate(&control.share(0.5, ESTIMATE_TIME), ESTIMATE_GAMES);
            search.solve(board);
        }
    }

    fn play_as(
        &mut self,
        position: &DotsAndBoxes,
        level: Level,
        control: &Control<'_, Line>,
    ) -> Report<Line> {
        levels::play_as(position, level, control.limits.seed)
    }

    /// The board is its drawn lines. The owners of the boxes only matter for the scores.
    fn symmetry(start: &DotsAndBoxes) -> Box<dyn Symmetry<DotsAndBoxes>> {
        Box::new(cells(start))
    }

    fn why(position: &DotsAndBoxes, line: Line) -> Option<Reason> {
        why::why(position, line).map(Reason::DotsAndBoxes)
    }
}

/// Represents the lines of a board, in the order of [`DotsAndBoxes::lines`], as cells that are drawn or undrawn.
fn cells(board: &DotsAndBoxes) -> Cells<impl FnMut(&DotsAndBoxes, &mut Vec<u8>) + use<>> {
    let lines: Vec<Line> = board.lines().collect();
    let cell = |line: &Line| match *line {
        Line::Horizontal { row, col } => Cell::between([row, col], [row, col + 1]),
        Line::Vertical { row, col } => Cell::between([row, col], [row + 1, col]),
    };
    let places: Vec<Cell> = lines.iter().map(cell).collect();
    let read = move |position: &DotsAndBoxes, out: &mut Vec<u8>| {
        out.extend(lines.iter().map(|&line| u8::from(position.is_drawn(line))));
    };
    Cells::new([board.rows(), board.cols()], &places, 2, read)
}

/// Returns the difficulty of solving a position: half the sum of its undrawn lines and its safe lines, because the
/// lines of a chain together are only one move.
fn difficulty(layout: &BoardLayout, marks: &Marks) -> u32 {
    let undrawn = layout.undrawn(marks);
    let lines: u32 = undrawn.map(|line| 1 + u32::from(layout.is_safe(marks, line))).sum();
    lines.div_ceil(2)
}

/// Returns the difficulty of the hardest later position that a match has to wait for. Each symmetry of a position
/// halves the search space, and moves in the opening book take no time. Empty boards of 3 × 4, 2 × 7, 3 × 5 and 4 × 4
/// boxes therefore count as 29, 35, 36 and 36; on two cores they take 0.1 s, 1 s, 12 s and 1 to 8 s (4 × 4 with the
/// book, once the opponent leaves it).
fn difficulty_in_a_match(position: &DotsAndBoxes) -> u32 {
    let layout = BoardLayout::new(position);
    let difficulty = difficulty(&layout, &layout.marks(position));
    let drawn = position.lines().filter(|&line| position.is_drawn(line)).count() as u32;
    if book::has_board(position) && drawn <= book::LINES {
        // The first positions after the book have no symmetry.
        return difficulty - (book::LINES + 1 - drawn);
    }
    let symmetries = 1 + cells(position).symmetries_of(position).count();
    difficulty.saturating_sub(symmetries.ilog2())
}

/// Returns the greatest [`difficulty`] of a position without symmetries that one thread solves in this time. On 4 × 4
/// boxes, difficulty 36 takes 2 to 16 s, 34 takes 1 to 12 s, 32 takes 0.2 to 0.9 s and 30 takes 0.1 to 0.3 s. Each line
/// roughly doubles the time.
fn solved_within(time: Duration) -> u32 {
    let seconds = time.as_secs_f64().max(0.001);
    (32.0 + seconds.log2()).max(0.0) as u32
}

/// Returns the number of boxes by which a seat leads.
fn lead(position: &DotsAndBoxes, seat: Seat) -> i32 {
    let [first, second] = position.score().map(|score| score as i32);
    if seat == Seat::FIRST { first - second } else { second - first }
}

/// The analysis of one position.
struct DotsAnalysis<'a> {
    position: &'a DotsAndBoxes,
    scope: Scope,
    control: &'a Control<'a, Line>,
    report: Report<Line>,
    /// The current lead of the seat to move.
    lead: i32,
    /// The number of undrawn lines after the boxes on offer are taken.
    lines: u32,
    /// The difficulty of the position after the boxes on offer are taken.
    difficulty: u32,
    /// The moves in the tree of random games, most promising first.
    ranked: Vec<Line>,
    layout: BoardLayout,
    /// For each line, the first line in its orbit under the symmetries of the position.
    orbits: Vec<u16>,
}

impl<'a> DotsAnalysis<'a> {
    fn new(
        position: &'a DotsAndBoxes,
        scope: Scope,
        control: &'a Control<'a, Line>,
    ) -> DotsAnalysis<'a> {
        let lead = position.to_move().map_or(0, |seat| lead(position, seat));
        let layout = BoardLayout::new(position);
        let mut marks = layout.marks(position);
        layout.settle(&mut marks);
        let lines = layout.undrawn(&marks).count() as u32;
        let difficulty = difficulty(&layout, &marks);
        DotsAnalysis {
            position,
            scope,
            control,
            report: Report::default(),
            lead,
            lines,
            difficulty,
            ranked: Vec::new(),
            layout,
            orbits: cells(position).orbits(position),
        }
    }

    /// Estimates the position by at most `games` random games, or until `control` stops the estimate.
    fn estimate(&mut self, control: &Control<'_, Line>, games: u64) {
        let marks = self.layout.marks(self.position);
        let mut rest = marks.clone();
        let (taken, kept) = self.layout.settle(&mut rest);
        let mut tree =
            ChainTree::new(&self.layout, rest, control.limits.memory / 2, control.limits.seed);
        let mut next = 64;
        loop {
            if self.lines > 0 {
                tree.grow();
            }
            let over =
                self.lines == 0 || tree.games >= games || control.halt_at(tree.games).is_some();
            if over || tree.games == next {
                next *= 2;
                self.report = self.estimate_report(&tree, taken, kept);
                self.control.send_report(&self.report);
            }
            if over {
                let line = |(index, ..): &(u16, f32, u32)| self.layout.lines[*index as usize];
                self.ranked = tree.ranked().iter().map(line).collect();
                return;
            }
        }
    }

    /// Builds the report from the tree, whose root is the position after the boxes on offer are taken: first `taken`
    /// without a choice, then `kept`.
    fn estimate_report(&self, tree: &ChainTree<'_>, taken: i32, kept: i32) -> Report<Line> {
        let marks = self.layout.marks(self.position);
        let rest = tree.value();
        let value =
            if kept == 0 { taken as f32 + rest } else { taken as f32 + (kept as f32 + rest).abs() };
        let line = |index: u16| self.layout.lines[index as usize];
        let best = match self.layout.turn(&marks) {
            Turn::Take(index) => vec![line(index)],
            Turn::Choose { take, leave, boxes } => {
                vec![line(if boxes as f32 + rest >= 0.0 { take } else { leave })]
            }
            Turn::Free => {
                tree.ranked().first().map(|&(index, ..)| line(index)).into_iter().collect()
            }
        };
        let mut report = Report {
            value: Value::estimate(self.lead as f32 + value),
            pv: best.clone(),
            best,
            nodes: tree.games,
            ..Report::default()
        };
        if self.scope == Scope::Moves {
            report.moves = self.estimates(tree, value, &report.best);
        }
        report
    }

    /// Estimates every legal move. Moves that are equal by symmetry share the estimate of the most visited one. No
    /// estimate is above that of the best moves, because less-visited moves are less certain.
    fn estimates(&self, tree: &ChainTree<'_>, value: f32, best: &[Line]) -> Vec<RatedMove<Line>> {
        let marks = self.layout.marks(self.position);
        let ranked = tree.ranked();
        let free = self.layout.turn(&marks) == Turn::Free;
        let orbit = |line: u16| self.orbits[line as usize];
        let best: Vec<u16> =
            best.iter().filter_map(|&line| self.layout.index(line)).map(orbit).collect();
        let mut moves: Vec<RatedMove<Line>> = Vec::new();
        for index in self.layout.undrawn(&marks) {
            let mv = self.layout.lines[index as usize];
            let known = ranked.iter().find(|known| orbit(known.0) == orbit(index) && free);
            let worth = if best.contains(&orbit(index)) {
                value
            } else if let Some(&(_, worth, _)) = known {
                worth.min(value)
            } else {
                // The line belongs to a chain in the tree, or leaves boxes to the opponent.
                let mut next = marks.clone();
                let closed = self.layout.draw(&mut next, index);
                let (taken, kept) = self.layout.settle(&mut next);
                let all = (taken + kept) as f32;
                if closed > 0 { value.min(closed as f32 + all) } else { value.min(-all) }
            };
            moves.push(RatedMove {
                mv,
                value: Value::estimate(self.lead as f32 + worth),
                round_value: None,
            });
        }
        sort(&mut moves);
        moves
    }

    /// Solves the position and, in [`Scope::Moves`], every move.
    fn solve(&mut self, board: &mut BoardTable) {
        let done = AtomicBool::new(false);
        let games = self.report.nodes;
        let graph = &board.graph;
        let table: DotsTable<'_> = board.memory.table();
        let undrawn = graph.undrawn(self.position);
        let settled = graph.settle(undrawn);
        let guess = self.report.value.estimate.unwrap_or_default() as i32 - self.lead;
        let window = Window::of_parity(settled.rest.left, guess - settled.taken - settled.kept);
        let rest = settled.rest;
        let known = table.entry(graph.signature(rest.undrawn), rest.left);
        let window = known.map_or(window, |known| window.within(known.lower, known.upper));
        let monitor =
            SolveMonitor::new(self.control, graph, table.clone(), undrawn, window, &self.report);
        let halt = |nodes| {
            let is_over = || done.load(Relaxed) || self.control.halt_at(games + nodes).is_some();
            is_over() || {
                monitor.poll(1024);
                false
            }
        };
        let shared = SharedDotsSearch::new(graph, table, &halt);
        let helpers = memory::threads(self.control.limits.threads.saturating_sub(1));
        let control = self.control;
        // A table entry for the position itself would end any other search at once, without a move.
        let is_known = known.is_some_and(|known| known.lower == known.upper);
        let by_line = (control.limits.deadline.is_some() || is_known) && rest.undrawn == undrawn;
        let lines = self.order(graph, undrawn);
        let (scope, report) = (self.scope, &mut self.report);
        report.table_bytes = shared.table.bytes();
        let (lead, monitor, lines) = (self.lead, &monitor, &lines);
        let mut writer = ReportWriter { monitor, report, lines, graph, lead, by_line };
        let find = || writer.find(&mut DotsSolver::new(&shared), undrawn, window, scope);
        let help = || help(&shared, undrawn, window, by_line.then_some(lines), scope);
        let ((), nodes) = with_helpers(helpers, &done, help, find);
        self.report.table_bytes = board.memory.bytes();
        self.report.nodes += nodes.iter().sum::<u64>();
        self.report.halt =
            if self.is_answered() { None } else { control.halt_at(self.report.nodes) };
    }

    /// Returns the undrawn lines, most promising first.
    fn order(&self, graph: &Graph, undrawn: LineSet) -> Vec<u32> {
        let mut lines: Vec<u32> = each(undrawn).collect();
        let rank = |line: u32| {
            let line = graph.lines[line as usize];
            let best = self.report.best.contains(&line);
            let place = self.ranked.iter().position(|&known| known == line);
            let takes = graph.closes(undrawn, graph.bit(line).unwrap_or_default()) > 0;
            (!best, !takes, place.unwrap_or(usize::MAX))
        };
        lines.sort_by_cached_key(|&line| rank(line));
        lines
    }

    fn is_answered(&self) -> bool {
        let all = self.report.moves.iter().all(|rated| rated.value.proven().is_some());
        self.report.value.proven().is_some() && !self.report.best.is_empty() && all
    }
}

#[cfg(test)]
mod tests;
