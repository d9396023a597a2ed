//! The real program in a real pseudo-terminal: from the first key to the result and out.
#![cfg(unix)]
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used)]

mod common;

use common::terminal::Terminal;
use portable_pty::CommandBuilder;
use quadrille::board::Table;

/// Some moves to the end of a match: always one from the middle of the list, or the last.
fn some_moves(game: &str, setup: &str) -> Vec<String> {
    let mut table: Box<dyn Table> = common::table(game, setup, "");
    let mut moves = Vec::new();
    while table.game().to_move().is_some() {
        let legal = table.game().legal();
        let mv = legal[(moves.len() * 7 + legal.len() / 2) % legal.len()].clone();
        table.play(&mv).unwrap();
        moves.push(mv);
        assert!(moves.len() < 200, "{game} does not end");
    }
    moves
}

/// Every game by its own small setup, typed to the end, and out by the menus.
fn play_to_the_end(game: &str, setup: &str) {
    let mut arguments = vec!["play", game, "--names", "Ann,Bob"];
    arguments.extend(setup.split_whitespace());
    let mut terminal = Terminal::run(&arguments);
    terminal.wait_for("Ann").wait_for("q leave");
    let moves = some_moves(game, setup);
    for mv in &moves {
        terminal.keys(&format!(":{mv}\r"));
    }
    terminal.wait_for(moves.last().unwrap());
    if game == "intersections" {
        terminal.wait_for("any key").keys(" ");
    }
    terminal.wait_for("Rematch").keys("\x1b[B\x1b[B\x1b[B\x1b[B\r");
    terminal.wait_for("q quit").keys("q");
    assert_eq!(terminal.wait_for_the_end(), 0);
}

#[test]
fn dots_and_boxes() {
    play_to_the_end("dots-and-boxes", "size=3");
}

#[test]
fn join_the_dots() {
    play_to_the_end("join-the-dots", "layout=eight");
}

#[test]
fn quixo() {
    play_to_the_end("quixo", "size=3");
}

#[test]
fn tic_tac_toe() {
    play_to_the_end("tic-tac-toe", "");
}

#[test]
fn intersections() {
    play_to_the_end("intersections", "size=3 segments=4");
}

#[test]
fn from_the_home_screen_with_arrows_and_enter_alone() {
    let mut terminal = Terminal::run(&[]);
    terminal.wait_for("Quadrille").keys("\r");
    terminal.wait_for("Start the match").keys("\x1b[A\x1b[A\x1b[A\x1b[A");
    terminal.wait_for("rows of dots").keys("\x1b[D\x1b[D\x1b[D\x1b[B\x1b[D\x1b[D\x1b[D\x1b[A");
    terminal.keys("\x1b[B\x1b[B\x1b[B\x1b[B\r").wait_for("4 lines");
    terminal.keys("\r").wait_for("3 lines").keys("\x1b[B\r").wait_for("2 lines");
    terminal.keys("\x1b[C\r").wait_for("1 line").keys("\x1b[B\r").wait_for("Player 2 wins 1-0");
    terminal.keys("\x1b[A\x1b[A\x1b[B\x1b[B\x1b[B\x1b[B\r").wait_for("Quit").keys("q");
    assert_eq!(terminal.wait_for_the_end(), 0);
}

#[test]
fn control_c_leaves_at_once_from_anywhere() {
    for keys in ["", "\r", "\r\r", "\r\r:H0", "?"] {
        let mut terminal = Terminal::run(&[]);
        terminal.wait_for("Quadrille").keys(keys).keys("\x03");
        assert_eq!(terminal.wait_for_the_end(), 0, "{keys:?}");
    }
}

const CHILD: &str = "QUADRILLE_TEST_PANICS";

/// The child of the next test: the same loop, in this very test program, with a save that panics.
#[test]
fn a_child_that_panics() {
    if std::env::var_os(CHILD).is_some() {
        let entry = quadrille::catalogue::find("tic-tac-toe").unwrap();
        let sitting = quadrille::app::Sitting::new(entry, &"".parse().unwrap(), &[]).unwrap();
        let mut app =
            quadrille::app::App::new(quadrille::board::Skin::default(), 1).with_match(sitting);
        quadrille::app::runtime::run(&mut app, &mut Panics).unwrap();
    }
}

struct Panics;

impl quadrille::app::runtime::Host for Panics {
    fn perform(&mut self, _: quadrille::app::Task, _: &mut quadrille::app::App) {
        panic!("on purpose")
    }
}

#[test]
fn a_panic_gives_the_terminal_back_and_says_what_happened() {
    let mut command = CommandBuilder::new(std::env::current_exe().unwrap());
    command.args(["--exact", "a_child_that_panics", "--nocapture"]);
    command.env(CHILD, "1");
    let mut terminal = Terminal::start(command);
    terminal.wait_for("q leave").keys("\r").wait_for("on purpose");
    assert!(terminal.is_normal(), "said on the normal screen");
    assert_eq!(terminal.wait_for_the_end(), 101);
}
