//! Crosses and circles, for Quixo and tic-tac-toe.

use super::Seat;
use std::fmt;

/// The symbol of a seat: the first plays crosses, the second circles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Symbol {
    /// The cross of the first seat.
    X,
    /// The circle of the second seat.
    O,
}

impl Symbol {
    /// Both symbols, in seat order.
    pub const BOTH: [Symbol; 2] = [Symbol::X, Symbol::O];

    /// Returns the opponent's symbol.
    pub const fn opponent(self) -> Symbol {
        match self {
            Symbol::X => Symbol::O,
            Symbol::O => Symbol::X,
        }
    }

    /// Returns the seat that plays the symbol.
    pub const fn seat(self) -> Seat {
        match self {
            Symbol::X => Seat::FIRST,
            Symbol::O => Seat::SECOND,
        }
    }

    /// Returns `X` or `O`.
    pub const fn letter(self) -> char {
        match self {
            Symbol::X => 'X',
            Symbol::O => 'O',
        }
    }
}

/// The symbol of a seat in a two-player game.
impl From<Seat> for Symbol {
    fn from(seat: Seat) -> Symbol {
        if seat == Seat::FIRST { Symbol::X } else { Symbol::O }
    }
}

impl fmt::Display for Symbol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.letter())
    }
}

/// Parses a grid of `-`, `X` and `O`.
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

/// Writes a grid in the form that [`read_grid`] parses.
pub(super) fn write_grid(cells: &[Option<Symbol>]) -> String {
    cells.iter().map(|cell| cell.map_or('-', Symbol::letter)).collect()
}
