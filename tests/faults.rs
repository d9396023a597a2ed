//! However the program is ended or stopped, the terminal is given back, the match is written down,
//! and whoever started it is told what happened.
#![cfg(unix)]
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used)]

mod common;

use common::terminal::Terminal;
use portable_pty::CommandBuilder;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};
use std::{fs, thread};

/// What happens to the program.
#[derive(Clone, Copy)]
enum Fault {
    /// Keys are pressed.
    Keys(&'static str),
    /// It gets this signal from outside.
    Signal(&'static str),
}

/// A shell with job control that runs the program, says how it stopped or ended, brings it back to
/// the front when a line is typed, and says so again. The kernel does not let a program that has no
/// such parent be stopped by the terminal.
const SHELL: &str = r#"
    ulimit -c 0
    set -m
    trap : INT
    sh -c 'echo $$ >pid; exec "$0" "$@"' "$@"
    status=$?
    echo "[left $status]"
    while kill -s 0 "$(cat pid)" 2>/dev/null; do
        read line
        fg >/dev/null
        status=$?
        echo "[left $status]"
    done
    exit $status
"#;

struct Session {
    folder: tempfile::TempDir,
    terminal: Terminal,
}

impl Session {
    /// A match of which one move has been played.
    fn start() -> Session {
        let folder = tempfile::tempdir().unwrap();
        let mut command = CommandBuilder::new("sh");
        command.cwd(folder.path());
        command.args(["-c", SHELL, "sh", env!("CARGO_BIN_EXE_quadrille")]);
        command.args(["play", "dots-and-boxes", "size=3", "--record", "a.game"]);
        let mut terminal = Terminal::start(command);
        terminal.wait_for("12 lines").keys(":H0,1\r").wait_for("11 lines");
        Session { folder, terminal }
    }

    fn process(&self) -> String {
        fs::read_to_string(self.folder.path().join("pid")).unwrap().trim().to_owned()
    }

    fn befalls(&mut self, fault: Fault) {
        match fault {
            Fault::Keys(keys) => {
                self.terminal.keys(keys);
            }
            Fault::Signal(name) => send(name, &self.process()),
        }
    }

    /// The move is in the record, and the process is gone.
    fn check_the_end(self, status: u32, of: &str) {
        let process = self.process();
        assert_eq!(self.terminal.wait_for_the_end(), status, "{of}");
        assert!(!is_there(&process), "{of}: the process lingers");
        assert_recorded(self.folder.path());
    }
}

fn assert_recorded(folder: &Path) {
    let record = fs::read_to_string(folder.join("a.game")).unwrap();
    assert!(record.trim_end().ends_with("H0,1"), "{record}");
}

fn send(signal: &str, process: &str) {
    assert!(Command::new("kill").args(["-s", signal, process]).status().unwrap().success());
}

fn is_there(process: &str) -> bool {
    Command::new("kill").args(["-s", "0", process]).output().unwrap().status.success()
}

/// What ends the program, and the status that the shell sees.
const ENDS: [(&str, Fault, u32); 6] = [
    ("quit", Fault::Keys("qq"), 0),
    ("Ctrl-C", Fault::Keys("\x03"), 0),
    ("SIGINT", Fault::Signal("INT"), 128 + 2),
    ("SIGTERM", Fault::Signal("TERM"), 128 + 15),
    ("SIGHUP", Fault::Signal("HUP"), 128 + 1),
    ("SIGQUIT", Fault::Signal("QUIT"), 128 + 3),
];

/// What stops it for a while.
const STOPS: [(&str, Fault); 2] =
    [("Ctrl-Z", Fault::Keys("\x1a")), ("SIGTSTP", Fault::Signal("TSTP"))];

#[test]
fn every_end_gives_the_terminal_back_and_tells_the_shell() {
    for (name, fault, status) in ENDS {
        let mut session = Session::start();
        session.befalls(fault);
        session.check_the_end(status, name);
    }
}

#[test]
fn every_end_works_in_the_middle_of_typing_and_in_menus() {
    for keys in [":H0", "\x1b", "?"] {
        let mut session = Session::start();
        session.terminal.keys(keys);
        thread::sleep(Duration::from_millis(20));
        session.befalls(Fault::Signal("TERM"));
        session.check_the_end(128 + 15, keys);
    }
}

#[test]
fn a_stop_gives_the_terminal_back_and_fg_takes_it_again() {
    for (name, fault) in STOPS {
        let mut session = Session::start();
        session.befalls(fault);
        session.terminal.wait_for("[left ");
        session.terminal.wait_until("a normal terminal", Terminal::is_normal);
        session.terminal.resize(100, 30);
        session.terminal.keys("\n").wait_for("11 lines").wait_for("q leave");
        session.terminal.keys("u").wait_for("taken back").keys("r").wait_for("played again");
        session.befalls(fault);
        session.terminal.wait_until("a normal terminal", Terminal::is_normal);
        session.terminal.keys("\n").wait_for("11 lines");
        session.terminal.keys("qq");
        session.check_the_end(0, name);
    }
}

#[test]
fn a_stop_that_nobody_can_catch_is_survived() {
    let mut session = Session::start();
    session.befalls(Fault::Signal("STOP"));
    // The shell gets the terminal as the program left it: raw, on the other screen.
    session.terminal.wait_for("[left ").keys("\n");
    session.terminal.wait_until("screen drawn anew", |terminal| {
        let contents = terminal.contents();
        contents.contains("q leave") && !contents.contains("[left ")
    });
    session.terminal.keys("u").wait_for("taken back").keys("r").wait_for("played again");
    session.terminal.keys("\x03");
    session.check_the_end(0, "SIGSTOP");
}

/// Without a shell between, the program leads the session: its process group is an orphan, which
/// the kernel would not stop for `SIGTSTP`.
#[test]
fn an_orphan_is_stopped_too() {
    let mut terminal = Terminal::run(&["play", "tic-tac-toe"]);
    let process = terminal.wait_for("q leave").process().to_string();
    terminal.keys("\x1a").wait_until("a normal terminal", Terminal::is_normal);
    let status = || Command::new("ps").args(["-o", "stat=", "-p", &process]).output().unwrap();
    let stopped = |_: &Terminal| String::from_utf8(status().stdout).unwrap().starts_with('T');
    terminal.wait_until("stopped process", stopped);
    send("CONT", &process);
    terminal.wait_for("q leave").keys("\r").wait_for("1 b2").keys("\x03");
    assert_eq!(terminal.wait_for_the_end(), 0);
}

/// The window is closed. The leader of the session and those in front get SIGHUP; a program in a
/// session of its own gets nothing but the end of its input.
#[test]
fn a_terminal_that_vanishes_ends_the_program() {
    for own_session in [false, true] {
        let folder = tempfile::tempdir().unwrap();
        let mut command = CommandBuilder::new(if own_session { "setsid" } else { "env" });
        command.cwd(folder.path());
        if own_session {
            command.arg("--wait");
        }
        let script = r#"echo $$ >pid; exec "$0" "$@""#;
        command.args(["sh", "-c", script, env!("CARGO_BIN_EXE_quadrille")]);
        command.args(["play", "dots-and-boxes", "size=3", "--record", "a.game"]);
        let mut terminal = Terminal::start(command);
        terminal.wait_for("12 lines").keys(":H0,1\r").wait_for("11 lines");
        let process = fs::read_to_string(folder.path().join("pid")).unwrap();
        terminal.vanish();
        let patience = Instant::now() + Duration::from_secs(10);
        while is_there(process.trim()) && !is_zombie(process.trim()) {
            assert!(Instant::now() < patience, "it lingers, own session: {own_session}");
            thread::sleep(Duration::from_millis(5));
        }
        assert_recorded(folder.path());
    }
}

fn is_zombie(process: &str) -> bool {
    let state = Command::new("ps").args(["-o", "stat=", "-p", process]).output().unwrap();
    String::from_utf8(state.stdout).unwrap().starts_with('Z')
}

#[test]
fn a_storm_of_sizes_is_ridden_out() {
    let mut session = Session::start();
    let mut chance = common::chance::Chance(7);
    for _ in 0..200 {
        let (cols, rows) = (1 + chance.below(500) as u16, 1 + chance.below(200) as u16);
        session.terminal.resize(cols, rows);
        session.terminal.keys("\x1b[C\x1b[B");
    }
    for (cols, rows) in [(1, 1), (500, 200), (80, 24)] {
        session.terminal.resize(cols, rows);
        thread::sleep(Duration::from_millis(20));
    }
    session.terminal.wait_for("11 lines").keys("\x03");
    session.check_the_end(0, "a storm of sizes");
}

#[test]
fn keys_by_the_thousand_are_taken_in_their_order() {
    let mut session = Session::start();
    session.terminal.keys(&"ur".repeat(100)).wait_for("played again");
    session.terminal.keys(&"\x1b[C\x1b[D".repeat(5000)).keys("u").wait_for("taken back");
    session.terminal.keys("r").wait_for("played again").keys("\x03");
    session.check_the_end(0, "keys");
}

#[test]
fn pasted_text_plays_nothing() {
    let mut session = Session::start();
    session.terminal.keys("\x1b[200~:H0,0\r\rqqqq\r\x1b[201~");
    session.terminal.keys("u").wait_for("taken back").keys("r").wait_for("played again");
    session.terminal.keys("\x03");
    session.check_the_end(0, "pasted text");
}

/// Terminals that cannot show the screens are told so, without an escape on the way.
#[test]
fn a_dumb_terminal_is_refused_in_words() {
    for term in ["dumb", ""] {
        let mut command = CommandBuilder::new("env");
        command.arg(format!("TERM={term}"));
        command.args([env!("CARGO_BIN_EXE_quadrille"), "play", "quixo"]);
        let mut terminal = Terminal::start(command);
        terminal.wait_for("cannot show the screens");
        assert_eq!(terminal.wait_for_the_end(), 1);
    }
}

/// In a locale without UTF-8 every byte is ASCII; with `--ascii` too.
#[test]
fn ascii_is_chosen_by_itself_or_by_an_option() {
    for (locale, option) in [("C", "--color=auto"), ("C.UTF-8", "--ascii")] {
        let mut command = CommandBuilder::new("env");
        command.arg(format!("LC_ALL={locale}"));
        command.args([env!("CARGO_BIN_EXE_quadrille"), "play", "join-the-dots", option]);
        let mut terminal = Terminal::start(command);
        terminal.wait_for("10 points").keys("\t\r\t\r").wait_for("last");
        assert!(terminal.contents().is_ascii(), "{}", terminal.contents());
        terminal.keys("\x03");
        assert_eq!(terminal.wait_for_the_end(), 0);
    }
}

/// Without colour nothing is coloured; by default something is.
#[test]
fn colour_is_left_out_where_it_is_not_wanted() {
    for (setting, option, coloured) in [
        ("NO_COLOR=", "--color=auto", true),
        ("NO_COLOR=1", "--color=auto", false),
        ("NO_COLOR=1", "--color=always", true),
        ("NO_COLOR=", "--color=never", false),
    ] {
        let mut command = CommandBuilder::new("env");
        command.arg(setting);
        command.args([env!("CARGO_BIN_EXE_quadrille"), "play", "tic-tac-toe", option]);
        let mut terminal = Terminal::start(command);
        terminal.wait_for("q leave").keys("\r").wait_for("1 b2");
        assert_eq!(terminal.is_coloured(), coloured, "{setting} {option}");
        terminal.keys("\x03");
        assert_eq!(terminal.wait_for_the_end(), 0);
    }
}
