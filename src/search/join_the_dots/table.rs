//! A transposition table that all threads of a search share.

use crate::search::room::{self, Refused};
use memmap2::MmapMut;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use zerocopy::FromBytes;

/// The bytes of an entry: two words.
pub const ENTRY: usize = 16;
/// Entries that are looked through for one position: a cache line of them.
const BUCKET: usize = 4;
/// The bytes of a bucket.
const LINE: usize = BUCKET * ENTRY;
/// How many bits a key may have.
pub const KEY_BITS: u32 = 120;
/// The logarithm of how many buckets there are from the start, a mebibyte of them. So many bits of a key
/// are told by its place in the table and need not be kept.
const PLACE_BITS: u32 = 14;
/// Bits of the second word that are not part of the key.
const KNOWN_BITS: u32 = 22;
/// Bits of what is known that say how much work it was.
const WORK_BITS: u32 = 3;
/// How many buckets are added at once.
const STEP: u64 = 1 << 10;
/// How much of a table is in small pages, with which a small search begins sooner. A large one looks all
/// over its table, which takes a fifth longer with small pages than with large ones.
#[cfg(target_os = "linux")]
const SMALL: usize = 16 << 20;

/// What is known of positions: bounds, and a hint at the best move.
///
/// An entry is two words. The second holds what is known and a part of the key; the first the other part,
/// exclusive-or the second, so that an entry of which two threads wrote a word each is seen to be none
/// (Robert Hyatt and Tim Mann, *A lockless transposition-table implementation for parallel search*, 2002).
///
/// The table grows by a bucket with every entry up to its budget, and what is in it stays but for what
/// moves from one bucket to a new one: Witold Litwin, *Linear hashing*, 1980. So memory is first touched
/// a little at a time. To touch it takes the system time, as it clears what it gives, and a search that
/// touched new pages all over a large table could not be stopped for seconds.
#[derive(Clone)]
pub struct Table<'a> {
    words: &'a [AtomicU64],
    size: &'a Size,
    /// Entries put into empty places for which the table has not grown yet.
    fresh: u64,
}

/// The memory of a table, which keeps what is in it from one search to the next.
pub struct Space {
    memory: MmapMut,
    size: Size,
}

/// How much of the memory is in use.
struct Size {
    buckets: AtomicU64,
    /// Whether some thread is adding buckets.
    grows: AtomicBool,
}

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
        let most = if bytes / LINE < 1 << PLACE_BITS { 0 } else { bytes / LINE };
        let memory = room::map((most * LINE).max(1))?;
        // Without large pages it goes as well.
        #[cfg(target_os = "linux")]
        if let Some(large @ 1..) = memory.len().checked_sub(SMALL) {
            let _ = memory.advise_range(memmap2::Advice::HugePage, SMALL, large);
        }
        let buckets = AtomicU64::new(most.min(1 << PLACE_BITS) as u64);
        Ok(Space { memory, size: Size { buckets, grows: AtomicBool::new(false) } })
    }

    /// The table in it.
    pub fn table(&mut self) -> Table<'_> {
        // Whole pages, so that the words fit, and no cache line is shared by two buckets.
        let words =
            <[AtomicU64]>::mut_from_bytes(&mut self.memory).map_or(&[][..], |words| &*words);
        Table { words, size: &self.size, fresh: 0 }
    }
}

impl Table<'_> {
    /// How many bytes it takes at present.
    pub fn bytes(&self) -> usize {
        self.size.buckets.load(Relaxed) as usize * LINE
    }

    #[inline]
    fn bucket(&self, index: u64) -> &[AtomicU64] {
        let first = index as usize * 2 * BUCKET;
        &self.words[first..first + 2 * BUCKET]
    }

    /// The bucket where a mixed key belongs, if there is any.
    #[inline]
    fn home(&self, mixed: u128) -> Option<&[AtomicU64]> {
        // Of the buckets up to the next power of two the first ones exist; the others have not yet
        // been split off those half as many before them.
        let buckets = self.size.buckets.load(Relaxed);
        if buckets == 0 {
            return None;
        }
        let mask = buckets.next_power_of_two() - 1;
        let index = mixed as u64 & mask;
        Some(self.bucket(if index < buckets { index } else { index & (mask >> 1) }))
    }

    /// What is known of a position.
    #[inline]
    pub fn get(&self, key: u128) -> Option<Entry> {
        let mixed = mix(key);
        let (tag, check) = split(mixed);
        for entry in self.home(mixed)?.chunks_exact(2) {
            let known = entry[1].load(Relaxed);
            if known >> KNOWN_BITS << KNOWN_BITS == tag
                && entry[0].load(Relaxed) ^ known == check
                && known != 0
            {
                return Some(unpack(known));
            }
        }
        None
    }

    /// Keeps what is known of a position, which was so much work to find out, in place of what was the
    /// least work.
    #[inline]
    pub fn put(&mut self, key: u128, entry: Entry, work: u64) {
        let mixed = mix(key);
        let (tag, check) = split(mixed);
        let mut entry = entry;
        let Some(home) = self.home(mixed) else { return };
        let mut least = (u64::MAX, 0);
        let mut work = (1 + u64::from(work.max(1).ilog2()) / 2).min(7);
        for (index, slot) in home.chunks_exact(2).enumerate() {
            let known = slot[1].load(Relaxed);
            let its_work = known & ((1 << WORK_BITS) - 1);
            if known >> KNOWN_BITS << KNOWN_BITS == tag
                && slot[0].load(Relaxed) ^ known == check
                && known != 0
            {
                let old = unpack(known);
                entry.lower = entry.lower.max(old.lower);
                entry.upper = entry.upper.min(old.upper);
                work = work.max(its_work);
                least = (u64::MAX, index);
                break;
            }
            if its_work < least.0 {
                least = (its_work, index);
            }
        }
        let known = tag | pack(entry) << WORK_BITS | work;
        home[2 * least.1].store(known ^ check, Relaxed);
        home[2 * least.1 + 1].store(known, Relaxed);
        if least.0 == 0 {
            self.fresh += 1;
            if self.fresh >= STEP && self.grow() {
                self.fresh -= STEP;
            }
        }
    }

    /// Adds buckets as far as there is room, and moves to them what belongs there; not while another
    /// thread does that. What is put into a bucket that is just being split may be lost.
    #[cold]
    fn grow(&self) -> bool {
        let Size { buckets, grows } = self.size;
        if grows.swap(true, Relaxed) {
            return false;
        }
        let first = buckets.load(Relaxed);
        let last = (first + STEP).min((self.words.len() / (2 * BUCKET)) as u64);
        self.split_off(first..last);
        buckets.store(last, Relaxed);
        grows.store(false, Relaxed);
        true
    }

    /// Moves to new buckets what belongs there.
    fn split_off(&self, new: Range<u64>) {
        for new in new {
            let bit = new.ilog2();
            let (from, to) = (self.bucket(new ^ 1 << bit), self.bucket(new));
            for (from, to) in from.chunks_exact(2).zip(to.chunks_exact(2)) {
                let known = from[1].load(Relaxed);
                // The bit of its key that tells the two buckets apart.
                if known >> (bit - PLACE_BITS + KNOWN_BITS) & 1 == 1 {
                    to[0].store(from[0].load(Relaxed), Relaxed);
                    to[1].store(known, Relaxed);
                    from[0].store(0, Relaxed);
                    from[1].store(0, Relaxed);
                }
            }
        }
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

/// The two parts of a mixed key that an entry keeps, the first one above what is known.
#[inline]
const fn split(mixed: u128) -> (u64, u64) {
    let kept = mixed >> PLACE_BITS;
    ((kept as u64) << KNOWN_BITS, (kept >> (64 - KNOWN_BITS)) as u64)
}

/// From the top: 7 bits the hint, 6 each the bounds.
const fn pack(entry: Entry) -> u64 {
    (entry.hint as u64) << 12 | ((entry.upper + 32) as u64) << 6 | (entry.lower + 32) as u64
}

const fn unpack(known: u64) -> Entry {
    let known = known >> WORK_BITS;
    Entry {
        lower: (known & 63) as i32 - 32,
        upper: (known >> 6 & 63) as i32 - 32,
        hint: (known >> 12 & 127) as u8,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::{HashMap, HashSet};
    use std::thread;

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
        let places: HashSet<u64> =
            seen.iter().map(|mixed| *mixed as u64 & ((1 << PLACE_BITS) - 1)).collect();
        assert_eq!(places.len(), 1 << PLACE_BITS);
    }

    #[test]
    fn it_gives_back_what_was_put_or_nothing() {
        let mut space = Space::new(5 << 20).unwrap();
        let mut table = space.table();
        let mut rng = fastrand::Rng::with_seed(2);
        let mut all = HashMap::new();
        for number in 0..500_000 {
            let key = key(&mut rng);
            table.put(key, entry(number), number % 100);
            assert_eq!(table.get(key), Some(entry(number)), "just put");
            all.insert(key, entry(number));
        }
        let found = all.iter().filter(|&(&key, kept)| match table.get(key) {
            None => false,
            Some(found) => {
                assert_eq!(found, *kept);
                true
            }
        });
        let found = found.count();
        assert!(found > 200_000, "{found}");
        assert!(table.bytes() <= 5 << 20 && table.bytes() > 4 << 20, "{}", table.bytes());
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
    fn a_table_without_room_keeps_nothing() {
        let mut space = Space::new(1000).unwrap();
        let mut table = space.table();
        table.put(7, entry(7), 1);
        assert_eq!((table.get(7), table.bytes()), (None, 0));
    }

    /// Several threads that write over one another while the table grows never make something up.
    #[test]
    fn threads_read_only_what_was_written() {
        let mut space = Space::new(4 << 20).unwrap();
        let table = space.table();
        thread::scope(|threads| {
            for seed in 0..3 {
                let mut table = table.clone();
                threads.spawn(move || {
                    let mut rng = fastrand::Rng::with_seed(seed);
                    for _ in 0..200_000 {
                        let number = rng.u64(..60_000);
                        let key = u128::from(number) << 50 | u128::from(number);
                        if let Some(found) = table.get(key) {
                            assert_eq!(found, entry(number));
                        }
                        table.put(key, entry(number), number % 7);
                    }
                });
            }
        });
    }
}
