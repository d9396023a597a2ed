//! Describes Dots and Boxes in words.

use super::chains::{self, SAFE_LINES};
use super::{Caption, Notes, PositionView, Words, count, word};
use quadrille_match::session::PlayerNames;
use quadrille_rules::dots_and_boxes::{DotsAndBoxes, Line};
use quadrille_rules::{Position, Seat};
use quadrille_search::DotsAndBoxesReason as Reason;
use quadrille_text::wording::{list, number};

impl Words for DotsAndBoxes {
    const SAMPLE: (&'static str, &'static str) =
        ("size=3", "H0,0 V0,1 H1,1 H1,0 V0,0 V1,1 H2,1 H0,1 V1,2");
    const RULES: &'static str = include_str!("../../assets/rules/dots-and-boxes.txt");
    const AIM: &'static str = "Close more boxes than your opponent.";
    const TAGLINE: &'static str = "Draw lines to close boxes. Each box earns another turn.";
    const HOW_TO_MOVE: &'static str = "Move to a line with the arrow keys and draw it with Enter.";
    const ABOUT_NOTES: Option<&'static str> = Some(chains::ABOUT);

    fn caption(view: &PositionView<DotsAndBoxes>, _: bool) -> Caption {
        let (rows, cols) = (view.now.rows(), view.now.cols());
        let all = (u32::from(rows) - 1) * (u32::from(cols) - 1);
        let score = view.now.score();
        let left = (all - score.iter().sum::<u32>()) as usize;
        let lines = count(view.now.lines_left() as usize, ["line", "lines"]);
        Caption {
            board: format!(
                "{} x {} {} ({rows} x {cols} dots)",
                rows - 1,
                cols - 1,
                word(all as usize, BOXES)
            ),
            progress: format!("{}, {lines} left", boxes(left)),
            unit: Some(BOXES),
            seats: score.map(|score| word(score as usize, BOXES).to_owned()).to_vec(),
            so_far: None,
            bar: Some(all),
        }
    }

    /// Formats a move, as in `draws V1,1 and takes a box`.
    fn describe(
        before: &DotsAndBoxes,
        line: Line,
        after: &DotsAndBoxes,
        by: Seat,
        names: &PlayerNames,
    ) -> String {
        let taken = |board: &DotsAndBoxes| board.score().iter().sum::<u32>();
        let [draws, takes] = ["draws", "takes"].map(|verb| names.verb(by, verb));
        match taken(after) - taken(before) {
            0 => format!("{draws} {line}"),
            1 => format!("{draws} {line} and {takes} a box"),
            _ => format!("{draws} {line} and {takes} two boxes"),
        }
    }

    /// Describes, row by row, the boxes that can be closed, the owners of boxes and lines, and the free lines.
    fn read_out(view: &PositionView<DotsAndBoxes>, names: &PlayerNames) -> Vec<String> {
        let board = view.now;
        let mut lines = Vec::new();
        if board.to_move().is_some() {
            lines.push(closing(board));
        }
        for seat in names.seats() {
            let has = |(row, col): &(u8, u8)| board.owner(*row, *col) == Some(seat);
            let own: Vec<String> = board.boxes().filter(has).map(box_name).collect();
            match own.len() {
                0 => {}
                1 => lines.push(format!("{}.", names.clause(seat, &format!("has box {}", own[0])))),
                _ => lines
                    .push(format!("{}.", names.clause(seat, &format!("has boxes {}", list(own))))),
            }
        }
        for seat in names.seats() {
            let mut drawn: Vec<Line> =
                view.played.iter().filter(|(by, _)| *by == seat).map(|(_, line)| *line).collect();
            drawn.sort_unstable();
            if !drawn.is_empty() {
                lines.push(format!("{} drew {}.", names.subject(seat), list(drawn)));
            }
        }
        if view.played.is_empty() {
            lines.push(all_free(board));
        } else if board.to_move().is_some() {
            lines.extend(free_rows(board));
        }
        lines
    }

    fn notes(view: &PositionView<DotsAndBoxes>, names: &PlayerNames) -> Notes {
        chains::notes(view, names)
    }
}

/// Returns the effect of a line and its consequence. A box is named after the dot at its upper left corner.
pub(super) fn explain(reason: Reason, opponent: &str) -> (String, Option<String>) {
    let does = match reason {
        Reason::Takes(1) => "takes a box".to_owned(),
        Reason::Takes(all) => format!("takes {all} boxes"),
        Reason::DoubleCross { boxes, keeps_control } => {
            let keeps = if keeps_control { " to keep control" } else { "" };
            format!("leaves the last {} boxes{keeps}", number(boxes as usize))
        }
        Reason::LeavesBoxes => format!("leaves boxes to {opponent}"),
        Reason::Safe(_) | Reason::LastSafe { .. } => "gives nothing away".to_owned(),
        Reason::Opens { boxes, kept, .. } => match (boxes, kept) {
            (1, _) => "offers a box".to_owned(),
            (_, 0) => "offers two boxes without a double-cross".to_owned(),
            (_, 4) => format!("opens a loop of {boxes}"),
            _ => format!("opens a chain of {boxes}"),
        },
    };
    let note = match reason {
        Reason::LastSafe { has_chain, has_loop } => {
            let kind = match (has_chain, has_loop) {
                (true, true) => "a chain or a loop",
                (false, true) => "a loop",
                (_, false) => "a chain",
            };
            Some(format!("no safe lines left, so {opponent} must open {kind}"))
        }
        Reason::Safe(left) => Some(format!("{} left", count(left as usize, SAFE_LINES))),
        Reason::Opens { is_least: true, .. } => Some("no line gives away less".to_owned()),
        _ => None,
    };
    (does, note)
}

pub(super) fn box_name((row, col): (u8, u8)) -> String {
    format!("{row},{col}")
}

/// Lists the boxes with three sides drawn, each with its fourth side.
fn closing(board: &DotsAndBoxes) -> String {
    let closing = board.boxes().filter_map(|square| {
        open_side(board, square).map(|side| format!("box {} with {side}", box_name(square)))
    });
    let closing: Vec<String> = closing.collect();
    if closing.is_empty() {
        "No box can be closed with one line.".to_owned()
    } else {
        format!("One line closes: {}.", list(closing))
    }
}

fn all_free(board: &DotsAndBoxes) -> String {
    let (row, col) = (board.rows() - 1, board.cols() - 1);
    let across = Line::Horizontal { row, col: col - 1 };
    let down = Line::Vertical { row: row - 1, col };
    format!("All lines are undrawn: H0,0 to {across} and V0,0 to {down}.")
}

/// Lists the free lines of each row of lines, from the top.
fn free_rows(board: &DotsAndBoxes) -> Vec<String> {
    let mut rows: Vec<Vec<Line>> = Vec::new();
    for row in 0..board.rows() {
        rows.push((0..board.cols() - 1).map(|col| Line::Horizontal { row, col }).collect());
        if row < board.rows() - 1 {
            rows.push((0..board.cols()).map(|col| Line::Vertical { row, col }).collect());
        }
    }
    let said = |row: Vec<Line>| {
        let is_across = matches!(row[0], Line::Horizontal { .. });
        let kind = if is_across { 'H' } else { 'V' };
        let name = format!("Undrawn in {kind}{}", row_of(row[0]));
        let free: Vec<&Line> = row.iter().filter(|line| !board.is_drawn(**line)).collect();
        match free.as_slice() {
            [] => format!("{name}: none."),
            [first, .., last] if free.len() == row.len() => {
                format!("{name}: all, {first} to {last}.")
            }
            _ => format!("{name}: {}.", list(free)),
        }
    };
    rows.into_iter().map(said).collect()
}

/// Returns the open side of a box if exactly one side is open.
pub fn open_side(board: &DotsAndBoxes, square: (u8, u8)) -> Option<Line> {
    let mut open = DotsAndBoxes::sides(square).into_iter().filter(|side| !board.is_drawn(*side));
    open.next().filter(|_| open.next().is_none())
}

const BOXES: [&str; 2] = ["box", "boxes"];

pub fn boxes(number: usize) -> String {
    count(number, BOXES)
}

fn row_of(line: Line) -> u8 {
    match line {
        Line::Horizontal { row, .. } | Line::Vertical { row, .. } => row,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::tests::{read, told};

    #[test]
    fn line_description_lists_captures() {
        let told = |moves: &str| told::<DotsAndBoxes>("size=3", moves);
        assert_eq!(told(""), "Ann to move.");
        assert_eq!(told("H0,0"), "Ann draws H0,0. Bob to move.");
        let box_of_bob = "H0,0 H1,0 V0,0 V0,1";
        assert_eq!(told(box_of_bob), "Bob draws V0,1 and takes a box. 0 to 1. Bob to move.");
        assert_eq!(
            told("H0,0 H0,1 V0,0 V0,2 H1,0 H1,1 V0,1"),
            "Ann draws V0,1 and takes two boxes. 2 to 0. Ann to move."
        );
        assert_eq!(
            told("H0,0 H2,1 H0,1 H2,0 V0,0 V1,2 H1,0 V0,1 H1,1 V0,2 V1,1 V1,0"),
            "Ann draws V1,0 and takes a box. 3 to 1. Ann wins."
        );
    }

    #[test]
    fn board_readout_groups_lines_by_place() {
        let read = |moves: &str| read::<DotsAndBoxes>("size=3", moves);
        assert_eq!(
            read(""),
            [
                "No box can be closed with one line.",
                "All lines are undrawn: H0,0 to H2,1 and V0,0 to V1,2."
            ]
        );
        assert_eq!(
            read("H0,0 H1,0 V0,0 V0,1 H0,1 H1,1"),
            [
                "One line closes: box 0,1 with V0,2.",
                "Bob has box 0,0.",
                "Ann drew H0,0, H1,1 and V0,0.",
                "Bob drew H0,1, H1,0 and V0,1.",
                "Undrawn in H0: none.",
                "Undrawn in V0: V0,2.",
                "Undrawn in H1: none.",
                "Undrawn in V1: all, V1,0 to V1,2.",
                "Undrawn in H2: all, H2,0 to H2,1."
            ]
        );
    }
}
