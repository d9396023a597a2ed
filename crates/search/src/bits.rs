//! Sets of small numbers, with one bit for each number, in one or more machine words.

use std::array;
use std::ops::{BitAnd, BitOr, Not};

/// The golden ratio as an odd multiplier: the upper bits of the product are well mixed.
pub const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

/// A machine word used as a set.
pub trait Word: Copy {
    /// The number of bits in the word.
    const BITS: u32;
    /// Returns the number of set bits.
    fn count(self) -> u32;
    /// Returns a word with only the lowest set bit.
    fn lowest(self) -> Self;
    /// Removes and returns the lowest number in the set.
    fn pop(&mut self) -> Option<usize>;
}

macro_rules! word {
    ($($word:ty)*) => { $(
        impl Word for $word {
            const BITS: u32 = <$word>::BITS;

            #[inline]
            fn count(self) -> u32 {
                self.count_ones()
            }

            #[inline]
            fn lowest(self) -> $word {
                self & self.wrapping_neg()
            }

            #[inline]
            fn pop(&mut self) -> Option<usize> {
                let lowest = (*self != 0).then(|| self.trailing_zeros() as usize)?;
                *self &= *self - 1;
                Some(lowest)
            }
        }
    )* };
}

word!(u16 u32 u64 u128);

/// A set of small numbers in several words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Words<const N: usize>(pub [u64; N]);

impl<const N: usize> Words<N> {
    /// The empty set.
    pub const NONE: Words<N> = Words([0; N]);

    /// Inserts a number.
    pub fn insert(&mut self, number: usize) {
        self.0[number / 64] |= 1 << (number % 64);
    }

    /// Removes a number.
    pub fn remove(&mut self, number: usize) {
        self.0[number / 64] &= !(1 << (number % 64));
    }

    /// Returns whether the set contains a number.
    pub fn has(self, number: usize) -> bool {
        self.0[number / 64] >> (number % 64) & 1 == 1
    }

    /// Returns whether the set is empty.
    pub fn is_empty(self) -> bool {
        self.0 == [0; N]
    }

    /// Returns the number of elements.
    pub fn len(self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Iterates over the numbers in ascending order.
    pub fn iter(self) -> impl Iterator<Item = usize> {
        (0..N).flat_map(move |word| bits(self.0[word]).map(move |bit| 64 * word + bit))
    }
}

impl<const N: usize> BitAnd for Words<N> {
    type Output = Words<N>;

    fn bitand(self, other: Words<N>) -> Words<N> {
        Words(array::from_fn(|word| self.0[word] & other.0[word]))
    }
}

impl<const N: usize> BitOr for Words<N> {
    type Output = Words<N>;

    fn bitor(self, other: Words<N>) -> Words<N> {
        Words(array::from_fn(|word| self.0[word] | other.0[word]))
    }
}

impl<const N: usize> Not for Words<N> {
    type Output = Words<N>;

    fn not(self) -> Words<N> {
        Words(self.0.map(Not::not))
    }
}

/// Iterates over the numbers in a set, in ascending order.
#[inline]
pub fn bits<W: Word>(mut set: W) -> impl Iterator<Item = usize> + Clone + use<W> {
    std::iter::from_fn(move || set.pop())
}
