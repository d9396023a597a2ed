//! The players below Strong.

use super::unpacked::{PointPair, UnpackedBoard, line};
use crate::lookahead::{Sight, lookahead};
use crate::max_n::SearchState;
use crate::{Control, Level, Report};
use quadrille_rules::Seat;
use quadrille_rules::join_the_dots::Edge;
use std::cmp::Reverse;

/// Returns the lookahead limits of a level.
const fn sight(level: Level) -> Sight {
    match level {
        Level::Beginner => Sight { plies: 1, width: MAX_LINES, blunder_rate: 5 },
        Level::Casual => Sight { plies: 2, width: 64, blunder_rate: 8 },
        _ => Sight { plies: 4, width: 8, blunder_rate: 1 },
    }
}

/// The maximum number of lines considered in a position, since considering all lines of a large map would take too
/// long.
const MAX_LINES: usize = 256;

/// Chooses the move of a level below Strong.
pub fn play_as(
    board: UnpackedBoard<'_>,
    level: Level,
    control: &Control<'_, Edge>,
) -> Report<Edge> {
    let points = LevelBoard { board, gains: [0; 2], seat: 0 };
    lookahead(&points, &sight(level), control, line)
}

/// A board as evaluated by a player below Strong: by the points that the seats have gained.
#[derive(Clone)]
struct LevelBoard<'a> {
    board: UnpackedBoard<'a>,
    /// The points gained by each seat, beginning with the seat to move at the root.
    gains: [i32; 2],
    seat: u8,
}

impl SearchState for LevelBoard<'_> {
    type Move = PointPair;

    fn seats(&self) -> usize {
        2
    }

    fn to_move(&self) -> Option<Seat> {
        self.board.moves().next().map(|_| Seat::new(self.seat))
    }

    /// Lists the largest cycles first, then the lines after which the opponent can close the smallest cycles.
    fn moves(&self, out: &mut Vec<PointPair>) {
        let mut exchanges = self.board.exchanges();
        // The order of equal moves favours no part of the map.
        let mixed =
            |[a, b]: PointPair| ((a * 256 + b) as u32).wrapping_mul(0x9e37_79b9).rotate_left(9);
        exchanges.sort_unstable_by_key(|exchange| (Reverse(exchange.gain), mixed(exchange.pair)));
        exchanges.truncate(MAX_LINES);
        self.board.answer(&mut exchanges, &|| false);
        exchanges.sort_by_key(|exchange| Reverse(super::score(exchange)));
        out.extend(exchanges.into_iter().map(|exchange| exchange.pair));
    }

    fn play(&mut self, pair: PointPair) {
        self.gains[usize::from(self.seat)] += self.board.join(pair);
        self.seat = 1 - self.seat;
    }

    fn evaluate(&self, worth: &mut [f32]) {
        for (gain, worth) in self.gains.iter().zip(worth) {
            *worth = *gain as f32;
        }
    }
}
