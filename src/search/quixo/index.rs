//! A number for every board of up to 4 × 4 dice, equal boards by symmetry sharing one.

use super::board::Board;

/// Numbers boards densely. The set of own dice is turned to the least of its eight images; the
/// other dice, turned with it, are a subset of the places left, and the subsets of a set of k places
/// have the numbers below 2^k. So a board has as many numbers as the set of own dice has symmetries
/// of its own, and nearly all have one.
pub struct Index {
    /// For every set of places.
    homes: Vec<Home>,
    /// The images of every set of places under the symmetries of the square.
    images: Vec<[u16; 8]>,
    /// For a mask and a value of a byte, the bits of the value under the mask closed up.
    closed: Vec<u8>,
    /// How many numbers there are.
    len: usize,
    full: u16,
}

/// Where the boards with a set of own dice have their numbers.
#[derive(Clone, Copy, Default)]
struct Home {
    /// The number of the board without other dice.
    start: u32,
    /// The least image of the set.
    least: u16,
    /// The symmetry that leads to it.
    symmetry: u8,
    /// All symmetries that leave the set as it is, a bit each.
    own: u8,
}

impl Index {
    /// For boards of `size` × `size`, from 2 to 4.
    pub fn new(size: u8) -> Index {
        let n = size as usize;
        let cells = n * n;
        let symmetries: Vec<[usize; 16]> = (0..8)
            .map(|symmetry| {
                let mut to = [0; 16];
                for (cell, to) in to.iter_mut().enumerate().take(cells) {
                    let (mut row, mut col) = (cell / n, cell % n);
                    if symmetry & 1 != 0 {
                        col = n - 1 - col;
                    }
                    if symmetry & 2 != 0 {
                        row = n - 1 - row;
                    }
                    if symmetry & 4 != 0 {
                        (row, col) = (col, row);
                    }
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
        let mut homes = vec![Home::default(); images.len()];
        let mut len = 0;
        for (set, images) in images.iter().enumerate() {
            let same = |symmetry: &usize| images[*symmetry] == set as u16;
            let own = (0..8).filter(same).fold(0, |own, symmetry| own | 1 << symmetry);
            // Of equal images the last is taken; any will do.
            let least = (0..8).min_by_key(|&symmetry| images[symmetry]).unwrap_or_default();
            let home = Home { start: len, least: images[least], symmetry: least as u8, own };
            // The least of all images comes first, so its own home is there already.
            let start = if home.least == set as u16 {
                let start = len;
                len += 1 << (cells - set.count_ones() as usize);
                start
            } else {
                homes[home.least as usize].start
            };
            homes[set] = Home { start, ..home };
        }
        let closed = (0..1_usize << 16)
            .map(|pair| {
                let (mask, value) = (pair >> 8, pair & 0xff);
                let bits = (0..8).filter(|bit| mask >> bit & 1 != 0);
                bits.enumerate().fold(0, |sum, (at, bit)| sum | (value >> bit & 1) << at) as u8
            })
            .collect();
        let full = ((1_u32 << cells) - 1) as u16;
        Index { homes, images, closed, len: len as usize, full }
    }

    /// How many numbers there are.
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Bytes it takes.
    pub fn bytes(&self) -> usize {
        size_of_val(self.homes.as_slice()) + size_of_val(self.images.as_slice()) + self.closed.len()
    }

    /// The number of a board; equal boards by symmetry may have several, and this is one of them.
    pub fn number(&self, board: Board<u64>) -> usize {
        let home = self.homes[board.own as usize];
        self.at(home, self.images[board.other as usize][home.symmetry as usize])
    }

    /// All numbers of a board and the boards equal to it by symmetry.
    pub fn numbers(&self, board: Board<u64>) -> impl Iterator<Item = usize> {
        let home = self.homes[board.own as usize];
        let other = self.images[board.other as usize][home.symmetry as usize];
        let own = self.homes[home.least as usize].own;
        let mut own = u32::from(own);
        let symmetries = std::iter::from_fn(move || {
            let symmetry = own.trailing_zeros() as usize;
            own &= own.wrapping_sub(1);
            (symmetry < 8).then_some(symmetry)
        });
        symmetries.map(move |symmetry| self.at(home, self.images[other as usize][symmetry]))
    }

    fn at(&self, home: Home, other: u16) -> usize {
        let free = self.full & !home.least;
        let closed = |mask: u16, value: u16| {
            self.closed[(mask as usize & 0xff) << 8 | value as usize & 0xff] as usize
        };
        let low = (free & 0xff).count_ones();
        home.start as usize + (closed(free, other) | closed(free >> 8, other >> 8) << low)
    }

    /// The sets of own dice that have numbers: the least images of all.
    pub fn sets(&self) -> impl Iterator<Item = u16> + use<'_> {
        let sets = (0..=u16::MAX).zip(&self.homes).filter(|(set, home)| *set == home.least);
        sets.map(|(set, _)| set)
    }

    /// How many sets of own dice are equal to this one by symmetry, itself among them.
    pub fn orbit(&self, set: u16) -> u64 {
        8 / u64::from(self.homes[set as usize].own.count_ones())
    }

    /// All boards with this set of own dice, by their number when it is a least image.
    pub fn boards(&self, set: u16) -> impl Iterator<Item = (usize, Board<u64>)> + use<> {
        let start = self.homes[set as usize].start as usize;
        let free = self.full & !set;
        let mut next = Some(0_u16);
        let subsets = std::iter::from_fn(move || {
            let other = next?;
            // Counts on in the bits of `free` alone.
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

    /// Every number stands for one board that is a least image, and a board and its images share
    /// the same numbers.
    #[test]
    fn numbers_are_dense() {
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
