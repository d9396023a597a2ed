//! Snapshots of every board at several sizes, and the moves reachable by keys.

use crate::common::samples::{complete, open, pictured, samples};
use crate::common::untimed::Untimed;
use crate::common::{board, draw_board, match_board, picture};
use insta::assert_snapshot;
use quadrille::app::OpenMatch;
use quadrille::board::{Details, Direction, Gesture, Means, Press, PressReply, Skin, Viewer};
use quadrille_rules::Seat;
use quadrille_scene::cells::{BoardOnScreen, Placement};
use quadrille_scene::{Lettering, PlaceId, Scene};
use ratatui::buffer::{Buffer, Cell};
use ratatui::layout::{Position, Rect};
use std::rc::Rc;
use std::time::Duration;

#[test]
fn every_game_has_snapshots() {
    for name in ["120x45", "1x1", "0x0"] {
        pictured("boards", name);
    }
}

#[test]
fn dots_and_boxes() {
    let mut game =
        match_board("dots-and-boxes", "size=3", "H0,0 H2,1 H0,1 H2,0 V0,0 V1,2 H1,0 V0,1");
    for (width, height) in [(9, 5), (40, 20), (120, 45), (5, 3), (1, 1), (0, 0)] {
        assert_snapshot!(format!("dots_and_boxes_{width}x{height}"), board(&game, width, height));
    }
    game.play("H1,1").unwrap();
    assert_snapshot!("dots_and_boxes_captured", board(&game, 20, 10));
}

/// A drawn line, for example, is no starting place.
#[test]
fn cursor_starts_at_a_playable_place() {
    for (name, setup, moves) in [
        ("dots-and-boxes", "size=3", "H0,0 H0,1"),
        ("tic-tac-toe", "", "b2"),
        ("quixo", "size=3 grid=OOXO-XX-- first=X", ""),
    ] {
        let game = match_board(name, setup, moves);
        let mut viewer = Viewer::new(game.current_match().copy_line());
        let reply = viewer.board.press(Press::Choose);
        assert!(!matches!(reply, PressReply::Refused(_)), "{name}: {reply:?}");
    }
}

const ARROWS: [Press; 5] = [
    Press::Arrow(Direction::Left),
    Press::Arrow(Direction::Right),
    Press::Arrow(Direction::Up),
    Press::Arrow(Direction::Down),
    Press::Choose,
];

/// Presses keys, each written as a character: `<>^v` the arrows, `+` Enter, `t` Tab, `T` Shift-Tab, `e` Esc, `b`
/// Backspace, digits themselves; plays the resulting moves, and returns the last reply.
fn press(match_board: &mut OpenMatch, keys: &str) -> PressReply<String> {
    let mut reply = PressReply::Ignored;
    for key in keys.chars() {
        reply = match_board.board.press(match key {
            '<' => Press::Arrow(Direction::Left),
            '>' => Press::Arrow(Direction::Right),
            '^' => Press::Arrow(Direction::Up),
            'v' => Press::Arrow(Direction::Down),
            '+' => Press::Choose,
            't' => Press::Next,
            'T' => Press::Previous,
            'e' => Press::Back,
            'b' => Press::Erase,
            '0'..='9' => Press::Digit(key as u8 - b'0'),
            _ => panic!("no key is written {key:?}"),
        });
        if let PressReply::Play(mv) = &reply {
            match_board.play(mv).unwrap();
        }
    }
    reply
}

/// Plays a random match from a seed, and calls `visit` at every position, including the last.
fn at_random(
    match_board: &mut OpenMatch,
    seed: u64,
    plies: usize,
    mut visit: impl FnMut(&OpenMatch),
) {
    let mut state = seed;
    for _ in 0..plies {
        visit(match_board);
        let legal = match_board.current_match().legal_moves();
        if legal.is_empty() {
            break;
        }
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        match_board.play(&legal[(state >> 33) as usize % legal.len()]).unwrap();
    }
    visit(match_board);
}

/// Arrows and Enter, Tab and Enter, and Shift-Tab and Enter reach every legal move and no other, at all positions of
/// some matches of every game: no key replies with an illegal move.
#[test]
fn keys_reach_exactly_the_legal_moves() {
    let tab = [&ARROWS[..], &[Press::Next, Press::Choose], &[Press::Previous, Press::Choose]];
    for (entry, sample) in samples() {
        for (setup, seed) in sample.usual().flat_map(|setup| [(setup, 1), (setup, 2)]) {
            at_random(&mut open(entry, setup), seed, 60, |match_board| {
                let legal = match_board.current_match().legal_moves();
                for keys in tab {
                    let reached: Vec<String> =
                        match_board.board.reach(&Means::Keys(keys)).into_keys().collect();
                    assert_eq!(
                        reached,
                        legal,
                        "{} {keys:?}\n{}",
                        entry.id,
                        match_board.current_match().board()
                    );
                }
            });
        }
    }
}

/// The minimum number of keys for a random move, from the cursor after the last move.
#[test]
fn a_move_takes_few_keys() {
    let keys = [&ARROWS[..], &[Press::Next, Press::Previous, Press::Choose]].concat();
    let boards = [
        ("dots-and-boxes", "size=4", 3.3),
        ("dots-and-boxes", "", 3.9),
        ("quixo", "", 5.2),
        ("tic-tac-toe", "", 3.0),
    ];
    for (game, setup, most) in boards {
        let (mut pressed, mut moves) = (0, 0);
        for seed in 1..=10 {
            let mut chance = fastrand::Rng::with_seed(seed);
            let game = &mut match_board(game, setup, "");
            for _ in 0..50 {
                let Some(mv) = chance.choice(game.current_match().legal_moves()) else { break };
                pressed += game.board.reach(&Means::Keys(&keys))[&mv];
                moves += 1;
                game.play(&mv).unwrap();
                game.board.go_to_last_move();
            }
        }
        let mean = pressed as f32 / moves as f32;
        println!("{game} {setup}: {mean:.2} keys a move, {moves} moves");
        assert!(mean <= most, "{game}: {mean}");
    }
}

/// Clicks reach every legal move and no other at some positions of a match of every game, on boards that fit on the
/// screen.
#[test]
fn clicks_reach_exactly_the_legal_moves() {
    let mut seen = 0;
    for (entry, sample) in samples() {
        for setup in sample.usual() {
            at_random(&mut open(entry, setup), 3, 60, |match_board| {
                if match_board.current_match().ply() % 9 == 0 {
                    let area = Rect::new(3, 2, 100, 50);
                    let visible = |scene: &Scene| {
                        Placement::new(scene, None, Lettering::All, area)
                            .places()
                            .into_keys()
                            .collect()
                    };
                    let reached = match_board.board.reach(&Means::Clicks(&visible));
                    let reached: Vec<String> = reached.into_keys().collect();
                    let legal = match_board.current_match().legal_moves();
                    assert_eq!(
                        reached,
                        legal,
                        "{} {setup}\n{}",
                        entry.id,
                        match_board.current_match().board()
                    );
                    seen += 1;
                }
            });
        }
    }
    assert!(seen > 20, "{seen} positions");
}

#[test]
fn tic_tac_toe() {
    let mut game = match_board("tic-tac-toe", "", "b2 a1 c1");
    press(&mut game, "<");
    for (width, height) in [(40, 18), (120, 45), (20, 8), (6, 3), (1, 1), (0, 0)] {
        assert_snapshot!(format!("tic_tac_toe_{width}x{height}"), board(&game, width, height));
    }
    for mv in ["b1", "a3"] {
        game.play(mv).unwrap();
    }
    assert_snapshot!("tic_tac_toe_won", board(&game, 40, 18));
}

#[test]
fn every_game_is_played_by_keys() {
    let played: [(&str, fn()); 5] = [
        ("dots-and-boxes", dots_and_boxes_is_played_by_keys),
        ("join-the-dots", join_the_dots_is_played_by_keys),
        ("quixo", quixo_is_played_by_keys),
        ("tic-tac-toe", tic_tac_toe_is_played_by_keys),
        ("intersections", intersections_is_played_by_keys),
    ];
    complete(played.map(|(game, _)| game));
}

#[test]
fn dots_and_boxes_is_played_by_keys() {
    let mut game = match_board("dots-and-boxes", "size=3", "");
    assert_eq!(game.board.status(true).as_deref(), Some("H0,0"));
    assert_eq!(press(&mut game, "^<+"), PressReply::Play("H0,0".to_owned()));
    assert!(matches!(press(&mut game, "+"), PressReply::Refused(_)), "it is drawn");
    assert_eq!(status(&mut game, "v"), "V0,0");
    assert_eq!(status(&mut game, ">>>"), "V0,2");
    assert_eq!(status(&mut game, "v"), "H1,1", "of two equally near ones the left");
    assert_eq!(press(&mut game, "v+"), PressReply::Play("V1,2".to_owned()), "the column is kept");
    // Tab skips the drawn lines, and wraps around.
    assert_eq!(status(&mut game, "t"), "H2,0");
    assert_eq!(status(&mut game, "tt"), "H0,1");
    assert_eq!(status(&mut game, "TTT"), "V1,1");
    assert_eq!(press(&mut game, "e"), PressReply::Ignored);
}

/// Returns the position of a text on the board as drawn.
fn find(match_board: &OpenMatch, area: Rect, text: &str) -> Position {
    let mut buffer = Buffer::empty(area);
    draw_board(match_board, area, &mut buffer, Skin::default());
    let found = area.rows().find_map(|row| {
        let line: String = row.positions().map(|at| buffer[at].symbol()).collect();
        let byte = line.find(text)?;
        Some(Position { x: row.x + line[..byte].chars().count() as u16, y: row.y })
    });
    found.unwrap_or_else(|| panic!("{text:?} is nowhere"))
}

#[test]
fn the_mouse_hovers_picks_drags_and_drops() {
    let area = Rect::new(0, 0, 45, 20);
    let mut game = match_board("join-the-dots", "points=0,0;1,0;1,1;0,1", "1-2");
    let scene = game.board.scene(Details::default());
    let placement = Placement::new(&scene, None, Lettering::All, area);
    let [two, three, four] = ["▪2", "▪3", "▪4"].map(|text| placement.hit(find(&game, area, text)));
    let nothing = placement.hit(Position { x: 20, y: 10 });
    assert_eq!((nothing, two), (None, Some(PlaceId(2, 0))));
    let still = board(&game, 45, 20);
    assert_eq!(game.board.point(Gesture::Hover, nothing), PressReply::Ignored);
    assert_eq!(game.board.point(Gesture::Hover, three), PressReply::Handled);
    assert_eq!(game.board.point(Gesture::Hover, three), PressReply::Ignored, "still there");
    assert_ne!(board(&game, 45, 20), still);
    assert_eq!(game.board.point(Gesture::Leave, three), PressReply::Handled);
    assert_eq!(board(&game, 45, 20), still);
    assert_eq!(game.board.status(true).as_deref(), Some("dot 1"), "the cursor has stayed");
    // By two clicks.
    assert_eq!(game.board.point(Gesture::Press, three), PressReply::Handled);
    assert_eq!(game.board.point(Gesture::Release, three), PressReply::Ignored);
    assert_eq!(game.board.point(Gesture::Press, four), PressReply::Play("3-4".to_owned()));
    // By a drag.
    let reply = game.board.point(Gesture::Press, three);
    assert_eq!(reply, PressReply::Handled, "a click on the pick drops it");
    assert_eq!(game.board.point(Gesture::Press, three), PressReply::Handled);
    game.board.point(Gesture::Drag, two);
    assert_eq!(game.board.point(Gesture::Release, two), PressReply::Play("2-3".to_owned()));
    // A place that the board does not show is nothing.
    game.board.point(Gesture::Leave, None);
    let gone = Some(PlaceId(9, 0));
    assert_eq!(game.board.point(Gesture::Hover, gone), PressReply::Ignored);
    // The right button and a click on nothing drop the pick.
    for gesture in [Gesture::Drop, Gesture::Press] {
        assert_eq!(game.board.point(gesture, nothing), PressReply::Handled, "there is a pick");
        assert_eq!(game.board.point(gesture, nothing), PressReply::Ignored, "there is none");
        assert_eq!(game.board.point(Gesture::Press, three), PressReply::Handled);
    }
}

#[test]
fn the_wheel_scrolls_until_a_key_is_pressed() {
    let mut game = match_board("dots-and-boxes", "size=30", "");
    let area = Rect::new(0, 0, 45, 20);
    let still = board(&game, 45, 20);
    let mut on_screen = BoardOnScreen::default();
    let draw = |on_screen: &mut BoardOnScreen, game: &OpenMatch| {
        let scene = Rc::new(game.board.scene(Details::default()));
        on_screen.show((0, 0), &scene);
        let mut buffer = Buffer::empty(area);
        on_screen.draw(&scene, Lettering::All, area, &mut buffer, Skin::default());
        picture(&buffer)
    };
    assert_eq!(draw(&mut on_screen, &game), still);
    assert!(!on_screen.scroll(Direction::Up), "this is the top");
    assert!(on_screen.scroll(Direction::Down));
    assert_ne!(draw(&mut on_screen, &game), still);
    while on_screen.scroll(Direction::Up) {}
    assert_eq!(draw(&mut on_screen, &game), still);
    on_screen.scroll(Direction::Down);
    assert_ne!(draw(&mut on_screen, &game), still);
    game.board.press(Press::Back);
    assert_eq!(draw(&mut on_screen, &game), still);
}

#[test]
fn tic_tac_toe_is_played_by_keys() {
    let mut game = match_board("tic-tac-toe", "", "");
    assert_eq!(game.board.status(true).as_deref(), Some("b2"));
    assert_eq!(press(&mut game, "+"), PressReply::Play("b2".to_owned()));
    assert_eq!(press(&mut game, "+"), PressReply::Refused("b2 already has an X".to_owned()));
    assert_eq!(press(&mut game, "<^<^+"), PressReply::Play("a1".to_owned()));
    assert_eq!(press(&mut game, ">>>vvv+"), PressReply::Play("c3".to_owned()));
    // From the last cell Tab wraps around to the first empty one and skips the taken ones; and back.
    assert_eq!(
        (press(&mut game, "t"), game.board.status(true).as_deref()),
        (PressReply::Handled, Some("b1"))
    );
    assert_eq!(
        (press(&mut game, "ttt"), game.board.status(true).as_deref()),
        (PressReply::Handled, Some("c2"))
    );
    assert_eq!(
        (press(&mut game, "TTTT"), game.board.status(true).as_deref()),
        (PressReply::Handled, Some("b3"))
    );
    assert_eq!(press(&mut game, "e"), PressReply::Ignored);
}

#[test]
fn quixo() {
    let start = "grid=X-XXX-XO-OO-OOOOXOX-OOOO-";
    let mut game = match_board("quixo", start, "");
    let check = |name: &str, game: &OpenMatch| {
        for (width, height) in [(40, 18), (20, 8)] {
            assert_snapshot!(format!("quixo_{name}_{width}x{height}"), board(game, width, height));
        }
    };
    press(&mut game, ">");
    assert_snapshot!("quixo_120x45", board(&game, 120, 45));
    assert_snapshot!("quixo_80x33", board(&game, 80, 33));
    assert_snapshot!("quixo_9x4", board(&game, 9, 4));
    assert_snapshot!("quixo_1x1", board(&game, 1, 1));
    assert_snapshot!("quixo_0x0", board(&game, 0, 0));
    check("start", &game);
    press(&mut game, "+");
    check("taken", &game);
    press(&mut game, "v");
    check("end_chosen", &game);
    assert_snapshot!("quixo_one_die", board(&match_board("quixo", "size=1", ""), 20, 8));
}

#[test]
fn quixo_shows_the_last_push_and_winning_line() {
    let mut game = match_board("quixo", "size=3 grid=X-OXOO-X-", "B3-B1");
    assert_snapshot!("quixo_last", board(&game, 20, 8));
    game.play("C3-C1").unwrap();
    assert_eq!(game.board.status(true), None);
    assert_snapshot!("quixo_won", board(&game, 20, 11));
}

#[test]
fn largest_quixo_board_scrolls() {
    let mut game = match_board("quixo", "size=26", "");
    press(&mut game, "vvvvvvvvvvvvvvvvvvvvvvvvv>>>+");
    assert_eq!(game.board.status(true).as_deref(), Some("D26: now pick where it goes in"));
    assert_snapshot!("quixo_26", board(&game, 40, 12));
}

/// The labels of the cursor's row and column, and the ends where a die can go, stay in sight.
#[test]
fn labels_stay_visible_on_the_largest_boards() {
    let mut game = match_board("quixo", "size=26", "");
    assert_snapshot!("quixo_26_a1", board(&game, 40, 12));
    press(&mut game, &">".repeat(25));
    assert_eq!(game.board.status(true).as_deref(), Some("Z1"));
    assert_snapshot!("quixo_26_z1", board(&game, 80, 24));
    press(&mut game, "+");
    assert_snapshot!("quixo_26_z1_taken", board(&game, 50, 15));
    let mut game = match_board("intersections", "size=32", "0,30-0,31 0,31-1,31");
    assert_snapshot!("intersections_32_start", board(&game, 40, 12));
    press(&mut game, &">".repeat(31));
    assert_snapshot!("intersections_32_corner", board(&game, 80, 24));
    let game = match_board("dots-and-boxes", "size=63", "H0,1 V0,9 H4,9");
    assert_snapshot!("dots_and_boxes_64_dots", board(&game, 40, 12));
}

#[test]
fn the_cursor_is_visible_in_a_single_cell() {
    for (entry, sample) in samples() {
        let mut match_board = open(entry, sample.largest());
        for keys in ["", ">", ">>>vvv"] {
            press(&mut match_board, keys);
            assert!(board(&match_board, 1, 1).ends_with("---\nr\n"), "{} after {keys}", entry.id);
        }
        let picture = board(&open(entry, sample.largest()), 1, 1);
        assert_snapshot!(format!("{}_large_1x1", entry.id), picture);
    }
}

#[test]
fn quixo_is_played_by_keys() {
    let mut game = match_board("quixo", "", "");
    assert_eq!(game.board.status(true).as_deref(), Some("A1"));
    assert_eq!(press(&mut game, "e"), PressReply::Ignored);
    assert_eq!(press(&mut game, ">+"), PressReply::Handled);
    assert_eq!(game.board.status(true).as_deref(), Some("B1: now pick where it goes in"));
    assert_eq!(press(&mut game, "+"), PressReply::Refused("pick where it goes in".to_owned()));
    assert_eq!(
        press(&mut game, "^"),
        PressReply::Refused("the die cannot return to B1, where it was taken".to_owned())
    );
    press(&mut game, "v");
    assert_eq!(game.board.status(true).as_deref(), Some("B1-B5"));
    press(&mut game, "<");
    assert_eq!(game.board.status(true).as_deref(), Some("B1-A1"));
    press(&mut game, "t");
    assert_eq!(game.board.status(true).as_deref(), Some("B1-E1"), "clockwise");
    press(&mut game, "e");
    assert_eq!(game.board.status(true).as_deref(), Some("B1"));
    assert_eq!(press(&mut game, "+v+"), PressReply::Play("B1-B5".to_owned()));
    // The cursor stays where the die went in, although O may not take it, and continues along the rim from there.
    assert_eq!(game.board.status(true).as_deref(), Some("B5"));
    press(&mut game, "t");
    assert_eq!(game.board.status(true).as_deref(), Some("A5"));
    press(&mut game, "T<");
    assert_eq!(game.board.status(true).as_deref(), Some("B5"), "no place of the rim is left out");
    assert_eq!(press(&mut game, "^"), PressReply::Handled);
    assert_eq!(game.board.status(true).as_deref(), Some("A4"), "the nearest die of the rim above");
    press(&mut game, "^^^>");
    assert_eq!(game.board.status(true).as_deref(), Some("B1"));
    assert_eq!(press(&mut game, "v"), PressReply::Handled);
    assert_eq!(game.board.status(true).as_deref(), Some("A2"));
    press(&mut game, "^>>^");
    assert_eq!(game.board.status(true).as_deref(), Some("C1-C5"), "pulled out");
    assert_eq!(press(&mut game, "v"), PressReply::Play("C1-C5".to_owned()));
}

#[test]
fn intersections() {
    let mut game = match_board("intersections", "", "0,0-0,2 0,1-2,1 1,1-1,2 2,0-2,1 1,2-3,2");
    press(&mut game, ">>>v");
    for (width, height) in [(40, 18), (120, 45), (20, 8), (9, 4), (1, 1), (0, 0)] {
        assert_snapshot!(format!("intersections_{width}x{height}"), board(&game, width, height));
    }
    press(&mut game, "v+");
    assert_snapshot!("intersections_picked", board(&game, 40, 18));
    press(&mut game, "<<");
    assert_snapshot!("intersections_stretched", board(&game, 40, 18));
    press(&mut game, "v");
    assert_snapshot!("intersections_stretched_down", board(&game, 20, 8));
}

#[test]
fn intersections_is_played_by_keys() {
    let mut game = match_board("intersections", "", "0,1-2,1");
    let status = |game: &OpenMatch| game.board.status(true).unwrap_or_default();
    press(&mut game, "<<^^vv>");
    assert_eq!(status(&game), "2,1");
    press(&mut game, "^<+");
    assert_eq!(status(&game), "1,0: now stretch it with an arrow key");
    assert_eq!(
        press(&mut game, "+"),
        PressReply::Refused("stretch it with an arrow key".to_owned())
    );
    assert_eq!(press(&mut game, "<"), PressReply::Handled, "the array ends here");
    assert_eq!(status(&game), "1,0: now stretch it with an arrow key");
    press(&mut game, ">");
    assert_eq!(status(&game), "1,0-1,1");
    assert_eq!(
        press(&mut game, ">"),
        PressReply::Refused("1,0-1,2 would cross 0,1-2,1 at 1,1".to_owned())
    );
    // An arrow to the side chooses a new end there. Arrows back lead through the picked dot to the other side.
    press(&mut game, "vv");
    assert_eq!(status(&game), "1,0-3,0");
    press(&mut game, "^");
    assert_eq!(status(&game), "1,0-2,0");
    press(&mut game, "^");
    assert_eq!(status(&game), "1,0: now stretch it with an arrow key");
    press(&mut game, "^");
    assert_eq!(status(&game), "0,0-1,0");
    press(&mut game, "e");
    assert_eq!(status(&game), "1,0");
    // Tab cycles through all ends: right, up, and two down.
    let mut ends = Vec::new();
    press(&mut game, "+");
    for _ in 0..5 {
        press(&mut game, "t");
        ends.push(status(&game));
    }
    assert_eq!(ends, ["1,0-1,1", "0,0-1,0", "1,0-2,0", "1,0-3,0", "1,0-1,1"]);
    press(&mut game, "T");
    assert_eq!(press(&mut game, "+"), PressReply::Play("1,0-3,0".to_owned()));
    assert_eq!(press(&mut game, "^+"), PressReply::Handled);
    assert_eq!(
        press(&mut game, "^"),
        PressReply::Refused("1,0-2,0 would lie on 1,0-3,0".to_owned())
    );
}

#[test]
fn segment_cannot_start_at_a_full_dot() {
    let mut game = match_board("intersections", "size=3 segments=4", "0,0-0,1 0,0-1,0");
    assert_eq!(
        press(&mut game, "+"),
        PressReply::Refused("no segment can start at 0,0".to_owned())
    );
    press(&mut game, "t");
    assert_eq!(game.board.status(true).as_deref(), Some("0,1"));
}

#[test]
fn a_finished_round_is_shown_until_a_key_is_pressed() {
    let mut game = match_board("intersections", "size=3 segments=4", "0,0-2,0 1,0-1,1 0,1-2,1");
    let told = |game: &OpenMatch| {
        let caption = game.board.caption();
        let notes = [Seat::FIRST, Seat::SECOND].map(|seat| caption.seat_notes(seat)[0].clone());
        (caption.progress, notes.join(", "))
    };
    let told_as = |progress: &str, seats: &str| (progress.to_owned(), seats.to_owned());
    let first = "round 1 of 2";
    let open = told_as(&format!("{first}, 3 of 4 segments"), "offense, +2 so far, defense");
    assert_eq!(told(&game), open);
    game.play("1,1-1,2").unwrap();
    assert!(game.board.shows_interlude());
    assert_eq!(told(&game), told_as(&format!("{first}, 4 of 4 segments"), "offense, defense"));
    assert_eq!(game.board.status(true).as_deref(), Some("round 1 is over: 2 points for A"));
    assert_snapshot!("intersections_round_over", board(&game, 20, 8));
    assert_eq!(press(&mut game, ">"), PressReply::Handled);
    assert!(!game.board.shows_interlude());
    assert_eq!(game.board.status(true).as_deref(), Some("0,0"), "the key did nothing else");
    let next = told_as("round 2 of 2, 0 of 4 segments", "defense, offense, +0 so far");
    assert_eq!(told(&game), next);

    for mv in ["0,0-0,1", "0,1-0,2", "0,1-1,1", "1,1-2,1"] {
        game.play(mv).unwrap();
    }
    assert_eq!(game.board.status(true).as_deref(), Some("round 2 is over: 1 point for B"));
    press(&mut game, "+");
    assert_eq!((game.board.shows_interlude(), game.board.status(true)), (false, None));
    assert_snapshot!("intersections_over", board(&game, 20, 8));
    game.undo();
    let last = told_as("round 2 of 2, 3 of 4 segments", "defense, offense, +1 so far");
    assert_eq!(told(&game), last);
}

#[test]
fn largest_intersections_array_scrolls() {
    let mut game = match_board("intersections", "size=32", "");
    press(&mut game, &"v".repeat(31));
    press(&mut game, &">".repeat(16));
    press(&mut game, "+<");
    assert_snapshot!("intersections_32", board(&game, 40, 12));
}

/// The cursor is in a corner, with an end chosen, to draw everything possible beside the board.
#[test]
fn every_board_draws_only_inside_its_area() {
    let setups = samples()
        .flat_map(|(entry, sample)| ["", sample.small, sample.largest()].map(move |s| (entry, s)));
    for (entry, setup) in setups {
        let mut match_board = open(entry, setup);
        for keys in ["", "^^<<", "+", ">", "v", "e+T"] {
            press(&mut match_board, keys);
            for (width, height) in (0..24).flat_map(|width| (0..12).map(move |y| (width, y))) {
                let room = Rect::new(2, 1, width, height);
                let mut buffer = Buffer::filled(Rect::new(0, 0, 28, 14), Cell::new("~"));
                draw_board(&match_board, room, &mut buffer, Skin::default());
                for at in buffer.area.positions().filter(|at| !room.contains(*at)) {
                    assert_eq!(buffer[at], Cell::new("~"), "{} {setup} {room} {at}", entry.id);
                }
                let shows = room.positions().any(|at| buffer[at] != Cell::new("~"));
                assert!(shows || room.is_empty(), "{} {setup} {room}", entry.id);
            }
        }
    }
}

fn status(game: &mut OpenMatch, keys: &str) -> String {
    press(game, keys);
    game.board.status(true).unwrap_or_default()
}

const STORY: &str = "3-4 2-3 7-8 1-5";

#[test]
fn join_the_dots() {
    let game = match_board("join-the-dots", "", "3-7 1-3 5-10");
    for (width, height) in [(44, 18), (120, 45), (20, 8), (1, 1), (0, 0)] {
        assert_snapshot!(format!("join_the_dots_{width}x{height}"), board(&game, width, height));
    }
    let game = match_board("join-the-dots", "layout=circle:12", "1-5 6-8");
    assert_snapshot!("join_the_dots_circle", board(&game, 44, 18));
    let mut game = match_board("join-the-dots", "layout=random:200", "");
    press(&mut game, "100");
    assert_snapshot!("join_the_dots_200", board(&game, 80, 20));
    let game = match_board("join-the-dots", "layout=random:200", "");
    assert_snapshot!("join_the_dots_200_with_a_number_cut", board(&game, 20, 10));
}

#[test]
fn join_the_dots_shows_the_picked_dot() {
    let mut game = match_board("join-the-dots", "layout=eight", STORY);
    press(&mut game, "1");
    assert_snapshot!("join_the_dots_picked", board(&game, 44, 18));
    press(&mut game, "<");
    assert_snapshot!("join_the_dots_half_made", board(&game, 44, 18));
    press(&mut game, "e24");
    assert_snapshot!("join_the_dots_crossing", board(&game, 44, 18));
}

#[test]
fn join_the_dots_shows_a_taken_cycle() {
    let mut game = match_board("join-the-dots", "layout=eight", STORY);
    game.play("1-7").unwrap();
    game.play("1-8").unwrap();
    assert_snapshot!("join_the_dots_cycle", board(&game, 44, 18));
    game.play("2-4").unwrap();
    assert_snapshot!("join_the_dots_over", board(&game, 44, 18));
}

#[test]
fn join_the_dots_is_played_by_keys() {
    let game = &mut match_board("join-the-dots", "layout=eight", STORY);
    let refused = |reason: &str| PressReply::Refused(reason.to_owned());
    assert_eq!(status(game, "v"), "dot 5");
    assert_eq!(status(game, "v"), "dot 3");
    assert_eq!(status(game, "<^"), "dot 8");
    assert_eq!(status(game, "+"), "8: now choose the dot to join");
    assert_eq!(status(game, "v"), "4-8", "back to where the arrow up came from");
    assert_eq!(press(game, "e"), PressReply::Handled, "the pick is dropped");
    assert_eq!(press(game, "e"), PressReply::Ignored, "nothing is picked");
    assert_eq!(press(game, "2"), PressReply::Handled);
    assert_eq!(press(game, "4"), refused("2-4 would cross 7-8"));
    assert_eq!(status(game, ""), "2-4 would cross 7-8", "the cursor is there");
    assert_eq!(press(game, "+"), refused("2-4 would cross 7-8"));
    assert_eq!(press(game, "3"), refused("2 and 3 are already joined"));
    assert_eq!(press(game, "2"), PressReply::Handled, "chosen twice, it is dropped");
    assert_eq!(press(game, "b"), PressReply::Ignored, "nothing is picked");
    assert_eq!(press(game, "2b17"), PressReply::Play("1-7".to_owned()));
    game.undo();
    assert_eq!(press(game, "1+7"), PressReply::Play("1-7".to_owned()), "Enter adds nothing");
    assert_eq!(press(game, "18"), PressReply::Play("1-8".to_owned()));
    assert_eq!(game.board.status(true).unwrap(), "dot 4", "the nearest to 8 that is left");
    assert_eq!(press(game, "8"), refused("dot 8 was removed with its cycle"));
    assert_eq!(press(game, "9"), refused("no dot 9"));
    assert_eq!(game.board.caption().progress, "5 dots left");
    assert_eq!(press(game, "0"), refused("no dot 0"));
    assert_eq!(press(game, "24"), PressReply::Play("2-4".to_owned()));
    assert_eq!(press(game, "+"), refused("the game is over"));
    assert_eq!((game.board.status(true), game.board.key_hints()), (None, Vec::new()));
    game.undo();
    assert_eq!(press(game, "2+4"), PressReply::Play("2-4".to_owned()));
}

/// An Enter right after a number belongs to the number, also if the number has played.
#[test]
fn join_the_dots_enter_after_a_number_is_ignored() {
    let game = &mut match_board("join-the-dots", "layout=circle:9", "");
    assert_eq!(status(game, "3+"), "3: now choose the dot to join");
    assert_eq!(press(game, "7"), PressReply::Play("3-7".to_owned()));
    assert_eq!(status(game, "+"), "dot 7");
    assert_eq!(status(game, "+"), "7: now choose the dot to join", "the next Enter picks");
    for (passed, picks) in [(999, false), (1000, true)] {
        let game = &mut match_board("join-the-dots", "layout=circle:9", "");
        press(game, "37");
        game.board.pass(Duration::from_millis(passed));
        assert_eq!(status(game, "+").starts_with("7:"), picks, "after {passed} ms");
    }
}

/// A number is complete at the digit that makes it unambiguous; before that, by Enter.
#[test]
fn join_the_dots_accepts_dot_numbers() {
    let picked = |number| format!("{number}: now choose the dot to join");
    let refused = |reason: &str| PressReply::Refused(reason.to_owned());
    for (setup, keys, number) in [
        ("layout=circle:9", "1", 1),
        ("layout=circle:10", "2", 2),
        ("layout=circle:10", "10", 10),
        ("layout=circle:10", "01", 1),
        ("layout=circle:10", "1+", 1),
        ("layout=circle:10", "1b2", 2),
        ("layout=circle:10", "2b3", 3),
        ("layout=circle:10", "1e2", 2),
        ("layout=circle:10", "1t2", 2),
        ("layout=circle:23", "23", 23),
        ("layout=circle:23", "241", 21),
        ("layout=circle:120", "120", 120),
        ("layout=circle:120", "12+", 12),
        ("layout=circle:120", "12bb13+", 13),
        ("layout=circle:120", "95", 95),
        ("layout=circle:120", "095", 95),
        ("layout=circle:120", "012", 12),
        ("layout=circle:120", "005", 5),
    ] {
        let game = &mut match_board("join-the-dots", setup, "");
        assert_eq!(status(game, keys), picked(number), "{setup} {keys}");
        assert_eq!(status(game, "b"), format!("dot {number}"), "{setup} {keys}");
    }
    let game = &mut match_board("join-the-dots", "layout=circle:10", "8-10 9-10");
    assert_eq!(status(game, "3"), picked(3));
    assert_eq!(status(game, "1"), "3-1_: another digit, or Enter");
    assert_eq!(press(game, "7"), refused("no dot 17"));
    assert_eq!(status(game, ""), "3-1_: another digit, or Enter", "it can still go on");
    assert_eq!(press(game, "0"), PressReply::Play("3-10".to_owned()));
    assert_eq!(status(game, "0"), "dot 0_: another digit");
    assert_eq!(press(game, "0"), refused("no dot 0"));
    assert_eq!(press(game, "+"), refused("no dot 0"));
    assert_eq!(press(game, "89"), PressReply::Play("8-9".to_owned()), "which takes 8, 9 and 10");
    assert_eq!(
        press(game, "12"),
        PressReply::Play("1-2".to_owned()),
        "10 cannot be meant any more"
    );
}

/// The cost of a move with both numbers typed, over random moves on default boards.
#[test]
fn join_the_dots_takes_few_keys() {
    let mut counts = Vec::new();
    for seed in 1..=10 {
        let game = &mut match_board("join-the-dots", &format!("seed={seed}"), "");
        let mut state: u64 = seed;
        for _ in 0..5 {
            let legal = game.current_match().legal_moves();
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let mv = &legal[(state >> 33) as usize % legal.len()];
            let mut keys = 0;
            for number in mv.split('-') {
                for digit in number.chars() {
                    keys += 1;
                    press(game, &digit.to_string());
                }
                if status(game, "").contains("_:") {
                    keys += 1;
                    press(game, "+");
                }
            }
            assert_eq!(game.current_match().moves().last().map(|(_, last)| last), Some(mv));
            counts.push(keys);
        }
    }
    let keys: usize = counts.iter().sum();
    println!("{keys} keys for {} moves", counts.len());
    assert!(keys <= 4 * counts.len(), "{counts:?}");
}

/// Tab goes through the points in order: all from which a line can be drawn, or all to which it can be drawn.
#[test]
fn tab_walks_through_playable_dots() {
    let game = &mut match_board("join-the-dots", "layout=circle:6", "1-3 1-4 1-5");
    let walk = |game: &mut OpenMatch, key, count| {
        (0..count).map(|_| status(game, key)).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(walk(game, "t", 6), "dot 2 dot 3 dot 4 dot 5 dot 6 dot 1");
    assert_eq!(status(game, "3+"), "3: now choose the dot to join");
    assert_eq!(walk(game, "t", 3), "3-4 closes a cycle of 3 dots 2-3 3-4 closes a cycle of 3 dots");
    assert_eq!(walk(game, "T", 2), "2-3 3-4 closes a cycle of 3 dots");
}

/// When a match is resumed, the cursor is near the last move, at a place where Enter has an effect.
#[test]
fn resumed_match_puts_the_cursor_near_the_last_move() {
    let left = [
        ("dots-and-boxes", "size=4", "H2,1", "H2,2"),
        ("dots-and-boxes", "size=4", "H3,2", "H3,1"),
        ("join-the-dots", "layout=circle:9", "4-6", "6"),
        ("quixo", "", "E3-A3", "A2"),
        ("tic-tac-toe", "", "c3", "b3"),
        ("intersections", "size=4", "2,1-2,3", "2,3"),
    ];
    complete(left.map(|(game, ..)| game));
    for (game, setup, moves, place) in left {
        let mut game = match_board(game, setup, moves);
        game.board.go_near_last_move();
        let status = game.board.status(true).unwrap();
        assert!(status.split([' ', '-']).any(|word| word == place), "{moves}: {status}");
        let reply = press(&mut game, "+");
        assert!(matches!(reply, PressReply::Handled | PressReply::Play(_)), "{moves}: {reply:?}");
    }
}
