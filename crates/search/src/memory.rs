//! Memory allocations that may fail without aborting the program.
//!
//! Most allocations in the standard library abort the program if they fail. Large allocations are therefore made here,
//! and succeed only if enough memory is left for small allocations elsewhere.

use super::StopReason;
use memmap2::MmapMut;

/// Bytes to leave for small allocations, such as the texts of the moves in a report.
const SPARE: usize = 10 << 20;

/// Bytes of address space that the C library's allocator reserves for a thread.
pub const ARENA: usize = 64 << 20;

/// Bytes of address space of a new thread: its stack, and twice the arena while the thread is being created.
const THREAD: usize = (2 << 20) + 2 * ARENA;

/// The system refused to allocate memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutOfMemory;

impl From<OutOfMemory> for StopReason {
    fn from(_: OutOfMemory) -> StopReason {
        StopReason::OutOfMemory
    }
}

/// Checks that this many bytes are currently available, without allocating them.
pub fn check_available(bytes: usize) -> Result<(), OutOfMemory> {
    let all = bytes.checked_add(SPARE).ok_or(OutOfMemory)?;
    // A mapping that is never touched uses no memory.
    MmapMut::map_anon(all).map(drop).map_err(|_| OutOfMemory)
}

/// Maps this many bytes, initialized to 0.
pub fn map(bytes: usize) -> Result<MmapMut, OutOfMemory> {
    check_available(bytes)?;
    MmapMut::map_anon(bytes).map_err(|_| OutOfMemory)
}

/// Reserves capacity for exactly this many more values.
pub fn reserve<T>(values: &mut Vec<T>, more: usize) -> Result<(), OutOfMemory> {
    check_available(more.checked_mul(size_of::<T>()).ok_or(OutOfMemory)?)?;
    values.try_reserve_exact(more).map_err(|_| OutOfMemory)
}

/// Reserves capacity for this many more values. If the vector has to be reallocated, at least doubles its capacity.
pub fn grow<T>(values: &mut Vec<T>, more: usize) -> Result<(), OutOfMemory> {
    if values.capacity() - values.len() >= more {
        return Ok(());
    }
    reserve(values, more.max(values.len()))
}

/// Returns how many of the wanted threads fit in memory.
pub fn threads(wanted: usize) -> usize {
    let fits = |threads: &usize| check_available(threads.saturating_mul(THREAD)).is_ok();
    (1..=wanted).rev().find(fits).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn impossible_memory_requests_are_refused() {
        let mut values: Vec<u64> = vec![1, 2, 3];
        // Of 32 bits, a sixteenth is too much for a vector of `u64`; of 64 bits, even less.
        let too_much = usize::MAX >> if usize::BITS == 64 { 6 } else { 4 };
        for more in [too_much, usize::MAX >> 3, usize::MAX] {
            assert_eq!(reserve(&mut values, more), Err(OutOfMemory));
            assert_eq!(grow(&mut values, more), Err(OutOfMemory));
        }
        assert_eq!(check_available(usize::MAX), Err(OutOfMemory));
        assert!(map(usize::MAX / 2).is_err());
        assert_eq!(threads(0), 0);
        assert_eq!(values, [1, 2, 3]);
    }

    #[test]
    fn a_vector_doubles_when_it_grows() {
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
