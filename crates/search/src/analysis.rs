//! A running analysis of a position and its moves, and its reports.
//!
//! The analysis begins with a static evaluation of the moves. Estimates (from random games) and bounds (from an exact
//! search) follow, until every move may be proven.

use super::{Control, RatedMove, Report, RoundValue, Scope, StopReason, Value, memory};
use std::cmp::Ordering;

/// Converts the margin still to be won in the searched part of the game to the margin at the end of the game. Both are
/// for the seat to move.
pub trait Scale {
    /// Whether the searched part is a round with its own value ([`Report::round_value`]).
    const HAS_ROUNDS: bool = false;

    /// Returns the least and the greatest margin at the end; `None` if they are unknown.
    fn range(&self, margin: i32) -> Option<(i32, i32)>;

    /// Returns the likely margin at the end.
    fn likely(&self, margin: f32) -> f32;
}

/// The running analysis of one position. Until [`Scale`] converts them, all margins are those that the seat to move
/// still wins from this position on.
pub struct Analysis<'a, M, S> {
    scope: Scope,
    control: &'a Control<'a, M>,
    /// Converts margins in the searched part to margins at the end of the game.
    pub scale: S,
    moves: Vec<Candidate<M>>,
    /// The most promising variation, used while no variation is proven.
    pv: Vec<M>,
    proven: Option<ProvenMargin<M>>,
    /// Plies searched in full.
    pub depth: u32,
    /// Positions searched.
    pub nodes: u64,
    /// The memory of the tables, in bytes.
    pub table_bytes: usize,
}

/// A legal move and its known values.
#[derive(Clone, Copy)]
pub struct Candidate<M> {
    /// The move.
    pub mv: M,
    /// Its static evaluation.
    pub static_value: f32,
    /// Its likely margin, from all results so far.
    pub likely: f32,
    proven: Option<i32>,
}

struct ProvenMargin<M> {
    lower: i32,
    upper: i32,
    /// A variation whose first move reaches the lower bound; empty if none is known.
    pv: Vec<M>,
}

impl<'a, M: Copy + Eq, S: Scale> Analysis<'a, M, S> {
    /// Begins an analysis with the static evaluations of all legal moves. Moves with equal values keep their order.
    pub fn new(
        moves: impl IntoIterator<Item = (M, f32)>,
        scale: S,
        scope: Scope,
        control: &'a Control<'a, M>,
    ) -> Analysis<'a, M, S> {
        let candidate =
            |(mv, static_value)| Candidate { mv, static_value, likely: static_value, proven: None };
        let mut analysis = Analysis {
            scope,
            control,
            scale,
            moves: moves.into_iter().map(candidate).collect(),
            pv: Vec::new(),
            proven: None,
            depth: 0,
            nodes: 0,
            table_bytes: 0,
        };
        analysis.sort();
        analysis
    }

    /// Returns the control.
    pub const fn control(&self) -> &'a Control<'a, M> {
        self.control
    }

    /// Returns all moves, best first.
    pub fn moves(&self) -> &[Candidate<M>] {
        &self.moves
    }

    /// Returns the margin, if proven.
    pub fn proven(&self) -> Option<i32> {
        self.bounds().filter(|(lower, upper)| lower == upper).map(|(lower, _)| lower)
    }

    /// Returns the proven bounds of the margin, if any.
    pub fn bounds(&self) -> Option<(i32, i32)> {
        self.proven.as_ref().map(|proven| (proven.lower, proven.upper))
    }

    /// Updates the estimates of the moves and the most promising variation, and reports them. The first move of `pv`
    /// comes first, and no other move gets a higher estimate: moves with fewer games are less certain.
    pub fn update_estimates(&mut self, pv: Vec<M>, likely: impl Fn(&Candidate<M>) -> f32) {
        let best = self.moves.iter().find(|candidate| pv.first() == Some(&candidate.mv));
        let most = best.map_or(f32::INFINITY, &likely);
        for candidate in &mut self.moves {
            candidate.likely = likely(candidate).min(most);
        }
        self.sort();
        self.put_first(pv.first().copied());
        self.pv = pv;
        self.send_report();
    }

    /// Returns a variation whose first move is proven to reach the lower bound; empty if none is known.
    pub fn proven_pv(&self) -> &[M] {
        self.proven.as_ref().map_or(&[], |proven| &proven.pv)
    }

    /// Adds proven bounds, which may be wider than the known bounds. The first move of `pv` reaches the lower bound;
    /// `pv` is empty if no such move is known.
    pub fn tighten(&mut self, bounds: (i32, i32), pv: Vec<M>) {
        let (lower, upper) = bounds;
        let mut found = ProvenMargin { lower, upper, pv };
        if let Some(known) = self.proven.take() {
            if lower <= known.lower && lower < upper {
                found.pv = known.pv;
            }
            found.lower = lower.max(known.lower);
            found.upper = upper.min(known.upper);
        }
        self.proven = Some(found);
    }

    /// Sets the proven margins of all moves at once, and thereby the margin of the position, and reports them.
    pub fn set_all(&mut self, margin: impl Fn(M) -> i32) {
        for candidate in &mut self.moves {
            let margin = margin(candidate.mv);
            (candidate.proven, candidate.likely) = (Some(margin), margin as f32);
        }
        self.sort();
        if let Some(&Candidate { mv, proven: Some(margin), .. }) = self.moves.first() {
            self.tighten((margin, margin), vec![mv]);
        }
        self.send_report();
    }

    /// Proves every move if the scope is all moves and the margin of the position is proven. `prove` receives a move
    /// and, as a first guess, the margin of the position. It returns the margin of the move, or `None` if the search
    /// must stop.
    pub fn prove_moves(&mut self, mut prove: impl FnMut(&mut Self, M, i32) -> Option<i32>) {
        let Some(margin) = self.proven().filter(|_| self.scope == Scope::Moves) else { return };
        // No move is worth more than the position.
        for candidate in &mut self.moves {
            candidate.likely = candidate.likely.min(margin as f32);
        }
        self.sort();
        self.put_first(self.proven.as_ref().and_then(|proven| proven.pv.first().copied()));
        let order: Vec<M> = self.moves.iter().map(|candidate| candidate.mv).collect();
        let mut reported = 0;
        for (done, &mv) in (1..).zip(&order) {
            let Some(proven) = prove(self, mv, margin) else { break };
            if let Some(candidate) = self.moves.iter_mut().find(|candidate| candidate.mv == mv) {
                (candidate.proven, candidate.likely) = (Some(proven), proven as f32);
            }
            // Building a report takes time proportional to the number of moves, so the number of reports is only
            // logarithmic.
            if done > reported + reported / 8 {
                reported = done;
                self.sort();
                self.send_report();
            }
        }
        self.sort();
        self.send_report();
    }

    /// Sorts the moves, best first. Moves with equal values keep their order.
    fn sort(&mut self) {
        self.moves.sort_by(|a, b| b.likely.partial_cmp(&a.likely).unwrap_or(Ordering::Equal));
    }

    fn put_first(&mut self, mv: Option<M>) {
        if let Some(index) = self.moves.iter().position(|candidate| Some(candidate.mv) == mv) {
            self.moves[..=index].rotate_right(1);
        }
    }

    /// Converts bounds and an estimate of the margin to the value at the end of the game.
    fn value(&self, (lower, upper): (Option<i32>, Option<i32>), likely: f32) -> Value {
        let range = |bound: Option<i32>| bound.and_then(|margin| self.scale.range(margin));
        let lower = range(lower).map(|(least, _)| least);
        let upper = range(upper).map(|(_, most)| most);
        let mut likely = self.scale.likely(likely);
        likely = lower.map_or(likely, |lower| likely.max(lower as f32));
        likely = upper.map_or(likely, |upper| likely.min(upper as f32));
        let is_exact = lower.is_some() && lower == upper;
        Value { lower, upper, estimate: (!is_exact).then_some(likely), plies: None }
    }

    /// Returns the value of the round: its proven margin, or else the likely margin.
    fn round_value(proven: Option<i32>, likely: f32) -> Option<RoundValue> {
        S::HAS_ROUNDS.then(|| proven.map_or(RoundValue::Likely(likely), RoundValue::Proven))
    }

    /// Returns a report of the results so far. Without the memory for the values of all moves, the report has none.
    pub fn report(&self) -> Report<M> {
        let proven = self.proven();
        let first = self.moves.first();
        let estimate = || first.map_or(0.0, |candidate| candidate.likely);
        let likely = proven.map_or_else(estimate, |margin| margin as f32);
        // Until the margin is proven, a different move may have an estimate above the proven lower bound. In that case
        // the report shows that move.
        let is_sure = |found: &&ProvenMargin<M>| {
            !found.pv.is_empty() && (proven.is_some() || found.lower as f32 >= likely)
        };
        let pv = self.proven.as_ref().filter(is_sure).map_or(&self.pv, |found| &found.pv);
        let mv = pv.first().copied().or(first.map(|candidate| candidate.mv));
        let mut best: Vec<M> = mv.into_iter().collect();
        let pv = if pv.is_empty() { best.clone() } else { pv.clone() };
        let mut moves = Vec::new();
        let mut halt = None;
        if self.scope == Scope::Moves {
            halt = memory::reserve(&mut moves, self.moves.len()).err().map(StopReason::from);
        }
        if self.scope == Scope::Moves && halt.is_none() {
            moves.extend(self.moves.iter().map(
                |&Candidate { mv, likely, proven: own, .. }| RatedMove {
                    mv,
                    value: self.value((own, own.or(proven)), likely),
                    round_value: Self::round_value(own, likely),
                },
            ));
            let equals = self.moves.iter().filter(|candidate| {
                candidate.proven.is_some() && candidate.proven == proven && Some(candidate.mv) != mv
            });
            best.extend(equals.map(|candidate| candidate.mv));
        }
        let (lower, upper) = self.bounds().unzip();
        Report {
            value: self.value((lower, upper), likely),
            round_value: Self::round_value(proven, likely),
            depth: self.depth,
            best,
            pv,
            moves,
            nodes: self.nodes,
            table_bytes: self.table_bytes,
            halt,
            ..Report::default()
        }
    }

    /// Sends a report of the results so far.
    pub fn send_report(&self) {
        self.control.send_report(&self.report());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Limits, NoTableCache};
    use std::sync::Mutex;
    use std::sync::atomic::AtomicBool;

    /// A scale in which the seat to move already leads by two.
    struct Two;

    impl Scale for Two {
        fn range(&self, margin: i32) -> Option<(i32, i32)> {
            Some((margin + 2, margin + 2))
        }

        fn likely(&self, margin: f32) -> f32 {
            margin + 2.0
        }
    }

    /// Runs an analysis of three moves and returns its reports.
    fn reports(scope: Scope, ask: impl FnOnce(&mut Analysis<'_, char, Two>)) -> Vec<Report<char>> {
        let reports = Mutex::new(Vec::new());
        let on_report = |report: &Report<char>| reports.lock().unwrap().push(report.clone());
        let stop = AtomicBool::new(false);
        let control = Control::new(&stop, Limits::default(), &NoTableCache, &on_report);
        let moves = [('a', 1.0), ('b', 3.0), ('c', -1.0)];
        ask(&mut Analysis::new(moves, Two, scope, &control));
        reports.into_inner().unwrap()
    }

    fn order(report: &Report<char>) -> String {
        report.moves.iter().map(|rated| rated.mv).collect()
    }

    #[test]
    fn estimates_replace_the_static_evaluation() {
        let reports = reports(Scope::Moves, |analysis| {
            analysis.send_report();
            analysis.update_estimates(vec!['a', 'c'], |candidate| candidate.static_value / 2.0);
        });
        let [glance, guess] = &reports[..] else { panic!("{reports:?}") };
        assert_eq!((&*order(glance), glance.value), ("bac", Value::estimate(5.0)));
        assert_eq!((&glance.best, &glance.pv), (&vec!['b'], &vec!['b']));
        assert_eq!((&*order(guess), guess.value), ("abc", Value::estimate(2.5)));
        assert_eq!((&guess.best, &guess.pv), (&vec!['a'], &vec!['a', 'c']));
        assert_eq!(guess.moves[1].value, guess.value, "none is above the one that looks best");
    }

    #[test]
    fn tightened_bounds_only_narrow() {
        let between = |lower, upper, estimate: f32| Value {
            estimate: Some(estimate),
            ..Value::between(lower, upper)
        };
        reports(Scope::Best, |analysis| {
            let mut tighten = |bounds, pv: &[char]| {
                analysis.tighten(bounds, pv.to_vec());
                let Report { value, best, pv, .. } = analysis.report();
                (value, best[0], pv)
            };
            // A proven move is not preferred while a different move promises more.
            assert_eq!(tighten((0, 9), &['c']), (between(2, 11, 5.0), 'b', vec!['b']));
            assert_eq!(tighten((-2, 8), &['a']), (between(2, 10, 5.0), 'b', vec!['b']));
            assert_eq!(tighten((4, 9), &['c']), (between(6, 10, 6.0), 'c', vec!['c']));
            assert_eq!(tighten((2, 8), &[]), (between(6, 10, 6.0), 'c', vec!['c']));
            assert_eq!(tighten((5, 5), &['a', 'b']), (Value::exact(7), 'a', vec!['a', 'b']));
        });
    }

    #[test]
    fn prove_moves_proves_best_moves_first_within_the_position_value() {
        let told = reports(Scope::Moves, |analysis| {
            analysis.tighten((2, 2), vec!['c']);
            let mut asked = Vec::new();
            analysis.prove_moves(|_, mv, margin| {
                asked.push((mv, margin));
                (mv != 'a').then_some(2)
            });
            assert_eq!(asked, [('c', 2), ('b', 2), ('a', 2)]);
        });
        let report = told.last().unwrap();
        let values: Vec<Value> = report.moves.iter().map(|rated| rated.value).collect();
        let no_more = Value { lower: None, ..Value { estimate: Some(3.0), ..Value::exact(4) } };
        assert_eq!(
            (&*order(report), values),
            ("cba", vec![Value::exact(4), Value::exact(4), no_more])
        );
        assert_eq!((report.value, &report.best), (Value::exact(4), &vec!['c', 'b']));
        let best = reports(Scope::Best, |analysis| {
            analysis.tighten((2, 2), vec!['c']);
            analysis.prove_moves(|_, _, _| panic!("nobody has asked for moves"));
        });
        assert!(best.is_empty());
    }

    #[test]
    fn move_margins_prove_the_position_value() {
        let reports = reports(Scope::Moves, |analysis| {
            analysis.set_all(|mv| if mv == 'b' { -3 } else { 0 });
        });
        assert_eq!((&*order(&reports[0]), &reports[0].best), ("acb", &vec!['a', 'c']));
        assert_eq!(reports[0].value, Value::exact(2));
    }
}
