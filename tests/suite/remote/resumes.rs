//! Seats stay with their players when a match is resumed, moved to another terminal, or replaced by a new match.

use crate::common::program::{BINARY, command, finish};
use crate::common::terminal::Terminal;
use crate::common::two_terminals::{
    Desk, TypedMatch, all_see, answer, past_the_guard, to_its_board, to_the_board,
};
use crate::common::untimed::Untimed;
use crate::common::wait::wait_until;
use std::fs;
use std::os::unix::fs::PermissionsExt;

const GAME: &str = "intersections";
const SETUP: &str = "players=3";
const NAMES: [&str; 3] = ["Ann", "Bob", "Eve"];

/// Returns the desk of a different player on the same machine, who reaches the tables of this desk.
fn elsewhere(desk: &Desk) -> Desk {
    Desk::new().with_env("XDG_RUNTIME_DIR", desk.home().join("run"))
}

/// Ann, Bob and Eve at a table, after three moves.
struct Three {
    /// The desks of the players.
    desks: [Desk; 3],
    typed: TypedMatch,
}

impl Three {
    fn play() -> (Three, [Terminal; 3]) {
        let ann = Desk::new();
        let desks = [elsewhere(&ann), elsewhere(&ann)];
        let mut host = ann.host(GAME, SETUP, &["2", "3"]);
        let [bob, eve] = [("Bob", &desks[0]), ("Eve", &desks[1])].map(|(name, desk)| {
            let guest = desk.run(&["join", "--name", name]);
            all_see(&[&host, &guest], name);
            guest
        });
        host.wait_until("guests", |host| !host.sees("waiting"));
        let mut typed = TypedMatch::new(GAME, SETUP, &NAMES);
        let (mut bob, mut eve) = (bob, eve);
        for _ in 0..3 {
            typed.play(&mut [&mut host, &mut bob, &mut eve], &[0, 1, 2]);
        }
        let [bob_desk, eve_desk] = desks;
        (Three { desks: [ann, bob_desk, eve_desk], typed }, [host, bob, eve])
    }

    /// Checks that all play at their own seats.
    fn play_on(&mut self, terminals: &mut [Terminal; 3]) {
        for terminal in terminals.iter_mut() {
            terminal.wait_until("line", |terminal| {
                !["away", "reconnecting", "waiting"].iter().any(|words| terminal.sees(words))
            });
        }
        past_the_guard();
        let mut terminals: Vec<&mut Terminal> = terminals.iter_mut().collect();
        for _ in 0..3 {
            self.typed.play(&mut terminals, &[0, 1, 2]);
        }
        for terminal in terminals {
            assert!(NAMES.iter().all(|name| terminal.sees(name)), "{}", terminal.contents());
            assert!(!terminal.sees("Bob 2") && !terminal.sees("Eve 2"), "{}", terminal.contents());
        }
    }
}

fn close_table(host: &mut Terminal) {
    host.keys("\x1b").wait_for("At the table").click("Save and close table");
    host.wait_for("the host closed the table");
}

fn resume(desk: &Desk) -> Terminal {
    let mut host = desk.run(&["resume"]);
    to_the_board(&mut host);
    host
}

#[test]
fn guests_keep_their_seats_after_save_and_resume() {
    let (mut three, [mut ann, bob, eve]) = Three::play();
    close_table(&mut ann);
    for mut guest in [bob, eve] {
        guest.wait_for("the host closed the table");
        guest.leave_by("q");
    }
    ann.leave_by("qq");
    let [ann_desk, bob_desk, eve_desk] = &three.desks;
    let folder = ann_desk.home().join("quadrille");
    wait_until("end of the table", String::new, || ann_desk.running("table open").is_empty());
    // The tokens are in a file of their own.
    let files: Vec<_> = fs::read_dir(folder.join("seatings")).unwrap().flatten().collect();
    assert_eq!(files.len(), 1);
    assert_eq!(files[0].metadata().unwrap().permissions().mode() & 0o777, 0o600);
    let seating = fs::read_to_string(files[0].path()).unwrap();
    let guest = seating.lines().find(|line| line.starts_with("guest 2 ")).unwrap();
    let token = guest.split(' ').nth(2).unwrap();
    let journal = folder.join("matches").join(files[0].file_name()).with_extension("journal");
    assert!(!fs::read_to_string(journal).unwrap().contains(token));
    // A stranger comes first, and is not seated at a reserved seat.
    let mut ann = resume(ann_desk);
    let zoes = elsewhere(ann_desk);
    let mut zoe = zoes.run(&["join", "--name", "Zoe"]);
    zoe.wait_for("is reserved for");
    answer(&mut ann, "Zoe asks for", "n");
    zoe.wait_for("Ann declined");
    let eve = eve_desk.run(&["join"]);
    all_see(&[&eve], &three.typed.last());
    // The token does not depend on the way to the table.
    let mut bob = bob_desk.run(&["join", "--via", &format!("{BINARY} table connect")]);
    bob.wait_for("your match from this machine. Send your seat's token? [y/N]").keys("y\r");
    all_see(&[&bob], &three.typed.last());
    three.play_on(&mut [ann, bob, eve]);
}

#[test]
fn guests_keep_their_seats_after_a_kill_of_the_table() {
    let (mut three, [mut ann, mut bob, mut eve]) = Three::play();
    // All terminals and the host's second one wake the table.
    three.desks[0].kill("table open");
    let mut again = three.desks[0].run(&["resume"]);
    again.wait_for(&three.typed.last());
    // The wrong order; and the host's first terminal tries to return too.
    ann.keys("\r").wait_for("You resumed this match in another terminal");
    eve.keys("\r");
    again.wait_until("Eve", |again| again.sees("Eve is back") || !again.sees("Eve is away"));
    bob.keys("\r");
    ann.leave_by("qq");
    to_its_board(&mut again);
    three.play_on(&mut [again, bob, eve]);
}

#[test]
fn host_of_a_match_of_an_older_build_decides_by_name() {
    let (mut three, [mut ann, bob, eve]) = Three::play();
    close_table(&mut ann);
    drop((bob, eve));
    ann.leave_by("qq");
    let desk = &three.desks[0];
    wait_until("end of the table", String::new, || desk.running("table open").is_empty());
    fs::remove_dir_all(desk.home().join("quadrille/seatings")).unwrap();
    let mut ann = resume(desk);
    let mut seat = |desk: &Desk, name: &str| {
        let mut guest = desk.run(&["join", "--name", name]);
        guest.wait_for(&format!("is reserved for {name}, who is away"));
        answer(&mut ann, &format!("{name} asks for {name}'s seat"), "y");
        ann.wait_for("Give the seat away").keys("\x1b[B\r");
        guest.wait_for("s say");
        guest
    };
    let (eve, bob) = (seat(&three.desks[2], "Eve"), seat(&three.desks[1], "Bob"));
    three.play_on(&mut [ann, bob, eve]);
}

#[test]
fn seat_moves_to_another_terminal_of_its_player() {
    let desk = Desk::new();
    let bobs = elsewhere(&desk);
    let mut ann = desk.host("tic-tac-toe", "", &["2"]);
    let mut first = bobs.run(&["join", "--name", "Bob"]);
    all_see(&[&ann, &first], "Bob");
    let mut typed = TypedMatch::new("tic-tac-toe", "", &["Ann", "Bob"]);
    typed.play(&mut [&mut ann, &mut first], &[0, 1]);
    // Without a terminal on stdin there is no question.
    let piped = |arguments: &[&str]| {
        let mut command = command(bobs.home(), arguments);
        command.env("XDG_RUNTIME_DIR", desk.home().join("run"));
        finish(&mut command, b"quit\n")
    };
    let how = "you are at this table in another terminal; add --move to move your seat here";
    assert_eq!(piped(&["join", "--plain"]).fails(1), how);
    let question = "You are at this table in another terminal. Move here?";
    let mut second = bobs.run(&["join"]);
    second.wait_for(question).keys("n\r");
    assert_eq!(second.wait_for_the_end(), 1);
    assert!(!first.sees("another terminal"));
    let mut second = bobs.run(&["join"]);
    second.wait_for(question).keys("y\r").wait_for(&typed.last());
    first.wait_for("You joined from another terminal");
    first.leave_by("q");
    typed.play(&mut [&mut ann, &mut second], &[0, 1]);
    // The new token is stored, also for a third terminal.
    second.kill();
    ann.wait_for("Bob is away");
    let mut third = bobs.run(&["join"]);
    third.wait_for(&typed.last());
    typed.play(&mut [&mut ann, &mut third], &[0, 1]);
    let mut fourth = bobs.run(&["join", "--move"]);
    fourth.wait_for(&typed.last());
    third.wait_for("You joined from another terminal");
    typed.play_to_the_end(&mut [&mut ann, &mut fourth], &[0, 1]);
}

#[test]
fn two_terminals_of_one_account_have_two_seats() {
    let desk = Desk::new();
    let mut ann = desk.host(GAME, SETUP, &["2", "3"]);
    let guests = elsewhere(&desk);
    let mut bob = guests.run(&["join", "--name", "Bob"]);
    all_see(&[&ann, &bob], "Bob");
    let mut eve = guests.run(&["join"]);
    ann.wait_until("guests", |ann| !ann.sees("waiting"));
    let mut typed = TypedMatch::new(GAME, SETUP, &["Ann", "Bob", "Eve"]);
    let mut moves = |terminals: [&mut Terminal; 3]| {
        for terminal in terminals {
            let mv = typed.choose();
            terminal.wait_for("s say").keys(&format!(":{mv}\r")).wait_for(&format!("last {mv}"));
            Untimed::play(typed.session_mut(), &mv).unwrap();
        }
    };
    moves([&mut ann, &mut bob, &mut eve]);
}

#[test]
fn new_match_at_the_same_address_is_joined_only_with_consent() {
    let desk = Desk::new();
    let guests = ["Bob", "Eve", "Cy"].map(|name| (name, elsewhere(&desk)));
    let mut ann = desk.host("tic-tac-toe", "", &["2"]);
    let via = format!("{BINARY} table connect");
    let [mut bob, mut eve, mut cy] = guests.each_ref().map(|(name, desk)| {
        let join = ["join", "--via", &via, "--name", name];
        let how: &[&str] = match *name {
            "Bob" => &[],
            "Eve" => &["--watch"],
            _ => &["--watch", "--plain"],
        };
        let guest = desk.run(&[&join[..], how].concat());
        all_see(&[&ann], name);
        guest
    });
    ann.keys(":b2\r");
    all_see(&[&ann, &bob, &eve], "last b2 Ann");
    // Otherwise the guests would wake the table.
    fs::remove_dir_all(desk.home().join("quadrille/seatings")).unwrap();
    desk.kill("table open");
    all_see(&[&ann, &bob, &eve], "reconnecting");
    let mut other = desk.host("tic-tac-toe", "", &["2"]);
    other.wait_for("waiting for a guest");
    for guest in [&mut bob, &mut eve] {
        guest.keys("\r").wait_for("Ann opened a new match. Join it?");
        assert!(guest.sees("last b2 Ann"), "{}", guest.contents());
    }
    cy.wait_for("Ann opened a new match. Join it?");
    assert!(other.sees("waiting for a guest"), "{}", other.contents());
    let question = "Ann opened a new match. Join it?";
    answer(&mut eve, question, "n");
    eve.wait_for("You did not join the new match");
    answer(&mut bob, question, "y");
    other.wait_for("Bob joined");
    cy.keys("agree\r");
    other.wait_for("Cy watches");
    let mut typed = TypedMatch::new("tic-tac-toe", "", &["Ann", "Bob"]);
    for _ in 0..2 {
        typed.play(&mut [&mut other, &mut bob], &[0, 1]);
    }
    cy.wait_for("Bob puts O on");
}

#[test]
fn host_terminal_does_not_join_another_match_of_the_host() {
    let desk = Desk::new();
    let mut ann = desk.host("tic-tac-toe", "", &["2"]);
    desk.kill("table open");
    ann.wait_for("reconnecting");
    let mut other = desk.host("tic-tac-toe", "", &["2"]);
    ann.keys("\r").wait_for("You opened another match in another terminal");
    assert!(other.sees("waiting for a guest"), "{}", other.contents());
    other.keys(":a1\r").wait_for("last a1 Ann");
}
