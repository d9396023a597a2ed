//! What a game is set up with: words `key=value`, and the keys that describe themselves, so that
//! the setup screen, the command line and the error messages all come from one list.

use super::text::{self, cut, cut_to};
use crate::printable::printable;
use std::collections::HashSet;
use std::error::Error;
use std::fmt;
use std::str::FromStr;

/// The words a game is set up with, each `key=value`, in the order given. Nothing in it is checked
/// but that no key comes twice; a game does the rest.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Setup(Vec<(String, String)>);

impl Setup {
    /// No words at all: every key at its default.
    pub const fn new() -> Setup {
        Setup(Vec::new())
    }

    /// Reads words that are separate already, as a command line has them.
    pub fn from_words<S: AsRef<str>>(
        words: impl IntoIterator<Item = S>,
    ) -> Result<Setup, SetupError> {
        let mut setup = Setup::new();
        let mut known = HashSet::new();
        for word in words {
            let word = word.as_ref();
            let (key, value) = word
                .split_once('=')
                .filter(|(key, _)| !key.is_empty())
                .ok_or_else(|| SetupError::new(word, "is not of the form key=value"))?;
            if !known.insert(key.to_owned()) {
                return Err(SetupError::new(word, format!("{} is given twice", cut(key))));
            }
            setup.0.push((key.to_owned(), value.to_owned()));
        }
        Ok(setup)
    }

    /// The value of a key, as it was given.
    pub fn get(&self, key: &str) -> Option<&str> {
        self.0.iter().find(|(k, _)| k == key).map(|(_, value)| &**value)
    }

    /// Gives a key a value, in place of the one it had.
    pub fn set(&mut self, key: &str, value: impl fmt::Display) {
        let value = value.to_string();
        match self.0.iter_mut().find(|(k, _)| k == key) {
            Some((_, old)) => *old = value,
            None => self.0.push((key.to_owned(), value)),
        }
    }

    /// The same words with one more, for building a setup in one expression.
    #[must_use]
    pub fn with(mut self, key: &str, value: impl fmt::Display) -> Setup {
        self.set(key, value);
        self
    }

    /// Takes a key away.
    pub fn remove(&mut self, key: &str) {
        self.0.retain(|(k, _)| k != key);
    }

    /// Whether there are no words.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Refuses words whose key is none of `keys` or of their shorthands.
    pub(super) fn only(&self, keys: &[Key]) -> Result<(), SetupError> {
        let mut known: Vec<&str> = Vec::new();
        for key in keys {
            for name in [Some(key.name()), key.shorthand()].into_iter().flatten() {
                if !known.contains(&name) {
                    known.push(name);
                }
            }
        }
        match self.0.iter().find(|(key, _)| !known.contains(&&**key)) {
            None => Ok(()),
            Some((key, value)) => Err(SetupError::new(
                format!("{key}={value}"),
                format!("there is no such key here, only {}", known.join(", ")),
            )),
        }
    }
}

impl fmt::Display for Setup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, (key, value)) in self.0.iter().enumerate() {
            let space = if index == 0 { "" } else { " " };
            write!(f, "{space}{key}={value}")?;
        }
        Ok(())
    }
}

impl FromStr for Setup {
    type Err = SetupError;

    fn from_str(text: &str) -> Result<Setup, SetupError> {
        Setup::from_words(text.split_whitespace())
    }
}

/// A setup no game can start with: the word that is wrong, and why, in one clause.
///
/// `{}` writes it with the name that the source of the rules has for the error, and `{:#}` in plain
/// English.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetupError {
    word: String,
    /// What the source of the rules calls it.
    source: Option<&'static str>,
    reason: String,
}

impl SetupError {
    pub(super) fn new(word: impl Into<String>, reason: impl Into<String>) -> SetupError {
        // What was given is told back, so it must be short, and not move the cursor of whoever reads it.
        let shown = |text: &str| printable(text).into_owned();
        let (word, reason) = (shown(&cut_to(&word.into(), 60)), shown(&reason.into()));
        SetupError { word, source: None, reason }
    }

    /// The key of the word that is wrong.
    pub fn key(&self) -> &str {
        self.word.split('=').next().unwrap_or_default()
    }

    /// Why the word is wrong, without the word.
    pub fn reason(&self) -> &str {
        &self.reason
    }

    /// The same error with more words before the reason.
    pub(super) fn named(self, name: &str) -> SetupError {
        SetupError { reason: format!("{name}: {}", self.reason), ..self }
    }

    /// The same error under the name that the source of the rules has for it.
    pub(super) fn in_the_source(self, name: &'static str) -> SetupError {
        SetupError { source: Some(name), ..self }
    }
}

impl fmt::Display for SetupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.source.filter(|_| !f.alternate()) {
            Some(source) => write!(f, "{}: {source}: {}", self.word, self.reason),
            None => write!(f, "{}: {}", self.word, self.reason),
        }
    }
}

impl Error for SetupError {}

/// A key of a setup.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Key {
    /// Its values are whole numbers.
    Number(Number),
    /// Its values are a few words.
    Word(Word),
    /// Its values are a few words, some with a count: `circle:8`.
    Counted(Counted),
    /// Its value is free text in a form of its own.
    Text(Text),
}

impl Key {
    /// What stands before the `=`.
    pub const fn name(&self) -> &'static str {
        match self {
            Key::Number(key) => key.name,
            Key::Word(key) => key.name,
            Key::Counted(key) => key.name,
            Key::Text(key) => key.name,
        }
    }

    /// One line of help.
    pub const fn help(&self) -> &'static str {
        match self {
            Key::Number(key) => key.help,
            Key::Word(key) => key.help,
            Key::Counted(key) => key.help,
            Key::Text(key) => key.help,
        }
    }

    /// Another key that sets this one too, such as `size` for both `rows` and `cols`.
    pub const fn shorthand(&self) -> Option<&'static str> {
        match self {
            Key::Number(key) => key.shorthand,
            _ => None,
        }
    }

    /// The values it takes, for people: `2 to 64`.
    pub fn values(&self) -> String {
        match self {
            Key::Number(key) => key.range(),
            Key::Word(key) => key.words.join(" or "),
            Key::Counted(key) => key.forms(),
            Key::Text(key) => key.form.to_owned(),
        }
    }

    /// The value it has when it is not given.
    pub fn default(&self) -> String {
        match self {
            Key::Number(key) => key.default.to_string(),
            Key::Word(key) => key.words.first().copied().unwrap_or_default().to_owned(),
            Key::Counted(key) => key.default(),
            Key::Text(_) => String::new(),
        }
    }
}

/// A key whose values are whole numbers: `min`, then every `step` up to `max`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the fields are what the type's own line says")]
pub struct Number {
    pub name: &'static str,
    pub help: &'static str,
    /// A key that sets this one and others at once.
    pub shorthand: Option<&'static str>,
    pub min: u32,
    pub max: u32,
    pub step: u32,
    pub default: u32,
}

impl Number {
    /// The number the setup gives this key.
    pub fn read(&self, setup: &Setup) -> Result<u32, SetupError> {
        let own = setup.get(self.name).map(|value| (self.name, value));
        let short = self.shorthand.and_then(|key| Some((key, setup.get(key)?)));
        let (key, value) = match (own, short) {
            (None, None) => return Ok(self.default),
            (Some(given), None) | (None, Some(given)) => given,
            (Some((key, value)), Some((short, _))) => {
                let reason = format!("{short} sets {key} too; give one of them");
                return Err(SetupError::new(format!("{key}={value}"), reason));
            }
        };
        text::number(value).filter(|&n| self.takes(n)).ok_or_else(|| {
            SetupError::new(format!("{key}={value}"), format!("must be {}", self.range()))
        })
    }

    /// What the setup gives this key if that is a number it takes, or else the default.
    pub(super) fn read_or_default(&self, setup: &Setup) -> u32 {
        self.read(setup).unwrap_or(self.default)
    }

    const fn takes(&self, n: u32) -> bool {
        self.min <= n && n <= self.max && (n - self.min).is_multiple_of(self.step)
    }

    fn range(&self) -> String {
        match (self.min, self.max, self.step) {
            (min, max, _) if min > max => "a number, but the other keys leave none".to_owned(),
            (min, max, 1) => format!("a whole number from {min} to {max}"),
            (min, max, step) => format!("{min} to {max} in steps of {step}"),
        }
    }
}

impl From<Number> for Key {
    fn from(key: Number) -> Key {
        Key::Number(key)
    }
}

/// A key whose values are a few words, of which the first is the default.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the fields are what the type's own line says")]
pub struct Word {
    pub name: &'static str,
    pub help: &'static str,
    pub words: &'static [&'static str],
}

impl Word {
    /// The index in `words` of what the setup gives this key.
    pub fn read(&self, setup: &Setup) -> Result<usize, SetupError> {
        let Some(value) = setup.get(self.name) else { return Ok(0) };
        self.words.iter().position(|&word| word == value).ok_or_else(|| {
            let reason = format!("must be {}", self.words.join(" or "));
            SetupError::new(format!("{}={value}", self.name), reason)
        })
    }
}

impl From<Word> for Key {
    fn from(key: Word) -> Key {
        Key::Word(key)
    }
}

/// A key whose values are a few words, some followed by a count: `circle:8`. The first word is the
/// default, with the default count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the fields are what the type's own line says")]
pub struct Counted {
    pub name: &'static str,
    pub help: &'static str,
    /// The words, and whether a count follows.
    pub words: &'static [(&'static str, bool)],
    pub min: u32,
    pub max: u32,
    pub default: u32,
}

impl Counted {
    /// The word the setup gives this key, and its count (0 where the word takes none).
    pub fn read(&self, setup: &Setup) -> Result<(&'static str, u32), SetupError> {
        let default = self.default();
        let value = setup.get(self.name).unwrap_or(&default);
        self.parse(value).ok_or_else(|| {
            SetupError::new(format!("{}={value}", self.name), format!("must be {}", self.forms()))
        })
    }

    fn parse(&self, value: &str) -> Option<(&'static str, u32)> {
        match self.split(value)? {
            (word, true, Some(count)) => {
                let count = text::number(count)?;
                (self.min..=self.max).contains(&count).then_some((word, count))
            }
            (word, false, None) => Some((word, 0)),
            _ => None,
        }
    }

    /// The word the setup gives this key, and the count as it is written there, which may be none that the
    /// key takes; `None` where the word takes none. Where it is no word of the key, those of the default.
    pub fn written(&self, setup: &Setup) -> (&'static str, Option<String>) {
        let given = setup.get(self.name).and_then(|value| self.split(value));
        let default = self.default();
        let Some((word, is_counted, count)) = given.or_else(|| self.split(&default)) else {
            return ("", None);
        };
        (word, is_counted.then(|| count.unwrap_or_default().to_owned()))
    }

    /// The word of a value, whether it takes a count, and what stands where that would.
    fn split<'v>(&self, value: &'v str) -> Option<(&'static str, bool, Option<&'v str>)> {
        let (word, count) = match value.split_once(':') {
            None => (value, None),
            Some((word, count)) => (word, Some(count)),
        };
        let &(word, is_counted) = self.words.iter().find(|(w, _)| *w == word)?;
        Some((word, is_counted, count))
    }

    fn default(&self) -> String {
        match self.words.first() {
            Some((word, true)) => format!("{word}:{}", self.default),
            Some((word, false)) => (*word).to_owned(),
            None => String::new(),
        }
    }

    fn forms(&self) -> String {
        let forms: Vec<String> = self
            .words
            .iter()
            .map(|(word, counted)| format!("{word}{}", if *counted { ":N" } else { "" }))
            .collect();
        let forms = match forms.split_last() {
            Some((last, others)) if !others.is_empty() => {
                format!("{} or {last}", others.join(", "))
            }
            _ => forms.concat(),
        };
        format!("{forms}, N from {} to {}", self.min, self.max)
    }
}

impl From<Counted> for Key {
    fn from(key: Counted) -> Key {
        Key::Counted(key)
    }
}

/// A key whose value is text in a form of its own, empty by default.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the fields are what the type's own line says")]
pub struct Text {
    pub name: &'static str,
    pub help: &'static str,
    /// What the text looks like.
    pub form: &'static str,
}

impl Text {
    /// The text the setup gives this key, if it gives any.
    pub fn read<'s>(&self, setup: &'s Setup) -> Option<&'s str> {
        setup.get(self.name)
    }

    pub(super) fn error(&self, value: &str, reason: impl Into<String>) -> SetupError {
        SetupError::new(format!("{}={value}", self.name), reason)
    }
}

impl From<Text> for Key {
    fn from(key: Text) -> Key {
        Key::Text(key)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROWS: Number = Number {
        name: "rows",
        help: "rows of dots",
        shorthand: Some("size"),
        min: 2,
        max: 64,
        step: 2,
        default: 6,
    };

    fn error(result: Result<impl fmt::Debug, SetupError>) -> String {
        result.unwrap_err().to_string()
    }

    #[test]
    fn words_are_split_and_written_back() {
        let setup: Setup = "rows=3  points=0,1;1,0 x=".parse().unwrap();
        assert_eq!(setup.get("points"), Some("0,1;1,0"));
        assert_eq!(setup.get("x"), Some(""));
        assert_eq!(setup.to_string(), "rows=3 points=0,1;1,0 x=");
        assert_eq!(error(Setup::from_words(["rows"])), "rows: is not of the form key=value");
        assert_eq!(error(Setup::from_words(["=3"])), "=3: is not of the form key=value");
        assert_eq!(error(Setup::from_words(["a=1", "a=2"])), "a=2: a is given twice");
    }

    #[test]
    fn a_number_is_read_within_its_range() {
        let read = |text: &str| ROWS.read(&text.parse().unwrap());
        assert_eq!(read(""), Ok(6));
        assert_eq!(read("rows=8"), Ok(8));
        assert_eq!(read("size=10"), Ok(10));
        assert_eq!(error(read("rows=3")), "rows=3: must be 2 to 64 in steps of 2");
        assert_eq!(error(read("size=66")), "size=66: must be 2 to 64 in steps of 2");
        assert_eq!(error(read("rows=-2")), "rows=-2: must be 2 to 64 in steps of 2");
        assert_eq!(error(read("rows=4 size=4")), "rows=4: size sets rows too; give one of them");
        let none = Number { max: 1, ..ROWS };
        assert_eq!(
            error(none.read(&Setup::new().with("rows", 2))),
            "rows=2: must be a number, but the other keys leave none"
        );
    }

    #[test]
    fn an_unknown_key_is_refused_with_the_known_ones() {
        let setup: Setup = "size=4 colour=red".parse().unwrap();
        assert_eq!(
            error(setup.only(&[ROWS.into()])),
            "colour=red: there is no such key here, only rows, size"
        );
    }

    #[test]
    fn a_long_word_is_cut_in_the_message() {
        let long = format!("rows={}", "9".repeat(100));
        let message = error(ROWS.read(&long.parse().unwrap()));
        assert!(message.starts_with("rows=999") && message.contains("...: must be"), "{message}");
        assert!(message.len() < 110);
        let twice = format!("{0}=1 {0}=2", "x".repeat(1000));
        assert!(error(twice.parse::<Setup>()).len() < 130);
    }

    #[test]
    fn a_message_is_one_line_whatever_was_given() {
        let read = |words: &[&str]| ROWS.read(&Setup::from_words(words)?);
        assert_eq!(
            error(read(&["rows=\x1b[2J\n4"])),
            "rows=\\u{1b}[2J\\n4: must be 2 to 64 in steps of 2"
        );
        assert_eq!(error(read(&["a\n=1", "a\n=2"])), "a\\n=2: a\\n is given twice");
    }

    #[test]
    fn a_counted_word_needs_its_count_and_no_other() {
        let layout = Counted {
            name: "layout",
            help: "",
            words: &[("random", true), ("eight", false)],
            min: 3,
            max: 200,
            default: 10,
        };
        let read = |value: &str| layout.read(&Setup::new().with("layout", value));
        assert_eq!(layout.read(&Setup::new()), Ok(("random", 10)));
        assert_eq!(read("random:200"), Ok(("random", 200)));
        assert_eq!(read("eight"), Ok(("eight", 0)));
        let written = |value: &str| layout.written(&Setup::new().with("layout", value));
        assert_eq!(layout.written(&Setup::new()), ("random", Some("10".to_owned())));
        assert_eq!(written("random:2"), ("random", Some("2".to_owned())));
        assert_eq!(written("random"), ("random", Some(String::new())));
        assert_eq!(written("eight:8"), ("eight", None));
        assert_eq!(written("nine:8"), ("random", Some("10".to_owned())));
        for bad in ["random", "random:2", "random:201", "random:", "eight:8", "nine", ""] {
            assert_eq!(
                error(read(bad)),
                format!("layout={bad}: must be random:N or eight, N from 3 to 200")
            );
        }
    }
}
