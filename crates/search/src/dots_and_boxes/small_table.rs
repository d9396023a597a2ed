//! A small table for positions with few lines, which are faster to search again than to look up in a large table.

use super::signature::Signature;
use super::table::DotsEntry;

/// The binary logarithm of the number of positions.
const KNOWN: u32 = 14;

/// A small per-thread table. A new entry replaces the entry in its slot.
pub struct SmallTable(Vec<(Signature, DotsEntry)>);

impl SmallTable {
    pub fn new() -> SmallTable {
        // Only a position without lines has the signature 0, and such a position is never looked up.
        SmallTable(vec![(0, DotsEntry { lower: 0, upper: 0 }); 1 << KNOWN])
    }

    #[inline]
    const fn place(signature: Signature) -> usize {
        (signature >> (128 - KNOWN)) as usize
    }

    #[inline]
    pub fn get(&self, signature: Signature) -> Option<DotsEntry> {
        let (known, entry) = self.0[SmallTable::place(signature)];
        (known == signature).then_some(entry)
    }

    #[inline]
    pub fn put(&mut self, signature: Signature, entry: DotsEntry) {
        self.0[SmallTable::place(signature)] = (signature, entry);
    }
}
