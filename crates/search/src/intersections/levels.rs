//! The players below Strong.

use super::unpacked::UnpackedRound;
use crate::lookahead::{Sight, lookahead};
use crate::{Control, Level, Report};
use quadrille_rules::intersections::{Intersections, Segment};

/// Returns the sight of a level in a round.
const fn sight(level: Level) -> Sight {
    match level {
        Level::Beginner => Sight { plies: 2, width: 48, blunder_rate: 8 },
        Level::Casual => Sight { plies: 1, width: 48, blunder_rate: 35 },
        _ => Sight { plies: 3, width: 48, blunder_rate: 6 },
    }
}

/// Chooses the move of a level below Strong.
pub fn play_as(
    position: &Intersections,
    level: Level,
    control: &Control<'_, Segment>,
) -> Report<Segment> {
    let mut round = UnpackedRound::new(position);
    round.uses_potential = level != Level::Beginner;
    lookahead(&round, &sight(level), control, |segment| segment)
}
