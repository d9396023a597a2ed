//! Two players at one keyboard, each with their own keys.

use crate::common::player::Player;
use quadrille::action::Action;
use quadrille::app::OpenMatch;
use quadrille::settings::{MotionChoice, Settings};
use quadrille_match::store::LastSetup;
use std::time::Duration;

/// A match of Dots and Boxes between two local players, each with a set of keys.
fn shared() -> Player {
    with_keys(Settings::default())
}

fn with_keys(settings: Settings) -> Player {
    let mut player = Player::at("dots-and-boxes", "size=3");
    let settings = Settings { two_key_sets: true, motion: MotionChoice::Never, ..settings };
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
fn caps_lock_changes_nothing() {
    let mut player = shared();
    player.press("DF");
    assert_eq!(player.moves(), "H0,1");
    assert!(!answers(&mut player, &["D", "F"]), "Bob's turn");
    // The same keys of a Russian layout.
    player.press("<down><enter>В");
    assert!(answers(&mut player, &["а"]) && ply(&player) == 3, "{}", player.screen(80, 24));
}

#[test]
fn menus_and_the_screens_over_a_match_know_both_sets() {
    for keys in ["", "f"] {
        let mut player = shared();
        player.press(keys).press("<esc>");
        assert!(player.sees("w/s or up/down move  f or Enter choose"), "{}", player.screen(80, 24));
        let at = |player: &Player, entry: &str| player.sees(&format!("\u{25ba} {entry}"));
        let next = if keys.is_empty() { "Show values" } else { "Undo" };
        for key in ["s", "S", "<down>", "j"] {
            assert!(at(player.press(key), next), "{key}\n{}", player.screen(80, 24));
            assert!(at(player.press("w"), "Resume"), "{key}\n{}", player.screen(80, 24));
        }
        for key in ["f", "F", "<enter>", " "] {
            player.press(key);
            assert!(!player.sees("Resume"), "{key}\n{}", player.screen(80, 24));
            player.press("<esc>");
        }
        player.click("Settings");
        let before = player.screen(80, 24);
        assert_ne!(player.press("ssd").screen(80, 24), before);
        assert_eq!(player.press("aWW").screen(80, 24), before, "in a form, A and D change a value");
        player.press("<esc><esc>").click("Rules");
        let top = player.screen(80, 12);
        assert!(top.contains("w/s or up/down scroll"), "{top}");
        assert_ne!(player.press("s").screen(80, 12), top);
        assert_eq!(player.press("W").screen(80, 12), top);
    }
}

/// In a replay, `a` starts the review, so letters are no arrows there.
#[test]
fn replay_over_a_match_keeps_its_letters() {
    let mut player = shared();
    player.press("f<esc>").click("Resign").click("Ann resigns");
    player.press("<wait>").click("Review the match");
    assert!(player.sees("a close review") && !player.sees("or arrows"));
    assert!(player.press("a").sees("a review"), "{}", player.screen(80, 24));
}

#[test]
fn help_knows_both_sets() {
    for keys in ["", "f", "<esc>"] {
        let mut player = shared();
        player.press(keys).press("?");
        let help = player.screen(80, 100);
        assert!(help.contains("Ann: WASD and F. Bob: arrows and Enter."), "{help}");
        assert!(help.contains("f or Enter"), "{help}");
    }
    let mut player = shared();
    let help = player.press("f?").screen(80, 100);
    assert!(help.contains("WASD or arrows"), "{help}");
}

/// A finished match in which Ann resigned, with the result open.
fn resigned() -> Player {
    let mut player = shared();
    player.press("f<esc>").click("Resign").click("Ann resigns");
    player
}

#[test]
fn both_sets_work_after_the_match() {
    for key in ["f", "<enter>"] {
        let mut player = resigned();
        player.press("<esc>");
        assert!(player.sees("f or Enter menu"), "{}", player.screen(80, 24));
        assert!(player.press(key).sees("Rematch, swap sides"), "{}", player.screen(80, 24));
    }
}

#[test]
fn rematch_swaps_seats_and_not_keys() {
    let mut player = resigned();
    for _ in 0..2 {
        player.press("<wait>R");
        assert!(player.sees("Bob  arrows move  Enter draw"), "{}", player.screen(80, 24));
        player.press("<enter>");
        assert!(player.sees("Ann  WASD move  f draw"), "{}", player.screen(80, 24));
        player.press("df");
        assert_eq!(ply(&player), 2);
        assert!(player.press("?").sees("Bob: arrows and Enter. Ann: WASD and F."));
        player.press("<esc><esc>").click("Resign").click("Bob resigns").press("<wait>R");
        assert!(player.sees("Ann  WASD move  f draw"), "{}", player.screen(80, 24));
        player.press("f<esc>").click("Resign").click("Bob resigns");
    }
    player.press("<wait>R<enter><esc>").click("Start over").press("sf");
    assert!(player.sees("Bob  arrows move"), "{}", player.screen(80, 24));
}

/// Returns a match that was left after a move, as it is resumed in a later run.
fn resumed(names: [&str; 2], last_setup: [&str; 2]) -> Player {
    let entry = quadrille_table::catalogue::find("dots-and-boxes").unwrap();
    let players: Vec<_> = names.iter().map(|name| name.parse().unwrap()).collect();
    let setup = "size=3".parse().unwrap();
    let mut open_match = OpenMatch::opened(entry, &setup, players.into()).unwrap();
    open_match.change().play_move("H0,0", Duration::ZERO).unwrap();
    let mut player = Player::new();
    let settings =
        Settings { two_key_sets: true, motion: MotionChoice::Never, ..Settings::default() };
    player.app = player.app.with_settings(settings, String::new()).with_match(open_match);
    player.app.remember(vec![LastSetup {
        game: "dots-and-boxes".to_owned(),
        given_setup: setup,
        names: last_setup.map(str::to_owned).to_vec(),
        pair: Vec::new(),
        clock: None,
    }]);
    player
}

#[test]
fn resumed_rematch_keeps_the_keys_of_its_setup() {
    for (last_setup, shown) in [
        (["Bob", "Ann"], "Ann  arrows move"),
        (["Ann", "Bob"], "Ann  WASD move"),
        (["Ann", "Eve"], "Ann  arrows move"),
    ] {
        let player = resumed(["Bob", "Ann"], last_setup);
        assert!(player.sees(shown), "{last_setup:?}\n{}", player.screen(80, 24));
    }
}

#[test]
fn setup_form_gives_player_1_the_letters_again() {
    let mut player = resigned();
    player.press("<wait>R<esc>").click("New match");
    player.press("s");
    assert!(player.sees("Bob  WASD move"), "{}", player.screen(80, 24));
}

#[test]
fn match_with_a_guest_has_one_key_set() {
    let mut player = Player::against("dots-and-boxes", "size=3", ["Ann", "guest"]);
    let settings =
        Settings { two_key_sets: true, motion: MotionChoice::Never, ..Settings::default() };
    player.app = player.app.with_settings(settings, String::new());
    assert!(player.sees("arrows move") && !player.sees("WASD"), "{}", player.screen(80, 24));
}

/// Otherwise the user's key would silently do nothing.
#[test]
fn overridden_user_keys_are_named() {
    let mut settings = Settings { two_key_sets: true, ..Settings::default() };
    let keys = ["w", "z"].map(|key| key.parse().unwrap());
    settings.keys.change(Action::Undo, &keys).unwrap();
    let named = "Two key sets override your w (undo)";
    let mut player = Player::new();
    player.app = player.app.with_settings(settings.clone(), String::new());
    player.press("<end><enter>");
    while !player.sees("For two people at one keyboard") {
        player.press("<down>");
    }
    assert!(player.sees(named), "{}", player.screen(80, 24));
    assert!(!player.press("<right>").sees(named), "off");
    let mut player = Player::new();
    player.app = player.app.with_settings(settings, String::new());
    player.press("<enter><right><end><up><enter>");
    for _ in 0..12 {
        player.press("<down>");
        if player.sees(named) {
            return;
        }
    }
    panic!("{}", player.screen(80, 24));
}

#[test]
fn assigning_an_overridden_key_says_so() {
    let mut player = Player::new();
    let settings = Settings { two_key_sets: true, ..Settings::default() };
    player.app = player.app.with_settings(settings, String::new());
    player.press("<end><enter><end><enter>");
    while !player.sees("Take back the last move") {
        player.press("<down>");
    }
    player.press("<enter>w");
    assert!(player.sees("undo: w, but not with two key sets"), "{}", player.screen(80, 24));
    assert!(player.press("<enter>z").sees("undo: z") && !player.sees("but not"));
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
