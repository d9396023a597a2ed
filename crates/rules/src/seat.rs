//! Seats.

use std::fmt;

/// A seat, identified by a zero-based index. Users see a number from 1 or a letter from `A`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Seat(u8);

impl Seat {
    /// The seat that moves first in most games.
    pub const FIRST: Seat = Seat(0);
    /// The other seat of a two-player game.
    pub const SECOND: Seat = Seat(1);

    /// Creates the seat with this zero-based index.
    pub const fn new(index: u8) -> Seat {
        Seat(index)
    }

    /// Returns the zero-based index.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Returns the next seat of `seats`, cyclically.
    ///
    /// # Panics
    ///
    /// Panics if `seats` is 0.
    pub const fn next(self, seats: u8) -> Seat {
        Seat(((self.0 as u16 + 1) % seats as u16) as u8)
    }

    /// Returns `A` for the first seat, `B` for the second, and so on.
    ///
    /// # Panics
    ///
    /// Panics if the index is above 25.
    pub const fn letter(self) -> char {
        assert!(self.0 < 26, "seats have letters from A to Z");
        (b'A' + self.0) as char
    }
}

impl fmt::Display for Seat {
    /// Writes the seat's number, counted from 1.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", u16::from(self.0) + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn highest_seat_has_a_number_and_a_successor() {
        assert_eq!(Seat::new(255).to_string(), "256");
        assert_eq!(Seat::new(255).next(2), Seat::FIRST);
        assert_eq!(Seat::new(25).letter(), 'Z');
    }

    #[test]
    #[should_panic(expected = "from A to Z")]
    fn letter_panics_beyond_z() {
        let _ = Seat::new(26).letter();
    }
}
