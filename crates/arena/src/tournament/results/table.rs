//! The table of a tournament.

use super::counts::{Counts, Pairing};
use super::rating::{Ratings, rate};
use super::{Elo, KindTable, Results, Sets, SprtVerdict, json, kinds};
use crate::tournament::{Ending, Points};
use serde::Serialize;
use std::collections::BTreeMap;

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TournamentTable {
    /// The players, best first.
    #[serde(rename = "players")]
    pub rows: Vec<PlayerRow>,
    /// The results of each seat, summed over all players.
    pub seats: Vec<Tally>,
    /// The number of games for each kind of ending.
    pub endings: BTreeMap<Ending, u64>,
    /// The results by kind of setup; empty if all setups are of the same kind.
    pub kinds: Vec<KindTable>,
    /// The verdict of the sequential test, if the tournament uses one.
    pub sprt: Option<SprtVerdict>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PlayerRow {
    /// The player's index, in the order of the tournament file.
    #[serde(skip)]
    pub player: usize,
    pub name: String,
    pub games: u64,
    /// Wins, draws and losses, counted against each opponent in each game.
    #[serde(flatten)]
    pub tally: Tally,
    /// The Elo rating relative to the mean of all players.
    #[serde(flatten)]
    pub elo: Elo,
    /// The likelihood, 0 to 1, that the player is stronger than the next one in the table (LOS). `None` in the last
    /// row, and if there is too little data.
    #[serde(rename = "los", serialize_with = "json::likelihood")]
    pub superiority: Option<f64>,
    /// The results from each seat.
    pub seats: Vec<Tally>,
    /// The number of games lost for reasons other than the rules.
    pub lost_by: LostBy,
    /// The results against each opponent met, in table order.
    pub against: Vec<Against>,
}

/// The results of a player against one opponent.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Against {
    /// The opponent's index, in the order of the tournament file.
    #[serde(skip)]
    pub player: usize,
    pub name: String,
    #[serde(flatten)]
    pub tally: Tally,
    /// The sets from which Elo and its error are computed.
    #[serde(flatten)]
    pub sets: Sets,
    /// The difference in Elo, computed only from games between these two players.
    #[serde(flatten)]
    pub elo: Elo,
    /// The likelihood, 0 to 1, of being stronger than the opponent, computed only from games between these two players.
    #[serde(rename = "los", serialize_with = "json::likelihood")]
    pub superiority: Option<f64>,
}

/// Wins, draws and losses. A game with more than two seats counts once per opponent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// How often the player did better than the opponent.
    pub wins: u64,
    /// How often both players did equally well.
    pub draws: u64,
    /// How often the player did worse than the opponent.
    pub losses: u64,
}

/// The number of games lost in each way other than by the rules.
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

    /// Returns the number of results.
    pub fn total(self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Returns one point for each win and half a point for each draw.
    pub fn points(self) -> Points {
        Points { halves: 2 * self.wins + self.draws }
    }

    /// Returns the share of all points, 0 to 1.
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
    /// Returns the rows of the players with these names, best first.
    pub(super) fn rows(&self, names: &[String]) -> Vec<PlayerRow> {
        let ratings = rate(names.len(), &self.pairings, &self.groups);
        let mut rows: Vec<PlayerRow> =
            (0..names.len()).map(|player| self.row(player, names, &ratings)).collect();
        let sort_key = |row: &PlayerRow| row.elo.sort_key(row.tally.score());
        rows.sort_by(|a, b| {
            (sort_key(b).total_cmp(&sort_key(a)))
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
                // With more than two players, games against third players count too.
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
