//! Crosses and circles, for the two games that are played with them.

use super::Seat;
use std::fmt;

/// The symbol of a seat: the first has the crosses, the second the circles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Symbol {
    /// The cross, of the first seat.
    X,
    /// The circle, of the second seat.
    O,
}

impl Symbol {
    /// Both symbols, the first seat's first.
    pub const BOTH: [Symbol; 2] = [Symbol::X, Symbol::O];

    /// The symbol of the other seat.
    pub const fn other(self) -> Symbol {
        match self {
            Symbol::X => Symbol::O,
            Symbol::O => Symbol::X,
        }
    }

    /// The seat that plays with the symbol.
    pub const fn seat(self) -> Seat {
        match self {
            Symbol::X => Seat::FIRST,
            Symbol::O => Seat::SECOND,
        }
    }

    /// The symbol a seat of a game for two plays with.
    pub fn of(seat: Seat) -> Symbol {
        if seat == Seat::FIRST { Symbol::X } else { Symbol::O }
    }

    /// `X` or `O`.
    pub const fn letter(self) -> char {
        match self {
            Symbol::X => 'X',
            Symbol::O => 'O',
        }
    }
}

impl fmt::Display for Symbol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.letter())
    }
}

/// Reads a grid of `-`, `X` and `O`; anything else in it gives `None`.
pub(super) fn read_grid(text: &str) -> Option<Vec<Option<Symbol>>> {
    text.chars()
        .map(|c| match c {
            '-' => Some(None),
            'X' => Some(Some(Symbol::X)),
            'O' => Some(Some(Symbol::O)),
            _ => None,
        })
        .collect()
}

/// Writes a grid as [`read_grid`] reads it.
pub(super) fn write_grid(cells: &[Option<Symbol>]) -> String {
    cells.iter().map(|cell| cell.map_or('-', Symbol::letter)).collect()
}
