//! The example tournaments can be read by the program, and have a schedule. Those that come out the same each time are
//! played.

use crate::common::program::run_in;
use quadrille_arena::tournament::{Schedule, read};
use quadrille_text::toml_file::Source;
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use tempfile::TempDir;

/// How many games an example has.
#[track_caller]
fn games(file: &str, text: &str) -> u64 {
    let plan = read(Source { file, text }, &|_, _| Ok(()));
    let plan = plan.unwrap_or_else(|why| panic!("{why}"));
    Schedule::new(Arc::new(plan)).unwrap_or_else(|why| panic!("{file}: {why}")).games()
}

fn text(path: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap()
}

/// How many games each of the files has.
const GAMES: &str = "circle 84, random 60, clustered 90, gauntlet 78, sprt 800, maps 7200, \
    levels-dots-and-boxes-4 600, levels-dots-and-boxes-5 600, levels-intersections-4 600, \
    levels-intersections-5 600, levels-join-the-dots-10 600, levels-join-the-dots-16 600, \
    levels-quixo-4 600, levels-quixo-5 600, levels-tic-tac-toe 600, puzzles-dots-and-boxes 2160, \
    puzzles-intersections 1440, puzzles-join-the-dots 1740, puzzles-quixo 1200";

#[test]
fn example_tournament_files_are_valid() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/tournaments");
    let files = fs::read_dir(folder).unwrap().map(|file| file.unwrap().path());
    let found = files.filter_map(|path| {
        let name = path.file_name()?.to_str()?.strip_suffix(".toml")?.to_owned();
        let games = games(&name, &fs::read_to_string(&path).unwrap());
        Some(format!("{name} {games}"))
    });
    let expected: BTreeSet<String> = GAMES.split(", ").map(str::to_owned).collect();
    assert_eq!(found.collect::<BTreeSet<_>>(), expected);
}

/// Plays an example, and returns the folder with its results.
fn played(name: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let file = format!("{name}.toml");
    fs::write(folder.path().join(&file), text(&format!("assets/tournaments/{file}"))).unwrap();
    let run = run_in(folder.path(), &["tournament", &file, "--plain"], b"");
    assert_eq!(run.status, 0, "{}", run.err);
    folder
}

#[test]
fn documented_table_is_reproduced() {
    let folder = played("circle");
    let table = fs::read_to_string(folder.path().join("circle/table.txt")).unwrap();
    assert!(text("docs/tournaments.md").contains(&format!("```\n{table}```")), "{table}");
    assert_errors(folder.path().join("circle").as_path());
}

#[test]
fn clustered_example_reports_results_by_kind() {
    let folder = played("clustered");
    let table = fs::read_to_string(folder.path().join("clustered/table.txt")).unwrap();
    assert!(table.contains("\nby kind of setup "), "{table}");
    for kind in ["layout=random:12", "layout=clustered:12", "layout=grid:12"] {
        assert!(table.contains(&format!("\n{kind}\n")), "{table}");
    }
    assert!(!table.contains(" - \n"), "every player has an error on every kind: {table}");
}

/// Holds the errors in a table of three players to what the page says, worked out by other means: the covariance of the
/// ratings is J S J, with J the inverse of their information on a scale whose mean is 0, and S the scatter of the sets;
/// and the error is multiplied by √(n/(n−k+1)).
fn assert_errors(results: &Path) {
    let table = fs::read_to_string(results.join("table.json")).unwrap();
    let table: Value = serde_json::from_str(&table).unwrap();
    let players = table["players"].as_array().unwrap();
    assert_eq!(players.len(), 3);
    let number = |player: &Value, key: &str| player[key].as_f64().unwrap();
    let place = |name: &Value| players.iter().position(|player| player["name"] == *name).unwrap();
    let expected = |i: usize, j: usize| {
        let difference = number(&players[i], "elo") - number(&players[j], "elo");
        1.0 / (1.0 + 10_f64.powf(-difference / 400.0))
    };
    let games = fs::read_to_string(results.join("games.jsonl")).unwrap();
    let games: Vec<Value> = games.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let mut information = [[1.0 / 3.0; 3]; 3];
    let mut scatter = [[0.0; 3]; 3];
    for set in games.chunks(2) {
        let mut beyond = [0.0; 3];
        for game in set {
            let [i, j] = [0, 1].map(|seat| place(&game["players"][seat]));
            let p = expected(i, j);
            beyond[i] += game["points"][0].as_f64().unwrap() - p;
            beyond[j] += game["points"][1].as_f64().unwrap() - (1.0 - p);
            for (a, b, sign) in [(i, i, 1.0), (j, j, 1.0), (i, j, -1.0), (j, i, -1.0)] {
                information[a][b] += sign * p * (1.0 - p);
            }
        }
        for (a, row) in scatter.iter_mut().enumerate() {
            for (b, cell) in row.iter_mut().enumerate() {
                *cell += beyond[a] * beyond[b];
            }
        }
    }
    let inverse = inverse(information);
    let sets = games.len() as f64 / 2.0;
    let factor = (sets / (sets - 3.0 + 1.0)).sqrt();
    for (i, player) in players.iter().enumerate() {
        // What is in the direction of the mean of all is left out, as the scatter has nothing there.
        let weights: Vec<f64> = inverse[i].iter().map(|cell| cell - 1.0 / 3.0).collect();
        let terms = (0..9).map(|n| weights[n / 3] * scatter[n / 3][n % 3] * weights[n % 3]);
        let error = 1.96 * 400.0 / 10_f64.ln() * terms.sum::<f64>().sqrt() * factor;
        assert!((error - number(player, "error")).abs() < 0.1, "{error} for {player}");
    }
}

fn inverse(m: [[f64; 3]; 3]) -> [[f64; 3]; 3] {
    let cofactor = |i: usize, j: usize| {
        let [rows, columns] = [i, j].map(|index| [(index + 1) % 3, (index + 2) % 3]);
        let at = |row: usize, column: usize| m[rows[row]][columns[column]];
        at(0, 0) * at(1, 1) - at(0, 1) * at(1, 0)
    };
    let determinant: f64 = (0..3).map(|j| m[0][j] * cofactor(0, j)).sum();
    [0, 1, 2].map(|i| [0, 1, 2].map(|j| cofactor(j, i) / determinant))
}

/// The table of the tournament over all kinds of maps, on the page about the game.
#[test]
fn documented_maps_table_lists_its_players_and_kinds() {
    let file = text("assets/tournaments/maps.toml");
    let page = text("docs/join-the-dots.md");
    let table = page.split("by kind of setup ").nth(1).unwrap().split("```").next().unwrap();
    let quoted = |line: &'static str, key: &str| -> Option<&'static str> {
        line.strip_prefix(key)?.strip_prefix(" = \"")?.strip_suffix('"')
    };
    let file: &'static str = file.leak();
    let values = |key: &str| file.lines().filter_map(|line| quoted(line, key)).collect::<Vec<_>>();
    let kinds = values("kind");
    assert_eq!(kinds.len(), 8);
    let mut players = values("engine");
    players.extend(values("name"));
    assert_eq!(players.len(), 6);
    for kind in &kinds {
        let rows = table.split(&format!("\n{kind}\n")).nth(1).unwrap_or_else(|| panic!("{kind}"));
        let rows: Vec<&str> = rows.lines().take(players.len()).collect();
        for player in &players {
            let is_row = |row: &&&str| row.trim_start().to_lowercase().starts_with(player);
            assert_eq!(rows.iter().filter(is_row).count(), 1, "{player} on {kind}");
        }
    }
}

#[test]
fn documented_tournament_files_are_valid() {
    let page = "docs/tournaments.md";
    let text = text(page);
    let blocks = text.split("```toml\n").skip(1).filter_map(|block| block.split("```").next());
    let blocks: Vec<_> = blocks.filter(|block| block.contains("[[players]]")).collect();
    assert_eq!(blocks.len(), 1, "{page}");
    assert!(blocks.iter().all(|block| games(page, block) > 0));
}

/// Every key can be looked up on the page.
#[test]
fn tournament_page_documents_all_keys_and_fields() {
    let page = text("docs/tournaments.md");
    let nonsense = read(Source { file: "t", text: "nonsense = 1" }, &|_, _| Ok(())).unwrap_err();
    let nonsense = nonsense.to_string();
    let keys = nonsense.split("the keys here are ").last().unwrap().split(", ");
    for key in keys.chain(["termination", "illegal move", "no answer", "elo_above", "lost_by"]) {
        assert!(
            page.contains(&format!("`{key}")) || page.contains(&format!("`[[{key}]]`")),
            "{key}"
        );
    }
}
