//! Seats that stay with their players, whatever happens to the terminals.

use crate::common::two_terminals::{Desk, TypedMatch, all_see};
use std::fs;

/// The tokens that are kept at this desk.
fn tokens(desk: &Desk) -> usize {
    fs::read_dir(desk.home().join("quadrille/seats")).map_or(0, Iterator::count)
}

#[test]
fn a_guest_whose_terminal_is_killed_gets_the_seat_back_by_join() {
    let desk = Desk::new();
    let mut ann = desk.host("tic-tac-toe", "", &["2"]);
    let mut bob = desk.run(&["join", "--name", "Bob"]);
    all_see(&[&ann, &bob], "Bob");
    let mut typed = TypedMatch::new("tic-tac-toe", "", &["Ann", "Bob"]);
    typed.play(&mut [&mut ann, &mut bob], &[0, 1]);
    // Another guest of the same user, while Bob's terminal runs, does not get Bob's seat.
    let mut eve = desk.run(&["join"]);
    eve.wait_for("every seat at the table is taken");
    bob.kill();
    ann.wait_for("Bob is away");
    let mut bob = desk.run(&["join"]);
    bob.wait_for("s say");
    ann.wait_until("Bob", |ann| !ann.sees("Bob is away"));
    typed.play_to_the_end(&mut [&mut ann, &mut bob], &[0, 1]);
    assert_eq!(tokens(&desk), 1);
    bob.click("Leave the table");
    assert_eq!(bob.wait_for_the_end(), 0);
    assert_eq!(tokens(&desk), 0);
}
