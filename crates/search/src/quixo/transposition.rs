//! The transposition table of the alpha-beta search.

use super::board::Board;
use super::mask::Mask;
use crate::Refused;
use crate::buckets::{BucketEntry, Buckets};

/// A transposition table. Its entries hold for a board however it was reached, but for those that
/// [rest on the path](TranspositionEntry::rests_on_path). Boards are compared in full, not by a hash.
///
/// In each bucket one entry is the one that was searched deepest, the other the newest.
pub struct TranspositionTable<M> {
    buckets: Buckets<TranspositionEntry<M>>,
}

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
    fn none() -> TranspositionEntry<M> {
        let board = Board { own: M::NONE, other: M::NONE };
        TranspositionEntry { board, score: 0, bound: Bound::Exact, depth_and_path: 0, best: 0 }
    }

    fn is_some(&self) -> bool {
        self.depth_and_path > 0
    }

    fn hash(&self) -> u64 {
        hash(self.board)
    }
}

/// The upper bits of a board's hash, as the lower ones depend on few dice.
fn hash<M: Mask>(board: Board<M>) -> u64 {
    board.hash() >> 20
}

impl<M: Mask> TranspositionTable<M> {
    /// An empty table, which never takes more than `budget` bytes.
    pub const fn new(budget: usize) -> TranspositionTable<M> {
        TranspositionTable { buckets: Buckets::new(budget) }
    }

    /// Its present size in bytes.
    pub fn bytes(&self) -> usize {
        self.buckets.bytes()
    }

    /// The entry of a board.
    pub fn get(&self, board: Board<M>) -> Option<&TranspositionEntry<M>> {
        self.buckets.get(hash(board)).find(|slot| slot.board == board)
    }

    /// Stores the result of a search of at least one ply. If the system refuses the memory, nothing is stored.
    pub fn put(&mut self, slot: TranspositionEntry<M>) -> Result<(), Refused> {
        self.buckets.put(slot, |[deep, last], slot| {
            if slot.board == deep.board {
                *deep = slot;
            } else if slot.depth() >= deep.depth() {
                *last = std::mem::replace(deep, slot);
            } else {
                *last = slot;
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn board(number: u64) -> Board<u64> {
        Board { own: number.wrapping_mul(0x9e37_79b9) & 0xffff_ffff, other: number << 40 }
    }

    #[test]
    fn it_grows_with_what_it_keeps_up_to_its_limit() {
        let entry =
            |number| TranspositionEntry::new(board(number), 3, number as i32, Bound::Lower, 7);
        let mut transposition = TranspositionTable::new(0);
        transposition.put(entry(1)).unwrap();
        assert!(
            transposition.get(board(1)).is_none() && transposition.bytes() == 0,
            "it has no room"
        );
        let mut transposition = TranspositionTable::new(16 << 30);
        for (boards, most) in [(1_000, 2 << 20), (200_000, 24 << 20)] {
            for number in 0..boards {
                transposition.put(entry(number)).unwrap();
            }
            let is_kept = |number: &u64| {
                transposition.get(board(*number)).is_some_and(|entry| entry.score == *number as i32)
            };
            assert!((0..boards).filter(is_kept).count() as u64 > boards * 3 / 4);
            assert!(transposition.bytes() <= most, "{boards}: {}", transposition.bytes());
        }
        let mut transposition = TranspositionTable::new(3 << 20);
        (0..200_000).for_each(|number| transposition.put(entry(number)).unwrap());
        assert!(
            transposition.bytes() > 2 << 20 && transposition.bytes() <= 3 << 20,
            "{}",
            transposition.bytes()
        );
        assert!(transposition.get(board(199_999)).is_some_and(|entry| {
            entry.score == 199_999 && entry.depth() == 3 && !entry.rests_on_path()
        }));
    }

    #[test]
    fn an_entry_says_how_deep_it_was_searched_and_whether_it_rests_on_the_path() {
        let mut transposition = TranspositionTable::new(1 << 20);
        for (depth, rests) in [(1, false), (2, true), (120, false), (121, true)] {
            let entry = TranspositionEntry::new(board(1), depth, 0, Bound::Exact, 0).on_path(rests);
            transposition.put(entry).unwrap();
            let found =
                transposition.get(board(1)).map(|entry| (entry.depth(), entry.rests_on_path()));
            assert_eq!(found, Some((depth, rests)));
        }
    }
}
