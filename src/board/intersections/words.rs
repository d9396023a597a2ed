//! Making Intersections in words.

use super::POINTS;
use crate::board::View;
use crate::board::caption::count;
use crate::board::words::list;
use crate::rules::Position;
use crate::rules::intersections::{DotPlace, Intersections, Segment};
use crate::session::Players;

/// What a segment has done: `draws 1,0-1,1, so that 1,1 counts`. The last one of a round is followed by its
/// points.
pub(super) fn describe(
    before: &Intersections,
    segment: Segment,
    after: &Intersections,
    players: &Players,
) -> String {
    let drawn = before.with_segment(segment);
    let new: Vec<DotPlace> = drawn.counted().filter(|at| before.degree(*at) < 3).collect();
    let counts = match new.len() {
        0 => String::new(),
        1 => format!(", so that {} counts", new[0]),
        _ => format!(", so that {} count", list(&new)),
    };
    let offense = players.name(before.offense());
    let total = drawn.counted().count();
    let then = if after.round() != before.round() {
        let points = if total == 0 { "no points".to_owned() } else { count(total, POINTS) };
        let next = match after.to_move() {
            Some(_) => format!(", and {} is the next offense", players.name(after.offense())),
            None => String::new(),
        };
        format!(". Round {} is over: {offense} gets {points}{next}", before.round() + 1)
    } else if new.is_empty() {
        String::new()
    } else {
        format!(". That makes {total} for {offense} so far")
    };
    format!("draws {segment}{counts}{then}")
}

/// Which dots count or are near it, and who drew which segments.
pub(super) fn read_out(view: &View<Intersections>, players: &Players) -> Vec<String> {
    let board = view.now;
    if board.to_move().is_none() {
        return Vec::new();
    }
    let counted = board.counted().map(|at| format!("{at} ({} segments)", board.degree(at)));
    let counted: Vec<String> = counted.collect();
    let mut lines = Vec::new();
    if !counted.is_empty() {
        lines.push(format!("Dots that count: {}.", list(counted)));
    }
    for (ends, name) in [(2, "Dots where two segments end"), (1, "Dots where one segment ends")] {
        let dots = board.all_dots().filter(|at| board.degree(*at) == ends);
        let dots: Vec<DotPlace> = dots.collect();
        if !dots.is_empty() {
            lines.push(format!("{name}: {}.", list(dots)));
        }
    }
    let first = view.played.len().saturating_sub(board.drawn().len());
    for (seat, player) in players.iter() {
        let own = view.played[first..].iter().filter(|(by, _)| *by == seat);
        let own: Vec<&Segment> = own.map(|(_, segment)| segment).collect();
        if !own.is_empty() {
            lines.push(format!("{} drew {}.", player.name(), list(own)));
        }
    }
    let passed: Vec<DotPlace> = board.all_dots().filter(|at| board.is_passed(*at)).collect();
    if !passed.is_empty() {
        lines.push(format!("No other segment can pass through {}.", list(passed)));
    }
    if board.drawn().is_empty() {
        let (row, col) = (board.rows() - 1, board.cols() - 1);
        lines.push(format!(
            "No dot has a segment yet. The dots are 0,0 to {}.",
            DotPlace { row, col }
        ));
    }
    lines
}

#[cfg(test)]
mod tests {
    use crate::board::words::tests::{board, read, told};
    use crate::board::{AnyBoard, IntersectionsWidget};

    #[test]
    fn a_segment_is_described_with_the_dots_that_count() {
        let told = |moves: &str| told::<IntersectionsWidget>("size=3 segments=4", moves);
        assert_eq!(told("0,0-2,0"), "Ann draws 0,0-2,0. Bob to move.");
        assert_eq!(
            told("0,0-2,0 1,0-1,1"),
            "Bob draws 1,0-1,1, so that 1,0 counts. That makes 1 for Ann so far. Ann to move."
        );
        let round = "0,0-2,0 1,0-1,1 0,1-2,1 1,1-1,2";
        assert_eq!(
            told(round),
            "Bob draws 1,1-1,2. Round 1 is over: Ann gets 2 points, and Bob is the next offense. 2 to \
             0. Bob to move."
        );
        assert_eq!(
            told(&format!("{round} 0,0-0,1 0,1-0,2 0,1-1,1 1,1-2,1")),
            "Ann draws 1,1-2,1. Round 2 is over: Bob gets 1 point. 2 to 1. Ann wins."
        );
        assert_eq!(
            told(&format!("{round} 0,0-0,1 1,0-1,1 2,0-2,1 1,1-1,2")),
            "Ann draws 1,1-1,2. Round 2 is over: Bob gets no points. 2 to 0. Ann wins."
        );
    }

    #[test]
    fn the_score_of_several_seats_has_their_names() {
        let moves = "0,0-2,0 1,0-1,1 0,1-2,1";
        let board =
            board::<IntersectionsWidget>("size=3 players=3 segments=3", "Ann Bob Cy", moves);
        assert_eq!(
            (&*board as &dyn AnyBoard).in_words(board.session().players()),
            "Cy draws 0,1-2,1, so that 1,1 counts. Round 1 is over: Ann gets 2 points, and Bob is the \
             next offense. Ann has 2, Bob has 0, Cy has 0. Bob to move."
        );
    }

    #[test]
    fn dots_that_count_are_read_out_first() {
        assert_eq!(
            read::<IntersectionsWidget>("size=3 segments=4", "0,0-2,0 1,0-1,1"),
            [
                "Dots that count: 1,0 (3 segments).",
                "Dots where one segment ends: 0,0, 1,1 and 2,0.",
                "Ann drew 0,0-2,0.",
                "Bob drew 1,0-1,1.",
                "No other segment can pass through 1,0."
            ]
        );
        assert_eq!(
            read::<IntersectionsWidget>("", ""),
            ["No dot has a segment yet. The dots are 0,0 to 3,3."]
        );
    }
}
