//! Join the Dots in bit masks: up to sixteen points, searched to the end.

use crate::rules::join_the_dots::{JoinTheDots, Line, Point, cross, orientation};
use crate::rules::{Game, Seat};
use crate::search::plain::after;
use crate::search::state::Duel;
use std::cmp::Ordering;

/// The most points that are packed: their pairs fill the bits of a `u128`.
pub const MOST: usize = 16;
const PAIRS: usize = MOST * (MOST - 1) / 2;

/// A set of points, a bit for each.
type Points = u16;
/// A set of pairs, a bit for each.
type Pairs = u128;

/// What matters of a set of points: which pairs of them cross.
pub struct Arena {
    /// The numbers the points have in the game.
    numbers: Vec<u8>,
    points: Vec<Point>,
    /// All pairs of these points.
    all: Pairs,
    /// Whether the points are the corners of a convex figure, in order round it. Then all that
    /// matters is their order, so that positions that are turned or mirrored, and those in which as
    /// many other points are left, are one state.
    round: bool,
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
    /// The pairs that can be joined.
    open: Pairs,
    /// Those of them that close a cycle.
    closing: Pairs,
    /// The points each point is joined with.
    joined: [Points; MOST],
    /// The tree each point is in.
    tree: [Points; MOST],
    second: bool,
}

impl Arena {
    /// Packs the points that are left, if they are not too many.
    pub fn new(position: &JoinTheDots) -> Option<Arena> {
        let left: Vec<u8> = position.points_left().collect();
        let round = round(position, &left);
        let is_round = round.is_some();
        let numbers = round.unwrap_or(left);
        if numbers.len() > MOST {
            return None;
        }
        let points: Vec<_> = numbers.iter().filter_map(|&number| position.point(number)).collect();
        let mut arena = Arena {
            numbers,
            points,
            all: 0,
            round: is_round,
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
        let count = arena.points.len() * arena.points.len().saturating_sub(1) / 2;
        arena.all = (1 << count) - 1;
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

    /// The position packed, if all points left are among these.
    pub fn pack(&self, position: &JoinTheDots) -> Option<State> {
        let known = self.numbers.iter().zip(&self.points);
        if known.into_iter().any(|(&number, &point)| position.point(number) != Some(point)) {
            return None;
        }
        let place = |number: u8| self.numbers.iter().position(|&other| other == number);
        let mut left = 0;
        for number in position.points_left() {
            left |= 1 << place(number)?;
        }
        let mut lines = 0;
        for line in position.lines() {
            let [a, b] = line.ends().map(place);
            lines |= 1 << self.pair[a?][b?];
        }
        let second = position.to_move() == Some(Seat::SECOND);
        Some(self.state(left, lines, second))
    }

    /// The state with these points and lines, counted afresh.
    fn state(&self, left: Points, lines: Pairs, second: bool) -> State {
        let (left, lines) = if self.round { self.turned(left, lines) } else { (left, lines) };
        let mut state =
            State { left, lines, open: 0, closing: 0, joined: [0; MOST], tree: [0; MOST], second };
        for pair in bits(lines) {
            let [a, b] = self.ends[pair];
            state.joined[a as usize] |= 1 << b;
            state.joined[b as usize] |= 1 << a;
        }
        self.survey(&mut state);
        state
    }

    /// Finds the trees, and what can be joined.
    fn survey(&self, state: &mut State) {
        let gone = self.touching(!state.left);
        let mut shut = gone | state.lines;
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
                if (state.joined[point] & path).count_ones() < 2 {
                    path &= !(1 << point);
                }
            }
            if path == before {
                return path;
            }
        }
    }

    /// How good a move looks: cycles first, the largest before all; then what offers none, and of it
    /// what shuts most; then what offers few, in small trees.
    fn promise(&self, state: &State, pair: usize) -> i32 {
        if state.closing >> pair & 1 == 1 {
            return 10_000 + self.cycle(state, pair).count_ones() as i32;
        }
        let [one, other] = self.ends[pair].map(|end| state.tree[end as usize]);
        let open = state.open & !(self.crossing[pair] | 1 << pair);
        let shut = (state.open & !open).count_ones() as i32;
        let offered = (state.closing | self.touching(one) & self.touching(other)) & open;
        let size = (one | other).count_ones() as i32;
        shut - 2 * size - 10 * offered.count_ones() as i32 - if offered == 0 { 0 } else { 100 }
    }

    /// Of all that a round position is the same as, the one that stands for it.
    fn turned(&self, left: Points, lines: Pairs) -> (Points, Pairs) {
        let count = left.count_ones() as usize;
        let mut rank = [0; MOST];
        bits(left.into()).enumerate().for_each(|(index, point)| rank[point] = index);
        let mut ends = [[0; 2]; MOST];
        let drawn = lines.count_ones() as usize;
        for (ends, pair) in ends.iter_mut().zip(bits(lines)) {
            *ends = self.ends[pair].map(|end| rank[end as usize]);
        }
        let all =
            (0..count).flat_map(|turn| [(turn, false), (turn, true)]).map(|(turn, mirror)| {
                let place = |rank: usize| (turn + if mirror { count - rank } else { rank }) % count;
                let turned = ends[..drawn].iter().map(|ends| ends.map(place));
                turned.fold(0, |lines, [a, b]| lines | 1 << self.pair[a][b])
            });
        (((1u32 << count) - 1) as Points, all.min().unwrap_or_default())
    }

    /// The move of a packed position in the game; one of those that come to the same.
    fn line(&self, position: &JoinTheDots, state: &State, mv: u8) -> Option<Line> {
        if !self.round {
            let [a, b] = self.ends[mv as usize].map(|end| self.numbers[end as usize]);
            return Some(Line::new(a, b));
        }
        let key = self.key(&self.play(state, mv).0);
        let mut lines = Vec::new();
        position.legal_moves(&mut lines);
        lines.into_iter().find(|&line| self.key_after(position, line) == Some(key))
    }

    /// The moves in the game of a line of moves of the packed position.
    pub fn lines(&self, position: &JoinTheDots, state: &State, moves: &[u8]) -> Vec<Line> {
        let (mut position, mut state) = (position.clone(), *state);
        let mut lines = Vec::new();
        for &mv in moves {
            let Some(line) = self.line(&position, &state, mv) else { break };
            lines.push(line);
            position = after(&position, line);
            state = self.play(&state, mv).0;
        }
        lines
    }

    /// The move of the packed position that a legal move of the game is, or comes to.
    pub fn mv(&self, position: &JoinTheDots, state: &State, line: Line) -> Option<u8> {
        if !self.round {
            let place = |number: u8| self.numbers.iter().position(|&other| other == number);
            let [a, b] = line.ends().map(place);
            return Some(self.pair[a?][b?]);
        }
        let key = self.key_after(position, line);
        let mut moves = Vec::new();
        self.moves(state, &mut moves);
        moves.into_iter().find(|&mv| key == Some(self.key(&self.play(state, mv).0)))
    }

    fn key_after(&self, position: &JoinTheDots, line: Line) -> Option<<Self as Duel>::Key> {
        self.pack(&after(position, line)).map(|state| self.key(&state))
    }
}

/// Whether the points left are the corners of a convex figure.
pub fn is_round(position: &JoinTheDots) -> bool {
    round(position, &position.points_left().collect::<Vec<u8>>()).is_some()
}

/// The same points in order round them, if they are the corners of a convex figure.
fn round(position: &JoinTheDots, numbers: &[u8]) -> Option<Vec<u8>> {
    let at = |number: u8| position.point(number);
    let mut round = numbers.to_vec();
    // From the leftmost all others lie within half a turn.
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

/// The places of the bits that are set.
fn bits(mut set: u128) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let place = (set != 0).then(|| set.trailing_zeros() as usize)?;
        set &= set - 1;
        Some(place)
    })
}

impl Duel for Arena {
    type State = State;
    type Move = u8;
    type Key = (u64, u64, u16);

    fn side(&self, state: &State) -> Seat {
        if state.second { Seat::SECOND } else { Seat::FIRST }
    }

    fn key(&self, state: &State) -> (u64, u64, u16) {
        ((state.lines >> 64) as u64, state.lines as u64, state.left)
    }

    fn reach(&self, state: &State) -> (i32, i32) {
        let left = state.left.count_ones() as i32;
        if left < 3 {
            return (0, 0);
        }
        if left == 3 {
            let odd = state.lines.count_ones() % 2 == 1;
            return if odd { (-3, -3) } else { (3, 3) };
        }
        let mut least = -left;
        for pair in bits(state.closing) {
            let cycle = self.cycle(state, pair).count_ones() as i32;
            let rest = left - cycle;
            least = least.max(if rest < 3 { cycle } else { cycle - rest });
        }
        (least, left)
    }

    fn moves(&self, state: &State, out: &mut Vec<u8>) {
        if state.left.count_ones() < 3 {
            return;
        }
        let mut rated = [(0, 0); PAIRS];
        let count = state.open.count_ones() as usize;
        for (place, pair) in rated.iter_mut().zip(bits(state.open)) {
            *place = (self.promise(state, pair), pair as u8);
        }
        let rated = &mut rated[..count];
        rated.sort_unstable_by_key(|&(promise, _)| std::cmp::Reverse(promise));
        out.extend(rated.iter().map(|&(_, mv)| mv));
    }

    fn play(&self, state: &State, mv: u8) -> (State, i32) {
        let mut next = *state;
        next.second = !state.second;
        let pair = mv as usize;
        let [a, b] = self.ends[pair].map(usize::from);
        if state.tree[a] >> b & 1 == 1 {
            let cycle = self.cycle(state, pair);
            next.left &= !cycle;
            next.lines &= !self.touching(cycle);
            for point in bits(state.left.into()) {
                next.joined[point] =
                    if cycle >> point & 1 == 1 { 0 } else { next.joined[point] & !cycle };
            }
            let gain = cycle.count_ones() as i32;
            if self.round {
                return (self.state(next.left, next.lines, next.second), gain);
            }
            self.survey(&mut next);
            return (next, gain);
        }
        next.lines |= 1 << pair;
        if self.round {
            return (self.state(next.left, next.lines, next.second), 0);
        }
        next.open &= !(self.crossing[pair] | 1 << pair);
        let [one, other] = [state.tree[a], state.tree[b]];
        next.closing = (state.closing | self.touching(one) & self.touching(other)) & next.open;
        next.joined[a] |= 1 << b;
        next.joined[b] |= 1 << a;
        for point in bits((one | other).into()) {
            next.tree[point] = one | other;
        }
        (next, 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::alpha_beta::tests::hold_best_to_its_word;
    use crate::search::alpha_beta::{AlphaBeta, TableOf};
    use crate::search::plain::{final_margin, margin};
    use std::collections::{HashMap, HashSet};

    fn start(setup: &str) -> JoinTheDots {
        JoinTheDots::from_setup(&setup.parse().unwrap()).unwrap()
    }

    fn value(position: &JoinTheDots) -> i32 {
        let arena = Arena::new(position).unwrap();
        let mut table = TableOf::<Arena>::new(1 << 30);
        let mut search = AlphaBeta::new(&arena, &mut table, &|| None);
        let proven = search.solve(&arena.pack(position).unwrap(), 0, |_, _| ());
        assert_eq!(proven.lower, proven.upper);
        proven.lower
    }

    fn list(moves: &mut Vec<Line>, position: &JoinTheDots) {
        moves.clear();
        position.legal_moves(moves);
    }

    /// Every position of seeded games: the moves, their order apart, the gains, what is kept up to
    /// date against what is counted afresh; and the reach against the margin.
    #[test]
    fn packed_play_is_play_by_the_rules() {
        let mut rng = fastrand::Rng::with_seed(1);
        let mut moves = Vec::new();
        for setup in
            ["layout=random:16 seed=1", "layout=circle:16", "layout=eight", "layout=random:40"]
        {
            for _ in 0..20 {
                let mut position = start(setup);
                // Of many points, begin where few enough are left.
                while position.points_left().count() > MOST {
                    list(&mut moves, &position);
                    position = after(&position, *rng.choice(&moves).unwrap());
                }
                let arena = Arena::new(&position).unwrap();
                let mut state = arena.pack(&position).unwrap();
                while position.outcome().is_none() {
                    list(&mut moves, &position);
                    let mut packed = Vec::new();
                    arena.moves(&state, &mut packed);
                    let line = |&mv: &u8| arena.line(&position, &state, mv).unwrap();
                    let mut lines: Vec<Line> = packed.iter().map(line).collect();
                    lines.sort_unstable();
                    if arena.round {
                        assert!(lines.iter().all(|line| moves.contains(line)));
                        assert_eq!(lines.len(), moves.len());
                    } else {
                        assert_eq!(lines, moves);
                    }
                    let closing = moves.iter().find(|&&mv| position.cycle_closed_by(mv).is_some());
                    let mv = *closing.filter(|_| rng.bool()).or(rng.choice(&moves)).unwrap();
                    let cycle = position.cycle_closed_by(mv).unwrap_or_default();
                    let (next, gain) = arena.play(&state, arena.mv(&position, &state, mv).unwrap());
                    assert_eq!(gain, cycle.len() as i32);
                    position = after(&position, mv);
                    let fresh = arena.pack(&position).unwrap();
                    state = State { second: fresh.second, ..next };
                    assert_eq!(state, fresh, "{position}");
                    let over = position.outcome().is_some();
                    assert!(over || next.second == (position.to_move() == Some(Seat::SECOND)));
                    assert_eq!(over, arena.reach(&state) == (0, 0));
                }
            }
        }
    }

    #[test]
    fn it_finds_what_plain_search_finds() {
        let mut rng = fastrand::Rng::with_seed(2);
        let mut known = HashMap::new();
        let mut moves = Vec::new();
        for seed in 0..60 {
            let layout = if seed % 5 == 0 { "circle" } else { "random" };
            let setup = if seed % 5 == 0 { String::new() } else { format!(" seed={seed}") };
            let mut position = start(&format!("layout={layout}:{}{setup}", 3 + seed % 4));
            while let Some(seat) = position.to_move() {
                let ahead = margin(&position, &mut known) - final_margin(&position);
                let ahead = if seat == Seat::FIRST { ahead } else { -ahead };
                assert_eq!(value(&position), ahead, "{position}");
                let arena = Arena::new(&position).unwrap();
                let (least, most) = arena.reach(&arena.pack(&position).unwrap());
                assert!((least..=most).contains(&ahead));
                list(&mut moves, &position);
                position = after(&position, *rng.choice(&moves).unwrap());
            }
        }
    }

    /// From seeded play: cycles are there to be closed, so that more is known than that all may be lost.
    #[test]
    fn the_best_move_keeps_its_word() {
        let mut rng = fastrand::Rng::with_seed(3);
        let mut moves = Vec::new();
        for seed in 0..30 {
            let round = seed % 3 == 0;
            let setup = if round { "layout=circle:7" } else { "layout=random:7" };
            let setup = if round { setup.to_owned() } else { format!("{setup} seed={seed}") };
            let mut position = start(&setup);
            for _ in 0..3 {
                list(&mut moves, &position);
                position = after(&position, *rng.choice(&moves).unwrap());
            }
            while position.to_move().is_some() {
                let arena = Arena::new(&position).unwrap();
                hold_best_to_its_word(&arena, &arena.pack(&position).unwrap());
                list(&mut moves, &position);
                position = after(&position, *rng.choice(&moves).unwrap());
            }
        }
    }

    /// Points on a circle: the margin for the first player from 3 points on.
    #[test]
    fn circles_have_their_known_values() {
        for (count, margin) in (3..=16).zip([3, 3, -3, 0, 0, 0, -3, 3, 2, 0, 0, 0, -3, 3]) {
            assert_eq!(value(&start(&format!("layout=circle:{count}"))), margin, "{count}");
        }
    }

    /// The order types of four and five points (Aichholzer's count is 2 and 3).
    #[test]
    fn order_types_have_their_known_values() {
        let margin = |points: &str| value(&start(&format!("points={points}")));
        assert_eq!(margin("0,0;1,0.1;0.9,1;0.1,0.9"), 3);
        assert_eq!(margin("0,0;1,0.1;0.4,1;0.45,0.4"), -4);
        assert_eq!(value(&start("layout=circle:5")), -3);
        // A quadrilateral with one inside, and a triangle with two.
        assert_eq!(margin("0,0;1,0.1;0.9,1;0.1,0.9;0.5,0.3"), 3);
        assert_eq!(margin("0,0;1,0.1;0.4,1;0.45,0.4;0.5,0.5"), 3);
        for seed in 0..40 {
            let count = 6 + seed % 2;
            assert_eq!(value(&start(&format!("layout=random:{count} seed={seed}"))), 0, "{seed}");
        }
    }

    const PUZZLE: &str = "points=0.818,0.567;0.481,0.746;0.257,0.575;0.941,0.857;0.067,0.22;\
                          0.6,0.38;0.068,0.857;0.909,0.383";

    #[test]
    fn of_the_puzzle_only_two_moves_win() {
        let position = start(PUZZLE);
        assert_eq!(value(&position), 1);
        let mut moves = Vec::new();
        list(&mut moves, &position);
        let wins = moves.into_iter().filter(|&mv| value(&after(&position, mv)) < 0);
        assert_eq!(wins.map(|mv| mv.to_string()).collect::<Vec<_>>(), ["4-5", "7-8"]);
    }

    /// The positions that can be reached on a circle, told apart by their keys.
    #[test]
    fn as_many_positions_are_reached_as_there_are() {
        for (count, positions) in (3..=7).zip([8, 38, 202, 1251, 8290]) {
            let position = start(&format!("layout=circle:{count}"));
            let arena = Arena { round: false, ..Arena::new(&position).unwrap() };
            let mut seen = HashSet::new();
            let mut open = vec![arena.pack(&position).unwrap()];
            while let Some(state) = open.pop() {
                if seen.insert(arena.key(&state)) && arena.reach(&state) != (0, 0) {
                    open.extend(bits(state.open).map(|pair| arena.play(&state, pair as u8).0));
                }
            }
            assert_eq!(seen.len(), positions, "{count}");
        }
    }
}
