//! Solves a position and writes its report: the value, the best moves and the principal variation.

use super::graph::{Graph, LineSet, SettledPosition, each};
use super::monitor::SolveMonitor;
use super::solver::{DotsSolver, SharedDotsSearch};
use crate::window::Window;
use crate::{RatedMove, Report, Scope, Value};
use quadrille_rules::dots_and_boxes::Line;

/// Searches the same moves as the first thread, to store values in the shared table. If the first thread searches line
/// by line (`by_line`), helpers search the same lines in the same order and share the work on each line; otherwise they
/// search all moves in the opposite order. Returns the number of positions searched.
pub fn help(
    shared: &SharedDotsSearch<'_>,
    undrawn: LineSet,
    window: Window,
    by_line: Option<&[u32]>,
    scope: Scope,
) -> u64 {
    let mut solver = DotsSolver::new(shared);
    let mut value = match by_line {
        Some(lines) => {
            narrow(&mut solver, undrawn, lines, window, |_, _| ()).map(|window| window.lower)
        }
        None => solver.any_value(undrawn, 0),
    };
    if scope == Scope::Moves {
        let mut lines: Vec<u32> = each(undrawn).collect();
        while let (Some(guess), Some(line)) = (value, lines.pop()) {
            value = solver.line_value(undrawn, line, guess);
        }
    }
    solver.nodes
}

/// Like [`DotsSolver::value`], but searches line by line in this order, for a position in which nothing can be taken.
/// `tell` is called before each step and at the end, with the window and the best line so far: a line proven to reach
/// the proven lower bound, or, if there is none, the line that was being searched. `None` if the search was stopped.
fn narrow(
    solver: &mut DotsSolver<'_>,
    undrawn: LineSet,
    lines: &[u32],
    mut window: Window,
    mut tell: impl FnMut(Window, Option<u32>),
) -> Option<Window> {
    let mut proven = None;
    tell(window, None);
    while window.is_open() {
        let goal = window.goal;
        let is_known = |line: &u32| solver.is_known_to_reach(undrawn, *line, goal);
        let mut reached = lines.iter().copied().find(is_known);
        for &line in lines {
            if reached.is_some() {
                break;
            }
            let reaches = solver.line_reaches(undrawn, line, goal);
            if solver.stopped {
                tell(window, proven.or(Some(line)));
                return None;
            }
            reached = reaches.then_some(line);
        }
        window = window.after(reached.is_some());
        proven = reached.or(proven);
        tell(window, proven);
    }
    Some(window)
}

/// Writes the report, in the first thread of a search.
pub struct ReportWriter<'a> {
    pub monitor: &'a SolveMonitor<'a>,
    pub report: &'a mut Report<Line>,
    /// The undrawn lines, most promising first.
    pub lines: &'a [u32],
    pub graph: &'a Graph,
    /// The number of boxes by which the player to move leads.
    pub lead: i32,
    /// Whether to search the root line by line, so that a best line is available when a deadline stops the search. Only
    /// for a position in which nothing can be taken. It takes a third more positions, because the root searches lines
    /// in a different order from the rest of the tree, which reduces table hits.
    pub by_line: bool,
}

impl ReportWriter<'_> {
    /// Solves the position and, in [`Scope::Moves`], every move.
    pub fn find(
        &mut self,
        solver: &mut DotsSolver<'_>,
        undrawn: LineSet,
        window: Window,
        scope: Scope,
    ) {
        let graph = self.graph;
        let games = self.report.nodes;
        let settled = graph.settle(undrawn);
        let lines = self.lines;
        let value = if self.by_line {
            let tell = |window, line: Option<u32>| {
                if let Some(line) = line {
                    self.prefer(line);
                }
                self.report_window(&settled, window);
            };
            narrow(solver, undrawn, lines, window, tell).map(|window| window.lower)
        } else {
            solver.value(&settled.rest, window, |window| self.report_window(&settled, window))
        };
        self.report.nodes = games + solver.nodes;
        let Some(rest) = value else { return };
        let value = settled.value(rest);
        if let Some(best) = solver.best(undrawn, value, lines.iter().copied()) {
            self.report.value = Value::exact(self.lead + value);
            self.report.depth = undrawn.count_ones();
            self.report.best = vec![graph.lines[best as usize]];
            self.report.pv = vec![graph.lines[best as usize]];
            self.monitor.send_report(self.report);
            let closed = graph.closes(undrawn, best);
            let next = if closed == 0 { -value } else { value - closed };
            let pv = solver.pv(undrawn & !(1 << best), next);
            self.report.pv.extend(pv.into_iter().map(|line| graph.lines[line as usize]));
        }
        if scope == Scope::Moves {
            self.find_all(solver, undrawn, value, lines);
        }
        self.report.nodes = games + solver.nodes;
        self.monitor.send_report(self.report);
    }

    /// Makes a line the best move of the report.
    fn prefer(&mut self, line: u32) {
        let line = self.graph.lines[line as usize];
        if self.report.best.first() != Some(&line) {
            self.report.best = vec![line];
            self.report.pv = vec![line];
        }
    }

    /// Reports the bounds of the position, given the window of the rest after the boxes on offer are taken.
    fn report_window(&mut self, settled: &SettledPosition, window: Window) {
        self.monitor.set_window(window);
        let left = settled.rest.left;
        let says_something = window.lower > -left || window.upper < left;
        let (lower, upper) = settled.between(window.lower, window.upper);
        if says_something && lower < upper {
            let estimate = self.report.value.estimate;
            let bounds = Value::between(self.lead + lower, self.lead + upper);
            self.report.value = Value { estimate, ..bounds };
            self.monitor.send_report(self.report);
        }
    }

    fn find_all(
        &mut self,
        solver: &mut DotsSolver<'_>,
        undrawn: LineSet,
        value: i32,
        lines: &[u32],
    ) {
        let graph = self.graph;
        let mut guess = value;
        for &line in lines {
            let Some(worth) = solver.line_value(undrawn, line, guess) else { return };
            guess = worth;
            let mv = graph.lines[line as usize];
            let rated = RatedMove { mv, value: Value::exact(self.lead + worth), round_value: None };
            self.report.moves.retain(|known| known.mv != mv);
            self.report.moves.push(rated);
            sort(&mut self.report.moves);
            if worth == value && !self.report.best.contains(&mv) {
                self.report.best.push(mv);
            }
            self.report.nodes += 1;
            self.monitor.send_report(self.report);
        }
    }
}

/// Sorts moves, best first.
pub fn sort(moves: &mut [RatedMove<Line>]) {
    let worth = |rated: &RatedMove<Line>| rated.value.point_estimate().unwrap_or(f32::MIN);
    moves.sort_by(|a, b| worth(b).total_cmp(&worth(a)).then(a.mv.cmp(&b.mv)));
}
