//! The table of the values of all boards of up to 4 × 4 dice, one byte each.

use super::board::{Board, BoardEnd, Geometry};
use super::index::Index;
use crate::memory::{self, OutOfMemory};
use quadrille_rules::quixo::Quixo;

/// The value of a board for the seat to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BoardValue {
    /// The seat wins after this many plies; 0 if the game is over.
    Won(u8),
    /// Neither seat wins.
    Drawn,
    /// The seat loses after this many plies; 0 if the game is over.
    Lost(u8),
}

impl BoardValue {
    /// Returns 1 for a win, 0 for a draw, -1 for a loss.
    pub const fn outcome(self) -> i32 {
        match self {
            BoardValue::Won(_) => 1,
            BoardValue::Drawn => 0,
            BoardValue::Lost(_) => -1,
        }
    }

    /// Returns the number of plies to the end of the game; `None` for a draw.
    pub const fn plies(self) -> Option<u32> {
        match self {
            BoardValue::Won(plies) | BoardValue::Lost(plies) => Some(plies as u32),
            BoardValue::Drawn => None,
        }
    }

    /// Returns the value of a push that leads to a board with this value, for the seat that pushes.
    pub const fn for_parent(self) -> BoardValue {
        match self {
            BoardValue::Won(plies) => BoardValue::Lost(plies + 1),
            BoardValue::Drawn => BoardValue::Drawn,
            BoardValue::Lost(plies) => BoardValue::Won(plies + 1),
        }
    }

    /// Returns a number that is greater for better values: fast wins, then slow wins, draws, slow losses and fast
    /// losses.
    pub const fn rank(self) -> i32 {
        match self {
            BoardValue::Won(plies) => 1000 - plies as i32,
            BoardValue::Drawn => 0,
            BoardValue::Lost(plies) => plies as i32 - 1000,
        }
    }
}

impl From<BoardEnd> for BoardValue {
    fn from(end: BoardEnd) -> BoardValue {
        match end {
            BoardEnd::Won => BoardValue::Won(0),
            BoardEnd::Drawn => BoardValue::Drawn,
            BoardEnd::Lost => BoardValue::Lost(0),
        }
    }
}

/// An entry of the table: the result in the upper two bits, and the plies to the end in the lower six. Until the result
/// is known, the lower bits store the index of the push that the
/// [`RetrogradeSolver`](super::retrograde::RetrogradeSolver) watches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TableEntry(pub u8);

impl TableEntry {
    const LOW: u8 = 0x3f;
    const DRAWN: u8 = 0x40;
    const WON: u8 = 0x80;
    const LOST: u8 = 0xc0;

    /// Creates the entry of a board whose value is known.
    pub const fn known(value: BoardValue) -> TableEntry {
        match value {
            BoardValue::Won(plies) => TableEntry(TableEntry::WON | plies),
            BoardValue::Drawn => TableEntry(TableEntry::DRAWN),
            BoardValue::Lost(plies) => TableEntry(TableEntry::LOST | plies),
        }
    }

    /// Returns the value, if known.
    pub const fn value(self) -> Option<BoardValue> {
        let plies = self.0 & TableEntry::LOW;
        match self.0 & !TableEntry::LOW {
            TableEntry::WON => Some(BoardValue::Won(plies)),
            TableEntry::LOST => Some(BoardValue::Lost(plies)),
            TableEntry::DRAWN => Some(BoardValue::Drawn),
            _ => None,
        }
    }
}

/// The values of all boards of one size.
pub struct QuixoTable {
    /// The geometry of boards of this size.
    pub(super) geometry: Geometry<u64>,
    /// The index that numbers the boards.
    pub(super) index: Index,
    /// A [`TableEntry`] for each number.
    pub(super) entries: Vec<u8>,
}

/// The version of the file format. Increase it with every change of the rules, of [`TableEntry`] or of [`Index`].
const VERSION: u8 = 1;

impl QuixoTable {
    /// The largest size for which a table can be built.
    pub const MAX_SIZE: u8 = 4;

    /// Creates a table of this position's size in which no value is known. Fails if the system refuses to allocate the
    /// memory for solving it.
    pub(super) fn blank(position: &Quixo) -> Result<QuixoTable, OutOfMemory> {
        memory::check_available(QuixoTable::needs(position.size()))?;
        let index = Index::new(position.size());
        // Another thread may have allocated memory since the check.
        let mut entries = Vec::new();
        memory::reserve(&mut entries, index.len())?;
        entries.resize(index.len(), 0);
        Ok(QuixoTable { geometry: Geometry::new(position), index, entries })
    }

    /// Returns an upper bound on the number of bytes needed to solve a board of this size, including the table.
    pub const fn needs(size: u8) -> usize {
        match size {
            0..=3 => 128 << 10,
            _ => 10 << 20,
        }
    }

    /// Returns the size in bytes.
    pub fn bytes(&self) -> usize {
        self.entries.len() + self.index.bytes()
    }

    /// Returns the value of a board for the seat to move.
    pub fn value(&self, board: Board<u64>) -> BoardValue {
        // In a complete table every value is known.
        TableEntry(self.entries[self.index.number(board)]).value().unwrap_or(BoardValue::Drawn)
    }

    /// Returns the table as bytes to store: `quixo`, the version, the size, the entries, and the CRC-32 of all
    /// preceding bytes as four bytes, little-endian. Fails if the system refuses to allocate memory for them.
    pub fn to_bytes(&self) -> Result<Vec<u8>, OutOfMemory> {
        let mut bytes = Vec::new();
        memory::reserve(&mut bytes, self.head().len() + self.entries.len() + size_of::<u32>())?;
        bytes.extend_from_slice(&self.head());
        bytes.extend_from_slice(&self.entries);
        let sum = crc32fast::hash(&bytes);
        bytes.extend_from_slice(&sum.to_le_bytes());
        Ok(bytes)
    }

    /// Loads stored bytes if they are complete and have this version and size. Returns whether they were loaded.
    pub(super) fn take(&mut self, bytes: &[u8]) -> bool {
        let whole = bytes.split_last_chunk().and_then(|(kept, sum)| {
            let entries = kept.strip_prefix(&self.head())?;
            (crc32fast::hash(kept).to_le_bytes() == *sum).then_some(entries)
        });
        let entries = whole.filter(|entries| entries.len() == self.entries.len());
        if let Some(entries) = entries {
            self.entries.copy_from_slice(entries);
        }
        entries.is_some()
    }

    const fn head(&self) -> [u8; 7] {
        [b'q', b'u', b'i', b'x', b'o', VERSION, self.geometry.size]
    }
}
