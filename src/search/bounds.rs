//! The transposition table of an exact search: proven bounds of positions.

use std::hash::{BuildHasher, Hash};

/// What is proven of one position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds<M> {
    /// The value is no less.
    pub lower: i16,
    /// The value is no more.
    pub upper: i16,
    /// The move to try first.
    pub best: Option<M>,
}

/// A table of a fixed number of places, in buckets of two: one keeps what was most work to find out,
/// the other what was found out last. Van den Herik, Breuker and Uiterwijk call this scheme `TwoBig`
/// (*Information in Transposition Tables*, 1997); here work is counted in positions, not in plies.
///
/// Its memory is taken and cleared in pieces when something first falls into them, so that a large
/// table costs nothing before it is used. A piece that cannot be had is done without.
pub struct BoundsTable<K, M> {
    pieces: Vec<Vec<[Entry<K, M>; 2]>>,
    buckets: usize,
    bytes: usize,
    hasher: foldhash::fast::FixedState,
}

#[derive(Clone, Copy)]
struct Entry<K, M> {
    key: K,
    bounds: Bounds<M>,
    /// The logarithm of the work; 0 where nothing is kept.
    work: u8,
}

impl<K: Copy + Default, M: Copy> Entry<K, M> {
    fn empty() -> Entry<K, M> {
        Entry { key: K::default(), bounds: Bounds { lower: 0, upper: 0, best: None }, work: 0 }
    }
}

impl<K: Copy + Eq + Hash + Default, M: Copy> BoundsTable<K, M> {
    /// Bytes of a piece.
    const PIECE: usize = 1 << 20;
    const PER_PIECE: usize = Self::PIECE / size_of::<[Entry<K, M>; 2]>();

    /// An empty table that never takes more than `budget` bytes; with less than a piece of about a
    /// mebibyte it keeps nothing.
    pub fn new(budget: usize) -> BoundsTable<K, M> {
        let pieces = budget / (Self::PIECE + size_of::<Vec<[Entry<K, M>; 2]>>());
        BoundsTable {
            pieces: std::iter::repeat_with(Vec::new).take(pieces).collect(),
            buckets: pieces * Self::PER_PIECE,
            bytes: 0,
            hasher: foldhash::fast::FixedState::default(),
        }
    }

    /// The bytes it takes at present.
    pub fn bytes(&self) -> usize {
        self.bytes + self.pieces.capacity() * size_of::<Vec<[Entry<K, M>; 2]>>()
    }

    /// The piece and the bucket in it where a key belongs, if there is any.
    fn place(&self, key: K) -> (usize, usize) {
        let bucket = (u128::from(self.hasher.hash_one(key)) * self.buckets as u128) >> 64;
        let bucket = bucket as usize;
        (bucket / Self::PER_PIECE, bucket % Self::PER_PIECE)
    }

    /// What is known of a position.
    pub fn get(&self, key: K) -> Option<Bounds<M>> {
        let (piece, bucket) = self.place(key);
        let slots = self.pieces.get(piece)?.get(bucket)?;
        slots.iter().find(|slot| slot.work > 0 && slot.key == key).map(|slot| slot.bounds)
    }

    /// Keeps what is known of a position in place of what was kept of it before. `work` is the number
    /// of positions it took to find out.
    pub fn put(&mut self, key: K, bounds: Bounds<M>, work: u64) {
        let (piece, bucket) = self.place(key);
        let Some(piece) = self.pieces.get_mut(piece) else { return };
        if piece.is_empty() {
            if piece.try_reserve_exact(Self::PER_PIECE).is_err() {
                return;
            }
            piece.resize(Self::PER_PIECE, [Entry::empty(); 2]);
            self.bytes += piece.capacity() * size_of::<[Entry<K, M>; 2]>();
        }
        let [big, last] = &mut piece[bucket];
        let entry = Entry { key, bounds, work: 1 + work.max(1).ilog2() as u8 };
        if big.work > 0 && big.key == key {
            *big = Entry { work: big.work.max(entry.work), ..entry };
        } else if entry.work >= big.work {
            // The former may still be of use; unless the new one was the last until now.
            if last.work == 0 || last.key == key || big.work > last.work {
                *last = *big;
            }
            *big = entry;
        } else {
            *last = entry;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    type Table = BoundsTable<u64, u8>;

    fn bounds(value: i16) -> Bounds<u8> {
        Bounds { lower: value - 1, upper: value, best: Some(value as u8) }
    }

    #[test]
    fn it_gives_back_what_was_put_last_or_nothing() {
        let mut table = Table::new(2 << 20);
        let mut all = HashMap::new();
        let mut rng = fastrand::Rng::with_seed(1);
        for round in 0..400_000 {
            // Some keys come again.
            let key = rng.u64(..) >> rng.u32(40..52);
            let kept = bounds(round as i16 & 127);
            table.put(key, kept, rng.u64(1..1000));
            all.insert(key, kept);
            assert_eq!(table.get(key), Some(kept), "just put");
        }
        let found = all.iter().filter(|&(&key, kept)| match table.get(key) {
            None => false,
            Some(found) => {
                assert_eq!(found, *kept, "{key}");
                true
            }
        });
        let found = found.count();
        assert!(found > 10_000 && found < all.len(), "{found} of {}", all.len());
    }

    #[test]
    fn what_was_much_work_stays() {
        let mut table = Table::new(2 << 20);
        table.put(7, bounds(7), 1 << 40);
        (0..1_000_000).filter(|&key| key != 7).for_each(|key| table.put(key, bounds(1), 5));
        assert_eq!(table.get(7), Some(bounds(7)));
    }

    #[test]
    fn it_stays_within_its_budget_and_takes_nothing_before_it_must() {
        let mut table = Table::new(10 << 20);
        assert!(table.bytes() < 1000);
        (0..1_000_000).for_each(|key| table.put(key, bounds(1), 5));
        assert!(table.bytes() > 8 << 20 && table.bytes() <= 10 << 20, "{}", table.bytes());
        let mut none = Table::new(1000);
        none.put(1, bounds(1), 1);
        assert_eq!((none.get(1), none.bytes()), (None, 0));
    }
}
