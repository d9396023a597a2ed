//! The interface between the exact search and a packed set of points.

use crate::bits::bits;
use crate::minimax::after;
use quadrille_rules::join_the_dots::{Edge, JoinTheDots, Point};

/// A set of points, packed for the search. A [`State`](PointSet::State) is a position on these points. The sides
/// alternate, so a state need not store the side to move.
pub trait PointSet: Sync {
    /// The remaining points and the lines between them.
    type State: Clone + Sync;

    /// Packs a position if all of its remaining points are in this set.
    fn pack(&self, position: &JoinTheDots) -> Option<Self::State>;

    /// Converts a legal move to a packed move that is equal up to symmetry.
    fn mv(&self, position: &JoinTheDots, state: &Self::State, line: Edge) -> Option<u16>;

    /// Converts a packed move to a move of the game that is equal up to symmetry.
    fn line(&self, position: &JoinTheDots, state: &Self::State, mv: u16) -> Option<Edge>;

    /// Returns the number of remaining points.
    fn left(&self, state: &Self::State) -> i32;

    /// Returns the table key of a state, with at most [`KEY_BITS`](super::table::KEY_BITS) bits. States with equal keys
    /// have equal values.
    fn key(&self, state: &Self::State) -> u128;

    /// Appends all moves that close a cycle.
    fn cycles(&self, state: &Self::State, out: &mut Vec<Cycle>);

    /// Counts the lines that do not end on any of these points, a set with one bit for each point.
    fn lines_beside(&self, state: &Self::State, points: u32) -> u32;

    fn close(&self, state: &Self::State, cycle: &Cycle) -> Self::State;

    fn key_closed(&self, state: &Self::State, cycle: &Cycle) -> u128 {
        self.key(&self.close(state, cycle))
    }

    /// Appends the moves that join two trees, except those that let the opponent close a cycle of at least `many`
    /// points.
    fn joins(&self, state: &Self::State, many: i32, out: &mut Vec<Join>);

    fn join(&self, state: &Self::State, mv: u16) -> Self::State;

    fn moves(&self, state: &Self::State) -> Vec<u16> {
        let (mut cycles, mut joins) = (Vec::new(), Vec::new());
        if self.left(state) >= 3 {
            self.cycles(state, &mut cycles);
            self.joins(state, i32::MAX, &mut joins);
        }
        let cycles = cycles.into_iter().map(|cycle| cycle.mv);
        cycles.chain(joins.into_iter().map(|join| join.mv)).collect()
    }

    /// Plays a move, and returns the new state and the points gained.
    fn play(&self, state: &Self::State, mv: u16) -> (Self::State, i32) {
        let mut cycles = Vec::new();
        self.cycles(state, &mut cycles);
        match cycles.iter().find(|cycle| cycle.mv == mv) {
            Some(cycle) => (self.close(state, cycle), cycle.size),
            None => (self.join(state, mv), 0),
        }
    }

    /// Converts a line of packed moves to moves of the game.
    fn lines(&self, position: &JoinTheDots, state: &Self::State, moves: &[u16]) -> Vec<Edge> {
        let (mut position, mut state) = (position.clone(), state.clone());
        let mut lines = Vec::new();
        for &mv in moves {
            let Some(line) = self.line(&position, &state, mv) else { break };
            lines.push(line);
            position = after(&position, line);
            state = self.play(&state, mv).0;
        }
        lines
    }
}

/// A move that closes a cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cycle {
    pub mv: u16,
    /// The points of the cycle, one bit for each.
    pub points: u32,
    pub size: i32,
}

/// A move that joins two trees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Join {
    pub mv: u16,
    /// The priority of the move in move ordering; the greatest comes first.
    pub priority: i32,
}

/// Returns the priority of a move that joins two trees with `size` points in total, rules out `shut` other lines and
/// offers `offered` cycles. Moves that offer no cycle come first, sorted to prefer those that rule out many lines and
/// make small trees; the rest follow, beginning with those that offer few cycles.
pub fn priority(shut: u32, size: u32, offered: u32) -> i32 {
    let offers = if offered == 0 { 0 } else { 100 + 10 * offered as i32 };
    shut as i32 - 4 * size as i32 - offers
}

/// Returns whether these numbers and points match a position's figure.
pub fn has_points(position: &JoinTheDots, numbers: &[u8], points: &[Point]) -> bool {
    numbers.iter().zip(points).all(|(&number, &point)| position.point(number) == Some(point))
}

/// Returns the points in the tree of a point, one bit for each. `joined` returns the points joined to a point.
#[inline]
pub fn tree(point: usize, joined: impl Fn(usize) -> u32) -> u32 {
    let mut tree = 1 << point;
    let mut edge: u32 = tree;
    while edge != 0 {
        let fresh = joined(edge.trailing_zeros() as usize) & !tree;
        edge = edge & (edge - 1) | fresh;
        tree |= fresh;
    }
    tree
}

/// Returns the points on the path between two points of a tree, including both `ends`. Sets have one bit for each
/// point; `joined` returns the points joined to a point.
#[inline]
pub fn path(tree: u32, ends: [usize; 2], joined: impl Fn(usize) -> u32) -> u32 {
    let ends = 1 << ends[0] | 1 << ends[1];
    let mut path = tree;
    // Remove leaves until only the two ends are left as leaves.
    loop {
        let before = path;
        for point in bits(path & !ends) {
            let next = joined(point) & path;
            if next & next.wrapping_sub(1) == 0 {
                path &= !(1 << point);
            }
        }
        if path == before {
            return path;
        }
    }
}

#[cfg(test)]
pub mod tests {
    use super::super::convex::Convex;
    use super::super::scattered::{self, Scattered};
    use super::super::symmetry::Figures;
    use super::*;
    use crate::census::Symmetry;
    use quadrille_rules::Position;
    use std::collections::HashSet;

    pub fn start(setup: &str) -> JoinTheDots {
        JoinTheDots::from_setup(&setup.parse().unwrap()).unwrap()
    }

    /// Visits the positions of seeded random games that close cycles more often than by chance.
    pub fn walk(setup: &str, games: usize, seed: u64, mut visit: impl FnMut(&JoinTheDots)) {
        let mut rng = fastrand::Rng::with_seed(seed);
        for _ in 0..games {
            let mut position = start(setup);
            while position.outcome().is_none() {
                visit(&position);
                let moves = position.legal_moves();
                let closing = moves.iter().find(|&&mv| position.cycle_closed_by(mv).is_some());
                let mv = *closing.filter(|_| rng.bool()).or(rng.choice(&moves)).unwrap();
                position = after(&position, mv);
            }
        }
    }

    fn largest_answer(position: &JoinTheDots) -> i32 {
        let cycles =
            position.legal_moves().into_iter().filter_map(|mv| position.cycle_closed_by(mv));
        cycles.map(|cycle| cycle.len() as i32).max().unwrap_or_default()
    }

    /// Compares packed play with the rules: the moves, their gains, the resulting positions, and the omitted moves.
    fn hold_to_the_rules<A: PointSet>(point_set: &A, position: &JoinTheDots) {
        let state = point_set.pack(position).unwrap();
        assert_eq!(point_set.left(&state), position.points_left().count() as i32);
        assert_eq!(point_set.lines_beside(&state, 0), position.lines().len() as u32);
        let all = point_set.moves(&state);
        let mut own: Vec<u128> =
            all.iter().map(|&mv| point_set.key(&point_set.play(&state, mv).0)).collect();
        let packed = |position: &JoinTheDots| point_set.key(&point_set.pack(position).unwrap());
        let legal = position.legal_moves();
        let mut fresh: Vec<u128> = legal.iter().map(|&mv| packed(&after(position, mv))).collect();
        own.sort_unstable();
        fresh.sort_unstable();
        assert_eq!(own, fresh, "{position}");
        let mut cycles = Vec::new();
        point_set.cycles(&state, &mut cycles);
        for cycle in &cycles {
            let next = point_set.close(&state, cycle);
            assert_eq!(point_set.key_closed(&state, cycle), point_set.key(&next));
            assert_eq!(
                point_set.lines_beside(&state, cycle.points),
                point_set.lines_beside(&next, 0)
            );
            assert_eq!(point_set.left(&state) - cycle.size, point_set.left(&next));
        }
        for mv in legal {
            let own = point_set.mv(position, &state, mv).unwrap();
            let (next, gain) = point_set.play(&state, own);
            let size = position.cycle_closed_by(mv).map_or(0, |cycle| cycle.len() as i32);
            assert_eq!(gain, size, "{position} {mv}");
            assert_eq!(point_set.key(&next), packed(&after(position, mv)));
            let back = point_set.line(position, &state, own).unwrap();
            assert_eq!(packed(&after(position, back)), packed(&after(position, mv)));
        }
        for many in 3..=6 {
            let mut joins = Vec::new();
            point_set.joins(&state, many, &mut joins);
            for &mv in all.iter().filter(|&&mv| point_set.play(&state, mv).1 == 0) {
                let next = after(position, point_set.line(position, &state, mv).unwrap());
                let left_out = joins.iter().all(|join| join.mv != mv);
                assert_eq!(left_out, largest_answer(&next) >= many, "{position} {mv} {many}");
            }
        }
    }

    #[test]
    fn packed_play_follows_the_rules() {
        for setup in ["layout=random:16 seed=1", "layout=eight"] {
            let point_set = Scattered::new(&start(setup)).unwrap();
            walk(setup, 6, 1, |position| hold_to_the_rules(&point_set, position));
        }
        for setup in ["layout=circle:13", "layout=circle:7", "layout=circle:24"] {
            let point_set = Convex::new(&start(setup)).unwrap();
            walk(setup, if setup.ends_with("24") { 1 } else { 4 }, 2, |position| {
                hold_to_the_rules(&point_set, position);
            });
        }
        // Larger figures, once few enough points are left.
        walk("layout=random:40", 2, 3, |position| {
            if position.points_left().count() <= scattered::MAX_POINTS {
                hold_to_the_rules(&Scattered::new(position).unwrap(), position);
            }
        });
    }

    /// An incrementally updated state equals one computed from scratch.
    #[test]
    fn incremental_state_matches_packed_state() {
        let point_set = Scattered::new(&start("layout=random:14 seed=2")).unwrap();
        walk("layout=random:14 seed=2", 10, 4, |position| {
            let state = point_set.pack(position).unwrap();
            for mv in position.legal_moves() {
                let next = point_set.play(&state, point_set.mv(position, &state, mv).unwrap()).0;
                assert_eq!(Some(next), point_set.pack(&after(position, mv)), "{position} {mv}");
            }
        });
    }

    /// The number of distinct keys of all positions on a circle is the known number of positions, or, for convex
    /// figures, the number of classes that a census finds.
    #[test]
    fn each_position_has_a_unique_key() {
        fn reached<A: PointSet>(point_set: &A, position: &JoinTheDots) -> usize {
            let mut seen = HashSet::new();
            let mut to_visit = vec![point_set.pack(position).unwrap()];
            while let Some(state) = to_visit.pop() {
                if seen.insert(point_set.key(&state)) {
                    to_visit.extend(
                        point_set.moves(&state).iter().map(|&mv| point_set.play(&state, mv).0),
                    );
                }
            }
            seen.len()
        }
        for (count, positions) in (3..=7).zip([8, 38, 202, 1251, 8290]) {
            let position = start(&format!("layout=circle:{count}"));
            assert_eq!(reached(&Scattered::new(&position).unwrap(), &position), positions);
        }
        for count in 3..=6 {
            let position = start(&format!("layout=circle:{count}"));
            let mut figures = Figures::default();
            let (mut seen, mut classes) = (HashSet::new(), HashSet::new());
            let mut to_visit = vec![position.clone()];
            while let Some(position) = to_visit.pop() {
                let mut class = Vec::new();
                figures.class(&position, &mut class);
                classes.insert(class);
                if position.outcome().is_none() && seen.insert(position.clone()) {
                    to_visit
                        .extend(position.legal_moves().into_iter().map(|mv| after(&position, mv)));
                }
            }
            let round = Convex::new(&position).unwrap();
            assert_eq!(reached(&round, &position), classes.len(), "{count}");
        }
    }

    #[test]
    fn only_few_points_are_packed() {
        assert!(Scattered::new(&start("layout=random:17")).is_none());
        assert!(Convex::new(&start("layout=circle:25")).is_none());
        assert!(Convex::new(&start("layout=random:10")).is_none());
        let point_set = Scattered::new(&start("layout=random:10 seed=1")).unwrap();
        assert!(point_set.pack(&start("layout=random:10 seed=2")).is_none());
        assert!(
            Convex::new(&start("points="))
                .is_none_or(|point_set| point_set.pack(&start("points=")).is_some())
        );
    }
}
