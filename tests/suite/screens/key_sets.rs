//! Two players at one keyboard, each with their own keys.

use crate::common::player::Player;
use quadrille::action::Action;
use quadrille::settings::Settings;

/// A match of Dots and Boxes between two local players, each with a set of keys.
fn shared() -> Player {
    with_keys(Settings::default())
}

fn with_keys(settings: Settings) -> Player {
    let mut player = Player::at("dots-and-boxes", "size=3");
    let settings = Settings { two_key_sets: true, motion: false, ..settings };
    player.app = player.app.with_settings(settings, String::new());
    player
}

fn ply(player: &Player) -> usize {
    player.app.open_match().unwrap().current_match().ply()
}

fn answers(player: &mut Player, keys: &[&str]) -> bool {
    keys.iter().any(|key| {
        let before = player.screen(80, 24);
        player.press(key);
        player.screen(80, 24) != before
    })
}

const ARROWS: &[&str] = &["<left>", "<down>", "<up>", "<right>", "<enter>"];
const LETTERS: &[&str] = &["a", "s", "w", "d", "f"];
const OFF: &[&str] = &["h", "j", "k", "l", " "];

#[test]
fn only_the_movers_key_set_works() {
    let mut player = shared();
    assert!(player.sees("Ann  WASD move  f draw"), "{}", player.screen(80, 24));
    assert!(!answers(&mut player, ARROWS) && !answers(&mut player, OFF));
    assert!(answers(&mut player, &["d"]));
    player.press("f");
    assert_eq!(ply(&player), 1);
    assert!(player.sees("Bob  arrows move  Enter draw"), "{}", player.screen(80, 24));
    assert!(!answers(&mut player, LETTERS) && !answers(&mut player, OFF));
    assert!(answers(&mut player, &["<down>"]));
    player.press("<enter>");
    assert_eq!(ply(&player), 2);
    assert!(player.sees("Ann  WASD move"));
}

#[test]
fn shared_keyboard_keeps_undo_help_and_menu_values() {
    let mut player = shared();
    player.press(":v0,0<enter>");
    assert_eq!(ply(&player), 1);
    player.press("u");
    assert_eq!(ply(&player), 0);
    player.press("?");
    let help = player.screen(80, 100);
    assert!(help.contains("WASD") && !help.contains("h j k l"), "{help}");
    player.press("q<esc>").click("Show values");
    player.press("<esc>");
    assert!(player.sees("Hide values"), "{}", player.screen(80, 24));
}

#[test]
fn one_key_set_serves_matches_without_a_shared_keyboard() {
    let mut player = shared();
    player.press("<esc>").click("New match");
    player.press("<left>s");
    assert!(player.sees("arrows move"), "against the computer\n{}", player.screen(80, 24));
    let mut solver = Player::new();
    let settings = Settings { two_key_sets: true, ..Settings::default() };
    solver.app = solver.app.with_settings(settings, String::new());
    assert!(answers(&mut solver, &["l"]), "on the home screen");
}

#[test]
fn confirmation_needs_the_movers_key() {
    let mut player = with_keys(Settings { confirm: true, ..Settings::default() });
    player.press("f");
    assert!(player.sees("f play it"), "{}", player.screen(80, 24));
    player.press("<enter>");
    assert_eq!(ply(&player), 0, "Enter is the other player's");
    player.press("f");
    assert_eq!(ply(&player), 1);
}

#[test]
fn action_keeps_its_other_user_keys() {
    let mut settings = Settings::default();
    let keys = ["w", "z"].map(|key| key.parse().unwrap());
    settings.keys.change(Action::Undo, &keys).unwrap();
    let mut player = with_keys(settings);
    player.press(":h0,0<enter>z");
    assert_eq!(ply(&player), 0);
}

#[test]
fn setup_form_shows_keys_row_only_for_two_local_players() {
    let mut player = Player::new();
    player.press("<enter>");
    assert!(!player.press("<end><up>").press("<enter>").sees("Keys  "), "alone");
    let mut player = Player::new();
    player.press("<enter><right><end><up><enter>");
    assert!(player.sees("Keys"), "{}", player.screen(80, 24));
    while !player.sees("Both players share all keys") {
        player.press("<down>");
    }
    player.press("<right>s");
    assert!(player.sees("WASD move"), "{}", player.screen(80, 24));
}
