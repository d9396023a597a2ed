//! A compact set of short keys, stored in full without overhead per key.

use crate::{StopReason, memory};
use foldhash::fast::FixedState;
use std::hash::BuildHasher;

/// The number of tables for keys of one length. While a table grows, its old and new versions are both in memory, so
/// each table should be a small part of the whole.
const SHARDS: usize = 64;

/// A set of keys whose first byte is never 0.
#[derive(Default)]
pub struct KeySet {
    /// The tables for each key length.
    lengths: Vec<Vec<KeyTable>>,
    count: u64,
    bytes: usize,
}

/// A hash table with open addressing. Each slot is as long as a key; a slot that begins with 0 is empty.
#[derive(Clone, Default)]
struct KeyTable {
    slots: Vec<u8>,
    count: usize,
}

impl KeySet {
    /// Adds a key and returns whether it is new. Fails without changing the set if that would take more than `left`
    /// bytes, or if the system refuses to allocate memory.
    pub fn insert(&mut self, key: &[u8], left: usize) -> Result<bool, StopReason> {
        if self.lengths.len() <= key.len() {
            self.lengths.resize(key.len() + 1, Vec::new());
        }
        let tables = &mut self.lengths[key.len()];
        if tables.is_empty() {
            tables.resize(SHARDS, KeyTable::default());
        }
        let hash = FixedState::default().hash_one(key);
        let table = &mut tables[hash as usize % SHARDS];
        let before = table.slots.len();
        let is_new = table.insert(key, hash, left)?;
        self.bytes += table.slots.len() - before;
        self.count += u64::from(is_new);
        Ok(is_new)
    }

    pub const fn len(&self) -> u64 {
        self.count
    }

    pub const fn bytes(&self) -> usize {
        self.bytes
    }
}

impl KeyTable {
    fn insert(&mut self, key: &[u8], hash: u64, left: usize) -> Result<bool, StopReason> {
        let length = key.len();
        if !self.slots.is_empty() {
            let place = self.place(key, hash);
            if self.slots[place] != 0 {
                return Ok(false);
            }
        }
        if (self.count + 1) * length * 5 > self.slots.len() * 4 {
            self.grow(length, left)?;
        }
        let place = self.place(key, hash);
        self.slots[place..place + length].copy_from_slice(key);
        self.count += 1;
        Ok(true)
    }

    /// Returns the start of the slot that holds a key, or of the empty slot where the key belongs. An empty slot always
    /// exists.
    fn place(&self, key: &[u8], hash: u64) -> usize {
        let length = key.len();
        let slots = self.slots.len() / length;
        // The high half of the product is a number below `slots`, which need not be a power of two.
        let mut slot = ((u128::from(hash) * slots as u128) >> 64) as usize;
        loop {
            let place = slot * length;
            if self.slots[place] == 0 || &self.slots[place..place + length] == key {
                return place;
            }
            slot = if slot + 1 == slots { 0 } else { slot + 1 };
        }
    }

    /// Increases the number of slots by half.
    fn grow(&mut self, length: usize, left: usize) -> Result<(), StopReason> {
        let bytes = (self.slots.len() / length * 3 / 2 + 4) * length;
        if bytes > left {
            return Err(StopReason::MemoryLimit);
        }
        let mut slots = Vec::new();
        memory::reserve(&mut slots, bytes)?;
        slots.resize(bytes, 0);
        let old = std::mem::replace(&mut self.slots, slots);
        for key in old.chunks_exact(length).filter(|key| key[0] != 0) {
            let place = self.place(key, FixedState::default().hash_one(key));
            self.slots[place..place + length].copy_from_slice(key);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    proptest! {
        #[test]
        fn insert_reports_each_key_as_new_once(keys in proptest::collection::vec((1u8..4, proptest::collection::vec(0u8..3, 0..4)), 0..400)) {
            let mut set = KeySet::default();
            let mut plain = BTreeSet::new();
            for (first, rest) in keys {
                let key = [&[first], &rest[..]].concat();
                prop_assert_eq!(set.insert(&key, usize::MAX), Ok(plain.insert(key)));
                prop_assert_eq!(set.len(), plain.len() as u64);
            }
        }
    }

    #[test]
    fn key_set_stays_within_its_memory() {
        let mut set = KeySet::default();
        let key = |n: u32| [&[1], &n.to_le_bytes()[..]].concat();
        let most = 1 << 20;
        let mut count = 0;
        while set.insert(&key(count), most - set.bytes()) == Ok(true) {
            count += 1;
        }
        assert!(count > 100_000, "{count}");
        assert!(set.bytes() <= most);
        assert_eq!(set.len(), u64::from(count));
        assert!((0..count).all(|n| set.insert(&key(n), 0) == Ok(false)));
        assert_eq!(set.insert(&key(count), 0), Err(StopReason::MemoryLimit));
    }
}
