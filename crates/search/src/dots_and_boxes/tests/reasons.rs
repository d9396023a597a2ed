//! Why lines are drawn: what is said is what the rules say.

use super::{after, board, random};
use crate::dots_and_boxes::DotsAndBoxesEngine;
use crate::testing::{before_gift, with_control};
use crate::{Engine, Limits, Scope};
use quadrille_rules::Position;
use quadrille_rules::dots_and_boxes::{DotsAndBoxes, Line};
use std::collections::HashMap;

fn reason(claims: &[&str], line: &str, follows: &[&str]) -> Option<String> {
    let mut position = board(3, 3);
    for claim in claims {
        position.claim(claim).unwrap();
    }
    let follows: Vec<Line> = follows.iter().map(|line| line.parse().unwrap()).collect();
    DotsAndBoxesEngine::why(&position, line.parse().unwrap(), &follows)
}

#[test]
fn it_says_why() {
    // A chain along the top.
    let chain = ["H0,0", "H0,1", "H0,2", "H1,0", "H1,1", "H1,2"];
    assert_eq!(reason(&chain, "V0,1", &[]).as_deref(), Some("opens a chain of 3"));
    let others = ["H2,0", "H2,1", "H2,2", "H3,0", "H3,1", "H3,2"];
    let chains = [&chain[..], &others].concat();
    assert_eq!(
        reason(&chains, "V2,0", &[]).as_deref(),
        Some("opens a chain of 3; no line gives away less")
    );
    let undrawn = [&chain[..], &["V0,0"]].concat();
    assert_eq!(reason(&undrawn, "V0,1", &[]).as_deref(), Some("takes a box"));
    assert_eq!(
        reason(&undrawn, "V0,1", &["V0,2", "V0,3", "V2,2"]).as_deref(),
        Some("takes 3 boxes")
    );
    assert_eq!(reason(&undrawn, "V0,1", &["V0,3", "V0,2"]).as_deref(), Some("takes a box"));
    let two = [&undrawn[..], &["V0,1"]].concat();
    assert_eq!(reason(&two, "V0,3", &[]).as_deref(), Some("leaves the last two boxes"));
    assert_eq!(reason(&two, "V2,2", &[]).as_deref(), Some("leaves boxes to the other player"));
    assert_eq!(
        reason(&[], "V0,0", &[]).as_deref(),
        Some("gives nothing away; 23 safe lines are left")
    );
    assert_eq!(reason(&["H0,0"], "H0,0", &[]), None);
}

/// The principal variation decides who is said to open the first chain.
#[test]
fn a_reason_speaks_of_later_moves_only_as_the_principal_variation_shows_them() {
    let chains = [
        "H0,0", "H0,1", "H0,2", "H1,0", "H1,1", "H1,2", "H2,0", "H2,1", "H2,2", "H3,0", "H3,1",
        "H3,2",
    ];
    let opened = [&chains[..], &["V0,0", "V0,1"]].concat();
    let keeps = |follows: &[&str]| reason(&opened, "V0,3", follows).unwrap().contains("control");
    assert!(keeps(&["V0,2", "V1,0"]), "the opponent opens the next chain");
    assert!(!keeps(&["V0,2"]) && !keeps(&[]), "not known");
    let two = [&chains[..6], &chains[9..], &["H2,0", "H2,1"]].concat();
    let says = |follows: &[&str]| reason(&two, "H2,2", follows).unwrap();
    assert!(says(&["V1,0"]).ends_with("so it is the other player who must open a chain"));
    assert_eq!(says(&[]), "gives nothing away; no safe line is left");
    let safe = [&chains[..6], &chains[9..], &["H2,0"]].concat();
    let says = |follows: &[&str]| reason(&safe, "H2,1", follows).unwrap();
    assert_eq!(says(&["V1,0"]), "gives nothing away; 3 safe lines are left", "nothing forces that");
    assert_eq!(says(&["H2,2", "V1,0"]), says(&[]), "the opponent is not the one who opens");
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

/// In random positions, every line has a reason, and it is what the rules and the principal variation say.
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
        let report = with_control(Limits::default(), |control| {
            DotsAndBoxesEngine::default().analyse(&position, Scope::Moves, control)
        });
        let gives = |position: &DotsAndBoxes, line| {
            gain(position, line).0 == 0 && most(&after(position, line)) > 0
        };
        for line in position.legal() {
            let follows = &report.line(&line)[1..];
            let reason = DotsAndBoxesEngine::why(&position, line, follows).unwrap();
            let (closed, next) = gain(&position, line);
            let number =
                reason.split_whitespace().find_map(|word| word.trim_end_matches(';').parse().ok());
            let words =
                ["takes", "gives nothing", "leaves the last", "leaves boxes", "offers", "opens"];
            let word = words.into_iter().find(|word| reason.starts_with(word)).unwrap();
            *said.entry(word).or_default() += 1;
            let other_opens = before_gift(&next, follows, &gives).is_some_and(|opens| {
                opens.to_move() != position.to_move() && safe(&opens).is_empty()
            });
            match word {
                "takes" => {
                    let mut here = next;
                    let mut taken = closed;
                    for &line in follows {
                        let (more, next) = gain(&here, line);
                        if more == 0 {
                            break;
                        }
                        (taken, here) = (taken + more, next);
                    }
                    assert_eq!(number.unwrap_or(1), taken, "{position} {line} {reason}");
                }
                "gives nothing" => {
                    assert!(closed == 0 && most(&next) == 0 && offered == 0);
                    assert_eq!(number.unwrap_or(0), safe(&next).len() as u32, "{reason}");
                    assert_eq!(
                        reason.contains("must open"),
                        other_opens,
                        "{position} {line} {reason}"
                    );
                    *said.entry("must open").or_default() += usize::from(other_opens);
                }
                "leaves the last" => {
                    let boxes = if reason.contains("two") { 2 } else { 4 };
                    assert!(closed == 0 && offered >= boxes && given(line) >= boxes, "{reason}");
                    assert_eq!(
                        reason.contains("control"),
                        other_opens,
                        "{position} {line} {reason}"
                    );
                    *said.entry("to keep control").or_default() += usize::from(other_opens);
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
