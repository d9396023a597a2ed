//! Arbitrary points, as masks of pairs: only the crossings of pairs matter.

use super::point_set::{Cycle, Join, PointSet, has_points, path, priority, tree};
use crate::bits::bits;
use quadrille_rules::join_the_dots::{Edge, JoinTheDots, Point, cross};

/// The maximum number of points that can be packed. A key has one bit for each pair of points.
pub const MAX_POINTS: usize = 16;
const PAIRS: usize = MAX_POINTS * (MAX_POINTS - 1) / 2;

/// A set of points, with one bit for each.
type PointMask = u16;
/// A set of pairs, with one bit for each.
type Pairs = u128;

/// The crossings of all pairs of points.
pub struct Scattered {
    /// The game's numbers of the points.
    numbers: Vec<u8>,
    points: Vec<Point>,
    /// All points.
    whole: PointMask,
    /// All pairs.
    all: Pairs,
    ends: [[u8; 2]; PAIRS],
    pair: [[u8; MAX_POINTS]; MAX_POINTS],
    /// The pairs that each pair crosses.
    crossing: [Pairs; PAIRS],
    /// The pairs with an end in a set of points, for each set of the lower eight points and each set of the upper
    /// eight.
    touching: [[Pairs; 256]; 2],
}

/// A position. The first two fields determine the other fields.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ScatteredState {
    left: PointMask,
    lines: Pairs,
    /// A [ring](Scattered::ring) of the removed points.
    gone: Pairs,
    joinable: Pairs,
    /// The pairs that can be joined and would close a cycle.
    closing: Pairs,
    /// The points joined to each point.
    joined: [PointMask; MAX_POINTS],
    /// The points in the tree of each point.
    tree: [PointMask; MAX_POINTS],
}

impl Scattered {
    /// Packs the remaining points, if they are not too many.
    pub fn new(position: &JoinTheDots) -> Option<Scattered> {
        let numbers: Vec<u8> = position.points_left().collect();
        if numbers.len() > MAX_POINTS {
            return None;
        }
        let points: Vec<_> = numbers.iter().filter_map(|&number| position.point(number)).collect();
        let count = points.len() * points.len().saturating_sub(1) / 2;
        let mut point_set = Scattered {
            numbers,
            whole: ((1_u32 << points.len()) - 1) as PointMask,
            points,
            all: (1 << count) - 1,
            ends: [[0; 2]; PAIRS],
            pair: [[0; MAX_POINTS]; MAX_POINTS],
            crossing: [0; PAIRS],
            touching: [[0; 256]; 2],
        };
        let mut next = 0;
        for b in 1..MAX_POINTS {
            for a in 0..b {
                point_set.ends[next] = [a as u8, b as u8];
                point_set.pair[a][b] = next as u8;
                point_set.pair[b][a] = next as u8;
                next += 1;
            }
        }
        for pair in 0..count {
            let [a, b] = point_set.ends[pair].map(|end| point_set.points[end as usize]);
            for other in 0..count {
                let [c, d] = point_set.ends[other].map(|end| point_set.points[end as usize]);
                point_set.crossing[pair] |= Pairs::from(cross(a, b, c, d)) << other;
            }
        }
        for (half, sets) in point_set.touching.iter_mut().enumerate() {
            for (set, pairs) in sets.iter_mut().enumerate() {
                let points = set << (8 * half);
                for (pair, ends) in point_set.ends[..count].iter().enumerate() {
                    let touches = ends.iter().any(|end| points >> end & 1 == 1);
                    *pairs |= Pairs::from(touches) << pair;
                }
            }
        }
        Some(point_set)
    }

    fn place(&self, number: u8) -> Option<usize> {
        self.numbers.iter().position(|&other| other == number)
    }

    /// Computes the state with these points and lines from scratch.
    fn state(&self, left: PointMask, lines: Pairs) -> ScatteredState {
        let gone = self.ring(self.whole & !left);
        let mut state = ScatteredState {
            left,
            lines,
            gone,
            joinable: 0,
            closing: 0,
            joined: [0; MAX_POINTS],
            tree: [0; MAX_POINTS],
        };
        for pair in bits(lines) {
            let [a, b] = self.ends[pair];
            state.joined[a as usize] |= 1 << b;
            state.joined[b as usize] |= 1 << a;
        }
        self.survey(&mut state);
        state
    }

    /// Returns the pairs that join these points in order to a ring. Lines on the board never form a ring, and no line
    /// ends on a removed point, so the lines together with a ring of the removed points identify the position. The
    /// smallest cycle has three points, so the number of removed points is either zero or at least three.
    fn ring(&self, points: PointMask) -> Pairs {
        if points == 0 {
            return 0;
        }
        let first = points.trailing_zeros() as usize;
        let (mut ring, mut last) = (0, first);
        for next in bits(points & (points - 1)) {
            ring |= 1 << self.pair[last][next];
            last = next;
        }
        ring | 1 << self.pair[last][first]
    }

    /// Finds the trees and the pairs that can be joined.
    fn survey(&self, state: &mut ScatteredState) {
        let mut shut = self.touching(!state.left) | state.lines;
        for pair in bits(state.lines) {
            shut |= self.crossing[pair];
        }
        state.joinable = self.all & !shut;
        state.closing = 0;
        state.tree = [0; MAX_POINTS];
        let mut rest = state.left;
        while rest != 0 {
            let joined = |point: usize| state.joined[point].into();
            let tree = tree(rest.trailing_zeros() as usize, joined) as PointMask;
            rest &= !tree;
            for point in bits(tree) {
                state.tree[point] = tree;
                state.closing |= self.touching(1 << point) & self.touching(tree & !(1 << point));
            }
        }
        state.closing &= state.joinable;
    }

    fn touching(&self, points: PointMask) -> Pairs {
        let [low, high] = points.to_le_bytes();
        self.touching[0][low as usize] | self.touching[1][high as usize]
    }

    /// Returns the points of the cycle that a pair within a tree closes.
    fn cycle(&self, state: &ScatteredState, pair: usize) -> PointMask {
        let ends = self.ends[pair].map(usize::from);
        path(state.tree[ends[0]].into(), ends, |point| state.joined[point].into()) as PointMask
    }

    /// Returns the number of lines between two points of a tree.
    fn distance(state: &ScatteredState, from: usize, to: usize) -> i32 {
        let mut reached: PointMask = 1 << from;
        let (mut edge, mut steps) = (reached, 0);
        while edge >> to & 1 == 0 && edge != 0 {
            let next = bits(edge).fold(0, |next, point| next | state.joined[point]);
            edge = next & !reached;
            reached |= edge;
            steps += 1;
        }
        steps
    }

    /// Returns whether one of these pairs would close a cycle of at least `many` points after a line joins `a`, in the
    /// tree `one`, to `b`, in a different tree.
    fn closes(
        &self,
        state: &ScatteredState,
        pairs: Pairs,
        [a, b]: [u8; 2],
        one: PointMask,
        many: i32,
    ) -> bool {
        bits(pairs).any(|pair| {
            let [p, q] = self.ends[pair].map(usize::from);
            let (p, q) = if one >> p & 1 == 1 { (p, q) } else { (q, p) };
            let lines =
                Self::distance(state, p, a as usize) + Self::distance(state, q, b as usize) + 1;
            lines + 1 >= many
        })
    }
}

impl PointSet for Scattered {
    type State = ScatteredState;

    fn pack(&self, position: &JoinTheDots) -> Option<ScatteredState> {
        if !has_points(position, &self.numbers, &self.points) {
            return None;
        }
        let mut left = 0;
        for number in position.points_left() {
            left |= 1 << self.place(number)?;
        }
        let mut lines = 0;
        for line in position.lines() {
            let [a, b] = line.ends().map(|end| self.place(end));
            lines |= 1 << self.pair[a?][b?];
        }
        Some(self.state(left, lines))
    }

    fn mv(&self, _: &JoinTheDots, _: &ScatteredState, line: Edge) -> Option<u16> {
        let [a, b] = line.ends().map(|end| self.place(end));
        Some(self.pair[a?][b?].into())
    }

    fn line(&self, _: &JoinTheDots, _: &ScatteredState, mv: u16) -> Option<Edge> {
        let [a, b] = self.ends.get(mv as usize)?.map(|end| self.numbers[end as usize]);
        Some(Edge::new(a, b))
    }

    fn left(&self, state: &ScatteredState) -> i32 {
        state.left.count_ones() as i32
    }

    fn key(&self, state: &ScatteredState) -> u128 {
        state.lines | state.gone
    }

    fn cycles(&self, state: &ScatteredState, out: &mut Vec<Cycle>) {
        for pair in bits(state.closing) {
            let points = self.cycle(state, pair);
            let size = points.count_ones() as i32;
            out.push(Cycle { mv: pair as u16, points: points.into(), size });
        }
    }

    fn lines_beside(&self, state: &ScatteredState, points: u32) -> u32 {
        (state.lines & !self.touching(points as PointMask)).count_ones()
    }

    fn close(&self, state: &ScatteredState, cycle: &Cycle) -> ScatteredState {
        let cycle = cycle.points as PointMask;
        let mut next = *state;
        next.left &= !cycle;
        next.lines &= !self.touching(cycle);
        next.gone = self.ring(self.whole & !next.left);
        for point in bits(state.left) {
            next.joined[point] =
                if cycle >> point & 1 == 1 { 0 } else { next.joined[point] & !cycle };
        }
        self.survey(&mut next);
        next
    }

    fn key_closed(&self, state: &ScatteredState, cycle: &Cycle) -> u128 {
        let cycle = cycle.points as PointMask;
        state.lines & !self.touching(cycle) | self.ring(self.whole & !(state.left & !cycle))
    }

    fn joins(&self, state: &ScatteredState, many: i32, out: &mut Vec<Join>) {
        let mut touching = [0; MAX_POINTS];
        let mut rest = state.left;
        while rest != 0 {
            let tree = state.tree[rest.trailing_zeros() as usize];
            let pairs = self.touching(tree);
            bits(tree).for_each(|point| touching[point] = pairs);
            rest &= !tree;
        }
        let large =
            |&pair: &usize| many <= 3 || self.cycle(state, pair).count_ones() as i32 >= many;
        let large = bits(state.closing).filter(large).fold(0, |set, pair| set | 1 << pair);
        for pair in bits(state.joinable & !state.closing) {
            let ends = self.ends[pair];
            let [a, b] = ends.map(usize::from);
            let joinable = state.joinable & !(self.crossing[pair] | 1 << pair);
            let fresh = touching[a] & touching[b] & joinable;
            if large & joinable != 0 || fresh != 0 && many <= 3 {
                continue;
            }
            let [one, other] = [state.tree[a], state.tree[b]];
            let size = (one | other).count_ones();
            if fresh != 0 && size as i32 >= many && self.closes(state, fresh, ends, one, many) {
                continue;
            }
            let offered = (state.closing & joinable | fresh).count_ones();
            let shut = (state.joinable & !joinable).count_ones();
            out.push(Join { mv: pair as u16, priority: priority(shut, size, offered) });
        }
    }

    fn join(&self, state: &ScatteredState, mv: u16) -> ScatteredState {
        let mut next = *state;
        let pair = mv as usize;
        let [a, b] = self.ends[pair].map(usize::from);
        let [one, other] = [state.tree[a], state.tree[b]];
        next.lines |= 1 << pair;
        next.joinable &= !(self.crossing[pair] | 1 << pair);
        next.closing = (state.closing | self.touching(one) & self.touching(other)) & next.joinable;
        next.joined[a] |= 1 << b;
        next.joined[b] |= 1 << a;
        for point in bits(one | other) {
            next.tree[point] = one | other;
        }
        next
    }
}
