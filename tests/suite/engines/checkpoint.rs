//! `quadrille solve --checkpoint`: a solve goes on where another one ended, however it ended.

use crate::common::chance::Chance;
use crate::common::program::{BINARY, Run, command, finish};
use serde_json::Value;
use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, Command};
use std::thread::sleep;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// A board that takes a few seconds, and one that is far too large to be solved.
const SMALL: [&str; 3] = ["dots-and-boxes", "rows=3", "cols=7"];
const LARGE: [&str; 2] = ["dots-and-boxes", "size=6"];

/// Solves with the file `a` of a folder, on one thread and with little memory.
fn args<'a>(board: &[&'a str], more: &[&'a str]) -> Vec<&'a str> {
    let fixed = ["--checkpoint", "a", "--threads", "1", "--memory", "16", "--json"];
    [&["solve"], board, &fixed, more].concat()
}

fn program(folder: &TempDir, args: &[&str]) -> Command {
    let mut command = command(folder.path(), args);
    command.current_dir(folder.path());
    command
}

fn solve(folder: &TempDir, board: &[&str], more: &[&str]) -> Run {
    finish(&mut program(folder, &args(board, more)), b"")
}

/// Begins to solve the large board.
fn begin(folder: &TempDir, more: &[&str]) -> Child {
    program(folder, &args(&LARGE, more)).spawn().unwrap()
}

/// What was printed, which must all be proven.
fn proven(run: Run) -> Value {
    serde_json::from_str(&run.ok()).unwrap()
}

fn signal(child: &Child, name: &str) {
    let status = Command::new("kill").args(["-s", name, &child.id().to_string()]).status();
    assert!(status.unwrap().success());
}

/// Waits until the file is longer than this.
fn wait_for_length(path: &Path, bytes: u64) {
    let begun = Instant::now();
    while fs::metadata(path).map_or(0, |file| file.len()) <= bytes {
        assert!(begun.elapsed() < Duration::from_secs(60), "nothing is written");
        sleep(Duration::from_millis(5));
    }
}

fn names(folder: &TempDir) -> Vec<String> {
    let entries = fs::read_dir(folder.path()).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    // The cache is in the same folder.
    names.filter(|name| name != "quadrille").collect()
}

#[test]
fn a_solve_that_is_killed_a_dozen_times_comes_to_its_end() {
    let folder = tempfile::tempdir().unwrap();
    let whole = proven(solve(&folder, &SMALL, &[]));
    assert_eq!(whole["value"], 2);
    fs::remove_file(folder.path().join("a")).unwrap();
    let mut chance = Chance(7);
    let mut lengths = Vec::new();
    // More kills, if the machine is so busy that the first dozen came too early for anything.
    while lengths.len() < 12 || lengths.last().is_some_and(|length| *length <= 1000) {
        assert!(lengths.len() < 200, "{lengths:?}");
        let args = args(&SMALL, &["--checkpoint-interval", "0.01"]);
        let mut child = program(&folder, &args).spawn().unwrap();
        // On a busy machine it may take long to begin.
        wait_for_length(&folder.path().join("a"), 0);
        sleep(Duration::from_millis(20 + chance.below(200) as u64));
        child.kill().unwrap();
        child.wait().unwrap();
        lengths.push(fs::metadata(folder.path().join("a")).unwrap().len());
    }
    let rest = proven(solve(&folder, &SMALL, &[]));
    assert_eq!(rest["value"], 2);
    let nodes = [&whole, &rest].map(|line| line["nodes"].as_u64().unwrap());
    assert!(nodes[1] < nodes[0], "{nodes:?} {lengths:?}");
    assert_eq!(names(&folder), ["a"], "no draft is left");
    // The checkpoint of a solved position holds its value.
    let again = proven(solve(&folder, &SMALL, &[]));
    assert!(again["nodes"].as_u64().unwrap() < nodes[0] / 20, "{again}");
    assert_eq!(again["pv"].as_array().unwrap().len(), whole["pv"].as_array().unwrap().len());
}

/// Without `--checkpoint-interval`, the only write in the first minute is the one at the end.
#[test]
fn every_end_writes_once_more() {
    for name in ["INT", "TERM"] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        let mut child = begin(&folder, &[]);
        wait_for_length(&path, 0);
        let begun = fs::metadata(&path).unwrap().len();
        assert!(begun < 1000, "{begun}");
        sleep(Duration::from_secs(1));
        assert_eq!(fs::metadata(&path).unwrap().len(), begun);
        signal(&child, name);
        let status = child.wait().unwrap();
        assert_eq!(status.signal(), Some(if name == "INT" { 2 } else { 15 }), "{status}");
        let stopped = fs::metadata(&path).unwrap().len();
        assert!(stopped > begun + 1000, "{stopped}");
        // The end of the time is such an end too.
        let late = solve(&folder, &LARGE, &["--time", "1.5"]);
        assert_eq!(late.status, 1);
        assert!(fs::metadata(&path).unwrap().len() > stopped);
    }
}

/// `timeout` sends two signals at once: that is one wish to stop, and must not kill the process
/// before it has written.
#[test]
fn two_signals_at_once_are_one() {
    let folder = tempfile::tempdir().unwrap();
    let child = begin(&folder, &[]);
    wait_for_length(&folder.path().join("a"), 0);
    sleep(Duration::from_millis(500));
    let script = format!("kill -s INT {0}; kill -s TERM {0}", child.id());
    assert!(Command::new("sh").args(["-c", &script]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert!(output.stdout.starts_with(b"{\"game\":\"dots-and-boxes\""), "{output:?}");
    assert!(matches!(output.status.signal(), Some(2 | 15)), "{output:?}");
    assert!(fs::metadata(folder.path().join("a")).unwrap().len() > 1000);
}

#[test]
fn a_file_that_cannot_be_used_is_refused_and_left_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a");
    assert_eq!(solve(&folder, &LARGE, &["--time", "0.5"]).status, 1);
    let good = fs::read(&path).unwrap();
    let with = |at: usize, byte: u8| {
        let mut bytes = good.clone();
        bytes[at] ^= byte;
        bytes
    };
    let anew = "; name another file, or remove this one to begin anew";
    let cases = [
        (good[..good.len() / 2].to_vec(), format!("a: it was cut{anew}")),
        (good[..good.len() - 1].to_vec(), format!("a: it was cut{anew}")),
        (good[..60].to_vec(), format!("a: it was cut{anew}")),
        (with(good.len() / 2, 4), format!("a: it is damaged{anew}")),
        (with(40, 1), format!("a: it is damaged{anew}")),
        (with(good.len() - 1, 1), format!("a: it is damaged{anew}")),
        ([&good[..], b"x"].concat(), format!("a: it is damaged{anew}")),
        (Vec::new(), format!("a: an empty file is not a checkpoint{anew}")),
        (with(21, 3), format!("a: a checkpoint of another version of this program{anew}")),
        (
            b"[Game \"quixo\"]\n".to_vec(),
            "a: not a checkpoint of quadrille; name another file".into(),
        ),
        (with(0, 1), "a: not a checkpoint of quadrille; name another file".into()),
    ];
    for (bytes, message) in cases {
        fs::write(&path, &bytes).unwrap();
        assert_eq!(solve(&folder, &LARGE, &["--time", "0.1"]).fails(1), message);
        assert_eq!(fs::read(&path).unwrap(), bytes, "{message}");
    }
    fs::write(&path, &good).unwrap();
    let elsewhere = [
        (&["dots-and-boxes", "size=5"][..], "dots-and-boxes rows=5 cols=5"),
        (
            &["dots-and-boxes", "size=6", "--moves", "H0,0 V1,1"],
            "dots-and-boxes rows=6 cols=6 --moves \"H0,0 V1,1\"",
        ),
    ];
    for (board, words) in elsewhere {
        let said = solve(&folder, board, &["--time", "0.1"]).fails(1);
        let there = "a: a checkpoint of dots-and-boxes rows=6 cols=6, not of";
        assert_eq!(said, format!("{there} {words}; solve that, or name another file"));
        assert_eq!(fs::read(&path).unwrap(), good);
    }
    assert_eq!(names(&folder), ["a"]);
    // A pipe is refused at once, and not waited for.
    fs::remove_file(&path).unwrap();
    fs::create_dir(&path).unwrap();
    assert_eq!(solve(&folder, &LARGE, &[]).fails(1), "a: not a regular file");
    let nowhere =
        finish(&mut program(&folder, &["solve", "dots-and-boxes", "--checkpoint", "b/c"]), b"");
    assert_eq!(nowhere.fails(1), "b/c: No such file or directory (os error 2)");
}

#[test]
fn a_position_is_the_same_however_it_came_about() {
    let folder = tempfile::tempdir().unwrap();
    let board = |moves| ["dots-and-boxes", "size=3", "--moves", moves];
    proven(solve(&folder, &board("H0,0 V1,1 H2,1 V0,2"), &[]));
    let again = proven(solve(&folder, &board("H2,1 V0,2 H0,0 V1,1"), &[]));
    assert_eq!(again["kind"], "exact");
    let other = solve(&folder, &board("H2,1 V0,2 H0,0 V1,0"), &[]).fails(1);
    assert!(other.contains("--moves \"H2,1 V0,2 H0,0 V1,1\", not of "), "{other}");
}

#[test]
fn only_one_process_solves_with_a_file() {
    let folder = tempfile::tempdir().unwrap();
    // Each file that replaces the first is locked too.
    let mut child = begin(&folder, &["--checkpoint-interval", "0"]);
    wait_for_length(&folder.path().join("a"), 1000);
    for _ in 0..3 {
        let said = solve(&folder, &LARGE, &[]).fails(1);
        assert_eq!(said, "a: another process is solving with this file");
        sleep(Duration::from_millis(50));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(
        solve(&folder, &LARGE, &["--time", "0.1"]).status,
        1,
        "a lock dies with its process"
    );
}

#[test]
fn a_checkpoint_can_be_read_into_tables_of_another_size() {
    let folder = tempfile::tempdir().unwrap();
    for memory in ["16", "1", "64"] {
        let mut args = args(&SMALL, &["--time", "0.4"]);
        let at = args.iter().position(|arg| *arg == "16").unwrap();
        args[at] = memory;
        assert!(finish(&mut program(&folder, &args), b"").status <= 1);
    }
    assert_eq!(proven(solve(&folder, &SMALL, &[]))["value"], 2);
}

/// A file must not grow beyond a size that the shell sets, as if the disk were full: what was written before
/// stays, and the search goes on.
#[test]
fn a_full_disk_spoils_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a");
    assert_eq!(solve(&folder, &SMALL, &["--time", "0.05"]).status, 1);
    let before = fs::read(&path).unwrap();
    let args = args(&SMALL, &["--checkpoint-interval", "0"]).join(" ");
    let script = format!("trap '' XFSZ; ulimit -f 1; exec {BINARY} {args}");
    let mut limited = Command::new("sh");
    limited.args(["-c", &script]).current_dir(folder.path()).env("XDG_CACHE_HOME", folder.path());
    let output = limited.output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    let why = "a: not written: File too large (os error 27)";
    // It says so once during the search, and once more at the end.
    assert_eq!(said, format!("{why}; the search goes on\n{why}\n"));
    assert_eq!(output.status.code(), Some(0), "all is proven");
    assert!(String::from_utf8(output.stdout).unwrap().contains("\"value\":2,"));
    assert!(fs::read(&path).unwrap() == before && before.len() > 1024);
    assert_eq!(names(&folder), ["a"], "no draft is left");
    assert_eq!(proven(solve(&folder, &SMALL, &[]))["value"], 2);
}

/// If somebody replaces the file during the search, theirs is not written over; if somebody removes it,
/// it is written anew. The draft that a killed process has left is removed.
#[test]
fn a_file_put_in_its_place_is_not_written_over() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a");
    fs::write(folder.path().join(".quadrille-a"), "a draft").unwrap();
    let often = ["--checkpoint-interval", "0"];
    let mut child = begin(&folder, &often);
    wait_for_length(&path, 1000);
    assert!(names(&folder).len() <= 2);
    fs::remove_file(&path).unwrap();
    wait_for_length(&path, 1000);
    fs::write(folder.path().join("b"), "mine").unwrap();
    fs::rename(folder.path().join("b"), &path).unwrap();
    sleep(Duration::from_millis(200));
    signal(&child, "TERM");
    let status = child.wait().unwrap();
    assert_eq!(status.signal(), Some(15));
    assert_eq!(fs::read_to_string(&path).unwrap(), "mine");
    assert_eq!(names(&folder), ["a"]);
}

#[test]
fn other_games_and_several_positions_have_no_checkpoint() {
    let folder = tempfile::tempdir().unwrap();
    for entry in quadrille::catalogue::GAMES.iter().filter(|game| game.id != "dots-and-boxes") {
        let said = solve(&folder, &[entry.id], &[]).fails(2);
        assert_eq!(said, format!("--checkpoint: is for dots-and-boxes, not for {}", entry.id));
    }
    let said = solve(&folder, &SMALL, &["--every"]).fails(2);
    let rule = "the argument '--checkpoint <FILE>' cannot be used with '--every'";
    assert_eq!(said, rule);
    assert_eq!(names(&folder), [""; 0]);
}
