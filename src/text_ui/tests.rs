//! Tests of dialogues without a loop, engines or a disk.

use super::TextUi;
use crate::app::{App, RecordSummary};
use crate::board::Skin;
use crate::settings::Settings;
use quadrille_arena::tournament::{LiveTournament, Results, UnderWay};
use quadrille_table::catalogue::GAMES;

/// Returns the output for these lines, after the greeting.
fn said(lines: &[&str]) -> Vec<String> {
    said_by(App::new(Skin::default(), 1), lines)
}

fn said_by(mut app: App, lines: &[&str]) -> Vec<String> {
    let mut ui = TextUi::default();
    ui.announce(&app);
    let mut said = Vec::new();
    for line in lines {
        let mut next = Some((*line).to_owned());
        while let Some(line) = next {
            ui.hear(&line, &mut app);
            said.extend(ui.announce(&app));
            while app.skip_pause().is_some() || ui.close_what_was_read(&mut app).is_some() {
                said.extend(ui.announce(&app));
            }
            next = ui.next_line(&app);
        }
    }
    said
}

fn has(said: &[String], line: &str) {
    assert!(said.iter().any(|text| text == line), "no {line:?} in {said:#?}");
}

#[test]
fn a_match_is_set_up_and_played_in_lines() {
    let said = said(&["ttt 1=Ann 2=Bob", "start", "b2", "b2", "a1", "undo", "moves", "nonsense"]);
    has(&said, "Tic-tac-toe, 3 x 3 cells. Ann against Bob.");
    has(&said, "Ann puts X on b2. Bob to move.");
    has(&said, "Bob puts O on a1. Ann to move.");
    has(&said, "Bob's a1 is taken back. Bob to move.");
    has(&said, "8 moves: a1, a2, a3, b1, b3, c1, c2, c3.");
    assert!(
        said.iter()
            .any(|line| line.starts_with("\"nonsense\" is neither a command nor a legal move: "))
    );
}

#[test]
fn board_commands_work_after_the_match_ends() {
    let lines = ["ttt 1=Ann 2=Bob", "start", "a1", "b1", "a2", "b2", "a3", "undo", "score"];
    let said = said(&lines);
    has(&said, "Ann puts X on a3 and has three in a row: a1, a2 and a3. Ann wins.");
    has(&said, "Ann's a3 is taken back. Ann to move.");
}

#[test]
fn learn_command_opens_a_lesson_step_by_step() {
    let said = said(&["learn ttt 1"]);
    assert!(said.iter().any(|line| line.contains(", step 1 of ")), "{said:#?}");
}

#[test]
fn rules_command_shows_each_game() {
    let said = said(&["rules quixo", "rules dots"]);
    has(&said, "Quixo, the rules.");
    has(&said, "Dots and Boxes, the rules.");
}

#[test]
fn tournament_lists_standings_and_running_games() {
    let names = vec!["Ann".to_owned(), "Bob".to_owned()];
    let Some(entry) = GAMES.iter().find(|entry| entry.id == "dots-and-boxes") else { return };
    let live = LiveTournament::new(entry, Results::new(names.clone(), &[]), 40);
    live.begins(UnderWay {
        game: 1,
        setup: "size=3".to_owned(),
        players: names,
        opening: 0,
        moves: Vec::new(),
        left: Vec::new(),
        clock: None,
    });
    let app = App::new(Skin::default(), 1).with_tournament(live);
    let said = TextUi::default().announce(&app);
    has(&said, "Dots and Boxes, tournament.");
    has(&said, "0 of 40 games.");
    has(&said, "Game 1: Ann - Bob, 0-0, move 0.");
    has(&said, "1 Ann: 0 points from 0 games.");
}

/// Returns the output for these lines after a match of Ann and Bob has begun.
fn said_in_match(lines: &[&str]) -> Vec<String> {
    said(&[&["ttt 1=Ann 2=Bob", "start"], lines].concat())
}

fn confirming() -> App {
    let settings = Settings { confirm: true, ..Settings::default() };
    App::new(Skin::default(), 1).with_settings(settings, String::new())
}

#[test]
fn yes_and_no_answer_the_question_about_a_move() {
    for yes in ["yes", "y", ""] {
        let said = said_by(confirming(), &["ttt 1=Ann 2=Bob", "start", "b2", yes]);
        has(&said, "Play b2?");
        has(&said, "Ann puts X on b2. Bob to move.");
    }
    for no in ["no", "n"] {
        let said = said_by(confirming(), &["ttt 1=Ann 2=Bob", "start", "b2", no, "moves"]);
        has(&said, "9 moves: a1, a2, a3, b1, b2, b3, c1, c2, c3.");
        assert!(!said.iter().any(|line| line.starts_with("Pause")), "{said:#?}");
    }
}

#[test]
fn yes_and_no_answer_menus() {
    let restarted = |answer: &str| said_in_match(&["b2", "restart", answer, "moves"]);
    let all = "9 moves: a1, a2, a3, b1, b2, b3, c1, c2, c3.";
    ["yes", "y"].map(restarted).iter().for_each(|said| has(said, all));
    let rest = "8 moves: a1, a2, a3, b1, b3, c1, c2, c3.";
    ["no", "n"].map(restarted).iter().for_each(|said| has(said, rest));
    has(&said_in_match(&["draw", "y"]), "A draw, by agreement.");
}

#[test]
fn abbreviations_work_but_one_letter_commits_to_nothing() {
    for (full, short) in [("board", "boa"), ("board", "b"), ("score", "sc"), ("undo", "u")] {
        assert_eq!(said_in_match(&["b2", short]), said_in_match(&["b2", full]), "{short}");
    }
    // `q` leaves, which keeps the match.
    for letter in ('a'..='z').filter(|letter| *letter != 'q').map(String::from) {
        let said = said_in_match(&["b2", "a1", &letter, "moves"]);
        let is_open = said.iter().any(|line| line.ends_with("moves: a2, a3, b1, b3, c1, c2, c3."));
        let is_undone = said.iter().any(|line| line.contains("taken back"));
        let is_elsewhere = said.iter().any(|line| line.starts_with("Tic-tac-toe new match"));
        assert!(is_open || is_undone || is_elsewhere, "{letter}: {said:#?}");
        let commits = ["offers", "resigns", "Draw", "wins"];
        let committed = said.iter().find(|line| commits.iter().any(|word| line.contains(word)));
        assert_eq!(committed, None, "{letter}");
    }
}

#[test]
fn numbers_of_the_result_menu_stay_valid() {
    let won = ["a1", "b1", "a2", "b2", "a3"];
    for between in ["zzz", "", "board", "help"] {
        let said = said_in_match(&[&won[..], &[between, "3", "c3"]].concat());
        has(&said, "Ann puts X on c3. Bob to move.");
    }
    let said = said_in_match(&[&won[..], &["board"]].concat());
    has(&said, "Ann has X on a1, a2 and a3.");
}

/// On these screens, after these lines.
const SCREENS: &[&[&str]] = &[
    &[],
    &["ttt 1=Ann 2=Bob", "start"],
    &["ttt 1=Ann 2=Bob", "start", "a1", "undo"],
    &["ttt 1=Ann 2=Bob", "start", "draw"],
    &["ttt 1=Ann 2=Bob", "start", "a1", "b1", "a2", "b2", "a3", ""],
    &["dots 1=Ann 2=Bob", "start"],
    &["ttt 1=Ann 2=Bob", "start", "a1", "b1", "draw", "agree", "review"],
    &["puzzle"],
    &["puzzle rush"],
    &["learn ttt 1"],
    &["ttt"],
    &["settings"],
    &["learn"],
];

#[test]
fn help_lists_only_words_that_work() {
    for lines in SCREENS {
        let before = said(lines).len();
        let help = said(&[lines, &["help"][..]].concat());
        let words = help[before..].iter().filter_map(|line| line.split_once(": "));
        let words = words.filter(|(word, _)| word.split(' ').count() < 3);
        let words: Vec<&str> = words.map(|(word, _)| word).collect();
        assert!(words.len() > 1, "{lines:?}: {help:#?}");
        for word in words {
            let answer = &said(&[lines, &[word][..]].concat())[before..];
            let is_unknown = |line: &&String| {
                ["neither a command", "Unknown", "not available", "ambiguous", "cannot play moves"]
                    .iter()
                    .any(|wrong| line.contains(wrong))
            };
            assert_eq!(answer.iter().find(is_unknown), None, "{lines:?}: {word}");
        }
    }
}

#[test]
fn help_says_what_skipping_costs_in_a_rush() {
    has(&said(&["puzzle rush", "help"]), "next: skip this puzzle, which counts as a mistake.");
}

#[test]
fn names_keep_their_letters_and_sentences_get_capitals() {
    let said = said(&["ttt 1=n 2=t", "start", "undo", "b2"]);
    has(&said, "Nothing to undo.");
    has(&said, "n puts X on b2. t to move.");
}

#[test]
fn command_word_becomes_text_only_if_typed_again() {
    let record = RecordSummary {
        id: "first".to_owned(),
        game: "quixo".to_owned(),
        names: vec!["Ann".to_owned(), "Bob".to_owned()],
        result: "1-0".to_owned(),
        termination: None,
        date: "2026-01-01".to_owned(),
        plies: 9,
    };
    let (mut app, mut ui) = (App::new(Skin::default(), 1), TextUi::default());
    ui.hear("records", &mut app);
    app.records(&[record], &[]);
    has(&ui.announce(&app), "first.");
    ui.hear("find", &mut app);
    has(&ui.announce(&app), "Type the words to find, or an empty line to list all.");
    ui.hear("", &mut app);
    ui.hear("rename", &mut app);
    assert!(ui.hear("done", &mut app).is_empty());
    assert!(ui.announce(&app).iter().any(|line| line.contains("\"done\" is also a command")));
    assert!(!ui.hear("done", &mut app).is_empty());
    assert!(!ui.hear("rename other", &mut app).is_empty());
}
