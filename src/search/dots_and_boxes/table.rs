//! The transposition table, and what an entry holds.

use crate::search::Fill;
use crate::search::room::Refused;
use crate::search::shared_table::{ENTRY, LEAST, SharedTable, TableMemory};

/// Bits of an entry: 6 each for the move, the two bounds and the number of lines.
const KNOWN: u32 = 24;
/// Bits of the number of lines. It is the rank: a position with more lines took more work.
const LINES: u32 = 6;

/// The table of a search: bounds of positions, and the best move found.
#[derive(Clone)]
pub struct DotsTable<'a>(SharedTable<'a, KNOWN, LINES>);

/// The memory of a table.
pub struct DotsTableMemory(TableMemory);

/// The move of an entry that has none.
pub const NO_MOVE: u32 = 63;

/// What the table keeps of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DotsEntry {
    /// Its value is at least this.
    pub lower: i32,
    /// Its value is at most this.
    pub upper: i32,
    /// The best line found, or [`NO_MOVE`].
    pub mv: u32,
}

impl DotsTableMemory {
    /// Memory for an empty table of positions with at most `lines` lines. The table takes at most `bytes`
    /// bytes.
    pub fn new(lines: u32, bytes: usize) -> Result<DotsTableMemory, Refused> {
        // No search fills more.
        let entries = 1_usize << lines.saturating_sub(9).min(40);
        TableMemory::new(bytes.min((entries * ENTRY).max(LEAST))).map(DotsTableMemory)
    }

    /// The present size of the table in bytes.
    pub fn bytes(&self) -> usize {
        self.0.bytes()
    }

    /// The table in it.
    pub fn table(&mut self) -> DotsTable<'_> {
        DotsTable(self.0.table())
    }
}

impl DotsTable<'_> {
    /// The present size of the table in bytes.
    pub fn bytes(&self) -> usize {
        self.0.bytes()
    }

    /// See [`SharedTable::prefetch`].
    #[inline]
    pub fn prefetch(&self, key: u128) {
        self.0.prefetch(key);
    }

    /// The entry of a position with `left` boxes.
    #[inline]
    pub fn get(&self, key: u128, left: i32) -> Option<DotsEntry> {
        self.0.get(key).map(|known| unpack(known, left))
    }

    /// Stores the entry of a position with `left` boxes and `open` undrawn lines.
    #[inline]
    pub fn put(&mut self, key: u128, left: i32, open: u32, entry: DotsEntry) {
        self.0.put(key, |before| {
            let old = before.map(|before| unpack(before, left));
            let DotsEntry { lower, upper, .. } = old.unwrap_or(entry);
            let (lower, upper) = (entry.lower.max(lower), entry.upper.min(upper));
            pack(DotsEntry { lower, upper, ..entry }, left, open)
        });
    }

    /// See [`SharedTable::buckets`].
    pub fn buckets(&self) -> u64 {
        self.0.buckets()
    }

    /// See [`SharedTable::entries`].
    pub fn entries(&self, bucket: u64) -> impl Iterator<Item = [u64; 2]> {
        self.0.entries(bucket)
    }

    /// See [`SharedTable::put_back`].
    pub fn put_back(&mut self, bucket: u64, entry: [u64; 2]) {
        self.0.put_back(bucket, entry);
    }

    /// See [`SharedTable::fill`].
    pub fn fill(&self) -> Fill {
        self.0.fill()
    }
}

/// From the highest bit: 6 bits for the move, 6 for each bound in steps of 2 from the lowest possible one,
/// and 6 for the number of lines, which is never 0.
const fn pack(entry: DotsEntry, left: i32, open: u32) -> u64 {
    (entry.mv as u64) << 18
        | ((entry.lower + left) as u64 / 2) << 12
        | ((entry.upper + left) as u64 / 2) << 6
        | open as u64
}

const fn unpack(known: u64, left: i32) -> DotsEntry {
    DotsEntry {
        lower: (known >> 12 & 63) as i32 * 2 - left,
        upper: (known >> 6 & 63) as i32 * 2 - left,
        mv: (known >> 18 & 63) as u32,
    }
}
