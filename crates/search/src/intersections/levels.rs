//! The players below Strong.

use super::wide::WideRound;
use crate::lookahead::{Sight, lookahead};
use crate::max_n::SearchState;
use crate::{Control, Level, Report};
use quadrille_rules::Seat;
use quadrille_rules::intersections::{Intersections, Segment};

/// How a level looks at a round.
const fn sight(level: Level) -> Sight {
    match level {
        Level::Beginner => Sight { plies: 2, width: 48, overlooks: 8 },
        Level::Casual => Sight { plies: 1, width: 48, overlooks: 35 },
        _ => Sight { plies: 3, width: 48, overlooks: 6 },
    }
}

/// The move of a level below Strong.
pub fn play_as(
    position: &Intersections,
    level: Level,
    control: &Control<'_, Segment>,
) -> Report<Segment> {
    let round = WideRound::new(position);
    let chosen = if level == Level::Beginner {
        lookahead(&MadeOnly(round), &sight(level), control)
    } else {
        lookahead(&round, &sight(level), control)
    };
    chosen.map(|chosen| chosen.report(|segment| segment)).unwrap_or_default()
}

/// A round as a player evaluates it who only counts the intersections that are made, not those that may come.
#[derive(Clone)]
struct MadeOnly(WideRound);

impl SearchState for MadeOnly {
    type Move = Segment;

    fn seats(&self) -> usize {
        self.0.seats()
    }

    fn to_move(&self) -> Option<Seat> {
        self.0.to_move()
    }

    fn moves(&self, out: &mut Vec<Segment>) {
        self.0.moves(out);
    }

    fn play(&mut self, segment: Segment) {
        self.0.play(segment);
    }

    fn evaluate(&self, worth: &mut [f32]) {
        self.0.write_worth(self.0.counted() as f32, worth);
    }
}
