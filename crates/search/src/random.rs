//! Random draws and mixed bits that are the same on every machine: `fastrand` draws indices by the width of a pointer,
//! and `foldhash` hashes by it, so no hash of theirs may choose a move or the slot of a table. Logarithms that
//! choose moves come from `libm`, because those of the systems differ in the last bit.

use fastrand::Rng;

/// Returns a random index of a list of this length, which must not be empty.
pub fn index(rng: &mut Rng, len: usize) -> usize {
    rng.u64(..len as u64) as usize
}

/// Returns a random item; `None` if there is none.
pub fn choice<T: Copy>(rng: &mut Rng, items: &[T]) -> Option<T> {
    (!items.is_empty()).then(|| items[index(rng, items.len())])
}

/// Brings the items into random order.
pub fn shuffle<T>(rng: &mut Rng, items: &mut [T]) {
    for at in 1..items.len() {
        let other = index(rng, at + 1);
        items.swap(at, other);
    }
}

/// Mixes the bits of a number (the finalizer of `SplitMix64`: Steele, Lea and Flood, *Fast splittable pseudorandom number
/// generators*, 2014).
pub const fn mixed(bits: u64) -> u64 {
    let bits = bits.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let bits = (bits ^ bits >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let bits = (bits ^ bits >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ bits >> 31
}

#[cfg(test)]
mod tests {
    use super::*;

    /// On machines of 64 bits, the draws are those of `fastrand`.
    #[test]
    #[cfg(target_pointer_width = "64")]
    fn draws_equal_fastrand_on_64_bits() {
        let (mut rng, mut other) = (Rng::with_seed(7), Rng::with_seed(7));
        for len in 1..200 {
            assert_eq!(index(&mut rng, len), other.usize(..len));
            let items: Vec<usize> = (0..len).collect();
            assert_eq!(choice(&mut rng, &items), other.choice(items.iter().copied()));
            let (mut one, mut two) = (items.clone(), items);
            shuffle(&mut rng, &mut one);
            other.shuffle(&mut two);
            assert_eq!(one, two);
        }
    }

    /// The same numbers on machines of any width.
    #[test]
    fn draws_are_fixed() {
        let mut rng = Rng::with_seed(1);
        let draws: Vec<usize> = (1..9).map(|len| index(&mut rng, 10 * len)).collect();
        assert_eq!(draws, [6, 10, 7, 31, 0, 46, 53, 67]);
    }
}
