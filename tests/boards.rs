//! Whole pictures of every board at several sizes, and what its keys can reach.
#![allow(missing_docs, clippy::unwrap_used)]

mod common;

use common::{board, table};
use insta::assert_snapshot;
use quadrille::board::{Direction, Press, Reply, Table};
use std::collections::BTreeSet;

#[test]
fn dots_and_boxes() {
    let mut game = table("dots-and-boxes", "size=3", "H0,0 H2,1 H0,1 H2,0 V0,0 V1,2 H1,0 V0,1");
    for (width, height) in [(9, 5), (40, 20), (5, 3), (1, 1), (0, 0)] {
        assert_snapshot!(format!("dots_and_boxes_{width}x{height}"), board(&*game, width, height));
    }
    game.play("H1,1").unwrap();
    assert_snapshot!("dots_and_boxes_captured", board(&*game, 20, 10));
}

/// Presses keys one after the other, arrows as `< > ^ v`, Tab and Shift-Tab as `n p`, Enter as `e`,
/// Esc as `x`, digits as themselves, and hands back what the last one did.
fn press(game: &mut dyn Table, keys: &str) -> Reply<String> {
    let press = |key| match key {
        '<' => Press::Arrow(Direction::Left),
        '>' => Press::Arrow(Direction::Right),
        '^' => Press::Arrow(Direction::Up),
        'v' => Press::Arrow(Direction::Down),
        'n' => Press::Next,
        'p' => Press::Previous,
        'e' => Press::Choose,
        'x' => Press::Back,
        digit => Press::Digit(digit.to_digit(10).unwrap() as u8),
    };
    keys.chars().map(|key| game.press(press(key))).last().unwrap()
}

/// What the status line says after these keys.
fn status(game: &mut dyn Table, keys: &str) -> String {
    press(game, keys);
    game.status().unwrap_or_default()
}

const STORY: &str = "3-4 2-3 7-8 1-5";

#[test]
fn join_the_dots() {
    let game = table("join-the-dots", "", "3-7 1-3 5-10");
    for (width, height) in [(44, 18), (120, 45), (20, 8), (1, 1), (0, 0)] {
        assert_snapshot!(format!("join_the_dots_{width}x{height}"), board(&*game, width, height));
    }
    let game = table("join-the-dots", "layout=circle:12", "1-5 6-8");
    assert_snapshot!("join_the_dots_circle", board(&*game, 44, 18));
    let mut game = table("join-the-dots", "layout=random:200", "");
    press(&mut *game, "100");
    assert_snapshot!("join_the_dots_200", board(&*game, 80, 20));
}

#[test]
fn join_the_dots_with_a_pick() {
    let mut game = table("join-the-dots", "layout=eight", STORY);
    press(&mut *game, "1e");
    assert_snapshot!("join_the_dots_picked", board(&*game, 44, 18));
    press(&mut *game, "7");
    assert_snapshot!("join_the_dots_half_made", board(&*game, 44, 18));
    press(&mut *game, "x2e4");
    assert_snapshot!("join_the_dots_crossing", board(&*game, 44, 18));
}

#[test]
fn join_the_dots_after_a_cycle() {
    let mut game = table("join-the-dots", "layout=eight", STORY);
    game.play("1-7").unwrap();
    game.play("1-8").unwrap();
    assert_snapshot!("join_the_dots_cycle", board(&*game, 44, 18));
    game.play("2-4").unwrap();
    assert_snapshot!("join_the_dots_over", board(&*game, 44, 18));
}

#[test]
fn join_the_dots_by_keys() {
    let game = &mut *table("join-the-dots", "layout=eight", STORY);
    let refused = |reason: &str| Reply::Refused(reason.to_owned());
    assert_eq!(status(game, "v"), "point 5");
    assert_eq!(status(game, "v"), "point 3");
    assert_eq!(status(game, "<^"), "point 8");
    assert_eq!(status(game, "e"), "8, and then the point to join it to");
    assert_eq!(status(game, "v"), "7 and 8 are joined already");
    assert_eq!(status(game, ">"), "1-8");
    assert_eq!(press(game, "x"), Reply::Taken, "the pick is dropped");
    assert_eq!(press(game, "x"), Reply::Ignored, "nothing is picked");
    assert_eq!(status(game, "2e4"), "2-4 would cross 7-8");
    assert_eq!(press(game, "e"), refused("2-4 would cross 7-8"));
    assert_eq!(press(game, "3e"), refused("2 and 3 are joined already"));
    assert_eq!(press(game, "2e"), Reply::Taken, "chosen twice, it is dropped");
    assert_eq!(press(game, "1e7e"), Reply::Play("1-7".to_owned()));
    assert_eq!(status(game, "e8"), "7 and 8 are joined already");
    assert_eq!(status(game, "x1e8"), "1-8 closes a cycle of 3");
    assert_eq!(press(game, "e"), Reply::Play("1-8".to_owned()));
    assert_eq!(game.status().unwrap(), "point 4", "the nearest to 8 that is left");
    assert_eq!(press(game, "8"), refused("point 8 is gone with its cycle"));
    assert_eq!(press(game, "9"), refused("there is no point 9"));
    assert_eq!(game.facts(), [("left", "5 points".to_owned())]);
    assert_eq!(press(game, "2e4e"), Reply::Play("2-4".to_owned()));
    assert_eq!(press(game, "e"), refused("the game is over"));
    assert_eq!((game.status(), game.hints()), (None, Vec::new()));
    game.undo();
    assert_eq!(press(game, "2e4e"), Reply::Play("2-4".to_owned()));
}

#[test]
fn join_the_dots_by_number() {
    let game = &mut *table("join-the-dots", "layout=random:120", "");
    for (keys, number) in [
        ("1", 1),
        ("12", 12),
        ("120", 120),
        ("121", 1),
        ("129", 9),
        ("95", 95),
        ("999", 9),
        ("1n2", 2),
        ("1x2", 2),
        ("05", 5),
    ] {
        // Another key in front forgets the digits before.
        assert_eq!(status(game, &format!("n{keys}")), format!("point {number}"), "{keys}");
    }
    assert_eq!(press(game, "n0"), Reply::Refused("there is no point 0".to_owned()));
}

/// Tab shows the points in order: all that a line can be drawn from, or all that it can be drawn to.
#[test]
fn join_the_dots_by_tab() {
    let game = &mut *table("join-the-dots", "layout=circle:6", "1-3 1-4 1-5");
    let walk = |game: &mut dyn Table, key, count| {
        (0..count).map(|_| status(game, key)).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(walk(game, "n", 6), "point 2 point 3 point 4 point 5 point 6 point 1");
    assert_eq!(status(game, "3e"), "3, and then the point to join it to");
    assert_eq!(walk(game, "n", 3), "3-4 closes a cycle of 3 2-3 3-4 closes a cycle of 3");
    assert_eq!(walk(game, "p", 2), "2-3 3-4 closes a cycle of 3");
}

/// Every legal move can be made with the arrows and Enter alone, and with Tab or Shift-Tab and Enter
/// alone; and the widget asks for no other ones.
#[test]
fn join_the_dots_reaches_every_move() {
    let arrows = Direction::ALL.map(Press::Arrow);
    let with_enter = |keys: &[Press]| [keys, &[Press::Choose]].concat();
    let layouts =
        ["", "seed=5", "layout=eight", "layout=circle:9", "layout=random:24", "points=0,0;0,1"];
    for (setup, seed) in layouts.into_iter().flat_map(|setup| [1, 2].map(|seed| (setup, seed))) {
        let mut game = table("join-the-dots", setup, "");
        for ply in 0.. {
            let legal: BTreeSet<String> = game.game().legal().into_iter().collect();
            for keys in [&arrows[..], &[Press::Next], &[Press::Previous]] {
                assert_eq!(
                    game.reach(&with_enter(keys)),
                    legal,
                    "{setup} after {:?}",
                    game.game().moves()
                );
            }
            let Some(mv) = legal.iter().nth((ply * 31 + seed * 17) % legal.len().max(1)) else {
                break;
            };
            game.play(mv).unwrap();
        }
        assert!(game.game().outcome().is_some());
    }
}
