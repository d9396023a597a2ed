//! Formats a record.

use super::Record;
use std::fmt;

/// The maximum line width. Only a longer word exceeds it.
const WIDTH: usize = 80;

impl fmt::Display for Record {
    /// Writes the tags, an empty line, and the wrapped body.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, value) in &self.tags {
            let value = value.replace('\\', "\\\\").replace('"', "\\\"");
            writeln!(f, "[{name} \"{value}\"]")?;
        }
        let mut wrapped = WrappedText::default();
        for item in self.body.items() {
            wrapped.word(item.text());
        }
        match wrapped.text.trim_end() {
            "" => Ok(()),
            text => write!(f, "\n{text}\n"),
        }
    }
}

/// Words wrapped into lines.
#[derive(Default)]
struct WrappedText {
    text: String,
    /// The width of the last line.
    column: usize,
}

impl WrappedText {
    /// Adds a word without breaking it, even if it is a comment of several lines. A comment that begins with `;` is the
    /// last word on its line.
    fn word(&mut self, word: &str) {
        let width = |line: Option<&str>| line.unwrap_or_default().chars().count();
        let first = width(word.split('\n').next());
        if self.column > 0 && self.column + 1 + first > WIDTH {
            self.end_line();
        } else if self.column > 0 {
            self.text.push(' ');
            self.column += 1;
        }
        self.text.push_str(word);
        self.column = match word.rsplit_once('\n') {
            Some((_, last)) => width(Some(last)),
            None => self.column + first,
        };
        if word.starts_with(';') {
            self.end_line();
        }
    }

    fn end_line(&mut self) {
        self.text.push('\n');
        self.column = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writer_wraps_moves_and_ends_lines_after_line_comments() {
        let moves = ["H10,10"; 30].join(" ");
        let text = format!("[Game \"g\"][Setup \"\"] {moves} ; a\n{{b}} {moves} ; c");
        let written = text.parse::<Record>().unwrap().to_string();
        let body: Vec<&str> = written.lines().skip(3).collect();
        assert_eq!(body.len(), 6, "{written}");
        assert_eq!(body[0], ["H10,10"; 11].join(" "));
        assert_eq!(body[2], format!("{} ; a", ["H10,10"; 8].join(" ")));
        assert_eq!(body[3], format!("{{b}} {}", ["H10,10"; 11].join(" ")));
        assert!(written.ends_with("H10,10 ; c\n"));
    }

    #[test]
    fn record_without_moves_has_only_tags() {
        let record: Record = "[Game \"g\"][Setup \"\"]".parse().unwrap();
        assert_eq!(record.to_string(), "[Game \"g\"]\n[Setup \"\"]\n");
    }
}
