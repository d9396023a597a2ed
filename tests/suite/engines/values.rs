//! The page of values: its commands reproduce its values.

use crate::common::program::BINARY;
use std::collections::BTreeMap;
use std::env;
use std::path::Path;
use std::process::Command;

const PAGE: &str = include_str!("../../../docs/values.md");

/// Rows up to this time, in seconds of the release build, run in every `cargo test`.
const QUICK: f64 = 0.1;

/// A row of a table that ends with a command.
#[derive(Debug)]
struct Row {
    value: &'static str,
    /// In seconds, if it was run.
    time: Option<f64>,
    command: &'static str,
}

fn rows() -> Vec<Row> {
    let row = |line: &'static str| {
        let (cells, command) = line.strip_suffix("` |")?.rsplit_once(" | `")?;
        let (cells, time) = cells.rsplit_once(" | ")?;
        let (_, value) = cells.rsplit_once(" | ")?;
        let time = match time.split_once(' ') {
            Some((number, "s")) => Some(number.parse().unwrap()),
            Some((number, "min")) => Some(60.0 * number.parse::<f64>().unwrap()),
            _ => None,
        };
        Some(Row { value, time, command })
    };
    PAGE.lines().filter_map(row).collect()
}

/// Returns the value in the form of `assets/values.py`: the dots of a round, or otherwise the exact value; for several
/// positions, the count of each.
fn value(printed: &str) -> String {
    let behind = |word: &'static str, end: char| {
        let found = printed.lines().filter_map(move |line| line.strip_prefix(word));
        found.map(|rest| rest.split(end).next().unwrap()).collect::<Vec<&str>>()
    };
    let mut found = behind("round: ", ' ');
    if found.is_empty() {
        found = behind("exact: ", ',');
    }
    if let [one] = found[..] {
        return one.to_owned();
    }
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for one in found {
        *counts.entry(one).or_default() += 1;
    }
    let mut counts: Vec<(&str, usize)> = counts.into_iter().collect();
    counts.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
    let texts: Vec<String> = counts.iter().map(|(one, count)| format!("{count} × {one}")).collect();
    texts.join(", ")
}

fn hold(is_meant: impl Fn(&Row) -> bool, least: usize) {
    let home = tempfile::tempdir().unwrap();
    let folder = Path::new(BINARY).parent().unwrap();
    let path = env::join_paths(
        [folder.to_owned()].into_iter().chain(env::split_paths(&env::var_os("PATH").unwrap())),
    );
    let rows: Vec<Row> = rows().into_iter().filter(is_meant).collect();
    assert!(rows.len() >= least, "{} rows", rows.len());
    for Row { value: known, command, .. } in rows {
        let output = Command::new("sh")
            .args(["-c", command])
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .env("PATH", path.as_ref().unwrap())
            .env("XDG_CACHE_HOME", home.path())
            .env("XDG_CONFIG_HOME", home.path())
            .env("LC_ALL", "C")
            .output()
            .unwrap();
        assert_eq!(value(&String::from_utf8(output.stdout).unwrap()), known, "{command}");
    }
}

#[test]
fn documented_quick_values_are_reproduced() {
    hold(|row| row.time.is_some_and(|time| time <= QUICK), 30);
}

#[test]
#[ignore = "takes minutes in release: run by `cargo test --release -- --ignored`"]
fn documented_values_are_reproduced() {
    hold(|row| row.time.is_some_and(|time| time <= 60.0), 60);
}

#[test]
fn value_counts_repeated_results() {
    assert_eq!(
        value("exact: -3, seat 1 loses by 3\nexact: W7, seat 1 wins\nexact: -3\n"),
        "2 × -3, 1 × W7"
    );
    assert_eq!(value("round: 4 dots for the offense\nexact: =, a draw\n"), "4");
    assert_eq!(value("estimate: ~+1.0, unproven\n"), "");
}
