//! Whole matches between terminals at one table, typed as people type them.

use crate::common::lines::Lines;
use crate::common::patience::wait_until;
use crate::common::program::command;
use crate::common::samples::samples;
use crate::common::terminal::Terminal;
use crate::common::two_terminals::{Desk, TypedMatch, all_see, to_the_board};
use crate::common::untimed::Untimed;
use std::io::Write;

/// Ann's table for two, and Bob at it.
fn two_at(desk: &Desk, game: &str, setup: &str) -> [Terminal; 2] {
    let mut ann = desk.host(game, setup, &["2"]);
    let mut bob = desk.run(&["join", game, "--name", "Bob"]);
    bob.wait_for("s say");
    ann.wait_for("Bob");
    [ann, bob]
}

/// A guest leaves from the menu of the result, which ends the program.
fn leave(mut guest: Terminal) {
    guest.click("Leave the table");
    assert_eq!(guest.wait_for_the_end(), 0);
}

/// The host goes home from the menu of the result, and leaves the program.
fn go_home(mut host: Terminal) {
    host.click("Leave the table").wait_for("Making");
    host.leave();
}

/// Whatever the game: each is played to its end, and filed at the host's under both names.
fn is_played_to_its_end(game: &str) {
    let setup = samples().find(|(entry, _)| entry.id == game).unwrap().1.small;
    // Tic-tac-toe's begins in the middle.
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
fn four_people_at_three_terminals_two_of_them_at_one() {
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

/// Chooses an entry of a menu with the mouse.
fn choose(terminal: &mut Terminal, entry: &str) {
    terminal.click(entry).wait_until("board", |terminal| !terminal.sees(entry));
}

#[test]
fn what_needs_the_others_is_asked_and_a_word_is_said() {
    let desk = Desk::new();
    let [mut ann, mut bob] = two_at(&desk, "tic-tac-toe", "");
    ann.keys(":b2\r");
    all_see(&[&ann, &bob], "last b2 Ann");
    // Somebody cannot move for the other seat.
    ann.keys(":").wait_for("Bob is to move");
    ann.keys("shello, Bob\r");
    all_see(&[&ann, &bob], "Ann: hello, Bob");
    // A take-back: refused, and then granted.
    ann.keys("u");
    bob.wait_for("Ann asks to take back");
    choose(&mut bob, "No");
    ann.wait_for("Bob says no").keys("u");
    bob.wait_for("Ann asks to take back");
    choose(&mut bob, "Yes");
    for terminal in [&mut ann, &mut bob] {
        terminal.wait_until("board without a move", |terminal| !terminal.sees("last b2"));
    }
    ann.keys(":a1\r");
    all_see(&[&ann, &bob], "last a1 Ann");
    // A draw, refused and then agreed to.
    bob.keys("\x1b").wait_for("At the table");
    choose(&mut bob, "Offer a draw");
    ann.wait_for("Bob offers a draw");
    choose(&mut ann, "Refuse");
    bob.wait_for("Ann says no").keys(":b2\r");
    all_see(&[&ann, &bob], "last b2 Bob");
    ann.keys("\x1b").wait_for("At the table");
    choose(&mut ann, "Offer a draw");
    bob.wait_for("Ann offers a draw").click("Agree");
    all_see(&[&ann, &bob], "A draw");
    // Another match with the seats changed: now Bob begins.
    choose(&mut bob, "Play again, change places");
    ann.wait_for("Bob asks to play again");
    choose(&mut ann, "Look at the board");
    choose(&mut ann, "Yes");
    bob.wait_for(": type").keys(":c3\r");
    all_see(&[&ann, &bob], "last c3 Bob");
    // The first match is filed already.
    let record = desk.records(1).pop().unwrap();
    assert_eq!(
        (&*record.names, &*record.result),
        (&["Ann", "Bob"].map(str::to_owned)[..], "1/2-1/2")
    );
    // Both ask for the same, and so they agree.
    ann.keys("\x1b").wait_for("At the table");
    ann.click("Resign").wait_for("Resign this match?").keys("\x1b[B\r");
    all_see(&[&ann, &bob], "Bob wins");
    choose(&mut bob, "Play again, change places");
    ann.wait_for("Bob asks to play again");
    choose(&mut ann, "Play again, change places");
    ann.wait_for(": type").keys(":a3\r");
    all_see(&[&ann, &bob], "last a3 Ann");
    bob.leave_by("q");
    ann.wait_for("Bob has left");
}

#[test]
fn who_watches_sees_all_and_moves_nothing() {
    let desk = Desk::new();
    let [mut ann, mut bob] = two_at(&desk, "tic-tac-toe", "");
    let mut eve = desk.run(&["join", "tic-tac-toe", "--watch", "--name", "Eve"]);
    all_see(&[&ann, &bob], "Eve watches");
    eve.wait_for("Ann is to move").keys(":a1\r").wait_for("it is Ann who is to move");
    ann.keys(":b2\r");
    all_see(&[&ann, &bob, &eve], "last b2 Ann");
    eve.keys(":a1\r\r").wait_for("it is Bob who is to move");
    eve.keys("\x1b").wait_for("At the table");
    for right in ["Resign", "Offer a draw", "Say something", "take back", "Close the table"] {
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

#[test]
fn a_guest_asks_engines_only_where_the_host_lets_them() {
    for (option, told) in
        [(None, "There are no hints and values at this table"), (Some("--hints"), "Hint: ")]
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
            bob.wait_for("s say").keys("H").wait_for("no hints and values at this table");
            bob.leave_by("q");
        }
    }
}

#[test]
fn lines_and_a_screen_are_at_one_table() {
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
    bob.wait_for("A draw");
    leave(bob);
    lines.wait_for("Bob has left. The table waits.");
    writeln!(stdin, "quit").unwrap();
    drop(stdin);
    assert!(host.wait().unwrap().success());
    assert_eq!(desk.records(1)[0].names, ["Ann", "Bob"]);
    let socket = desk.home().join("run/quadrille/tic-tac-toe");
    wait_until("end of the table", String::new, || !socket.exists());
}
