//! The census of a game: a count of the distinct positions reachable from its start.
//!
//! Here, a position is the board and the seat to move; positions that differ only in their scores count as one. The
//! walk is breadth-first, ply by ply, so a position that can be reached in several ways is counted at its earliest ply.
//!
//! Positions are stored and compared in full instead of by hash, so the counts are exact.
//!
//! A game's [`Symmetry`] defines which positions are distinct, and which are equal up to symmetry; for a board of
//! `Cells` it only lists the places of the cells. Keys are packed and stored in full without overhead (`KeySet`). A
//! position still to be expanded is stored as a move and the number of its parent, and is reconstructed by playing the
//! moves. In a game with scores, the census also walks positions with their scores, to count the possible final scores.

mod cells;
mod key_set;

pub(crate) use cells::turned;
pub use cells::{Cell, Cells, Runs};

use super::{Control, Report, StopReason, memory};
use key_set::KeySet;
use quadrille_rules::{Position, Scores, Seat};
use serde::Serialize;
use std::collections::BTreeMap;
use std::ops::AddAssign;

/// Defines which positions of a game are distinct.
pub trait Symmetry<G> {
    /// Appends the board as bytes. Two positions with the same seat to move must have the same bytes if and only if
    /// they differ at most in their scores.
    fn form(&mut self, position: &G, out: &mut Vec<u8>);

    /// Appends bytes that identify the position up to the symmetries of the board. A symmetry never exchanges the
    /// seats, so the seat to move stays the same.
    fn class(&mut self, position: &G, out: &mut Vec<u8>);

    /// Returns the approximate memory use in bytes.
    fn bytes(&self) -> usize {
        0
    }
}

/// The number of positions, with and without symmetry.
#[derive(Serialize, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    /// The number of positions.
    pub positions: u64,
    /// The number of positions up to symmetries of the board.
    pub classes: u64,
}

impl AddAssign for Count {
    fn add_assign(&mut self, other: Count) {
        self.positions += other.positions;
        self.classes += other.classes;
    }
}

/// A way for a game to end: the winners and the scores.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct End {
    /// The winning seats, in order; several seats share the win.
    pub winners: Vec<Seat>,
    /// The points of each seat, or `None` in a game without scores.
    pub scores: Option<Scores>,
}

/// The counts of a [`census`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Census {
    /// The positions by the ply at which they are first reached. Contains only plies that were counted in full.
    pub plies: Vec<Count>,
    /// The positions with a seat to move.
    pub unfinished: Count,
    /// The finished positions, by how the game ends. In a game with scores, a board that can be reached with several
    /// scores counts once for each, so the counts may add up to more than the number of boards.
    pub ends: BTreeMap<End, Count>,
    /// The reason why the count stopped early, if it did.
    pub halt: Option<StopReason>,
    /// The memory used, in bytes.
    pub bytes: usize,
}

impl Census {
    /// Returns the total count of positions.
    pub fn total(&self) -> Count {
        let mut total = Count::default();
        self.plies.iter().for_each(|&count| total += count);
        total
    }

    /// Returns the count of finished boards. In a game with scores, [`ends`](Census::ends) may add up to more.
    pub fn over(&self) -> Count {
        let Count { positions, classes } = self.total();
        let open = self.unfinished;
        Count { positions: positions - open.positions, classes: classes - open.classes }
    }
}

/// Counts over all order types of a number of points, up to relabeling of the points.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OrderTypes {
    /// Two positions are equal if every three points turn the same way, or if every three points turn the other way.
    pub by_turns: OrderTypeCount,
    /// Two positions are equal if the same lines cross, which is all that matters to the rules.
    pub by_crossings: OrderTypeCount,
}

/// The number of positions over all order types.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OrderTypeCount {
    /// The positions with all points present. For each order type, counts only positions that no earlier order type
    /// has.
    pub with_all: Vec<u64>,
    /// The positions with fewer points. Several order types may lead to the same position.
    pub with_fewer: u64,
}

/// Counts the positions reachable from `start`, including `start`. Stops early if the control says so, or if the count
/// would take more memory than the control allows; the unfinished ply is then left out.
pub fn census<G: Position>(
    start: G,
    forms: &mut dyn Symmetry<G>,
    control: &Control<'_, String>,
) -> Census {
    let mut walk = Walk::new(start, forms, control);
    let mut census = Census::default();
    census.halt = walk.run(&mut census).err();
    census.bytes = walk.bytes();
    census
}

/// Positions examined between checks of the control.
const HALT_INTERVAL: u64 = 1 << 10;
/// Positions counted between reports.
const REPORT_INTERVAL: u64 = 1 << 14;

/// A position, stored as the number of its parent and the move from there. Numbers are indices into `Walk::nodes`; the
/// start is its own parent.
#[derive(Clone, Copy)]
struct CensusNode<M> {
    parent: u32,
    mv: Option<M>,
}

/// The counts of one ply.
#[derive(Default)]
struct Ply {
    count: Count,
    unfinished: Count,
    ends: BTreeMap<End, Count>,
}

struct Walk<'a, G: Position> {
    start: G,
    forms: &'a mut dyn Symmetry<G>,
    control: &'a Control<'a, String>,
    /// The unfinished positions, in the order of discovery.
    nodes: Vec<CensusNode<G::Move>>,
    /// Four sets of visited items: positions; their classes; positions with scores, in a game with scores; classes of
    /// finished positions with their scores.
    positions: KeySet,
    classes: KeySet,
    with_scores: KeySet,
    ends: KeySet,
    /// The ply that is being counted.
    ply: u32,
    /// The number of positions examined; a position counts again each time it is reached.
    looked: u64,
    key: Vec<u8>,
}

impl<'a, G: Position> Walk<'a, G> {
    fn new(start: G, forms: &'a mut dyn Symmetry<G>, control: &'a Control<'a, String>) -> Self {
        Walk {
            start,
            forms,
            control,
            nodes: Vec::new(),
            positions: KeySet::default(),
            classes: KeySet::default(),
            with_scores: KeySet::default(),
            ends: KeySet::default(),
            ply: 0,
            looked: 0,
            key: Vec::new(),
        }
    }

    fn run(&mut self, census: &mut Census) -> Result<(), StopReason> {
        let mut ply = Ply::default();
        let start = self.start.clone();
        self.find(&start, 0, None, &mut ply)?;
        let mut begin = 0;
        let mut moves = Vec::new();
        // The last parent, with its number. Children of the same parent are adjacent, so the parent is seldom replaced.
        let mut parent = (0, start);
        loop {
            census.unfinished += ply.unfinished;
            for (end, count) in std::mem::take(&mut ply.ends) {
                *census.ends.entry(end).or_default() += count;
            }
            // A board may be reached again at a later ply with different scores. It counts at the earlier ply.
            if ply.count.positions > 0 {
                census.plies.push(ply.count);
            }
            ply = Ply::default();
            self.ply += 1;
            let layer = begin..self.nodes.len();
            if layer.is_empty() {
                return Ok(());
            }
            begin = layer.end;
            for number in layer {
                let CensusNode { parent: before, mv } = self.nodes[number];
                if parent.0 != before as usize {
                    parent = (before as usize, self.reach(before as usize));
                }
                let mut position = parent.1.clone();
                if let Some(mv) = mv {
                    let _ = position.play(mv);
                }
                moves.clear();
                position.append_legal_moves(&mut moves);
                for &mv in &moves {
                    let mut next = position.clone();
                    if next.play(mv).is_ok() {
                        self.find(&next, number, Some(mv), &mut ply)?;
                    }
                }
            }
        }
    }

    /// Plays from the start to a position.
    fn reach(&self, mut number: usize) -> G {
        let mut moves = Vec::new();
        while let CensusNode { parent, mv: Some(mv) } = self.nodes[number] {
            moves.push(mv);
            number = parent as usize;
        }
        let mut position = self.start.clone();
        for mv in moves.into_iter().rev() {
            let _ = position.play(mv);
        }
        position
    }

    /// Counts a position if it is new, and queues it if it is unfinished.
    fn find(
        &mut self,
        position: &G,
        parent: usize,
        mv: Option<G::Move>,
        ply: &mut Ply,
    ) -> Result<(), StopReason> {
        self.looked += 1;
        if self.looked.is_multiple_of(HALT_INTERVAL) {
            if let Some(halt) = self.control.halt() {
                return Err(halt);
            }
            if self.looked.is_multiple_of(REPORT_INTERVAL) {
                let (depth, nodes) = (self.ply, self.positions.len());
                self.control.send_report(&Report { depth, nodes, ..Report::default() });
            }
        }
        let mut key = std::mem::take(&mut self.key);
        let found = self.note(position, &mut key, ply);
        self.key = key;
        if found? && position.to_move().is_some() {
            let parent = u32::try_from(parent).map_err(|_| StopReason::MemoryLimit)?;
            if self.nodes.len() == self.nodes.capacity() {
                // While the vector is being moved, its old and its new memory are both in use.
                let more = (self.nodes.len() / 2).max(1 << 10);
                let bytes = (self.nodes.len() + more) * size_of::<CensusNode<G::Move>>();
                if bytes > self.left() {
                    return Err(StopReason::MemoryLimit);
                }
                memory::reserve(&mut self.nodes, more)?;
            }
            self.nodes.push(CensusNode { parent, mv });
        }
        Ok(())
    }

    /// Counts a position if it is new. Returns whether the combination of position and scores is new.
    fn note(&mut self, position: &G, key: &mut Vec<u8>, ply: &mut Ply) -> Result<bool, StopReason> {
        let turn = position.to_move();
        let scores = position.scores();
        begin(key, turn);
        self.forms.form(position, key);
        if let Some(scores) = &scores {
            let length = key.len();
            add(scores, key);
            let left = self.left();
            if !self.with_scores.insert(key, left)? {
                return Ok(false);
            }
            key.truncate(length);
        }
        let left = self.left();
        let is_new = self.positions.insert(key, left)?;
        if !is_new && (turn.is_some() || scores.is_none()) {
            return Ok(turn.is_some() && scores.is_some());
        }
        begin(key, turn);
        self.forms.class(position, key);
        if is_new {
            let left = self.left();
            let class = u64::from(self.classes.insert(key, left)?);
            let count = Count { positions: 1, classes: class };
            ply.count += count;
            if turn.is_some() {
                ply.unfinished += count;
            }
        }
        if turn.is_some() {
            return Ok(true);
        }
        if let Some(scores) = &scores {
            add(scores, key);
        }
        let left = self.left();
        let class = u64::from(self.ends.insert(key, left)?);
        let winners = position.outcome().map(|outcome| outcome.winners().collect());
        let end = End { winners: winners.unwrap_or_default(), scores };
        *ply.ends.entry(end).or_default() += Count { positions: 1, classes: class };
        Ok(true)
    }

    /// Returns the memory in use, in bytes.
    fn bytes(&self) -> usize {
        let sets = [&self.positions, &self.classes, &self.with_scores, &self.ends];
        let nodes = self.nodes.capacity() * size_of::<CensusNode<G::Move>>();
        sets.map(KeySet::bytes).iter().sum::<usize>() + nodes + self.forms.bytes()
    }

    /// Returns the number of bytes that the census may still allocate.
    fn left(&self) -> usize {
        self.control.limits.memory.saturating_sub(self.bytes())
    }
}

/// Begins a key with the seat to move. The first byte is never 0.
fn begin(key: &mut Vec<u8>, turn: Option<Seat>) {
    key.clear();
    key.push(turn.map_or(1, |seat| seat.index() as u8 + 2));
}

/// Appends scores to a key, small scores as one byte. Different lists of equal length have different bytes.
fn add(scores: &[u32], key: &mut Vec<u8>) {
    for &score in scores {
        match u8::try_from(score) {
            Ok(score) if score < u8::MAX => key.push(score),
            _ => {
                key.push(u8::MAX);
                key.extend(score.to_le_bytes());
            }
        }
    }
}
