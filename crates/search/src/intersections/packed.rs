//! A round packed into one machine word, with its mirror images.

use crate::bits::Word;
use crate::census::turned;
use quadrille_rules::intersections::{Dot, Segment};
use std::cmp::Reverse;
use std::collections::HashMap;
use std::fmt::Debug;
use std::ops::{BitAnd, BitOr, BitOrAssign, BitXor, Not, Shl, Shr};

/// A machine word that can hold a packed round.
pub trait PackedWord:
    Word
    + Eq
    + Ord
    + Debug
    + Default
    + Send
    + Sync
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitOrAssign
    + BitXor<Output = Self>
    + Not<Output = Self>
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
    + From<u32>
    + Into<u128>
{
}

impl PackedWord for u64 {}

impl PackedWord for u128 {}

/// The images of a round under the symmetries of the array. On an array that is not square, there are only four
/// distinct images, each listed twice.
pub const IMAGES: usize = 8;

/// An array of dots and every segment that can be drawn on it.
///
/// Dots are numbered row by row. A packed round has three parts, from the lowest bit up: the covered units to the
/// right, one bit for each dot; the covered units down, one bit for each dot above the last row; and the dots that a
/// segment passes, one bit for each dot from the first inner dot to the last. (A dot on a side of the array can only be
/// passed along that side, so its units are enough.)
#[derive(Clone, Debug)]
pub struct Array<W> {
    rows: u32,
    pub(super) cols: u32,
    dots: W,
    last_col: W,
    /// The inner dots, each as the bit of a segment passing the dot, in every image.
    passes: Vec<(W, [W; IMAGES])>,
    /// The inner dots, which lie on no side of the array.
    within: W,
    /// For every row and column: the units that touch its dots, to the right and down.
    pub(super) lines: Vec<[W; 2]>,
    segments: Vec<PackedSegment<W>>,
}

#[derive(Clone, Copy, Debug)]
pub struct PackedSegment<W> {
    /// The bits that the segment adds to a packed round, in each image. The segment is legal if none of them is set.
    pub images: [W; IMAGES],
    pub ends: W,
    pub inner: W,
    /// The number of dots on the segment, including the ends.
    pub dots: u32,
    /// The index of the segment's image under each symmetry.
    pub turned: [u16; IMAGES],
    pub mv: Segment,
}

/// A packed round in all its images, beginning with the round itself. Once three units meet at a dot, the bit for a
/// passing segment no longer matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PackedRound<W>(pub [W; IMAGES]);

/// The dots by degree: the number of covered units that meet there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Degrees<W> {
    /// Degree 1 or more.
    pub one: W,
    /// Degree exactly 2.
    pub two: W,
    /// Degree 3 or 4: the dots that count.
    pub three: W,
}

impl<W: PackedWord> Array<W> {
    pub const fn bits(rows: u32, cols: u32) -> u32 {
        let dots = rows * cols;
        dots + (dots - cols) + dots.saturating_sub(2 * cols + 2)
    }

    /// Creates an array. It must fit into the word.
    pub fn new(rows: u8, cols: u8) -> Array<W> {
        let bit = |at: Dot| W::from(1) << (at.row as u32 * cols as u32 + at.col as u32);
        let all = |keep: &dyn Fn(Dot) -> bool| {
            (0..rows)
                .flat_map(|row| (0..cols).map(move |col| Dot { row, col }))
                .filter(|&at| keep(at))
                .fold(W::default(), |dots, at| dots | bit(at))
        };
        let mut array = Array {
            rows: rows as u32,
            cols: cols as u32,
            dots: all(&|_| true),
            last_col: all(&|Dot { col, .. }| col + 1 == cols),
            passes: Vec::new(),
            within: all(&|Dot { row, col }| row > 0 && col > 0 && row + 1 < rows && col + 1 < cols),
            lines: Vec::new(),
            segments: Vec::new(),
        };
        let on_rows = (0..rows).map(|line| all(&|at| at.row == line));
        let on_cols = (0..cols).map(|line| all(&|at| at.col == line));
        array.lines = on_rows
            .chain(on_cols)
            .map(|dots| [dots | dots >> 1, dots | dots >> cols as u32])
            .collect();
        for row in 1..rows.saturating_sub(1) {
            for col in 1..cols.saturating_sub(1) {
                let at = Dot { row, col };
                let passed = |image| bit(array.dot_image(at, image)) << array.passed_at();
                array.passes.push((bit(at), std::array::from_fn(passed)));
            }
        }
        for row in 0..rows {
            for col in 0..cols {
                let from = Dot { row, col };
                let right = (col + 1..cols).map(|col| Dot { row, col });
                let down = (row + 1..rows).map(|row| Dot { row, col });
                for to in right.chain(down) {
                    array.segments.push(array.pack_segment(Segment::new(from, to)));
                }
            }
        }
        array.segments.sort_by_key(|segment| Reverse(segment.dots));
        let numbers: HashMap<Segment, u16> =
            array.segments.iter().map(|segment| segment.mv).zip(0..).collect();
        for number in 0..array.segments.len() {
            let segment = array.segments[number].mv;
            let turned = |image| numbers[&array.image(segment, image)];
            array.segments[number].turned = std::array::from_fn(turned);
        }
        array
    }

    /// Returns every segment of the array, longest first.
    pub fn segments(&self) -> &[PackedSegment<W>] {
        &self.segments
    }

    pub fn pack(&self, drawn: &[Segment]) -> PackedRound<W> {
        let draw = |round: PackedRound<W>, &segment| round.draw(&self.pack_segment(segment));
        drawn.iter().fold(PackedRound::default(), draw)
    }

    /// Returns the number of dots that can ever count: all but the corners.
    pub fn countable(&self) -> u32 {
        self.dots.count() - 4
    }

    /// Returns the least image of a round, which is equal for all symmetric rounds, and the index of that image.
    pub fn key(&self, round: &PackedRound<W>, degrees: &Degrees<W>) -> (W, usize) {
        let mut images = round.0;
        let stale = degrees.three & self.within;
        if stale != W::default() {
            // No more segments can pass a dot where three units meet, so rounds that differ only in such a pass get
            // equal keys.
            for (_, passed) in self.passes.iter().filter(|(dot, _)| *dot & stale != W::default()) {
                for (image, &passed) in images.iter_mut().zip(passed) {
                    *image = *image & !passed;
                }
            }
        }
        let (mut least, mut turn) = (images[0], 0);
        for (image, &word) in images.iter().enumerate().skip(1) {
            if word < least {
                (least, turn) = (word, image);
            }
        }
        (least, turn)
    }

    pub fn degrees(&self, image: W) -> Degrees<W> {
        let right = image & self.dots;
        let down = (image >> self.down_at()) & (self.dots >> self.cols);
        let (left, up) = (right << 1, down << self.cols);
        let (across, along) = (right | left, down | up);
        let (both_across, both_along) = (right & left, down & up);
        let three = both_across & along | both_along & across;
        let two = (both_across | both_along | across & along) & !three;
        Degrees { one: across | along, two, three }
    }

    /// Returns the uncovered units, to the right and down.
    pub fn free(&self, image: W) -> [W; 2] {
        let right = self.dots & !self.last_col & !image;
        let down = (self.dots >> self.cols) & !(image >> self.down_at());
        [right, down]
    }

    /// Returns the dots that no segment passes, including all dots on a side.
    pub fn unpassed(&self, image: W) -> W {
        self.dots & !((image >> self.passed_at()) & self.within)
    }

    const fn down_at(&self) -> u32 {
        self.rows * self.cols
    }

    /// Returns the first bit of the part for passed dots, minus the number of its first dot, which is in the second row
    /// and column.
    const fn passed_at(&self) -> u32 {
        2 * self.rows * self.cols - self.cols - (self.cols + 1)
    }

    fn pack_segment(&self, mv: Segment) -> PackedSegment<W> {
        let dot = |at: Dot| W::from(1) << (at.row as u32 * self.cols + at.col as u32);
        let ends = mv.ends().into_iter().fold(W::default(), |ends, at| ends | dot(at));
        let dots = mv.dots().into_iter().fold(W::default(), |dots, at| dots | dot(at));
        let images = std::array::from_fn(|image| self.added(self.image(mv, image)));
        let turned = [0; IMAGES];
        PackedSegment { images, ends, inner: dots & !ends, dots: dots.count(), turned, mv }
    }

    fn added(&self, segment: Segment) -> W {
        let dots = segment.dots();
        let mut added = W::default();
        for &at in &dots[..dots.len() - 1] {
            let dot = W::from(1) << (at.row as u32 * self.cols + at.col as u32);
            added |= if segment.is_horizontal() { dot } else { dot << self.down_at() };
            if segment.passes(at) {
                added |= (dot & self.within) << self.passed_at();
            }
        }
        added
    }

    /// Returns the image of a segment. The bits of the image's index select mirroring left to right (1), then top to
    /// bottom (2), then at the diagonal (4).
    pub fn image(&self, segment: Segment, image: usize) -> Segment {
        let [from, to] = segment.ends();
        Segment::new(self.dot_image(from, image), self.dot_image(to, image))
    }

    fn dot_image(&self, Dot { row, col }: Dot, image: usize) -> Dot {
        let last = [self.rows, self.cols].map(|count| count as u8 - 1);
        let which = if self.rows == self.cols { image } else { image & 3 };
        let [row, col] = turned([row, col], last, which);
        Dot { row, col }
    }
}

impl<W: PackedWord> Default for PackedRound<W> {
    fn default() -> PackedRound<W> {
        PackedRound([W::default(); IMAGES])
    }
}

impl<W: PackedWord> PackedRound<W> {
    pub fn takes(&self, segment: &PackedSegment<W>) -> bool {
        self.0[0] & segment.images[0] == W::default()
    }

    /// Adds a segment, which must be legal.
    pub fn draw(&self, segment: &PackedSegment<W>) -> PackedRound<W> {
        PackedRound(std::array::from_fn(|image| self.0[image] | segment.images[image]))
    }
}

/// Returns the inverse of a symmetry.
pub const fn back(image: usize) -> usize {
    // Mirroring at the diagonal exchanges left-to-right and top-to-bottom mirroring.
    if image & 4 == 0 { image } else { 4 | (image & 1) << 1 | (image & 2) >> 1 }
}

impl<W: PackedWord> Degrees<W> {
    /// Returns the number of dots that begin to count with this segment.
    pub fn gain(&self, segment: &PackedSegment<W>) -> u32 {
        // The units along the segment are free, so any dot that it passes has at most degree 2 before.
        let dots = segment.ends & self.two | segment.inner & self.one;
        if dots == W::default() { 0 } else { dots.count() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quadrille_rules::Position;
    use quadrille_rules::intersections::Intersections;

    /// In random rounds, packed play and the rules have the same legal moves, degrees and gains, and images are
    /// symmetric.
    fn hold_to_the_rules<W: PackedWord>(shapes: &[(u8, u8)]) {
        let mut rng = fastrand::Rng::with_seed(4);
        for &(rows, cols) in shapes {
            assert!(Array::<W>::bits(rows as u32, cols as u32) <= W::BITS);
            let array = Array::<W>::new(rows, cols);
            for _ in 0..30 {
                let setup = format!("rows={rows} cols={cols}").parse().unwrap();
                let mut position = Intersections::from_setup(&setup).unwrap();
                let mut round = array.pack(position.drawn());
                while position.round().number == 0 {
                    check(&array, round, &position);
                    let moves = position.legal_moves();
                    let mv = moves[rng.usize(..moves.len())];
                    let segment = array.pack_segment(mv);
                    let gain = array.degrees(round.0[0]).gain(&segment) as usize;
                    let counted = position.scoring_dots().count();
                    assert_eq!(position.with_segment(mv).scoring_dots().count(), counted + gain);
                    position.play(mv).unwrap();
                    round = round.draw(&segment);
                }
            }
        }
    }

    fn check<W: PackedWord>(array: &Array<W>, round: PackedRound<W>, position: &Intersections) {
        assert_eq!(round, array.pack(position.drawn()));
        let mut moves = position.legal_moves();
        moves.sort_unstable();
        let taken = array.segments().iter().filter(|segment| round.takes(segment));
        let mut packed: Vec<Segment> = taken.map(|segment| segment.mv).collect();
        packed.sort_unstable();
        assert_eq!(packed, moves, "{position}");
        let degrees = array.degrees(round.0[0]);
        for (index, at) in position.all_dots().enumerate() {
            let has = |dots: W| dots >> index as u32 & W::from(1) != W::default();
            let degree = position.degree(at);
            assert_eq!(has(degrees.one), degree >= 1);
            assert_eq!(has(degrees.two), degree == 2);
            assert_eq!(has(degrees.three), degree >= 3);
        }
        let (key, turn) = array.key(&round, &degrees);
        let square = array.rows == array.cols;
        for image in 0..if square { IMAGES } else { IMAGES / 2 } {
            let to = |image| move |&segment: &Segment| array.image(segment, image);
            let turned: Vec<Segment> = position.drawn().iter().map(to(image)).collect();
            let packed = array.pack(&turned);
            assert_eq!(packed.0[0], round.0[image]);
            let degrees = array.degrees(packed.0[0]);
            assert_eq!(array.key(&packed, &degrees).0, key, "{position}");
            assert!(image != turn || array.key(&packed, &degrees).1 == 0);
            let again: Vec<Segment> = turned.iter().map(to(back(image))).collect();
            assert_eq!(again, position.drawn());
            for segment in array.segments() {
                let turned = &array.segments()[segment.turned[image] as usize];
                assert_eq!(turned.mv, array.image(segment.mv, image));
            }
        }
    }

    #[test]
    fn key_ignores_how_a_dot_came_to_count() {
        let array = Array::<u64>::new(4, 4);
        let key = |segments: &str| {
            let drawn: Vec<Segment> =
                segments.split_whitespace().map(|segment| segment.parse().unwrap()).collect();
            let round = array.pack(&drawn);
            array.key(&round, &array.degrees(round.0[0])).0
        };
        assert_eq!(key("1,0-1,2 0,1-1,1"), key("1,0-1,1 1,1-1,2 0,1-1,1"));
        assert_eq!(key("1,0-1,2 0,1-1,1"), key("2,3-2,1 3,2-2,2"));
        // At a dot of degree 2, it matters whether a segment ends there or passes through.
        assert_ne!(key("1,0-1,2"), key("1,0-1,1 1,1-1,2"));
        assert_eq!(key("0,0-0,2"), key("0,0-0,1 0,1-0,2"));
    }

    #[test]
    fn packed_play_follows_the_rules() {
        hold_to_the_rules::<u64>(&[(2, 2), (2, 7), (3, 3), (3, 5), (4, 4), (5, 5), (4, 7), (8, 2)]);
        hold_to_the_rules::<u128>(&[(4, 4), (6, 6), (7, 7), (3, 16), (21, 2)]);
    }
}
