//! What tells positions apart that are worth different things, and others not.
//!
//! The value of a position is that of its strings and coins, wherever on the board they lie. So a
//! position is the sum of its parts that hang together. A part that is a tree of boxes, whose leaves hang on
//! the ground or end there, is known by its shape alone: leaves are cut off round by round, each adding what
//! hangs on it to the box it hung on, until the middle of the tree is left, one box or two (Alfred Aho, John
//! Hopcroft and Jeffrey Ullman, *The Design and Analysis of Computer Algorithms*, 1974, on trees that are
//! alike). What has cycles keeps them, whichever way they are turned, with the trees that hang on them.

use super::graph::{Graph, Lines, each};
use super::shape::Shape;

/// Two positions with the same signature are worth the same, but for a chance that they only look
/// alike: 2⁻¹²⁸ if the two halves were drawn by lot, and 2⁻¹¹⁸ in the table, which compares 118 bits.
///
/// That is for one pair. A search takes what it finds in its table on trust, and it looks a position
/// up among all that it has kept: of N positions there are N² / 2 pairs, and so the chance that it
/// ever takes one for another is N² / 2¹¹⁹. For the 10⁸ positions of a search of minutes it is
/// 2⁻⁶⁶, for 10¹¹, of days, 2⁻⁴⁶. No lots are drawn, though: nobody has proven that what is mixed
/// here is as good as that.
///
/// The signature of a position is the sum of those of its parts.
pub type Signature = u128;

impl Graph {
    /// The signature of any set of lines, found afresh.
    pub fn signature(&self, open: Lines) -> Signature {
        let (mut rest, mut sum) = (open, 0);
        while rest != 0 {
            let part = self.part(rest);
            rest &= !part;
            sum = self.signature_of_part(part).wrapping_add(sum);
        }
        sum
    }

    /// The signature of lines that hang together.
    pub fn signature_of_part(&self, part: Lines) -> Signature {
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
        let (Shape { east, south }, turns) = shape.normal();
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

/// A box by the number of its lines to the ground.
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

/// A box by its place in a shape.
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

/// Scrambles two words, each for itself, so that sums of what was scrambled tell what was summed.
const fn mix(words: u128) -> u128 {
    let low = (words as u64 ^ 0xa076_1d64_78bd_642f) as u128 * 0xe703_7ed1_a0b4_28db;
    let high = ((words >> 64) as u64 ^ 0x8ebc_6af0_9c88_c6e3) as u128 * 0x5899_65cc_7537_4cc3;
    let low = low as u64 ^ (low >> 64) as u64;
    let high = high as u64 ^ (high >> 64) as u64;
    low as u128 | (high as u128) << 64
}
