//! The players below Strong. They differ in whether they look at the reply, and in the worth of a dot that does not count
//! yet.

use super::unpacked::{COUNTS, POTENTIAL, UnpackedRound, Worths};
use crate::lookahead::{Lapses, Sight, Sighted, lookahead};
use crate::{Control, Level, Report};
use quadrille_rules::intersections::{Intersections, Segment};

/// A dot at which two units meet is a threat: the next segment can make it count.
const THREATS: Worths = [0, 0, 4, 16, 16];

/// The largest array, in dots, on which Skilled sees no more than threats: there, the potential nearly equals a search.
const SMALL: u16 = 16;

/// Returns the sight of a level on an array of this many dots, and the worth of a dot to the level.
const fn sight(level: Level, dots: u16) -> (Sight, Worths) {
    let (plies, overlooks, worths) = match level {
        Level::Beginner => (1, 0, COUNTS),
        Level::Casual => (2, 45, COUNTS),
        _ if dots <= SMALL => (1, 0, THREATS),
        _ => (1, 0, POTENTIAL),
    };
    (Sight { plies, width: 48, lapses: Lapses::Features(overlooks) }, worths)
}

/// Chooses the move of a level below Strong.
pub fn play_as(
    position: &Intersections,
    level: Level,
    control: &Control<'_, Segment>,
) -> Report<Segment> {
    let dots = u16::from(position.rows()) * u16::from(position.cols());
    let (sight, worths) = sight(level, dots);
    lookahead(&UnpackedRound::judged(position, worths), &sight, control, |segment| segment)
}

impl Sighted for UnpackedRound {
    /// The feature is the first dot that the segment makes count.
    fn feature(&self, segment: Segment) -> Option<(u64, u32)> {
        self.made_by(segment).map(|dot| (dot as u64, 1))
    }
}
