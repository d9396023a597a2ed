//! The order of the players in sets with more than two seats, in folders of this build and of earlier ones.

use super::runs::{TournamentFolder, same};
use crate::common::program::BINARY;
use std::fs;
use std::path::Path;

const GAME: &str = "intersections";

fn file(out: &str) -> String {
    let player = |(name, level): (&str, &str)| {
        format!("[[players]]\nname = \"{name}\"\nengine = \"{level}\"\n")
    };
    let players = [
        ("a", "casual,seed=1"),
        ("b", "beginner,seed=2"),
        ("c", "beginner,seed=3"),
        ("d", "casual,seed=4"),
    ];
    let players = players.map(player).concat();
    format!("setups = [\"players=3 size=3 segments=6 rounds=3\"]\nout = \"{out}\"\n{players}")
}

/// Copies the folder of an earlier build that was stopped after five of twelve games.
fn copy_fixture(to: &Path) {
    let from =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/0.1/tournaments/three-seats");
    for folder in ["", "games"] {
        fs::create_dir_all(to.join(folder)).unwrap();
        for entry in fs::read_dir(from.join(folder)).unwrap() {
            let entry = entry.unwrap();
            if entry.file_type().unwrap().is_file() {
                fs::copy(entry.path(), to.join(folder).join(entry.file_name())).unwrap();
            }
        }
    }
}

/// The players of the games, in schedule order.
fn players(field: &TournamentFolder, folder: &str) -> Vec<String> {
    let mut lines = field.lines(folder);
    lines.sort_by_key(|line| line.game);
    lines.into_iter().map(|line| line.players.concat()).collect()
}

/// Each group of three in file order.
const LISTED: [&str; 12] =
    ["abc", "bca", "cab", "abd", "bda", "dab", "acd", "cda", "dac", "bcd", "cdb", "dbc"];

/// Puts a program in the place of each level.
fn with_programs(text: &str) -> String {
    let mut text = text.to_owned();
    for level in ["casual,seed=1", "beginner,seed=2", "beginner,seed=3", "casual,seed=4"] {
        let command = format!("{BINARY} engine");
        for quoted in ["engine = ", "\"engine\": "] {
            let program = quoted.replace("engine", "command");
            text =
                text.replace(&format!("{quoted}\"{level}\""), &format!("{program}\"{command}\""));
        }
    }
    text
}

#[test]
fn unfinished_folder_of_earlier_levels_is_not_continued() {
    let field = TournamentFolder::new(GAME, &file("old"));
    copy_fixture(&field.path("old"));
    let before = field.files("old");
    assert_eq!(
        field.refused(&["t.toml"], 1),
        "old: this tournament began with version 1 of the levels and cannot continue with version 2; choose another folder"
    );
    same(&field.files("old"), &before);
}

#[test]
fn folder_of_an_earlier_build_keeps_its_seat_order() {
    let field = TournamentFolder::new(GAME, &with_programs(&file("old")));
    copy_fixture(&field.path("old"));
    let head = field.path("old/schedule.json");
    let programs = with_programs(&fs::read_to_string(&head).unwrap())
        .replace(" engine\",", " engine\",\n      \"restart\": false,");
    fs::write(&head, programs).unwrap();
    let before = fs::read_to_string(field.path("old/games.jsonl")).unwrap();
    let said = field.play(&["t.toml"]);
    assert!(said.starts_with("    6  d - a - b  "), "{said}");
    assert_eq!(players(&field, "old"), LISTED);
    // Only the key `detail` is new.
    let now = fs::read_to_string(field.path("old/games.jsonl")).unwrap();
    let now = now.replace("\"detail\":null,", "");
    assert!(now.starts_with(&before), "{now}");
}

#[test]
fn new_tournaments_draw_the_seat_order() {
    let field = TournamentFolder::new(GAME, &file("new"));
    field.play(&["t.toml"]);
    let drawn = players(&field, "new");
    assert_ne!(drawn, LISTED);
    // Resumed without its last games, it is the same.
    let all = field.files("new");
    let lines = &all["/games.jsonl"];
    let part: String = lines.lines().take(4).flat_map(|line| [line, "\n"]).collect();
    fs::write(field.path("new/games.jsonl"), part).unwrap();
    field.play(&["t.toml"]);
    same(&field.files("new"), &all);
}

#[test]
fn parts_share_their_seat_order() {
    let field = TournamentFolder::new(GAME, &file("old"));
    field.play(&["t.toml", "--shard", "1/2"]);
    // As an earlier build leaves it that was killed before the first game ended.
    let head = field.path("old/1-of-2/schedule.json");
    let text = fs::read_to_string(&head).unwrap();
    assert!(text.contains("  \"seating\": \"drawn\",\n"), "{text}");
    fs::write(&head, text.replace("  \"seating\": \"drawn\",\n", "")).unwrap();
    fs::write(field.path("old/1-of-2/games.jsonl"), "").unwrap();
    // The new part follows the old one.
    for part in ["1/2", "2/2"] {
        field.play(&["t.toml", "--shard", part]);
    }
    field.play(&["merge", "old/1-of-2", "old/2-of-2", "--out", "merged"]);
    assert_eq!(players(&field, "merged"), LISTED);
    // A part that was begun elsewhere has a drawn order.
    field.describe(GAME, &file("new"));
    field.play(&["t.toml", "--shard", "2/2"]);
    assert_eq!(
        field.refused(&["merge", "old/1-of-2", "new/2-of-2", "--out", "both"], 1),
        "new/2-of-2: not a part of the tournament in old/1-of-2: seating was \"listed\" and is \"drawn\""
    );
    assert!(!field.path("both").exists());
}
