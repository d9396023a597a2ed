//! The static evaluation of a board, line by line.

use super::board::{Board, Geometry};
use super::five;
use super::mask::{BoardLine, Mask};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StaticEvaluation {
    /// The score for the seat to move. At a score of 1000, that seat wins e times as often as it loses.
    pub score: i32,
    /// Whether the seat to move, and whether the other seat, lacks at most one die in some line. A seat that lacks more
    /// cannot complete a line, since a push adds at most one die of a symbol to a line.
    pub near: [bool; 2],
}

/// The tables of the evaluation, with one lookup for each line.
#[derive(Clone, Debug)]
pub struct LineEvaluation<M> {
    /// Each line, with the index in `scores` at which the scores of its kind begin.
    lines: Vec<(BoardLine<M>, usize)>,
    /// The scores of the lines of each kind, by [`Mask::shown`] of own dice and of the other seat's dice. The lowest
    /// bits store [`NEAR`].
    scores: Vec<i32>,
    /// The number of possible results of [`Mask::shown`].
    patterns: usize,
}

/// Bits that count the lines in which one seat lacks at most one die: the lowest bits for the seat to move, the next
/// bits for the other seat. A board has at most 54 lines, so the sums fit.
const NEAR: u32 = 6;

/// The number of kinds of lines with separate scores.
pub(super) const KINDS: usize = 4;

/// Rows and columns on the rim.
const RIM: usize = 0;
/// Rows and columns at least this many places from the rim.
const INMOST: usize = 2;
const DIAGONAL: usize = 3;

/// Returns the score of the dice of one symbol in a line, on boards other than 5 × 5. Only counts the dice: lines on
/// the rim score an eighth more, and diagonals score nothing.
fn plain(size: u8, kind: usize, dice: usize) -> i32 {
    let share = dice as f32 / f32::from(size);
    let score = 8_250.0 / f32::from(size) * share + 812.0 * share.powi(3);
    match kind {
        RIM => (score * 1.125) as i32,
        DIAGONAL => 0,
        _ => score as i32,
    }
}

impl<M: Mask> LineEvaluation<M> {
    pub fn new(geometry: &Geometry<M>) -> LineEvaluation<M> {
        let (size, patterns) = (geometry.size, M::patterns(geometry.size));
        let n = size as usize;
        let dice = |shown: usize| M::dice(shown) as usize;
        let five = if n == 5 { five::scores() } else { Vec::new() };
        let score = |kind: usize, own: usize, other: usize| match five.get(five::index(own, other))
        {
            Some(scores) => scores[kind],
            None => plain(size, kind, dice(own)) - plain(size, kind, dice(other)),
        };
        let near = |shown: usize| i32::from(dice(shown) + 1 >= n);
        let all = (0..KINDS * patterns * patterns).map(|at| {
            let (kind, other, own) =
                (at / (patterns * patterns), at / patterns % patterns, at % patterns);
            score(kind, own, other) << (2 * NEAR) | near(other) << NEAR | near(own)
        });
        // Rows and columns from one side to the other, then the diagonals.
        let kind = |at: usize| {
            if at < 2 * n { (at % n).min(n - 1 - at % n).min(INMOST) } else { DIAGONAL }
        };
        let lines = geometry.lines.iter().enumerate();
        let lines = lines.map(|(at, line)| (*line, kind(at) * patterns * patterns)).collect();
        LineEvaluation { lines, scores: all.collect(), patterns }
    }

    pub fn evaluate(&self, board: Board<M>) -> StaticEvaluation {
        let score = |(line, from): &(BoardLine<M>, usize)| {
            self.scores[from + board.own.shown(line) + board.other.shown(line) * self.patterns]
        };
        let sum: i32 = self.lines.iter().map(score).sum();
        let near = |sum: i32| sum & ((1 << NEAR) - 1) != 0;
        StaticEvaluation { score: sum >> (2 * NEAR), near: [near(sum), near(sum >> NEAR)] }
    }
}
