//! The transposition table of an exact search: proven bounds of positions.

use super::room::{self, Refused};
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
///
/// It grows with what is put into it up to its budget, a bucket at a time and without ever moving
/// the others: Litwin, *Linear hashing*, 1980. So a small search takes little memory, a large one
/// never waits for a table to be cleared or copied.
pub struct BoundsTable<K, M> {
    /// The buckets, in pieces of [`PIECE`] each but the last.
    pieces: Vec<Vec<Bucket<K, M>>>,
    buckets: usize,
    most_buckets: usize,
    /// How many places are taken.
    filled: usize,
    hasher: foldhash::fast::FixedState,
}

/// The buckets of a piece.
const PIECE: usize = 1 << 14;

type Bucket<K, M> = [Entry<K, M>; 2];

#[derive(Clone, Copy)]
struct Entry<K, M> {
    key: K,
    bounds: Bounds<M>,
    /// The logarithm of the work; 0 where nothing is kept.
    work: u8,
}

impl<K: Copy + Eq + Hash + Default, M: Copy> BoundsTable<K, M> {
    const EMPTY: Bounds<M> = Bounds { lower: 0, upper: 0, best: None };

    /// An empty table that never takes more than `budget` bytes.
    pub fn new(budget: usize) -> BoundsTable<K, M> {
        let room = PIECE * size_of::<Bucket<K, M>>() + size_of::<Vec<Bucket<K, M>>>();
        BoundsTable {
            pieces: Vec::new(),
            buckets: 0,
            most_buckets: budget / room * PIECE,
            filled: 0,
            hasher: foldhash::fast::FixedState::default(),
        }
    }

    /// The bytes it takes at present.
    pub fn bytes(&self) -> usize {
        let room = |piece: &Vec<Bucket<K, M>>| piece.capacity() * size_of::<Bucket<K, M>>();
        self.pieces.iter().map(room).sum::<usize>()
            + self.pieces.len() * size_of::<Vec<Bucket<K, M>>>()
    }

    /// The bucket where a key belongs. There must be one.
    fn place(&self, key: K) -> usize {
        // Of the buckets up to the next power of two the first ones exist; the others have not yet
        // been split off those half as many before them.
        let hash = self.hasher.hash_one(key) as usize;
        let place = hash & (self.buckets.next_power_of_two() - 1);
        if place < self.buckets { place } else { place - self.buckets.next_power_of_two() / 2 }
    }

    /// What is known of a position.
    pub fn get(&self, key: K) -> Option<Bounds<M>> {
        if self.buckets == 0 {
            return None;
        }
        let place = self.place(key);
        let bucket = &self.pieces[place / PIECE][place % PIECE];
        bucket.iter().find(|entry| entry.work > 0 && entry.key == key).map(|entry| entry.bounds)
    }

    /// Keeps what is known of a position in place of what was kept of it before. `work` is the number
    /// of positions it took to find out. When the table cannot grow although it may, nothing is kept.
    pub fn put(&mut self, key: K, bounds: Bounds<M>, work: u64) -> Result<(), Refused> {
        if 2 * self.filled >= self.buckets && self.buckets < self.most_buckets {
            self.grow()?;
        }
        if self.buckets == 0 {
            return Ok(());
        }
        let place = self.place(key);
        let [big, last] = &mut self.pieces[place / PIECE][place % PIECE];
        let entry = Entry { key, bounds, work: 1 + work.max(1).ilog2() as u8 };
        if big.work > 0 && big.key == key {
            *big = Entry { work: big.work.max(entry.work), ..entry };
        } else if last.work > 0 && last.key == key {
            *last = Entry { work: last.work.max(entry.work), ..entry };
            if last.work >= big.work {
                std::mem::swap(big, last);
            }
        } else {
            self.filled += usize::from(last.work == 0);
            *last = if entry.work >= big.work { std::mem::replace(big, entry) } else { entry };
        }
        Ok(())
    }

    /// Adds a bucket, and moves to it what belongs there.
    fn grow(&mut self) -> Result<(), Refused> {
        let empty = [Entry { key: K::default(), bounds: Self::EMPTY, work: 0 }; 2];
        if self.buckets.is_multiple_of(PIECE) {
            let mut piece = Vec::new();
            room::reserve(&mut piece, PIECE)?;
            self.pieces.push(piece);
        }
        let new = self.buckets;
        if let Some(piece) = self.pieces.last_mut() {
            piece.push(empty);
        }
        self.buckets += 1;
        if new == 0 {
            return Ok(());
        }
        let old = new - self.buckets.next_power_of_two() / 2;
        let split = self.pieces[old / PIECE][old % PIECE];
        for place in [old, new] {
            let mut stays = split.iter().filter(|e| e.work > 0 && self.place(e.key) == place);
            let mut next = || stays.next().copied().unwrap_or(empty[0]);
            let bucket = [next(), next()];
            self.pieces[place / PIECE][place % PIECE] = bucket;
        }
        Ok(())
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
