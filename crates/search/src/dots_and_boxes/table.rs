//! The transposition table, and what an entry holds.
//!
//! A full table first forgets positions with few undrawn lines, and one of which only a lower bound is known as if it
//! had twelve lines fewer. One move is enough to prove a lower bound, and as long as the table has the position after
//! that move, looking it up proves the bound again. An upper bound took a search of all moves. With 32 MiB, a tenth of
//! what a table for all positions takes, 4 × 4 boxes are solved with a search of 82 million positions; when only the
//! number of undrawn lines decided what was forgotten, it took 354 million.

use crate::memory::Refused;
use crate::shared_table::{ENTRY, LEAST, SharedTable, TableMemory};

/// Bits of an entry: 6 for each bound, and those of the rank.
const KNOWN: u32 = 12 + RANK;
/// Bits of the rank.
const RANK: u32 = 6;
/// An entry without an upper bound ranks like one that has an upper bound and this many lines fewer. If this were much
/// larger, a long search would forget what it has proven of the first moves.
const LOWER_BOUND_PENALTY: u32 = 12;

/// The table of a search: bounds of positions.
pub type DotsTable<'a> = SharedTable<'a, KNOWN, RANK>;

/// What the table keeps of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DotsEntry {
    /// Its value is at least this.
    pub lower: i32,
    /// Its value is at most this.
    pub upper: i32,
}

/// Memory for an empty table of positions with at most `lines` lines. The table takes at most `bytes` bytes.
pub fn memory(lines: u32, bytes: usize) -> Result<TableMemory, Refused> {
    // No search that was measured fills more.
    let entries = 1_usize << lines.saturating_sub(9).min(40);
    TableMemory::new(bytes.min((entries * ENTRY).max(LEAST)))
}

impl DotsTable<'_> {
    /// The entry of a position with `left` boxes.
    #[inline]
    pub fn entry(&self, key: u128, left: i32) -> Option<DotsEntry> {
        self.get(key).map(|known| unpack(known, left))
    }

    /// Stores the entry of a position with `left` boxes and `open` undrawn lines.
    #[inline]
    pub fn keep(&mut self, key: u128, left: i32, open: u32, entry: DotsEntry) {
        self.put(key, |before| {
            let old = before.map(|before| unpack(before, left));
            let DotsEntry { lower, upper } = old.unwrap_or(entry);
            let entry = DotsEntry { lower: entry.lower.max(lower), upper: entry.upper.min(upper) };
            pack(entry, left, open)
        });
    }
}

/// From the highest bit: 6 bits for each bound in steps of 2 from the lowest possible one, and 6 for the rank.
const fn pack(entry: DotsEntry, left: i32, open: u32) -> u64 {
    ((entry.lower + left) as u64 / 2) << 12
        | ((entry.upper + left) as u64 / 2) << 6
        | rank(entry, left, open) as u64
}

/// The rank of an entry, which is never 0. A position with more undrawn lines took more work.
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
