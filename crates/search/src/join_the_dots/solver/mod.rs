//! The exact null-window search: whether the margin of the side to move reaches a given number.

use super::point_set::{Cycle, Join, PointSet};
use super::table::{JoinEntry, JoinTable, NO_HINT, hint};
use crate::bits::GOLDEN;
use crate::in_progress::InProgress;
use crate::window::{Window, for_variation};
use std::cmp::Reverse;

/// Positions searched between checks of the control.
const HALT_INTERVAL: u64 = 1 << 8;

/// Threads share the moves of positions with at least this many moves.
const SHARE: usize = 8;

/// The state shared by the threads of one search.
pub struct SharedJoinSearch<'a, A> {
    /// The packed set of points.
    pub point_set: &'a A,
    /// The table of positions on the points.
    pub table: JoinTable<'a>,
    in_progress: InProgress,
    /// Returns whether a thread that has searched this many positions must stop.
    halt: &'a (dyn Fn(u64) -> bool + Sync),
}

impl<'a, A: PointSet> SharedJoinSearch<'a, A> {
    /// Creates a search that uses and fills the table, which must not contain entries of other points. `halt` receives
    /// the number of positions that a thread has searched, and returns whether the thread must stop.
    pub fn new(
        point_set: &'a A,
        table: JoinTable<'a>,
        halt: &'a (dyn Fn(u64) -> bool + Sync),
    ) -> SharedJoinSearch<'a, A> {
        SharedJoinSearch { point_set, table, in_progress: InProgress::new(), halt }
    }
}

fn hash(key: u128) -> u64 {
    (key as u64 ^ (key >> 64) as u64).wrapping_mul(GOLDEN)
}

/// The proven bounds on the margin still to come in a state, for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JoinBounds {
    /// The lower bound on the margin.
    pub lower: i32,
    /// The upper bound on the margin.
    pub upper: i32,
    /// A move proven to reach at least `lower`; `None` if no such move is known, and in a state without moves.
    pub best: Option<u16>,
}

/// One thread of a search.
pub struct JoinSolver<'a, A: PointSet> {
    shared: &'a SharedJoinSearch<'a, A>,
    point_set: &'a A,
    table: JoinTable<'a>,
    /// The moves in all positions on the path from the root, one list after the other.
    cycles: Vec<Cycle>,
    joins: Vec<Join>,
    /// The number of positions searched so far.
    pub nodes: u64,
    most_nodes: u64,
    /// Whether the solver was told to stop. If so, its answers are meaningless.
    pub stopped: bool,
}

impl<'a, A: PointSet> JoinSolver<'a, A> {
    /// Creates one thread's part of a search.
    pub fn new(shared: &'a SharedJoinSearch<'a, A>) -> JoinSolver<'a, A> {
        JoinSolver {
            shared,
            point_set: shared.point_set,
            table: shared.table.clone(),
            cycles: Vec::new(),
            joins: Vec::new(),
            nodes: 0,
            most_nodes: u64::MAX,
            stopped: (shared.halt)(0),
        }
    }

    /// Proves the margin of a state, or the best bounds possible until it is stopped. A guess close to the margin makes
    /// the search faster. Calls `on_bound` after every new bound.
    pub fn solve(
        &mut self,
        state: &A::State,
        guess: i32,
        mut on_bound: impl FnMut(&Self, JoinBounds),
    ) -> JoinBounds {
        let left = self.point_set.left(state);
        let most = if left < 3 { 0 } else { left };
        let mut window = Window::new(-most, most, guess);
        let mut best = None;
        while window.is_open() && !self.stopped {
            let found = self.find(state, window.goal);
            if self.stopped {
                break;
            }
            (window, best) = (window.after(found.is_some()), found.or(best));
            on_bound(self, JoinBounds { lower: window.lower, upper: window.upper, best });
        }
        if best.is_none() && !window.is_open() {
            best = self.find(state, window.lower).filter(|_| !self.stopped);
        }
        JoinBounds { lower: window.lower, upper: window.upper, best }
    }

    /// Proves the margin of a move, for the side that plays it and including the points it gains. `None` if the search
    /// is stopped.
    pub fn prove_move(&mut self, state: &A::State, mv: u16, guess: i32) -> Option<i32> {
        let (next, gain) = self.point_set.play(state, mv);
        let proven = self.solve(&next, gain - guess, |_, _| ());
        (!self.stopped).then_some(gain - proven.lower)
    }

    /// Returns whether the margin of a move, as defined for [`prove_move`](JoinSolver::prove_move), is at least
    /// `margin`. `None` if the search is stopped.
    pub fn reaches(&mut self, state: &A::State, mv: u16, margin: i32) -> Option<bool> {
        let (next, gain) = self.point_set.play(state, mv);
        let reached = !self.is_at_least(&next, gain - margin + 1);
        (!self.stopped).then_some(reached)
    }

    /// Returns the principal variation, to the end of the game or as far as the table or a short search finds it. If
    /// the margin is not proven, returns only the best move.
    pub fn pv(&mut self, state: &A::State, proven: JoinBounds) -> Vec<u16> {
        let mut pv: Vec<u16> = proven.best.into_iter().collect();
        if proven.lower < proven.upper || pv.is_empty() {
            return pv;
        }
        self.most_nodes = self.nodes + for_variation(self.nodes);
        let (mut state, mut margin) = (state.clone(), proven.lower);
        let mut ply = 0;
        while let Some(&mv) = pv.get(ply) {
            let (next, gain) = self.point_set.play(&state, mv);
            (state, margin) = (next, gain - margin);
            if self.point_set.left(&state) >= 3 {
                let found = self.find(&state, margin);
                pv.extend(found.filter(|_| !self.stopped));
            }
            ply += 1;
        }
        self.most_nodes = u64::MAX;
        self.stopped &= (self.shared.halt)(self.nodes);
        pv
    }

    /// Returns whether the margin of the side to move is at least `goal`.
    fn is_at_least(&mut self, state: &A::State, goal: i32) -> bool {
        let left = self.point_set.left(state);
        if left < 3 {
            return goal <= 0;
        }
        if left == 3 {
            return goal <= last_three(self.point_set.lines_beside(state, 0));
        }
        if goal <= -left || goal > left {
            return goal <= -left;
        }
        self.nodes += 1;
        if self.nodes.is_multiple_of(HALT_INTERVAL)
            && (self.nodes >= self.most_nodes || (self.shared.halt)(self.nodes))
        {
            self.stopped = true;
        }
        if self.stopped {
            return false;
        }
        let (cycles, joins) = (self.cycles.len(), self.joins.len());
        self.point_set.cycles(state, &mut self.cycles);
        let reached = self.prune_known(state, goal, cycles).is_some() || {
            let known = self.known(state);
            known.lower >= goal
                || known.upper >= goal && self.try_all(state, goal, cycles, known).is_some()
        };
        self.cycles.truncate(cycles);
        self.joins.truncate(joins);
        reached
    }

    /// Returns a move that reaches `goal`, if any.
    fn find(&mut self, state: &A::State, goal: i32) -> Option<u16> {
        let (cycles, joins) = (self.cycles.len(), self.joins.len());
        self.point_set.cycles(state, &mut self.cycles);
        let found = self.prune_known(state, goal, cycles).or_else(|| {
            let known = self.known(state);
            self.try_all(state, goal, cycles, known)
        });
        self.cycles.truncate(cycles);
        self.joins.truncate(joins);
        found
    }

    /// Returns the table entry of a state.
    fn known(&self, state: &A::State) -> JoinEntry {
        let left = self.point_set.left(state);
        let known = self.table.entry(self.point_set.key(state));
        known.unwrap_or(JoinEntry { lower: -left, upper: left, hint: NO_HINT })
    }

    /// Drops the cycles from index `base` on that are known not to reach the goal. Returns a cycle that is known to
    /// reach the goal, if any.
    fn prune_known(&mut self, state: &A::State, goal: i32, base: usize) -> Option<u16> {
        let left = self.point_set.left(state);
        let mut kept = base;
        for at in base..self.cycles.len() {
            let cycle = self.cycles[at];
            let rest = left - cycle.size;
            let (least, most) = match rest {
                ..3 => (cycle.size, cycle.size),
                3 => {
                    let lines = self.point_set.lines_beside(state, cycle.points);
                    let margin = cycle.size - last_three(lines);
                    (margin, margin)
                }
                _ => (cycle.size - rest, left),
            };
            if least >= goal {
                return Some(cycle.mv);
            }
            if most >= goal {
                self.cycles[kept] = cycle;
                kept += 1;
            }
        }
        self.cycles.truncate(kept);
        kept = base;
        for at in base..self.cycles.len() {
            let cycle = self.cycles[at];
            let answer = cycle.size - goal + 1;
            let known = self.table.entry(self.point_set.key_closed(state, &cycle));
            if known.is_some_and(|known| known.upper < answer) {
                return Some(cycle.mv);
            }
            if known.is_none_or(|known| known.lower < answer) {
                self.cycles[kept] = cycle;
                kept += 1;
            }
        }
        self.cycles.truncate(kept);
        None
    }

    /// Returns a move that reaches the goal: a cycle from index `base` on, or a move that joins trees. Merges the
    /// result with the state's table entry.
    fn try_all(
        &mut self,
        state: &A::State,
        goal: i32,
        base: usize,
        known: JoinEntry,
    ) -> Option<u16> {
        let before = self.nodes;
        let found =
            self.try_cycles(state, goal, base).or_else(|| self.try_joins(state, goal, known.hint));
        if self.stopped {
            return None;
        }
        let entry = match found {
            Some(mv) => JoinEntry { lower: goal, hint: hint(mv), ..known },
            None => JoinEntry { upper: goal - 1, ..known },
        };
        self.table.store(self.point_set.key(state), entry, self.nodes - before + 1);
        found
    }

    /// Returns the first cycle from index `base` on that reaches the goal.
    fn try_cycles(&mut self, state: &A::State, goal: i32, base: usize) -> Option<u16> {
        self.cycles[base..].sort_by_key(|cycle| -cycle.size);
        for at in base..self.cycles.len() {
            let cycle = self.cycles[at];
            let next = self.point_set.close(state, &cycle);
            let answered = self.is_at_least(&next, cycle.size - goal + 1);
            if self.stopped {
                return None;
            }
            if !answered {
                return Some(cycle.mv);
            }
        }
        None
    }

    /// Returns the first move that joins trees and reaches the goal.
    fn try_joins(&mut self, state: &A::State, goal: i32, best: u8) -> Option<u16> {
        if self.stopped {
            return None;
        }
        let from = self.joins.len();
        self.point_set.joins(
            state,
            refuting_size(self.point_set.left(state), goal),
            &mut self.joins,
        );
        for join in &mut self.joins[from..] {
            if hint(join.mv) == best {
                join.priority = i32::MAX;
            }
        }
        self.joins[from..].sort_unstable_by_key(|join| (Reverse(join.priority), join.mv));
        // Moves that another thread is searching are postponed. The first move is never postponed: the others are only
        // worth searching after it has failed.
        let all = self.joins.len();
        let shares = all - from >= SHARE;
        let mut at = from;
        while let Some(&join) = self.joins.get(at) {
            let next = self.point_set.join(state, join.mv);
            let shared = (shares && at < all).then(|| hash(self.point_set.key(&next)));
            if let Some(hash) = shared {
                if at > from && self.shared.in_progress.contains(hash) {
                    self.joins.push(join);
                    at += 1;
                    continue;
                }
                self.shared.in_progress.begin(hash);
            }
            let answered = self.is_at_least(&next, 1 - goal);
            if let Some(hash) = shared {
                self.shared.in_progress.end(hash);
            }
            if self.stopped {
                return None;
            }
            if !answered {
                return Some(join.mv);
            }
            at += 1;
        }
        None
    }
}

/// Returns the margin of the side to move when three points are left: the side that draws the third line takes them.
fn last_three(lines: u32) -> i32 {
    if lines % 2 == 1 { -3 } else { 3 }
}

/// Returns the minimum size of an opponent's cycle, with `left` points left, that keeps the side to move from its goal
/// regardless of later play.
fn refuting_size(left: i32, goal: i32) -> i32 {
    // With a cycle of c of the n points, the opponent gets a margin of at least c - (n - c), or c if fewer than three
    // points remain. It needs a margin above the negated goal.
    let against_all = (left + 2 - goal).div_euclid(2);
    let at_the_end = (1 - goal).max(left - 2);
    against_all.min(at_the_end).max(3)
}

#[cfg(test)]
mod tests;
