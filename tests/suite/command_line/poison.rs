//! Hostile texts in arguments, files and input: no escape sequence gets through to stdout or stderr, in any command.

use crate::common::program::{command, finish};
use std::fs;
use tempfile::TempDir;

/// A colour sequence and a bidirectional override.
const POISON: &str = "a\u{1b}[31m\u{202e}b";

struct Kitchen {
    folder: TempDir,
}

impl Kitchen {
    fn write(&self, name: &str, text: &str) {
        fs::write(self.folder.path().join(name), text).unwrap();
    }

    /// Checks the output and returns it.
    fn taste(&self, args: &[&str], typed: &str) -> String {
        let home = self.folder.path().join("home");
        let run = finish(command(&home, args).current_dir(&self.folder), typed.as_bytes());
        let printed = run.out + &run.err;
        assert!(!printed.contains(['\u{1b}', '\u{202e}']), "{args:?}: {printed:?}");
        printed
    }
}

#[cfg(unix)]
#[test]
fn no_command_prints_terminal_control_characters() {
    let kitchen = Kitchen { folder: tempfile::tempdir().unwrap() };
    let (game, json) = (&*format!("{POISON}.game"), &*format!("{POISON}.json"));
    let record = format!("[Game \"tic-tac-toe\"]\n[Setup \"\"]\n[Seat1 \"{POISON}\"]\n");
    kitchen.write(game, &format!("{record}[Result \"{POISON}\"]\n\na1 {POISON}\n"));
    kitchen.write("good.game", &format!("{record}\na1\n"));
    kitchen.write("other.game", &format!("[Game \"{POISON}\"]\n[Setup \"{POISON}\"]\n"));
    kitchen.write("points", POISON);
    // TOML needs escapes for control characters.
    let toml = "a\\u001b[31m\\u202eb";
    let settings = [
        format!("\"{toml}\" = 1"),
        format!("theme = \"{toml}\""),
        format!("[keys]\n\"{toml}\" = \"x\""),
        format!("[keys]\nundo = \"{toml}\""),
        format!("[programs.\"{toml}\"]\ncomand = 1"),
        format!("[programs.\"\\u202e {toml}\"]\ncommand = 1"),
        format!("[programs.\"\\u202eb\"]\ncommand = \"x {toml}\""),
        format!("{POISON} = 1"),
    ];
    let tournament = format!(
        "game = \"tic-tac-toe\"\nout = \"{toml}\"\ntime = \"move:600\"\nrounds = 2\n\
         [[players]]\nname = \"\\u202ex\"\nengine = \"casual\"\n[[players]]\nengine = \"beginner\"\n"
    );
    kitchen.write("t.toml", &tournament);
    kitchen.write("u.toml", &tournament.replace("casual", toml));
    let mut heard = 0;
    let mut taste = |args: &[&str], typed: &str| {
        // The text must appear in the output, or nothing was tested.
        let printed = kitchen.taste(args, typed);
        heard += usize::from(printed.contains("\\u{1b}") || printed.contains("\\u{202e}"));
        printed
    };
    for (number, text) in settings.iter().enumerate() {
        let name = format!("{number}.toml");
        kitchen.write(&name, text);
        taste(&["config", "--config", &name], "");
        taste(&["show", "good.game", "--format", "svg", "--config", &name], "");
    }
    taste(&["config", "--config", game], "");
    taste(&["config", "--config", POISON], "");
    taste(&[POISON], "");
    taste(&["--theme", POISON, "show", "good.game", "--format", "svg"], "");
    for command in ["play", "rules", "judge", "perft", "census", "completions", "engine"] {
        taste(&[command, POISON], "");
    }
    for command in ["play", "solve", "census"] {
        taste(&[command, "quixo", &format!("{POISON}=1")], "");
        taste(&[command, "join-the-dots", &format!("points=@{POISON}")], "");
    }
    taste(&["play", "join-the-dots", "points=@points", "--plain"], "");
    let names = format!("{POISON},Bob");
    let typed = format!("a1\n{POISON}\nboard\nhelp {POISON}\nscore\nb1\n");
    taste(&["play", "tic-tac-toe", "--plain", "--names", &names], &typed);
    taste(&["play", "tic-tac-toe", "--plain", "--players", POISON], "");
    taste(&["play", "tic-tac-toe", "--plain", "--record", game], "");
    taste(&["play", "tic-tac-toe", "--plain", "--record", "good.game"], "b1\n");
    taste(&["play", "tic-tac-toe", "--plain", "--record", &format!("{POISON}/x")], "");
    taste(&["resume", "--plain"], &typed);
    for command in ["show", "solve", "replay", "compliance", "tournament"] {
        for file in [game, "other.game", POISON] {
            taste(&[command, file], "");
        }
    }
    for format in ["text", "json", "trmph", POISON] {
        taste(&["show", "good.game", "--format", format], "");
        taste(&["show", game, "--format", format], "");
    }
    taste(&["show", "good.game", "--out", json], "");
    taste(&["show", "good.game", "--out", &format!("{POISON}.odd")], "");
    taste(&["show", "good.game", "--out", &format!("{POISON}/x.svg")], "");
    taste(&["solve", "tic-tac-toe", "--moves", POISON], "");
    taste(&["solve", "good.game", "--json"], "");
    taste(&["judge", "tic-tac-toe"], &format!("a1\n{POISON}\n"));
    taste(&["perft", "tic-tac-toe", POISON], "");
    taste(
        &["engine"],
        &format!("ugi\n{POISON}\nposition {POISON}\nsetoption name {POISON}\nquit\n"),
    );
    taste(&["tournament", "u.toml"], "");
    for part in ["1/2", "2/2", POISON] {
        taste(&["tournament", "t.toml", "--shard", part], "");
    }
    let part = format!("{POISON}/1-of-2");
    let merged = format!("{POISON}merged");
    taste(&["tournament", "merge", &part, "--out", &merged], "");
    let printed = taste(&["tournament", "merge", &part, "--out", &merged, "--partial"], "");
    assert!(printed.contains("merged has 2 of 4 games"), "{printed}");
    taste(&["tournament", "merge", POISON, "--out", &merged], "");
    let printed = taste(&["tournament", "t.toml"], "");
    assert!(printed.contains("Games saved in a\\u{1b}[31m\\u{202e}b/games"), "{printed}");
    taste(&["tournament", "t.toml"], "");
    assert!(heard > 40, "{heard} of them came to be printed");
}
