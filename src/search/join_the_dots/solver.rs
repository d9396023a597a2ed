//! The exact search: whether the margin of the side to move reaches a number.

use super::arena::{Arena, Cycle, Join};
use super::table::{Entry, NO_HINT, Table, hint};
use std::cmp::Reverse;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// How many positions are searched from one look at the control to the next; a power of two.
const PATIENCE: u64 = 1 << 8;

/// For a variation so many positions are searched at most, or where that is more, a part of those that were
/// searched before it.
const VARIATION: (u64, u64) = (1 << 16, 16);

/// Threads share the moves of positions with so many of them.
const SHARE: usize = 8;

/// The logarithm of how many positions can be known to be searched by some thread.
const BUSY: u32 = 12;

/// Its multiples have their upper bits well mixed.
const SCRAMBLE: u64 = 0x9e37_79b9_7f4a_7c15;

/// What the threads of one search share.
pub struct Shared<'a, A> {
    /// The points.
    pub arena: &'a A,
    /// What is known of positions on them.
    pub table: Table<'a>,
    /// Positions that some thread is searching, as far as they find a place here. A thread turns to other
    /// moves first then (after Jean-Christophe Weill, *The ABDADA Distributed Minimax Search Algorithm*,
    /// 1996).
    busy: Vec<AtomicU64>,
    /// Whether it is over after so many positions.
    halt: &'a (dyn Fn(u64) -> bool + Sync),
}

impl<'a, A: Arena> Shared<'a, A> {
    /// A search that uses and fills the table, which must hold nothing of other points, and ends when `halt`
    /// says so of the number of positions a thread has searched.
    pub fn new(
        arena: &'a A,
        table: Table<'a>,
        halt: &'a (dyn Fn(u64) -> bool + Sync),
    ) -> Shared<'a, A> {
        let busy = (0..1 << BUSY).map(|_| AtomicU64::new(0)).collect();
        Shared { arena, table, busy, halt }
    }

    /// Where a position is noted while it is searched, and by what.
    fn busy(&self, key: u128) -> (&AtomicU64, u64) {
        let name = (key as u64 ^ (key >> 64) as u64).wrapping_mul(SCRAMBLE);
        (&self.busy[(name >> (64 - BUSY)) as usize], name)
    }
}

/// What is proven of the margin to come in a state, for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Proven {
    /// It is no less.
    pub lower: i32,
    /// It is no more.
    pub upper: i32,
    /// A move proven to reach at least `lower`; none before one is proven, and in a state without moves.
    pub best: Option<u16>,
}

/// One thread of a search. It proves bounds one null window after the other, each of which asks whether the
/// margin reaches a number, and begins where the last one led: Plaat, Schaeffer, Pijls and de Bruin,
/// *Best-first fixed-depth minimax algorithms*, 1996 (MTD-f).
pub struct Solver<'a, A: Arena> {
    shared: &'a Shared<'a, A>,
    arena: &'a A,
    table: Table<'a>,
    /// The moves of all positions on the way from the root, one after the other.
    cycles: Vec<Cycle>,
    joins: Vec<Join>,
    /// How many positions were searched so far.
    pub nodes: u64,
    most_nodes: u64,
    /// Whether it was told to stop. What it answers then means nothing.
    pub stopped: bool,
}

impl<'a, A: Arena> Solver<'a, A> {
    /// A thread of a search.
    pub fn new(shared: &'a Shared<'a, A>) -> Solver<'a, A> {
        Solver {
            shared,
            arena: shared.arena,
            table: shared.table.clone(),
            cycles: Vec::new(),
            joins: Vec::new(),
            nodes: 0,
            most_nodes: u64::MAX,
            stopped: (shared.halt)(0),
        }
    }

    /// Proves the margin of a state, or what it can until it is stopped. Every new bound is told, with the
    /// search, to ask it for numbers. The nearer the guess, the faster.
    pub fn solve(
        &mut self,
        state: &A::State,
        guess: i32,
        mut tell: impl FnMut(&Self, Proven),
    ) -> Proven {
        let left = self.arena.left(state);
        let most = if left < 3 { 0 } else { left };
        let mut proven = Proven { lower: -most, upper: most, best: None };
        let mut goal = guess;
        while proven.lower < proven.upper && !self.stopped {
            goal = goal.clamp(proven.lower + 1, proven.upper);
            let found = self.find(state, goal);
            if self.stopped {
                break;
            }
            if found.is_some() {
                (proven.lower, proven.best) = (goal, found);
                goal += 1;
            } else {
                proven.upper = goal - 1;
                goal -= 1;
            }
            tell(self, proven);
        }
        if proven.best.is_none() && proven.lower == proven.upper {
            proven.best = self.find(state, proven.lower).filter(|_| !self.stopped);
        }
        proven
    }

    /// Proves the margin after a move, for the side that plays it and with what it gains by it; `None` when
    /// it was stopped.
    pub fn rate(&mut self, state: &A::State, mv: u16, guess: i32) -> Option<i32> {
        let (next, gain) = self.arena.play(state, mv);
        let proven = self.solve(&next, gain - guess, |_, _| ());
        (!self.stopped).then_some(gain - proven.lower)
    }

    /// Whether the margin after a move, counted as in [`rate`](Solver::rate), is as much as this; `None`
    /// when it was stopped.
    pub fn reaches(&mut self, state: &A::State, mv: u16, margin: i32) -> Option<bool> {
        let (next, gain) = self.arena.play(state, mv);
        let reached = !self.is_at_least(&next, gain - margin + 1);
        (!self.stopped).then_some(reached)
    }

    /// A line of proven best moves from a state of which all is proven, to the end of the game as long as the
    /// table has it, or a little search finds it; as long as not all is proven, the best move alone.
    pub fn best_line(&mut self, state: &A::State, proven: Proven) -> Vec<u16> {
        let mut line: Vec<u16> = proven.best.into_iter().collect();
        if proven.lower < proven.upper || line.is_empty() {
            return line;
        }
        let (least, part) = VARIATION;
        self.most_nodes = self.nodes + least.max(self.nodes / part);
        let (mut state, mut margin) = (state.clone(), proven.lower);
        let mut at = 0;
        while let Some(&mv) = line.get(at) {
            let (next, gain) = self.arena.play(&state, mv);
            (state, margin) = (next, gain - margin);
            if self.arena.left(&state) >= 3 {
                let found = self.find(&state, margin);
                line.extend(found.filter(|_| !self.stopped));
            }
            at += 1;
        }
        self.most_nodes = u64::MAX;
        self.stopped &= (self.shared.halt)(self.nodes);
        line
    }

    /// Whether the margin of the side to move is at least `goal`.
    fn is_at_least(&mut self, state: &A::State, goal: i32) -> bool {
        let left = self.arena.left(state);
        if left < 3 {
            return goal <= 0;
        }
        if left == 3 {
            return goal <= last_three(self.arena.lines_beside(state, 0));
        }
        if goal <= -left || goal > left {
            return goal <= -left;
        }
        self.nodes += 1;
        if self.nodes.is_multiple_of(PATIENCE)
            && (self.nodes >= self.most_nodes || (self.shared.halt)(self.nodes))
        {
            self.stopped = true;
        }
        if self.stopped {
            return false;
        }
        let (cycles, joins) = (self.cycles.len(), self.joins.len());
        self.arena.cycles(state, &mut self.cycles);
        let reached = self.sift(state, goal, cycles).is_some() || {
            let known = self.known(state);
            known.lower >= goal
                || known.upper >= goal && self.try_all(state, goal, cycles, known).is_some()
        };
        self.cycles.truncate(cycles);
        self.joins.truncate(joins);
        reached
    }

    /// A move that reaches `goal`, if there is one.
    fn find(&mut self, state: &A::State, goal: i32) -> Option<u16> {
        let (cycles, joins) = (self.cycles.len(), self.joins.len());
        self.arena.cycles(state, &mut self.cycles);
        let found = self.sift(state, goal, cycles).or_else(|| {
            let known = self.known(state);
            self.try_all(state, goal, cycles, known)
        });
        self.cycles.truncate(cycles);
        self.joins.truncate(joins);
        found
    }

    /// What the table says of a state.
    fn known(&self, state: &A::State) -> Entry {
        let left = self.arena.left(state);
        let known = self.table.get(self.arena.key(state));
        known.unwrap_or(Entry { lower: -left, upper: left, hint: NO_HINT })
    }

    /// Drops the cycles, from `base` on, that are known not to reach the goal. One that is known to reach it
    /// is given back.
    fn sift(&mut self, state: &A::State, goal: i32, base: usize) -> Option<u16> {
        let left = self.arena.left(state);
        let mut kept = base;
        for at in base..self.cycles.len() {
            let cycle = self.cycles[at];
            let rest = left - cycle.size;
            let (least, most) = match rest {
                ..3 => (cycle.size, cycle.size),
                3 => {
                    let lines = self.arena.lines_beside(state, cycle.points);
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
            let known = self.table.get(self.arena.key_closed(state, &cycle));
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

    /// A move that reaches the goal, of the cycles from `base` on and of all that join trees; what is found
    /// is kept with what was known.
    fn try_all(&mut self, state: &A::State, goal: i32, base: usize, known: Entry) -> Option<u16> {
        let before = self.nodes;
        let found =
            self.try_cycles(state, goal, base).or_else(|| self.try_joins(state, goal, known.hint));
        if self.stopped {
            return None;
        }
        let entry = match found {
            Some(mv) => Entry { lower: goal, hint: hint(mv), ..known },
            None => Entry { upper: goal - 1, ..known },
        };
        self.table.put(self.arena.key(state), entry, self.nodes - before + 1);
        found
    }

    /// The first move found that reaches the goal, of the cycles from `base` on.
    fn try_cycles(&mut self, state: &A::State, goal: i32, base: usize) -> Option<u16> {
        self.cycles[base..].sort_by_key(|cycle| -cycle.size);
        for at in base..self.cycles.len() {
            let cycle = self.cycles[at];
            let next = self.arena.close(state, &cycle);
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

    /// The same of the moves that join trees.
    fn try_joins(&mut self, state: &A::State, goal: i32, best: u8) -> Option<u16> {
        if self.stopped {
            return None;
        }
        let from = self.joins.len();
        self.arena.joins(state, settling(self.arena.left(state), goal), &mut self.joins);
        for join in &mut self.joins[from..] {
            if hint(join.mv) == best {
                join.promise = i32::MAX;
            }
        }
        self.joins[from..].sort_unstable_by_key(|join| (Reverse(join.promise), join.mv));
        // First come the moves that no other thread is at. The first of all must be searched before the
        // others are worth a look, by whom ever.
        let all = self.joins.len();
        let shares = all - from >= SHARE;
        let mut at = from;
        while let Some(&join) = self.joins.get(at) {
            let next = self.arena.join(state, join.mv);
            let busy = (shares && at < all).then(|| self.shared.busy(self.arena.key(&next)));
            if let Some((place, name)) = busy {
                if at > from && place.load(Relaxed) == name {
                    self.joins.push(join);
                    at += 1;
                    continue;
                }
                place.store(name, Relaxed);
            }
            let answered = self.is_at_least(&next, 1 - goal);
            if let Some((place, _)) = busy {
                place.store(0, Relaxed);
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

/// The margin of the side to move where three points are left: whoever draws the third line takes them.
fn last_three(lines: u32) -> i32 {
    if lines % 2 == 1 { -3 } else { 3 }
}

/// How many points a cycle must have that settles it for the other side, with so many points left, whatever
/// comes after it: what is left then is too little to reach the goal.
fn settling(left: i32, goal: i32) -> i32 {
    // With c points of n it has c - (n - c) at least, and where fewer than three are left, c; it wants
    // more than minus the goal.
    let against_all = (left + 2 - goal).div_euclid(2);
    let at_the_end = (1 - goal).max(left - 2);
    against_all.min(at_the_end).max(3)
}

#[cfg(test)]
mod tests;
