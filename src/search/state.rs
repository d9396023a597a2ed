//! Packed positions, as exact searches of games between two sides want them.

use crate::rules::Seat;
use std::hash::Hash;

/// A game between two sides with a margin, packed for an exact search: the value holds what all
/// positions have in common, such as the geometry of a board, and a [`State`](Duel::State) is what
/// differs.
///
/// A side is a [`Seat`], the first or the second; several seats that play against one are one side.
/// Nothing says that sides take turns: who is to move is asked of every state.
///
/// Margins are those still to come, for the side to move: what it will gain from here on less what
/// the other will. Points made already are no part of a state.
pub trait Duel: Sync {
    /// What a search plays on.
    type State: Clone;
    /// A move.
    type Move: Copy + Eq;
    /// What tells states with different values apart; states with the same key must have the same
    /// value and the same moves. It is compared in full, so nothing rests on a hash.
    type Key: Copy + Eq + Hash + Default;

    /// The steps margins go in: 2 where the parity of a state's margin is fixed, else 1.
    const STEP: i32 = 1;

    /// The side to move; of a state without moves, either.
    fn side(&self, state: &Self::State) -> Seat;

    /// The key of a state.
    fn key(&self, state: &Self::State) -> Self::Key;

    /// The least and the most that the margin can be, cheaply: the closer, the faster the search.
    /// In a state without moves both are the margin, and wherever both are the same the search
    /// looks no further. They differ by whole [`STEP`](Duel::STEP)s.
    fn reach(&self, state: &Self::State) -> (i32, i32);

    /// Appends the moves in the order a search should try them, the most promising first. Moves
    /// that cannot be better than others may be left out.
    fn moves(&self, state: &Self::State, out: &mut Vec<Self::Move>);

    /// The state after a move, and what the side that moved gained by it.
    fn play(&self, state: &Self::State, mv: Self::Move) -> (Self::State, i32);
}
