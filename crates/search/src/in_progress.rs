//! Lets the threads of one search avoid duplicate work.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// The binary logarithm of the number of slots.
const PLACES: u32 = 12;

/// The hashes of the positions that threads are currently searching; a collision drops one of two positions. Other
/// threads postpone moves to these positions (after Jean-Christophe Weill, *The ABDADA Distributed Minimax Search
/// Algorithm*, 1996).
pub struct InProgress(Vec<AtomicU64>);

impl InProgress {
    pub fn new() -> InProgress {
        InProgress((0..1 << PLACES).map(|_| AtomicU64::new(0)).collect())
    }

    fn place(&self, hash: u64) -> &AtomicU64 {
        &self.0[(hash >> (u64::BITS - PLACES)) as usize]
    }

    /// Returns whether a thread is searching the position with this hash. The upper bits of the hash must be well
    /// mixed.
    pub fn contains(&self, hash: u64) -> bool {
        self.place(hash).load(Relaxed) == hash
    }

    /// Marks this position as being searched.
    pub fn begin(&self, hash: u64) {
        self.place(hash).store(hash, Relaxed);
    }

    /// Clears the mark of this position.
    pub fn end(&self, hash: u64) {
        self.place(hash).store(0, Relaxed);
    }
}
