//! Move confirmation on every screen with a board: by keys, by mouse and by text.

use crate::common::player::Player;
use crossterm::event::{MouseButton, MouseEventKind};
use quadrille::settings::{MotionChoice, Settings};
use quadrille_match::store::progress::Progress;
use quadrille_puzzles::PuzzleSet;
use quadrille_table::catalogue;

const QUESTION: &str = "Enter play it";

/// A match, a puzzle and a lesson of Dots and Boxes with confirmation, each with a legal move.
fn screens() -> [(Player, String); 3] {
    let open_match = Player::at("dots-and-boxes", "size=3");
    let puzzle = quadrille_puzzles::of("dots-and-boxes").next().unwrap().clone();
    let right = puzzle.solution[0].clone();
    let mut solver = Player::new();
    solver.app = solver.app.with_puzzles(PuzzleSet::One(puzzle));
    solver.app.set_progress(Progress::default());
    let mut learner = Player::new();
    learner.app = learner.app.with_lessons(catalogue::find("dots-and-boxes"));
    learner.press("<down><down><down><enter><enter>");
    [(open_match, "V0,0".to_owned()), (solver, right), (learner, "V0,1".to_owned())].map(
        |(mut player, mv)| {
            let settings =
                Settings { confirm: true, motion: MotionChoice::Never, ..Settings::default() };
            player.app = player.app.with_settings(settings, String::new());
            (player, mv)
        },
    )
}

fn asks(player: &Player) -> bool {
    player.sees(QUESTION)
}

#[test]
fn enter_asks_and_second_enter_plays() {
    for (mut player, _) in screens() {
        let before = player.screen(80, 24);
        player.press("<enter>");
        assert!(asks(&player), "{}", player.screen(80, 24));
        player.press("<esc>");
        assert_eq!(player.screen(80, 24), before);
        player.press("<enter><tab>");
        assert!(!asks(&player), "another key drops the question");
        player.press("<enter><enter>");
        assert!(!asks(&player) && player.screen(80, 24) != before, "{}", player.screen(80, 24));
    }
}

#[test]
fn typed_move_asks_for_confirmation() {
    for (mut player, mv) in screens() {
        let before = player.screen(80, 24);
        player.press(&format!(":{}<enter>", mv.to_lowercase()));
        assert!(player.sees(&format!("Play {mv}?")), "{}", player.screen(80, 24));
        assert!(player.sees("Enter play it") && player.sees("Esc cancel"));
        player.press("<esc>");
        assert_eq!(player.screen(80, 24), before);
        player.press(&format!(":{mv}<enter><enter>"));
        assert!(!asks(&player) && player.screen(80, 24) != before, "{}", player.screen(80, 24));
    }
}

#[test]
fn a_click_asks_and_the_second_click_plays() {
    for (mut player, _) in screens() {
        let before = player.screen(80, 24);
        let mut places = (1..22).flat_map(|y| (0..48).map(move |x| (x, y)));
        let place = places.find(|place| player.click_at(*place) && asks(&player)).unwrap();
        player.mouse(MouseEventKind::Down(MouseButton::Right), place);
        assert!(!asks(&player), "the right button drops the question");
        player.click_at(place);
        assert!(asks(&player), "{}", player.screen(80, 24));
        player.click_at(place);
        assert!(!asks(&player) && player.screen(80, 24) != before, "{}", player.screen(80, 24));
    }
}

#[test]
fn saving_a_picture_cancels_the_confirmation() {
    for (mut player, _) in screens() {
        player.press("<enter>p");
        assert!(!asks(&player), "{}", player.screen(80, 24));
    }
}

/// The last digit asks, Enter plays, and Backspace goes back to the first dot.
#[test]
fn move_by_dot_numbers_asks_for_confirmation() {
    let mut player = Player::at("join-the-dots", "layout=circle:7");
    let settings = Settings { confirm: true, motion: MotionChoice::Never, ..Settings::default() };
    player.app = player.app.with_settings(settings, String::new());
    player.press("37");
    assert!(player.sees("Play 3-7?"), "{}", player.screen(80, 24));
    player.press("<backspace>");
    assert!(!asks(&player));
    player.press("5");
    assert!(player.sees("Play 3-5?"), "{}", player.screen(80, 24));
    player.press("<enter>");
    let lines = player.app.open_match().unwrap().current_match().board();
    assert!(lines.contains("3-5"), "{lines}");
}
