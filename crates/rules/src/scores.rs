//! The points of all seats.

use crate::outcome::SEATS;
use std::ops::Deref;
use std::{array, fmt, iter, slice};

/// The points of each seat, in seat order.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Scores {
    points: [u32; SEATS as usize],
    seats: u8,
}

impl Scores {
    /// Creates scores from the points of each seat.
    ///
    /// # Panics
    ///
    /// Panics if there are more than 8 seats.
    pub fn new(points: &[u32]) -> Scores {
        let mut scores = Scores { points: [0; SEATS as usize], seats: points.len() as u8 };
        scores.points[..points.len()].copy_from_slice(points);
        scores
    }
}

impl Deref for Scores {
    type Target = [u32];

    fn deref(&self) -> &[u32] {
        &self.points[..self.seats.into()]
    }
}

impl IntoIterator for Scores {
    type Item = u32;
    type IntoIter = iter::Take<array::IntoIter<u32, { SEATS as usize }>>;

    fn into_iter(self) -> Self::IntoIter {
        self.points.into_iter().take(self.seats.into())
    }
}

impl<'a> IntoIterator for &'a Scores {
    type Item = &'a u32;
    type IntoIter = slice::Iter<'a, u32>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl fmt::Debug for Scores {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}
