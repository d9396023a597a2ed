//! The table of a tournament.

use super::rating::{Ratings, rate};
use super::{Elo, Results, Verdict};
use crate::arena::tournament::{Ending, Points};
use std::collections::BTreeMap;

/// The table of a tournament.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// The players, the best first.
    pub rows: Vec<Row>,
    /// What each seat got against the others, whoever sat there.
    pub seats: Vec<Tally>,
    /// How many games ended by what.
    pub endings: BTreeMap<Ending, u64>,
    /// What the sequential test says, where there is one.
    pub sprt: Option<Verdict>,
}

/// A player in the table.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Which player of the tournament, from 0 in the order of its file.
    pub player: usize,
    /// The name.
    pub name: String,
    /// How many games were played.
    pub games: u64,
    /// What was won of them.
    pub points: Points,
    /// The results against each other player of each game.
    pub tally: Tally,
    /// The strength: of two players, above the other one; of more, above the mean of all.
    pub elo: Elo,
    /// How likely it is that the player is stronger than the next in the table; 0.5 is as likely as not.
    pub superiority: Option<f64>,
    /// The results by the seat at which the player sat.
    pub seats: Vec<Tally>,
    /// The games that were lost otherwise than by the rules.
    pub lost_by: LostBy,
    /// What was got against each that was met, in the order of the table.
    pub against: Vec<Against>,
}

/// What a player got against another.
#[derive(Clone, Debug, PartialEq)]
pub struct Against {
    /// Which player the other is, from 0 in the order of the file.
    pub player: usize,
    /// The results.
    pub tally: Tally,
    /// How many sets of games were whole; the strength is counted of these.
    pub sets: u64,
    /// How much stronger than the other, by what the two have played.
    pub elo: Elo,
    /// How likely it is to be the stronger one, by what the two have played.
    pub superiority: Option<f64>,
}

/// Results against others. A game with more than two seats gives one with each of the others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// How often it did better.
    pub wins: u64,
    /// How often as well.
    pub draws: u64,
    /// How often worse.
    pub losses: u64,
}

/// Games lost otherwise than by the rules.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LostBy {
    /// On time.
    pub time: u64,
    /// By a move that is not legal.
    pub illegal_move: u64,
    /// By the end of the program.
    pub crash: u64,
    /// By no answer.
    pub no_answer: u64,
}

impl Tally {
    pub(super) fn count(&mut self, halves: u64) {
        match halves {
            0 => self.losses += 1,
            1 => self.draws += 1,
            _ => self.wins += 1,
        }
    }

    /// How many results there are.
    pub fn total(self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// A point for each win and half a point for each draw.
    pub fn points(self) -> Points {
        Points { halves: 2 * self.wins + self.draws }
    }

    /// The points of what could have been won, 0 to 1.
    pub fn score(self) -> f64 {
        self.points().as_f64() / self.total().max(1) as f64
    }

    /// The same from the other side.
    fn reversed(self) -> Tally {
        Tally { wins: self.losses, draws: self.draws, losses: self.wins }
    }
}

impl LostBy {
    pub(super) fn count(&mut self, ending: Ending) {
        match ending {
            Ending::Time => self.time += 1,
            Ending::IllegalMove => self.illegal_move += 1,
            Ending::Crash => self.crash += 1,
            Ending::NoAnswer => self.no_answer += 1,
            Ending::Rules | Ending::Limit | Ending::Repetition => {}
        }
    }

    /// How many games by what.
    pub fn each(self) -> [(Ending, u64); 4] {
        [
            (Ending::Time, self.time),
            (Ending::IllegalMove, self.illegal_move),
            (Ending::Crash, self.crash),
            (Ending::NoAnswer, self.no_answer),
        ]
    }

    /// How many games in all.
    pub fn total(self) -> u64 {
        self.each().iter().map(|(_, count)| count).sum()
    }
}

impl Results {
    /// The table as it stands.
    pub fn table(&self) -> Table {
        let ratings = rate(self.names.len(), &self.pairings, &self.groups);
        let mut rows: Vec<Row> =
            (0..self.names.len()).map(|player| self.row(player, &ratings)).collect();
        let height = |row: &Row| row.elo.height(row.tally.score());
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
                // With more than two, what both have done against others tells as well.
                let by_all = || ratings.superiority(rows[place].player, next);
                let by_both = || met.and_then(|against| against.superiority);
                if rows.len() == 2 { by_both() } else { by_all().or_else(by_both) }
            });
        }
        let (seats, endings) = (self.seats.clone(), self.endings.clone());
        Table { rows, seats, endings, sprt: None }
    }

    fn row(&self, player: usize, ratings: &Ratings) -> Row {
        let totals = &self.players[player];
        let others = (0..self.names.len()).filter(|other| *other != player);
        let against: Vec<Against> =
            others.filter_map(|other| self.against(player, other)).collect();
        let elo = match &against[..] {
            [other] if self.names.len() == 2 => other.elo,
            _ => ratings.elo(player),
        };
        Row {
            player,
            name: self.names[player].clone(),
            games: totals.games,
            points: totals.tally.points(),
            tally: totals.tally,
            elo,
            superiority: None,
            seats: totals.seats.clone(),
            lost_by: totals.lost_by,
            against,
        }
    }

    fn against(&self, player: usize, other: usize) -> Option<Against> {
        let pairing = self.pairings.get(&(player.min(other), player.max(other)))?;
        let (tally, sets) = if player < other {
            (pairing.tally, pairing.sets.clone())
        } else {
            (pairing.tally.reversed(), pairing.sets.reversed())
        };
        Some(Against {
            player: other,
            tally,
            sets: sets.count(),
            elo: sets.elo(),
            superiority: sets.superiority(),
        })
    }
}
