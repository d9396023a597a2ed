//! The transposition table shared by a solver's threads.

use super::packed::PackedWord;
use crate::buckets::{BucketEntry, Buckets};
use crate::in_progress::InProgress;
use crate::memory::OutOfMemory;
use crate::random::mixed;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The binary logarithm of the number of parts.
const PARTS: u32 = 4;

/// A table of bounds for several threads, and the set of rounds being searched. The table is split into parts with a
/// lock each, to reduce contention.
pub struct RoundTable<W> {
    parts: Vec<Mutex<Buckets<RoundEntry<W>>>>,
    /// The [hashes](hash) of the rounds that threads are currently searching.
    pub in_progress: InProgress,
}

/// The proven results about a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RoundEntry<W> {
    /// The key of the round.
    pub key: W,
    /// A lower bound on the offense's gain.
    pub lower: i16,
    /// An upper bound on the offense's gain.
    pub upper: i16,
    /// The index of the segment to try first.
    pub best: Option<u16>,
    /// One more than the binary logarithm of the number of positions searched; 0 in an empty slot.
    pub work: u8,
}

impl<W> RoundEntry<W> {
    /// Creates the entry of a round for which only this upper bound is known.
    pub const fn new(key: W, upper: i16) -> RoundEntry<W> {
        RoundEntry { key, lower: 0, upper, best: None, work: 0 }
    }
}

impl<W: PackedWord> BucketEntry for RoundEntry<W> {
    type Key = W;

    fn none() -> RoundEntry<W> {
        RoundEntry::new(W::default(), 0)
    }

    fn key(&self) -> W {
        self.key
    }

    fn hash(key: W) -> u64 {
        hash(key)
    }

    fn rank(&self) -> u8 {
        self.work
    }

    fn replacing(self, old: &RoundEntry<W>) -> RoundEntry<W> {
        RoundEntry { work: self.work.max(old.work), ..self }
    }
}

impl<W: PackedWord> RoundTable<W> {
    /// Creates an empty table that never takes more than `budget` bytes.
    pub fn new(budget: usize) -> RoundTable<W> {
        let part = || Mutex::new(Buckets::new(budget >> PARTS));
        RoundTable {
            parts: (0..1 << PARTS).map(|_| part()).collect(),
            in_progress: InProgress::new(),
        }
    }

    /// Returns the current size in bytes.
    pub fn bytes(&self) -> usize {
        self.parts.iter().map(|part| lock(part).bytes()).sum()
    }

    fn part(&self, key: W) -> MutexGuard<'_, Buckets<RoundEntry<W>>> {
        // The upper bits choose the part, since the part itself uses the lower bits.
        lock(&self.parts[(hash(key) >> (u64::BITS - PARTS)) as usize])
    }

    /// Returns the entry of the round with this key.
    pub fn get(&self, key: W) -> Option<RoundEntry<W>> {
        self.part(key).get(key).copied()
    }

    /// Stores the entry of a round. `work` is the number of positions searched for it.
    pub fn put(&self, entry: RoundEntry<W>, work: u64) -> Result<(), OutOfMemory> {
        let work = 1 + work.max(1).ilog2() as u8;
        self.part(entry.key).put(RoundEntry { work, ..entry })
    }
}

fn lock<T>(part: &Mutex<T>) -> MutexGuard<'_, T> {
    part.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns a hash of a key, the same on every machine: it decides which entries are replaced, and so the node counts.
pub fn hash<W: PackedWord>(key: W) -> u64 {
    let key: u128 = key.into();
    mixed(key as u64 ^ mixed((key >> 64) as u64))
}
