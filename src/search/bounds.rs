//! The transposition table of an exact search: proven bounds of positions.

use super::buckets::{Buckets, Entry};
use super::room::Refused;
use foldhash::fast::FixedState;
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

/// A table in buckets of two places: one keeps what was most work to find out, the other what was
/// found out last. Van den Herik, Breuker and Uiterwijk call this scheme `TwoBig` (*Information in
/// Transposition Tables*, 1997); here work is counted in positions, not in plies.
pub struct BoundsTable<K, M> {
    buckets: Buckets<Known<K, M>>,
}

#[derive(Clone, Copy)]
struct Known<K, M> {
    key: K,
    bounds: Bounds<M>,
    /// The logarithm of the work; 0 where nothing is kept.
    work: u8,
}

impl<K: Copy + Hash + Default, M: Copy> Entry for Known<K, M> {
    fn none() -> Known<K, M> {
        Known { key: K::default(), bounds: Bounds { lower: 0, upper: 0, best: None }, work: 0 }
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
    /// An empty table that never takes more than `budget` bytes.
    pub const fn new(budget: usize) -> BoundsTable<K, M> {
        BoundsTable { buckets: Buckets::new(budget) }
    }

    /// The bytes it takes at present.
    pub fn bytes(&self) -> usize {
        self.buckets.bytes()
    }

    /// What is known of a position.
    pub fn get(&self, key: K) -> Option<Bounds<M>> {
        self.buckets.get(hash(key)).find(|known| known.key == key).map(|known| known.bounds)
    }

    /// Keeps what is known of a position in place of what was kept of it before. `work` is the number
    /// of positions it took to find out. When the system gives no memory for it, nothing is kept.
    pub fn put(&mut self, key: K, bounds: Bounds<M>, work: u64) -> Result<(), Refused> {
        let known = Known { key, bounds, work: 1 + work.max(1).ilog2() as u8 };
        self.buckets.put(known, |[big, last], known| {
            if big.is_some() && big.key == key {
                *big = Known { work: big.work.max(known.work), ..known };
            } else if last.is_some() && last.key == key {
                *last = Known { work: last.work.max(known.work), ..known };
                if last.work >= big.work {
                    std::mem::swap(big, last);
                }
            } else if known.work >= big.work {
                *last = std::mem::replace(big, known);
            } else {
                *last = known;
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
    fn it_gives_back_what_was_put_last_or_nothing() {
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
    fn what_was_much_work_stays() {
        let mut table = Table::new(2 << 20);
        table.put(7, bounds(7), 1 << 40).unwrap();
        for key in (0..1_000_000).filter(|&key| key != 7) {
            table.put(key, bounds(1), 5).unwrap();
        }
        assert_eq!(table.get(7), Some(bounds(7)));
    }

    #[test]
    fn it_grows_with_what_it_keeps_and_stays_within_its_budget() {
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
