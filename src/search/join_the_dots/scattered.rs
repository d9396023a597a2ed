//! Points anywhere, in bit masks of pairs: only which pairs cross matters.

use super::arena::{Arena, Cycle, Join, bits, promise};
use crate::rules::join_the_dots::{JoinTheDots, Line, Point, cross};

/// The most points that are packed: their pairs are the bits of a key.
pub const MOST: usize = 16;
const PAIRS: usize = MOST * (MOST - 1) / 2;

/// A set of points, a bit for each.
type Points = u16;
/// A set of pairs, a bit for each.
type Pairs = u128;

/// Which pairs of the points cross.
pub struct Scattered {
    /// The numbers the points have in the game.
    numbers: Vec<u8>,
    points: Vec<Point>,
    /// All of these points.
    whole: Points,
    /// All pairs of these points.
    all: Pairs,
    /// The points of each pair.
    ends: [[u8; 2]; PAIRS],
    /// The pair of two points.
    pair: [[u8; MOST]; MOST],
    /// The pairs each pair crosses.
    crossing: [Pairs; PAIRS],
    /// The pairs with an end in a set of points: the lower eight of them, and the upper eight.
    touching: [[Pairs; 256]; 2],
}

/// A position of which nothing is known but the points left and the lines; all else follows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct State {
    left: Points,
    lines: Pairs,
    /// A ring of the points that are gone.
    gone: Pairs,
    /// The pairs that can be joined.
    open: Pairs,
    /// Those of them that close a cycle.
    closing: Pairs,
    /// The points each point is joined with.
    joined: [Points; MOST],
    /// The tree each point is in.
    tree: [Points; MOST],
}

impl Scattered {
    /// Packs the points that are left, if they are not too many.
    pub fn new(position: &JoinTheDots) -> Option<Scattered> {
        let numbers: Vec<u8> = position.points_left().collect();
        if numbers.len() > MOST {
            return None;
        }
        let points: Vec<_> = numbers.iter().filter_map(|&number| position.point(number)).collect();
        let count = points.len() * points.len().saturating_sub(1) / 2;
        let mut arena = Scattered {
            numbers,
            whole: ((1_u32 << points.len()) - 1) as Points,
            points,
            all: (1 << count) - 1,
            ends: [[0; 2]; PAIRS],
            pair: [[0; MOST]; MOST],
            crossing: [0; PAIRS],
            touching: [[0; 256]; 2],
        };
        let mut next = 0;
        for b in 1..MOST {
            for a in 0..b {
                arena.ends[next] = [a as u8, b as u8];
                arena.pair[a][b] = next as u8;
                arena.pair[b][a] = next as u8;
                next += 1;
            }
        }
        for pair in 0..count {
            let [a, b] = arena.ends[pair].map(|end| arena.points[end as usize]);
            for other in 0..count {
                let [c, d] = arena.ends[other].map(|end| arena.points[end as usize]);
                arena.crossing[pair] |= Pairs::from(cross(a, b, c, d)) << other;
            }
        }
        for (half, sets) in arena.touching.iter_mut().enumerate() {
            for (set, pairs) in sets.iter_mut().enumerate() {
                let points = set << (8 * half);
                for (pair, ends) in arena.ends[..count].iter().enumerate() {
                    let touches = ends.iter().any(|end| points >> end & 1 == 1);
                    *pairs |= Pairs::from(touches) << pair;
                }
            }
        }
        Some(arena)
    }

    fn place(&self, number: u8) -> Option<usize> {
        self.numbers.iter().position(|&other| other == number)
    }

    /// The state with these points and lines, counted afresh.
    fn state(&self, left: Points, lines: Pairs) -> State {
        let gone = self.ring(self.whole & !left);
        let mut state =
            State { left, lines, gone, open: 0, closing: 0, joined: [0; MOST], tree: [0; MOST] };
        for pair in bits(lines) {
            let [a, b] = self.ends[pair];
            state.joined[a as usize] |= 1 << b;
            state.joined[b as usize] |= 1 << a;
        }
        self.survey(&mut state);
        state
    }

    /// The pairs that join these points to a ring, in their order. Lines on the board never make a ring, and
    /// have no end on a point that is gone, so the lines and the ring of those points tell all positions
    /// apart. One or two points, which no cycle can leave behind, are never gone alone.
    fn ring(&self, points: Points) -> Pairs {
        if points == 0 {
            return 0;
        }
        let first = points.trailing_zeros() as usize;
        let (mut ring, mut last) = (0, first);
        for next in bits((points & (points - 1)).into()) {
            ring |= 1 << self.pair[last][next];
            last = next;
        }
        ring | 1 << self.pair[last][first]
    }

    /// Finds the trees, and what can be joined.
    fn survey(&self, state: &mut State) {
        let mut shut = self.touching(!state.left) | state.lines;
        for pair in bits(state.lines) {
            shut |= self.crossing[pair];
        }
        state.open = self.all & !shut;
        state.closing = 0;
        state.tree = [0; MOST];
        let mut rest = state.left;
        while rest != 0 {
            let mut tree = rest & rest.wrapping_neg();
            let mut edge = tree;
            while edge != 0 {
                let fresh = state.joined[edge.trailing_zeros() as usize] & !tree;
                edge = edge & (edge - 1) | fresh;
                tree |= fresh;
            }
            rest &= !tree;
            for point in bits(tree.into()) {
                state.tree[point] = tree;
                state.closing |= self.touching(1 << point) & self.touching(tree & !(1 << point));
            }
        }
        state.closing &= state.open;
    }

    /// The pairs with an end among these points.
    fn touching(&self, points: Points) -> Pairs {
        let [low, high] = points.to_le_bytes();
        self.touching[0][low as usize] | self.touching[1][high as usize]
    }

    /// The points of the cycle a pair within a tree closes.
    fn cycle(&self, state: &State, pair: usize) -> Points {
        let ends = self.ends[pair].iter().fold(0, |set, end| set | 1 << end);
        let mut path = state.tree[self.ends[pair][0] as usize];
        // Take away leaves until none is left but the two ends.
        loop {
            let before = path;
            for point in bits((path & !ends).into()) {
                let next = state.joined[point] & path;
                if next & next.wrapping_sub(1) == 0 {
                    path &= !(1 << point);
                }
            }
            if path == before {
                return path;
            }
        }
    }

    /// How many lines it is from one point of a tree to another.
    fn distance(state: &State, from: usize, to: usize) -> i32 {
        let mut reached: Points = 1 << from;
        let (mut edge, mut steps) = (reached, 0);
        while edge >> to & 1 == 0 && edge != 0 {
            let next = bits(edge.into()).fold(0, |next, point| next | state.joined[point]);
            edge = next & !reached;
            reached |= edge;
            steps += 1;
        }
        steps
    }

    /// Whether one of these pairs closes a cycle of `many` points once a line joins `a`, of the tree `one`,
    /// with `b`, of another.
    fn closes(&self, state: &State, pairs: Pairs, [a, b]: [u8; 2], one: Points, many: i32) -> bool {
        bits(pairs).any(|pair| {
            let [p, q] = self.ends[pair].map(usize::from);
            let (p, q) = if one >> p & 1 == 1 { (p, q) } else { (q, p) };
            let lines =
                Self::distance(state, p, a as usize) + Self::distance(state, q, b as usize) + 1;
            lines + 1 >= many
        })
    }
}

impl Arena for Scattered {
    type State = State;

    fn pack(&self, position: &JoinTheDots) -> Option<State> {
        let known = self.numbers.iter().zip(&self.points);
        if known.into_iter().any(|(&number, &point)| position.point(number) != Some(point)) {
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

    fn mv(&self, _: &JoinTheDots, _: &State, line: Line) -> Option<u16> {
        let [a, b] = line.ends().map(|end| self.place(end));
        Some(self.pair[a?][b?].into())
    }

    fn line(&self, _: &JoinTheDots, _: &State, mv: u16) -> Option<Line> {
        let [a, b] = self.ends.get(mv as usize)?.map(|end| self.numbers[end as usize]);
        Some(Line::new(a, b))
    }

    fn left(&self, state: &State) -> i32 {
        state.left.count_ones() as i32
    }

    fn key(&self, state: &State) -> u128 {
        state.lines | state.gone
    }

    fn cycles(&self, state: &State, out: &mut Vec<Cycle>) {
        for pair in bits(state.closing) {
            let points = self.cycle(state, pair);
            let size = points.count_ones() as i32;
            out.push(Cycle { mv: pair as u16, points: points.into(), size });
        }
    }

    fn lines_beside(&self, state: &State, points: u32) -> u32 {
        (state.lines & !self.touching(points as Points)).count_ones()
    }

    fn close(&self, state: &State, cycle: &Cycle) -> State {
        let cycle = cycle.points as Points;
        let mut next = *state;
        next.left &= !cycle;
        next.lines &= !self.touching(cycle);
        next.gone = self.ring(self.whole & !next.left);
        for point in bits(state.left.into()) {
            next.joined[point] =
                if cycle >> point & 1 == 1 { 0 } else { next.joined[point] & !cycle };
        }
        self.survey(&mut next);
        next
    }

    fn key_closed(&self, state: &State, cycle: &Cycle) -> u128 {
        let cycle = cycle.points as Points;
        state.lines & !self.touching(cycle) | self.ring(self.whole & !(state.left & !cycle))
    }

    fn joins(&self, state: &State, many: i32, out: &mut Vec<Join>) {
        let mut touching = [0; MOST];
        let mut rest = state.left;
        while rest != 0 {
            let tree = state.tree[rest.trailing_zeros() as usize];
            let pairs = self.touching(tree);
            bits(tree.into()).for_each(|point| touching[point] = pairs);
            rest &= !tree;
        }
        let large =
            |&pair: &usize| many <= 3 || self.cycle(state, pair).count_ones() as i32 >= many;
        let large = bits(state.closing).filter(large).fold(0, |set, pair| set | 1 << pair);
        for pair in bits(state.open & !state.closing) {
            let ends = self.ends[pair];
            let [a, b] = ends.map(usize::from);
            let open = state.open & !(self.crossing[pair] | 1 << pair);
            let fresh = touching[a] & touching[b] & open;
            if large & open != 0 || fresh != 0 && many <= 3 {
                continue;
            }
            let [one, other] = [state.tree[a], state.tree[b]];
            let size = (one | other).count_ones();
            if fresh != 0 && size as i32 >= many && self.closes(state, fresh, ends, one, many) {
                continue;
            }
            let offered = (state.closing & open | fresh).count_ones();
            let shut = (state.open & !open).count_ones();
            out.push(Join { mv: pair as u16, promise: promise(shut, size, offered) });
        }
    }

    fn join(&self, state: &State, mv: u16) -> State {
        let mut next = *state;
        let pair = mv as usize;
        let [a, b] = self.ends[pair].map(usize::from);
        let [one, other] = [state.tree[a], state.tree[b]];
        next.lines |= 1 << pair;
        next.open &= !(self.crossing[pair] | 1 << pair);
        next.closing = (state.closing | self.touching(one) & self.touching(other)) & next.open;
        next.joined[a] |= 1 << b;
        next.joined[b] |= 1 << a;
        for point in bits((one | other).into()) {
            next.tree[point] = one | other;
        }
        next
    }
}
