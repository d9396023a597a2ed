//! Boards of up to 200 points, for random games and shallow searches.

use crate::bits::Words;
use quadrille_rules::join_the_dots::{Edge, JoinTheDots, Point, orientation};

/// A set of points, by index.
pub type Set = Words<4>;

/// The points on each side of the line through every two points. The rules need no other geometry.
pub struct Sides {
    points: Vec<Point>,
    /// The points to the left of the line from a to b, at index a · count + b.
    left: Vec<Set>,
}

impl Sides {
    /// Computes the orientation of all triples of points.
    pub fn new(points: &[Point]) -> Sides {
        let count = points.len();
        let mut left = vec![Set::NONE; count * count];
        for a in 0..count {
            for b in 0..a {
                for c in 0..b {
                    let turn = orientation(points[a], points[b], points[c]) > 0;
                    let [a, b] = if turn { [a, b] } else { [b, a] };
                    left[a * count + b].insert(c);
                    left[b * count + c].insert(a);
                    left[c * count + a].insert(b);
                }
            }
        }
        Sides { points: points.to_vec(), left }
    }

    /// Returns whether these are the sides of the given points.
    pub fn are_of(&self, points: &[Point]) -> bool {
        self.points == points
    }

    fn left(&self, a: usize, b: usize) -> Set {
        self.left[a * self.points.len() + b]
    }

    fn cross(&self, [a, b]: [usize; 2], [c, d]: [usize; 2]) -> bool {
        // An endpoint of a line is on neither side of it, so pairs with a common endpoint must be excluded separately.
        self.left(a, b).has(c) != self.left(a, b).has(d)
            && self.left(c, d).has(a) != self.left(c, d).has(b)
            && a != c
            && a != d
            && b != c
            && b != d
    }

    /// Returns the points that cannot be joined to `c` without crossing the line from `a` to `b`. `c` must lie to the
    /// left of that line.
    fn behind(&self, a: usize, b: usize, c: usize) -> Set {
        self.left(b, a) & self.left(c, a) & self.left(b, c)
    }
}

/// A move, as the indices of its two points.
pub type PointPair = [usize; 2];

/// Converts a move to a line of the game.
pub fn line([a, b]: PointPair) -> Edge {
    Edge::new(a as u8 + 1, b as u8 + 1)
}

/// A position, with the lines and trees as sets of points.
#[derive(Clone)]
pub struct UnpackedBoard<'a> {
    sides: &'a Sides,
    left: Set,
    /// The points joined to each point.
    joined: Vec<Set>,
    /// The points that can be joined to each point.
    joinable: Vec<Set>,
    /// The number of each point's tree.
    tree: Vec<u8>,
    /// The points of each tree, by its number.
    members: Vec<Set>,
}

/// A move, its gain in points, and the maximum gain of the opponent's answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exchange {
    pub pair: PointPair,
    pub gain: i32,
    pub answer: i32,
}

impl<'a> UnpackedBoard<'a> {
    /// Creates the board of a position whose points are those of `sides`.
    pub fn new(sides: &'a Sides, position: &JoinTheDots) -> UnpackedBoard<'a> {
        let count = sides.points.len();
        let mut board = UnpackedBoard {
            sides,
            left: Set::NONE,
            joined: vec![Set::NONE; count],
            joinable: vec![Set::NONE; count],
            tree: vec![0; count],
            members: vec![Set::NONE; count],
        };
        position.points_left().for_each(|number| board.left.insert(number as usize - 1));
        for line in position.lines() {
            let [a, b] = line.ends().map(|number| number as usize - 1);
            board.joined[a].insert(b);
            board.joined[b].insert(a);
        }
        board.survey();
        board
    }

    /// Copies a different board on the same points, without allocating.
    pub fn copy(&mut self, other: &UnpackedBoard<'a>) {
        self.left = other.left;
        self.joined.copy_from_slice(&other.joined);
        self.joinable.copy_from_slice(&other.joinable);
        self.tree.copy_from_slice(&other.tree);
        self.members.copy_from_slice(&other.members);
    }

    /// Returns the number of points of the map.
    pub fn points(&self) -> usize {
        self.joined.len()
    }

    /// Returns the remaining points.
    pub fn left(&self) -> Set {
        self.left
    }

    /// Returns the points that can be joined to a point.
    pub fn joinable(&self, point: usize) -> Set {
        self.joinable[point]
    }

    /// Returns all moves.
    pub fn moves(&self) -> impl Iterator<Item = PointPair> {
        self.left
            .iter()
            .flat_map(|a| self.joinable[a].iter().filter(move |&b| a < b).map(move |b| [a, b]))
    }

    /// Returns the moves that close a cycle.
    pub fn closings(&self) -> impl Iterator<Item = PointPair> {
        self.left.iter().flat_map(move |a| {
            let own = self.joinable[a] & self.tree_of(a);
            own.iter().filter(move |&b| a < b).map(move |b| [a, b])
        })
    }

    /// Returns whether a move closes a cycle.
    pub fn closes(&self, [a, b]: PointPair) -> bool {
        self.tree[a] == self.tree[b]
    }

    /// Returns the points in the tree of a point.
    pub fn tree_of(&self, point: usize) -> Set {
        self.members[self.tree[point] as usize]
    }

    /// Computes the trees and the joinable points from the points and lines.
    fn survey(&mut self) {
        for point in self.left.iter() {
            self.joinable[point] = self.left & !self.joined[point];
            self.joinable[point].remove(point);
        }
        let mut rest = self.left;
        while let Some(root) = rest.iter().next() {
            let mut tree = Set::NONE;
            tree.insert(root);
            let mut edge = tree;
            while let Some(point) = edge.iter().next() {
                edge.remove(point);
                let fresh = self.joined[point] & !tree;
                tree = tree | fresh;
                edge = edge | fresh;
                self.tree[point] = root as u8;
            }
            self.members[root] = tree;
            rest = rest & !tree;
        }
        for a in self.left.iter() {
            for b in self.joined[a].iter().filter(|&b| b < a) {
                self.shut([a, b]);
            }
        }
    }

    /// Removes all joins that would cross this line.
    fn shut(&mut self, [a, b]: PointPair) {
        for [a, b] in [[a, b], [b, a]] {
            for c in (self.sides.left(a, b) & self.left).iter() {
                self.joinable[c] = self.joinable[c] & !self.sides.behind(a, b, c);
            }
        }
    }

    /// Returns the points on the path between two points of a tree, including both ends.
    pub fn path(&self, [a, b]: PointPair) -> Set {
        let mut path = Set::NONE;
        self.walk(a, b, a, &mut path);
        path
    }

    fn walk(&self, point: usize, to: usize, from: usize, path: &mut Set) -> bool {
        let mut next = self.joined[point].iter().filter(|&next| next != from);
        let found = point == to || next.any(|next| self.walk(next, to, point, path));
        if found {
            path.insert(point);
        }
        found
    }

    /// Plays a move, and returns the points gained.
    pub fn join(&mut self, [a, b]: PointPair) -> i32 {
        if self.tree[a] == self.tree[b] {
            let cycle = self.path([a, b]);
            self.left = self.left & !cycle;
            cycle.iter().for_each(|point| self.joined[point] = Set::NONE);
            for point in self.left.iter() {
                self.joined[point] = self.joined[point] & !cycle;
            }
            self.survey();
            return cycle.len() as i32;
        }
        self.joined[a].insert(b);
        self.joined[b].insert(a);
        self.joinable[a].remove(b);
        self.joinable[b].remove(a);
        self.shut([a, b]);
        let (kept, gone) = (self.tree[a], self.tree[b]);
        let moved = self.members[gone as usize];
        moved.iter().for_each(|point| self.tree[point] = kept);
        self.members[kept as usize] = self.members[kept as usize] | moved;
        0
    }

    /// Returns whether joining two trees by this pair leaves no other pair between them that could close a cycle.
    pub fn is_safe(&self, [a, b]: PointPair) -> bool {
        let other = self.tree_of(b);
        self.tree_of(a).iter().all(|p| {
            let pairs = self.joinable[p] & other;
            pairs.iter().all(|q| [p, q] == [a, b] || self.sides.cross([a, b], [p, q]))
        })
    }

    /// Writes the distance, in lines, of each point in a tree from one of its points.
    fn distances(&self, from: usize, out: &mut [i32]) {
        out[from] = 0;
        let mut edge = vec![(from, from)];
        while let Some((at, before)) = edge.pop() {
            for next in self.joined[at].iter().filter(|&next| next != before) {
                out[next] = out[at] + 1;
                edge.push((next, at));
            }
        }
    }

    /// Returns the size of the largest cycle that can be closed; 0 if there is none.
    pub fn largest(&self) -> i32 {
        self.closings().map(|pair| self.path(pair).len() as i32).max().unwrap_or_default()
    }

    /// Returns all moves with their gains, with answers set to 0.
    pub fn exchanges(&self) -> Vec<Exchange> {
        let exchange = |pair: PointPair| {
            let gain = if self.closes(pair) { self.path(pair).len() as i32 } else { 0 };
            Exchange { pair, gain, answer: 0 }
        };
        self.moves().map(exchange).collect()
    }

    /// Finds the best answer to each of these moves, in order. If `halt` stops the search, the remaining moves get the
    /// greatest answer found so far, so that none of them looks too good.
    pub fn answer(&self, exchanges: &mut [Exchange], halt: &dyn Fn() -> bool) {
        let mut closings: Vec<(PointPair, i32)> =
            exchanges.iter().filter(|o| o.gain > 0).map(|o| (o.pair, o.gain)).collect();
        closings.sort_by_key(|&(_, gain)| std::cmp::Reverse(gain));
        let mut scratch = self.clone();
        let mut distance = vec![0; self.tree.len()];
        let (mut best, mut over) = (0, false);
        for (index, exchange) in exchanges.iter_mut().enumerate() {
            over = over || index > 0 && index % 4 == 0 && halt();
            exchange.answer = if over {
                best
            } else if exchange.gain > 0 {
                scratch.copy(self);
                scratch.join(exchange.pair);
                scratch.largest()
            } else {
                self.answer_to(exchange.pair, &closings, &mut distance)
            };
            best = best.max(exchange.answer);
        }
    }

    /// Returns the size of the largest cycle that can be closed after joining two trees. `closings` lists the moves
    /// that close a cycle now, each with the size of its cycle, largest first. `distance` is a buffer with an element
    /// for each point.
    fn answer_to(
        &self,
        pair: PointPair,
        closings: &[(PointPair, i32)],
        distance: &mut [i32],
    ) -> i32 {
        let [a, b] = pair;
        let clear = |other| !self.sides.cross(pair, other);
        let old = closings.iter().find(|&&(other, _)| clear(other));
        let mut answer = old.map_or(0, |&(_, size)| size);
        self.distances(a, distance);
        self.distances(b, distance);
        for p in self.tree_of(a).iter() {
            for q in (self.joinable[p] & self.tree_of(b)).iter() {
                let size = distance[p] + distance[q] + 2;
                if size > answer && [p, q] != pair && clear([p, q]) {
                    answer = size;
                }
            }
        }
        answer
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::minimax::after;
    use quadrille_rules::Position;

    fn largest(position: &JoinTheDots) -> i32 {
        let cycles =
            position.legal_moves().into_iter().filter_map(|line| position.cycle_closed_by(line));
        cycles.map(|cycle| cycle.len() as i32).max().unwrap_or_default()
    }

    /// In every position of random games, the moves, the cycles and the two-ply gains match the rules.
    #[test]
    fn wide_board_follows_the_rules() {
        let mut rng = fastrand::Rng::with_seed(1);
        for (setup, whole) in
            [("layout=random:9", true), ("layout=circle:12", true), ("layout=random:80", false)]
        {
            let mut position = JoinTheDots::from_setup(&setup.parse().unwrap()).unwrap();
            let sides = Sides::new(position.points());
            let mut board = UnpackedBoard::new(&sides, &position);
            loop {
                let moves = position.legal_moves();
                if position.outcome().is_some() {
                    break;
                }
                assert_eq!(board.moves().map(line).collect::<Vec<_>>(), moves);
                let closing = moves.iter().filter(|&&mv| position.cycle_closed_by(mv).is_some());
                assert_eq!(
                    board.closings().map(line).collect::<Vec<_>>(),
                    closing.copied().collect::<Vec<_>>()
                );
                if whole {
                    let mut exchanges = board.exchanges();
                    board.answer(&mut exchanges, &|| false);
                    for exchange in exchanges {
                        let mv = line(exchange.pair);
                        let cycle = position.cycle_closed_by(mv).unwrap_or_default();
                        assert_eq!(exchange.gain, cycle.len() as i32);
                        assert_eq!(exchange.answer, largest(&after(&position, mv)), "{mv}");
                        let safe = exchange.gain > 0 || board.is_safe(exchange.pair);
                        assert!(
                            board.closings().next().is_some()
                                || safe == (exchange.answer == 0)
                                || exchange.gain > 0
                        );
                    }
                }
                // Cycles are closed more often than by chance.
                let cycle = moves.iter().find(|&&mv| position.cycle_closed_by(mv).is_some());
                let mv = *cycle.filter(|_| rng.u8(..4) > 0).or(rng.choice(&moves)).unwrap();
                let [a, b] = mv.ends().map(|end| end as usize - 1);
                let gain = position.cycle_closed_by(mv).map_or(0, |cycle| cycle.len() as i32);
                assert_eq!(board.join([a, b]), gain);
                position = after(&position, mv);
            }
        }
    }
}
