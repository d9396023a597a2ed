//! The exact search of a round: whether the offense reaches a number of dots, asked again and again.

use super::packed::{Array, Degrees, Packed, Stroke, Word, back};
use super::round::Kind;
use super::table::Table;
use crate::search::Halt;
use crate::search::bounds::Bounds;
use crate::search::helpers::think_along;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// How many rounds are looked at from one look at the control to the next.
const LOOK: u64 = 1024;

/// How many rounds are looked at before other threads are asked to help.
const ALONE: u64 = 1 << 14;

/// With so many more segments left than where a round is seen through at once, threads divide the work.
const SHARE: u32 = 3;

/// How many moves are picked as the most promising before the rest is tried as it comes: if those do
/// not do it, most often none does.
const PICKED: usize = 3;

/// How many segments with which the offense would have its goal are remembered to be blocked.
const THREATS: usize = 24;

/// For a line so many rounds are looked at at most, or where that is more, a part of those that were
/// looked at before it.
const LINE: (u64, u64) = (1 << 16, 16);

/// The rounds of one kind, and what is known of them.
pub struct Rounds<W> {
    pub kind: Kind,
    pub array: Array<W>,
    /// Where in a key the number of segments left stands.
    pub left_at: u32,
    /// How many are left when the offense draws its last.
    last: u32,
    table: Table<W>,
}

impl<W: Word> Rounds<W> {
    /// The table will never take more than so many bytes.
    pub fn new(kind: Kind, memory: usize) -> Rounds<W> {
        Rounds {
            kind,
            array: Array::new(kind.rows, kind.cols),
            left_at: Array::<W>::bits(kind.rows.into(), kind.cols.into()),
            last: (kind.players - kind.before).into(),
            table: Table::new(memory),
        }
    }

    /// Whether the offense draws when so many are left.
    pub const fn is_offense(&self, left: u32) -> bool {
        // The number of segments is a multiple of the players.
        (left + self.kind.before as u32).is_multiple_of(self.kind.players as u32)
    }

    /// The dots that count as it stands.
    pub fn counted(&self, round: &Packed<W>) -> u32 {
        self.array.degrees(round.0[0]).three.count()
    }

    /// The bytes that the table takes at present.
    pub fn table_bytes(&self) -> usize {
        self.table.bytes()
    }

    /// What tells a round with so many segments left from those that do not play alike, and the image
    /// of it that stands in the table.
    fn key(&self, round: &Packed<W>, left: u32, degrees: &Degrees<W>) -> (W, usize) {
        let (image, turn) = self.array.key(round, degrees);
        (image | W::from(left) << self.left_at, turn)
    }
}

/// A segment to draw, by its number. Those to try first are the greatest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Draw {
    promise: u64,
    stroke: u16,
}

/// One thread of a search.
pub struct Solver<'a, W> {
    rounds: &'a Rounds<W>,
    /// Raised when it is over, by whichever thread.
    over: &'a AtomicBool,
    /// Why it has to end, asked by the first thread alone.
    halt: Option<&'a dyn Fn() -> Option<Halt>>,
    /// Why it had to end before all was proven, if it had.
    pub halted: Option<Halt>,
    /// Rounds looked at.
    pub nodes: u64,
    /// How many may be looked at.
    most_nodes: u64,
    /// Whether it has stopped. What it answers then means nothing.
    stopped: bool,
    /// The moves of all rounds on the way from the first one, one after the other.
    moves: Vec<Draw>,
    /// How often a segment was the one to draw, by how many were left.
    history: Vec<u32>,
    /// Whether other threads search with it.
    shares: bool,
}

impl<'a, W: Word> Solver<'a, W> {
    pub fn new(
        rounds: &'a Rounds<W>,
        over: &'a AtomicBool,
        halt: Option<&'a dyn Fn() -> Option<Halt>>,
    ) -> Solver<'a, W> {
        Solver {
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

    /// Whether the offense gains `goal` dots or more, found out with so many helpers. `None` when it was
    /// halted.
    pub fn ask(&mut self, round: &Packed<W>, left: u32, goal: u32, helpers: usize) -> Option<bool> {
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
            let mut helper = Solver::new(rounds, over, None);
            helper.shares = true;
            let answer = helper.answer(round, left, goal);
            (answer, helper.nodes, helper.halted)
        };
        self.shares = true;
        let (mut answer, helped) =
            think_along(helpers, over, help, || self.answer(round, left, goal));
        self.shares = false;
        for (found, nodes, halted) in helped {
            answer = answer.or(found);
            self.nodes += nodes;
            self.halted = self.halted.or(halted);
        }
        self.over.store(false, Relaxed);
        answer
    }

    /// What one of several threads finds out. All others are over then.
    fn answer(&mut self, round: &Packed<W>, left: u32, goal: u32) -> Option<bool> {
        let reached = self.reaches(round, left, goal as i32);
        self.over.store(true, Relaxed);
        (!self.stopped).then_some(reached)
    }

    /// Forgets that it was told to stop, unless it was halted.
    fn begin(&mut self) {
        self.stopped = self.halted.is_some();
    }

    /// A line of best segments from a round in which the offense gains so many dots, as long as a
    /// little search finds it.
    pub fn line(&mut self, round: &Packed<W>, left: u32, dots: u32) -> Vec<usize> {
        let (least, part) = LINE;
        self.begin();
        self.most_nodes = self.nodes + least.max(self.nodes / part);
        let mut line = Vec::new();
        let (mut round, mut left, mut dots) = (*round, left, dots);
        while left > 0
            && let Some(best) = self.best(&round, left, dots)
        {
            let stroke = &self.rounds.array.strokes()[best];
            dots -= self.rounds.array.degrees(round.0[0]).gain(stroke);
            round = round.draw(stroke);
            left -= 1;
            line.push(best);
        }
        self.most_nodes = u64::MAX;
        line
    }

    /// A segment with which the offense gains so many dots, or the others see to it that it gains no
    /// more. There must be one.
    pub fn best(&mut self, round: &Packed<W>, left: u32, dots: u32) -> Option<usize> {
        let goal = if self.rounds.is_offense(left) { dots } else { dots + 1 };
        let degrees = self.rounds.array.degrees(round.0[0]);
        let (key, turn) = self.rounds.key(round, left, &degrees);
        let known = self.rounds.table.get(key).and_then(|known| known.best);
        let first = known.map(|first| self.turned(first, back(turn)));
        self.find(round, left, goal as i32, &degrees, first).map(usize::from)
    }

    fn turned(&self, stroke: u16, image: usize) -> u16 {
        self.rounds.array.strokes()[stroke as usize].turned[image]
    }

    /// Counts a round that is looked at, and says whether to go on.
    fn look(&mut self) -> bool {
        self.nodes += 1;
        if self.nodes.is_multiple_of(LOOK) {
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

    /// Whether the offense gains `goal` dots or more. It can lose none, so it does if it can at once.
    fn reaches(&mut self, round: &Packed<W>, left: u32, goal: i32) -> bool {
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
        if !self.look() || array.countable() < degrees.three.count() + goal as u32 {
            return false;
        }
        match left - 1 {
            next if next == *last => !self.can_block(round, left, goal, &degrees),
            next if next > *last => self.recall(round, left, goal, &degrees),
            _ => {
                let found = self.find(round, left, goal, &degrees, None);
                found.is_some() == self.rounds.is_offense(left)
            }
        }
    }

    /// Whether the offense gains `goal` dots or more, as far as the table knows, else by looking, which
    /// the table learns.
    fn recall(&mut self, round: &Packed<W>, left: u32, goal: i32, degrees: &Degrees<W>) -> bool {
        let Rounds { array, table, .. } = self.rounds;
        let (key, turn) = self.rounds.key(round, left, degrees);
        let most = array.countable() - degrees.three.count();
        let known = table.get(key);
        let known = known.unwrap_or(Bounds { lower: 0, upper: most as i16, best: None });
        if i32::from(known.lower) >= goal || i32::from(known.upper) < goal {
            return i32::from(known.lower) >= goal;
        }
        let before = self.nodes;
        let first = known.best.map(|first| self.turned(first, back(turn)));
        let found = self.find(round, left, goal, degrees, first);
        if self.stopped {
            return false;
        }
        let reached = found.is_some() == self.rounds.is_offense(left);
        let best = found.map(|found| self.turned(found, turn)).or(known.best);
        let bounds = if reached {
            Bounds { lower: goal as i16, best, ..known }
        } else {
            Bounds { upper: goal as i16 - 1, best, ..known }
        };
        if let Err(refused) = table.put(key, bounds, 1 + self.nodes - before) {
            // What was found is true all the same.
            self.halted = Some(refused.into());
        }
        reached
    }

    /// Finds a segment with which the side to move has what it wants: the offense its goal, the others
    /// that it does not reach it.
    fn find(
        &mut self,
        round: &Packed<W>,
        left: u32,
        goal: i32,
        degrees: &Degrees<W>,
        first: Option<u16>,
    ) -> Option<u16> {
        if let Some(first) = first
            && self.does_it(round, left, goal, degrees, first)
        {
            return Some(first);
        }
        if self.stopped {
            return None;
        }
        let from = self.moves.len();
        self.list(round, left, goal, degrees, first);
        let found = self.try_all(round, left, goal, degrees, from);
        self.moves.truncate(from);
        if let Some(found) = found {
            let place = self.place(left, found);
            self.history[place] += left * left;
        }
        found
    }

    /// Tries the moves kept from a place on; at last those that another thread was searching (after
    /// Jean-Christophe Weill, *The ABDADA Distributed Minimax Search Algorithm*, 1996).
    fn try_all(
        &mut self,
        round: &Packed<W>,
        left: u32,
        goal: i32,
        degrees: &Degrees<W>,
        from: usize,
    ) -> Option<u16> {
        let rounds = self.rounds;
        let shares = self.shares && left > rounds.last + SHARE;
        let mut put_off = from;
        for at in from..self.moves.len() {
            if at < from + PICKED
                && let Some(most) = (at..self.moves.len()).max_by_key(|&at| self.moves[at])
            {
                self.moves.swap(at, most);
            }
            let stroke = self.moves[at].stroke;
            let key = shares.then(|| {
                let next = round.draw(&rounds.array.strokes()[stroke as usize]);
                rounds.key(&next, left - 1, &rounds.array.degrees(next.0[0])).0
            });
            if let Some(key) = key {
                // The first must be searched before the others are worth a look, by whom ever.
                if at > from && rounds.table.is_busy(key) {
                    self.moves[put_off] = self.moves[at];
                    put_off += 1;
                    continue;
                }
                rounds.table.set_busy(key, true);
            }
            let does_it = self.does_it(round, left, goal, degrees, stroke);
            if let Some(key) = key {
                rounds.table.set_busy(key, false);
            }
            if does_it {
                return Some(stroke);
            }
            if self.stopped {
                return None;
            }
        }
        for at in from..put_off {
            let stroke = self.moves[at].stroke;
            if self.does_it(round, left, goal, degrees, stroke) {
                return Some(stroke);
            }
        }
        None
    }

    /// Whether a segment brings the side to move what it wants.
    fn does_it(
        &mut self,
        round: &Packed<W>,
        left: u32,
        goal: i32,
        degrees: &Degrees<W>,
        stroke: u16,
    ) -> bool {
        let stroke = &self.rounds.array.strokes()[stroke as usize];
        let goal = goal - degrees.gain(stroke) as i32;
        let reached = self.reaches(&round.draw(stroke), left - 1, goal);
        !self.stopped && reached == self.rounds.is_offense(left)
    }

    /// Where in the history a segment stands.
    fn place(&mut self, left: u32, stroke: u16) -> usize {
        let strokes = self.rounds.array.strokes().len();
        let needed = strokes * (left as usize + 1);
        if self.history.len() < needed {
            self.history.resize(needed, 0);
        }
        strokes * left as usize + stroke as usize
    }

    /// Lists the moves that are worth a try, but for the one that was tried first.
    fn list(
        &mut self,
        round: &Packed<W>,
        left: u32,
        goal: i32,
        degrees: &Degrees<W>,
        first: Option<u16>,
    ) {
        let array = &self.rounds.array;
        let is_offense = self.rounds.is_offense(left);
        let threats = Threats::new(self.rounds, round, left, goal, degrees);
        let base = self.place(left, 0);
        for (number, stroke) in array.strokes().iter().enumerate() {
            if first == Some(number as u16) || !round.takes(stroke) || !threats.are_met_by(stroke) {
                continue;
            }
            let gain = degrees.gain(stroke);
            if !is_offense && gain as i32 >= goal {
                continue;
            }
            // By what it gains, by how often it was the one, and for the offense long ones: to draw
            // much is to prepare much.
            let [gain, dots] = if is_offense { [gain, stroke.dots] } else { [!gain, !stroke.dots] };
            let often = self.history[base + number];
            let promise = u64::from(gain as u8) << 40 | u64::from(often) << 8;
            let promise = promise | u64::from(dots as u8);
            self.moves.push(Draw { promise, stroke: number as u16 });
        }
    }

    /// Whether the others, who draw once more before the offense draws its last, can keep it from its
    /// goal.
    fn can_block(&mut self, round: &Packed<W>, left: u32, goal: i32, degrees: &Degrees<W>) -> bool {
        let array = &self.rounds.array;
        let threats = Threats::new(self.rounds, round, left, goal, degrees);
        // The shortest first: they change the least.
        for stroke in array.strokes().iter().rev() {
            if !round.takes(stroke) || !threats.are_met_by(stroke) {
                continue;
            }
            let goal = goal - degrees.gain(stroke) as i32;
            if goal <= 0 {
                continue;
            }
            let image = round.0[0] | stroke.images[0];
            let degrees = array.degrees(image);
            if array.can_gain(image, &degrees, goal as u32) {
                continue;
            }
            if array.stays_quiet(image, &degrees, left - 2)
                || !self.reaches(&round.draw(stroke), left - 1, goal)
            {
                return !self.stopped;
            }
        }
        false
    }
}

/// Segments with which the offense, which draws next, would have its goal at once. Whoever draws before
/// has to be in the way of all of them: what else there is can only help.
struct Threats<W> {
    drawn: [W; THREATS],
    count: usize,
}

impl<W: Word> Threats<W> {
    fn new(
        rounds: &Rounds<W>,
        round: &Packed<W>,
        left: u32,
        goal: i32,
        degrees: &Degrees<W>,
    ) -> Threats<W> {
        let array = &rounds.array;
        let mut threats = Threats { drawn: [W::default(); THREATS], count: 0 };
        let is_next = !rounds.is_offense(left) && left > 1 && rounds.is_offense(left - 1);
        let goal = goal as u32;
        if !is_next || !array.can_gain(round.0[0], degrees, goal) {
            return threats;
        }
        // The longest come first; none gains more than it has dots.
        let strokes = array.strokes().iter().take_while(|stroke| stroke.dots >= goal);
        let threatening =
            strokes.filter(|stroke| round.takes(stroke) && degrees.gain(stroke) >= goal);
        for (place, stroke) in threats.drawn.iter_mut().zip(threatening) {
            *place = stroke.images[0];
            threats.count += 1;
        }
        threats
    }

    /// Whether none of them can be drawn after this one.
    fn are_met_by(&self, stroke: &Stroke<W>) -> bool {
        self.drawn[..self.count].iter().all(|&threat| threat & stroke.images[0] != W::default())
    }
}
