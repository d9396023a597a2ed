//! The table that the threads of a solver share.

use super::packed::PackedWord;
use crate::bounds::{Bounds, BoundsTable};
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
    parts: Vec<Mutex<BoundsTable<W, u16>>>,
    busy: Busy,
}

impl<W: PackedWord> RoundTable<W> {
    /// An empty table that never takes more than `budget` bytes.
    pub fn new(budget: usize) -> RoundTable<W> {
        let part = || Mutex::new(BoundsTable::new(budget >> PARTS));
        RoundTable { parts: (0..1 << PARTS).map(|_| part()).collect(), busy: Busy::new() }
    }

    /// Its present size in bytes.
    pub fn bytes(&self) -> usize {
        self.parts.iter().map(|part| lock(part).bytes()).sum()
    }

    fn part(&self, key: W) -> MutexGuard<'_, BoundsTable<W, u16>> {
        // The upper bits choose the part, as the part itself uses the lower ones.
        lock(&self.parts[(hash(key) >> (u64::BITS - PARTS)) as usize])
    }

    /// The bounds of a round, with the index of the segment to try first.
    pub fn get(&self, key: W) -> Option<Bounds<u16>> {
        self.part(key).get(key)
    }

    /// Stores the bounds of a round. `work` is the number of positions that were searched for them.
    pub fn put(&self, key: W, bounds: Bounds<u16>, work: u64) -> Result<(), Refused> {
        self.part(key).put(key, bounds, work)
    }

    /// Whether some thread is searching a round.
    pub fn is_busy(&self, key: W) -> bool {
        self.busy.has(hash(key))
    }

    /// A thread begins to search a round.
    pub fn begin(&self, key: W) {
        self.busy.begin(hash(key));
    }

    /// A thread has searched a round.
    pub fn end(&self, key: W) {
        self.busy.end(hash(key));
    }
}

fn lock<T>(part: &Mutex<T>) -> MutexGuard<'_, T> {
    part.lock().unwrap_or_else(PoisonError::into_inner)
}

fn hash<W: PackedWord>(key: W) -> u64 {
    FixedState::default().hash_one(key)
}
