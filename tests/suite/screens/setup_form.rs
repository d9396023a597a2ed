//! The setup form: who plays, which options stand where, and what is said of them.

use crate::common::player::Player;
use insta::assert_snapshot;
use quadrille::app::{DiskTask, Task};
use quadrille::catalogue::GAMES;
use quadrille::rules::{OptionSpec, Setup};
use quadrille::store::LastSetup;

/// The form of a game by its place on the home screen.
fn form(place: usize) -> Player {
    let mut player = Player::new();
    player.press(&"<right>".repeat(place)).press("<enter>");
    player
}

/// The names and values of the rows.
fn rows(player: &Player) -> Vec<(String, String)> {
    let screen = player.screen(80, 24);
    let lines = screen.lines().skip(1).take_while(|line| !line.contains("Start the match"));
    let row = |line: &str| {
        let text = |from: usize, to: usize| -> String {
            line.chars().skip(from).take(to - from).filter(|&c| c < '\u{2500}').collect()
        };
        let (name, value) = (text(4, 16).trim().to_owned(), text(18, 44).trim().to_owned());
        (!name.is_empty()).then_some((name, value))
    };
    lines.filter_map(row).collect()
}

fn names(player: &Player) -> Vec<String> {
    rows(player).into_iter().map(|(name, _)| name).collect()
}

fn seats(player: &mut Player) -> Vec<String> {
    player.press("<end><enter>");
    player.app.open_match().unwrap().players().names()
}

#[test]
fn two_enters_begin_a_match_of_every_game() {
    for (place, entry) in GAMES.iter().enumerate() {
        let mut player = form(place);
        assert!(player.sees("two people"), "{}", player.screen(80, 24));
        player.press("<enter>");
        assert_eq!(player.app.open_match().unwrap().entry.id, entry.id);
    }
}

#[test]
fn the_first_row_seats_people_and_the_computer() {
    for (turns, value, who) in [
        ("<right>", "against the computer", ["Player 1", "engine:casual"]),
        ("<right><right>", "the computer begins", ["engine:casual", "Player 2"]),
        ("<left><left>", "the computer alone", ["engine:casual", "engine:casual"]),
        ("<left><right>", "two people", ["Player 1", "Player 2"]),
    ] {
        let mut player = form(0);
        player.press(turns);
        assert_eq!(rows(&player)[0], ("match".to_owned(), value.to_owned()));
        assert_eq!(seats(&mut player), who, "{value}");
    }
    let mut player = form(0);
    player.press("<left>");
    assert_eq!(rows(&player)[0].1, "with a guest");
    player.press("<enter>");
    let opened = player.tasks.iter().find_map(|task| match task {
        Task::Disk(DiskTask::OpenTable(setup)) => Some(setup.names.clone()),
        _ => None,
    });
    assert_eq!(opened.unwrap(), ["", "guest"]);
    // A chosen level and a name go with it.
    let mut player = form(0);
    player.press("<down><enter>Ann<enter><down><right><right><right><home>");
    assert_eq!(rows(&player)[0].1, "against the computer");
    player.press("<right>");
    assert_eq!(seats(&mut player), ["engine:skilled", "Ann"]);
}

#[test]
fn who_plays_is_remembered_with_the_game() {
    let mut player = form(0);
    player.press("<right><enter>");
    let Some(Task::Disk(DiskTask::Remember(setup))) = player.tasks.first().cloned() else {
        panic!("{:?}", player.tasks)
    };
    assert_eq!(setup.names, ["", "engine:casual"]);
    let mut player = Player::new();
    player.app.remember(vec![LastSetup::clone(&setup)]);
    player.press("<enter>");
    assert_eq!(rows(&player)[0].1, "against the computer");
    player.press("<enter>");
    assert!(player.app.open_match().unwrap().players().as_slice()[1].engine().is_some());
    // It also holds for a game that was never played, with a level that can be played there.
    for (names, first, second) in [
        (["", "engine:skilled"], "person", "Skilled"),
        (["engine:perfect", "Bob"], "Casual", "person"),
        (["Ann", "Bob"], "person", "person"),
    ] {
        let names = names.map(str::to_owned).to_vec();
        let mut player = Player::new();
        player.app.remember(vec![LastSetup { names, ..LastSetup::clone(&setup) }]);
        player.press("<right><right><enter>");
        let rows = rows(&player);
        assert!(player.sees("Quixo"));
        assert!(rows[1].1.contains(first) && rows[2].1.contains(second), "{rows:?}");
    }
}

#[test]
fn a_seat_goes_from_a_person_through_the_levels_and_back() {
    let mut player = form(3);
    player.press("<down><down>");
    let mut seen = |key: &str| {
        player.press(key);
        let value = rows(&player).into_iter().find(|(name, _)| name == "player 2").unwrap().1;
        value.split_whitespace().next().unwrap_or_default().to_owned()
    };
    let levels = ["Beginner", "Casual", "Skilled", "Strong", "Perfect", "Guest", "Player"];
    assert_eq!(levels.map(|_| seen("<right>")), levels);
    let back = ["Guest", "Perfect", "Strong", "Skilled", "Casual", "Beginner", "Player"];
    assert_eq!(back.map(|_| seen("<left>")), back);
}

/// The form hands the match on, and stays: whoever opens the table opens the next screen, or says why not.
#[test]
fn a_match_with_a_guest_asks_for_a_table() {
    let mut player = form(0);
    player.press("<down><enter>Ann<enter><down><left>");
    assert_eq!(rows(&player)[0].1, "with a guest");
    assert!(rows(&player)[2].1.contains("Guest") && player.sees("another terminal"));
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
    player.app.show_message("no table can be opened");
    assert!(player.sees("! no table can be opened"), "{}", player.screen(80, 24));
    // It is remembered. Guests who were named, and those with hints, are written in other ways.
    let of = |seat: &str, press: &str| {
        let names = vec!["Ann".to_owned(), seat.to_owned()];
        let mut player = Player::new();
        player.app.remember(vec![LastSetup { names, ..setup.clone() }]);
        player.press("<enter>").press(press);
        [rows(&player)[0].1.clone(), rows(&player)[2].1.clone()]
    };
    assert!(of("guest:Bob", "")[1].starts_with("Guest "));
    assert!(of("guest,hints", "")[1].starts_with("Guest with hints"));
    assert!(of("", "<down><down><enter>guest,hints<enter>")[1].starts_with("Guest with hints"));
    assert_eq!(of("guest", "<down><right><right>")[0], "a guest and engines");
    // The first row seats all others anew.
    let [first, second] = of("guest", "<right>");
    assert!(first == "two people" && second.starts_with("Player 2"), "{first} {second}");
}

/// Players first, then what most people look at; the rest is behind a row of its own.
#[test]
fn the_options_of_experts_are_behind_a_row() {
    let players = ["match", "player 1", "player 2"];
    for (place, common, more) in [
        (0, vec!["rows", "cols", "clock"], vec![]),
        (1, vec!["layout", ":N", "clock"], vec!["seed", "points"]),
        (2, vec!["size", "clock"], vec!["first", "grid"]),
        (3, vec!["clock"], vec!["first", "grid"]),
    ] {
        let mut player = form(place);
        let mut expected = [&players[..], &common].concat();
        expected.extend((!more.is_empty()).then_some("more"));
        assert_eq!(names(&player), expected);
        if !more.is_empty() {
            player.press("<end><up><enter>");
            assert_eq!(names(&player), [&players[..], &common, &more].concat());
        }
    }
    let mut player = form(4);
    let expected = ["match", "players", "player 1", "player 2", "rows", "cols", "rounds", "clock"];
    assert_eq!(names(&player), [&expected[..], &["more"]].concat());
    assert_eq!(rows(&player)[8].1, "segments, first");
    player.press("<end><up><right>");
    assert_eq!(names(&player), [&expected[..], &["segments", "first"]].concat());
}

/// An option that has become wrong is shown.
#[test]
fn a_wrong_option_is_never_hidden() {
    let mut player = Player::new();
    let given_setup = "segments=8".parse().unwrap();
    let game = "intersections".to_owned();
    player.app.remember(vec![LastSetup { game, given_setup, names: Vec::new(), clock: None }]);
    player.press("<right><right><right><right><enter>");
    assert_eq!(rows(&player)[8].1, "segments 8, first");
    player.press("<down><right>");
    assert!(player.sees("! segments=8:"), "{}", player.screen(80, 24));
    assert!(names(&player).contains(&"segments".to_owned()));
}

/// What a row shows is what the command line takes.
#[test]
fn rows_can_be_typed_on_the_command_line() {
    for (place, entry) in GAMES.iter().enumerate() {
        let mut player = form(place);
        player.press("<end><up><right>");
        let known: Vec<&str> =
            (entry.options)(&Setup::new()).iter().map(OptionSpec::name).collect();
        let is_option = |(name, value): &(String, String)| {
            known.contains(&&**name) && value != "none" && !value.is_empty()
        };
        let words: Vec<String> = rows(&player)
            .into_iter()
            .filter(is_option)
            .map(|(name, value)| format!("{name}={value}"))
            .collect();
        assert!(words.len() >= 2 || entry.id == "tic-tac-toe", "{words:?}");
        assert!((entry.start)(&words.join(" ").parse().unwrap()).is_ok(), "{words:?}");
    }
}

#[test]
fn time_is_asked_for_only_where_it_counts() {
    for level in ["beginner", "casual", "skilled", "strong", "perfect"] {
        let counts = ["strong", "perfect"].contains(&level);
        let who = format!("engine:{level}");
        let mut player = Player::against("tic-tac-toe", "", [&*who, "Ann"]);
        let screen = player.screen(80, 24);
        assert_eq!(screen.contains("thinks, up to 2 s"), level == "strong", "{screen}");
        player.press("<esc><up><up><up><enter>");
        assert_eq!(names(&player).contains(&"seconds".to_owned()), counts, "{level}");
    }
}

#[test]
fn perfect_is_offered_on_four_by_four_boxes() {
    let mut player = form(0);
    player.press("<down><down><left><left>");
    assert!(rows(&player)[2].1.starts_with("Perfect"), "{}", player.screen(80, 24));
    assert_eq!(seats(&mut player)[1], "engine:perfect");
    let mut player = form(0);
    player.press("<down><down><down>6<home><down><down><left><left>");
    assert!(rows(&player)[2].1.starts_with("Strong"), "{}", player.screen(80, 24));
}

#[test]
fn more_players_are_seated_like_those_before() {
    let mut player = form(4);
    player.press("<right><down>8");
    assert_eq!(rows(&player)[0].1, "against the computer");
    player.press("<home><left>");
    assert_eq!(rows(&player)[0].1, "eight people");
    player.press("<left>");
    assert_eq!(rows(&player)[0].1, "with guests");
    player.press("<left>");
    assert_eq!(rows(&player)[0].1, "the computer alone");
    assert_eq!(seats(&mut player), ["engine:casual"; 8]);
    // In another way they stay as they are.
    let mut player = form(4);
    player.press("<down>3<down><down><right><right>");
    assert_eq!(rows(&player)[0].1, "people and engines");
    assert_eq!(seats(&mut player), ["Player 1", "engine:casual", "Player 3"]);
}

#[test]
fn the_form_with_eight_players_scrolls() {
    let mut player = form(4);
    player.press("<right><down>8");
    for (width, height) in [(80, 24), (40, 12), (30, 10)] {
        let first = player.screen(width, height).lines().next().unwrap().to_owned();
        assert!(first.starts_with("  Making"), "{first}");
        let seen = first.split_once(" of 16").map(|(before, _)| before);
        assert!(
            seen.is_none_or(|before| before
                .trim_end_matches(|c: char| c.is_ascii_digit() || c == '-')
                .ends_with(' ')),
            "{first}"
        );
        assert_eq!(seen.is_some(), height < 24, "{first}");
        assert_snapshot!(format!("eight_{width}x{height}"), player.body(width, height));
        player.press("<end>");
        assert!(player.screen(width, height).contains("Start the match"));
        player.press("<home>");
        assert!(player.screen(width, height).contains("match"));
    }
}
