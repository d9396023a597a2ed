//! All boards of up to 4 × 4 dice, solved by retrograde analysis.
//!
//! After Ken Thompson, *Retrograde analysis of certain endgames*, 1986. A marked die never becomes blank again, so
//! boards are divided into classes by the number of dice with each symbol, and the classes are solved from full boards
//! to empty ones. Since the seats take turns, the class with *m* own and *n* other dice is solved together with the
//! class with *n* own and *m* other dice. Positions can repeat within a class, so losses in 0, 1, 2 … plies are found
//! in turn. All boards that lead to a loss are wins. A board is lost if every push leads to a win for the opponent. For
//! each board, the solver watches one push that is not yet known to lose. Only if this push turns out to lose does the
//! solver look for another (as the literals of a clause are watched in Moskewicz and others, *Chaff: engineering an
//! efficient SAT solver*, 2001). Boards that are neither won nor lost in the end are drawn.
//!
//! Boards that are equal by symmetry share a number in the table. A few boards have several numbers: those whose set of
//! own dice is itself symmetric (see `index`). Each number is listed with one board.

use super::board::{Board, BoardEnd, Geometry, Slide};
use super::table::{BoardValue, QuixoTable, TableEntry};
use crate::OutOfMemory;
use quadrille_rules::quixo::Quixo;

/// Builds a table in steps.
pub struct RetrogradeSolver {
    table: QuixoTable,
    /// The classes left to solve, with the next class last: the number of dice with the rarer symbol, and the number
    /// with the other symbol.
    classes: Vec<[u32; 2]>,
    /// The sets of own dice in the current class that are still to be listed, each with the number of other dice.
    sets: Vec<(u16, u32)>,
    /// The boards of the current class that are not known to be won or lost.
    undecided: Vec<UndecidedBoard>,
    pass: Pass,
    /// The maximum number of plies to a forced end of any board so far.
    longest: u8,
    /// The number of solved boards.
    done: usize,
    /// Whether all boards are solved.
    complete: bool,
    lines: Lines,
}

/// The sets of dice that contain a line, with one bit for each set.
struct Lines(Vec<u64>);

impl Lines {
    fn new(geometry: &Geometry<u64>) -> Lines {
        let sets = 1 << u32::from(geometry.size).pow(2);
        let mut words = vec![0; usize::div_ceil(sets, 64)];
        for set in (0..sets).filter(|&set| geometry.has_line(set as u64)) {
            words[set / 64] |= 1 << (set % 64);
        }
        Lines(words)
    }

    #[inline]
    fn has_one(&self, set: u64) -> bool {
        self.0[set as usize / 64] >> (set % 64) & 1 == 1
    }

    /// Like [`Geometry::end`], but as a lookup.
    #[inline]
    fn end(&self, board: Board<u64>) -> Option<BoardEnd> {
        match (self.has_one(board.own), self.has_one(board.other)) {
            (false, false) => None,
            (true, false) => Some(BoardEnd::Won),
            (false, true) => Some(BoardEnd::Lost),
            (true, true) => Some(BoardEnd::Drawn),
        }
    }
}

/// One pass over all undecided boards, for losses in `plies` plies.
#[derive(Clone, Copy)]
struct Pass {
    plies: u8,
    /// Whether this pass has found a loss.
    found: bool,
    /// The number of boards examined.
    looked: usize,
    /// The number of examined boards that are still undecided; these have been moved to the front.
    stay: usize,
}

impl Pass {
    const fn new(plies: u8) -> Pass {
        Pass { plies, found: false, looked: 0, stay: 0 }
    }
}

/// A board that is not known to be won or lost.
#[derive(Clone, Copy)]
struct UndecidedBoard {
    own: u16,
    other: u16,
    /// One of the board's numbers in the table.
    number: u32,
}

impl UndecidedBoard {
    const fn board(self) -> Board<u64> {
        Board { own: self.own as u64, other: self.other as u64 }
    }
}

/// The number of boards examined in one step.
const STEP: usize = 1024;

impl RetrogradeSolver {
    /// Creates a solver for boards of this position's size, from 2 to 4. Fails if the system refuses to allocate memory
    /// for the table.
    pub fn new(position: &Quixo) -> Result<RetrogradeSolver, OutOfMemory> {
        let places = u32::from(position.size()).pow(2);
        let classes = (0..=places)
            .flat_map(|dice| (0..=dice / 2).map(move |fewer| [fewer, dice - fewer]))
            .collect();
        let table = QuixoTable::blank(position)?;
        Ok(RetrogradeSolver {
            lines: Lines::new(&table.geometry),
            table,
            classes,
            sets: Vec::new(),
            undecided: Vec::new(),
            pass: Pass::new(1),
            longest: 0,
            done: 0,
            complete: false,
        })
    }

    /// Loads the bytes of a stored table, if they contain a complete table of this size.
    pub fn load(&mut self, bytes: &[u8]) {
        self.complete |= self.table.take(bytes);
    }

    /// Returns the table, once it is complete.
    pub fn table(&self) -> Option<&QuixoTable> {
        self.complete.then_some(&self.table)
    }

    /// Returns the progress, from 0 to 1.
    pub fn progress(&self) -> f32 {
        self.done as f32 / self.table.entries.len() as f32
    }

    /// Returns the number of boards left to solve.
    pub fn left(&self) -> u64 {
        (self.table.entries.len() - self.done) as u64
    }

    /// Returns the size in bytes.
    pub fn bytes(&self) -> usize {
        self.table.bytes() + self.undecided.capacity() * size_of::<UndecidedBoard>()
    }

    /// Performs a step of less than a millisecond. Does nothing once the table is complete.
    pub fn step(&mut self) {
        if self.complete {
            return;
        }
        if let Some((set, others)) = self.sets.pop() {
            self.gather(set, others);
        } else if self.pass.looked < self.undecided.len() {
            self.settle();
        } else if self.pass.found || self.pass.plies <= self.longest {
            self.undecided.truncate(self.pass.stay);
            self.pass = Pass::new(self.pass.plies + 1);
        } else {
            self.done += self.undecided.len();
            for undecided in self.undecided.drain(..) {
                self.table.entries[undecided.number as usize] =
                    TableEntry::known(BoardValue::Drawn).0;
            }
            let Some([fewer, more]) = self.classes.pop() else {
                self.complete = true;
                return;
            };
            let has = |own| move |set: &u16| set.count_ones() == own;
            let index = &self.table.index;
            self.sets.extend(index.sets().filter(has(fewer)).map(|set| (set, more)));
            if fewer != more {
                self.sets.extend(index.sets().filter(has(more)).map(|set| (set, fewer)));
            }
            self.pass = Pass::new(1);
        }
    }

    /// Lists the boards with these own dice and this many other dice as undecided, unless the game is over or won at
    /// once.
    fn gather(&mut self, set: u16, others: u32) {
        let QuixoTable { geometry, index, entries } = &mut self.table;
        // The places of the own dice after a push do not depend on the opponent's dice. The opponent moves next on the
        // resulting board, so the own dice are in `other` there.
        let alone = Board { own: u64::from(set), other: 0 };
        let completes = |slide: &&Slide<u64>| self.lines.has_one(slide.play(alone).other);
        let completing: Vec<_> = geometry.slides.iter().filter(completes).collect();
        for (number, board) in index.boards(set) {
            if board.other.count_ones() != others {
                continue;
            }
            // A finished board has its value by the rules.
            let over = self.lines.end(board).map(BoardValue::from);
            let wins = |slide: &&Slide<u64>| {
                slide.is_legal(board) && !self.lines.has_one(slide.play(board).own)
            };
            let at_once = || completing.iter().any(wins).then_some(BoardValue::Won(1));
            let value = over.or_else(at_once);
            if let Some(value) = value {
                entries[number] = TableEntry::known(value).0;
                self.longest = self.longest.max(1);
                self.done += 1;
            } else if TableEntry(entries[number]).value().is_none() {
                self.undecided.push(UndecidedBoard {
                    own: set,
                    other: board.other as u16,
                    number: number as u32,
                });
            } else {
                self.done += 1;
            }
        }
    }

    /// Marks the boards that lead to a loss in this many plies as wins.
    fn mark(&mut self, lost: Board<u64>, plies: u8) {
        let QuixoTable { geometry, index, entries } = &mut self.table;
        let won = TableEntry::known(BoardValue::Won(plies + 1)).0;
        self.longest = self.longest.max(plies + 1);
        let origins = geometry.slides.iter().filter_map(|slide| slide.origins(lost)).flatten();
        // On a board with a line, the game is over.
        for origin in origins.filter(|&board| self.lines.end(board).is_none()) {
            for number in index.numbers(origin) {
                match TableEntry(entries[number]).value() {
                    Some(BoardValue::Won(known)) if known > plies + 1 => entries[number] = won,
                    Some(_) => (),
                    None => entries[number] = won,
                }
            }
        }
    }

    /// Checks some undecided boards for losses.
    fn settle(&mut self) {
        let until = self.undecided.len().min(self.pass.looked + STEP);
        for at in std::mem::replace(&mut self.pass.looked, until)..until {
            let undecided = self.undecided[at];
            let (board, number) = (undecided.board(), undecided.number as usize);
            let entry = TableEntry(self.table.entries[number]);
            if entry.value().is_some() {
                self.done += 1;
            // Until a board is decided, its entry is the index of the watched push.
            } else if let Some(watched) = self.watch(board, entry.0) {
                self.table.entries[number] = watched;
                self.undecided[self.pass.stay] = undecided;
                self.pass.stay += 1;
            } else {
                self.table.entries[number] = TableEntry::known(BoardValue::Lost(self.pass.plies)).0;
                self.done += 1;
                self.pass.found = true;
                self.longest = self.longest.max(self.pass.plies);
                self.mark(board, self.pass.plies);
            }
        }
    }

    /// Returns the index of the first push, from `first` on, that is not known to lose in the plies of this pass.
    fn watch(&self, board: Board<u64>, first: u8) -> Option<u8> {
        let QuixoTable { geometry, index, entries } = &self.table;
        let loses = |after: Board<u64>| match self.lines.end(after) {
            Some(end) => end == BoardEnd::Won,
            None => match TableEntry(entries[index.number(after)]).value() {
                Some(BoardValue::Won(plies)) => plies < self.pass.plies,
                _ => false,
            },
        };
        let slides = (first..).zip(&geometry.slides[first as usize..]);
        let mut holds =
            slides.filter(|(_, slide)| slide.is_legal(board) && !loses(slide.play(board)));
        holds.next().map(|(watched, _)| watched)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the numbers of won, lost and drawn boards for the seat to move, and the maximum number of plies to a
    /// forced end.
    fn counts(table: &QuixoTable) -> ([u64; 3], u32) {
        let (mut counts, mut longest) = ([0; 3], 0);
        for set in table.index.sets() {
            for (_, board) in table.index.boards(set) {
                let value = table.value(board);
                counts[[1, 2, 0][(value.outcome() + 1) as usize]] += table.index.orbit(set);
                longest = longest.max(value.plies().unwrap_or(0));
            }
        }
        (counts, longest)
    }

    fn solve(size: u8) -> RetrogradeSolver {
        let mut solver = RetrogradeSolver::new(&Quixo::new(size).unwrap()).unwrap();
        while solver.table().is_none() {
            solver.step();
        }
        solver
    }

    const EMPTY: Board<u64> = Board { own: 0, other: 0 };

    #[test]
    fn retrograde_solves_sizes_two_and_three() {
        assert_eq!(solve(2).table().unwrap().value(EMPTY), BoardValue::Won(3));
        let solver = solve(3);
        let table = solver.table().unwrap();
        assert_eq!(table.value(EMPTY), BoardValue::Won(7));
        assert_eq!(counts(table), ([12396, 6663, 624], 8));
    }

    #[test]
    #[ignore = "4 x 4 takes seconds; cargo test --release -- --ignored"]
    fn retrograde_solves_size_four() {
        let solver = solve(4);
        let table = solver.table().unwrap();
        assert_eq!(table.value(EMPTY), BoardValue::Won(23));
        assert_eq!(counts(table), ([25_979_709, 14_457_430, 2_609_582], 23));
    }
}
