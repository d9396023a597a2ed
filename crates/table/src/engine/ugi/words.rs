use super::BadLine;
use quadrille_text::printable::printable;
use quadrille_text::wording::cut;
use std::fmt;
use std::str::FromStr;

/// Reads the words of a line, which are separated by blanks. If the text has several lines, only the first is read.
pub(super) struct WordReader<'a> {
    rest: &'a str,
    /// Unknown words that were skipped.
    passed_over: Vec<&'a str>,
}

impl<'a> WordReader<'a> {
    pub(super) fn of(line: &'a str) -> WordReader<'a> {
        WordReader { rest: line.lines().next().unwrap_or_default().trim(), passed_over: Vec::new() }
    }

    pub(super) fn peek(&self) -> Option<&'a str> {
        self.rest.split_whitespace().next()
    }

    /// Takes the rest of the line verbatim.
    pub(super) fn rest(&mut self) -> &'a str {
        std::mem::take(&mut self.rest)
    }

    /// Takes the words before the first word in `ends`.
    pub(super) fn until(&mut self, ends: &[&str]) -> Vec<&'a str> {
        self.while_not(|word| ends.contains(&word))
    }

    /// Takes the words before the first word for which `is_end` returns `true`.
    pub(super) fn while_not(&mut self, is_end: impl Fn(&str) -> bool) -> Vec<&'a str> {
        let mut words = Vec::new();
        while let Some(word) = self.peek().filter(|word| !is_end(word)) {
            words.push(word);
            self.next();
        }
        words
    }

    /// Adds a word that was already taken to the skipped words.
    pub(super) fn pass_over(&mut self, word: &'a str) {
        self.passed_over.push(word);
    }

    /// Skips the words before the first word in `ends`.
    pub(super) fn pass_over_until(&mut self, ends: &[&str]) {
        let words = self.until(ends);
        self.passed_over.extend(words);
    }

    /// Returns all skipped words, including the rest of the line.
    pub(super) fn all_passed_over(mut self) -> Vec<String> {
        self.pass_over_until(&[]);
        self.passed_over.into_iter().map(str::to_owned).collect()
    }

    /// Parses the number that follows the word `of`. That word has just been taken.
    pub(super) fn number<T: FromStr>(&mut self, of: &str) -> Result<T, BadLine> {
        let Some(word) = self.next() else {
            return Err(BadLine::new(format_args!("{of}: a number is missing")));
        };
        let wrong =
            |_| BadLine::new(format_args!("{of}: {} is not a number it takes", shown(word)));
        word.parse().map_err(wrong)
    }
}

impl<'a> Iterator for WordReader<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        let word = self.peek()?;
        self.rest = self.rest.trim_start()[word.len()..].trim_start();
        Some(word)
    }
}

/// Quotes a word for a message.
pub(super) fn shown(word: &str) -> String {
    format!("{:?}", printable(&cut(word)))
}

/// Formats untrusted text as a single line: line ends become blanks.
pub(super) struct OneLine<'a>(pub &'a str);

impl fmt::Display for OneLine<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut lines = self.0.split(['\n', '\r']);
        f.write_str(lines.next().unwrap_or_default())?;
        lines.try_for_each(|line| write!(f, " {line}"))
    }
}

/// Writes each word with a blank before it.
pub(super) fn write_words(f: &mut fmt::Formatter<'_>, words: &[impl AsRef<str>]) -> fmt::Result {
    words.iter().try_for_each(|word| write!(f, " {}", OneLine(word.as_ref())))
}
