//! The corners of a convex polygon, for which only their order around it matters.
//!
//! Positions that are equal up to rotation and reflection therefore have the same state, which stores only the number
//! of removed points.

use super::point_set::{Cycle, Join, PointSet, has_points, path, priority, tree};
use crate::bits::bits;
use crate::minimax::after;
use quadrille_rules::Position;
use quadrille_rules::join_the_dots::{Edge, JoinTheDots, Point, orientation};
use std::cmp::Ordering;

/// The maximum number of points that can be packed.
pub const MAX_POINTS: usize = 24;

/// A set of points, with one bit for each, in order around the polygon.
type PolygonMask = u32;

/// The points in order around the polygon.
pub struct Convex {
    /// The game's numbers of the points.
    numbers: Vec<u8>,
    points: Vec<Point>,
}

/// A position, in a normal form under the symmetries of the polygon.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ConvexState {
    left: usize,
    key: u128,
    /// The points joined to each point.
    joined: [PolygonMask; MAX_POINTS],
    /// The points that can be joined to each point.
    joinable: [PolygonMask; MAX_POINTS],
    /// The points in the tree of each point.
    tree: [PolygonMask; MAX_POINTS],
}

impl Convex {
    /// Packs the remaining points, if they are the corners of a convex polygon and not too many.
    pub fn new(position: &JoinTheDots) -> Option<Convex> {
        let numbers = round(position).filter(|numbers| numbers.len() <= MAX_POINTS)?;
        let points = numbers.iter().filter_map(|&number| position.point(number)).collect();
        Some(Convex { numbers, points })
    }
}

/// Returns the numbers of the remaining points, in order around the polygon, if they are the corners of a convex
/// polygon.
pub fn round(position: &JoinTheDots) -> Option<Vec<u8>> {
    let at = |number: u8| position.point(number);
    let mut round: Vec<u8> = position.points_left().collect();
    // Seen from the leftmost point, all other points lie within half a turn, so they can be sorted by angle.
    round.sort_by_key(|&number| at(number));
    let first = at(*round.first()?)?;
    round[1..].sort_by(|&a, &b| match (at(a), at(b)) {
        (Some(a), Some(b)) => 0.cmp(&orientation(first, a, b)),
        _ => Ordering::Equal,
    });
    let points: Vec<Point> = round.iter().filter_map(|&number| at(number)).collect();
    let count = points.len();
    let convex = (0..count).all(|i| {
        let [a, b, c] = [0, 1, 2].map(|step| points[(i + step) % count]);
        count < 3 || orientation(a, b, c) > 0
    });
    convex.then_some(round)
}

fn state(joined: &[PolygonMask]) -> ConvexState {
    let count = joined.len();
    let (seen, place) = first(joined);
    let mut state = ConvexState {
        left: count,
        key: 1,
        joined: [0; MAX_POINTS],
        joinable: [0; MAX_POINTS],
        tree: [0; MAX_POINTS],
    };
    for point in 0..count {
        let lines = seen[(place + point) % count];
        state.joined[point] = turn(lines, point, count);
        // Writes the lines as brackets: first the lines that end at this point, then the lines that begin here.
        let later = (state.joined[point] >> point).count_ones();
        for brackets in [lines.count_ones() - later, later] {
            state.key = (state.key << brackets | ((1 << brackets) - 1)) << 1;
        }
    }
    survey(&mut state);
    state
}

/// Returns the normal form, and the point at which it begins. The normal form lists, for each point, the set of steps
/// around the polygon to the points joined to it. It is the least list over all first points and both directions.
fn first(joined: &[PolygonMask]) -> ([PolygonMask; MAX_POINTS], usize) {
    let count = joined.len();
    let (mut one, mut other) = ([0; MAX_POINTS], [0; MAX_POINTS]);
    for point in 0..count {
        let steps = turn(joined[point], count - point, count);
        one[point] = steps;
        for step in bits(steps) {
            other[count - 1 - point] |= 1 << (count - step);
        }
    }
    let less = |(a, at): (&[PolygonMask; MAX_POINTS], usize),
                (b, from): (&[PolygonMask; MAX_POINTS], usize)| {
        let steps = (0..count).map(|step| (a[(at + step) % count], b[(from + step) % count]));
        steps.into_iter().find(|(a, b)| a != b).is_some_and(|(a, b)| a < b)
    };
    let mut best = (&one, 0);
    for seen in [&one, &other] {
        for place in 0..count {
            if less((seen, place), best) {
                best = (seen, place);
            }
        }
    }
    (*best.0, best.1)
}

/// Rotates a set of points by some steps around a polygon with `count` corners.
fn turn(points: PolygonMask, steps: usize, count: usize) -> PolygonMask {
    let all = (1 << count) - 1;
    let steps = steps % count;
    (points << steps | points >> (count - steps)) & all
}

/// Finds the trees and the points that can be joined.
fn survey(state: &mut ConvexState) {
    let all: PolygonMask = (1 << state.left) - 1;
    let mut rest = all;
    while rest != 0 {
        let tree = tree(rest.trailing_zeros() as usize, |point| state.joined[point]);
        rest &= !tree;
        bits(tree).for_each(|point| state.tree[point] = tree);
    }
    for point in 0..state.left {
        state.joinable[point] = all & !(state.joined[point] | 1 << point);
    }
    for a in 0..state.left {
        for b in bits(state.joined[a] >> a << a) {
            shut(&mut state.joinable[..state.left], a, b);
        }
    }
}

/// Removes from `joinable` all joins that would cross the line from `a` to `b`.
fn shut(joinable: &mut [PolygonMask], a: usize, b: usize) {
    let ends = 1 << a | 1 << b;
    let between = beyond(a, b);
    for (point, joinable) in joinable.iter_mut().enumerate() {
        if between >> point & 1 == 1 {
            *joinable &= between | ends;
        } else if ends >> point & 1 == 0 {
            *joinable &= !between;
        }
    }
}

/// Returns the points with numbers between `a` and `b`.
fn beyond(a: usize, b: usize) -> PolygonMask {
    let (low, high) = if a < b { (a, b) } else { (b, a) };
    (1 << high) - (1 << (low + 1))
}

fn cross([a, b]: [usize; 2], [c, d]: [usize; 2]) -> bool {
    let (between, ends) = (beyond(a, b), 1 << a | 1 << b);
    (1_u32 << c | 1 << d) & ends == 0 && (between >> c & 1) != (between >> d & 1)
}

fn mv([a, b]: [usize; 2]) -> u16 {
    (a << 5 | b) as u16
}

fn ends(mv: u16) -> [usize; 2] {
    [mv as usize >> 5, mv as usize & 31]
}

impl ConvexState {
    /// Returns the pairs of points that can be joined, either within a tree or between two trees.
    fn pairs(&self, within: bool) -> impl Iterator<Item = [usize; 2]> {
        (0..self.left).flat_map(move |a| {
            let tree = if within { self.tree[a] } else { !self.tree[a] };
            bits(self.joinable[a] & tree & !((2 << a) - 1)).map(move |b| [a, b])
        })
    }

    fn path(&self, ends: [usize; 2]) -> PolygonMask {
        path(self.tree[ends[0]], ends, |point| self.joined[point])
    }
}

impl PointSet for Convex {
    type State = ConvexState;

    fn pack(&self, position: &JoinTheDots) -> Option<ConvexState> {
        if !has_points(position, &self.numbers, &self.points) {
            return None;
        }
        let is_left = |&&number: &&u8| position.points_left().any(|left| left == number);
        let left: Vec<u8> = self.numbers.iter().filter(is_left).copied().collect();
        if left.len() != position.points_left().count() {
            return None;
        }
        let mut joined = [0; MAX_POINTS];
        for line in position.lines() {
            let [a, b] = line.ends().map(|end| left.iter().position(|&number| number == end));
            let (a, b) = (a?, b?);
            joined[a] |= 1 << b;
            joined[b] |= 1 << a;
        }
        Some(state(&joined[..left.len()]))
    }

    fn mv(&self, position: &JoinTheDots, state: &ConvexState, line: Edge) -> Option<u16> {
        let key = self.pack(&after(position, line))?.key;
        self.moves(state).into_iter().find(|&mv| self.play(state, mv).0.key == key)
    }

    fn line(&self, position: &JoinTheDots, state: &ConvexState, mv: u16) -> Option<Edge> {
        let key = self.play(state, mv).0.key;
        let comes_to = |line: Edge| self.pack(&after(position, line)).map(|state| state.key);
        position.legal_moves().into_iter().find(|&line| comes_to(line) == Some(key))
    }

    fn left(&self, state: &ConvexState) -> i32 {
        state.left as i32
    }

    /// Non-crossing lines are matching brackets in the list of points. With a separator after each group of brackets,
    /// the key takes less than four bits per point.
    fn key(&self, state: &ConvexState) -> u128 {
        state.key
    }

    fn cycles(&self, state: &ConvexState, out: &mut Vec<Cycle>) {
        for pair in state.pairs(true) {
            let points = state.path(pair);
            out.push(Cycle { mv: mv(pair), points, size: points.count_ones() as i32 });
        }
    }

    fn lines_beside(&self, state: &ConvexState, points: u32) -> u32 {
        let beside = (0..state.left).filter(|point| points >> point & 1 == 0);
        beside.map(|point| (state.joined[point] & !points).count_ones()).sum::<u32>() / 2
    }

    fn close(&self, before: &ConvexState, cycle: &Cycle) -> ConvexState {
        let mut joined = [0; MAX_POINTS];
        let mut count = 0;
        // Point numbers above each removed point fall by one, beginning with the highest removed point.
        let gone: Vec<usize> = bits(cycle.points).collect();
        for point in (0..before.left).filter(|point| cycle.points >> point & 1 == 0) {
            let lines = before.joined[point] & !cycle.points;
            joined[count] = gone.iter().rev().fold(lines, |lines, &gone| {
                let below = (1 << gone) - 1;
                lines & below | lines >> 1 & !below
            });
            count += 1;
        }
        state(&joined[..count])
    }

    fn joins(&self, state: &ConvexState, many: i32, out: &mut Vec<Join>) {
        let closing: Vec<[usize; 2]> = state.pairs(true).collect();
        let size = |pair: [usize; 2]| state.path(pair).count_ones() as i32;
        let large: Vec<[usize; 2]> =
            closing.iter().copied().filter(|&pair| many <= 3 || size(pair) >= many).collect();
        let mut joinable = [0; MAX_POINTS];
        for pair @ [a, b] in state.pairs(false) {
            if large.iter().any(|&other| !cross(pair, other)) {
                continue;
            }
            let [one, other] = [state.tree[a], state.tree[b]];
            joinable[..state.left].copy_from_slice(&state.joinable[..state.left]);
            shut(&mut joinable[..state.left], a, b);
            joinable[a] &= !(1 << b);
            let fresh: u32 = bits(one).map(|point| (joinable[point] & other).count_ones()).sum();
            if fresh > 0 {
                let joined = bits(one).any(|p| {
                    bits(joinable[p] & other)
                        .any(|q| many <= 3 || size([p, a]) + size([q, b]) >= many)
                });
                if joined {
                    continue;
                }
            }
            let left = |set: &[PolygonMask; MAX_POINTS]| {
                set[..state.left].iter().map(|joinable| joinable.count_ones()).sum::<u32>() / 2
            };
            let kept = closing.iter().filter(|&&other| !cross(pair, other)).count() as u32;
            let shut = left(&state.joinable) - left(&joinable);
            let priority = priority(shut, (one | other).count_ones(), kept + fresh);
            out.push(Join { mv: mv(pair), priority });
        }
    }

    fn join(&self, before: &ConvexState, mv: u16) -> ConvexState {
        let [a, b] = ends(mv);
        let mut joined = before.joined;
        joined[a] |= 1 << b;
        joined[b] |= 1 << a;
        state(&joined[..before.left])
    }
}
