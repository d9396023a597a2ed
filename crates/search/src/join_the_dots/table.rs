//! The transposition table and the contents of its entries.

use crate::memory::OutOfMemory;
use crate::shared_table::{MIN_BYTES, SharedTable, TableMemory};

/// The maximum number of bits of a key. All of them are compared.
pub const KEY_BITS: u32 = JoinTable::KEY_BITS;
/// Bits of an entry: 7 for the hint, 6 for each bound, plus the work.
const KNOWN: u32 = 19 + WORK;
/// Bits for the work that an entry took, which is its rank: entries that took more work are kept longer.
const WORK: u32 = 3;

/// The transposition table of a search, with bounds of positions and hints at their best moves.
pub type JoinTable<'a> = SharedTable<'a, KNOWN, WORK>;

/// The bounds and hint stored for a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JoinEntry {
    /// A lower bound on the position's value. Both bounds are from -32 to 31.
    pub lower: i32,
    /// An upper bound on the position's value.
    pub upper: i32,
    /// The [hint] at the best known move.
    pub hint: u8,
}

/// The hint if no move is known.
pub const NO_HINT: u8 = 127;

/// Returns the lower 7 bits of a move, which nearly always identify it among the moves of a position.
pub const fn hint(mv: u16) -> u8 {
    mv as u8 & 127
}

/// Allocates an empty table that takes at most `bytes` bytes. With fewer than [`MIN_BYTES`], the table stores nothing.
pub fn memory(bytes: usize) -> Result<TableMemory, OutOfMemory> {
    TableMemory::new(if bytes < MIN_BYTES { 0 } else { bytes })
}

impl JoinTable<'_> {
    /// Returns the entry of a position.
    #[inline]
    pub fn entry(&self, key: u128) -> Option<JoinEntry> {
        self.get(mix(key)).map(unpack)
    }

    /// Stores the entry of a position. `work` is the number of positions searched for it.
    #[inline]
    pub fn store(&mut self, key: u128, entry: JoinEntry, work: u64) {
        let work = (1 + u64::from(work.max(1).ilog2()) / 2).min((1 << WORK) - 1);
        self.put(mix(key), |before| {
            let JoinEntry { lower, upper, .. } = before.map_or(entry, unpack);
            let (lower, upper) = (entry.lower.max(lower), entry.upper.min(upper));
            let work = work.max(before.map_or(0, |before| before & ((1 << WORK) - 1)));
            pack(JoinEntry { lower, upper, ..entry }) << WORK | work
        });
    }
}

/// Scrambles a key so that its lower bits depend on all bits. Different keys stay different.
#[inline]
const fn mix(key: u128) -> u128 {
    const ALL: u128 = (1 << KEY_BITS) - 1;
    const ODD: u128 = 0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835 & ALL | 1;
    let mut mixed = key.wrapping_mul(ODD) & ALL;
    mixed ^= mixed >> (KEY_BITS / 2);
    mixed = mixed.wrapping_mul(ODD) & ALL;
    mixed ^ mixed >> (KEY_BITS / 2)
}

/// Packs an entry, from the highest bit: 7 bits for the hint, 6 for each bound.
const fn pack(entry: JoinEntry) -> u64 {
    (entry.hint as u64) << 12 | ((entry.upper + 32) as u64) << 6 | (entry.lower + 32) as u64
}

const fn unpack(known: u64) -> JoinEntry {
    let known = known >> WORK;
    JoinEntry {
        lower: (known & 63) as i32 - 32,
        upper: (known >> 6 & 63) as i32 - 32,
        hint: (known >> 12 & 127) as u8,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    fn entry(number: u64) -> JoinEntry {
        let lower = (number % 49) as i32 - 24;
        JoinEntry {
            lower,
            upper: (lower + (number / 49 % 9) as i32).min(24),
            hint: (number % 128) as u8,
        }
    }

    fn key(rng: &mut fastrand::Rng) -> u128 {
        rng.u128(..1 << KEY_BITS)
    }

    #[test]
    fn mixed_keys_stay_distinct() {
        let mut rng = fastrand::Rng::with_seed(1);
        let mut seen = HashSet::new();
        let keys = (0..KEY_BITS).flat_map(|a| (0..a).map(move |b| 1 << a | 1 << b));
        for key in keys.chain((0..400_000).map(|_| key(&mut rng))) {
            let mixed = mix(key);
            assert!(mixed < 1 << KEY_BITS && seen.insert(mixed));
        }
        // Each step is reversible, since the multiplier is odd, so different keys stay different.
        let places: HashSet<u64> = seen.iter().map(|mixed| *mixed as u64 % (1 << 14)).collect();
        assert_eq!(places.len(), 1 << 14);
    }

    #[test]
    fn table_returns_stored_entries() {
        let mut memory = super::memory(5 << 20).unwrap();
        let mut table: JoinTable<'_> = memory.table();
        let mut rng = fastrand::Rng::with_seed(2);
        for number in 0..20_000 {
            let key = key(&mut rng);
            table.store(key, entry(number), number % 100);
            assert_eq!(table.entry(key), Some(entry(number)));
        }
    }

    #[test]
    fn table_joins_bounds_of_a_position() {
        let mut memory = super::memory(1 << 20).unwrap();
        let mut table: JoinTable<'_> = memory.table();
        table.store(7, JoinEntry { lower: -3, upper: 9, hint: 1 }, 1);
        table.store(7, JoinEntry { lower: -9, upper: 4, hint: 2 }, 1);
        assert_eq!(table.entry(7), Some(JoinEntry { lower: -3, upper: 4, hint: 2 }));
    }

    #[test]
    fn table_keeps_an_entry_with_much_work() {
        let mut memory = super::memory(1 << 20).unwrap();
        let mut table: JoinTable<'_> = memory.table();
        table.store(7, entry(7), 1 << 40);
        let mut rng = fastrand::Rng::with_seed(3);
        (0..500_000).for_each(|_| table.store(key(&mut rng), entry(1), 1));
        assert_eq!(table.entry(7), Some(entry(7)));
    }

    #[test]
    fn table_too_small_for_keys_stays_empty() {
        let mut memory = super::memory(MIN_BYTES - 1).unwrap();
        let mut table: JoinTable<'_> = memory.table();
        table.store(7, entry(7), 1);
        assert_eq!((table.entry(7), table.bytes()), (None, 0));
    }
}
