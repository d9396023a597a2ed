//! Returning hosts and guests, and connections that die silently.

use crate::common::lines::Lines;
use crate::common::processes::signal;
use crate::common::program::{BINARY, command};
use crate::common::terminal::Terminal;
use crate::common::two_terminals::{Desk, TypedMatch, all_see, past_the_guard, to_the_board};
use crate::common::untimed::Untimed;
use crate::common::wait::wait_until;
use rustix::process::Signal;
use std::fs;
use std::io::Write;

/// Checks that the host returns to an open table, and dismisses the invitation page.
fn is_back(mut host: Terminal) -> Terminal {
    to_the_board(&mut host);
    host
}

#[test]
fn host_returns_to_a_table_without_moves() {
    let desk = Desk::new();
    desk.host("dots-and-boxes", "size=3", &["2"]).kill();
    let at_home = |desk: &Desk| {
        let mut home = desk.run(&[]);
        home.wait_for("Resume").wait_for("open table").keys("\r");
        home
    };
    is_back(desk.run(&["resume"])).kill();
    is_back(at_home(&desk)).kill();
    is_back(desk.run(&["join", "dots-and-boxes", "--name", "Ann"])).kill();
    // Without a name, she would be a stranger at her own table.
    let mut ann = desk.run(&["join"]);
    ann.wait_for("Are you Ann, the host of this table? [y/N]").keys("y\r");
    is_back(ann).kill();
    let mut guest = desk.run(&["join"]);
    guest.wait_for("Are you Ann, the host of this table?").keys("\r").wait_for("s say");
    assert!(!guest.sees("invite"), "{}", guest.contents());
    guest.leave_by("q");
    // Leaving with q works the same.
    is_back(desk.run(&["resume"])).leave_by("qq");
    let mut ann = is_back(at_home(&desk));
    let mut bob = desk.run(&["join", "--name", "Bob"]);
    all_see(&[&ann, &bob], "Bob");
    let mut typed = TypedMatch::new("dots-and-boxes", "size=3", &["Ann", "Bob"]);
    typed.play_to_the_end(&mut [&mut ann, &mut bob], &[0, 1]);
    // After a rematch there are no moves either.
    all_see(&[&ann, &bob], "View the board");
    past_the_guard();
    ann.click("Rematch  ");
    bob.wait_for("Ann asks for a rematch").click("Rematch  ");
    bob.wait_for("Ann is to move");
    ann.kill();
    bob.wait_for("Ann is away");
    let mut ann = desk.run(&["resume"]);
    ann.wait_for("s say");
    bob.wait_for("Ann is back");
    assert!(!ann.sees("invite"), "everybody is there");
}

#[test]
fn invite_page_closes_when_a_guest_joins() {
    let desk = Desk::new();
    let words = ["play", "tic-tac-toe", "--names", "Ann", "--seat", "2=guest", "--clock", "300+0"];
    let mut ann = desk.run(&words);
    ann.wait_for("invite");
    let bells = ann.times_written("\x07");
    let mut bob = desk.run(&["join", "--name", "Bob"]);
    ann.wait_for("Bob joined");
    assert!(!ann.sees("invite") && ann.times_written("\x07") > bells);
    // Both are connected, so the clock starts at once.
    for terminal in [&mut ann, &mut bob] {
        let before = terminal.contents();
        terminal.wait_until("a running clock", |terminal| terminal.contents() != before);
    }
    past_the_guard();
    ann.keys(":b2\r");
    bob.wait_for("last b2 Ann");
}

/// The process that carries the connection stops without closing anything.
#[test]
fn silent_dead_line_is_detected_at_both_ends() {
    let desk = Desk::new();
    let mut ann = desk.host("quixo", "size=3", &["2"]);
    let via = format!("{BINARY} table connect quixo");
    let mut bob = desk.run(&["join", "--via", &via, "--name", "Bob"]);
    all_see(&[&ann, &bob], "Bob");
    let mut typed = TypedMatch::new("quixo", "size=3", &["Ann", "Bob"]);
    typed.play(&mut [&mut ann, &mut bob], &[0, 1]);
    let helper = desk.running("table connect quixo");
    assert_eq!(helper.len(), 1);
    signal(helper[0], Signal::STOP);
    // Bob's move is in flight now.
    let mv = typed.choose();
    bob.keys(&format!(":{mv}\r"));
    typed.session_mut().play(&mv).unwrap();
    all_see(&[&ann, &bob], "reconnecting");
    ann.wait_for("Bob is back");
    all_see(&[&ann, &bob], &typed.last());
    // A stopped terminal has the same effect.
    signal(bob.process(), Signal::STOP);
    ann.wait_for("Bob is reconnecting");
    signal(bob.process(), Signal::CONT);
    ann.wait_for("Bob is back");
    bob.wait_until("line", |bob| !bob.sees("reconnecting"));
    past_the_guard();
    typed.play_to_the_end(&mut [&mut ann, &mut bob], &[0, 1]);
}

#[test]
fn reopening_a_table_asks_before_starting_programs() {
    let desk = Desk::new();
    let bot = desk.home().join("bot");
    let script =
        format!("#!/bin/sh\ntouch {0}/started\nexec {BINARY} engine\n", desk.home().display());
    fs::write(&bot, script).unwrap();
    fs::set_permissions(&bot, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let seat = format!("3=cmd,nodes=100:{}", bot.display());
    let words = ["play", "intersections", "players=3", "--names", "Ann", "--seat", "2=guest"];
    let mut ann = desk.run(&[&words[..], &["--seat", &seat]].concat());
    to_the_board(&mut ann);
    let mut bob = desk.run(&["join", "--name", "Bob"]);
    all_see(&[&ann, &bob], "Bob");
    let names = ["Ann", "Bob", "bot"];
    let mut typed = TypedMatch::new("intersections", "players=3", &names);
    typed.play(&mut [&mut ann, &mut bob], &[0, 1]);
    ann.keys("\x1b").wait_for("At the table");
    ann.click("Save and close table");
    bob.wait_for("closed");
    ann.leave_by("qq");
    wait_until("end of the table", String::new, || desk.running("table open").is_empty());
    let started = desk.home().join("started");
    let _ = fs::remove_file(&started);
    // It is Bob's turn, and the program has not been started.
    let mut ann = desk.run(&["resume"]);
    ann.wait_for("Start this program?");
    assert!(!started.exists() && desk.running("table open").is_empty());
    ann.click("Not now");
    ann.wait_for("press Enter to open one").keys("\r").wait_for("Start this program?");
    ann.keys("\r");
    to_the_board(&mut ann);
    bob = desk.run(&["join", "--name", "Bob"]);
    all_see(&[&ann, &bob], "Bob");
    typed.play(&mut [&mut ann, &mut bob], &[0, 1]);
    wait_until("program", || ann.contents(), || started.exists());
}

#[test]
fn match_stays_listed_if_its_table_cannot_open() {
    let desk = Desk::new();
    let mut ann = desk.host("tic-tac-toe", "", &["2"]);
    ann.keys(":b2\r").wait_for("last b2 Ann");
    ann.kill();
    desk.kill("table open");
    let runtime = tempfile::tempdir().unwrap();
    fs::write(runtime.path().join("quadrille"), "").unwrap();
    let broken = desk.with_env("XDG_RUNTIME_DIR", runtime.path());
    let mut ann = broken.run(&[]);
    ann.wait_for("Resume").keys("\r").wait_for("cannot open a table");
    assert!(ann.sees("Resume"), "{}", ann.contents());
    fs::remove_file(runtime.path().join("quadrille")).unwrap();
    ann.keys("\r");
    to_the_board(&mut ann);
    ann.wait_for("last b2 Ann");
}

/// A guest who comes through ssh -t runs as the host's user.
#[test]
fn stored_names_exclude_guest_names() {
    let desk = Desk::new().with_env("USER", "ann");
    let mut host = desk.run(&["play", "tic-tac-toe", "--seat", "2=guest"]);
    to_the_board(&mut host);
    let mut bob = desk.run(&["join", "--name", "Bob"]);
    all_see(&[&host, &bob], "Bob");
    all_see(&[&host, &bob], "ann");
    host.keys(":b2\r");
    bob.wait_for("last b2 ann").keys(":a1\r");
    host.wait_for("last a1 Bob");
    bob.leave_by("q");
    let mut guest = desk.run(&["join"]);
    host.wait_for("Guest");
    guest.wait_for("Guest");
    let stored = |folder: &std::path::Path| -> String {
        let files = fs::read_dir(folder).unwrap().flatten().map(|entry| entry.path());
        let files = files.filter(|path| path.is_file());
        files.map(|path| fs::read_to_string(path).unwrap_or_default()).collect()
    };
    let names = stored(&desk.home().join("quadrille"));
    assert!(names.contains("ann") && !names.contains("Bob") && !names.contains("Guest"), "{names}");
}

#[test]
fn plain_mode_guest_gets_the_current_standing() {
    let desk = Desk::new();
    let mut ann = desk.host("tic-tac-toe", "", &["2"]);
    ann.keys(":b2\r").wait_for("last b2 Ann");
    let mut bob = desk.run(&["join", "--plain", "--name", "Bob"]);
    bob.wait_for("Bob to move");
    let text = bob.contents();
    let at = |words: &str| text.find(words).unwrap_or_else(|| panic!("no {words} in\n{text}"));
    assert!(
        at("X") < at("Ann puts X on b2") && at("Ann puts X on b2") < at("Bob to move"),
        "{text}"
    );
    assert!(!text.contains("Ann to move"), "{text}");
}

#[test]
fn plain_mode_announces_every_drop_and_every_return() {
    let desk = Desk::new();
    let mut ann = desk.host("quixo", "size=3", &["2"]);
    let mut bob = command(desk.home(), &["join", "--plain", "--name", "Bob"]);
    let mut bob = bob.args(["--via", &desk.connect_to("quixo")]).spawn().unwrap();
    let (mut said, mut types) = (Lines::of(&mut bob), bob.stdin.take().unwrap());
    said.wait_for("Ann to move");
    ann.wait_for("Bob joined");
    for _ in 0..3 {
        desk.kill("table connect quixo");
        said.wait_for("Reconnecting; Enter to retry");
        writeln!(types).unwrap();
        said.wait_for("Reconnected.");
    }
    writeln!(types, "quit").unwrap();
    said.wait_for("You have left the table.");
    assert!(bob.wait().unwrap().success());
}

/// A fake ssh to a machine that requires a password: it fails in `BatchMode`, and asks otherwise.
const ASKS_FOR_PASSWORD: &str = r#"#!/bin/sh
case "$*" in
*BatchMode=yes*) echo "ann@far: Permission denied (publickey,password)." >&2; exit 255 ;;
esac
printf 'password: ' > /dev/tty
read -r password < /dev/tty
[ "$password" = secret ] || { echo "ann@far: Permission denied (publickey,password)." >&2; exit 255; }
exec "$QUADRILLE" table connect quixo
"#;

#[test]
fn ssh_password_can_be_typed_again_after_a_drop() {
    let desk = Desk::new();
    let mut ann = desk.host("quixo", "size=3", &["2"]);
    let ssh = desk.home().join("ssh");
    fs::write(&ssh, ASKS_FOR_PASSWORD).unwrap();
    let desk = desk.with_env("QUADRILLE", BINARY);
    let desk = desk.with_env("QUADRILLE_SSH", format!("sh {}", ssh.display()));
    let mut bob = desk.run(&["join", "ann@far", "--name", "Bob"]);
    bob.wait_for("password:").keys("secret\r");
    all_see(&[&ann, &bob], "Bob");
    let mut typed = TypedMatch::new("quixo", "size=3", &["Ann", "Bob"]);
    typed.play(&mut [&mut ann, &mut bob], &[0, 1]);
    desk.kill("table connect quixo");
    // A wrong password changes nothing.
    for (asked, password) in [(2, "wrong\r"), (3, "secret\r")] {
        bob.wait_for("press Enter to log in to ssh again").keys("\r");
        bob.wait_until("question", |bob| bob.times_written("password: ") == asked).keys(password);
    }
    ann.wait_for("Bob is back");
    bob.wait_until("line", |bob| bob.sees("s say") && !bob.sees("disconnected"));
    past_the_guard();
    typed.play_to_the_end(&mut [&mut ann, &mut bob], &[0, 1]);
}
