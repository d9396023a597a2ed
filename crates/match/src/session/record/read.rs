//! Parses a record.

use super::body::{Body, BodyItem};
use super::{GAME, Record, SETUP};
use quadrille_search::memory;
use quadrille_text::wording::cut;
use std::collections::HashSet;
use std::str::FromStr;

/// Why a text is not a record. Line numbers are counted from 1.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs, reason = "the fields are the line and the tag's name")]
pub enum RecordError {
    /// The text has no tags.
    #[error("not a Quadrille record")]
    NotARecord,
    /// A line is not UTF-8.
    #[error("line {line}: not UTF-8 text")]
    NotUtf8 { line: usize },
    /// A `[` does not begin a tag of the form `[Name "value"]`.
    #[error("line {line}: a tag must look like [Name \"value\"]")]
    NoTag { line: usize },
    /// A tag occurs twice.
    #[error("line {line}: duplicate tag {}", cut(.name))]
    TagTwice { line: usize, name: String },
    /// A tag follows a move.
    #[error("line {line}: tag after the moves; a record holds one game")]
    LateTag { line: usize },
    /// A comment that begins in this line has no `}`.
    #[error("line {line}: unclosed comment")]
    OpenComment { line: usize },
    /// A variation that begins in this line has no `)`.
    #[error("line {line}: unclosed variation")]
    OpenVariation { line: usize },
    /// A variation that begins in this line has no move, or contains another variation before its first move.
    #[error("line {line}: a variation must begin with a move")]
    NoFirstMove { line: usize },
    /// A `)`, `}` or `]` has no opening bracket.
    #[error("line {line}: unmatched {bracket}")]
    StrayBracket { line: usize, bracket: char },
    /// A tag required for replay is missing.
    #[error("missing tag [{name} \"...\"]")]
    Missing { name: &'static str },
    /// The system refused to allocate memory for a match with this many bytes of text.
    #[error(
        "{} MiB of moves need {} MiB of memory, more than is \
         available", .bytes >> 20, .bytes.saturating_mul(MEMORY) >> 20
    )]
    NoMemory { bytes: usize },
}

/// Estimated bytes of memory per byte of text. A match of Quixo without variations was measured at 37.
const MEMORY: usize = 48;

impl Record {
    /// Parses the bytes of a file; see also the [`FromStr`] implementation. Checks first that the memory for the whole
    /// match can be allocated, since the standard library aborts a program that runs out of memory.
    pub fn from_bytes(bytes: &[u8]) -> Result<Record, RecordError> {
        let bytes_needed = bytes.len().saturating_mul(MEMORY);
        memory::check_available(bytes_needed)
            .map_err(|_| RecordError::NoMemory { bytes: bytes.len() })?;
        let text = std::str::from_utf8(bytes).map_err(|error| {
            let before = &bytes[..error.valid_up_to()];
            RecordError::NotUtf8 { line: 1 + line_ends(before, bytes.get(before.len())) }
        })?;
        text.parse()
    }
}

impl FromStr for Record {
    type Err = RecordError;

    /// Accepts the line ends of any system and a leading byte order mark.
    fn from_str(text: &str) -> Result<Record, RecordError> {
        let mut record = Record { tags: Vec::new(), body: Body::default() };
        let mut reader =
            RecordReader { rest: text.strip_prefix('\u{feff}').unwrap_or(text), line: 1 };
        // The line numbers at which the open variations begin.
        let mut open = Vec::new();
        // Whether the next item must be a move, not a bracket, as at the beginning of a variation.
        let mut fresh = false;
        let mut moves_begun = false;
        let mut names = HashSet::new();
        while let Some(first) = reader.peek() {
            let line = reader.line;
            match (first, open.last()) {
                ('[', _) if moves_begun => return Err(RecordError::LateTag { line }),
                ('[', _) => {
                    let (name, value) = reader.tag().ok_or(RecordError::NoTag { line })?;
                    if !names.insert(name.clone()) {
                        return Err(RecordError::TagTwice { line, name });
                    }
                    record.tags.push((name, value));
                    continue;
                }
                ('{' | ';', _) => {
                    let text = reader.comment().ok_or(RecordError::OpenComment { line })?;
                    record.body.push(BodyItem::Comment(&text));
                    continue;
                }
                _ if record.tags.is_empty() => return Err(RecordError::NotARecord),
                ('(' | ')', Some(&line)) if fresh => return Err(RecordError::NoFirstMove { line }),
                ('(', _) => {
                    reader.take(1);
                    open.push(line);
                    record.body.push(BodyItem::Open);
                }
                (')', Some(_)) => {
                    reader.take(1);
                    open.pop();
                    record.body.push(BodyItem::Close);
                }
                (')' | '}' | ']', _) => {
                    return Err(RecordError::StrayBracket { line, bracket: first });
                }
                _ => record.body.push(BodyItem::Move(reader.word())),
            }
            moves_begun = true;
            fresh = first == '(';
        }
        if let Some(&line) = open.last() {
            return Err(RecordError::OpenVariation { line });
        }
        if record.tags.is_empty() {
            return Err(RecordError::NotARecord);
        }
        match [GAME, SETUP].into_iter().find(|name| record.tag(name).is_none()) {
            Some(name) => Err(RecordError::Missing { name }),
            None => Ok(record),
        }
    }
}

/// Counts the line ends (LF, CR LF or CR) in bytes that are followed by `next`.
fn line_ends(bytes: &[u8], next: Option<&u8>) -> usize {
    let after = bytes.iter().skip(1).map(Some).chain([next]);
    let ends = bytes.iter().zip(after).filter(|(byte, after)| match byte {
        b'\n' => true,
        b'\r' => *after != Some(&b'\n'),
        _ => false,
    });
    ends.count()
}

/// The unread rest of a text, and its line number.
struct RecordReader<'t> {
    rest: &'t str,
    line: usize,
}

impl<'t> RecordReader<'t> {
    fn take(&mut self, bytes: usize) -> &'t str {
        let (taken, rest) = self.rest.split_at(bytes);
        self.line += line_ends(taken.as_bytes(), rest.as_bytes().first());
        self.rest = rest;
        taken
    }

    /// Returns the first character after any white space without consuming it.
    fn peek(&mut self) -> Option<char> {
        self.take(self.rest.len() - self.rest.trim_start().len());
        self.rest.chars().next()
    }

    /// Skips white space and then this character; `None` if a different character follows.
    fn pass(&mut self, expected: char) -> Option<()> {
        if self.peek() != Some(expected) {
            return None;
        }
        self.take(expected.len_utf8());
        Some(())
    }

    /// Returns the text up to white space or a character with a special meaning in records.
    fn word(&mut self) -> &'t str {
        let ends = |c: char| c.is_whitespace() || "[](){};\"".contains(c);
        // A misplaced quotation mark forms its own word, which no game accepts as a move.
        let first = self.rest.chars().next().map_or(0, char::len_utf8);
        let end = self.rest.find(ends).unwrap_or(self.rest.len());
        self.take(end.max(first))
    }

    /// Parses `[Name "value"]`. The value is on one line; `\` escapes `"` and `\`.
    fn tag(&mut self) -> Option<(String, String)> {
        self.pass('[')?;
        self.peek().filter(|c| c.is_alphanumeric())?;
        let name = self.word().to_owned();
        self.pass('"')?;
        let mut value = String::new();
        loop {
            let c = self.rest.chars().next().filter(|&c| c != '\n')?;
            self.take(c.len_utf8());
            match c {
                '"' => break,
                '\\' if self.rest.starts_with(['"', '\\']) => value.push_str(self.take(1)),
                // Older versions wrote a carriage return in values.
                '\r' => value.push(' '),
                _ => value.push(c),
            }
        }
        self.pass(']')?;
        Some((name, value))
    }

    /// Parses `{…}`, which may have several lines, or `;` and the rest of the line.
    fn comment(&mut self) -> Option<String> {
        let text = if self.rest.starts_with('{') {
            let end = self.rest.find('}')?;
            self.take(end + 1)
        } else {
            let end = self.rest.find(['\n', '\r']).unwrap_or(self.rest.len());
            self.take(end)
        };
        Some(text.replace("\r\n", "\n").replace('\r', "\n").trim_end().to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const HEAD: &str = "[Game \"g\"]\n[Setup \"s=1\"]\n";

    fn read(text: &str) -> Record {
        text.parse().unwrap()
    }

    #[test]
    fn reader_ignores_white_space_and_line_endings() {
        let plain = read(&format!("{HEAD}\na b {{two\nlines}} c\n; rest [of] {{the}} line\nd"));
        assert_eq!(plain.moves(), ["a", "b", "c", "d"]);
        let items: Vec<_> = plain.body.items().collect();
        assert_eq!(items[2], BodyItem::Comment("{two\nlines}"));
        assert_eq!(items[4], BodyItem::Comment("; rest [of] {the} line"));
        assert_eq!(items.len(), 6);
        let windows = plain.to_string().replace('\n', "\r\n");
        assert_eq!(read(&format!("\u{feff}{windows}")), plain);
        assert_eq!(read(&plain.to_string().replace('\n', "\r")), plain);
        assert_eq!(read("[ Game\t\"g\" ][Setup\n\"s=1\"]a b{two\nlines}c;rest").moves().len(), 3);
    }

    #[test]
    fn tag_values_are_escaped() {
        let record = read("[Game \"g\"] [Setup \"\"] [Note \"a \\\"b\\\" \\\\ \\n [;{\"]");
        assert_eq!(record.tag("Note"), Some("a \"b\" \\ \\n [;{"));
        assert!(record.to_string().contains("[Note \"a \\\"b\\\" \\\\ \\\\n [;{\"]"));
        assert_eq!(read(&record.to_string()), record);
    }

    #[test]
    fn every_error_names_its_line() {
        let cases = [
            ("[Game]", "line 3: a tag must look like [Name \"value\"]"),
            ("\n[\"g\"]", "line 4: a tag must look like [Name \"value\"]"),
            ("[Date \"1\\\"]", "line 3: a tag must look like [Name \"value\"]"),
            ("[Date \"1\"", "line 3: a tag must look like [Name \"value\"]"),
            ("[", "line 3: a tag must look like [Name \"value\"]"),
            ("{\n}\n[Game \"h\"]", "line 5: duplicate tag Game"),
            ("a\n[A \"\"]", "line 4: tag after the moves; a record holds one game"),
            ("a\nb {\n\n", "line 4: unclosed comment"),
            ("a } b", "line 3: unmatched }"),
            ("a] b", "line 3: unmatched ]"),
            ("a\n) b", "line 4: unmatched )"),
            ("a (b)\n) c", "line 4: unmatched )"),
            ("a\n(b", "line 4: unclosed variation"),
            ("a\n(b\n(c) d", "line 4: unclosed variation"),
            ("a (b\n(c d", "line 4: unclosed variation"),
            ("a (\n)", "line 3: a variation must begin with a move"),
            ("a\n( {b}\n)", "line 4: a variation must begin with a move"),
            ("a\n( (b) c)", "line 4: a variation must begin with a move"),
            ("(\n[A \"\"]", "line 4: tag after the moves; a record holds one game"),
        ];
        for (text, message) in cases {
            for end in ["\n", "\r\n", "\r"] {
                let error = format!("{HEAD}{text}").replace('\n', end).parse::<Record>();
                assert_eq!(error.unwrap_err().to_string(), message, "{text:?} {end:?}");
            }
        }
        let error = format!("{HEAD}[Date \"1\n\"]").parse::<Record>().unwrap_err();
        assert_eq!(error, RecordError::NoTag { line: 3 });
        let missing = |text: &str| text.parse::<Record>().unwrap_err().to_string();
        for text in ["", "; b", "{\"json\": 1}", "fn f() {}", ") a", "H0,0 [Game \"g\"]"] {
            assert_eq!(missing(text), "not a Quadrille record", "{text:?}");
        }
        assert_eq!(missing("[Event \"chess\"] e4"), "missing tag [Game \"...\"]");
        assert_eq!(missing("[Game \"g\"] a"), "missing tag [Setup \"...\"]");
        for bytes in [&b"[Game \"g\"]\n\n\xff"[..], b"[Game \"g\"]\r\n\r\xff", b"\r\r\xff\n"] {
            let error = Record::from_bytes(bytes).unwrap_err();
            assert_eq!(error.to_string(), "line 3: not UTF-8 text");
        }
    }

    proptest! {
        /// Any text is either parsed or refused. A parsed record formats to a text that parses to the same record.
        #[test]
        fn any_text_round_trips(text in "([\\[\\](){};\"\\\\\r\n\t a-cé\u{feff}]|.){0,60}") {
            if let Ok(record) = format!("{HEAD}{text}").parse::<Record>() {
                prop_assert_eq!(record.to_string().parse::<Record>(), Ok(record));
            }
        }

        #[test]
        fn any_record_pieces_round_trip(pieces in prop::collection::vec(
            prop::sample::select(&[
                "[Ab \"c\\\"\"]", "[D1 \"{\"]", "H0,0", "{a\r\nb}", ";x\n", "; {y}\r\n", "{;}", "\n\n",
                "{}", ";\n", "\"", "(", "(", ")", ")", "(a)", "[E \"\\\\\"]", "a-very-long-move-text-to-wrap-the-line-with",
            ][..]), 0..30)) {
            if let Ok(record) = format!("{HEAD}{}", pieces.join(" ")).parse::<Record>() {
                prop_assert_eq!(record.to_string().parse::<Record>(), Ok(record));
            }
        }

        /// No byte is lost: any bytes that can be parsed are UTF-8, and give the same record as the text. A refusal has
        /// a reason.
        #[test]
        fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..80), has_head in any::<bool>()) {
            let bytes = if has_head { [HEAD.as_bytes(), &bytes].concat() } else { bytes };
            match (Record::from_bytes(&bytes), std::str::from_utf8(&bytes)) {
                (Ok(record), text) => prop_assert_eq!(text.unwrap().parse::<Record>(), Ok(record)),
                (Err(error), Ok(text)) => prop_assert_eq!(text.parse::<Record>(), Err(error)),
                (Err(error), Err(_)) => prop_assert!(error.to_string().ends_with(": not UTF-8 text")),
            }
        }
    }
}
