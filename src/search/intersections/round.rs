//! One round solved exactly: the offense against all others, who are one side, because what lowers
//! the offense never changes one of them against another.

use super::packed::{Array, Packed, Word, back};
use crate::rules::Seat;
use crate::rules::intersections::Segment;
use crate::search::Halt;
use crate::search::alpha_beta::{AlphaBeta, Proven, TableOf};
use crate::search::state::Duel;
use std::cmp::Reverse;

/// What tells apart the rounds that one table cannot be used for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Kind {
    /// Rows of dots.
    pub rows: u8,
    /// Columns of dots.
    pub cols: u8,
    /// Players at the table.
    pub players: u8,
    /// How many others draw before the offense first does.
    pub before: u8,
}

/// What is proven of a round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The offense scores no less.
    pub lower: u32,
    /// The offense scores no more.
    pub upper: u32,
    /// A line of best moves, where all is proven; else the move, if there is one, that is proven to
    /// reach the bound that the side to move wants.
    pub line: Vec<Segment>,
    /// Positions looked at.
    pub nodes: u64,
    /// Bytes that the table takes.
    pub table: usize,
    /// Why no more is proven, if there is more.
    pub halt: Option<Halt>,
}

impl Finding {
    /// What the offense scores, where it is proven.
    pub fn proven(&self) -> Option<u32> {
        (self.lower == self.upper).then_some(self.lower)
    }
}

/// Solves rounds of one kind, and keeps what it has learnt.
pub trait Solve: Send {
    /// The kind.
    fn kind(&self) -> Kind;

    /// Whether a round with so many segments left can be asked about.
    fn takes(&self, left: u32) -> bool;

    /// What the offense scores when these segments are drawn and so many are left, as far as that
    /// can be proven until `halt` says it is over. Every new bound is told.
    fn solve(
        &mut self,
        drawn: &[Segment],
        left: u32,
        guess: u32,
        halt: &dyn Fn() -> Option<Halt>,
        tell: &mut dyn FnMut(Finding),
    ) -> Finding;
}

/// A solver for a kind of round, where it can be packed. Its table never takes more than so many
/// bytes.
pub fn solver(kind: Kind, memory: usize) -> Option<Box<dyn Solve>> {
    let bits = Array::<u64>::bits(kind.rows.into(), kind.cols.into());
    // Five bits say how many segments are left in any round on the boards that take up to 59.
    if bits + 5 <= u64::BITS {
        Some(Box::new(Solver::<u64>::new(kind, memory)))
    } else if bits + 4 <= u128::BITS {
        Some(Box::new(Solver::<u128>::new(kind, memory)))
    } else {
        None
    }
}

struct Solver<W: Word> {
    rounds: Rounds<W>,
    table: TableOf<Rounds<W>>,
}

/// The rounds of one kind. The first side is the offense, the second all others; margins are dots.
struct Rounds<W> {
    kind: Kind,
    array: Array<W>,
    /// Where in a key the number of segments left stands.
    left_at: u32,
}

/// A round under way, turned so that those that are alike are the same.
#[derive(Clone, Copy, Debug)]
struct Open<W> {
    round: Packed<W>,
    left: u32,
}

impl<W: Word> Open<W> {
    /// The state a search is to begin with.
    fn new(round: Packed<W>, left: u32) -> Open<W> {
        // The last segment is seen without a search, which needs no key.
        Open { round: if left > 1 { round.turned().0 } else { round }, left }
    }
}

/// A segment to draw. Those to try first are the greatest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Draw {
    promise: u16,
    stroke: u16,
}

impl<W: Word> Rounds<W> {
    fn new(kind: Kind) -> Rounds<W> {
        let array = Array::new(kind.rows, kind.cols);
        Rounds { kind, array, left_at: Array::<W>::bits(kind.rows.into(), kind.cols.into()) }
    }

    const fn is_offense(&self, left: u32) -> bool {
        // The number of segments is a multiple of the players.
        (left + self.kind.before as u32).is_multiple_of(self.kind.players as u32)
    }

    /// What the last segment of a round gains: the most for the offense, else the least.
    fn last_gain(&self, round: &Packed<W>, offense: bool) -> u32 {
        let degrees = self.array.degrees(round.0[0]);
        let mut legal = self.array.strokes().iter().filter(|stroke| round.takes(stroke));
        let mut best = if offense { 0 } else { u32::MAX };
        if offense {
            // The longest come first: none that follow can gain more than they have dots.
            for stroke in legal {
                if stroke.dots <= best {
                    break;
                }
                best = best.max(degrees.gain(stroke));
            }
        } else {
            while best > 0
                && let Some(stroke) = legal.next()
            {
                best = best.min(degrees.gain(stroke));
            }
        }
        best
    }

    fn counted(&self, round: &Packed<W>) -> u32 {
        self.array.degrees(round.0[0]).three.count()
    }

    /// The segments of a line that a search from this round has found in rounds it had turned.
    fn line(&self, mut round: Packed<W>, mut left: u32, draws: &[Draw]) -> Vec<Segment> {
        let mut line = Vec::new();
        let mut turn = 0;
        for draw in draws {
            // The last segment is drawn in the round as it was turned before.
            if left > 1 {
                (_, turn) = round.turned();
            }
            let stroke = &self.array.strokes()[draw.stroke as usize];
            let segment = self.array.image(stroke.segment, back(turn));
            line.push(segment);
            round = self.array.with(round, segment);
            left -= 1;
        }
        line
    }
}

impl<W: Word> Duel for Rounds<W> {
    type State = Open<W>;
    type Move = Draw;
    type Key = W;

    fn side(&self, state: &Open<W>) -> Seat {
        if self.is_offense(state.left) { Seat::FIRST } else { Seat::SECOND }
    }

    fn key(&self, state: &Open<W>) -> W {
        state.round.0[0] | W::from(state.left) << self.left_at
    }

    fn reach(&self, state: &Open<W>) -> (i32, i32) {
        let offense = self.is_offense(state.left);
        match state.left {
            0 => (0, 0),
            1 => {
                let gain = self.last_gain(&state.round, offense) as i32;
                if offense { (gain, gain) } else { (-gain, -gain) }
            }
            _ => {
                let most = (self.array.countable() - self.counted(&state.round)) as i32;
                if offense { (0, most) } else { (-most, 0) }
            }
        }
    }

    /// Sorted by what they gain, so that of the last segment the first is the best: the search takes
    /// it unseen, because the reach says all.
    fn moves(&self, state: &Open<W>, out: &mut Vec<Draw>) {
        if state.left == 0 {
            return;
        }
        let degrees = self.array.degrees(state.round.0[0]);
        let offense = self.is_offense(state.left);
        let from = out.len();
        for (index, stroke) in self.array.strokes().iter().enumerate() {
            if state.round.takes(stroke) {
                // By what it gains and then by its length: to draw much is to prepare much.
                let promise = (degrees.gain(stroke) << 8 | stroke.dots) as u16;
                let promise = if offense { promise } else { u16::MAX - promise };
                out.push(Draw { promise, stroke: index as u16 });
            }
        }
        out[from..].sort_unstable_by_key(|&draw| Reverse(draw));
    }

    fn play(&self, state: &Open<W>, draw: Draw) -> (Open<W>, i32) {
        let stroke = &self.array.strokes()[draw.stroke as usize];
        let gain = self.array.degrees(state.round.0[0]).gain(stroke) as i32;
        let left = state.left - 1;
        let round = if left > 1 {
            self.array.draw(state.round, stroke).turned().0
        } else {
            state.round.draw_one(stroke)
        };
        let gain = if self.is_offense(state.left) { gain } else { -gain };
        (Open { round, left }, gain)
    }
}

impl<W: Word> Solver<W> {
    fn new(kind: Kind, memory: usize) -> Solver<W> {
        Solver { rounds: Rounds::new(kind), table: TableOf::<Rounds<W>>::new(memory) }
    }
}

impl<W: Word> Solve for Solver<W> {
    fn kind(&self) -> Kind {
        self.rounds.kind
    }

    fn takes(&self, left: u32) -> bool {
        left < 1 << (W::BITS - self.rounds.left_at).min(8)
    }

    fn solve(
        &mut self,
        drawn: &[Segment],
        left: u32,
        guess: u32,
        halt: &dyn Fn() -> Option<Halt>,
        tell: &mut dyn FnMut(Finding),
    ) -> Finding {
        let Solver { rounds, table } = self;
        let round = rounds.array.pack(drawn);
        let root = Open::new(round, left);
        let counted = rounds.counted(&round) as i32;
        let sign = if rounds.is_offense(left) { 1 } else { -1 };
        let finding = |proven: Proven<Draw>, line: Vec<Segment>, nodes, table, halt| {
            let ends = [proven.lower, proven.upper].map(|end| (counted + sign * end) as u32);
            Finding {
                lower: ends[0].min(ends[1]),
                upper: ends[0].max(ends[1]),
                line,
                nodes,
                table,
                halt,
            }
        };
        let mut search = AlphaBeta::new(rounds, table, halt);
        let proven = search.solve(&root, sign * (guess as i32 - counted), |search, proven| {
            let first: Vec<Draw> = proven.best.into_iter().collect();
            let line = rounds.line(round, left, &first);
            tell(finding(proven, line, search.nodes(), search.table_bytes(), None));
        });
        let line = rounds.line(round, left, &search.best_line(&root, proven));
        finding(proven, line, search.nodes(), search.table_bytes(), search.halted())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Game;
    use crate::rules::intersections::Intersections;
    use crate::search::alpha_beta::tests::hold_best_to_its_word;
    use crate::search::plain::after;
    use std::collections::HashMap;

    fn kind(rows: u8, cols: u8, players: u8, before: u8) -> Kind {
        Kind { rows, cols, players, before }
    }

    fn value(kind: Kind, segments: u32) -> u32 {
        let mut solver = solver(kind, 64 << 20).unwrap();
        let finding = solver.solve(&[], segments, 0, &|| None, &mut |_| ());
        assert_eq!(finding.lower, finding.upper);
        finding.lower
    }

    /// Whoever draws first makes no difference in these.
    fn hold(players: u8, size: u8, values: &[(u32, u32)]) {
        for &(segments, dots) in values {
            for before in 0..players {
                assert_eq!(value(kind(size, size, players, before), segments), dots, "{segments}");
            }
        }
    }

    #[test]
    fn what_is_known_of_whole_rounds() {
        hold(2, 3, &[(2, 0), (4, 1), (6, 2)]);
        hold(2, 4, &[(2, 0), (4, 1), (6, 2)]);
        hold(2, 5, &[(2, 0), (4, 1)]);
        hold(3, 3, &[(3, 0), (6, 1)]);
        hold(3, 4, &[(3, 0), (6, 1)]);
    }

    #[test]
    #[ignore = "takes seconds in release: run by `cargo test --release -- --ignored`"]
    fn what_is_known_of_longer_rounds() {
        hold(2, 4, &[(8, 4), (10, 6)]);
        hold(2, 5, &[(6, 2), (8, 4)]);
        hold(3, 4, &[(9, 2)]);
    }

    /// What the offense scores this round, by looking at everything.
    fn plain(position: &Intersections, known: &mut HashMap<Intersections, u32>) -> u32 {
        if let Some(&dots) = known.get(position) {
            return dots;
        }
        let offense = position.offense();
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        let ends = moves.into_iter().map(|mv| {
            if position.drawn().len() as u32 + 1 == position.segments() {
                position.with_segment(mv).counted().count() as u32
            } else {
                plain(&after(position, mv), known)
            }
        });
        let best = if position.to_move() == Some(offense) { ends.max() } else { ends.min() };
        known.insert(position.clone(), best.unwrap());
        best.unwrap()
    }

    #[test]
    fn the_best_move_keeps_its_word() {
        let mut rng = fastrand::Rng::with_seed(4);
        for (kind, left) in [(kind(3, 3, 2, 0), 4), (kind(3, 4, 2, 1), 4), (kind(3, 3, 3, 1), 4)] {
            let rounds = Rounds::<u64>::new(kind);
            for _ in 0..6 {
                let mut state = Open::new(rounds.array.pack(&[]), left);
                let mut draws = Vec::new();
                loop {
                    hold_best_to_its_word(&rounds, &state);
                    draws.clear();
                    rounds.moves(&state, &mut draws);
                    let Some(&draw) = rng.choice(&draws) else { break };
                    state = rounds.play(&state, draw).0;
                }
            }
        }
    }

    /// From seeded play, on square and oblong arrays, in both words, for all who may draw first.
    #[test]
    fn a_solved_round_is_held_to_plain_search() {
        let mut rng = fastrand::Rng::with_seed(9);
        for setup in [
            "size=3",
            "size=3 first=next",
            "size=3 players=3 first=seat1",
            "rows=2 cols=4 first=seat1",
            "rows=4 cols=3",
            "rows=6 cols=3 first=next",
            "rows=4 cols=4 players=4",
            "rows=3 cols=5 players=5 first=next",
        ] {
            let mut known = HashMap::new();
            let start = Intersections::from_setup(&setup.parse().unwrap()).unwrap();
            for _ in 0..12 {
                let mut position = start.clone();
                for _ in 0..rng.u32(0..start.rounds()) * start.segments() {
                    let mut moves = Vec::new();
                    position.legal_moves(&mut moves);
                    position.play(moves[rng.usize(..moves.len())]).unwrap();
                }
                let last = if start.rows() * start.cols() > 9 { 3 } else { 4 };
                while position.segments() - position.drawn().len() as u32 > rng.u32(1..=last) {
                    let mut moves = Vec::new();
                    position.legal_moves(&mut moves);
                    position.play(moves[rng.usize(..moves.len())]).unwrap();
                }
                hold_to_plain(&position, &mut known);
            }
        }
    }

    fn hold_to_plain(position: &Intersections, known: &mut HashMap<Intersections, u32>) {
        let dots = plain(position, known);
        let (players, left) =
            (position.seats(), position.segments() - position.drawn().len() as u32);
        let before = (position.offense().index() as u8 + players
            - position.first_in(position.round()).index() as u8)
            % players;
        let kind = kind(position.rows(), position.cols(), players, before);
        let solvers: [Box<dyn Solve>; 2] = [
            Box::new(Solver::<u64>::new(kind, 4 << 20)),
            Box::new(Solver::<u128>::new(kind, 4 << 20)),
        ];
        for mut solver in solvers {
            for guess in [0, 2, 99] {
                let mut told = 0;
                let finding =
                    solver.solve(position.drawn(), left, guess, &|| None, &mut |finding| {
                        assert!((finding.lower..=finding.upper).contains(&dots));
                        told += 1;
                    });
                assert_eq!((finding.lower, finding.upper), (dots, dots), "{position}");
                // Along the line it stays what it is.
                let mut end = position.clone();
                for (index, &mv) in finding.line.iter().enumerate() {
                    assert_eq!(end.check(mv), Ok(()));
                    if index + 1 == left as usize {
                        assert_eq!(end.with_segment(mv).counted().count() as u32, dots);
                    } else {
                        end.play(mv).unwrap();
                        assert_eq!(plain(&end, known), dots, "{position} {mv}");
                    }
                }
                assert!(!finding.line.is_empty());
            }
        }
    }
}
