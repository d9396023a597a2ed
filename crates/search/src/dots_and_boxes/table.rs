//! The transposition table and the contents of its entries.
//!
//! A full table first evicts positions with few undrawn lines; lower-bound-only entries are ranked as if they had
//! twelve fewer lines. Proving a lower bound takes only one move, and while the position after that move is in the
//! table, a lookup proves the bound again. Proving an upper bound takes a search of all moves. With 32 MiB, a tenth of
//! the size of a table for all positions, solving 4 × 4 boxes takes 82 million positions; when entries were ranked by
//! their number of undrawn lines alone, it took 354 million.

use crate::memory::OutOfMemory;
use crate::shared_table::{ENTRY, MIN_BYTES, SharedTable, TableMemory};

/// Bits of an entry: 6 for each bound, plus the rank.
const KNOWN: u32 = 12 + RANK;
/// Bits of the rank.
const RANK: u32 = 6;
/// The number of lines by which lower-bound-only entries are ranked lower. If this number were much larger, a long
/// search would evict results about the first moves.
const LOWER_BOUND_PENALTY: u32 = 12;

/// The transposition table of a search, with bounds of positions.
pub type DotsTable<'a> = SharedTable<'a, KNOWN, RANK>;

/// The bounds stored for a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DotsEntry {
    /// A lower bound on the position's value.
    pub lower: i32,
    /// An upper bound on the position's value.
    pub upper: i32,
}

/// Allocates an empty table for positions with at most `lines` lines. The table takes at most `bytes` bytes.
pub fn memory(lines: u32, bytes: usize) -> Result<TableMemory, OutOfMemory> {
    // An upper bound on the entries of all measured searches.
    let entries = 1_usize << lines.saturating_sub(9).min(40);
    TableMemory::new(bytes.min((entries * ENTRY).max(MIN_BYTES)))
}

impl DotsTable<'_> {
    /// Returns the entry of a position with `left` boxes.
    #[inline]
    pub fn entry(&self, key: u128, left: i32) -> Option<DotsEntry> {
        self.get(key).map(|known| unpack(known, left))
    }

    /// Stores the entry of a position with `left` boxes and `open` undrawn lines.
    #[inline]
    pub fn store(&mut self, key: u128, left: i32, open: u32, entry: DotsEntry) {
        self.put(key, |before| {
            let old = before.map(|before| unpack(before, left));
            let DotsEntry { lower, upper } = old.unwrap_or(entry);
            let entry = DotsEntry { lower: entry.lower.max(lower), upper: entry.upper.min(upper) };
            pack(entry, left, open)
        });
    }
}

/// Packs an entry, from the highest bit: 6 bits for each bound, in steps of 2 from the lowest possible value, and 6
/// bits for the rank.
const fn pack(entry: DotsEntry, left: i32, open: u32) -> u64 {
    ((entry.lower + left) as u64 / 2) << 12
        | ((entry.upper + left) as u64 / 2) << 6
        | rank(entry, left, open) as u64
}

/// Returns the rank of an entry, which is never 0. A position with more undrawn lines took more work.
const fn rank(entry: DotsEntry, left: i32, open: u32) -> u32 {
    if entry.upper < left {
        open
    } else if open > LOWER_BOUND_PENALTY {
        open - LOWER_BOUND_PENALTY
    } else {
        1
    }
}

const fn unpack(known: u64, left: i32) -> DotsEntry {
    DotsEntry {
        lower: (known >> 12 & 63) as i32 * 2 - left,
        upper: (known >> 6 & 63) as i32 * 2 - left,
    }
}
