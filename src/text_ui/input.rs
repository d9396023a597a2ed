//! Reads typed lines.
#![allow(clippy::disallowed_methods, clippy::disallowed_types, reason = "reads stdin")]

use crate::action::Action;
use crate::app::runtime::typed_text;
use quadrille_system::handle::{is_not_ready, read, stdin};
use quadrille_system::output::Output;
use quadrille_system::wakers::{PollSources, Wakers};
use std::collections::VecDeque;
use std::io;
use std::time::Instant;

/// The maximum length of a line, in bytes.
const MAX_LINE_LENGTH: usize = 1000;

pub enum RefusedLine {
    /// A line longer than [`MAX_LINE_LENGTH`].
    TooLong,
    /// The input ended within the line, which may be incomplete.
    Cut(String),
}

/// The lines typed so far.
#[derive(Default)]
pub struct LineReader {
    /// Whether the lines come from a terminal.
    is_terminal: bool,
    pub(super) lines: VecDeque<Result<String, RefusedLine>>,
    rest: Vec<u8>,
    /// Whether the current line is already too long, in which case it is discarded.
    is_too_long: bool,
    pub has_ended: bool,
}

impl LineReader {
    /// `is_terminal` says whether the lines come from a terminal.
    pub fn new(is_terminal: bool) -> LineReader {
        LineReader { is_terminal, ..LineReader::default() }
    }

    pub(super) fn line(&mut self) -> Option<Result<String, RefusedLine>> {
        self.lines.pop_front()
    }

    /// Waits for input, a signal or the deadline, and reads the available input.
    pub(super) fn listen(
        &mut self,
        wakers: &Wakers,
        output: &Output,
        line: PollSources<'_>,
        deadline: Option<Instant>,
    ) -> io::Result<()> {
        if wakers.wait(true, Some(output), line, deadline)?.has_input {
            self.read()
        } else {
            Ok(())
        }
    }

    /// Reads the available input.
    pub fn read(&mut self) -> io::Result<()> {
        let mut bytes = [0; 4096];
        match read(stdin(), &mut bytes) {
            Ok(0) => {
                self.has_ended = true;
                self.cut_line();
            }
            Ok(length) => self.take_in(&bytes[..length]),
            Err(error) if is_not_ready(&error) => {}
            Err(error) => return Err(error),
        }
        Ok(())
    }

    /// Returns whether a line leaves, as `quit` does.
    pub fn has_quit(&self) -> bool {
        self.quit_at().is_some()
    }

    pub(super) fn quit_at(&self) -> Option<usize> {
        self.lines.iter().position(|line| line.as_ref().is_ok_and(|line| is_quit(line)))
    }

    fn take_in(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            match byte {
                b'\n' => self.end_line(),
                _ if self.rest.len() < MAX_LINE_LENGTH => self.rest.push(byte),
                _ => self.is_too_long = true,
            }
        }
    }

    fn end_line(&mut self) {
        let rest = std::mem::take(&mut self.rest);
        let line = if std::mem::take(&mut self.is_too_long) {
            Err(RefusedLine::TooLong)
        } else {
            Ok(self.text(&rest))
        };
        self.lines.push_back(line);
    }

    /// Handles the end of the input: text after the last line ending is an incomplete line.
    fn cut_line(&mut self) {
        let rest = std::mem::take(&mut self.rest);
        let rest = self.text(&rest);
        if !rest.trim().is_empty() {
            self.lines.push_back(Err(RefusedLine::Cut(rest.trim().to_owned())));
        }
    }

    /// Returns a line's text. An answer of the terminal to an earlier program's query is not part of the text, and
    /// neither are arrow keys.
    fn text(&self, line: &[u8]) -> String {
        const ESC: u8 = 0x1b;
        if self.is_terminal && line.contains(&ESC) {
            typed_text(line)
        } else {
            String::from_utf8_lossy(line).into_owned()
        }
    }
}

pub(super) fn is_quit(line: &str) -> bool {
    let word = line.trim().to_lowercase();
    let mut words = Action::Leave.words().split_whitespace();
    // `back` may only close a menu.
    words.any(|own| own == word && own != "back") || !word.is_empty() && "quit".starts_with(&word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reader_joins_pieces_and_refuses_long_lines() {
        let mut input = LineReader::default();
        input.take_in(b"H0");
        assert!(input.line().is_none());
        input.take_in(b",0\nundo\r\n");
        input.take_in(&[b'x'; 5000]);
        assert_eq!(input.rest.len(), MAX_LINE_LENGTH);
        input.take_in(b"\nquit\n");
        let lines: Vec<String> =
            input.lines.drain(..).map(|line| line.unwrap_or_else(|_| "too long".into())).collect();
        assert_eq!(lines, ["H0,0", "undo\r", "too long", "quit"]);
        input.take_in(b"1-1");
        input.cut_line();
        assert!(matches!(input.line(), Some(Err(RefusedLine::Cut(text))) if text == "1-1"));
        input.cut_line();
        assert!(input.line().is_none());
    }

    #[test]
    fn answers_and_arrow_keys_are_not_part_of_a_line() {
        let mut input = LineReader::new(true);
        input.take_in(b"\x1bP>|XTerm(390)\x1b\\H0,0\nre\x1b[D\x1b]11;rgb:0/0/0\x07do Zo\xc3\xab\n");
        input.take_in(b"a\tb\n\x1b[200~undo\x1b[201~\n\x1b_G");
        let lines: Vec<String> = input.lines.drain(..).filter_map(Result::ok).collect();
        assert_eq!(lines, ["H0,0", "redo Zoë", "a\tb", "undo"]);
        input.cut_line();
        assert!(input.line().is_none());
    }
}
