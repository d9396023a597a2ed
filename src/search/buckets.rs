//! Where transposition tables keep what they know.

use super::room::{self, Refused};
use std::array;

/// Something that is kept.
pub trait Entry: Copy {
    /// What stands in a place where nothing is kept.
    fn none() -> Self;

    /// Whether this is something.
    fn is_some(&self) -> bool;

    /// A number in which all that tells it from others has a part, its lower bits above all.
    fn hash(&self) -> u64;
}

/// A hash table of buckets of two places each; who puts something in chooses between the two.
///
/// It grows with what is put into it up to its budget, a bucket at a time and without ever moving
/// the others: Litwin, *Linear hashing*, 1980. So a small search takes little memory, and a large one
/// never waits for a table to be cleared or copied.
pub struct Buckets<T> {
    /// The buckets, as many to a piece but for the last.
    pieces: Vec<Vec<[T; 2]>>,
    /// How many there are.
    count: usize,
    /// How many there may be.
    most: usize,
    /// How many places are taken.
    filled: usize,
}

/// A budget of fewer bytes is not worth a table.
const LEAST: usize = 4096;

impl<T: Entry> Buckets<T> {
    /// The buckets of a piece: half a mebibyte of them or less.
    const PIECE: usize = 1 << ((1 << 19) / size_of::<[T; 2]>()).ilog2();

    /// No buckets, which will never take more than `budget` bytes.
    pub const fn new(budget: usize) -> Buckets<T> {
        let most = if budget < LEAST { 0 } else { Self::fit(budget) };
        Buckets { pieces: Vec::new(), count: 0, most, filled: 0 }
    }

    /// How many buckets fit into so many bytes, besides what names their pieces.
    const fn fit(bytes: usize) -> usize {
        let piece = Self::PIECE * size_of::<[T; 2]>() + size_of::<Vec<[T; 2]>>();
        let rest = (bytes % piece).saturating_sub(size_of::<Vec<[T; 2]>>());
        bytes / piece * Self::PIECE + rest / size_of::<[T; 2]>()
    }

    /// The bytes they take at present.
    pub fn bytes(&self) -> usize {
        let buckets: usize = self.pieces.iter().map(Vec::capacity).sum();
        buckets * size_of::<[T; 2]>() + self.pieces.len() * size_of::<Vec<[T; 2]>>()
    }

    /// Where what has this hash belongs. There must be a bucket.
    fn place(&self, hash: u64) -> usize {
        // Of the buckets up to the next power of two the first ones exist; the others have not yet
        // been split off those half as many before them.
        let mask = self.count.next_power_of_two() - 1;
        let place = hash as usize & mask;
        if place < self.count { place } else { place & (mask >> 1) }
    }

    fn at(&mut self, place: usize) -> &mut [T; 2] {
        &mut self.pieces[place / Self::PIECE][place % Self::PIECE]
    }

    /// What is kept where something with this hash would be.
    pub fn get(&self, hash: u64) -> impl Iterator<Item = &T> {
        let bucket = (self.count > 0).then(|| {
            let place = self.place(hash);
            &self.pieces[place / Self::PIECE][place % Self::PIECE]
        });
        bucket.into_iter().flatten().filter(|entry| entry.is_some())
    }

    /// Has `choose` put something into the bucket where it belongs. When there should be another bucket,
    /// and the system gives no memory for it, nothing is kept.
    pub fn put(&mut self, entry: T, choose: impl FnOnce(&mut [T; 2], T)) -> Result<(), Refused> {
        if 2 * self.filled >= self.count && self.count < self.most {
            self.grow()?;
        }
        if self.count == 0 {
            return Ok(());
        }
        let taken = |bucket: &[T; 2]| bucket.iter().filter(|entry| entry.is_some()).count();
        let place = self.place(entry.hash());
        let bucket = self.at(place);
        let before = taken(bucket);
        choose(bucket, entry);
        let after = taken(bucket);
        self.filled += after - before;
        Ok(())
    }

    /// Adds a bucket, and moves to it what belongs there.
    fn grow(&mut self) -> Result<(), Refused> {
        if self.count.is_multiple_of(Self::PIECE) {
            let mut piece = Vec::new();
            room::reserve(&mut piece, Self::PIECE.min(self.most - self.count))?;
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
        let split = *self.at(old);
        for place in [old, new] {
            let belongs = |entry: &&T| entry.is_some() && self.place(entry.hash()) == place;
            let mut stays = split.iter().filter(belongs);
            let bucket = array::from_fn(|_| stays.next().copied().unwrap_or_else(T::none));
            *self.at(place) = bucket;
        }
        Ok(())
    }
}
