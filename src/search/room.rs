//! Memory that the system may refuse.
//!
//! Where a program cannot have memory for something small, the standard library ends it. So what may
//! become large is asked for here, and given only if enough is left for all that is small.

use super::Halt;
use memmap2::MmapMut;

/// Bytes that are left for what is small: twice what reports of the largest boards were seen to take.
const SPARE: usize = 10 << 20;

/// Bytes that a thread may take before it asks for any: its stack, and what the allocator of the C library
/// sets aside for it.
const THREAD: usize = (2 + 128) << 20;

/// The system has no more memory to give.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refused;

impl From<Refused> for Halt {
    fn from(_: Refused) -> Halt {
        Halt::Refused
    }
}

/// Whether so many bytes can be had.
pub fn ask(bytes: usize) -> Result<(), Refused> {
    let all = bytes.checked_add(SPARE).ok_or(Refused)?;
    // Memory that nobody touches costs nothing.
    MmapMut::map_anon(all).map(drop).map_err(|_| Refused)
}

/// Memory of so many bytes, all 0.
pub fn map(bytes: usize) -> Result<MmapMut, Refused> {
    ask(bytes)?;
    MmapMut::map_anon(bytes).map_err(|_| Refused)
}

/// Makes room for exactly so many more values.
pub fn reserve<T>(values: &mut Vec<T>, more: usize) -> Result<(), Refused> {
    ask(more.checked_mul(size_of::<T>()).ok_or(Refused)?)?;
    values.try_reserve_exact(more).map_err(|_| Refused)
}

/// Makes room for so many more values, and where there was not enough for as many again as there are.
pub fn grow<T>(values: &mut Vec<T>, more: usize) -> Result<(), Refused> {
    if values.capacity() - values.len() >= more {
        return Ok(());
    }
    reserve(values, more.max(values.len()))
}

/// For how many more threads, of so many, there is room.
pub fn threads(wanted: usize) -> usize {
    let fits = |threads: &usize| ask(threads.saturating_mul(THREAD)).is_ok();
    (1..=wanted).rev().find(fits).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nobody_has_is_refused() {
        let mut values: Vec<u64> = vec![1, 2, 3];
        for more in [1 << 58, 1 << 61, usize::MAX] {
            assert_eq!(reserve(&mut values, more), Err(Refused));
            assert_eq!(grow(&mut values, more), Err(Refused));
        }
        assert_eq!(ask(usize::MAX), Err(Refused));
        assert!(map(usize::MAX / 2).is_err());
        assert_eq!(threads(0), 0);
        assert_eq!(values, [1, 2, 3]);
    }

    #[test]
    fn a_vector_grows_by_as_much_again() {
        let mut values = Vec::new();
        let mut grown = 0;
        for value in 0..100_000 {
            let before = values.capacity();
            assert_eq!(grow(&mut values, 1), Ok(()));
            grown += usize::from(values.capacity() > before);
            values.push(value);
        }
        assert!(grown < 30, "{grown}");
    }
}
