//! Why a line is drawn, in a few words.

use super::layout::{BoardLayout, Marks, Turn};
use crate::OTHER;
use quadrille_rules::Position;
use quadrille_rules::dots_and_boxes::{DotsAndBoxes, Line};
use quadrille_rules::wording::{counted, number};
use std::collections::HashMap;

/// With at most this many safe lines left it is worked out who draws the last one.
const COUNTED: usize = 16;

/// What a line does. `None` if it cannot be drawn.
pub fn why(position: &DotsAndBoxes, line: Line) -> Option<String> {
    position.check(line).ok()?;
    let layout = BoardLayout::new(position);
    let marks = layout.marks(position);
    let index = layout.index(line)?;
    let turn = layout.turn(&marks);
    let mut next = marks.clone();
    let closed = layout.draw(&mut next, index);
    Some(if closed > 0 {
        let (more, kept) = layout.settle(&mut next);
        match closed + more + kept {
            1 => "takes a box".to_owned(),
            all => format!("takes {all} boxes"),
        }
    } else if let Turn::Choose { leave, boxes, .. } = turn
        && leave == index
    {
        format!("leaves the last {} boxes to keep control", number(boxes as usize))
    } else if turn != Turn::Free {
        format!("leaves boxes to {OTHER}")
    } else if layout.is_safe(&marks, index) {
        gives_nothing_away(&layout, &next)
    } else {
        gives_away(&layout, &marks, next)
    })
}

/// What a safe line leaves: how many safe lines, and if the seat to move runs out of them first, that it does.
fn gives_nothing_away(layout: &BoardLayout, next: &Marks) -> String {
    let safe: Vec<u16> = layout.undrawn(next).filter(|&line| layout.is_safe(next, line)).collect();
    let left = match safe.len() {
        0 => "no safe line is left".to_owned(),
        all => counted(all, "safe line is left", "safe lines are left"),
    };
    let so = if runs_out(layout, next, &safe) {
        format!(", so it is {OTHER} who must open a chain")
    } else {
        String::new()
    };
    format!("gives nothing away; {left}{so}")
}

/// Whether the seat to move is the first that has no safe line to draw, if the other one chooses its safe lines well.
/// Also `false` if there are too many to say.
fn runs_out(layout: &BoardLayout, marks: &Marks, safe: &[u16]) -> bool {
    if safe.len() > COUNTED {
        return false;
    }
    // How many lines can be drawn around each box before none is safe there.
    let mut spare: Vec<(u16, u8)> = Vec::new();
    let mut place = |(index, lines): (u16, u8)| {
        spare.iter().position(|&(known, _)| known == index).unwrap_or_else(|| {
            spare.push((index, lines));
            spare.len() - 1
        })
    };
    let beside: Vec<[usize; 2]> =
        safe.iter().map(|&line| layout.spare(marks, line).map(&mut place)).collect();
    let mut spare: Vec<u8> = spare.into_iter().map(|(_, lines)| lines).collect();
    !moves_last(&beside, &mut spare, 0, &mut HashMap::new())
}

/// Whether the seat to move can draw the last safe line. `beside` has the boxes beside each, and `drawn` a bit for each that
/// is drawn.
fn moves_last(
    beside: &[[usize; 2]],
    spare: &mut [u8],
    drawn: u32,
    known: &mut HashMap<u32, bool>,
) -> bool {
    if let Some(&last) = known.get(&drawn) {
        return last;
    }
    let mut last = false;
    for (index, &[one, other]) in beside.iter().enumerate() {
        if last || drawn >> index & 1 == 1 || spare[one] == 0 || spare[other] == 0 {
            continue;
        }
        spare[one] -= 1;
        spare[other] -= 1;
        last = !moves_last(beside, spare, drawn | 1 << index, known);
        spare[one] += 1;
        spare[other] += 1;
    }
    known.insert(drawn, last);
    last
}

/// What a line gives away that is not safe, and whether others give less. `next` are the marks after it.
fn gives_away(layout: &BoardLayout, marks: &Marks, mut next: Marks) -> String {
    let (given, kept) = layout.settle(&mut next);
    let all = given + kept;
    let does = match (given, kept) {
        (1, 0) => "offers a box".to_owned(),
        (2, 0) => "offers two boxes, which must both be taken".to_owned(),
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
