//! Signatures: keys that are equal for positions that must have the same value.
//!
//! The value of a position depends on its strings and coins, not on where on the board they lie. So the
//! signature is the sum of those of its connected parts. A part that is a tree of boxes has the same signature
//! wherever its boxes lie: its leaves are cut off in rounds, and what is known of a leaf is added to the box that
//! it was joined to, until the centre of the tree is left, one box or two (Alfred Aho, John Hopcroft and Jeffrey
//! Ullman, *The Design and Analysis of Computer Algorithms*, 1974, on isomorphism of trees). From a part with
//! cycles the trees are cut off in the same way, and the rest is compared as a shape, up to turns and mirror
//! images.

use super::graph::{Graph, LineSet, each};
use super::shape::BoxShape;

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

impl Graph {
    /// The signature of any set of lines, computed from scratch.
    pub fn signature(&self, open: LineSet) -> Signature {
        let (mut rest, mut sum) = (open, 0);
        while rest != 0 {
            let part = self.part(rest);
            rest &= !part;
            sum = self.signature_of_part(part).wrapping_add(sum);
        }
        sum
    }

    /// The signature of connected lines.
    pub fn signature_of_part(&self, part: LineSet) -> Signature {
        let boxes = self.boxes_at(part);
        let mut cycles = part & self.inner;
        let mut hung = [0; 64];
        let (mut leaves, mut rest) = (0u64, boxes);
        for index in each(boxes) {
            let sides = self.sides(index as usize, part);
            let grounded = sides & !self.inner;
            let others = grounded & grounded.wrapping_sub(1);
            hung[index as usize & 63] = match (grounded, others) {
                (0, _) => GROUNDED[0],
                (_, 0) => GROUNDED[1],
                _ => GROUNDED[grounded.count_ones() as usize],
            };
            let inner = sides & self.inner;
            leaves |= u64::from(inner & inner.wrapping_sub(1) == 0) << index;
        }
        while leaves != 0 {
            rest &= !leaves;
            let mut next = 0;
            while leaves != 0 {
                let leaf = leaves.trailing_zeros() as usize;
                leaves &= leaves - 1;
                let line = self.sides(leaf, cycles);
                let own = mix(hung[leaf & 63]);
                if line == 0 {
                    return mix(own);
                }
                cycles &= !line;
                let other = self.across(line, leaf);
                if leaves >> other & 1 == 1 {
                    return mix(!own.wrapping_add(mix(hung[other & 63])));
                }
                let hung = &mut hung[other & 63];
                *hung = hung.wrapping_add(own);
                if self.sides(other, cycles).is_power_of_two() {
                    next |= 1 << other;
                }
            }
            leaves = next;
        }
        let Some((shape, places)) = self.shape(cycles) else {
            let place = mix(u128::from(cycles) | u128::from(!cycles) << 64);
            return each(rest).fold(place, |all, index| mix(all ^ hung[index as usize & 63]));
        };
        let (BoxShape { east, south }, turns) = shape.normal();
        let boxes = turns.map(|turn| {
            let boxes = each(rest).map(|index| {
                let place = turn.of(places[index as usize & 63]);
                mix(PLACES[place as usize & 63] ^ hung[index as usize & 63])
            });
            boxes.fold(0, u128::wrapping_add)
        });
        let [east, south] = [east, south].map(u128::from);
        let lines = mix(mix(east | !east << 64) ^ (south | south << 64));
        mix(boxes.min().unwrap_or_default().wrapping_add(lines))
    }
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
