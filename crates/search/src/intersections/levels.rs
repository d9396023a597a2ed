//! The players below Strong.

use super::wide::WideRound;
use crate::lookahead::{Sight, lookahead};
use crate::{Control, Level, Report};
use quadrille_rules::intersections::{Intersections, Segment};

/// Returns the sight of a level in a round.
const fn sight(level: Level) -> Sight {
    match level {
        Level::Beginner => Sight { plies: 2, width: 48, overlooks: 8 },
        Level::Casual => Sight { plies: 1, width: 48, overlooks: 35 },
        _ => Sight { plies: 3, width: 48, overlooks: 6 },
    }
}

/// Chooses the move of a level below Strong.
pub fn play_as(
    position: &Intersections,
    level: Level,
    control: &Control<'_, Segment>,
) -> Report<Segment> {
    let mut round = WideRound::new(position);
    round.promises = level != Level::Beginner;
    lookahead(&round, &sight(level), control, |segment| segment)
}
