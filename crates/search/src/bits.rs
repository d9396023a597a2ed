//! Sets of small numbers, one bit each, in a machine word or in several.

use std::array;
use std::ops::{BitAnd, BitOr, Not};

/// The golden ratio as an odd multiplier: the upper bits of the product are well mixed.
pub const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

/// A word that holds such a set.
pub trait Word: Copy {
    /// How many bits it has.
    const BITS: u32;
    /// How many bits are set.
    fn count(self) -> u32;
    /// The lowest bit that is set, alone.
    fn lowest(self) -> Self;
    /// Takes the lowest number out of the set.
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
    /// No number.
    pub const NONE: Words<N> = Words([0; N]);

    /// Puts a number into it.
    pub fn insert(&mut self, number: usize) {
        self.0[number / 64] |= 1 << (number % 64);
    }

    /// Takes a number out of it.
    pub fn remove(&mut self, number: usize) {
        self.0[number / 64] &= !(1 << (number % 64));
    }

    /// Whether a number is in it.
    pub fn has(self, number: usize) -> bool {
        self.0[number / 64] >> (number % 64) & 1 == 1
    }

    /// Whether no number is in it.
    pub fn is_empty(self) -> bool {
        self.0 == [0; N]
    }

    /// How many numbers are in it.
    pub fn len(self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// The numbers, from the lowest.
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

/// The numbers in a set, from the lowest.
#[inline]
pub fn bits<W: Word>(mut set: W) -> impl Iterator<Item = usize> + Clone + use<W> {
    std::iter::from_fn(move || set.pop())
}
