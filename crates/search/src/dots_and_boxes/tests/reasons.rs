//! Why lines are drawn: what is said is what the rules say.

use super::{after, board, random};
use crate::Engine;
use crate::dots_and_boxes::DotsAndBoxesEngine;
use quadrille_rules::Position;
use quadrille_rules::dots_and_boxes::{DotsAndBoxes, Line};
use std::collections::HashMap;

fn reason(claims: &[&str], line: &str) -> Option<String> {
    let mut position = board(3, 3);
    for claim in claims {
        position.claim(claim).unwrap();
    }
    DotsAndBoxesEngine::why(&position, line.parse().unwrap())
}

#[test]
fn it_says_why() {
    // A chain along the top.
    let chain = ["H0,0", "H0,1", "H0,2", "H1,0", "H1,1", "H1,2"];
    assert_eq!(reason(&chain, "V0,1").as_deref(), Some("opens a chain of 3"));
    let others = ["H2,0", "H2,1", "H2,2", "H3,0", "H3,1", "H3,2"];
    assert_eq!(
        reason(&[&chain[..], &others].concat(), "V2,0").as_deref(),
        Some("opens a chain of 3; no line gives away less")
    );
    let undrawn = [&chain[..], &["V0,0"]].concat();
    assert_eq!(reason(&undrawn, "V0,1").as_deref(), Some("takes a box"));
    let two = [&undrawn[..], &["V0,1"]].concat();
    assert_eq!(reason(&two, "V0,3").as_deref(), Some("leaves the last two boxes"));
    let rest = [&two[..], &others].concat();
    assert_eq!(reason(&rest, "V0,3").as_deref(), Some("leaves the last two boxes to keep control"));
    assert_eq!(reason(&two, "V2,2").as_deref(), Some("leaves boxes to the other player"));
    assert_eq!(reason(&[], "V0,0").as_deref(), Some("gives nothing away; 23 safe lines are left"));
    assert_eq!(reason(&["H0,0"], "H0,0"), None);
}

/// The most boxes that the seat to move can take in its turn, by trying every line.
fn most(position: &DotsAndBoxes) -> u32 {
    let most_with = |line| {
        let (gain, next) = gain(position, line);
        if gain > 0 { gain + most(&next) } else { 0 }
    };
    position.legal().into_iter().map(most_with).max().unwrap_or_default()
}

/// How many boxes a line closes, and the position after it.
fn gain(position: &DotsAndBoxes, line: Line) -> (u32, DotsAndBoxes) {
    let next = after(position, line);
    (next.score().iter().sum::<u32>() - position.score().iter().sum::<u32>(), next)
}

/// The lines that close no box and give none away.
fn safe(position: &DotsAndBoxes) -> Vec<Line> {
    let is_safe = |&line: &Line| {
        let (gain, next) = gain(position, line);
        gain == 0 && most(&next) == 0
    };
    position.legal().into_iter().filter(is_safe).collect()
}

/// A position after so many lines, each of which takes a box or else gives none away, where one can.
fn careful(lines: usize, rng: &mut fastrand::Rng) -> DotsAndBoxes {
    let mut position = board(3, 3);
    for _ in 0..lines {
        let takes: Vec<Line> =
            position.legal().into_iter().filter(|&line| gain(&position, line).0 > 0).collect();
        let choice = [takes, safe(&position), position.legal()];
        let lines = choice.iter().find(|lines| !lines.is_empty()).unwrap();
        position = after(&position, *rng.choice(lines).unwrap());
    }
    position
}

/// Whether the seat to move lets boxes be taken with its next line that takes none, whatever it plays.
fn opens_next(position: &DotsAndBoxes) -> bool {
    let opens = |line: Line| match gain(position, line) {
        (0, next) => most(&next) > 0,
        (_, next) => opens_next(&next),
    };
    position.to_move().is_some() && position.legal().into_iter().all(opens)
}

/// In random positions, every line has a reason, and it is what the rules say.
#[test]
fn reasons_are_true() {
    let mut rng = fastrand::Rng::with_seed(33);
    let mut said: HashMap<&str, usize> = HashMap::new();
    for round in 0..200 {
        let position = if round % 2 == 0 {
            random(3, 3, rng.usize(1..13), &mut rng)
        } else {
            careful(rng.usize(8..20), &mut rng)
        };
        let (offered, safe_now) = (most(&position), safe(&position));
        let given = |line| most(&gain(&position, line).1);
        let least = position.legal().into_iter().map(given).min().unwrap();
        for line in position.legal() {
            let reason = DotsAndBoxesEngine::why(&position, line).unwrap();
            let (closed, next) = gain(&position, line);
            let number =
                reason.split_whitespace().find_map(|word| word.trim_end_matches(';').parse().ok());
            let words =
                ["takes", "gives nothing", "leaves the last", "leaves boxes", "offers", "opens"];
            let word = words.into_iter().find(|word| reason.starts_with(word)).unwrap();
            *said.entry(word).or_default() += 1;
            match word {
                "takes" => assert_eq!(number.unwrap_or(1), closed, "{position} {line} {reason}"),
                "gives nothing" => {
                    assert!(closed == 0 && most(&next) == 0 && offered == 0);
                    assert_eq!(number.unwrap_or(0), safe(&next).len() as u32, "{reason}");
                    let must_open = opens_next(&next);
                    assert_eq!(
                        reason.contains("must open"),
                        must_open,
                        "{position} {line} {reason}"
                    );
                    *said.entry("must open").or_default() += usize::from(must_open);
                }
                "leaves the last" => {
                    let boxes = if reason.contains("two") { 2 } else { 4 };
                    assert!(closed == 0 && offered >= boxes && given(line) >= boxes, "{reason}");
                    let keeps = opens_next(&next);
                    assert_eq!(reason.contains("control"), keeps, "{position} {line} {reason}");
                    *said.entry("control").or_default() += usize::from(keeps);
                }
                "leaves boxes" => assert!(closed == 0 && offered > 0 && given(line) > 0),
                _ => {
                    let boxes = match reason.split(' ').nth(1) {
                        _ if number.is_some() => number.unwrap(),
                        Some("two") => 2,
                        _ => 1,
                    };
                    assert!(
                        closed == 0 && offered == 0 && given(line) == boxes,
                        "{position} {line} {reason}"
                    );
                    let is_least = safe_now.is_empty() && boxes == least;
                    assert_eq!(
                        reason.contains("no line gives"),
                        is_least,
                        "{position} {line} {reason}"
                    );
                }
            }
        }
    }
    assert_eq!(said.len(), 8, "{said:?}");
    assert!(said.values().all(|&count| count > 0), "{said:?}");
}
