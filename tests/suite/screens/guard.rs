//! Screens that change without a key pressed here: keys and clicks aimed at the old screen do nothing on the new one.

use crate::common::player::Player;
use crossterm::event::{MouseButton, MouseEventKind};
use quadrille::app::{App, OpenMatch};
use quadrille::settings::{Seconds, Settings};
use quadrille_match::session::{Actor, Conditions, LoggedStep, SeatSet, Session, Step};
use quadrille_rules::Seat;
use quadrille_table::catalogue;
use quadrille_table::play::{
    Attendance, ClientRequest, LineState, OpenQuestion, Participant, Peers, QuestionKind, Request,
    Settlement, Table, TableNews,
};
use std::time::Duration;

const NAMES: [&str; 3] = ["Ann", "Bob", "Eve"];

/// The sizes of small, usual and large screens.
const SIZES: [(u16, u16); 4] = [(30, 10), (40, 12), (80, 24), (120, 40)];

fn ms(ms: u64) -> Duration {
    Duration::from_millis(ms)
}

fn session(game: &str, setup: &str, clock: Option<&str>) -> Session {
    let entry = catalogue::find(game).unwrap();
    let position = (entry.start)(&setup.parse().unwrap()).unwrap();
    let names = NAMES.map(str::to_owned);
    let seats = usize::from(position.seats());
    let conditions = Conditions::named(&names[..seats]);
    let conditions = conditions.with_clock(clock.map(|clock| clock.parse().unwrap()));
    Session::new(position, setup.parse().unwrap(), conditions)
}

/// Opens a table of several terminals, with the player of this seat at this one.
fn at_table(game: &str, setup: &str, seat: u8, clock: Option<&str>) -> Player {
    let mut peers = Peers::new(game.to_owned(), NAMES[usize::from(seat)].to_owned());
    peers.is_host = seat == 0;
    peers.invitation = vec!["quadrille join".to_owned()];
    let local = [Seat::new(seat)].into_iter().collect();
    let entry = catalogue::find(game).unwrap();
    let table = Table::elsewhere(entry, session(game, setup, clock), local, peers);
    let mut player = Player::new();
    player.app = player.app.with_table(OpenMatch::resumed(table), false);
    player.turn_clock(ms(5_000));
    player
}

/// Tells the terminal news of its table, and draws.
fn show_news(player: &mut Player, change: impl FnOnce(&mut Table), news: &[TableNews]) {
    send_news(player, change, news);
    player.draw();
}

/// Tells the terminal news of its table, and draws nothing yet.
fn send_news(player: &mut Player, change: impl FnOnce(&mut Table), news: &[TableNews]) {
    let tasks = player.app.follow_table(|table| {
        change(table);
        news.to_vec()
    });
    player.tasks.extend(tasks.unwrap());
}

fn step(player: &mut Player, by: Actor, step: Step) {
    log(player, by, step);
    player.draw();
}

fn log(player: &mut Player, by: Actor, step: Step) {
    let change = |table: &mut Table| {
        let number = table.session().log().len() as u64 + 1;
        table.follow(&LoggedStep { number, at: ms(1_000), by, step }).unwrap();
    };
    send_news(player, change, &[TableNews::Stepped]);
}

fn plays(player: &mut Player, seat: u8, mv: &str) {
    step(player, Actor::Seat(Seat::new(seat)), Step::Play(mv.to_owned()));
}

fn peers(app: &mut App) -> &mut Peers {
    app.open_match_mut().unwrap().owner_mut().peers_mut().unwrap()
}

/// Returns the requests to the table since the last call.
fn requests(player: &mut Player) -> Vec<ClientRequest> {
    peers(&mut player.app).take_requests()
}

fn has_played(player: &mut Player) -> bool {
    requests(player).iter().any(|request| matches!(request, ClientRequest::Take(..)))
}

fn drop_line(player: &mut Player) {
    let down = |table: &mut Table| {
        table.peers_mut().unwrap().line = LineState::Down(String::new());
    };
    show_news(player, down, &[TableNews::Line]);
    player.turn_clock(ms(3_000));
}

fn return_line(player: &mut Player) {
    send_news(player, |table| table.peers_mut().unwrap().line = LineState::Up, &[TableNews::Line]);
}

fn join(table: &mut Table, seat: u8) {
    let (name, seats) = (NAMES[usize::from(seat)].to_owned(), [Seat::new(seat)]);
    let seats = seats.into_iter().collect();
    let participant = Participant { name, seats, attendance: Attendance::Here };
    table.peers_mut().unwrap().set(participant);
}

fn joined(seat: u8) -> TableNews {
    TableNews::Joined(NAMES[usize::from(seat)].to_owned())
}

fn ask(player: &mut Player, number: u64, by: &str, kind: QuestionKind) {
    let (by, is_own, is_answered) = (by.to_owned(), false, false);
    let question = OpenQuestion { number, by, kind, is_own, is_answered };
    let open = |table: &mut Table| assert!(table.peers_mut().unwrap().open_question(question));
    show_news(player, open, &[TableNews::Asked(number)]);
}

fn settle(player: &mut Player, number: u64, yes: bool, by: &str) {
    let settlement = Settlement::Answered { yes, by: Some(by.to_owned()) };
    let settle = |table: &mut Table| {
        table.peers_mut().unwrap().settle_question(number, &settlement);
    };
    show_news(player, settle, &[TableNews::Other]);
}

fn answers(player: &mut Player) -> Vec<(u64, bool)> {
    let answer = |request| match request {
        ClientRequest::Answer { number, yes } => Some((number, yes)),
        _ => None,
    };
    requests(player).into_iter().filter_map(answer).collect()
}

fn sees_at(player: &Player, size: (u16, u16), text: &str) -> bool {
    player.screen(size.0, size.1).contains(text)
}

#[test]
fn enter_aimed_at_a_dropped_line_plays_nothing_when_it_returns() {
    for wait in [0, 100, 250, 999] {
        let mut player = at_table("dots-and-boxes", "size=3", 0, None);
        drop_line(&mut player);
        player.press("<enter>");
        assert_eq!(requests(&mut player), [ClientRequest::TryNow]);
        player.turn_clock(ms(1_000));
        return_line(&mut player);
        // Before the first frame.
        player.press("<enter>:");
        assert_eq!(player.time, ms(9_000));
        player.turn_clock(ms(wait));
        player.press("<enter> :H0,0<enter>");
        player.click("∙");
        assert!(!has_played(&mut player), "{wait}");
        for size in SIZES {
            assert!(sees_at(&player, size, "Reconnected"), "{}", player.screen(size.0, size.1));
        }
        player.turn_clock(ms(1_700 - wait.min(300)));
        assert!(!player.sees("Reconnected"), "{}", player.screen(80, 24));
        player.press("<enter>");
        assert!(has_played(&mut player), "{wait}");
    }
}

#[test]
fn cursor_menu_and_leaving_work_under_the_guard() {
    let returned = || {
        let mut player = at_table("dots-and-boxes", "size=3", 0, None);
        drop_line(&mut player);
        return_line(&mut player);
        player.draw();
        player
    };
    let mut player = returned();
    let before = player.screen(80, 24);
    player.press("<right><down>");
    assert_ne!(player.screen(80, 24), before, "the cursor moves");
    assert!(player.sees("Reconnected"), "and the status line still says why nothing else works");
    // A menu opened by the user's own key is not guarded.
    player.press("<esc>");
    assert!(player.sees("At the table"));
    player.press("<down><down><enter>");
    assert!(!player.sees("At the table"), "{}", player.screen(80, 24));
    let mut player = returned();
    player.press("q");
    assert_eq!(player.tasks.len(), 1, "{:?}", player.tasks);
    // Hovering previews, and a click only hovers.
    let mut player = returned();
    let board = player.place_of("∙");
    let place = (board.0 + 2, board.1);
    player.mouse(MouseEventKind::Moved, place);
    let hovered = player.screen(80, 24);
    let mut player = returned();
    player.click_at(place);
    assert_eq!(player.screen(80, 24), hovered);
    assert!(!has_played(&mut player));
}

/// A button that was pressed on the board before the connection returned plays nothing when it is released.
#[test]
fn drag_across_a_change_plays_nothing() {
    let mut player = at_table("intersections", "size=3", 0, None);
    let [from, to] = [player.place_of("+"), player.place_of("+")];
    player.mouse(MouseEventKind::Down(MouseButton::Left), from);
    drop_line(&mut player);
    return_line(&mut player);
    player.mouse(MouseEventKind::Drag(MouseButton::Left), (to.0 + 4, to.1));
    player.mouse(MouseEventKind::Up(MouseButton::Left), (to.0 + 4, to.1));
    assert!(!has_played(&mut player));
}

#[test]
fn held_key_stays_swallowed_and_other_keys_pass_after_two_seconds() {
    let mut player = at_table("dots-and-boxes", "size=3", 0, None);
    drop_line(&mut player);
    return_line(&mut player);
    player.draw();
    for _ in 0..150 {
        player.press("<enter>");
        player.turn_clock(ms(33));
    }
    assert!(!has_played(&mut player) && player.sees("Reconnected"));
    player.press(":H0,0");
    assert!(player.sees(":H0,0"), "{}", player.screen(80, 24));
    player.press("<enter>");
    assert!(!has_played(&mut player), "still held");
    player.turn_clock(ms(700));
    player.press("<enter>");
    assert!(has_played(&mut player));
}

#[test]
fn invitation_that_closes_by_itself_leaves_a_guarded_board() {
    for (game, setup) in [("dots-and-boxes", "size=3"), ("intersections", "size=3 players=3")] {
        for key in [" ", "<enter>", "q", "1", "u", "R"] {
            let mut player = at_table(game, setup, 0, None);
            let before = player.screen(80, 24);
            player.press("<esc>");
            player.click("Invite");
            assert!(player.sees("invite"), "{}", player.screen(80, 24));
            player.turn_clock(ms(2_000));
            send_news(&mut player, |table| join(table, 1), &[joined(1)]);
            player.press(key);
            player.draw();
            assert!(!player.sees("invite") && player.sees("Bob joined"), "{key}");
            player.tasks.clear();
            player.turn_clock(ms(250));
            player.press(key);
            assert!(player.tasks.is_empty() && !has_played(&mut player), "{key}");
            assert!(player.app.open_match().is_some());
            for size in SIZES {
                assert!(sees_at(&player, size, "Bob joined"));
            }
            player.turn_clock(ms(9_000));
            assert!(!player.sees("Bob joined"));
            assert_eq!(player.screen(80, 24).lines().count(), before.lines().count());
            player.press("q");
            assert_eq!(player.tasks.len(), 1, "then q leaves: {:?}", player.tasks);
        }
    }
}

/// Returns Bob's terminal one move before Ann wins.
fn before_the_end() -> Player {
    let mut player = at_table("tic-tac-toe", "", 1, None);
    for (at, mv) in ["b2", "a1", "a2", "a3"].into_iter().enumerate() {
        plays(&mut player, at as u8 % 2, mv);
        player.turn_clock(ms(2_000));
    }
    player
}

#[test]
fn result_after_an_opponents_move_is_guarded() {
    for input in ["1", "2", "<enter>", " ", "R", "click"] {
        let mut player = before_the_end();
        log(&mut player, Actor::Seat(Seat::new(0)), Step::Play("c2".to_owned()));
        for wait in [0, 400] {
            player.turn_clock(ms(wait));
            if input == "click" {
                player.click("Rematch");
            } else {
                player.press(input);
            }
            assert!(player.sees("Ann wins") && player.sees("Rematch"), "{input}");
            assert_eq!(requests(&mut player), [], "{input}");
        }
        let before = player.screen(80, 24);
        player.press("<down>");
        assert_ne!(player.screen(80, 24), before, "{input}: the cursor moves");
        player.turn_clock(ms(1_000));
        player.press("R");
        let asked = ClientRequest::Ask(Request::Rematch { swap: true });
        assert_eq!(requests(&mut player), [asked]);
    }
    for closes in ["<esc>", "q"] {
        let mut player = before_the_end();
        plays(&mut player, 0, "c2");
        assert!(player.sees("Rematch"));
        player.press(closes);
        assert!(!player.sees("View the board"), "{closes} closes the menu");
        assert!(player.app.open_match().is_some());
    }
}

#[test]
fn result_of_the_users_own_move_is_guarded_too() {
    let mut player = at_table("tic-tac-toe", "", 0, None);
    for (at, mv) in ["b2", "a1", "a2", "a3"].into_iter().enumerate() {
        plays(&mut player, at as u8 % 2, mv);
        player.turn_clock(ms(2_000));
    }
    player.press(":c2<enter>");
    plays(&mut player, 0, "c2");
    assert!(player.sees("Ann wins"));
    player.press("1<enter>");
    assert!(player.sees("View the board"), "{}", player.screen(80, 24));
    player.turn_clock(ms(1_000));
    player.click("View the board");
    assert!(!player.sees("View the board"), "{}", player.screen(80, 24));
}

#[test]
fn result_by_a_clock_or_an_engine_is_guarded() {
    let mut player = Player::with_clock(("dots-and-boxes", "size=3"), ["Ann", "Bob"], "20+0");
    player.press("<enter>");
    player.turn_clock(ms(20_100));
    assert!(player.sees("Rematch"), "{}", player.screen(80, 24));
    let shown = player.screen(80, 24);
    player.press("R1<enter>");
    player.click("Rematch");
    assert_eq!(player.screen(80, 24), shown);
    player.turn_clock(ms(1_000));
    player.press("R");
    assert!(!player.sees("Rematch"));

    let ended_by_engine = (1..50).any(|seed| {
        let engine = format!("engine:casual,seed={seed}");
        let mut player = Player::against("tic-tac-toe", "", [&*engine, "Ann"]);
        player.think();
        while player.app.open_match().unwrap().current_match().to_move().is_some() {
            let legal = player.app.open_match().unwrap().current_match().legal_moves();
            player.turn_clock(ms(2_000));
            player.press(&format!(":{}<enter>", legal[0]));
            player.think();
        }
        let moves = player.moves();
        player.press("R");
        let is_by_engine = !moves.split(' ').count().is_multiple_of(2);
        assert_eq!(player.moves(), moves, "whoever ended the match");
        is_by_engine
    });
    assert!(ended_by_engine);
}

#[test]
fn closed_table_guards_the_board() {
    let mut player = at_table("dots-and-boxes", "size=3", 1, None);
    player.press("s");
    let close = |table: &mut Table| {
        table.peers_mut().unwrap().line =
            LineState::Closed("table closed: the host closed it".to_owned());
    };
    player.press("<esc>");
    player.turn_clock(ms(1_000));
    show_news(&mut player, close, &[TableNews::Line]);
    player.press("<enter>");
    assert!(player.sees("table closed") && requests(&mut player).is_empty());
    player.press("q");
    assert_eq!(player.tasks.len(), 1, "q leaves");
}

fn begin_rematch(player: &mut Player, clock: Option<&str>, last: &str) {
    settle(player, 7, true, last);
    let session = session("tic-tac-toe", "", clock);
    show_news(player, |table| table.begin_anew(session), &[TableNews::Restarted]);
}

/// A rematch that another player agreed to last appears by itself; one agreed to here does not.
#[test]
fn new_match_is_guarded_unless_it_was_agreed_to_here() {
    for (last, is_guarded) in [("Bob", false), ("Ann", true), ("Eve", true)] {
        let mut player = before_the_end();
        plays(&mut player, 0, "c2");
        player.turn_clock(ms(2_000));
        player.press("<esc>");
        ask(&mut player, 7, "Ann", QuestionKind::Rematch { swap: true });
        player.turn_clock(ms(1_000));
        player.press("y");
        assert_eq!(answers(&mut player), [(7, true)]);
        if is_guarded {
            player.turn_clock(ms(3_000));
        }
        begin_rematch(&mut player, None, last);
        assert_eq!(player.sees("New match"), is_guarded, "{last}");
        player.press(":");
        player.press("b2");
        assert_eq!(player.sees(":b2"), !is_guarded, "{last}\n{}", player.screen(80, 24));
    }
}

#[test]
fn clock_that_starts_closes_every_page_and_menu() {
    let pages: [&[&str]; 6] = [
        &["?"],
        &["<esc>"],
        &["<esc>", "Settings"],
        &["<esc>", "Chat"],
        &["<esc>", "Rules"],
        &["<esc>", "Resign"],
    ];
    for page in pages {
        let mut player = at_table("intersections", "size=3 players=3", 0, Some("60+0"));
        let board = player.screen(80, 24);
        player.press(page[0]);
        for entry in &page[1..] {
            player.click(entry);
        }
        assert_ne!(player.screen(80, 24), board);
        show_news(&mut player, |table| join(table, 1), &[joined(1)]);
        let is_page = !player.sees("Ann");
        assert!(player.sees("Bob joined"), "{page:?}\n{}", player.screen(80, 24));
        player.turn_clock(ms(2_000));
        show_news(&mut player, |table| join(table, 2), &[joined(2)]);
        assert_ne!(player.screen(80, 24), board, "the clock has not started");
        let runs = |table: &mut Table| table.peers_mut().unwrap().time_runs = true;
        show_news(&mut player, runs, &[TableNews::Clock(Duration::ZERO)]);
        for size in SIZES {
            assert!(sees_at(&player, size, "running"), "{}", player.screen(size.0, size.1));
        }
        assert_eq!(player.sees("Eve joined; "), is_page, "{}", player.screen(80, 24));
        player.tasks.clear();
        player.press("q <enter>3");
        assert!(!has_played(&mut player) && player.tasks.is_empty());
        player.turn_clock(ms(2_000));
        player.press("<enter>");
        assert!(player.app.open_match().is_some());
    }
}

#[test]
fn typed_text_survives_the_start_of_the_clock() {
    for key in ["s", ":"] {
        let mut player = at_table("dots-and-boxes", "size=3", 0, Some("60+0"));
        player.press(key);
        player.press("H0");
        player.app.warn("Settings", "A warning covers the board.");
        player.turn_clock(ms(3_000));
        let runs = |table: &mut Table| {
            join(table, 1);
            table.peers_mut().unwrap().time_runs = true;
        };
        show_news(&mut player, runs, &[joined(1), TableNews::Clock(Duration::ZERO)]);
        assert!(!player.sees("warning"));
        player.press(",0<enter>");
        assert!(player.sees(":H0,0"), "letters are kept, Enter is not yet heard");
        assert!(player.sees("Bob joined; the clock is running"), "{}", player.screen(80, 24));
        assert_eq!(requests(&mut player), []);
        player.turn_clock(ms(1_000));
        player.press("<enter>");
        assert_eq!(requests(&mut player).len(), 1);
    }
}

/// Spectators have no clock, and a clock that goes on after a reconnection does not start.
#[test]
fn pages_stay_open_for_spectators_and_after_a_reconnection() {
    let mut player = at_table("dots-and-boxes", "size=3", 0, Some("60+0"));
    player.app.open_match_mut().unwrap().owner_mut().seat_here(SeatSet::default());
    player.press("?");
    let runs = |table: &mut Table| table.peers_mut().unwrap().time_runs = true;
    show_news(&mut player, runs, &[TableNews::Clock(Duration::ZERO)]);
    assert!(player.sees("help"));
    let mut player = at_table("dots-and-boxes", "size=3", 0, Some("60+0"));
    show_news(&mut player, runs, &[TableNews::Clock(Duration::ZERO)]);
    player.press("?");
    let down = |table: &mut Table| {
        let peers = table.peers_mut().unwrap();
        (peers.line, peers.time_runs) = (LineState::Down(String::new()), false);
    };
    show_news(&mut player, down, &[TableNews::Line]);
    let up = |table: &mut Table| {
        let peers = table.peers_mut().unwrap();
        (peers.line, peers.time_runs) = (LineState::Up, true);
    };
    show_news(&mut player, up, &[TableNews::Line, TableNews::Clock(Duration::ZERO)]);
    assert!(player.sees("help"));
    player.press("<esc>");
    assert!(!player.sees("Reconnected"), "the user's own key opened the board");
    player.press("<enter>");
    assert!(has_played(&mut player));
}

#[test]
fn page_stays_without_a_clock_and_its_last_line_tells() {
    for size in SIZES {
        let mut player = at_table("dots-and-boxes", "size=3", 0, None);
        player.press("?");
        player.screen(size.0, size.1);
        show_news(&mut player, |table| join(table, 1), &[joined(1)]);
        let screen = player.screen(size.0, size.1);
        let lines: Vec<&str> = screen.lines().take(usize::from(size.1)).collect();
        assert!(lines[lines.len() - 2].contains("Bob joined"), "{screen}");
        assert!(screen.contains("Move to a line"));
        player.press("<down><down><pageup>");
        assert!(sees_at(&player, size, "Bob joined"));
        assert_eq!(player.waits(), None, "nothing wakes the program");
        // The user's own key closes it, so the board is not guarded.
        player.press("<esc><enter>");
        assert!(has_played(&mut player));
    }
}

#[test]
fn page_tells_that_a_question_is_open_and_how_it_ended() {
    for size in SIZES {
        let mut player = at_table("dots-and-boxes", "size=3", 0, None);
        player.press("?");
        player.screen(size.0, size.1);
        ask(&mut player, 7, "Bob", QuestionKind::Draw);
        assert!(sees_at(&player, size, "Bob offers a draw; Esc to a"));
        player.press("y");
        assert_eq!(requests(&mut player), [], "a page has no key for the answer");
        let settled = TableNews::Settled("Bob withdraws the request".to_owned());
        show_news(&mut player, |_| (), &[settled]);
        assert!(sees_at(&player, size, "Bob withdraws the request"));
    }
}

#[test]
fn guard_wakes_the_program_once_and_only_to_remove_its_notice() {
    let mut player = at_table("dots-and-boxes", "size=3", 0, None);
    drop_line(&mut player);
    assert_eq!(player.waits(), None);
    return_line(&mut player);
    player.draw();
    assert_eq!(player.waits(), Some(ms(1_000)));
    player.turn_clock(ms(800));
    player.press("x");
    assert_eq!(player.waits(), Some(ms(700)), "a swallowed key moves the deadline");
    assert_eq!(player.turn_clock(ms(60_000)), 1);
    assert_eq!(player.waits(), None);
}

#[test]
fn keys_of_the_users_own_screens_work_at_once() {
    let mut player = at_table("dots-and-boxes", "size=3", 0, None);
    player.press("<esc><enter>?q<esc>");
    player.click("Rules");
    player.press("<esc><enter>");
    assert!(has_played(&mut player));
    let mut player = Player::at("tic-tac-toe", "");
    player.press(":b2<enter>:a1<enter>:a2<enter>:a3<enter>:c2<enter>");
    assert!(player.sees("Ann wins"));
    player.press("R");
    assert!(player.sees("Ann wins"), "the result opens by itself, even after a key pressed here");
    player.press("<wait>R");
    assert!(!player.sees("Ann wins"));
}

#[test]
fn terminal_that_others_let_in_is_guarded() {
    let entry = catalogue::find("dots-and-boxes").unwrap();
    let peers = Peers::new("dots-and-boxes".to_owned(), "Ann".to_owned());
    let local = [Seat::new(0)].into_iter().collect();
    let table = Table::elsewhere(entry, session("dots-and-boxes", "size=3", None), local, peers);
    let mut player = Player::new();
    player.app = player.app.with_table(OpenMatch::resumed(table), false).let_in_by_others();
    player.draw();
    player.press("<enter>");
    assert!(player.sees("You are at the table") && !has_played(&mut player));
    player.turn_clock(ms(1_000));
    player.press("<enter>");
    assert!(has_played(&mut player));
}

/// At three seats two requests are open, and `y` is held.
#[test]
fn held_key_answers_one_question() {
    for first_repeat in [33, 250, 500, 660] {
        let mut player = at_table("intersections", "size=3 players=3", 0, None);
        ask(&mut player, 1, "Bob", QuestionKind::Draw);
        ask(&mut player, 2, "Eve", QuestionKind::Draw);
        player.turn_clock(ms(500));
        player.press("y");
        player.draw();
        player.turn_clock(ms(first_repeat));
        for _ in 0..100 {
            player.press("y");
            player.turn_clock(ms(33));
        }
        assert_eq!(answers(&mut player), [(1, true)], "{first_repeat}");
        assert!(player.sees("Eve offers a draw"));
        player.turn_clock(ms(700));
        player.press("y");
        assert_eq!(answers(&mut player), [(2, true)]);
    }
}

#[test]
fn question_is_answered_half_a_second_after_its_first_frame() {
    for (waits, is_answered) in [(0, false), (499, false), (500, true)] {
        for key in ["y", "n"] {
            let mut player = at_table("dots-and-boxes", "size=3", 0, None);
            ask(&mut player, 1, "Bob", QuestionKind::Draw);
            player.turn_clock(ms(waits));
            player.press(key);
            assert_eq!(!answers(&mut player).is_empty(), is_answered, "{waits}");
            // The keys for playing keep working.
            player.press("<down><enter>");
            assert!(has_played(&mut player));
        }
    }
    // An early key must be silent for 0.7 s.
    let mut player = at_table("dots-and-boxes", "size=3", 0, None);
    ask(&mut player, 1, "Bob", QuestionKind::Draw);
    player.turn_clock(ms(300));
    player.press("y");
    player.turn_clock(ms(699));
    player.press("y");
    player.turn_clock(ms(700));
    assert_eq!(answers(&mut player), []);
    player.press("y");
    assert_eq!(answers(&mut player), [(1, true)]);
}

#[test]
fn click_on_an_answer_counts_like_its_key() {
    let mut player = at_table("dots-and-boxes", "size=3", 0, None);
    ask(&mut player, 1, "Bob", QuestionKind::Draw);
    player.click("y yes");
    assert_eq!(answers(&mut player), []);
    player.turn_clock(ms(700));
    player.click("y yes");
    assert_eq!(answers(&mut player), [(1, true)]);
}

/// A message that covers the question takes the key, and the question counts from its next frame.
#[test]
fn covered_question_is_not_answered() {
    let mut player = at_table("dots-and-boxes", "size=3", 0, None);
    ask(&mut player, 1, "Bob", QuestionKind::Draw);
    show_news(&mut player, |_| (), &[TableNews::Refused("not now".to_owned())]);
    player.turn_clock(ms(5_000));
    assert!(player.sees("not now"));
    player.press("y");
    player.draw();
    assert!(player.sees("Bob offers a draw"));
    player.turn_clock(ms(650));
    player.press("y");
    assert_eq!(answers(&mut player), []);
    player.turn_clock(ms(700));
    player.press("n");
    assert_eq!(answers(&mut player), [(1, false)]);
}

/// A page opened over a question that was readable does not start its time again.
#[test]
fn own_page_over_a_question_does_not_delay_the_answer() {
    let mut player = at_table("dots-and-boxes", "size=3", 0, None);
    ask(&mut player, 1, "Bob", QuestionKind::Draw);
    player.turn_clock(ms(1_000));
    player.press("?");
    player.turn_clock(ms(1_000));
    player.press("<esc>");
    player.draw();
    player.press("y");
    assert_eq!(answers(&mut player), [(1, true)]);
}

/// A question stays in the status line, and news about another one are told beside it.
#[test]
fn news_are_told_beside_an_open_question() {
    let mut player = at_table("intersections", "size=3 players=3", 0, None);
    ask(&mut player, 1, "Bob", QuestionKind::Draw);
    let news = TableNews::Settled("Eve declines".to_owned());
    show_news(&mut player, |_| (), &[news]);
    for size in [(80, 24), (120, 40)] {
        assert!(sees_at(&player, size, "Eve declines") && sees_at(&player, size, "Bob offers"));
    }
    player.turn_clock(ms(1_000));
    player.press("y");
    assert_eq!(answers(&mut player), [(1, true)]);
    assert!(player.sees("you agree") && !player.sees("Eve declines"));
    player.turn_clock(ms(9_000));
    assert!(!player.sees("you agree"));
}

/// The answer to another player's question must not go to what follows it.
#[test]
fn late_answer_withdraws_nothing() {
    let mut player = at_table("intersections", "size=3 players=3", 0, None);
    let (by, kind) = ("Ann".to_owned(), QuestionKind::Draw);
    let own = OpenQuestion { number: 1, by, kind, is_own: true, is_answered: false };
    let open = |table: &mut Table| assert!(table.peers_mut().unwrap().open_question(own));
    show_news(&mut player, open, &[TableNews::Other]);
    ask(&mut player, 2, "Bob", QuestionKind::Draw);
    player.turn_clock(ms(1_000));
    settle(&mut player, 2, false, "Eve");
    player.press("n");
    assert_eq!(requests(&mut player), []);
    player.turn_clock(ms(700));
    player.press("n");
    assert_eq!(requests(&mut player), [ClientRequest::Withdraw(1)]);
}

#[test]
fn reconnection_hides_questions_until_its_notice_is_gone() {
    let mut player = at_table("dots-and-boxes", "size=3", 0, None);
    drop_line(&mut player);
    return_line(&mut player);
    ask(&mut player, 1, "Bob", QuestionKind::Draw);
    assert!(player.sees("Reconnected") && !player.sees("offers"));
    player.turn_clock(ms(1_400));
    assert!(player.sees("Bob offers a draw"));
    player.press("y");
    assert_eq!(answers(&mut player), [], "0.4 s after it became readable");
}

#[test]
fn move_can_be_typed_on_any_turn() {
    let mut player = at_table("tic-tac-toe", "", 1, None);
    player.press(":");
    player.press("q");
    assert!(player.tasks.is_empty() && player.sees(":q"), "{}", player.screen(80, 24));
    player.press("<backspace>a1<enter>");
    assert!(player.sees(":a1") && player.sees("it is Ann's turn"), "{}", player.screen(80, 24));
    assert_eq!(requests(&mut player), []);
    plays(&mut player, 0, "b2");
    assert!(player.sees(":a1") && !player.sees("it is Ann's turn"));
    player.turn_clock(ms(200));
    player.press("<enter>");
    assert!(has_played(&mut player));
    // Spectators are told too.
    let mut player = at_table("tic-tac-toe", "", 0, None);
    player.app.open_match_mut().unwrap().owner_mut().seat_here(SeatSet::default());
    player.press(":a1<enter>");
    assert!(player.sees(":a1") && player.sees("it is Ann's turn"));
}

#[test]
fn move_can_be_typed_while_an_engine_thinks() {
    let mut player = Player::against("tic-tac-toe", "", ["engine:casual,seed=1", "Ann"]);
    player.press(":b");
    player.press("q<enter>");
    assert!(player.sees(":bq") && player.sees("Casual is to move"));
    player.think();
    assert!(player.sees(":bq") && !player.sees("Casual is to move"));
    let legal = player.app.open_match().unwrap().current_match().legal_moves();
    player.press(&format!("<backspace><backspace>{}<enter>", legal[0]));
    assert_eq!(player.moves().split(' ').count(), 2);
}

/// Typing a move ends with the match, and its letters do nothing in the result menu.
#[test]
fn match_that_ends_while_a_move_is_typed_swallows_the_rest() {
    let mut player = before_the_end();
    player.press(":c");
    plays(&mut player, 0, "c2");
    player.press("3<enter>R");
    assert!(player.sees("Ann wins") && player.sees("View the board"), "{}", player.screen(80, 24));
    assert!(!player.sees(":c3"), "{}", player.screen(80, 24));
    assert_eq!(requests(&mut player), []);
    // A chat message is finished first.
    let mut player = before_the_end();
    player.press("sgood");
    plays(&mut player, 0, "c2");
    player.press(" game<enter>");
    assert!(player.sees(":good game"), "{}", player.screen(80, 24));
    player.turn_clock(ms(1_000));
    player.press("<enter>");
    player.turn_clock(ms(1));
    assert!(player.sees("View the board"));
    player.press("1");
    player.press("<enter>");
    assert!(matches!(&*requests(&mut player), [ClientRequest::Say(said)] if said == "good game"));
    assert!(player.sees("View the board"), "the menu opened by itself");
}

/// At a table too, the winner is shown first, unless a menu covers the match.
#[test]
fn winner_at_a_table_is_shown_before_the_guarded_result() {
    let settings = || Settings { pace: Seconds(Duration::ZERO), ..Settings::default() };
    for is_skipped in [true, false] {
        let mut player = at_table("tic-tac-toe", "", 1, None);
        player.app = player.app.with_settings(settings(), String::new());
        for (at, mv) in ["b2", "a1", "a2", "a3"].into_iter().enumerate() {
            plays(&mut player, at as u8 % 2, mv);
            player.turn_clock(ms(2_000));
        }
        plays(&mut player, 0, "c2");
        player.turn_clock(ms(300));
        assert!(!player.sees("View the board"));
        if is_skipped {
            player.press("R");
        } else {
            player.turn_clock(ms(500));
        }
        assert!(player.sees("View the board"), "{}", player.screen(80, 24));
        player.draw();
        player.press("R");
        player.click("Rematch");
        assert_eq!(requests(&mut player), []);
        player.turn_clock(ms(2_000));
        player.press("R");
        assert_eq!(requests(&mut player).len(), 1);
    }
    let mut player = at_table("tic-tac-toe", "", 1, None);
    player.app = player.app.with_settings(settings(), String::new());
    for (at, mv) in ["b2", "a1", "a2", "a3"].into_iter().enumerate() {
        plays(&mut player, at as u8 % 2, mv);
        player.turn_clock(ms(2_000));
    }
    player.press("<esc>");
    assert!(player.sees("At the table"));
    plays(&mut player, 0, "c2");
    let before = player.screen(80, 24);
    player.press("<down>");
    assert_ne!(player.screen(80, 24), before, "the key acts on the menu");
    player.press("<esc>");
    player.turn_clock(ms(1));
    assert!(player.sees("View the board"), "{}", player.screen(80, 24));
}
