//! Solves a position and writes the report of it: its value, the best moves, and a line of them.

use super::graph::{Graph, LineSet, SettledPosition, each};
use super::monitor::SolveMonitor;
use super::solver::{DotsSolver, SharedDotsSearch};
use super::window::{Window, between};
use crate::rules::dots_and_boxes::Line;
use crate::search::{Rated, Report, Scope, Value};

/// Searches the same moves as the first thread of a search, in the opposite order, so that the first thread finds
/// values in the table. Returns how many positions were searched.
pub fn help(shared: &SharedDotsSearch<'_>, open: LineSet, scope: Scope) -> u64 {
    let mut solver = DotsSolver::new(shared);
    let mut value = solver.any_value(open, 0);
    if scope == Scope::Moves {
        let mut lines: Vec<u32> = each(open).collect();
        while let (Some(guess), Some(line)) = (value, lines.pop()) {
            value = solver.line_value(open, line, guess);
        }
    }
    solver.nodes
}

/// Writes the report, in the first thread of a search.
pub struct ReportWriter<'a> {
    pub monitor: &'a SolveMonitor<'a>,
    pub report: &'a mut Report<Line>,
    /// Lines that are likely to be good, the best first.
    pub ranked: &'a [Line],
    pub graph: &'a Graph,
    /// By how many boxes the player to move leads.
    pub lead: i32,
    /// Whether the search has a deadline. Then it searches the root line by line, to have the best line so far when it is
    /// stopped. That takes a third more positions: the lines are searched in another order than in the rest of the
    /// tree, so fewer positions are found in the table.
    pub has_deadline: bool,
}

impl ReportWriter<'_> {
    /// Solves the position, and in [`Scope::Moves`] every move.
    pub fn find(
        &mut self,
        solver: &mut DotsSolver<'_>,
        open: LineSet,
        window: Window,
        scope: Scope,
    ) {
        let graph = self.graph;
        let games = self.report.nodes;
        let settled = graph.settle(open);
        let lines = self.order(open);
        let value = if self.has_deadline && settled.rest.open == open {
            self.narrow(solver, &settled, &lines, window)
        } else {
            solver.value(&settled.rest, window, |window| self.report_window(&settled, window))
        };
        self.report.nodes = games + solver.nodes;
        let Some(rest) = value else { return };
        let value = settled.value(rest);
        if let Some(best) = solver.best(open, value, lines.iter().copied()) {
            self.report.value = Value::exact(self.lead + value);
            self.report.depth = open.count_ones();
            self.report.best = vec![graph.lines[best as usize]];
            self.report.pv = vec![graph.lines[best as usize]];
            self.monitor.send_report(self.report);
            let closed = graph.closes(open, best);
            let next = if closed == 0 { -value } else { value - closed };
            let pv = solver.principal(open & !(1 << best), next);
            self.report.pv.extend(pv.into_iter().map(|line| graph.lines[line as usize]));
        }
        if scope == Scope::Moves {
            self.find_all(solver, open, value, &lines);
        }
        self.report.nodes = games + solver.nodes;
        self.monitor.send_report(self.report);
    }

    /// The same as [`DotsSolver::value`] for a position in which nothing can be taken, but line by line, so that there is
    /// always a best line so far: one that is proven to reach the proven lower bound, or while there is none, the line
    /// that was being searched.
    fn narrow(
        &mut self,
        solver: &mut DotsSolver<'_>,
        settled: &SettledPosition,
        lines: &[u32],
        mut window: Window,
    ) -> Option<i32> {
        let open = settled.rest.open;
        let mut proven = None;
        self.report_window(settled, window);
        while window.lower < window.upper {
            let goal = window.goal;
            let is_known = |line: &u32| solver.is_known_to_reach(open, *line, goal);
            let mut reached = lines.iter().copied().find(is_known);
            for &line in lines {
                if reached.is_some() {
                    break;
                }
                let reaches = solver.line_reaches(open, line, goal);
                if solver.stopped {
                    self.prefer(proven.unwrap_or(line));
                    return None;
                }
                reached = reaches.then_some(line);
            }
            window = window.after(reached.is_some());
            proven = reached.or(proven);
            if let Some(line) = proven {
                self.prefer(line);
            }
            self.report_window(settled, window);
        }
        Some(window.lower)
    }

    /// Makes a line the best of the report.
    fn prefer(&mut self, line: u32) {
        let line = self.graph.lines[line as usize];
        if self.report.best.first() != Some(&line) {
            self.report.best = vec![line];
            self.report.pv = vec![line];
        }
    }

    /// Reports the bounds of the position, from the window of what remains once the boxes on offer are taken.
    fn report_window(&mut self, settled: &SettledPosition, window: Window) {
        self.monitor.set_window(window);
        let left = settled.rest.left;
        let says_something = window.lower > -left || window.upper < left;
        let (lower, upper) = between(settled, window.lower, window.upper);
        if says_something && lower < upper {
            let estimate = self.report.value.estimate;
            let bounds = Value::between(self.lead + lower, self.lead + upper);
            self.report.value = Value { estimate, ..bounds };
            self.monitor.send_report(self.report);
        }
    }

    /// The undrawn lines, with those that are likely to be best first.
    fn order(&self, open: LineSet) -> Vec<u32> {
        let graph = self.graph;
        let mut lines: Vec<u32> = each(open).collect();
        let rank = |line: u32| {
            let line = graph.lines[line as usize];
            let best = self.report.best.contains(&line);
            let place = self.ranked.iter().position(|&known| known == line);
            let takes = graph.closes(open, graph.bit(line).unwrap_or_default()) > 0;
            (!best, !takes, place.unwrap_or(usize::MAX))
        };
        lines.sort_by_cached_key(|&line| rank(line));
        lines
    }

    fn find_all(&mut self, solver: &mut DotsSolver<'_>, open: LineSet, value: i32, lines: &[u32]) {
        let graph = self.graph;
        let mut guess = value;
        for &line in lines {
            let Some(worth) = solver.line_value(open, line, guess) else { return };
            guess = worth;
            let mv = graph.lines[line as usize];
            let rated = Rated { mv, value: Value::exact(self.lead + worth), round_value: None };
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

/// Puts moves in order, the best first.
pub fn sort(moves: &mut [Rated<Line>]) {
    let worth = |rated: &Rated<Line>| rated.value.likely().unwrap_or(f32::MIN);
    moves.sort_by(|a, b| worth(b).total_cmp(&worth(a)).then(a.mv.cmp(&b.mv)));
}
