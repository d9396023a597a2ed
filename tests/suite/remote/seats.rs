//! Seats that stay with their players through disconnects, and players who must ask for one.

use crate::common::lines::Lines;
use crate::common::program::{BINARY, finish};
use crate::common::terminal::{self, Terminal};
use crate::common::two_terminals::{Desk, TypedMatch, all_see, answer, past_the_guard};
use rustix::process::geteuid;
use std::fs::{self, Permissions};
use std::io::{Write, stderr};
use std::os::unix::fs::{PermissionsExt, chown};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;

fn tokens(desk: &Desk) -> usize {
    fs::read_dir(desk.home().join("quadrille/seats")).map_or(0, Iterator::count)
}

#[test]
fn guest_rejoins_its_seat_after_a_terminal_kill() {
    let desk = Desk::new();
    let mut ann = desk.host("tic-tac-toe", "", &["2"]);
    let mut bob = desk.run(&["join", "--name", "Bob"]);
    all_see(&[&ann, &bob], "Bob");
    let mut typed = TypedMatch::new("tic-tac-toe", "", &["Ann", "Bob"]);
    typed.play(&mut [&mut ann, &mut bob], &[0, 1]);
    // While Bob's terminal runs, another guest of the same user does not get Bob's seat.
    let mut eve = desk.run(&["join", "--name", "Eve"]);
    eve.wait_for("every seat is taken");
    bob.kill();
    ann.wait_for("Bob is away");
    let mut bob = desk.run(&["join"]);
    bob.wait_for("s say");
    ann.wait_until("Bob", |ann| !ann.sees("Bob is away"));
    typed.play_to_the_end(&mut [&mut ann, &mut bob], &[0, 1]);
    assert_eq!(tokens(&desk), 1);
    past_the_guard();
    bob.click("Leave the table");
    assert_eq!(bob.wait_for_the_end(), 0);
    assert_eq!(tokens(&desk), 0);
}

#[test]
fn garbled_line_keeps_the_seat() {
    let desk = Desk::new();
    let mut ann = desk.host("tic-tac-toe", "", &["2"]);
    let (script, flag) = (desk.home().join("line"), desk.home().join("garbled"));
    let text = format!(
        "[ -e {flag} ] && exec {BINARY} table connect\ntouch {flag}\n\
         {BINARY} table connect | sed -u 's/^log 1 .*/log 9 0 1 play a1/'\n",
        flag = flag.display()
    );
    fs::write(&script, text).unwrap();
    let via = format!("sh {}", script.display());
    let mut bob = desk.run(&["join", "--via", &via, "--name", "Bob"]);
    all_see(&[&ann, &bob], "Bob");
    ann.keys(":b2\r");
    bob.wait_for("illegal step");
    assert_eq!(tokens(&desk), 1);
    bob.kill();
    ann.wait_for("Bob is away");
    let mut bob = desk.run(&["join", "--via", &via]);
    bob.wait_for("s say");
    ann.wait_until("Bob", |ann| !ann.sees("Bob is away"));
}

#[test]
fn join_without_a_token_asks_the_host() {
    let desk = Desk::new();
    let mut ann = desk.host("tic-tac-toe", "", &["2"]);
    let bob = desk.run(&["join", "--name", "Bob"]);
    all_see(&[&ann, &bob], "Bob");
    ann.keys(":b2\r");
    all_see(&[&ann, &bob], "b2");
    bob.kill();
    ann.wait_for("Bob is away");
    let elsewhere = Desk::new().with_env("XDG_RUNTIME_DIR", desk.home().join("run"));
    let mut eve = elsewhere.run(&["join", "--name", "Eve"]);
    eve.wait_for("seat 2 is reserved for Bob, who is away");
    answer(&mut ann, "Eve asks for Bob's seat at move 2; Bob is away", "n");
    eve.wait_for("Ann declined");
    assert_eq!(eve.wait_for_the_end(), 1);
    // Bob's own token is still valid.
    let mut bob = desk.run(&["join"]);
    bob.wait_for("s say");
    ann.wait_until("Bob", |ann| !ann.sees("Bob is away"));
}

#[test]
fn silent_connections_do_not_block_host_or_guest() {
    let desk = Desk::new();
    let mut ann = desk.host("tic-tac-toe", "", &["2"]);
    let folders = terminal::home(desk.home());
    let quadrille = |arguments: &[&str]| {
        let mut command = Command::new(BINARY);
        command.args(arguments).envs(folders.clone());
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    };
    let is_over = AtomicBool::new(false);
    thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                while !is_over.load(Relaxed) {
                    let connect = ["table", "connect", "tic-tac-toe", "--as", "Eve"];
                    let mut silent = quadrille(&connect).spawn().unwrap();
                    // Until the table closes the connection.
                    let _ = std::io::copy(&mut silent.stdout.take().unwrap(), &mut std::io::sink());
                    silent.kill().unwrap();
                    silent.wait().unwrap();
                }
            });
        }
        for _ in 0..5 {
            let mut bob = desk.run(&["join", "--name", "Bob"]);
            bob.wait_for("s say").keys("q");
            assert_eq!(bob.wait_for_the_end(), 0);
        }
        let closed = finish(&mut quadrille(&["table", "close", "tic-tac-toe"]), b"");
        is_over.store(true, Relaxed);
        assert_eq!(closed.ok(), "");
    });
    ann.wait_for("closed");
}

/// Runs a program as the user nobody.
const NOBODY: [&str; 3] = ["--reuid=65534", "--regid=65534", "--clear-groups"];
/// The user id of the host, which no other test has, as all tests of its user see a shared table.
const HOST: u32 = 65533;

/// Returns Quadrille in plain mode as the user nobody, with its own home directory.
fn nobody(home: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new("setpriv");
    command.args(NOBODY).arg(BINARY).args(arguments);
    for name in ["HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_RUNTIME_DIR"] {
        command.env(name, home);
    }
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Returns the command that the host gives to other users.
fn shared_line(ann: &Terminal) -> String {
    let contents = ann.contents();
    let begins = contents.find("/tmp/quadrille-shared-").unwrap();
    contents[begins..].split_whitespace().next().unwrap().to_owned()
}

#[test]
fn another_user_joins_with_secret_and_host_consent() {
    let home = tempfile::tempdir().unwrap();
    fs::set_permissions(home.path(), Permissions::from_mode(0o777)).unwrap();
    let can_run = nobody(home.path(), &["--version"]).output();
    if !geteuid().is_root() || !can_run.is_ok_and(|output| output.status.success()) {
        // Bypasses the test harness, which captures `println!`.
        let _ = writeln!(
            stderr(),
            "left out: two users, which needs root, setpriv and a program that nobody can run"
        );
        return;
    }
    let desk = Desk::new();
    let folders = terminal::home(desk.home());
    for (_, folder) in folders.iter().filter(|(_, folder)| folder.exists()) {
        chown(folder, Some(HOST), Some(HOST)).unwrap();
    }
    let host = HOST.to_string();
    let user = ["--reuid", &host, "--regid", &host, "--clear-groups", BINARY];
    let words = ["play", "tic-tac-toe", "--names", "Ann", "--seat=2=guest", "--shared"];
    let mut ann = desk.start("setpriv", &[&user[..], &words].concat());
    ann.wait_for("quadrille join /tmp/quadrille-shared-");
    let line = shared_line(&ann);
    ann.keys("\x1b").wait_for("s say");
    let (path, secret) = line.rsplit_once(':').unwrap();
    // The path is public, and not sufficient.
    let sockets = fs::read_to_string("/proc/net/unix").unwrap();
    assert!(sockets.contains(path) && !sockets.contains(secret));
    let guessed =
        finish(&mut nobody(home.path(), &["join", "--plain", &format!("{path}:guess")]), b"");
    assert!(guessed.fails(1).contains("wrong secret"));
    let mut guest = nobody(home.path(), &["join", "--plain", "--name", "Bob", &line]);
    let mut guest = guest.spawn().unwrap();
    let mut lines = Lines::of(&mut guest);
    ann.wait_for("Bob (user nobody) asks for seat 2");
    // The secret is not in the process's arguments, which other users can read.
    let arguments = fs::read(format!("/proc/{}/cmdline", guest.id())).unwrap();
    let arguments = String::from_utf8(arguments).unwrap();
    assert!(arguments.contains(path) && !arguments.contains(secret), "{arguments}");
    answer(&mut ann, "Bob (user nobody) asks for seat 2", "y")
        .wait_until("Bob", |ann| ann.sees("Bob") && !ann.sees("asks for"));
    ann.keys(":b2\r");
    lines.wait_for("Ann puts X on b2");
    writeln!(guest.stdin.as_mut().unwrap(), "a1").unwrap();
    ann.wait_for("a1");
    writeln!(guest.stdin.take().unwrap(), "quit").unwrap();
    assert!(guest.wait().unwrap().success());
    ann.wait_for("Bob has left");
}
