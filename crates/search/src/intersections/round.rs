//! The exact solution of one round. The other players act as one side against the offense: only the offense scores in
//! the round, so they all want to minimize its score.

use super::packed::{Array, PackedWord};
use super::solver::{RoundSolver, Rounds};
use crate::window::Window;
use crate::{StopReason, memory};
use quadrille_rules::intersections::Segment;
use std::sync::atomic::AtomicBool;

/// The kind of a round. Rounds of different kinds cannot share a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RoundKind {
    /// The number of rows of dots.
    pub rows: u8,
    /// The number of columns of dots.
    pub cols: u8,
    /// The number of seats.
    pub players: u8,
    /// The number of other players who draw before the offense draws its first segment.
    pub before: u8,
}

/// The proven results about a round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RoundResult {
    /// A lower bound on the score of the offense.
    pub lower: u32,
    /// An upper bound on the score of the offense.
    pub upper: u32,
    /// The principal variation, once the score is proven. Until then, only the move that is proven to reach the bound
    /// of the side to move, if any.
    pub pv: Vec<Segment>,
    /// The number of positions searched.
    pub nodes: u64,
    /// The size of the table in bytes.
    pub table_bytes: usize,
    /// The reason why the search stopped before the score was proven.
    pub halt: Option<StopReason>,
}

impl RoundResult {
    /// Returns the score of the offense, if proven.
    pub fn proven(&self) -> Option<u32> {
        (self.lower == self.upper).then_some(self.lower)
    }
}

/// A question to the solver.
#[derive(Clone, Copy, Debug)]
pub struct RoundQuestion<'a> {
    /// The drawn segments.
    pub drawn: &'a [Segment],
    /// The number of segments left.
    pub left: u32,
    /// The likely score of the offense.
    pub guess: u32,
    /// The maximum number of search threads.
    pub threads: usize,
}

/// Solves rounds of one kind. The table persists between rounds.
pub trait Solve: Send {
    /// Returns the kind of round.
    fn kind(&self) -> RoundKind;

    /// Returns whether the solver supports this number of segments left.
    fn takes(&self, left: u32) -> bool;

    /// Proves the score of the offense in the round, or as much as possible until `halt` stops the search. Calls
    /// `on_bound` after every new bound.
    fn solve(
        &mut self,
        question: RoundQuestion<'_>,
        halt: &dyn Fn() -> Option<StopReason>,
        on_bound: &mut dyn FnMut(RoundResult),
    ) -> RoundResult;
}

/// Creates a solver for a kind of round, if its array can be packed. The solver's table never takes more than `memory`
/// bytes.
pub fn solver(kind: RoundKind, memory: usize) -> Option<Box<dyn Solve>> {
    let bits = Array::<u64>::bits(kind.rows.into(), kind.cols.into());
    // A key also contains the number of segments left, in five bits: enough on arrays that take up to 59 bits.
    if bits + 5 <= u64::BITS {
        Some(Box::new(Rounds::<u64>::new(kind, memory)))
    } else if bits + 4 <= u128::BITS {
        Some(Box::new(Rounds::<u128>::new(kind, memory)))
    } else {
        None
    }
}

impl<W: PackedWord> Solve for Rounds<W> {
    fn kind(&self) -> RoundKind {
        self.kind
    }

    fn takes(&self, left: u32) -> bool {
        left < 1 << (W::BITS - self.left_at).min(8)
    }

    fn solve(
        &mut self,
        question: RoundQuestion<'_>,
        halt: &dyn Fn() -> Option<StopReason>,
        on_bound: &mut dyn FnMut(RoundResult),
    ) -> RoundResult {
        let RoundQuestion { drawn, left, guess, threads } = question;
        let helpers = memory::threads(threads.saturating_sub(1));
        let round = self.array.pack(drawn);
        let counted = self.counted(&round);
        let segment = |number: usize| self.array.segments()[number].mv;
        let over = AtomicBool::new(false);
        let mut solver = RoundSolver::new(self, &over, Some(halt));
        let result = |solver: &RoundSolver<'_, W>, window: Window, pv| RoundResult {
            lower: counted + window.lower as u32,
            upper: counted + window.upper as u32,
            pv,
            nodes: solver.nodes,
            table_bytes: self.table_bytes(),
            halt: solver.halted,
        };
        let most = if left == 0 { 0 } else { self.array.countable() - counted };
        let mut window = Window::new(0, most as i32, guess.saturating_sub(counted) as i32);
        let mut best = None;
        while window.is_open() {
            let Some(reached) = solver.ask(&round, left, window.goal as u32, helpers) else {
                return result(&solver, window, best.map(segment).into_iter().collect());
            };
            window = window.after(reached);
            if reached == self.is_offense(left) {
                let dots = if reached { window.lower } else { window.upper };
                best = solver.best(&round, left, dots as u32).or(best);
            }
            on_bound(result(&solver, window, best.map(segment).into_iter().collect()));
        }
        let pv = solver.pv(&round, left, window.lower as u32);
        let pv = if pv.is_empty() { best.into_iter().collect() } else { pv };
        result(&solver, window, pv.into_iter().map(segment).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::random_position;
    use super::super::{kind_of, left};
    use super::*;
    use crate::minimax::after;
    use quadrille_rules::Position;
    use quadrille_rules::intersections::Intersections;
    use std::cell::Cell;
    use std::collections::HashMap;

    fn kind(rows: u8, cols: u8, players: u8, before: u8) -> RoundKind {
        RoundKind { rows, cols, players, before }
    }

    /// Returns the question about a whole round, to be searched by one thread.
    fn whole(left: u32) -> RoundQuestion<'static> {
        RoundQuestion { drawn: &[], left, guess: 0, threads: 1 }
    }

    fn value(kind: RoundKind, segments: u32) -> u32 {
        let mut solver = solver(kind, 64 << 20).unwrap();
        let result = solver.solve(whole(segments), &|| None, &mut |_| ());
        assert_eq!(result.pv.len(), segments as usize);
        result.proven().unwrap()
    }

    /// Checks the values of whole rounds, which do not depend on who draws first.
    fn hold(players: u8, size: u8, values: &[(u32, u32)]) {
        for &(segments, dots) in values {
            for before in 0..players {
                assert_eq!(value(kind(size, size, players, before), segments), dots, "{segments}");
            }
        }
    }

    #[test]
    fn whole_rounds_have_their_known_values() {
        hold(2, 3, &[(2, 0), (4, 1), (6, 2)]);
        hold(2, 4, &[(2, 0), (4, 1), (6, 2), (8, 4), (10, 6)]);
        hold(2, 5, &[(2, 0), (4, 1), (6, 2), (8, 4)]);
        hold(3, 3, &[(3, 0), (6, 1)]);
        hold(3, 4, &[(3, 0), (6, 1), (9, 2)]);
    }

    #[test]
    #[ignore = "takes seconds in release: run by `cargo test --release -- --ignored`"]
    fn longer_rounds_have_their_known_values() {
        hold(2, 5, &[(10, 6)]);
        hold(3, 5, &[(9, 2)]);
    }

    #[test]
    fn several_threads_find_the_same_value() {
        for before in 0..2 {
            let mut solver = solver(kind(4, 4, 2, before), 64 << 20).unwrap();
            let by_three = RoundQuestion { threads: 3, ..whole(10) };
            let result = solver.solve(by_three, &|| None, &mut |result| {
                assert!((result.lower..=result.upper).contains(&6));
            });
            assert_eq!((result.proven(), result.pv.len()), (Some(6), 10));
            // A single thread finds the same result in the table that several threads have filled.
            let likely = RoundQuestion { guess: 6, ..whole(10) };
            let again = solver.solve(likely, &|| None, &mut |_| ());
            assert_eq!((again.proven(), again.halt), (Some(6), None));
        }
    }

    #[test]
    fn several_threads_stop_on_request() {
        let mut solver = solver(kind(5, 5, 2, 1), 64 << 20).unwrap();
        for looks in [0, 1, 20, 40] {
            let asked = Cell::new(0);
            let halt = || {
                asked.set(asked.get() + 1);
                (asked.get() > looks).then_some(StopReason::Time)
            };
            let question = RoundQuestion { guess: 5, threads: 3, ..whole(10) };
            let result = solver.solve(question, &halt, &mut |_| ());
            assert_eq!(result.halt, Some(StopReason::Time));
            assert!((result.lower..=result.upper).contains(&6), "{result:?}");
        }
    }

    /// Returns the score of the offense in this round, by plain search.
    fn plain(position: &Intersections, known: &mut HashMap<Intersections, u32>) -> u32 {
        if let Some(&dots) = known.get(position) {
            return dots;
        }
        let offense = position.round().offense;
        let ends = position.legal_moves().into_iter().map(|mv| {
            if left(position) == 1 {
                position.with_segment(mv).scoring_dots().count() as u32
            } else {
                plain(&after(position, mv), known)
            }
        });
        let best = if position.to_move() == Some(offense) { ends.max() } else { ends.min() };
        known.insert(position.clone(), best.unwrap());
        best.unwrap()
    }

    #[test]
    fn solved_rounds_match_plain_search() {
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
            let most = if start.rows() * start.cols() > 9 { 3 } else { 4 };
            for _ in 0..12 {
                hold_to_plain(&random_position(&start, most, &mut rng), &mut known);
            }
        }
    }

    fn hold_to_plain(position: &Intersections, known: &mut HashMap<Intersections, u32>) {
        let dots = plain(position, known);
        let (kind, left) = (kind_of(position, position.round().number), left(position));
        let solvers: [Box<dyn Solve>; 2] = [
            Box::new(Rounds::<u64>::new(kind, 4 << 20)),
            Box::new(Rounds::<u128>::new(kind, 4 << 20)),
        ];
        for mut solver in solvers {
            for guess in [0, 2, 99] {
                let mut reports = 0;
                let question = RoundQuestion { drawn: position.drawn(), guess, ..whole(left) };
                let result = solver.solve(question, &|| None, &mut |result| {
                    assert!((result.lower..=result.upper).contains(&dots));
                    reports += 1;
                });
                assert_eq!((result.lower, result.upper), (dots, dots), "{position}");
                // The value is constant along the variation.
                let mut end = position.clone();
                for (index, &mv) in result.pv.iter().enumerate() {
                    assert_eq!(end.check(mv), Ok(()));
                    if index + 1 == left as usize {
                        assert_eq!(end.with_segment(mv).scoring_dots().count() as u32, dots);
                    } else {
                        end.play(mv).unwrap();
                        assert_eq!(plain(&end, known), dots, "{position} {mv}");
                    }
                }
                assert!(!result.pv.is_empty());
            }
        }
    }
}
