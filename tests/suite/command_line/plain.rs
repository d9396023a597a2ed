//! Plain mode: a match through pipes, saved like one on the screen.

use crate::common::program::{LOGIN, Run, command, finish};
use crate::common::samples::{self, Sample, samples};
#[cfg(unix)]
use crate::common::terminal::Terminal;
use crate::common::untimed::Untimed;
use quadrille::picture::HAS_PIXELS;
use quadrille_match::session::{Step, Termination};
use quadrille_table::catalogue::{self, GameEntry};
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ExitStatus};
#[cfg(unix)]
use std::rc::Rc;
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;
use tempfile::TempDir;

fn home() -> TempDir {
    tempfile::tempdir().unwrap()
}

/// Plays in plain mode, with all lines sent at once.
fn type_lines(home: &TempDir, args: &[&str], lines: &[&str]) -> Run {
    let input = [lines.join("\n").as_bytes(), if lines.is_empty() { b"" } else { b"\n" }].concat();
    finish(&mut command(home.path(), args), &input)
}

/// Asserts success.
fn output_lines(home: &TempDir, args: &[&str], lines: &[&str]) -> Vec<String> {
    let out = type_lines(home, args, lines).ok();
    assert!(out.chars().all(|letter| letter == '\n' || !letter.is_control()), "{out:?}");
    out.lines().map(str::to_owned).collect()
}

/// The choices after a match.
const NEXT: &str = if HAS_PIXELS { NEXT_WITH_GIF } else { NEXT_WITHOUT_GIF };
const NEXT_WITH_GIF: &str = "Next: 1 Rematch, swap sides; 2 View the board; 3 Rematch; 4 Review the match; 5 New \
    match; 6 Save a picture; 7 Save a GIF; 8 Copy the record; 9 Home.";
const NEXT_WITHOUT_GIF: &str = "Next: 1 Rematch, swap sides; 2 View the board; 3 Rematch; 4 Review the match; 5 New \
    match; 6 Save a picture; 7 Copy the record; 8 Home.";

/// The message after a match without moves.
const NOTHING: &str = "No moves played; nothing to save.";

const BOXES: [&str; 6] = ["play", "dots-and-boxes", "size=3", "--names", "Ann,Bob", "--plain"];
const CELLS: [&str; 5] = ["play", "tic-tac-toe", "--names", "Ann,Bob", "--plain"];

fn files(state: &Path, folder: &str) -> Vec<PathBuf> {
    let Ok(files) = fs::read_dir(state.join("quadrille").join(folder)) else { return Vec::new() };
    let mut files: Vec<PathBuf> = files.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

/// A journal without its checksums and times.
fn journal(path: &Path) -> String {
    let text = fs::read_to_string(path).unwrap();
    assert!(text.starts_with("quadrille-journal 3\n"), "{text}");
    let (head, steps) = text.split_at(text.match_indices('\n').nth(6).unwrap().0);
    let head =
        head.lines().map(|line| line.split_once(' ').map_or(line, |(_, rest)| rest).to_owned());
    let steps = steps.lines().filter(|line| !line.is_empty()).map(|line| {
        let [_, number, time, who, step] = line.splitn(5, ' ').collect::<Vec<_>>()[..] else {
            panic!("{line}")
        };
        assert!(time.parse::<u64>().is_ok(), "{line}");
        format!("{number} {who} {step}")
    });
    head.chain(steps).collect::<Vec<_>>().join("\n")
}

/// Returns at most `most` random moves of a match, and the sentence for each.
fn random_moves(entry: &'static GameEntry, setup: &str, most: usize) -> (Vec<String>, Vec<String>) {
    let mut match_board = samples::open(entry, setup);
    let mut rng = fastrand::Rng::with_seed(7);
    let (mut moves, mut sentences) = (Vec::new(), Vec::new());
    while let Some(mv) =
        rng.choice(match_board.current_match().legal_moves()).filter(|_| moves.len() < most)
    {
        match_board.play(&mv).unwrap();
        let in_words = entry.in_words(match_board.current_match());
        // Quadrille names the first person.
        let players = match_board.players().clone().with_usual_name(LOGIN);
        sentences.push(in_words.last_and_turn(&(&players).into()));
        moves.push(mv);
    }
    (moves, sentences)
}

fn with<'a>(args: &[&'a str], setup: &'a str) -> Vec<&'a str> {
    args.iter().copied().chain(setup.split_whitespace()).collect()
}

#[test]
fn every_game_is_played_to_its_end() {
    for (entry, sample) in samples() {
        for setup in [sample.small, ""] {
            let (moves, sentences) = random_moves(entry, setup, 60);
            let mut lines: Vec<&str> = moves.iter().map(String::as_str).collect();
            lines.extend(["draw", "agree", "board", "score", "moves", "quit"]);
            let home = home();
            let output = output_lines(
                &home,
                &with(&["play", entry.id, "--plain"], &seeded(entry, setup)),
                &lines,
            );
            let mut rest = output.iter();
            for sentence in &sentences {
                assert!(rest.any(|line| line == sentence), "no {sentence:?} in {output:#?}");
            }
            // The match is over, so it is now a record.
            assert!(files(home.path(), "matches").is_empty(), "{output:#?}");
            let record = fs::read_to_string(&files(home.path(), "records")[0]).unwrap();
            assert!(moves.iter().all(|mv| record.contains(mv.as_str())), "{record}");
            assert!(
                output.iter().all(|line| line.is_ascii() && !line.contains('|')),
                "{output:#?}"
            );
        }
    }
}

/// Returns the setup, with a seed if it is the default and random.
fn seeded(entry: &'static GameEntry, setup: &str) -> String {
    let has_seed =
        (entry.options)(&setup.parse().unwrap()).iter().any(|option| option.name() == "seed");
    let seed = if has_seed && setup.is_empty() { "seed=1" } else { "" };
    format!("{setup} {seed}")
}

#[test]
fn plain_transcripts_match_snapshots() {
    for (entry, Sample { opening, .. }) in samples() {
        let (setup, moves) = match entry.sample {
            (_, "") => ("", opening),
            sample => sample,
        };
        let mut lines: Vec<&str> = moves.split(' ').collect();
        lines.extend(["board", "undo", "redo", "undo", "score", "moves", "nonsense", "resign Ann"]);
        let args = ["play", entry.id, "--names", "Ann,Bob", "--plain"];
        let output = output_lines(&home(), &with(&args, &seeded(entry, setup)), &lines);
        // The snapshots are those of a build with pictures.
        let output = output.join("\n").replace(NEXT_WITHOUT_GIF, NEXT_WITH_GIF);
        let transcript = format!("{}\n---\n{output}", lines.join("\n"));
        insta::assert_snapshot!(entry.id, transcript);
    }
}

#[test]
fn plain_mode_announces_a_taken_box() {
    let lines = ["H0,0", "H1,0", "V0,0", "V0,1", "V1,0", "V1,1", "H2,0"];
    let output = output_lines(&home(), &BOXES, &lines);
    assert_eq!(
        output[3..],
        [
            "Ann draws H0,0. Bob to move.",
            "Bob draws H1,0. Ann to move.",
            "Ann draws V0,0. Bob to move.",
            "Bob draws V0,1 and takes a box. 0 to 1. Bob to move.",
            "Bob draws V1,0. Ann to move.",
            "Ann draws V1,1. Bob to move.",
            "Bob draws H2,0 and takes a box. 0 to 2. Bob to move.",
            "Match saved. Resume with: quadrille resume --plain"
        ]
    );
}

/// Invalid places are also reported after the end, and moves may be in lower case everywhere.
#[test]
fn move_errors_stay_specific_after_the_end() {
    let home = home();
    let lines = ["H0,0", "v0,0", "V0,1", "h1,0", "H10,10", "h0,0", "quit"];
    let boxes = ["play", "dots-and-boxes", "size=2", "--names", "Ann,Bob", "--plain"];
    assert_eq!(
        [6, 8, 9].map(|at| output_lines(&home, &boxes, &lines)[at].clone()),
        [
            "Bob draws H1,0 and takes a box. 0 to 1. Bob wins.",
            "This board has no such line. Bob wins.",
            "Already drawn. Bob wins.",
        ]
    );
    for (game, moves, wrong) in [
        ("quixo", "grid=XXXX size=2", "C9-A1"),
        ("join-the-dots", "layout=circle:3", "1-9"),
        ("intersections", "size=2 segments=2 rounds=2", "9,9-0,0"),
    ] {
        let entry = catalogue::find(game).unwrap();
        let mut board = samples::open(entry, moves);
        while let Some(mv) = board.current_match().legal_moves().first().cloned() {
            board.play(&mv).unwrap();
        }
        let refusal = board.play(wrong).unwrap_err().to_string();
        assert!(!refusal.contains("is over"), "{game}: {refusal}");
    }
    // A record in lower case is the same match.
    let record = "[Game \"quixo\"]\n[Setup \"size=5\"]\n\nb1-b5\n";
    fs::write(home.path().join("small.game"), record).unwrap();
    let path = home.path().join("small.game");
    let args = ["show", path.to_str().unwrap(), "--format", "json"];
    let shown = finish(&mut command(home.path(), &args), b"").ok();
    assert!(shown.contains("B1-B5"), "{shown}");
}

#[test]
fn wrong_input_is_refused_in_a_sentence() {
    let home = home();
    let long = "x".repeat(5000);
    let lines = [
        "h0,0",
        "H0,0",
        "h0,0",
        "H9,9",
        "what?",
        "a\u{1b}[1mb\u{7}",
        &long,
        "r",
        "undo now",
        "agree",
        "rematch",
        "",
    ];
    assert_eq!(
        output_lines(&home, &BOXES, &lines)[3..],
        [
            "Ann draws H0,0. Bob to move.",
            "Already drawn.",
            "Already drawn.",
            "This board has no such line.",
            "\"what?\" is neither a command nor a legal move: a line is H or V with its row and column, such as H0,1. Type help for a list of commands.",
            "\"a\\u{1b}[1mb\\u{7}\" is neither a command nor a legal move: a line is H or V with its row and column, such as H0,1. Type help for a list of commands.",
            "This line is too long.",
            "Nothing to redo.",
            "\"undo now\" is neither a command nor a legal move: a line is H or V with its row and column, such as H0,1. Type help for a list of commands.",
            "\"agree\" is not available now.",
            "\"rematch\" is not available now.",
            "Bob to move.",
            "Match saved. Resume with: quadrille resume --plain"
        ]
    );
    assert!(journal(&files(home.path(), "matches")[0]).ends_with("\n1 1 play H0,0"));
    let bytes = finish(&mut command(home.path(), &CELLS), b"\xff\xfe\r\nb2\r\n\0\n").ok();
    assert!(bytes.contains("Ann puts X on b2. Bob to move.\n"), "{bytes}");
}

#[test]
fn undo_and_redo_announce_their_effect() {
    let lines =
        ["H0,0", "undo", "undo", "redo", "undo", "V0,0", "undo", "variation", "redo", "u", "r"];
    let output = output_lines(&home(), &BOXES, &lines);
    assert_eq!(
        output[3..13],
        [
            "Ann draws H0,0. Bob to move.",
            "Ann's H0,0 is taken back. Ann to move.",
            "Nothing to undo.",
            "Ann draws H0,0. Bob to move.",
            "Ann's H0,0 is taken back. Ann to move.",
            "Ann draws V0,0. Bob to move.",
            "Ann's V0,0 is taken back. Ann to move.",
            "Redo plays H0,0, variation 1 of 2.",
            "Ann draws H0,0. Bob to move.",
            "Ann's H0,0 is taken back. Ann to move.",
        ]
    );
}

/// The same moves give the same match through keys and through lines.
#[cfg(unix)]
#[test]
fn plain_mode_and_screens_write_equal_journals_and_records() {
    let keyed = Rc::new(home());
    let record = keyed.path().join("a.game");
    let args = ["play", "dots-and-boxes", "size=3", "--names", "Ann,Bob", "--record"];
    let mut terminal =
        Terminal::run_with(&[&args[..], &[record.to_str().unwrap()]].concat(), &keyed);
    terminal.wait_for("12 lines").keys(":H0,1\r").wait_for("11 lines");
    terminal.keys(":V0,0\r").wait_for("10 lines").keys("u").wait_for("taken back");
    terminal.keys(":v1,1\r").wait_for("10 lines").keys("u").wait_for("taken back");
    terminal.keys("v").wait_for("variation 1 of 2").keys("r").wait_for("redone");
    terminal.keys(":H9,9\r").wait_for("no such line").keys("\x1b").wait_for("u undo");
    terminal.keys(":H1,0\r").wait_for("9 lines");
    terminal.leave();

    let typed = home();
    let file = typed.path().join("a.game");
    let args = [&args[..], &[file.to_str().unwrap(), "--plain"]].concat();
    let lines = ["H0,1", "V0,0", "undo", "v1,1", "undo", "variation", "redo", "H9,9", "H1,0"];
    output_lines(&typed, &args, &lines);
    assert_eq!(fs::read_to_string(&file).unwrap(), fs::read_to_string(&record).unwrap());
    let [keyed, typed] =
        [keyed.path(), typed.path()].map(|home| journal(&files(home, "matches")[0]));
    assert_eq!(keyed, typed);
    assert!(typed.contains("\n6 table line 2\n"), "{typed}");
}

#[cfg(unix)]
#[test]
fn plain_mode_and_screens_write_equal_finished_records() {
    let keyed = Rc::new(home());
    let mut terminal = Terminal::run_with(&["play", "tic-tac-toe", "--names", "Ann,Bob"], &keyed);
    terminal.wait_for("q leave");
    for mv in ["a1", "b1", "a2", "b2"] {
        terminal.keys(&format!(":{mv}\r")).wait_for(mv);
    }
    terminal.keys(":a3\r").wait_for("Ann wins");
    terminal.leave();
    let typed = home();
    output_lines(&typed, &CELLS, &["a1", "b1", "a2", "b2", "a3"]);
    let record = |home: &Path| fs::read_to_string(&files(home, "records")[0]).unwrap();
    assert_eq!(record(keyed.path()), record(typed.path()));
}

#[test]
fn match_can_be_resigned_or_agreed_drawn() {
    let home = home();
    let lines = [
        "b2",
        "resign yes",
        "undo",
        "resign ann",
        "undo",
        "resign Cy",
        "draw",
        "agree",
        "a1",
        "rematch",
        "c3",
    ];
    let output = output_lines(&home, &CELLS, &lines);
    let expected = [
        &[
            "Ann puts X on b2. Bob to move.",
            "Ann wins, Bob resigned.",
            NEXT,
            "Match resumed. Bob to move.",
        ][..],
        &["Bob wins, Ann resigned.", NEXT, "Match resumed. Bob to move."],
        &[
            "Unknown choice \"Cy\". Type help for a list of commands.",
            "Who resigns?",
            "The other player wins.",
            "1 Cancel.",
            "2 Ann resigns.",
            "3 Bob resigns.",
            "Type yes or no.",
            "Bob offers Ann a draw. Type agree or no.",
            "Draw, by agreement.",
            NEXT,
            "Draw, by agreement.",
            "Tic-tac-toe, 3 x 3 cells. Ann against Bob.",
            "Ann to move.",
            "Type a move, such as a1, or help for a list of commands.",
            "Ann puts X on c3. Bob to move.",
            "Match saved. Resume with: quadrille resume --plain",
        ],
    ];
    assert_eq!(output[3..], expected.concat());
    let record = fs::read_to_string(&files(home.path(), "records")[0]).unwrap();
    assert!(record.contains("[Termination \"agreed\"]"), "{record}");
    let args = ["play", "intersections", "players=3", "--names", "Ann,Bob,Cy", "--plain"];
    let output =
        output_lines(&home, &args, &["draw", "agree", "0,0-0,1", "draw", "agree", "agree"]);
    assert_eq!(
        output[3..],
        [
            "Ann offers Bob a draw. Type agree or no.",
            "Ann offers Cy a draw. Type agree or no.",
            // A move refuses the offer.
            "Ann draws 0,0-0,1. Bob to move.",
            "Bob offers Ann a draw. Type agree or no.",
            "Bob offers Cy a draw. Type agree or no.",
            "Draw, by agreement.",
            NEXT,
        ]
    );
}

#[test]
fn left_match_resumes_in_plain_mode() {
    let home = home();
    output_lines(&home, &BOXES, &["H0,0", "H1,0", "V0,0", "V0,1"]);
    let mut output = output_lines(&home, &["resume", "--plain"], &["H0,1"]);
    let last = output.split_off(output.len() - 5);
    assert_eq!(output[0], "Dots and Boxes, 2 x 2 boxes (3 x 3 dots). Ann against Bob.");
    assert!(output.len() > 2, "no board: {output:?}");
    assert_eq!(
        last,
        [
            "4 moves played. Bob draws V0,1 and takes a box. 0 to 1.",
            "Ann has 0 boxes; Bob has 1 box. 3 boxes, 8 lines left. Bob to move.",
            "Type a move, such as H0,1, or help for a list of commands.",
            "Bob draws H0,1. Ann to move.",
            "Match saved. Resume with: quadrille resume --plain"
        ]
    );
    // A match without moves is not saved.
    let none = self::home();
    assert_eq!(
        *output_lines(&none, &BOXES, &["", "help", "quit"]).last_chunk::<2>().unwrap(),
        ["Press Enter to continue, or to hear whose turn it is.", NOTHING]
    );
    // Neither is a continued record without new moves.
    let record = none.path().join("a.game");
    fs::write(&record, "[Game \"dots-and-boxes\"]\n[Setup \"size=3\"]\n\nH0,0\n").unwrap();
    let args = [&BOXES[..], &["--record", record.to_str().unwrap()]].concat();
    let nothing_new = "No new moves; the record is unchanged.";
    assert_eq!(output_lines(&none, &args, &["quit"]).last().unwrap(), nothing_new);
    assert_eq!(files(none.path(), "matches").len(), 0);
    assert_eq!(
        type_lines(&none, &["resume", "--plain"], &[]).fails(1),
        "there is no match to resume"
    );
}

#[test]
fn engines_of_one_level_have_distinct_names() {
    let home = home();
    let seats = ["--seat", "1=engine:casual,seed=1", "--seat", "2=engine:casual,seed=2"];
    let output =
        output_lines(&home, &[&["play", "tic-tac-toe", "--plain"], &seats[..]].concat(), &[]);
    assert_eq!(
        output[..2],
        ["Tic-tac-toe, 3 x 3 cells. Casual 1 against Casual 2.", "Casual 1 to move."]
    );
    assert!(output[2].starts_with("Casual 1 puts X on "), "{output:?}");
    let last = &output[output.len() - 2];
    assert!(last.ends_with(" wins.") || last.ends_with("Draw."), "{output:?}");
    assert_eq!(files(home.path(), "records").len(), 1);
}

#[test]
fn engine_replies_and_waits_after_undo() {
    let args = ["play", "tic-tac-toe", "--seat", "1=engine:casual,seed=1", "--plain"];
    let output = output_lines(&home(), &args, &["undo", "a1", "draw", ""]);
    let (first, _) = output[3].split_once(". Your turn.").unwrap();
    let mv = first.strip_prefix("Casual puts X on ").unwrap();
    assert_eq!(
        output[4..8],
        [
            format!("Casual's {mv} is taken back. Casual to move."),
            "Press Enter to let the engine move.".to_owned(),
            "Casual is to move.".to_owned(),
            "\"draw\" is not available now.".to_owned(),
        ]
    );
    assert_eq!(output[8], output[3]);
}

/// The positions are solved at once, so the answers are deterministic.
#[test]
fn plain_hint_and_values_help_the_seat_to_move() {
    let lines = ["b2", "b1", "a1", "a2", "hint", "hint", "values", "c3", "hint"];
    assert_eq!(
        output_lines(&home(), &CELLS, &lines)[7..],
        [
            "Hint: c3, which completes three in a row.",
            "Hint: c3, which completes three in a row.",
            "Wins in 1 move: c3.",
            "Wins in 2 moves: c1, a3.",
            "Leads to a draw: c2, b3.",
            "Ann puts X on c3 and has three in a row: a1, b2 and c3. Ann wins.",
            NEXT,
            "\"hint\" is not available now."
        ]
    );
}

/// It may be a late Enter.
#[test]
fn empty_line_after_a_match_starts_nothing() {
    let won = ["a1", "b1", "a2", "b2", "a3"];
    let said = output_lines(&home(), &CELLS, &[&won[..], &["", "", "quit"]].concat());
    assert_eq!(said.iter().filter(|line| *line == NEXT).count(), 3, "{said:#?}");
    for word in ["1", "swap", "rematch"] {
        let said = output_lines(&home(), &CELLS, &[&won[..], &["", word]].concat());
        let to_move = said.iter().filter(|line| line.ends_with("to move.")).count();
        assert_eq!(to_move, 6, "{word}: {said:#?}");
    }
}

#[test]
fn hints_setting_disables_hints_in_plain_mode() {
    let home = home();
    fs::create_dir(home.path().join("quadrille")).unwrap();
    fs::write(home.path().join("quadrille/config.toml"), "hints = false\n").unwrap();
    let off = "Hints are off in the settings.";
    assert_eq!(output_lines(&home, &CELLS, &["hint", "values"])[3..], [off, off, NOTHING]);
}

/// Quadrille in plain mode, with a test on its pipes.
struct PlainProcess {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
}

impl PlainProcess {
    fn new(home: &TempDir, args: &[&str]) -> PlainProcess {
        let mut child = command(home.path(), args).spawn().unwrap();
        let (say, lines) = channel();
        let out = BufReader::new(child.stdout.take().unwrap());
        thread::spawn(move || {
            out.lines().map_while(Result::ok).try_for_each(|line| say.send(line))
        });
        PlainProcess { input: child.stdin.take(), child, lines }
    }

    fn send(&mut self, line: &str) -> &mut PlainProcess {
        writeln!(self.input.as_mut().unwrap(), "{line}").unwrap();
        self
    }

    fn wait_for_line(&mut self, what: &str) -> String {
        loop {
            let line = self.lines.recv_timeout(Duration::from_secs(60)).expect(what);
            if line.contains(what) {
                return line;
            }
        }
    }

    fn end(mut self) -> ExitStatus {
        drop(self.input.take());
        self.child.wait().unwrap()
    }
}

/// The test waits for each reply before it sends the next line.
#[test]
fn script_plays_line_by_line() {
    let home = home();
    let args =
        ["play", "dots-and-boxes", "size=3", "--seat", "2=engine:beginner,seed=3", "--plain"];
    let mut process = PlainProcess::new(&home, &args);
    process.wait_for_line("Type a move");
    let mut turns = 0;
    loop {
        let moves = process.send("moves").wait_for_line(" move");
        let Some((_, moves)) = moves.split_once(": ") else { break };
        let mv = moves.split([',', '.']).take(2).collect::<Vec<_>>().join(",");
        let mut line = process.send(&mv).wait_for_line("You draw");
        while line.ends_with("Beginner to move.") {
            line = process.wait_for_line("Beginner draws");
        }
        turns += 1;
        if !line.ends_with("Your turn.") {
            break;
        }
    }
    assert!(turns >= 2, "{turns}");
    assert!(process.end().success());
    assert_eq!(files(home.path(), "records").len(), 1);
}

/// Leaves a match while an external engine does not answer, and while an engine thinks for a minute.
#[cfg(unix)]
#[test]
fn leaving_does_not_wait_for_an_engine() {
    let home = home();
    let silent = home.path().join("silent.sh");
    fs::write(&silent, "echo ugiok; echo readyok; sleep 1000").unwrap();
    let program = format!("2=cmd,nodes=10:sh {}", silent.display());
    let has_left = |args: &[&str], lines: &[&str]| {
        let said = output_lines(&home, args, lines);
        let last = ["You draw H0,0. Silent to move.", "You draw H0,0. Strong to move."]
            .map(|line| line.replace("Silent", "silent.sh"));
        let [.., played, left] = &said[..] else { panic!("{said:?}") };
        assert!(last.contains(played), "{said:#?}");
        assert_eq!(left, "Match saved. Resume with: quadrille resume --plain");
    };
    for seat in [&*program, "2=engine:strong,time=60"] {
        let args = ["play", "dots-and-boxes", "size=6", "--plain", "--seat", seat];
        for lines in [&["H0,0", "quit"][..], &["H0,0"]] {
            has_left(&args, lines);
        }
    }
    // By then the engine has been asked.
    let args = ["play", "dots-and-boxes", "--plain", "--seat", &program];
    for last in ["q", ""] {
        let mut process = PlainProcess::new(&home, &args);
        process.send("H0,0").wait_for_line("silent.sh is thinking.");
        if !last.is_empty() {
            process.send(last);
        }
        drop(process.input.take());
        process.wait_for_line("Match saved");
        assert!(process.end().success());
    }
}

/// In a pipe, the same lines would wait for the program's reply.
#[cfg(unix)]
#[test]
fn prompt_answers_at_once_while_a_program_thinks() {
    let home = home();
    let silent = home.path().join("silent.sh");
    fs::write(&silent, "echo ugiok; echo readyok; sleep 1000").unwrap();
    let program = format!("2=cmd,nodes=10:sh {}", silent.display());
    let args = ["play", "dots-and-boxes", "--plain", "--seat", &program];
    let mut terminal = Terminal::run(&args);
    terminal.wait_for("> ").keys("H0,0\r").wait_for("silent.sh is thinking.");
    terminal.keys("V0,0\r").wait_for("silent.sh is to move");
    terminal.keys("help\r").wait_for("to hear whose turn it is");
    terminal.keys("undo\r").wait_for("Your H0,0 is taken back. Your turn.");
    terminal.keys("H0,1\r").wait_for("You draw H0,1. silent.sh to move.");
    terminal.keys("resign\r").wait_for("Type yes or no.");
    terminal.keys("yes\r").wait_for("silent.sh wins, you resigned.");
    terminal.keys("undo\r").wait_for("Your H0,1 is taken back.");
    terminal.keys("quit\r").wait_for("Match saved");
    assert_eq!(terminal.wait_for_the_end(), 0);
    let mut process = PlainProcess::new(&home, &args);
    process.send("H0,0").send("undo").send("quit");
    process.wait_for_line("silent.sh is thinking.");
    assert!(process.lines.recv_timeout(Duration::from_millis(500)).is_err(), "it waits");
    process.child.kill().unwrap();
    process.child.wait().unwrap();
}

#[test]
fn match_is_saved_with_a_closed_stdout() {
    let home = home();
    let mut child = command(home.path(), &BOXES).spawn().unwrap();
    drop(child.stdout.take());
    let mut input = child.stdin.take().unwrap();
    // Quadrille need not read everything.
    let _ = input.write_all(b"H0,0\nV0,0\n");
    drop(input);
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), &*output.stderr), (Some(0), &b""[..]));
    let mut process = PlainProcess::new(&home, &BOXES);
    process.send("H0,0").wait_for_line("Bob to move");
    let lines = std::mem::replace(&mut process.lines, channel().1);
    drop(lines);
    process.send("V0,0").send("V1,0");
    assert!(process.end().success());
    let kept = files(home.path(), "matches").iter().map(|path| journal(path)).collect::<String>();
    assert!(kept.contains("1 1 play H0,0"), "{kept}");
}

#[cfg(unix)]
#[test]
fn signal_ends_plain_mode_and_keeps_the_match() {
    use std::os::unix::process::ExitStatusExt;
    for (name, number) in [("INT", 2), ("TERM", 15), ("HUP", 1)] {
        let home = home();
        let mut process = PlainProcess::new(&home, &BOXES);
        process.send("H0,0").wait_for_line("Bob to move.");
        let id = process.child.id().to_string();
        let killed = std::process::Command::new("kill").args([&format!("-{name}"), &id]).status();
        assert!(killed.unwrap().success());
        process.wait_for_line("Match saved");
        assert_eq!(process.child.wait().unwrap().signal(), Some(number));
        assert!(journal(&files(home.path(), "matches")[0]).ends_with("\n1 1 play H0,0"));
    }
}

#[test]
fn dumb_terminal_gets_plain_mode_and_pipe_needs_plain_option() {
    let home = home();
    let mut quixo = command(home.path(), &["play", "quixo", "--names", "Ann,Bob"]);
    let out = finish(quixo.env("TERM", "dumb"), b"B1-B5\n").ok();
    assert!(
        out.contains("Ann takes the blank die at B1 and pushes it in at B5. Bob to move.\n"),
        "{out}"
    );
    let out = finish(command(home.path(), &["resume"]).env("TERM", "dumb"), b"").ok();
    assert!(out.contains("1 move played."), "{out}");
    assert_eq!(
        type_lines(&home, &["play", "quixo"], &[]).fails(1),
        "stdin is not a terminal; use quadrille play GAME --plain"
    );
}

#[test]
fn plain_output_is_ascii_without_utf_8() {
    let args = ["play", "tic-tac-toe", "--names", "Zoë,Bob", "--plain"];
    let home = home();
    let out = finish(command(home.path(), &args).env("LC_ALL", "C"), b"b2\n").ok();
    assert!(out.is_ascii() && out.contains("Zo? puts X on b2."), "{out}");
    assert!(type_lines(&home, &args, &["b2"]).ok().contains("Zoë puts X on b2."));
}

#[test]
fn plain_mode_reports_an_unsaved_match() {
    let home = home();
    fs::write(home.path().join("quadrille"), "a file, and no folder").unwrap();
    let run = type_lines(&home, &BOXES, &["H0,0", "V0,0"]);
    assert_eq!(run.status, 0, "{run:?}");
    assert_eq!(run.out.matches("Not saved: ").count(), 1, "{run:?}");
    assert!(!run.out.contains("is saved"), "{run:?}");
    assert!(run.err.starts_with("Dots and Boxes, Ann - Bob, 0-0, 2 moves: not saved: "), "{run:?}");
}

/// Every position is described in ASCII lines that end in a full stop or a colon.
#[test]
fn every_position_is_described_in_sentences() {
    for (entry, sample) in samples() {
        for setup in sample.usual() {
            let mut match_board = samples::open(entry, setup);
            let mut rng = fastrand::Rng::with_seed(3);
            for _ in 0..200 {
                let in_words = entry.in_words(match_board.current_match());
                let names = &match_board.players().into();
                let lines = [in_words.last_and_turn(names), in_words.standing(names)];
                for line in in_words.board(names).into_iter().chain(lines) {
                    assert!(
                        line.is_ascii() && line.ends_with(['.', ':']),
                        "{}: {line:?}",
                        entry.id
                    );
                    assert!(!line.contains("  ") && !line.contains(" ."), "{}: {line:?}", entry.id);
                }
                let Some(mv) = rng.choice(match_board.current_match().legal_moves()) else { break };
                match_board.play(&mv).unwrap();
            }
            if match_board.step(Step::End(Termination::Limit)).is_ok() {
                let in_words = entry.in_words(match_board.current_match());
                let words = in_words.last_and_turn(&match_board.players().into());
                assert!(words.ends_with("Draw, by the limit of moves."), "{words}");
            }
        }
    }
}

/// A truncated line may be only the beginning of the intended one.
#[test]
fn unterminated_move_line_is_not_played() {
    let home = home();
    let args = ["play", "join", "layout=circle:15", "--names", "Ann,Bob", "--plain"];
    let said = finish(&mut command(home.path(), &args), b"1-2\n1-1").ok();
    assert_eq!(
        said.lines().skip(3).collect::<Vec<_>>(),
        [
            "Ann joins 1 and 2. Bob to move.",
            "Input ended in the middle of a line; ignored: \"1-1\".",
            "Match saved. Resume with: quadrille resume --plain"
        ]
    );
}

#[test]
fn plain_mode_says_where_a_match_with_a_record_is_saved() {
    let home = home();
    let record = home.path().join("a.game");
    let args = [&BOXES[..], &["--record", record.to_str().unwrap()]].concat();
    let last = |lines: &[&str]| output_lines(&home, &args, lines).pop().unwrap();
    assert_eq!(last(&["quit"]), NOTHING);
    let both = "Match saved, record complete. Resume with: quadrille resume --plain";
    assert_eq!(last(&["h00", "quit"]), both);
    assert_eq!(last(&["quit"]), both);
    // Without the journal, only the record has the match.
    fs::remove_dir_all(home.path().join("quadrille")).unwrap();
    assert_eq!(last(&["quit"]), "No new moves; the record is unchanged.");
}

#[test]
fn plain_mode_accepts_loosely_typed_moves() {
    let output = output_lines(&home(), &BOXES, &["h 0 1", "V00", "v 0 0", "quit"]);
    assert!(output.contains(&"Ann draws H0,1. Bob to move.".to_owned()), "{output:#?}");
    assert!(output.contains(&"Bob draws V0,0. Ann to move.".to_owned()), "{output:#?}");
    let drawn = "Already drawn.".to_owned();
    assert!(output.contains(&drawn), "{output:#?}");
    let args = ["play", "join", "layout=circle:12", "--names", "Ann,Bob", "--plain"];
    let output = output_lines(&home(), &args, &["112", "quit"]);
    assert!(
        output.contains(&"112 could be 1-12 or 2-11; type more of it.".to_owned()),
        "{output:#?}"
    );
}

#[test]
fn record_is_replayed_in_plain_mode() {
    let home = home();
    let record = "[Game \"tic-tac-toe\"]\n[Setup \"\"]\n[Seat1 \"Ann\"]\n[Seat2 \"Bob\"]\n\na1 b1 a2 b2 a3\n";
    let path = home.path().join("won.game");
    fs::write(&path, record).unwrap();
    let file = path.to_str().unwrap();
    let output = output_lines(&home, &["replay", file, "--plain"], &["next", "4", "0", "moves"]);
    let has = |line: &str| assert!(output.iter().any(|other| other == line), "{line}: {output:#?}");
    has("1. Ann puts X on a1.");
    has("4. Bob puts O on b2.");
    has("The start.");
    has("5. Ann puts X on a3 and has three in a row: a1, a2 and a3.");
    let reviewed = output_lines(&home, &["replay", file, "--plain"], &["review", "mistakes"]);
    assert!(reviewed.iter().any(|line| line.contains("Better")), "{reviewed:#?}");
    let dumb = finish(command(home.path(), &["replay", file]).env("TERM", "dumb"), b"4\n").ok();
    assert!(dumb.contains("4. Bob puts O on b2."), "{dumb}");
}
