//! A person alone against the computer: the name, `You`, the status line and the result.

use crate::common::player::Player;
use crate::common::samples::samples;
use quadrille::app::{DiskTask, OpenMatch, Task, TerminalTask};
use quadrille_match::session::{Conditions, Record};
use quadrille_table::catalogue;

const SIZES: [(u16, u16); 2] = [(80, 24), (40, 12)];

/// Lets the engine move as often as it is its turn.
fn engine_moves(player: &mut Player) {
    let is_its_turn = |player: &Player| {
        player.app.open_match().is_some_and(|table| table.engine_to_move().is_some())
    };
    while is_its_turn(player) && player.think() {}
}

fn is_over(player: &Player) -> bool {
    player.app.open_match().unwrap().current_match().outcome().is_some()
}

/// Plays the first legal move of the person until the match is over. Checks every screen.
fn play_to_the_end(player: &mut Player, check: impl Fn(&Player)) {
    engine_moves(player);
    while !is_over(player) {
        check(player);
        let game = player.app.open_match().unwrap().current_match();
        let mv = game.legal_moves().swap_remove(0);
        player.press(&format!(":{mv}<enter>"));
        // A finished round stays until a key.
        if player.app.open_match().unwrap().board.shows_interlude() {
            player.press("<esc>");
        }
        engine_moves(player);
        if player.app.open_match().unwrap().board.shows_interlude() {
            player.press("<esc>");
            engine_moves(player);
        }
    }
    check(player);
}

#[test]
fn person_alone_is_you_in_every_game() {
    for (entry, sample) in samples() {
        let setup = sample.small;
        let seats = ["Ann", "engine:beginner,seed=1"];
        let check = |player: &Player| {
            for (width, height) in SIZES {
                let screen = player.screen(width, height);
                assert!(!screen.contains("Ann"), "{}: {screen}", entry.id);
            }
            let is_named = is_over(player) || player.sees("You");
            assert!(is_named, "{}: {}", entry.id, player.screen(80, 24));
            assert!(!player.sees("You wins") && !player.sees("You draws"), "{}", entry.id);
        };
        let mut player = Player::against(entry.id, setup, seats);
        play_to_the_end(&mut player, check);
        player.press("<wait>R");
        assert!(!is_over(&player), "{}: a rematch", entry.id);
        play_to_the_end(&mut player, check);
    }
}

#[test]
fn winner_is_addressed() {
    let mut player = Player::against("tic-tac-toe", "", ["Ann", "engine:beginner"]);
    for (own, reply) in [("a1", "b1"), ("a2", "b2")] {
        player.press(&format!(":{own}<enter>"));
        player.app.open_match_mut().unwrap().change().play_for_engine(reply, player.time).unwrap();
    }
    assert!(player.sees("Your turn: mark a cell"), "{}", player.screen(80, 24));
    player.press(":a3<enter>");
    for words in ["You win!", "in 3 of your moves"] {
        assert!(player.sees(words), "{words}: {}", player.screen(80, 24));
    }
    assert!(player.screen(40, 12).contains("You win!"), "{}", player.screen(40, 12));
    // A record, and a replay of it, have the name.
    player.press("<wait>");
    player.click("Copy the record");
    let copied = player.tasks.iter().find_map(|task| match task {
        Task::Terminal(TerminalTask::Copy(text)) => Some(text.clone()),
        _ => None,
    });
    let record = Record::from_bytes(copied.unwrap().as_bytes()).unwrap();
    assert_eq!(record.names(2), [Some("Ann".to_owned()), Some("engine:beginner".to_owned())]);
    assert_eq!(record.moves(), ["a1", "b1", "a2", "b2", "a3"]);
    assert!(player.sees("record sent"), "{}", player.screen(80, 24));
}

#[test]
fn key_that_ends_the_match_chooses_nothing_in_its_result() {
    let mut player = Player::at("tic-tac-toe", "");
    player.press(":a1<enter>:b1<enter>:a2<enter>:b2<enter>:a3<enter>");
    assert!(player.sees("Rematch, swap sides") && is_over(&player));
    player.draw();
    for _ in 0..3 {
        player.press("<enter>");
        player.press(" R");
        assert!(is_over(&player), "held or late keys start nothing");
    }
    player.turn_clock(std::time::Duration::from_secs(2));
    player.press("<enter>");
    assert!(!is_over(&player), "the first entry is a rematch");
}

#[test]
fn status_line_says_what_the_opponent_did_until_the_first_key() {
    let mut player = Player::against("dots-and-boxes", "size=3", ["Ann", "engine:beginner"]);
    let line = |player: &Player, (width, height): (u16, u16)| {
        let screen = player.screen(width, height);
        screen.lines().nth(usize::from(height) - 2).unwrap().trim().to_owned()
    };
    let [wide, narrow] = SIZES;
    assert_eq!(line(&player, wide), "Your turn: draw a line ∙ H0,0");
    assert_eq!(line(&player, narrow), "Your turn: draw a line ∙ H0,0");
    player.press(":H0,0<enter>");
    player.app.open_match_mut().unwrap().change().play_for_engine("H2,0", player.time).unwrap();
    assert_eq!(line(&player, wide), "B Beginner draws H2,0. Your turn: draw a line ∙ H0,0");
    assert_eq!(line(&player, narrow), "B Beginner draws H2,0. Your turn");
    player.press("<right>");
    assert!(line(&player, wide).starts_with("Your turn: draw a line ∙ "));
    // Two people at one keyboard are named.
    let mut player = Player::at("quixo", "");
    player.press(":A1-E1<enter>");
    let told = line(&player, wide);
    assert!(told.ends_with("Bob's turn: take a die"), "{told}");
    assert_eq!(line(&player, narrow), "X Ann plays A1-E1. Bob's turn");
    player.press("<enter>");
    assert!(player.screen(40, 12).contains("Bob's turn"), "{}", player.screen(40, 12));
}

/// The text about the opponent's move gets shorter instead.
#[test]
fn status_line_keeps_turn_and_task_beside_a_long_text() {
    for (entry, sample) in samples() {
        let mut player = Player::against(entry.id, sample.small, ["Ann", "engine:beginner"]);
        engine_moves(&mut player);
        for _ in 0..4 {
            let table = player.app.open_match().unwrap();
            if is_over(&player) || table.board.shows_interlude() {
                break;
            }
            let screen = player.screen(80, 24);
            assert!(screen.contains("Your turn: "), "{}: {screen}", entry.id);
            let mv = table.current_match().legal_moves().swap_remove(0);
            player.press(&format!(":{mv}<enter>"));
            engine_moves(&mut player);
        }
    }
    let names = ["Bartholomew the Magnificent", "Maximiliane von Habsburg"];
    let mut player = Player::against("quixo", "", names);
    player.press(":A1-E1<enter>");
    let screen = player.screen(80, 24);
    assert!(screen.contains("Maximiliane von Habsburg's turn: take a die"), "{screen}");
}

#[test]
fn series_is_of_one_game() {
    let mut player = Player::at("tic-tac-toe", "");
    let win = ":a1<enter>:b1<enter>:a2<enter>:b2<enter>:a3<enter>";
    player.press(win).press("<wait>R").press(win);
    assert!(player.sees("series"), "{}", player.screen(80, 24));
    let names = ["Ann", "Bob"].map(str::to_owned);
    let entry = catalogue::find("dots-and-boxes").unwrap();
    let other = OpenMatch::opened(entry, &"size=2".parse().unwrap(), Conditions::named(&names));
    player.app.begin(other.unwrap());
    player.press("<wait>:H0,0<enter>:H1,0<enter>:V0,0<enter>:V0,1<enter>");
    assert!(player.sees("Bob wins") && !player.sees("series"), "{}", player.screen(80, 24));
}

#[test]
fn new_user_is_offered_the_lessons() {
    let mut player = Player::new();
    for (width, height) in SIZES {
        let screen = player.screen(width, height);
        assert!(screen.contains("New here? L: Learn"), "{screen}");
        for _ in 0..5 {
            let screen = player.screen(width, height);
            let offer = screen.lines().find(|line| line.contains("New here?")).unwrap();
            let (_, note) = offer.split_once("L: Learn").unwrap();
            // A note beside the offer is complete.
            assert!(note.trim().is_empty() || note.ends_with('.'), "{screen}");
            player.press("<right>");
        }
    }
    player.press("L");
    assert!(player.sees("Learn") && !player.sees("New here?"), "{}", player.screen(80, 24));
    let mut player = Player::new();
    player.app.set_last_name(Some("Ann".to_owned()));
    assert!(!player.sees("New here?"), "a match was played");
}

#[test]
fn name_in_the_settings_wins() {
    let mut player = Player::new();
    player.app.set_login_name("ann".to_owned());
    player.app.set_last_name(Some("Eve".to_owned()));
    let settings = quadrille::settings::Settings {
        name: "Zoe".to_owned(),
        ..quadrille::settings::Settings::default()
    };
    player.app = player.app.with_settings(settings, String::new());
    player.press("<enter>s");
    assert_eq!(player.app.open_match().unwrap().players().names(), ["Zoe", "engine:beginner"]);
    let remembered = player.tasks.iter().any(
        |task| matches!(task, Task::Disk(DiskTask::Remember(setup)) if setup.names[0] == "Zoe"),
    );
    assert!(remembered, "{:?}", player.tasks);
}
