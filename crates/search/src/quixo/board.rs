//! Packed boards: the dice as two sets of places, with pushes as bit shifts.

use super::mask::{BoardLine, Mask};
use crate::bits::GOLDEN;
use quadrille_rules::Symbol;
use quadrille_rules::quixo::{Place, Push, Quixo};
use std::ops::BitOr;

/// The dice, from the view of the seat to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Board<M> {
    /// The places of dice with the symbol of the seat to move.
    pub own: M,
    /// The places of dice with the other symbol.
    pub other: M,
}

impl<M: Mask> Board<M> {
    /// Packs a position, from the view of the seat with the symbol `mover`.
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

    /// Returns the board from the view of the other seat.
    pub const fn turned(self) -> Board<M> {
        Board { own: self.other, other: self.own }
    }

    /// Returns a hash of all dice. Its upper bits are mixed best.
    pub fn hash(self) -> u64 {
        let sum = self.own.mix().rotate_left(23) ^ self.other.mix();
        (sum ^ sum >> 29).wrapping_mul(GOLDEN)
    }
}

/// The result of a finished game, from the view of the seat that would move next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoardEnd {
    /// Only the seat's own symbol has a line.
    Won,
    /// Only the other symbol has a line.
    Lost,
    /// Both symbols have a line.
    Drawn,
}

/// A push, prepared as operations on masks.
#[derive(Clone, Copy, Debug)]
pub struct Slide<M> {
    /// The push as a move of the game.
    pub push: Push,
    /// The place of the die taken.
    pub from: M,
    to: M,
    /// The place next to `from`, on the side away from `to`, if that place is also on the rim. Taking the die there and
    /// pushing it in at `to` moves the same dice, and also the die at `from`.
    beside: M,
    /// The places that the push does not change.
    still: M,
    /// The places of the moving dice before the push.
    before: M,
    /// The places of the moving dice after the push.
    after: M,
    /// The number of bits by which the dice move.
    by: i32,
}

impl<M: Mask> Slide<M> {
    fn new(size: u8, push: Push) -> Slide<M> {
        let index = |place: Place| place.row as usize * size as usize + place.col as usize;
        let (from, to) = (index(push.from), index(push.to));
        let step = if push.from.row == push.to.row { 1 } else { size as usize };
        let [low, high] = [from.min(to), from.max(to)];
        let span = (low..=high).step_by(step).map(M::place).fold(M::NONE, BitOr::bitor);
        let last = size - 1;
        let is_rim_line = if push.from.row == push.to.row {
            push.from.row == 0 || push.from.row == last
        } else {
            push.from.col == 0 || push.from.col == last
        };
        let on_rim = |place: Place| place.row <= last && place.col <= last && is_rim_line;
        let beside = Place {
            row: push.from.row.wrapping_add_signed(away(push.from.row, push.to.row)),
            col: push.from.col.wrapping_add_signed(away(push.from.col, push.to.col)),
        };
        let beside = if on_rim(beside) { M::place(index(beside)) } else { M::NONE };
        let (from, to, step) = (M::place(from), M::place(to), step as i32);
        Slide {
            push,
            from,
            to,
            beside,
            still: !span,
            before: span & !from,
            after: span & !to,
            // The dice close the gap left by the die taken.
            by: if span & !from == (span & !to).moved(step) { -step } else { step },
        }
    }

    /// Returns whether the push is legal for the seat to move.
    pub fn is_legal(&self, board: Board<M>) -> bool {
        !self.from.intersects(board.other)
    }

    /// Returns whether taking the die at `beside` instead leads to the same board.
    pub fn has_twin(&self, board: Board<M>) -> bool {
        self.beside != M::NONE
            && !self.beside.intersects(board.other)
            && self.beside.intersects(board.own) == self.from.intersects(board.own)
    }

    fn span(&self) -> M {
        !self.still
    }

    /// Returns the board after the push, from the view of the other seat.
    pub fn play(&self, board: Board<M>) -> Board<M> {
        let moved = |dice: M| (dice & self.still) | (dice & self.before).moved(self.by);
        Board { own: moved(board.other), other: moved(board.own) | self.to }
    }

    /// Returns the boards from which this push leads to `board`: one on which the taken die was blank, and one on which
    /// it showed the symbol of the seat that pushed. Does not check whether the game was already over on these boards.
    /// `None` if this push never leads to `board`.
    pub fn origins(&self, board: Board<M>) -> Option<[Board<M>; 2]> {
        let back = |dice: M| (dice & self.still) | (dice & self.after).moved(-self.by);
        self.to.intersects(board.other).then(|| {
            let (own, other) = (back(board.other), back(board.own));
            [Board { own, other }, Board { own: own | self.from, other }]
        })
    }
}

/// Returns the step of one coordinate from `from` that leads away from `to`: 1, -1 or 0.
const fn away(from: u8, to: u8) -> i8 {
    if from > to {
        1
    } else if from < to {
        -1
    } else {
        0
    }
}

/// The constants of a board size.
#[derive(Clone, Debug)]
pub struct Geometry<M> {
    /// The number of dice in a row.
    pub size: u8,
    /// Every push, in the order in which the rules list the legal moves.
    pub slides: Vec<Slide<M>>,
    /// Rows, columns and diagonals.
    pub lines: Vec<BoardLine<M>>,
    /// For every place, the indices of the slides that can change it.
    changing: Vec<Vec<u16>>,
    /// Shifts, in places, by which a set is moved and intersected with itself in turn. After the last shift, the set
    /// contains the places at which a complete row (or column) begins.
    folds: Vec<i32>,
    /// The places where rows begin, and the places where columns begin.
    starts: [M; 2],
    diagonals: [M; 2],
}

impl<M: Mask> Geometry<M> {
    /// Prepares the geometry for the size of a position's board, which must have no more places than the mask has bits.
    pub fn new(position: &Quixo) -> Geometry<M> {
        let size = position.size();
        let n = size as usize;
        let slides: Vec<Slide<M>> = position
            .rim()
            .into_iter()
            .flat_map(|from| position.ends(from).map(move |to| Push { from, to }))
            .map(|push| Slide::new(size, push))
            .collect();
        let numbered = || (0_u16..).zip(&slides);
        let change = |place| numbered().filter(move |(_, slide)| slide.span().intersects(place));
        let changing = (0..n * n)
            .map(|place| change(M::place(place)).map(|(number, _)| number).collect())
            .collect();
        let line = |start: usize, step: usize| {
            (0..n).map(|i| M::place(start + i * step)).fold(M::NONE, BitOr::bitor)
        };
        let diagonals = [line(0, n + 1), line(n - 1, n - 1)];
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
            lines: BoardLine::all(size),
            changing,
            folds,
            starts: [line(0, n), line(0, 1)],
            diagonals,
        }
    }

    /// Returns whether the set contains a whole line.
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

    /// Returns the result for the seat to move, if the game is over.
    pub fn end(&self, board: Board<M>) -> Option<BoardEnd> {
        match (self.has_line(board.own), self.has_line(board.other)) {
            (false, false) => None,
            (true, false) => Some(BoardEnd::Won),
            (false, true) => Some(BoardEnd::Lost),
            (true, true) => Some(BoardEnd::Drawn),
        }
    }

    /// Returns the index of a push that wins at once for the seat to move: it completes a line of that seat's symbol,
    /// and no line of the other symbol.
    pub fn winning(&self, board: Board<M>) -> Option<u16> {
        // A push adds at most one die of a symbol to a line. Only lines that lack a single die can therefore be
        // completed, by a push that changes the place of that die.
        let missing = self.lines.iter().filter_map(|line| (line.places & !board.own).sole());
        missing.flat_map(|place| &self.changing[place]).copied().find(|&number| {
            let slide = &self.slides[number as usize];
            slide.is_legal(board) && self.end(slide.play(board)) == Some(BoardEnd::Lost)
        })
    }

    /// Returns the legal pushes.
    pub fn legal(&self, board: Board<M>) -> impl Iterator<Item = &Slide<M>> {
        self.slides.iter().filter(move |slide| slide.is_legal(board))
    }
}
