//! What a search has found out about boards, to be looked up when they come again.

use super::board::Board;
use super::mask::Mask;
use crate::search::Refused;
use crate::search::buckets::{BucketEntry, Buckets};

/// A transposition table. What it holds is true of a board however it was reached, since the search
/// takes no notice of the way; a board is told from others by all its dice, not by a hash.
///
/// Two slots stand together: one keeps what was searched deepest, the other what came last.
pub struct Memo<M> {
    buckets: Buckets<Slot<M>>,
}

/// What is known of a board.
#[derive(Clone, Copy, Debug)]
pub struct Slot<M> {
    board: Board<M>,
    /// The score found.
    pub score: i32,
    /// In which way it bounds the true one.
    pub bound: Bound,
    /// How many plies were searched; 0 in an empty slot.
    pub depth: u8,
    /// Which slide was best.
    pub best: u16,
}

/// How a score found bounds the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// It is the true one.
    Exact,
    /// The true one is no less.
    Lower,
    /// The true one is no more.
    Upper,
}

impl<M: Mask> BucketEntry for Slot<M> {
    fn none() -> Slot<M> {
        let board = Board { own: M::NONE, other: M::NONE };
        Slot { board, score: 0, bound: Bound::Exact, depth: 0, best: 0 }
    }

    fn is_some(&self) -> bool {
        self.depth > 0
    }

    fn hash(&self) -> u64 {
        hash(self.board)
    }
}

/// Of the hash of a board the bits in which most dice have a part.
fn hash<M: Mask>(board: Board<M>) -> u64 {
    board.hash() >> 20
}

impl<M: Mask> Memo<M> {
    /// An empty one that never takes more than `budget` bytes.
    pub const fn new(budget: usize) -> Memo<M> {
        Memo { buckets: Buckets::new(budget) }
    }

    /// Bytes it takes.
    pub fn bytes(&self) -> usize {
        self.buckets.bytes()
    }

    /// What is known of the board.
    pub fn get(&self, board: Board<M>) -> Option<&Slot<M>> {
        self.buckets.get(hash(board)).find(|slot| slot.board == board)
    }

    /// Keeps what was found by a search of `depth` plies, at least 1. When the system gives no memory for
    /// it, nothing is kept.
    pub fn put(
        &mut self,
        board: Board<M>,
        depth: u8,
        score: i32,
        bound: Bound,
        best: u16,
    ) -> Result<(), Refused> {
        let slot = Slot { board, score, bound, depth, best };
        self.buckets.put(slot, |[deep, last], slot| {
            if slot.board == deep.board {
                *deep = slot;
            } else if slot.depth >= deep.depth {
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
        let mut transposition = Memo::new(0);
        transposition.put(board(1), 3, 5, Bound::Exact, 7).unwrap();
        assert!(
            transposition.get(board(1)).is_none() && transposition.bytes() == 0,
            "it has no room"
        );
        let mut transposition = Memo::new(16 << 30);
        for (boards, most) in [(1_000, 2 << 20), (200_000, 24 << 20)] {
            for number in 0..boards {
                transposition.put(board(number), 3, number as i32, Bound::Lower, 7).unwrap();
            }
            let is_kept = |number: &u64| {
                transposition.get(board(*number)).is_some_and(|it| it.score == *number as i32)
            };
            assert!((0..boards).filter(is_kept).count() as u64 > boards * 3 / 4);
            assert!(transposition.bytes() <= most, "{boards}: {}", transposition.bytes());
        }
        let mut transposition = Memo::new(3 << 20);
        (0..200_000)
            .for_each(|number| transposition.put(board(number), 3, 1, Bound::Upper, 7).unwrap());
        assert!(
            transposition.bytes() > 2 << 20 && transposition.bytes() <= 3 << 20,
            "{}",
            transposition.bytes()
        );
        assert!(transposition.get(board(199_999)).is_some_and(|it| it.score == 1 && it.depth == 3));
    }
}
