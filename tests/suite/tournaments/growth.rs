//! Finished tournaments that are extended by rounds, setups and players.

use super::runs::{TournamentFolder, same};
use crate::common::chance::Chance;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::thread;
use std::time::Duration;

const GAME: &str = "join-the-dots";

fn file(keys: &str, setups: &str, rounds: u32, players: &[&str]) -> String {
    let player = |name: &&str| format!("[[players]]\nname = \"{name}\"\nengine = \"casual\"\n");
    let players: String = players.iter().map(player).collect();
    format!(
        "{keys}\nsetups = [{setups}]\nrounds = {rounds}\nopenings = {{ plies = 2 }}\nmax_plies = 8\n\
         concurrency = 2\n{players}"
    )
}

/// Checks that all earlier records and result lines are unchanged.
fn holds(now: &BTreeMap<String, String>, before: &BTreeMap<String, String>) {
    for (name, text) in before.iter().filter(|(name, _)| name.contains("/games/")) {
        assert_eq!(now.get(name), Some(text), "{name}");
    }
    assert!(now["/games.jsonl"].starts_with(&before["/games.jsonl"]));
}

/// Checks that each pair met on each setup `rounds` times at each seat; in a gauntlet, each pair with the first player.
fn meets_all(field: &TournamentFolder, setups: usize, rounds: usize, meetings: usize) {
    let mut met = BTreeMap::<_, usize>::new();
    for line in field.lines("results") {
        *met.entry((line.setup, line.players)).or_default() += 1;
    }
    assert_eq!(met.len(), setups * meetings, "{met:?}");
    assert!(met.values().all(|times| *times == rounds), "{met:?}");
}

fn schedule(field: &TournamentFolder, folder: &str) -> Value {
    let head = fs::read(field.path(folder).join("schedule.json")).unwrap();
    serde_json::from_slice(&head).unwrap()
}

#[test]
fn appended_games_equal_a_single_run() {
    let two = "\"layout=circle:5..6\", \"layout=random:6 seed=1\"";
    let three = "\"layout=circle:5..6\", \"layout=random:6 seed=1..2\"";
    let given = "order = \"given\"";
    for (before, after) in [
        (file("", two, 2, &["a", "b", "c"]), file("", two, 5, &["a", "b", "c"])),
        (file(given, two, 1, &["a", "b"]), file(given, three, 1, &["a", "b"])),
    ] {
        let (grown, at_once) =
            (TournamentFolder::new(GAME, &before), TournamentFolder::new(GAME, &after));
        grown.play(&["t.toml"]);
        grown.describe(GAME, &after);
        grown.play(&["t.toml"]);
        at_once.play(&["t.toml"]);
        same(&grown.files("results"), &at_once.files("results"));
    }
}

#[test]
fn setups_and_players_may_be_added_anywhere_in_the_file() {
    let steps = [
        file("", "\"layout=circle:5..6\", \"layout=random:6 seed=1\"", 2, &["a", "b"]),
        file("", "\"layout=circle:5..7\", \"layout=random:6 seed=1..2\"", 2, &["a", "b"]),
        file("", "\"layout=circle:5..7\", \"layout=random:6 seed=1..2\"", 3, &["a", "new", "b"]),
        file("", "\"layout=circle:5..7\", \"layout=random:6 seed=1..2\"", 4, &["a", "new", "b"]),
    ];
    let kept = TournamentFolder::new(GAME, &steps[0]);
    // The schedule format of a version without `kinds` and `order`.
    kept.describe(GAME, &steps[0].replacen("setups", "order = \"given\"\nsetups", 1));
    kept.play(&["t.toml"]);
    let mut terms = schedule(&kept, "results");
    for key in ["order", "kinds"] {
        assert!(terms.as_object_mut().unwrap().remove(key).is_some(), "{key}");
    }
    fs::write(kept.path("results/schedule.json"), terms.to_string()).unwrap();
    // The other schedules begin shuffled: `alone` runs undisturbed, `killed` is killed repeatedly.
    let (alone, killed) =
        (TournamentFolder::new(GAME, &steps[0]), TournamentFolder::new(GAME, &steps[0]));
    let mut chance = Chance(3);
    for (setups, rounds, meetings, step) in
        [(3, 2, 2, &steps[0]), (5, 2, 2, &steps[1]), (5, 3, 6, &steps[2]), (5, 4, 6, &steps[3])]
    {
        for field in [&kept, &alone] {
            let before = field.path("results").exists().then(|| field.files("results"));
            field.describe(GAME, step);
            field.play(&["t.toml"]);
            meets_all(field, setups, rounds, meetings);
            let now = field.files("results");
            holds(&now, before.as_ref().unwrap_or(&now));
            field.play(&["t.toml"]);
            same(&field.files("results"), &now);
        }
        killed.describe(GAME, step);
        for _ in 0..8 {
            let mut child = killed.start(&["t.toml"]);
            thread::sleep(Duration::from_millis(chance.below(40) as u64));
            child.kill().unwrap();
            child.wait().unwrap();
        }
        killed.play(&["t.toml"]);
        same(&killed.files("results"), &alone.files("results"));
    }
    // A step that only adds rounds at the end needs no entry.
    let earlier = schedule(&alone, "results")["earlier"].as_array().unwrap().len();
    assert_eq!(earlier, 2);
    // A merge can copy an extended tournament.
    alone.play(&["merge", "results", "--out", "copy"]);
    same(&alone.files("copy"), &alone.files("results"));
    for (step, differs) in [
        (&steps[3].replace("rounds = 4", "rounds = 3"), "rounds was 4 and is 3"),
        (
            &steps[3].replace("circle:5..7", "circle:5..6"),
            "setups, entry 4, was \"layout=circle:7\"",
        ),
        (&steps[3].replace("\"b\"", "\"d\""), "players, entry 2, name was \"b\" and is \"d\""),
    ] {
        alone.describe(GAME, step);
        let said = alone.refused(&["t.toml"], 1);
        let why = "results: this folder belongs to another tournament: ";
        assert!(said.starts_with(why) && said.contains(differs), "{said}");
    }
}

#[test]
fn changes_to_played_games_are_refused() {
    let setups = "\"layout=circle:5\"";
    let file = |format: &str, rounds, players: &[&str]| {
        file(&format!("format = \"{format}\""), setups, rounds, players)
    };
    for (format, players, differs) in [
        ("gauntlet", ["new", "a", "b"], Some("players, entry 1, name was \"a\" and is \"new\"")),
        ("gauntlet", ["a", "new", "b"], None),
        ("ladder", ["a", "new", "b"], Some("players, entry 2, name was \"b\" and is \"new\"")),
        ("ladder", ["a", "b", "new"], None),
        ("round-robin", ["new", "b", "c"], Some("players, entry 1, name was \"a\" and is \"new\"")),
    ] {
        let field = TournamentFolder::new(GAME, &file(format, 1, &["a", "b"]));
        field.play(&["t.toml"]);
        let before = field.files("results");
        field.describe(GAME, &file(format, 2, &players));
        match differs {
            None => {
                field.play(&["t.toml"]);
                meets_all(&field, 1, 2, 4);
                holds(&field.files("results"), &before);
            }
            Some(what) => {
                let said = field.refused(&["t.toml"], 1);
                assert!(said.contains(&format!("tournament: {what}; undo that change")), "{said}");
                same(&field.files("results"), &before);
            }
        }
        let later = file(format, 2, &["a", "b"]).replace("max_plies = 8", "max_plies = 9");
        field.describe(GAME, &later);
        assert!(field.refused(&["t.toml"], 1).contains("max_plies was 8 and is 9"));
    }
}

#[test]
fn shards_accept_only_more_rounds_until_merged() {
    let (two, three) = ("\"layout=circle:5..6\"", "\"layout=circle:5..7\"");
    let players = ["a", "b"];
    let field = TournamentFolder::new(GAME, &file("", two, 3, &players));
    field.play(&["t.toml", "--shard", "1/2"]);
    field.describe(GAME, &file("", two, 4, &players));
    for part in ["1/2", "2/2"] {
        field.play(&["t.toml", "--shard", part]);
    }
    field.describe(GAME, &file("", three, 4, &players));
    assert_eq!(
        field.refused(&["t.toml", "--shard", "1/2"], 1),
        "results/1-of-2: there are more setups or players now, but a part can only take more rounds; undo that \
         change, or merge the parts and continue in the merged folder"
    );
    let parts = ["merge", "results/1-of-2", "results/2-of-2", "--out"];
    field.play(&[&parts[..], &["results"]].concat());
    meets_all(&field, 2, 4, 2);
    field.play(&["t.toml"]);
    meets_all(&field, 3, 4, 2);
    let said = field.refused(&[&parts[..], &["results"]].concat(), 1);
    assert!(said.contains("belongs to another tournament"), "{said}");
    meets_all(&field, 3, 4, 2);
}

/// Parts that were merged, extended by rounds and merged again give the same folder as one run.
#[test]
fn merge_extends_a_merged_folder() {
    let setups = "\"layout=circle:5..6\"";
    let (field, at_once) = (
        TournamentFolder::new(GAME, &file("", setups, 2, &["a", "b"])),
        TournamentFolder::new(GAME, &file("", setups, 5, &["a", "b"])),
    );
    let parts = ["merge", "results/1-of-2", "results/2-of-2", "--out", "merged"];
    for rounds in [2, 5] {
        field.describe(GAME, &file("", setups, rounds, &["a", "b"]));
        for part in ["1/2", "2/2"] {
            field.play(&["t.toml", "--shard", part]);
        }
        field.play(&parts);
    }
    at_once.play(&["t.toml"]);
    same(&field.files("merged"), &at_once.files("results"));
    // Fewer rounds than are there belong to another tournament.
    let fewer = TournamentFolder::new(GAME, &file("", setups, 4, &["a", "b"]));
    fewer.play(&["t.toml", "--shard", "1/2"]);
    let (part, out) = (fewer.path("results/1-of-2"), field.path("merged"));
    let words = ["merge", "--partial", part.to_str().unwrap(), "--out", out.to_str().unwrap()];
    let said = field.refused(&words, 1);
    assert!(said.contains("another tournament: rounds was 5 and is 4"), "{said}");
    same(&field.files("merged"), &at_once.files("results"));
}

/// Games that were played in the merged folder are not lost when a part is merged again.
#[test]
fn merge_keeps_games_played_in_the_merged_folder() {
    let lines =
        |out: &str| file(&format!("out = \"{out}\""), "\"layout=circle:5\"", 3, &["a", "b"]);
    let field = TournamentFolder::new(GAME, &lines("results"));
    field.play(&["t.toml", "--shard", "1/2"]);
    let part = ["merge", "--partial", "results/1-of-2", "--out", "merged"];
    field.play(&part);
    assert_eq!(field.lines("merged").len(), 4);
    field.describe(GAME, &lines("merged"));
    field.play(&["t.toml"]);
    let whole = field.files("merged");
    assert_eq!(field.lines("merged").len(), 6);
    let said = field.run(&part).stderr;
    assert!(String::from_utf8(said).unwrap().ends_with("merged has 6 of 6 games.\n"));
    same(&field.files("merged"), &whole);
}

/// An undecided test continues with the new games in schedule order.
#[test]
fn sequential_test_continues_with_more_rounds() {
    let file =
        |rounds| format!("sprt = {{ elo0 = 0, elo1 = 100 }}\nrounds = {rounds}\nconcurrency = 2");
    let (grown, at_once) = (
        TournamentFolder::new("tic-tac-toe", &file(2)),
        TournamentFolder::new("tic-tac-toe", &file(2000)),
    );
    grown.play(&["t.toml"]);
    assert_eq!(grown.lines("results").len(), 4);
    grown.describe("tic-tac-toe", &file(2000));
    grown.play(&["t.toml"]);
    at_once.play(&["t.toml"]);
    same(&grown.files("results"), &at_once.files("results"));
}
