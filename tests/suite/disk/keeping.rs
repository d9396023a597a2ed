//! A match is never lost: after a restart its moves are there, however the program ended.

use crate::common::program::{command, finish};
use crate::common::terminal::{Terminal, past_the_guard};
use std::fs;
use std::path::PathBuf;
use std::rc::Rc;
use tempfile::TempDir;

const BOXES: [&str; 5] = ["play", "dots-and-boxes", "size=3", "--names", "Ann,Bob"];

fn state() -> Rc<TempDir> {
    Rc::new(tempfile::tempdir().unwrap())
}

/// Puts a file in the place of the state directory.
fn block(state: &TempDir) {
    fs::write(state.path().join("quadrille"), "a file where the folder should be").unwrap();
}

fn files(state: &TempDir, folder: &str) -> Vec<PathBuf> {
    let folder = state.path().join("quadrille").join(folder);
    fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect()
}

/// Leaves a match of two moves, one of them taken back, that ended by SIGKILL.
fn killed(state: &Rc<TempDir>) {
    let mut terminal = Terminal::run_with(&BOXES, state);
    terminal.wait_for("12 lines").keys(":H0,1\r").wait_for("11 lines");
    terminal.keys(":V0,0\r").wait_for("10 lines").keys("u").wait_for("taken back");
    terminal.kill();
}

/// Resumes the last match, which has one move.
fn resumed(state: &Rc<TempDir>) -> Terminal {
    let mut terminal = Terminal::run_with(&["resume"], state);
    terminal.wait_for("11 lines");
    terminal
}

/// Plays a match to its end.
fn won(state: &Rc<TempDir>) -> Terminal {
    let mut terminal = Terminal::run_with(&["play", "tic-tac-toe", "--names", "Ann,Bob"], state);
    terminal.wait_for("q leave");
    for mv in ["a1", "b1", "a2", "b2"] {
        terminal.keys(&format!(":{mv}\r")).wait_for(mv);
    }
    terminal.keys(":a3\r").wait_for("Rematch");
    past_the_guard();
    terminal
}

/// Opens the setup screen of the game to which these keys lead on the home screen.
fn setup_at(keys: &str, state: &Rc<TempDir>) -> Terminal {
    let mut terminal = Terminal::run_with(&[], state);
    terminal.wait_for("q quit").keys(keys).keys("\r").wait_for("Opponent");
    terminal
}

#[test]
fn home_screen_offers_resume_after_sigkill() {
    let state = state();
    killed(&state);
    let mut terminal = Terminal::run_with(&[], &state);
    terminal.wait_for("Dots and Boxes, Ann vs Bob, 0-0, move 2").keys("\r");
    terminal.wait_for("11 lines").keys("r").wait_for("10 lines").wait_for("2 V0,0");
    terminal.leave_by("qq");
}

#[test]
fn resume_opens_the_latest_match() {
    let state = state();
    let mut terminal = Terminal::run_with(&["resume"], &state);
    terminal.wait_for("there is no match to resume");
    assert_eq!(terminal.wait_for_the_end(), 1);
    killed(&state);
    resumed(&state).leave();
}

#[test]
fn several_unfinished_matches_are_kept() {
    let state = state();
    killed(&state);
    let mut terminal = Terminal::run_with(&["play", "quixo"], &state);
    terminal.wait_for("q leave").keys(":B1-B5\r").wait_for("1 B1-B5").keys("q");
    terminal.wait_for("Quixo, ").wait_for("2 unfinished");
    terminal.leave();
    assert_eq!(files(&state, "matches").len(), 2);
}

#[test]
fn second_program_is_not_offered_a_match_in_use() {
    let state = state();
    killed(&state);
    let mut first = resumed(&state);
    let mut second = Terminal::run_with(&[], &state);
    second.wait_for("q quit");
    assert!(!second.contents().contains("Resume"), "a match in use is not offered");
    second.leave();
    first.keys("q").wait_for("Resume");
    first.leave_by("q");
}

/// If another process has the latest match open, an older one is not resumed silently.
#[test]
fn resume_reports_that_the_latest_match_is_in_use() {
    let state = state();
    killed(&state);
    let mut latest = Terminal::run_with(&["play", "quixo"], &state);
    latest.wait_for("q leave").keys(":B1-B5\r").wait_for("1 B1-B5");
    let mut second = Terminal::run_with(&["resume"], &state);
    second.wait_for("The latest match is open").keys("\r").wait_for("11 lines");
    let mut third = Terminal::run_with(&["resume"], &state);
    third.wait_for("the latest match is open in another Quadrille, and there is no other");
    assert_eq!(third.wait_for_the_end(), 1);
    second.leave();
    latest.leave();
}

#[test]
fn finished_match_becomes_a_viewable_record() {
    let state = state();
    let mut terminal = won(&state);
    // The last entry of the menu goes home.
    terminal.keys("\x1b[F\r").wait_for("q quit");
    assert!(!terminal.contents().contains("Resume"));
    assert_eq!((files(&state, "matches").len(), files(&state, "records").len()), (0, 1));
    // The entry after the games.
    terminal.keys("\x1b[F\x1b[D\x1b[D\x1b[D\r");
    terminal.wait_for("Ann").wait_for("1-0").keys("\r");
    terminal.wait_for("move 0 of 5").keys("G").wait_for("move 5 of 5");
    terminal.leave();
}

/// The record names the player who resigned, until that is taken back.
#[test]
fn record_stores_a_resignation() {
    let state = state();
    let record = state.path().join("a.game");
    let arguments = [&BOXES[..], &["--record", record.to_str().unwrap()]].concat();
    let resigned = |path: &PathBuf| {
        fs::read_to_string(path).unwrap().contains("[Termination \"resigned: 1\"]\n")
    };
    let mut terminal = Terminal::run_with(&arguments, &state);
    terminal.wait_for("12 lines").keys(":H0,1\r").wait_for("11 lines");
    let resign = |terminal: &mut Terminal| {
        terminal.keys("\x1b").wait_for("Pause").keys("\x1b[B\x1b[B\x1b[B\x1b[B\r");
        terminal.wait_for("Who resigns?").keys("\x1b[B\r").wait_for("Bob wins, Ann resigned");
        terminal.wait_until("resignation in the record", |_| resigned(&record));
        past_the_guard();
    };
    resign(&mut terminal);
    let text = fs::read_to_string(&record).unwrap();
    assert!(text.contains("[Result \"0-0\"]\n") && text.contains("[Winner \"2\"]\n"), "{text}");
    terminal.keys("q").wait_for("Bob wins").keys("u").wait_for("taken back");
    terminal.wait_until("match that goes on in the record", |_| !resigned(&record));
    resign(&mut terminal);
    // The last entry of the menu goes home.
    terminal.keys("\x1b[F\r").wait_for("q quit");
    assert!(!terminal.contents().contains("Resume"));
    assert!(files(&state, "matches").is_empty());
    let kept = files(&state, "records");
    assert!(kept.len() == 1 && resigned(&kept[0]));
    terminal.keys("\x1b[F\x1b[D\x1b[D\x1b[D\r");
    terminal.wait_for("0-1, resigned");
    terminal.leave();
}

/// Opens the review of a match that ended by resignation.
fn reviewed(state: &Rc<TempDir>) -> Terminal {
    let mut terminal = one_move(state);
    terminal.keys("\x1b").wait_for("Pause").keys("\x1b[B\x1b[B\x1b[B\x1b[B\r");
    terminal.wait_for("Who resigns?").keys("\x1b[B\r").wait_for("Bob wins, Ann resigned");
    past_the_guard();
    terminal.keys("\x1b[B\x1b[B\x1b[B\r").wait_for("of 1");
    terminal
}

/// Playing on in the review of a match leaves that match on its board: however the program ends, it has one record.
/// Nothing is saved of the new match until its first step.
#[test]
fn reviewed_match_becomes_one_record_on_any_exit() {
    for leave in ["q\x03", "qq\x03", "qqq\x03", "\x03", "qqqqq", "b\x03", "qbqq\x03"] {
        let state = state();
        let mut terminal = reviewed(&state);
        terminal.keys("b").wait_for("q leave");
        terminal.leave_by(leave);
        let kept = (files(&state, "matches").len(), files(&state, "records").len());
        assert_eq!(kept, (0, 1), "{leave:?}");
    }
}

/// The match beneath can be taken back as before. The other match is saved separately.
#[test]
fn reviewed_match_keeps_its_own_journal() {
    let state = state();
    let mut terminal = reviewed(&state);
    terminal.keys("b").wait_for("q leave").keys(":V1,1\r").wait_for("10 lines").keys("q");
    terminal.wait_for("of 1");
    assert_eq!((files(&state, "matches").len(), files(&state, "records").len()), (2, 0));
    terminal.keys("q").wait_for("Rematch").keys("q").wait_for("u undo").keys("u");
    terminal.wait_for("taken back").keys(":V0,0\r").wait_for("10 lines");
    terminal.keys("q").wait_for("2 unfinished");
    terminal.leave_by("q");
    assert_eq!((files(&state, "matches").len(), files(&state, "records").len()), (2, 0));
}

/// A continued record uses the journal of its match, so there is only one unfinished match however often it is
/// continued. With another move or player in the record, it is another match.
#[test]
fn continued_record_stays_one_match() {
    let state = state();
    let record = state.path().join("a.game");
    let play = |names: &str, keys: &str, wait_for: &str| {
        let arguments = [
            "play",
            "dots-and-boxes",
            "size=3",
            "--names",
            names,
            "--record",
            record.to_str().unwrap(),
        ];
        let mut terminal = Terminal::run_with(&arguments, &state);
        terminal.wait_for("q leave").keys(keys).wait_for(wait_for).keys("q").wait_for("q quit");
        terminal.leave_by("q");
        files(&state, "matches").len()
    };
    assert_eq!(play("Ann,Bob", ":H0,1\r", "11 lines"), 1);
    assert_eq!(play("Ann,Bob", ":V0,0\ru:V1,1\r", "10 lines"), 1);
    assert_eq!(play("Ann,Bob", "", "10 lines"), 1);
    let text = fs::read_to_string(&files(&state, "matches")[0]).unwrap();
    assert!(text.contains(" play H0,1\n") && text.contains(" play V1,1\n"), "{text}");
    assert_eq!(play("Ann,Eve", ":H1,1\r", "9 lines"), 2);
    fs::write(&record, fs::read_to_string(&record).unwrap().replace("H1,1", "H2,1")).unwrap();
    assert_eq!(play("Ann,Eve", ":H0,0\r", "8 lines"), 3);
}

/// A record without new moves is not a match to resume.
#[test]
fn unchanged_record_creates_no_match() {
    let state = state();
    let record = state.path().join("a.game");
    fs::write(&record, "[Game \"dots-and-boxes\"]\n[Setup \"size=3\"]\n\nH0,0 V0,0\n").unwrap();
    let record = record.to_str().unwrap();
    for clock in [&[][..], &["--clock", "300+5"]] {
        for (arguments, keys, leave) in [
            (&["replay", record][..], "Gb", "qq"),
            (&["replay", record], "Gb", "\x03"),
            (&[&BOXES[..], &["--record", record], clock].concat(), "", "q"),
            (&[&BOXES[..], &["--record", record], clock].concat(), "", "\x03"),
        ] {
            let mut terminal = Terminal::run_with(arguments, &state);
            terminal.keys(keys).wait_for("10 lines");
            if leave == "q" {
                terminal.keys("q").wait_for("q quit");
            }
            terminal.leave_by(leave);
            assert_eq!(files(&state, "matches").len(), 0, "{arguments:?} {leave:?}");
        }
    }
}

#[test]
fn match_can_be_resumed_after_start_over() {
    let state = state();
    let mut terminal = one_move(&state);
    terminal.keys("\x1b").wait_for("Pause").keys("\x1b[B\x1b[B\x1b[B\x1b[B\x1b[B\r");
    terminal.wait_for("Start over?").keys("\x1b[B\r").wait_for("12 lines");
    terminal.keys(":V0,0\r").wait_for("11 lines").keys("q");
    terminal.wait_for("Dots and Boxes, Ann vs Bob, 0-0, move 2").wait_for("2 unfinished");
    assert_eq!(files(&state, "matches").len(), 2);
    terminal.keys("\x1b[C\r").wait_for("Unfinished matches").keys("\x1b[B\r").wait_for("1 H0,1");
    terminal.leave();
}

/// Each line of a journal except the first starts with a checksum. Times vary, so only their presence is checked.
#[test]
fn journal_contains_the_match_log() {
    let state = state();
    killed(&state);
    let text = fs::read_to_string(files(&state, "matches").remove(0)).unwrap();
    assert!(text.starts_with("quadrille-journal 3\n"), "{text}");
    let steps = text.lines().skip(7).map(|line| {
        let words: Vec<&str> = line.splitn(5, ' ').collect();
        let [_, number, time, who, step] = words[..] else { panic!("{line}") };
        let time: u64 = time.parse().unwrap();
        assert!(time < 60_000, "{line}");
        format!("{number} {who} {step}")
    });
    assert_eq!(steps.collect::<Vec<_>>(), ["1 1 play H0,1", "2 2 play V0,0", "3 table go 1"]);
}

#[test]
fn finished_match_survives_sigkill() {
    let state = state();
    won(&state).kill();
    assert_eq!(files(&state, "records").len(), 0);
    let mut terminal = Terminal::run_with(&[], &state);
    terminal.wait_for("q quit");
    terminal.leave_by("q");
    assert_eq!((files(&state, "matches").len(), files(&state, "records").len()), (0, 1));
}

#[test]
fn truncated_journal_resumes_before_the_cut_move() {
    let state = state();
    killed(&state);
    let journal = files(&state, "matches").pop().unwrap();
    let text = fs::read_to_string(&journal).unwrap();
    let cut = text.find("play V0,0").unwrap() + 4;
    fs::write(&journal, &text[..cut]).unwrap();
    let mut terminal = Terminal::run_with(&[], &state);
    terminal
        .wait_for("line 9 is cut off")
        .wait_for("Resume Dots and Boxes, Ann 0 - 0 Bob")
        .keys("\r");
    terminal.wait_for("Part of this match is lost").keys("\r");
    terminal.wait_for("11 lines");
    terminal.leave();
}

#[test]
fn invalid_journal_is_named_and_kept() {
    let state = state();
    killed(&state);
    let journal = files(&state, "matches").pop().unwrap();
    let rubbish = journal.with_file_name("rubbish.journal");
    fs::write(&rubbish, b"\0\xff\x1b[2Jnot a journal").unwrap();
    let mut terminal = Terminal::run_with(&[], &state);
    terminal.wait_for("rubbish.journal").wait_for("Resume");
    terminal.leave_by("q");
    assert_eq!(fs::read(&rubbish).unwrap(), b"\0\xff\x1b[2Jnot a journal");
}

/// If nothing can be saved, the match continues, and the screen shows the reason.
#[test]
fn match_continues_without_a_state_folder() {
    let state = state();
    block(&state);
    let mut terminal = Terminal::run_with(&BOXES, &state);
    terminal.wait_for("12 lines").keys(":H0,1\r").wait_for("11 lines");
    terminal.wait_for("not saved").keys(":V0,0\r").wait_for("10 lines").keys("q");
    terminal.wait_for("Resume").keys("\r").wait_for("10 lines");
    terminal.leave();
}

/// Plays the first move of a match and waits until it is on disk.
fn one_move(state: &Rc<TempDir>) -> Terminal {
    let mut terminal = Terminal::run_with(&BOXES, state);
    terminal.wait_for("12 lines").keys(":H0,1\r").wait_for("11 lines");
    terminal.wait_until("journal", |_| files(state, "matches").len() == 1);
    terminal
}

/// The journal is removed during the match. The whole match is saved again, with or without another move.
#[test]
fn journal_removed_during_the_match_is_rewritten() {
    for (whole, moves) in [(false, true), (true, true), (false, false), (true, false)] {
        let state = state();
        let mut terminal = one_move(&state);
        if whole {
            fs::remove_dir_all(state.path().join("quadrille")).unwrap();
        } else {
            for file in files(&state, "matches") {
                fs::remove_file(file).unwrap();
            }
        }
        if moves {
            terminal.keys(":V0,0\r").wait_for("10 lines");
            terminal.leave();
        } else {
            terminal.keys("q").wait_for("Resume");
            terminal.leave_by("q");
        }
        let mut terminal = Terminal::run_with(&["resume"], &state);
        terminal.wait_for(if moves { "2 V0,0" } else { "1 H0,1" });
        terminal.leave();
        assert_eq!(files(&state, "matches").len(), 1);
    }
}

/// The truncated journal stays, and the whole match goes to another one.
#[test]
fn journal_truncated_during_the_match_loses_no_moves() {
    for length in [0, 60] {
        let state = state();
        let mut terminal = one_move(&state);
        let cut = files(&state, "matches").remove(0);
        fs::File::options().write(true).open(&cut).unwrap().set_len(length).unwrap();
        terminal.keys(":V0,0\r").wait_for("10 lines");
        terminal.leave();
        let mut terminal = Terminal::run_with(&["resume"], &state);
        terminal.wait_for("2 V0,0");
        terminal.leave();
        assert_eq!(fs::metadata(&cut).unwrap().len(), length);
        assert_eq!(files(&state, "matches").len(), 2);
    }
}

/// Replaces the state directory by a file.
fn spoil(state: &TempDir) {
    fs::rename(state.path().join("quadrille"), state.path().join("away")).unwrap();
    block(state);
}

fn mend(state: &TempDir) {
    fs::remove_file(state.path().join("quadrille")).unwrap();
    fs::rename(state.path().join("away"), state.path().join("quadrille")).unwrap();
}

#[test]
fn removed_state_folder_is_reported_on_screen_and_at_exit() {
    let state = state();
    let mut terminal = one_move(&state);
    spoil(&state);
    terminal.keys(":V0,0\r").wait_for("10 lines").wait_for("not saved").keys("\x03");
    terminal.wait_for("Dots and Boxes, Ann - Bob, 0-0, 2 moves: not saved: not a directory");
    assert_eq!(terminal.wait_for_the_end(), 0);
}

/// A match has one journal, whichever process plays it.
#[test]
fn match_in_use_by_another_process_is_not_copied() {
    let state = state();
    let mut first = one_move(&state);
    spoil(&state);
    first.keys(":V0,0\r").wait_for("not saved").keys("q").wait_for("Resume");
    mend(&state);
    let second = resumed(&state);
    first.keys("\r").wait_for("not saved: this match is open in another Quadrille");
    assert_eq!(files(&state, "matches").len(), 1);
    second.leave();
    first
        .keys(":V0,1\r")
        .wait_for("9 lines")
        .wait_until("saved match", |terminal| !terminal.contents().contains("not saved"));
    first.leave();
    assert_eq!(files(&state, "matches").len(), 1);
}

/// If both processes played on, nothing is lost, and a message says that there are two matches now.
#[test]
fn match_continued_elsewhere_is_saved_as_a_copy() {
    let state = state();
    let mut first = one_move(&state);
    spoil(&state);
    first.keys(":V0,0\r").wait_for("not saved").keys("q").wait_for("Resume");
    mend(&state);
    let mut second = resumed(&state);
    second.keys(":V1,0\r").wait_for("10 lines");
    second.leave();
    first.keys("\r").wait_for("A match was saved as a copy").keys("\r");
    first.leave();
    assert_eq!(files(&state, "matches").len(), 2);
}

/// The message about lost moves stays until a key closes it, even if something is saved meanwhile.
#[test]
fn lost_moves_message_stays_until_dismissed() {
    let state = state();
    killed(&state);
    let journal = files(&state, "matches").pop().unwrap();
    let text = fs::read_to_string(&journal).unwrap();
    for home in [false, true] {
        fs::write(&journal, text.replace("play V0,0", "play V0,1")).unwrap();
        let mut terminal = Terminal::run_with(if home { &[] } else { &["resume"] }, &state);
        if home {
            terminal.wait_for("Resume").keys("\r");
        }
        terminal.wait_for("Part of this match is lost").wait_for("line 9 is damaged");
        terminal.keys("u\x1b[A").wait_for("Part of this match is lost").keys("\r");
        terminal.wait_until("match", |terminal| !terminal.contents().contains("is lost"));
        terminal.wait_for("11 lines");
        terminal.leave();
    }
}

fn without_a_store(state: &Rc<TempDir>) -> Terminal {
    block(state);
    let mut terminal = won(state);
    terminal.keys("qq").wait_for("View Tic-tac-toe, Ann - Bob");
    terminal
}

/// An unsaved match, even a finished one, is saved as soon as the directory is available again.
#[test]
fn unsaved_match_is_saved_once_possible() {
    let state = state();
    let mut terminal = without_a_store(&state);
    fs::remove_file(state.path().join("quadrille")).unwrap();
    terminal.keys("\r").wait_for("Enter menu").keys("q").wait_for("q quit");
    assert!(!terminal.contents().contains("Look at"));
    terminal.leave_by("q");
    assert_eq!((files(&state, "matches").len(), files(&state, "records").len()), (0, 1));
}

#[test]
fn quit_warns_of_an_unsaved_match() {
    let state = state();
    let mut terminal = without_a_store(&state);
    terminal.keys("q").wait_for("A match is not saved").keys("\r").wait_for("q quit");
    terminal.keys("\x03").wait_for("Tic-tac-toe, Ann - Bob, 5 moves: not saved: not a directory");
    assert_eq!(terminal.wait_for_the_end(), 0);
}

#[test]
fn unfinished_match_can_be_deleted() {
    let state = state();
    killed(&state);
    let mut terminal = Terminal::run_with(&[], &state);
    terminal.wait_for("Resume").keys("d").wait_for("Delete this match?").keys("\x1b[B\r");
    terminal.wait_until("no match", |terminal| !terminal.contents().contains("Resume"));
    assert_eq!(files(&state, "matches").len(), 0);
    terminal.leave_by("q");
}

/// Results follow from the moves of a record, and each match counts once.
#[test]
fn results_follow_the_moves_of_the_records() {
    let state = state();
    let folder = state.path().join("quadrille/records");
    fs::create_dir_all(&folder).unwrap();
    let write = |name: &str, first: &str, result: &str, moves: &str| {
        let text = format!(
            "[Game \"tic-tac-toe\"]\n[Setup \"\"]\n[Date \"2026-11-20\"]\n[Seat1 \"{first}\"]\n\
             [Seat2 \"Bob\"]\n[Result \"{result}\"]\n\n{moves}\n"
        );
        fs::write(folder.join(format!("{name}.game")), text).unwrap();
    };
    let won = "a1 b1 a2 b2 a3";
    for (name, result, moves) in [
        ("good", "1-0", won),
        ("copy", "1-0", won),
        ("other", "1-0", "c1 b1 c2 b2 c3"),
        ("forged", "0-1", won),
        ("illegal", "1-0", "a1 a1"),
        ("open", "1-0", "a1 b1"),
    ] {
        write(name, "Ann", result, moves);
    }
    let mut terminal = Terminal::run_with(&[], &state);
    terminal.wait_for("q quit").keys("G\x1b[D\x1b[D\x1b[D\r").wait_for("Ann - Bob").keys("t");
    terminal
        .wait_for("Ann - Bob")
        .wait_for("3 records whose results contradict their moves, 1 copy");
    let row = terminal.contents();
    let row = row.lines().find(|line| line.contains("Ann - Bob")).unwrap();
    assert_eq!(row.split_whitespace().collect::<Vec<_>>(), ["Ann", "-", "Bob", "2", "0", "0"]);
    terminal.leave();
}

/// If the user's own record is written and the journal is not, the screen still reports it.
#[test]
fn unwritable_journal_is_reported_despite_a_record() {
    let state = state();
    block(&state);
    let record = state.path().join("a.game");
    let arguments = [&BOXES[..], &["--record", record.to_str().unwrap()]].concat();
    let mut terminal = Terminal::run_with(&arguments, &state);
    terminal.wait_for("12 lines").keys(":H0,1\r").wait_for("not saved");
    terminal.leave();
    assert!(fs::read_to_string(&record).unwrap().trim_end().ends_with("H0,1"));
}

#[test]
fn only_a_name_used_alone_is_offered() {
    let state = state();
    killed(&state);
    let offers = |name: &str| {
        let mut terminal = setup_at("\x1b[A", &state);
        terminal.keys("\x1b[C").wait_for(name).wait_for("Player 2");
        terminal.leave();
    };
    offers("pat");
    let mut alone = Terminal::run_with(
        &["play", "quixo", "--names", "Eve", "--seat", "2=engine:beginner"],
        &state,
    );
    alone.wait_for("q leave").keys(":B1-B5\r").wait_for("1 B1-B5");
    alone.leave();
    offers("Eve");
    // A name for one match does not replace it, and one that is set up does.
    let play = ["play", "quixo", "--plain", "--names", "Zoe", "--seat", "2=engine:beginner"];
    finish(&mut command(state.path(), &play), b"B1-B5\nquit\n");
    offers("Eve");
    finish(
        &mut command(state.path(), &["--plain"]),
        b"quixo 1=Cleo level=beginner\nstart\nquit\nquit\n",
    );
    offers("Cleo");
}

#[test]
fn earlier_names_are_offered_without_matches() {
    let state = state();
    fs::create_dir(state.path().join("quadrille")).unwrap();
    fs::write(state.path().join("quadrille/names"), "Cleo\nDan\n").unwrap();
    let mut terminal = setup_at("", &state);
    terminal.keys("\x1b[C").wait_for("Cleo").wait_for("Player 2");
    terminal.leave();
}

#[test]
fn replay_shows_a_record_file() {
    let state = state();
    let file = state.path().join("a.game");
    fs::write(&file, "[Game \"quixo\"]\n[Setup \"size=3\"]\n\nB1-B3 ( C1-C3 ) A1-A3\n").unwrap();
    let mut terminal = Terminal::run_with(&["replay", file.to_str().unwrap()], &state);
    terminal.wait_for("move 0 of 2").keys("l").wait_for("move 1 of 2").keys("q");
    assert_eq!(terminal.wait_for_the_end(), 0);

    // A result that contradicts the moves is reported.
    let text = fs::read_to_string(&file).unwrap().replace("\n\n", "\n[Result \"1-0\"]\n\n");
    fs::write(&file, text).unwrap();
    let mut terminal = Terminal::run_with(&["replay", file.to_str().unwrap()], &state);
    terminal.wait_for("Result and moves disagree").wait_for("not over").keys("\r");
    terminal.wait_until("replay", |terminal| !terminal.contents().contains("Result and moves"));
    terminal.keys("q");
    assert_eq!(terminal.wait_for_the_end(), 0);
}

#[test]
fn setup_form_starts_with_the_last_setup() {
    let state = state();
    let mut terminal = setup_at("", &state);
    // Two players, one keyboard; the next rows are their names, the first move and the board.
    terminal.keys("\x1b[C\t\r").wait_for("Enter done").keys("Eve\r").wait_for("s start");
    terminal.keys("\t\t\t3").wait_for("3 x 3");
    terminal.keys("s").wait_for("left");
    terminal.leave();
    let mut terminal = setup_at("", &state);
    terminal.wait_for("[Friend here]").wait_for("Eve").wait_for("3 x 3");
    terminal.leave();
}
