//! Sets of small numbers, one bit each, in a machine word.

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

/// The numbers in a set, from the lowest.
#[inline]
pub fn bits<W: Word>(mut set: W) -> impl Iterator<Item = usize> + Clone + use<W> {
    std::iter::from_fn(move || set.pop())
}
