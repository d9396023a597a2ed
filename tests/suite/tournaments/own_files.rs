//! The folder of a tournament in which somebody has put other things than files of ours.

use super::runs::{CASUAL, TournamentFolder};
use crate::common::bots::until;
use rustix::fs::{CWD, Mode, mkfifoat};
use std::fs;
use std::os::unix::fs::symlink;

const LINES: &str = "rounds = 2\ntime = \"move:600\"\n";
const NAMES: [&str; 4] = ["games/0002.game", "table.txt", "table.json", "games.jsonl"];

fn tournament() -> TournamentFolder {
    let field = TournamentFolder::new("tic-tac-toe", LINES);
    fs::create_dir_all(field.path("results/games")).unwrap();
    field
}

#[test]
fn link_targets_are_never_overwritten() {
    let field = tournament();
    for name in NAMES {
        // The link to the lines leads to an empty file, as any other would be refused.
        let text = if name == "games.jsonl" { "" } else { "mine" };
        let target = field.path(&name.replace('/', "-"));
        fs::write(&target, text).unwrap();
        symlink(&target, field.path("results").join(name)).unwrap();
    }
    field.play(&["t.toml"]);
    for name in NAMES {
        let text = if name == "games.jsonl" { "" } else { "mine" };
        assert_eq!(fs::read_to_string(field.path(&name.replace('/', "-"))).unwrap(), text);
        let there = fs::symlink_metadata(field.path("results").join(name)).unwrap();
        assert!(there.is_file() && there.len() > 10, "{name}");
    }
    assert_eq!(field.lines("results").len(), 4);
}

#[test]
fn linked_records_folder_is_refused() {
    let field = tournament();
    fs::create_dir(field.path("elsewhere")).unwrap();
    fs::remove_dir(field.path("results/games")).unwrap();
    symlink(field.path("elsewhere"), field.path("results/games")).unwrap();
    let why = field.refused(&["t.toml"], 1);
    assert!(why.starts_with("results/games: game records need a real folder"), "{why}");
    assert_eq!(fs::read_dir(field.path("elsewhere")).unwrap().count(), 0);
}

#[test]
fn pipe_in_place_of_a_file_is_refused_without_waiting() {
    for name in NAMES.into_iter().chain(["schedule.json"]) {
        let field = tournament();
        mkfifoat(CWD, field.path("results").join(name), Mode::RWXU).unwrap();
        let why = field.refused(&["t.toml"], 1);
        assert_eq!(why, format!("results/{name}: not a regular file"));
    }
}

#[test]
fn huge_hole_in_the_game_list_is_reported_at_once() {
    let field = tournament();
    field.play(&["t.toml"]);
    let path = field.path("results/games.jsonl");
    let file = fs::File::options().write(true).open(path).unwrap();
    file.set_len(300 << 30).unwrap();
    assert_eq!(
        field.refused(&["t.toml"], 1),
        "results/games.jsonl: line 5: larger than 16 MiB, too large for a line about a game"
    );
}

/// A program that waits for a file lets the test move the folder while a game is played.
#[test]
fn replaced_results_folder_is_not_written() {
    let waits = [("slow", ": >begun; until [ -e go ]; do sleep 0.01; done")];
    let field = TournamentFolder::with_programs("tic-tac-toe", LINES, &waits, CASUAL);
    let first = field.spawn(&["t.toml"]);
    until("the first move", || field.path("begun").exists());
    fs::rename(field.path("results"), field.path("moved")).unwrap();
    fs::create_dir_all(field.path("results/games")).unwrap();
    fs::write(field.path("results/schedule.json"), "another").unwrap();
    fs::write(field.path("go"), "").unwrap();
    let output = first.wait_with_output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("results/schedule.json: it was removed or replaced"), "{said}");
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(fs::read_dir(field.path("results/games")).unwrap().count(), 0);
    assert_eq!(fs::read_dir(field.path("results")).unwrap().count(), 2);
    assert!(field.lines("moved").is_empty());
}

#[test]
fn merge_refuses_files_that_are_no_records() {
    let field = tournament();
    for part in ["1/2", "2/2"] {
        field.play(&["t.toml", "--shard", part]);
    }
    let (one, two) = ("results/1-of-2", "results/2-of-2");
    let merge = ["merge", one, two, "--out", "merged"];
    let record = field.path(one).join("games/0001.game");
    let kept = fs::read(&record).unwrap();
    fs::write(field.path("empty"), "[Game \"tic-tac-toe\"]\n[Setup \"\"]\n\n").unwrap();
    fs::write(field.path("quixo"), "[Game \"quixo\"]\n[Setup \"\"]\n\n").unwrap();
    let other_game = "this is not the record of game 1";
    for (target, why) in
        [("/etc/passwd", "not a Quadrille record"), ("empty", other_game), ("quixo", other_game)]
    {
        fs::remove_file(&record).unwrap();
        // A path from the root stays as it is.
        symlink(field.path(target), &record).unwrap();
        let said = field.refused(&merge, 1);
        assert_eq!(said, format!("results/1-of-2/games/0001.game: {why}"));
        assert!(!field.path("merged").exists(), "nothing is written before all is looked at");
    }
    fs::remove_file(&record).unwrap();
    fs::write(&record, kept).unwrap();
    field.play(&merge);
    assert_eq!(field.lines("merged").len(), 4);
}
