//! Iterative deepening of the alpha-beta search.
//!
//! The rules do not end a game when a position repeats. A forced win therefore takes the same number of plies
//! regardless of how the position was reached, and if neither player can force a win, the game may continue forever.
//! The search proves wins and losses, each by a search tree of that many plies. It proves draws only if two lines are
//! completed at once.
//!
//! Only in a match does the search consider the previous positions: it avoids repeating them. Scores that depend on the
//! previous positions are marked in the transposition table. They count only in a match, in which they may come from a
//! different path to the same board. A win or a loss is never proven by a repetition, so the proof is still valid, but
//! its number of plies may be too large. The value is therefore searched again without the marked scores.

use super::alpha_beta::BoardNode;
use super::board::{Board, BoardEnd, Geometry};
use super::evaluation::LineEvaluation;
use super::mask::Mask;
use super::order::Order;
use super::transposition::TranspositionTable;
use crate::window::for_variation;
use crate::{Control, RatedMove, Report, Scope, StopReason, Value, WIN_SCORE};
use quadrille_rules::quixo::Push;
use std::collections::HashSet;

/// The minimum score of a proven win. A win in n plies has the score [`WIN_SCORE`] - n, and a loss the negated score.
/// Scores in between are heuristic, or 0 for a draw by lines of both symbols.
pub(super) const MIN_WIN_SCORE: i32 = WIN_SCORE - 1_000;
pub(super) const INFINITE: i32 = WIN_SCORE + 1_000;

/// The maximum depth in plies.
const MAX_DEPTH: u8 = 120;

/// The number of plies beyond the depth to which threats are followed.
const FURTHER: usize = 2;

/// Converts a child's score to its parent's view: negates the score, and moves a win or a loss one ply further away.
pub(super) const fn to_parent(score: i32) -> i32 {
    if score >= MIN_WIN_SCORE {
        1 - score
    } else if score <= -MIN_WIN_SCORE {
        -1 - score
    } else {
        -score
    }
}

/// Converts a parent's bound to its child's view: the inverse of [`to_parent`].
pub(super) const fn to_child(bound: i32) -> i32 {
    if bound >= MIN_WIN_SCORE {
        -1 - bound
    } else if bound <= -MIN_WIN_SCORE {
        1 - bound
    } else {
        -bound
    }
}

/// Returns the estimate, between -1 and 1, for a heuristic score.
fn estimate(score: i32) -> f32 {
    0.95 * (score as f32 / 2_000.0).tanh()
}

/// Returns the value of a score found by a search of `depth` plies. `exact` is whether the score is exact rather than a
/// bound.
fn value_of(score: i32, depth: u8, exact: bool) -> Value {
    let plies = (WIN_SCORE - score.abs()) as u32;
    let plies = Some(plies).filter(|&plies| exact && plies <= u32::from(depth));
    if score >= MIN_WIN_SCORE && exact {
        Value { plies, ..Value::exact(1) }
    } else if score <= -MIN_WIN_SCORE {
        // An upper bound that is a loss proves a loss, but not its number of plies.
        Value { plies, ..Value::exact(-1) }
    } else {
        Value::estimate(estimate(score))
    }
}

/// Returns whether a value is proven, including the number of plies for a win or a loss.
fn is_done(value: Value) -> bool {
    value.proven().is_some_and(|outcome| outcome == 0 || value.plies.is_some())
}

/// A push at the root and its search results.
struct RootMove<M> {
    push: Push,
    after: Board<M>,
    score: i32,
    value: Value,
    /// Score and value from the last completed depth.
    completed: (i32, Value),
}

/// A running search.
pub struct Search<'a, M> {
    pub(super) geometry: &'a Geometry<M>,
    pub(super) evaluation: LineEvaluation<M>,
    pub(super) transposition: &'a mut TranspositionTable<M>,
    pub(super) control: &'a Control<'a, Push>,
    pub(super) nodes: u64,
    /// The maximum for `nodes`.
    pub(super) most_nodes: u64,
    pub(super) order: Order,
    /// In a match: the earlier boards of the match and the boards on the path from the root, first those with the same
    /// seat to move as at the root, then those with the other. Otherwise empty.
    pub(super) earlier: [Vec<Board<M>>; 2],
    /// Whether any score found since this flag was last cleared depends on `earlier`.
    pub(super) has_repeated: bool,
    /// The ply up to which threats are followed.
    pub(super) farthest: usize,
}

impl<'a, M: Mask> Search<'a, M> {
    /// Creates a search that uses and fills `transposition`.
    pub fn new(
        geometry: &'a Geometry<M>,
        transposition: &'a mut TranspositionTable<M>,
        control: &'a Control<'a, Push>,
    ) -> Search<'a, M> {
        Search {
            geometry,
            evaluation: LineEvaluation::new(geometry),
            transposition,
            control,
            nodes: 0,
            most_nodes: u64::MAX,
            order: Order::new(geometry.slides.len()),
            earlier: [Vec::new(), Vec::new()],
            has_repeated: false,
            farthest: 0,
        }
    }

    /// Returns the search with the boards of a match, each from the view of its seat to move. The last board is the one
    /// to search. The search avoids repeating these boards.
    pub fn in_match(mut self, boards: Vec<Board<M>>) -> Search<'a, M> {
        // A die never becomes blank again, so boards with fewer marked dice cannot repeat.
        let dice = |board: &Board<M>| (board.own | board.other).count();
        let most = boards.last().map(dice);
        for (ago, board) in boards.into_iter().rev().enumerate() {
            if Some(dice(&board)) == most {
                self.earlier[ago % 2].push(board);
            }
        }
        self
    }

    /// Searches by iterative deepening until everything in `scope` is proven, the control stops the search, or it has
    /// completed `deepest` plies. The game must not be over.
    pub fn run(&mut self, board: Board<M>, scope: Scope, deepest: u8) -> Report<Push> {
        let mut roots: Vec<RootMove<M>> = self
            .geometry
            .legal(board)
            .map(|slide| {
                let after = slide.play(board);
                let (score, value) = match self.geometry.end(after) {
                    Some(BoardEnd::Lost) => (WIN_SCORE - 1, Value::exact(1).with_plies(1)),
                    Some(BoardEnd::Won) => (1 - WIN_SCORE, Value::exact(-1).with_plies(1)),
                    Some(BoardEnd::Drawn) => (0, Value::exact(0)),
                    None => {
                        let score = to_parent(self.evaluation.evaluate(after).score);
                        (score, Value::estimate(estimate(score)))
                    }
                };
                RootMove { push: slide.push, after, score, value, completed: (score, value) }
            })
            .collect();
        roots.sort_by_key(|root| std::cmp::Reverse(root.score));
        if scope == Scope::Best {
            let mut seen = HashSet::new();
            roots.retain(|root| seen.insert(root.after));
        }
        let mut report = self.report(&roots, scope, 1);
        self.control.send_report(&report);
        let mut depth = 2;
        while depth <= deepest.min(MAX_DEPTH) && !Self::is_settled(&roots, scope) {
            let halt = self.iterate(&mut roots, scope, depth).err();
            let completed = halt.is_none();
            if completed && self.is_forced(&roots) {
                self.forget_the_match(&mut roots);
                continue;
            }
            if completed {
                for root in &mut roots {
                    root.completed = (root.score, root.value);
                }
            } else if scope == Scope::Moves {
                // Scores from different depths cannot be compared, so all moves return to the last complete depth.
                // Proven values stay.
                for root in roots.iter_mut().filter(|root| root.value.proven().is_none()) {
                    (root.score, root.value) = root.completed;
                }
            }
            if completed || scope == Scope::Moves {
                roots.sort_by_key(|root| std::cmp::Reverse(root.score));
            }
            report = self.report(&roots, scope, if completed { depth } else { depth - 1 });
            if !completed {
                report.halt = halt;
                return report;
            }
            self.control.send_report(&report);
            depth += 1;
        }
        if Self::is_settled(&roots, scope) {
            report.pv = roots.first().map(|best| self.pv_to_the_end(best)).unwrap_or_default();
        } else {
            // The search has reached its maximum depth: the rest requires a table, for which there is no memory.
            report.halt = self.control.halt().or(Some(StopReason::MemoryLimit));
        }
        report
    }

    /// Returns whether a win or a loss is proven while the search still avoids repetitions.
    fn is_forced(&self, roots: &[RootMove<M>]) -> bool {
        let in_match = self.earlier.iter().any(|boards| !boards.is_empty());
        in_match && roots.first().is_some_and(|best| best.score.abs() >= MIN_WIN_SCORE)
    }

    /// Continues without avoiding repetitions. The shortest forced win repeats nothing, but a search that avoids
    /// repetitions may count too many plies, so the values are searched again.
    fn forget_the_match(&mut self, roots: &mut [RootMove<M>]) {
        self.earlier = [Vec::new(), Vec::new()];
        self.has_repeated = false;
        for root in roots.iter_mut().filter(|root| self.geometry.end(root.after).is_none()) {
            root.value = Value::estimate(estimate(root.score));
        }
    }

    /// Returns whether everything in the scope is proven.
    fn is_settled(roots: &[RootMove<M>], scope: Scope) -> bool {
        match scope {
            Scope::Moves => roots.iter().all(|root| is_done(root.value)),
            // The first move is the best. Unless it wins, all others must be proven to be no better.
            Scope::Best => roots.first().is_some_and(|best| {
                let most = best.value.lower;
                let is_no_better =
                    |root: &RootMove<M>| root.value.upper.is_some_and(|upper| Some(upper) <= most);
                is_done(best.value) && (most == Some(1) || roots.iter().all(is_no_better))
            }),
        }
    }

    /// Searches every push from the root to this depth.
    fn iterate(
        &mut self,
        roots: &mut [RootMove<M>],
        scope: Scope,
        depth: u8,
    ) -> Result<(), StopReason> {
        let mut best = -INFINITE;
        self.farthest = usize::from(depth) + FURTHER;
        for at in 0..roots.len() {
            let RootMove { after, value, score, .. } = roots[at];
            let known = is_done(value);
            let look = |search: &mut Self, alpha, beta| {
                let (alpha, beta) = (to_child(beta), to_child(alpha));
                let node = BoardNode { board: after, depth: depth - 1, ply: 1, alpha, beta };
                search.value(node).map(to_parent)
            };
            let found = if known {
                score
            } else if scope == Scope::Moves || at == 0 {
                look(self, -INFINITE, INFINITE)?
            } else {
                let guess = look(self, best, best + 1)?;
                if guess > best { look(self, best, INFINITE)? } else { guess }
            };
            let exact = scope == Scope::Moves || found > best;
            let root = &mut roots[at];
            root.score = found;
            if !known {
                root.value = value_of(found, depth, exact);
            }
            if found > best {
                best = found;
            }
            if scope == Scope::Best {
                // The best move comes first; of equal moves, the first one found.
                let to = roots[..at].partition_point(|root| root.score >= found);
                roots[to..=at].rotate_right(1);
                if to == 0 && at > 0 && self.nodes > 1 << 18 {
                    self.control.send_report(&self.report(roots, scope, depth - 1));
                }
            }
        }
        Ok(())
    }

    fn report(&self, roots: &[RootMove<M>], scope: Scope, depth: u8) -> Report<Push> {
        let Some(first) = roots.first() else { return Report::default() };
        let values = || roots.iter().map(|root| root.value);
        let lower = values().filter_map(|value| value.lower).max();
        let upper =
            values().map(|value| value.upper).try_fold(-1, |most, upper| Some(most.max(upper?)));
        let upper = if lower == Some(1) { lower } else { upper };
        let plies = first.value.plies.filter(|_| lower.is_some() && lower == upper);
        let value = Value { lower, upper, plies, ..first.value };
        let rated = roots.iter().map(|root| RatedMove {
            mv: root.push,
            value: root.value,
            round_value: None,
        });
        // Moves searched with null windows are only known to be no better than the best.
        let known = if scope == Scope::Best { 1 } else { roots.len() };
        let best = roots[..known].iter().take_while(|root| root.score == first.score);
        Report {
            value,
            depth: depth.into(),
            best: best.map(|root| root.push).collect(),
            pv: self.pv(first, depth),
            moves: if scope == Scope::Moves { rated.collect() } else { Vec::new() },
            nodes: self.nodes,
            table_bytes: self.transposition.bytes(),
            ..Report::default()
        }
    }

    /// Returns the principal variation, as far as the transposition table contains it.
    fn pv(&self, first: &RootMove<M>, depth: u8) -> Vec<Push> {
        let mut pv = vec![first.push];
        let mut at = first.after;
        while pv.len() < depth.into()
            && self.geometry.end(at).is_none()
            && let Some(best) = self.hint(at)
        {
            let slide = &self.geometry.slides[best as usize];
            pv.push(slide.push);
            at = slide.play(at);
        }
        pv
    }

    /// Returns the index of a push that wins at once, or else of the best push in the transposition table.
    fn hint(&self, board: Board<M>) -> Option<u16> {
        let known = || self.transposition.get(board).map(|slot| slot.best);
        self.geometry.winning(board).or_else(known)
    }

    /// Returns the principal variation from a root move whose value is proven: to the end of the game, or as far as the
    /// transposition table and a short search find it.
    fn pv_to_the_end(&mut self, first: &RootMove<M>) -> Vec<Push> {
        self.most_nodes = self.nodes + for_variation(self.nodes);
        let mut pv = vec![first.push];
        let (mut at, mut score) = (first.after, to_child(first.score));
        for left in (1..first.value.plies.unwrap_or_default() as u8).rev() {
            let Ok(Some(best)) = self.reaching(at, score, left) else { break };
            let slide = &self.geometry.slides[best];
            pv.push(slide.push);
            (at, score) = (slide.play(at), to_child(score));
        }
        self.most_nodes = u64::MAX;
        pv
    }

    /// Returns the index of a slide that keeps the proven score of a board from which the game ends after `plies`
    /// plies.
    fn reaching(
        &mut self,
        board: Board<M>,
        score: i32,
        plies: u8,
    ) -> Result<Option<usize>, StopReason> {
        let hint = self.hint(board).map(usize::from);
        for at in hint.into_iter().chain(0..self.geometry.slides.len()) {
            let slide = &self.geometry.slides[at];
            if !slide.is_legal(board) {
                continue;
            }
            let after = slide.play(board);
            let found = match self.geometry.end(after) {
                Some(BoardEnd::Lost) => WIN_SCORE - 1,
                Some(BoardEnd::Won) => 1 - WIN_SCORE,
                Some(BoardEnd::Drawn) => 0,
                None => {
                    let (alpha, beta) = (-INFINITE, INFINITE);
                    to_parent(self.value(BoardNode {
                        board: after,
                        depth: plies - 1,
                        ply: 1,
                        alpha,
                        beta,
                    })?)
                }
            };
            if found == score {
                return Ok(Some(at));
            }
        }
        Ok(None)
    }
}
