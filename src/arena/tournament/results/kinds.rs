//! The players by kind of setup, and the kinds on which a player is better or worse than on all together.
//!
//! A player has a share of the points on one kind, and what its results on all kinds would have given it there: against
//! each opponent, its mean result over all kinds. If the kind did not matter, which sets belong to it would be
//! chance, and the difference of the two would have the variance of a permutation test: Ronald Fisher, *The Design of
//! Experiments* (1935); Edwin Pitman, *Significance tests which may be applied to samples from any populations*
//! (1937). So no rating is needed, and no player has to be left out because it won or lost everything on a kind.
//!
//! Many such differences are looked at together, and some are large by chance. So each has an error that is wide enough
//! for all of them (Bonferroni): if no kind matters, then in 95 of 100 tournaments nobody is said to be better or worse
//! anywhere.

use super::counts::Counts;
use super::elo::{LEAST_SETS, normal_below, zero_of};
use super::{PlayerRow, TournamentTable};
use crate::wording::listed;
use serde::Serialize;
use std::cmp::Ordering;

/// The results on one kind of setup.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct KindTable {
    pub kind: String,
    /// The players, the best on this kind first.
    #[serde(rename = "players")]
    pub rows: Vec<KindRow>,
}

/// A player in the table of a kind.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct KindRow {
    /// Its results on setups of this kind.
    #[serde(flatten)]
    pub row: PlayerRow,
    /// How they differ from its results on all kinds; `None` where too little is known.
    #[serde(rename = "than_all")]
    pub difference: Option<Difference>,
}

/// How much more a player gets on one kind of setup than on all together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Difference {
    /// Its share of the points on this kind, less the share that its results on all kinds would have given it there
    /// against the same opponents.
    pub share: f64,
    /// Half the width of the interval around it. All intervals of a tournament together hold the true values with a
    /// probability of 95 %.
    pub error: f64,
}

impl Difference {
    /// Whether the player is better on this kind (`Greater`), or worse (`Less`), beyond the error.
    pub fn beyond_error(self) -> Option<Ordering> {
        (self.share.abs() > self.error).then(|| self.share.total_cmp(&0.0))
    }
}

/// The tables of all kinds.
pub(super) fn tables(names: &[String], all: &Counts, kinds: &[(String, Counts)]) -> Vec<KindTable> {
    let found: Vec<Vec<_>> = kinds
        .iter()
        .map(|(_, counts)| (0..names.len()).map(|player| difference(player, all, counts)).collect())
        .collect();
    // Between two players, and between two kinds, what one gets more is what the other gets less.
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

/// How much larger a player's share of the points is on a kind than by its results on all, and the standard deviation
/// of that if the kind does not matter. `None` if there are too few sets on this kind or on the others, or if all
/// results against each opponent are alike.
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
        // Each game of a set gives two half points for each opponent.
        most += part * (2 * seats * (seats - 1)) as f64;
        if sets > 1 {
            // In whole numbers, so that results that are all alike have no scatter at all.
            let scatter = (squares * sets - sum * sum) as f64 / (count * count);
            variance += part * (count - part) / (count - 1.0) * scatter;
        }
    }
    let is_enough = here >= LEAST_SETS && elsewhere >= LEAST_SETS && variance > 0.0;
    is_enough.then(|| (more / most, variance.sqrt() / most))
}

/// How many standard deviations from its mean a normal value stays with a probability of 95 %, if there are `many` such
/// values and all of them shall stay.
fn normal_factor(many: usize) -> f64 {
    let beyond = 0.025 / many.max(1) as f64;
    zero_of(|deviations| normal_below(-deviations) - beyond, 0.0, 10.0)
}

impl TournamentTable {
    /// On which kinds of setups each player is better or worse than on all together, in sentences; players of whom
    /// nothing is known share the last one.
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
