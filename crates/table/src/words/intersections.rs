//! Describes Making Intersections in words.

use super::{Caption, PositionView, Words, count, word};
use quadrille_match::session::PlayerNames;
use quadrille_rules::intersections::{Dot, Intersections, Segment};
use quadrille_rules::{Position, Seat};
use quadrille_search::IntersectionsReason as Reason;
use quadrille_text::wording::{capital, list, number};

impl Words for Intersections {
    const SAMPLE: (&'static str, &'static str) =
        ("size=3", "0,0-0,2 0,1-2,1 1,0-1,1 1,1-1,2 2,1-2,2");
    const RULES: &'static str = include_str!("../../assets/rules/intersections.txt");
    const AIM: &'static str = "Make more intersections on offense than the others do.";
    const TAGLINE: &'static str = "The offense scores wherever three or four line ends meet.";
    const HOW_TO_MOVE: &'static str = "Move to a dot with the arrow keys and pick it with Enter. Stretch the \
        segment with an arrow key, and draw it with Enter. The offense's card counts the dots of this round; they \
        become points when the round ends.";

    fn caption(view: &PositionView<Intersections>, shows_ended_round: bool) -> Caption {
        let board = round(view, shows_ended_round);
        let (drawn, segments) = (board.drawn().len() as u32, board.segments());
        let ends = view.now.to_move().is_none();
        let scores = view.now.scores().unwrap_or_default();
        let seat = |(seat, score): (Seat, &u32)| {
            let note = match (ends, seat == board.round().offense) {
                (true, _) => word(*score as usize, POINTS),
                (false, true) => "offense",
                (false, false) => "defense",
            };
            note.to_owned()
        };
        // If the finished round is still shown, its points are already in the scores.
        let is_open = !ends && board.round() == view.now.round();
        let so_far = is_open.then(|| (board.round().offense, board.scoring_dots().count() as u32));
        let rounds = count(board.rounds() as usize, ["round", "rounds"]);
        Caption {
            board: format!(
                "{} x {} dots, {rounds} of {segments} segments",
                board.rows(),
                board.cols()
            ),
            progress: if ends {
                "all rounds played".to_owned()
            } else {
                let (round, rounds) = (board.round().number + 1, board.rounds());
                format!("round {round} of {rounds}, {drawn} of {segments} segments")
            },
            unit: Some(POINTS),
            seats: (0..).map(Seat::new).zip(&scores).map(seat).collect(),
            so_far,
            bar: Some(scores.iter().sum::<u32>() + so_far.map_or(0, |(_, points)| points)),
        }
    }

    /// Formats a move, as in `draws 1,0-1,1. 1,1 scores`. The last segment of a round is followed by the
    /// round's points.
    fn describe(
        before: &Intersections,
        segment: Segment,
        after: &Intersections,
        by: Seat,
        names: &PlayerNames,
    ) -> String {
        let drawn = before.with_segment(segment);
        let new: Vec<Dot> = drawn.scoring_dots().filter(|at| before.degree(*at) < 3).collect();
        let counts = match new.len() {
            0 => String::new(),
            1 => format!(". {} scores", new[0]),
            many => format!(". {} dots score: {}", capital(&number(many)), list(&new)),
        };
        let offense = before.round().offense;
        let total = drawn.scoring_dots().count();
        let then = if after.round() != before.round() {
            let points = if total == 0 { "no points".to_owned() } else { count(total, POINTS) };
            let next = match after.to_move() {
                Some(_) => {
                    let next = names.inner_clause(after.round().offense, "is the next offense");
                    format!(", and {next}")
                }
                None => String::new(),
            };
            let gets = names.inner_clause(offense, &format!("gets {points}"));
            format!(". Round {} is over: {gets}{next}", before.round().number + 1)
        } else if new.is_empty() {
            String::new()
        } else {
            format!(". That makes {total} for {} so far", names.name(offense))
        };
        format!("{} {segment}{counts}{then}", names.verb(by, "draws"))
    }

    /// Describes the dots that count or nearly count, and who drew each segment.
    fn read_out(view: &PositionView<Intersections>, names: &PlayerNames) -> Vec<String> {
        let board = view.now;
        if board.to_move().is_none() {
            return Vec::new();
        }
        let counted = board.scoring_dots().map(|at| format!("{at} ({} ends)", board.degree(at)));
        let counted: Vec<String> = counted.collect();
        let mut lines = Vec::new();
        if !counted.is_empty() {
            lines.push(format!("Scoring dots: {}.", list(counted)));
        }
        for (ends, name) in [(2, "Dots with two ends"), (1, "Dots with one end")] {
            let dots = board.all_dots().filter(|at| board.degree(*at) == ends);
            let dots: Vec<Dot> = dots.collect();
            if !dots.is_empty() {
                lines.push(format!("{name}: {}.", list(dots)));
            }
        }
        let first = view.played.len().saturating_sub(board.drawn().len());
        for seat in names.seats() {
            let own = view.played[first..].iter().filter(|(by, _)| *by == seat);
            let own: Vec<&Segment> = own.map(|(_, segment)| segment).collect();
            if !own.is_empty() {
                lines.push(format!("{} drew {}.", names.subject(seat), list(own)));
            }
        }
        let passed: Vec<Dot> = board.all_dots().filter(|at| board.is_passed(*at)).collect();
        if !passed.is_empty() {
            lines.push(format!("No more segments can cross {}.", list(passed)));
        }
        if board.drawn().is_empty() {
            let (row, col) = (board.rows() - 1, board.cols() - 1);
            lines.push(format!("No segments yet. The dots are 0,0 to {}.", Dot { row, col }));
        }
        lines
    }
}

/// Returns the round that the last move ended, including the round's last segment; `None` if the last move ended no
/// round.
pub fn finished(view: &PositionView<Intersections>) -> Option<Intersections> {
    let last = view.last.as_ref()?;
    let ended = last.before.round() != view.now.round();
    ended.then(|| last.before.with_segment(last.mv))
}

pub(super) fn explain(reason: Reason) -> String {
    let dots = |number: u32| count(number as usize, ["intersection", "intersections"]);
    match reason {
        Reason::Makes(made) => format!("makes {}", dots(made)),
        Reason::Concedes(made) => format!("makes {} for the offense", dots(made)),
        Reason::Threatens(most) => format!("threatens to make {}", dots(most)),
        Reason::KeepsThreat(most) => format!("still threatens to make {}", dots(most)),
        Reason::Leaves { now: 0, .. } => "leaves no threat".to_owned(),
        Reason::Leaves { before, now } if now < before => {
            format!("cuts the threat from {} to {now}", dots(before))
        }
        Reason::Leaves { now, .. } => format!("holds the threat to {}", dots(now)),
        Reason::Nothing => "makes no intersection".to_owned(),
    }
}

pub const POINTS: [&str; 2] = ["point", "points"];

/// Returns the round to show: the round that the last move ended, if it is still shown or the match is over; otherwise
/// the current round.
pub fn round(view: &PositionView<Intersections>, shows_ended_round: bool) -> Intersections {
    let ended = shows_ended_round || view.now.to_move().is_none();
    finished(view).filter(|_| ended).unwrap_or_else(|| view.now.clone())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::tests::{in_words, played, players, read, told};
    use quadrille_match::session::Players;

    #[test]
    fn segment_description_lists_scoring_dots() {
        let told = |moves: &str| told::<Intersections>("size=3 segments=4", moves);
        assert_eq!(told("0,0-2,0"), "Ann draws 0,0-2,0. Bob to move.");
        assert_eq!(
            told("0,0-2,0 1,0-1,1"),
            "Bob draws 1,0-1,1. 1,0 scores. That makes 1 for Ann so far. Ann to move."
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
    fn standing_at_the_start_of_a_round_names_its_offense() {
        let moves = "0,0-2,0 1,0-1,1 0,1-2,1 1,1-1,2";
        let game = played::<Intersections>("size=3 segments=4", moves);
        let names = PlayerNames::of(&Players::named(2, &players("Ann Bob")));
        let board = in_words::<Intersections>(&game).board(&names);
        assert_eq!(
            board[1],
            "Ann has 2 points (defense); Bob has 0 points (offense, +0 so far). Round 2 of 2, 0 of 4 segments. Bob to move."
        );
    }

    #[test]
    fn score_of_several_seats_names_each_player() {
        let moves = "0,0-2,0 1,0-1,1 0,1-2,1";
        let game = played::<Intersections>("size=3 players=3 segments=3", moves);
        let names = PlayerNames::of(&Players::named(3, &players("Ann Bob Cy")));
        assert_eq!(
            in_words::<Intersections>(&game).last_and_turn(&names),
            "Cy draws 0,1-2,1. 1,1 scores. Round 1 is over: Ann gets 2 points, and Bob is the next offense. Ann has 2, Bob has 0, Cy has 0. Bob to move."
        );
    }

    #[test]
    fn board_readout_starts_with_scoring_dots() {
        assert_eq!(
            read::<Intersections>("size=3 segments=4", "0,0-2,0 1,0-1,1"),
            [
                "Scoring dots: 1,0 (3 ends).",
                "Dots with one end: 0,0, 1,1 and 2,0.",
                "Ann drew 0,0-2,0.",
                "Bob drew 1,0-1,1.",
                "No more segments can cross 1,0."
            ]
        );
        // One segment passes 1,0, and so does a second.
        assert!(
            read::<Intersections>("size=3 segments=4", "0,0-2,0 0,1-2,1")
                .contains(&"Dots with two ends: 1,0 and 1,1.".to_owned())
        );
        assert_eq!(read::<Intersections>("", ""), ["No segments yet. The dots are 0,0 to 3,3."]);
    }
}
