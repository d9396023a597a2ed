//! The transposition table that all threads of a search share.

use crate::search::Fill;
use crate::search::room::{self, Refused};
use memmap2::MmapMut;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use zerocopy::FromBytes;

/// Entries that are looked through for one position, of two words each: a cache line of them.
const BUCKET: usize = 4;
/// The bytes of a bucket.
const LINE: usize = BUCKET * 16;
/// Bits of the second word that are not part of the key.
const KNOWN_BITS: u32 = 24;
/// The logarithm of how many buckets there are from the start, a mebibyte of them. So many bits of a key
/// are told by its place in the table and need not be kept.
const PLACE_BITS: u32 = 14;
/// How many buckets are added at once.
const STEP: u64 = 1 << 10;
/// How many buckets are looked at to see how full it is.
const SAMPLE: u64 = 1 << 10;
/// How much of a table is in small pages, with which a small search begins sooner. A large one looks all
/// over its table, which takes a fifth longer with small pages than with large ones.
#[cfg(target_os = "linux")]
const SMALL: usize = 16 << 20;

/// What is known of positions: bounds, and the move that was best.
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
        let most = (bytes / LINE).min(entries / BUCKET).max(1);
        let memory = room::map(most * LINE)?;
        // Without large pages it goes as well.
        #[cfg(target_os = "linux")]
        if let Some(large @ 1..) = memory.len().checked_sub(SMALL) {
            let _ = memory.advise_range(memmap2::Advice::HugePage, SMALL, large);
        }
        let buckets = AtomicU64::new(most.min(1 << PLACE_BITS) as u64);
        Ok(Space { memory, size: Size { buckets, grows: AtomicBool::new(false) } })
    }

    /// How many bytes the table takes at present.
    pub fn bytes(&self) -> usize {
        self.size.buckets.load(Relaxed) as usize * LINE
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

    /// The bucket where a key belongs.
    #[inline]
    fn home(&self, key: u128) -> &[AtomicU64] {
        // Of the buckets up to the next power of two the first ones exist; the others have not yet
        // been split off those half as many before them.
        let buckets = self.size.buckets.load(Relaxed);
        let mask = buckets.next_power_of_two() - 1;
        let index = key as u64 & mask;
        self.bucket(if index < buckets { index } else { index & (mask >> 1) })
    }

    /// What is known of a position with `left` boxes.
    #[inline]
    pub fn get(&self, key: u128, left: i32) -> Option<Entry> {
        let (tag, check) = split(key);
        for entry in self.home(key).chunks_exact(2) {
            let known = entry[1].load(Relaxed);
            if known >> KNOWN_BITS << KNOWN_BITS == tag
                && entry[0].load(Relaxed) ^ known == check
                && known != 0
            {
                return Some(unpack(known, left));
            }
        }
        None
    }

    /// Keeps what is known of a position with `left` boxes and `open` lines, in place of what is known of
    /// the one with the fewest lines.
    #[inline]
    pub fn put(&mut self, key: u128, left: i32, open: u32, entry: Entry) {
        let (tag, check) = split(key);
        let mut entry = entry;
        let home = self.home(key);
        let mut least = (u64::MAX, 0);
        for (index, slot) in home.chunks_exact(2).enumerate() {
            let known = slot[1].load(Relaxed);
            if known >> KNOWN_BITS << KNOWN_BITS == tag
                && slot[0].load(Relaxed) ^ known == check
                && known != 0
            {
                let old = unpack(known, left);
                entry.lower = entry.lower.max(old.lower);
                entry.upper = entry.upper.min(old.upper);
                least = (u64::MAX, index);
                break;
            }
            if known & 63 < least.0 {
                least = (known & 63, index);
            }
        }
        let known = tag | pack(entry, left, open);
        home[2 * least.1].store(known ^ check, Relaxed);
        home[2 * least.1 + 1].store(known, Relaxed);
        if least.0 == 0 {
            self.took_a_place();
        }
    }

    /// After an entry was put into an empty place.
    #[inline]
    fn took_a_place(&mut self) {
        self.fresh += 1;
        if self.fresh >= STEP && self.grow() {
            self.fresh -= STEP;
        }
    }

    /// How many buckets there are at present.
    pub fn buckets(&self) -> u64 {
        self.size.buckets.load(Relaxed)
    }

    /// What is in a bucket, as it is kept. An entry of which another thread is just writing a word may have
    /// the word of another: it can be put back like any, and is found by nobody, as in the table itself.
    pub fn entries(&self, bucket: u64) -> impl Iterator<Item = [u64; 2]> {
        let slots = self.bucket(bucket).chunks_exact(2);
        let entries = slots.map(|slot| {
            let known = slot[1].load(Relaxed);
            [slot[0].load(Relaxed), known]
        });
        entries.filter(|entry| entry[1] != 0)
    }

    /// Puts back what was in the bucket of this number of a table of any size, unless there is more to
    /// know of the other positions where it belongs.
    pub fn put_back(&mut self, bucket: u64, entry: [u64; 2]) {
        let known = entry[1];
        // The part of the key that tells its bucket.
        let place = bucket & ((1 << PLACE_BITS) - 1) | known >> KNOWN_BITS << PLACE_BITS;
        let lines = |slot: &[AtomicU64]| slot[1].load(Relaxed) & 63;
        let home = self.home(u128::from(place)).chunks_exact(2);
        let Some(slot) = home.min_by_key(|slot| lines(slot)) else { return };
        let least = lines(slot);
        if least > known & 63 {
            return;
        }
        slot[0].store(entry[0], Relaxed);
        slot[1].store(known, Relaxed);
        if least == 0 {
            self.took_a_place();
        }
    }

    /// How full the table is, by some of its buckets.
    pub fn fill(&self) -> Fill {
        let buckets = self.buckets();
        let looked = SAMPLE.min(buckets);
        let taken = (0..looked).map(|index| self.entries(index * buckets / looked).count());
        let (mut places, mut full) = (0, 0);
        for taken in taken {
            places += taken;
            full += usize::from(taken == BUCKET);
        }
        let looked = looked as usize;
        let in_use = buckets as f32 / (self.words.len() / (2 * BUCKET)) as f32;
        Fill {
            share: (places as f32 / (looked * BUCKET) as f32 * in_use).min(1.0),
            // As long as it grows, one bucket in fifty is full.
            forgets: full * 10 >= looked,
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

/// The two parts of a key that an entry keeps, the first one above what is known.
#[inline]
const fn split(key: u128) -> (u64, u64) {
    ((key as u64) >> PLACE_BITS << KNOWN_BITS, (key >> 64) as u64)
}

/// From the top: 6 bits the move, 6 each the bounds in steps of 2 from the lowest, 6 the number of lines,
/// which is never 0.
const fn pack(entry: Entry, left: i32, open: u32) -> u64 {
    (entry.mv as u64) << 18
        | ((entry.lower + left) as u64 / 2) << 12
        | ((entry.upper + left) as u64 / 2) << 6
        | open as u64
}

const fn unpack(word: u64, left: i32) -> Entry {
    Entry {
        lower: (word >> 12 & 63) as i32 * 2 - left,
        upper: (word >> 6 & 63) as i32 * 2 - left,
        mv: (word >> 18 & 63) as u32,
    }
}
