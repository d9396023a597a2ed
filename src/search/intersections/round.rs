//! One round solved exactly: the offense against all others, who are one side, because what lowers
//! the offense never changes one of them against another.

use super::packed::{Array, Word};
use super::solver::{Rounds, Solver};
use crate::rules::intersections::Segment;
use crate::search::{Halt, room};
use std::sync::atomic::AtomicBool;

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
    /// can be proven on so many threads until `halt` says it is over. Every new bound is told.
    fn solve(
        &mut self,
        drawn: &[Segment],
        left: u32,
        guess: u32,
        threads: usize,
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
        Some(Box::new(Rounds::<u64>::new(kind, memory)))
    } else if bits + 4 <= u128::BITS {
        Some(Box::new(Rounds::<u128>::new(kind, memory)))
    } else {
        None
    }
}

impl<W: Word> Solve for Rounds<W> {
    fn kind(&self) -> Kind {
        self.kind
    }

    fn takes(&self, left: u32) -> bool {
        left < 1 << (W::BITS - self.left_at).min(8)
    }

    fn solve(
        &mut self,
        drawn: &[Segment],
        left: u32,
        guess: u32,
        threads: usize,
        halt: &dyn Fn() -> Option<Halt>,
        tell: &mut dyn FnMut(Finding),
    ) -> Finding {
        let helpers = room::threads(threads.saturating_sub(1));
        let round = self.array.pack(drawn);
        let counted = self.counted(&round);
        let segment = |number: usize| self.array.strokes()[number].segment;
        let over = AtomicBool::new(false);
        let mut solver = Solver::new(self, &over, Some(halt));
        let finding = |solver: &Solver<'_, W>, [lower, upper]: [u32; 2], line| Finding {
            lower: counted + lower,
            upper: counted + upper,
            line,
            nodes: solver.nodes,
            table: self.table_bytes(),
            halt: solver.halted,
        };
        // One null window after the other, each of which begins where the last one led: Plaat, Schaeffer,
        // Pijls and de Bruin, *Best-first fixed-depth minimax algorithms*, 1996 (MTD-f).
        let (mut lower, mut upper) =
            (0, if left == 0 { 0 } else { self.array.countable() - counted });
        let mut goal = guess.saturating_sub(counted);
        let mut best = None;
        while lower < upper {
            goal = goal.clamp(lower + 1, upper);
            let Some(reached) = solver.ask(&round, left, goal, helpers) else {
                let line = best.map(segment).into_iter().collect();
                return finding(&solver, [lower, upper], line);
            };
            let dots = if reached { goal } else { goal - 1 };
            if reached {
                (lower, goal) = (dots, dots + 1);
            } else {
                (upper, goal) = (dots, dots);
            }
            if reached == self.is_offense(left) {
                best = solver.best(&round, left, dots).or(best);
            }
            let line = best.map(segment).into_iter().collect();
            tell(finding(&solver, [lower, upper], line));
        }
        let mut line: Vec<Segment> =
            solver.line(&round, left, lower).into_iter().map(segment).collect();
        if line.is_empty() {
            line.extend(best.map(segment));
        }
        finding(&solver, [lower, upper], line)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Game;
    use crate::rules::intersections::Intersections;
    use crate::search::plain::after;
    use std::cell::Cell;
    use std::collections::HashMap;

    fn kind(rows: u8, cols: u8, players: u8, before: u8) -> Kind {
        Kind { rows, cols, players, before }
    }

    fn value(kind: Kind, segments: u32) -> u32 {
        let mut solver = solver(kind, 64 << 20).unwrap();
        let finding = solver.solve(&[], segments, 0, 1, &|| None, &mut |_| ());
        assert_eq!(finding.line.len(), segments as usize);
        finding.proven().unwrap()
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
        hold(2, 4, &[(2, 0), (4, 1), (6, 2), (8, 4), (10, 6)]);
        hold(2, 5, &[(2, 0), (4, 1), (6, 2), (8, 4)]);
        hold(3, 3, &[(3, 0), (6, 1)]);
        hold(3, 4, &[(3, 0), (6, 1), (9, 2)]);
    }

    #[test]
    #[ignore = "takes seconds in release: run by `cargo test --release -- --ignored`"]
    fn what_is_known_of_longer_rounds() {
        hold(2, 5, &[(10, 6)]);
        hold(3, 5, &[(9, 2)]);
    }

    #[test]
    fn several_threads_find_the_same() {
        for before in 0..2 {
            let mut solver = solver(kind(4, 4, 2, before), 64 << 20).unwrap();
            let finding = solver.solve(&[], 10, 0, 3, &|| None, &mut |finding| {
                assert!((finding.lower..=finding.upper).contains(&6));
            });
            assert_eq!((finding.proven(), finding.line.len()), (Some(6), 10));
            // With what the table knows it is the line of one thread too.
            let again = solver.solve(&[], 10, 6, 1, &|| None, &mut |_| ());
            assert_eq!((again.proven(), again.halt), (Some(6), None));
        }
    }

    #[test]
    fn several_threads_stop_when_they_are_told_to() {
        let mut solver = solver(kind(5, 5, 2, 1), 64 << 20).unwrap();
        for looks in [0, 1, 20, 40] {
            let asked = Cell::new(0);
            let halt = || {
                asked.set(asked.get() + 1);
                (asked.get() > looks).then_some(Halt::Time)
            };
            let finding = solver.solve(&[], 10, 5, 3, &halt, &mut |_| ());
            assert_eq!(finding.halt, Some(Halt::Time));
            assert!((finding.lower..=finding.upper).contains(&6), "{finding:?}");
        }
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
            Box::new(Rounds::<u64>::new(kind, 4 << 20)),
            Box::new(Rounds::<u128>::new(kind, 4 << 20)),
        ];
        for mut solver in solvers {
            for guess in [0, 2, 99] {
                let mut told = 0;
                let finding =
                    solver.solve(position.drawn(), left, guess, 1, &|| None, &mut |finding| {
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
