//! Why a line is drawn, in a few words.

use super::layout::{BoardLayout, Marks, Turn};
use crate::OTHER;
use quadrille_rules::Position;
use quadrille_rules::dots_and_boxes::{DotsAndBoxes, Line};
use quadrille_rules::wording::{counted, number};

/// What a line does. `None` if it cannot be drawn.
pub fn why(position: &DotsAndBoxes, line: Line, follows: &[Line]) -> Option<String> {
    position.check(line).ok()?;
    let layout = BoardLayout::new(position);
    let marks = layout.marks(position);
    let index = layout.index(line)?;
    let turn = layout.turn(&marks);
    let mut next = marks.clone();
    let closed = layout.draw(&mut next, index);
    let follows: Vec<u16> = follows.iter().filter_map(|&line| layout.index(line)).collect();
    Some(if closed > 0 {
        match closed + taken_by(&layout, &mut next, &follows) {
            1 => "takes a box".to_owned(),
            all => format!("takes {all} boxes"),
        }
    } else if let Turn::Choose { leave, boxes, .. } = turn
        && leave == index
    {
        let keeps = if other_opens(&layout, next, &follows) { " to keep control" } else { "" };
        format!("leaves the last {} boxes{keeps}", number(boxes as usize))
    } else if turn != Turn::Free {
        format!("leaves boxes to {OTHER}")
    } else if layout.is_safe(&marks, index) {
        gives_nothing_away(&layout, next, &follows)
    } else {
        gives_away(&layout, &marks, next)
    })
}

/// How many boxes the turn takes with these lines, up to the first that takes none.
fn taken_by(layout: &BoardLayout, marks: &mut Marks, follows: &[u16]) -> i32 {
    let takes = follows.iter().map_while(|&line| {
        let can_take = marks.is_undrawn(line) && layout.takes(marks, line);
        can_take.then(|| layout.draw(marks, line))
    });
    takes.sum()
}

/// What a safe line leaves: how many safe lines, and who opens the first chain.
fn gives_nothing_away(layout: &BoardLayout, next: Marks, follows: &[u16]) -> String {
    let left = match layout.undrawn(&next).filter(|&line| layout.is_safe(&next, line)).count() {
        0 => "no safe line is left".to_owned(),
        all => counted(all, "safe line is left", "safe lines are left"),
    };
    let so = if other_opens(layout, next, follows) {
        format!(", so it is {OTHER} who must open a chain")
    } else {
        String::new()
    };
    format!("gives nothing away; {left}{so}")
}

/// Whether the principal variation shows that the opponent, who is to move, is the first to give boxes away, and then has
/// no safe line.
fn other_opens(layout: &BoardLayout, mut marks: Marks, follows: &[u16]) -> bool {
    let mut is_other = true;
    for &line in follows {
        if !marks.is_undrawn(line) {
            return false;
        }
        let takes = layout.takes(&marks, line);
        if !takes && !layout.is_safe(&marks, line) {
            let is_safe = |line: u16| layout.is_safe(&marks, line);
            return is_other && !layout.undrawn(&marks).any(is_safe);
        }
        layout.draw(&mut marks, line);
        is_other ^= !takes;
    }
    false
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
