//! The growing hash table of the transposition tables that one thread uses at a time.

use super::memory::{self, Refused};
use std::array;

/// An entry of [`Buckets`].
pub trait BucketEntry: Copy {
    /// The entry of an empty place.
    fn none() -> Self;

    /// Whether this is a real entry, not that of an empty place.
    fn is_some(&self) -> bool;

    /// A hash of the key. Its lower bits choose the bucket.
    fn hash(&self) -> u64;
}

/// A hash table of buckets of two places each. The caller chooses which of the two an entry replaces.
///
/// The table grows as it is filled, up to its budget, one bucket at a time and without moving the
/// others: Litwin, *Linear hashing*, 1980. So a small search takes little memory, and a large one never
/// waits until a table is cleared or copied.
pub struct Buckets<T> {
    /// The buckets. All pieces but the last have `PIECE` of them.
    pieces: Vec<Vec<[T; 2]>>,
    /// How many buckets there are.
    count: usize,
    /// How many buckets there may be.
    most: usize,
    /// How many places are taken.
    filled: usize,
}

/// With a budget of fewer bytes there is no table.
const LEAST: usize = 4096;

impl<T: BucketEntry> Buckets<T> {
    /// How many buckets a piece has: a power of two, at most half a mebibyte.
    const PIECE: usize = 1 << ((1 << 19) / size_of::<[T; 2]>()).ilog2();

    /// An empty table, which never takes more than `budget` bytes.
    pub const fn new(budget: usize) -> Buckets<T> {
        let most = if budget < LEAST { 0 } else { Self::fit(budget) };
        Buckets { pieces: Vec::new(), count: 0, most, filled: 0 }
    }

    /// How many buckets fit into this many bytes, together with the list of pieces.
    const fn fit(bytes: usize) -> usize {
        let piece = Self::PIECE * size_of::<[T; 2]>() + size_of::<Vec<[T; 2]>>();
        let rest = (bytes % piece).saturating_sub(size_of::<Vec<[T; 2]>>());
        bytes / piece * Self::PIECE + rest / size_of::<[T; 2]>()
    }

    /// Its present size in bytes.
    pub fn bytes(&self) -> usize {
        let buckets: usize = self.pieces.iter().map(Vec::capacity).sum();
        buckets * size_of::<[T; 2]>() + self.pieces.len() * size_of::<Vec<[T; 2]>>()
    }

    /// The bucket of a hash. There must be at least one bucket.
    fn place(&self, hash: u64) -> usize {
        // Only the first `count` buckets up to the next power of two exist. A bucket that does not exist yet
        // shares the one without its highest bit, from which it will be split off.
        let mask = self.count.next_power_of_two() - 1;
        let place = hash as usize & mask;
        if place < self.count { place } else { place & (mask >> 1) }
    }

    fn bucket_mut(&mut self, place: usize) -> &mut [T; 2] {
        &mut self.pieces[place / Self::PIECE][place % Self::PIECE]
    }

    /// The entries of the bucket where an entry with this hash would be.
    pub fn get(&self, hash: u64) -> impl Iterator<Item = &T> {
        let bucket = (self.count > 0).then(|| {
            let place = self.place(hash);
            &self.pieces[place / Self::PIECE][place % Self::PIECE]
        });
        bucket.into_iter().flatten().filter(|entry| entry.is_some())
    }

    /// Puts an entry into its bucket by calling `choose` with the bucket and the entry. If the table has to grow
    /// and the system refuses the memory, the entry is not kept.
    pub fn put(&mut self, entry: T, choose: impl FnOnce(&mut [T; 2], T)) -> Result<(), Refused> {
        if 2 * self.filled >= self.count && self.count < self.most {
            self.grow()?;
        }
        if self.count == 0 {
            return Ok(());
        }
        let taken = |bucket: &[T; 2]| bucket.iter().filter(|entry| entry.is_some()).count();
        let place = self.place(entry.hash());
        let bucket = self.bucket_mut(place);
        let before = taken(bucket);
        choose(bucket, entry);
        let after = taken(bucket);
        self.filled += after - before;
        Ok(())
    }

    /// Adds a bucket, and moves the entries that belong there to it.
    fn grow(&mut self) -> Result<(), Refused> {
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
            let belongs = |entry: &&T| entry.is_some() && self.place(entry.hash()) == place;
            let mut stays = split.iter().filter(belongs);
            let bucket = array::from_fn(|_| stays.next().copied().unwrap_or_else(T::none));
            *self.bucket_mut(place) = bucket;
        }
        Ok(())
    }
}
