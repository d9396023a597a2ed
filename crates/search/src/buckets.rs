//! The growing hash table behind the transposition tables that are used by one thread at a time.

use super::memory::{self, OutOfMemory};
use std::array;

/// An entry of [`Buckets`].
pub trait BucketEntry: Copy {
    /// The type of the lookup key.
    type Key: Copy + Eq;

    /// Returns the entry that marks an empty slot.
    fn none() -> Self;

    /// Returns the lookup key.
    fn key(&self) -> Self::Key;

    /// Returns a hash of a key. Its lower bits choose the bucket.
    fn hash(key: Self::Key) -> u64;

    /// Returns a measure of the work that the entry took; 0 only in an empty slot.
    fn rank(&self) -> u8;

    /// Returns the entry to store when this entry replaces an older entry with the same key.
    fn replacing(self, _old: &Self) -> Self {
        self
    }
}

/// A hash table with buckets of two slots: one keeps the entry that took the most work, the other the newest entry.
/// Breuker, Uiterwijk and van den Herik call this scheme `TwoBig` (*Information in Transposition Tables*, 1997).
///
/// The table grows up to its budget as it fills, one bucket at a time and without moving the other buckets: Litwin,
/// *Linear hashing*, 1980. A small search therefore uses little memory, and a large search never waits for a table to
/// be cleared or copied.
pub struct Buckets<T> {
    /// The buckets. Every piece but the last has `PIECE` buckets.
    pieces: Vec<Vec<[T; 2]>>,
    /// The current number of buckets.
    count: usize,
    /// The maximum number of buckets.
    most: usize,
    /// The number of occupied slots.
    filled: usize,
}

/// The minimum budget in bytes; with a smaller budget the table stores nothing.
const MIN_BYTES: usize = 4096;

impl<T: BucketEntry> Buckets<T> {
    /// The number of buckets in a piece: a power of two that takes at most half a mebibyte.
    const PIECE: usize = 1 << ((1 << 19) / size_of::<[T; 2]>()).ilog2();

    /// Creates an empty table that never takes more than `budget` bytes.
    pub const fn new(budget: usize) -> Buckets<T> {
        let most = if budget < MIN_BYTES { 0 } else { Self::fit(budget) };
        Buckets { pieces: Vec::new(), count: 0, most, filled: 0 }
    }

    /// Returns the number of buckets that fit into this many bytes, together with the list of pieces.
    const fn fit(bytes: usize) -> usize {
        let piece = Self::PIECE * size_of::<[T; 2]>() + size_of::<Vec<[T; 2]>>();
        let rest = (bytes % piece).saturating_sub(size_of::<Vec<[T; 2]>>());
        bytes / piece * Self::PIECE + rest / size_of::<[T; 2]>()
    }

    /// Returns the current size in bytes.
    pub fn bytes(&self) -> usize {
        let buckets: usize = self.pieces.iter().map(Vec::capacity).sum();
        buckets * size_of::<[T; 2]>() + self.pieces.len() * size_of::<Vec<[T; 2]>>()
    }

    /// Returns the index of the bucket for a hash. The table must have at least one bucket.
    fn place(&self, hash: u64) -> usize {
        // The mask covers more buckets than exist. An index beyond the last bucket maps to the bucket without its
        // highest bit, from which the missing bucket will be split off.
        let mask = self.count.next_power_of_two() - 1;
        let place = hash as usize & mask;
        if place < self.count { place } else { place & (mask >> 1) }
    }

    fn bucket_mut(&mut self, place: usize) -> &mut [T; 2] {
        &mut self.pieces[place / Self::PIECE][place % Self::PIECE]
    }

    /// Returns the entry with this key, if it is stored.
    pub fn get(&self, key: T::Key) -> Option<&T> {
        if self.count == 0 {
            return None;
        }
        let place = self.place(T::hash(key));
        let bucket = &self.pieces[place / Self::PIECE][place % Self::PIECE];
        bucket.iter().find(|entry| entry.rank() > 0 && entry.key() == key)
    }

    /// Stores an entry, replacing an older entry with the same key. Drops the entry if the table has to grow and the
    /// system refuses to allocate memory.
    pub fn put(&mut self, entry: T) -> Result<(), OutOfMemory> {
        if 2 * self.filled >= self.count && self.count < self.most {
            self.grow()?;
        }
        if self.count == 0 {
            return Ok(());
        }
        let place = self.place(T::hash(entry.key()));
        let [big, last] = self.bucket_mut(place);
        let is_older = |kept: &T| kept.rank() > 0 && kept.key() == entry.key();
        if is_older(big) {
            *big = entry.replacing(big);
            return Ok(());
        }
        let is_new = big.rank() == 0 || last.rank() == 0;
        let entry = if is_older(last) { entry.replacing(last) } else { entry };
        *last = if entry.rank() >= big.rank() { std::mem::replace(big, entry) } else { entry };
        self.filled += usize::from(is_new);
        Ok(())
    }

    /// Adds a bucket and moves the entries that belong in it.
    fn grow(&mut self) -> Result<(), OutOfMemory> {
        if self.count.is_multiple_of(Self::PIECE) {
            let mut piece = Vec::new();
            memory::reserve(&mut piece, Self::PIECE.min(self.most - self.count))?;
            self.pieces.push(piece);
        }
        let new = self.count;
        if let Some(piece) = self.pieces.last_mut() {
            piece.push([T::none(); 2]);
        }
        self.count += 1;
        if new == 0 {
            return Ok(());
        }
        let old = new - self.count.next_power_of_two() / 2;
        let split = *self.bucket_mut(old);
        for place in [old, new] {
            let belongs =
                |entry: &&T| entry.rank() > 0 && self.place(T::hash(entry.key())) == place;
            let mut stays = split.iter().filter(belongs);
            let bucket = array::from_fn(|_| stays.next().copied().unwrap_or_else(T::none));
            *self.bucket_mut(place) = bucket;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    /// A key, the number stored for it, and the work that the entry took.
    #[derive(Clone, Copy, Debug, PartialEq)]
    struct Note(u64, i32, u8);

    impl BucketEntry for Note {
        type Key = u64;

        fn none() -> Note {
            Note(0, 0, 0)
        }

        fn key(&self) -> u64 {
            self.0
        }

        fn hash(key: u64) -> u64 {
            key.wrapping_mul(crate::bits::GOLDEN) >> 20
        }

        fn rank(&self) -> u8 {
            self.2
        }
    }

    #[test]
    fn table_returns_the_newest_entry_or_nothing() {
        let mut table = Buckets::new(2 << 20);
        let mut all = HashMap::new();
        let mut rng = fastrand::Rng::with_seed(1);
        for round in 0..400_000 {
            // Some keys occur repeatedly.
            let note = Note(rng.u64(..) >> rng.u32(40..52), round, rng.u8(1..10));
            table.put(note).unwrap();
            all.insert(note.0, note);
            assert_eq!(table.get(note.0), Some(&note), "just put");
        }
        let found: Vec<_> = all.keys().filter_map(|&key| table.get(key)).collect();
        assert!(found.iter().all(|note| all[&note.0] == **note));
        assert!(found.len() > 10_000 && found.len() < all.len(), "{}", found.len());
    }

    #[test]
    fn table_keeps_the_entry_with_most_work() {
        let mut table = Buckets::new(2 << 20);
        table.put(Note(7, 7, 41)).unwrap();
        (0..1_000_000).filter(|&key| key != 7).for_each(|key| table.put(Note(key, 1, 3)).unwrap());
        assert_eq!(table.get(7), Some(&Note(7, 7, 41)));
    }

    #[test]
    fn table_grows_within_its_budget() {
        let mut table = Buckets::new(10 << 20);
        assert_eq!((table.bytes(), table.get(1)), (0, None));
        (0..1000).for_each(|key| table.put(Note(key, 1, 5)).unwrap());
        let kept = (0..1000).filter(|&key| table.get(key).is_some()).count();
        assert!(kept > 750, "{kept}");
        assert!(table.bytes() <= 1 << 20, "{}", table.bytes());
        (0..1_000_000).for_each(|key| table.put(Note(key, 1, 5)).unwrap());
        assert!(table.bytes() > 8 << 20 && table.bytes() <= 10 << 20, "{}", table.bytes());
        let mut none = Buckets::new(1000);
        none.put(Note(1, 1, 1)).unwrap();
        assert_eq!((none.get(1), none.bytes()), (None, 0));
    }
}
