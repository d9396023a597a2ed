//! What the transposition table keeps of positions.

use crate::search::room::Refused;
use crate::search::shared_table::{LEAST, SharedTable, TableMemory};

/// How many bits a key may have: so many are kept in full.
pub const KEY_BITS: u32 = SharedTable::<KNOWN, WORK>::KEY_BITS;
/// Bits of what is known: 7 for the hint, 6 for each bound, and those of the work.
const KNOWN: u32 = 19 + WORK;
/// Bits that say how much work it was to find out, by which stays what was much.
const WORK: u32 = 3;

/// The table of a search: bounds of positions, and a hint at the best move.
#[derive(Clone)]
pub struct Table<'a>(SharedTable<'a, KNOWN, WORK>);

/// The memory of a table.
pub struct Space(TableMemory);

/// What is known of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its value is no less. Both bounds are from -32 to 31.
    pub lower: i32,
    /// Its value is no more.
    pub upper: i32,
    /// [What is kept](hint) of the move that was best.
    pub hint: u8,
}

/// Of no move.
pub const NO_HINT: u8 = 127;

/// What is kept of a move: enough to find it among others, mostly.
pub const fn hint(mv: u16) -> u8 {
    mv as u8 & 127
}

impl Space {
    /// Room for an empty table which will take at most `bytes` bytes; with less than a mebibyte nothing is
    /// kept.
    pub fn new(bytes: usize) -> Result<Space, Refused> {
        TableMemory::new(if bytes < LEAST { 0 } else { bytes }).map(Space)
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

    /// What is known of a position.
    #[inline]
    pub fn get(&self, key: u128) -> Option<Entry> {
        self.0.get(mix(key)).map(unpack)
    }

    /// Keeps what is known of a position, which was so much work to find out.
    #[inline]
    pub fn put(&mut self, key: u128, entry: Entry, work: u64) {
        let work = (1 + u64::from(work.max(1).ilog2()) / 2).min((1 << WORK) - 1);
        self.0.put(mix(key), |before| {
            let Entry { lower, upper, .. } = before.map_or(entry, unpack);
            let (lower, upper) = (entry.lower.max(lower), entry.upper.min(upper));
            let work = work.max(before.map_or(0, |before| before & ((1 << WORK) - 1)));
            pack(Entry { lower, upper, ..entry }) << WORK | work
        });
    }
}

/// Another key for each key, all of whose bits depend on all of the key's.
#[inline]
const fn mix(key: u128) -> u128 {
    const ALL: u128 = (1 << KEY_BITS) - 1;
    const ODD: u128 = 0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835 & ALL | 1;
    let mut mixed = key.wrapping_mul(ODD) & ALL;
    mixed ^= mixed >> (KEY_BITS / 2);
    mixed = mixed.wrapping_mul(ODD) & ALL;
    mixed ^ mixed >> (KEY_BITS / 2)
}

/// From the top: 7 bits the hint, 6 each the bounds.
const fn pack(entry: Entry) -> u64 {
    (entry.hint as u64) << 12 | ((entry.upper + 32) as u64) << 6 | (entry.lower + 32) as u64
}

const fn unpack(known: u64) -> Entry {
    let known = known >> WORK;
    Entry {
        lower: (known & 63) as i32 - 32,
        upper: (known >> 6 & 63) as i32 - 32,
        hint: (known >> 12 & 127) as u8,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    fn entry(number: u64) -> Entry {
        let lower = (number % 49) as i32 - 24;
        Entry {
            lower,
            upper: (lower + (number / 49 % 9) as i32).min(24),
            hint: (number % 128) as u8,
        }
    }

    fn key(rng: &mut fastrand::Rng) -> u128 {
        rng.u128(..1 << KEY_BITS)
    }

    #[test]
    fn a_mixed_key_is_as_good_as_the_key() {
        let mut rng = fastrand::Rng::with_seed(1);
        let mut seen = HashSet::new();
        let keys = (0..KEY_BITS).flat_map(|a| (0..a).map(move |b| 1 << a | 1 << b));
        for key in keys.chain((0..400_000).map(|_| key(&mut rng))) {
            let mixed = mix(key);
            assert!(mixed < 1 << KEY_BITS && seen.insert(mixed));
        }
        // The multiplier has an inverse, and so has each step, so all keys stay apart.
        let places: HashSet<u64> = seen.iter().map(|mixed| *mixed as u64 % (1 << 14)).collect();
        assert_eq!(places.len(), 1 << 14);
    }

    #[test]
    fn it_gives_back_what_was_put() {
        let mut space = Space::new(5 << 20).unwrap();
        let mut table = space.table();
        let mut rng = fastrand::Rng::with_seed(2);
        for number in 0..20_000 {
            let key = key(&mut rng);
            table.put(key, entry(number), number % 100);
            assert_eq!(table.get(key), Some(entry(number)));
        }
    }

    #[test]
    fn bounds_of_a_position_meet() {
        let mut space = Space::new(1 << 20).unwrap();
        let mut table = space.table();
        table.put(7, Entry { lower: -3, upper: 9, hint: 1 }, 1);
        table.put(7, Entry { lower: -9, upper: 4, hint: 2 }, 1);
        assert_eq!(table.get(7), Some(Entry { lower: -3, upper: 4, hint: 2 }));
    }

    #[test]
    fn what_was_much_work_stays() {
        let mut space = Space::new(1 << 20).unwrap();
        let mut table = space.table();
        table.put(7, entry(7), 1 << 40);
        let mut rng = fastrand::Rng::with_seed(3);
        (0..500_000).for_each(|_| table.put(key(&mut rng), entry(1), 1));
        assert_eq!(table.get(7), Some(entry(7)));
    }

    #[test]
    fn a_table_in_which_keys_would_be_cut_keeps_nothing() {
        let mut space = Space::new(LEAST - 1).unwrap();
        let mut table = space.table();
        table.put(7, entry(7), 1);
        assert_eq!((table.get(7), table.bytes()), (None, 0));
    }
}
