//! A board as strings and coins, packed into machine words.
//!
//! Elwyn Berlekamp, *The Dots and Boxes Game*, 2000: boxes are coins, undrawn lines are strings, a line at the border
//! ties its box to the ground, and drawing a line cuts a string. The value of the rest of the game depends on the
//! strings alone, so a position is the set of its undrawn lines.

use super::shape::Strings;
use crate::bits::bits;
use quadrille_rules::Position;
use quadrille_rules::dots_and_boxes::{DotsAndBoxes, Line};
use std::{array, iter};

/// A set of lines of one [`Graph`], with one bit for each line. Lower bits are searched first.
pub type LineSet = u64;

/// The index of the ground, the other end of every line at the border.
pub const GROUND: usize = 63;

/// The maximum number of lines in a graph.
pub const MAX_LINES: usize = 60;

/// The lines of a board and the boxes beside them.
pub struct Graph {
    /// The line for each bit.
    pub lines: Vec<Line>,
    /// The boxes at both ends of each line.
    ends: [[u8; 2]; 64],
    /// The lines around each box; empty for the ground.
    sides: [LineSet; 64],
    /// The lines between two boxes.
    pub inner: LineSet,
    /// The boxes, with one bit for each.
    boxes: u64,
    /// The rows and columns of dots on the board.
    dots: [u8; 2],
    /// Pairs of lines that tie the same box to the ground and therefore have the same value.
    twins: Vec<(u32, u32)>,
    /// The strings for each byte value of each byte in a set of lines. Empty unless the board has two to eight boxes in
    /// each row and column and at most 63 boxes in total, so that the bit of a box is its place (eight to a row).
    strings: Vec<[Strings; 256]>,
}

/// A set of connected lines.
#[derive(Clone, Copy)]
pub struct Part {
    pub lines: LineSet,
    /// The boxes at the lines, with one bit for each.
    pub boxes: u64,
    /// The lines as strings; empty on a board without places (see [`Graph::has_places`]).
    pub strings: Strings,
}

impl Part {
    /// The empty part.
    pub const NONE: Part = Part { lines: 0, boxes: 0, strings: Strings::NONE };
}

/// A position in which no box can be taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QuietPosition {
    /// The undrawn lines.
    pub undrawn: LineSet,
    /// The undrawn lines that give a box away, because a box beside them has only two undrawn lines.
    pub risky: LineSet,
    /// The number of boxes not yet taken.
    pub left: i32,
}

/// A position in which the player to move has taken every box that it is always right to take. At most one choice
/// remains: either take the last `kept` boxes as well and then move in `rest`, or leave those boxes to the opponent,
/// who takes them and then moves in `rest`. The position is therefore worth `taken + |kept + V(rest)|`, or, without a
/// choice (`kept` = 0), `taken + V(rest)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SettledPosition {
    /// The number of boxes taken without a choice.
    pub taken: i32,
    /// The number of boxes in the choice: 2 at the end of a chain, 4 at the end of a loop, 0 without a choice.
    pub kept: i32,
    /// The rest of the board.
    pub rest: QuietPosition,
}

impl SettledPosition {
    /// Returns the value for the player to move, given the value of `rest`.
    pub const fn value(&self, rest: i32) -> i32 {
        if self.kept == 0 { self.taken + rest } else { self.taken + (self.kept + rest).abs() }
    }

    /// Returns the bounds of the value, given the bounds of `rest`.
    pub const fn between(&self, lower: i32, upper: i32) -> (i32, i32) {
        if self.kept == 0 {
            return (self.taken + lower, self.taken + upper);
        }
        let (lower, upper) = (self.kept + lower, self.kept + upper);
        let least = if lower > 0 {
            lower
        } else if upper < 0 {
            -upper
        } else {
            0
        };
        let most = if upper > -lower { upper } else { -lower };
        (self.taken + least, self.taken + most)
    }
}

/// A run of boxes with two undrawn lines each.
#[derive(Clone, Copy, Debug)]
pub struct Chain {
    /// All lines of the chain, including those at its ends.
    pub lines: LineSet,
    /// The line that opens the chain.
    pub mv: u32,
    /// The number of boxes in the chain.
    pub len: i32,
    /// The two ends of the chain: each is the ground or a box with more than two undrawn lines.
    pub ends: [usize; 2],
    /// Whether the chain is a loop.
    pub is_loop: bool,
}

impl Chain {
    /// Returns whether the chain or loop is independent, that is, joined to no other boxes.
    pub const fn is_free(&self) -> bool {
        self.is_loop || self.ends[0] == GROUND && self.ends[1] == GROUND
    }
}

const fn lowest(lines: LineSet) -> LineSet {
    lines & lines.wrapping_neg()
}

/// Returns whether a set has exactly one line.
const fn is_one(lines: LineSet) -> bool {
    lines.is_power_of_two()
}

/// Returns whether a set has exactly two lines.
const fn is_two(lines: LineSet) -> bool {
    lines != 0 && is_one(lines & (lines - 1))
}

/// Iterates over the bit indices of a set. Lines come in search order.
#[inline]
pub fn each(lines: LineSet) -> impl Iterator<Item = u32> + Clone {
    bits(lines).map(|line| line as u32)
}

impl Graph {
    /// Creates the graph of the whole board, or, if the board has more than [`MAX_LINES`] lines, of its undrawn lines.
    /// `None` if there are more than [`MAX_LINES`] undrawn lines.
    pub fn new(position: &DotsAndBoxes) -> Option<Graph> {
        let (rows, cols) = (position.rows() as usize - 1, position.cols() as usize - 1);
        let whole = (rows + 1) * cols + rows * (cols + 1) <= MAX_LINES;
        let mut lines: Vec<Line> = Vec::new();
        if whole {
            lines.extend(position.lines());
        } else if position.lines_left() as usize <= MAX_LINES {
            position.append_legal_moves(&mut lines);
        } else {
            return None;
        }
        order(&mut lines, rows, cols);
        let mut graph = Graph {
            lines,
            ends: [[GROUND as u8; 2]; 64],
            sides: [0; 64],
            inner: 0,
            boxes: 0,
            dots: [position.rows(), position.cols()],
            twins: Vec::new(),
            strings: Vec::new(),
        };
        let has_places = rows.min(cols) >= 2 && rows.max(cols) <= 8 && rows * cols <= GROUND;
        let mut places: Vec<(u8, u8)> = Vec::new();
        for (bit, &line) in graph.lines.iter().enumerate() {
            for (end, place) in position.boxes_beside(line).into_iter().enumerate() {
                let Some(place) = place else { continue };
                let index = if has_places {
                    8 * usize::from(place.0) + usize::from(place.1)
                } else {
                    places.iter().position(|&known| known == place).unwrap_or_else(|| {
                        places.push(place);
                        places.len() - 1
                    })
                };
                if index >= GROUND {
                    return None;
                }
                graph.ends[bit][end] = index as u8;
                graph.sides[index] |= 1 << bit;
                graph.boxes |= 1 << index;
            }
        }
        for (bit, ends) in graph.ends.iter().enumerate().take(graph.lines.len()) {
            graph.inner |= u64::from(!ends.contains(&(GROUND as u8))) << bit;
        }
        graph.find_twins();
        if has_places {
            graph.find_strings();
        }
        Some(graph)
    }

    /// Returns whether the graph is a whole board with this many rows and columns of boxes.
    pub fn is_board(&self, rows: usize, cols: usize) -> bool {
        self.dots == [rows as u8 + 1, cols as u8 + 1]
            && self.lines.len() == 2 * rows * cols + rows + cols
    }

    /// Returns all lines.
    pub fn all(&self) -> LineSet {
        (1 << self.lines.len()) - 1
    }

    /// Returns whether the graph contains all undrawn lines of the position.
    pub fn holds(&self, position: &DotsAndBoxes) -> bool {
        self.dots == [position.rows(), position.cols()]
            && self.undrawn(position).count_ones() == position.lines_left()
    }

    /// Pairs the lines that tie the same box to the ground. In each pair, a line at the top or bottom comes first.
    fn find_twins(&mut self) {
        for index in each(self.boxes) {
            let mut grounded: Vec<u32> = each(self.sides[index as usize])
                .filter(|&line| self.ends[line as usize].contains(&(GROUND as u8)))
                .collect();
            grounded
                .sort_by_key(|&line| matches!(self.lines[line as usize], Line::Vertical { .. }));
            if let [first, second, ..] = grounded[..] {
                self.twins.push((first, second));
            }
        }
    }

    fn find_strings(&mut self) {
        let string = |line: u32| {
            // The first box is the one to the left or above.
            let [first, second] = self.ends[line as usize].map(|end| 1 << end);
            let is_vertical = matches!(self.lines[line as usize], Line::Vertical { .. });
            let mut string = Strings::NONE;
            if self.inner >> line & 1 == 0 {
                string.grounds[usize::from(is_vertical)] = (first | second) & !(1 << GROUND);
            } else if is_vertical {
                string.links.east = first;
            } else {
                string.links.south = first;
            }
            string
        };
        let of_byte = |byte: u32| {
            array::from_fn(|lines| {
                let lines = (lines as LineSet) << (8 * byte) & self.all();
                each(lines).map(string).fold(Strings::NONE, Strings::with)
            })
        };
        self.strings = (0..LineSet::BITS / 8).map(of_byte).collect();
    }

    /// Returns the same graph without places, as on a larger board.
    #[cfg(test)]
    pub fn without_places(mut self) -> Graph {
        self.strings.clear();
        self
    }

    /// Returns whether the bit of each box is its place, eight to a row. This requires two to eight rows and columns of
    /// boxes, and at most 63 boxes.
    #[inline]
    pub fn has_places(&self) -> bool {
        !self.strings.is_empty()
    }

    /// Converts a set of lines to strings; empty on a board without places.
    #[inline]
    fn strings(&self, lines: LineSet) -> Strings {
        let bytes = self.strings.iter().zip(lines.to_le_bytes());
        let strings = bytes.map(|(strings, lines)| strings[lines as usize]);
        strings.fold(Strings::NONE, Strings::with)
    }

    /// Returns the connected parts of a set of lines.
    #[inline]
    pub fn parts(&self, lines: LineSet) -> impl Iterator<Item = Part> {
        let strings = self.strings(lines);
        let mut rest = Part { lines, boxes: strings.boxes(), strings };
        iter::from_fn(move || {
            (rest.lines != 0).then(|| {
                let part = self.first_part(&rest);
                rest.lines &= !part.lines;
                rest.boxes &= !part.boxes;
                part
            })
        })
    }

    /// Returns the rest of a part after removing the lines `drawn`, if `drawn` is a single line and the boxes stay
    /// connected without it. This is faster than finding the parts from scratch. Always `None` on a board without
    /// places.
    #[inline]
    pub fn part_without(&self, part: &Part, drawn: LineSet) -> Option<Part> {
        let lines = part.lines & !drawn;
        if !self.has_places() || !is_one(drawn) || lines == 0 {
            return None;
        }
        let strings = part.strings.without(self.strings(drawn));
        let ends = self.ends[drawn.trailing_zeros() as usize & 63];
        let is_whole = drawn & self.inner == 0 || strings.links.connects(ends);
        is_whole.then_some(Part { lines, strings, ..*part })
    }

    /// Returns the lines connected with the first line of a set, from box to box.
    #[inline]
    fn first_part(&self, set: &Part) -> Part {
        let Part { lines, strings, .. } = *set;
        let first = lines.trailing_zeros() as usize & 63;
        let boxes =
            self.ends[first].iter().fold(0, |boxes, &end| boxes | 1 << end) & !(1 << GROUND);
        if self.has_places() {
            let boxes = strings.links.connected(boxes);
            let strings = strings.within(boxes);
            if boxes == set.boxes {
                return Part { lines, boxes, strings };
            }
            let around = each(boxes).fold(0, |all, index| all | self.sides[index as usize & 63]);
            return Part { lines: around & lines, boxes, strings };
        }
        let (mut part, mut boxes, mut todo) = (0, boxes, boxes);
        while todo != 0 {
            let new = self.sides(todo.trailing_zeros() as usize, lines) & !part;
            part |= new;
            todo &= todo - 1;
            let ends = each(new).flat_map(|line| self.ends[line as usize & 63]);
            let at_ends = ends.fold(0, |all, end| all | 1 << end) & !(1 << GROUND);
            todo |= at_ends & !boxes;
            boxes |= at_ends;
        }
        Part { lines: part, boxes, strings }
    }

    /// Returns the undrawn lines of a position on this board.
    pub fn undrawn(&self, position: &DotsAndBoxes) -> LineSet {
        let bits = self.lines.iter().enumerate();
        bits.filter(|&(_, &line)| !position.is_drawn(line))
            .fold(0, |undrawn, (bit, _)| undrawn | 1 << bit)
    }

    /// Returns the bit index of a line, if the line is in the graph.
    pub fn bit(&self, line: Line) -> Option<u32> {
        self.lines.iter().position(|&known| known == line).map(|bit| bit as u32)
    }

    /// Returns the undrawn lines of a box.
    #[inline]
    pub fn sides(&self, index: usize, undrawn: LineSet) -> LineSet {
        self.sides[index & 63] & undrawn
    }

    /// Returns the box, or the ground, at the other end of a line (a set of one line) that has the box `index` at one
    /// end.
    #[inline]
    pub fn across(&self, line: LineSet, index: usize) -> usize {
        let [one, other] = self.ends[line.trailing_zeros() as usize & 63];
        (one ^ other) as usize ^ index
    }

    /// Returns the number of boxes that drawing a line completes.
    pub fn closes(&self, undrawn: LineSet, line: u32) -> i32 {
        let closed = |&&index: &&u8| self.sides(index as usize, undrawn) == 1 << line;
        self.ends[line as usize & 63].iter().filter(closed).count() as i32
    }

    /// Returns the position with these undrawn lines. The position must not contain a box that can be taken.
    pub fn position(&self, undrawn: LineSet) -> QuietPosition {
        let mut position = QuietPosition { undrawn, risky: 0, left: 0 };
        for index in each(self.boxes) {
            let sides = self.sides(index as usize, undrawn);
            position.left += i32::from(sides != 0);
            if is_two(sides) {
                position.risky |= sides;
            }
        }
        position
    }

    /// Returns the safe lines, with only one of each pair of twins, since twins have the same value.
    #[inline]
    pub fn safe(&self, position: &QuietPosition) -> LineSet {
        let safe = position.undrawn & !position.risky;
        self.twins
            .iter()
            .fold(safe, |safe, &(first, second)| safe & !((safe >> second & 1) << first))
    }

    /// Returns the position after a safe line.
    #[inline]
    pub fn draw_safe(&self, position: &QuietPosition, line: u32) -> QuietPosition {
        let undrawn = position.undrawn & !(1 << line);
        let mut risky = position.risky;
        for index in self.ends[line as usize & 63] {
            let sides = self.sides(index as usize, undrawn);
            if is_two(sides) {
                risky |= sides;
            }
        }
        QuietPosition { undrawn, risky, left: position.left }
    }

    /// Returns the chain or loop of a risky line.
    #[inline]
    pub fn chain(&self, undrawn: LineSet, line: u32) -> Chain {
        let [one, other] = self.ends[line as usize & 63];
        let start = if is_two(self.sides(one as usize, undrawn)) { one } else { other } as usize;
        let mut lines = self.sides(start, undrawn);
        let mut chain = Chain { lines, mv: line, len: 1, ends: [GROUND; 2], is_loop: false };
        let first = lowest(lines);
        for (way, mut line) in [first, lines ^ first].into_iter().enumerate() {
            let mut at = start;
            loop {
                let next = self.across(line, at);
                if next == start {
                    chain.is_loop = true;
                    chain.lines = lines;
                    return chain;
                }
                let sides = self.sides(next, undrawn);
                if !is_two(sides) {
                    chain.ends[way] = next;
                    break;
                }
                chain.len += 1;
                if chain.len == 2 {
                    // A chain of two boxes is opened by its middle line, so that the opponent must take both boxes.
                    chain.mv = line.trailing_zeros();
                }
                line ^= sides;
                lines |= line;
                at = next;
            }
        }
        chain.lines = lines;
        chain
    }

    /// Returns the position after a chain is opened, with the opponent to move.
    #[inline]
    pub fn open_chain(&self, position: &QuietPosition, chain: &Chain) -> SettledPosition {
        let [one, other] = chain.ends;
        if one == other && one != GROUND {
            // Both ends are joined to the same box. After taking the chain, the opponent may continue through that box.
            return self.settle(position.undrawn & !(1 << chain.mv));
        }
        let undrawn = position.undrawn & !chain.lines;
        let mut risky = position.risky & undrawn;
        for joint in chain.ends {
            let sides = self.sides(joint, undrawn);
            if is_two(sides) {
                risky |= sides;
            }
        }
        let kept = match (chain.is_loop, chain.len) {
            (true, _) => 4,
            (false, 1 | 2) => 0,
            (false, _) => 2,
        };
        let rest = QuietPosition { undrawn, risky, left: position.left - chain.len };
        SettledPosition { taken: chain.len - kept, kept, rest }
    }

    /// Takes every box that it is always right to take.
    ///
    /// A single box is taken if its last line leads to the ground or to a box with more than two undrawn lines; two
    /// boxes are taken if one line completes both. In a longer run, all boxes are taken except the last two, or the
    /// last four if the run can be taken from both ends. If several such runs exist, all but one are taken whole,
    /// beginning with the runs that have four boxes left.
    pub fn settle(&self, mut undrawn: LineSet) -> SettledPosition {
        let mut taken = 0;
        'again: loop {
            let mut choice: Option<(LineSet, i32, i32)> = None;
            for index in each(self.boxes).map(|index| index as usize) {
                if !is_one(self.sides(index, undrawn)) {
                    continue;
                }
                let (lines, len, kept) = self.run(undrawn, index);
                match choice {
                    _ if kept == 0 => {}
                    None => {
                        choice = Some((lines, len, kept));
                        continue;
                    }
                    // This is the same run, seen from its other end.
                    Some((other, ..)) if other == lines => continue,
                    // Of two runs, take the one in which more boxes could be left.
                    Some((other, other_len, other_kept)) if other_kept > kept => {
                        undrawn &= !other;
                        taken += other_len;
                        continue 'again;
                    }
                    Some(_) => {}
                }
                undrawn &= !lines;
                taken += len;
                continue 'again;
            }
            let (lines, len, kept) = choice.unwrap_or_default();
            return SettledPosition {
                taken: taken + len - kept,
                kept,
                rest: self.position(undrawn & !lines),
            };
        }
    }

    /// Follows the run that begins with a box with a single undrawn line. Returns its lines, its number of boxes, and
    /// the number of boxes that may be left to the opponent.
    fn run(&self, undrawn: LineSet, start: usize) -> (LineSet, i32, i32) {
        let mut line = self.sides(start, undrawn);
        let (mut at, mut lines, mut len) = (start, line, 1);
        loop {
            let next = self.across(line, at);
            let sides = self.sides(next, undrawn);
            if next == GROUND || !is_two(sides) && !is_one(sides) {
                return (lines, len, if len >= 2 { 2 } else { 0 });
            }
            len += 1;
            if is_one(sides) {
                return (lines, len, if len >= 4 { 4 } else { 0 });
            }
            line ^= sides;
            lines |= line;
            at = next;
        }
    }
}

/// Sorts lines into search order: from the middle of the longer side outwards, with lines across that side before
/// others nearby. These lines split the board into parts soonest.
///
/// The weights were chosen to minimize the number of positions searched to solve 2 × 6, 2 × 7, 3 × 4, 3 × 5 and 4 × 4
/// boxes. On 4 × 4, they need half as many as an order from the center outwards.
fn order(lines: &mut [Line], rows: usize, cols: usize) {
    lines.sort_by_key(|&line| {
        // Distances are in half boxes.
        let (down, right, is_across) = match line {
            Line::Horizontal { row, col } => (2 * row as i32, 2 * col as i32 + 1, rows > cols),
            Line::Vertical { row, col } => (2 * row as i32 + 1, 2 * col as i32, rows <= cols),
        };
        let (y, x) = (down - rows as i32, right - cols as i32);
        let (along, aside) = if rows > cols { (y, x) } else { (x, y) };
        let aside = if is_across { 3 * aside * aside } else { 5 * aside * aside + 20 };
        (10 * along * along + aside, down, right)
    });
}
