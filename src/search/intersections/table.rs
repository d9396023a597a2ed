//! What the threads that solve a round share.

use super::packed::Word;
use crate::search::bounds::{Bounds, BoundsTable};
use crate::search::room::Refused;
use foldhash::fast::FixedState;
use std::hash::BuildHasher;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The logarithm of how many tables there are.
const PARTS: u32 = 4;

/// The logarithm of how many rounds can be known to be searched by some thread.
const BUSY: u32 = 10;

/// A table of bounds for several threads: tables with a part of the keys each, so that two threads seldom
/// want the same. And which rounds are being searched.
pub struct Table<W> {
    parts: Vec<Mutex<BoundsTable<W, u16>>>,
    /// Hashes of rounds, as far as they find a place here.
    busy: Vec<AtomicU64>,
}

impl<W: Word> Table<W> {
    /// An empty table that never takes more than `budget` bytes.
    pub fn new(budget: usize) -> Table<W> {
        let part = || Mutex::new(BoundsTable::new(budget >> PARTS));
        let busy = || AtomicU64::new(0);
        Table {
            parts: (0..1 << PARTS).map(|_| part()).collect(),
            busy: (0..1 << BUSY).map(|_| busy()).collect(),
        }
    }

    /// The bytes it takes at present.
    pub fn bytes(&self) -> usize {
        self.parts.iter().map(|part| lock(part).bytes()).sum()
    }

    fn part(&self, key: W) -> MutexGuard<'_, BoundsTable<W, u16>> {
        // The table itself goes by the lower bits.
        lock(&self.parts[(hash(key) >> (u64::BITS - PARTS)) as usize])
    }

    /// What is known of a round, the stroke to try first by its number.
    pub fn get(&self, key: W) -> Option<Bounds<u16>> {
        self.part(key).get(key)
    }

    /// Keeps what was found out of a round by looking at so many.
    pub fn put(&self, key: W, bounds: Bounds<u16>, work: u64) -> Result<(), Refused> {
        self.part(key).put(key, bounds, work)
    }

    /// Whether some thread is searching a round.
    pub fn is_busy(&self, key: W) -> bool {
        let hash = hash(key);
        self.place(hash).load(Relaxed) == hash
    }

    /// Says that a round is being searched, or is no longer.
    pub fn set_busy(&self, key: W, busy: bool) {
        let hash = hash(key);
        self.place(hash).store(if busy { hash } else { 0 }, Relaxed);
    }

    fn place(&self, hash: u64) -> &AtomicU64 {
        &self.busy[(hash >> (u64::BITS - BUSY)) as usize]
    }
}

fn lock<T>(part: &Mutex<T>) -> MutexGuard<'_, T> {
    part.lock().unwrap_or_else(PoisonError::into_inner)
}

fn hash<W: Word>(key: W) -> u64 {
    FixedState::default().hash_one(key)
}
