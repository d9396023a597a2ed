use super::wait::EVENT_TIMEOUT;
use std::io::{BufRead, BufReader};
use std::process::Child;
use std::sync::mpsc::{Receiver, channel};
use std::thread;

/// The output of a running program, line by line.
pub struct Lines {
    lines: Receiver<String>,
    said: Vec<String>,
}

impl Lines {
    pub fn of(child: &mut Child) -> Lines {
        let out = BufReader::new(child.stdout.take().unwrap());
        let (sender, lines) = channel();
        thread::spawn(move || {
            out.lines().map_while(Result::ok).try_for_each(|line| sender.send(line))
        });
        Lines { lines, said: Vec::new() }
    }

    /// Waits for the end of the output and returns all of its lines.
    pub fn all(mut self) -> String {
        while let Ok(line) = self.lines.recv_timeout(EVENT_TIMEOUT) {
            self.said.push(line);
        }
        self.said.join("\n")
    }

    /// Returns the remaining lines of a program that has ended.
    pub fn rest(&mut self) -> String {
        self.lines.iter().collect::<Vec<_>>().join("\n")
    }

    pub fn wait_for(&mut self, text: &str) -> String {
        loop {
            let Ok(line) = self.lines.recv_timeout(EVENT_TIMEOUT) else {
                panic!("no {text:?} in\n{}", self.said.join("\n"));
            };
            self.said.push(line.clone());
            if line.contains(text) {
                return line;
            }
        }
    }
}
