//! The table as JSON: `table.json`.

use super::{
    Against, Difference, Elo, Hypothesis, KindRow, KindTable, LostBy, PlayerRow, SprtVerdict,
    Tally, TournamentTable,
};
use crate::arena::tournament::{Ending, Points};
use serde::Serialize;
use std::cmp::Ordering;
use std::collections::BTreeMap;

#[derive(Serialize)]
struct TableJson<'a> {
    players: Vec<PlayerJson<'a>>,
    seats: Vec<TallyJson>,
    endings: &'a BTreeMap<Ending, u64>,
    kinds: Vec<KindJson<'a>>,
    sprt: Option<SprtJson>,
}

#[derive(Serialize)]
struct KindJson<'a> {
    kind: &'a str,
    players: Vec<KindPlayerJson<'a>>,
}

#[derive(Serialize)]
struct KindPlayerJson<'a> {
    #[serde(flatten)]
    player: PlayerJson<'a>,
    than_all: Option<DifferenceJson>,
}

#[derive(Serialize)]
struct DifferenceJson {
    share: f64,
    error: f64,
    verdict: Option<&'static str>,
}

#[derive(Serialize)]
struct PlayerJson<'a> {
    name: &'a str,
    games: u64,
    #[serde(flatten)]
    tally: TallyJson,
    #[serde(flatten)]
    strength: StrengthJson,
    seats: Vec<TallyJson>,
    lost_by: BTreeMap<Ending, u64>,
    against: Vec<AgainstJson<'a>>,
}

#[derive(Serialize)]
struct AgainstJson<'a> {
    name: &'a str,
    #[serde(flatten)]
    tally: TallyJson,
    sets: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pentanomial: Option<&'a [u64]>,
    #[serde(flatten)]
    strength: StrengthJson,
}

#[derive(Serialize)]
struct TallyJson {
    points: Points,
    wins: u64,
    draws: u64,
    losses: u64,
}

/// No number here is infinite: a player who won everything has no `elo`, but an `elo_above`.
#[derive(Serialize)]
struct StrengthJson {
    elo: Option<f64>,
    error: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    elo_above: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    elo_below: Option<f64>,
    los: Option<f64>,
}

#[derive(Serialize)]
struct SprtJson {
    llr: f64,
    lower: f64,
    upper: f64,
    accepted: Option<&'static str>,
}

impl TallyJson {
    fn new(tally: Tally) -> TallyJson {
        let Tally { wins, draws, losses } = tally;
        TallyJson { points: tally.points(), wins, draws, losses }
    }
}

impl<'a> PlayerJson<'a> {
    /// `names` has the names of all players by their index.
    fn new(row: &'a PlayerRow, names: &[&'a str]) -> PlayerJson<'a> {
        PlayerJson {
            name: &row.name,
            games: row.games,
            tally: TallyJson::new(row.tally),
            strength: StrengthJson::new(row.elo, row.superiority),
            seats: tallies(&row.seats),
            lost_by: lost_by(row.lost_by),
            against: row.against.iter().map(|against| AgainstJson::new(against, names)).collect(),
        }
    }
}

impl<'a> KindJson<'a> {
    fn new(table: &'a KindTable, names: &[&'a str]) -> KindJson<'a> {
        let player = |row: &'a KindRow| KindPlayerJson {
            player: PlayerJson::new(&row.row, names),
            than_all: row.difference.map(DifferenceJson::new),
        };
        KindJson { kind: &table.kind, players: table.rows.iter().map(player).collect() }
    }
}

impl DifferenceJson {
    fn new(difference: Difference) -> DifferenceJson {
        let Difference { share, error } = difference;
        let verdict = difference.beyond_error().map(|way| match way {
            Ordering::Less => "worse",
            _ => "better",
        });
        DifferenceJson { share: round(share, 1e4), error: round(error, 1e4), verdict }
    }
}

impl<'a> AgainstJson<'a> {
    fn new(against: &'a Against, names: &[&'a str]) -> AgainstJson<'a> {
        AgainstJson {
            name: names[against.player],
            tally: TallyJson::new(against.tally),
            sets: against.sets.iter().sum(),
            pentanomial: against.pentanomial(),
            strength: StrengthJson::new(against.elo, against.superiority),
        }
    }
}

fn tallies(tallies: &[Tally]) -> Vec<TallyJson> {
    tallies.iter().copied().map(TallyJson::new).collect()
}

impl StrengthJson {
    fn new(elo: Elo, superiority: Option<f64>) -> StrengthJson {
        let los = superiority.map(|los| round(los, 1e4));
        let mut json =
            StrengthJson { elo: None, error: None, elo_above: None, elo_below: None, los };
        let rounded = |number: f64| Some(round(number, 100.0));
        match elo {
            Elo::Unknown => {}
            Elo::Known { elo, error } => {
                (json.elo, json.error) = (rounded(elo), error.and_then(rounded));
            }
            Elo::Above(bound) => json.elo_above = rounded(bound),
            Elo::Below(bound) => json.elo_below = rounded(bound),
        }
        json
    }
}

/// Rounded to `1 / places`, and never -0.
fn round(number: f64, places: f64) -> f64 {
    (number * places).round() / places + 0.0
}

fn lost_by(lost_by: LostBy) -> BTreeMap<Ending, u64> {
    lost_by.each().into_iter().collect()
}

impl TournamentTable {
    /// The table as indented JSON.
    pub fn json(&self) -> String {
        let mut names = vec![""; self.rows.len()];
        for row in &self.rows {
            names[row.player] = &row.name;
        }
        let sprt = |verdict: SprtVerdict| SprtJson {
            llr: round(verdict.llr, 1e4),
            lower: round(verdict.lower, 1e4),
            upper: round(verdict.upper, 1e4),
            accepted: verdict.accepted.map(Hypothesis::key),
        };
        let table = TableJson {
            players: self.rows.iter().map(|row| PlayerJson::new(row, &names)).collect(),
            seats: tallies(&self.seats),
            endings: &self.endings,
            kinds: self.kinds.iter().map(|kind| KindJson::new(kind, &names)).collect(),
            sprt: self.sprt.map(sprt),
        };
        // Cannot fail: there are only texts and finite numbers.
        serde_json::to_string_pretty(&table).unwrap_or_default() + "\n"
    }
}
