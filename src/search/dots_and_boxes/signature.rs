//! Signatures: keys that are equal for positions that must have the same value.
//!
//! The value of a position depends on its strings and coins, not on where on the board they lie. So the
//! signature is the sum of those of its connected parts. A part that is a tree of boxes has the same signature
//! wherever its boxes lie: its leaves are cut off in rounds, and what is known of a leaf is added to the box that
//! it was joined to, until the centre of the tree is left, one box or two (Alfred Aho, John Hopcroft and Jeffrey
//! Ullman, *The Design and Analysis of Computer Algorithms*, 1974, on isomorphism of trees). From a part with
//! cycles the trees are cut off in the same way, and the rest is compared as a shape, up to turns and mirror
//! images; on a board of more than 63 boxes, or more than eight in a row or column, by its lines.

use super::graph::{Graph, LineSet, Part, each};
use super::shape::{BoxShape, Links};

/// Positions with the same signature have the same value, unless two signatures collide. If signatures were
/// random, two positions would collide with a probability of 2⁻¹²⁸, and of 2⁻¹¹⁸ in the table, which compares
/// 118 bits.
///
/// That is for one pair. Among N positions there are N² / 2 pairs, so the probability that a search ever
/// mistakes one position for another is N² / 2¹¹⁹. For the 10⁸ positions of a search of minutes that is 2⁻⁶⁶, for
/// the 10¹¹ of a search of days 2⁻⁴⁶. These are estimates: signatures are not random, and it is not proven that
/// they are as good.
///
/// The signature of a position is the sum of those of its parts.
pub type Signature = u128;

/// The connections between boxes by a set of lines.
struct LineLinks<'a>(&'a Graph, LineSet);

impl Links for LineLinks<'_> {
    fn leaves(&self, boxes: u64) -> u64 {
        let LineLinks(graph, lines) = *self;
        let is_leaf = |index: &u32| graph.sides(*index as usize, lines).count_ones() <= 1;
        each(boxes).filter(is_leaf).fold(0, |leaves, index| leaves | 1 << index)
    }

    fn cut(&mut self, leaf: usize) -> Option<usize> {
        let line = self.0.sides(leaf, self.1);
        self.1 &= !line;
        (line != 0).then(|| self.0.across(line, leaf))
    }
}

/// What is known of each box while a signature is computed: of its lines to the ground, and of the trees that were
/// joined to it.
pub type Hung = [Signature; 64];

impl Graph {
    /// The signature of any set of lines, computed from scratch.
    pub fn signature(&self, lines: LineSet) -> Signature {
        let mut hung = [0; 64];
        let signatures = self.parts(lines).map(|part| self.signature_of_part(&part, &mut hung));
        signatures.fold(0, u128::wrapping_add)
    }

    /// The signature of a part. What was in `hung` does not matter.
    pub fn signature_of_part(&self, part: &Part, hung: &mut Hung) -> Signature {
        let grounded = part.lines & !self.inner;
        for index in each(part.boxes) {
            let own = self.sides(index as usize, grounded);
            let others = own & own.wrapping_sub(1);
            hung[index as usize & 63] = match (own, others) {
                (0, _) => GROUNDED[0],
                (_, 0) => GROUNDED[1],
                _ => GROUNDED[own.count_ones() as usize],
            };
        }
        if self.has_places() {
            let mut cycles = part.shape;
            cut_trees(&mut cycles, part.boxes, hung)
                .unwrap_or_else(|boxes| of_shape(cycles, boxes, hung))
        } else {
            let mut cycles = LineLinks(self, part.lines & self.inner);
            cut_trees(&mut cycles, part.boxes, hung)
                .unwrap_or_else(|boxes| of_lines(cycles.1, boxes, hung))
        }
    }
}

/// Cuts off leaves in rounds. `Ok` is the signature of a tree, `Err` has the boxes of which none is a leaf.
#[inline]
fn cut_trees(links: &mut impl Links, mut boxes: u64, hung: &mut Hung) -> Result<Signature, u64> {
    loop {
        let mut leaves = links.leaves(boxes);
        if leaves == 0 {
            return Err(boxes);
        }
        boxes &= !leaves;
        while leaves != 0 {
            let leaf = leaves.trailing_zeros() as usize;
            leaves &= leaves - 1;
            let own = mix(hung[leaf & 63]);
            let Some(other) = links.cut(leaf) else { return Ok(mix(own)) };
            if leaves >> other & 1 == 1 {
                return Ok(mix(!own.wrapping_add(mix(hung[other & 63]))));
            }
            let hung = &mut hung[other & 63];
            *hung = hung.wrapping_add(own);
        }
    }
}

/// The signature of boxes with cycles, by their shape.
fn of_shape(shape: BoxShape, boxes: u64, hung: &Hung) -> Signature {
    let (BoxShape { east, south }, turns) = shape.normal();
    let boxes = turns.map(|turn| {
        let boxes = each(boxes).map(|place| {
            let turned = turn.of(place as u8);
            mix(PLACES[turned as usize & 63] ^ hung[place as usize & 63])
        });
        boxes.fold(0, u128::wrapping_add)
    });
    let [east, south] = [east, south].map(u128::from);
    let lines = mix(mix(east | !east << 64) ^ (south | south << 64));
    mix(boxes.min().unwrap_or_default().wrapping_add(lines))
}

/// The signature of boxes with cycles, by their lines.
fn of_lines(lines: LineSet, boxes: u64, hung: &Hung) -> Signature {
    let place = mix(u128::from(lines) | u128::from(!lines) << 64);
    each(boxes).fold(place, |all, index| mix(all ^ hung[index as usize & 63]))
}

/// The signature of a box by the number of its lines to the ground.
const GROUNDED: [u128; 5] = {
    let mut grounded = [0; 5];
    let mut count = 0;
    while count < 5 {
        let seed = count as u128 + 1;
        grounded[count] = mix(mix(seed | !seed << 64));
        count += 1;
    }
    grounded
};

/// The signature of a place in a shape.
const PLACES: [u128; 64] = {
    let mut places = [0; 64];
    let mut place = 0;
    while place < 64 {
        let seed = 6 + place as u128;
        places[place] = mix(mix(seed | !seed << 64));
        place += 1;
    }
    places
};

/// Scrambles each half by itself, so that a sum of scrambled numbers identifies its terms.
const fn mix(words: u128) -> u128 {
    let low = (words as u64 ^ 0xa076_1d64_78bd_642f) as u128 * 0xe703_7ed1_a0b4_28db;
    let high = ((words >> 64) as u64 ^ 0x8ebc_6af0_9c88_c6e3) as u128 * 0x5899_65cc_7537_4cc3;
    let low = low as u64 ^ (low >> 64) as u64;
    let high = high as u64 ^ (high >> 64) as u64;
    low as u128 | (high as u128) << 64
}
