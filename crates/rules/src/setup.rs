//! Setups: options with values, written `key=value`.

use super::OptionSpec;
use std::collections::HashSet;
use std::error::Error;
use std::fmt;
use std::str::FromStr;

/// The setup options of a game with their values, in the order given.
///
/// Its text is one word `key=value` per option, separated by spaces. Parsing only rejects duplicate options; the game
/// checks names and values ([`Position::from_setup`](super::Position::from_setup)).
///
/// ```
/// use quadrille_rules::Setup;
///
/// let mut setup: Setup = "rows=3 cols=4".parse()?;
/// setup.set("cols", 5);
/// assert_eq!(setup.get("cols"), Some("5"));
/// assert_eq!(setup.to_string(), "rows=3 cols=5");
/// assert!("rows=3 rows=4".parse::<Setup>().is_err());
/// # Ok::<(), quadrille_rules::SetupError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Setup(Vec<(String, String)>);

impl Setup {
    /// Creates an empty setup: every option has its default.
    pub const fn new() -> Setup {
        Setup(Vec::new())
    }

    /// Parses words that are already split, as on a command line.
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
                .ok_or_else(|| SetupError::new(word, "must be written key=value"))?;
            if !known.insert(key.to_owned()) {
                return Err(SetupError::new(word, format!("{} is given twice", quote(key, 40))));
            }
            setup.0.push((key.to_owned(), value.to_owned()));
        }
        Ok(setup)
    }

    /// Returns the value of an option as given.
    pub fn get(&self, key: &str) -> Option<&str> {
        self.0.iter().find(|(k, _)| k == key).map(|(_, value)| &**value)
    }

    /// Sets an option, replacing its value.
    pub fn set(&mut self, key: &str, value: impl fmt::Display) {
        let value = value.to_string();
        match self.0.iter_mut().find(|(k, _)| k == key) {
            Some((_, old)) => *old = value,
            None => self.0.push((key.to_owned(), value)),
        }
    }

    /// Returns the setup with this option set.
    #[must_use]
    pub fn with(mut self, key: &str, value: impl fmt::Display) -> Setup {
        self.set(key, value);
        self
    }

    /// Removes an option, restoring its default.
    pub fn remove(&mut self, key: &str) {
        self.0.retain(|(k, _)| k != key);
    }

    /// Returns whether no option is given.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns a hint if only some of the options that share a shorthand are given. For `rows=3` alone:
    /// `only rows is given, so cols is 5; size=3 sets both`.
    pub fn shorthand_hint(&self, options: &[OptionSpec]) -> Option<String> {
        let pairs = |given: &OptionSpec| {
            let (short, value) = (given.shorthand()?, self.get(given.name())?);
            let is_left_out = |option: &&OptionSpec| {
                option.shorthand() == Some(short) && self.get(option.name()).is_none()
            };
            let other = options.iter().find(is_left_out)?;
            let (name, default) = (other.name(), other.default());
            (value != default).then(|| {
                let given = given.name();
                format!("only {given} is given, so {name} is {default}; {short}={value} sets both")
            })
        };
        options.iter().find_map(pairs)
    }

    /// Rejects names that are neither options nor their shorthands.
    pub(super) fn check_names(&self, options: &[OptionSpec]) -> Result<(), SetupError> {
        let mut known: Vec<&str> = Vec::new();
        for option in options {
            for name in [Some(option.name()), option.shorthand()].into_iter().flatten() {
                if !known.contains(&name) {
                    known.push(name);
                }
            }
        }
        match self.0.iter().find(|(key, _)| !known.contains(&&**key)) {
            None => Ok(()),
            Some((key, value)) => Err(SetupError::new(
                format!("{key}={value}"),
                format!("unknown option; the options are {}", known.join(", ")),
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

/// The reason why a setup is invalid: the wrong word, and the reason as one clause.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetupError {
    word: String,
    reason: String,
    source_term: Option<&'static str>,
}

impl SetupError {
    pub(super) fn new(word: impl Into<String>, reason: impl Into<String>) -> SetupError {
        SetupError { word: quote(&word.into(), 60), reason: reason.into(), source_term: None }
    }

    /// The name of the invalid option.
    pub fn option(&self) -> &str {
        self.word.split('=').next().unwrap_or_default()
    }

    /// Returns the reason without the word.
    pub fn reason(&self) -> &str {
        &self.reason
    }

    /// Returns the term for this error in the source of the rules, if it has one.
    pub const fn source_term(&self) -> Option<&'static str> {
        self.source_term
    }

    pub(super) fn in_the_source(self, term: &'static str) -> SetupError {
        SetupError { source_term: Some(term), ..self }
    }
}

/// Quotes user input for a message: at most `most` characters, with control characters escaped.
pub(super) fn quote(text: &str, most: usize) -> String {
    let is_long = text.chars().nth(most).is_some();
    let shown = text.chars().take(if is_long { most - 3 } else { most });
    let mut quoted = String::new();
    for letter in shown {
        match letter {
            '"' | '\'' | '\\' => quoted.push(letter),
            _ => quoted.extend(letter.escape_debug()),
        }
    }
    quoted + if is_long { "..." } else { "" }
}

impl fmt::Display for SetupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.word, self.reason)
    }
}

impl Error for SetupError {}

#[cfg(test)]
mod tests {
    use super::super::NumberOption;
    use super::super::setup_option::tests::{ROWS, error};
    use super::*;

    #[test]
    fn setup_text_round_trips() {
        let setup: Setup = "rows=3  points=0,1;1,0 x=".parse().unwrap();
        assert_eq!(setup.get("points"), Some("0,1;1,0"));
        assert_eq!(setup.get("x"), Some(""));
        assert_eq!(setup.to_string(), "rows=3 points=0,1;1,0 x=");
        assert_eq!(error(Setup::from_words(["rows"])), "rows: must be written key=value");
        assert_eq!(error(Setup::from_words(["=3"])), "=3: must be written key=value");
        assert_eq!(error(Setup::from_words(["a=1", "a=2"])), "a=2: a is given twice");
    }

    #[test]
    fn unknown_option_error_lists_known_options() {
        let setup: Setup = "size=4 color=red".parse().unwrap();
        assert_eq!(
            error(setup.check_names(&[ROWS.into()])),
            "color=red: unknown option; the options are rows, size"
        );
    }

    #[test]
    fn left_out_option_is_named() {
        let options: [OptionSpec; 2] = [ROWS.into(), NumberOption { name: "cols", ..ROWS }.into()];
        let left_out = |setup: &str| setup.parse::<Setup>().unwrap().shorthand_hint(&options);
        assert_eq!(
            left_out("rows=4").as_deref(),
            Some("only rows is given, so cols is 6; size=4 sets both")
        );
        assert_eq!(
            left_out("cols=8").as_deref(),
            Some("only cols is given, so rows is 6; size=8 sets both")
        );
        for setup in ["", "size=4", "rows=4 cols=8", "rows=6"] {
            assert_eq!(left_out(setup), None, "{setup}");
        }
    }

    #[test]
    fn setup_errors_truncate_long_words() {
        let long = format!("rows={}", "9".repeat(100));
        let message = error(ROWS.read(&long.parse().unwrap()));
        assert!(message.starts_with("rows=999") && message.contains("...: must be"), "{message}");
        assert!(message.len() < 110);
        let twice = format!("{0}=1 {0}=2", "x".repeat(1000));
        assert!(error(twice.parse::<Setup>()).len() < 130);
    }

    #[test]
    fn setup_errors_escape_control_characters() {
        let read = |words: &[&str]| ROWS.read(&Setup::from_words(words)?);
        assert_eq!(
            error(read(&["rows=\x1b[2J\n4"])),
            "rows=\\u{1b}[2J\\n4: must be 2 to 64 in steps of 2"
        );
        assert_eq!(error(read(&["a\n=1", "a\n=2"])), "a\\n=2: a\\n is given twice");
    }
}
