//! Runs a program on a pseudo-terminal, and times its output.

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};
use std::io::{Read, Write};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

/// A key counts as answered after this long without output. It is short because some programs also write periodically,
/// which must not count.
const ANSWERED: Duration = Duration::from_millis(10);
/// As `ANSWERED`, for a whole screen and for many keys at once.
const SETTLED: Duration = Duration::from_millis(60);
/// The timeout for the first byte of an answer.
const FIRST_BYTE_TIMEOUT: Duration = Duration::from_millis(400);

pub struct Program {
    pub name: String,
    pub path: String,
    arguments: Vec<String>,
    /// The keys that lead from its start into a match.
    into_match: Vec<String>,
}

impl Program {
    /// `command` and `keys` are words separated by spaces. A key is `enter`, `esc`, `up`, `down`, `left`, `right`, or
    /// the text to type.
    pub fn new(name: &str, command: &str, keys: &str) -> Program {
        let mut words = command.split_whitespace().map(str::to_owned);
        let key = |word| match word {
            "enter" => "\r",
            "esc" => "\x1b",
            "up" => "\x1b[A",
            "down" => "\x1b[B",
            "right" => "\x1b[C",
            "left" => "\x1b[D",
            text => text,
        };
        Program {
            name: name.to_owned(),
            path: words.next().expect("a program"),
            arguments: words.collect(),
            into_match: keys.split_whitespace().map(|word| key(word).to_owned()).collect(),
        }
    }
}

#[derive(Default)]
pub struct Answer {
    pub bytes: usize,
    /// The time from the keys to the last byte; `None` without output.
    pub last: Option<Duration>,
}

/// Killed on drop.
pub struct Run {
    child: Box<dyn Child + Send + Sync>,
    keyboard: Box<dyn Write + Send>,
    /// The size and arrival time of each read.
    output: Receiver<(Instant, usize)>,
    _master: Box<dyn MasterPty + Send>,
    _home: tempfile::TempDir,
}

impl Run {
    /// Starts a program. Also returns the time until its first screen is complete.
    pub fn start(program: &Program) -> (Run, Duration) {
        let size = PtySize { rows: 24, cols: 80, pixel_width: 0, pixel_height: 0 };
        let pair = native_pty_system().openpty(size).unwrap();
        let home = tempfile::tempdir().unwrap();
        let mut command = CommandBuilder::new(&program.path);
        command.args(&program.arguments);
        command.env_clear();
        command.env("HOME", home.path());
        command.env("TERM", "xterm-256color");
        command.env("LC_ALL", "C.UTF-8");
        let mut out = pair.master.try_clone_reader().unwrap();
        let (sender, output) = channel();
        thread::spawn(move || {
            let mut bytes = [0; 1 << 14];
            while let Ok(n @ 1..) = out.read(&mut bytes) {
                if sender.send((Instant::now(), n)).is_err() {
                    break;
                }
            }
        });
        let keyboard = pair.master.take_writer().unwrap();
        let start = Instant::now();
        let child = pair.slave.spawn_command(command).unwrap();
        let mut run = Run { child, keyboard, output, _master: pair.master, _home: home };
        let paint = run.answer(start, SETTLED).last.expect("a program that draws a screen");
        (run, paint)
    }

    pub fn enter_match(&mut self, program: &Program) {
        for key in &program.into_match {
            self.press_all(key);
        }
    }

    pub fn press(&mut self, key: &str) -> Answer {
        self.type_in(key, ANSWERED)
    }

    /// Types many keys at once, or one that changes the whole screen.
    pub fn press_all(&mut self, keys: &str) -> Answer {
        self.type_in(keys, SETTLED)
    }

    fn type_in(&mut self, keys: &str, quiet: Duration) -> Answer {
        // Drops output that came before the keys.
        self.take_written();
        let start = Instant::now();
        self.keyboard.write_all(keys.as_bytes()).unwrap();
        self.answer(start, quiet)
    }

    fn answer(&mut self, start: Instant, quiet: Duration) -> Answer {
        let mut answer = Answer::default();
        loop {
            let timeout = if answer.last.is_some() { quiet } else { FIRST_BYTE_TIMEOUT };
            match self.output.recv_timeout(timeout) {
                Ok((when, bytes)) => {
                    answer.bytes += bytes;
                    answer.last = Some(when - start);
                }
                Err(RecvTimeoutError::Timeout) => return answer,
                Err(RecvTimeoutError::Disconnected) => panic!("the program has ended"),
            }
        }
    }

    /// Since the last answer.
    pub fn take_written(&mut self) -> usize {
        self.output.try_iter().map(|(_, bytes)| bytes).sum()
    }

    pub fn process(&self) -> u32 {
        self.child.process_id().unwrap()
    }
}

impl Drop for Run {
    fn drop(&mut self) {
        self.child.kill().unwrap();
        let _ = self.child.wait();
    }
}
