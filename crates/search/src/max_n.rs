//! Positions with any number of seats, and a full-width search of these positions to a fixed depth.

use super::StopReason;
use super::random::choice;
use quadrille_rules::Seat;

/// A position for [`max_n`] and [`MonteCarlo`](super::monte_carlo::MonteCarlo): at least two seats, any order of turns,
/// and every seat plays for itself.
pub trait SearchState: Clone {
    /// A move.
    type Move: Copy + Eq;

    /// Returns the number of seats.
    fn seats(&self) -> usize;

    /// Returns the seat to move, or `None` at the end of the game.
    fn to_move(&self) -> Option<Seat>;

    /// Appends the moves to consider, most promising first: at least one, unless the game is over.
    fn moves(&self, out: &mut Vec<Self::Move>);

    /// Plays a legal move.
    fn play(&mut self, mv: Self::Move);

    /// Writes the likely result of every seat to `worth`, which has an element for each seat; at the end of the game,
    /// writes the true result. The unit depends on the game, but is the same in all of its positions.
    fn evaluate(&self, worth: &mut [f32]);

    /// Returns a move for a random game, or `None` to end the random game here. At the end of the game it must be
    /// `None`. `buffer` is an empty list for temporary use.
    fn playout_move(
        &self,
        rng: &mut fastrand::Rng,
        buffer: &mut Vec<Self::Move>,
    ) -> Option<Self::Move> {
        self.moves(buffer);
        choice(rng, buffer)
    }
}

/// The result of a search for any number of seats.
#[derive(Clone, Debug, PartialEq)]
pub struct Outlook<M> {
    /// The moves searched, best first, each with the likely result of every seat. Empty at the end of a game, and if
    /// the search was stopped before it had searched all moves once.
    pub moves: Vec<(M, Vec<f32>)>,
    /// The principal variation.
    pub pv: Vec<M>,
    /// Plies searched in full.
    pub depth: u32,
    /// Positions searched.
    pub nodes: u64,
    /// The reason why the search ended before its maximum depth.
    pub halt: Option<StopReason>,
}

/// Searches all lines of play by iterative deepening, up to `depth` plies. Each seat maximizes its own result:
/// Luckhardt and Irani, *An algorithmic solution of n-person games*, 1986 (maxⁿ). `on_depth` receives the outlook after
/// every completed depth.
pub fn max_n<C: SearchState>(
    root: &C,
    depth: u32,
    halt: &dyn Fn() -> Option<StopReason>,
    mut on_depth: impl FnMut(&Outlook<C::Move>),
) -> Outlook<C::Move> {
    let mut outlook = Outlook { moves: Vec::new(), pv: Vec::new(), depth: 0, nodes: 0, halt: None };
    let Some(seat) = root.to_move() else { return outlook };
    let mut order = Vec::new();
    root.moves(&mut order);
    let mut search = MaxN { halt, nodes: 0, halted: halt(), moves: Vec::new() };
    for depth in 1..=depth {
        let mut moves: Vec<(C::Move, Vec<f32>)> = Vec::new();
        let mut best: Option<(f32, Vec<C::Move>)> = None;
        for &mv in &order {
            let mut next = root.clone();
            next.play(mv);
            let Some((worth, mut pv)) = search.search(&next, depth - 1) else { break };
            let own = worth[seat.index()];
            if best.as_ref().is_none_or(|&(best, _)| own > best) {
                pv.push(mv);
                best = Some((own, pv));
            }
            moves.push((mv, worth));
        }
        outlook.nodes = search.nodes;
        if search.halted.is_some() {
            outlook.halt = search.halted;
            break;
        }
        // The sort is stable, so equal moves keep their order.
        moves.sort_by(|(_, a), (_, b)| b[seat.index()].total_cmp(&a[seat.index()]));
        order = moves.iter().map(|&(mv, _)| mv).collect();
        outlook.pv = best.map_or_else(Vec::new, |(_, pv)| pv.into_iter().rev().collect());
        (outlook.moves, outlook.depth) = (moves, depth);
        on_depth(&outlook);
    }
    outlook
}

struct MaxN<'a, C: SearchState> {
    halt: &'a dyn Fn() -> Option<StopReason>,
    nodes: u64,
    halted: Option<StopReason>,
    /// The moves in all positions on the path from the root, one list after the other.
    moves: Vec<C::Move>,
}

/// Positions searched between calls of `halt`.
pub const HALT_INTERVAL: u64 = 64;

impl<C: SearchState> MaxN<'_, C> {
    /// Returns the results of all seats after `depth` more plies, and the best line in reverse order. `None` if the
    /// search is stopped.
    fn search(&mut self, position: &C, depth: u32) -> Option<(Vec<f32>, Vec<C::Move>)> {
        if self.nodes.is_multiple_of(HALT_INTERVAL) && self.halted.is_none() {
            self.halted = (self.halt)();
        }
        if self.halted.is_some() {
            return None;
        }
        self.nodes += 1;
        let Some(seat) = position.to_move().filter(|_| depth > 0) else {
            let mut worth = vec![0.0; position.seats()];
            position.evaluate(&mut worth);
            return Some((worth, Vec::new()));
        };
        let from = self.moves.len();
        position.moves(&mut self.moves);
        let mut best: Option<(Vec<f32>, Vec<C::Move>)> = None;
        for index in from..self.moves.len() {
            let mv = self.moves[index];
            let mut next = position.clone();
            next.play(mv);
            let (worth, mut pv) = self.search(&next, depth - 1)?;
            if best.as_ref().is_none_or(|(best, _)| worth[seat.index()] > best[seat.index()]) {
                pv.push(mv);
                best = Some((worth, pv));
            }
        }
        self.moves.truncate(from);
        best
    }
}
