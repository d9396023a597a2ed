//! The chains of Dots and Boxes, laid over the board.

use crate::common::player::{Player, draws_at};
use quadrille::app::OpenMatch;
use quadrille::board::Skin;
use quadrille_match::session::Conditions;
use quadrille_scene::{built_in, built_in_names};
use quadrille_table::catalogue::{self, GAMES};

/// Two rows of three boxes: a wall between them, and all walls along the upper one.
const ROWS: &str = ":H0,0<enter>:H0,1<enter>:H0,2<enter>:H1,0<enter>:H1,1<enter>:H1,2<enter>";

fn two_rows(keys: &str) -> Player {
    let mut player = Player::at("dots-and-boxes", "rows=3 cols=4");
    player.press(ROWS).press(keys);
    player
}

#[test]
fn key_toggles_the_chains() {
    let mut player = two_rows("");
    player.press("c");
    for said in ["1 long chain: 3", "the count favors ", "safe lines"] {
        assert!(player.sees(said), "{said}: {}", player.screen(80, 24));
    }
    // A number in each box of the chain; the coordinates and scores contain no 3 in these rows.
    let numbers = |player: &Player| player.screen(80, 24).matches('3').count();
    assert!(numbers(&player) >= 3, "{}", player.screen(80, 24));
    // The overlay stays while moves are played.
    player.press(":V0,0<enter>");
    assert!(player.sees("3 boxes can be taken") && player.sees("3!"), "{}", player.screen(80, 24));
    player.press("uc");
    assert!(player.sees("chains hidden"));
    player.press("<left>");
    assert!(!player.sees("long chain"), "{}", player.screen(80, 24));
}

#[test]
fn chains_are_shown_in_every_size_theme_and_in_ascii() {
    let player = two_rows("c");
    for size in [(40, 12), (80, 24), (120, 40), (200, 60)] {
        draws_at(size, &player);
        assert!(player.screen(size.0, size.1).contains("long chain"), "{size:?}");
    }
    for skin in built_in_names().filter_map(built_in).map(|theme| Skin::default().with_theme(theme))
    {
        for skin in [skin, skin.in_ascii(), skin.without_colour()] {
            let entry = catalogue::find("dots-and-boxes").unwrap();
            let setup = "rows=3 cols=4".parse().unwrap();
            let open_match = OpenMatch::opened(entry, &setup, Conditions::default()).unwrap();
            let player = Player::with(skin);
            let mut player = Player { app: player.app.with_match(open_match), ..player };
            player.press(ROWS).press("c<left>");
            assert!(player.screen(80, 24).matches('3').count() >= 3);
            assert!(player.sees("1 long chain: 3"), "{}", player.screen(80, 24));
            assert!(!skin.is_ascii() || player.screen(80, 24).is_ascii());
        }
    }
}

#[test]
fn only_dots_and_boxes_offers_chains() {
    for entry in GAMES {
        let mut player = Player::at(entry.id, "");
        let has_key = player.screen(200, 60).contains("c chains");
        assert_eq!(has_key, entry.id == "dots-and-boxes", "{}", entry.id);
        player.press("?");
        assert_eq!(player.screen(100, 100).contains("Berlekamp"), has_key);
    }
}

#[test]
fn disabled_hints_hide_the_chains() {
    let mut player = two_rows("c");
    let settings = quadrille::settings::Settings { hints: false, ..Default::default() };
    player.app = player.app.with_settings(settings, String::new());
    player.press("c");
    assert!(player.sees("hints are off in the settings"), "{}", player.screen(80, 24));
    assert!(!player.sees("long chain") && !player.footer(200, 60).contains("chains"));
}

/// What the line itself closes is not advice.
#[test]
fn disabled_hints_hide_what_a_line_gives_away() {
    let all = |hints: bool| {
        let mut player = Player::at("dots-and-boxes", "size=3");
        let settings = quadrille::settings::Settings {
            hints,
            motion: quadrille::settings::MotionChoice::Never,
            ..Default::default()
        };
        player.app = player.app.with_settings(settings, String::new());
        let mut seen = Vec::new();
        for mv in ["H0,0", "V0,0", "H0,1", "H1,0", "V0,2"] {
            player.press(&format!(":{mv}<enter>"));
            for _ in 0..12 {
                player.press("<tab>");
                let status = player.screen(120, 30);
                let texts = ["gives away", ", then 1 more", "closes 1 box"];
                seen.extend(texts.map(|text| status.contains(text)));
            }
        }
        seen.chunks(3).fold([false; 3], |all, seen| std::array::from_fn(|at| all[at] | seen[at]))
    };
    assert_eq!(all(true), [true; 3]);
    assert_eq!(all(false), [false, false, true]);
}
