//! The setup form: players, options and descriptions.

use crate::common::player::Player;
use insta::assert_snapshot;
use quadrille::action::Action;
use quadrille::app::{DiskTask, Task};
use quadrille::settings::Settings;
use quadrille_match::store::LastSetup;
use quadrille_table::catalogue::GAMES;

/// Opens the form of a game by its index on the home screen.
fn form(place: usize) -> Player {
    let mut player = Player::new();
    player.press(&"<right>".repeat(place)).press("<enter>");
    player
}

fn rows(player: &Player) -> Vec<(String, String)> {
    let screen = player.screen(80, 24);
    let lines = screen.lines().skip(1).take_while(|line| !line.contains("   Start"));
    let row = |line: &str| {
        let text = |from: usize, to: usize| -> String {
            line.chars().skip(from).take(to - from).filter(|&c| c < '\u{2500}').collect()
        };
        let (name, value) = (text(4, 17).trim().to_owned(), text(18, 44).trim().to_owned());
        (!name.is_empty()).then_some((name, value))
    };
    lines.filter_map(row).collect()
}

fn names(player: &Player) -> Vec<String> {
    rows(player).into_iter().map(|(name, _)| name).collect()
}

fn value(player: &Player, row: &str) -> String {
    let found = rows(player).into_iter().find(|(name, _)| name == row);
    found.unwrap_or_else(|| panic!("no {row} on\n{}", player.screen(80, 24))).1
}

fn opponent(player: &Player) -> String {
    let screen = player.screen(80, 24);
    let row = screen.lines().find(|line| line.contains("Opponent")).unwrap();
    row.split(['[', ']']).nth(1).unwrap().to_owned()
}

fn seats(player: &mut Player) -> Vec<String> {
    player.press("s");
    player.app.open_match().unwrap().players().names()
}

fn remembered(player: &Player) -> LastSetup {
    let setup = player.tasks.iter().find_map(|task| match task {
        Task::Disk(DiskTask::Remember(setup)) => Some(LastSetup::clone(setup)),
        _ => None,
    });
    setup.unwrap_or_else(|| panic!("{:?}", player.tasks))
}

/// Opens the form of the game at this index in a later run.
fn later(place: usize, setups: Vec<LastSetup>) -> Player {
    let mut player = Player::new();
    player.app.remember(setups);
    player.press(&"<right>".repeat(place)).press("<enter>");
    player
}

#[test]
fn title_gives_a_seed_only_if_the_layout_uses_it() {
    for (setup, seed) in [
        ("layout=circle:8 seed=7", None),
        ("layout=eight seed=7", None),
        ("points=0,0;1,0;0.4,1 seed=7", None),
        ("layout=random:8 seed=7", Some("seed 7")),
        ("seed=7", Some("seed 7")),
    ] {
        let screen = Player::at("join-the-dots", setup).screen(120, 40);
        let found = screen.lines().find(|line| line.contains("seed"));
        assert_eq!(found.is_some(), seed.is_some(), "{setup}: {screen}");
        assert!(seed.is_none_or(|seed| screen.contains(seed)), "{setup}: {screen}");
    }
}

#[test]
fn two_enters_start_a_match_against_beginner() {
    for (place, entry) in GAMES.iter().enumerate() {
        let mut player = form(place);
        assert_eq!((&*opponent(&player), &*value(&player, "Level")), ("Computer", "Beginner"));
        player.press("<enter>");
        let open_match = player.app.open_match().unwrap();
        assert_eq!(open_match.entry.id, entry.id);
        assert_eq!(open_match.players().names(), ["Player 1", "engine:beginner"]);
    }
}

#[test]
fn first_row_chooses_the_opponent_by_keys_and_clicks() {
    for (turns, label, names) in [
        (0, "Computer", ["", "engine:beginner"]),
        (1, "Friend here", ["", ""]),
        (2, "Friend over ssh", ["", "guest"]),
        (3, "Custom", ["", "guest"]),
    ] {
        let mut by_key = form(0);
        by_key.press(&"<right>".repeat(turns));
        let mut by_click = form(0);
        by_click.press("<down><down>").click("Friend over").click(label);
        for mut player in [by_key, by_click] {
            assert_eq!(opponent(&player), label);
            player.press("<enter>");
            // Custom starts with the current seats.
            assert_eq!(remembered(&player).names, names);
        }
    }
    // A small screen shows only the chosen word, with clickable arrows.
    let player = form(0);
    assert!(player.screen(40, 12).contains("\u{2039} Computer \u{203a}"));
    for (width, height) in [(30, 10), (40, 12), (80, 24), (120, 40), (200, 60)] {
        assert_snapshot!(format!("computer_{width}x{height}"), player.body(width, height));
    }
}

#[test]
fn s_starts_the_match_from_every_row() {
    for row in 0..7 {
        let mut player = form(0);
        player.press(&"<down>".repeat(row));
        assert_eq!(seats(&mut player), ["Player 1", "engine:beginner"], "row {row}");
    }
    // Without a key for this action, Enter starts the match.
    let mut player = Player::new();
    let mut settings = Settings::default();
    settings.keys.change(Action::First, &["s".parse().unwrap()]).unwrap();
    player.app = player.app.with_settings(settings, String::new());
    player.press("<enter>ss");
    assert!(player.app.open_match().is_none());
    player.press("<home><enter>");
    assert!(player.app.open_match().is_some());
}

#[test]
fn start_button_keeps_its_place() {
    for size in [(40, 12), (80, 24), (120, 40), (200, 60)] {
        for place in 0..GAMES.len() {
            let line = |player: &Player| {
                let screen = player.screen(size.0, size.1);
                let mut lines = screen.lines().take(size.1.into());
                lines.position(|line| {
                    line.trim_start().starts_with("Start ") || line.trim() == "Start"
                })
            };
            let mut player = form(place);
            let here = line(&player);
            assert!(here.is_some(), "{}", player.screen(size.0, size.1));
            for keys in ["<right>", "<right>", "<right>", "<end><up><enter>", "<home><right>"] {
                player.press(keys);
                assert_eq!(line(&player), here, "{keys}: {}", player.screen(size.0, size.1));
            }
        }
    }
}

#[test]
fn level_and_first_move_have_their_own_rows() {
    let mut player = form(3);
    player.press("<down>");
    let levels = ["Casual", "Skilled", "Strong", "Perfect", "Beginner"];
    for level in levels {
        player.press("<right>");
        assert_eq!(value(&player, "Level"), level);
    }
    player.press("<left>");
    assert_eq!(value(&player, "Level"), "Perfect");
    player.press("<down><right>");
    assert_eq!(value(&player, "First move"), "Computer");
    assert_eq!(seats(&mut player), ["engine:perfect", "Player 2"]);
    // The form is remembered, and another opponent gets the level back.
    let mut player = later(3, vec![remembered(&player)]);
    assert_eq!(value(&player, "First move"), "Computer");
    player.press("<right><left>");
    assert_eq!(value(&player, "Level"), "Perfect");
    // The setup's first player has the first move.
    let mut player = form(3);
    player.press("<end><up><enter><down><right>");
    assert_eq!(
        (value(&player, "Begins"), value(&player, "First move")),
        ("O".into(), "Computer".into())
    );
    player.press("<home><down><down><right>");
    assert_eq!(seats(&mut player), ["engine:beginner", "Player 2"]);
}

#[test]
fn setup_form_remembers_the_players_per_game() {
    let mut player = form(0);
    player.press("<down><right><home><enter>");
    let setup = remembered(&player);
    assert_eq!(setup.names, ["", "engine:casual"]);
    let player = later(0, vec![setup.clone()]);
    assert_eq!((opponent(&player), value(&player, "Level")), ("Computer".into(), "Casual".into()));
    // The saved opponent also applies to a game never played, with a level available there.
    for (names, kind, who) in [
        (["", "engine:skilled"], "Computer", ["Player 1", "engine:skilled"]),
        (["engine:perfect", "Bob"], "Computer", ["engine:casual", "Player 2"]),
        (["Ann", "Bob"], "Friend here", ["Ann", "Bob"]),
        (["engine:casual", "engine:skilled"], "Custom", ["engine:casual", "engine:skilled"]),
    ] {
        let names = names.map(str::to_owned).to_vec();
        let mut player = later(2, vec![LastSetup { names, ..setup.clone() }]);
        assert!(player.sees("Quixo"));
        assert_eq!(opponent(&player), kind);
        assert_eq!(seats(&mut player), who);
    }
    let names = ["Ann", "guest"].map(str::to_owned).to_vec();
    assert_eq!(opponent(&later(2, vec![LastSetup { names, ..setup }])), "Friend over ssh");
}

#[test]
fn your_name_defaults_to_the_last_name_or_the_login() {
    let open = |last: Option<&str>, login: &str| {
        let mut player = Player::new();
        player.app.set_login_name(login.to_owned());
        player.app.set_last_name(last.map(str::to_owned));
        player.press("<enter><end><up><enter>");
        player
    };
    assert_eq!(value(&open(Some("Eve"), "ann"), "Your name"), "Eve");
    let mut player = open(None, "ann");
    assert_eq!(value(&player, "Your name"), "ann");
    player.press("<enter>").press(&"<backspace>".repeat(3)).press("Flo<enter>");
    assert_eq!(seats(&mut player), ["Flo", "engine:beginner"]);
    // Without any name only the card says who you are.
    let mut player = open(None, "");
    assert_eq!(value(&player, "Your name"), "You");
    assert_eq!(seats(&mut player), ["Player 1", "engine:beginner"]);
    assert!(player.sees(" You ") && !remembered(&player).names.contains(&"You".to_owned()));
    assert!(Player::against("quixo", "", ["Ann", "engine:beginner"]).sees(" You "));
    assert!(!Player::against("quixo", "", ["Ann", "Bob"]).sees(" You "));
}

#[test]
fn setup_form_remembers_the_last_pair_of_names() {
    let mut player = form(0);
    player.press("<right><down><enter>Ann<enter><down><enter>Bob<enter>");
    assert_eq!(
        (value(&player, "Player 1"), value(&player, "Player 2")),
        ("Ann".into(), "Bob".into())
    );
    assert_eq!(value(&player, "First move"), "Ann");
    player.press("<down><right>");
    assert_eq!(value(&player, "First move"), "Bob");
    assert_eq!(seats(&mut player), ["Bob", "Ann"]);
    let pair = remembered(&player);
    // A match against the computer in between does not lose the names.
    let mut player = later(0, vec![pair.clone()]);
    assert_eq!(opponent(&player), "Friend here");
    player.press("<left><enter>");
    let alone = remembered(&player);
    assert_eq!(alone.pair, ["Bob", "Ann"]);
    for setups in [
        vec![alone.clone()],
        vec![LastSetup { pair: Vec::new(), ..alone.clone() }, {
            LastSetup { game: "quixo".to_owned(), ..alone }
        }],
    ] {
        let mut player = later(0, setups);
        assert_eq!(opponent(&player), "Computer");
        player.press("<right>");
        assert_eq!(value(&player, "Player 2"), "Ann");
    }
    // The game's own pair takes precedence over another game's.
    let names = ["Cy", "Di"].map(str::to_owned).to_vec();
    let other = LastSetup { game: "quixo".to_owned(), names, ..pair.clone() };
    assert_eq!(value(&later(0, vec![other.clone(), pair.clone()]), "Player 1"), "Bob");
    assert_eq!(value(&later(3, vec![other, pair]), "Player 1"), "Cy");
}

#[test]
fn seat_cycles_through_people_and_levels() {
    let mut player = form(3);
    player.press("<right><left><left><down><down>");
    assert_eq!(opponent(&player), "Custom");
    let mut seen = |key: &str| {
        player.press(key);
        value(&player, "Player 2").split_whitespace().next().unwrap_or_default().to_owned()
    };
    let levels = ["Casual", "Skilled", "Strong", "Perfect", "Guest", "Player", "Beginner"];
    assert_eq!(levels.map(|_| seen("<right>")), levels);
    let back = ["Player", "Guest", "Perfect", "Strong", "Skilled", "Casual", "Beginner"];
    assert_eq!(back.map(|_| seen("<left>")), back);
}

/// The form hands the match on, and stays open: opening the table shows the next screen, or the error.
#[test]
fn match_with_a_guest_opens_a_table() {
    let mut player = form(0);
    player.press("<right><right><down><enter>Ann<enter>");
    assert_eq!(opponent(&player), "Friend over ssh");
    assert_snapshot!("a_guest_at_80", player.body(80, 24));
    assert_snapshot!("a_guest_at_40", player.body(40, 12));
    player.press("<end><enter>");
    assert!(player.app.open_match().is_none());
    let asked = player.tasks.iter().find_map(|task| match task {
        Task::Disk(DiskTask::OpenTable(setup)) => Some(LastSetup::clone(setup)),
        _ => None,
    });
    let setup = asked.unwrap();
    assert_eq!(setup.names, ["Ann", "guest"]);
    assert!(player.tasks.contains(&DiskTask::Remember(Box::new(setup.clone())).into()));
    player.app.show_message("cannot open a table");
    assert!(player.sees("! cannot open a table"), "{}", player.screen(80, 24));
    // The setup is remembered. Named guests, and those with hints, are written in other ways.
    let of = |seat: &str, press: &str| {
        let names = vec!["Ann".to_owned(), seat.to_owned()];
        let mut player = later(0, vec![LastSetup { names, ..setup.clone() }]);
        player.press(press);
        (opponent(&player), value(&player, "Player 2"))
    };
    assert!(of("guest:Bob", "<right>").1.starts_with("Guest "));
    assert!(of("guest,hints", "<right>").1.starts_with("Guest with hints"));
    let typed = of("Bob", "<down><down><enter><backspace><backspace><backspace>guest,hints<enter>");
    assert_eq!((&*typed.0, typed.1.starts_with("Guest with hints")), ("Custom", true));
    assert_eq!(of("guest", "<right><down><down><right><right>").0, "Custom");
    // The first row resets all other seats.
    let (first, second) = of("guest", "<left>");
    assert!(first == "Friend here" && second.starts_with("Player 2"), "{first} {second}");
}

/// Common options come first; the others are behind a row of their own.
#[test]
fn more_options_row_reveals_expert_options() {
    let players = ["Opponent", "Level", "First move"];
    for (place, common, more) in [
        (0, vec!["Board", "Clock"], vec!["Your name", "Rows", "Columns"]),
        (1, vec!["Dots", "Layout", "Clock"], vec!["Your name", "Seed", "Own dots"]),
        (2, vec!["Board", "Clock"], vec!["Your name", "Begins", "Position"]),
        (3, vec!["Clock"], vec!["Your name", "Begins", "Position"]),
    ] {
        let mut player = form(place);
        assert_eq!(names(&player), [&players[..], &common, &["More options"]].concat());
        player.press("<end><up><enter>");
        assert_eq!(names(&player), [&players[..], &common, &more].concat());
    }
    let mut player = form(4);
    let common = ["Opponent", "Players", "Level", "First move", "Board", "Rounds", "Clock"];
    assert_eq!(names(&player), [&common[..], &["More options"]].concat());
    player.press("<end><up><right>");
    let more = ["Your name", "Rows", "Columns", "Segments", "Begins"];
    assert_eq!(names(&player), [&common[..], &more].concat());
}

#[test]
fn invalid_option_is_never_hidden() {
    let given_setup = "segments=8".parse().unwrap();
    let game = "intersections".to_owned();
    let setup = LastSetup { game, given_setup, names: Vec::new(), pair: Vec::new(), clock: None };
    let mut player = later(4, vec![setup]);
    assert!(!names(&player).contains(&"Segments".to_owned()));
    player.press("<down><right>");
    assert!(player.sees("! Segments:"), "{}", player.screen(80, 24));
    assert!(names(&player).contains(&"Segments".to_owned()));
}

#[test]
fn board_row_sets_both_sides_and_side_rows_set_each() {
    let mut player = form(0);
    player.press("<down><down><down><right>");
    assert_eq!(value(&player, "Board"), "5 x 5 boxes");
    player.press("<down><down><enter>").click("Columns").press("8");
    assert_eq!(value(&player, "Board"), "5 x 7 boxes");
    player.press("s");
    assert_eq!(remembered(&player).given_setup.to_string(), "rows=6 cols=8");
    let mut player = form(0);
    player.press("<down><down><down>12");
    assert_eq!(value(&player, "Board"), "12 x 12 boxes");
    player.press("9");
    assert!(player.sees("! Board: must be a whole number from"), "{}", player.screen(80, 24));
}

#[test]
fn setup_form_rows_use_plain_words() {
    for place in 0..GAMES.len() {
        let mut player = form(place);
        player.press("<end><up><right>");
        for _ in 0..names(&player).len() {
            player.press("<down>");
            let screen = player.screen(80, 24);
            let letters = screen.split("\n---\n").next().unwrap();
            for parser in [":N", "random:", "seat1", "none, ", "+0 "] {
                assert!(!letters.contains(parser), "{parser} on\n{letters}");
            }
        }
    }
    let mut player = form(1);
    player.press(
        "<down><down><down><down><right><right><right><right><right><down><right><right><right>",
    );
    assert_eq!(value(&player, "Layout"), "double circle");
    assert_eq!(value(&player, "Clock"), "5 min + 3 s");
    player.press("<home>");
    assert_snapshot!("plain_words_80x24", player.body(80, 24));
    player.press("s");
    let setup = remembered(&player);
    assert!(setup.given_setup.to_string().contains("layout=double-circle:10"), "{setup:?}");
    assert_eq!(setup.clock, "300+3".parse().ok());
}

#[test]
fn move_time_row_appears_only_for_timed_levels() {
    for level in ["beginner", "casual", "skilled", "strong", "perfect"] {
        let counts = ["strong", "perfect"].contains(&level);
        let who = format!("engine:{level}");
        let mut player = Player::against("tic-tac-toe", "", [&*who, "Ann"]);
        let screen = player.screen(80, 24);
        assert_eq!(screen.contains("is thinking, up to 2 s"), level == "strong", "{screen}");
        player.press("<esc><up><up><up><enter>");
        assert_eq!(names(&player).contains(&"Move time".to_owned()), counts, "{level}");
    }
    let mut player = form(0);
    player.press("<down><right><right><right><down><down>");
    assert_eq!(value(&player, "Move time"), "2 s");
    player.press("0.5");
    assert_eq!(value(&player, "Move time"), "0.5 s");
}

#[test]
fn perfect_is_offered_on_4_by_4_but_not_on_5_by_5_boxes() {
    let mut player = form(0);
    player.press("<down><left>");
    assert_eq!(value(&player, "Level"), "Perfect");
    assert_eq!(seats(&mut player)[1], "engine:perfect");
    let mut player = form(0);
    player.press("<down><down><down>6<home><down><left>");
    assert_eq!(value(&player, "Level"), "Strong");
}

#[test]
fn added_players_are_seated_like_existing_players() {
    let mut player = form(4);
    player.press("<down>8<home>");
    assert_eq!(opponent(&player), "Computer");
    player.press("<right>");
    assert_eq!(opponent(&player), "Friends here");
    player.press("<right>");
    assert_eq!(opponent(&player), "Friends over ssh");
    player.press("<left><left>");
    assert_eq!(seats(&mut player)[1..], ["engine:beginner"; 7]);
    // Custom seats are unchanged.
    let mut player = form(4);
    player.press("<left><down>3");
    assert_eq!(seats(&mut player), ["Player 1", "engine:beginner", "Player 3"]);
}

#[test]
fn setup_form_with_eight_players_scrolls() {
    let mut player = form(4);
    player.press("<left><down>8");
    for (width, height) in [(80, 24), (40, 12), (30, 10)] {
        let first = player.screen(width, height).lines().next().unwrap().to_owned();
        assert!(first.starts_with("  Making"), "{first}");
        assert_eq!(first.contains(" of 14"), height < 24, "{first}");
        assert_snapshot!(format!("eight_{width}x{height}"), player.body(width, height));
        player.press("<end>");
        assert!(player.screen(width, height).contains("Start"));
        player.press("<home>");
        assert!(player.screen(width, height).contains("Opponent"));
    }
}
