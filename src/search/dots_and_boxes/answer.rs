//! What is told of a position that is solved: its value, the best moves, and a line of them.

use super::graph::{Graph, Lines, each};
use super::solver::{Shared, Solver, Window, between};
use super::watch::Watch;
use crate::rules::dots_and_boxes::Line;
use crate::search::{Rated, Report, Scope, Value};

/// Searches what the first thread of a search does, from the other end, so that the first finds it
/// in the table. Says how many positions it has looked at.
pub fn help(shared: &Shared<'_>, open: Lines, scope: Scope) -> u64 {
    let mut solver = Solver::new(shared);
    let mut value = solver.any_value(open, 0);
    if scope == Scope::Moves {
        let mut lines: Vec<u32> = each(open).collect();
        while let (Some(guess), Some(line)) = (value, lines.pop()) {
            value = solver.line_value(open, line, guess);
        }
    }
    solver.nodes
}

/// What the first thread of a search writes.
pub struct Answer<'a> {
    pub watch: &'a Watch<'a>,
    pub report: &'a mut Report<Line>,
    pub graph: &'a Graph,
    /// By how many boxes whoever is to move leads.
    pub lead: i32,
}

impl Answer<'_> {
    /// Solves the position, and in the larger scope every move.
    pub fn find(&mut self, solver: &mut Solver<'_>, open: Lines, window: Window, scope: Scope) {
        let graph = self.graph;
        let games = self.report.nodes;
        let offer = graph.settle(open);
        let estimate = self.report.value.estimate;
        let (lead, report, watch) = (self.lead, &mut *self.report, self.watch);
        let left = offer.rest.left;
        let value = solver.value(&offer.rest, window, |window| {
            watch.set_window(window);
            let says_something = window.lower > -left || window.upper < left;
            let (lower, upper) = between(&offer, window.lower, window.upper);
            if says_something && lower < upper {
                report.value = Value { estimate, ..Value::between(lead + lower, lead + upper) };
                watch.tell(report);
            }
        });
        self.report.nodes = games + solver.nodes;
        let Some(rest) = value else { return };
        let value = offer.value(rest);
        let lines = self.order(open);
        if let Some(best) = solver.best(open, value, lines.iter().copied()) {
            self.report.value = Value::exact(self.lead + value);
            self.report.depth = open.count_ones();
            self.report.best = vec![graph.lines[best as usize]];
            self.report.pv = vec![graph.lines[best as usize]];
            self.watch.tell(self.report);
            let closed = graph.closes(open, best);
            let next = if closed == 0 { -value } else { value - closed };
            let pv = solver.principal(open & !(1 << best), next);
            self.report.pv.extend(pv.into_iter().map(|line| graph.lines[line as usize]));
        }
        if scope == Scope::Moves {
            self.find_all(solver, open, value, &lines);
        }
        self.report.nodes = games + solver.nodes;
        self.watch.tell(self.report);
    }

    /// The legal lines, those first that are likely to be best.
    fn order(&self, open: Lines) -> Vec<u32> {
        let graph = self.graph;
        let mut lines: Vec<u32> = each(open).collect();
        let rank = |line: u32| {
            let line = graph.lines[line as usize];
            let best = self.report.best.contains(&line);
            let place = self.report.moves.iter().position(|rated| rated.mv == line);
            let takes = graph.closes(open, graph.bit(line).unwrap_or_default()) > 0;
            (!best, !takes, place)
        };
        lines.sort_by_cached_key(|&line| rank(line));
        lines
    }

    fn find_all(&mut self, solver: &mut Solver<'_>, open: Lines, value: i32, lines: &[u32]) {
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
            self.watch.tell(self.report);
        }
    }
}

/// Puts moves in order, the best first.
pub fn sort(moves: &mut [Rated<Line>]) {
    let worth = |rated: &Rated<Line>| rated.value.likely().unwrap_or(f32::MIN);
    moves.sort_by(|a, b| worth(b).total_cmp(&worth(a)).then(a.mv.cmp(&b.mv)));
}
