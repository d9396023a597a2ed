//! Boards that are too many to solve: alpha-beta search, one ply deeper each time.
//!
//! No rule of the game ends it when a position comes again; whoever can win can do so in so many
//! plies however the position was reached, and where neither can the game may go on for ever. So the
//! search takes no notice of the way to a position, what it finds holds for every way, and only
//! wins and losses are ever proven, each by a tree of so many plies, besides draws by two lines at once.

use super::board::{Board, End, Geometry, Mask};
use super::transposition::{Bound, Memo};
use crate::rules::quixo::Push;
use crate::search::{Control, Halt, Rated, Report, Scope, Value, WON};

/// A score from here on is a proven win, after [`WON`] less the score plies; below its negative it
/// is a loss. All others are guesses, or 0 for a draw by lines of both.
const PROVEN: i32 = WON - 1_000;
const INFINITE: i32 = WON + 1_000;

/// How deep it looks at most.
const DEEPEST: u8 = 120;

/// For the line that is told at the end so many boards are searched at most, or where that is more, a
/// sixteenth of those that were searched before.
const LINE_NODES: u64 = 1 << 16;

/// What the score of a board is to the seat that pushed to it.
const fn up(score: i32) -> i32 {
    if score >= PROVEN {
        1 - score
    } else if score <= -PROVEN {
        -1 - score
    } else {
        -score
    }
}

/// The other way round: what a bound is to the seat whose turn comes next.
const fn down(bound: i32) -> i32 {
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
    let score = score as f32;
    0.95 * score / (score.abs() + 20_000.0)
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

/// What dice are worth to the seat whose symbol they show. Chosen in games at fixed depths: of 100
/// on 5 × 5 with equal depths, counting dice besides lines won 14 and lost 2.
#[derive(Clone, Debug)]
struct Weights {
    /// For a line, by how many of its dice show the symbol.
    line: Vec<i32>,
    /// For a die anywhere: the other seat cannot take it.
    die: i32,
}

impl Weights {
    fn new(size: u8) -> Weights {
        let n = f32::from(size);
        let line = |dice| (10_000.0 * (f32::from(dice) / n).powi(3)).ceil() as i32;
        Weights { line: (0..=size).map(line).collect(), die: 75_000 / i32::from(size).pow(2) }
    }
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
    geometry: &'a Geometry<M>,
    weights: Weights,
    transposition: &'a mut Memo<M>,
    control: &'a Control<'a, Push>,
    nodes: u64,
    /// How many boards may be searched.
    most_nodes: u64,
    /// How often a slide was the best, the deeper the more.
    history: Vec<u32>,
    /// Lists of slides that are not in use.
    spare: Vec<Vec<(u32, u16)>>,
}

impl<'a, M: Mask> Search<'a, M> {
    /// A search that knows what `transposition` holds.
    pub fn new(
        geometry: &'a Geometry<M>,
        transposition: &'a mut Memo<M>,
        control: &'a Control<'a, Push>,
    ) -> Search<'a, M> {
        let weights = Weights::new(geometry.size);
        let history = vec![0; geometry.slides.len()];
        let (nodes, most_nodes, spare) = (0, u64::MAX, Vec::new());
        Search { geometry, weights, transposition, control, nodes, most_nodes, history, spare }
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
                        let score = up(self.shape(after).score);
                        (score, Value::estimate(estimate(score)))
                    }
                };
                Root { push: slide.push, after, score, value, whole: (score, value) }
            })
            .collect();
        roots.sort_by_key(|root| std::cmp::Reverse(root.score));
        let mut report = self.report(&roots, scope, 1);
        self.control.tell(&report);
        for depth in 2..=deepest.min(DEEPEST) {
            if Self::is_settled(&roots, scope) {
                break;
            }
            let halt = self.iterate(&mut roots, scope, depth).err();
            let whole = halt.is_none();
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
        }
        if Self::is_settled(&roots, scope) {
            report.pv = roots.first().map(|best| self.line_to_the_end(best)).unwrap_or_default();
        } else {
            // Deeper than this only a table sees.
            report.halt = self.control.halt().or(Some(Halt::Memory));
        }
        report
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
        for at in 0..roots.len() {
            let Root { after, value, score, .. } = roots[at];
            let known = is_done(value);
            let found = if known {
                score
            } else if scope == Scope::Moves || at == 0 {
                up(self.value(after, depth - 1, -INFINITE, INFINITE)?)
            } else {
                let guess = up(self.value(after, depth - 1, down(best + 1), down(best))?);
                if guess > best {
                    up(self.value(after, depth - 1, -INFINITE, down(best))?)
                } else {
                    guess
                }
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
            && let Some(slot) = self.transposition.get(at)
        {
            let slide = &self.geometry.slides[slot.best as usize];
            line.push(slide.push);
            at = slide.play(at);
        }
        line
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
        let hint = self.transposition.get(board).map(|slot| slot.best as usize);
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
                None => up(self.value(after, plies - 1, -INFINITE, INFINITE)?),
            };
            if found == score {
                return Ok(Some(at));
            }
        }
        Ok(None)
    }

    /// What is seen without looking at any push.
    fn shape(&self, board: Board<M>) -> Shape {
        let near = u32::from(self.geometry.size) - 1;
        let Weights { line: worth, die } = &self.weights;
        let lead = board.own.count() as i32 - board.other.count() as i32;
        let mut shape = Shape { score: die * lead, near: [false; 2] };
        for &line in &self.geometry.lines {
            let (own, other) = ((board.own & line).count(), (board.other & line).count());
            shape.score += worth[own as usize] - worth[other as usize];
            shape.near[0] |= own >= near;
            shape.near[1] |= other >= near;
        }
        shape
    }

    /// The score of a board on which the game goes on, or a bound of it outside the window.
    fn value(&mut self, board: Board<M>, depth: u8, alpha: i32, beta: i32) -> Result<i32, Halt> {
        self.nodes += 1;
        if self.nodes.is_multiple_of(256)
            && let Some(halt) = self.control.halt_at(self.nodes)
        {
            return Err(halt);
        }
        if self.nodes >= self.most_nodes {
            // Whoever has set the bound only wants to know whether it was enough.
            return Err(Halt::Stopped);
        }
        let mut hint = None;
        if depth > 0
            && let Some(slot) = self.transposition.get(board)
        {
            hint = Some(slot.best);
            let (score, deep) = (slot.score, slot.depth >= depth);
            let cut = match slot.bound {
                Bound::Exact => deep || score >= PROVEN.max(beta) || score <= alpha.min(-PROVEN),
                Bound::Lower => score >= beta && (deep || score >= PROVEN),
                Bound::Upper => score <= alpha && (deep || score <= -PROVEN),
            };
            if cut {
                return Ok(score);
            }
        }
        let shape = self.shape(board);
        // A push adds at most one die of a symbol to a line, so only what is near can be completed.
        let [own_near, other_near] = shape.near;
        if own_near {
            for at in 0..self.geometry.slides.len() {
                let slide = &self.geometry.slides[at];
                if slide.is_legal(board) && self.geometry.end(slide.play(board)) == Some(End::Lost)
                {
                    if depth > 0 {
                        self.transposition.put(board, depth, WON - 1, Bound::Exact, at as u16)?;
                    }
                    return Ok(WON - 1);
                }
            }
        }
        if depth == 0 {
            return Ok(shape.score);
        }
        let ends = own_near || other_near;
        let mut list = self.spare.pop().unwrap_or_default();
        for (at, slide) in (0_u16..).zip(&self.geometry.slides) {
            if slide.is_legal(board) {
                let order = if hint == Some(at) { u32::MAX } else { self.history[at as usize] };
                list.push((order, at));
            }
        }
        list.sort_unstable_by(|a, b| b.cmp(a));
        let found = self.best(board, depth, alpha, beta, ends, &list);
        list.clear();
        self.spare.push(list);
        found
    }

    /// The best of these slides, as [`Search::value`] has it; `ends` says whether one can end the
    /// game.
    fn best(
        &mut self,
        board: Board<M>,
        depth: u8,
        alpha: i32,
        beta: i32,
        ends: bool,
        list: &[(u32, u16)],
    ) -> Result<i32, Halt> {
        let (mut best, mut score, mut low) = (0, -INFINITE, alpha);
        for &(_, at) in list {
            let after = self.geometry.slides[at as usize].play(board);
            let end = if ends { self.geometry.end(after) } else { None };
            let found = match end {
                Some(End::Won) => 1 - WON,
                Some(End::Drawn) => 0,
                Some(End::Lost) => WON - 1,
                None if score == -INFINITE || beta - low <= 1 => {
                    up(self.value(after, depth - 1, down(beta), down(low))?)
                }
                None => {
                    let guess = up(self.value(after, depth - 1, down(low + 1), down(low))?);
                    if guess > low && guess < beta {
                        up(self.value(after, depth - 1, down(beta), down(low))?)
                    } else {
                        guess
                    }
                }
            };
            if found > score {
                (score, best) = (found, at);
                low = low.max(found);
                if score >= beta {
                    self.history[at as usize] += 1 << depth.min(16);
                    if self.history[at as usize] > 1 << 30 {
                        self.history.iter_mut().for_each(|count| *count >>= 1);
                    }
                    break;
                }
            }
        }
        let bound = if score >= beta {
            Bound::Lower
        } else if score > alpha {
            Bound::Exact
        } else {
            Bound::Upper
        };
        self.transposition.put(board, depth, score, bound, best)?;
        Ok(score)
    }
}

/// What a board looks like at a glance.
struct Shape {
    /// What its lines are worth, to the seat to move.
    score: i32,
    /// Whether the seat to move, and whether the other, lacks no more than one die in some line.
    near: [bool; 2],
}
