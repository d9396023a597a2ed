//! The exact null-window search of a round: whether the offense gains at least a given number of dots.

use super::packed::{Array, Degrees, PackedRound, PackedWord, back};
use super::round::RoundKind;
use super::table::{RoundEntry, RoundTable, hash};
use super::threats::Threats;
use crate::StopReason;
use crate::helpers::with_helpers;
use crate::window::for_variation;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Positions searched between checks of the control, of which the first is before the search.
pub const HALT_INTERVAL: u64 = 1024;

/// Positions searched before other threads help.
const ALONE: u64 = 1 << 14;

/// Threads share the work while more than this number of segments are left before the offense's last segment.
const SHARE: u32 = 3;

/// The number of moves that are tried in order of priority, before the rest in any order. If none of these succeeds,
/// usually no move does.
const PICKED: usize = 3;

/// The rounds of one kind, with their table.
pub struct Rounds<W> {
    pub kind: RoundKind,
    pub array: Array<W>,
    /// The index of the first key bit that stores the number of segments left.
    pub left_at: u32,
    /// The number of segments left when the offense draws its last segment.
    last: u32,
    table: RoundTable<W>,
}

impl<W: PackedWord> Rounds<W> {
    /// Creates an empty table for rounds of one kind, which never takes more than `memory` bytes.
    pub fn new(kind: RoundKind, memory: usize) -> Rounds<W> {
        Rounds {
            kind,
            array: Array::new(kind.rows, kind.cols),
            left_at: Array::<W>::bits(kind.rows.into(), kind.cols.into()),
            last: (kind.players - kind.before).into(),
            table: RoundTable::new(memory),
        }
    }

    /// Returns whether the offense draws when this many segments are left.
    pub const fn is_offense(&self, left: u32) -> bool {
        // The number of segments is a multiple of the number of players.
        (left + self.kind.before as u32).is_multiple_of(self.kind.players as u32)
    }

    /// Returns the number of dots that count now.
    pub fn counted(&self, round: &PackedRound<W>) -> u32 {
        self.array.degrees(round.0[0]).three.count()
    }

    /// Returns the current size of the table in bytes.
    pub fn table_bytes(&self) -> usize {
        self.table.bytes()
    }

    /// Returns the key of a round with this many segments left, and the index of the image that the key comes from.
    /// Rounds with equal keys have equal values.
    fn key(&self, round: &PackedRound<W>, left: u32, degrees: &Degrees<W>) -> (W, usize) {
        let (image, turn) = self.array.key(round, degrees);
        (image | W::from(left) << self.left_at, turn)
    }
}

/// A segment to try, by its index. The greatest is tried first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Draw {
    priority: u64,
    segment: u16,
}

/// A position in the search, with the question whether the offense gains at least `goal` dots.
pub struct RoundNode<'r, W> {
    pub round: &'r PackedRound<W>,
    /// The number of segments left.
    pub left: u32,
    pub goal: i32,
    /// The degrees of the dots in the round.
    pub degrees: Degrees<W>,
}

/// One thread of a search.
pub struct RoundSolver<'a, W> {
    rounds: &'a Rounds<W>,
    /// Set by any thread when the search is over.
    over: &'a AtomicBool,
    /// Returns why the search must stop, if it must. Only the first thread has this function.
    halt: Option<&'a dyn Fn() -> Option<StopReason>>,
    /// The reason why the search had to stop, if it had to.
    pub halted: Option<StopReason>,
    /// The number of positions searched.
    pub nodes: u64,
    /// The maximum number of positions to search.
    most_nodes: u64,
    /// Whether the thread has stopped. If so, its answers are meaningless.
    stopped: bool,
    /// The moves in all positions on the path from the root, one list after the other.
    moves: Vec<Draw>,
    /// The number of times that each segment succeeded, by the number of segments left (the history heuristic).
    history: Vec<u32>,
    /// Whether other threads are searching the same round.
    shares: bool,
}

impl<'a, W: PackedWord> RoundSolver<'a, W> {
    pub fn new(
        rounds: &'a Rounds<W>,
        over: &'a AtomicBool,
        halt: Option<&'a dyn Fn() -> Option<StopReason>>,
    ) -> RoundSolver<'a, W> {
        RoundSolver {
            rounds,
            over,
            halt,
            halted: halt.and_then(|halt| halt()),
            nodes: 0,
            most_nodes: u64::MAX,
            stopped: false,
            moves: Vec::new(),
            history: Vec::new(),
            shares: false,
        }
    }

    /// Returns whether the offense gains at least `goal` dots, searching with up to `helpers` additional threads.
    /// `None` if the search was halted.
    pub fn ask(
        &mut self,
        round: &PackedRound<W>,
        left: u32,
        goal: u32,
        helpers: usize,
    ) -> Option<bool> {
        self.begin();
        if helpers == 0 {
            let reached = self.reaches(round, left, goal as i32);
            return (!self.stopped).then_some(reached);
        }
        self.most_nodes = self.nodes + ALONE;
        let reached = self.reaches(round, left, goal as i32);
        self.most_nodes = u64::MAX;
        if !self.stopped || self.halted.is_some() {
            return (!self.stopped).then_some(reached);
        }
        self.begin();
        self.over.store(false, Relaxed);
        let (rounds, over) = (self.rounds, self.over);
        let help = || {
            let mut helper = RoundSolver::new(rounds, over, None);
            helper.shares = true;
            let answer = helper.answer(round, left, goal);
            (answer, helper.nodes, helper.halted)
        };
        self.shares = true;
        let (mut answer, helped) =
            with_helpers(helpers, over, help, || self.answer(round, left, goal));
        self.shares = false;
        for (found, nodes, halted) in helped {
            answer = answer.or(found);
            self.nodes += nodes;
            self.halted = self.halted.or(halted);
        }
        self.over.store(false, Relaxed);
        answer
    }

    /// Returns the answer of one of several threads, and stops the other threads.
    fn answer(&mut self, round: &PackedRound<W>, left: u32, goal: u32) -> Option<bool> {
        let reached = self.reaches(round, left, goal as i32);
        self.over.store(true, Relaxed);
        (!self.stopped).then_some(reached)
    }

    /// Clears the stop flag of an earlier question, unless the whole search was halted.
    fn begin(&mut self) {
        self.stopped = self.halted.is_some();
    }

    /// Returns the principal variation of a round in which the offense gains `dots`, as far as a short search finds it.
    pub fn pv(&mut self, round: &PackedRound<W>, left: u32, dots: u32) -> Vec<usize> {
        self.begin();
        self.most_nodes = self.nodes + for_variation(self.nodes);
        let mut pv = Vec::new();
        let (mut round, mut left, mut dots) = (*round, left, dots);
        while left > 0
            && let Some(best) = self.best(&round, left, dots)
        {
            let segment = &self.rounds.array.segments()[best];
            dots -= self.rounds.array.degrees(round.0[0]).gain(segment);
            round = round.draw(segment);
            left -= 1;
            pv.push(best);
        }
        self.most_nodes = u64::MAX;
        pv
    }

    /// Returns a best segment in a round in which the offense gains `dots`: one with which the offense gains that many,
    /// or with which the defenders prevent more. `None` only if the search is stopped.
    pub fn best(&mut self, round: &PackedRound<W>, left: u32, dots: u32) -> Option<usize> {
        let goal = if self.rounds.is_offense(left) { dots } else { dots + 1 };
        let degrees = self.rounds.array.degrees(round.0[0]);
        let (key, turn) = self.rounds.key(round, left, &degrees);
        let known = self.rounds.table.get(key).and_then(|known| known.best);
        let first = known.map(|first| self.turned(first, back(turn)));
        let node = RoundNode { round, left, goal: goal as i32, degrees };
        self.find(&node, first).map(usize::from)
    }

    /// Returns the index of a segment's image.
    fn turned(&self, segment: u16, image: usize) -> u16 {
        self.rounds.array.segments()[segment as usize].turned[image]
    }

    /// Counts a position. Returns whether the search should continue.
    fn count_node(&mut self) -> bool {
        self.nodes += 1;
        if self.nodes.is_multiple_of(HALT_INTERVAL) {
            if self.halted.is_none()
                && let Some(halt) = self.halt
            {
                self.halted = halt();
            }
            self.stopped |= self.halted.is_some() || self.over.load(Relaxed);
        }
        self.stopped |= self.nodes >= self.most_nodes;
        !self.stopped
    }

    /// Returns whether the offense gains at least `goal` dots. Dots are never lost, so one segment that gains enough is
    /// sufficient.
    fn reaches(&mut self, round: &PackedRound<W>, left: u32, goal: i32) -> bool {
        if goal <= 0 || left == 0 {
            return goal <= 0;
        }
        let Rounds { array, last, .. } = self.rounds;
        let image = round.0[0];
        let degrees = array.degrees(image);
        if self.rounds.is_offense(left) {
            if array.can_gain(image, &degrees, goal as u32) {
                return true;
            }
            if left == *last && array.stays_quiet(image, &degrees, left - 1) {
                return false;
            }
        } else if left < *last && array.is_quiet(image, &degrees, left) {
            return false;
        }
        if !self.count_node() || array.countable() < degrees.three.count() + goal as u32 {
            return false;
        }
        let node = RoundNode { round, left, goal, degrees };
        match left - 1 {
            next if next == *last => !self.can_block(&node),
            next if next > *last => self.recall(&node),
            _ => self.find(&node, None).is_some() == self.rounds.is_offense(left),
        }
    }

    /// Like [`reaches`](RoundSolver::reaches), but first looks in the table, and stores the result there.
    fn recall(&mut self, node: &RoundNode<'_, W>) -> bool {
        let &RoundNode { round, left, goal, ref degrees } = node;
        let Rounds { array, table, .. } = self.rounds;
        let (key, turn) = self.rounds.key(round, left, degrees);
        let most = array.countable() - degrees.three.count();
        let known = table.get(key);
        let known = known.unwrap_or(RoundEntry::new(key, most as i16));
        if i32::from(known.lower) >= goal || i32::from(known.upper) < goal {
            return i32::from(known.lower) >= goal;
        }
        let before = self.nodes;
        let first = known.best.map(|first| self.turned(first, back(turn)));
        let found = self.find(node, first);
        if self.stopped {
            return false;
        }
        let reached = found.is_some() == self.rounds.is_offense(left);
        let best = found.map(|found| self.turned(found, turn)).or(known.best);
        let entry = if reached {
            RoundEntry { lower: goal as i16, best, ..known }
        } else {
            RoundEntry { upper: goal as i16 - 1, best, ..known }
        };
        if let Err(refused) = table.put(entry, 1 + self.nodes - before) {
            // The result is correct even though it is not stored.
            self.halted = Some(refused.into());
        }
        reached
    }

    /// Finds a segment with which the side to move succeeds: the offense reaches the goal, or the defenders prevent
    /// that.
    fn find(&mut self, node: &RoundNode<'_, W>, first: Option<u16>) -> Option<u16> {
        if let Some(first) = first
            && self.succeeds(node, first)
        {
            return Some(first);
        }
        if self.stopped {
            return None;
        }
        let from = self.moves.len();
        self.list(node, first);
        let found = self.try_all(node, from);
        self.moves.truncate(from);
        if let Some(found) = found {
            self.learn(node.left, found);
        }
        found
    }

    /// Tries the moves from index `from` on. Moves that another thread is searching come last (after Jean-Christophe
    /// Weill, *The ABDADA Distributed Minimax Search Algorithm*, 1996).
    fn try_all(&mut self, node: &RoundNode<'_, W>, from: usize) -> Option<u16> {
        let rounds = self.rounds;
        let shares = self.shares && node.left > rounds.last + SHARE;
        let mut put_off = from;
        for index in from..self.moves.len() {
            if index < from + PICKED
                && let Some(most) = (index..self.moves.len()).max_by_key(|&other| self.moves[other])
            {
                self.moves.swap(index, most);
            }
            let segment = self.moves[index].segment;
            let shared = shares.then(|| {
                let next = node.round.draw(&rounds.array.segments()[segment as usize]);
                hash(rounds.key(&next, node.left - 1, &rounds.array.degrees(next.0[0])).0)
            });
            if let Some(hash) = shared {
                // The first move is never postponed: the others are only worth searching after it has failed.
                if index > from && rounds.table.in_progress.contains(hash) {
                    self.moves[put_off] = self.moves[index];
                    put_off += 1;
                    continue;
                }
                rounds.table.in_progress.begin(hash);
            }
            let succeeds = self.succeeds(node, segment);
            if let Some(hash) = shared {
                rounds.table.in_progress.end(hash);
            }
            if succeeds {
                return Some(segment);
            }
            if self.stopped {
                return None;
            }
        }
        for index in from..put_off {
            let segment = self.moves[index].segment;
            if self.succeeds(node, segment) {
                return Some(segment);
            }
        }
        None
    }

    /// Returns whether the side to move succeeds with a segment.
    fn succeeds(&mut self, node: &RoundNode<'_, W>, segment: u16) -> bool {
        let segment = &self.rounds.array.segments()[segment as usize];
        let goal = node.goal - node.degrees.gain(segment) as i32;
        let reached = self.reaches(&node.round.draw(segment), node.left - 1, goal);
        !self.stopped && reached == self.rounds.is_offense(node.left)
    }

    /// Counts a success in the history. Halves all counts if one would overflow.
    fn learn(&mut self, left: u32, segment: u16) {
        let place = self.place(left, segment);
        let count = &mut self.history[place];
        *count += left * left;
        if *count > 1 << 30 {
            self.history.iter_mut().for_each(|count| *count >>= 1);
        }
    }

    /// Returns the index of a segment in the history.
    fn place(&mut self, left: u32, segment: u16) -> usize {
        let segments = self.rounds.array.segments().len();
        let needed = segments * (left as usize + 1);
        if self.history.len() < needed {
            self.history.resize(needed, 0);
        }
        segments * left as usize + segment as usize
    }

    /// Lists the moves that may succeed, except the one already tried first.
    fn list(&mut self, node: &RoundNode<'_, W>, first: Option<u16>) {
        let &RoundNode { round, left, goal, ref degrees } = node;
        let array = &self.rounds.array;
        let is_offense = self.rounds.is_offense(left);
        let threats = Threats::new(self.rounds, node);
        let base = self.place(left, 0);
        for (number, segment) in array.segments().iter().enumerate() {
            if first == Some(number as u16) || !round.takes(segment) || !threats.are_met_by(segment)
            {
                continue;
            }
            let gain = degrees.gain(segment);
            if !is_offense && gain as i32 >= goal {
                continue;
            }
            // Ordered by gain, then by number of successes, then by length. The offense tries long segments first,
            // because they prepare more gains; the defenders try short segments first.
            let [gain, dots] =
                if is_offense { [gain, segment.dots] } else { [!gain, !segment.dots] };
            let often = self.history[base + number];
            let priority = u64::from(gain as u8) << 40 | u64::from(often) << 8;
            let priority = priority | u64::from(dots as u8);
            self.moves.push(Draw { priority, segment: number as u16 });
        }
    }

    /// Returns whether the defenders can stop the offense with the segment before the offense's last one.
    fn can_block(&mut self, node: &RoundNode<'_, W>) -> bool {
        let &RoundNode { round, left, goal, ref degrees } = node;
        let array = &self.rounds.array;
        let threats = Threats::new(self.rounds, node);
        // Shortest first, since short segments change the least.
        for segment in array.segments().iter().rev() {
            if !round.takes(segment) || !threats.are_met_by(segment) {
                continue;
            }
            let goal = goal - degrees.gain(segment) as i32;
            if goal <= 0 {
                continue;
            }
            let image = round.0[0] | segment.images[0];
            let degrees = array.degrees(image);
            if array.can_gain(image, &degrees, goal as u32) {
                continue;
            }
            if array.stays_quiet(image, &degrees, left - 2)
                || !self.reaches(&round.draw(segment), left - 1, goal)
            {
                return !self.stopped;
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn history_counts_stay_bounded_and_ordered() {
        let kind = RoundKind { rows: 3, cols: 3, players: 2, before: 0 };
        let (rounds, over) = (Rounds::<u64>::new(kind, 1 << 20), AtomicBool::new(false));
        let mut solver = RoundSolver::new(&rounds, &over, None);
        let [often, seldom] = [0, 1].map(|segment| solver.place(6, segment));
        solver.history[often] = 1 << 30;
        solver.history[seldom] = 1 << 20;
        solver.learn(6, 0);
        assert_eq!([often, seldom].map(|at| solver.history[at]), [(1 << 29) + 18, 1 << 19]);
    }
}
