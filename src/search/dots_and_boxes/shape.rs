//! Boxes and the lines between them, wherever on the board they lie and whichever way they are turned.

use std::cmp::Ordering;

/// Boxes of which each hangs together with others, on a board of eight rows and columns. A box is a bit: eight to a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Shape {
    /// Boxes that hang together with the one to their right.
    pub east: u64,
    /// Boxes that hang together with the one below.
    pub south: u64,
}

/// How a shape was turned and moved.
#[derive(Clone, Copy, Debug)]
pub struct Turn {
    is_upside_down: bool,
    is_mirrored: bool,
    is_transposed: bool,
    /// How far it was from the corner then, in bits.
    shift: u32,
}

/// All ways to turn a shape; those that make columns of rows come last.
const TURNS: [Turn; 8] = {
    let mut turns =
        [Turn { is_upside_down: false, is_mirrored: false, is_transposed: false, shift: 0 }; 8];
    let mut turn = 0;
    while turn < 8 {
        turns[turn].is_upside_down = turn & 1 != 0;
        turns[turn].is_mirrored = turn & 2 != 0;
        turns[turn].is_transposed = turn & 4 != 0;
        turn += 1;
    }
    turns
};

impl Shape {
    /// The least of all that this becomes when it is turned, such that it is no higher than wide, and moved to the corner,
    /// and each way it becomes that: more than one if it is like its own mirror image.
    pub fn normal(self) -> (Shape, impl Iterator<Item = Turn>) {
        let [height, width] = self.extent();
        let turns = match height.cmp(&width) {
            Ordering::Less => &TURNS[..4],
            Ordering::Equal => &TURNS[..],
            Ordering::Greater => &TURNS[4..],
        };
        let mut all = [(self, TURNS[0]); 8];
        let mut least = Shape { east: u64::MAX, south: u64::MAX };
        for (turned, turn) in all.iter_mut().zip(turns) {
            *turned = self.turned(*turn);
            least = least.min(turned.0);
        }
        let ways = all.into_iter().take(turns.len()).filter(move |(shape, _)| *shape == least);
        (least, ways.map(|(_, turn)| turn))
    }

    /// How many rows and columns it takes.
    const fn extent(self) -> [u32; 2] {
        // Boxes to the right and below are of the shape, too.
        let all = self.east | self.east << 1 | self.south | self.south << 8;
        let columns = columns(all);
        let height = (71 - all.leading_zeros()) / 8 - all.trailing_zeros() / 8;
        [height, 64 - columns.leading_zeros() - columns.trailing_zeros()]
    }

    fn turned(self, turn: Turn) -> (Shape, Turn) {
        let Shape { mut east, mut south } = self;
        // A line belongs to the box to its left or above it, which is another one from the other side.
        if turn.is_upside_down {
            (east, south) = (east.swap_bytes(), south.swap_bytes() >> 8);
        }
        if turn.is_mirrored {
            (east, south) = (mirrored(east) >> 1, mirrored(south));
        }
        if turn.is_transposed {
            (east, south) = (transposed(south), transposed(east));
        }
        // Boxes at the upper and the left edge have lines to the right or below, so lines are enough to find them.
        let all = east | south;
        let shift = (all.trailing_zeros() & !7) + columns(all).trailing_zeros();
        (Shape { east: east >> shift, south: south >> shift }, Turn { shift, ..turn })
    }
}

impl Turn {
    /// Where a box of the shape comes to be.
    pub const fn of(self, place: u8) -> u8 {
        let (mut row, mut col) = (place / 8, place % 8);
        if self.is_upside_down {
            row = 7 - row;
        }
        if self.is_mirrored {
            col = 7 - col;
        }
        if self.is_transposed {
            (row, col) = (col, row);
        }
        (8 * row + col).wrapping_sub(self.shift as u8)
    }
}

/// The columns with any of these boxes, as a row.
const fn columns(boxes: u64) -> u64 {
    let mut columns = boxes | boxes >> 32;
    columns |= columns >> 16;
    (columns | columns >> 8) & 255
}

/// The bits of each byte in the opposite order.
const fn mirrored(rows: u64) -> u64 {
    rows.swap_bytes().reverse_bits()
}

/// Rows made columns (Henry S. Warren, *Hacker's Delight*, 2002, on transposing a bit matrix).
const fn transposed(rows: u64) -> u64 {
    let mut rows = rows;
    let mut moved = (rows ^ rows >> 7) & 0x00aa_00aa_00aa_00aa;
    rows ^= moved ^ moved << 7;
    moved = (rows ^ rows >> 14) & 0x0000_cccc_0000_cccc;
    rows ^= moved ^ moved << 14;
    moved = (rows ^ rows >> 28) & 0x0000_0000_f0f0_f0f0;
    rows ^ moved ^ moved << 28
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The lines of a shape, box by box, told without bits.
    fn lines(shape: Shape) -> Vec<((i32, i32), (i32, i32))> {
        let mut lines = Vec::new();
        for place in 0..64 {
            let at = (place / 8, place % 8);
            if shape.east >> place & 1 == 1 {
                lines.push((at, (at.0, at.1 + 1)));
            }
            if shape.south >> place & 1 == 1 {
                lines.push((at, (at.0 + 1, at.1)));
            }
        }
        lines
    }

    /// A block of boxes somewhere, without some of its lines.
    fn block(rng: &mut fastrand::Rng) -> Shape {
        let (mut east, mut south) = (0, 0);
        let [height, width] = [rng.u32(2..5), rng.u32(2..6)];
        let [top, left] = [rng.u32(0..=8 - height), rng.u32(0..=8 - width)];
        for row in 0..height {
            for col in 0..width {
                let bit = 1 << (8 * (top + row) + left + col);
                let is_edge = row == 0 || row == height - 1 || col == 0 || col == width - 1;
                let has = |rng: &mut fastrand::Rng| is_edge || rng.bool();
                east |= if col + 1 < width && has(rng) { bit } else { 0 };
                south |= if row + 1 < height && has(rng) { bit } else { 0 };
            }
        }
        Shape { east, south }
    }

    #[test]
    fn whichever_way_a_shape_lies_its_normal_form_is_the_same_and_each_box_is_found_in_it() {
        let mut rng = fastrand::Rng::with_seed(15);
        for _ in 0..500 {
            let shape = block(&mut rng);
            let (normal, turns) = shape.normal();
            let mut expected = lines(normal);
            expected.sort_unstable();
            for turn in turns {
                let place = |(row, col): (i32, i32)| {
                    let place = i32::from(turn.of((8 * row + col) as u8));
                    (place / 8, place % 8)
                };
                let moved = lines(shape).into_iter().map(|(a, b)| (place(a), place(b)));
                let mut moved: Vec<_> = moved.map(|(a, b)| (a.min(b), a.max(b))).collect();
                moved.sort_unstable();
                assert_eq!(moved, expected);
            }
            for turn in TURNS {
                assert_eq!(shape.turned(turn).0.normal().0, normal);
            }
        }
    }
}
