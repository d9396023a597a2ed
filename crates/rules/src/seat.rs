//! The seats at the table.

use std::fmt;

/// A seat at the table, counted from 0. People read it from 1, or as a letter from `A`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Seat(u8);

impl Seat {
    /// The seat that moves first in most games.
    pub const FIRST: Seat = Seat(0);
    /// The other seat of a game for two.
    pub const SECOND: Seat = Seat(1);

    /// The seat with this index, from 0.
    pub const fn new(index: u8) -> Seat {
        Seat(index)
    }

    /// The index of the seat, from 0.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The next seat, at a table of `seats`. After the last comes the first.
    pub const fn next(self, seats: u8) -> Seat {
        Seat((self.0 + 1) % seats)
    }

    /// `A` for the first seat, `B` for the second, and so on.
    pub const fn letter(self) -> char {
        (b'A' + self.0) as char
    }
}

impl fmt::Display for Seat {
    /// The number people use, from 1.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0 + 1)
    }
}
