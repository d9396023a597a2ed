//! Proofs of the themes, hints and goals of puzzles. `puzzles.txt` has two texts for each theme: its `name`, checked after
//! each solver's move that has the theme, and its `hint`, checked at the start of each puzzle that shows the hint.

use super::language::{Moment, Solver};
use super::{Table, read_table, sentences};
use crate::judge::Judge;
use crate::themes::{self, THEMES};
use crate::{Attempt, Puzzle, games, of};
use quadrille_match::session::Match;
use quadrille_table::catalogue;
use std::collections::BTreeMap;

fn table() -> Table {
    read_table("puzzles", include_str!("puzzles.txt"))
}

fn key(theme: &str, text: &str) -> (String, usize, String) {
    (format!("puzzles/{theme}"), 1, text.to_owned())
}

/// Returns the name in the table of a theme, such as `win in` of `win in 7`.
fn listed(theme: &str) -> &'static str {
    let exact = THEMES.iter().find(|(name, _)| *name == theme);
    exact.or_else(|| THEMES.iter().rev().find(|(name, _)| theme.starts_with(name))).unwrap().0
}

/// Returns the solver's moves, each with the match before it.
fn solver_moves(puzzle: &Puzzle, start: &Match) -> Vec<(Match, String)> {
    let mut game = start.copy_line();
    let mut moves = Vec::new();
    for mv in &puzzle.solution {
        if game.to_move() == start.to_move() {
            moves.push((game.copy_line(), mv.clone()));
        }
        game.play(mv).unwrap();
    }
    moves
}

/// Returns the moments of the table's texts in every `step`th puzzle of a game.
fn moments(game: &str, step: usize) -> BTreeMap<(String, usize, String), Vec<(String, Moment)>> {
    let mut moments: BTreeMap<_, Vec<(String, Moment)>> = BTreeMap::new();
    let mut judge = Judge::live(catalogue::find(game).unwrap());
    for puzzle in of(game).step_by(step) {
        let start = puzzle.position().unwrap();
        let mut add = |theme: &str, text: &str, moment: Moment| {
            moments.entry(key(listed(theme), text)).or_default().push((puzzle.id.clone(), moment));
        };
        add(&puzzle.themes[0], "hint", Moment::new(&start));
        for (at, (before, mv)) in solver_moves(puzzle, &start).into_iter().enumerate() {
            let mut after = before.copy_line();
            after.play(&mv).unwrap();
            let moment = Moment::of_a_try(&start, &before, &mv, &after);
            // The themes of results are those of the puzzle's first move.
            let (plies, value) = if at == 0 { (puzzle.plies, puzzle.value) } else { (None, 1) };
            for theme in themes::of(&[(before, mv)], plies, value, judge.engine()) {
                add(&theme, "name", moment.clone());
            }
        }
    }
    moments
}

fn faults(step: usize) -> Vec<String> {
    let (table, mut faults) = (table(), Vec::new());
    for game in games() {
        let mut solver = Solver::new(catalogue::find(game).unwrap());
        for (key, moments) in moments(game, step) {
            for entry in &table[&key] {
                for check in entry.checks() {
                    for (id, moment) in &moments {
                        if let Err(why) = solver.check(check, std::slice::from_ref(moment)) {
                            faults.push(format!(
                                "{id} {key:?}: {}\n  {check}\n  {why}",
                                entry.sentence
                            ));
                        }
                    }
                }
            }
        }
    }
    faults
}

#[test]
fn every_theme_is_listed_and_every_check_is_about_its_hint() {
    let table = table();
    for (theme, hint) in THEMES {
        for (text, said) in [("name", vec![theme.to_owned()]), ("hint", sentences(hint))] {
            let entries = &table[&key(theme, text)];
            let listed: Vec<&String> = entries.iter().map(|entry| &entry.sentence).collect();
            assert_eq!(listed, said.iter().collect::<Vec<_>>(), "{theme}");
            for entry in entries {
                assert!(!entry.checks.is_empty(), "{theme}: {} has no check", entry.sentence);
                if !entry.checks().is_empty() {
                    let objections = entry.objections("puzzles");
                    let found: Vec<&String> = objections.iter().map(|found| &found.word).collect();
                    assert_eq!(
                        found,
                        entry.exceptions.iter().collect::<Vec<_>>(),
                        "{theme} {text}"
                    );
                }
            }
        }
    }
    assert_eq!(table.len(), 2 * THEMES.len());
}

#[test]
fn themes_and_hints_of_a_sample_of_puzzles_are_true() {
    let faults = faults(11);
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
#[ignore = "takes some minutes"]
fn themes_and_hints_of_all_puzzles_are_true() {
    let faults = faults(1);
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn goals_of_a_sample_of_puzzles_are_proven() {
    for game in games() {
        let mut solver = Solver::new(catalogue::find(game).unwrap());
        for puzzle in of(game).step_by(23) {
            let goal = Attempt::new(puzzle.clone()).unwrap().goal();
            let (margin, loss) = (
                goal.strip_prefix("Win by "),
                goal.strip_prefix("Lose by ").and_then(|loss| loss.strip_suffix(" at most")),
            );
            let moves = goal.strip_prefix("Win in ").and_then(|goal| goal.split_once(" move"));
            let check = match (&*goal, margin, loss) {
                ("Hold the draw", ..) => "value = 0".to_owned(),
                // Only the table of all boards, which the puzzles are made with, proves longer wins to be shortest.
                _ if moves.is_some() => match moves.unwrap().0 {
                    moves @ ("1" | "2") => format!("win = {moves}"),
                    _ => "wins = yes".to_owned(),
                },
                (_, Some(margin), _) => format!("value = {margin}"),
                (_, _, Some(loss)) => format!("value = -{loss}"),
                _ => panic!("{}: {goal}", puzzle.id),
            };
            let moment = Moment::new(&puzzle.position().unwrap());
            assert_eq!(solver.check(&check, &[moment]), Ok(()), "{}: {goal}", puzzle.id);
        }
    }
}
