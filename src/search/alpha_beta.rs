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
    /// moves. Where both bounds are the same there is one, unless the duel itself knew them and the
    /// search was over before it had found a move.
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
    /// How many states may be searched.
    most_nodes: u64,
    /// The moves of all states on the way from the root, one after the other.
    moves: Vec<D::Move>,
}

/// How many states are searched from one look at the control to the next; a power of two.
pub const PATIENCE: u64 = 64;

/// For a variation so many states are searched at most, or where that is more, a part of those that
/// were searched before it.
const VARIATION: (u64, u64) = (1 << 16, 16);

impl<'a, D: Duel> AlphaBeta<'a, D> {
    /// A search that uses and fills the table, which must hold nothing of another game or board, and
    /// ends when `halt` says so.
    pub fn new(
        duel: &'a D,
        table: &'a mut TableOf<D>,
        halt: &'a dyn Fn() -> Option<Halt>,
    ) -> AlphaBeta<'a, D> {
        let (halted, moves) = (halt(), Vec::new());
        AlphaBeta { duel, table, halt, halted, nodes: 0, most_nodes: u64::MAX, moves }
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
                    // The least that the duel knew of is the margin, and no move stands for it yet.
                    if value == proven.lower && proven.best.is_none() {
                        proven.best = self.reaching(state, value);
                        if proven.best.is_none() {
                            return proven;
                        }
                    }
                    proven.upper = value;
                    guess = value;
                }
            }
            tell(self, proven);
        }
        if proven.best.is_none() {
            proven.best = self.reaching(state, proven.lower);
        }
        proven
    }

    /// A move that reaches the margin of a state, which is proven; none in a state without moves, and
    /// when the search is over.
    fn reaching(&mut self, state: &D::State, margin: i32) -> Option<D::Move> {
        if let (value, Some(mv)) = self.visit(state, margin)?
            && value >= margin
        {
            return Some(mv);
        }
        // The duel knew the margin without a look at any move.
        let mut moves = Vec::new();
        self.duel.moves(state, &mut moves);
        moves.into_iter().find(|&mv| self.reaches(state, mv, margin) == Some(true))
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

    /// A line of proven best moves from a state whose margin is proven, to the end of the game as
    /// long as the table has it, or a little search finds it.
    pub fn variation(&mut self, state: &D::State, margin: i32) -> Vec<D::Move> {
        let (least, part) = VARIATION;
        self.most_nodes = self.nodes + least.max(self.nodes / part);
        let mut line = Vec::new();
        let (mut state, mut margin) = (state.clone(), margin);
        while let Some(mv) = self.reaching(&state, margin) {
            line.push(mv);
            let (next, gain) = self.duel.play(&state, mv);
            margin = self.sign(&state, &next) * (margin - gain);
            state = next;
        }
        self.most_nodes = u64::MAX;
        line
    }

    /// The [`variation`](AlphaBeta::variation) of a state of which all is proven; as long as there is
    /// none, the best move alone.
    pub fn best_line(&mut self, state: &D::State, proven: Proven<D::Move>) -> Vec<D::Move> {
        let mut line = Vec::new();
        if proven.lower == proven.upper {
            line = self.variation(state, proven.lower);
        }
        if line.is_empty() {
            line.extend(proven.best);
        }
        line
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
        if self.halted.is_some() || self.nodes >= self.most_nodes {
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
pub(in crate::search) mod tests {
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

    /// Holds the best move and the line from a state to the margin that they are to reach, from every
    /// guess, with a table and without.
    pub(in crate::search) fn hold_best_to_its_word<D: Duel>(duel: &D, state: &D::State) {
        let mut moves = Vec::new();
        duel.moves(state, &mut moves);
        let (lower, upper) = duel.reach(state);
        for (guess, budget) in (lower..=upper).flat_map(|guess| [(guess, 0), (guess, 4 << 20)]) {
            let mut table = TableOf::<D>::new(budget);
            let mut search = AlphaBeta::new(duel, &mut table, &|| None);
            let proven = search.solve(state, guess, |search, Proven { lower, best, .. }| {
                assert!(best.is_none_or(|mv| search.reaches(state, mv, lower) == Some(true)));
            });
            assert_eq!(proven.lower, proven.upper);
            assert_eq!(proven.best.is_some(), !moves.is_empty());
            let line = search.variation(state, proven.lower);
            assert_eq!(line.is_empty(), moves.is_empty());
            let is_cut = search.nodes() >= VARIATION.0;
            for mv in proven.best.into_iter().chain(line.first().copied()) {
                let mut table = TableOf::<D>::new(4 << 20);
                let mut fresh = AlphaBeta::new(duel, &mut table, &|| None);
                assert_eq!(fresh.reaches(state, mv, proven.lower), Some(true));
            }
            // What is gained along the line is the margin.
            let (mut end, mut margin) = (state.clone(), 0);
            for &mv in &line {
                let sign = if duel.side(&end) == duel.side(state) { 1 } else { -1 };
                let (next, gain) = duel.play(&end, mv);
                margin += sign * gain;
                end = next;
            }
            let mut left = Vec::new();
            duel.moves(&end, &mut left);
            if !is_cut {
                assert_eq!((margin, left.len()), (proven.lower, 0));
            }
        }
    }

    /// One heap, of which one to three are taken at a time; whoever takes the last one wins. What is
    /// won is known without a look at any move: all of it, or only that it is won.
    struct Nim<const WHOLE: bool>;

    impl<const WHOLE: bool> Duel for Nim<WHOLE> {
        type State = (Seat, u8);
        type Move = u8;
        type Key = (bool, u8);

        fn side(&self, (seat, _): &(Seat, u8)) -> Seat {
            *seat
        }

        fn key(&self, (seat, heap): &(Seat, u8)) -> (bool, u8) {
            (*seat == Seat::FIRST, *heap)
        }

        fn reach(&self, (_, heap): &(Seat, u8)) -> (i32, i32) {
            match heap {
                0 => (0, 0),
                heap if !heap.is_multiple_of(4) => (1, 1),
                _ => (-1, if WHOLE { -1 } else { 1 }),
            }
        }

        fn moves(&self, (_, heap): &(Seat, u8), out: &mut Vec<u8>) {
            out.extend(1..=3.min(*heap));
        }

        fn play(&self, (seat, heap): &(Seat, u8), mv: u8) -> ((Seat, u8), i32) {
            ((seat.next(2), heap - mv), i32::from(*heap == mv))
        }
    }

    #[test]
    fn what_a_duel_knows_unseen_is_reached_by_the_best_move() {
        for heap in 0..20 {
            hold_best_to_its_word(&Nim::<true>, &(Seat::FIRST, heap));
            hold_best_to_its_word(&Nim::<false>, &(Seat::SECOND, heap));
        }
        let mut table = TableOf::<Nim<true>>::new(0);
        let mut search = AlphaBeta::new(&Nim::<true>, &mut table, &|| None);
        let proven = search.solve(&(Seat::FIRST, 7), 0, |_, _| ());
        assert_eq!((proven.lower, proven.best), (1, Some(3)), "the one that leaves four");
    }

    #[test]
    fn of_the_rules_themselves_the_best_move_keeps_its_word() {
        fn hold<G: Game>(setup: &str, points: i32) {
            let start = G::from_setup(&setup.parse().unwrap()).unwrap();
            let duel: Rules<G, 1> = Rules { hasher: RandomState::new(), start, points };
            hold_best_to_its_word(&duel, &duel.start);
        }
        hold::<Pipopipette>("rows=2 cols=4", 3);
        hold::<Pipopipette>("rows=3 cols=3", 4);
        hold::<JoinTheDots>("layout=random:5 seed=3", 5);
        hold::<TicTacToe>("grid=X--O----- first=O", 1);
    }

    /// Only as much is searched for a line as it is worth.
    #[test]
    fn a_line_ends_where_much_would_have_to_be_searched() {
        let start = Pipopipette::from_setup(&"rows=3 cols=5".parse().unwrap()).unwrap();
        let duel: Rules<_, 2> = Rules { hasher: RandomState::new(), start, points: 8 };
        let mut table = TableOf::<Rules<Pipopipette, 2>>::new(0);
        let mut search = AlphaBeta::new(&duel, &mut table, &|| None);
        // Without a table nothing is known of the position, whose value is 2.
        let line = search.variation(&duel.start, 2);
        assert!(line.len() < 22, "{}", line.len());
        assert_eq!((search.nodes(), search.halted()), (VARIATION.0, None));
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
