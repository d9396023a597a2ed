//! The menu of plain mode: games, unfinished matches, records and rules in lines.

use crate::common::program::{Run, command, finish};
use quadrille::catalogue::GAMES;
use quadrille::puzzles;
use quadrille::rules::Setup;
use quadrille::search::Level;
use quadrille::store::progress::{Event, Score};
use std::fs;
use tempfile::TempDir;

fn home() -> TempDir {
    tempfile::tempdir().unwrap()
}

fn run_menu(home: &TempDir, args: &[&str], lines: &[&str]) -> Run {
    let input = [lines.join("\n").as_bytes(), b"\n"].concat();
    finish(&mut command(home.path(), args), &input)
}

/// What is said to these lines.
fn menu(home: &TempDir, lines: &[&str]) -> Vec<String> {
    let said = run_menu(home, &["--plain"], lines).ok();
    assert!(said.chars().all(|letter| letter == '\n' || !letter.is_control()), "{said:?}");
    said.lines().map(str::to_owned).collect()
}

fn has(said: &[String], line: &str) {
    assert!(said.iter().any(|text| text == line), "no {line:?} in {said:#?}");
}

#[test]
fn the_menu_greets_and_lists_its_words() {
    let said = menu(&home(), &["quit"]);
    assert_eq!(said[0], "Quadrille: pencil-and-paper and dice games, here in lines of text.");
    assert_eq!(said.len(), 13, "{said:#?}");
    // So does a terminal that cannot show the screens, and the end of the input leaves.
    let dumb = finish(command(home().path(), &[]).env("TERM", "dumb"), b"").ok();
    assert_eq!(dumb.lines().collect::<Vec<_>>(), said);
}

#[test]
fn every_game_is_set_up_and_played() {
    for (entry, number) in GAMES.iter().zip(1..) {
        let said = menu(&home(), &["play", &number.to_string(), "start", "quit", "quit"]);
        has(
            &said,
            "Type start to begin, or 2=casual to play against the computer; help says what else can be changed.",
        );
        assert!(said.iter().any(|line| line.ends_with("to move.")), "{said:#?}");
        assert_eq!(said.last().unwrap(), "This is the menu. Type help for its words.");
        let said = menu(&home(), &[&format!("play {}", entry.id), "options", "back", "quit"]);
        assert!(said.iter().any(|line| line.starts_with("1 to ")), "{said:#?}");
    }
}

/// A match that was won shows how strong somebody is, and so which level fits.
#[test]
fn the_level_that_fits_is_suggested() {
    let home = home();
    let events = (0..20).map(|number| {
        let at = jiff::Timestamp::from_second(1_796_000_000 + number).unwrap();
        let (id, game) = (number.to_string(), "quixo".to_owned());
        let (level, score) = (Level::Strong, Score::Win);
        Event::Match { at, id, game, setup: Setup::new(), level, score }.line().unwrap()
    });
    let state = home.path().join("quadrille");
    fs::create_dir_all(&state).unwrap();
    fs::write(state.join("progress"), events.collect::<String>()).unwrap();
    let said = menu(&home, &["quixo", "options", "back", "dots", "quit"]);
    has(
        &said,
        "Type start to begin, or 2=strong to play against the computer (strong fits you); help says what else can be changed.",
    );
    let seats = "1 to 2: who sits there, a name, guest or a level: ";
    let is_said = |line: &String| line.starts_with(seats) && line.ends_with("; strong fits you.");
    assert!(said.iter().any(is_said), "{said:#?}");
    // Of another game nothing is known.
    has(
        &said,
        "Type start to begin, or 2=casual to play against the computer; help says what else can be changed.",
    );
}

#[test]
fn puzzles_are_solved_in_lines() {
    let puzzle = puzzles::of("dots-and-boxes").find(|puzzle| puzzle.solution.len() == 1).unwrap();
    let right = &puzzle.solution[0];
    let legal = puzzle.position().unwrap().legal();
    let wrong = legal.iter().find(|mv| *mv != right).unwrap();
    let begin = format!("puzzle {}", puzzle.id);
    let said = menu(&home(), &[&begin, wrong, right, "back", "quit"]);
    assert!(said.iter().any(|line| line.starts_with(&format!("Wrong. {wrong} "))), "{said:#?}");
    assert!(said.iter().any(|line| line.starts_with("Then the opponent plays ")), "{said:#?}");
    assert!(said.iter().any(|line| line.starts_with("Solved: ")), "{said:#?}");
    let solver = puzzle.position().unwrap().to_move().unwrap().index() + 1;
    has(&said, &format!("You are Player {solver}."));
}

/// Once something was tried, `next` asks whether to give up, and any other line says no.
#[test]
fn nobody_gives_a_puzzle_up_by_one_word() {
    let question = "This puzzle is not solved. Type next again to give up and see the solution.";
    let gives_up = |lines: &[&str]| {
        let said = menu(&home(), &[&["puzzle dots-1"], lines, &["back", "quit"]].concat());
        let asks = said.iter().filter(|line| *line == question).count();
        (asks, said.iter().any(|line| line.starts_with("The solution is ")))
    };
    assert_eq!(gives_up(&["next"]), (0, false), "nothing was tried");
    assert_eq!(gives_up(&["hint", "next"]), (1, false));
    assert_eq!(gives_up(&["hint", "next", "moves", "next"]), (2, false));
    assert_eq!(gives_up(&["hint", "next", "next"]), (1, true));
}

#[test]
fn a_hint_in_lines_is_written_down_at_once() {
    let home = home();
    let right = &puzzles::find("dots-1").unwrap().solution[0];
    menu(&home, &["puzzle dots-1", "hint", "hint"]);
    let said = menu(&home, &["puzzle dots-1", right, "back", "quit"]);
    assert!(said.iter().any(|line| line.starts_with("Solved: ")), "{said:#?}");
    assert!(!said.iter().any(|line| line.contains("first try")), "{said:#?}");
}

#[test]
fn a_rush_in_lines_follows_the_rules_of_a_rush() {
    let home = home();
    let rush = |lines: &[&str]| run_menu(&home, &["puzzle", "rush", "dots", "--plain"], lines).ok();
    let said = rush(&["hint", "next", "next", "moves", "next", "quit"]);
    let has = |line: &str| assert!(said.contains(line), "no {line:?} in {said}");
    has("Type a move; or board, moves, next to skip, back to end the rush.\n");
    has("Not in a rush.\n");
    assert_eq!(said.matches("Skipped. The solution is ").count(), 3, "{said}");
    has(" 0 solved, 2 mistakes.\n");
    has("Three mistakes. 0 solved.\n");
    let said = rush(&["back", "quit"]);
    assert!(said.contains("\n0 solved. Your best is 0.\n"), "{said}");
}

/// What `puzzle rush --help` says is about the rush.
#[test]
fn a_rush_has_its_own_help() {
    let help = run_menu(&home(), &["puzzle", "rush", "--help"], &[]).ok();
    assert!(help.contains("Three mistakes end the rush") && !help.contains("Today"), "{help}");
    let help = run_menu(&home(), &["puzzle", "daily", "--help"], &[]).ok();
    assert!(help.contains("Today's puzzle") && !help.contains("mistakes"), "{help}");
}

#[test]
fn a_result_that_cannot_be_written_is_not_saved() {
    let home = home();
    fs::create_dir_all(home.path().join("quadrille/progress")).unwrap();
    let right = &puzzles::find("dots-1").unwrap().solution[0];
    let begin = ["puzzle dots-1", right, "back", "quit"].join("\n");
    let said = finish(&mut command(home.path(), &["--plain"]), begin.as_bytes());
    let lines: Vec<&str> = said.out.lines().collect();
    let at = lines.iter().position(|line| line.starts_with("Solved")).unwrap();
    let is_told = |line: &&str| line.starts_with("Not saved: ") && line.ends_with('.');
    assert!(lines[at..].iter().any(is_told), "{said:?}");
}

#[test]
fn a_guest_is_seated_in_the_menu() {
    let said = menu(&home(), &["dots 1=Ann 2=guest", "2=Bob", "quit"]);
    has(&said, "Dots and Boxes, 4 x 4 boxes (5 x 5 dots): Ann and a guest.");
    has(&said, "Type start to begin; help says what can be changed.");
    has(&said, "Dots and Boxes, 4 x 4 boxes (5 x 5 dots): Ann and Bob.");
}

#[test]
fn a_match_is_set_up_as_one_likes() {
    let said = menu(
        &home(),
        &[
            "dots size=3",
            "1=Ann",
            "2=casual",
            "clock=300+5",
            "size=2",
            "size=99",
            "seat",
            "3=Bob",
            "start",
        ],
    );
    has(&said, "Dots and Boxes, 2 x 2 boxes (3 x 3 dots): Player 1 and Player 2.");
    has(&said, "Dots and Boxes, 2 x 2 boxes (3 x 3 dots): Ann and Casual.");
    assert!(
        said.iter().any(|line| line
            .starts_with("Dots and Boxes, 1 x 1 box (2 x 2 dots): Ann and Casual; each has 5")),
        "{said:#?}"
    );
    has(&said, "size=99: must be a whole number from 2 to 64.");
    has(
        &said,
        "\"seat\" is no word of the setup; start begins the match, and help lists the words.",
    );
    has(&said, "The seats are 1 to 2.");
    has(&said, "Ann to move.");
    let program = menu(&home(), &["quixo", "2=cmd:rm", "2=engine:god", "back"]);
    let refused =
        "A program gets its seat on the command line: quadrille play GAME --plain --seat.";
    has(&program, refused);
    assert!(program.iter().any(|line| line.contains("a level is beginner")), "{program:#?}");
}

#[test]
fn several_things_are_changed_in_one_line() {
    let said = menu(&home(), &["dots size=4 2=strong clock = 60+1", "1=Ann Lee 2=Bob size=3", "x"]);
    let clock = "; each has 1:00 min for the match, and 1 s more for each move.";
    has(&said, &format!("Dots and Boxes, 3 x 3 boxes (4 x 4 dots): Player 1 and Strong{clock}"));
    has(&said, &format!("Dots and Boxes, 2 x 2 boxes (3 x 3 dots): Ann Lee and Bob{clock}"));
    let said = menu(&home(), &["intersections 3=Cy players=3", "4=Dan", "size 3=x"]);
    assert!(said.iter().any(|line| line.ends_with(": Player 1, Player 2 and Cy.")), "{said:#?}");
    has(&said, "The seats are 1 to 3.");
    has(&said, "\"size\" is not of the form size=4.");
}

/// To the question for a game, what can be one is one, though it may be a word or a number of the menu too.
#[test]
fn the_question_for_a_game_is_answered_by_games() {
    let said =
        menu(&home(), &["play", "6", "q", "back", "play", "q size=3", "back", "play", "quit"]);
    has(&said, "\"6\" is not one of their numbers, 1 to 5.");
    has(&said, "Quixo, 5 x 5 dice: Player 1 and Player 2.");
    has(&said, "Quixo, 3 x 3 dice: Player 1 and Player 2.");
}

#[test]
fn a_match_is_left_and_resumed() {
    let home = home();
    let said = menu(&home, &["resume", "records", "play ttt", "", "b2", "quit", "resume", "quit"]);
    has(&said, "There is no match to resume.");
    has(&said, "There is no record yet.");
    has(&said, "The match is saved; quadrille resume --plain resumes it.");
    has(&said, "1 unfinished match. Type resume and a number:");
    has(&said, "1 Tic-tac-toe, Player 1 against Player 2, 1 move.");
    let said = menu(&home, &["resume 7", "resume 1", "a1"]);
    has(&said, "\"7\" is not one of their numbers, 1.");
    has(&said, "1 move played. Player 1 puts X on b2.");
    has(&said, "Player 2 puts O on a1. Player 1 to move.");
}

#[test]
fn records_are_listed_shown_and_replayed() {
    let home = home();
    let lines = ["ttt", "1=Ann", "2=Bob", "start", "a1", "b1", "a2", "b2", "a3", "quit", "records"];
    let said = menu(&home, &lines);
    has(&said, "1 record. Type show, replay or puzzle mistakes and a number:");
    let record = said.last().unwrap().clone();
    assert!(record.starts_with("1 Tic-tac-toe, Ann against Bob, 1-0, 5 moves, 2"), "{record}");
    let shown = menu(&home, &["show 1"]);
    has(&shown, record.strip_prefix("1 ").unwrap());
    has(&shown, "Ann has X on a1, a2 and a3.");
    let said = menu(&home, &["replay 1", "show 2", "replay"]);
    has(&said, "1. Ann puts X on a1.");
    has(&said, "5. Ann puts X on a3 and has three in a row: a1, a2 and a3.");
    has(&said, "Ann wins.");
    has(&said, "\"2\" is not one of their numbers, 1.");
    let said = menu(&home, &["boxes", "1=Ann", "start", "resign", "nonsense", "quit", "records"]);
    has(
        &said,
        "\"nonsense\" is no command. The match is over: rematch plays again, quit leaves, help lists all commands.",
    );
    assert!(
        said.iter()
            .any(|line| line.contains("Boxes, Ann against Player 2, 0-1, resigned, 0 moves"))
    );
    fs::write(home.path().join("quadrille/records/bad.game"), "nothing").unwrap();
    has(
        &menu(&home, &["records"]),
        "2 records. Type show, replay or puzzle mistakes and a number:",
    );
}

#[test]
fn words_are_told_apart() {
    let said =
        menu(&home(), &["r", "chess", "play chess", "rules", "rules dots", "99", "help", "qui"]);
    has(&said, "\"r\" can be resume, records, replay or rules: type more of the word.");
    let games = "dots-and-boxes, join-the-dots, quixo, tic-tac-toe and intersections";
    has(&said, &format!("\"chess\" is no game; there are {games}."));
    has(&said, &format!("Type rules and a game: {games}."));
    let rules = GAMES[0].rules.lines().next().unwrap();
    has(&said, rules);
}

#[test]
fn a_line_that_the_input_cuts_is_not_taken() {
    let home = home();
    let said = finish(&mut command(home.path(), &["--plain"]), b"play ttt").ok();
    let last = said.lines().last().unwrap();
    assert_eq!(
        last,
        "The input ended in the middle of a line, so this is not taken: \"play ttt\"."
    );
}

#[test]
fn plain_is_for_what_has_screens() {
    let refused = run_menu(&home(), &["--plain", "rules", "quixo"], &[]).fails(2);
    assert_eq!(refused, "--plain: only play, resume, join, lobby, learn and the menu show screens");
    let said = run_menu(&home(), &["--plain", "play", "ttt"], &["quit"]).ok();
    assert!(said.starts_with("Tic-tac-toe"), "{said}");
}
