//! Boards that are too many to solve: alpha-beta search, one ply deeper each time.
//!
//! No rule of the game ends it when a position comes again; whoever can win can do so in so many
//! plies however the position was reached, and where neither can the game may go on for ever. So only
//! wins and losses are ever proven, each by a tree of so many plies, besides draws by two lines at once.
//! Of the way to a position the search takes notice only in a match: it would rather not repeat what was
//! there before. What rests on that is not kept in the table, so all that is holds for every way.

use super::alpha_beta::Node;
use super::board::{Board, End, Geometry};
use super::evaluation::Evaluation;
use super::mask::Mask;
use super::order::Order;
use super::transposition::Memo;
use crate::rules::quixo::Push;
use crate::search::{Control, Halt, Rated, Report, Scope, Value, WON};
use std::collections::HashSet;

/// A score from here on is a proven win, after [`WON`] less the score plies; below its negative it
/// is a loss. All others are guesses, or 0 for a draw by lines of both.
pub(super) const PROVEN: i32 = WON - 1_000;
pub(super) const INFINITE: i32 = WON + 1_000;

/// How deep it looks at most.
const DEEPEST: u8 = 120;

/// For the line that is told at the end so many boards are searched at most, or where that is more, a
/// sixteenth of those that were searched before.
const LINE_NODES: u64 = 1 << 16;

/// How much further than the depth it is at it follows threats.
const FURTHER: usize = 2;

/// What the score of a board is to the seat that pushed to it.
pub(super) const fn up(score: i32) -> i32 {
    if score >= PROVEN {
        1 - score
    } else if score <= -PROVEN {
        -1 - score
    } else {
        -score
    }
}

/// The other way round: what a bound is to the seat whose turn comes next.
pub(super) const fn down(bound: i32) -> i32 {
    if bound >= PROVEN {
        -1 - bound
    } else if bound <= -PROVEN {
        1 - bound
    } else {
        -bound
    }
}

/// What a score that proves nothing says, between a loss and a win.
fn estimate(score: i32) -> f32 {
    0.95 * (score as f32 / 2_000.0).tanh()
}

/// What a score says that was found by a search of so many plies.
fn value_of(score: i32, depth: u8, exact: bool) -> Value {
    let plies = (WON - score.abs()) as u32;
    let plies = Some(plies).filter(|&plies| exact && plies <= u32::from(depth));
    if score >= PROVEN && exact {
        Value { plies, ..Value::exact(1) }
    } else if score <= -PROVEN {
        // No more than a loss, so a loss.
        Value { plies, ..Value::exact(-1) }
    } else {
        Value::estimate(estimate(score))
    }
}

/// Whether all is known of a value, which of a win or a loss is the number of plies too.
fn is_done(value: Value) -> bool {
    value.proven().is_some_and(|outcome| outcome == 0 || value.plies.is_some())
}

/// What a search knows of one push from the root.
struct Root<M> {
    push: Push,
    after: Board<M>,
    score: i32,
    value: Value,
    /// Score and value of the last depth that was searched in full.
    whole: (i32, Value),
}

/// A running search.
pub struct Search<'a, M> {
    pub(super) geometry: &'a Geometry<M>,
    pub(super) evaluation: Evaluation<M>,
    pub(super) transposition: &'a mut Memo<M>,
    pub(super) control: &'a Control<'a, Push>,
    pub(super) nodes: u64,
    /// How many boards may be searched.
    pub(super) most_nodes: u64,
    pub(super) order: Order,
    /// In a match, the boards it has been through and those between the root and the board that is searched:
    /// those where the seat is to move that is at the root, and those where the other is. Else empty.
    pub(super) earlier: [Vec<Board<M>>; 2],
    /// Whether something that was found since this was last cleared rests on those.
    pub(super) came_back: bool,
    /// How far from the root threats are followed.
    pub(super) farthest: usize,
}

impl<'a, M: Mask> Search<'a, M> {
    /// A search that knows what `transposition` holds.
    pub fn new(
        geometry: &'a Geometry<M>,
        transposition: &'a mut Memo<M>,
        control: &'a Control<'a, Push>,
    ) -> Search<'a, M> {
        Search {
            geometry,
            evaluation: Evaluation::new(geometry),
            transposition,
            control,
            nodes: 0,
            most_nodes: u64::MAX,
            order: Order::new(geometry.slides.len()),
            earlier: [Vec::new(), Vec::new()],
            came_back: false,
            farthest: 0,
        }
    }

    /// The same search in a match that has been through these boards, each seen by the seat that was to move,
    /// the last one of all the one to look at. It would rather not come back to one of them.
    pub fn in_match(mut self, boards: Vec<Board<M>>) -> Search<'a, M> {
        // A die never becomes blank again.
        let dice = |board: &Board<M>| (board.own | board.other).count();
        let most = boards.last().map(dice);
        for (ago, board) in boards.into_iter().rev().enumerate() {
            if Some(dice(&board)) == most {
                self.earlier[ago % 2].push(board);
            }
        }
        self
    }

    /// Looks deeper and deeper until all that is asked for is proven or the control says that it is
    /// over, or down to `deepest` plies. The game must not be over.
    pub fn run(&mut self, board: Board<M>, scope: Scope, deepest: u8) -> Report<Push> {
        let mut roots: Vec<Root<M>> = self
            .geometry
            .legal(board)
            .map(|slide| {
                let after = slide.play(board);
                let (score, value) = match self.geometry.end(after) {
                    Some(End::Lost) => (WON - 1, Value::exact(1).in_plies(1)),
                    Some(End::Won) => (1 - WON, Value::exact(-1).in_plies(1)),
                    Some(End::Drawn) => (0, Value::exact(0)),
                    None => {
                        let score = up(self.evaluation.shape(after).score);
                        (score, Value::estimate(estimate(score)))
                    }
                };
                Root { push: slide.push, after, score, value, whole: (score, value) }
            })
            .collect();
        roots.sort_by_key(|root| std::cmp::Reverse(root.score));
        if scope == Scope::Best {
            let mut seen = HashSet::new();
            roots.retain(|root| seen.insert(root.after));
        }
        let mut report = self.report(&roots, scope, 1);
        self.control.tell(&report);
        let mut depth = 2;
        while depth <= deepest.min(DEEPEST) && !Self::is_settled(&roots, scope) {
            let halt = self.iterate(&mut roots, scope, depth).err();
            let whole = halt.is_none();
            if whole && self.is_forced(&roots) {
                self.forget_the_match(&mut roots);
                continue;
            }
            if whole {
                for root in &mut roots {
                    root.whole = (root.score, root.value);
                }
            } else if scope == Scope::Moves {
                // Guesses of two depths cannot be compared; what is proven stays.
                for root in roots.iter_mut().filter(|root| root.value.proven().is_none()) {
                    (root.score, root.value) = root.whole;
                }
            }
            if whole || scope == Scope::Moves {
                roots.sort_by_key(|root| std::cmp::Reverse(root.score));
            }
            report = self.report(&roots, scope, if whole { depth } else { depth - 1 });
            if !whole {
                report.halt = halt;
                return report;
            }
            self.control.tell(&report);
            depth += 1;
        }
        if Self::is_settled(&roots, scope) {
            report.pv = roots.first().map(|best| self.line_to_the_end(best)).unwrap_or_default();
        } else {
            // Deeper than this only a table sees.
            report.halt = self.control.halt().or(Some(Halt::Memory));
        }
        report
    }

    /// Whether the end is proven to be forced, which is looked at in a match.
    fn is_forced(&self, roots: &[Root<M>]) -> bool {
        let in_match = self.earlier.iter().any(|boards| !boards.is_empty());
        in_match && roots.first().is_some_and(|best| best.score.abs() >= PROVEN)
    }

    /// Whoever can force the end need not come back to anything on the shortest way there, and only a search that
    /// takes no notice of what was before finds that.
    fn forget_the_match(&mut self, roots: &mut [Root<M>]) {
        self.earlier = [Vec::new(), Vec::new()];
        self.came_back = false;
        for root in roots.iter_mut().filter(|root| self.geometry.end(root.after).is_none()) {
            root.value = Value::estimate(estimate(root.score));
        }
    }

    /// Whether all that is asked for is proven.
    fn is_settled(roots: &[Root<M>], scope: Scope) -> bool {
        match scope {
            Scope::Moves => roots.iter().all(|root| is_done(root.value)),
            // The first is the best, which has to be proven of all others too unless it wins.
            Scope::Best => roots.first().is_some_and(|best| {
                let most = best.value.lower;
                let is_no_better =
                    |root: &Root<M>| root.value.upper.is_some_and(|upper| Some(upper) <= most);
                is_done(best.value) && (most == Some(1) || roots.iter().all(is_no_better))
            }),
        }
    }

    /// Looks at every push from the root, this many plies deep.
    fn iterate(&mut self, roots: &mut [Root<M>], scope: Scope, depth: u8) -> Result<(), Halt> {
        let mut best = -INFINITE;
        self.farthest = usize::from(depth) + FURTHER;
        for at in 0..roots.len() {
            let Root { after, value, score, .. } = roots[at];
            let known = is_done(value);
            let look = |search: &mut Self, alpha, beta| {
                let (alpha, beta) = (down(beta), down(alpha));
                let node = Node { board: after, depth: depth - 1, ply: 1, alpha, beta };
                search.value(node).map(up)
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
                // The best stands first; of equals the one found first.
                let to = roots[..at].partition_point(|root| root.score >= found);
                roots[to..=at].rotate_right(1);
                if to == 0 && at > 0 && self.nodes > 1 << 18 {
                    self.control.tell(&self.report(roots, scope, depth - 1));
                }
            }
        }
        Ok(())
    }

    fn report(&self, roots: &[Root<M>], scope: Scope, depth: u8) -> Report<Push> {
        let Some(first) = roots.first() else { return Report::default() };
        let values = || roots.iter().map(|root| root.value);
        let lower = values().filter_map(|value| value.lower).max();
        let upper =
            values().map(|value| value.upper).try_fold(-1, |most, upper| Some(most.max(upper?)));
        let upper = if lower == Some(1) { lower } else { upper };
        let plies = first.value.plies.filter(|_| lower.is_some() && lower == upper);
        let value = Value { lower, upper, plies, ..first.value };
        let rated =
            roots.iter().map(|root| Rated { mv: root.push, value: root.value, round_value: None });
        // With null windows the others are only known to be no better.
        let known = if scope == Scope::Best { 1 } else { roots.len() };
        let best = roots[..known].iter().take_while(|root| root.score == first.score);
        Report {
            value,
            depth: depth.into(),
            best: best.map(|root| root.push).collect(),
            pv: self.line(first, depth),
            moves: if scope == Scope::Moves { rated.collect() } else { Vec::new() },
            nodes: self.nodes,
            table: self.transposition.bytes(),
            ..Report::default()
        }
    }

    /// The line of best pushes, as far as the transposition has it.
    fn line(&self, first: &Root<M>, depth: u8) -> Vec<Push> {
        let mut line = vec![first.push];
        let mut at = first.after;
        while line.len() < depth.into()
            && self.geometry.end(at).is_none()
            && let Some(best) = self.hint(at)
        {
            let slide = &self.geometry.slides[best as usize];
            line.push(slide.push);
            at = slide.play(at);
        }
        line
    }

    /// The push that wins at once, or the best that is known.
    fn hint(&self, board: Board<M>) -> Option<u16> {
        let known = || self.transposition.get(board).map(|slot| slot.best);
        self.geometry.winning(board).or_else(known)
    }

    /// The line of best pushes from a root of which all is known, to the end of the game as long as
    /// the transposition has it, or a little search finds it.
    fn line_to_the_end(&mut self, first: &Root<M>) -> Vec<Push> {
        self.most_nodes = self.nodes + LINE_NODES.max(self.nodes / 16);
        let mut line = vec![first.push];
        let (mut at, mut score) = (first.after, down(first.score));
        for left in (1..first.value.plies.unwrap_or_default() as u8).rev() {
            let Ok(Some(best)) = self.reaching(at, score, left) else { break };
            let slide = &self.geometry.slides[best];
            line.push(slide.push);
            (at, score) = (slide.play(at), down(score));
        }
        self.most_nodes = u64::MAX;
        line
    }

    /// The number of a slide that keeps the proven score of a board on which the game ends after so
    /// many plies.
    fn reaching(&mut self, board: Board<M>, score: i32, plies: u8) -> Result<Option<usize>, Halt> {
        let hint = self.hint(board).map(usize::from);
        for at in hint.into_iter().chain(0..self.geometry.slides.len()) {
            let slide = &self.geometry.slides[at];
            if !slide.is_legal(board) {
                continue;
            }
            let after = slide.play(board);
            let found = match self.geometry.end(after) {
                Some(End::Lost) => WON - 1,
                Some(End::Won) => 1 - WON,
                Some(End::Drawn) => 0,
                None => {
                    let (alpha, beta) = (-INFINITE, INFINITE);
                    up(self.value(Node { board: after, depth: plies - 1, ply: 1, alpha, beta })?)
                }
            };
            if found == score {
                return Ok(Some(at));
            }
        }
        Ok(None)
    }
}
