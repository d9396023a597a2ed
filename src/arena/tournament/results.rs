//! The results of a tournament so far, and the table that is made of them.
//!
//! What is counted at once are points, wins, draws and losses. Strength, with what it may be wrong by, is counted of
//! whole *sets*: games of the same players on the same setup with the same opening, in which each sits at each seat once.
//! Games of a set that is not whole yet wait here.

mod elo;
mod json;
mod rating;
mod sprt;
mod table;
#[cfg(test)]
mod tests;
mod text;

pub use elo::Elo;
pub use sprt::{Hypothesis, Sprt, SprtSettings, Verdict};
pub use table::{Against, LostBy, Row, Table, Tally};

use super::{Ending, GameLine, Points};
use elo::Sets;
use std::collections::{BTreeMap, HashMap};

/// The results so far. Games can be added in any order.
#[derive(Clone, Debug)]
pub struct Results {
    names: Vec<String>,
    players: Vec<Totals>,
    /// What each player got against each other, of whom it comes first.
    pairings: BTreeMap<(usize, usize), Pairing>,
    /// What players got who played sets together, by who they are, in their order.
    groups: BTreeMap<Vec<usize>, Group>,
    seats: Vec<Tally>,
    endings: BTreeMap<Ending, u64>,
    open: HashMap<u64, OpenSet>,
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
    /// What ended it.
    pub termination: Ending,
    /// The seat that brought this end, from 0, if one did.
    pub by: Option<u8>,
}

/// What is counted for a player.
#[derive(Clone, Debug, Default)]
struct Totals {
    games: u64,
    tally: Tally,
    /// By the seat at which it sat.
    seats: Vec<Tally>,
    lost_by: LostBy,
}

/// What the first of two players got against the second.
#[derive(Clone, Debug, Default)]
struct Pairing {
    tally: Tally,
    sets: Sets,
}

/// What players got who played sets together: how many sets, the sum of what each got in a set, and the sums
/// of the products of what two of them got, row by row. All in half points.
#[derive(Clone, Debug)]
struct Group {
    sets: u64,
    sums: Vec<u64>,
    products: Vec<u64>,
}

/// A set that is not whole yet: the players, in their order, how many games there were, and the half points
/// that each got against each, row by row.
#[derive(Clone, Debug)]
struct OpenSet {
    players: Vec<usize>,
    games: usize,
    halves: Vec<u64>,
}

impl<'a> Played<'a> {
    /// What its line says of a game.
    pub fn new(set: u64, players: &'a [usize], line: &'a GameLine) -> Played<'a> {
        let (points, termination, by) = (&line.points, line.termination, line.by);
        Played { set, players, points, termination, by }
    }

    /// What the player at a seat got against the one at another, in half points.
    fn halves(&self, seat: usize, other: usize) -> u64 {
        match self.points[seat].cmp(&self.points[other]) {
            std::cmp::Ordering::Greater => 2,
            std::cmp::Ordering::Equal => 1,
            std::cmp::Ordering::Less => 0,
        }
    }
}

impl Results {
    /// No games yet between these players.
    pub fn new(names: Vec<String>) -> Results {
        Results {
            players: vec![Totals::default(); names.len()],
            names,
            pairings: BTreeMap::new(),
            groups: BTreeMap::new(),
            seats: Vec::new(),
            endings: BTreeMap::new(),
            open: HashMap::new(),
        }
    }

    /// Adds a game. One with players whom nobody knows, or without points for each of them, counts for nothing.
    pub fn add(&mut self, played: &Played<'_>) {
        let seats = played.players.len();
        let is_known = |&player: &usize| player < self.players.len();
        if played.points.len() != seats || !played.players.iter().all(is_known) {
            return;
        }
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
        self.add_to_set(played);
    }

    fn add_to_set(&mut self, played: &Played<'_>) {
        let seats = played.players.len();
        let set = self.open.entry(played.set).or_insert_with(|| {
            let mut players = played.players.to_vec();
            players.sort_unstable();
            OpenSet { players, games: 0, halves: vec![0; seats * seats] }
        });
        let places: Option<Vec<usize>> =
            played.players.iter().map(|player| set.players.binary_search(player).ok()).collect();
        let Some(places) = places.filter(|places| places.len() == set.players.len()) else {
            return;
        };
        set.games += 1;
        for (seat, place) in places.iter().enumerate() {
            for (other, beside) in places.iter().enumerate().filter(|(other, _)| *other != seat) {
                set.halves[place * seats + beside] += played.halves(seat, other);
            }
        }
        if set.games == seats
            && let Some(set) = self.open.remove(&played.set)
        {
            self.close(&set);
        }
    }

    /// Counts a set that is whole.
    fn close(&mut self, set: &OpenSet) {
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
