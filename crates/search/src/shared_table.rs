//! The lock-free transposition table shared by all threads of a search.

use super::Fill;
use super::memory::{self, OutOfMemory};
use memmap2::MmapMut;
use prefetch_index::prefetch_index;
use std::ops::Range;
use std::sync::atomic::{
    AtomicBool, AtomicU64,
    Ordering::{Acquire, Relaxed, Release},
};
use zerocopy::FromBytes;

/// The size of an entry in bytes: two words.
pub const ENTRY: usize = 16;
/// Entries in a bucket, which fills a cache line.
const BUCKET: usize = 4;
const CACHE_LINE: usize = BUCKET * ENTRY;
/// The binary logarithm of the initial number of buckets, which take 1 MiB. This many bits of a key follow from its
/// bucket and are not stored.
const PLACE_BITS: u32 = 14;
/// The minimum budget in bytes for the full number of initial buckets. A smaller table has fewer buckets, and compares
/// fewer bits of a key than [`KEY_BITS`](SharedTable::KEY_BITS).
pub const MIN_BYTES: usize = CACHE_LINE << PLACE_BITS;
/// The number of buckets added at once.
const STEP: u64 = 1 << 10;
/// The number of buckets sampled to estimate how full the table is.
const SAMPLE: u64 = 1 << 10;
/// Bytes in small pages at the beginning of a table; the rest is in huge pages. Small pages let a small search start
/// sooner; huge pages make a large search take a sixth less time.
#[cfg(target_os = "linux")]
const SMALL: usize = 16 << 20;

/// A table that stores `KNOWN` bits for each position. The lowest `RANK` of these bits are the rank of the entry, which
/// is never 0: in a full bucket, the entry with the lowest rank is replaced. The lower bits of a key choose its bucket,
/// so they must be well mixed.
///
/// An entry is two words. The second word stores the known bits and one part of the key; the first word stores the XOR
/// of the other part and the second word. A torn entry, with words from two threads, therefore matches no key and is
/// ignored (Robert Hyatt and Tim Mann,
/// *A lockless transposition-table implementation for parallel search*, 2002). Accesses to these words need no memory
/// ordering.
///
/// The table grows up to its budget, by one bucket for each new entry; a new bucket takes its entries from a single old
/// bucket: Witold Litwin, *Linear hashing*, 1980. The operating system clears each page when it is first touched, so a
/// search that touched new pages all over a large table could not be stopped for seconds. Growing touches new memory a
/// little at a time.
#[derive(Clone)]
pub struct SharedTable<'a, const KNOWN: u32, const RANK: u32> {
    words: &'a [AtomicU64],
    size: &'a TableSize,
    /// The number of entries that this handle has put into empty slots since it last added buckets.
    fresh: u64,
}

/// The memory of a table. Entries persist between searches.
pub struct TableMemory {
    memory: MmapMut,
    size: TableSize,
}

/// The current number of buckets, and a flag that serializes growth.
///
/// A thread that adds buckets moves entries into them, then stores the number of buckets (release), then clears `grows`
/// (release). A thread that loads the number (acquire) sees the moved entries. A thread that finds `grows` cleared
/// (acquire) sees the latest number of buckets: with an older number, it would split buckets again and shrink the
/// table.
struct TableSize {
    buckets: AtomicU64,
    /// Whether a thread is adding buckets.
    grows: AtomicBool,
}

impl TableMemory {
    /// Maps an empty table of at most `bytes` bytes. If not even one bucket fits, the table stores nothing.
    pub fn new(bytes: usize) -> Result<TableMemory, OutOfMemory> {
        let most = bytes / CACHE_LINE;
        let memory = memory::map((most * CACHE_LINE).max(1))?;
        // Without huge pages, the table is only slower.
        #[cfg(target_os = "linux")]
        if let Some(large @ 1..) = memory.len().checked_sub(SMALL) {
            let _ = memory.advise_range(memmap2::Advice::HugePage, SMALL, large);
        }
        let buckets = AtomicU64::new(most.min(1 << PLACE_BITS) as u64);
        Ok(TableMemory { memory, size: TableSize { buckets, grows: AtomicBool::new(false) } })
    }

    pub fn bytes(&self) -> usize {
        self.size.bytes()
    }

    /// Returns a handle to the table. The handle's type must be the same each time.
    pub fn table<const KNOWN: u32, const RANK: u32>(&mut self) -> SharedTable<'_, KNOWN, RANK> {
        // A mapping begins at a page boundary, so the words are aligned and each bucket is one cache line.
        let words =
            <[AtomicU64]>::mut_from_bytes(&mut self.memory).map_or(&[][..], |words| &*words);
        SharedTable { words, size: &self.size, fresh: 0 }
    }
}

impl TableSize {
    fn bytes(&self) -> usize {
        self.buckets.load(Acquire) as usize * CACHE_LINE
    }
}

impl<const KNOWN: u32, const RANK: u32> SharedTable<'_, KNOWN, RANK> {
    /// The number of lower bits of a key that a table of at least [`MIN_BYTES`] bytes compares; the other bits are
    /// ignored.
    pub const KEY_BITS: u32 = PLACE_BITS + (u64::BITS - KNOWN) + u64::BITS;

    pub fn bytes(&self) -> usize {
        self.size.bytes()
    }

    #[inline]
    fn bucket(&self, index: u64) -> &[AtomicU64] {
        let first = index as usize * 2 * BUCKET;
        &self.words[first..first + 2 * BUCKET]
    }

    /// Returns the index of the bucket for a key; `None` in a table without buckets.
    #[inline]
    fn place(&self, key: u128) -> Option<u64> {
        // An index beyond the last bucket maps to the bucket without its highest bit, from which the missing bucket
        // will be split off.
        let buckets = self.buckets();
        if buckets == 0 {
            return None;
        }
        let mask = buckets.next_power_of_two() - 1;
        let index = key as u64 & mask;
        Some(if index < buckets { index } else { index & (mask >> 1) })
    }

    #[inline]
    fn home(&self, key: u128) -> Option<&[AtomicU64]> {
        self.place(key).map(|place| self.bucket(place))
    }

    /// Prefetches the bucket that [`get`](SharedTable::get) will read. In a large table, a fetch takes as long as a few
    /// hundred instructions, so the caller should do other work in the meantime.
    #[inline]
    pub fn prefetch(&self, key: u128) {
        if let Some(place) = self.place(key) {
            prefetch_index(self.words, place as usize * 2 * BUCKET);
        }
    }

    /// Returns the two parts of a key that an entry stores, the first shifted above the known bits.
    #[inline]
    const fn split(key: u128) -> (u64, u64) {
        let kept = key >> PLACE_BITS;
        ((kept as u64) << KNOWN, (kept >> (u64::BITS - KNOWN)) as u64)
    }

    /// Returns whether a slot, whose second word is `known`, has the key with these parts.
    #[inline]
    fn is_of(slot: &[AtomicU64], known: u64, (tag, check): (u64, u64)) -> bool {
        known >> KNOWN << KNOWN == tag && slot[0].load(Relaxed) ^ known == check && known != 0
    }

    /// Returns the known bits of a position.
    #[inline]
    pub fn get(&self, key: u128) -> Option<u64> {
        let parts = Self::split(key);
        for slot in self.home(key)?.chunks_exact(2) {
            let known = slot[1].load(Relaxed);
            if Self::is_of(slot, known, parts) {
                return Some(known & ((1 << KNOWN) - 1));
            }
        }
        None
    }

    /// Stores the bits that `join` returns for a position. `join` receives the bits stored before, if any. An entry for
    /// a new position replaces the entry with the lowest rank in its bucket.
    #[inline]
    pub fn put(&mut self, key: u128, join: impl FnOnce(Option<u64>) -> u64) {
        let parts @ (tag, check) = Self::split(key);
        let Some(home) = self.home(key) else { return };
        let mut before = None;
        // The rank and index of the slot to write.
        let mut least = (u64::MAX, 0);
        for (index, slot) in home.chunks_exact(2).enumerate() {
            let known = slot[1].load(Relaxed);
            if Self::is_of(slot, known, parts) {
                before = Some(known & ((1 << KNOWN) - 1));
                least = (u64::MAX, index);
                break;
            }
            if rank::<RANK>(known) < least.0 {
                least = (rank::<RANK>(known), index);
            }
        }
        let known = tag | join(before);
        home[2 * least.1].store(known ^ check, Relaxed);
        home[2 * least.1 + 1].store(known, Relaxed);
        if least.0 == 0 {
            self.on_insert();
        }
    }

    /// Counts an entry put into an empty slot, and grows the table in steps.
    #[inline]
    fn on_insert(&mut self) {
        self.fresh += 1;
        if self.fresh >= STEP && self.grow() {
            self.fresh -= STEP;
        }
    }

    fn buckets(&self) -> u64 {
        self.size.buckets.load(Acquire)
    }

    /// Counts the entries in a bucket.
    fn taken(&self, bucket: u64) -> usize {
        self.bucket(bucket).chunks_exact(2).filter(|slot| slot[1].load(Relaxed) != 0).count()
    }

    /// Estimates how full the table is from a sample of its buckets.
    pub fn fill(&self) -> Fill {
        let buckets = self.buckets();
        let looked = SAMPLE.min(buckets);
        let taken = (0..looked).map(|index| self.taken(index * buckets / looked));
        let (mut places, mut full) = (0, 0);
        for taken in taken {
            places += taken;
            full += usize::from(taken == BUCKET);
        }
        let looked = looked.max(1) as usize;
        let in_use = buckets as f32 / (self.words.len() / (2 * BUCKET)).max(1) as f32;
        Fill {
            share: (places as f32 / (looked * BUCKET) as f32 * in_use).min(1.0),
            // While the table grows, only one bucket in fifty is full.
            is_evicting: full * 10 >= looked,
        }
    }

    /// Adds up to `STEP` buckets within the budget, and moves entries into them. Returns false if another thread is
    /// already adding buckets. An entry written to a bucket while the bucket is being split may be lost.
    #[cold]
    fn grow(&self) -> bool {
        let TableSize { buckets, grows } = self.size;
        if grows.swap(true, Acquire) {
            return false;
        }
        // Only the thread that has set `grows` stores the number of buckets.
        let first = buckets.load(Relaxed);
        let last = (first + STEP).min((self.words.len() / (2 * BUCKET)) as u64);
        self.split_off(first..last);
        buckets.store(last, Release);
        grows.store(false, Release);
        true
    }

    /// Moves the entries of the new buckets out of the old ones.
    fn split_off(&self, new: Range<u64>) {
        for new in new {
            let bit = new.ilog2();
            let (from, to) = (self.bucket(new ^ 1 << bit), self.bucket(new));
            for (from, to) in from.chunks_exact(2).zip(to.chunks_exact(2)) {
                let known = from[1].load(Relaxed);
                // The bit of the key in which the two buckets differ.
                if known >> (bit - PLACE_BITS + KNOWN) & 1 == 1 {
                    to[0].store(from[0].load(Relaxed), Relaxed);
                    to[1].store(known, Relaxed);
                    from[0].store(0, Relaxed);
                    from[1].store(0, Relaxed);
                }
            }
        }
    }
}

/// Returns the rank of an entry; 0 for an empty slot.
#[inline]
const fn rank<const RANK: u32>(known: u64) -> u64 {
    known & ((1 << RANK) - 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::thread;

    const MIB: usize = 1 << 20;

    /// A table with twenty known bits, three of which are the rank.
    type Table<'a> = SharedTable<'a, 20, 3>;

    fn keys(seed: u64, count: usize) -> impl Iterator<Item = u128> {
        let mut rng = fastrand::Rng::with_seed(seed);
        (0..count).map(move |_| rng.u128(..))
    }

    fn known(key: u128) -> u64 {
        ((key % 99_991) as u64) << 3 | 3
    }

    fn fill(table: &mut Table<'_>, seed: u64, count: usize) {
        keys(seed, count).for_each(|key| table.put(key, |_| known(key)));
    }

    /// Counts the keys found, each with the value stored for it.
    fn found(table: &Table<'_>, seed: u64, count: usize) -> usize {
        let found = keys(seed, count).filter_map(|key| Some((table.get(key)?, known(key))));
        found.inspect(|(found, put)| assert_eq!(found, put)).count()
    }

    #[test]
    fn table_memory_follows_its_entries() {
        let mut memory = TableMemory::new(1024 * MIB).unwrap();
        assert_eq!(memory.bytes(), MIB);
        for count in [1_000, 30_000, 300_000] {
            let mut table = memory.table();
            fill(&mut table, count as u64, count);
            let found = found(&table, count as u64, count);
            assert!(found > count - count / 50, "{found} of {count}");
            assert!(keys(1, 10_000).all(|key| table.get(key).is_none()));
        }
        // One bucket for each entry, in addition to the initial buckets.
        assert!(memory.bytes() <= MIB + 331_000 * CACHE_LINE, "{}", memory.bytes());
        assert!(memory.bytes() >= 300_000 * CACHE_LINE, "{}", memory.bytes());
    }

    #[test]
    fn table_stops_growing_at_its_budget() {
        let mut memory = TableMemory::new(3 * MIB + 100).unwrap();
        let mut table = memory.table();
        fill(&mut table, 1, 500_000);
        // Almost no slot is left empty.
        let found = found(&table, 1, 500_000);
        assert!(found > 190_000, "{found}");
        assert_eq!(memory.bytes(), 3 * MIB + CACHE_LINE);
    }

    #[test]
    fn table_without_room_stays_empty() {
        let mut memory = TableMemory::new(CACHE_LINE - 1).unwrap();
        let mut table: Table<'_> = memory.table();
        table.put(7, |_| 7);
        assert_eq!((table.get(7), table.bytes()), (None, 0));
        assert!(!table.fill().is_evicting);
    }

    #[test]
    fn put_merges_new_bits_with_old_bits() {
        let mut memory = TableMemory::new(MIB).unwrap();
        let mut table: Table<'_> = memory.table();
        table.put(7, |before| {
            assert_eq!(before, None);
            5 << 3 | 1
        });
        table.put(7, |before| before.unwrap() | 2 << 3);
        assert_eq!(table.get(7), Some(7 << 3 | 1));
    }

    #[test]
    fn table_keeps_higher_ranked_entries() {
        let mut memory = TableMemory::new(MIB).unwrap();
        let mut table: Table<'_> = memory.table();
        table.put(7, |_| 7);
        fill(&mut table, 1, 500_000);
        assert_eq!(table.get(7), Some(7));
    }

    /// Keys that differ in any one or two bits have separate entries.
    #[test]
    fn lookup_compares_all_key_bits() {
        let mut memory = TableMemory::new(MIN_BYTES).unwrap();
        let mut table: Table<'_> = memory.table();
        let bits = 0..Table::KEY_BITS;
        for (a, b) in bits.clone().flat_map(|a| bits.clone().map(move |b| (a, b))) {
            let key = keys(u64::from(a), 1).sum::<u128>();
            table.put(key, |_| 9);
            let other = key ^ (1 << a) ^ (1 << b);
            assert_eq!(table.get(other), (other == key).then_some(9), "{a} {b}");
        }
    }

    /// Threads fill a growing table with private and shared keys. Every entry found was stored under its key.
    #[test]
    fn threads_read_only_written_entries() {
        let mut memory = TableMemory::new(64 * MIB).unwrap();
        let table: Table<'_> = memory.table();
        let count = 100_000;
        thread::scope(|threads| {
            for seed in [1, 2, 3] {
                let mut table = table.clone();
                threads.spawn(move || {
                    for (own, common) in keys(seed, count).zip(keys(4, count)) {
                        for key in [own, common] {
                            table.put(key, |_| known(key));
                            assert!(table.get(key).is_none_or(|found| found == known(key)));
                        }
                    }
                });
            }
        });
        // The table initially has room for 65,536 entries. Later entries may be lost while the thread that adds buckets
        // is not running.
        let found: usize = [1, 2, 3, 4].map(|seed| found(&table, seed, count)).iter().sum();
        assert!(found > 40_000, "{found}");
    }
}
