//! The transposition table of the alpha-beta search.

use super::board::Board;
use super::mask::Mask;
use crate::buckets::{BucketEntry, Buckets};

/// A transposition table. Its entries hold for a board however it was reached, but for those that
/// [rest on the path](TranspositionEntry::rests_on_path). Boards are compared in full, not by a hash.
pub type TranspositionTable<M> = Buckets<TranspositionEntry<M>>;

/// The result of the search of a board.
#[derive(Clone, Copy, Debug)]
pub struct TranspositionEntry<M> {
    board: Board<M>,
    /// The score found.
    pub score: i32,
    /// How it bounds the true score.
    pub bound: Bound,
    /// Twice the number of plies that were searched, and 1 more if the score rests on the path; 0 in an empty place.
    depth_and_path: u8,
    /// The index of the best slide.
    pub best: u16,
}

/// How a score found bounds the true score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// It is the true score.
    Exact,
    /// The true score is at least this.
    Lower,
    /// The true score is at most this.
    Upper,
}

impl<M> TranspositionEntry<M> {
    /// The result of a search of `depth` plies, at most 127.
    pub const fn new(board: Board<M>, depth: u8, score: i32, bound: Bound, best: u16) -> Self {
        TranspositionEntry { board, score, bound, depth_and_path: 2 * depth, best }
    }

    /// The same result, marked if it `rests` on the path to the board.
    pub fn on_path(mut self, rests: bool) -> Self {
        self.depth_and_path |= u8::from(rests);
        self
    }

    /// How many plies were searched.
    pub const fn depth(&self) -> u8 {
        self.depth_and_path / 2
    }

    /// Whether the score depends on how the board was reached, as moves that repeat an earlier board were avoided.
    pub const fn rests_on_path(&self) -> bool {
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

    /// The upper bits of the board's hash, as the lower ones depend on few dice.
    fn hash(board: Board<M>) -> u64 {
        board.hash() >> 20
    }

    /// The entry that was searched deepest stays, and the newest one.
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
                transposition.get(board).map(|entry| (entry.depth(), entry.rests_on_path()));
            assert_eq!(found, Some((depth, rests)));
        }
    }
}
