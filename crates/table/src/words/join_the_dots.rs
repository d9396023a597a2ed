//! Describes Join the Dots in words.

use super::chains::SAFE_LINES;
use super::{Caption, PositionView, Words, count, word};
use quadrille_match::session::PlayerNames;
use quadrille_rules::join_the_dots::{Edge, JoinTheDots, Point, UNIT, cycle_closed_by};
use quadrille_rules::{Position, Seat};
use quadrille_search::JoinTheDotsReason as Reason;
use quadrille_text::wording::list;

impl Words for JoinTheDots {
    const SAMPLE: (&'static str, &'static str) =
        ("points=0,0;0.62,0;0.3,1;0.75,0.9;1,0.45;0.8,0.05", "1-2 4-5 2-3 5-6 1-3");
    const RULES: &'static str = include_str!("../../assets/rules/join-the-dots.txt");
    const AIM: &'static str = "Take more dots than your opponent.";
    const TAGLINE: &'static str = "Join dots without crossing lines. Close a loop to take dots.";
    const HOW_TO_MOVE: &'static str = "Type the numbers of two dots to join them, such as 3 then 7. Or move to each \
        with the arrow keys and press Enter.";

    fn caption(view: &PositionView<JoinTheDots>, _: bool) -> Caption {
        const POINTS: [&str; 2] = ["point", "points"];
        const DOTS: [&str; 2] = ["dot", "dots"];
        let all = view.now.points().len();
        let left = count(view.now.points_left().count(), DOTS);
        let scores = view.now.scores().unwrap_or_default();
        Caption {
            board: count(all, DOTS),
            progress: format!("{left} left"),
            unit: Some(POINTS),
            seats: scores.iter().map(|&score| word(score as usize, POINTS).to_owned()).collect(),
            so_far: None,
            bar: Some(all as u32),
        }
    }

    /// Formats a move, as in `joins 1 and 4 and takes 3 dots: 1, 3 and 4`.
    fn describe(
        before: &JoinTheDots,
        line: Edge,
        after: &JoinTheDots,
        by: Seat,
        names: &PlayerNames,
    ) -> String {
        let [a, b] = line.ends();
        let [joins, takes] = ["joins", "takes"].map(|verb| names.verb(by, verb));
        let Some(cycle) = before.cycle_closed_by(line) else {
            return format!("{joins} {a} and {b}");
        };
        let is_rim = |line: &Edge| line.ends().iter().all(|end| cycle.contains(end));
        let is_gone = |line: &&Edge| after.lines().binary_search(line).is_err() && !is_rim(line);
        let gone: Vec<&Edge> = before.lines().iter().filter(is_gone).collect();
        let gone = match gone.as_slice() {
            [] => String::new(),
            [line] => format!(", removing line {line}"),
            _ => format!(", removing lines {}", list(gone)),
        };
        // The points in order around the cycle, from one end of the line to the other.
        let points = list(cycle.iter().rev());
        let end = match after.points_left().count() {
            _ if after.outcome().is_none() => String::new(),
            0 => String::new(),
            left @ 1..3 => format!("; {} left, too few for a loop", count(left, ["dot", "dots"])),
            _ => "; no other line can be drawn".to_owned(),
        };
        format!("{joins} {a} and {b} and {takes} {} dots: {points}{gone}{end}", cycle.len())
    }

    /// Describes the lines that close a cycle, the taken dots, who drew each line, and the remaining points.
    fn read_out(view: &PositionView<JoinTheDots>, names: &PlayerNames) -> Vec<String> {
        let board = view.now;
        let is_over = board.to_move().is_none() || view.outcome.is_some();
        let mut lines = if is_over { Vec::new() } else { closing(board) };
        let drawn = DrawnShapes::by(view.played);
        for seat in names.seats() {
            for (_, cycle) in drawn.cycles.iter().filter(|(by, _)| *by == seat) {
                let taken = format!("has taken {}", list(cycle.iter().rev()));
                lines.push(format!("{}.", names.clause(seat, &taken)));
            }
            let mut own: Vec<Edge> =
                drawn.lines.iter().filter(|(by, _)| *by == seat).map(|(_, line)| *line).collect();
            own.sort_unstable();
            if !own.is_empty() {
                lines.push(format!("{} drew {}.", names.subject(seat), list(own)));
            }
        }
        let lonely: Vec<u8> =
            board.points_left().filter(|&from| !can_be_joined(board, from)).collect();
        if !is_over && !lonely.is_empty() {
            lines.push(format!("No lines can be drawn from {}.", list(lonely)));
        }
        if board.points_left().next().is_some() {
            lines.push("Remaining dots, in percent from the left and from the bottom:".to_owned());
        }
        for (area, name) in AREAS.iter().enumerate() {
            let here =
                |number: &u8| board.point(*number).is_some_and(|point| self::area(point) == area);
            let points = board.points_left().filter(here).filter_map(|number| {
                let Point { x, y } = board.point(number)?;
                let hundredth = |units: u32| (units + UNIT / 200) / (UNIT / 100);
                Some(format!("{number} at {},{}", hundredth(x), hundredth(y)))
            });
            let points: Vec<String> = points.collect();
            if !points.is_empty() {
                lines.push(format!("{name}: {}.", points.join("; ")));
            }
        }
        lines
    }
}

/// Returns the effect of a line and its consequence.
pub(super) fn explain(reason: Reason, opponent: &str) -> (String, Option<String>) {
    let does = match reason {
        Reason::Closes(dots) => format!("closes a cycle of {dots} dots"),
        Reason::Safe { blocked: 0, .. } => "gives no cycle away".to_owned(),
        Reason::Safe { blocked, .. } => format!("blocks a cycle of {blocked} dots"),
        Reason::Reduces { from, to } => {
            format!("lets {opponent} take only {to} dots instead of {from}")
        }
        Reason::Gives { dots, .. } => format!("lets {opponent} take {dots} dots"),
    };
    let note = match reason {
        Reason::Safe { left: Some(0), .. } => {
            Some(format!("no safe lines left, so {opponent} must give a cycle away"))
        }
        Reason::Safe { left: Some(left), .. } => {
            Some(format!("{} left", count(left as usize, SAFE_LINES)))
        }
        Reason::Gives { is_least: true, .. } => Some("no line gives away less".to_owned()),
        _ => None,
    };
    (does, note)
}

/// Returns the lines that close a cycle.
fn closing(board: &JoinTheDots) -> Vec<String> {
    let closed = board.legal_moves().into_iter().filter_map(|line| {
        let cycle = board.cycle_closed_by(line)?;
        Some(format!("{line} takes {} dots: {}.", cycle.len(), list(cycle.iter().rev())))
    });
    let closed: Vec<String> = closed.collect();
    if closed.is_empty() { vec!["No line closes a cycle.".to_owned()] } else { closed }
}

/// The nine areas of the paper, in reading order.
const AREAS: [&str; 9] = [
    "North-west",
    "North",
    "North-east",
    "West",
    "Center",
    "East",
    "South-west",
    "South",
    "South-east",
];

/// Returns the index of a point's area in [`AREAS`].
const fn area(Point { x, y }: Point) -> usize {
    const fn third(at: u32) -> usize {
        if at < UNIT / 3 {
            0
        } else if at <= UNIT - UNIT / 3 {
            1
        } else {
            2
        }
    }
    3 * (2 - third(y)) + third(x)
}

/// Returns whether any line can be drawn from this point.
pub fn can_be_joined(board: &JoinTheDots, from: u8) -> bool {
    board.points_left().any(|to| board.check(Edge::new(from, to)).is_ok())
}

/// The shapes to draw for the moves played so far.
#[derive(Default)]
pub struct DrawnShapes {
    /// The lines on the board and the seats that drew them.
    pub lines: Vec<(Seat, Edge)>,
    /// The taken cycles and the seats that took them.
    pub cycles: Vec<(Seat, Vec<u8>)>,
    /// Every line in the order played.
    pub played: Vec<PlayedLine>,
}

/// A line with what it removed from the board.
pub struct PlayedLine {
    pub line: Edge,
    /// The lines that ended at taken dots, except those of the cycle itself.
    pub erased: Vec<Edge>,
    /// The dots taken, in the order of the cycle.
    pub taken: Vec<u8>,
}

impl DrawnShapes {
    pub fn by(played: &[(Seat, Edge)]) -> DrawnShapes {
        let mut drawn = DrawnShapes::default();
        for &(seat, line) in played {
            let before: Vec<Edge> = drawn.lines.iter().map(|(_, line)| *line).collect();
            let Some(cycle) = cycle_closed_by(&before, line) else {
                drawn.lines.push((seat, line));
                drawn.played.push(PlayedLine { line, erased: Vec::new(), taken: Vec::new() });
                continue;
            };
            let goes = |line: &Edge| line.ends().iter().any(|end| cycle.contains(end));
            let is_rim = |line: &Edge| line.ends().iter().all(|end| cycle.contains(end));
            let erased =
                before.iter().copied().filter(|line| goes(line) && !is_rim(line)).collect();
            drawn.played.push(PlayedLine { line, erased, taken: cycle.clone() });
            drawn.lines.retain(|(_, line)| !goes(line));
            drawn.cycles.push((seat, cycle));
        }
        drawn
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::tests::{read, told};

    #[test]
    fn line_description_lists_captures() {
        let told = |moves: &str| told::<JoinTheDots>("layout=eight", moves);
        assert_eq!(told("3-4"), "Ann joins 3 and 4. Bob to move.");
        assert_eq!(
            told("3-4 2-3 7-8 1-5 1-7 1-8"),
            "Bob joins 1 and 8 and takes 3 dots: 1, 7 and 8, removing line 1-5. 0 to 3. Ann to move."
        );
        assert_eq!(
            told("3-4 2-3 7-8 1-5 1-7 1-8 2-4"),
            "Ann joins 2 and 4 and takes 3 dots: 2, 3 and 4; 2 dots left, too few for a loop. 3 to 3. Draw."
        );
    }

    #[test]
    fn cycle_description_lists_removed_lines() {
        let points = "points=0.1,0.1;0.8,0.15;0.75,0.8;0.12,0.7;0.4,0.35;0.9,0.9;0.95,0.3";
        assert_eq!(
            told::<JoinTheDots>(points, "1-2 2-3 3-4 3-6 6-7 4-5 1-4"),
            "Ann joins 1 and 4 and takes 4 dots: 1, 2, 3 and 4, removing lines 3-6 and 4-5. 4 to 0. Bob to move."
        );
    }

    #[test]
    fn paper_readout_groups_moves_by_place() {
        let points = "points=0.1,0.1;0.8,0.15;0.75,0.8;0.12,0.7;0.4,0.35;0.9,0.9;0.95,0.3";
        assert_eq!(
            read::<JoinTheDots>(points, "1-2 2-3 3-6 6-7 4-5"),
            [
                "2-6 takes 3 dots: 2, 3 and 6.",
                "2-7 takes 4 dots: 2, 3, 6 and 7.",
                "3-7 takes 3 dots: 3, 6 and 7.",
                "Ann drew 1-2, 3-6 and 4-5.",
                "Bob drew 2-3 and 6-7.",
                "Remaining dots, in percent from the left and from the bottom:",
                "North-west: 4 at 12,70.",
                "North-east: 3 at 75,80; 6 at 90,90.",
                "Center: 5 at 40,35.",
                "South-west: 1 at 10,10.",
                "South-east: 2 at 80,15; 7 at 95,30."
            ]
        );
        let taken = read::<JoinTheDots>(points, "1-2 2-3 1-3");
        assert_eq!(taken[..2], ["No line closes a cycle.", "Ann has taken 1, 2 and 3."]);
    }
}
