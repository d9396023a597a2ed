//! The page about special cases of Join the Dots: its commands print the output shown there.

use crate::common::program::BINARY;
use quadrille_rules::Position;
use quadrille_rules::join_the_dots::JoinTheDots;
use std::collections::BTreeSet;
use std::env;
use std::path::Path;
use std::process::Command;

const PAGE: &str = include_str!("../../../docs/join-the-dots.md");

/// Returns the commands in the page's blocks of this language, with their output.
fn commands(language: &str) -> Vec<(&'static str, Vec<&'static str>)> {
    let begin = format!("```{language}\n");
    let blocks = PAGE.split(&begin).skip(1).filter_map(|block| block.split("```").next());
    let mut commands = Vec::new();
    for line in blocks.flat_map(str::lines) {
        match line.strip_prefix("$ ") {
            Some(command) => commands.push((command, Vec::new())),
            None => commands.last_mut().expect("a command before its output").1.push(line),
        }
    }
    commands
}

/// Returns whether a line matches the page, where `…` stands for anything.
fn is_alike(line: &str, page: &str) -> bool {
    let mut parts = page.split('…');
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = line.strip_prefix(first) else { return false };
    let parts: Vec<&str> = parts.collect();
    let Some((last, middle)) = parts.split_last() else { return rest.is_empty() };
    for part in middle {
        match rest.split_once(part) {
            Some((_, after)) => rest = after,
            None => return false,
        }
    }
    rest.ends_with(last)
}

fn hold(language: &str) {
    let home = tempfile::tempdir().unwrap();
    let folder = Path::new(BINARY).parent().unwrap();
    let path = env::join_paths(
        [folder.to_owned()].into_iter().chain(env::split_paths(&env::var_os("PATH").unwrap())),
    );
    let commands = commands(language);
    assert!(commands.len() > 5, "{language}");
    for (command, expected) in commands {
        let output = Command::new("sh")
            .args(["-c", command])
            .env("PATH", path.as_ref().unwrap())
            .env("XDG_CACHE_HOME", home.path())
            .env("LC_ALL", "C")
            .output()
            .unwrap();
        assert_eq!(String::from_utf8(output.stderr).unwrap(), "", "{command}");
        let printed = String::from_utf8(output.stdout).unwrap();
        let alike = printed.lines().count() == expected.len()
            && printed.lines().zip(&expected).all(|(line, page)| is_alike(line, page));
        assert!(alike, "{command}\n{printed}\nis on the page\n{}", expected.join("\n"));
    }
}

#[test]
fn documented_commands_print_the_documented_output() {
    hold("console");
}

#[test]
#[ignore = "takes minutes"]
fn slow_documented_commands_print_the_documented_output() {
    hold("console slow");
}

/// Counts the positions on a circle up to rotations and reflections of the whole circle.
fn positions_by_rotations(count: u32) -> usize {
    let start =
        JoinTheDots::from_setup(&format!("layout=circle:{count}").parse().unwrap()).unwrap();
    let n = count as usize;
    let mut classes = BTreeSet::new();
    let mut seen = BTreeSet::new();
    let mut open = vec![start];
    while let Some(position) = open.pop() {
        if !seen.insert((position.to_string(), position.to_move())) {
            continue;
        }
        let images = (0..2 * n).map(|image| {
            let at = |number: u8| {
                let place = usize::from(number) - 1;
                (image + if image < n { place } else { 2 * n - place }) % n
            };
            let left: BTreeSet<usize> = position.points_left().map(at).collect();
            let lines = position.lines().iter().map(|line| {
                let [a, b] = line.ends().map(at);
                [a.min(b), a.max(b)]
            });
            (left, lines.collect::<BTreeSet<_>>(), position.to_move())
        });
        classes.insert(images.min().unwrap());
        for mv in position.legal_moves() {
            let mut next = position.clone();
            next.play(mv).unwrap();
            open.push(next);
        }
    }
    classes.len()
}

#[test]
fn documented_rotation_counts_are_right() {
    let counts = (3..=7).map(|count| positions_by_rotations(count).to_string());
    let counts: Vec<String> = counts.collect();
    let (last, others) = counts.split_last().unwrap();
    let told = format!("{} and {last} with 3 to 7 points", others.join(", "));
    assert!(PAGE.contains(&told), "{told}");
}

#[test]
fn ellipsis_in_documented_output_matches_any_text() {
    assert!(is_alike("0.12 s, 3 MiB", "… s, … MiB") && is_alike("a", "a") && is_alike("ab", "a…"));
    assert!(
        !is_alike("0.12 s, 3 GiB", "… s, … MiB") && !is_alike("ab", "a") && !is_alike("b", "a…")
    );
}
