//! The mouse on the screens.

use crate::common::player::Player;
use crossterm::event::{Event, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use quadrille::app::{DiskTask, SavedMatch};

fn waiting(matches: usize) -> Player {
    let mut player = Player::new();
    let saved = |n: usize| SavedMatch {
        id: n.to_string(),
        game: "Quixo".to_owned(),
        names: vec![format!("Ann{n}"), "Bob".to_owned()],
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

#[test]
fn click_chooses_the_menu_entry_under_it() {
    let mut player = Player::at("dots-and-boxes", "size=3");
    player.press("<enter><esc>");
    let rules = player.place_of("Rules");
    for kind in [MouseEventKind::Moved, MouseEventKind::Down(MouseButton::Right)] {
        assert!(!player.mouse(kind, rules), "{kind:?} changes nothing in a menu");
    }
    assert!(!player.click_at((5, 12)), "what lies beneath cannot be clicked");
    assert!(player.sees("Resign"));
    player.click_at(rules);
    assert!(player.sees("the rules"));
    player.click("Esc close");
    assert!(player.sees("Enter draw") && !player.sees("Resign"));
}

#[test]
fn wheel_scrolls_lists_and_texts_without_wrapping() {
    let mut player = Player::at("dots-and-boxes", "");
    player.press("<esc><down><enter>");
    let [up, down] = [MouseEventKind::ScrollUp, MouseEventKind::ScrollDown];
    assert!(!player.mouse(up, (3, 3)), "the text is at its start");
    assert!(player.mouse(down, (3, 3)) && player.sees("4-"));
    assert!(player.mouse(up, (3, 3)) && player.sees("1-"));
    while player.mouse(down, (3, 3)) {}

    let mut player = waiting(30);
    player.press("<right><enter>");
    assert!(player.mouse(down, (3, 3)) && player.mouse(down, (3, 3)));
    assert!(player.mouse(up, (3, 3)));
    player.press("<enter>");
    assert_eq!(player.tasks, [DiskTask::Resume("1".to_owned()).into()]);

    let mut player = waiting(30);
    player.press("<right><enter>");
    assert!(!player.mouse(up, (3, 3)), "it goes round for keys alone");
}

/// For lists whose entries have several actions.
#[test]
fn first_click_selects_a_row_and_second_click_chooses_it() {
    let mut player = waiting(30);
    player.press("<right><enter>");
    player.click("Ann3 ").click("Ann4 ");
    assert_eq!(player.tasks, []);
    player.click("Ann4 ");
    assert_eq!(player.tasks, [DiskTask::Resume("4".to_owned()).into()]);
}

#[test]
fn home_screen_cards_can_be_clicked() {
    let mut player = waiting(2);
    player.click("Tic-tac-toe");
    assert!(player.sees("Opponent") && player.sees("Tic-tac-toe"));
    player.click("q leave").click("Rules").click("Quixo");
    assert!(player.sees("Quixo: the rules"));
    player.click("Esc close").click("Resume");
    assert_eq!(player.tasks, [DiskTask::Resume("0".to_owned()).into()]);
}

/// A click puts the cursor on a row, an arrow beside it changes its value, and the button starts the match.
#[test]
fn a_match_is_set_up_by_clicks() {
    let mut player = Player::new();
    player.click("Dots and").click("More options").click("More options").click("Columns");
    player.click("\u{25b8}").click("\u{25b8}").click("\u{25c2}");
    player.click("Level").click("\u{25b8}");
    // A click on the row under the cursor changes its value too.
    player.click("First move").click("First move").click("Friend here").click("Computer");
    player.click("First move").click("First move");
    player.click("Start");
    let open_match = player.app.open_match().unwrap();
    assert_eq!(open_match.current_match().setup().to_string(), "rows=5 cols=6");
    assert_eq!(open_match.players().names(), ["engine:casual", "Player 2"]);
}

#[test]
fn a_match_is_played_by_clicks() {
    let mut player = Player::at("dots-and-boxes", "size=2");
    let mut played = Vec::new();
    for place in (0..24).flat_map(|y| (0..48).map(move |x| (x, y))) {
        if player.app.open_match().unwrap().current_match().outcome().is_none() {
            player.click_at(place);
        }
        played = player.moves().split_whitespace().map(str::to_owned).collect();
    }
    assert_eq!(played.len(), 4, "{played:?}");
    assert_eq!(player.tasks, vec![DiskTask::Save.into(); 4]);
    player.press("<wait>").click("Rematch");
    assert_eq!(player.moves(), "");
}

#[test]
fn clicks_do_not_play_for_an_engine_or_under_a_menu() {
    let mut player = Player::against("tic-tac-toe", "", ["engine:casual,seed=1", "Ann"]);
    let everywhere = |player: &mut Player| {
        for place in (1..22).flat_map(|y| (0..40).map(move |x| (x, y))) {
            player.click_at(place);
            player.mouse(MouseEventKind::Drag(MouseButton::Left), place);
            player.mouse(MouseEventKind::Down(MouseButton::Right), place);
        }
        player.moves()
    };
    assert_eq!(everywhere(&mut player), "");
    assert!(player.think());
    let moves = player.moves();
    player.press("<esc>");
    assert_eq!(everywhere(&mut player), moves);
    assert!(player.sees("Resign"));
}

/// A mouse report on the same target redraws nothing.
#[test]
fn mouse_redraws_only_on_entering_another_target() {
    let mut player = Player::at("quixo", "");
    let places = || (0..23).flat_map(|y| (0..80).map(move |x| (x, y)));
    for place in places() {
        let was = player.screen(80, 24);
        let changes = player.mouse(MouseEventKind::Moved, place);
        assert!(!player.mouse(MouseEventKind::Moved, place), "{place:?}");
        assert!(changes || player.screen(80, 24) == was);
    }
    let drawn = places().filter(|&place| player.mouse(MouseEventKind::Moved, place)).count();
    assert!((16..400).contains(&drawn), "{drawn}");
    assert_eq!(player.moves(), "");
}

#[test]
fn release_after_a_press_elsewhere_plays_no_move() {
    let mut player = Player::at("dots-and-boxes", "");
    player.press("?");
    let close = player.place_of("Esc close");
    player.mouse(MouseEventKind::Down(MouseButton::Left), close);
    assert!(player.sees("Enter draw"));
    for place in (1..22).flat_map(|y| (0..48).map(move |x| (x, y))) {
        player.mouse(MouseEventKind::Drag(MouseButton::Left), place);
        player.mouse(MouseEventKind::Up(MouseButton::Left), place);
    }
    assert_eq!(player.moves(), "");
}

/// A second click before the next drawing does not reach the new screen.
#[test]
fn click_before_the_next_frame_is_ignored() {
    let mut player = Player::at("dots-and-boxes", "");
    player.press("?");
    let place = player.place_of("q close");
    let press = || {
        let kind = MouseEventKind::Down(MouseButton::Left);
        Event::Mouse(MouseEvent {
            kind,
            column: place.0,
            row: place.1,
            modifiers: KeyModifiers::NONE,
        })
    };
    assert!(player.app.update(&press()).is_some());
    assert!(player.app.update(&press()).is_none());
    assert!(player.app.open_match().is_some());
}

/// The click that brings the window to the front is not for the board.
#[test]
fn focusing_click_plays_no_move() {
    let player = || Player::at("dots-and-boxes", "size=2");
    let mut places = (0..24).flat_map(|y| (0..48).map(move |x| (x, y)));
    let place = places
        .find(|place| {
            let mut player = player();
            player.click_at(*place);
            !player.moves().is_empty()
        })
        .unwrap();
    let mut player = player();
    // The terminal reports the focus before the click, or after it.
    for events in [&[Event::FocusLost, Event::FocusGained][..], &[Event::FocusLost]] {
        for event in events {
            assert_eq!(player.app.update(event), None);
        }
        player.click_at(place);
        assert_eq!(player.moves(), "");
    }
    player.app.update(&Event::FocusGained);
    player.click_at(place);
    assert!(!player.moves().is_empty(), "the next click plays");

    // In a list it puts the cursor on an entry.
    let mut player = Player::new();
    player.app.update(&Event::FocusLost);
    player.click("Quixo");
    assert!(!player.sees("Opponent"));
    player.press("<enter>");
    assert!(player.sees("Opponent") && player.sees("Quixo"));

    // Some time after the window has come to the front, clicks count.
    let mut player = Player::at("dots-and-boxes", "size=2");
    player.app.update(&Event::FocusLost);
    player.app.update(&Event::FocusGained);
    player.turn_clock(std::time::Duration::from_secs(1));
    player.click_at(place);
    assert!(!player.moves().is_empty());
}

/// A message may cover part of the board. A click there dismisses it, and does not reach the board.
#[test]
fn click_on_a_message_only_dismisses_it() {
    let mut player = Player::at("dots-and-boxes", "");
    let click = |player: &mut Player, column| {
        // The row above the status line of a small screen.
        let (row, modifiers) = (9, KeyModifiers::NONE);
        player.screen(40, 12);
        for kind in [MouseEventKind::Down(MouseButton::Left), MouseEventKind::Up(MouseButton::Left)]
        {
            player.app.update(&Event::Mouse(MouseEvent { kind, column, row, modifiers }));
        }
    };
    let says = |player: &Player| player.screen(40, 12).contains("a message of");
    for column in 2..38 {
        player.app.show_message(&"a message of so many words that it takes three rows ".repeat(2));
        assert!(says(&player), "{}", player.screen(40, 12));
        click(&mut player, column);
        assert!(!says(&player) && player.moves().is_empty(), "{column}");
    }
    let draws = |column| {
        click(&mut player, column);
        !player.moves().is_empty()
    };
    assert!((2..38).any(draws), "there is a line beneath");
}
