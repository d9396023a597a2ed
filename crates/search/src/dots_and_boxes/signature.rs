//! Signatures: hash keys that are equal only for positions with the same value.
//!
//! The value of a position depends on its strings and coins, not on their places on the board. Its signature is the sum
//! of the signatures of its connected parts. A part that is a tree of boxes has the same signature wherever its boxes
//! lie: leaves are removed in rounds, adding the signature of each leaf to its neighbor, until only the center of the
//! tree is left, which is one box or two (Alfred Aho, John Hopcroft and Jeffrey Ullman, *The Design and Analysis of
//! Computer Algorithms*, 1974, on isomorphism of trees). In a part with cycles, the attached trees are removed in the
//! same way, and the rest is compared as a shape, up to rotation and reflection. On a board of more than 63 boxes, or
//! more than eight in a row or column, the rest is compared by its lines instead.

use super::graph::{Graph, LineSet, Part, each};
use super::shape::{BoxShape, Strings};

/// Positions with equal signatures have the same value, unless two signatures collide. If signatures were random, two
/// positions would collide with a probability of 2⁻¹²⁸, or 2⁻¹²⁴ in the table, which compares 124 bits.
///
/// N positions have N² / 2 pairs, so the probability that a search ever confuses two positions is N² / 2¹²⁵. This is
/// 2⁻⁷² for a search of minutes (10⁸ positions) and 2⁻⁵² for a search of days (10¹¹ positions). These are estimates:
/// signatures are not random, and have not been proven to be as good.
pub type Signature = u128;

/// For each box, while a signature is computed: the sum of the signatures of the trees attached to the box.
type Hung = [Signature; 64];

impl Graph {
    /// Computes the signature of any set of lines from scratch.
    pub fn signature(&self, lines: LineSet) -> Signature {
        let signatures = self.parts(lines).map(|part| self.signature_of_part(&part));
        signatures.fold(0, u128::wrapping_add)
    }

    #[inline]
    pub fn signature_of_part(&self, part: &Part) -> Signature {
        if self.has_places() { of_strings(part.strings, part.boxes) } else { self.of_lines(part) }
    }

    /// Returns the signature of a part on a board without places (see [`Graph::has_places`]).
    fn of_lines(&self, &Part { lines, mut boxes, .. }: &Part) -> Signature {
        let mut hung: Hung = [0; 64];
        let mut inner = lines & self.inner;
        let grounded = |index: usize| self.sides(index, lines & !self.inner).count_ones() as usize;
        let own = |index: usize, hung: &Hung| GROUNDED[grounded(index)].wrapping_add(hung[index]);
        loop {
            let is_leaf = |index: &u32| self.sides(*index as usize, inner).count_ones() <= 1;
            let leaves = each(boxes).filter(is_leaf).fold(0, |leaves, index| leaves | 1 << index);
            if leaves == 0 {
                let left = mix(u128::from(inner) | u128::from(!inner) << 64);
                return each(boxes).fold(left, |all, index| mix(all ^ own(index as usize, &hung)));
            }
            boxes &= !leaves;
            if boxes == 0 {
                return of_centre(leaves, |index| own(index, &hung));
            }
            for leaf in each(leaves).map(|leaf| leaf as usize) {
                let line = self.sides(leaf, inner);
                inner &= !line;
                let other = self.across(line, leaf);
                hung[other] = hung[other].wrapping_add(mix(own(leaf, &hung)));
            }
        }
    }
}

#[inline]
fn of_strings(strings: Strings, mut boxes: u64) -> Signature {
    let mut hung: Hung = [0; 64];
    let mut with_trees = 0;
    let BoxShape { mut east, mut south } = strings.links;
    let own =
        |index: usize, hung: &Hung| GROUNDED[strings.grounded(index)].wrapping_add(hung[index]);
    loop {
        let (west, north) = (east << 1, south << 8);
        let two_or_more = east & west | south & north | (east | west) & (south | north);
        let leaves = boxes & !two_or_more;
        if leaves == 0 {
            let cycles = Strings { links: BoxShape { east, south }, ..strings };
            return of_cycles(cycles, boxes, with_trees, &hung);
        }
        boxes &= !leaves;
        if boxes == 0 {
            return of_centre(leaves, |index| own(index & 63, &hung));
        }
        for leaf in each(leaves).map(|leaf| leaf as usize & 63) {
            // A leaf has exactly one link. Branching on each direction would often be mispredicted by the processor.
            let bit = |links: u64| (links >> leaf & 1) as usize;
            let other = leaf + bit(east) + 8 * bit(south) - bit(west) - 8 * bit(north);
            let other = other & 63;
            hung[other] = hung[other].wrapping_add(mix(own(leaf, &hung)));
            with_trees |= 1 << other;
        }
        east &= !(leaves | leaves >> 1);
        south &= !(leaves | leaves >> 8);
    }
}

/// Returns the signature of a tree, given its center of one or two boxes.
#[inline]
fn of_centre(boxes: u64, own: impl Fn(usize) -> Signature) -> Signature {
    let mut centre = each(boxes).map(|index| mix(own(index as usize)));
    match (centre.next(), centre.next()) {
        // The complement distinguishes this center from a center of one box.
        (Some(one), Some(other)) => mix(!(one.wrapping_add(other))),
        (one, _) => mix(one.unwrap_or_default()),
    }
}

/// Returns the signature of the shape of boxes with cycles. `with_trees` is the set of boxes with trees attached.
#[inline]
fn of_cycles(strings: Strings, boxes: u64, with_trees: u64, hung: &Hung) -> Signature {
    let normal = strings.links.normal(boxes);
    let of_boxes = normal.placements().iter().map(|turn| {
        let mut all: Signature = 0;
        for place in each(boxes & !with_trees) {
            let known = &PLACED[turn.of(place as u8) as usize & 63];
            all = all.wrapping_add(known[strings.grounded(place as usize)]);
        }
        for place in each(boxes & with_trees) {
            let hung = hung[place as usize & 63];
            let own = GROUNDED[strings.grounded(place as usize)].wrapping_add(hung);
            all = all.wrapping_add(mix(PLACES[turn.of(place as u8) as usize & 63] ^ own));
        }
        all
    });
    let of_boxes = of_boxes.min().unwrap_or_default();
    let BoxShape { east, south } = normal.shape;
    let [east, south] = [east, south].map(u128::from);
    let links = mix(mix(east | !east << 64) ^ (south | south << 64));
    mix(of_boxes.wrapping_add(links))
}

/// The signature of a box, by its number of lines to the ground.
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

static PLACES: [u128; 64] = {
    let mut places = [0; 64];
    let mut place = 0;
    while place < 64 {
        let seed = 6 + place as u128;
        places[place] = mix(mix(seed | !seed << 64));
        place += 1;
    }
    places
};

/// The signature of a box without trees, by its place in the shape and its number of lines to the ground: at most two
/// on a board of at least two rows and columns.
static PLACED: [[u128; 3]; 64] = {
    let mut placed = [[0; 3]; 64];
    let mut place = 0;
    while place < 64 {
        let mut count = 0;
        while count < 3 {
            placed[place][count] = mix(PLACES[place] ^ GROUNDED[count]);
            count += 1;
        }
        place += 1;
    }
    placed
};

/// Scrambles each half separately, so that a sum of scrambled numbers identifies its terms.
const fn mix(words: u128) -> u128 {
    let low = (words as u64 ^ 0xa076_1d64_78bd_642f) as u128 * 0xe703_7ed1_a0b4_28db;
    let high = ((words >> 64) as u64 ^ 0x8ebc_6af0_9c88_c6e3) as u128 * 0x5899_65cc_7537_4cc3;
    let low = low as u64 ^ (low >> 64) as u64;
    let high = high as u64 ^ (high >> 64) as u64;
    low as u128 | (high as u128) << 64
}
