//! The transposition table that all threads of a search share.

use memmap2::MmapMut;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use zerocopy::FromBytes;

/// Entries that are looked through for one position, of two words each: a cache line of them.
const BUCKET: usize = 4;
/// From how many bytes on a table gets large pages. They are cleared whole, which a small search would
/// wait for.
#[cfg(target_os = "linux")]
const LARGE: usize = 1 << 30;
/// The bytes of a bucket.
const LINE: usize = BUCKET * 16;
/// Bits of the second word that are not part of the key.
const KNOWN_BITS: u32 = 24;

/// What is known of positions: bounds, and the move that was best.
///
/// An entry is two words. The second holds what is known and a part of the key; the first the other part,
/// exclusive-or the second, so that an entry of which two threads wrote a word each is seen to be none
/// (Robert Hyatt and Tim Mann, *A lockless transposition-table implementation for parallel search*, 2002).
#[derive(Clone, Copy)]
pub struct Table<'a> {
    words: &'a [AtomicU64],
    buckets: u64,
}

/// The memory of a table, which keeps what is in it from one search to the next.
pub struct Space(MmapMut);

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
    /// Memory for an empty table of positions with so many lines, at most `bytes` bytes, if there is so
    /// much. It is taken as the table fills; if there is much of it, in large pages where the system has
    /// them: a search looks all over it, and with small ones it takes a fifth longer.
    pub fn new(lines: u32, bytes: usize) -> Option<Space> {
        // Of more would never be made use.
        let entries = 1_usize << lines.saturating_sub(9).min(40);
        let buckets = (bytes / LINE).min(entries / BUCKET).max(1);
        let memory = MmapMut::map_anon(buckets * LINE).ok()?;
        // Without them it goes as well.
        #[cfg(target_os = "linux")]
        if memory.len() >= LARGE {
            let _ = memory.advise(memmap2::Advice::HugePage);
        }
        Some(Space(memory))
    }

    /// How many bytes it takes.
    pub fn bytes(&self) -> usize {
        self.0.len()
    }

    /// The table in it.
    pub fn table(&mut self) -> Table<'_> {
        let buckets = (self.0.len() / LINE) as u64;
        // Whole pages, so that the words fit, and no cache line is shared by two buckets.
        let words = <[AtomicU64]>::mut_from_bytes(&mut self.0).map_or(&[][..], |words| &*words);
        Table { words, buckets }
    }
}

impl Table<'_> {
    #[inline]
    fn bucket(&self, key: u128) -> &[AtomicU64] {
        let bucket = (u128::from(key as u64) * u128::from(self.buckets)) >> 64;
        let first = bucket as usize * 2 * BUCKET;
        &self.words[first..first + 2 * BUCKET]
    }

    /// What is known of a position with `left` boxes.
    #[inline]
    pub fn get(&self, key: u128, left: i32) -> Option<Entry> {
        let tag = (key as u64) << KNOWN_BITS;
        for entry in self.bucket(key).chunks_exact(2) {
            let known = entry[1].load(Relaxed);
            if known >> KNOWN_BITS << KNOWN_BITS == tag
                && entry[0].load(Relaxed) ^ known == (key >> 64) as u64
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
    pub fn put(&self, key: u128, left: i32, open: u32, entry: Entry) {
        let (tag, check) = ((key as u64) << KNOWN_BITS, (key >> 64) as u64);
        let mut entry = entry;
        let bucket = self.bucket(key);
        let mut least = (u64::MAX, 0);
        for (index, slot) in bucket.chunks_exact(2).enumerate() {
            let known = slot[1].load(Relaxed);
            if known >> KNOWN_BITS << KNOWN_BITS == tag
                && slot[0].load(Relaxed) ^ known == check
                && known != 0
            {
                let old = unpack(known, left);
                entry.lower = entry.lower.max(old.lower);
                entry.upper = entry.upper.min(old.upper);
                least.1 = index;
                break;
            }
            if known & 63 < least.0 {
                least = (known & 63, index);
            }
        }
        let known = tag | pack(entry, left, open);
        bucket[2 * least.1].store(known ^ check, Relaxed);
        bucket[2 * least.1 + 1].store(known, Relaxed);
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

const fn unpack(word: u64, left: i32) -> Entry {
    Entry {
        lower: (word >> 12 & 63) as i32 * 2 - left,
        upper: (word >> 6 & 63) as i32 * 2 - left,
        mv: (word >> 18 & 63) as u32,
    }
}
