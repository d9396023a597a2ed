//! A line-based conversation with an engine.

use super::program::command;
use quadrille_arena::serve;
use quadrille_search::NoTableCache;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;

/// The timeout for a line, long enough for the slowest machine.
const LINE_TIMEOUT: Duration = Duration::from_secs(120);

/// An engine process or thread.
pub struct UgiClient {
    input: Option<Box<dyn Write + Send>>,
    lines: Receiver<String>,
    child: Option<Child>,
}

impl UgiClient {
    pub fn with_engine() -> UgiClient {
        let home = tempfile::tempdir().unwrap();
        UgiClient::with(&mut command(home.path(), &["engine"]))
    }

    /// In a thread of this process.
    pub fn with_server() -> UgiClient {
        let (input, pieces) = channel();
        let (output, mut written) = io::pipe().unwrap();
        let input_of_server = Pieces { pieces, piece: Vec::new() };
        thread::spawn(move || serve(input_of_server, &mut written, Arc::new(NoTableCache)));
        UgiClient { input: Some(Box::new(Feed(input))), lines: lines(output), child: None }
    }

    pub fn with(command: &mut Command) -> UgiClient {
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let lines = lines(child.stdout.take().unwrap());
        UgiClient { input: Some(Box::new(child.stdin.take().unwrap())), lines, child: Some(child) }
    }

    /// Sends raw bytes. A closed pipe is no error.
    pub fn feed(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().expect("the input is open");
        let _ = input.write_all(bytes).and_then(|()| input.flush());
    }

    pub fn send(&mut self, line: &str) {
        self.feed(format!("{line}\n").as_bytes());
    }

    /// Returns the next line; `None` at the end.
    pub fn next_line(&self) -> Option<String> {
        match self.lines.recv_timeout(LINE_TIMEOUT) {
            Ok(line) => Some(line),
            Err(error) => {
                assert_eq!(error, RecvTimeoutError::Disconnected, "no line");
                None
            }
        }
    }

    /// Returns all lines before the one with this prefix, and the rest of that line.
    pub fn wait_for(&self, word: &str) -> (Vec<String>, String) {
        let mut before = Vec::new();
        loop {
            let line =
                self.next_line().unwrap_or_else(|| panic!("it ended before {word}: {before:?}"));
            match line.strip_prefix(word) {
                Some(rest) => return (before, rest.trim().to_owned()),
                None => before.push(line),
            }
        }
    }

    /// Sends a line, and returns the rest of the reply with this prefix.
    pub fn ask(&mut self, line: &str, word: &str) -> String {
        self.send(line);
        self.wait_for(word).1
    }

    /// Closes its input. Returns the remaining lines and the exit status.
    pub fn finish(mut self) -> (Vec<String>, Option<i32>) {
        self.input = None;
        let last = std::iter::from_fn(|| self.next_line()).collect();
        (last, self.child.as_mut().and_then(|child| child.wait().unwrap().code()))
    }
}

/// Each write arrives as one piece.
struct Feed(Sender<Vec<u8>>);

struct Pieces {
    pieces: Receiver<Vec<u8>>,
    piece: Vec<u8>,
}

impl Write for Feed {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let sent = self.0.send(bytes.to_vec());
        sent.map(|()| bytes.len()).map_err(|_| io::ErrorKind::BrokenPipe.into())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Read for Pieces {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        while self.piece.is_empty() {
            let Ok(piece) = self.pieces.recv() else { return Ok(0) };
            self.piece = piece;
        }
        let count = bytes.len().min(self.piece.len());
        bytes[..count].copy_from_slice(&self.piece[..count]);
        self.piece.drain(..count);
        Ok(count)
    }
}

impl Drop for UgiClient {
    fn drop(&mut self) {
        if let Some(child) = &mut self.child {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

fn lines(output: impl Read + Send + 'static) -> Receiver<String> {
    let (said, lines) = channel();
    thread::spawn(move || {
        for line in BufReader::new(output).lines() {
            if said.send(line.unwrap()).is_err() {
                break;
            }
        }
    });
    lines
}
