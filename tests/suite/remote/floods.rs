//! A table that sends without end.

use crate::common::lines::Lines;
use crate::common::program::command;
use quadrille::catalogue;
use quadrille::net::protocol::LogChecksum;
use quadrille::rules::Setup;
use std::fs;
use std::io::Write;

/// Returns the greeting of a table of tic-tac-toe to Bob, who sits second and may ask engines.
fn begin() -> String {
    let entry = catalogue::find("tic-tac-toe").unwrap();
    let setup = (entry.start)(&Setup::new()).unwrap().setup().to_string();
    let have = LogChecksum::nothing("tic-tac-toe", &setup, "");
    format!(
        "quadrille-table 2 0\nwelcome 1 t\nmatch table t\nmatch game tic-tac-toe\nmatch setup {setup}\n\
         match words \nmatch hints on\nmatch person Bob\nmatch person Eve\n{have}\npresence Eve here 2\n"
    )
}

#[test]
fn guest_handles_input_and_engines_during_a_table_flood() {
    let home = tempfile::tempdir().unwrap();
    fs::write(home.path().join("begin"), begin()).unwrap();
    for flood in
        ["said Eve hello", "question 7 Eve draw", "presence Eve away 2\\npresence Eve here 2"]
    {
        let script = format!("cat {}/begin; yes \"$(printf '{flood}')\"", home.path().display());
        let via = format!("sh -c {}", shlex::try_quote(&script).unwrap());
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
