//! What a search has found out about boards, to be looked up when they come again.

use super::board::{Board, Mask};
use crate::search::Control;
use crate::search::room::{self, Refused};

/// A transposition table. What it holds is true of a board however it was reached, since the search
/// takes no notice of the way; a board is told from others by all its dice, not by a hash.
///
/// Two slots stand together: one keeps what was searched deepest, the other what came last.
#[derive(Debug)]
pub struct Memo<M> {
    slots: Vec<Slot<M>>,
}

/// What is known of a board.
#[derive(Clone, Copy, Debug)]
pub struct Slot<M> {
    board: Board<M>,
    /// The score found.
    pub score: i32,
    /// In which way it bounds the true one.
    pub bound: Bound,
    /// How many plies were searched; 0 in an empty slot.
    pub depth: u8,
    /// Which slide was best.
    pub best: u16,
}

/// How a score found bounds the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// It is the true one.
    Exact,
    /// The true one is no less.
    Lower,
    /// The true one is no more.
    Upper,
}

impl<M> Default for Memo<M> {
    fn default() -> Memo<M> {
        Memo { slots: Vec::new() }
    }
}

impl<M: Mask> Memo<M> {
    const EMPTY: Slot<M> = Slot {
        board: Board { own: M::NONE, other: M::NONE },
        score: 0,
        bound: Bound::Exact,
        depth: 0,
        best: 0,
    };

    /// Bytes it takes.
    pub fn bytes(&self) -> usize {
        self.slots.capacity() * size_of::<Slot<M>>()
    }

    /// Grows to hold about so many boards in no more than `most` bytes, while old and new slots
    /// stand side by side too. It stays as it is where there is no time.
    pub fn grow<P>(
        &mut self,
        boards: u64,
        most: usize,
        control: &Control<'_, P>,
    ) -> Result<(), Refused> {
        let fits = most / size_of::<Slot<M>>() * 2 / 3;
        let most = if fits < 2 { 0 } else { 1 << fits.ilog2() };
        if self.slots.len() > most {
            self.slots = Vec::new();
        }
        let wanted = (boards.clamp(1 << 10, 1 << 40) as usize).next_power_of_two().min(most);
        let mut slots = Vec::new();
        if wanted <= self.slots.len() {
            return Ok(());
        }
        room::reserve(&mut slots, wanted)?;
        while slots.len() < wanted {
            if control.halt().is_some() {
                return Ok(());
            }
            slots.resize((slots.len() + (1 << 14)).min(wanted), Self::EMPTY);
        }
        let old = std::mem::replace(&mut self.slots, slots);
        for known in old.chunks(1 << 12) {
            if control.halt().is_some() {
                return Ok(());
            }
            for slot in known.iter().filter(|slot| slot.depth > 0) {
                self.keep(*slot);
            }
        }
        Ok(())
    }

    fn at(&self, board: Board<M>) -> Option<usize> {
        // An even place; the length is a power of two.
        Some((board.hash() >> 20) as usize & self.slots.len().checked_sub(2)?)
    }

    /// What is known of the board.
    pub fn get(&self, board: Board<M>) -> Option<&Slot<M>> {
        let pair = self.slots.get(self.at(board)?..)?.iter().take(2);
        pair.into_iter().find(|slot| slot.depth > 0 && slot.board == board)
    }

    /// Keeps what was found by a search of `depth` plies, at least 1.
    pub fn put(&mut self, board: Board<M>, depth: u8, score: i32, bound: Bound, best: u16) {
        self.keep(Slot { board, score, bound, depth, best });
    }

    fn keep(&mut self, slot: Slot<M>) {
        let Some(at) = self.at(slot.board) else { return };
        if let [deep, last] = &mut self.slots[at..at + 2] {
            if slot.board == deep.board || slot.depth >= deep.depth {
                if slot.board != deep.board {
                    *last = *deep;
                }
                *deep = slot;
            } else {
                *last = slot;
            }
        }
    }
}
