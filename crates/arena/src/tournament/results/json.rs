//! The table as JSON: `table.json`.
//!
//! No number is infinite: a player who won everything has the key `elo_above` instead of `elo`.

use super::{Difference, Elo, Sets, Tally, TournamentTable};
use serde::{Serialize, Serializer};
use serde_json::json;
use std::cmp::Ordering;

/// Serializes a fraction or a log-likelihood ratio.
#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
pub(super) fn share<S: Serializer>(share: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    round(*share, 1e4).serialize(serializer)
}

/// Serializes a likelihood that may be unknown.
#[allow(clippy::ref_option, reason = "serde passes references")]
pub(super) fn likelihood<S: Serializer>(
    likely: &Option<f64>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    likely.map(|likely| round(likely, 1e4)).serialize(serializer)
}

/// Rounds to a multiple of `1 / places`, and never returns -0.
fn round(number: f64, places: f64) -> f64 {
    (number * places).round() / places + 0.0
}

impl Serialize for Tally {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Tally { wins, draws, losses } = *self;
        let points = json!(self.points());
        let counts = [("wins", wins), ("draws", draws), ("losses", losses)];
        let counts = counts.map(|(key, count)| (key, count.into()));
        serializer.collect_map([("points", points)].into_iter().chain(counts))
    }
}

impl Serialize for Elo {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (elo, bound) = match *self {
            Elo::Known { elo, .. } => (Some(elo), None),
            Elo::Above(bound) => (None, Some(("elo_above", Some(bound)))),
            Elo::Below(bound) => (None, Some(("elo_below", Some(bound)))),
            Elo::Unknown => (None, None),
        };
        let numbers = [("elo", elo), ("error", self.error())].into_iter().chain(bound);
        let rounded = |number: f64| round(number, 100.0);
        serializer.collect_map(numbers.map(|(key, number)| (key, number.map(rounded))))
    }
}

impl Serialize for Sets {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let pentanomial = self.pentanomial().map(|counts| ("pentanomial", json!(counts)));
        serializer.collect_map([("sets", json!(self.count()))].into_iter().chain(pentanomial))
    }
}

impl Serialize for Difference {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let verdict = self.beyond_error().map(|way| match way {
            Ordering::Less => "worse",
            _ => "better",
        });
        let [share, error] = [self.share, self.error].map(|share| json!(round(share, 1e4)));
        let verdict = json!(verdict);
        serializer.collect_map([("share", share), ("error", error), ("verdict", verdict)])
    }
}

impl TournamentTable {
    /// Returns the table as indented JSON.
    pub fn json(&self) -> String {
        // Cannot fail: the table contains only strings and finite numbers.
        serde_json::to_string_pretty(self).unwrap_or_default() + "\n"
    }
}
