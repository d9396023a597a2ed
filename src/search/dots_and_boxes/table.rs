//! What the transposition table keeps of positions.

use crate::search::Fill;
use crate::search::room::Refused;
use crate::search::shared_table::{ENTRY, LEAST, SharedTable, TableMemory};

/// Bits of what is known: 6 each for the move, the bounds and the number of lines.
const KNOWN: u32 = 24;
/// Bits of the number of lines, by which those stay of which there is more to know.
const LINES: u32 = 6;

/// The table of a search: bounds of positions, and the move that was best.
#[derive(Clone)]
pub struct Table<'a>(SharedTable<'a, KNOWN, LINES>);

/// The memory of a table.
pub struct Space(TableMemory);

/// What is known of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its value is no less.
    pub lower: i32,
    /// Its value is no more.
    pub upper: i32,
    /// The line that was best.
    pub mv: u32,
}

impl Space {
    /// Room for an empty table of positions with so many lines, which will take at most `bytes` bytes.
    pub fn new(lines: u32, bytes: usize) -> Result<Space, Refused> {
        // Of more would never be made use.
        let entries = 1_usize << lines.saturating_sub(9).min(40);
        TableMemory::new(bytes.min((entries * ENTRY).max(LEAST))).map(Space)
    }

    /// How many bytes the table takes at present.
    pub fn bytes(&self) -> usize {
        self.0.bytes()
    }

    /// The table in it.
    pub fn table(&mut self) -> Table<'_> {
        Table(self.0.table())
    }
}

impl Table<'_> {
    /// How many bytes it takes at present.
    pub fn bytes(&self) -> usize {
        self.0.bytes()
    }

    /// See [`SharedTable::prefetch`].
    #[inline]
    pub fn prefetch(&self, key: u128) {
        self.0.prefetch(key);
    }

    /// What is known of a position with `left` boxes.
    #[inline]
    pub fn get(&self, key: u128, left: i32) -> Option<Entry> {
        self.0.get(key).map(|known| unpack(known, left))
    }

    /// Keeps what is known of a position with `left` boxes and `open` lines.
    #[inline]
    pub fn put(&mut self, key: u128, left: i32, open: u32, entry: Entry) {
        self.0.put(key, |before| {
            let old = before.map(|before| unpack(before, left));
            let Entry { lower, upper, .. } = old.unwrap_or(entry);
            let (lower, upper) = (entry.lower.max(lower), entry.upper.min(upper));
            pack(Entry { lower, upper, ..entry }, left, open)
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

/// From the top: 6 bits the move, 6 each the bounds in steps of 2 from the lowest, 6 the number of lines,
/// which is never 0.
const fn pack(entry: Entry, left: i32, open: u32) -> u64 {
    (entry.mv as u64) << 18
        | ((entry.lower + left) as u64 / 2) << 12
        | ((entry.upper + left) as u64 / 2) << 6
        | open as u64
}

const fn unpack(known: u64, left: i32) -> Entry {
    Entry {
        lower: (known >> 12 & 63) as i32 * 2 - left,
        upper: (known >> 6 & 63) as i32 * 2 - left,
        mv: (known >> 18 & 63) as u32,
    }
}
