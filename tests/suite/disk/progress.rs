//! Results that count for the rating are saved in every front end.

use crate::common::program::{command, finish};
use crate::common::terminal::Terminal;
use quadrille_match::store::progress::{Event, Progress, Score};
use std::fs;
use std::path::Path;
use std::rc::Rc;

const AGAINST_A_LEVEL: [&str; 4] = ["play", "tic-tac-toe", "--seat", "2=engine:beginner"];

fn state(home: &Path) -> std::path::PathBuf {
    home.join("quadrille")
}

fn events(home: &Path) -> Vec<Event> {
    let bytes = fs::read(state(home).join("progress")).unwrap_or_default();
    Progress::read(&bytes).events().to_vec()
}

/// Plays a match against a level in plain mode.
fn play(home: &Path, lines: &str) -> String {
    let arguments = [&AGAINST_A_LEVEL[..], &["--plain"]].concat();
    finish(&mut command(home, &arguments), lines.as_bytes()).ok()
}

#[test]
fn plain_match_counts_unless_assisted() {
    let home = tempfile::tempdir().unwrap();
    let count = |lines: &str| {
        let before = events(home.path()).len();
        play(home.path(), lines);
        events(home.path()).split_off(before)
    };
    let [Event::Match { score: Score::Loss, .. }] = &count("a1\nresign yes\n")[..] else {
        panic!()
    };
    for help in ["hint", "values"] {
        let new = count(&format!("b2\n{help}\n{help}\nresign yes\n"));
        let [Event::Help { id: helped, .. }, Event::Match { id, .. }] = &new[..] else {
            panic!("{new:?}")
        };
        assert_eq!(helped, id);
    }
    assert_eq!(count("a1\nundo\nb2\nresign yes\n"), []);
}

#[test]
fn screen_match_counts_unless_assisted() {
    let home = Rc::new(tempfile::tempdir().unwrap());
    let play = |keys: &str, says: &str| {
        let before = events(home.path()).len();
        let mut terminal = Terminal::run_with(&AGAINST_A_LEVEL, &home);
        terminal.wait_for("q leave").keys(":b2\r");
        let replied = |terminal: &Terminal| terminal.sees("Beginner puts O on");
        terminal.wait_until("the reply", replied).keys(keys).wait_for(says);
        terminal.keys("\x1b").wait_for("Pause").click("Resign");
        terminal.wait_for("Resign this").keys("\x1b[B\r").wait_for("Beginner wins");
        terminal.leave_by("\x03");
        events(home.path()).split_off(before)
    };
    let new = play("", "");
    assert!(matches!(new[..], [Event::Match { score: Score::Loss, .. }]), "{new:?}");
    let new = play("H", "hint: ");
    assert!(matches!(new[..], [Event::Help { .. }, Event::Match { .. }]), "{new:?}");
}

/// The program is killed right after the hint, and the match continues later.
#[test]
fn hint_is_recorded_before_a_kill() {
    let home = Rc::new(tempfile::tempdir().unwrap());
    let mut terminal = Terminal::run_with(&AGAINST_A_LEVEL, &home);
    terminal.wait_for("q leave").keys(":b2\r");
    let replied = |terminal: &Terminal| terminal.sees("Beginner puts O on");
    terminal.wait_until("the reply", replied).keys("H").wait_for("hint: ");
    terminal.wait_until("the note", |_| !events(home.path()).is_empty());
    assert!(matches!(events(home.path())[..], [Event::Help { .. }]), "{:?}", events(home.path()));
}

fn record(home: &Path, name: &str, players: [&str; 2], moves: &str) {
    let [first, second] = players;
    let text = format!(
        "[Game \"tic-tac-toe\"]\n[Setup \"\"]\n[Date \"2026-11-20\"]\n[Seat1 \"{first}\"]\n\
         [Seat2 \"{second}\"]\n\n{moves}\n"
    );
    fs::create_dir_all(state(home).join("records")).unwrap();
    fs::write(state(home).join(format!("records/{name}.game")), text).unwrap();
}

#[test]
fn older_records_are_added_to_progress_once() {
    const WON: &str = "a1 b1 a2 b2 a3";
    let home = Rc::new(tempfile::tempdir().unwrap());
    let level = "engine:casual";
    record(home.path(), "won", ["Ann", level], WON);
    record(home.path(), "lost", [level, "Ann"], WON);
    record(home.path(), "copy", ["Ann", level], WON);
    record(home.path(), "variation", ["Ann", level], "a1 (b1 a1) b1 a2 b2 a3");
    record(home.path(), "people", ["Ann", "Bob"], WON);
    record(home.path(), "perfect", ["Ann", "engine:perfect"], WON);
    record(home.path(), "program", ["cmd:bot", level], WON);
    record(home.path(), "unfinished", ["Ann", level], "a1 b1");
    record(home.path(), "damaged", ["Ann", level], "a1 a1");
    for _ in 0..2 {
        let mut terminal = Terminal::run_with(&[], &home);
        terminal.wait_for("q quit");
        terminal.wait_until("the records are counted", |_| !events(home.path()).is_empty());
        terminal.leave();
        let found = events(home.path());
        let scores = found.iter().filter_map(|event| match event {
            Event::Match { score, level, .. } => Some((level.to_string(), *score)),
            _ => None,
        });
        let mut scores: Vec<_> =
            scores.map(|(level, score)| format!("{level} {score:?}")).collect();
        scores.sort();
        assert_eq!(scores, ["casual Loss", "casual Win"]);
        assert!(matches!(found[..], [.., Event::RecordsCounted { .. }]), "{found:?}");
        assert_eq!(found.len(), 3);
    }
    // From now on a match counts when it is played, not again as a record.
    play(home.path(), "a1\nresign yes\n");
    Terminal::run_with(&[], &home).wait_for("q quit");
    assert_eq!(events(home.path()).len(), 4);
}

/// If the result of a finished match cannot be saved, one line says why, and the match is still there next time.
#[test]
fn unwritable_progress_is_reported_and_play_continues() {
    let home = tempfile::tempdir().unwrap();
    let blocked = state(home.path()).join("progress");
    fs::create_dir_all(&blocked).unwrap();
    play(home.path(), "a1\nresign yes\nrematch\nb2\nresign yes\n");
    let home = Rc::new(home);
    let mut terminal = Terminal::run_with(&[], &home);
    terminal.wait_for("q quit").wait_for("quadrille/progress)");
    terminal.leave();
    fs::remove_dir(&blocked).unwrap();
    let mut terminal = Terminal::run_with(&[], &home);
    terminal.wait_for("q quit");
    let is_counted =
        |_: &Terminal| matches!(events(home.path()).last(), Some(Event::RecordsCounted { .. }));
    terminal.wait_until("the results are noted", is_counted);
    terminal.leave();
    // Both are journals and records, and yet are counted once.
    let [Event::Match { .. }, Event::Match { .. }, _] = &events(home.path())[..] else {
        panic!("{:?}", events(home.path()))
    };
}
