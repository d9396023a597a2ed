//! The counts of games and sets from which the table is built.

use super::elo::Sets;
use super::{Ending, LostBy, OpenSet, PlayedGame, Tally};
use std::collections::BTreeMap;

#[derive(Clone, Debug, Default)]
pub(super) struct Counts {
    pub players: Vec<Totals>,
    /// The results of each player against each opponent it has met.
    pub pairings: BTreeMap<(usize, usize), Pairing>,
    /// The sums over the sets of each group of players, keyed by the sorted player indices.
    pub groups: BTreeMap<Vec<usize>, Group>,
    pub seats: Vec<Tally>,
    pub endings: BTreeMap<Ending, u64>,
}

/// The counts of a player.
#[derive(Clone, Debug, Default)]
pub(super) struct Totals {
    pub games: u64,
    pub tally: Tally,
    /// The results from each seat.
    pub seats: Vec<Tally>,
    pub lost_by: LostBy,
}

/// The results of one player against another.
#[derive(Clone, Debug, Default)]
pub(super) struct Pairing {
    pub tally: Tally,
    pub sets: Sets,
}

/// The sums over all complete sets of a group of players, in half points.
#[derive(Clone, Debug, Default)]
pub(super) struct Group {
    pub sets: u64,
    /// The sum of the results of each player.
    pub sums: Vec<u64>,
    /// For each pair of players, the sum of the products of their results in each set; a matrix in row-major order.
    pub products: Vec<u64>,
}

impl Counts {
    pub fn new(players: usize) -> Counts {
        Counts { players: vec![Totals::default(); players], ..Counts::default() }
    }

    pub fn add(&mut self, played: &PlayedGame<'_>) {
        *self.endings.entry(played.termination).or_default() += 1;
        for (seat, &player) in played.players.iter().enumerate() {
            let totals = &mut self.players[player];
            totals.games += 1;
            if played.by == Some(seat as u8) {
                totals.lost_by.count(played.termination);
            }
            for seats in [&mut totals.seats, &mut self.seats] {
                seats.resize(seats.len().max(played.players.len()), Tally::default());
            }
        }
        for (seat, [player, other], halves) in played.results() {
            let totals = &mut self.players[player];
            let pairing = self.pairings.entry((player, other)).or_default();
            for tally in [
                &mut totals.tally,
                &mut totals.seats[seat],
                &mut self.seats[seat],
                &mut pairing.tally,
            ] {
                tally.count(halves);
            }
        }
    }

    /// Adds a complete set.
    pub fn close(&mut self, set: &OpenSet) {
        let mut sums = BTreeMap::<usize, u64>::new();
        for (&(player, other), &halves) in &set.halves {
            let pairing = self.pairings.entry((player, other)).or_default();
            pairing.sets.add(halves, set.games);
            *sums.entry(player).or_default() += halves;
        }
        let (players, sums): (Vec<usize>, Vec<u64>) = sums.into_iter().unzip();
        let group = self.groups.entry(players).or_default();
        group.sets += 1;
        group.sums.resize(sums.len(), 0);
        group.products.resize(sums.len() * sums.len(), 0);
        for (place, sum) in sums.iter().enumerate() {
            group.sums[place] += sum;
            for (beside, other) in sums.iter().enumerate() {
                group.products[place * sums.len() + beside] += sum * other;
            }
        }
    }
}
