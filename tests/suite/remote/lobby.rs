//! A lobby in real terminals. A single system user performs the actions of all its users.

use crate::common::processes::Process;
use crate::common::program::BINARY;
use crate::common::terminal::Terminal;
use crate::common::two_terminals::{Desk, all_see};
use crate::common::wait::wait_until;
use std::fs;
use std::path::Path;

/// Ctrl-Z, Ctrl-\, a shell, a picture, the next theme, engine help.
const HARM: [&str; 7] = ["\u{1a}", "\u{1c}", "!", "p", "T", "H", "a"];

fn house() -> Desk {
    Desk::new().with_size((100, 30))
}

/// Returns the names of all files and directories below this one.
fn all_in(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let names = entries.flat_map(|entry| {
        let below = all_in(&entry.path());
        below.into_iter().chain([entry.file_name().to_string_lossy().into_owned()])
    });
    names.collect()
}

#[test]
fn lobby_guests_open_a_table_play_and_leave() {
    let house = house();
    let mut ann = house.run(&["lobby", "--name", "Ann"]);
    ann.wait_for("No open tables.").keys("open tic\r").wait_for("9 cells left");
    let mut bob = house.run(&["lobby"]);
    bob.wait_for("Your name:").keys("engine:strong\r").wait_for("A name must be one line");
    bob.keys("Bob\r").wait_for("1. tic-tac-toe: Tic-tac-toe, 1 Ann, 2 free, 0 moves");
    bob.keys("1\r").wait_for("Ann is to move");
    ann.wait_for("Bob").keys(":b2\r");
    all_see(&[&ann, &bob], "b2");
    bob.keys(":a1\r");
    all_see(&[&ann, &bob], "a1");

    // Meanwhile a spectator watches in plain mode.
    let mut eve = house.run(&["lobby", "--name", "Eve", "--plain"]);
    eve.wait_for("1 Ann, 2 Bob, 2 moves").keys("1\r").wait_for("every seat is taken");
    eve.keys("watch 1\r").wait_for("Ann to move");
    ann.keys(":c3\r");
    eve.wait_for("c3").keys("quit\r").wait_for("Lobby. You are Eve.");
    eve.keys("quit\r");
    assert_eq!(eve.wait_for_the_end(), 0);

    // The list may still show a seat that its player has just left; Enter refreshes it.
    bob.keys("q").press_until("\r", "1 Ann, 2 free, 3 moves");
    ann.keys("q").press_until("\r", "1 free, 2 free, 3 moves");
    // A table with a match stays open; one without moves closes.
    ann.keys("open quixo\r").wait_for("Player 2").keys("q");
    // The old list is shown before the new one.
    ann.wait_until("list", |ann| {
        let contents = ann.contents();
        contents.rsplit("open quixo").next().is_some_and(|new| new.contains("1 open table:"))
    });
    for mut terminal in [ann, bob] {
        terminal.keys("quit\r");
        assert_eq!(terminal.wait_for_the_end(), 0);
    }
}

#[test]
fn visitor_can_stop_waiting_for_a_seat() {
    let house = house();
    let mut ann = house.run(&["lobby", "--name", "Ann"]);
    ann.wait_for("No open tables.").keys("open tic\r").wait_for("9 cells left");
    let mut bob = house.run(&["lobby", "--name", "Bob"]);
    bob.wait_for("1 Ann, 2 free").keys("1\r").wait_for("Ann is to move");
    ann.wait_for("Bob").keys(":b2\r");
    bob.wait_for("b2");
    bob.vanish();
    let mut eve = house.run(&["lobby", "--name", "Eve"]);
    eve.wait_for("2 Bob (away)").keys("1\r").wait_for("press Ctrl-C to give up");
    ann.wait_for("Eve asks for Bob's seat");
    eve.keys("quit\r").wait_until("list", |eve| eve.contents().matches("You are Eve").count() > 1);
    ann.wait_for("Eve withdraws the request for seat 2");
    eve.keys("\x03");
    assert_ne!(eve.wait_for_the_end(), 0);
}

#[test]
fn lobby_gives_access_only_to_tables() {
    let house = house();
    let mut ann = house.run(&["lobby", "--name", "Ann"]);
    ann.wait_for("No open tables.");
    let runs = |terminal: &Terminal| {
        let state = fs::read_to_string(format!("/proc/{}/stat", terminal.process())).unwrap();
        assert!(!state.contains(") T "), "it is stopped");
    };
    let try_all = |ann: &mut Terminal| {
        for keys in HARM {
            ann.keys(keys);
            runs(ann);
        }
    };
    try_all(&mut ann);
    ann.keys("\rplay quixo\r").wait_for("Unknown command: play");
    ann.keys("open quixo\r").wait_for("Player 2");
    let before = all_in(house.home());
    try_all(&mut ann);
    ann.keys("?").wait_for("Esc close").keys("\u{1b}").wait_for("Player 2");
    ann.wait_for("Player 2").keys("\u{1b}").wait_for("At the table");
    assert!(!ann.sees("Settings") && !ann.sees("picture"), "{}", ann.contents());
    assert_eq!(all_in(house.home()), before);
    let words = |process: &Process| process.arguments().join(" ");
    let all: Vec<String> = Process::with_variable("HOME", house.home()).iter().map(words).collect();
    assert!(all.iter().all(|words| words.contains("quadrille")), "{all:?}");
    // A disconnected player keeps the seat.
    ann.vanish();
    wait_until("Ann away", String::new, || {
        house.run(&["lobby", "--name", "Bob"]).wait_for("2 free").sees("1 Ann (away), 2 free")
    });
}

#[test]
fn remote_quadrille_joins_the_lobby_with_its_own_screens() {
    let house = house();
    let mut ann = house.run(&["lobby", "--name", "Ann"]);
    ann.wait_for("No open tables.").keys("open quixo\r").wait_for("Player 2");
    let through = |wanted: &str| format!("env 'SSH_ORIGINAL_COMMAND={wanted}' {BINARY} lobby");
    let via = through("quadrille table connect quixo");
    let mut bob = house.run(&["join", "--name", "Bob", "--via", &via]);
    bob.wait_for("Ann is to move");
    bob.keys("q");
    assert_eq!(bob.wait_for_the_end(), 0);
    ann.wait_for("Bob has left");
    let mut eve = house.run(&["join", "--name", "Eve", "--via", &through("sh -c 'id'")]);
    eve.wait_for("the lobby needs a terminal");
    ann.keys("q").wait_for("Lobby. You are Ann.");
}
