//! What a board looks like without looking at any push.

use super::board::{Board, Geometry};
use super::mask::{Line, Mask};

/// What a board looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// What its dice are worth, to the seat to move: 1000 is where it wins e times as often as it loses.
    pub score: i32,
    /// Whether the seat to move, and whether the other, lacks no more than one die in some line. A push adds at
    /// most one die of a symbol to a line, so nobody else can complete one.
    pub near: [bool; 2],
}

/// What dice are worth, line by line: all that can be seen of a line is looked up at once.
#[derive(Clone, Debug)]
pub struct Evaluation<M> {
    /// Each line with where in `worth` the lines of its kind begin.
    lines: Vec<(Line<M>, usize)>,
    /// By what the line shows of own dice, and of others.
    worth: Vec<i32>,
    /// What [`Mask::kinds`] says.
    kinds: usize,
}

/// In the lowest bits of what a line is worth stands whether the seat to move is near to completing it, in
/// those above whether the other is. There are no more than 54 lines.
const NEAR: u32 = 6;

/// How many kinds of lines are told apart.
const KINDS: usize = 4;

/// Rows and columns on the rim.
const RIM: usize = 0;
/// Rows and columns at least this far from the rim.
const INMOST: usize = 2;
const DIAGONAL: usize = 3;

/// What lines are worth on 5 × 5: by kind, by how many dice are own, and by how many are the other's. They come from
/// a logistic regression of the results of games on their positions: 340,000 positions of 8,000 games that the
/// search played against itself, at 2,500 boards a move and with one random push in twenty. It was the third such
/// round; each played with the weights of the one before. Dice on the rim count more and diagonals hardly at all
/// in every round. A line with five dice of a symbol ends the game, so it is never looked at.
#[rustfmt::skip]
const FIVE: [[[i32; 5]; 5]; KINDS] = [
    [
        [167, -256, -612, -1181, -2224],
        [614, 185, -231, -581, -1511],
        [936, 552, 226, -407, 0],
        [1491, 1071, 481, 0, 0],
        [2300, 1387, 0, 0, 0],
    ],
    [
        [-74, -391, -699, -1140, -1723],
        [339, 9, -386, -819, -1435],
        [712, 365, -9, -467, 0],
        [1128, 818, 435, 0, 0],
        [1585, 1326, 0, 0, 0],
    ],
    [
        [-33, -326, -679, -1059, -1588],
        [343, 30, -391, -809, -1280],
        [720, 390, 12, -464, 0],
        [1110, 811, 439, 0, 0],
        [1612, 1199, 0, 0, 0],
    ],
    [
        [-55, -30, 54, 66, 14],
        [-96, -20, 37, 54, -101],
        [-112, -29, 20, -11, 0],
        [-70, -11, 69, 0, 0],
        [-77, -34, 0, 0, 0],
    ],
];

/// What the dice of one symbol in a line are worth on boards of other sizes: what [`FIVE`] comes to when only
/// the number of dice counts, the lines of the rim are worth an eighth more, and diagonals nothing.
fn plain(size: u8, kind: usize, dice: usize) -> i32 {
    let share = dice as f32 / f32::from(size);
    let worth = 8_250.0 / f32::from(size) * share + 812.0 * share.powi(3);
    match kind {
        RIM => (worth * 1.125) as i32,
        DIAGONAL => 0,
        _ => worth as i32,
    }
}

impl<M: Mask> Evaluation<M> {
    /// For boards of this size.
    pub fn new(geometry: &Geometry<M>) -> Evaluation<M> {
        let (size, kinds) = (geometry.size, M::kinds(geometry.size));
        let n = size as usize;
        let worth = |kind: usize, own: usize, other: usize| {
            if n == 5 {
                FIVE[kind].get(own).and_then(|row| row.get(other)).copied().unwrap_or_default()
            } else {
                plain(size, kind, own) - plain(size, kind, other)
            }
        };
        let near = |dice: usize| i32::from(dice + 1 >= n);
        let all = (0..KINDS * kinds * kinds).map(|at| {
            let (kind, other, own) = (at / (kinds * kinds), at / kinds % kinds, at % kinds);
            let (own, other) = (M::dice(own) as usize, M::dice(other) as usize);
            worth(kind, own, other) << (2 * NEAR) | near(other) << NEAR | near(own)
        });
        // Rows and columns from one side to the other, then the diagonals.
        let kind = |at: usize| {
            if at < 2 * n { (at % n).min(n - 1 - at % n).min(INMOST) } else { DIAGONAL }
        };
        let lines = geometry.lines.iter().enumerate();
        let lines = lines.map(|(at, line)| (*line, kind(at) * kinds * kinds)).collect();
        Evaluation { lines, worth: all.collect(), kinds }
    }

    /// What the board looks like.
    pub fn shape(&self, board: Board<M>) -> Shape {
        let worth = |(line, from): &(Line<M>, usize)| {
            self.worth[from + board.own.shown(line) + board.other.shown(line) * self.kinds]
        };
        let sum: i32 = self.lines.iter().map(worth).sum();
        let near = |sum: i32| sum & ((1 << NEAR) - 1) != 0;
        Shape { score: sum >> (2 * NEAR), near: [near(sum), near(sum >> NEAR)] }
    }
}
