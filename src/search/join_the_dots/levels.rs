//! The players below Strong.

use super::wide::{Pair, WideBoard, line};
use crate::rules::Seat;
use crate::rules::join_the_dots::Line;
use crate::search::lookahead::{Sight, lookahead};
use crate::search::many::Contest;
use crate::search::{Control, Level, Report};
use std::cmp::Reverse;

/// How a level looks at the points.
const fn sight(level: Level) -> Sight {
    match level {
        Level::Beginner => Sight { plies: 1, width: MOST, overlooks: 5 },
        Level::Casual => Sight { plies: 2, width: 64, overlooks: 8 },
        _ => Sight { plies: 4, width: 8, overlooks: 1 },
    }
}

/// The most lines that are looked at in a position: on a large map somebody who looks everywhere would
/// never be done.
const MOST: usize = 256;

/// The move of a level below Strong.
pub fn play_as(board: WideBoard<'_>, level: Level, control: &Control<'_, Line>) -> Report<Line> {
    let points = Points { board, gains: [0; 2], seat: 0 };
    let chosen = lookahead(&points, &sight(level), control);
    chosen.map(|it| it.report(line)).unwrap_or_default()
}

/// The points as a player sees them who minds which cycles can be closed.
#[derive(Clone)]
struct Points<'a> {
    board: WideBoard<'a>,
    /// What the seats have gained, whoever is to move first at the first place.
    gains: [i32; 2],
    seat: u8,
}

impl Contest for Points<'_> {
    type Move = Pair;

    fn seats(&self) -> usize {
        2
    }

    fn to_move(&self) -> Option<Seat> {
        self.board.moves().next().map(|_| Seat::new(self.seat))
    }

    /// The largest cycles first, then lines after which the other can close the least.
    fn moves(&self, out: &mut Vec<Pair>) {
        let mut offers = self.board.offers();
        // In an order that prefers no part of the map.
        let mixed = |[a, b]: Pair| ((a * 256 + b) as u32).wrapping_mul(0x9e37_79b9).rotate_left(9);
        offers.sort_unstable_by_key(|offer| (Reverse(offer.gain), mixed(offer.pair)));
        offers.truncate(MOST);
        self.board.answer(&mut offers, &|| false);
        offers.sort_by_key(|offer| Reverse(super::worth(offer)));
        out.extend(offers.into_iter().map(|offer| offer.pair));
    }

    fn play(&mut self, pair: Pair) {
        self.gains[usize::from(self.seat)] += self.board.join(pair);
        self.seat = 1 - self.seat;
    }

    fn worth(&self, worth: &mut [f32]) {
        for (gain, worth) in self.gains.iter().zip(worth) {
            *worth = *gain as f32;
        }
    }
}
