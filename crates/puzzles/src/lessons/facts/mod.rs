//! Proofs of every sentence of every lesson, and in `puzzles` of the hints for puzzles. `GAME.txt` beside this file contains the sentences; `language` defines the
//! checks, and `lint` compares them with the sentence.
//!
//! ```text
//! # 2-forks                       the lesson
//! ## 1 title                      its title, at the step that shows what the title says
//! Forks
//!   any wins | count stops = 0
//! ## 4 right                      the step and the text: text, right, otherwise, or wrong and its number
//! Three cells win.                a sentence
//!   count wins = 3                a check and its result
//! Take one.
//!   instruction                   a sentence that states nothing, and why
//! You led both of them into it.
//!   list wins = c1
//!   except both: the players      a word to which the lint would object, and why it is right
//! ```
//!
//! A check under `title` or `text` is evaluated at the beginning of the step. A check under `right`, `otherwise` or
//! `wrong` is evaluated for every try that the text answers, and must give the same result each time.

mod board;
mod language;
mod language_tests;
mod lint;
mod puzzles;

use super::{Lesson, LessonPhase, LessonRun, all};
use language::{Moment, Solver};
use lint::Objection;
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
    // Comes from the lesson's source, or from the history in the game's rules.
    "source",
];

/// The step's number, counted from 1; the name of the text; and its sentences.
type Text = (usize, String, Vec<String>);

#[derive(Debug, Default)]
struct FactEntry {
    sentence: String,
    /// Checks, and reasons for having none.
    checks: Vec<String>,
    /// The words that the lint accepts without a check.
    exceptions: Vec<String>,
}

impl FactEntry {
    fn checks(&self) -> Vec<&str> {
        let checks = self.checks.iter().map(|check| &**check);
        checks.filter(|check| !NO_CHECK.contains(check)).collect()
    }

    fn objections(&self, game: &str) -> Vec<Objection> {
        lint::objections(game, &self.sentence, &self.checks())
    }
}

type Table = BTreeMap<(String, usize, String), Vec<FactEntry>>;

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

/// Returns the texts of a lesson, in the order of the table, with the title at the step `titled`.
fn texts(lesson: &Lesson, titled: usize) -> Vec<Text> {
    let mut texts = Vec::new();
    for (step, number) in lesson.steps.iter().zip(1..) {
        if number == titled {
            texts.push((number, "title".to_owned(), vec![lesson.title.clone()]));
        }
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
fn read_table(game: &str, text: &str) -> Table {
    let mut table = Table::new();
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
                Some(check) => {
                    let entry = entries.last_mut().unwrap();
                    match check.strip_prefix("except ") {
                        Some(word) => {
                            entry.exceptions.push(word.split_once(": ").unwrap().0.to_owned());
                        }
                        None => entry.checks.push(check.to_owned()),
                    }
                }
                None => {
                    entries.push(FactEntry { sentence: line.to_owned(), ..FactEntry::default() });
                }
            }
        }
    }
    table
}

/// Returns the moments at which the lesson shows each text of the current step.
fn moments(run: &mut LessonRun) -> BTreeMap<String, Vec<Moment>> {
    let mut moments = BTreeMap::new();
    let start = run.as_ref().copy_line();
    for at_start in ["title", "text"] {
        moments.insert(at_start.to_owned(), vec![Moment::new(&start)]);
    }
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

/// Returns whether the lesson names a source, or the game's rules contain the years in a sentence.
fn has_source(lesson: &Lesson, entry: &FactEntry) -> bool {
    let words = lint::words(&entry.sentence);
    let mut years = words.iter().filter(|word| word.parse::<u32>().is_ok()).peekable();
    let is_in_rules = |year: &String| lesson.entry.rules.contains(year.as_str());
    lesson.source.is_some() || years.peek().is_some() && years.all(is_in_rules)
}

/// Returns the faults in a lesson's table: sentences without an entry, and checks with a different result.
fn faults(lesson: &Arc<Lesson>, table: &Table) -> Vec<String> {
    let mut faults = Vec::new();
    let name = &lesson.name;
    let titled = table.keys().find(|(of, _, text)| of == name && text == "title");
    let Some((_, titled, _)) = titled else { return vec![format!("{name}: no title")] };
    let texts = texts(lesson, *titled);
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
                if entry.checks.iter().any(|reason| reason == "source")
                    && !has_source(lesson, entry)
                {
                    faults.push(format!("{place}: {:?} has no source", entry.sentence));
                }
                for check in entry.checks() {
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

/// The tables of all games.
const TABLES: [(&str, &str); 5] = [
    ("dots-and-boxes", include_str!("dots-and-boxes.txt")),
    ("join-the-dots", include_str!("join-the-dots.txt")),
    ("quixo", include_str!("quixo.txt")),
    ("tic-tac-toe", include_str!("tic-tac-toe.txt")),
    ("intersections", include_str!("intersections.txt")),
];

fn table(game: &str) -> Table {
    let (_, text) = TABLES.iter().find(|(of, _)| *of == game).unwrap();
    read_table(game, text)
}

fn all_is_proven(game: &str) {
    let table = table(game);
    let lessons = all().iter().filter(|lesson| lesson.entry.id == game);
    let faults: Vec<String> = lessons.flat_map(|lesson| faults(lesson, &table)).collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn dots_and_boxes_lesson_claims_are_proven() {
    all_is_proven("dots-and-boxes");
}

#[test]
fn join_the_dots_lesson_claims_are_proven() {
    all_is_proven("join-the-dots");
}

#[test]
fn quixo_lesson_claims_are_proven() {
    all_is_proven("quixo");
}

#[test]
fn tic_tac_toe_lesson_claims_are_proven() {
    all_is_proven("tic-tac-toe");
}

#[test]
fn intersections_lesson_claims_are_proven() {
    all_is_proven("intersections");
}

/// The maximum number of sentences without a check.
const MAX_UNCHECKED: usize = 133;

#[test]
fn checks_are_about_what_their_sentences_say() {
    let (mut checked, mut unchecked, mut excepted) = (0, 0, 0);
    let mut faults = Vec::new();
    for (game, text) in TABLES {
        for (place, entries) in read_table(game, text) {
            for entry in entries {
                if entry.checks().is_empty() {
                    unchecked += 1;
                    // A rule with a number or an absolute needs a position that shows it.
                    if !entry.checks.iter().any(|reason| reason == "rule") {
                        continue;
                    }
                } else {
                    checked += 1;
                }
                excepted += usize::from(!entry.exceptions.is_empty());
                let objections = entry.objections(game);
                let mut fault = |why: String| {
                    faults.push(format!("{place:?}: {}\n  {why}", entry.sentence));
                };
                for Objection { word, lacks } in &objections {
                    if !entry.exceptions.contains(word) {
                        fault(format!("{word}: no check has {lacks}"));
                    }
                }
                for word in &entry.exceptions {
                    if !objections.iter().any(|objection| objection.word == *word) {
                        fault(format!("{word} needs no exception"));
                    }
                }
            }
        }
    }
    println!("{checked} checked, {unchecked} unchecked, {excepted} excepted");
    assert!(faults.is_empty(), "{} objections:\n{}", faults.len(), faults.join("\n"));
    assert!(excepted * 20 <= checked, "{excepted} of {checked} sentences are excepted");
    assert!(unchecked <= MAX_UNCHECKED, "{unchecked} sentences have no check");
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
    let unproven = faults_with("  answered | cells a3 b3 c3 = OOO\n", "");
    assert!(unproven.contains("has no check"), "{unproven}");
}

/// A sentence of a table, a word to change, and the word that the lint must not accept instead.
const CHANGES: [(&str, &str, &str, &str); 10] = [
    ("tic-tac-toe", "Find one of the three cells that lead to a fork.", "three", "seven"),
    ("tic-tac-toe", "Half of the answers lose.", "Half", "All"),
    ("tic-tac-toe", "X had to take a2.", "had", "never had"),
    ("dots-and-boxes", "One line is safe.", "One", "No"),
    ("dots-and-boxes", "One line is safe.", "One", "Every"),
    ("dots-and-boxes", "Only one line is right.", "one", "two"),
    ("dots-and-boxes", "Only one line is right.", "Only one", "Every"),
    ("quixo", "Two pushes win here.", "Two", "Only these"),
    ("quixo", "Two pushes win here.", "Two", "No"),
    ("join-the-dots", "Three dots are free.", "Three", "None of the"),
];

#[test]
fn lint_objects_to_changed_sentences() {
    for (game, sentence, from, to) in CHANGES {
        let entries = table(game).into_values().flatten();
        let entry = entries.into_iter().find(|entry| entry.sentence == sentence).expect(sentence);
        assert_eq!(entry.objections(game), [], "{sentence}");
        let changed = FactEntry { sentence: sentence.replacen(from, to, 1), ..entry };
        assert_ne!(changed.objections(game), [], "{}", changed.sentence);
    }
}

/// Another number follows from the same checks only if one of them has it as well.
#[test]
fn lint_objects_to_most_changed_numbers() {
    let (mut changed, mut noticed) = (0, 0);
    for (game, text) in TABLES {
        for entry in read_table(game, text).into_values().flatten() {
            let words = lint::words(&entry.sentence);
            let checks = entry.checks();
            for at in (0..words.len()).filter(|_| !checks.is_empty()) {
                let Some(number) = lint::number(game, &words, at) else { continue };
                for other in lint::NUMBERS.iter().filter(|other| **other != words[at]) {
                    let mut words = words.clone();
                    (*other).clone_into(&mut words[at]);
                    if lint::number(game, &words, at) == Some(number) {
                        continue;
                    }
                    changed += 1;
                    let objections = lint::objections(game, &words.join(" "), &checks);
                    noticed += usize::from(objections.iter().any(|found| found.word == *other));
                }
            }
        }
    }
    assert!(noticed * 4 > changed * 3, "{noticed} of {changed}");
}
