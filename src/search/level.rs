//! How well an engine plays.

use std::error::Error;
use std::fmt;
use std::str::FromStr;

/// How well an engine plays, from the weakest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// Takes what is offered, and misses what lies two moves ahead.
    Beginner,
    /// Looks at the answer to its move as well.
    Casual,
    /// Plays as well as it can in its time.
    Strong,
    /// Plays only what it has proven to be best, however long that takes.
    Perfect,
}

impl Level {
    /// All of them, from the weakest.
    pub const ALL: [Level; 4] = [Level::Beginner, Level::Casual, Level::Strong, Level::Perfect];

    /// What to expect of it, in a few words.
    pub const fn about(self) -> &'static str {
        match self {
            Level::Beginner => "takes what is offered, and misses what lies two moves ahead",
            Level::Casual => "looks at the answer to its move as well",
            Level::Strong => "plays as well as it can in its time",
            Level::Perfect => "plays only what it has proven to be best",
        }
    }

    const fn word(self) -> &'static str {
        match self {
            Level::Beginner => "beginner",
            Level::Casual => "casual",
            Level::Strong => "strong",
            Level::Perfect => "perfect",
        }
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.word())
    }
}

/// A word that is no level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParseLevelError;

impl fmt::Display for ParseLevelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a level is beginner, casual, strong or perfect")
    }
}

impl Error for ParseLevelError {}

impl FromStr for Level {
    type Err = ParseLevelError;

    fn from_str(text: &str) -> Result<Level, ParseLevelError> {
        Level::ALL.into_iter().find(|level| level.word() == text).ok_or(ParseLevelError)
    }
}
