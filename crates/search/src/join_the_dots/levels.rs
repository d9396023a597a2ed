//! The players below Strong.

use super::unpacked::{PointPair, UnpackedBoard, line};
use crate::lookahead::{Lapses, Sight, Sighted, lookahead};
use crate::max_n::SearchState;
use crate::{Control, Level, Report};
use quadrille_rules::Seat;
use quadrille_rules::join_the_dots::Edge;
use std::cmp::Reverse;

/// Returns the lookahead limits of a level on a map of this many points.
const fn sight(level: Level, points: usize) -> Sight {
    let (plies, width, overlooks) = match level {
        Level::Beginner => (2, MAX_LINES, 2),
        Level::Casual => (4, 8, 1),
        // A fifth ply takes too long on a large map.
        _ => (if points <= 24 { 5 } else { 4 }, 8, 0),
    };
    Sight { plies, width, lapses: Lapses::Features(overlooks) }
}

/// The maximum number of lines considered in a position, since considering all lines of a large map would take too
/// long.
pub const MAX_LINES: usize = 256;

/// Chooses the move of a level below Strong.
pub fn play_as(
    board: UnpackedBoard<'_>,
    level: Level,
    control: &Control<'_, Edge>,
) -> Report<Edge> {
    let sight = sight(level, board.points());
    play_with(board, &sight, level == Level::Beginner, control)
}

/// Chooses the move of a player; `is_greedy` as in [`LevelBoard`].
pub fn play_with(
    board: UnpackedBoard<'_>,
    sight: &Sight,
    is_greedy: bool,
    control: &Control<'_, Edge>,
) -> Report<Edge> {
    let points = LevelBoard { board, is_greedy, gains: [0; 2], seat: 0 };
    lookahead(&points, sight, control, line)
}

/// A board as evaluated by a player below Strong: by the points that the seats have gained.
#[derive(Clone)]
struct LevelBoard<'a> {
    board: UnpackedBoard<'a>,
    /// Whether each seat closes one of its largest cycles while there is one.
    is_greedy: bool,
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
        // The order of equal moves favors no part of the map.
        let mixed =
            |[a, b]: PointPair| ((a * 256 + b) as u32).wrapping_mul(0x9e37_79b9).rotate_left(9);
        exchanges.sort_unstable_by_key(|exchange| (Reverse(exchange.gain), mixed(exchange.pair)));
        let most = exchanges.first().map_or(0, |exchange| exchange.gain);
        if self.is_greedy && most > 0 {
            exchanges.retain(|exchange| exchange.gain == most);
        }
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

impl Sighted for LevelBoard<'_> {
    /// The feature is the gap in a cycle; long cycles are harder to see.
    fn feature(&self, [a, b]: PointPair) -> Option<(u64, u32)> {
        let cycle = self.board.closes([a, b]).then(|| self.board.path([a, b]).len() as u32)?;
        Some(((a * 256 + b) as u64, cycle - 2))
    }
}
