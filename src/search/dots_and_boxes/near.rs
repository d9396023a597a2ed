//! What is known of positions with few lines, which are found out again sooner than a large table answers.

use super::signature::Signature;
use super::table::Entry;

/// The logarithm of how many positions are remembered.
const KNOWN: u32 = 14;

/// A small table of one thread. What is new takes the place of what was there.
pub struct Near(Vec<(Signature, Entry)>);

impl Near {
    pub fn new() -> Near {
        // No position without lines is asked about, and only those have the signature 0.
        Near(vec![(0, Entry { lower: 0, upper: 0, mv: 0 }); 1 << KNOWN])
    }

    #[inline]
    const fn place(signature: Signature) -> usize {
        (signature >> (128 - KNOWN)) as usize
    }

    #[inline]
    pub fn get(&self, signature: Signature) -> Option<Entry> {
        let (known, entry) = self.0[Near::place(signature)];
        (known == signature).then_some(entry)
    }

    #[inline]
    pub fn put(&mut self, signature: Signature, entry: Entry) {
        self.0[Near::place(signature)] = (signature, entry);
    }
}
