//! Sets of places, in one or more machine words.

use crate::bits::{GOLDEN, Words};
use std::fmt::Debug;
use std::hash::Hash;
use std::ops::{BitAnd, BitOr, Not};

/// A set of places, with one bit for each, row by row from the lowest bit.
pub trait Mask:
    Copy + Debug + Eq + Hash + BitAnd<Output = Self> + BitOr<Output = Self> + Not<Output = Self>
{
    /// The empty set.
    const NONE: Self;

    /// Returns the set with only this place.
    fn place(index: usize) -> Self;
    /// Returns the set with all places moved up by this many, or down if the number is negative. Bits that leave the
    /// mask at one end may or may not reappear at the other end.
    fn moved(self, by: i32) -> Self;
    /// Returns the number of places in the set.
    fn count(self) -> u32;
    /// Returns the only place in the set, or `None` if the set has no place or several.
    fn sole(self) -> Option<usize>;
    /// Returns a hash that depends on all bits.
    fn mix(self) -> u64;
    /// Returns which places of a line are in the set, as a number below [`patterns`](Mask::patterns). On boards with
    /// too many such combinations, returns only the number of places.
    fn shown(self, line: &BoardLine<Self>) -> usize;
    /// Returns the number of possible results of [`shown`](Mask::shown) on a board of this size.
    fn patterns(size: u8) -> usize;
    /// Returns the number of places of the line that are in the set, given the result of [`shown`](Mask::shown).
    fn dice(shown: usize) -> u32;

    /// Returns whether the sets have a place in common.
    fn intersects(self, other: Self) -> bool {
        self & other != Self::NONE
    }
}

/// A row, a column or a diagonal, with the constants that extract its places from a set.
#[derive(Clone, Copy, Debug)]
pub struct BoardLine<M> {
    /// The places of the line.
    pub places: M,
    /// Multiplying by this number moves the bits of the line's places side by side, as chess programs do for sliding
    /// pieces: Kannan, *Magic move-bitboard generation in computer chess*, 2007.
    gather: u64,
    /// The index of the lowest of these bits after the multiplication.
    shift: u32,
    /// A mask with as many bits as the line has places.
    all: usize,
}

impl<M: Mask> BoardLine<M> {
    /// Returns the rows of a board, its columns and its two diagonals.
    pub fn all(size: u8) -> Vec<BoardLine<M>> {
        let n = size as usize;
        let line = |start: usize, step: usize, gather: u64, shift: usize| BoardLine {
            places: (0..n).map(|i| M::place(start + i * step)).fold(M::NONE, BitOr::bitor),
            gather,
            shift: shift as u32 % u64::BITS,
            all: (1 << n) - 1,
        };
        // Returns the multiplier that adds copies of a set, each moved `apart` places further. Masks of several words
        // do not use this multiplier.
        let copies = |apart: usize| {
            (0..n).filter_map(|i| 1_u64.checked_shl((i * apart) as u32)).fold(0, BitOr::bitor)
        };
        let rows = (0..n).map(|row| line(row * n, 1, 1, row * n));
        let cols = (0..n).map(|col| line(col, n, copies(n - 1), (n - 1) * (n - 1) + col));
        let down = line(0, n + 1, copies(n), n * (n - 1));
        let up = line(n - 1, n - 1, copies(n), n * (n - 1));
        rows.chain(cols).chain([down, up]).collect()
    }
}

/// Implements a mask of one word.
macro_rules! word {
    ($word:ty, $mixed:expr) => {
        impl Mask for $word {
            const NONE: $word = 0;

            fn place(index: usize) -> $word {
                1 << index
            }

            fn moved(self, by: i32) -> $word {
                self.rotate_left(by as u32 % <$word>::BITS)
            }

            fn count(self) -> u32 {
                self.count_ones()
            }

            fn sole(self) -> Option<usize> {
                self.is_power_of_two().then(|| self.trailing_zeros() as usize)
            }

            fn mix(self) -> u64 {
                let mixed: fn($word) -> u64 = $mixed;
                mixed(self).wrapping_mul(GOLDEN)
            }

            fn shown(self, line: &BoardLine<$word>) -> usize {
                let dice = u64::from(self & line.places).wrapping_mul(line.gather);
                (dice >> line.shift) as usize & line.all
            }

            fn patterns(size: u8) -> usize {
                1 << size
            }

            fn dice(shown: usize) -> u32 {
                shown.count_ones()
            }
        }
    };
}

// Boards up to 5 × 5.
word!(u32, |word| word.into());
// Boards up to 8 × 8.
word!(u64, |word| word ^ word >> 32);

/// A mask for boards up to 26 × 26.
pub type Wide = Words<11>;

impl Mask for Wide {
    const NONE: Wide = Words::NONE;

    fn place(index: usize) -> Wide {
        let mut place = Words::NONE;
        place.insert(index);
        place
    }

    fn moved(self, by: i32) -> Wide {
        let (words, bits) = (by.unsigned_abs() as usize / 64, by.unsigned_abs() % 64);
        let word = |index: Option<usize>| index.and_then(|i| self.0.get(i)).copied().unwrap_or(0);
        // `beyond` is the word that contributes the other part of the bits. A shift by 64 must give 0.
        Words(std::array::from_fn(|i| {
            if by < 0 {
                let beyond = word(Some(i + words + 1));
                word(Some(i + words)) >> bits | beyond.checked_shl(64 - bits).unwrap_or(0)
            } else {
                let beyond = word(i.checked_sub(words + 1));
                word(i.checked_sub(words)) << bits | beyond.checked_shr(64 - bits).unwrap_or(0)
            }
        }))
    }

    fn count(self) -> u32 {
        self.len() as u32
    }

    fn sole(self) -> Option<usize> {
        self.iter().next().filter(|_| self.len() == 1)
    }

    fn shown(self, line: &BoardLine<Wide>) -> usize {
        (self & line.places).count() as usize
    }

    fn patterns(size: u8) -> usize {
        size as usize + 1
    }

    fn dice(shown: usize) -> u32 {
        shown as u32
    }

    fn mix(self) -> u64 {
        self.0.iter().fold(0, |sum: u64, word| (sum.rotate_left(5) ^ word).wrapping_mul(GOLDEN))
    }
}
