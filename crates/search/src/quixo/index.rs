//! Numbers for all boards of up to 4 × 4 dice; boards that are equal by symmetry share a number.

use super::board::Board;
use crate::bits::bits;
use crate::census::turned;

/// Numbers boards densely. The board is mirrored or rotated so that the set of own dice becomes the least of its eight
/// images. The other dice are then a subset of the remaining places, and the subsets of a set of k places have the
/// numbers below 2^k. If the set of own dice is itself symmetric, a board may have several numbers, one for each of
/// these symmetries; nearly all boards have one.
pub struct Index {
    /// The numbers of the boards with each set of own dice.
    numbers: Vec<SetNumbers>,
    /// The images of every set of places under the symmetries of the square.
    images: Vec<[u16; 8]>,
    /// For each pair of bytes, a mask and a value: the bits of the value under the mask, moved together.
    gathered: Vec<u8>,
    /// The total number of numbers.
    len: usize,
    /// All places of the board.
    full: u16,
}

/// The numbering of the boards with a given set of own dice.
#[derive(Clone, Copy, Default)]
struct SetNumbers {
    /// The number of the board without other dice.
    start: u32,
    /// The least image of the set.
    least: u16,
    /// The symmetry that maps the set to its least image.
    symmetry: u8,
    /// The symmetries that leave the set unchanged, with one bit for each.
    own: u8,
}

impl Index {
    /// Creates the index for boards of `size` × `size`, with a size from 2 to 4.
    pub fn new(size: u8) -> Index {
        let n = size as usize;
        let cells = n * n;
        let symmetries: Vec<[usize; 16]> = (0..8)
            .map(|symmetry| {
                let mut to = [0; 16];
                for (cell, to) in to.iter_mut().enumerate().take(cells) {
                    let [row, col] = turned([cell / n, cell % n], [n - 1; 2], symmetry);
                    *to = row * n + col;
                }
                to
            })
            .collect();
        let mut images = vec![[0_u16; 8]; 1 << cells];
        for set in 1..images.len() {
            let lowest = set.trailing_zeros() as usize;
            let rest = images[set & (set - 1)];
            images[set] =
                std::array::from_fn(|symmetry| rest[symmetry] | 1 << symmetries[symmetry][lowest]);
        }
        let mut numbers = vec![SetNumbers::default(); images.len()];
        let mut len = 0;
        for (set, images) in images.iter().enumerate() {
            let same = |symmetry: &usize| images[*symmetry] == set as u16;
            let own = (0..8).filter(same).fold(0, |own, symmetry| own | 1 << symmetry);
            // Any of several equal images will do.
            let least = (0..8).min_by_key(|&symmetry| images[symmetry]).unwrap_or_default();
            let set_numbers =
                SetNumbers { start: len, least: images[least], symmetry: least as u8, own };
            // The least image comes before the others in this order, so its numbers are already known.
            let start = if set_numbers.least == set as u16 {
                let start = len;
                len += 1 << (cells - set.count_ones() as usize);
                start
            } else {
                numbers[set_numbers.least as usize].start
            };
            numbers[set] = SetNumbers { start, ..set_numbers };
        }
        let gathered = (0..1_usize << 16)
            .map(|pair| {
                let (mask, value) = (pair >> 8, pair & 0xff);
                let bits = (0..8).filter(|bit| mask >> bit & 1 != 0);
                bits.enumerate().fold(0, |sum, (at, bit)| sum | (value >> bit & 1) << at) as u8
            })
            .collect();
        let full = ((1_u32 << cells) - 1) as u16;
        Index { numbers, images, gathered, len: len as usize, full }
    }

    /// Returns the total number of numbers.
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Returns the size in bytes.
    pub fn bytes(&self) -> usize {
        size_of_val(self.numbers.as_slice())
            + size_of_val(self.images.as_slice())
            + self.gathered.len()
    }

    /// Returns one of the numbers of a board.
    pub fn number(&self, board: Board<u64>) -> usize {
        let set_numbers = self.numbers[board.own as usize];
        self.at(set_numbers, self.images[board.other as usize][set_numbers.symmetry as usize])
    }

    /// Returns all numbers of a board and of the boards equal to it by symmetry.
    pub fn numbers(&self, board: Board<u64>) -> impl Iterator<Item = usize> {
        let set_numbers = self.numbers[board.own as usize];
        let other = self.images[board.other as usize][set_numbers.symmetry as usize];
        let own = u32::from(self.numbers[set_numbers.least as usize].own);
        bits(own).map(move |symmetry| self.at(set_numbers, self.images[other as usize][symmetry]))
    }

    fn at(&self, set_numbers: SetNumbers, other: u16) -> usize {
        let free = self.full & !set_numbers.least;
        let gathered = |mask: u16, value: u16| {
            self.gathered[(mask as usize & 0xff) << 8 | value as usize & 0xff] as usize
        };
        let low = (free & 0xff).count_ones();
        set_numbers.start as usize
            + (gathered(free, other) | gathered(free >> 8, other >> 8) << low)
    }

    /// Returns the sets of own dice that are the least of their images.
    pub fn sets(&self) -> impl Iterator<Item = u16> + use<'_> {
        let sets = (0..=u16::MAX)
            .zip(&self.numbers)
            .filter(|(set, set_numbers)| *set == set_numbers.least);
        sets.map(|(set, _)| set)
    }

    /// Returns the number of sets of own dice that are equal to this set by symmetry, including this set.
    #[cfg(test)]
    pub fn orbit(&self, set: u16) -> u64 {
        8 / u64::from(self.numbers[set as usize].own.count_ones())
    }

    /// Returns all boards with this set of own dice, each with its number. The set must be the least of its images.
    pub fn boards(&self, set: u16) -> impl Iterator<Item = (usize, Board<u64>)> + use<> {
        let start = self.numbers[set as usize].start as usize;
        let free = self.full & !set;
        let mut next = Some(0_u16);
        let subsets = std::iter::from_fn(move || {
            let other = next?;
            // Compute the next subset of `free`.
            let following = other.wrapping_sub(free) & free;
            next = (following != 0).then_some(following);
            Some(other)
        });
        let board = move |other| Board { own: set.into(), other: u64::from(other) };
        (start..).zip(subsets.map(board))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every number belongs to one board that is a least image, and all images of a board share its numbers.
    #[test]
    fn index_numbers_are_dense() {
        for size in 2..=3 {
            let index = Index::new(size);
            let mut seen = vec![false; index.len()];
            let mut boards = 0;
            for set in index.sets() {
                for (number, board) in index.boards(set) {
                    assert!(!std::mem::replace(&mut seen[number], true));
                    assert!(index.numbers(board).any(|other| other == number));
                    assert!(index.numbers(board).any(|other| other == index.number(board)));
                    boards += index.orbit(set);
                }
            }
            assert!(seen.iter().all(|&seen| seen));
            assert_eq!(boards, 3_u64.pow(u32::from(size).pow(2)));
        }
    }
}
