//! Boards of up to 4 × 4 dice, solved once and for all.
//!
//! Retrograde analysis, after Ken Thompson, *Retrograde analysis of certain endgames*, 1986. No turn
//! makes a die blank again, so boards fall into classes by how many dice show each symbol, and the
//! classes are solved from full to empty; since seats take turns, the class of a own and b other
//! dice and that of b and a are solved as one. Inside it pushes go in circles, so losses in 0, 1,
//! 2 … plies are found in turn. A loss makes wins of all boards that lead to it. Whether all
//! pushes from a board lead to wins of the opponent is asked of one push until that one does, and
//! then of the next (as the literals of a clause are watched in Moskewicz and others, *Chaff:
//! engineering an efficient SAT solver*, 2001). What is neither won nor lost in the end is drawn.

use super::board::{Board, End, Geometry, Slide};
use super::table::{Cell, Table, Worth};
use crate::rules::quixo::Quixo;
use crate::search::Refused;

/// A table in the making.
pub struct Solver {
    table: Table,
    /// How many own and other dice there are in the classes left to solve, the next one last.
    classes: Vec<[u32; 2]>,
    /// What is left to look at of the present class: sets of own dice, with how many others.
    sets: Vec<(u16, u32)>,
    /// The boards of the present class that are neither won nor lost as far as is known.
    open: Vec<Open>,
    round: Round,
    /// The most plies to a forced end on any board so far.
    longest: u8,
    /// How many boards are done with.
    done: usize,
    /// Whether the table is whole.
    whole: bool,
    lines: Lines,
}

/// Which sets of dice have a line, a bit each.
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

    /// The same as [`Geometry::end`], looked up.
    #[inline]
    fn end(&self, board: Board<u64>) -> Option<End> {
        match (self.has_one(board.own), self.has_one(board.other)) {
            (false, false) => None,
            (true, false) => Some(End::Won),
            (false, true) => Some(End::Lost),
            (true, true) => Some(End::Drawn),
        }
    }
}

/// A look at all open boards for losses in so many plies.
#[derive(Clone, Copy)]
struct Round {
    plies: u8,
    /// Whether there was any.
    found: bool,
    /// How many boards have been looked at.
    looked: usize,
    /// How many of those are still open; they have been moved to the front.
    stay: usize,
}

impl Round {
    const fn new(plies: u8) -> Round {
        Round { plies, found: false, looked: 0, stay: 0 }
    }
}

/// A board that is neither won nor lost as far as is known.
#[derive(Clone, Copy)]
struct Open {
    own: u16,
    other: u16,
    /// Its number in the table.
    number: u32,
}

impl Open {
    const fn board(self) -> Board<u64> {
        Board { own: self.own as u64, other: self.other as u64 }
    }
}

/// How many boards are looked at in one step.
const STEP: usize = 1024;

impl Solver {
    /// Nothing is solved yet of the boards of this position's size, from 2 to [`Table::LARGEST`],
    /// if there is room for the table.
    pub fn new(position: &Quixo) -> Result<Solver, Refused> {
        let cells = u32::from(position.size()).pow(2);
        let classes = (0..=cells)
            .flat_map(|dice| (0..=dice / 2).map(move |fewer| [fewer, dice - fewer]))
            .collect();
        let table = Table::blank(position)?;
        Ok(Solver {
            lines: Lines::new(&table.geometry),
            table,
            classes,
            sets: Vec::new(),
            open: Vec::new(),
            round: Round::new(1),
            longest: 0,
            done: 0,
            whole: false,
        })
    }

    /// Takes over kept bytes instead of solving, if they were made of a whole table of this size.
    pub fn load(&mut self, bytes: &[u8]) {
        self.whole |= self.table.take(bytes);
    }

    /// The table, once it is whole.
    pub fn table(&self) -> Option<&Table> {
        self.whole.then_some(&self.table)
    }

    /// How much is done, from 0 to 1.
    pub fn progress(&self) -> f32 {
        self.done as f32 / self.table.cells.len() as f32
    }

    /// Bytes it takes.
    pub fn bytes(&self) -> usize {
        self.table.bytes() + self.open.capacity() * size_of::<Open>()
    }

    /// Works on for less than a millisecond, until the table is whole.
    pub fn step(&mut self) {
        if self.whole {
            return;
        }
        if let Some((set, others)) = self.sets.pop() {
            self.gather(set, others);
        } else if self.round.looked < self.open.len() {
            self.settle();
        } else if self.round.found || self.round.plies <= self.longest {
            self.open.truncate(self.round.stay);
            self.round = Round::new(self.round.plies + 1);
        } else {
            self.done += self.open.len();
            for open in self.open.drain(..) {
                self.table.cells[open.number as usize] = Cell::known(Worth::Drawn).0;
            }
            let Some([fewer, more]) = self.classes.pop() else {
                self.whole = true;
                return;
            };
            let has = |own| move |set: &u16| set.count_ones() == own;
            let index = &self.table.index;
            self.sets.extend(index.sets().filter(has(fewer)).map(|set| (set, more)));
            if fewer != more {
                self.sets.extend(index.sets().filter(has(more)).map(|set| (set, fewer)));
            }
            self.round = Round::new(1);
        }
    }

    /// Opens the boards with these own dice and so many others, but for those that are won already.
    fn gather(&mut self, set: u16, others: u32) {
        let Table { geometry, index, cells } = &mut self.table;
        // What a push makes of the own dice does not depend on the others.
        let alone = Board { own: u64::from(set), other: 0 };
        let completes = |slide: &&Slide<u64>| self.lines.has_one(slide.play(alone).other);
        let completing: Vec<_> = geometry.slides.iter().filter(completes).collect();
        for (number, board) in index.boards(set) {
            if board.other.count_ones() != others {
                continue;
            }
            // Whatever losses have made of a board that is over: nobody pushes there.
            let over = self.lines.end(board).map(Worth::from);
            let wins = |slide: &&Slide<u64>| {
                slide.is_legal(board) && !self.lines.has_one(slide.play(board).own)
            };
            let at_once = || completing.iter().any(wins).then_some(Worth::Won(1));
            let worth = over.or_else(at_once);
            if let Some(worth) = worth {
                cells[number] = Cell::known(worth).0;
                self.longest = self.longest.max(1);
                self.done += 1;
            } else if Cell(cells[number]).worth().is_none() {
                self.open.push(Open { own: set, other: board.other as u16, number: number as u32 });
            } else {
                self.done += 1;
            }
        }
    }

    /// A loss in so many plies makes wins of the boards that lead to it.
    fn mark(&mut self, lost: Board<u64>, plies: u8) {
        let Table { geometry, index, cells } = &mut self.table;
        let won = Cell::known(Worth::Won(plies + 1)).0;
        self.longest = self.longest.max(plies + 1);
        let origins = geometry.slides.iter().filter_map(|slide| slide.origins(lost)).flatten();
        // Where a line stands nobody pushes.
        for origin in origins.filter(|&board| self.lines.end(board).is_none()) {
            for number in index.numbers(origin) {
                match Cell(cells[number]).worth() {
                    Some(Worth::Won(known)) if known > plies + 1 => cells[number] = won,
                    Some(_) => (),
                    None => cells[number] = won,
                }
            }
        }
    }

    /// Looks at some open boards for losses.
    fn settle(&mut self) {
        let until = self.open.len().min(self.round.looked + STEP);
        for at in std::mem::replace(&mut self.round.looked, until)..until {
            let open = self.open[at];
            let (board, number) = (open.board(), open.number as usize);
            let cell = Cell(self.table.cells[number]);
            if cell.worth().is_some() {
                self.done += 1;
            } else if let Some(watched) = self.watch(board, cell.0) {
                self.table.cells[number] = watched;
                self.open[self.round.stay] = open;
                self.round.stay += 1;
            } else {
                self.table.cells[number] = Cell::known(Worth::Lost(self.round.plies)).0;
                self.done += 1;
                self.round.found = true;
                self.longest = self.longest.max(self.round.plies);
                self.mark(board, self.round.plies);
            }
        }
    }

    /// The first push, from this one on, that is not known to lose in the plies of this round.
    fn watch(&self, board: Board<u64>, first: u8) -> Option<u8> {
        let Table { geometry, index, cells } = &self.table;
        let loses = |after: Board<u64>| match self.lines.end(after) {
            Some(end) => end == End::Won,
            None => match Cell(cells[index.number(after)]).worth() {
                Some(Worth::Won(plies)) => plies < self.round.plies,
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
    use crate::search::quixo::table::Census;

    fn solve(size: u8) -> Solver {
        let mut solver = Solver::new(&Quixo::new(size).unwrap()).unwrap();
        while solver.table().is_none() {
            solver.step();
        }
        solver
    }

    const EMPTY: Board<u64> = Board { own: 0, other: 0 };

    #[test]
    fn two_and_three_in_a_row_are_solved() {
        assert_eq!(solve(2).table().unwrap().worth(EMPTY), Worth::Won(3));
        let solver = solve(3);
        let table = solver.table().unwrap();
        assert_eq!(table.worth(EMPTY), Worth::Won(7));
        assert_eq!(table.census(), Census { won: 12396, lost: 6663, drawn: 624, longest: 8 });
    }

    #[test]
    #[ignore = "4 x 4 takes seconds; cargo test --release -- --ignored"]
    fn four_in_a_row_is_solved() {
        let solver = solve(4);
        let table = solver.table().unwrap();
        assert_eq!(table.worth(EMPTY), Worth::Won(23));
        let census = Census { won: 25_979_709, lost: 14_457_430, drawn: 2_609_582, longest: 23 };
        assert_eq!(table.census(), census);
    }
}
