//! The table as JSON: `table.json`.
//!
//! No number is infinite: a player who won everything has no `elo`, but an `elo_above`.

use super::{Difference, Elo, LostBy, Sets, Tally, TournamentTable};
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use std::cmp::Ordering;
use std::collections::BTreeMap;

/// Writes a share or a log-likelihood ratio.
#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
pub(super) fn share<S: Serializer>(share: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    round(*share, 1e4).serialize(serializer)
}

/// Writes a likelihood that may not be known.
#[allow(clippy::ref_option, reason = "serde passes references")]
pub(super) fn likelihood<S: Serializer>(
    likely: &Option<f64>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    likely.map(|likely| round(likely, 1e4)).serialize(serializer)
}

/// Rounded to `1 / places`, and never -0.
fn round(number: f64, places: f64) -> f64 {
    (number * places).round() / places + 0.0
}

impl Serialize for Tally {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("points", &self.points())?;
        map.serialize_entry("wins", &self.wins)?;
        map.serialize_entry("draws", &self.draws)?;
        map.serialize_entry("losses", &self.losses)?;
        map.end()
    }
}

impl Serialize for Elo {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let rounded = |number: f64| round(number, 100.0);
        let mut map = serializer.serialize_map(None)?;
        let (elo, bound) = match *self {
            Elo::Known { elo, .. } => (Some(elo), None),
            Elo::Above(bound) => (None, Some(("elo_above", bound))),
            Elo::Below(bound) => (None, Some(("elo_below", bound))),
            Elo::Unknown => (None, None),
        };
        map.serialize_entry("elo", &elo.map(rounded))?;
        map.serialize_entry("error", &self.error().map(rounded))?;
        if let Some((name, bound)) = bound {
            map.serialize_entry(name, &rounded(bound))?;
        }
        map.end()
    }
}

impl Serialize for Sets {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("sets", &self.count())?;
        if let Some(pentanomial) = self.pentanomial() {
            map.serialize_entry("pentanomial", pentanomial)?;
        }
        map.end()
    }
}

impl Serialize for LostBy {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        BTreeMap::from(self.each()).serialize(serializer)
    }
}

impl Serialize for Difference {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let verdict = self.beyond_error().map(|way| match way {
            Ordering::Less => "worse",
            _ => "better",
        });
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("share", &round(self.share, 1e4))?;
        map.serialize_entry("error", &round(self.error, 1e4))?;
        map.serialize_entry("verdict", &verdict)?;
        map.end()
    }
}

impl TournamentTable {
    /// The table as indented JSON.
    pub fn json(&self) -> String {
        // Cannot fail: there are only texts and finite numbers.
        serde_json::to_string_pretty(self).unwrap_or_default() + "\n"
    }
}
