//! The transposition table of an exact search: proven bounds of positions.

use super::buckets::{BucketEntry, Buckets};
use super::memory::Refused;
use foldhash::fast::FixedState;
use std::hash::{BuildHasher, Hash};

/// What is proven about the value of one position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds<M> {
    /// The value is at least this.
    pub lower: i16,
    /// The value is at most this.
    pub upper: i16,
    /// The move to try first.
    pub best: Option<M>,
}

/// A table in buckets of two places: one keeps the entry that took the most work, the other the newest
/// one. Breuker, Uiterwijk and van den Herik call this scheme `TwoBig` (*Information in Transposition
/// Tables*, 1997). Here work is counted in positions searched, not in plies.
pub struct BoundsTable<K, M> {
    buckets: Buckets<StoredBounds<K, M>>,
}

#[derive(Clone, Copy)]
struct StoredBounds<K, M> {
    key: K,
    bounds: Bounds<M>,
    /// One more than the binary logarithm of the work; 0 in an empty place.
    work: u8,
}

impl<K: Copy + Hash + Default, M: Copy> BucketEntry for StoredBounds<K, M> {
    fn none() -> StoredBounds<K, M> {
        let bounds = Bounds { lower: 0, upper: 0, best: None };
        StoredBounds { key: K::default(), bounds, work: 0 }
    }

    fn is_some(&self) -> bool {
        self.work > 0
    }

    fn hash(&self) -> u64 {
        hash(self.key)
    }
}

fn hash(key: impl Hash) -> u64 {
    FixedState::default().hash_one(key)
}

impl<K: Copy + Eq + Hash + Default, M: Copy> BoundsTable<K, M> {
    /// An empty table, which never takes more than `budget` bytes.
    pub const fn new(budget: usize) -> BoundsTable<K, M> {
        BoundsTable { buckets: Buckets::new(budget) }
    }

    /// Its present size in bytes.
    pub fn bytes(&self) -> usize {
        self.buckets.bytes()
    }

    /// The bounds of a position, if they are kept.
    pub fn get(&self, key: K) -> Option<Bounds<M>> {
        self.buckets.get(hash(key)).find(|stored| stored.key == key).map(|stored| stored.bounds)
    }

    /// Keeps the bounds of a position in place of older ones of it. `work` is the number of positions
    /// that were searched to prove them. If the system refuses the memory, nothing is kept.
    pub fn put(&mut self, key: K, bounds: Bounds<M>, work: u64) -> Result<(), Refused> {
        let new = StoredBounds { key, bounds, work: 1 + work.max(1).ilog2() as u8 };
        self.buckets.put(new, |[big, last], new| {
            if big.is_some() && big.key == key {
                *big = StoredBounds { work: big.work.max(new.work), ..new };
            } else if last.is_some() && last.key == key {
                *last = StoredBounds { work: last.work.max(new.work), ..new };
                if last.work >= big.work {
                    std::mem::swap(big, last);
                }
            } else if new.work >= big.work {
                *last = std::mem::replace(big, new);
            } else {
                *last = new;
            }
        })
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
    fn it_returns_the_newest_bounds_or_nothing() {
        let mut table = Table::new(2 << 20);
        let mut all = HashMap::new();
        let mut rng = fastrand::Rng::with_seed(1);
        for round in 0..400_000 {
            // Some keys come again.
            let key = rng.u64(..) >> rng.u32(40..52);
            let kept = bounds(round as i16 & 127);
            table.put(key, kept, rng.u64(1..1000)).unwrap();
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
    fn the_entry_that_took_most_work_stays() {
        let mut table = Table::new(2 << 20);
        table.put(7, bounds(7), 1 << 40).unwrap();
        for key in (0..1_000_000).filter(|&key| key != 7) {
            table.put(key, bounds(1), 5).unwrap();
        }
        assert_eq!(table.get(7), Some(bounds(7)));
    }

    #[test]
    fn it_grows_with_its_entries_and_stays_within_its_budget() {
        let mut table = Table::new(10 << 20);
        assert_eq!((table.bytes(), table.get(1)), (0, None));
        for key in 0..1000 {
            table.put(key, bounds(1), 5).unwrap();
        }
        let kept = (0..1000).filter(|&key| table.get(key) == Some(bounds(1))).count();
        assert!(kept > 750, "{kept}");
        assert!(table.bytes() <= 1 << 20, "{}", table.bytes());
        (0..1_000_000).for_each(|key| table.put(key, bounds(1), 5).unwrap());
        assert!(table.bytes() > 8 << 20 && table.bytes() <= 10 << 20, "{}", table.bytes());
        let mut none = Table::new(1000);
        none.put(1, bounds(1), 1).unwrap();
        assert_eq!((none.get(1), none.bytes()), (None, 0));
    }
}
