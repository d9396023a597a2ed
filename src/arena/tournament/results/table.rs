//! The table of a tournament.

use super::counts::{Counts, Pairing};
use super::rating::{Ratings, rate};
use super::{Elo, KindTable, Results, Sets, SprtVerdict, json, kinds};
use crate::arena::tournament::{Ending, Points};
use serde::Serialize;
use std::collections::BTreeMap;

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TournamentTable {
    /// The players, the best first.
    #[serde(rename = "players")]
    pub rows: Vec<PlayerRow>,
    /// The results of each seat, over all players.
    pub seats: Vec<Tally>,
    /// How many games ended in each way.
    pub endings: BTreeMap<Ending, u64>,
    /// The players by kind of setup; empty if all setups are of one kind.
    pub kinds: Vec<KindTable>,
    /// What the sequential test says, where there is one.
    pub sprt: Option<SprtVerdict>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PlayerRow {
    /// The player's index, in the order of the tournament file.
    #[serde(skip)]
    pub player: usize,
    pub name: String,
    pub games: u64,
    /// Wins, draws and losses against each other player of each game.
    #[serde(flatten)]
    pub tally: Tally,
    /// Its Elo, relative to the mean of all players.
    #[serde(flatten)]
    pub elo: Elo,
    /// The likelihood, 0 to 1, that it is stronger than the next player in the table (LOS). `None` for the last row,
    /// and where too little is known.
    #[serde(rename = "los", serialize_with = "json::likelihood")]
    pub superiority: Option<f64>,
    /// Its results from each seat.
    pub seats: Vec<Tally>,
    /// How many games it lost otherwise than by the rules.
    pub lost_by: LostBy,
    /// Its results against each player it has met, in the order of the table.
    pub against: Vec<Against>,
}

/// The results of a player against one other.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Against {
    /// The other player's index, in the order of the tournament file.
    #[serde(skip)]
    pub player: usize,
    pub name: String,
    #[serde(flatten)]
    pub tally: Tally,
    /// Elo and its error come from these.
    #[serde(flatten)]
    pub sets: Sets,
    /// The difference in Elo, by the games of these two alone.
    #[serde(flatten)]
    pub elo: Elo,
    /// The likelihood of being stronger than the other, 0 to 1, by the games of these two alone.
    #[serde(rename = "los", serialize_with = "json::likelihood")]
    pub superiority: Option<f64>,
}

/// Wins, draws and losses. A game with more than two seats counts once against each of the others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// How often the player did better than the other.
    pub wins: u64,
    /// How often both did equally well.
    pub draws: u64,
    /// How often the player did worse.
    pub losses: u64,
}

/// How many games were lost in each way that is not by the rules.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LostBy(pub BTreeMap<Ending, u64>);

impl Default for LostBy {
    fn default() -> LostBy {
        LostBy(Ending::LOSSES.map(|ending| (ending, 0)).into())
    }
}

impl Tally {
    pub(super) fn count(&mut self, halves: u64) {
        match halves {
            0 => self.losses += 1,
            1 => self.draws += 1,
            _ => self.wins += 1,
        }
    }

    /// The number of results.
    pub fn total(self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// A point for each win and half a point for each draw.
    pub fn points(self) -> Points {
        Points { halves: 2 * self.wins + self.draws }
    }

    /// The share of all points, 0 to 1.
    pub fn score(self) -> f64 {
        self.points().as_f64() / self.total().max(1) as f64
    }
}

impl LostBy {
    pub(super) fn count(&mut self, ending: Ending) {
        if let Some(count) = self.0.get_mut(&ending) {
            *count += 1;
        }
    }
}

impl Results {
    pub fn table(&self) -> TournamentTable {
        TournamentTable {
            rows: self.all.rows(&self.names),
            seats: self.all.seats.clone(),
            endings: self.all.endings.clone(),
            kinds: kinds::tables(&self.names, &self.all, &self.kinds),
            sprt: None,
        }
    }
}

impl Counts {
    /// The players with these names, the best first.
    pub(super) fn rows(&self, names: &[String]) -> Vec<PlayerRow> {
        let ratings = rate(names.len(), &self.pairings, &self.groups);
        let mut rows: Vec<PlayerRow> =
            (0..names.len()).map(|player| self.row(player, names, &ratings)).collect();
        let height = |row: &PlayerRow| row.elo.height(row.tally.score());
        rows.sort_by(|a, b| {
            (height(b).total_cmp(&height(a)))
                .then(b.tally.score().total_cmp(&a.tally.score()))
                .then(a.player.cmp(&b.player))
        });
        let mut rank = vec![0; rows.len()];
        for (place, row) in rows.iter().enumerate() {
            rank[row.player] = place;
        }
        for place in 0..rows.len() {
            rows[place].against.sort_by_key(|against| rank[against.player]);
            let next = rows.get(place + 1).map(|next| next.player);
            rows[place].superiority = next.and_then(|next| {
                let met = rows[place].against.iter().find(|against| against.player == next);
                // With more than two players, their games against others count too.
                let by_all = || ratings.superiority(rows[place].player, next);
                let by_both = || met.and_then(|against| against.superiority);
                if rows.len() == 2 { by_both() } else { by_all().or_else(by_both) }
            });
        }
        rows
    }

    fn row(&self, player: usize, names: &[String], ratings: &Ratings) -> PlayerRow {
        let totals = &self.players[player];
        let others = (0..self.players.len()).filter(|other| *other != player);
        let against: Vec<Against> =
            others.filter_map(|other| self.against(player, other, names)).collect();
        let elo = match &against[..] {
            [other] if self.players.len() == 2 => other.elo.halved(),
            _ => ratings.elo(player),
        };
        PlayerRow {
            player,
            name: names[player].clone(),
            games: totals.games,
            tally: totals.tally,
            elo,
            superiority: None,
            seats: totals.seats.clone(),
            lost_by: totals.lost_by.clone(),
            against,
        }
    }

    fn against(&self, player: usize, other: usize, names: &[String]) -> Option<Against> {
        let Pairing { tally, sets } = self.pairings.get(&(player, other))?.clone();
        Some(Against {
            player: other,
            name: names[other].clone(),
            tally,
            elo: sets.elo(),
            superiority: sets.superiority(),
            sets,
        })
    }
}
