//! One round: the array of dots and the segments drawn.

use super::{Dot, Segment, SegmentError};

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Round {
    pub rows: u8,
    pub cols: u8,
    /// Sorted, so that rounds with the same segments are equal, regardless of drawing order.
    pub drawn: Vec<Segment>,
    /// The coverage at each dot, row by row.
    dots: Vec<Coverage>,
}

/// The coverage at a dot.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
struct Coverage {
    /// Whether the unit segment to the next dot in the row is covered.
    right: bool,
    /// Whether the unit segment to the next dot in the column is covered.
    down: bool,
    /// A segment passes through, so no other segment can cross here.
    passed: bool,
}

impl Round {
    pub fn new([rows, cols]: [u8; 2]) -> Round {
        let dots = vec![Coverage::default(); usize::from(rows) * usize::from(cols)];
        Round { rows, cols, drawn: Vec::new(), dots }
    }

    pub fn clear(&mut self) {
        self.drawn.clear();
        self.dots.fill(Coverage::default());
    }

    /// Returns the number of covered units of length that end at this dot, 0 to 4.
    pub fn degree(&self, at: Dot) -> u8 {
        let Dot { row, col } = at;
        let left = col > 0 && self.coverage(Dot { col: col - 1, ..at }).right;
        let up = row > 0 && self.coverage(Dot { row: row - 1, ..at }).down;
        let dot = self.coverage(at);
        [left, up, dot.right, dot.down].into_iter().map(u8::from).sum()
    }

    pub fn is_passed(&self, at: Dot) -> bool {
        self.coverage(at).passed
    }

    /// Returns the dots that score: those of degree 3 or 4.
    pub fn scoring_dots(&self) -> impl Iterator<Item = Dot> {
        self.all_dots().filter(|&at| self.degree(at) >= 3)
    }

    pub fn all_dots(&self) -> impl Iterator<Item = Dot> + use<> {
        let (rows, cols) = (self.rows, self.cols);
        (0..rows).flat_map(move |row| (0..cols).map(move |col| Dot { row, col }))
    }

    /// Returns the dots where a segment from `from` can end in one direction, nearest first. `step` is the change of
    /// row and column from dot to dot.
    pub fn ends_towards(&self, from: Dot, step: (i8, i8)) -> impl Iterator<Item = Dot> {
        let mut at = from;
        let is_dot = self.contains(from);
        std::iter::from_fn(move || {
            let next = self.neighbour(at, step)?;
            let through = at != from && self.coverage(at).passed;
            if !is_dot || through || self.is_covered(at, next) {
                return None;
            }
            at = next;
            Some(next)
        })
    }

    fn neighbour(&self, at: Dot, (rows, cols): (i8, i8)) -> Option<Dot> {
        let row = at.row.checked_add_signed(rows).filter(|&row| row < self.rows)?;
        let col = at.col.checked_add_signed(cols).filter(|&col| col < self.cols)?;
        Some(Dot { row, col })
    }

    /// Returns whether the unit of length between two adjacent dots is covered.
    fn is_covered(&self, a: Dot, b: Dot) -> bool {
        let dot = self.coverage(a.min(b));
        if a.row == b.row { dot.right } else { dot.down }
    }

    /// Returns the coverage at a dot; off the array, no coverage.
    fn coverage(&self, at: Dot) -> Coverage {
        if self.contains(at) { self.dots[self.index(at)] } else { Coverage::default() }
    }

    const fn index(&self, at: Dot) -> usize {
        at.row as usize * self.cols as usize + at.col as usize
    }

    const fn contains(&self, at: Dot) -> bool {
        at.row < self.rows && at.col < self.cols
    }

    /// Draws a segment, which must be legal.
    pub fn draw(&mut self, segment: Segment) {
        let dots = segment.dots();
        for &at in &dots[..dots.len() - 1] {
            let index = self.index(at);
            let dot = &mut self.dots[index];
            if segment.is_horizontal() {
                dot.right = true;
            } else {
                dot.down = true;
            }
            dot.passed |= segment.passes(at);
        }
        let place = self.drawn.partition_point(|other| *other < segment);
        self.drawn.insert(place, segment);
    }

    pub fn check(&self, segment: Segment) -> Result<(), SegmentError> {
        let [a, b] = segment.ends();
        if let Some(at) = [a, b].into_iter().find(|&at| !self.contains(at)) {
            return Err(SegmentError::NoDot(at));
        }
        if a == b {
            return Err(SegmentError::SameDot(a));
        }
        if a.row != b.row && a.col != b.col {
            return Err(SegmentError::Slanted(segment));
        }
        let dots = segment.dots();
        if dots.windows(2).any(|unit| self.is_covered(unit[0], unit[1])) {
            let other = self.drawn.iter().find(|other| segment.coincides(**other));
            return Err(SegmentError::Coincides(segment, other.copied().unwrap_or(segment)));
        }
        if let Some(&at) = dots[1..dots.len() - 1].iter().find(|&&at| self.coverage(at).passed) {
            let other = self.drawn.iter().find(|other| other.passes(at));
            return Err(SegmentError::Crosses(segment, other.copied().unwrap_or(segment), at));
        }
        Ok(())
    }

    /// Recomputes the coverage from the segments and describes the first difference.
    pub fn validate(&self) -> Result<(), String> {
        let unit = |a: Dot, b: Dot| self.drawn.iter().any(|s| s.coincides(Segment::new(a, b)));
        for at in self.all_dots() {
            let right = self.neighbour(at, (0, 1)).is_some_and(|next| unit(at, next));
            let down = self.neighbour(at, (1, 0)).is_some_and(|next| unit(at, next));
            let passed = self.drawn.iter().filter(|segment| segment.passes(at)).count();
            let slow = Coverage { right, down, passed: passed == 1 };
            if passed > 1 || slow != self.coverage(at) {
                return Err(format!("dot {at} is {:?}, and {slow:?} recounted", self.coverage(at)));
            }
            let degree: usize = self
                .drawn
                .iter()
                .map(|segment| match () {
                    () if segment.passes(at) => 2,
                    () => usize::from(segment.ends().contains(&at)),
                })
                .sum();
            if degree != self.degree(at) as usize {
                return Err(format!(
                    "dot {at} has degree {}, and {degree} recounted",
                    self.degree(at)
                ));
            }
        }
        Ok(())
    }
}
