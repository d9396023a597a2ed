//! The dice as two sets of places, and pushes as shifts of them.

use crate::rules::Symbol;
use crate::rules::quixo::{Place, Push, Quixo};
use std::fmt::Debug;
use std::hash::Hash;
use std::ops::{BitAnd, BitOr, Not};

/// A set of places, one bit each, row by row from the lowest bit.
pub trait Mask:
    Copy + Debug + Eq + Hash + BitAnd<Output = Self> + BitOr<Output = Self> + Not<Output = Self>
{
    /// No place.
    const NONE: Self;

    /// One place.
    fn place(index: usize) -> Self;
    /// All places moved this many on, or back where it is negative. What falls off either end may
    /// come back in at the other, or not.
    fn moved(self, by: i32) -> Self;
    /// How many places are in it.
    fn count(self) -> u32;
    /// A number in which all bits have a part, for a hash table.
    fn mix(self) -> u64;

    /// Whether any place is in both.
    fn meets(self, other: Self) -> bool {
        self & other != Self::NONE
    }
}

const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

/// Boards up to 8 × 8.
impl Mask for u64 {
    const NONE: u64 = 0;

    fn place(index: usize) -> u64 {
        1 << index
    }

    fn moved(self, by: i32) -> u64 {
        self.rotate_left(by as u32 % u64::BITS)
    }

    fn count(self) -> u32 {
        self.count_ones()
    }

    fn mix(self) -> u64 {
        (self ^ self >> 32).wrapping_mul(GOLDEN)
    }
}

/// Places of boards up to 26 × 26.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Wide([u64; 11]);

impl Wide {
    fn zip(self, other: Wide, bits: impl Fn(u64, u64) -> u64) -> Wide {
        Wide(std::array::from_fn(|i| bits(self.0[i], other.0[i])))
    }
}

impl BitAnd for Wide {
    type Output = Wide;

    fn bitand(self, other: Wide) -> Wide {
        self.zip(other, BitAnd::bitand)
    }
}

impl BitOr for Wide {
    type Output = Wide;

    fn bitor(self, other: Wide) -> Wide {
        self.zip(other, BitOr::bitor)
    }
}

impl Not for Wide {
    type Output = Wide;

    fn not(self) -> Wide {
        Wide(self.0.map(Not::not))
    }
}

impl Mask for Wide {
    const NONE: Wide = Wide([0; 11]);

    fn place(index: usize) -> Wide {
        let mut words = [0; 11];
        words[index / 64] = 1 << (index % 64);
        Wide(words)
    }

    fn moved(self, by: i32) -> Wide {
        let (words, bits) = (by.unsigned_abs() as usize / 64, by.unsigned_abs() % 64);
        let word = |index: Option<usize>| index.and_then(|i| self.0.get(i)).copied().unwrap_or(0);
        // The part of a word that comes from the one beyond; shifting by 64 has to give nothing.
        Wide(std::array::from_fn(|i| {
            if by < 0 {
                let beyond = word(Some(i + words + 1));
                word(Some(i + words)) >> bits | beyond.checked_shl(64 - bits).unwrap_or(0)
            } else {
                let beyond = word(i.checked_sub(words + 1));
                word(i.checked_sub(words)) << bits | beyond.checked_shr(64 - bits).unwrap_or(0)
            }
        }))
    }

    fn count(self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    fn mix(self) -> u64 {
        self.0.iter().fold(0, |sum: u64, word| (sum.rotate_left(5) ^ word).wrapping_mul(GOLDEN))
    }
}

/// The dice as whoever is to move sees them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Board<M> {
    /// Those that show the symbol of the seat to move.
    pub own: M,
    /// Those that show the other symbol.
    pub other: M,
}

impl<M: Mask> Board<M> {
    /// The board of a position, seen by whose symbol this is.
    pub fn of(position: &Quixo, mover: Symbol) -> Board<M> {
        let size = position.size();
        let mut board = Board { own: M::NONE, other: M::NONE };
        let places = Place::all(size, size);
        for (index, place) in places.enumerate() {
            match position.die(place) {
                Some(symbol) if symbol == mover => board.own = board.own | M::place(index),
                Some(_) => board.other = board.other | M::place(index),
                None => (),
            }
        }
        board
    }

    /// A number in which all dice have a part, for a hash table.
    pub fn hash(self) -> u64 {
        let sum = self.own.mix().rotate_left(23) ^ self.other.mix();
        (sum ^ sum >> 29).wrapping_mul(GOLDEN)
    }
}

/// How a game ends for the seat to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// Only its own symbol has a line.
    Won,
    /// Only the other symbol has one.
    Lost,
    /// Both have one.
    Drawn,
}

/// A push, as what it does to a set of places.
#[derive(Clone, Copy, Debug)]
pub struct Slide<M> {
    /// The push.
    pub push: Push,
    /// The place of the die taken.
    pub from: M,
    to: M,
    /// The places that stay as they are.
    still: M,
    /// The places whose dice move by one, before they do.
    before: M,
    /// The same, after they have.
    after: M,
    by: i32,
}

impl<M: Mask> Slide<M> {
    fn new(size: u8, push: Push) -> Slide<M> {
        let index = |place: Place| place.row as usize * size as usize + place.col as usize;
        let (from, to) = (index(push.from), index(push.to));
        let step = if push.from.row == push.to.row { 1 } else { size as usize };
        let [low, high] = [from.min(to), from.max(to)];
        let span = (low..=high).step_by(step).map(M::place).fold(M::NONE, BitOr::bitor);
        let (from, to, step) = (M::place(from), M::place(to), step as i32);
        Slide {
            push,
            from,
            to,
            still: !span,
            before: span & !from,
            after: span & !to,
            // The dice close up towards where the die was taken.
            by: if span & !from == (span & !to).moved(step) { -step } else { step },
        }
    }

    /// Whether the seat to move may push so.
    pub fn is_legal(&self, board: Board<M>) -> bool {
        !self.from.meets(board.other)
    }

    /// The board after the push, seen by the other seat.
    pub fn play(&self, board: Board<M>) -> Board<M> {
        let moved = |dice: M| (dice & self.still) | (dice & self.before).moved(self.by);
        Board { own: moved(board.other), other: moved(board.own) | self.to }
    }

    /// The boards on which this push leads to `board`: one on which the die taken was blank, one on
    /// which it showed the symbol of the seat that pushed. Whether a line stood there is not asked.
    pub fn origins(&self, board: Board<M>) -> Option<[Board<M>; 2]> {
        let back = |dice: M| (dice & self.still) | (dice & self.after).moved(-self.by);
        self.to.meets(board.other).then(|| {
            let (own, other) = (back(board.other), back(board.own));
            [Board { own, other }, Board { own: own | self.from, other }]
        })
    }
}

/// What is the same on all boards of one size.
#[derive(Clone, Debug)]
pub struct Geometry<M> {
    /// How many dice are in a row.
    pub size: u8,
    /// Every push, in the order of the legal moves of the rules.
    pub slides: Vec<Slide<M>>,
    /// Rows, columns and diagonals.
    pub lines: Vec<M>,
    /// By how many places to move a row or column over itself, time after time, so that a place
    /// is left in all copies only where a whole line begins.
    folds: Vec<i32>,
    /// Where rows begin, and columns.
    starts: [M; 2],
    diagonals: [M; 2],
}

impl<M: Mask> Geometry<M> {
    /// A board of `size` × `size`, at least 2, and no more places than fit in the mask.
    pub fn new(position: &Quixo) -> Geometry<M> {
        let size = position.size();
        let n = size as usize;
        let slides = position
            .rim()
            .into_iter()
            .flat_map(|from| position.ends(from).map(move |to| Push { from, to }))
            .map(|push| Slide::new(size, push))
            .collect();
        let line = |start: usize, step: usize| {
            (0..n).map(|i| M::place(start + i * step)).fold(M::NONE, BitOr::bitor)
        };
        let diagonals = [line(0, n + 1), line(n - 1, n - 1)];
        let rows = (0..n).map(|i| line(i * n, 1));
        let cols = (0..n).map(|i| line(i, n));
        let mut folds = Vec::new();
        let mut covered = 1;
        while covered < n {
            let by = covered.min(n - covered);
            folds.push(by as i32);
            covered += by;
        }
        Geometry {
            size,
            slides,
            lines: rows.chain(cols).chain(diagonals).collect(),
            folds,
            starts: [line(0, n), line(0, 1)],
            diagonals,
        }
    }

    /// Whether all dice of some line are in the set.
    pub fn has_line(&self, dice: M) -> bool {
        let [mut rows, mut cols] = [dice; 2];
        for &by in &self.folds {
            rows = rows & rows.moved(-by);
            cols = cols & cols.moved(-by * i32::from(self.size));
        }
        let [down, up] = self.diagonals;
        (rows & self.starts[0]) | (cols & self.starts[1]) != M::NONE
            || dice & down == down
            || dice & up == up
    }

    /// How the game has ended on this board for the seat to move, if it has.
    pub fn end(&self, board: Board<M>) -> Option<End> {
        match (self.has_line(board.own), self.has_line(board.other)) {
            (false, false) => None,
            (true, false) => Some(End::Won),
            (false, true) => Some(End::Lost),
            (true, true) => Some(End::Drawn),
        }
    }

    /// The legal pushes.
    pub fn legal(&self, board: Board<M>) -> impl Iterator<Item = &Slide<M>> {
        self.slides.iter().filter(move |slide| slide.is_legal(board))
    }
}
