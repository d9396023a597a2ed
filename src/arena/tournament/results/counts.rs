//! The counts of games and sets, of which a table is made.

use super::elo::Sets;
use super::{Ending, LostBy, OpenSet, PlayedGame, Tally};
use std::collections::BTreeMap;

#[derive(Clone, Debug)]
pub(super) struct Counts {
    pub players: Vec<Totals>,
    /// The results of each two players, with the smaller index first in the key.
    pub pairings: BTreeMap<(usize, usize), Pairing>,
    /// The sums over the sets of each group of players; the key has their indices, sorted.
    pub groups: BTreeMap<Vec<usize>, Group>,
    pub seats: Vec<Tally>,
    pub endings: BTreeMap<Ending, u64>,
}

/// The counts of a player.
#[derive(Clone, Debug, Default)]
pub(super) struct Totals {
    pub games: u64,
    pub tally: Tally,
    /// For each seat, the results from that seat.
    pub seats: Vec<Tally>,
    pub lost_by: LostBy,
}

/// The results of two players, as wins, draws and losses of the first.
#[derive(Clone, Debug, Default)]
pub(super) struct Pairing {
    pub tally: Tally,
    pub sets: Sets,
}

/// Sums over all complete sets of a group of players, in half points.
#[derive(Clone, Debug)]
pub(super) struct Group {
    pub sets: u64,
    /// For each player, the sum of its results.
    pub sums: Vec<u64>,
    /// For each two players, the sum of the products of their results in a set; a matrix, row by row.
    pub products: Vec<u64>,
}

impl Counts {
    pub fn new(players: usize) -> Counts {
        Counts {
            players: vec![Totals::default(); players],
            pairings: BTreeMap::new(),
            groups: BTreeMap::new(),
            seats: Vec::new(),
            endings: BTreeMap::new(),
        }
    }

    pub fn add(&mut self, played: &PlayedGame<'_>) {
        let seats = played.players.len();
        *self.endings.entry(played.termination).or_default() += 1;
        if self.seats.len() < seats {
            self.seats.resize(seats, Tally::default());
        }
        for (seat, &player) in played.players.iter().enumerate() {
            let totals = &mut self.players[player];
            totals.games += 1;
            if totals.seats.len() < seats {
                totals.seats.resize(seats, Tally::default());
            }
            if played.by == Some(seat as u8) {
                totals.lost_by.count(played.termination);
            }
            for other in (0..seats).filter(|other| *other != seat) {
                let halves = played.halves(seat, other);
                totals.tally.count(halves);
                totals.seats[seat].count(halves);
                self.seats[seat].count(halves);
                let rival = played.players[other];
                if player < rival {
                    self.pairings.entry((player, rival)).or_default().tally.count(halves);
                }
            }
        }
    }

    /// Counts a complete set.
    pub fn close(&mut self, set: &OpenSet) {
        let seats = set.players.len();
        let rows = || set.halves.chunks(seats);
        for (place, row) in rows().enumerate() {
            for (beside, halves) in row.iter().enumerate().skip(place + 1) {
                let pairing = (set.players[place], set.players[beside]);
                let pairing = self.pairings.entry(pairing).or_default();
                pairing.sets.add(*halves, set.games);
            }
        }
        let sums: Vec<u64> = rows().map(|row| row.iter().sum()).collect();
        let group = self.groups.entry(set.players.clone()).or_insert_with(|| Group {
            sets: 0,
            sums: vec![0; seats],
            products: vec![0; seats * seats],
        });
        group.sets += 1;
        for (place, sum) in sums.iter().enumerate() {
            group.sums[place] += sum;
            for (beside, other) in sums.iter().enumerate() {
                group.products[place * seats + beside] += sum * other;
            }
        }
    }
}
