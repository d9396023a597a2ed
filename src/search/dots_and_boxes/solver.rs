//! The exact search.

use super::graph::{Graph, Lines, Offer, Position, each};
use super::simple::{Ending, Endings};
use super::table::{Entry, Key, Table};

/// Positions with fewer lines than this do not look their children up before they search one.
const LOOK_UP: u32 = 64;

/// What the threads of one search share.
pub struct Shared<'a> {
    pub graph: &'a Graph,
    pub table: &'a Table,
    /// Whether it is over; asked every thousand positions or so.
    halt: &'a (dyn Fn() -> bool + Sync),
}

impl<'a> Shared<'a> {
    pub fn new(
        graph: &'a Graph,
        table: &'a Table,
        halt: &'a (dyn Fn() -> bool + Sync),
    ) -> Shared<'a> {
        Shared { graph, table, halt }
    }
}

/// One thread of a search.
pub struct Solver<'a> {
    shared: &'a Shared<'a>,
    graph: &'a Graph,
    table: &'a Table,
    endings: Endings,
    /// Positions looked at.
    pub nodes: u64,
    /// Whether it was told to stop. What it answers then means nothing.
    pub stopped: bool,
}

/// A move to try, and what it leaves to the opponent.
#[derive(Clone, Copy)]
struct Child {
    offer: Offer,
    key: Option<Key>,
    mv: u32,
}

impl<'a> Solver<'a> {
    pub fn new(shared: &'a Shared<'a>) -> Solver<'a> {
        Solver {
            shared,
            graph: shared.graph,
            table: shared.table,
            endings: Endings::default(),
            nodes: 0,
            stopped: false,
        }
    }

    /// Whether an offer is worth at most this to the player it is made to.
    pub fn is_at_most(&mut self, offer: &Offer, most: i32, key: Option<Key>) -> bool {
        let most = most - offer.taken;
        let (rest, kept) = (&offer.rest, offer.kept);
        if kept == 0 {
            return !self.reaches(rest, most + 1, key);
        }
        most >= 0
            && self.reaches(rest, -most - kept, key)
            && !self.reaches(rest, most - kept + 1, key)
    }

    fn key(&self, open: Lines) -> Key {
        self.table.key(self.graph.canonical(open))
    }

    /// Whether a position in which nothing can be taken is worth at least this to the player to move.
    pub fn reaches(&mut self, position: &Position, goal: i32, key: Option<Key>) -> bool {
        let left = position.left;
        if goal <= -left {
            return true;
        }
        if goal > left {
            return false;
        }
        // The value has the parity of the boxes left.
        let goal = goal + ((goal ^ left) & 1);
        self.nodes += 1;
        if self.nodes.is_multiple_of(1024) && (self.shared.halt)() {
            self.stopped = true;
        }
        if self.stopped {
            return false;
        }
        let key = key.unwrap_or_else(|| self.key(position.open));
        let known = self.table.get(key, left);
        if let Some(entry) = known {
            if entry.lower >= goal {
                return true;
            }
            if entry.upper < goal {
                return false;
            }
        }
        self.search(position, goal, key, known.map(|entry| entry.mv))
    }

    fn search(&mut self, position: &Position, goal: i32, key: Key, first: Option<u32>) -> bool {
        let (graph, table) = (self.graph, self.table);
        let most = -goal;
        let mut children: Vec<Child> = Vec::with_capacity(32);
        for mv in each(graph.safe(position)) {
            let offer = Offer { taken: 0, kept: 0, rest: graph.draw_safe(position, mv) };
            children.push(Child { offer, key: None, mv });
        }
        let safe = children.len();
        let mut risky = position.risky;
        let mut seen = [0u64; 2];
        let mut ending = Some(Ending::default()).filter(|_| safe == 0);
        while risky != 0 {
            let chain = graph.chain(position.open, risky.trailing_zeros());
            risky &= !chain.lines;
            if chain.is_free() {
                ending = ending.map(|ending| {
                    if chain.is_loop {
                        ending.with_loop(chain.len)
                    } else {
                        ending.with_chain(chain.len)
                    }
                });
                let seen = &mut seen[usize::from(chain.is_loop)];
                if *seen >> chain.len & 1 == 1 {
                    continue;
                }
                *seen |= 1 << chain.len;
            } else {
                ending = None;
            }
            children.push(Child {
                offer: graph.open_chain(position, &chain),
                key: None,
                mv: chain.mv,
            });
        }
        if let Some(ending) = ending {
            return self.endings.value(ending) >= goal;
        }
        children[safe..].sort_by_key(|child| child.offer.taken + child.offer.kept);
        if let Some(index) = children.iter().position(|child| Some(child.mv) == first) {
            children[..=index].rotate_right(1);
        }
        let open = position.open.count_ones();
        let mut won = None;
        // What is known of the children may be enough.
        if open >= LOOK_UP {
            let mut kept = 0;
            for index in 0..children.len() {
                let child = &mut children[index];
                let rest = &child.offer.rest;
                let key = table.key(graph.canonical(rest.open));
                child.key = Some(key);
                let (lower, upper) = table
                    .get(key, rest.left)
                    .map_or((-rest.left, rest.left), |entry| (entry.lower, entry.upper));
                let (lower, upper) = between(&child.offer, lower, upper);
                if upper <= most {
                    won = Some(child.mv);
                    break;
                }
                if lower <= most {
                    children.swap(kept, index);
                    kept += 1;
                }
            }
            children.truncate(kept);
        }
        if won.is_none() {
            for child in &children {
                if self.is_at_most(&child.offer, most, child.key) && !self.stopped {
                    won = Some(child.mv);
                    break;
                }
                if self.stopped {
                    return false;
                }
            }
        }
        let left = position.left;
        let entry = match won {
            Some(mv) => Entry { lower: goal, upper: left, mv },
            None => Entry { lower: -left, upper: goal - 2, mv: first.unwrap_or(63) },
        };
        table.put(key, left, open, entry);
        won.is_some()
    }

    /// The value of a position in which nothing can be taken, in steps from `guess`. `hear` is told
    /// the bounds after each step. `None` when it was stopped.
    pub fn value(
        &mut self,
        position: &Position,
        guess: i32,
        mut hear: impl FnMut(i32, i32),
    ) -> Option<i32> {
        let left = position.left;
        let (mut lower, mut upper) = (-left, left);
        let mut goal = guess.clamp(-left, left);
        goal += (goal ^ left) & 1;
        while lower < upper {
            let reached = self.reaches(position, goal, None);
            if self.stopped {
                return None;
            }
            if reached {
                lower = goal;
                goal += 2;
            } else {
                upper = goal - 2;
                goal -= 2;
            }
            hear(lower, upper);
        }
        Some(lower)
    }

    /// The value of any set of undrawn lines, from `guess`.
    pub fn any_value(&mut self, open: Lines, guess: i32) -> Option<i32> {
        let offer = self.graph.settle(open);
        let value = self.value(&offer.rest, guess - offer.taken - offer.kept, |_, _| ())?;
        Some(offer.value(value))
    }

    /// What drawing this line is worth to the player who draws it, from `guess`.
    pub fn line_value(&mut self, open: Lines, line: u32, guess: i32) -> Option<i32> {
        let closed = self.graph.closes(open, line);
        let next = open & !(1 << line);
        if closed == 0 {
            Some(-self.any_value(next, -guess)?)
        } else {
            Some(closed + self.any_value(next, guess - closed)?)
        }
    }

    /// Whether drawing this line is worth at least `goal` to the player who draws it.
    pub fn line_reaches(&mut self, open: Lines, line: u32, goal: i32) -> bool {
        let closed = self.graph.closes(open, line);
        let offer = self.graph.settle(open & !(1 << line));
        if closed == 0 {
            self.is_at_most(&offer, -goal, None)
        } else {
            !self.is_at_most(&offer, goal - closed - 1, None)
        }
    }

    /// A line of best moves to the end, from a set of undrawn lines worth `value`; shorter when it was
    /// stopped. `sort` puts the moves to try in order.
    pub fn principal(&mut self, mut open: Lines, mut value: i32) -> Vec<u32> {
        let mut line = Vec::new();
        while open != 0 {
            let Some(best) = self.best(open, value, each(open)) else { break };
            let closed = self.graph.closes(open, best);
            open &= !(1 << best);
            value = if closed == 0 { -value } else { value - closed };
            line.push(best);
        }
        line
    }

    /// The first of these lines that is worth the `value` of the position.
    pub fn best(
        &mut self,
        open: Lines,
        value: i32,
        lines: impl IntoIterator<Item = u32>,
    ) -> Option<u32> {
        let mut lines = lines.into_iter();
        lines.find(|&line| self.line_reaches(open, line, value) && !self.stopped)
    }
}

/// Between what an offer is worth when what remains is.
pub const fn between(offer: &Offer, lower: i32, upper: i32) -> (i32, i32) {
    if offer.kept == 0 {
        return (offer.taken + lower, offer.taken + upper);
    }
    let (lower, upper) = (offer.kept + lower, offer.kept + upper);
    let least = if lower > 0 {
        lower
    } else if upper < 0 {
        -upper
    } else {
        0
    };
    let most = if upper > -lower { upper } else { -lower };
    (offer.taken + least, offer.taken + most)
}
