//! The census of a game: the different positions that can be reached from its start.
//!
//! A position here is the board and whose turn it is. Positions that differ only in their scores are one.
//! The plies are walked one after the other, so a position that can be reached in several ways is counted
//! at the earliest ply.
//!
//! Positions are kept and compared in full, not by their hashes, so the counts are exact.
//!
//! A game's [`Symmetry`] says what tells its positions apart, and which are the same up to symmetry; a board of `Cells` only says where its cells lie. Keys are packed and kept in
//! full, and nothing is stored beside them (`KeySet`): a position that is still to be expanded is a move and the number
//! of its parent, and is reached again by playing. In a game with scores the census also walks positions with their
//! scores, to count how finished boards can end.

mod cells;
mod key_set;

pub(crate) use cells::turned;
pub use cells::{Cell, Cells, Runs};

use super::{Control, Halt, Report, memory};
use key_set::KeySet;
use quadrille_rules::{Position, Scores, Seat};
use serde::Serialize;
use std::collections::BTreeMap;
use std::ops::AddAssign;

/// How a census tells the positions of a game apart.
pub trait Symmetry<G> {
    /// Appends the board as bytes. Two positions with the same seat to move must have the same bytes if
    /// they differ in nothing but their scores, and only then.
    fn form(&mut self, position: &G, out: &mut Vec<u8>);

    /// Appends bytes that a position shares with its images under the symmetries of the board, and with no
    /// other position. The seats are not exchanged: a symmetry keeps whose turn it is.
    fn class(&mut self, position: &G, out: &mut Vec<u8>);

    /// About how many bytes of memory it keeps.
    fn bytes(&self) -> usize {
        0
    }
}

/// How many positions there are.
#[derive(Serialize, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    /// All of them.
    pub positions: u64,
    /// The same, but positions that are equal up to a symmetry of the board count once.
    pub classes: u64,
}

impl AddAssign for Count {
    fn add_assign(&mut self, other: Count) {
        self.positions += other.positions;
        self.classes += other.classes;
    }
}

/// How a game can end: who wins, and with which scores.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct End {
    /// The seats that win, in order; several share the win.
    pub winners: Vec<Seat>,
    /// The points of each seat, or `None` in a game that keeps no score.
    pub scores: Option<Scores>,
}

/// The counts of a [`census`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Census {
    /// The positions by the ply at which they are first reached. Only plies that were counted in full.
    pub plies: Vec<Count>,
    /// The positions at which a seat is to move.
    pub unfinished: Count,
    /// The positions at which the game is over, by how it ends. In a game with scores a board that can be
    /// reached with several scores counts once for each, so there may be more of these than boards.
    pub ends: BTreeMap<End, Count>,
    /// Why the count stopped early, if it did.
    pub halt: Option<Halt>,
    /// The memory that it took, in bytes.
    pub bytes: usize,
}

impl Census {
    /// All positions.
    pub fn total(&self) -> Count {
        let mut total = Count::default();
        self.plies.iter().for_each(|&count| total += count);
        total
    }

    /// The positions at which the game is over, each counted once. In a game with scores there may be more
    /// [`ends`](Census::ends).
    pub fn over(&self) -> Count {
        let Count { positions, classes } = self.total();
        let open = self.unfinished;
        Count { positions: positions - open.positions, classes: classes - open.classes }
    }
}

/// Counts over all order types of a number of points, where positions that are equal up to relabelling count once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OrderTypes {
    /// Equal means that every three points run the same way round, or every three the other way round.
    pub by_turns: OrderTypeCount,
    /// Equal means that the same lines cross. That is all that matters to the rules.
    pub by_crossings: OrderTypeCount,
}

/// What was counted over all order types.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OrderTypeCount {
    /// The positions with all points present, for each order type those that no order type before it has.
    pub with_all: Vec<u64>,
    /// The positions with fewer points. Several order types may lead to the same ones.
    pub with_fewer: u64,
}

/// Counts the positions that can be reached from `start`, with `start` itself. It stops early when the
/// control says so, or when it would take more memory than the control allows. Then the ply that it was
/// counting is left out.
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

/// How many positions are looked at from one check of the control to the next.
const HALT_INTERVAL: u64 = 1 << 10;
/// How many positions are counted between two reports.
const NEWS: u64 = 1 << 14;

/// A position, stored as the number of the one before it and the move from there. Numbers are indices in
/// `Walk::nodes`, and the start is its own parent.
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
    /// The unfinished positions, in the order in which they were found.
    nodes: Vec<CensusNode<G::Move>>,
    /// Four sets of what was seen: positions; their classes; positions with scores, in a game that has some; classes
    /// of finished positions with their scores.
    positions: KeySet,
    classes: KeySet,
    with_scores: KeySet,
    ends: KeySet,
    /// The ply that is counted now.
    ply: u32,
    /// How many positions were looked at; a position counts again each time it is reached.
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

    fn run(&mut self, census: &mut Census) -> Result<(), Halt> {
        let mut ply = Ply::default();
        let start = self.start.clone();
        self.find(&start, 0, None, &mut ply)?;
        let mut begin = 0;
        let mut moves = Vec::new();
        // The last parent, with its number. Children of one parent follow one another, so it is seldom replaced.
        let mut parent = (0, start);
        loop {
            census.unfinished += ply.unfinished;
            for (end, count) in std::mem::take(&mut ply.ends) {
                *census.ends.entry(end).or_default() += count;
            }
            // A board may come again at a later ply with other scores. It counts at the earlier one.
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
                position.legal_moves(&mut moves);
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

    /// Counts a position if it is new. If it is unfinished, the walk will continue from it.
    fn find(
        &mut self,
        position: &G,
        parent: usize,
        mv: Option<G::Move>,
        ply: &mut Ply,
    ) -> Result<(), Halt> {
        self.looked += 1;
        if self.looked.is_multiple_of(HALT_INTERVAL) {
            if let Some(halt) = self.control.halt() {
                return Err(halt);
            }
            if self.looked.is_multiple_of(NEWS) {
                let (depth, nodes) = (self.ply, self.positions.len());
                self.control.send_report(&Report { depth, nodes, ..Report::default() });
            }
        }
        let mut key = std::mem::take(&mut self.key);
        let found = self.note(position, &mut key, ply);
        self.key = key;
        if found? && position.to_move().is_some() {
            let parent = u32::try_from(parent).map_err(|_| Halt::Memory)?;
            if self.nodes.len() == self.nodes.capacity() {
                // While the vector is moved, its old and its new memory are both in use.
                let more = (self.nodes.len() / 2).max(1 << 10);
                let bytes = (self.nodes.len() + more) * size_of::<CensusNode<G::Move>>();
                if bytes > self.left() {
                    return Err(Halt::Memory);
                }
                memory::reserve(&mut self.nodes, more)?;
            }
            self.nodes.push(CensusNode { parent, mv });
        }
        Ok(())
    }

    /// Counts a position if it is new. Returns whether it is new together with its scores.
    fn note(&mut self, position: &G, key: &mut Vec<u8>, ply: &mut Ply) -> Result<bool, Halt> {
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

    /// The memory in use, in bytes.
    fn bytes(&self) -> usize {
        let sets = [&self.positions, &self.classes, &self.with_scores, &self.ends];
        let nodes = self.nodes.capacity() * size_of::<CensusNode<G::Move>>();
        sets.map(KeySet::bytes).iter().sum::<usize>() + nodes + self.forms.bytes()
    }

    /// How many more bytes of memory it may take.
    fn left(&self) -> usize {
        self.control.limits.memory.saturating_sub(self.bytes())
    }
}

/// Begins a key with whose turn it is. Its first byte is never 0.
fn begin(key: &mut Vec<u8>, turn: Option<Seat>) {
    key.clear();
    key.push(turn.map_or(1, |seat| seat.index() as u8 + 2));
}

/// Adds scores to a key, small ones as one byte. Different lists of the same length have different bytes.
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
