//! Shards: parts of a tournament that are played on separate machines.

use super::{Fixture, Schedule};
use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// A part of a schedule: every `count`-th set of games. Sets are never split.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Shard {
    /// The number of the shard, starting at 1.
    pub number: u32,
    pub count: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a part is written as 1/8, the first of eight")]
pub struct ParseShardError;

impl Shard {
    pub const WHOLE: Shard = Shard { number: 1, count: 1 };
    pub const MAX_COUNT: u32 = 100_000;

    pub fn has(self, fixture: &Fixture) -> bool {
        fixture.set % u64::from(self.count) == u64::from(self.number - 1)
    }

    pub fn games(self, schedule: &Schedule) -> u64 {
        if self.count == 1 {
            return schedule.games();
        }
        let sets = (u64::from(self.number) - 1..schedule.sets()).step_by(self.count as usize);
        sets.filter_map(|set| schedule.games_of_set(set)).map(|(_, games)| u64::from(games)).sum()
    }

    /// Returns the shard's folder inside the tournament's folder: `results/1-of-8`.
    pub fn folder(self, whole: &Path) -> PathBuf {
        match self {
            Shard::WHOLE => whole.to_owned(),
            Shard { number, count } => whole.join(format!("{number}-of-{count}")),
        }
    }
}

impl FromStr for Shard {
    type Err = ParseShardError;

    fn from_str(text: &str) -> Result<Shard, ParseShardError> {
        let (number, count) = text.split_once('/').ok_or(ParseShardError)?;
        let parse = |text: &str| text.parse::<u32>().map_err(|_| ParseShardError);
        let shard = Shard { number: parse(number)?, count: parse(count)? };
        let is_one = (1..=shard.count).contains(&shard.number) && shard.count <= Shard::MAX_COUNT;
        is_one.then_some(shard).ok_or(ParseShardError)
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shard_text_round_trips() {
        for text in ["1/1", "1/8", "8/8"] {
            assert_eq!(text.parse::<Shard>().unwrap().to_string(), text);
        }
        for text in ["", "1", "0/8", "9/8", "1/0", "-1/8", "1/8/2", "1/100001"] {
            assert_eq!(text.parse::<Shard>(), Err(ParseShardError), "{text}");
        }
        let folder = |text: &str| text.parse::<Shard>().unwrap().folder(Path::new("results"));
        assert_eq!(folder("3/8"), Path::new("results/3-of-8"));
        assert_eq!(folder("1/1"), Path::new("results"));
    }
}
