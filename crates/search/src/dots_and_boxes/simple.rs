//! Simple endings, in which only independent chains and loops are left.

use foldhash::fast::FixedState;
use std::collections::HashMap;

/// The number of chains and loops of each length, as packed counters wide enough for 60 lines. A chain has one more
/// line than boxes, and a loop has as many lines as boxes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct SimpleEnding {
    chains: u128,
    loops: u64,
}

/// The maximum number of cached endings, which take a few mebibytes.
const MAX_VALUES: usize = 7 << 13;

/// A cache of the values of endings.
#[derive(Default)]
pub struct SimpleEndings {
    values: HashMap<SimpleEnding, i8, FixedState>,
}

/// The first bit of the counter for chains of each length.
const CHAIN: [u32; 61] = {
    let mut start = [0; 61];
    let mut len = 2;
    while len <= 60 {
        let before = len - 1;
        start[len] = start[before] + width(60 / (before + 1));
        len += 1;
    }
    start
};

/// The first bit of the counter for loops, by half their length. The length of a loop is even and at least 4.
const LOOP: [u32; 31] = {
    let mut start = [0; 31];
    let mut half = 3;
    while half <= 30 {
        start[half] = start[half - 1] + width(60 / (2 * (half - 1)));
        half += 1;
    }
    start
};

const fn width(most: usize) -> u32 {
    usize::BITS - most.leading_zeros()
}

impl SimpleEnding {
    /// Returns the ending with one more chain or loop of `len` boxes.
    pub const fn with(self, is_loop: bool, len: i32) -> SimpleEnding {
        if is_loop {
            SimpleEnding { loops: self.loops + (1 << LOOP[len as usize / 2]), ..self }
        } else {
            SimpleEnding { chains: self.chains + (1 << CHAIN[len as usize]), ..self }
        }
    }
}

impl SimpleEndings {
    /// Returns the value of an ending for the player who has to open the first chain. Tries one chain of each length. A
    /// chain of two boxes is opened by its middle line (a hard-hearted handout), so that the opponent must take both
    /// boxes.
    pub fn value(&mut self, ending: SimpleEnding) -> i32 {
        if ending == SimpleEnding::default() {
            return 0;
        }
        if let Some(&value) = self.values.get(&ending) {
            return value.into();
        }
        let mut best = i32::MIN;
        for len in 1..60 {
            if ending.chains >> CHAIN[len] & ((1 << (CHAIN[len + 1] - CHAIN[len])) - 1) != 0 {
                let rest = SimpleEnding { chains: ending.chains - (1 << CHAIN[len]), ..ending };
                let rest = self.value(rest);
                let len = len as i32;
                let taken = if len < 3 { len + rest } else { len - 2 + (rest + 2).abs() };
                best = best.max(-taken);
            }
        }
        for half in 2..30 {
            if ending.loops >> LOOP[half] & ((1 << (LOOP[half + 1] - LOOP[half])) - 1) != 0 {
                let rest = SimpleEnding { loops: ending.loops - (1 << LOOP[half]), ..ending };
                let taken = 2 * half as i32 - 4 + (self.value(rest) + 4).abs();
                best = best.max(-taken);
            }
        }
        if self.values.len() == MAX_VALUES {
            self.values.clear();
        }
        self.values.insert(ending, best as i8);
        best
    }
}
