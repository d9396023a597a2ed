//! An analysis under way: what is known of a position and of its moves, how that becomes more, and
//! what a report says of it.
//!
//! It begins with a glance at the moves. Then estimates are taken over, as from games played by
//! chance, and bounds, as from a search to the end; at last every move is proven.

use super::{Control, Rated, Report, Scope, Value};
use std::cmp::Ordering;

/// What the margin still to come in the play that is searched, for the seat to move, makes of the
/// margin at the end of the game.
pub trait Scale {
    /// The least and the most that it can be then; `None` where that is not known.
    fn range(&self, margin: i32) -> Option<(i32, i32)>;

    /// What it is likely to be then.
    fn likely(&self, margin: f32) -> f32;

    /// The [`round_value`](Report::round_value) that such a margin is.
    fn round_value(&self, _margin: i32) -> Option<u32> {
        None
    }
}

/// What is known of one position while it is analysed. All margins are still to come, and count for
/// the seat to move.
pub struct Analysis<'a, M, S> {
    scope: Scope,
    control: &'a Control<'a, M>,
    /// What margins mean.
    pub scale: S,
    moves: Vec<Known<M>>,
    /// The line that looks best, where none is proven.
    line: Vec<M>,
    proven: Option<Proven<M>>,
    /// How many plies were looked ahead in full.
    pub depth: u32,
    /// How many positions were looked at.
    pub nodes: u64,
    /// Bytes that tables take.
    pub table: usize,
}

/// What is known of a move.
#[derive(Clone, Copy)]
pub struct Known<M> {
    /// The move.
    pub mv: M,
    /// What a glance said of it.
    pub promise: f32,
    /// What it is likely to be worth by now.
    pub likely: f32,
    proven: Option<i32>,
}

/// What is proven of the position.
struct Proven<M> {
    lower: i32,
    upper: i32,
    /// A line whose first move reaches the lower bound; empty before there is one.
    line: Vec<M>,
}

impl<'a, M: Copy + Eq, S: Scale> Analysis<'a, M, S> {
    /// What a glance at all legal moves says. Those it says the same of stay in their order.
    pub fn new(
        moves: impl IntoIterator<Item = (M, f32)>,
        scale: S,
        scope: Scope,
        control: &'a Control<'a, M>,
    ) -> Analysis<'a, M, S> {
        let known = |(mv, promise)| Known { mv, promise, likely: promise, proven: None };
        let mut analysis = Analysis {
            scope,
            control,
            scale,
            moves: moves.into_iter().map(known).collect(),
            line: Vec::new(),
            proven: None,
            depth: 0,
            nodes: 0,
            table: 0,
        };
        analysis.sort();
        analysis
    }

    /// The control.
    pub const fn control(&self) -> &'a Control<'a, M> {
        self.control
    }

    /// All moves, the best first.
    pub fn moves(&self) -> &[Known<M>] {
        &self.moves
    }

    /// The margin, where it is proven.
    pub fn proven(&self) -> Option<i32> {
        self.bounds().filter(|(lower, upper)| lower == upper).map(|(lower, _)| lower)
    }

    /// Between what the margin is proven to be, if anything is.
    pub fn bounds(&self) -> Option<(i32, i32)> {
        self.proven.as_ref().map(|proven| (proven.lower, proven.upper))
    }

    /// Takes over what the moves are likely to be worth, and the line that looks best: its first move
    /// stands before all others, whatever they are likely to be worth. News are told.
    pub fn guess(&mut self, line: Vec<M>, likely: impl Fn(&Known<M>) -> f32) {
        for known in &mut self.moves {
            known.likely = likely(known);
        }
        self.sort();
        self.put_first(line.first().copied());
        self.line = line;
        self.tell();
    }

    /// A line whose first move is proven to reach the lower bound; empty where none is known.
    pub fn proven_line(&self) -> &[M] {
        self.proven.as_ref().map_or(&[], |proven| &proven.line)
    }

    /// Takes over bounds that were proven, some of which may be known already, with a line whose first
    /// move reaches the lower one; an empty one where no such move is known.
    pub fn learn(&mut self, bounds: (i32, i32), line: Vec<M>) {
        let (lower, upper) = bounds;
        let mut found = Proven { lower, upper, line };
        if let Some(known) = self.proven.take() {
            if lower <= known.lower && lower < upper {
                found.line = known.line;
            }
            found.lower = lower.max(known.lower);
            found.upper = upper.min(known.upper);
        }
        self.proven = Some(found);
    }

    /// Takes over what was proven of all moves at once, and so of the position.
    pub fn learn_all(&mut self, worth: impl Fn(M) -> i32) {
        for known in &mut self.moves {
            let worth = worth(known.mv);
            (known.proven, known.likely) = (Some(worth), worth as f32);
        }
        self.sort();
        if let Some(&Known { mv, proven: Some(worth), .. }) = self.moves.first() {
            self.learn((worth, worth), vec![mv]);
        }
        self.tell();
    }

    /// Has every move proven, where the margin of the position is and all moves are asked for: `prove`
    /// says what one is worth, near to the number it is given, or `None` when the search is over.
    pub fn rate(&mut self, mut prove: impl FnMut(&mut Self, M, i32) -> Option<i32>) {
        let Some(margin) = self.proven().filter(|_| self.scope == Scope::Moves) else { return };
        // None can be worth more than the position.
        for known in &mut self.moves {
            known.likely = known.likely.min(margin as f32);
        }
        self.sort();
        self.put_first(self.proven.as_ref().and_then(|proven| proven.line.first().copied()));
        let order: Vec<M> = self.moves.iter().map(|known| known.mv).collect();
        let mut told = 0;
        for (done, &mv) in (1..).zip(&order) {
            let Some(worth) = prove(self, mv, margin) else { break };
            if let Some(known) = self.moves.iter_mut().find(|known| known.mv == mv) {
                (known.proven, known.likely) = (Some(worth), worth as f32);
            }
            // The more are known, the less one more says.
            if done > told + told / 8 {
                told = done;
                self.sort();
                self.tell();
            }
        }
        self.sort();
        self.tell();
    }

    /// Puts the best moves first. Equals stay in their order.
    fn sort(&mut self) {
        self.moves.sort_by(|a, b| b.likely.partial_cmp(&a.likely).unwrap_or(Ordering::Equal));
    }

    fn put_first(&mut self, mv: Option<M>) {
        if let Some(at) = self.moves.iter().position(|known| Some(known.mv) == mv) {
            self.moves[..=at].rotate_right(1);
        }
    }

    /// What bounds of a margin, and what it is likely to be, say of the game.
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

    /// What is known by now.
    pub fn report(&self) -> Report<M> {
        let proven = self.proven();
        let first = self.moves.first();
        let likely =
            proven.map_or_else(|| first.map_or(0.0, |known| known.likely), |margin| margin as f32);
        // A move that is proven to be worth less than another seems to be need not be the best.
        let is_sure = |found: &&Proven<M>| {
            !found.line.is_empty() && (proven.is_some() || found.lower as f32 >= likely)
        };
        let line = self.proven.as_ref().filter(is_sure).map_or(&self.line, |found| &found.line);
        let mv = line.first().copied().or(first.map(|known| known.mv));
        let mut best: Vec<M> = mv.into_iter().collect();
        let pv = if line.is_empty() { best.clone() } else { line.clone() };
        let mut moves = Vec::new();
        if self.scope == Scope::Moves {
            moves.extend(self.moves.iter().map(|known| Rated {
                mv: known.mv,
                value: self.value((known.proven, known.proven.or(proven)), known.likely),
                round_value: known.proven.and_then(|margin| self.scale.round_value(margin)),
            }));
            let equals = self.moves.iter().filter(|known| {
                known.proven.is_some() && known.proven == proven && Some(known.mv) != mv
            });
            best.extend(equals.map(|known| known.mv));
        }
        let (lower, upper) = self.bounds().unzip();
        Report {
            value: self.value((lower, upper), likely),
            round_value: proven.and_then(|margin| self.scale.round_value(margin)),
            depth: self.depth,
            best,
            pv,
            moves,
            nodes: self.nodes,
            table: self.table,
            ..Report::default()
        }
    }

    /// Tells what is known by now.
    pub fn tell(&self) {
        self.control.tell(&self.report());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::{Limits, NoTableCache};
    use std::sync::Mutex;
    use std::sync::atomic::AtomicBool;

    /// The seat to move leads by two.
    struct Two;

    impl Scale for Two {
        fn range(&self, margin: i32) -> Option<(i32, i32)> {
            Some((margin + 2, margin + 2))
        }

        fn likely(&self, margin: f32) -> f32 {
            margin + 2.0
        }
    }

    /// Asks an analysis of three moves, and gives back what it told.
    fn news(scope: Scope, ask: impl FnOnce(&mut Analysis<'_, char, Two>)) -> Vec<Report<char>> {
        let told = Mutex::new(Vec::new());
        let hear = |report: &Report<char>| told.lock().unwrap().push(report.clone());
        let stop = AtomicBool::new(false);
        let control = Control::new(&stop, Limits::default(), &NoTableCache, &hear);
        let moves = [('a', 1.0), ('b', 3.0), ('c', -1.0)];
        ask(&mut Analysis::new(moves, Two, scope, &control));
        told.into_inner().unwrap()
    }

    fn order(report: &Report<char>) -> String {
        report.moves.iter().map(|rated| rated.mv).collect()
    }

    #[test]
    fn a_glance_comes_first_and_estimates_take_its_place() {
        let told = news(Scope::Moves, |analysis| {
            analysis.tell();
            analysis.guess(vec!['a', 'c'], |known| known.promise / 2.0);
        });
        let [glance, guess] = &told[..] else { panic!("{told:?}") };
        assert_eq!((&*order(glance), glance.value), ("bac", Value::estimate(5.0)));
        assert_eq!((&glance.best, &glance.pv), (&vec!['b'], &vec!['b']));
        assert_eq!((&*order(guess), guess.value), ("abc", Value::estimate(2.5)));
        assert_eq!((&guess.best, &guess.pv), (&vec!['a'], &vec!['a', 'c']));
    }

    #[test]
    fn bounds_only_become_narrower() {
        let between = |lower, upper, estimate: f32| Value {
            estimate: Some(estimate),
            ..Value::between(lower, upper)
        };
        news(Scope::Best, |analysis| {
            let mut learn = |bounds, line: &[char]| {
                analysis.learn(bounds, line.to_vec());
                let Report { value, best, pv, .. } = analysis.report();
                (value, best[0], pv)
            };
            // A move that is proven to be worth less than another seems to be is not preferred.
            assert_eq!(learn((0, 9), &['c']), (between(2, 11, 5.0), 'b', vec!['b']));
            assert_eq!(learn((-2, 8), &['a']), (between(2, 10, 5.0), 'b', vec!['b']));
            assert_eq!(learn((4, 9), &['c']), (between(6, 10, 6.0), 'c', vec!['c']));
            assert_eq!(learn((2, 8), &[]), (between(6, 10, 6.0), 'c', vec!['c']));
            assert_eq!(learn((5, 5), &['a', 'b']), (Value::exact(7), 'a', vec!['a', 'b']));
        });
    }

    #[test]
    fn moves_are_proven_the_best_first_and_none_is_worth_more_than_the_position() {
        let told = news(Scope::Moves, |analysis| {
            analysis.learn((2, 2), vec!['c']);
            let mut asked = Vec::new();
            analysis.rate(|_, mv, margin| {
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
        let best = news(Scope::Best, |analysis| {
            analysis.learn((2, 2), vec!['c']);
            analysis.rate(|_, _, _| panic!("nobody has asked for moves"));
        });
        assert!(best.is_empty());
    }

    #[test]
    fn what_is_proven_of_all_moves_is_proven_of_the_position() {
        let told = news(Scope::Moves, |analysis| {
            analysis.learn_all(|mv| if mv == 'b' { -3 } else { 0 });
        });
        assert_eq!((&*order(&told[0]), &told[0].best), ("acb", &vec!['a', 'c']));
        assert_eq!(told[0].value, Value::exact(2));
    }
}
