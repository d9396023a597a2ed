//! Exact search of a game between two sides: alpha-beta with null windows over a table of bounds.

use super::Halt;
use super::bounds::{Bounds, BoundsTable};
use super::state::Duel;

/// The table a [`Duel`] is searched over.
pub type TableOf<D> = BoundsTable<<D as Duel>::Key, <D as Duel>::Move>;

/// What is proven of the margin to come in a state, for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Proven<M> {
    /// It is no less.
    pub lower: i32,
    /// It is no more.
    pub upper: i32,
    /// A move proven to reach at least `lower`; none before one is proven, and in a state without
    /// moves.
    pub best: Option<M>,
}

/// A search under way. It proves bounds one null window after the other, each of which asks whether
/// the margin reaches a number, and begins where the last one led: Plaat, Schaeffer, Pijls and de
/// Bruin, *Best-first fixed-depth minimax algorithms*, 1996 (MTD-f).
pub struct AlphaBeta<'a, D: Duel> {
    duel: &'a D,
    table: &'a mut TableOf<D>,
    halt: &'a dyn Fn() -> Option<Halt>,
    halted: Option<Halt>,
    nodes: u64,
    /// The moves of all states on the way from the root, one after the other.
    moves: Vec<D::Move>,
}

/// How many states are searched from one look at the reins to the next; a power of two.
const PATIENCE: u64 = 64;

impl<'a, D: Duel> AlphaBeta<'a, D> {
    /// A search that uses and fills the table, which must hold nothing of another game or board, and
    /// ends when `halt` says so.
    pub fn new(
        duel: &'a D,
        table: &'a mut TableOf<D>,
        halt: &'a dyn Fn() -> Option<Halt>,
    ) -> AlphaBeta<'a, D> {
        AlphaBeta { duel, table, halt, halted: halt(), nodes: 0, moves: Vec::new() }
    }

    /// How many states were searched so far.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The bytes the table takes.
    pub fn table_bytes(&self) -> usize {
        self.table.bytes()
    }

    /// Why the search has ended before all that was asked was proven, if it has.
    pub fn halted(&self) -> Option<Halt> {
        self.halted
    }

    /// Proves the margin of a state, or what it can until it is halted. Every new bound is told,
    /// with the search, to ask it for a variation and numbers. The nearer the guess, the faster.
    pub fn solve(
        &mut self,
        state: &D::State,
        guess: i32,
        mut tell: impl FnMut(&mut Self, Proven<D::Move>),
    ) -> Proven<D::Move> {
        let (lower, upper) = self.duel.reach(state);
        let mut proven = Proven { lower, upper, best: None };
        let mut guess = guess;
        while proven.lower < proven.upper {
            let steps = (guess - lower).div_euclid(D::STEP);
            let beta = (lower + steps * D::STEP).clamp(proven.lower + D::STEP, proven.upper);
            match self.visit(state, beta) {
                None => return proven,
                Some((value, best)) if value >= beta => {
                    proven = Proven { lower: value, best, ..proven };
                    guess = value + D::STEP;
                }
                Some((value, _)) => {
                    proven.upper = value;
                    guess = value;
                }
            }
            tell(self, proven);
        }
        if proven.best.is_none() {
            // The margin is the least there can be, so every move reaches it.
            let mut moves = Vec::new();
            self.duel.moves(state, &mut moves);
            proven.best = moves.first().copied();
        }
        proven
    }

    /// Proves the margin after a move, for the side that plays it and with what it gains by it.
    pub fn rate(
        &mut self,
        state: &D::State,
        mv: D::Move,
        guess: i32,
        mut tell: impl FnMut(&mut Self, i32, i32),
    ) -> (i32, i32) {
        let (next, gain) = self.duel.play(state, mv);
        let sign = self.sign(state, &next);
        let turned = |proven: Proven<D::Move>| {
            let ends = [gain + sign * proven.lower, gain + sign * proven.upper];
            (ends[0].min(ends[1]), ends[0].max(ends[1]))
        };
        turned(self.solve(&next, sign * (guess - gain), |search, proven| {
            let (lower, upper) = turned(proven);
            tell(search, lower, upper);
        }))
    }

    /// Whether the margin after a move, counted as in [`rate`](AlphaBeta::rate), is as much as this;
    /// `None` when the search is over.
    pub fn reaches(&mut self, state: &D::State, mv: D::Move, margin: i32) -> Option<bool> {
        let (next, gain) = self.duel.play(state, mv);
        if self.sign(state, &next) > 0 {
            Some(self.visit(&next, margin - gain)?.0 >= margin - gain)
        } else {
            Some(self.visit(&next, gain - margin + 1)?.0 <= gain - margin)
        }
    }

    /// A line of proven best moves from a state whose margin is proven, to the end of the game
    /// if the search is not over before.
    pub fn variation(&mut self, state: &D::State, margin: i32) -> Vec<D::Move> {
        let mut line = Vec::new();
        let (mut state, mut margin) = (state.clone(), margin);
        loop {
            let known = self.table.get(self.duel.key(&state));
            let known = known.filter(|known| i32::from(known.lower) == margin);
            let mv = match known.and_then(|known| known.best) {
                Some(mv) => Some(mv),
                // The table has lost it, or never had it as nothing had to be searched.
                None => Some(self.solve(&state, margin, |_, _| ()))
                    .filter(|proven| proven.lower == margin)
                    .and_then(|proven| proven.best),
            };
            let Some(mv) = mv else { return line };
            line.push(mv);
            let (next, gain) = self.duel.play(&state, mv);
            margin = self.sign(&state, &next) * (margin - gain);
            state = next;
        }
    }

    /// 1 where the same side is to move in both states, else -1.
    fn sign(&self, state: &D::State, next: &D::State) -> i32 {
        if self.duel.side(state) == self.duel.side(next) { 1 } else { -1 }
    }

    /// Whether the margin reaches `beta`: a number no less than that which it reaches, with a move
    /// that does it, or a number below that it does not exceed. `None` when the search is over.
    fn visit(&mut self, state: &D::State, beta: i32) -> Option<(i32, Option<D::Move>)> {
        let (mut lower, mut upper) = self.duel.reach(state);
        if lower >= beta {
            return Some((lower, None));
        }
        if upper < beta {
            return Some((upper, None));
        }
        let key = self.duel.key(state);
        let known = self.table.get(key);
        if let Some(known) = known {
            (lower, upper) = (known.lower.into(), known.upper.into());
            if lower >= beta {
                return Some((lower, known.best));
            }
            if upper < beta {
                return Some((upper, None));
            }
        }
        if self.nodes.is_multiple_of(PATIENCE) && self.halted.is_none() {
            self.halted = (self.halt)();
        }
        if self.halted.is_some() {
            return None;
        }
        let before = self.nodes;
        self.nodes += 1;
        let from = self.moves.len();
        let first = known.and_then(|known| known.best);
        self.moves.extend(first);
        self.duel.moves(state, &mut self.moves);
        let found = self.visit_moves(state, beta, from, first);
        self.moves.truncate(from);
        let (value, best) = found?;
        let bounds = if value >= beta {
            Bounds { lower: value as i16, upper: upper as i16, best }
        } else {
            // A move that was proven to reach the lower bound goes on standing for it.
            Bounds { lower: lower as i16, upper: value.min(upper) as i16, best: first.or(best) }
        };
        // What was found is true all the same.
        if let Err(refused) = self.table.put(key, bounds, self.nodes - before) {
            self.halted = Some(refused.into());
        }
        Some((value, best))
    }

    /// Tries the moves kept from place `from` on, of which `first` comes twice.
    fn visit_moves(
        &mut self,
        state: &D::State,
        beta: i32,
        from: usize,
        first: Option<D::Move>,
    ) -> Option<(i32, Option<D::Move>)> {
        let mut most = (i32::MIN, None);
        for at in from..self.moves.len() {
            let mv = self.moves[at];
            if at > from && first == Some(mv) {
                continue;
            }
            let (next, gain) = self.duel.play(state, mv);
            let value = if self.sign(state, &next) > 0 {
                gain + self.visit(&next, beta - gain)?.0
            } else {
                // The margin is beta or more where that of the other side is gain - beta or less.
                gain - self.visit(&next, gain - beta + 1)?.0
            };
            if value >= beta {
                return Some((value, Some(mv)));
            }
            if value > most.0 {
                most = (value, Some(mv));
            }
        }
        Some(most)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::dots_and_boxes::Pipopipette;
    use crate::rules::join_the_dots::JoinTheDots;
    use crate::rules::tic_tac_toe::TicTacToe;
    use crate::rules::{Game, Seat};
    use crate::search::plain::{after, final_margin, margin};
    use std::cell::Cell;
    use std::collections::HashMap;
    use std::hash::{BuildHasher, RandomState};

    /// The rules of a game as they are, as a duel in which `points` can be made in all. In a game
    /// without points, to win makes one.
    struct Rules<G, const STEP: i32> {
        hasher: RandomState,
        start: G,
        points: i32,
    }

    impl<G: Game, const STEP: i32> Duel for Rules<G, STEP> {
        type State = G;
        type Move = G::Move;
        type Key = u64;

        const STEP: i32 = STEP;

        fn side(&self, state: &G) -> Seat {
            state.to_move().unwrap_or(Seat::FIRST)
        }

        fn key(&self, state: &G) -> u64 {
            self.hasher.hash_one(state)
        }

        fn reach(&self, state: &G) -> (i32, i32) {
            let made = state.scores().unwrap_or_default().iter().sum::<u32>() as i32;
            let most = if state.to_move().is_some() { self.points - made } else { 0 };
            (-most, most)
        }

        fn moves(&self, state: &G, out: &mut Vec<G::Move>) {
            state.legal_moves(out);
        }

        fn play(&self, state: &G, mv: G::Move) -> (G, i32) {
            let next = after(state, mv);
            let gain = final_margin(&next) - final_margin(state);
            (next, for_mover(state, gain))
        }
    }

    fn for_mover<G: Game>(position: &G, margin: i32) -> i32 {
        if position.to_move() == Some(Seat::FIRST) { margin } else { -margin }
    }

    /// Holds everything the search says of positions from seeded play to the plain search.
    fn hold_to_plain<G: Game, const STEP: i32>(setup: &str, points: i32, budget: usize) {
        let start = G::from_setup(&setup.parse().unwrap()).unwrap();
        let duel: Rules<G, STEP> = Rules { hasher: RandomState::new(), start, points };
        let mut rng = fastrand::Rng::with_seed(1);
        let mut known = HashMap::new();
        let mut table = TableOf::<Rules<G, STEP>>::new(budget);
        for _ in 0..10 {
            let mut position = duel.start.clone();
            loop {
                let mut moves = Vec::new();
                position.legal_moves(&mut moves);
                let Some(&played) = rng.choice(&moves) else { break };
                let ahead =
                    |position: &G, known: &mut _| margin(position, known) - final_margin(position);
                let value = for_mover(&position, ahead(&position, &mut known));

                let mut search = AlphaBeta::new(&duel, &mut table, &|| None);
                let (lower, upper) = duel.reach(&position);
                let guess = rng.i32(lower - 1..=upper + 1);
                let mut told = 0;
                let proven = search.solve(&position, guess, |_, proven| {
                    assert!((proven.lower..=proven.upper).contains(&value), "{proven:?} {value}");
                    told += 1;
                });
                assert_eq!((proven.lower, proven.upper), (value, value), "{position}");
                assert!(told > 0);
                let best = proven.best.unwrap();
                for &mv in &moves {
                    let next = after(&position, mv);
                    let gain = final_margin(&next) - final_margin(&position);
                    let worth = for_mover(&position, gain + ahead(&next, &mut known));
                    let guess = rng.i32(lower - 1..=upper + 1);
                    assert_eq!(
                        search.rate(&position, mv, guess, |_, _, _| ()),
                        (worth, worth),
                        "{mv}"
                    );
                    assert!(mv != best || worth == value, "{mv}");
                    assert_eq!(search.reaches(&position, mv, value), Some(worth >= value));
                }
                let mut line = position.clone();
                for mv in search.variation(&position, value) {
                    line = after(&line, mv);
                    let all = margin(&line, &mut known) - final_margin(&position);
                    assert_eq!(for_mover(&position, all), value, "{mv}");
                }
                assert_eq!(line.to_move(), None, "a whole line");
                position = after(&position, played);
            }
        }
    }

    #[test]
    fn alpha_beta_is_as_right_as_plain_search() {
        hold_to_plain::<Pipopipette, 1>("rows=2 cols=4", 3, 0);
        hold_to_plain::<Pipopipette, 2>("rows=2 cols=4", 3, 0);
        hold_to_plain::<Pipopipette, 1>("rows=3 cols=3", 4, 4 << 20);
        hold_to_plain::<Pipopipette, 2>("rows=3 cols=3", 4, 4 << 20);
        hold_to_plain::<JoinTheDots, 1>("layout=random:5 seed=3", 5, 4 << 20);
        hold_to_plain::<TicTacToe, 1>("", 1, 4 << 20);
        hold_to_plain::<TicTacToe, 1>("grid=X--O----- first=O", 1, 0);
    }

    #[test]
    fn a_halted_search_keeps_what_it_has_proven() {
        let start = Pipopipette::from_setup(&"rows=3 cols=4".parse().unwrap()).unwrap();
        let duel: Rules<_, 2> = Rules { hasher: RandomState::new(), start, points: 6 };
        let mut table = TableOf::<Rules<Pipopipette, 2>>::new(64 << 20);
        let mut most = 0;
        for patience in [0, 1, 10, 100, 200] {
            let asked = Cell::new(0);
            let halt = || {
                asked.set(asked.get() + 1);
                (asked.get() > patience).then_some(Halt::Time)
            };
            let mut search = AlphaBeta::new(&duel, &mut table, &halt);
            let proven = search.solve(&duel.start, 0, |_, _| ());
            // The value of 2 by 3 boxes is -2.
            assert!((proven.lower..=proven.upper).contains(&-2), "{proven:?}");
            if proven.lower < proven.upper {
                assert_eq!(search.halted(), Some(Halt::Time));
                assert!(search.nodes() <= PATIENCE * patience, "{}", search.nodes());
            }
            most = most.max(search.nodes());
        }
        assert!(most > 0);
    }
}
