//! Proofs of every sentence of every lesson. `GAME.txt` beside this file contains the sentences; `language` defines the
//! checks.
//!
//! ```text
//! # 2-forks                       the lesson
//! ## 4 right                      the step and the text: text, right, otherwise, or wrong and its number
//! Three cells win.                a sentence
//!   count wins = 3                a check and its result
//! Take one.
//!   instruction                   a sentence that states nothing, and why
//! ```
//!
//! A check under `text` is evaluated at the beginning of the step. A check under `right`, `otherwise` or `wrong` is
//! evaluated for every try that the text answers, and must give the same result each time.

mod language;

use super::{Lesson, LessonPhase, LessonRun, all};
use language::{Moment, Solver};
use quadrille_match::session::Match;
use quadrille_rules::Scores;
use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

/// Reasons why a sentence does not need a check.
const NO_CHECK: [&str; 6] = [
    // An instruction, a question or a wish.
    "instruction",
    "question",
    // A rule, a definition, or a statement ensured by the rules or by the lesson prover.
    "rule",
    "term",
    // Recommends a general habit for other positions.
    "advice",
    // Comes from the lesson's source.
    "source",
];

/// The step's number, counted from 1; the name of the text; and its sentences.
type Text = (usize, String, Vec<String>);

#[derive(Debug, Default)]
struct FactEntry {
    sentence: String,
    checks: Vec<String>,
}

fn sentences(text: &str) -> Vec<String> {
    let mut sentences = vec![String::new()];
    for word in text.split(' ') {
        let last = sentences.last_mut().unwrap();
        if !last.is_empty() {
            last.push(' ');
        }
        last.push_str(word);
        if word.ends_with(['.', '!', '?']) {
            sentences.push(String::new());
        }
    }
    sentences.retain(|sentence| !sentence.is_empty());
    sentences
}

/// Returns the texts of a lesson, in the order of the table.
fn texts(lesson: &Lesson) -> Vec<Text> {
    let mut texts = Vec::new();
    for (step, number) in lesson.steps.iter().zip(1..) {
        let mut add = |name: String, text: &str| {
            if !text.is_empty() {
                texts.push((number, name, sentences(text)));
            }
        };
        add("text".to_owned(), &step.text);
        add("right".to_owned(), &step.right);
        add("otherwise".to_owned(), &step.otherwise);
        for (wrong, number) in step.wrong.iter().zip(1..) {
            add(format!("wrong {number}"), &wrong.text);
        }
    }
    texts
}

/// Returns the entries of a table, keyed by lesson, step and text.
fn read_table(game: &str, text: &str) -> BTreeMap<(String, usize, String), Vec<FactEntry>> {
    let mut table: BTreeMap<_, Vec<FactEntry>> = BTreeMap::new();
    let (mut lesson, mut key) = (String::new(), None);
    for line in text.lines().filter(|line| !line.is_empty()) {
        if let Some(heading) = line.strip_prefix("## ") {
            let (step, text) = heading.split_once(' ').unwrap();
            let new = (lesson.clone(), step.parse().unwrap(), text.to_owned());
            assert!(table.insert(new.clone(), Vec::new()).is_none(), "{new:?} is there twice");
            key = Some(new);
        } else if let Some(name) = line.strip_prefix("# ") {
            (lesson, key) = (format!("{game}/{name}"), None);
        } else {
            let entries = table.get_mut(key.as_ref().unwrap()).unwrap();
            match line.strip_prefix("  ") {
                Some(check) => entries.last_mut().unwrap().checks.push(check.to_owned()),
                None => entries.push(FactEntry { sentence: line.to_owned(), checks: Vec::new() }),
            }
        }
    }
    table
}

/// Returns the moments at which the lesson shows each text of the current step.
fn moments(run: &mut LessonRun) -> BTreeMap<String, Vec<Moment>> {
    let mut moments = BTreeMap::new();
    let start = run.as_ref().copy_line();
    moments.insert("text".to_owned(), vec![Moment::new(&start)]);
    if run.asks() {
        try_all(run, &start, &mut HashSet::new(), &mut moments);
    }
    moments
}

fn try_all(
    run: &mut LessonRun,
    start: &Match,
    seen: &mut HashSet<(String, Option<Scores>)>,
    moments: &mut BTreeMap<String, Vec<Moment>>,
) {
    let before = run.as_ref().copy_line();
    // A won game of Quixo can continue forever, so follow only the quickest win.
    let follows = if start.id() == "quixo" { run.hint() } else { None };
    for mv in before.legal_moves() {
        run.try_move(&mv).unwrap();
        let name = match run.phase() {
            LessonPhase::Right => "right".to_owned(),
            LessonPhase::Wrong { says, .. } => {
                let named = run.step().wrong.iter().position(|wrong| wrong.text == *says);
                named.map_or("otherwise".to_owned(), |at| format!("wrong {}", at + 1))
            }
            LessonPhase::Asked | LessonPhase::Over => {
                let now = run.as_ref();
                let is_followed = follows.as_ref().is_none_or(|hint| *hint == mv);
                if is_followed && seen.insert((now.board(), now.scores())) {
                    try_all(run, start, seen, moments);
                }
                assert!(run.undo());
                continue;
            }
        };
        let moment = Moment::of_a_try(start, &before, &mv, run.as_ref());
        moments.entry(name).or_default().push(moment);
        assert!(run.undo());
    }
}

/// Returns the faults in a lesson's table: sentences without an entry, and checks with a different result.
fn faults(
    lesson: &Arc<Lesson>,
    table: &BTreeMap<(String, usize, String), Vec<FactEntry>>,
) -> Vec<String> {
    let mut faults = Vec::new();
    let name = &lesson.name;
    let texts = texts(lesson);
    for (key, _) in table.iter().filter(|((of, ..), _)| of == name) {
        if !texts.iter().any(|(step, text, _)| (*step, text) == (key.1, &key.2)) {
            faults.push(format!("{name} {} {}: no such text", key.1, key.2));
        }
    }
    let mut run = LessonRun::new(lesson.clone());
    let mut solver = Solver::new(lesson.entry);
    for number in 1..=lesson.steps.len() {
        let moments = moments(&mut run);
        for (_, text, sentences) in texts.iter().filter(|(step, ..)| *step == number) {
            let place = format!("{name} {number} {text}");
            let entries = table.get(&(name.clone(), number, text.clone()));
            let entries = entries.map(Vec::as_slice).unwrap_or_default();
            let listed: Vec<&String> = entries.iter().map(|entry| &entry.sentence).collect();
            if listed != sentences.iter().collect::<Vec<_>>() {
                faults.push(format!(
                    "{place}: the lesson says {sentences:#?}, the table {listed:#?}"
                ));
                continue;
            }
            let Some(moments) = moments.get(text) else {
                faults.push(format!("{place}: no try leads to this text"));
                continue;
            };
            for entry in entries {
                if entry.checks.is_empty() {
                    faults.push(format!("{place}: {:?} has no check", entry.sentence));
                }
                for check in entry.checks.iter().filter(|check| !NO_CHECK.contains(&&***check)) {
                    if let Err(why) = solver.check(check, moments) {
                        faults.push(format!("{place}: {}\n  {check}\n  {why}", entry.sentence));
                    }
                }
            }
        }
        run.skip();
    }
    faults
}

fn all_is_proven(game: &str, table: &str) {
    let table = read_table(game, table);
    let lessons = all().iter().filter(|lesson| lesson.entry.id == game);
    let faults: Vec<String> = lessons.flat_map(|lesson| faults(lesson, &table)).collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn dots_and_boxes_lesson_claims_are_proven() {
    all_is_proven("dots-and-boxes", include_str!("dots-and-boxes.txt"));
}

#[test]
fn join_the_dots_lesson_claims_are_proven() {
    all_is_proven("join-the-dots", include_str!("join-the-dots.txt"));
}

#[test]
fn quixo_lesson_claims_are_proven() {
    all_is_proven("quixo", include_str!("quixo.txt"));
}

#[test]
fn tic_tac_toe_lesson_claims_are_proven() {
    all_is_proven("tic-tac-toe", include_str!("tic-tac-toe.txt"));
}

#[test]
fn intersections_lesson_claims_are_proven() {
    all_is_proven("intersections", include_str!("intersections.txt"));
}

/// Shows that the tests in this module can fail.
#[test]
fn fact_checker_finds_false_and_missing_checks() {
    let lesson = all().iter().find(|lesson| lesson.name == "tic-tac-toe/2-forks").unwrap();
    let text = include_str!("tic-tac-toe.txt");
    let faults_with = |from: &str, to: &str| {
        let lines = |faults: Vec<String>| faults.join("\n");
        assert!(text.contains(from));
        lines(faults(lesson, &read_table("tic-tac-toe", &text.replacen(from, to, 1))))
    };
    assert_eq!(faults_with("#", "#"), "");
    let wrong = faults_with("list wins = a2 a3 b2", "list wins = a2 a3");
    assert!(wrong.contains("is a2 a3 b2 after"), "{wrong}");
    let changed = faults_with("You are X, with two corners.", "You are O, with two corners.");
    assert!(changed.contains("the lesson says"), "{changed}");
    let unproven = faults_with("  list wins = a2 a3 b2\n", "");
    assert!(unproven.contains("has no check"), "{unproven}");
}
