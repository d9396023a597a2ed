//! Compares the reasons for lines with the rules.

use super::{after, board, random};
use crate::dots_and_boxes::DotsAndBoxesReason::{
    self, DoubleCross, LastSafe, LeavesBoxes, Opens, Safe, Takes,
};
use crate::dots_and_boxes::why::why;
use quadrille_rules::Position;
use quadrille_rules::dots_and_boxes::{DotsAndBoxes, Line};

fn reason(claims: &[&str], line: &str) -> Option<DotsAndBoxesReason> {
    reason_on(board(3, 3), claims, line)
}

fn reason_on(
    mut position: DotsAndBoxes,
    claims: &[&str],
    line: &str,
) -> Option<DotsAndBoxesReason> {
    for claim in claims {
        position.claim(claim).unwrap();
    }
    why(&position, line.parse().unwrap())
}

#[test]
fn why_names_the_reason() {
    // A chain along the top.
    let chain = ["H0,0", "H0,1", "H0,2", "H1,0", "H1,1", "H1,2"];
    let opens = |is_least| Some(Opens { boxes: 3, kept: 2, is_least });
    assert_eq!(reason(&chain, "V0,1"), opens(false));
    let others = ["H2,0", "H2,1", "H2,2", "H3,0", "H3,1", "H3,2"];
    assert_eq!(reason(&[&chain[..], &others].concat(), "V2,0"), opens(true));
    let undrawn = [&chain[..], &["V0,0"]].concat();
    assert_eq!(reason(&undrawn, "V0,1"), Some(Takes(1)));
    let two = [&undrawn[..], &["V0,1"]].concat();
    let double_cross = |keeps_control| Some(DoubleCross { boxes: 2, keeps_control });
    assert_eq!(reason(&two, "V0,3"), double_cross(false));
    let rest = [&two[..], &others].concat();
    assert_eq!(reason(&rest, "V0,3"), double_cross(true));
    assert_eq!(reason(&two, "V2,2"), Some(LeavesBoxes));
    assert_eq!(reason(&[], "V0,0"), Some(Safe(23)));
    assert_eq!(reason(&["H0,0"], "H0,0"), None);
    // All four boxes form a loop.
    let rim = ["H0,0", "H2,1", "H0,1", "H2,0", "V0,0", "V1,2", "V0,2"];
    let last = LastSafe { has_chain: false, has_loop: true };
    assert_eq!(reason_on(board(2, 2), &rim, "V1,0"), Some(last));
}

/// Returns the maximum number of boxes that the seat to move can take in its turn, by trying every line.
fn most(position: &DotsAndBoxes) -> u32 {
    let most_with = |line| {
        let (gain, next) = gain(position, line);
        if gain > 0 { gain + most(&next) } else { 0 }
    };
    position.legal_moves().into_iter().map(most_with).max().unwrap_or_default()
}

/// Returns the number of boxes that a line completes, and the position after the line.
fn gain(position: &DotsAndBoxes, line: Line) -> (u32, DotsAndBoxes) {
    let next = after(position, line);
    (next.score().iter().sum::<u32>() - position.score().iter().sum::<u32>(), next)
}

/// Returns the boxes that the seat to move takes by drawing lines that take a box as long as there are any, and the
/// number of these lines.
fn take_all(position: &DotsAndBoxes) -> (u32, u32) {
    let gains = position.legal_moves().into_iter().map(|line| gain(position, line));
    let Some((boxes, next)) = gains.into_iter().find(|(boxes, _)| *boxes > 0) else {
        return (0, 0);
    };
    let (more, lines) = take_all(&next);
    (boxes + more, lines + 1)
}

/// Returns whether the line gives away a loop, which has as many lines as boxes. A chain has one more.
fn opens_loop(position: &DotsAndBoxes, line: Line) -> bool {
    let (boxes, lines) = take_all(&after(position, line));
    lines + 1 == boxes
}

/// Returns the number of boxes that the seat to move can leave to the opponent as pairs, each taken by one line, by
/// declining the last of the boxes on offer; 0 if it cannot.
fn double_cross(position: &DotsAndBoxes, boxes: u32) -> u32 {
    let left = position.legal_moves().into_iter().map(|line| match gain(position, line) {
        (0, next) if boxes > 0 && take_all(&next) == (boxes, boxes / 2) => boxes,
        (0, _) => 0,
        (taken, next) => double_cross(&next, boxes - taken),
    });
    left.max().unwrap_or_default()
}

/// Returns the lines that complete no box and give none away.
fn safe(position: &DotsAndBoxes) -> Vec<Line> {
    let is_safe = |&line: &Line| {
        let (gain, next) = gain(position, line);
        gain == 0 && most(&next) == 0
    };
    position.legal_moves().into_iter().filter(is_safe).collect()
}

/// Returns a position after this many lines. Each line takes a box, or, if possible, gives none away.
fn careful(start: &DotsAndBoxes, lines: usize, rng: &mut fastrand::Rng) -> DotsAndBoxes {
    let mut position = start.clone();
    for _ in 0..lines {
        let takes: Vec<Line> = position
            .legal_moves()
            .into_iter()
            .filter(|&line| gain(&position, line).0 > 0)
            .collect();
        let choice = [takes, safe(&position), position.legal_moves()];
        let lines = choice.iter().find(|lines| !lines.is_empty()).unwrap();
        position = after(&position, *rng.choice(lines).unwrap());
    }
    position
}

/// Returns whether every line of the seat to move that takes no box gives one away.
fn opens_next(position: &DotsAndBoxes) -> bool {
    let opens = |line: Line| match gain(position, line) {
        (0, next) => most(&next) > 0,
        (_, next) => opens_next(&next),
    };
    position.to_move().is_some() && position.legal_moves().into_iter().all(opens)
}

/// In random positions, every line has a reason, and the rules confirm it.
#[test]
fn reasons_are_true() {
    let mut rng = fastrand::Rng::with_seed(33);
    let mut said = [0; 11];
    // A loop of four beside a chain of four, and one safe line.
    let beside = "H0,0 H0,1 H2,0 H2,1 V0,0 V1,0 V0,2 V1,2 H0,2 H0,3 V0,4 V1,3";
    let beside = beside.split(' ').map(|line| line.parse().unwrap());
    let mut positions = vec![beside.fold(board(2, 4), |position, line| after(&position, line))];
    for round in 0..240 {
        let (rows, cols) = [(3, 3), (2, 2), (2, 3)][round % 3];
        let start = board(rows, cols);
        let lines = start.lines().count();
        positions.push(if round % 2 == 0 {
            random(rows, cols, rng.usize(1..lines / 2), &mut rng)
        } else {
            careful(&start, rng.usize(lines / 3..lines - 3), &mut rng)
        });
    }
    for position in positions.iter().filter(|position| position.to_move().is_some()) {
        let (offered, safe_now) = (most(position), safe(position));
        let given = |line| most(&gain(position, line).1);
        let least = position.legal_moves().into_iter().map(given).min().unwrap();
        for line in position.legal_moves() {
            let reason = why(position, line).unwrap();
            let (closed, next) = gain(position, line);
            let told = format!("{position} {line} {reason:?}");
            let is_same_turn = next.to_move() == position.to_move();
            assert!(next.to_move().is_none() || is_same_turn == (closed > 0), "{told}");
            let kind = match reason {
                Takes(boxes) => {
                    assert_eq!(boxes, closed as i32, "{told}");
                    0
                }
                Safe(left) => {
                    assert!(closed == 0 && most(&next) == 0 && offered == 0, "{told}");
                    assert_eq!(left, safe(&next).len() as u32, "{told}");
                    assert!(left > 0 && !opens_next(&next), "{told}");
                    1
                }
                LastSafe { has_chain, has_loop } => {
                    assert!(closed == 0 && most(&next) == 0 && offered == 0, "{told}");
                    assert!(opens_next(&next), "{told}");
                    let loops = next.legal_moves().into_iter().map(|line| opens_loop(&next, line));
                    let loops: Vec<bool> = loops.collect();
                    assert_eq!(has_loop, loops.contains(&true), "{told}");
                    assert_eq!(has_chain, loops.contains(&false), "{told}");
                    1 + usize::from(has_chain) + 2 * usize::from(has_loop)
                }
                DoubleCross { boxes, keeps_control } => {
                    let boxes = boxes as u32;
                    assert!(closed == 0 && offered >= boxes, "{told}");
                    assert_eq!(take_all(&next), (boxes, boxes / 2), "{told}");
                    assert_eq!(keeps_control, opens_next(&next), "{told}");
                    5 + usize::from(keeps_control)
                }
                LeavesBoxes => {
                    assert!(closed == 0 && offered > 0 && given(line) > 0, "{told}");
                    7
                }
                Opens { boxes, kept, is_least } => {
                    let given = given(line);
                    assert!(closed == 0 && offered == 0 && given == boxes as u32, "{told}");
                    assert_eq!(is_least, safe_now.is_empty() && given == least, "{told}");
                    assert_eq!(kept == 4, opens_loop(position, line), "{told}");
                    assert_eq!(kept as u32, double_cross(&next, given), "{told}");
                    assert!(kept > 0 || boxes <= 2, "{told}");
                    8 + kept as usize / 2
                }
            };
            said[kind] += 1;
        }
    }
    assert!(said.iter().all(|&count| count > 0), "{said:?}");
}
