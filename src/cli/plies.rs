//! Selects the positions of a record to which a command applies.

use super::usage;
use std::fmt::Display;
use std::ops::RangeInclusive;

/// Which positions of a main line are meant.
#[derive(Clone, Copy, Debug, clap::Args)]
pub struct Plies {
    /// The position after N plies; 0 is the start
    #[arg(long, value_name = "N", conflicts_with = "every", value_parser = ply)]
    ply: Option<usize>,
    /// All positions from the start
    #[arg(long)]
    pub every: bool,
}

fn ply(text: &str) -> Result<usize, &'static str> {
    text.parse().map_err(|_| "must be a whole number, 0 for the start")
}

impl Plies {
    /// Returns the plies of a main line that ends at ply `last`; by default, only the last ply. Errors begin with
    /// `name`.
    pub fn of(self, last: usize, name: impl Display) -> anyhow::Result<RangeInclusive<usize>> {
        match self.ply {
            Some(ply) if ply > last => {
                Err(usage(format!("{name}: no ply {ply}; the last is {last}")))
            }
            Some(ply) => Ok(ply..=ply),
            None if self.every => Ok(0..=last),
            None => Ok(last..=last),
        }
    }
}
