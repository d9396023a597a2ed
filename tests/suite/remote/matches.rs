//! Whole matches between terminals at one table, typed like by people.

use crate::common::lines::Lines;
use crate::common::program::command;
use crate::common::samples::samples;
use crate::common::terminal::Terminal;
use crate::common::two_terminals::{
    Desk, TypedMatch, all_see, answer, past_the_guard, to_the_board,
};
use crate::common::untimed::Untimed;
use crate::common::wait::wait_until;
use std::io::Write;
use std::process::{Child, ChildStdin};

/// Opens Ann's table for two, with Bob as a guest.
fn two_at(desk: &Desk, game: &str, setup: &str) -> [Terminal; 2] {
    let mut ann = desk.host(game, setup, &["2"]);
    let mut bob = desk.run(&["join", game, "--name", "Bob"]);
    bob.wait_for("s say");
    ann.wait_for("Bob");
    [ann, bob]
}

/// A guest without a terminal: the process, its output lines, and its stdin.
fn raw_guest(desk: &Desk, name: &str) -> (Child, Lines, ChildStdin) {
    let mut guest = command(desk.home(), &["table", "connect", "tic-tac-toe"]);
    guest.env("XDG_RUNTIME_DIR", desk.home().join("run"));
    let mut guest = guest.spawn().unwrap();
    let (mut lines, mut stdin) = (Lines::of(&mut guest), guest.stdin.take().unwrap());
    writeln!(stdin, "quadrille-table 2 0\nhello {name}\nhave 0 0").unwrap();
    lines.wait_for("presence");
    (guest, lines, stdin)
}

/// Leaves as a guest from the menu of the result, which ends the program.
fn leave(mut guest: Terminal) {
    past_the_guard();
    guest.click("Leave the table");
    assert_eq!(guest.wait_for_the_end(), 0);
}

/// Goes home as the host from the menu of the result, and quits.
fn go_home(mut host: Terminal) {
    past_the_guard();
    host.click("Leave the table").wait_for("Making");
    host.leave();
}

/// Plays a match to its end, and checks the host's record with both names.
fn is_played_to_its_end(game: &str) {
    let setup = samples().find(|(entry, _)| entry.id == game).unwrap().1.small;
    // Tic-tac-toe's setup is a position in mid-game.
    let setup = if setup.contains("grid=") { "" } else { setup };
    let desk = Desk::new();
    let [mut ann, mut bob] = two_at(&desk, game, setup);
    let mut typed = TypedMatch::new(game, setup, &["Ann", "Bob"]);
    typed.play_to_the_end(&mut [&mut ann, &mut bob], &[0, 1]);
    leave(bob);
    ann.wait_for("Bob has left");
    go_home(ann);
    let record = desk.records(1).pop().unwrap();
    assert_eq!((&*record.game, &record.names), (game, &["Ann", "Bob"].map(str::to_owned).to_vec()));
    assert_eq!(record.length, typed.length());
}

macro_rules! played_to_their_end {
    ($($name:ident: $game:literal,)*) => {
        $(#[test] fn $name() { is_played_to_its_end($game); })*
        #[test]
        fn every_game_is_played() {
            crate::common::samples::complete([$($game),*]);
        }
    };
}

played_to_their_end! {
    dots_and_boxes: "dots-and-boxes",
    join_the_dots: "join-the-dots",
    quixo: "quixo",
    tic_tac_toe: "tic-tac-toe",
    intersections: "intersections",
}

#[test]
fn four_players_share_three_terminals() {
    let desk = Desk::new();
    let setup = "size=3 players=4 segments=4";
    let mut ann = desk.host("intersections", setup, &["2", "3", "4"]);
    let mut both = desk.run(&["join", "intersections", "--seat", "2,3", "--name", "Bob and Cy"]);
    both.wait_for("Bob and Cy");
    let mut dora = desk.run(&["join", "intersections", "--name", "Dora"]);
    all_see(&[&ann, &both, &dora], "Dora");
    let names = ["Ann", "Bob and Cy", "Bob and Cy", "Dora"];
    let mut typed = TypedMatch::new("intersections", setup, &names);
    typed.play_to_the_end(&mut [&mut ann, &mut both, &mut dora], &[0, 1, 1, 2]);
    leave(dora);
    leave(both);
    go_home(ann);
    assert_eq!(desk.records(1)[0].names, names);
}

fn choose(terminal: &mut Terminal, entry: &str) {
    terminal.click(entry).wait_until("board", |terminal| !terminal.sees(entry));
}

#[test]
fn take_back_draw_and_rematch_need_consent_and_chat_shows() {
    let desk = Desk::new();
    let [mut ann, mut bob] = two_at(&desk, "tic-tac-toe", "");
    ann.keys(":b2\r");
    all_see(&[&ann, &bob], "last b2 Ann");
    // A player cannot move for the other seat.
    ann.keys(":a1\r").wait_for("it is Bob's turn").keys("\x1b");
    ann.wait_until("end of typing", |ann| !ann.sees(":a1")).keys("shello, Bob\r");
    all_see(&[&ann, &bob], "Ann: hello, Bob");
    // A take-back: refused, withdrawn, and then granted.
    ann.keys("u").wait_for("You ask to take back Ann's b2");
    answer(&mut bob, "Ann asks to take back Ann's b2", "n");
    ann.wait_for("Bob declines your take-back request").keys("u");
    bob.wait_for("Ann asks to take back");
    ann.wait_for("u withdraw").keys("u").wait_for("your take-back request is withdrawn");
    bob.wait_for("Ann withdraws the take-back request");
    ann.keys("u");
    answer(&mut bob, "Ann asks to take back", "y");
    for terminal in [&mut ann, &mut bob] {
        terminal.wait_until("board without a move", |terminal| !terminal.sees("last b2"));
    }
    ann.keys(":a1\r");
    all_see(&[&ann, &bob], "last a1 Ann");
    // A draw offer, refused and then accepted.
    bob.keys("\x1b").wait_for("At the table");
    choose(&mut bob, "Offer a draw");
    bob.wait_for("You offer a draw");
    answer(&mut ann, "Bob offers a draw", "n").wait_for("you decline");
    bob.wait_for("Ann declines your draw offer").keys(":b2\r");
    all_see(&[&ann, &bob], "last b2 Bob");
    ann.keys("\x1b").wait_for("At the table");
    choose(&mut ann, "Offer a draw");
    bob.wait_for("Ann offers a draw").keys("\x1b").wait_for("At the table");
    choose(&mut bob, "Agree with Ann");
    all_see(&[&ann, &bob], "by agreement");
    past_the_guard();
    // A rematch with swapped sides: now Bob begins.
    choose(&mut bob, "Rematch, swap sides");
    ann.wait_for("Bob asks for a rematch");
    past_the_guard();
    choose(&mut ann, "View the board");
    answer(&mut ann, "Bob asks for a rematch", "y");
    bob.wait_for("New match");
    past_the_guard();
    bob.keys(":c3\r");
    all_see(&[&ann, &bob], "last c3 Bob");
    // The first match is already recorded.
    let record = desk.records(1).pop().unwrap();
    assert_eq!(
        (&*record.names, &*record.result),
        (&["Ann", "Bob"].map(str::to_owned)[..], "1/2-1/2")
    );
    // Both ask for a rematch, and so they agree.
    ann.keys("\x1b").wait_for("At the table");
    ann.click("Resign").wait_for("Resign this match?").keys("\x1b[B\r");
    all_see(&[&ann, &bob], "Ann resigned");
    past_the_guard();
    choose(&mut bob, "Rematch, swap sides");
    ann.wait_for("Bob asks for a rematch");
    choose(&mut ann, "Rematch, swap sides");
    ann.wait_for(": type").keys(":a3\r");
    all_see(&[&ann, &bob], "last a3 Ann");
    bob.leave_by("q");
    ann.wait_for("Bob has left");
}

/// During an opponent's question, Tab and Enter still play, and a move settles it.
#[test]
fn open_questions_keep_the_playing_keys() {
    let desk = Desk::new();
    let [mut ann, mut bob] = two_at(&desk, "dots-and-boxes", "size=3");
    ann.keys("\r");
    all_see(&[&ann, &bob], "Bob to move");
    for question in ["Offer a draw", "Request take-back"] {
        let mover = if question == "Offer a draw" { "Bob" } else { "Ann" };
        let (asks, plays) =
            if mover == "Bob" { (&mut ann, &mut bob) } else { (&mut bob, &mut ann) };
        asks.keys("\x1b").wait_for("At the table");
        choose(asks, question);
        let asked = if mover == "Bob" { "Ann offers a draw" } else { "Bob asks to take back" };
        plays.wait_for(asked).keys("\t\r");
        plays.wait_until("no question", |terminal| !terminal.sees(asked));
        asks.wait_for("move canceled your ");
    }
    ann.wait_for("Bob to move").keys("\x1b").wait_for("At the table");
    assert!(!ann.sees("Agree"), "{}", ann.contents());
}

/// A malicious guest changes the question; a key answers the question shown in the status line.
#[test]
fn key_answers_the_displayed_question() {
    let desk = Desk::new();
    let mut ann = desk.host("tic-tac-toe", "", &["2"]);
    let (mut bob, mut lines, mut stdin) = raw_guest(&desk, &"長".repeat(40));
    ann.wait_for("joined").keys(":b2\r").wait_for("last b2");
    lines.wait_for("play b2");
    writeln!(stdin, "ask takeback 0").unwrap();
    lines.wait_for("question 1 ");
    ann.wait_for("asks to take back");
    // Another question replaces the first.
    writeln!(stdin, "withdraw 1\nask draw").unwrap();
    lines.wait_for("question 2 ");
    answer(&mut ann, "offers a draw", "n").wait_for("you decline");
    lines.wait_for("settled 2 no Ann");
    drop(stdin);
    bob.kill().unwrap();
    bob.wait().unwrap();
}

/// In plain mode, a typed answer counts at once, for the question announced last.
#[test]
fn typed_answer_counts_at_once() {
    let desk = Desk::new();
    let mut ann = command(desk.home(), &["play", "tic-tac-toe", "--names", "Ann", "--plain"]);
    ann.args(["--seat", "2=guest"]).env("XDG_RUNTIME_DIR", desk.home().join("run"));
    let mut ann = ann.spawn().unwrap();
    let (mut said, mut types) = (Lines::of(&mut ann), ann.stdin.take().unwrap());
    said.wait_for("quadrille join tic-tac-toe");
    let (mut bob, mut lines, mut stdin) = raw_guest(&desk, "Bob");
    writeln!(types, "b2").unwrap();
    lines.wait_for("play b2");
    writeln!(stdin, "ask takeback 0").unwrap();
    said.wait_for("Question 1: Bob asks to take back Ann's b2. Type agree or no.");
    writeln!(stdin, "withdraw 1\nask draw").unwrap();
    said.wait_for("Question 2: Bob offers a draw. Type agree or no.");
    writeln!(types, "agree").unwrap();
    said.wait_for("Draw");
    lines.wait_for("settled 2 yes Ann");
    drop((stdin, types));
    bob.kill().unwrap();
    bob.wait().unwrap();
    assert!(ann.wait().unwrap().success());
}

#[test]
fn plain_mode_answers_two_questions_in_turn() {
    let desk = Desk::new();
    let setup = "size=3 players=3 segments=3";
    let mut ann = command(desk.home(), &["play", "intersections", "--names", "Ann", "--plain"]);
    ann.args(setup.split(' ')).args(["--seat", "2=guest", "--seat", "3=guest"]);
    ann.env("XDG_RUNTIME_DIR", desk.home().join("run"));
    let mut ann = ann.spawn().unwrap();
    let mut lines = Lines::of(&mut ann);
    let mut stdin = ann.stdin.take().unwrap();
    lines.wait_for("quadrille join intersections");
    let mut bob = desk.run(&["join", "intersections", "--name", "Bob"]);
    lines.wait_for("Bob joined.");
    let mut eve = desk.run(&["join", "intersections", "--name", "Eve"]);
    lines.wait_for("Eve joined.");
    writeln!(stdin, "0,0-0,1").unwrap();
    bob.wait_for("last 0,0-0,1 Ann").keys(":1,1-1,2\r");
    lines.wait_for("Bob draws 1,1-1,2");
    bob.wait_for("last 1,1-1,2 Bob").keys("u");
    lines.wait_for("Question 1: Bob asks to take back Bob's 1,1-1,2. Type agree or no.");
    eve.wait_for("Bob asks to take back").keys("\x1b").wait_for("At the table");
    choose(&mut eve, "Offer a draw");
    lines.wait_for("Question 2: Eve offers a draw. Type agree 2 or no 2.");
    writeln!(stdin, "agree").unwrap();
    lines.wait_for("Which question? Type agree 1 or agree 2.");
    writeln!(stdin, "no 1").unwrap();
    bob.wait_for("Ann declines");
    writeln!(stdin, "agree").unwrap();
    answer(&mut bob, "Eve offers a draw", "y");
    lines.wait_for("Draw");
    writeln!(stdin, "quit").unwrap();
    drop(stdin);
    assert!(ann.wait().unwrap().success());
}

#[test]
fn host_removes_a_guest() {
    let desk = Desk::new();
    let [mut ann, mut bob] = two_at(&desk, "tic-tac-toe", "");
    bob.keys("\x1b").wait_for("At the table");
    assert!(!bob.sees("Remove player"), "{}", bob.contents());
    ann.keys("\x1b").wait_for("At the table");
    ann.click("Remove player").wait_for("Remove Bob").click("Remove Bob");
    bob.wait_for("the host removed you");
    ann.wait_for("you removed Bob");
    ann.wait_for("seat 2 is waiting for a guest").keys("\x1b").wait_for("At the table");
    ann.click("Save and close table").wait_for("the host closed the table");
    assert!(!ann.sees("is waiting for a guest"), "{}", ann.contents());
}

#[test]
fn watcher_sees_the_match_but_cannot_move() {
    let desk = Desk::new();
    let [mut ann, mut bob] = two_at(&desk, "tic-tac-toe", "");
    let mut eve = desk.run(&["join", "tic-tac-toe", "--watch", "--name", "Eve"]);
    all_see(&[&ann, &bob], "Eve watches");
    eve.wait_for("Ann is to move").keys(":a1\r").wait_for("it is Ann's turn");
    eve.keys("\x1b").wait_until("end of typing", |eve| !eve.sees(":a1"));
    ann.keys(":b2\r");
    all_see(&[&ann, &bob, &eve], "last b2 Ann");
    assert!(!eve.sees("u undo"), "{}", eve.contents());
    eve.keys(":a1\r\r").wait_for("it is Bob's turn").keys("\x1b");
    eve.wait_until("end of typing", |eve| !eve.sees(":a1"));
    eve.keys("\x1b").wait_for("At the table");
    for right in ["Resign", "Offer a draw", "Send message", "take back", "Close the table"] {
        assert!(!eve.sees(right), "{}", eve.contents());
    }
    eve.keys("\x1b");
    bob.keys(":a1\r");
    all_see(&[&ann, &bob, &eve], "last a1 Bob");
    let mut typed = TypedMatch::new("tic-tac-toe", "", &["Ann", "Bob"]);
    typed.session_mut().play("b2").unwrap();
    typed.session_mut().play("a1").unwrap();
    typed.play_to_the_end(&mut [&mut ann, &mut bob, &mut eve], &[0, 1]);
    leave(eve);
    ann.wait_for("Eve has left");
}

/// The host's table has the host's home, and both players and a spectator sit at another.
#[test]
fn guests_elsewhere_keep_one_record_of_each_match() {
    let (house, home) = (Desk::new(), Desk::new());
    let mut ann = house.run(&["play", "tic-tac-toe", "--seat", "1=guest", "--seat", "2=guest"]);
    to_the_board(&mut ann);
    let via = house.connect_to("tic-tac-toe");
    let join = |name: &str| home.run(&["join", "--via", &via, "--name", name]);
    let mut bob = join("Bob");
    bob.wait_for("s say");
    let mut eve = join("Eve");
    eve.wait_for("s say");
    let mut fay = home.run(&["join", "--via", &via, "--watch", "--name", "Fay"]);
    all_see(&[&bob, &eve], "Fay watches");
    let mut typed = TypedMatch::new("tic-tac-toe", "", &["Bob", "Eve"]);
    let mut all = [&mut bob, &mut eve, &mut fay, &mut ann];
    typed.play_to_the_end(&mut all, &[0, 1]);
    for watcher in [&mut fay, &mut ann] {
        watcher.wait_for("View the board").keys("\x1b");
    }
    for guest in [&mut bob, &mut eve] {
        guest.wait_for("View the board");
    }
    past_the_guard();
    bob.click("Rematch  ");
    eve.wait_for("Bob asks for a rematch").click("Rematch  ");
    // The first match is filed when the second replaces it.
    home.records(1);
    for guest in [&mut bob, &mut eve] {
        guest.wait_for("9 cells left");
    }
    past_the_guard();
    let mut again = TypedMatch::new("tic-tac-toe", "", &["Bob", "Eve"]);
    again.play_to_the_end(&mut [&mut bob, &mut eve, &mut fay, &mut ann], &[0, 1]);
    for guest in [fay, eve, bob] {
        leave(guest);
    }
    go_home(ann);
    for desk in [&house, &home] {
        let records = desk.records(2);
        assert!(records.iter().all(|record| record.names == ["Bob", "Eve"]), "{records:?}");
        assert!(records.iter().any(|record| record.length == typed.length()));
    }
}

#[test]
fn guest_gets_hints_only_if_the_host_allows() {
    for (option, told) in [(None, "This table has no hints or values"), (Some("--hints"), "Hint: ")]
    {
        let desk = Desk::new();
        let seat = ["play", "tic-tac-toe", "--names", "Ann", "--seat", "2=guest"];
        let words: Vec<&str> = seat.into_iter().chain(option).collect();
        let mut ann = desk.run(&words);
        to_the_board(&mut ann);
        let mut guest = command(desk.home(), &["join", "--plain", "--name", "Bob"]);
        guest.env("XDG_RUNTIME_DIR", desk.home().join("run"));
        let mut guest = guest.spawn().unwrap();
        let (mut lines, mut stdin) = (Lines::of(&mut guest), guest.stdin.take().unwrap());
        lines.wait_for("Ann to move");
        ann.keys(":b2\r");
        lines.wait_for("Ann puts X on b2");
        writeln!(stdin, "hint").unwrap();
        lines.wait_for(told);
        drop(stdin);
        assert!(guest.wait().unwrap().success());
        if option.is_none() {
            let mut bob = desk.run(&["join", "--name", "Bob"]);
            bob.wait_for("s say").keys("H").wait_for("this table has no hints or values");
            bob.leave_by("q");
        }
    }
}

#[test]
fn plain_mode_and_a_screen_share_a_table() {
    let desk = Desk::new();
    let mut host = command(desk.home(), &["play", "tic-tac-toe", "--names", "Ann", "--plain"]);
    host.args(["--seat", "2=guest"]).env("XDG_RUNTIME_DIR", desk.home().join("run"));
    let mut host = host.spawn().unwrap();
    let mut lines = Lines::of(&mut host);
    let mut stdin = host.stdin.take().unwrap();
    lines.wait_for("quadrille join tic-tac-toe");
    let mut bob = desk.run(&["join", "tic-tac-toe", "--name", "Bob"]);
    lines.wait_for("Bob joined.");
    writeln!(stdin, "b2").unwrap();
    bob.wait_for("last b2 Ann").keys(":a1\r");
    lines.wait_for("Bob puts O on a1.");
    bob.keys("sgood luck\r");
    lines.wait_for("Bob says: good luck");
    writeln!(stdin, "say thanks").unwrap();
    bob.wait_for("Ann: thanks").keys("\x1b").wait_for("At the table");
    choose(&mut bob, "Offer a draw");
    lines.wait_for("draw");
    writeln!(stdin, "agree").unwrap();
    bob.wait_for("by agreement");
    leave(bob);
    lines.wait_for("Bob has left.");
    writeln!(stdin, "quit").unwrap();
    drop(stdin);
    assert!(host.wait().unwrap().success());
    assert_eq!(desk.records(1)[0].names, ["Ann", "Bob"]);
    let socket = desk.home().join("run/quadrille/tic-tac-toe");
    wait_until("end of the table", String::new, || !socket.exists());
}
