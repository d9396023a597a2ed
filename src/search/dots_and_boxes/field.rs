//! Boards of any size, for play by judgement.

use crate::rules::dots_and_boxes::{Line, Pipopipette};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Which boxes lie beside which lines.
pub struct Field {
    /// Every line of the board; elsewhere a line is its place here.
    pub lines: Vec<Line>,
    /// The boxes beside each line; where there is none, the ground.
    beside: Vec<[u16; 2]>,
    /// The lines around each box.
    around: Vec<[u16; 4]>,
    /// What stands for no box: one more than the last one.
    ground: u16,
}

/// Which lines are drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Marks {
    drawn: Vec<bool>,
    /// The undrawn lines of each box, and more than any box has for the ground.
    open: Vec<u8>,
}

/// A run of boxes that one player can take one after the other.
#[derive(Clone, Debug)]
struct Run {
    /// The lines to draw, in order, the one at its end too.
    lines: Vec<u16>,
    len: usize,
    /// How many boxes at its end may be left to the opponent instead.
    kept: usize,
    /// The box it ends in, if it can be taken from there as well.
    other_end: u16,
}

/// What lies before the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// A line that takes a box and costs nothing.
    Take(u16),
    /// The last boxes on offer: `take` takes the first of them, `leave` leaves all to the opponent.
    Choose {
        /// A line that takes.
        take: u16,
        /// The line that gives them away and the turn with them.
        leave: u16,
        /// How many boxes: 2 or 4.
        boxes: i32,
    },
    /// Nothing can be taken.
    Free,
}

/// A chain or a loop, for the one who opens it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Opening {
    /// How many boxes.
    pub len: u16,
    /// Whether it is a loop.
    pub is_loop: bool,
    /// The line to open it by.
    pub line: u16,
}

impl Marks {
    /// Whether a line can be drawn.
    pub fn is_open(&self, line: u16) -> bool {
        !self.drawn[line as usize]
    }
}

impl Opening {
    /// What it is worth to the player who opens it, when the rest of the board is worth `rest` to the
    /// one who has to move there.
    pub const fn value(self, rest: i32) -> i32 {
        let len = self.len as i32;
        let taken = match (self.is_loop, len) {
            (true, _) => len - 4 + (rest + 4).abs(),
            (false, 1 | 2) => len + rest,
            (false, _) => len - 2 + (rest + 2).abs(),
        };
        -taken
    }
}

impl Field {
    /// The field of a position's board.
    pub fn new(position: &Pipopipette) -> Field {
        let (rows, cols) = (position.rows() as u16 - 1, position.cols() as u16 - 1);
        let lines: Vec<Line> = position.lines().collect();
        let ground = rows * cols;
        let place = |row: u16, col: u16| {
            if row < rows && col < cols { row * cols + col } else { ground }
        };
        let beside: Vec<[u16; 2]> = lines
            .iter()
            .map(|&line| match line {
                Line::Horizontal { row, col } => {
                    let (row, col) = (row.into(), col.into());
                    [place(u16::wrapping_sub(row, 1), col), place(row, col)]
                }
                Line::Vertical { row, col } => {
                    let (row, col) = (row.into(), col.into());
                    [place(row, u16::wrapping_sub(col, 1)), place(row, col)]
                }
            })
            .collect();
        let mut around = vec![[0; 4]; ground as usize];
        let mut known = vec![0; ground as usize];
        for (line, boxes) in beside.iter().enumerate() {
            for &index in boxes.iter().filter(|&&index| index != ground) {
                around[index as usize][known[index as usize]] = line as u16;
                known[index as usize] += 1;
            }
        }
        Field { lines, beside, around, ground }
    }

    /// How many boxes there are.
    pub const fn boxes(&self) -> usize {
        self.ground as usize
    }

    /// The place of a line.
    pub fn index(&self, line: Line) -> Option<u16> {
        // Lines stand in the order of their names but for the kinds.
        self.lines.iter().position(|&known| known == line).map(|index| index as u16)
    }

    /// Which lines of the board are drawn in a position.
    pub fn marks(&self, position: &Pipopipette) -> Marks {
        let mut marks =
            Marks { drawn: vec![false; self.lines.len()], open: vec![4; self.boxes() + 1] };
        marks.open[self.boxes()] = u8::MAX;
        for (index, &line) in self.lines.iter().enumerate() {
            if position.is_drawn(line) {
                self.draw(&mut marks, index as u16);
            }
        }
        marks
    }

    /// Draws a line, and says how many boxes that completes.
    #[inline]
    pub fn draw(&self, marks: &mut Marks, line: u16) -> i32 {
        marks.drawn[line as usize] = true;
        let mut closed = 0;
        for index in self.beside[line as usize] {
            let open = &mut marks.open[index as usize];
            *open -= u8::from(index != self.ground);
            closed += i32::from(*open == 0);
        }
        closed
    }

    /// The lines that can be drawn.
    pub fn open<'a>(&'a self, marks: &'a Marks) -> impl Iterator<Item = u16> + 'a {
        (0..self.lines.len() as u16).filter(|&line| !marks.drawn[line as usize])
    }

    /// Whether drawing this line leaves both boxes beside it with two undrawn lines at least.
    #[inline]
    pub fn is_safe(&self, marks: &Marks, line: u16) -> bool {
        let [one, other] = self.beside[line as usize];
        marks.open[one as usize] > 2 && marks.open[other as usize] > 2
    }

    /// Whether a line completes a box.
    pub fn takes(&self, marks: &Marks, line: u16) -> bool {
        self.beside[line as usize].iter().any(|&index| marks.open[index as usize] == 1)
    }

    fn across(&self, line: u16, index: u16) -> u16 {
        let [one, other] = self.beside[line as usize];
        if one == index { other } else { one }
    }

    /// The undrawn line of a box that is not this one, if there is another.
    fn onward(&self, marks: &Marks, index: u16, but: Option<u16>) -> Option<u16> {
        let lines = self.around[index as usize];
        lines.into_iter().find(|&line| !marks.drawn[line as usize] && Some(line) != but)
    }

    /// The run of boxes that begins with one that has a single undrawn line.
    fn run(&self, marks: &Marks, start: u16) -> Run {
        let mut run = Run { lines: Vec::new(), len: 1, kept: 0, other_end: self.ground };
        let mut at = start;
        let mut line = self.onward(marks, start, None);
        while let Some(next) = line {
            run.lines.push(next);
            at = self.across(next, at);
            match marks.open[at as usize] {
                1 => {
                    run.len += 1;
                    run.other_end = at;
                    run.kept = if run.len >= 4 { 4 } else { 0 };
                    break;
                }
                2 => {
                    run.len += 1;
                    line = self.onward(marks, at, Some(next));
                }
                _ => {
                    run.kept = if run.len >= 2 { 2 } else { 0 };
                    break;
                }
            }
        }
        run
    }

    /// What the player to move is to decide about the boxes on offer. See `Graph::settle` for why the
    /// rest is no decision.
    pub fn turn(&self, marks: &Marks) -> Turn {
        let mut choice: Option<Run> = None;
        let starts = (0..self.ground).filter(|&index| marks.open[index as usize] == 1);
        for start in starts {
            let run = self.run(marks, start);
            match &choice {
                _ if run.kept == 0 || run.len > run.kept => return Turn::Take(run.lines[0]),
                Some(other) if other.other_end == start => {}
                Some(other) if other.kept > run.kept => return Turn::Take(other.lines[0]),
                Some(_) => return Turn::Take(run.lines[0]),
                None => choice = Some(run),
            }
        }
        choice.map_or(Turn::Free, |run| Turn::Choose {
            take: run.lines[0],
            leave: if run.kept == 4 { run.lines[1] } else { run.lines[run.lines.len() - 1] },
            boxes: run.kept as i32,
        })
    }

    /// The chain or loop of boxes with two undrawn lines around one of them; `visit` is given its boxes.
    fn chain(&self, marks: &Marks, start: u16, mut visit: impl FnMut(u16)) -> Opening {
        visit(start);
        let mut chain = Opening { len: 1, is_loop: false, line: self.ground };
        let first = self.onward(marks, start, None).unwrap_or_default();
        chain.line = first;
        let second = self.onward(marks, start, Some(first)).unwrap_or_default();
        for mut line in [first, second] {
            let mut at = start;
            loop {
                at = self.across(line, at);
                if at == start {
                    chain.is_loop = true;
                    return chain;
                }
                if marks.open[at as usize] != 2 {
                    break;
                }
                visit(at);
                chain.len += 1;
                if chain.len == 2 {
                    // In a chain of two the line between them: it leaves no choice.
                    chain.line = line;
                }
                line = self.onward(marks, at, Some(line)).unwrap_or_default();
            }
        }
        chain
    }

    /// The chains and loops that can be opened, the shortest first.
    pub fn openings(&self, marks: &Marks) -> Vec<Opening> {
        let mut openings = Vec::new();
        let mut seen = vec![false; self.boxes()];
        for index in 0..self.ground {
            if marks.open[index as usize] == 2 && !seen[index as usize] {
                openings.push(self.chain(marks, index, |index| seen[index as usize] = true));
            }
        }
        openings.sort_by_key(|chain| (chain.len, chain.is_loop, chain.line));
        openings
    }

    /// What the opponent is given by opening a chain: the boxes that are taken without a choice, and how
    /// many can be left then. All of them are drawn.
    pub fn open_chain(&self, marks: &mut Marks, chain: Opening) -> (i32, i32) {
        let kept = match (chain.is_loop, chain.len) {
            (true, _) => 4,
            (false, 1 | 2) => 0,
            (false, _) => 2,
        };
        (i32::from(self.take_all(marks, chain.line, &mut Vec::new())) - kept, kept)
    }

    /// Takes all boxes that can be taken, and adds those that then belong to chains to `loose`.
    pub fn take_all(&self, marks: &mut Marks, line: u16, loose: &mut Vec<u16>) -> u16 {
        let (mut taken, mut lines) = (0, vec![line]);
        while let Some(line) = lines.pop() {
            if marks.drawn[line as usize] {
                continue;
            }
            taken += self.draw(marks, line);
            for index in self.beside[line as usize] {
                match marks.open[index as usize] {
                    1 => lines.extend(self.onward(marks, index, None)),
                    2 => loose.push(index),
                    _ => {}
                }
            }
        }
        taken as u16
    }

    /// What the board is worth, by judgement, to a player who has to open a chain of it when there is no
    /// safe line left: always the shortest is opened, and the other keeps control where it pays. Draws
    /// all lines.
    pub fn ending(&self, marks: &mut Marks) -> i32 {
        let mut heap: BinaryHeap<Reverse<(u16, bool, u16)>> = BinaryHeap::new();
        let entry = |chain: &Opening| Reverse((chain.len, chain.is_loop, chain.line));
        heap.extend(self.openings(marks).iter().map(entry));
        let mut loose: Vec<u16> = Vec::new();
        let mut opened: Vec<Opening> = Vec::new();
        loop {
            for index in loose.drain(..) {
                if marks.open[index as usize] == 2 {
                    heap.push(entry(&self.chain(marks, index, |_| ())));
                }
            }
            let Some(Reverse((len, is_loop, line))) = heap.pop() else { break };
            if marks.drawn[line as usize] {
                continue;
            }
            // Another may have grown on to it at a box where they meet.
            let [one, other] = self.beside[line as usize];
            let index = if marks.open[one as usize] == 2 { one } else { other };
            if self.chain(marks, index, |_| ()).len > len {
                loose.push(index);
                continue;
            }
            let len = self.take_all(marks, line, &mut loose);
            opened.push(Opening { len, is_loop, line });
        }
        opened.iter().rev().fold(0, |rest, chain| chain.value(rest))
    }
}
