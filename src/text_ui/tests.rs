//! Tests of dialogues without a loop, engines or a disk.

use super::TextUi;
use crate::app::{
    App, DiskTask, EngineEvent, EngineTask, OpenMatch, OpenRecord, RecordSummary, RecordTask,
    SavedMatch, Task,
};
use crate::board::{Skin, Viewer};
use crate::settings::{Seconds, Settings};
use jiff::Timestamp;
use quadrille_arena::tournament::{LiveTournament, Results, UnderWay};
use quadrille_match::session::{Actor, Conditions, LoggedStep, Session, Step, Termination};
use quadrille_rules::{Seat, Setup};
use quadrille_search::Report;
use quadrille_table::catalogue::{self, GAMES};
use quadrille_table::play::{
    Attendance, ChatMessage, ClientRequest, LineState, OpenQuestion, Participant, Peers,
    QuestionKind, Settlement, Table, TableNews,
};
use std::time::Duration;

struct Dialogue {
    app: App,
    ui: TextUi,
    /// What the lines have asked the host to do.
    tasks: Vec<Task>,
}

impl Dialogue {
    /// Reads the greeting.
    fn of(app: App) -> Dialogue {
        let mut dialogue = Dialogue { app, ui: TextUi::default(), tasks: Vec::new() };
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
            let tasks = self.ui.on_line(&line, &mut self.app);
            self.tasks.extend(tasks);
            said.extend(self.announcements());
            next = self.ui.next_line(&self.app);
        }
        // A rest of the line that no screen takes is refused.
        said.extend(self.announcements());
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

    /// Returns what a line asks the table to do.
    fn requests(&mut self, line: &str) -> Vec<ClientRequest> {
        self.peers().take_requests();
        self.type_line(line);
        self.peers().take_requests()
    }

    fn record_tasks(&mut self, line: &str) -> Vec<RecordTask> {
        self.tasks.clear();
        self.type_line(line);
        let tasks = self.tasks.drain(..).filter_map(|task| match task {
            Task::Disk(DiskTask::Records(task)) => Some(task),
            _ => None,
        });
        tasks.filter(|task| *task != RecordTask::List).collect()
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
    at_table_with(new_session())
}

fn at_table_with(session: Session) -> Dialogue {
    let mut peers = Peers::new("t".to_owned(), "Ann".to_owned());
    for (name, seats) in [("Bob", vec![Seat::new(1)]), ("Eve", Vec::new())] {
        let (name, seats) = (name.to_owned(), seats.into_iter().collect());
        peers.set(Participant { name, seats, attendance: Attendance::Here });
    }
    let entry = catalogue::find("tic-tac-toe").unwrap();
    let local = [Seat::FIRST].into_iter().collect();
    let table = Table::elsewhere(entry, session, local, peers);
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

/// Bob's three days are over. The claim is asked about, as a resignation is.
#[test]
fn overdue_opponent_is_decided_about_in_words() {
    let overdue = || {
        let conditions = Conditions::named(&["Ann", "Bob"].map(str::to_owned));
        let start = (catalogue::find("tic-tac-toe").unwrap().start)(&Setup::new()).unwrap();
        let conditions = conditions.with_clock("3d".parse().ok());
        let mut session = Session::new(start, Setup::new(), conditions);
        let begin = Step::parse("begin 1795823432").unwrap();
        session.apply(Actor::Table, begin, Duration::from_millis(1)).unwrap();
        let mut ann = at_table_with(session);
        ann.play(0, "b2");
        assert_eq!(ann.requests("claim"), []);
        let late = Duration::from_secs(1 + 3 * 24 * 3600);
        let said = ann.send_news(|_| (), TableNews::Clock(late));
        assert_eq!(said, ["Bob is overdue: claim the win, give more time, or wait."]);
        ann
    };
    let taken = |step| vec![ClientRequest::Take(Seat::FIRST, step)];
    assert_eq!(overdue().requests("more time"), taken(Step::MoreTime));
    let mut ann = overdue();
    for (line, expected) in [("claim", vec![]), ("no", vec![]), ("claim", vec![])] {
        assert_eq!(ann.requests(line), expected);
    }
    assert_eq!(ann.requests("yes"), taken(Step::Claim));
}

#[test]
fn seat_of_a_player_is_given_away_by_two_answers() {
    for answer in ["agree", "agree 7"] {
        let mut ann = at_table();
        let said = ann.ask(7, "Fay", QuestionKind::Seat([Seat::SECOND].into_iter().collect()));
        let asked = "Question 7: Fay asks for Bob's seat; Bob is away. Type agree or no.";
        assert_eq!(said, [asked]);
        for (line, expected) in [(answer, vec![]), ("no", vec![]), (answer, vec![])] {
            assert_eq!(ann.requests(line), expected);
        }
        let agrees = ClientRequest::Answer { number: 7, yes: true };
        assert_eq!(ann.requests("yes"), [agrees]);
    }
}

#[test]
fn message_that_waited_is_read_with_its_time() {
    let mut ann = at_table();
    for (sent, line) in [(Some(1_795_823_432), "Bob, Nov 27, 23:50: hi"), (None, "Bob says: hi")] {
        let sent = sent.map(|sent| Timestamp::from_second(sent).unwrap());
        let message = ChatMessage { name: "Bob".to_owned(), text: "hi".to_owned(), sent };
        let news = TableNews::Said(message.clone());
        let hear = |table: &mut Table| table.peers_mut().unwrap().add_message(message);
        assert_eq!(ann.send_news(hear, news), [line]);
    }
}

#[test]
fn second_undo_withdraws_the_request() {
    let mut ann = at_table();
    ann.play(0, "b2");
    assert_eq!(ann.type_line("undo"), [""; 0], "the table answers");
    ann.peers().take_requests();
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
    has(&said_in_match(&["draw", "y"]), "Draw, by agreement.");
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
    for between in ["zzz", "board", "help"] {
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
    &["puzzle rush", "start"],
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
    has(
        &said(&["puzzle rush", "start", "help"]),
        "next: skip this puzzle, which counts as a mistake.",
    );
}

#[test]
fn names_keep_their_letters_and_sentences_get_capitals() {
    let said = said(&["ttt 1=n 2=t", "start", "undo", "b2"]);
    has(&said, "Nothing to undo.");
    has(&said, "n puts X on b2. t to move.");
}

#[test]
fn command_word_becomes_text_only_if_typed_again() {
    let record = record("first", "Ann", "Bob");
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

fn record(id: &str, one: &str, other: &str) -> RecordSummary {
    RecordSummary {
        id: id.to_owned(),
        game: "quixo".to_owned(),
        names: vec![one.to_owned(), other.to_owned()],
        result: "1-0".to_owned(),
        termination: None,
        date: "2026-01-01".to_owned(),
        plies: 9,
    }
}

fn in_library() -> Dialogue {
    let mut dialogue = Dialogue::of(App::new(Skin::default(), 1));
    dialogue.ui.on_line("records", &mut dialogue.app);
    let names = [("r1", "Ann", "Bob"), ("r2", "Cy", "Dan"), ("r3", "Ann", "Eve")];
    dialogue.app.records(&names.map(|(id, one, other)| record(id, one, other)), &[]);
    dialogue.announcements();
    dialogue
}

/// The first row stays the same in each of these lists.
#[test]
fn list_that_was_found_is_read_as_a_whole() {
    let row = |number: usize, names| format!("{number} Quixo, {names}, 1-0, 2026-01-01, moves 9.");
    let of_ann = [row(1, "Ann against Bob"), row(2, "Ann against Eve")];
    let all = [row(1, "Ann against Bob"), row(2, "Cy against Dan"), row(3, "Ann against Eve")];
    let mut dialogue = in_library();
    let rows = |said: Vec<String>| -> Vec<String> {
        said.into_iter().filter(|line| line.contains("against")).collect()
    };
    assert_eq!(rows(dialogue.type_line("find ann")), of_ann);
    assert_eq!(rows(dialogue.type_line("find ann")), of_ann, "the same list again");
    dialogue.type_line("find");
    assert_eq!(rows(dialogue.type_line("bob")), of_ann[..1]);
    dialogue.type_line("find");
    assert_eq!(rows(dialogue.type_line("")), all, "an empty line finds all");
    dialogue.type_line("find ann");
    assert_eq!(rows(dialogue.type_line("back")), all);
    let said = dialogue.type_line("find eve");
    assert_eq!(said.last().unwrap(), "Type a number or a name, or help for a list of commands.");
}

#[test]
fn number_that_was_heard_chooses_the_row_of_every_command() {
    let (read, id) = (RecordTask::Read, || "r3".to_owned());
    let rename = |to: &str| RecordTask::Rename { id: id(), to: to.to_owned() };
    for (find, number) in [("", 3), ("find ann", 2), ("find eve", 1)] {
        let tasks = |line: String| {
            let mut dialogue = in_library();
            if !find.is_empty() {
                dialogue.type_line(find);
            }
            dialogue.record_tasks(&line)
        };
        assert_eq!(tasks(format!("{number}")), [read(id())]);
        assert_eq!(tasks(format!("show {number}")), [read(id())], "{find}");
        assert_eq!(tasks(format!("replay {number}")), [read(id())]);
        assert_eq!(tasks(format!("puzzles {number}")), [RecordTask::Mistakes(id())]);
        assert_eq!(tasks(format!("rename {number} 7 Foo")), [rename("7 Foo")]);
        let to = "a.game".to_owned();
        assert_eq!(tasks(format!("export {number} a.game")), [RecordTask::Export { id: id(), to }]);
    }
    let mut dialogue = in_library();
    dialogue.type_line("delete 3");
    assert_eq!(dialogue.record_tasks("yes"), [RecordTask::Delete(id())]);
}

/// The row under an unseen cursor must not change.
#[test]
fn list_command_without_a_number_asks_for_one() {
    for word in ["show", "replay", "puzzles", "rename", "export", "delete"] {
        let mut dialogue = in_library();
        for line in [word.to_owned(), format!("{word} Foo")] {
            let asks = format!("Which entry? Type {word} and its number, 1 to 3.");
            assert_eq!(dialogue.type_line(&line), [asks]);
        }
        let refuses = "\"9\" is out of range: choose 1 to 3.";
        assert_eq!(dialogue.type_line(&format!("{word} 9 Foo")), [refuses]);
        assert_eq!(dialogue.record_tasks("moves"), []);
    }
    let saved = |id: &str| SavedMatch {
        id: id.to_owned(),
        game: "Quixo".to_owned(),
        names: vec![id.to_owned()],
        guests: Vec::new(),
        score: String::new(),
        ply: Some(1),
        waiting: Vec::new(),
        is_over: false,
        when: "14:05".to_owned(),
    };
    let mut dialogue = Dialogue::of(App::new(Skin::default(), 1));
    dialogue.app.set_unfinished(Vec::from(["one", "two"].map(saved)));
    has(&dialogue.type_line("delete 7"), "\"delete\" is not available for entry 7.");
    has(&dialogue.type_line("delete"), "Which entry? Type delete and its number, 1 to 13.");
    dialogue.type_line("resume");
    has(&dialogue.type_line("delete"), "Which entry? Type delete and its number, 1 to 2.");
    dialogue.type_line("delete 2");
    dialogue.type_line("yes");
    assert_eq!(dialogue.tasks.pop(), Some(DiskTask::Discard("two".to_owned()).into()));
    let said = said(&["settings", "keys", "default", "default 3"]);
    let left = said.iter().position(|line| line.starts_with("Which entry?")).unwrap();
    assert!(said[left + 1].starts_with("Up: "), "{said:#?}");
}

/// A match whose last two moves were taken back before it was resigned.
fn taken_back() -> App {
    let entry = catalogue::find("tic-tac-toe").unwrap();
    let mut game = (entry.start)(&Setup::new()).unwrap();
    for mv in ["a1", "b1", "c1", "c2"] {
        game.play(mv).unwrap();
    }
    game.go_to_ply(2);
    game.end(Termination::Resigned(Seat::FIRST));
    let names = ["Ann", "Bob"].map(str::to_owned);
    App::new(Skin::default(), 1).with_replay(OpenRecord::new(entry, Viewer::new(game), &names))
}

#[test]
fn replay_ends_where_the_match_ended() {
    let said = said_by(taken_back(), &["moves", "end", "next", "variation", "next", "variation"]);
    assert_eq!(
        said,
        [
            "1. Ann puts X on a1.",
            "2. Bob puts O on b1.",
            "Bob wins, Ann resigned.",
            "2. Bob puts O on b1.",
            "Bob wins, Ann resigned; taken back: c1.",
            "Already at the end.",
            "C1 was taken back.",
            "3. Ann puts X on c1.",
            "No other variation here.",
        ]
    );
    let said = said_by(taken_back(), &["end", "variation", "variation", "next"]);
    assert_eq!(said.last().unwrap(), "Already at the end.");
    has(&said_by(taken_back(), &["move 1"]), "1. Ann puts X on a1.");
}

#[test]
fn line_at_a_table_is_answered_once_by_the_table() {
    let mut ann = at_table();
    for line in ["b2", "say hello"] {
        assert_eq!(ann.type_line(line), [""; 0], "{line}");
        ann.peers().take_requests();
    }
    assert_eq!(ann.play(0, "b2"), ["Ann puts X on b2. Bob to move."]);
    ann.peers().answered();
    assert_eq!(ann.type_line("undo"), [""; 0]);
    ann.peers().take_requests();
    let said = ann.ask(3, "Ann", QuestionKind::TakeBack { moves: 1 });
    assert_eq!(said, ["You ask to take back Ann's b2."]);
    assert_eq!(ann.type_line("no"), [""; 0]);
}

#[test]
fn chat_sends_its_text_and_lists_messages_without_one() {
    let mut ann = at_table();
    let hello = || ClientRequest::Say("hello Bob".to_owned());
    for line in ["chat hello Bob", "say hello Bob"] {
        assert_eq!(ann.requests(line), [hello()]);
    }
    has(&ann.type_line("chat"), "No messages yet.");
    let name = "Bob".to_owned();
    let (seats, attendance) = ([Seat::new(1)].into_iter().collect(), Attendance::Away);
    ann.peers().set(Participant { name, seats, attendance });
    has(&ann.type_line("say hello Bob"), "Bob is away and misses this message.");
}

#[test]
fn rest_of_a_line_that_opens_nothing_is_refused() {
    has(&said_in_match(&["draw now"]), "Ignored: \"now\".");
    has(&said(&["settings", "help me"]), "Ignored: \"me\".");
}

#[test]
fn empty_line_repeats_the_open_question() {
    let mut ann = at_table();
    ann.play(0, "b2");
    let asked = ann.ask(7, "Bob", QuestionKind::TakeBack { moves: 1 });
    assert_eq!(ann.type_line("")[..1], asked);
    let lines = ["ttt 1=Ann 2=Bob", "start", "draw", ""];
    let said = said(&lines);
    let asked = said.iter().filter(|line| *line == "Ann offers Bob a draw. Type agree or no.");
    assert_eq!(asked.count(), 2, "{said:#?}");
}

#[test]
fn help_describes_every_word_once() {
    for lines in SCREENS {
        let before = said(lines).len();
        let help = said(&[lines, &["help"][..]].concat());
        let lines = help[before..].iter().filter_map(|line| line.split_once(": "));
        let mut known = (Vec::new(), Vec::new());
        for (word, sentence) in lines {
            assert!(!known.0.contains(&word) && !known.1.contains(&sentence), "{word} {help:#?}");
            known.0.push(word);
            known.1.push(sentence);
        }
    }
}

#[test]
fn resigning_needs_an_answer() {
    let resigned = "Ann wins, Bob resigned.";
    let said = said_in_match(&["b2", "resign"]);
    assert!(!said.iter().any(|line| line == resigned), "{said:#?}");
    assert_eq!(said.last().unwrap(), "Type yes or no.");
    has(&said_in_match(&["b2", "resign", "yes"]), resigned);
    has(&said_in_match(&["b2", "resign yes"]), resigned);
    has(
        &said_in_match(&["b2", "resign", "no", "moves"]),
        "8 moves: a1, a2, a3, b1, b3, c1, c2, c3.",
    );
}

#[test]
fn leaving_a_match_says_whether_it_is_saved() {
    let said = said_in_match(&["b2", "new"]);
    let at = said.iter().position(|line| line == "Match not saved yet; resume continues it.");
    assert!(said[at.unwrap() + 1..].iter().any(|line| line == "Tic-tac-toe new match."));
    assert!(!said_in_match(&["new"]).iter().any(|line| line.contains("resume")), "no moves");
}

#[test]
fn visible_row_comes_before_a_hidden_one() {
    has(&said(&["dots", "first computer"]), "3 First move: Computer.");
    has(&said(&["dots", "first=computer"]), "3 First move: Computer.");
}

#[test]
fn clock_needs_a_unit() {
    has(&said(&["dots", "clock 1"]), "Clock: type the unit: 1 min or 1 s.");
    has(&said(&["dots", "clock 1 min"]), "5 Clock: 1 min.");
    has(&said(&["dots", "clock=300+5"]), "5 Clock: 5 min + 5 s.");
}

#[test]
fn options_are_applied_before_the_form_is_read() {
    let said = said(&["dots size=4 level=casual"]);
    let boards = said.iter().filter(|line| line.contains(" Board: ")).collect::<Vec<_>>();
    assert_eq!(boards, ["4 Board: 3 x 3 boxes (4 x 4 dots)."]);
    has(&said, "2 Level: Casual.");
}

#[test]
fn viewing_the_board_describes_it() {
    let won = ["a1", "b1", "a2", "b2", "a3"];
    for line in ["2", "view the board"] {
        let said = said_in_match(&[&won[..], &[line]].concat());
        has(&said, "Ann has X on a1, a2 and a3.");
    }
}

#[test]
fn last_hint_of_a_puzzle_is_repeated() {
    let said = said(&["puzzle dots-1", "hint", "hint", "hint"]);
    let is_hint = |line: &&String| line.ends_with(" is the move.");
    assert_eq!(said.iter().filter(is_hint).count(), 2, "{said:#?}");
}

#[test]
fn move_in_a_step_without_one_is_refused_once() {
    for entry in &GAMES {
        let said = said(&[&*format!("learn {} 1", entry.id), "zzz", "a1"]);
        let refusals = said.iter().filter(|line| *line == "No move needed here.").count();
        assert!(refusals < 2, "{said:#?}");
    }
}

/// A line must not cost more where the screen has more to say.
#[test]
fn line_at_home_makes_few_views() {
    let mut dialogue = Dialogue::of(App::new(Skin::default(), 1));
    for line in ["zzz", "help", "", "99"] {
        let before = dialogue.app.views_made.get();
        dialogue.type_line(line);
        let made = dialogue.app.views_made.get() - before;
        assert!(made <= 8, "{line:?}: {made}");
    }
}

/// However long the setting for screens is.
#[test]
fn text_does_not_wait_for_engine_moves() {
    let entry = catalogue::find("tic-tac-toe").unwrap();
    let players = ["engine:beginner,seed=1", "engine:beginner,seed=2"];
    let conditions = Conditions::from(players.map(|player| player.parse().unwrap()).to_vec());
    let open_match = OpenMatch::opened(entry, &Setup::new(), conditions).unwrap();
    let settings = Settings { pace: Seconds(Duration::from_secs(10)), ..Settings::default() };
    let app = App::new(Skin::default(), 1).with_settings(settings, String::new());
    let mut dialogue = Dialogue::of(app.with_table(open_match, false));
    for mv in ["b2", "a1", "c3"] {
        let Some(EngineTask::Think(ticket, _)) = dialogue.app.engine_task() else { panic!() };
        let (found, why, report) = (mv.to_owned(), None, Report::default());
        let event = EngineEvent::Chosen { mv: found, why, report };
        dialogue.app.engine_event(ticket, event).unwrap();
        let announced = dialogue.announcements().join("\n");
        assert!(announced.contains(mv), "{announced}");
    }
}
