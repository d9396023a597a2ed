//! The transposition table that all threads of a search share.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Entries that are looked through for one position: a cache line of them.
const BUCKET: usize = 8;
const TAG_BITS: u32 = 40;

/// What is known of positions: bounds, and the move that was best.
///
/// An entry is one atomic word, so that threads can neither tear nor lock it. A position's set of
/// lines is scrambled by a bijection; some bits of the result say where it is kept, and the entry holds
/// all others, so that no position is ever taken for another.
pub struct Table {
    words: Vec<AtomicU64>,
    /// The first word that begins a cache line.
    start: usize,
    index_bits: u32,
    /// Bits of a key.
    bits: u32,
    multiplier: u64,
}

/// Where a position is kept, and what tells it from others kept there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Key {
    bucket: usize,
    tag: u64,
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

impl Table {
    /// A table for sets of `lines` lines in at most `bytes` bytes, as far as that is possible.
    pub fn new(lines: u32, bytes: usize) -> Option<Table> {
        let buckets = (bytes / (8 * BUCKET)).max(1).ilog2();
        let index_bits = buckets.min(lines);
        if lines > index_bits + TAG_BITS {
            return None;
        }
        let words =
            bytemuck::allocation::try_zeroed_vec::<AtomicU64>((BUCKET << index_bits) + BUCKET);
        let words: Vec<AtomicU64> = words.ok()?;
        let start = words.as_ptr().align_offset(64).min(BUCKET);
        Some(Table { words, start, index_bits, bits: lines, multiplier: 0x9e37_79b9_7f4a_7c15 })
    }

    /// How many bytes it takes.
    pub fn bytes(&self) -> usize {
        self.words.len() * 8
    }

    /// Where a set of lines belongs.
    #[inline]
    pub fn key(&self, lines: u64) -> Key {
        let all = (1 << self.bits) - 1;
        let half = self.bits.div_ceil(2);
        let mut x = lines.wrapping_mul(self.multiplier) & all;
        x ^= x >> half;
        x = x.wrapping_mul(self.multiplier) & all;
        x ^= x >> half;
        Key { bucket: (x & ((1 << self.index_bits) - 1)) as usize, tag: x >> self.index_bits }
    }

    #[inline]
    fn bucket(&self, key: Key) -> &[AtomicU64] {
        let first = self.start + key.bucket * BUCKET;
        &self.words[first..first + BUCKET]
    }

    /// What is known of a position with `left` boxes.
    #[inline]
    pub fn get(&self, key: Key, left: i32) -> Option<Entry> {
        let words = self.bucket(key).iter().map(|word| word.load(Relaxed));
        words
            .into_iter()
            .find(|&word| word != 0 && word >> 24 == key.tag)
            .map(|word| unpack(word, left))
    }

    /// Keeps what is known of a position with `left` boxes and `open` lines, in place of what is known of
    /// the one with the fewest lines.
    #[inline]
    pub fn put(&self, key: Key, left: i32, open: u32, entry: Entry) {
        let mut word = pack(key.tag, entry, left, open);
        let bucket = self.bucket(key);
        let mut least = (u64::MAX, 0);
        for (index, slot) in bucket.iter().enumerate() {
            let old = slot.load(Relaxed);
            if old != 0 && old >> 24 == key.tag {
                let known = unpack(old, left);
                let both = Entry {
                    lower: known.lower.max(entry.lower),
                    upper: known.upper.min(entry.upper),
                    mv: entry.mv,
                };
                word = pack(key.tag, both, left, open);
                least.1 = index;
                break;
            }
            if old & 63 < least.0 {
                least = (old & 63, index);
            }
        }
        bucket[least.1].store(word, Relaxed);
    }
}

/// From the top: 40 bits tag, 6 the move, 6 each the bounds in steps of 2 from the lowest, 6 the number of
/// lines, which is never 0.
const fn pack(tag: u64, entry: Entry, left: i32, open: u32) -> u64 {
    tag << 24
        | (entry.mv as u64) << 18
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
