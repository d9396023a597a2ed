//! The worth of every board of up to 4 × 4 dice, a byte each.

use super::board::{Board, End, Geometry};
use super::index::Index;
use crate::rules::quixo::Quixo;
use crate::search::room::{self, Refused};

/// The worth of a board to the seat to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Worth {
    /// It wins after this many plies.
    Won(u8),
    /// Neither wins.
    Drawn,
    /// It loses after this many plies.
    Lost(u8),
}

impl Worth {
    /// 1, 0 or -1.
    pub const fn value(self) -> i32 {
        match self {
            Worth::Won(_) => 1,
            Worth::Drawn => 0,
            Worth::Lost(_) => -1,
        }
    }

    /// The plies to the end, where there is one.
    pub const fn plies(self) -> Option<u32> {
        match self {
            Worth::Won(plies) | Worth::Lost(plies) => Some(plies as u32),
            Worth::Drawn => None,
        }
    }

    /// What a push is worth that leads to a board of this worth.
    pub const fn before(self) -> Worth {
        match self {
            Worth::Won(plies) => Worth::Lost(plies + 1),
            Worth::Drawn => Worth::Drawn,
            Worth::Lost(plies) => Worth::Won(plies + 1),
        }
    }

    /// The greater the better: fast wins, slow ones, draws, slow losses, fast ones.
    pub const fn rank(self) -> i32 {
        match self {
            Worth::Won(plies) => 1000 - plies as i32,
            Worth::Drawn => 0,
            Worth::Lost(plies) => plies as i32 - 1000,
        }
    }
}

impl From<End> for Worth {
    fn from(end: End) -> Worth {
        match end {
            End::Won => Worth::Won(0),
            End::Drawn => Worth::Drawn,
            End::Lost => Worth::Lost(0),
        }
    }
}

/// What is known of a board: a kind in the upper two bits, and in the lower six the plies to the
/// end or, while nothing is known, a number for the [`Solver`](super::retrograde::Solver) to keep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Cell(pub u8);

impl Cell {
    const LOW: u8 = 0x3f;
    const DRAWN: u8 = 0x40;
    const WON: u8 = 0x80;
    const LOST: u8 = 0xc0;

    /// The cell of a board whose worth is known.
    pub const fn known(worth: Worth) -> Cell {
        match worth {
            Worth::Won(plies) => Cell(Cell::WON | plies),
            Worth::Drawn => Cell(Cell::DRAWN),
            Worth::Lost(plies) => Cell(Cell::LOST | plies),
        }
    }

    /// What is known.
    pub const fn worth(self) -> Option<Worth> {
        let plies = self.0 & Cell::LOW;
        match self.0 & !Cell::LOW {
            Cell::WON => Some(Worth::Won(plies)),
            Cell::LOST => Some(Worth::Lost(plies)),
            Cell::DRAWN => Some(Worth::Drawn),
            _ => None,
        }
    }
}

/// The boards of one size and their cells.
pub struct Table {
    /// How dice are pushed.
    pub(super) geometry: Geometry<u64>,
    /// Which cell is whose.
    pub(super) index: Index,
    pub(super) cells: Vec<u8>,
}

/// How many boards are won, lost and drawn for the seat to move, those on which the game is over
/// among them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Census {
    /// Boards won.
    pub won: u64,
    /// Boards lost.
    pub lost: u64,
    /// Boards drawn.
    pub drawn: u64,
    /// The most plies to a forced end.
    pub longest: u32,
}

/// Grows with every change of the rules, of [`Cell`] or of [`Index`].
const VERSION: u8 = 1;

impl Table {
    /// The largest size there is a table for.
    pub const LARGEST: u8 = 4;

    /// A table of this position's size in which nothing is known, if there is room to solve it.
    pub(super) fn blank(position: &Quixo) -> Result<Table, Refused> {
        room::ask(Table::needs(position.size()))?;
        let index = Index::new(position.size());
        let cells = vec![0; index.len()];
        Ok(Table { geometry: Geometry::new(position), index, cells })
    }

    /// Bytes that the table of a size takes, and the solving of it, or a little more.
    pub const fn needs(size: u8) -> usize {
        match size {
            0..=3 => 128 << 10,
            _ => 10 << 20,
        }
    }

    /// Bytes it takes.
    pub fn bytes(&self) -> usize {
        self.cells.len() + self.index.bytes()
    }

    /// What the board is worth to the seat to move.
    pub fn worth(&self, board: Board<u64>) -> Worth {
        // What is not known in a finished table is not there.
        Cell(self.cells[self.index.number(board)]).worth().unwrap_or(Worth::Drawn)
    }

    /// Counts all boards.
    pub fn census(&self) -> Census {
        let mut census = Census::default();
        for set in self.index.sets() {
            let orbit = self.index.orbit(set);
            for (_, board) in self.index.boards(set) {
                let worth = self.worth(board);
                *match worth {
                    Worth::Won(_) => &mut census.won,
                    Worth::Lost(_) => &mut census.lost,
                    Worth::Drawn => &mut census.drawn,
                } += orbit;
                census.longest = census.longest.max(worth.plies().unwrap_or(0));
            }
        }
        census
    }

    /// The table as bytes to keep: `quixo`, the version and the size, the cells, and the CRC-32 of
    /// all that as four bytes, the lowest first.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = self.head().to_vec();
        bytes.extend_from_slice(&self.cells);
        let sum = crc32fast::hash(&bytes);
        bytes.extend_from_slice(&sum.to_le_bytes());
        bytes
    }

    /// Takes over kept bytes, if they are whole and of this version and size; says whether.
    pub(super) fn take(&mut self, bytes: &[u8]) -> bool {
        let whole = bytes.split_last_chunk().and_then(|(kept, sum)| {
            let cells = kept.strip_prefix(&self.head())?;
            (crc32fast::hash(kept).to_le_bytes() == *sum).then_some(cells)
        });
        let cells = whole.filter(|cells| cells.len() == self.cells.len());
        if let Some(cells) = cells {
            self.cells.copy_from_slice(cells);
        }
        cells.is_some()
    }

    const fn head(&self) -> [u8; 7] {
        [b'q', b'u', b'i', b'x', b'o', VERSION, self.geometry.size]
    }
}
