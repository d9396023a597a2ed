//! The reasons for lines.

use super::layout::{BoardLayout, Marks, Turn};
use quadrille_rules::Position;
use quadrille_rules::dots_and_boxes::{DotsAndBoxes, Line};

/// The effect of a line in Dots and Boxes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DotsAndBoxesReason {
    /// Takes this many boxes.
    Takes(i32),
    /// Leaves the last boxes of a chain or loop: a double-cross.
    DoubleCross {
        /// The number of boxes left: 2 or 4.
        boxes: i32,
        /// Whether the opponent must then open a chain or a loop.
        keeps_control: bool,
    },
    /// Leaves boxes that can be taken.
    LeavesBoxes,
    /// Gives nothing away and leaves this many safe lines, at least one.
    Safe(u32),
    /// Gives nothing away and leaves no safe line, so that the opponent must open a chain or a loop.
    LastSafe {
        /// Whether a chain is left to open.
        has_chain: bool,
        /// Whether a loop is left to open.
        has_loop: bool,
    },
    /// Opens a chain or a loop.
    Opens {
        /// The number of boxes in the chain or loop.
        boxes: i32,
        /// The number of boxes that a double-cross gives back: 0, 2, or, in a loop, 4.
        kept: i32,
        /// Whether no other line gives away fewer boxes.
        is_least: bool,
    },
}

/// Returns the effect of a line. Later moves count only if they are forced. `None` if the line is illegal.
pub fn why(position: &DotsAndBoxes, line: Line) -> Option<DotsAndBoxesReason> {
    position.check(line).ok()?;
    let layout = BoardLayout::new(position);
    let marks = layout.marks(position);
    let index = layout.index(line)?;
    let turn = layout.turn(&marks);
    let mut next = marks.clone();
    let closed = layout.draw(&mut next, index);
    Some(if closed > 0 {
        DotsAndBoxesReason::Takes(closed)
    } else if let Turn::Choose { leave, boxes, .. } = turn
        && leave == index
    {
        DotsAndBoxesReason::DoubleCross { boxes, keeps_control: must_open(&layout, next) }
    } else if turn != Turn::Free {
        DotsAndBoxesReason::LeavesBoxes
    } else if layout.is_safe(&marks, index) {
        match layout.undrawn(&next).filter(|&line| layout.is_safe(&next, line)).count() {
            0 => last_safe(&layout, &next),
            left => DotsAndBoxesReason::Safe(left as u32),
        }
    } else {
        opens(&layout, &marks, next)
    })
}

/// Returns the effect of the last safe line. `next` is the board after the line.
fn last_safe(layout: &BoardLayout, next: &Marks) -> DotsAndBoxesReason {
    let chains_to_open = layout.chains_to_open(next);
    DotsAndBoxesReason::LastSafe {
        has_chain: chains_to_open.iter().any(|chain| !chain.is_loop),
        has_loop: chains_to_open.iter().any(|chain| chain.is_loop),
    }
}

/// Returns whether the seat to move has to open a chain or a loop after taking all boxes on offer.
fn must_open(layout: &BoardLayout, mut marks: Marks) -> bool {
    let takes = |marks: &Marks| layout.undrawn(marks).find(|&line| layout.takes(marks, line));
    while let Some(line) = takes(&marks) {
        layout.draw(&mut marks, line);
    }
    let mut left = layout.undrawn(&marks).peekable();
    left.peek().is_some() && !left.any(|line| layout.is_safe(&marks, line))
}

/// Returns the effect of a line that is not safe. `next` is the board after the line.
fn opens(layout: &BoardLayout, marks: &Marks, mut next: Marks) -> DotsAndBoxesReason {
    let (given, kept) = layout.settle(&mut next);
    let boxes = given + kept;
    let is_safe = |line: u16| layout.is_safe(marks, line);
    // If no line is safe, each line belongs to a chain or a loop.
    let shortest = layout.chains_to_open(marks).first().map(|chain| i32::from(chain.len));
    let is_least = shortest == Some(boxes) && !layout.undrawn(marks).any(is_safe);
    DotsAndBoxesReason::Opens { boxes, kept, is_least }
}
