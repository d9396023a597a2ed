//! A table that sends without end.

use crate::common::lines::Lines;
use crate::common::program::command;
use quadrille_net::protocol::LogChecksum;
use quadrille_rules::Setup;
use quadrille_table::catalogue;
use std::fs;
use std::io::Write;

/// Returns the greeting of a table of tic-tac-toe to Bob, who sits second and may ask engines.
fn begin() -> String {
    let entry = catalogue::find("tic-tac-toe").unwrap();
    let setup = (entry.start)(&Setup::new()).unwrap().setup().to_string();
    let have = LogChecksum::nothing("tic-tac-toe", &setup, "");
    format!(
        "quadrille-table 2 0\nwelcome 1 t\nmatch table t\nmatch game tic-tac-toe\nmatch setup {setup}\n\
         match words \nmatch hints on\nmatch person Bob\nmatch person Eve\n{have}\npresence Eve here 2\npong all\n"
    )
}

/// Returns the words for `--via` that run a script of the shell.
fn via(script: &str) -> String {
    format!("sh -c {}", shlex::try_quote(script).unwrap())
}

/// The table promises a step that never comes.
#[test]
fn guest_can_quit_before_the_match_arrives() {
    let home = tempfile::tempdir().unwrap();
    let begin = begin().replace("match words", "match steps 1\nmatch words");
    fs::write(home.path().join("begin"), begin).unwrap();
    let file = home.path().join("begin").display().to_string();
    for flood in ["yes said Eve hello", "cat >/dev/null"] {
        let via = via(&format!("cat {file}; {flood}"));
        let arguments = ["join", "--plain", "--name", "Bob", "--via", &via];
        let mut guest = command(home.path(), &arguments).spawn().unwrap();
        let (mut lines, mut stdin) = (Lines::of(&mut guest), guest.stdin.take().unwrap());
        writeln!(stdin, "a move\nquit").unwrap();
        assert!(guest.wait().unwrap().success());
        assert_eq!(lines.rest(), "", "no board was shown");
    }
}

#[test]
fn flood_before_the_match_uses_little_memory() {
    let home = tempfile::tempdir().unwrap();
    let begin = begin().replace("match words", "match steps 1\nmatch words");
    fs::write(home.path().join("begin"), begin).unwrap();
    let (file, long) = (home.path().join("begin").display().to_string(), "x".repeat(200));
    let flood = format!("yes said Eve {long} | head -n 200000");
    let end = "echo log 1 1000 1 play b2; cat >/dev/null";
    let via = via(&format!("cat {file}; {flood}; {end}"));
    let arguments = ["join", "--plain", "--name", "Bob", "--via", &via];
    let mut guest = command(home.path(), &arguments).spawn().unwrap();
    let (mut lines, mut stdin) = (Lines::of(&mut guest), guest.stdin.take().unwrap());
    lines.wait_for("Bob against Eve");
    let status = fs::read_to_string(format!("/proc/{}/status", guest.id())).unwrap();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    let kib: u64 = peak.split_whitespace().next().unwrap().parse().unwrap();
    assert!(kib < 48 << 10, "{kib} KiB");
    writeln!(stdin, "quit").unwrap();
    assert!(guest.wait().unwrap().success());
}

/// The terminal keeps the last hundred messages, and plain mode announces those that follow.
#[test]
fn plain_mode_announces_more_than_a_hundred_messages() {
    let home = tempfile::tempdir().unwrap();
    fs::write(home.path().join("begin"), begin()).unwrap();
    let file = home.path().join("begin").display().to_string();
    let chat = "for n in $(seq 150); do echo said Eve $n.; sleep 0.01; done";
    let via = via(&format!("cat {file}; {chat}; cat >/dev/null"));
    let arguments = ["join", "--plain", "--name", "Bob", "--via", &via];
    let mut guest = command(home.path(), &arguments).spawn().unwrap();
    let (mut lines, mut stdin) = (Lines::of(&mut guest), guest.stdin.take().unwrap());
    lines.wait_for("Eve says: 150.");
    writeln!(stdin, "quit").unwrap();
    assert!(guest.wait().unwrap().success());
}

#[test]
fn guest_handles_input_and_engines_during_a_table_flood() {
    let home = tempfile::tempdir().unwrap();
    fs::write(home.path().join("begin"), begin()).unwrap();
    for flood in
        ["said Eve hello", "question 7 Eve draw", "presence Eve away 2\\npresence Eve here 2"]
    {
        let script = format!("cat {}/begin; yes \"$(printf '{flood}')\"", home.path().display());
        let via = via(&script);
        let arguments = ["join", "--plain", "--name", "Bob", "--via", &via];
        let mut guest = command(home.path(), &arguments).spawn().unwrap();
        let (mut lines, mut stdin) = (Lines::of(&mut guest), guest.stdin.take().unwrap());
        lines.wait_for("Eve");
        writeln!(stdin, "score").unwrap();
        lines.wait_for("9 cells left");
        writeln!(stdin, "hint").unwrap();
        lines.wait_for("Hint: ");
        writeln!(stdin, "quit").unwrap();
        lines.wait_for("You have left the table.");
        assert!(guest.wait().unwrap().success());
    }
}
