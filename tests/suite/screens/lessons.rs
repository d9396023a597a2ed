//! Key scripts for lessons.

use crate::common::player::Player;
use insta::assert_snapshot;
use quadrille_table::catalogue::{self, GAMES};

fn lessons_of(game: &str) -> Player {
    let mut player = Player::new();
    player.app = Player::new().app.with_lessons(catalogue::find(game));
    player
}

fn double_cross() -> Player {
    let mut player = Player::new();
    player
        .press(&"<tab>".repeat(GAMES.len() + 1))
        .press("<enter><enter><down><down><down><enter><enter>");
    player
}

#[test]
fn lesson_can_be_completed_on_screen() {
    let mut player = double_cross();
    assert!(player.screen(80, 24).contains("The double-cross"), "{}", player.screen(80, 24));
    player.press(":V0,1<enter>:V0,2<enter>");
    assert!(player.screen(80, 24).contains("V0,2 leads to a draw."), "{}", player.screen(80, 24));
    player.press("<enter>H");
    assert!(player.screen(80, 24).contains("V0,3 is correct"), "{}", player.screen(80, 24));
    player.press(":V0,3<enter>");
    assert!(player.screen(80, 24).contains("Right."), "{}", player.screen(80, 24));
    player.press("<enter>");
    assert!(player.screen(80, 24).contains("step 3 of 6"), "{}", player.screen(80, 24));
    player.press("<pagedown><pagedown><pagedown><pagedown>");
    let skipped = "Steps 3, 4, 5 and 6 were";
    assert!(player.screen(80, 24).contains(skipped), "{}", player.screen(80, 24));
    player.press("<enter>");
    assert!(player.screen(80, 24).contains("Counting chains"), "{}", player.screen(80, 24));
}

#[test]
fn left_lesson_resumes_at_the_same_step() {
    let mut player = double_cross();
    player.press("<pagedown><pagedown>q");
    let list = player.screen(80, 24);
    assert!(list.contains("at step 4 of 6"), "{list}");
    player.press("<enter>");
    assert!(player.screen(80, 24).contains("step 4 of 6"), "{}", player.screen(80, 24));
    player.press("<pagedown><pagedown><pagedown>");
    let end = player.screen(80, 24);
    assert!(end.contains("Steps 2, 3, 4, 5 and 6"), "{end}");
    player.press("q<enter>");
    let first_skipped = player.screen(80, 24);
    assert!(first_skipped.contains("step 2 of 6"), "{first_skipped}");
}

#[test]
fn lesson_step_names_perfect_once() {
    let mut player = double_cross();
    player.press("<pagedown><pagedown><pagedown><pagedown>");
    let said = player.screen(120, 40);
    assert_eq!(said.matches("Perfect").count(), 2, "{said}");
}

/// The reply to a try ends the round; the next one would not show it.
#[test]
fn a_try_that_ends_a_round_stays_on_the_board() {
    let mut player = lessons_of("intersections");
    player.press("<down><down><enter><enter>");
    for (mv, said) in [("0,0-1,0", "That makes at most"), ("0,1-2,1", "Right.")] {
        player.press(&format!(":{mv}<enter>"));
        let text = player.screen(80, 24);
        assert!(text.contains(said) && text.contains("0  ▪╍╍╍"), "{text}");
        player.press("<enter>");
    }
    assert!(player.screen(80, 24).contains("step 3 of 6"), "{}", player.screen(80, 24));
}

#[test]
fn finished_lesson_is_marked_done() {
    let mut player = lessons_of("tic-tac-toe");
    player.press("<down><enter><enter>:c1<enter><enter>:a3<enter><enter>:b2<enter><enter>");
    for _ in 0..3 {
        player.press("H");
        let text = player.screen(80, 24);
        let hint = text
            .lines()
            .find_map(|line| line.trim().strip_suffix(" is correct"))
            .map(str::to_owned);
        let Some(mv) = hint else { break };
        player.press(&format!(":{mv}<enter>"));
    }
    player.press("<enter>");
    assert!(player.screen(80, 24).contains("Lesson done."), "{}", player.screen(80, 24));
    player.press("q");
    assert!(player.screen(80, 24).contains("done"), "{}", player.screen(80, 24));
}

#[test]
fn lesson_list_shows_a_board_of_the_selected_lesson() {
    let mut player = Player::new();
    player.press(&"<tab>".repeat(GAMES.len() + 1)).press("<enter><enter><down>");
    for (width, height) in [(40, 12), (80, 24), (120, 40)] {
        assert_snapshot!(format!("lessons_{width}x{height}"), player.screen(width, height));
    }
}

#[test]
fn lesson_screen_matches_snapshots_at_every_size() {
    for (width, height) in [(40, 12), (80, 24), (120, 40)] {
        let player = double_cross();
        assert_snapshot!(format!("lesson_{width}x{height}"), player.screen(width, height));
    }
}
