//! The playing strengths of an engine.

use std::error::Error;
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// The playing strength of an engine, from weakest to strongest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// Takes what is on offer, and often misses the reply to its move.
    Beginner,
    /// Sees most replies to its move.
    Casual,
    /// Looks further ahead and overlooks little.
    Skilled,
    /// Plays as well as it can in the time available.
    Strong,
    /// Plays only moves proven to be best, regardless of the time.
    Perfect,
}

impl Level {
    /// All levels, from weakest to strongest.
    pub const ALL: [Level; 5] =
        [Level::Beginner, Level::Casual, Level::Skilled, Level::Strong, Level::Perfect];

    /// The names of the levels in commands and files, in the order of [`Level::ALL`].
    pub const WORDS: [&str; 5] = ["beginner", "casual", "skilled", "strong", "perfect"];

    /// The version of the levels below Strong. Records, journals, progress and tournaments carry it; those without a
    /// version come from version 1.
    pub const VERSION: u32 = 2;

    /// The strength differences between levels, from the tables in `docs/engines.md`.
    pub const DISTANCES: &str = "From Beginner to Strong, each level scores 7 to 10 points in 10 games against the level \
        below, or 130 to 730 Elo; a draw counts half a point. In Tic-tac-toe, where good players draw, it scores 6 to 7.";

    /// Describes the level's play in a few words.
    pub const fn about(self) -> &'static str {
        match self {
            Level::Beginner => "Takes what it can get and overlooks some replies",
            Level::Casual => "Scores 7 to 9 of 10 against Beginner",
            Level::Skilled => "Scores 7 to 9 of 10 against Casual, 6 in Tic-tac-toe",
            Level::Strong => "Scores 7 to 10 of 10 against Skilled, 6 in Tic-tac-toe",
            Level::Perfect => "Plays only moves proven best",
        }
    }

    /// Returns whether the level uses all of its time; the other levels ignore the clock.
    pub const fn uses_time(self) -> bool {
        matches!(self, Level::Strong | Level::Perfect)
    }

    /// Returns the time limit per move for Perfect, if it is offered, given the time of the other levels. Perfect
    /// ignores the deadline and its opponent waits, so allow at least ten seconds.
    pub fn patience(time: Duration) -> Duration {
        time.max(Duration::from_secs(10))
    }

    const fn word(self) -> &'static str {
        Level::WORDS[self as usize]
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.word())
    }
}

/// The error of an unknown level name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParseLevelError;

impl fmt::Display for ParseLevelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the levels are beginner, casual, skilled, strong and perfect")
    }
}

impl Error for ParseLevelError {}

impl FromStr for Level {
    type Err = ParseLevelError;

    fn from_str(text: &str) -> Result<Level, ParseLevelError> {
        Level::ALL.into_iter().find(|level| level.word() == text).ok_or(ParseLevelError)
    }
}
