//! Positions with any number of seats, and a search that looks at every line to a depth.

use super::Halt;
use crate::rules::Seat;

/// A position as [`max_n`] and [`MonteCarlo`](super::monte_carlo::MonteCarlo) want it: two seats or
/// many, taking turns or not, every seat for itself.
pub trait Contest: Clone {
    /// A move.
    type Move: Copy + Eq;

    /// How many seats there are.
    fn seats(&self) -> usize;

    /// The seat to move, or `None` at the end.
    fn to_move(&self) -> Option<Seat>;

    /// Appends the moves worth a look, the most promising first: at least one unless this is the end.
    fn moves(&self, out: &mut Vec<Self::Move>);

    /// Plays a legal move.
    fn play(&mut self, mv: Self::Move);

    /// What every seat is likely to come to, on any scale that is the same all through a game; at the
    /// end, what it has come to. `worth` has a place for each seat.
    fn worth(&self, worth: &mut [f32]);

    /// A move for a game played by chance, or `None` where such a game had better be broken off, as
    /// it must be at the end. `room` is empty room to list moves in.
    fn chance_move(
        &self,
        rng: &mut fastrand::Rng,
        room: &mut Vec<Self::Move>,
    ) -> Option<Self::Move> {
        self.moves(room);
        rng.choice(room.iter().copied())
    }
}

/// What a search for many seats has found.
#[derive(Clone, Debug, PartialEq)]
pub struct Outlook<M> {
    /// The moves looked at, the best first, with what each seat is likely to come to after it. It
    /// is empty when the search was halted before it knew anything, and at the end of a game.
    pub moves: Vec<(M, Vec<f32>)>,
    /// A line of best moves.
    pub line: Vec<M>,
    /// Plies looked ahead in full.
    pub depth: u32,
    /// Positions looked at.
    pub nodes: u64,
    /// Why it ended before it had looked as far as it was asked to.
    pub halt: Option<Halt>,
}

/// Looks ahead at every line, deeper and deeper up to `depth` plies; each seat takes what is best for
/// itself: Luckhardt and Irani, *An algorithmic solution of n-person games*, 1986 (maxⁿ). The outlook
/// is told after every depth.
pub fn max_n<C: Contest>(
    root: &C,
    depth: u32,
    halt: &dyn Fn() -> Option<Halt>,
    mut tell: impl FnMut(&Outlook<C::Move>),
) -> Outlook<C::Move> {
    let mut outlook =
        Outlook { moves: Vec::new(), line: Vec::new(), depth: 0, nodes: 0, halt: None };
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
            let Some((worth, mut line)) = search.look(&next, depth - 1) else { break };
            let own = worth[seat.index()];
            if best.as_ref().is_none_or(|&(best, _)| own > best) {
                line.push(mv);
                best = Some((own, line));
            }
            moves.push((mv, worth));
        }
        outlook.nodes = search.nodes;
        if search.halted.is_some() {
            outlook.halt = search.halted;
            break;
        }
        // Stable: among equals the more promising stays before the other.
        moves.sort_by(|(_, a), (_, b)| b[seat.index()].total_cmp(&a[seat.index()]));
        order = moves.iter().map(|&(mv, _)| mv).collect();
        outlook.line = best.map_or_else(Vec::new, |(_, line)| line.into_iter().rev().collect());
        (outlook.moves, outlook.depth) = (moves, depth);
        tell(&outlook);
    }
    outlook
}

struct MaxN<'a, C: Contest> {
    halt: &'a dyn Fn() -> Option<Halt>,
    nodes: u64,
    halted: Option<Halt>,
    /// The moves of all positions on the way from the root, one after the other.
    moves: Vec<C::Move>,
}

/// How many positions are looked at from one look at the control to the next.
pub const PATIENCE: u64 = 64;

impl<C: Contest> MaxN<'_, C> {
    /// What all come to after so many more plies, and the line to it backwards.
    fn look(&mut self, position: &C, depth: u32) -> Option<(Vec<f32>, Vec<C::Move>)> {
        if self.nodes.is_multiple_of(PATIENCE) && self.halted.is_none() {
            self.halted = (self.halt)();
        }
        if self.halted.is_some() {
            return None;
        }
        self.nodes += 1;
        let Some(seat) = position.to_move().filter(|_| depth > 0) else {
            let mut worth = vec![0.0; position.seats()];
            position.worth(&mut worth);
            return Some((worth, Vec::new()));
        };
        let from = self.moves.len();
        position.moves(&mut self.moves);
        let mut best: Option<(Vec<f32>, Vec<C::Move>)> = None;
        for at in from..self.moves.len() {
            let mv = self.moves[at];
            let mut next = position.clone();
            next.play(mv);
            let (worth, mut line) = self.look(&next, depth - 1)?;
            if best.as_ref().is_none_or(|(best, _)| worth[seat.index()] > best[seat.index()]) {
                line.push(mv);
                best = Some((worth, line));
            }
        }
        self.moves.truncate(from);
        best
    }
}
