//! However the program ends or stops, it restores the terminal and saves the match, and its parent sees the right
//! status.

use crate::common::program::{alone, in_own_process, run};
use crate::common::terminal::{Terminal, with_config};
use Fault::{Fg, Keys, Panic, Signal, Vanish};
use Parent::{Alone, OwnSession, Script, Shell, Su};
use Then::{Ends, GoesOn, Shows, StandsStill, Stops};
use portable_pty::CommandBuilder;
use quadrille::app::Host;
use quadrille::app::runtime::{self, ExitReason};
use quadrille::app::{App, DiskTask, OpenMatch, Table};
use quadrille::board::Skin;
use quadrille_match::session::{self, Conditions};
use quadrille_match::store::{RecordFile, Terms};
use quadrille_rules::Setup;
use quadrille_table::catalogue;
use signal_hook::consts::SIGTERM;
use signal_hook::low_level::raise;
use std::fmt::Write;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::rc::Rc;
use std::time::{Duration, Instant};
use std::{env, fs, thread};

#[derive(Clone, Copy, PartialEq)]
enum Parent {
    /// With job control.
    Shell,
    /// In a shell with job control.
    Script,
    /// Below a parent that stops after its child, as `su` and `runuser` do, in a shell with job control.
    Su,
    /// A parent that never continues it: an orphaned process group, which the kernel does not stop for `SIGTSTP`.
    Alone,
    /// `Alone` in its own session, so that the terminal sends it no signals.
    OwnSession,
}

#[derive(Clone, Copy)]
enum Fault {
    Keys(&'static str),
    Signal(&'static str),
    /// The shell resumes it in the foreground.
    Fg,
    /// It panics in this place; see [`Panics`].
    Panic(&'static str),
    Vanish,
}

#[derive(Clone, Copy)]
enum Then {
    /// Runs in the foreground with a complete screen, and plays.
    GoesOn,
    /// Runs in the foreground with this text on the screen.
    Shows(&'static str),
    /// Has restored the terminal, and is stopped.
    Stops,
    /// Is stopped without having restored the terminal now: it could not, or had done so before.
    StandsStill,
    /// Has ended with this shell exit status: the terminal is restored, if it still exists, the match is in the record,
    /// and no process is left.
    Ends(u32),
}

type Story = &'static [(Fault, Then)];

const LEAVE: (Fault, Then) = (Keys("\x03"), Ends(0));
const SUSPEND: (Fault, Then) = (Keys("\x1a"), Stops);

const NO_SHELL_ABOVE: &str = "Cannot suspend: there is no shell";

const FAULTS: &[(&str, Parent, Story)] = &[
    ("quit", Shell, &[(Keys("qq"), Ends(0))]),
    ("Ctrl-C", Shell, &[(Keys("\x03"), Ends(0))]),
    ("SIGINT", Shell, &[(Signal("INT"), Ends(128 + 2))]),
    ("SIGTERM", Shell, &[(Signal("TERM"), Ends(128 + 15))]),
    ("SIGHUP", Shell, &[(Signal("HUP"), Ends(128 + 1))]),
    ("SIGQUIT", Shell, &[(Signal("QUIT"), Ends(128 + 3))]),
    ("typing", Shell, &[(Keys(":H0"), Shows(":H0")), (Signal("TERM"), Ends(128 + 15))]),
    ("a menu", Shell, &[(Keys("\x1b"), Shows("Offer a draw")), (Signal("TERM"), Ends(128 + 15))]),
    ("help", Shell, &[(Keys("?"), Shows("help  ")), (Signal("TERM"), Ends(128 + 15))]),
    ("Ctrl-Z", Shell, &[SUSPEND, (Fg, GoesOn), SUSPEND, (Fg, GoesOn), (Keys("qq"), Ends(0))]),
    ("Ctrl-Z in a script", Script, &[SUSPEND, (Fg, GoesOn), SUSPEND, (Fg, GoesOn), LEAVE]),
    (
        "Ctrl-Z below su",
        Su,
        &[SUSPEND, (Fg, GoesOn), SUSPEND, (Fg, GoesOn), SUSPEND, (Fg, GoesOn), LEAVE],
    ),
    ("SIGTSTP", Shell, &[(Signal("TSTP"), Stops), (Fg, GoesOn), LEAVE]),
    ("SIGCONT", Shell, &[(Signal("CONT"), GoesOn), LEAVE]),
    // In the background it may not use the terminal, so it is stopped again.
    ("continued", Shell, &[SUSPEND, (Signal("CONT"), StandsStill), (Fg, GoesOn), LEAVE]),
    ("SIGTERM, stopped", Shell, &[SUSPEND, (Signal("TERM"), StandsStill), (Fg, Ends(128 + 15))]),
    ("SIGHUP, stopped", Shell, &[SUSPEND, (Signal("HUP"), StandsStill), (Fg, Ends(128 + 1))]),
    // The shell gets the terminal as it is: raw, on the alternate screen.
    ("SIGSTOP", Shell, &[(Signal("STOP"), StandsStill), (Fg, GoesOn), LEAVE]),
    // It would never be resumed.
    (
        "Ctrl-Z, orphan",
        Alone,
        &[(Keys("\x1a"), Shows(NO_SHELL_ABOVE)), (Signal("CONT"), GoesOn), LEAVE],
    ),
    ("SIGTSTP, orphan", Alone, &[(Signal("TSTP"), Shows(NO_SHELL_ABOVE)), LEAVE]),
    ("Ctrl-Z, own session", OwnSession, &[(Keys("\x1a"), Shows(NO_SHELL_ABOVE)), LEAVE]),
    ("SIGSTOP, orphan", Alone, &[(Signal("STOP"), StandsStill), (Signal("CONT"), GoesOn), LEAVE]),
    ("vanish with SIGHUP", Alone, &[(Vanish, Ends(128 + 1))]),
    ("vanish without", OwnSession, &[(Vanish, Ends(1))]),
    ("panic", Shell, &[(Panic("here"), Ends(101))]),
    ("panic elsewhere", Shell, &[(Panic("in another thread"), Ends(101))]),
    ("panic, stopped before", Shell, &[SUSPEND, (Fg, GoesOn), (Panic("here"), Ends(101))]),
    ("panic, caught", Shell, &[(Panic("and is caught"), Shows("caught: on purpose")), LEAVE]),
];

#[test]
fn every_fault_is_survived_or_ends_cleanly() {
    in_own_process(module_path!(), "every_fault_is_survived_or_ends_cleanly", || {
        for (name, parent, story) in FAULTS {
            println!("{name}");
            let mut session = Session::start(*parent, story);
            for (fault, then) in *story {
                session.befalls(*fault);
                session.check(*then);
            }
        }
    });
}

/// In a container, the shell's process group and session can be 0.
#[test]
fn suspend_is_refused_without_a_shell_above() {
    const CONTAINER: &[&str] = &["--user", "--map-root-user", "--pid", "--fork", "--mount-proc"];
    let allowed = Command::new("unshare").args(CONTAINER).arg("true").status();
    if !allowed.is_ok_and(|status| status.success()) {
        println!("skipped: this machine allows no containers");
        return;
    }
    let mut command = CommandBuilder::new("unshare");
    command.args(CONTAINER);
    command.args([env!("CARGO_BIN_EXE_quadrille"), "play", "dots-and-boxes", "size=3"]);
    let mut terminal = Terminal::start(command);
    terminal.wait_for("12 lines").keys("\x1a").wait_for(NO_SHELL_ABOVE);
    terminal.leave();
}

/// A shell with job control that runs the program, reports how it stopped or ended, resumes it in the foreground when a
/// line is typed, and reports again. The kernel does not let the terminal stop a program without such a parent.
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
    echo $status >status
"#;

/// The program as part of a script.
const SCRIPT: &str = r#"
    sh -c 'echo $$ >pid; exec "$0" "$@"' "$@"
    exit $?
"#;

/// Runs the program as `su -c` does: blocks SIGTSTP, stops when the program has stopped, and continues it when
/// continued. Takes 0.1 s to notice each stop.
const SU: &str = r"
import os, signal, sys, time
pid = os.fork()
if pid == 0:
    os.execvp(sys.argv[1], sys.argv[1:])
signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTSTP, signal.SIGINT})
while True:
    _, status = os.waitpid(pid, os.WUNTRACED)
    if not os.WIFSTOPPED(status):
        sys.exit(os.waitstatus_to_exitcode(status))
    time.sleep(0.1)
    os.kill(os.getpid(), signal.SIGSTOP)
    os.kill(pid, signal.SIGCONT)
";

/// Starts the program below a parent.
const CHILD: &str = r#"echo $$ >pid; exec "$0" "$@""#;

/// Runs the program in its own process group, and outlives the terminal to report how it ended.
const NO_SHELL: &str = r#"
    trap : HUP
    sh -c 'echo $$ >pid; exec "$0" "$@"' "$@"
    echo $? >status
"#;

struct Session {
    folder: tempfile::TempDir,
    parent: Parent,
    /// Until it hangs up.
    terminal: Option<Terminal>,
    panics: bool,
    given_back: usize,
    brought_back: usize,
}

impl Session {
    fn start(parent: Parent, story: Story) -> Session {
        let folder = tempfile::tempdir().unwrap();
        let mut command = CommandBuilder::new("env");
        command.cwd(folder.path());
        command.args(match parent {
            Shell => &["sh", "-c", SHELL, "sh"][..],
            Script => &["sh", "-c", SHELL, "sh", "sh", "-c", SCRIPT, "sh"][..],
            Su => &["sh", "-c", SHELL, "sh", "python3", "-c", SU, "sh", "-c", CHILD][..],
            // The first shell is the session leader. When the terminal closes it dies of SIGHUP, which the kernel then
            // sends to the others.
            Alone => &["sh", "-c", "\"$@\"; exit", "sh", "sh", "-c", NO_SHELL, "sh"][..],
            OwnSession => &["setsid", "--wait", "sh", "-c", NO_SHELL, "sh"][..],
        });
        let place = story.iter().find_map(|(fault, _)| match fault {
            Panic(place) => Some(*place),
            _ => None,
        });
        if let Some(place) = place {
            // The whole message must fit on the screen.
            command.env("RUST_BACKTRACE", "0");
            command.env(PANICS, place);
            command.arg(env::current_exe().unwrap());
            command.args(alone(module_path!(), "child_process_panics"));
        } else {
            command.arg(env!("CARGO_BIN_EXE_quadrille"));
            command.args(["play", "dots-and-boxes", "size=3", "--record", "a.game"]);
        }
        let mut terminal = Terminal::start(command);
        terminal.wait_for("12 lines").keys(":H0,1\r").wait_for("11 lines");
        let (terminal, panics) = (Some(terminal), place.is_some());
        Session { folder, parent, terminal, panics, given_back: 0, brought_back: 0 }
    }

    fn has_shell(&self) -> bool {
        matches!(self.parent, Shell | Script | Su)
    }

    fn terminal(&mut self) -> &mut Terminal {
        self.terminal.as_mut().expect("a terminal that is there")
    }

    fn process(&self) -> String {
        fs::read_to_string(self.folder.path().join("pid")).unwrap().trim().to_owned()
    }

    fn befalls(&mut self, fault: Fault) {
        match fault {
            Keys(keys) => {
                self.terminal().keys(keys);
            }
            Signal(name) => send(name, &self.process()),
            Fg => {
                self.brought_back += 1;
                self.terminal().keys("\n");
            }
            Panic(_) => {
                self.terminal().keys(":V0,0\r");
            }
            Vanish => self.terminal.take().unwrap().vanish(),
        }
    }

    fn check(&mut self, then: Then) {
        match then {
            GoesOn => self.check_that_it_plays(),
            Shows(text) => {
                self.terminal().wait_for(text);
            }
            Stops => {
                self.wait_for_the_stop();
                self.check_that_it_gave_back();
                // The size changes before it is continued.
                let size = if self.given_back % 2 == 1 { (100, 30) } else { (80, 24) };
                self.terminal().resize(size.0, size.1);
            }
            StandsStill => self.wait_for_the_stop(),
            Ends(status) => self.check_the_end(status),
        }
    }

    fn wait_for_the_stop(&mut self) {
        let process = self.process();
        let state = || Command::new("ps").args(["-o", "stat=", "-p", &process]).output().unwrap();
        let stopped = |_: &Terminal| String::from_utf8(state().stdout).unwrap().starts_with('T');
        // The shell then takes the terminal back, and prints that.
        let told = if self.has_shell() { self.brought_back + 1 } else { 0 };
        self.terminal()
            .wait_until("stopped process", stopped)
            .wait_until("shell", |terminal| terminal.times_written("[left ") >= told);
    }

    /// Asserts that it restored the terminal once more, and not twice: leaving the alternate screen twice moves the
    /// cursor.
    fn check_that_it_gave_back(&mut self) {
        const ALL: &str = "\x1b[?1003l\x1b[?1002l\x1b[?1000l\x1b[?1004l\x1b[?2004l\x1b[<1u\x1b[>4m\x1b[m\
            \x1b[2J\x1b[9999;1H\x1b[?1049l\x1b[?25h\x1b[c";
        self.given_back += 1;
        let given_back = self.given_back;
        let terminal = self.terminal().wait_until("a normal terminal", Terminal::is_normal);
        assert_eq!(terminal.times_written(ALL), given_back, "given back");
        assert_eq!(terminal.times_written("\x1b[?1049l"), given_back, "given back");
    }

    fn check_that_it_plays(&mut self) {
        let terminal = self.terminal().wait_until("complete screen", |terminal| {
            let contents = terminal.contents();
            let complete = contents.contains("11 lines") && contents.contains("q leave");
            complete && !contents.contains("[left ")
        });
        assert!(terminal.reports_the_mouse() && terminal.is_raw());
        terminal.keys("u").wait_for("taken back").keys("r").wait_for("redone");
    }

    fn check_the_end(&mut self, status: u32) {
        let file = self.folder.path().join("status");
        let deadline = Instant::now() + Duration::from_secs(60);
        let told = loop {
            match fs::read_to_string(&file) {
                Ok(told) if told.ends_with('\n') => break told,
                _ => assert!(Instant::now() < deadline, "it lingers"),
            }
            thread::sleep(Duration::from_millis(2));
        };
        assert_eq!(told.trim(), status.to_string(), "exit status");
        assert!(!is_there(&self.process()), "the process lingers");
        let record = fs::read_to_string(self.folder.path().join("a.game")).unwrap();
        assert!(record.trim_end().ends_with("H0,1"), "{record}");
        if self.terminal.is_none() {
            return;
        }
        let told = self.has_shell();
        self.terminal().wait_until("word of the shell", |terminal| {
            !told || terminal.contents().contains(&format!("[left {status}]"))
        });
        self.check_that_it_gave_back();
        let contents = self.terminal().contents();
        let readable = contents.contains("thread '") && contents.contains("on purpose");
        assert!(!(self.panics && status == 101) || readable, "no message on\n{contents}");
    }
}

fn send(signal: &str, process: &str) {
    assert!(Command::new("kill").args(["-s", signal, process]).status().unwrap().success());
}

fn is_there(process: &str) -> bool {
    Command::new("kill").args(["-s", "0", process]).output().unwrap().status.success()
}

const PANICS: &str = "QUADRILLE_TEST_PANICS";

/// The child that panics: the same loop, in this test binary. Without the variable it does nothing.
#[test]
fn child_process_panics() {
    let Ok(place) = env::var(PANICS) else { return };
    let entry = catalogue::find("dots-and-boxes").unwrap();
    let setup: Setup = "size=3".parse().unwrap();
    let terms = Terms { names: None, clock: None, date: "2026-11-20", by_chance: false };
    let mut game = (entry.start)(&setup).unwrap();
    let record = RecordFile::open(Path::new("a.game"), terms, &mut game).unwrap();
    let table = Table::at(entry, session::Session::new(game, setup, Conditions::default()));
    let mut app = App::new(Skin::default(), 1).with_match(OpenMatch::new(table));
    runtime::run(&mut app, &mut Panics { place, record }).unwrap();
}

/// Saves the record as the program does, and panics when the second move is to be saved.
struct Panics {
    place: String,
    record: RecordFile,
}

impl Host for Panics {
    fn perform(&mut self, task: DiskTask, app: &mut App) {
        let Some(open_match) = app.open_match() else { return };
        if task != DiskTask::Save {
            return;
        }
        if open_match.current_match().ply() < 2 {
            self.record.save(open_match.current_match()).unwrap();
            return;
        }
        match &*self.place {
            "here" => panic!("on purpose"),
            "in another thread" => drop(thread::spawn(|| panic!("on purpose"))),
            _ => {
                let caught = thread::spawn(|| runtime::catch(|| panic!("on purpose")));
                let said: Result<(), String> = caught.join().unwrap();
                app.show_message(&format!("caught: {}", said.unwrap_err()));
            }
        }
    }
}

/// The file where the child that gets a signal logs its actions.
const ACTS: &str = "QUADRILLE_TEST_ACTS";

/// After a signal no more keys are handled, however many have arrived.
#[test]
fn signal_takes_precedence_over_pending_keys() {
    let folder = tempfile::tempdir().unwrap();
    let acts = folder.path().join("acts");
    let mut command = CommandBuilder::new(env::current_exe().unwrap());
    command.env(ACTS, &acts);
    command.args(alone(module_path!(), "child_process_gets_a_signal"));
    let mut terminal = Terminal::start(command);
    terminal.wait_for("12 lines").keys(&format!(":H0,1\r{}", "ur".repeat(1000)));
    terminal.wait_for_the_end();
    assert_eq!(fs::read_to_string(acts).unwrap(), "Save\n");
}

/// The child that gets a signal. Without the variable it does nothing.
#[test]
fn child_process_gets_a_signal() {
    let Ok(acts) = env::var(ACTS) else { return };
    let entry = catalogue::find("dots-and-boxes").unwrap();
    let open_match =
        OpenMatch::opened(entry, &"size=3".parse().unwrap(), Conditions::default()).unwrap();
    let mut app = App::new(Skin::default(), 1).with_match(open_match);
    let mut host = Signalled(String::new());
    let ending = runtime::run(&mut app, &mut host).unwrap();
    assert_eq!(ending, ExitReason::Signal(SIGTERM));
    fs::write(acts, host.0).unwrap();
}

/// Logs every task, and gets a signal during the first one.
struct Signalled(String);

impl Host for Signalled {
    fn perform(&mut self, task: DiskTask, _: &mut App) {
        writeln!(self.0, "{task:?}").unwrap();
        raise(SIGTERM).unwrap();
    }
}

/// Fills the output buffer of a terminal that is not read.
fn fill(terminal: &mut Terminal) {
    terminal.pause(true);
    for turn in 0..400 {
        terminal.resize(80 + turn % 2 * 60, 24 + turn % 2 * 20);
        thread::sleep(Duration::from_millis(2));
    }
}

/// The terminal's output may be blocked, by Ctrl-S or a broken connection. The program then takes 50 ms, or more on a
/// busy machine.
#[test]
fn signal_ends_the_program_on_a_blocked_terminal() {
    for signal in ["TERM", "HUP", "INT"] {
        let mut terminal = Terminal::run(&["play", "dots-and-boxes", "size=3"]);
        fill(terminal.wait_for("12 lines"));
        send(signal, &terminal.process().to_string());
        let took = terminal.ends_after();
        assert!(took < Duration::from_secs(5), "{signal}: {took:?}");
        terminal.pause(false);
        terminal.wait_for_the_end();
    }
    let mut terminal = Terminal::run(&["play", "tic-tac-toe", "--plain"]);
    terminal.wait_for(">").pause(true);
    terminal.keys(&"board\n".repeat(400));
    thread::sleep(Duration::from_millis(500));
    send("TERM", &terminal.process().to_string());
    let took = terminal.ends_after();
    assert!(took < Duration::from_secs(5), "plain: {took:?}");
}

#[test]
fn keys_typed_on_a_blocked_terminal_take_effect() {
    let mut terminal = Terminal::run(&["play", "dots-and-boxes", "size=3"]);
    fill(terminal.wait_for("12 lines"));
    terminal.resize(80, 24);
    terminal.keys(":H0,1\r").pause(false);
    terminal.wait_for("11 lines");
    terminal.leave();
}

#[test]
fn file_size_limit_is_reported_without_ending_the_match() {
    let state = Rc::new(tempfile::tempdir().unwrap());
    let mut command = CommandBuilder::new("sh");
    command.args(["-c", "ulimit -f 0; exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_quadrille")]);
    command.args(["play", "tic-tac-toe"]);
    let mut terminal = Terminal::start_with(command, Rc::clone(&state));
    terminal.wait_for("leave").keys(":b2\r").wait_for("not saved: file too large");
    terminal.leave();
    let left = all_files(state.path());
    let is_draft = |path: &PathBuf| path.display().to_string().contains(".quadrille-");
    assert!(!left.iter().any(is_draft), "{left:?}");
}

fn all_files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let (folders, mut files): (Vec<_>, Vec<_>) = entries.partition(|path| path.is_dir());
    files.extend(folders.iter().flat_map(|folder| all_files(folder)));
    files
}

#[test]
fn match_continues_without_an_engine_thread() {
    let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_quadrille"));
    command.args(["play", "tic-tac-toe", "--seat", "2=engine:beginner"]);
    // Thread creation fails: the stack is larger than the address space.
    command.env("RUST_MIN_STACK", "70368744177664");
    let mut terminal = Terminal::start(command);
    terminal.wait_for("leave").keys(":b2\r").wait_for("cannot start an engine thread");
    // A retry is harmless, and the move can be taken back.
    terminal.keys("\r").wait_for("cannot start an engine thread").keys("u").wait_for("taken back");
    terminal.leave();
}

/// Writing there would replace the link, or create an unexpected file.
#[test]
fn broken_link_is_reported_and_kept() {
    let folder = tempfile::tempdir().unwrap();
    let nowhere = "/no/such/target";
    let link = folder.path().join("link.svg");
    symlink(nowhere, &link).unwrap();
    let name = link.to_str().unwrap();
    let why = format!("{name}: is a broken link to {nowhere}");
    let show = ["show", "tests/fixtures/example.game", "--out", name];
    assert_eq!(run(&show).fails(1), why);
    assert_eq!(run(&["config", "--config", name]).fails(2), format!("--config {why}"));
    let (state, config) = with_config("");
    fs::remove_file(&config).unwrap();
    symlink(nowhere, &config).unwrap();
    let mut terminal = Terminal::run_with(&[], &state);
    terminal.wait_for("broken").keys("\r").wait_for("q quit").keys("T");
    terminal.leave();
    assert_eq!(
        [&link, &config].map(|path| fs::read_link(path).unwrap()),
        [nowhere; 2].map(PathBuf::from)
    );
}

#[test]
fn rapid_resizes_are_survived() {
    let mut session = Session::start(Shell, &[]);
    let mut chance = crate::common::chance::Chance(7);
    for _ in 0..200 {
        let (cols, rows) = (1 + chance.below(500) as u16, 1 + chance.below(200) as u16);
        session.terminal().resize(cols, rows);
        session.terminal().keys("\x1b[C\x1b[B");
    }
    for (cols, rows) in [(1, 1), (500, 200), (80, 24)] {
        session.terminal().resize(cols, rows);
        thread::sleep(Duration::from_millis(20));
    }
    session.terminal().wait_for("11 lines").keys("\x03");
    session.check_the_end(0);
}

/// Some terminals report such sizes, and some programs cause them.
#[test]
fn any_terminal_size_is_drawn() {
    let mut session = Session::start(Shell, &[]);
    for (cols, rows) in [(65535, 65535), (65535, 1), (1, 65535), (0, 0), (80, 24)] {
        session.terminal().claim_size(cols, rows);
        session.terminal().keys("\x1b[C\x1b[B");
        thread::sleep(Duration::from_millis(20));
    }
    session.terminal().wait_for("11 lines").keys("u").wait_for("taken back");
    session.terminal().keys("r").wait_for("redone").keys("\x03");
    session.check_the_end(0);
}

#[test]
fn thousands_of_keys_are_handled_in_order() {
    let mut session = Session::start(Shell, &[]);
    session.terminal().keys(&"ur".repeat(100)).wait_for("redone");
    session.terminal().keys(&"\x1b[C\x1b[D".repeat(5000)).keys("u").wait_for("taken back");
    session.terminal().keys("r").wait_for("redone").keys("\x03");
    session.check_the_end(0);
}

#[test]
fn pasted_text_plays_no_move() {
    let mut session = Session::start(Shell, &[]);
    session.terminal().keys("\x1b[200~:H0,0\r\rqqqq\r\x1b[201~");
    session.terminal().keys("u").wait_for("taken back").keys("r").wait_for("redone");
    session.terminal().keys("\x03");
    session.check_the_end(0);
}

/// Handling each letter separately would take minutes.
#[test]
fn long_paste_is_handled_at_once() {
    let mut session = Session::start(Shell, &[]);
    let paste = format!("\x1b[200~{}\x1b[201~", "a".repeat(300_000));
    session.terminal().keys(":").keys(&paste).wait_for(":aaaaaaaaaa");
    session.terminal().keys("\x1b").wait_for("q leave").keys("\x03");
    session.check_the_end(0);
}

/// The end of a paste can get lost in transit.
#[test]
fn unterminated_paste_does_not_block_keys() {
    for text in ["hello", &"hello ".repeat(20_000)] {
        let mut session = Session::start(Shell, &[]);
        session.terminal().keys("\x1b[200~").keys(text);
        let deadline = Instant::now() + Duration::from_secs(60);
        while !session.terminal().sees("12 lines") {
            assert!(Instant::now() < deadline, "every key is swallowed");
            session.terminal().keys("u");
            thread::sleep(Duration::from_millis(50));
        }
        session.terminal().keys("r").wait_for("redone").keys("\x03");
        session.check_the_end(0);
    }
    let mut session = Session::start(Shell, &[]);
    session.terminal().keys("\x1b[200~hello\x03");
    session.check_the_end(0);
}
