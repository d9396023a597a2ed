//! The results of a tournament so far, and the table that is made of them.

use super::Points;

/// The results so far. Games can be added in any order.
#[derive(Clone, Debug)]
pub struct Results {
    names: Vec<String>,
    rows: Vec<Row>,
}

/// What is added of a game.
#[derive(Clone, Copy, Debug)]
pub struct Played<'a> {
    /// Which set of games it belongs to: the same players on the same setup with the same opening, each
    /// at each seat once.
    pub set: u64,
    /// The players, by their index, the one at the first seat first.
    pub players: &'a [usize],
    /// What each seat gets.
    pub points: &'a [Points],
}

/// The table of a tournament.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// The players, the best first.
    pub rows: Vec<Row>,
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
}

impl Results {
    /// No games yet between these players.
    pub fn new(names: Vec<String>) -> Results {
        let row = |(player, name): (usize, &String)| Row {
            player,
            name: name.clone(),
            games: 0,
            points: Points::default(),
        };
        let rows = names.iter().enumerate().map(row).collect();
        Results { names, rows }
    }

    /// Adds a game.
    pub fn add(&mut self, played: &Played<'_>) {
        for (&player, &points) in played.players.iter().zip(played.points) {
            if let Some(row) = self.rows.get_mut(player) {
                row.games += 1;
                row.points += points;
            }
        }
    }

    /// The names of the players, in the order of the file.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The table as it stands.
    pub fn table(&self) -> Table {
        let mut rows = self.rows.clone();
        rows.sort_by(|a, b| b.points.cmp(&a.points).then(a.player.cmp(&b.player)));
        Table { rows }
    }
}
