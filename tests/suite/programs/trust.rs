//! A match starts only programs that the user has typed or listed in `config.toml`, never a command read from a record,
//! a journal or the last setup.

use crate::common::bots::bot;
use crate::common::lines::Lines;
use crate::common::program::{command, finish};
use quadrille_match::store::{LastSetup, MatchStore};
use quadrille_rules::Setup;
use std::fs;
use std::io::Write;
use std::path::Path;
use tempfile::TempDir;

/// A program that logs each start, and the seat that names it.
struct Witness {
    folder: TempDir,
    command: String,
    seat: String,
}

impl Witness {
    fn new() -> Witness {
        let folder = tempfile::tempdir().unwrap();
        let script = folder.path().join("witness.sh");
        let (at_the_start, before_a_move) = ("echo started >> starts", "");
        fs::write(&script, bot(at_the_start, before_a_move)).unwrap();
        let command = format!("sh {}", script.display());
        let seat = format!("cmd,time=60:{command}");
        Witness { folder, command, seat }
    }

    /// Returns the number of starts.
    fn starts(&self) -> usize {
        let starts = fs::read_to_string(self.folder.path().join("starts")).unwrap_or_default();
        starts.lines().count()
    }
}

fn talk(home: &Path, args: &[&str], lines: &str) -> String {
    finish(&mut command(home, args), lines.as_bytes()).ok()
}

/// Closes stdin only after `said` was printed `times` times: at the end of its input Quadrille does not wait for
/// programs.
fn talk_until(home: &Path, args: &[&str], lines: &str, (said, times): (&str, usize)) -> String {
    let mut process = command(home, args).spawn().unwrap();
    let mut input = process.stdin.take().unwrap();
    input.write_all(lines.as_bytes()).unwrap();
    let mut output = Lines::of(&mut process);
    for _ in 0..times {
        output.wait_for(said);
    }
    drop(input);
    let heard = output.all();
    assert!(process.wait().unwrap().success());
    heard
}

/// Plays one move each of Ann against the program, then leaves the match.
fn played(home: &Path, witness: &Witness) {
    let seat = format!("2={}", witness.seat);
    let args = ["play", "tic-tac-toe", "--plain", "--names", "Ann", "--seat", &seat];
    talk_until(home, &args, "b2\n", ("witness.sh puts O on a1. Your turn.", 1));
    assert_eq!(witness.starts(), 1);
}

#[test]
fn command_in_a_record_is_shown_but_not_run() {
    let (home, witness) = (tempfile::tempdir().unwrap(), Witness::new());
    let record = home.path().join("foreign.game");
    let seat = &witness.seat;
    let text = format!("[Game \"tic-tac-toe\"]\n[Setup \"\"]\n[Seat2 \"{seat}\"]\n\nb2\n");
    fs::write(&record, &text).unwrap();
    let file = record.to_str().unwrap();
    let other = tempfile::tempdir().unwrap();
    for home in [home.path(), other.path()] {
        if home == other.path() {
            // In this home folder the program has played before, so its command is known.
            played(home, &witness);
        }
        let before = witness.starts();
        let args = ["play", "tic-tac-toe", "--plain", "--record", file];
        let out = talk(home, &args, "\nboard\n\n");
        assert!(out.contains(&format!("witness.sh is the program {seat}. Programs")), "{out}");
        assert!(out.contains("witness.sh to move"), "{out}");
        talk(home, &["show", file, "--every"], "");
        assert_eq!(witness.starts(), before, "{out}");
    }
    // A program named on the command line is started.
    let args = ["play", "tic-tac-toe", "--plain", "--record", file];
    let seat = format!("2={seat}");
    let args = [&args[..], &["--seat", &seat]].concat();
    talk_until(home.path(), &args, "", ("witness.sh puts O on a1", 1));
}

#[test]
fn command_as_a_name_starts_nothing() {
    let (home, witness) = (tempfile::tempdir().unwrap(), Witness::new());
    let Witness { command: shell, .. } = &witness;
    for name in [format!("cmd:{shell}"), format!("cmd,time=5:{shell}")] {
        if !name.contains(',') {
            let names = format!("{name},Bob");
            let args = ["play", "tic-tac-toe", "--plain", "--names", &names];
            let said = finish(&mut command(home.path(), &args), b"b2\n").fails(2);
            assert!(said.contains(&format!("{name} is a program; seat it with --seat")), "{said}");
        }
        for row in ["1", "2", "name", "level"] {
            let lines = format!("ttt {row}={name}\nstart\nb2\n");
            let said = talk(home.path(), &["--plain"], &lines);
            assert!(!said.contains("witness.sh puts"), "{said}");
        }
    }
    assert_eq!(witness.starts(), 0);
}

#[test]
fn resume_asks_once_before_starting_a_program() {
    let (home, witness) = (tempfile::tempdir().unwrap(), Witness::new());
    let home = home.path();
    played(home, &witness);
    let out = talk(home, &["resume", "--plain"], "c1\n");
    assert!(out.contains(&format!("Start this program?\n{}\n", witness.command)), "{out}");
    assert!(out.contains("witness.sh is not running; press Enter to start it."), "{out}");
    assert_eq!(witness.starts(), 1, "nobody has agreed");
    let twice = ("witness.sh puts O on a2", 2);
    let out = talk_until(home, &["resume", "--plain"], "\nundo\nc3\n", twice);
    assert_eq!(out.matches("Start this program?").count(), 1, "{out}");
    assert_eq!(witness.starts(), 2);
}

#[test]
fn command_in_a_foreign_journal_is_shown_but_not_run() {
    let (home, witness) = (tempfile::tempdir().unwrap(), Witness::new());
    played(home.path(), &witness);
    let elsewhere = tempfile::tempdir().unwrap();
    let [matches, copy] =
        [home.path(), elsewhere.path()].map(|home| home.join("quadrille").join("matches"));
    fs::create_dir_all(&copy).unwrap();
    for file in fs::read_dir(matches).unwrap().map(Result::unwrap) {
        fs::copy(file.path(), copy.join(file.file_name())).unwrap();
    }
    let out = talk(elsewhere.path(), &["resume", "--plain"], "c1\n\n\n");
    assert!(out.contains(&format!("{} to move", witness.seat)), "{out}");
    assert_eq!(witness.starts(), 1, "{out}");
}

#[test]
fn foreign_last_setup_seats_no_program() {
    let home = tempfile::tempdir().unwrap();
    let store = MatchStore::open(home.path()).unwrap();
    let names = ["Ann", "cmd:./mine", "engine:strong"].map(str::to_owned).to_vec();
    let setup = LastSetup {
        game: "intersections".to_owned(),
        given_setup: "players=3".parse::<Setup>().unwrap(),
        names,
        pair: Vec::new(),
        clock: None,
    };
    store.remember_setup(setup.clone()).unwrap();
    let names = |store: &MatchStore| store.setups()[0].names.clone();
    assert_eq!(names(&store), ["Ann", "", "engine:strong"]);
    store.remember_commands(&["./mine".to_owned()]).unwrap();
    assert_eq!(names(&store), setup.names);
}
