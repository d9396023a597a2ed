//! Descriptions of a game's setup options, from which the setup screen, command-line help and error messages are
//! derived.

use super::text;
use super::{Setup, SetupError};

/// A setup option: its name, a line of help, its allowed values and its default.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OptionSpec {
    /// A whole number.
    Number(NumberOption),
    /// One of a few words, some followed by a count: `circle:8`.
    Choice(ChoiceOption),
    /// Text whose form the game checks: `0,0;1,1`.
    Text(TextOption),
}

impl OptionSpec {
    /// Returns the part before the `=` in a setup.
    pub const fn name(&self) -> &'static str {
        match self {
            OptionSpec::Number(option) => option.name,
            OptionSpec::Choice(option) => option.name,
            OptionSpec::Text(option) => option.name,
        }
    }

    /// Returns the line of help.
    pub const fn help(&self) -> &'static str {
        match self {
            OptionSpec::Number(option) => option.help,
            OptionSpec::Choice(option) => option.help,
            OptionSpec::Text(option) => option.help,
        }
    }

    /// Returns another name that also sets this option, such as `size` for `rows` and `cols`.
    pub const fn shorthand(&self) -> Option<&'static str> {
        match self {
            OptionSpec::Number(option) => option.shorthand,
            _ => None,
        }
    }

    /// Describes the allowed values: `a whole number from 2 to 64`.
    pub fn values(&self) -> String {
        match self {
            OptionSpec::Number(option) => option.range(),
            OptionSpec::Choice(option) => option.forms(),
            OptionSpec::Text(option) => option.form.to_owned(),
        }
    }

    /// Returns the text of the default.
    pub fn default(&self) -> String {
        match self {
            OptionSpec::Number(option) => option.default.to_string(),
            OptionSpec::Choice(option) => option.default(),
            OptionSpec::Text(_) => String::new(),
        }
    }
}

/// An option whose value is a whole number: `min`, then every `step` up to `max`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the methods of `OptionSpec` explain the fields")]
pub struct NumberOption {
    pub name: &'static str,
    pub help: &'static str,
    /// An alternative name, which also sets other options.
    pub shorthand: Option<&'static str>,
    pub min: u32,
    pub max: u32,
    pub step: u32,
    pub default: u32,
}

impl NumberOption {
    /// Returns the option's value in the setup, or the default.
    pub fn read(&self, setup: &Setup) -> Result<u32, SetupError> {
        let own = setup.get(self.name).map(|value| (self.name, value));
        let short = self.shorthand.and_then(|name| Some((name, setup.get(name)?)));
        let (name, value) = match (own, short) {
            (None, None) => return Ok(self.default),
            (Some(given), None) | (None, Some(given)) => given,
            (Some((name, value)), Some((short, _))) => {
                let reason = format!("{short} sets {name} too; give one of them");
                return Err(SetupError::new(format!("{name}={value}"), reason));
            }
        };
        text::number(value).filter(|&n| self.takes(n)).ok_or_else(|| {
            let reason = if self.min > self.max {
                "no value fits the other options".to_owned()
            } else {
                format!("must be {}", self.range())
            };
            SetupError::new(format!("{name}={value}"), reason)
        })
    }

    /// Returns the option's value in the setup; an invalid value counts as the default.
    pub(super) fn read_or_default(&self, setup: &Setup) -> u32 {
        self.read(setup).unwrap_or(self.default)
    }

    const fn takes(&self, n: u32) -> bool {
        self.min <= n && n <= self.max && (n - self.min).is_multiple_of(self.step)
    }

    fn range(&self) -> String {
        /// The maximum number of values to list.
        const MAX_LISTED: u32 = 6;
        let (min, max, step) = (self.min, self.max, self.step);
        if min > max {
            return "no number, given the other options".to_owned();
        }
        match (step, (max - min) / step) {
            (1, _) => format!("a whole number from {min} to {max}"),
            (_, 0) => min.to_string(),
            (_, steps) if steps < MAX_LISTED => {
                let before = (0..steps).map(|index| (min + index * step).to_string());
                let before = before.collect::<Vec<_>>().join(", ");
                format!("{before} or {}", min + steps * step)
            }
            _ => format!("{min} to {max} in steps of {step}"),
        }
    }
}

impl From<NumberOption> for OptionSpec {
    fn from(option: NumberOption) -> OptionSpec {
        OptionSpec::Number(option)
    }
}

/// An option whose value is one of a few words, some followed by a count: `circle:8`. The default is the first word,
/// with the default count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the methods of `OptionSpec` explain the fields")]
pub struct ChoiceOption {
    pub name: &'static str,
    pub help: &'static str,
    pub choices: &'static [WordChoice],
    /// The unit of the count, in the plural; empty if no word takes a count.
    pub counts: &'static str,
    pub min: u32,
    pub max: u32,
    pub default: u32,
}

/// A word of a [`ChoiceOption`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WordChoice {
    /// The word, without the count.
    pub word: &'static str,
    /// Whether a count follows: `circle:8`.
    pub is_counted: bool,
    /// A short explanation of the word; may be empty.
    pub help: &'static str,
}

impl WordChoice {
    /// Creates a word without a count.
    pub const fn plain(word: &'static str, help: &'static str) -> WordChoice {
        WordChoice { word, is_counted: false, help }
    }

    /// Creates a word with a count.
    pub const fn counted(word: &'static str, help: &'static str) -> WordChoice {
        WordChoice { word, is_counted: true, help }
    }

    /// Returns the written form: `circle:N`, or `eight`.
    pub fn form(&self) -> String {
        format!("{}{}", self.word, if self.is_counted { ":N" } else { "" })
    }
}

impl ChoiceOption {
    /// Creates an option whose words take no count.
    pub const fn plain(
        name: &'static str,
        help: &'static str,
        choices: &'static [WordChoice],
    ) -> ChoiceOption {
        ChoiceOption { name, help, choices, counts: "", min: 0, max: 0, default: 0 }
    }

    /// Returns whether any word takes a count.
    pub fn is_counted(&self) -> bool {
        self.choices.iter().any(|choice| choice.is_counted)
    }

    /// Returns the index in `choices` of the word in the setup.
    pub fn index(&self, setup: &Setup) -> Result<usize, SetupError> {
        let (word, _) = self.read(setup)?;
        Ok(self.choices.iter().position(|choice| choice.word == word).unwrap_or_default())
    }

    /// Returns the word in the setup and its count, or 0 if the word takes no count.
    pub fn read(&self, setup: &Setup) -> Result<(&'static str, u32), SetupError> {
        let default = self.default();
        let value = setup.get(self.name).unwrap_or(&default);
        self.parse(value).ok_or_else(|| {
            SetupError::new(
                format!("{}={value}", self.name),
                format!("must be one of {}", self.forms()),
            )
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

    /// Returns the word in the setup and its count as written, which may be out of range. The count is `None` if the
    /// word takes none. An unknown word counts as the default.
    pub fn as_written(&self, setup: &Setup) -> (&'static str, Option<String>) {
        let given = setup.get(self.name).and_then(|value| self.split(value));
        let default = self.default();
        let Some((word, is_counted, count)) = given.or_else(|| self.split(&default)) else {
            return ("", None);
        };
        (word, is_counted.then(|| count.unwrap_or_default().to_owned()))
    }

    /// Splits a value into its word, whether the word takes a count, and the text after the colon.
    fn split<'v>(&self, value: &'v str) -> Option<(&'static str, bool, Option<&'v str>)> {
        let (word, count) = match value.split_once(':') {
            None => (value, None),
            Some((word, count)) => (word, Some(count)),
        };
        let choice = self.choices.iter().find(|choice| choice.word == word)?;
        Some((choice.word, choice.is_counted, count))
    }

    fn default(&self) -> String {
        match self.choices.first() {
            Some(choice) if choice.is_counted => format!("{}:{}", choice.word, self.default),
            Some(choice) => choice.word.to_owned(),
            None => String::new(),
        }
    }

    fn forms(&self) -> String {
        let forms: Vec<String> = self.choices.iter().map(WordChoice::form).collect();
        let forms = forms.join(", ");
        if self.is_counted() { format!("{forms}; {}", self.counts_allowed()) } else { forms }
    }

    /// Describes the range of the count: `N from 3 to 200`.
    pub fn counts_allowed(&self) -> String {
        format!("N from {} to {}", self.min, self.max)
    }
}

impl From<ChoiceOption> for OptionSpec {
    fn from(option: ChoiceOption) -> OptionSpec {
        OptionSpec::Choice(option)
    }
}

/// An option whose value is text in a form that the game checks. The default is the empty string.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the methods of `OptionSpec` explain the fields")]
pub struct TextOption {
    pub name: &'static str,
    pub help: &'static str,
    /// A description of the expected format.
    pub form: &'static str,
}

impl TextOption {
    /// Returns the text in the setup, if any.
    pub fn read<'s>(&self, setup: &'s Setup) -> Option<&'s str> {
        setup.get(self.name)
    }

    pub(super) fn error(&self, value: &str, reason: impl Into<String>) -> SetupError {
        SetupError::new(format!("{}={value}", self.name), reason)
    }
}

impl From<TextOption> for OptionSpec {
    fn from(option: TextOption) -> OptionSpec {
        OptionSpec::Text(option)
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use std::fmt;

    pub const ROWS: NumberOption = NumberOption {
        name: "rows",
        help: "rows of dots",
        shorthand: Some("size"),
        min: 2,
        max: 64,
        step: 2,
        default: 6,
    };

    pub fn error(result: Result<impl fmt::Debug, SetupError>) -> String {
        result.unwrap_err().to_string()
    }

    #[test]
    fn number_option_enforces_its_range() {
        let read = |text: &str| ROWS.read(&text.parse().unwrap());
        assert_eq!(read(""), Ok(6));
        assert_eq!(read("rows=8"), Ok(8));
        assert_eq!(read("size=10"), Ok(10));
        assert_eq!(error(read("rows=3")), "rows=3: must be 2 to 64 in steps of 2");
        assert_eq!(error(read("size=66")), "size=66: must be 2 to 64 in steps of 2");
        assert_eq!(error(read("rows=-2")), "rows=-2: must be 2 to 64 in steps of 2");
        assert_eq!(error(read("rows=4 size=4")), "rows=4: size sets rows too; give one of them");
        for (max, values) in
            [(3, "2"), (4, "2 or 4"), (7, "2, 4 or 6"), (12, "2, 4, 6, 8, 10 or 12")]
        {
            assert_eq!(OptionSpec::Number(NumberOption { max, ..ROWS }).values(), values);
        }
        let none = NumberOption { max: 1, ..ROWS };
        assert_eq!(
            error(none.read(&Setup::new().with("rows", 2))),
            "rows=2: no value fits the other options"
        );
    }

    #[test]
    fn word_option_requires_counts_only_for_counted_choices() {
        let layout = ChoiceOption {
            name: "layout",
            help: "",
            choices: &[
                WordChoice { word: "random", is_counted: true, help: "" },
                WordChoice { word: "eight", is_counted: false, help: "" },
            ],
            counts: "dots",
            min: 3,
            max: 200,
            default: 10,
        };
        let read = |value: &str| layout.read(&Setup::new().with("layout", value));
        assert_eq!(layout.read(&Setup::new()), Ok(("random", 10)));
        assert_eq!(read("random:200"), Ok(("random", 200)));
        assert_eq!(read("eight"), Ok(("eight", 0)));
        let written = |value: &str| layout.as_written(&Setup::new().with("layout", value));
        assert_eq!(layout.as_written(&Setup::new()), ("random", Some("10".to_owned())));
        assert_eq!(written("random:2"), ("random", Some("2".to_owned())));
        assert_eq!(written("random"), ("random", Some(String::new())));
        assert_eq!(written("eight:8"), ("eight", None));
        assert_eq!(written("nine:8"), ("random", Some("10".to_owned())));
        for bad in ["random", "random:2", "random:201", "random:", "eight:8", "nine", ""] {
            assert_eq!(
                error(read(bad)),
                format!("layout={bad}: must be one of random:N, eight; N from 3 to 200")
            );
        }
    }
}
