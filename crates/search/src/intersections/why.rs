//! The reasons for segments.

use super::left;
use quadrille_rules::Position;
use quadrille_rules::intersections::{Dot, Intersections, Segment};

/// With more dots than this, only reasons that need no scan of all segments are given.
const SMALL: usize = 64;

/// The effect of a segment in Making Intersections.
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
    /// The offense brings this many dots one segment short of an intersection.
    Prepares(u32),
    /// The defense leaves a threat of `now` intersections, or none if `now` is 0.
    Leaves {
        /// The maximum number of intersections that one segment could make before.
        before: u32,
        /// The maximum number of intersections that one segment can make now.
        now: u32,
    },
    /// Makes no intersection.
    Nothing,
}

/// Returns the effect of a segment. `None` if the segment is illegal.
pub fn why(position: &Intersections, segment: Segment) -> Option<IntersectionsReason> {
    position.check(segment).ok()?;
    let next = position.with_segment(segment);
    let made = (next.scoring_dots().count() - position.scoring_dots().count()) as u32;
    let is_offense = position.to_move() == Some(position.offense());
    Some(if made > 0 && is_offense {
        IntersectionsReason::Makes(made)
    } else if made > 0 {
        IntersectionsReason::Concedes(made)
    } else if left(position) == 1 || position.all_dots().count() > SMALL {
        quietly(position, &next, is_offense)
    } else {
        let (before, now) = (most_made(position), most_made(&next));
        match now {
            _ if !is_offense => IntersectionsReason::Leaves { before, now },
            0 => quietly(position, &next, is_offense),
            now if now > before => IntersectionsReason::Threatens(now),
            now => IntersectionsReason::KeepsThreat(now),
        }
    })
}

/// Returns the immediate effect of a segment that makes no intersection.
fn quietly(
    position: &Intersections,
    next: &Intersections,
    is_offense: bool,
) -> IntersectionsReason {
    // Only two segments can meet in a corner.
    let [bottom, right] = [position.rows() - 1, position.cols() - 1];
    let is_corner = |at: Dot| [0, bottom].contains(&at.row) && [0, right].contains(&at.col);
    let nearly = |position: &Intersections| {
        let dots = position.all_dots().filter(|&at| !is_corner(at));
        dots.filter(|&at| position.degree(at) == 2).count()
    };
    match nearly(next).saturating_sub(nearly(position)) {
        more @ 1.. if is_offense && left(position) > 1 => {
            IntersectionsReason::Prepares(more as u32)
        }
        _ => IntersectionsReason::Nothing,
    }
}

/// Returns the maximum number of intersections that one segment can make.
fn most_made(position: &Intersections) -> u32 {
    let counted = position.scoring_dots().count();
    let made = position
        .legal_moves()
        .into_iter()
        .map(|mv| position.with_segment(mv).scoring_dots().count() - counted);
    made.max().unwrap_or_default() as u32
}
