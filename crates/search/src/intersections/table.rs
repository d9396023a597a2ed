//! The table that the threads of a solver share.

use super::packed::PackedWord;
use crate::buckets::{BucketEntry, Buckets};
use crate::busy::Busy;
use crate::memory::Refused;
use foldhash::fast::FixedState;
use std::hash::BuildHasher;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The binary logarithm of the number of parts.
const PARTS: u32 = 4;

/// A table of bounds for several threads, and what they are searching. It has several parts with a
/// lock each, so that threads seldom wait for each other.
pub struct RoundTable<W> {
    parts: Vec<Mutex<Buckets<RoundEntry<W>>>>,
    /// The [hashes](hash) of the rounds that threads are searching.
    pub busy: Busy,
}

/// What is proven about a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RoundEntry<W> {
    /// The key of the round.
    pub key: W,
    /// The offense gains at least this.
    pub lower: i16,
    /// The offense gains at most this.
    pub upper: i16,
    /// The index of the segment to try first.
    pub best: Option<u16>,
    /// One more than the binary logarithm of the number of positions that were searched; 0 in an empty place.
    pub work: u8,
}

impl<W> RoundEntry<W> {
    /// A round of which only this is known.
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
    /// An empty table that never takes more than `budget` bytes.
    pub fn new(budget: usize) -> RoundTable<W> {
        let part = || Mutex::new(Buckets::new(budget >> PARTS));
        RoundTable { parts: (0..1 << PARTS).map(|_| part()).collect(), busy: Busy::new() }
    }

    /// Its present size in bytes.
    pub fn bytes(&self) -> usize {
        self.parts.iter().map(|part| lock(part).bytes()).sum()
    }

    fn part(&self, key: W) -> MutexGuard<'_, Buckets<RoundEntry<W>>> {
        // The upper bits choose the part, as the part itself uses the lower ones.
        lock(&self.parts[(hash(key) >> (u64::BITS - PARTS)) as usize])
    }

    /// What is known of the round with this key.
    pub fn get(&self, key: W) -> Option<RoundEntry<W>> {
        self.part(key).get(key).copied()
    }

    /// Stores what is known of a round. `work` is the number of positions that were searched for it.
    pub fn put(&self, entry: RoundEntry<W>, work: u64) -> Result<(), Refused> {
        let work = 1 + work.max(1).ilog2() as u8;
        self.part(entry.key).put(RoundEntry { work, ..entry })
    }
}

fn lock<T>(part: &Mutex<T>) -> MutexGuard<'_, T> {
    part.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A hash of a key.
pub fn hash<W: PackedWord>(key: W) -> u64 {
    FixedState::default().hash_one(key)
}
