//! Assumptions of these tests about their server.

use crate::common::program::{self, Run, finish};
use crate::common::sshd::Sshd;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdout, Command};
use std::{env, fs};

fn run(mut command: Command) -> Run {
    finish(&mut command, b"")
}

fn begin(sshd: &Sshd, command: &str) -> (Child, BufReader<ChildStdout>, String) {
    let mut session = sshd.ssh("table", command).spawn().unwrap();
    let mut out = BufReader::new(session.stdout.take().unwrap());
    let first = line(&mut out);
    (session, out, first)
}

fn line(out: &mut impl BufRead) -> String {
    let mut line = String::new();
    out.read_line(&mut line).unwrap();
    line
}

#[test]
fn sshd_runs_a_command_in_the_given_home() {
    let Some(mut sshd) = Sshd::start() else { return };
    let keys = env::home_dir().unwrap().join(".ssh");
    let list = || {
        let files = fs::read_dir(&keys).into_iter().flatten().flatten();
        let mut files: Vec<_> =
            files.map(|file| (file.path(), fs::read(file.path()).ok())).collect();
        files.sort();
        files
    };
    let before = list();
    let home = tempfile::tempdir().unwrap();
    sshd.home(home.path()).env("WORD", "two \"words\"");
    let command = r#"echo "$WORD"; echo "$HOME"; quadrille --version"#;
    let version = finish(&mut program::command(home.path(), &["--version"]), b"").ok();
    let folder = home.path().display();
    assert_eq!(run(sshd.ssh("table", command)).ok(), format!("two \"words\"\n{folder}\n{version}"));
    let words = shlex::split(&sshd.ssh_words()).unwrap();
    let host = format!("{}@table", sshd.user());
    let output = Command::new(&words[0]).args(&words[1..]).args([&*host, "echo words"]).output();
    assert_eq!(output.unwrap().stdout, b"words\n");

    sshd.without_programs();
    let missing = run(sshd.ssh("table", "quadrille --version"));
    assert!(missing.status == 127 && missing.err.contains("quadrille"), "{missing:?}");
    assert_eq!(list(), before, "the home folder of whoever runs this");
}

#[test]
fn sshd_runs_the_forced_command_of_a_key() {
    let Some(mut sshd) = Sshd::start() else { return };
    let refused = run(sshd.ssh("friend", "true"));
    assert!(refused.status == 255 && refused.err.contains("Permission denied"), "{refused:?}");

    sshd.authorize(r#"restrict,pty,command="echo table of $SSH_ORIGINAL_COMMAND""#);
    assert_eq!(run(sshd.ssh("friend", "rm -r ann")).ok(), "table of rm -r ann\n");
    // A login shell that prints a greeting.
    sshd.authorize(r#"command="echo Welcome to ann; eval $SSH_ORIGINAL_COMMAND""#);
    assert_eq!(run(sshd.ssh("friend", "echo it")).ok(), "Welcome to ann\nit\n");
    assert_eq!(run(sshd.ssh("table", "echo it")).ok(), "it\n");
}

#[test]
fn sshd_survives_cut_sessions() {
    let Some(mut sshd) = Sshd::start() else { return };
    let (mut session, mut out, first) = begin(&sshd, "echo ready; cat");
    assert_eq!(first, "ready\n");
    session.stdin.as_mut().unwrap().write_all(b"one\n").unwrap();
    assert_eq!(line(&mut out), "one\n");
    sshd.kill_connections();
    assert_eq!(session.wait().unwrap().code(), Some(255), "what ssh says of a broken line");
    assert_eq!(line(&mut out), "");

    assert_eq!(run(sshd.ssh("table", "echo again")).ok(), "again\n");
    sshd.change_host_key();
    let refused = run(sshd.ssh("table", "true"));
    assert_eq!(refused.status, 255);
    assert!(refused.err.contains("REMOTE HOST IDENTIFICATION HAS CHANGED"), "{refused:?}");
}

#[test]
fn sshd_stop_leaves_no_session_process() {
    let Some(sshd) = Sshd::start() else { return };
    let (mut deaf, _out, shell) = begin(&sshd, "trap '' HUP; echo $$; read line; sleep 1000");
    let (mut left, _out, daemon) =
        begin(&sshd, "setsid sh -c 'echo $$; exec sleep 1000' </dev/null & wait");
    let ids = [shell, daemon].map(|id| id.trim().parse::<u32>().unwrap());
    sshd.kill_connections();
    deaf.wait().unwrap();
    left.wait().unwrap();
    let started = sshd.started();
    assert!(ids.iter().all(|id| started.contains(id)), "not all of {ids:?} in {started:?}");

    let (mut busy, _out, _) = begin(&sshd, "echo; exec sleep 1000");
    drop(sshd);
    busy.wait().unwrap();
    for id in ids {
        let stat = fs::read_to_string(format!("/proc/{id}/stat"));
        assert!(stat.is_err() || stat.unwrap().contains(") Z"), "{id} is still there");
    }
}
