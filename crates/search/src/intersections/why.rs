//! The reasons for segments.

use super::unpacked::UnpackedRound;
use crate::max_n::SearchState;
use quadrille_rules::Position;
use quadrille_rules::intersections::{Intersections, Segment};

/// The effect of a segment in Making Intersections. A threat exists only while the offense draws another segment in the
/// round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IntersectionsReason {
    /// The offense makes this many intersections.
    Makes(u32),
    /// The defense makes this many intersections, which count for the offense.
    Concedes(u32),
    /// The offense creates a new threat: its next segment could make this many intersections.
    Threatens(u32),
    /// The offense keeps its threat: its next segment could make this many intersections, no more than before.
    KeepsThreat(u32),
    /// The defense leaves a threat of `now` intersections, or none if `now` is 0.
    Leaves {
        /// The maximum number of intersections that one segment could make before.
        before: u32,
        /// The maximum number of intersections that one segment can make now.
        now: u32,
    },
    /// Makes no intersection. The offense has no threat, or no more segments in the round.
    Nothing,
}

/// Returns the effect of a segment. `None` if the segment is illegal.
pub fn why(position: &Intersections, segment: Segment) -> Option<IntersectionsReason> {
    use IntersectionsReason::{Concedes, KeepsThreat, Leaves, Makes, Nothing, Threatens};
    position.check(segment).ok()?;
    let round = UnpackedRound::new(position);
    let mut next = round.clone();
    next.play(segment);
    let made = next.counted() - round.counted();
    let is_offense = position.to_move() == Some(position.round().offense);
    Some(match made {
        1.. if is_offense => Makes(made),
        1.. => Concedes(made),
        0 if !next.offense_draws_again() => Nothing,
        0 => match (round.most_made(), next.most_made()) {
            (before, now) if !is_offense => Leaves { before, now },
            (_, 0) => Nothing,
            (before, now) if now > before => Threatens(now),
            (_, now) => KeepsThreat(now),
        },
    })
}
