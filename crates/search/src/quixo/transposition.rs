//! The transposition table of the alpha-beta search.

use super::board::Board;
use super::mask::Mask;
use crate::buckets::{BucketEntry, Buckets};

/// A transposition table. Its entries are valid regardless of how a board was reached, except those that [rest on the
/// path](TranspositionEntry::is_path_dependent). Boards are compared in full instead of by hash.
pub type TranspositionTable<M> = Buckets<TranspositionEntry<M>>;

/// The search result of a board.
#[derive(Clone, Copy, Debug)]
pub struct TranspositionEntry<M> {
    board: Board<M>,
    /// The score found.
    pub score: i32,
    /// The relation between the score and the true score.
    pub bound: Bound,
    /// Twice the number of plies searched, plus 1 if the score rests on the path; 0 in an empty slot.
    depth_and_path: u8,
    /// The index of the best slide.
    pub best: u16,
}

/// The relation between a score found and the true score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// The score is the true score.
    Exact,
    /// The score is a lower bound on the true score.
    Lower,
    /// The score is an upper bound on the true score.
    Upper,
}

impl<M> TranspositionEntry<M> {
    /// Creates the result of a search of `depth` plies, at most 127.
    pub const fn new(board: Board<M>, depth: u8, score: i32, bound: Bound, best: u16) -> Self {
        TranspositionEntry { board, score, bound, depth_and_path: 2 * depth, best }
    }

    /// Returns the result, marked if it `rests` on the path to the board.
    pub fn on_path(mut self, rests: bool) -> Self {
        self.depth_and_path |= u8::from(rests);
        self
    }

    /// Returns the number of plies searched.
    pub const fn depth(&self) -> u8 {
        self.depth_and_path / 2
    }

    /// Returns whether the score depends on how the board was reached, because moves that repeat an earlier board were
    /// avoided.
    pub const fn is_path_dependent(&self) -> bool {
        self.depth_and_path % 2 == 1
    }
}

impl<M: Mask> BucketEntry for TranspositionEntry<M> {
    type Key = Board<M>;

    fn none() -> TranspositionEntry<M> {
        let board = Board { own: M::NONE, other: M::NONE };
        TranspositionEntry { board, score: 0, bound: Bound::Exact, depth_and_path: 0, best: 0 }
    }

    fn key(&self) -> Board<M> {
        self.board
    }

    /// Returns the upper bits of the board's hash, since the lower bits depend on only a few dice.
    fn hash(board: Board<M>) -> u64 {
        board.hash() >> 20
    }

    /// Returns the rank, by which the entry searched deepest stays in its bucket, beside the newest entry.
    fn rank(&self) -> u8 {
        self.depth()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entry_stores_depth_and_path_dependence() {
        let mut transposition = TranspositionTable::new(1 << 20);
        let board = Board { own: 5_u64, other: 2 };
        for (depth, rests) in [(1, false), (2, true), (120, false), (121, true)] {
            let entry = TranspositionEntry::new(board, depth, 0, Bound::Exact, 0).on_path(rests);
            transposition.put(entry).unwrap();
            let found =
                transposition.get(board).map(|entry| (entry.depth(), entry.is_path_dependent()));
            assert_eq!(found, Some((depth, rests)));
        }
    }
}
