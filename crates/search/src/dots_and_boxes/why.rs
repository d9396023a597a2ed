//! Why a line is drawn, in a few words.

use super::layout::{BoardLayout, Marks, Turn};
use crate::OTHER;
use quadrille_rules::Position;
use quadrille_rules::dots_and_boxes::{DotsAndBoxes, Line};
use quadrille_rules::wording::{counted, number};

/// What a line does. Nothing is said of later moves that play does not force. `None` if it cannot be drawn.
pub fn why(position: &DotsAndBoxes, line: Line) -> Option<String> {
    position.check(line).ok()?;
    let layout = BoardLayout::new(position);
    let marks = layout.marks(position);
    let index = layout.index(line)?;
    let turn = layout.turn(&marks);
    let mut next = marks.clone();
    let closed = layout.draw(&mut next, index);
    Some(if closed > 0 {
        match closed {
            1 => "takes a box".to_owned(),
            all => format!("takes {all} boxes"),
        }
    } else if let Turn::Choose { leave, boxes, .. } = turn
        && leave == index
    {
        let keeps = if must_open(&layout, next) { " to keep control" } else { "" };
        format!("leaves the last {} boxes{keeps}", number(boxes as usize))
    } else if turn != Turn::Free {
        format!("leaves boxes to {OTHER}")
    } else if layout.is_safe(&marks, index) {
        match layout.undrawn(&next).filter(|&line| layout.is_safe(&next, line)).count() {
            0 => format!(
                "gives nothing away; no safe line is left, so it is {OTHER} who must open a chain"
            ),
            all => format!(
                "gives nothing away; {}",
                counted(all, "safe line is left", "safe lines are left")
            ),
        }
    } else {
        gives_away(&layout, &marks, next)
    })
}

/// Whether the seat to move has to open a chain once it has taken all boxes that it can.
fn must_open(layout: &BoardLayout, mut marks: Marks) -> bool {
    let takes = |marks: &Marks| layout.undrawn(marks).find(|&line| layout.takes(marks, line));
    while let Some(line) = takes(&marks) {
        layout.draw(&mut marks, line);
    }
    let mut left = layout.undrawn(&marks).peekable();
    left.peek().is_some() && !left.any(|line| layout.is_safe(&marks, line))
}

/// What a line gives away that is not safe, and whether others give less. `next` are the marks after it.
fn gives_away(layout: &BoardLayout, marks: &Marks, mut next: Marks) -> String {
    let (given, kept) = layout.settle(&mut next);
    let all = given + kept;
    let does = match (given, kept) {
        (1, 0) => "offers a box".to_owned(),
        (2, 0) => "offers two boxes and no double-cross".to_owned(),
        (_, 4) => format!("opens a loop of {all}"),
        _ => format!("opens a chain of {all}"),
    };
    let is_safe = |line: u16| layout.is_safe(marks, line);
    // Without a safe line, each line belongs to a chain or a loop.
    let shortest = layout.chains_to_open(marks).first().map(|chain| i32::from(chain.len));
    if shortest == Some(all) && !layout.undrawn(marks).any(is_safe) {
        format!("{does}; no line gives away less")
    } else {
        does
    }
}
