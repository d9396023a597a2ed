//! Shapes of connected boxes, in a normal form that is the same wherever they lie and however they are turned.

use std::cmp::Ordering;

/// Which boxes are connected.
pub trait Links {
    /// Those of these boxes that are connected with at most one other.
    fn leaves(&self, boxes: u64) -> u64;

    /// Cuts a leaf off, and returns the box that it was connected with.
    fn cut(&mut self, leaf: usize) -> Option<usize>;
}

/// The connections between boxes, on a board of eight rows and columns. A box is one bit, eight to a row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct BoxShape {
    /// The boxes that are connected with the one to their right.
    pub east: u64,
    /// The boxes that are connected with the one below.
    pub south: u64,
}

/// How a shape was turned or mirrored, and moved.
#[derive(Clone, Copy, Debug)]
pub struct Placement {
    is_upside_down: bool,
    is_mirrored: bool,
    is_transposed: bool,
    /// How far it was then moved to the corner, in bits.
    shift: u32,
}

/// All ways to turn and mirror a shape; those that exchange rows and columns come last.
const TURNS: [Placement; 8] = {
    let mut turns =
        [Placement { is_upside_down: false, is_mirrored: false, is_transposed: false, shift: 0 };
            8];
    let mut turn = 0;
    while turn < 8 {
        turns[turn].is_upside_down = turn & 1 != 0;
        turns[turn].is_mirrored = turn & 2 != 0;
        turns[turn].is_transposed = turn & 4 != 0;
        turn += 1;
    }
    turns
};

impl BoxShape {
    /// The connections of both shapes.
    #[inline]
    pub const fn with(self, other: BoxShape) -> BoxShape {
        BoxShape { east: self.east | other.east, south: self.south | other.south }
    }

    /// The connections of these boxes, which must not be connected with any others.
    #[inline]
    pub const fn within(self, boxes: u64) -> BoxShape {
        BoxShape { east: self.east & boxes, south: self.south & boxes }
    }

    /// These boxes, and all that are connected with them.
    #[inline]
    pub const fn connected(self, mut boxes: u64) -> u64 {
        let BoxShape { east, south } = self;
        loop {
            let beside = (boxes & east) << 1 | boxes >> 1 & east;
            let next = boxes | beside | (boxes & south) << 8 | boxes >> 8 & south;
            if next == boxes {
                return boxes;
            }
            boxes = next;
        }
    }

    /// The normal form: of all turned and mirrored shapes that are not higher than wide, moved to the corner, the least. It
    /// is returned with each placement that gives it; there are several if the shape has a symmetry.
    pub fn normal(self) -> (BoxShape, impl Iterator<Item = Placement>) {
        let [height, width] = self.extent();
        let turns = match height.cmp(&width) {
            Ordering::Less => &TURNS[..4],
            Ordering::Equal => &TURNS[..],
            Ordering::Greater => &TURNS[4..],
        };
        let mut all = [(self, TURNS[0]); 8];
        let mut least = BoxShape { east: u64::MAX, south: u64::MAX };
        for (turned, turn) in all.iter_mut().zip(turns) {
            *turned = self.turned(*turn);
            least = least.min(turned.0);
        }
        let ways = all.into_iter().take(turns.len()).filter(move |(shape, _)| *shape == least);
        (least, ways.map(|(_, turn)| turn))
    }

    /// How many rows and columns it covers.
    const fn extent(self) -> [u32; 2] {
        // The boxes to the right and below belong to the shape, too.
        let all = self.east | self.east << 1 | self.south | self.south << 8;
        let columns = columns(all);
        let height = (71 - all.leading_zeros()) / 8 - all.trailing_zeros() / 8;
        [height, 64 - columns.leading_zeros() - columns.trailing_zeros()]
    }

    fn turned(self, turn: Placement) -> (BoxShape, Placement) {
        let BoxShape { mut east, mut south } = self;
        // A line belongs to the box to its left or above it. In a mirror image that is the box on its other side.
        if turn.is_upside_down {
            (east, south) = (east.swap_bytes(), south.swap_bytes() >> 8);
        }
        if turn.is_mirrored {
            (east, south) = (mirrored(east) >> 1, mirrored(south));
        }
        if turn.is_transposed {
            (east, south) = (transposed(south), transposed(east));
        }
        // Some box at the upper edge and some box at the left edge has a line to the right or below, so these lines show
        // both edges.
        let all = east | south;
        let shift = (all.trailing_zeros() & !7) + columns(all).trailing_zeros();
        (BoxShape { east: east >> shift, south: south >> shift }, Placement { shift, ..turn })
    }
}

impl Links for BoxShape {
    #[inline]
    fn leaves(&self, boxes: u64) -> u64 {
        let BoxShape { east, south } = *self;
        let (west, north) = (east << 1, south << 8);
        let two_or_more = east & west | south & north | (east | west) & (south | north);
        boxes & !two_or_more
    }

    #[inline]
    fn cut(&mut self, leaf: usize) -> Option<usize> {
        let bit = 1 << leaf;
        if (self.east | self.east << 1) & bit != 0 {
            let first = if self.east & bit != 0 { bit } else { bit >> 1 };
            self.east &= !first;
            Some(if first == bit { leaf + 1 } else { leaf - 1 })
        } else if (self.south | self.south << 8) & bit != 0 {
            let first = if self.south & bit != 0 { bit } else { bit >> 8 };
            self.south &= !first;
            Some(if first == bit { leaf + 8 } else { leaf - 8 })
        } else {
            None
        }
    }
}

impl Placement {
    /// Where a box of the shape lies in the normal form.
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

/// The columns that have any of these boxes, as the bits of a row.
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

    /// The lines of a shape, as pairs of boxes.
    fn lines(shape: BoxShape) -> Vec<((i32, i32), (i32, i32))> {
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
    fn block(rng: &mut fastrand::Rng) -> BoxShape {
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
        BoxShape { east, south }
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
