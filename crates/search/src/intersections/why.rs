//! Why a segment is drawn, in a few words.

use super::left;
use quadrille_rules::Position;
use quadrille_rules::intersections::{DotPlace, Intersections, Segment};
use quadrille_rules::wording::counted;

/// With more dots than this nothing is said that takes a look at all segments.
const SMALL: usize = 64;

/// What a segment does. `None` if it cannot be drawn.
pub fn why(position: &Intersections, segment: Segment) -> Option<String> {
    position.check(segment).ok()?;
    let next = position.with_segment(segment);
    let made = next.counted().count() - position.counted().count();
    let dots = |count: usize| counted(count, "intersection", "intersections");
    let is_offense = position.to_move() == Some(position.offense());
    Some(if made > 0 {
        let whose = if is_offense { "" } else { " for the offense" };
        format!("makes {}{whose}", dots(made))
    } else if left(position) == 1 || position.all_dots().count() > SMALL {
        quietly(position, &next, is_offense)
    } else {
        let (before, after) = (most_made(position), most_made(&next));
        if is_offense && after > before {
            format!("threatens to make {}", dots(after))
        } else if is_offense && after > 0 {
            format!("keeps the threat to make {}", dots(after))
        } else if is_offense {
            quietly(position, &next, is_offense)
        } else if after == 0 {
            "leaves no intersection that can be made at once".to_owned()
        } else if after < before {
            format!("leaves {} that can be made at once, not {before}", dots(after))
        } else {
            format!("leaves {} that can be made at once", dots(after))
        }
    })
}

/// What is seen at once of a segment that makes no intersection.
fn quietly(position: &Intersections, next: &Intersections, is_offense: bool) -> String {
    // Only two segments can meet in a corner.
    let [bottom, right] = [position.rows() - 1, position.cols() - 1];
    let is_corner = |at: DotPlace| [0, bottom].contains(&at.row) && [0, right].contains(&at.col);
    let nearly = |position: &Intersections| {
        let dots = position.all_dots().filter(|&at| !is_corner(at));
        dots.filter(|&at| position.degree(at) == 2).count()
    };
    match nearly(next).saturating_sub(nearly(position)) {
        more @ 1.. if is_offense && left(position) > 1 => {
            format!("brings {} one segment short of an intersection", counted(more, "dot", "dots"))
        }
        _ => "makes no intersection".to_owned(),
    }
}

/// The most intersections that one segment can make at once.
fn most_made(position: &Intersections) -> usize {
    let counted = position.counted().count();
    let made = position
        .legal()
        .into_iter()
        .map(|mv| position.with_segment(mv).counted().count() - counted);
    made.max().unwrap_or_default()
}
