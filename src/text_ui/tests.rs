//! Tests of dialogues without a loop, engines or a disk.

use super::TextUi;
use crate::app::{App, OpenMatch, RecordSummary};
use crate::board::Skin;
use crate::settings::Settings;
use quadrille_arena::tournament::{LiveTournament, Results, UnderWay};
use quadrille_match::session::{Actor, Conditions, LoggedStep, Session, Step};
use quadrille_rules::{Seat, Setup};
use quadrille_table::catalogue::{self, GAMES};
use quadrille_table::play::{
    Attendance, ClientRequest, LineState, OpenQuestion, Participant, Peers, QuestionKind,
    Settlement, Table, TableNews,
};
use std::time::Duration;

struct Dialogue {
    app: App,
    ui: TextUi,
}

impl Dialogue {
    /// Reads the greeting.
    fn of(app: App) -> Dialogue {
        let mut dialogue = Dialogue { app, ui: TextUi::default() };
        dialogue.announcements();
        dialogue
    }

    /// Returns what is announced now.
    fn announcements(&mut self) -> Vec<String> {
        let mut said = self.ui.announce(&self.app);
        while self.app.skip_pause().is_some()
            || self.ui.close_finished_screen(&mut self.app).is_some()
        {
            said.extend(self.ui.announce(&self.app));
        }
        said
    }

    fn type_line(&mut self, line: &str) -> Vec<String> {
        let mut said = Vec::new();
        let mut next = Some(line.to_owned());
        while let Some(line) = next {
            self.ui.on_line(&line, &mut self.app);
            said.extend(self.announcements());
            next = self.ui.next_line(&self.app);
        }
        said
    }

    /// Tells the app news of its shared table, and returns what is announced.
    fn send_news(&mut self, change: impl FnOnce(&mut Table), news: TableNews) -> Vec<String> {
        let tasks = self.app.follow_table(|table| {
            change(table);
            vec![news]
        });
        assert!(tasks.is_some());
        self.announcements()
    }

    fn peers(&mut self) -> &mut Peers {
        self.app.open_match_mut().unwrap().owner_mut().peers_mut().unwrap()
    }

    fn ask(&mut self, number: u64, by: &str, kind: QuestionKind) -> Vec<String> {
        let (by, is_own, is_answered) = (by.to_owned(), by == "Ann", false);
        let question = OpenQuestion { number, by, kind, is_own, is_answered };
        let open = |table: &mut Table| assert!(table.peers_mut().unwrap().open_question(question));
        self.send_news(open, if is_own { TableNews::Other } else { TableNews::Asked(number) })
    }

    fn settle(&mut self, number: u64, yes: bool, by: &str) -> Vec<String> {
        let settlement = Settlement::Answered { yes, by: Some(by.to_owned()) };
        let settle = |table: &mut Table| {
            table.peers_mut().unwrap().settle_question(number, &settlement);
        };
        self.send_news(settle, TableNews::Other)
    }

    fn play(&mut self, seat: u8, mv: &str) -> Vec<String> {
        let change = |table: &mut Table| {
            let (number, at) = (table.session().log().len() as u64 + 1, Duration::from_secs(1));
            let (by, step) = (Actor::Seat(Seat::new(seat)), Step::Play(mv.to_owned()));
            table.follow(&LoggedStep { number, at, by, step }).unwrap();
        };
        self.send_news(change, TableNews::Stepped)
    }

    fn set_line(&mut self, line: LineState, needs_login: bool) -> Vec<String> {
        let change = |table: &mut Table| {
            let peers = table.peers_mut().unwrap();
            (peers.line, peers.needs_login) = (line, needs_login);
        };
        self.send_news(change, TableNews::Line)
    }
}

fn new_session() -> Session {
    let entry = catalogue::find("tic-tac-toe").unwrap();
    let start = (entry.start)(&Setup::new()).unwrap();
    Session::new(start, Setup::new(), Conditions::named(&["Ann", "Bob"].map(str::to_owned)))
}

/// Ann's terminal at a table that she shares with Bob and Eve, who watches.
fn at_table() -> Dialogue {
    let mut peers = Peers::new("t".to_owned(), "Ann".to_owned());
    for (name, seats) in [("Bob", vec![Seat::new(1)]), ("Eve", Vec::new())] {
        let (name, seats) = (name.to_owned(), seats.into_iter().collect());
        peers.set(Participant { name, seats, attendance: Attendance::Here });
    }
    let entry = catalogue::find("tic-tac-toe").unwrap();
    let local = [Seat::FIRST].into_iter().collect();
    let table = Table::elsewhere(entry, new_session(), local, peers);
    let app = App::new(Skin::default(), 1).with_table(OpenMatch::resumed(table), false);
    Dialogue::of(app)
}

/// Returns the output for these lines, after the greeting.
fn said(lines: &[&str]) -> Vec<String> {
    said_by(App::new(Skin::default(), 1), lines)
}

fn said_by(app: App, lines: &[&str]) -> Vec<String> {
    let mut dialogue = Dialogue::of(app);
    lines.iter().flat_map(|line| dialogue.type_line(line)).collect()
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

#[test]
fn every_draw_offer_at_this_terminal_is_announced() {
    let lines = ["ttt 1=Ann 2=Bob", "start", "draw", "no", "nonsense", "draw", "no", "a1", "draw"];
    let said = said(&lines);
    let offers = |offer: &str| said.iter().filter(|line| *line == offer).count();
    assert_eq!(offers("Ann offers Bob a draw. Type agree or no."), 2, "{said:#?}");
    assert_eq!(offers("Bob offers Ann a draw. Type agree or no."), 1, "{said:#?}");
}

#[test]
fn every_player_is_asked_about_each_draw_offer() {
    let begin = "intersections players=3 1=Ann 2=Bob 3=Cy";
    let said = said(&[begin, "start", "draw", "no", "draw", "agree", "no", "draw", "agree"]);
    let asked = said.iter().filter_map(|line| line.strip_suffix(" a draw. Type agree or no."));
    assert_eq!(
        asked.collect::<Vec<_>>(),
        ["Ann offers Bob", "Ann offers Bob", "Ann offers Cy", "Ann offers Bob", "Ann offers Cy"]
    );
}

#[test]
fn every_question_at_a_table_is_announced_with_its_number() {
    let mut ann = at_table();
    ann.play(0, "b2");
    for number in 1..=3 {
        let said = ann.ask(number, "Bob", QuestionKind::TakeBack { moves: 1 });
        let asked = "Bob asks to take back Ann's b2. Type agree or no.";
        assert_eq!(said, [format!("Question {number}: {asked}")]);
        assert_eq!(ann.announcements(), [""; 0]);
        ann.type_line("no");
        ann.settle(number, false, "Ann");
    }
    let said = ann.ask(4, "Bob", QuestionKind::Draw);
    assert_eq!(said, ["Question 4: Bob offers a draw. Type agree or no."]);
}

/// An answer without a number must not answer a question that the player does not mean.
#[test]
fn answer_needs_a_number_if_several_questions_are_open() {
    let mut ann = at_table();
    ann.play(0, "b2");
    ann.ask(7, "Bob", QuestionKind::TakeBack { moves: 1 });
    let said = ann.ask(8, "Eve", QuestionKind::Draw);
    assert_eq!(said, ["Question 8: Eve offers a draw. Type agree 8 or no 8."]);
    ann.peers().take_requests();
    for (line, numbers) in [("agree", "agree 7 or agree 8"), ("no 9", "no 7 or no 8")] {
        assert_eq!(
            ann.type_line(line),
            [
                "Question 7: Bob asks to take back Ann's b2. Type agree 7 or no 7.".to_owned(),
                "Question 8: Eve offers a draw. Type agree 8 or no 8.".to_owned(),
                format!("Which question? Type {numbers}."),
            ]
        );
    }
    assert_eq!(ann.peers().take_requests(), []);
    assert_eq!(ann.type_line("decline 8"), ["You decline."]);
    let no = ClientRequest::Answer { number: 8, yes: false };
    assert_eq!(ann.peers().take_requests(), [no]);
    ann.settle(8, false, "Ann");
    assert_eq!(ann.type_line("agree with Bob"), ["You agree."]);
    let yes = ClientRequest::Answer { number: 7, yes: true };
    assert_eq!(ann.peers().take_requests(), [yes]);
}

#[test]
fn second_undo_withdraws_the_request() {
    let mut ann = at_table();
    ann.play(0, "b2");
    assert_eq!(ann.type_line("undo"), ["Waiting for the others' answer."]);
    let said = ann.ask(3, "Ann", QuestionKind::TakeBack { moves: 1 });
    assert_eq!(said, ["You ask to take back Ann's b2."]);
    ann.peers().take_requests();
    ann.type_line("undo");
    assert_eq!(ann.peers().take_requests(), [ClientRequest::Withdraw(3)]);
}

#[test]
fn rematch_at_a_table_is_asked_and_named() {
    let mut ann = at_table();
    for (at, mv) in ["a1", "b1", "a2", "b2", "a3"].into_iter().enumerate() {
        ann.play(at as u8 % 2, mv);
    }
    let said = ann.ask(5, "Bob", QuestionKind::Rematch { swap: false });
    assert_eq!(said, ["Question 5: Bob asks for a rematch. Type agree or no."]);
    ann.type_line("agree");
    let said = ann.send_news(|table| table.begin_anew(new_session()), TableNews::Restarted);
    assert_eq!(
        said[..3],
        ["A rematch.", "Tic-tac-toe, 3 x 3 cells. Ann against Bob.", "Ann to move."]
    );
    assert!(!said.iter().any(|line| line.contains("taken back")), "{said:#?}");
}

/// After a drop, a table may send the match again.
#[test]
fn match_sent_again_is_not_a_rematch() {
    let mut ann = at_table();
    ann.play(0, "b2");
    let again = |table: &mut Table| {
        let mut session = new_session();
        for step in table.session().log() {
            session.apply(step.by, step.step.clone(), step.at).unwrap();
        }
        table.begin_anew(session);
    };
    assert_eq!(ann.send_news(again, TableNews::Restarted), [""; 0]);
}

#[test]
fn every_drop_and_every_return_is_announced_once() {
    let mut ann = at_table();
    for _ in 0..4 {
        let down = || LineState::Down("the connection was lost".to_owned());
        let said = ann.set_line(down(), false);
        assert_eq!(said, ["Reconnecting; Enter to retry: the connection was lost."]);
        // A retry failed.
        assert_eq!(ann.set_line(down(), false), [""; 0]);
        assert_eq!(
            ann.set_line(down(), true),
            ["Disconnected; press Enter to log in to ssh again."]
        );
        assert_eq!(ann.set_line(LineState::Up, false), ["Reconnected."]);
    }
    let closed = LineState::Closed("table closed: by the host".to_owned());
    ann.set_line(LineState::Down(String::new()), false);
    assert_eq!(ann.set_line(closed, false), ["Table closed: by the host."]);
}

/// Closing a page reads nothing about the entry under an unseen cursor.
#[test]
fn closed_lesson_reads_no_entry_of_the_list_below() {
    let said = said(&["learn quixo 1", "quit"]);
    let tagline = GAMES.iter().find(|entry| entry.id == "quixo").unwrap().tagline;
    assert!(!said.iter().any(|line| line.contains(tagline)), "{said:#?}");
    let source = "steps, after";
    assert!(!said.iter().any(|line| line.contains(source)), "{said:#?}");
}

#[test]
fn refused_value_is_read_without_a_mark() {
    let said = said(&["quixo level=perfect"]);
    has(&said, "Level: must be Beginner, Casual, Skilled or Strong, not \"perfect\".");
    assert!(!said.iter().any(|line| line.contains('!')), "{said:#?}");
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
    ui.on_line("records", &mut app);
    app.records(&[record], &[]);
    has(&ui.announce(&app), "1 Quixo, Ann against Bob, 1-0, 2026-01-01, moves 9.");
    ui.on_line("find", &mut app);
    has(&ui.announce(&app), "Type the words to find, or an empty line to list all.");
    ui.on_line("", &mut app);
    ui.on_line("rename", &mut app);
    assert!(ui.on_line("done", &mut app).is_empty());
    assert!(ui.announce(&app).iter().any(|line| line.contains("\"done\" is also a command")));
    assert!(!ui.on_line("done", &mut app).is_empty());
    assert!(!ui.on_line("rename other", &mut app).is_empty());
}
