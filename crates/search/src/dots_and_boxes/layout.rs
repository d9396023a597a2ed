//! Boards of any size, for play based on estimates instead of an exact search.

use quadrille_rules::dots_and_boxes::{DotsAndBoxes, Line};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The boxes beside each line of a board.
pub struct BoardLayout {
    /// Every line of the board. A line number is an index into this list.
    pub lines: Vec<Line>,
    /// The boxes beside each line; at the border, one of the two is the ground.
    beside: Vec<[u16; 2]>,
    around: Vec<[u16; 4]>,
    /// The index of the ground, which is the number of boxes.
    ground: u16,
}

/// The drawn lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Marks {
    drawn: Vec<bool>,
    /// The number of undrawn lines of each box; for the ground, a number greater than for any box.
    undrawn: Vec<u8>,
}

/// A run of boxes that one player can take in one turn.
#[derive(Clone, Debug)]
struct Run {
    /// The lines to draw, in order; the last line leads out of the last box.
    lines: Vec<u16>,
    len: usize,
    /// The number of boxes at the end of the run that a double-cross leaves to the opponent.
    kept: usize,
    /// The last box, if the run can also be taken from that end; otherwise the ground.
    other_end: u16,
}

/// The decision of the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// No decision is needed: this line takes a box, which is always right.
    Take(u16),
    /// Only the last boxes of a run can be taken: either take all of them or leave all of them to the opponent.
    Choose {
        /// The line that takes the first of these boxes.
        take: u16,
        /// The line that leaves these boxes and ends the turn.
        leave: u16,
        /// The number of these boxes: 2 or 4.
        boxes: i32,
    },
    /// No box can be taken.
    Free,
}

/// A chain or a loop that can be opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChainToOpen {
    /// The number of boxes in the chain or loop.
    pub len: u16,
    pub is_loop: bool,
    /// The opening line.
    pub line: u16,
}

impl Marks {
    pub fn is_undrawn(&self, line: u16) -> bool {
        !self.drawn[line as usize]
    }

    /// Returns the number of undrawn lines of a box; for the ground, a number greater than for any box.
    pub fn missing(&self, index: u16) -> u8 {
        self.undrawn[index as usize]
    }
}

impl ChainToOpen {
    /// Returns the value of opening the chain or loop, for the player who opens it. `rest` is the value of the rest of
    /// the board for the next player to move there.
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

impl BoardLayout {
    pub fn new(position: &DotsAndBoxes) -> BoardLayout {
        let (rows, cols) = (position.rows() as u16 - 1, position.cols() as u16 - 1);
        let lines: Vec<Line> = position.lines().collect();
        let ground = rows * cols;
        let index = |(row, col): (u8, u8)| u16::from(row) * cols + u16::from(col);
        let place = |place: Option<(u8, u8)>| place.map_or(ground, index);
        let beside: Vec<[u16; 2]> =
            lines.iter().map(|&line| position.boxes_beside(line).map(place)).collect();
        let mut around = vec![[0; 4]; ground as usize];
        let mut known = vec![0; ground as usize];
        for (line, boxes) in beside.iter().enumerate() {
            for &index in boxes.iter().filter(|&&index| index != ground) {
                around[index as usize][known[index as usize]] = line as u16;
                known[index as usize] += 1;
            }
        }
        BoardLayout { lines, beside, around, ground }
    }

    pub const fn boxes(&self) -> usize {
        self.ground as usize
    }

    pub fn index(&self, line: Line) -> Option<u16> {
        self.lines.iter().position(|&known| known == line).map(|index| index as u16)
    }

    pub fn marks(&self, position: &DotsAndBoxes) -> Marks {
        let mut marks =
            Marks { drawn: vec![false; self.lines.len()], undrawn: vec![4; self.boxes() + 1] };
        marks.undrawn[self.boxes()] = u8::MAX;
        for (index, &line) in self.lines.iter().enumerate() {
            if position.is_drawn(line) {
                self.draw(&mut marks, index as u16);
            }
        }
        marks
    }

    /// Draws a line and returns the number of boxes completed.
    #[inline]
    pub fn draw(&self, marks: &mut Marks, line: u16) -> i32 {
        marks.drawn[line as usize] = true;
        let mut closed = 0;
        for index in self.beside[line as usize] {
            let undrawn = &mut marks.undrawn[index as usize];
            *undrawn -= u8::from(index != self.ground);
            closed += i32::from(*undrawn == 0);
        }
        closed
    }

    pub fn undrawn<'a>(&'a self, marks: &'a Marks) -> impl Iterator<Item = u16> + 'a {
        (0..self.lines.len() as u16).filter(|&line| !marks.drawn[line as usize])
    }

    /// Returns whether both boxes beside this line keep at least two undrawn lines after it is drawn.
    #[inline]
    pub fn is_safe(&self, marks: &Marks, line: u16) -> bool {
        let [one, other] = self.beside[line as usize];
        marks.undrawn[one as usize] > 2 && marks.undrawn[other as usize] > 2
    }

    /// Returns whether a line completes a box.
    pub fn takes(&self, marks: &Marks, line: u16) -> bool {
        self.beside[line as usize].iter().any(|&index| marks.undrawn[index as usize] == 1)
    }

    /// Returns the box on the other side of a line.
    pub fn across(&self, line: u16, index: u16) -> u16 {
        let [one, other] = self.beside[line as usize];
        if one == index { other } else { one }
    }

    pub fn undrawn_round<'a>(
        &self,
        marks: &'a Marks,
        index: u16,
    ) -> impl Iterator<Item = u16> + use<'a> {
        self.around[index as usize].into_iter().filter(|&line| !marks.drawn[line as usize])
    }

    /// Returns the first undrawn line of a box, except `but`.
    fn next_line(&self, marks: &Marks, index: u16, but: Option<u16>) -> Option<u16> {
        let lines = self.around[index as usize];
        lines.into_iter().find(|&line| !marks.drawn[line as usize] && Some(line) != but)
    }

    /// Follows the run from a box with a single undrawn line.
    fn run(&self, marks: &Marks, start: u16) -> Run {
        let mut run = Run { lines: Vec::new(), len: 1, kept: 0, other_end: self.ground };
        let mut at = start;
        let mut line = self.next_line(marks, start, None);
        while let Some(next) = line {
            run.lines.push(next);
            at = self.across(next, at);
            match marks.undrawn[at as usize] {
                1 => {
                    run.len += 1;
                    run.other_end = at;
                    run.kept = if run.len >= 4 { 4 } else { 0 };
                    break;
                }
                2 => {
                    run.len += 1;
                    line = self.next_line(marks, at, Some(next));
                }
                _ => {
                    run.kept = if run.len >= 2 { 2 } else { 0 };
                    break;
                }
            }
        }
        run
    }

    /// Returns the decision of the player to move. `Graph::settle` explains why at most one decision exists.
    pub fn turn(&self, marks: &Marks) -> Turn {
        let mut choice: Option<Run> = None;
        let starts = (0..self.ground).filter(|&index| marks.undrawn[index as usize] == 1);
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

    /// Follows the chain or loop of a box with two undrawn lines, calling `visit` with each box.
    fn chain(&self, marks: &Marks, start: u16, mut visit: impl FnMut(u16)) -> ChainToOpen {
        visit(start);
        let mut chain = ChainToOpen { len: 1, is_loop: false, line: self.ground };
        let first = self.next_line(marks, start, None).unwrap_or_default();
        chain.line = first;
        let second = self.next_line(marks, start, Some(first)).unwrap_or_default();
        for mut line in [first, second] {
            let mut at = start;
            loop {
                at = self.across(line, at);
                if at == start {
                    chain.is_loop = true;
                    return chain;
                }
                if marks.undrawn[at as usize] != 2 {
                    break;
                }
                visit(at);
                chain.len += 1;
                if chain.len == 2 {
                    // A chain of two boxes is opened by its middle line, so that the opponent must take both boxes.
                    chain.line = line;
                }
                line = self.next_line(marks, at, Some(line)).unwrap_or_default();
            }
        }
        chain
    }

    /// Returns the chains and loops that can be opened, shortest first.
    pub fn chains_to_open(&self, marks: &Marks) -> Vec<ChainToOpen> {
        let mut chains_to_open = Vec::new();
        let mut seen = vec![false; self.boxes()];
        for index in 0..self.ground {
            if marks.undrawn[index as usize] == 2 && !seen[index as usize] {
                chains_to_open.push(self.chain(marks, index, |index| seen[index as usize] = true));
            }
        }
        chains_to_open.sort_by_key(|chain| (chain.len, chain.is_loop, chain.line));
        chains_to_open
    }

    /// Draws all lines of a chain. Returns the number of boxes that the opponent takes without a choice, and the number
    /// of further boxes that the opponent may take or leave.
    pub fn open_chain(&self, marks: &mut Marks, chain: ChainToOpen) -> (i32, i32) {
        let kept = match (chain.is_loop, chain.len) {
            (true, _) => 4,
            (false, 1 | 2) => 0,
            (false, _) => 2,
        };
        (i32::from(self.draw_and_take_all(marks, chain.line, &mut Vec::new())) - kept, kept)
    }

    /// Draws a line, takes all boxes that become available, and returns their number. Appends to `loose` each box left
    /// with two undrawn lines.
    pub fn draw_and_take_all(&self, marks: &mut Marks, line: u16, loose: &mut Vec<u16>) -> u16 {
        let (mut taken, mut lines) = (0, vec![line]);
        while let Some(line) = lines.pop() {
            if marks.drawn[line as usize] {
                continue;
            }
            taken += self.draw(marks, line);
            for index in self.beside[line as usize] {
                match marks.undrawn[index as usize] {
                    1 => lines.extend(self.next_line(marks, index, None)),
                    2 => loose.push(index),
                    _ => {}
                }
            }
        }
        taken as u16
    }

    /// Estimates the value of a board without safe lines for the player to move, who has to open a chain. Assumes that
    /// both players always open the shortest chain, and that the opponent keeps control when that pays. Draws all
    /// lines.
    pub fn ending(&self, marks: &mut Marks) -> i32 {
        let mut heap: BinaryHeap<Reverse<(u16, bool, u16)>> = BinaryHeap::new();
        let entry = |chain: &ChainToOpen| Reverse((chain.len, chain.is_loop, chain.line));
        heap.extend(self.chains_to_open(marks).iter().map(entry));
        let mut loose: Vec<u16> = Vec::new();
        let mut opened: Vec<ChainToOpen> = Vec::new();
        loop {
            for index in loose.drain(..) {
                if marks.undrawn[index as usize] == 2 {
                    heap.push(entry(&self.chain(marks, index, |_| ())));
                }
            }
            let Some(Reverse((len, is_loop, line))) = heap.pop() else { break };
            if marks.drawn[line as usize] {
                continue;
            }
            // The chain may have merged with a neighboring chain since it was listed.
            let [one, other] = self.beside[line as usize];
            let index = if marks.undrawn[one as usize] == 2 { one } else { other };
            if self.chain(marks, index, |_| ()).len > len {
                loose.push(index);
                continue;
            }
            let len = self.draw_and_take_all(marks, line, &mut loose);
            opened.push(ChainToOpen { len, is_loop, line });
        }
        opened.iter().rev().fold(0, |rest, chain| chain.value(rest))
    }
}
