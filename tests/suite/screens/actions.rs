//! The list of actions, checked on all screens: every listed key works, and no key has two meanings.

use crate::common::player::Player;
use crate::common::test_tournament::TestTournament;
use crossterm::event::{Event, KeyEvent, KeyModifiers};
use insta::assert_snapshot;
use quadrille::action::{Action, Key, Keymap};
use quadrille::app::{CountedRecords, RecordSummary, SavedMatch};
use quadrille::board::Skin;
use quadrille_arena::tournament::Stage;
use quadrille_table::catalogue::GAMES;
use std::collections::HashMap;

/// A match with moves to undo, moves to redo, and two redo lines.
const PLAYED: &str = ":V0,0<enter>:H0,0<enter>u:H0,1<enter>u";

fn at_home(matches: usize) -> Player {
    let mut player = Player::new();
    let names = vec!["Ann".to_owned(), "Bob".to_owned()];
    let saved = |n: usize| SavedMatch {
        id: n.to_string(),
        game: "Quixo".to_owned(),
        names: names.clone(),
        guests: Vec::new(),
        score: String::new(),
        ply: Some(n),
        waiting: Vec::new(),
        is_over: false,
        when: "14:05".to_owned(),
    };
    player.app.set_unfinished((0..matches).map(saved).collect());
    player
}

fn record(n: usize) -> RecordSummary {
    RecordSummary {
        id: format!("r{n}"),
        game: "quixo".to_owned(),
        names: vec![format!("A{n}"), "B".to_owned()],
        result: "1-0".to_owned(),
        termination: None,
        date: "2026-01-01".to_owned(),
        plies: n,
    }
}

fn among_records(keys: &str) -> Player {
    let mut player = at_home(0);
    player.press("<end><left><left><left><enter>");
    player.app.records(&(0..60).map(record).collect::<Vec<_>>(), &[]);
    player.press(keys);
    player
}

fn in_match(keys: &str) -> Player {
    let mut player = Player::at("dots-and-boxes", "size=3");
    player.press(keys);
    player
}

/// Opens the key settings, with the cursor on the first row.
fn keys_screen(keys: &str) -> Player {
    let mut player = at_home(0);
    player.press(&format!("<end><enter><end><enter>{keys}"));
    assert!(player.sees("Keys"), "{}", player.screen(80, 24));
    player
}

/// Returns every screen, in every state with its own actions.
/// A screen's name, and what opens it.
type NamedScreen = (String, Box<dyn Fn() -> Player>);

fn named(name: impl Into<String>, open: impl Fn() -> Player + 'static) -> NamedScreen {
    (name.into(), Box::new(open))
}

fn all_screens() -> Vec<NamedScreen> {
    let played = |keys: &'static str| move || in_match(&format!("{PLAYED}{keys}"));
    let looked_at = |keys: &'static str| {
        // The match ends in a draw, and its end is then viewed.
        move || {
            in_match(&format!(
                "{PLAYED}r<esc><down><down><down><enter><wait>y<wait><down><down><down><enter>{keys}"
            ))
        }
    };
    let tournament = |keys: &'static str| {
        move || {
            let mut player = TestTournament::small(&GAMES[0], 4).app(Skin::default());
            player.press(keys);
            player
        }
    };
    let mut screens = vec![
        named("home", || at_home(3)),
        named("matches left", || {
            let mut player = at_home(60);
            player.press("<right><enter>");
            player
        }),
        named("setup, a name", || {
            let mut player = at_home(0);
            player.press("<enter><right><down>");
            player
        }),
        named("match", played("")),
        named("typing a move", played(":H")),
        named("pause", played("<esc>")),
        named("rules", played("<esc><down><down><enter>")),
        named("help", played("?")),
        named("replay", looked_at("")),
        named("replay, a number", looked_at("1")),
        named("a draw is offered", played("<esc><down><down><down><enter>")),
        named("result", played("<esc><down><down><down><enter><wait>y<wait>")),
        named("records", || among_records("")),
        named("no record", || among_records("/zzz<enter>")),
        named("finding", || among_records("/r")),
        named("deleting", || among_records("d")),
        named("results", || {
            let mut player = among_records("t");
            player.app.counted(&CountedRecords {
                records: (0..60).map(record).collect(),
                ..CountedRecords::default()
            });
            player
        }),
        named("keys", || keys_screen("")),
        named("keys, a key", || keys_screen("<enter>")),
        named("tournament", tournament("")),
        named("tournament, what has ended", tournament("<tab>")),
        named("a game that is followed", tournament("<enter><left>")),
        named("stopping the tournament", tournament("q")),
        named("tournament, over", || {
            let over = TestTournament::small(&GAMES[0], 4);
            over.live.stops(Stage::Over);
            over.app(Skin::default())
        }),
    ];
    screens.extend((0..8).map(|row| {
        named(format!("setup, row {row}"), move || {
            let mut player = at_home(0);
            player.press("<right><enter><home><down><right><up>");
            player.press(&"<down>".repeat(row));
            player
        })
    }));
    screens.extend(GAMES.iter().map(|game| named(game.id, || Player::at(game.id, ""))));
    screens.extend(GAMES.iter().map(|game| {
        named(format!("{}, a key on", game.id), || {
            let mut player = Player::at(game.id, "");
            player.press("<enter>");
            player
        })
    }));
    screens
}

fn screens() -> Vec<(String, Player)> {
    all_screens().into_iter().map(|(name, open)| (name, open())).collect()
}

fn again(name: &str) -> Player {
    all_screens().into_iter().find(|(other, _)| other == name).unwrap().1()
}

fn event(key: Key) -> Event {
    Event::Key(match key {
        Key::Plain(code) => KeyEvent::new(code, KeyModifiers::NONE),
        Key::Control(letter) => {
            KeyEvent::new(crossterm::event::KeyCode::Char(letter), KeyModifiers::CONTROL)
        }
    })
}

#[test]
fn each_key_has_one_action_per_screen() {
    for (name, player) in screens() {
        let mut seen: HashMap<Key, Action> = HashMap::new();
        for action in player.app.actions() {
            for &key in action.default_keys() {
                let other = seen.insert(key, action);
                assert_eq!(other, None, "{name}: {key} is {action:?} too");
            }
        }
    }
}

/// Otherwise the user could give one key to two actions of a screen.
#[test]
fn shares_screen_with_holds_for_actions_of_one_screen() {
    for (name, player) in screens() {
        let actions = player.app.actions();
        for (at, one) in actions.iter().enumerate() {
            for other in &actions[at + 1..] {
                assert!(one.shares_screen_with(*other), "{name}: {one:?} and {other:?}");
            }
        }
    }
}

#[test]
fn footer_names_only_available_actions() {
    for (name, player) in screens() {
        let actions = player.app.actions();
        for hint in player.app.key_hints() {
            let label = Keymap::default().label(hint.actions);
            let live = hint.actions.iter().all(|action| actions.contains(action));
            assert!(live, "{name}: {label} {}", hint.label);
        }
    }
}

/// Snapshots of all other tests omit the footer.
#[test]
fn footer_matches_snapshot_on_every_screen() {
    for (width, height) in [(30, 10), (40, 12), (80, 24), (200, 60)] {
        let footers = screens().into_iter().map(|(name, player)| {
            let footer = player.footer(width, height);
            format!("{name}:\n{footer}")
        });
        assert_snapshot!(format!("footers_{width}x{height}"), footers.collect::<String>());
    }
}

/// Each key changes the screen or causes a task, at once or after another key.
#[test]
fn every_key_has_an_effect() {
    for (name, player) in screens() {
        let actions = player.app.actions();
        for &action in &actions {
            for &key in action.default_keys() {
                let before = std::iter::once(None).chain(actions.iter().copied().map(Some));
                let mut works = before.map(|first| {
                    let mut player = again(&name);
                    player.screen(80, 24);
                    if let Some(first) = first {
                        player.app.update(&event(first.default_keys()[0]));
                    }
                    let was = player.screen(80, 24);
                    let tasks = player.app.update(&event(key));
                    let acts = tasks.is_some_and(|tasks| !tasks.is_empty());
                    acts || player.screen(80, 24) != was
                });
                assert!(works.any(|works| works), "{name}: {key} does nothing");
            }
        }
    }
}

/// If the footer has space to show the key.
#[test]
fn footer_actions_can_be_clicked() {
    let mut clicked = 0;
    for (name, player) in screens() {
        let last = player.screen(80, 24).lines().take(24).last().unwrap().to_owned();
        let named = |names: &str| {
            let at = format!("{last} ").find(&format!(" {names} "))?;
            Some(last[..at].chars().count() as u16 + 1)
        };
        for hint in player.app.key_hints() {
            let keys: Vec<String> =
                hint.actions.iter().map(|action| Keymap::default().name(*action)).collect();
            let Some(mut column) = named(&keys.join("/")) else { continue };
            for (action, key) in hint.actions.iter().zip(&keys) {
                let [mut by_key, mut by_mouse] = [again(&name), again(&name)];
                by_key.screen(80, 24);
                let tasks = by_key.app.update(&event(action.default_keys()[0]));
                by_key.tasks.extend(tasks.unwrap_or_default());
                by_mouse.click_at((column, 23));
                assert_eq!(by_mouse.screen(80, 24), by_key.screen(80, 24), "{name}: {key}");
                assert_eq!(by_mouse.tasks, by_key.tasks, "{name}: {key}");
                column += key.chars().count() as u16 + 1;
                clicked += 1;
            }
        }
    }
    assert!(clicked > 150, "{clicked}");
}

#[test]
fn lists_wrap_around() {
    for name in ["home", "matches left", "setup, row 2", "pause", "result", "records", "deleting"] {
        let ends = |keys: &str| {
            let mut player = again(name);
            player.screen(80, 24);
            player.press(keys).screen(80, 24)
        };
        let steps = [("G<tab>", "g"), ("g<backtab>", "G"), ("G<down>", "g"), ("g<up>", "G")];
        // On the home screen the arrows lead from card to card.
        let steps = if name == "home" { &steps[..2] } else { &steps };
        for (keys, end) in steps {
            assert_eq!(ends(keys), ends(end), "{name}: {keys}");
        }
    }
}

/// Where the cards of the home screen do not fit, its entries are drawn as a list.
#[test]
fn home_actions_are_the_same_as_cards_and_as_a_list() {
    let mut player = at_home(2);
    let mut offered = Vec::new();
    for (width, height) in [(80, 24), (40, 12)] {
        player.screen(width, height);
        offered.push((player.app.actions(), player.app.key_hints()));
    }
    assert_eq!(offered[0], offered[1]);
    let mut cursor = |keys: &str| player.press(keys).screen(40, 12);
    let first = cursor("g");
    assert_ne!(cursor("<right>"), first);
    assert_eq!(cursor("<left>"), first);
    let second = cursor("<down>");
    assert_ne!(second, first);
    assert_eq!(cursor("<down><up>"), second, "in a list, up and down go through all entries");
}

/// Backspace erases digits elsewhere.
#[test]
fn keys_screen_help_explains_backspace() {
    let player = keys_screen("?");
    let help = player.screen(80, 24);
    let line = help.lines().find(|line| line.contains("Backspace")).unwrap();
    assert!(line.contains("restore the default keys of the action"), "{help}");
}

#[test]
fn rules_screen_has_help() {
    let mut player = again("rules");
    let rules = player.screen(80, 24);
    player.press("?");
    assert!(player.sees("Dots and Boxes, rules: help"), "{}", player.screen(80, 24));
    player.press("<esc>");
    assert_eq!(player.screen(80, 24), rules);
}

#[test]
fn digit_selects_a_menu_entry() {
    let mut player = in_match("<esc>");
    player.press("2");
    assert!(player.sees("\u{25ba} Rules"), "{}", player.screen(80, 24));
    player.press("9");
    assert!(player.sees("\u{25ba} Rules"), "there are not so many");
}
