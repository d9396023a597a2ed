//! Shapes of connected boxes, in a normal form that does not depend on position, rotation or reflection.

/// The connections between boxes on a board of eight rows and columns, with one bit for each box, eight to a row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct BoxShape {
    /// The boxes connected to the box on their right.
    pub east: u64,
    /// The boxes connected to the box below.
    pub south: u64,
}

/// The strings of boxes: strings between two boxes, and strings to the ground.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Strings {
    pub links: BoxShape,
    /// The boxes that a horizontal line ties to the ground, and the boxes that a vertical line ties to the ground.
    pub grounds: [u64; 2],
}

/// The transformation of a shape: a turn or reflection, then a shift.
#[derive(Clone, Copy, Debug, Default)]
pub struct Placement {
    /// Index into [`TURNED`].
    turn: u8,
    /// The number of bits of the shift to the corner, which follows the turn.
    shift: u8,
}

/// The image of each place under each rotation and reflection of the board. Those that exchange rows and columns come
/// last.
static TURNED: [[u8; 64]; 8] = {
    let mut turned = [[0; 64]; 8];
    let mut turn = 0;
    while turn < 8 {
        let mut place = 0;
        while place < 64 {
            let (mut row, mut col) = (place / 8, place % 8);
            if turn & 4 != 0 {
                (row, col) = (col, row);
            }
            if turn & 2 != 0 {
                col = 7 - col;
            }
            if turn & 1 != 0 {
                row = 7 - row;
            }
            turned[turn][place] = (8 * row + col) as u8;
            place += 1;
        }
        turn += 1;
    }
    turned
};

pub struct NormalShape {
    pub shape: BoxShape,
    placements: [Placement; 8],
    count: usize,
}

impl Strings {
    pub const NONE: Strings = Strings { links: BoxShape { east: 0, south: 0 }, grounds: [0; 2] };

    /// Returns the boxes at these strings.
    #[inline]
    pub const fn boxes(&self) -> u64 {
        let Strings { links: BoxShape { east, south }, grounds: [rows, cols] } = *self;
        east | east << 1 | south | south << 8 | rows | cols
    }

    /// Counts the strings that tie a box to the ground.
    #[inline]
    pub const fn grounded(&self, index: usize) -> usize {
        let [rows, cols] = self.grounds;
        ((rows >> index & 1) + (cols >> index & 1)) as usize
    }

    #[inline]
    pub const fn with(self, other: Strings) -> Strings {
        let ([rows, cols], [more_rows, more_cols]) = (self.grounds, other.grounds);
        Strings {
            links: self.links.with(other.links),
            grounds: [rows | more_rows, cols | more_cols],
        }
    }

    #[inline]
    pub const fn without(self, other: Strings) -> Strings {
        let ([rows, cols], [less_rows, less_cols]) = (self.grounds, other.grounds);
        Strings {
            links: self.links.without(other.links),
            grounds: [rows & !less_rows, cols & !less_cols],
        }
    }

    /// Returns the strings of these boxes, which must not be connected to any other boxes.
    #[inline]
    pub const fn within(self, boxes: u64) -> Strings {
        let [rows, cols] = self.grounds;
        Strings { links: self.links.within(boxes), grounds: [rows & boxes, cols & boxes] }
    }
}

impl BoxShape {
    #[inline]
    pub const fn with(self, other: BoxShape) -> BoxShape {
        BoxShape { east: self.east | other.east, south: self.south | other.south }
    }

    #[inline]
    pub const fn without(self, other: BoxShape) -> BoxShape {
        BoxShape { east: self.east & !other.east, south: self.south & !other.south }
    }

    /// Returns the connections of these boxes, which must not be connected to any other boxes.
    #[inline]
    pub const fn within(self, boxes: u64) -> BoxShape {
        BoxShape { east: self.east & boxes, south: self.south & boxes }
    }

    /// Returns these boxes and their direct neighbors.
    #[inline]
    const fn reached(self, boxes: u64) -> u64 {
        let BoxShape { east, south } = self;
        let beside = (boxes & east) << 1 | boxes >> 1 & east;
        boxes | beside | (boxes & south) << 8 | boxes >> 8 & south
    }

    /// Returns these boxes and all boxes connected to them.
    #[inline]
    pub const fn connected(self, mut boxes: u64) -> u64 {
        loop {
            let next = self.reached(boxes);
            if next == boxes {
                return boxes;
            }
            boxes = next;
        }
    }

    #[inline]
    pub const fn connects(self, [first, second]: [u8; 2]) -> bool {
        let mut boxes = 1 << first;
        loop {
            let next = self.reached(boxes);
            if next >> second & 1 == 1 {
                return true;
            }
            if next == boxes {
                return false;
            }
            boxes = next;
        }
    }

    /// Returns the normal form of this shape, which connects `boxes`: of all rotations and reflections that are not
    /// higher than wide, moved to the upper left corner, the least shape.
    #[inline]
    pub fn normal(self, boxes: u64) -> NormalShape {
        let columns = columns(boxes);
        let rows = [boxes.trailing_zeros() / 8, boxes.leading_zeros() / 8];
        let cols = [columns.trailing_zeros(), columns.leading_zeros() - 56];
        let empty = |[before, after]: [u32; 2]| before + after;
        let mut normal = NormalShape {
            shape: BoxShape { east: u64::MAX, south: u64::MAX },
            placements: [Placement::default(); 8],
            count: 0,
        };
        if empty(rows) >= empty(cols) {
            normal.try_turns(self, rows, cols, 0);
        }
        if empty(rows) <= empty(cols) {
            let BoxShape { east, south } = self;
            let turned = BoxShape { east: transposed(south), south: transposed(east) };
            normal.try_turns(turned, cols, rows, 4);
        }
        normal
    }
}

impl NormalShape {
    /// Returns the transformations of the shape that lead to this form. A symmetric shape has several.
    pub fn placements(&self) -> &[Placement] {
        &self.placements[..self.count]
    }

    /// Compares a shape and its three mirror images with the least shape so far. There are `top` and `bottom` empty
    /// rows above and below the shape, and `left` and `right` empty columns beside it. `turn` is the index of the first
    /// of the four turns in [`TURNED`].
    #[inline]
    fn try_turns(
        &mut self,
        BoxShape { east, south }: BoxShape,
        [top, bottom]: [u32; 2],
        [left, right]: [u32; 2],
        turn: u8,
    ) {
        // A line belongs to the box on its left or above it. In a mirror image, it belongs to the box on its other
        // side.
        let upside_down = |east: u64, south: u64| (east.swap_bytes(), south.swap_bytes() >> 8);
        let mirror = (mirrored(east) >> 1, mirrored(south));
        let turns = [
            ((east, south), 8 * top + left),
            (upside_down(east, south), 8 * bottom + left),
            (mirror, 8 * top + right),
            (upside_down(mirror.0, mirror.1), 8 * bottom + right),
        ];
        for (turn, ((east, south), shift)) in (turn..).zip(turns) {
            let turned = BoxShape { east: east >> shift, south: south >> shift };
            if turned < self.shape {
                (self.shape, self.count) = (turned, 0);
            }
            if turned == self.shape {
                self.placements[self.count & 7] = Placement { turn, shift: shift as u8 };
                self.count += 1;
            }
        }
    }
}

impl Placement {
    /// Returns the place of a box of the shape in the normal form.
    #[inline]
    pub const fn of(self, place: u8) -> u8 {
        TURNED[self.turn as usize & 7][place as usize & 63].wrapping_sub(self.shift)
    }
}

/// Returns the columns that contain these boxes, as the bits of a row.
const fn columns(boxes: u64) -> u64 {
    let mut columns = boxes | boxes >> 32;
    columns |= columns >> 16;
    (columns | columns >> 8) & 255
}

/// Reverses the bits of each byte.
const fn mirrored(rows: u64) -> u64 {
    rows.swap_bytes().reverse_bits()
}

/// Transposes rows and columns (Henry S. Warren, *Hacker's Delight*, 2002, on transposing a bit matrix).
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

    fn boxes(shape: BoxShape) -> u64 {
        Strings { links: shape, ..Strings::NONE }.boxes()
    }

    fn turned(shape: BoxShape, turn: usize) -> BoxShape {
        let mut turned = BoxShape::default();
        for ((row, col), (to_row, to_col)) in lines(shape) {
            let place = |row, col| TURNED[turn][(8 * row + col) as usize];
            let (one, other) = (place(row, col), place(to_row, to_col));
            let first = 1 << one.min(other);
            if one.abs_diff(other) == 1 { turned.east |= first } else { turned.south |= first }
        }
        turned
    }

    /// Returns a block of boxes in a random place, with some of its lines removed.
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
    fn normal_form_ignores_orientation_and_maps_every_box() {
        let mut rng = fastrand::Rng::with_seed(15);
        for _ in 0..500 {
            let shape = block(&mut rng);
            let normal = shape.normal(boxes(shape));
            let mut expected = lines(normal.shape);
            expected.sort_unstable();
            for turn in normal.placements() {
                let place = |(row, col): (i32, i32)| {
                    let place = i32::from(turn.of((8 * row + col) as u8));
                    (place / 8, place % 8)
                };
                let moved = lines(shape).into_iter().map(|(a, b)| (place(a), place(b)));
                let mut moved: Vec<_> = moved.map(|(a, b)| (a.min(b), a.max(b))).collect();
                moved.sort_unstable();
                assert_eq!(moved, expected);
            }
            for turn in 0..8 {
                let turned = turned(shape, turn);
                assert_eq!(turned.normal(boxes(turned)).shape, normal.shape);
            }
        }
    }
}
