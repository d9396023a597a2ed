//! Runs of the real binary to its end.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use tempfile::TempDir;

pub const BINARY: &str = env!("CARGO_BIN_EXE_quadrille");
/// The login name, whoever runs the tests.
pub const LOGIN: &str = "pat";

#[derive(Debug)]
pub struct Run {
    pub status: i32,
    pub out: String,
    pub err: String,
}

impl Run {
    pub fn ok(self) -> String {
        assert_eq!((self.status, &*self.err), (0, ""), "{self:?}");
        self.out
    }

    /// Asserts failure with this status and empty stdout, and returns the only line on stderr.
    pub fn fails(self, status: i32) -> String {
        assert_eq!((self.status, &*self.out), (status, ""), "{self:?}");
        let line = self.err.strip_suffix('\n').expect("a line");
        assert!(!line.contains(char::is_control), "{line:?}");
        line.to_owned()
    }
}

/// Returns whether a line says that this file is missing, in the words of any system.
pub fn is_not_found(line: &str, file: &str) -> bool {
    let why = line.strip_prefix(file).and_then(|line| line.strip_prefix(": "));
    // Windows has another number for a missing folder.
    why.is_some_and(|why| {
        why.contains("(os error 2)") || cfg!(windows) && why.contains("(os error 3)")
    })
}

pub fn run(args: &[&str]) -> Run {
    run_in(Path::new("."), args, b"")
}

/// Runs in a directory, with this input on stdin. Removes the state that the run leaves.
pub fn run_in(folder: &Path, args: &[&str], input: &[u8]) -> Run {
    let home = tempfile::tempdir().unwrap();
    finish(command(home.path(), args).current_dir(folder), input)
}

pub fn run_unread(args: &[&str]) -> Run {
    let home = tempfile::tempdir().unwrap();
    let mut child = command(home.path(), args).spawn().unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    let err = String::from_utf8(output.stderr).unwrap();
    Run { status: output.status.code().unwrap(), out: String::new(), err }
}

/// The variables that name the user's folders. Windows has the last two.
pub const FOLDERS: [&str; 7] = [
    "HOME",
    "XDG_STATE_HOME",
    "XDG_CACHE_HOME",
    "XDG_CONFIG_HOME",
    "XDG_RUNTIME_DIR",
    "APPDATA",
    "LOCALAPPDATA",
];

/// Returns the program's command, with its state in this directory.
pub fn command(home: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(BINARY);
    command.envs(FOLDERS.map(|name| (name, home)));
    command.args(args).env("TERM", "xterm").env("LC_ALL", "C.UTF-8");
    command.env("USER", LOGIN).env("USERNAME", LOGIN);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

pub fn finish(command: &mut Command, input: &[u8]) -> Run {
    let mut child = command.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_owned();
    // A program that stops reading early closes the pipe, which is no error.
    let writer = std::thread::spawn(move || stdin.write_all(&input).unwrap_or_default());
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    Run {
        status: output.status.code().expect("an exit status"),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}

/// Creates a directory with one file; returns both paths.
pub fn file(name: &str, text: impl AsRef<[u8]>) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    fs::write(&path, text).unwrap();
    (folder, path)
}

/// Returns the arguments with which this test binary runs a single test, for a test that needs its own process. The
/// module is `module_path!()`.
#[cfg(unix)]
pub fn alone(module: &str, test: &str) -> [String; 3] {
    let (_binary, module) = module.split_once("::").unwrap();
    ["--exact".to_owned(), format!("{module}::{test}"), "--nocapture".to_owned()]
}

/// Runs the rest of a test in its own process. Children of concurrent tests would inherit terminals that are just being
/// opened here, and an inherited terminal does not hang up.
#[cfg(unix)]
pub fn in_own_process(module: &str, test: &str, rest: impl FnOnce()) {
    const ALONE: &str = "QUADRILLE_TEST_ALONE";
    if std::env::var_os(ALONE).is_some() {
        return rest();
    }
    let mut again = Command::new(std::env::current_exe().unwrap());
    let run = finish(
        again
            .args(alone(module, test))
            .env(ALONE, "")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped()),
        b"",
    );
    assert!(run.status == 0 && run.out.contains("1 passed"), "{}{}", run.out, run.err);
}
