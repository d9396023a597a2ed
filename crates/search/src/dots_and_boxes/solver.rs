//! The exact search for the value of a position.

use super::graph::{Graph, LineSet, QuietPosition, SettledPosition, each};
use super::parts::{Parts, Signatures};
use super::signature::Signature;
use super::simple::{SimpleEnding, SimpleEndings};
use super::small_table::SmallTable;
use super::table::{DotsEntry, DotsTable};
use crate::bits::GOLDEN;
use crate::in_progress::InProgress;
use crate::window::{Window, for_variation};

/// The minimum number of undrawn lines at which all children are looked up in the table before any child is searched.
const LOOK_UP: u32 = 17;

/// The number of child keys computed ahead of the lookup, so that their entries are prefetched. A larger number would
/// waste work whenever a lookup decides the position.
const AHEAD: usize = 3;

/// Positions with fewer undrawn lines than this are stored in the small table.
const SMALL: u32 = 15;

/// Threads share the work on positions with at least this many undrawn lines.
const SHARE: u32 = 18;

/// Positions searched in the first attempt to refute a line.
const FIRST_REFUTATION_NODES: u64 = 1024;

/// The state shared by the threads of one search.
pub struct SharedDotsSearch<'a> {
    pub graph: &'a Graph,
    pub table: DotsTable<'a>,
    in_progress: InProgress,
    /// Returns whether a thread that has searched this many positions must stop. Called every 1024 positions, and after
    /// searches with a limit.
    halt: &'a (dyn Fn(u64) -> bool + Sync),
}

impl<'a> SharedDotsSearch<'a> {
    pub fn new(
        graph: &'a Graph,
        table: DotsTable<'a>,
        halt: &'a (dyn Fn(u64) -> bool + Sync),
    ) -> SharedDotsSearch<'a> {
        SharedDotsSearch { graph, table, in_progress: InProgress::new(), halt }
    }
}

/// A chain or loop that can be opened.
#[derive(Clone, Copy)]
struct ChainOpening {
    /// The position after opening the chain or loop.
    settled: SettledPosition,
    /// The signature of the rest of the board, if known.
    key: Option<Signature>,
}

/// One thread of a search.
pub struct DotsSolver<'a> {
    shared: &'a SharedDotsSearch<'a>,
    graph: &'a Graph,
    table: DotsTable<'a>,
    endings: SimpleEndings,
    small_table: SmallTable,
    signatures: Signatures,
    /// The parts of the position whose children are being looked up.
    parts: Parts,
    /// For each position on the path from the root, one list after the other: the signatures of the positions after its
    /// safe lines.
    keys: Vec<Signature>,
    /// The openings in the positions on the path from the root, one list after the other.
    openings: Vec<ChainOpening>,
    /// The number of positions searched.
    pub nodes: u64,
    /// The maximum number of positions to search.
    most_nodes: u64,
    /// Whether the solver was told to stop. If so, its answers are meaningless.
    pub stopped: bool,
}

impl<'a> DotsSolver<'a> {
    pub fn new(shared: &'a SharedDotsSearch<'a>) -> DotsSolver<'a> {
        DotsSolver {
            shared,
            graph: shared.graph,
            table: shared.table.clone(),
            endings: SimpleEndings::default(),
            small_table: SmallTable::new(),
            signatures: Signatures::new(),
            parts: Parts::new(),
            keys: Vec::new(),
            openings: Vec::new(),
            nodes: 0,
            most_nodes: u64::MAX,
            stopped: false,
        }
    }

    /// Returns whether a [settled position](SettledPosition), which is worth `taken + |kept + V(rest)|` or, if `kept`
    /// is 0, `taken + V(rest)`, is worth at most `most` to the player to move. `key` is the signature of `rest`, if
    /// known.
    pub fn is_at_most(
        &mut self,
        settled: &SettledPosition,
        most: i32,
        key: Option<Signature>,
    ) -> bool {
        let most = most - settled.taken;
        let (rest, kept) = (&settled.rest, settled.kept);
        if kept == 0 {
            return !self.reaches(rest, most + 1, key);
        }
        most >= 0
            && self.reaches(rest, -most - kept, key)
            && !self.reaches(rest, most - kept + 1, key)
    }

    /// Returns whether a position in which no box can be taken is worth at least `goal` to the player to move. `key` is
    /// the signature of the position, if known.
    pub fn reaches(&mut self, position: &QuietPosition, goal: i32, key: Option<Signature>) -> bool {
        let left = position.left;
        if goal <= -left {
            return true;
        }
        if goal > left {
            return false;
        }
        // The value has the parity of the number of boxes left.
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
        let base = self.openings.len();
        if safe == 0
            && let Some(ending) = self.list_openings(position, -goal)
        {
            self.openings.truncate(base);
            return self.endings.value(ending) >= goal;
        }
        let lines = position.undrawn.count_ones();
        let key = key.unwrap_or_else(|| self.signatures.of(self.graph, position.undrawn));
        let known = self.get(key, left, lines);
        let known = known.unwrap_or(DotsEntry { lower: -left, upper: left });
        if known.lower >= goal || known.upper < goal {
            self.openings.truncate(base);
            return known.lower >= goal;
        }
        let first_key = self.keys.len();
        let won = self.search(position, safe, goal, base, key);
        self.openings.truncate(base);
        self.keys.truncate(first_key);
        if self.stopped {
            return false;
        }
        let entry = if won {
            DotsEntry { lower: goal, ..known }
        } else {
            DotsEntry { upper: goal - 2, ..known }
        };
        if lines < SMALL {
            self.small_table.put(key, entry);
        } else {
            self.table.store(key, left, lines, entry);
        }
        won
    }

    /// Returns the entry of a position with `left` boxes and `lines` lines, from the table for positions of that size.
    #[inline]
    fn get(&self, key: Signature, left: i32, lines: u32) -> Option<DotsEntry> {
        if lines < SMALL { self.small_table.get(key) } else { self.table.entry(key, left) }
    }

    /// Prefetches the entry that [`get`](DotsSolver::get) will read.
    #[inline]
    fn prefetch(&self, key: Signature, lines: u32) {
        if lines >= SMALL {
            self.table.prefetch(key);
        }
    }

    /// Returns whether some line is worth at least `goal`. `base` is the length of the list of openings before those of
    /// this position, which are already listed if no line is safe.
    fn search(
        &mut self,
        position: &QuietPosition,
        safe: LineSet,
        goal: i32,
        base: usize,
        key: Signature,
    ) -> bool {
        let graph = self.graph;
        let most = -goal;
        let first_key = self.keys.len();
        let mut unknown = safe;
        if position.undrawn.count_ones() >= LOOK_UP {
            self.parts.find(graph, position.undrawn, key, &mut self.signatures);
            match self.look_up(position, safe, most) {
                Some(few) => unknown = few,
                None => return true,
            }
            if safe != 0 {
                self.list_openings(position, most);
            }
            if self.look_openings_up(position, base, most) {
                return true;
            }
        } else if safe != 0 {
            self.list_openings(position, most);
        }
        let nth = |mv: u32| first_key + (safe & ((1 << mv) - 1)).count_ones() as usize;
        let first = unknown & unknown.wrapping_neg();
        let shares = position.undrawn.count_ones() >= SHARE;
        let mut put_off = 0;
        for mv in each(unknown) {
            let rest = graph.draw_safe(position, mv);
            let shared = shares.then(|| rest.undrawn.wrapping_mul(GOLDEN));
            if let Some(hash) = shared {
                // The first move is never postponed: the others are only worth searching after it has failed.
                if 1 << mv != first && self.shared.in_progress.contains(hash) {
                    put_off |= 1 << mv;
                    continue;
                }
                self.shared.in_progress.begin(hash);
            }
            let reached = self.reaches(&rest, most + 1, self.keys.get(nth(mv)).copied());
            if let Some(hash) = shared {
                self.shared.in_progress.end(hash);
            }
            if self.stopped || !reached {
                return !self.stopped;
            }
        }
        for mv in each(put_off) {
            let rest = graph.draw_safe(position, mv);
            let reached = self.reaches(&rest, most + 1, self.keys.get(nth(mv)).copied());
            if self.stopped || !reached {
                return !self.stopped;
            }
        }
        self.openings[base..]
            .sort_unstable_by_key(|ChainOpening { settled, .. }| settled.taken + settled.kept);
        for index in base..self.openings.len() {
            let ChainOpening { settled, key } = self.openings[index];
            if self.is_at_most(&settled, most, key) {
                return true;
            }
            if self.stopped {
                return false;
            }
        }
        false
    }

    /// Looks up the positions after the safe lines and appends their signatures to the list. Returns the lines that
    /// must be searched; `None` if a line is known to leave the opponent at most `most`.
    fn look_up(&mut self, position: &QuietPosition, safe: LineSet, most: i32) -> Option<LineSet> {
        let first_key = self.keys.len();
        let nth = |mv: u32| first_key + (safe & ((1 << mv) - 1)).count_ones() as usize;
        let lines = position.undrawn.count_ones() - 1;
        let judge = |entry: Option<DotsEntry>, mv: u32, unknown: LineSet| match entry {
            Some(entry) if entry.upper <= most => None,
            Some(entry) if entry.lower > most => Some(unknown & !(1 << mv)),
            _ => Some(unknown),
        };
        each(safe).for_each(|mv| self.parts.prefetch_without(1 << mv, &self.signatures));
        // First try the lines whose signatures are cached: in about half of all positions a lookup decides.
        let mut others = 0;
        for mv in each(safe) {
            let key = self.parts.known_without(1 << mv, &self.signatures);
            match key {
                Some(key) => self.prefetch(key, lines),
                None => others |= 1 << mv,
            }
            self.keys.push(key.unwrap_or_default());
        }
        let mut unknown = safe;
        for mv in each(safe & !others) {
            unknown = judge(self.get(self.keys[nth(mv)], position.left, lines), mv, unknown)?;
        }
        let mut ahead = each(others);
        for (index, mv) in each(others).enumerate() {
            for mv in ahead.by_ref().take(if index == 0 { 1 + AHEAD } else { 1 }) {
                let key = self.parts.without(self.graph, 1 << mv, &mut self.signatures);
                self.prefetch(key, lines);
                self.keys[nth(mv)] = key;
            }
            unknown = judge(self.get(self.keys[nth(mv)], position.left, lines), mv, unknown)?;
        }
        Some(unknown)
    }

    /// Looks up the positions after the openings, and keeps only the openings that must be searched. Returns whether
    /// some opening is known to leave the opponent at most `most`.
    fn look_openings_up(&mut self, position: &QuietPosition, base: usize, most: i32) -> bool {
        let drawn = |opening: &ChainOpening| position.undrawn & !opening.settled.rest.undrawn;
        for opening in &self.openings[base..] {
            self.parts.prefetch_without(drawn(opening), &self.signatures);
        }
        for index in base..self.openings.len() {
            let opening = &self.openings[index];
            let key = self.parts.without(self.graph, drawn(opening), &mut self.signatures);
            self.prefetch(key, opening.settled.rest.undrawn.count_ones());
            self.openings[index].key = Some(key);
        }
        let mut end = base;
        for index in base..self.openings.len() {
            let opening @ ChainOpening { settled, key } = self.openings[index];
            let QuietPosition { undrawn, left, .. } = settled.rest;
            let known = key.and_then(|key| self.get(key, left, undrawn.count_ones()));
            let bounds = known.map(|known| settled.between(known.lower, known.upper));
            if bounds.is_some_and(|(_, upper)| upper <= most) {
                return true;
            }
            if bounds.is_none_or(|(lower, _)| lower <= most) {
                self.openings[end] = opening;
                end += 1;
            }
        }
        self.openings.truncate(end);
        false
    }

    /// Lists the chains and loops that can be opened and may leave the opponent at most `most`, with only one of each
    /// kind and length of the independent ones. If all are independent, returns them as a simple ending.
    fn list_openings(&mut self, position: &QuietPosition, most: i32) -> Option<SimpleEnding> {
        let mut risky = position.risky;
        let mut seen = [0u64; 2];
        let mut ending = Some(SimpleEnding::default());
        while risky != 0 {
            let chain = self.graph.chain(position.undrawn, risky.trailing_zeros());
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
            let settled = self.graph.open_chain(position, &chain);
            if settled.between(-settled.rest.left, settled.rest.left).0 <= most {
                self.openings.push(ChainOpening { settled, key: None });
            }
        }
        ending
    }

    /// Finds the value of a position by null-window searches that narrow `window`. Calls `on_window` with the window
    /// before each search and at the end. `None` if the search was stopped.
    pub fn value(
        &mut self,
        position: &QuietPosition,
        mut window: Window,
        mut on_window: impl FnMut(Window),
    ) -> Option<i32> {
        on_window(window);
        while window.is_open() {
            let reached = self.reaches(position, window.goal, None);
            if self.stopped {
                return None;
            }
            window = window.after(reached);
            on_window(window);
        }
        Some(window.lower)
    }

    /// Finds the value of any set of undrawn lines; `guess` is the likely value.
    pub fn any_value(&mut self, undrawn: LineSet, guess: i32) -> Option<i32> {
        let settled = self.graph.settle(undrawn);
        let window = Window::of_parity(settled.rest.left, guess - settled.taken - settled.kept);
        let value = self.value(&settled.rest, window, |_| ())?;
        Some(settled.value(value))
    }

    /// Finds the value of drawing this line, for the player who draws it; `guess` is the likely value.
    pub fn line_value(&mut self, undrawn: LineSet, line: u32, guess: i32) -> Option<i32> {
        let closed = self.graph.closes(undrawn, line);
        let next = undrawn & !(1 << line);
        if closed == 0 {
            Some(-self.any_value(next, -guess)?)
        } else {
            Some(closed + self.any_value(next, guess - closed)?)
        }
    }

    /// Returns whether drawing this line is worth at least `goal` to the player who draws it.
    pub fn line_reaches(&mut self, undrawn: LineSet, line: u32, goal: i32) -> bool {
        let closed = self.graph.closes(undrawn, line);
        let settled = self.graph.settle(undrawn & !(1 << line));
        if closed == 0 {
            self.is_at_most(&settled, -goal, None)
        } else {
            !self.is_at_most(&settled, goal - closed - 1, None)
        }
    }

    /// Returns whether the table proves that this line, which completes no box, is worth at least `goal`.
    pub fn is_known_to_reach(&mut self, undrawn: LineSet, line: u32, goal: i32) -> bool {
        let settled = self.graph.settle(undrawn & !(1 << line));
        let QuietPosition { undrawn, left, .. } = settled.rest;
        let key = self.signatures.of(self.graph, undrawn);
        let known = self.get(key, left, undrawn.count_ones());
        known.is_some_and(|known| -settled.between(known.lower, known.upper).1 >= goal)
    }

    /// Returns the principal variation from a set of undrawn lines whose value is `value`. The variation is incomplete
    /// if the search was stopped, or if finding the rest takes [too many](for_variation) positions.
    pub fn pv(&mut self, mut undrawn: LineSet, mut value: i32) -> Vec<u32> {
        self.most_nodes = self.nodes + for_variation(self.nodes);
        let mut line = Vec::new();
        while undrawn != 0 {
            let Some(best) = self.best(undrawn, value, each(undrawn)) else { break };
            let closed = self.graph.closes(undrawn, best);
            undrawn &= !(1 << best);
            value = if closed == 0 { -value } else { value - closed };
            line.push(best);
        }
        self.most_nodes = u64::MAX;
        self.stopped &= (self.shared.halt)(self.nodes);
        line
    }

    /// Returns one of these lines that keeps the `value` of the position, preferably one that the table already proves
    /// to keep it. Refuting a wrong line can take as long as the whole search so far. All lines are therefore searched
    /// for a short time, then the undecided ones for longer, until one is proven to keep the value.
    pub fn best(
        &mut self,
        undrawn: LineSet,
        value: i32,
        lines: impl IntoIterator<Item = u32>,
    ) -> Option<u32> {
        let mut lines: Vec<u32> = lines.into_iter().collect();
        let is_known = |line: &&u32| {
            self.graph.closes(undrawn, **line) == 0
                && self.is_known_to_reach(undrawn, **line, value)
        };
        if let Some(&line) = lines.iter().find(is_known) {
            return Some(line);
        }
        let mut nodes = FIRST_REFUTATION_NODES;
        while !lines.is_empty() {
            let mut unsure = Vec::new();
            for line in lines {
                match self.reaches_within(undrawn, line, value, nodes) {
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

    /// Returns whether drawing this line is worth at least `goal`, if searching about `nodes` positions is enough to
    /// decide.
    fn reaches_within(
        &mut self,
        undrawn: LineSet,
        line: u32,
        goal: i32,
        nodes: u64,
    ) -> Option<bool> {
        let most_nodes = self.most_nodes;
        self.most_nodes = most_nodes.min(self.nodes + nodes);
        let reaches = self.line_reaches(undrawn, line, goal);
        self.most_nodes = most_nodes;
        let seen = (!self.stopped).then_some(reaches);
        self.stopped &= self.nodes >= most_nodes || (self.shared.halt)(self.nodes);
        seen
    }
}
