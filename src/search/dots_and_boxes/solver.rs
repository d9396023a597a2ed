//! The exact search.

use super::graph::{Graph, Lines, Offer, Position, each};
use super::near::Near;
use super::parts::{Parts, Signatures};
use super::signature::Signature;
use super::simple::{Ending, Endings};
use super::table::{Entry, Table};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Positions with fewer lines than this do not look their children up before they search one.
const LOOK_UP: u32 = 17;

/// How many more keys of children are made before one is looked up, while the table is waited for. The first child that settles
/// it saves the work of the rest.
const AHEAD: usize = 3;

/// Positions with fewer lines than this are kept apart from the table.
const NEAR: u32 = 15;

/// Positions with fewer lines than this are searched by one thread alone.
const SHARE: u32 = 18;

/// How many positions are looked at for a first look at a line.
const LOOK: u64 = 1024;

/// The logarithm of how many positions can be known to be searched by some thread.
const BUSY: u32 = 12;

/// Its multiples have their upper bits well mixed.
pub(super) const SCRAMBLE: u64 = 0x9e37_79b9_7f4a_7c15;

/// What is proven of a value, and what is asked next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// It is no less.
    pub lower: i32,
    /// It is no more.
    pub upper: i32,
    /// Whether it is at least this is asked next, or was asked last.
    pub goal: i32,
}

impl Window {
    /// What is known at once of the value of a position with `left` boxes that is likely to be `guess`.
    pub fn new(left: i32, guess: i32) -> Window {
        let goal = guess.clamp(-left, left);
        // The value has the parity of the boxes left. Guesses are too bold rather than too cautious.
        let step = if goal > 0 { -1 } else { 1 };
        Window { lower: -left, upper: left, goal: goal + step * ((goal ^ left) & 1) }
    }

    /// What is known once it is proven whether the goal is reached.
    pub const fn after(self, reached: bool) -> Window {
        let Window { lower, upper, goal } = self;
        if reached {
            Window { lower: goal, upper, goal: goal + 2 }
        } else {
            Window { lower, upper: goal - 2, goal: goal - 2 }
        }
    }
}

/// What the threads of one search share.
pub struct Shared<'a> {
    pub graph: &'a Graph,
    pub table: Table<'a>,
    /// Sets of lines that some thread is searching, as far as they find a place here. A thread turns to
    /// other moves first then (after Jean-Christophe Weill, *The ABDADA
    /// Distributed Minimax Search Algorithm*, 1996).
    busy: Vec<AtomicU64>,
    /// Whether it is over after so many positions; asked every thousand or so.
    halt: &'a (dyn Fn(u64) -> bool + Sync),
}

impl<'a> Shared<'a> {
    pub fn new(
        graph: &'a Graph,
        table: Table<'a>,
        halt: &'a (dyn Fn(u64) -> bool + Sync),
    ) -> Shared<'a> {
        let busy = (0..1 << BUSY).map(|_| AtomicU64::new(0)).collect();
        Shared { graph, table, busy, halt }
    }

    fn busy(&self, open: Lines) -> &AtomicU64 {
        &self.busy[(open.wrapping_mul(SCRAMBLE) >> (64 - BUSY)) as usize]
    }

    fn is_busy(&self, open: Lines) -> bool {
        self.busy(open).load(Relaxed) == open
    }

    fn set_busy(&self, open: Lines, busy: bool) {
        self.busy(open).store(if busy { open } else { 0 }, Relaxed);
    }
}

/// One thread of a search.
pub struct Solver<'a> {
    shared: &'a Shared<'a>,
    graph: &'a Graph,
    table: Table<'a>,
    endings: Endings,
    near: Near,
    signatures: Signatures,
    /// The chains that the positions now looked at can open: a line, and what it offers.
    chains: Vec<(u32, Offer)>,
    /// Positions looked at.
    pub nodes: u64,
    /// How many may be looked at.
    most_nodes: u64,
    /// Whether it was told to stop. What it answers then means nothing.
    pub stopped: bool,
}

impl<'a> Solver<'a> {
    pub fn new(shared: &'a Shared<'a>) -> Solver<'a> {
        Solver {
            shared,
            graph: shared.graph,
            table: shared.table.clone(),
            endings: Endings::default(),
            near: Near::new(),
            signatures: Signatures::new(),
            chains: Vec::new(),
            nodes: 0,
            most_nodes: u64::MAX,
            stopped: false,
        }
    }

    /// Whether an offer is worth at most this to the player it is made to.
    pub fn is_at_most(&mut self, offer: &Offer, most: i32) -> bool {
        let most = most - offer.taken;
        let (rest, kept) = (&offer.rest, offer.kept);
        if kept == 0 {
            return !self.reaches(rest, most + 1, None);
        }
        most >= 0
            && self.reaches(rest, -most - kept, None)
            && !self.reaches(rest, most - kept + 1, None)
    }

    /// Whether a position in which nothing can be taken is worth at least this to the player to move.
    /// `key` is its signature, if that is known already.
    pub fn reaches(&mut self, position: &Position, goal: i32, key: Option<Signature>) -> bool {
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
        if self.nodes.is_multiple_of(1024)
            && (self.nodes >= self.most_nodes || (self.shared.halt)(self.nodes))
        {
            self.stopped = true;
        }
        if self.stopped {
            return false;
        }
        let safe = self.graph.safe(position);
        let base = self.chains.len();
        if safe == 0
            && let Some(ending) = self.list_chains(position)
        {
            self.chains.truncate(base);
            return self.endings.value(ending) >= goal;
        }
        let lines = position.open.count_ones();
        let key = key.unwrap_or_else(|| self.signatures.of(self.graph, position.open));
        let known = self.get(key, left, lines);
        let known = known.unwrap_or(Entry { lower: -left, upper: left, mv: 63 });
        if known.lower >= goal || known.upper < goal {
            self.chains.truncate(base);
            return known.lower >= goal;
        }
        let won = self.search(position, safe, goal, known.mv, base, key);
        self.chains.truncate(base);
        if self.stopped {
            return false;
        }
        let entry = match won {
            Some(mv) => Entry { lower: goal, mv, ..known },
            None => Entry { upper: goal - 2, ..known },
        };
        if lines < NEAR {
            self.near.put(key, entry);
        } else {
            self.table.put(key, left, lines, entry);
        }
        won.is_some()
    }

    /// What is known of a position with `left` boxes and so many lines.
    #[inline]
    fn get(&self, key: Signature, left: i32, lines: u32) -> Option<Entry> {
        if lines < NEAR { self.near.get(key) } else { self.table.get(key, left) }
    }

    /// The first line found that is worth at least `goal`. When no line is safe, the chains are listed
    /// already, from `base`.
    fn search(
        &mut self,
        position: &Position,
        safe: Lines,
        goal: i32,
        first: u32,
        base: usize,
        key: Signature,
    ) -> Option<u32> {
        let graph = self.graph;
        let most = -goal;
        let mut keys = [None; 64];
        let mut unknown = safe;
        if position.open.count_ones() >= LOOK_UP {
            let parts = Parts::new(graph, position.open, key, &mut self.signatures);
            match self.look_up(position, safe, most, &parts, &mut keys) {
                Ok(few) => unknown = few,
                Err(mv) => return Some(mv),
            }
            if safe != 0 {
                self.list_chains(position);
            }
            if let Some(mv) = self.look_chains_up(position, base, most, &parts) {
                return Some(mv);
            }
        } else if safe != 0 {
            self.list_chains(position);
        }
        let first = if first < 63 && unknown >> first & 1 == 1 {
            1 << first
        } else {
            unknown & unknown.wrapping_neg()
        };
        let shares = position.open.count_ones() >= SHARE;
        let mut put_off = 0;
        for mv in each(first).chain(each(unknown & !first)) {
            let rest = graph.draw_safe(position, mv);
            // The first move must be searched before the others are worth a look, by whom ever.
            if shares && 1 << mv != first && self.shared.is_busy(rest.open) {
                put_off |= 1 << mv;
                continue;
            }
            if shares {
                self.shared.set_busy(rest.open, true);
            }
            let reached = self.reaches(&rest, most + 1, keys[mv as usize]);
            if shares {
                self.shared.set_busy(rest.open, false);
            }
            if self.stopped {
                return None;
            }
            if !reached {
                return Some(mv);
            }
        }
        for mv in each(put_off) {
            let rest = graph.draw_safe(position, mv);
            let reached = self.reaches(&rest, most + 1, keys[mv as usize]);
            if self.stopped {
                return None;
            }
            if !reached {
                return Some(mv);
            }
        }
        self.chains[base..].sort_unstable_by_key(|(_, chain)| chain.taken + chain.kept);
        for index in base..self.chains.len() {
            let (mv, offer) = self.chains[index];
            if self.is_at_most(&offer, most) {
                return Some(mv);
            }
            if self.stopped {
                return None;
            }
        }
        None
    }

    /// Looks up what is known of the positions after these lines: those of which not enough is known, or
    /// as an error one that leaves the opponent at most `most`.
    fn look_up(
        &mut self,
        position: &Position,
        safe: Lines,
        most: i32,
        parts: &Parts,
        keys: &mut [Option<Signature>; 64],
    ) -> Result<Lines, u32> {
        let lines = position.open.count_ones() - 1;
        each(safe).for_each(|mv| parts.prefetch_without(1 << mv, &self.signatures));
        let (mut ahead, mut unknown) = (each(safe), safe);
        for (index, mv) in each(safe).enumerate() {
            for mv in ahead.by_ref().take(if index == 0 { 1 + AHEAD } else { 1 }) {
                let key = parts.without(self.graph, 1 << mv, &mut self.signatures);
                if lines >= NEAR {
                    self.table.prefetch(key);
                }
                keys[mv as usize] = Some(key);
            }
            let key = keys[mv as usize];
            match key.and_then(|key| self.get(key, position.left, lines)) {
                Some(entry) if entry.upper <= most => return Err(mv),
                Some(entry) if entry.lower > most => unknown &= !(1 << mv),
                _ => {}
            }
        }
        Ok(unknown)
    }

    /// The line of a chain of those from `base` on that is known to leave the opponent at most `most`.
    fn look_chains_up(
        &mut self,
        position: &Position,
        base: usize,
        most: i32,
        parts: &Parts,
    ) -> Option<u32> {
        for (_, Offer { rest, .. }) in &self.chains[base..] {
            parts.prefetch_without(position.open & !rest.open, &self.signatures);
        }
        for &(mv, Offer { taken, kept, rest }) in &self.chains[base..] {
            let drawn = position.open & !rest.open;
            let key = parts.without(self.graph, drawn, &mut self.signatures);
            let known = self.get(key, rest.left, rest.open.count_ones());
            let most = most - taken;
            let is_at_most = |known: Entry| {
                let of_no_use = kept > 0 && (most < 0 || known.lower < -most - kept);
                !of_no_use && known.upper <= most - kept
            };
            if known.is_some_and(is_at_most) {
                return Some(mv);
            }
        }
        None
    }

    /// Lists the chains and loops that can be opened, one of those that are worth the same. When they
    /// are all and none is joined to another, they are an ending.
    fn list_chains(&mut self, position: &Position) -> Option<Ending> {
        let mut risky = position.risky;
        let mut seen = [0u64; 2];
        let mut ending = Some(Ending::default());
        while risky != 0 {
            let chain = self.graph.chain(position.open, risky.trailing_zeros());
            risky &= !chain.lines;
            if chain.is_free() {
                ending = ending.map(|ending| ending.with(chain.is_loop, chain.len));
                let seen = &mut seen[usize::from(chain.is_loop)];
                if *seen >> chain.len & 1 == 1 {
                    continue;
                }
                *seen |= 1 << chain.len;
            } else {
                ending = None;
            }
            self.chains.push((chain.mv, self.graph.open_chain(position, &chain)));
        }
        ending
    }

    /// The value of a position in which nothing can be taken, in steps that narrow `window`. `hear` is told
    /// what is known before each step and in the end. `None` when it was stopped.
    pub fn value(
        &mut self,
        position: &Position,
        mut window: Window,
        mut hear: impl FnMut(Window),
    ) -> Option<i32> {
        hear(window);
        while window.lower < window.upper {
            let reached = self.reaches(position, window.goal, None);
            if self.stopped {
                return None;
            }
            window = window.after(reached);
            hear(window);
        }
        Some(window.lower)
    }

    /// The value of any set of undrawn lines, from `guess`.
    pub fn any_value(&mut self, open: Lines, guess: i32) -> Option<i32> {
        let offer = self.graph.settle(open);
        let window = Window::new(offer.rest.left, guess - offer.taken - offer.kept);
        let value = self.value(&offer.rest, window, |_| ())?;
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
            self.is_at_most(&offer, -goal)
        } else {
            !self.is_at_most(&offer, goal - closed - 1)
        }
    }

    /// Whether the table has it that this line, which closes no box, is worth at least `goal`.
    pub fn is_known_to_reach(&mut self, open: Lines, line: u32, goal: i32) -> bool {
        let offer = self.graph.settle(open & !(1 << line));
        let Position { open, left, .. } = offer.rest;
        let key = self.signatures.of(self.graph, open);
        let known = self.get(key, left, open.count_ones());
        known.is_some_and(|known| -between(&offer, known.lower, known.upper).1 >= goal)
    }

    /// A line of best moves to the end, from a set of undrawn lines worth `value`; shorter when it was
    /// stopped, or would take more than a part of the work done before.
    pub fn principal(&mut self, mut open: Lines, mut value: i32) -> Vec<u32> {
        self.most_nodes = self.nodes + (self.nodes / 16).max(1 << 16);
        let mut line = Vec::new();
        while open != 0 {
            let Some(best) = self.best(open, value, each(open)) else { break };
            let closed = self.graph.closes(open, best);
            open &= !(1 << best);
            value = if closed == 0 { -value } else { value - closed };
            line.push(best);
        }
        self.most_nodes = u64::MAX;
        self.stopped &= (self.shared.halt)(self.nodes);
        line
    }

    /// One of these lines that is worth the `value` of the position: the one that is seen soonest to
    /// be. To see that another is not can take as long as all that was searched before, so each is
    /// looked at a little, and then each again for longer.
    pub fn best(
        &mut self,
        open: Lines,
        value: i32,
        lines: impl IntoIterator<Item = u32>,
    ) -> Option<u32> {
        let mut lines: Vec<u32> = lines.into_iter().collect();
        let mut nodes = LOOK;
        while !lines.is_empty() {
            let mut unsure = Vec::new();
            for line in lines {
                match self.sees(open, line, value, nodes) {
                    Some(true) => return Some(line),
                    Some(false) => {}
                    None if self.stopped => return None,
                    None => unsure.push(line),
                }
            }
            lines = unsure;
            nodes *= 4;
        }
        None
    }

    /// Whether drawing this line is worth at least `goal`, if that is seen in about so many positions.
    fn sees(&mut self, open: Lines, line: u32, goal: i32, nodes: u64) -> Option<bool> {
        let most_nodes = self.most_nodes;
        self.most_nodes = most_nodes.min(self.nodes + nodes);
        let reaches = self.line_reaches(open, line, goal);
        self.most_nodes = most_nodes;
        let seen = (!self.stopped).then_some(reaches);
        self.stopped &= self.nodes >= most_nodes || (self.shared.halt)(self.nodes);
        seen
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
