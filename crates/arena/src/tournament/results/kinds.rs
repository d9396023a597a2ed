//! Results by kind of setup, and the kinds on which a player does better or worse than on all kinds together.
//!
//! A player's share of the points on one kind is compared with an expected share, computed from its mean result over
//! all kinds against each opponent. If the kind did not matter, the assignment of sets to kinds would be random, and
//! the difference would have the variance of a permutation test: Ronald Fisher, *The Design of Experiments* (1935);
//! Edwin Pitman, *Significance tests which may be applied to samples from any populations* (1937). Therefore, no rating
//! is needed, and no player has to be excluded because it won or lost everything on a kind.
//!
//! Many such differences are examined at once, and some are large by chance. Therefore, the error of each difference is
//! wide enough for all of them (Bonferroni): if no kind matters, no player is reported as better or worse on any kind
//! in 95 of 100 tournaments.

use super::counts::Counts;
use super::elo::{MIN_SETS, normal_below, zero_of};
use super::{PlayerRow, TournamentTable};
use quadrille_text::wording::listed;
use serde::Serialize;
use std::cmp::Ordering;

/// The results on one kind of setup.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct KindTable {
    pub kind: String,
    /// The players by their results in games of this kind, best first.
    #[serde(rename = "players")]
    pub rows: Vec<KindRow>,
}

/// A player's row in the table of a kind.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct KindRow {
    /// The results on setups of this kind.
    #[serde(flatten)]
    pub row: PlayerRow,
    /// The difference from the results on all kinds; `None` if there is too little data.
    #[serde(rename = "than_all")]
    pub difference: Option<Difference>,
}

/// The difference between a player's results on one kind of setup and on all kinds together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Difference {
    /// The share of the points on this kind minus the share expected from the results on all kinds against the same
    /// opponents.
    pub share: f64,
    /// Half the width of the confidence interval. All intervals of a tournament contain the true values simultaneously
    /// with a probability of 95 %.
    pub error: f64,
}

impl Difference {
    /// Returns whether the player is better (`Greater`) or worse (`Less`) on this kind by more than the error.
    pub fn beyond_error(self) -> Option<Ordering> {
        (self.share.abs() > self.error).then(|| self.share.total_cmp(&0.0))
    }
}

/// Returns the tables of all kinds.
pub(super) fn tables(names: &[String], all: &Counts, kinds: &[(String, Counts)]) -> Vec<KindTable> {
    let found: Vec<Vec<_>> = kinds
        .iter()
        .map(|(_, counts)| (0..names.len()).map(|player| difference(player, all, counts)).collect())
        .collect();
    // With two players or two kinds, one's gain is the other's loss.
    let distinct = |count: usize| if count == 2 { 1 } else { count };
    let factor = normal_factor(distinct(names.len()) * distinct(kinds.len()));
    let tables = kinds.iter().zip(&found).map(|((kind, counts), found)| KindTable {
        kind: kind.clone(),
        rows: (counts.rows(names).into_iter())
            .map(|row| {
                let difference = found[row.player];
                let difference = difference
                    .map(|(share, deviation)| Difference { share, error: factor * deviation });
                KindRow { row, difference }
            })
            .collect(),
    });
    tables.collect()
}

/// Returns the difference between a player's share of the points on a kind and the share expected from its results on
/// all kinds, with the standard deviation of that difference if the kind does not matter. Returns `None` if there are
/// too few sets on this kind or on the other kinds, or if the results against each opponent are all identical.
fn difference(player: usize, all: &Counts, kind: &Counts) -> Option<(f64, f64)> {
    let (mut more, mut variance, mut most) = (0.0, 0.0, 0.0);
    let (mut here, mut elsewhere) = (0, 0);
    for (players, group) in &kind.groups {
        let (Ok(place), Some(whole)) = (players.binary_search(&player), all.groups.get(players))
        else {
            continue;
        };
        let (seats, sets) = (players.len(), whole.sets);
        let (sum, squares) = (whole.sums[place], whole.products[place * (seats + 1)]);
        here += group.sets;
        elsewhere += sets - group.sets;
        let (part, count) = (group.sets as f64, sets as f64);
        more += group.sums[place] as f64 - part * sum as f64 / count;
        // Each game of a set is worth two half points per opponent.
        most += part * (2 * seats * (seats - 1)) as f64;
        if sets > 1 {
            // Computed with integers, so identical results have a variance of exactly 0.
            let scatter = (squares * sets - sum * sum) as f64 / (count * count);
            variance += part * (count - part) / (count - 1.0) * scatter;
        }
    }
    let is_enough = here >= MIN_SETS && elsewhere >= MIN_SETS && variance > 0.0;
    is_enough.then(|| (more / most, variance.sqrt() / most))
}

/// Returns the number of standard deviations within which all of `many` normal values lie with a probability of 95 %.
fn normal_factor(many: usize) -> f64 {
    let beyond = 0.025 / many.max(1) as f64;
    zero_of(|deviations| normal_below(-deviations) - beyond, 0.0, 10.0)
}

impl TournamentTable {
    /// Describes the kinds of setups on which each player is better or worse than on all kinds together, in sentences.
    /// The last sentence lists the players about whom nothing is known.
    pub fn kinds_in_words(&self) -> Vec<String> {
        let mut sentences = Vec::new();
        let mut others = Vec::new();
        for PlayerRow { player, name, .. } in &self.rows {
            let on = |(word, way): (&str, Ordering)| {
                let is_so = |kind: &&KindTable| {
                    let row = kind.rows.iter().find(|row| row.row.player == *player);
                    row.and_then(|row| row.difference?.beyond_error()) == Some(way)
                };
                let kinds = self.kinds.iter().filter(is_so).map(|kind| &*kind.kind);
                let kinds: Vec<&str> = kinds.collect();
                (!kinds.is_empty()).then(|| format!("{word} on {}", listed(&kinds, "and")))
            };
            let found = [("better", Ordering::Greater), ("worse", Ordering::Less)];
            match &found.into_iter().filter_map(on).collect::<Vec<_>>()[..] {
                [] => others.push(&**name),
                found => {
                    let comma = if found.len() > 1 { "," } else { "" };
                    sentences.push(format!(
                        "{name} is {}{comma} than on all kinds together, beyond the margin of error.",
                        found.join(", and ")
                    ));
                }
            }
        }
        let others = match others.len() {
            _ if self.kinds.is_empty() => return Vec::new(),
            0 => return sentences,
            _ if sentences.is_empty() => "any player".to_owned(),
            6.. => "any other player".to_owned(),
            _ => listed(&others, "or"),
        };
        sentences.push(format!(
            "No kind shows {others} significantly better or worse than on all together."
        ));
        sentences
    }
}
