//! Counting the results of a tournament, and making the table.
//!
//! Points, wins, draws and losses are counted game by game. Elo and its error are computed from complete *sets*: games
//! of the same players on the same setup with the same opening, in which each player sits at each seat once. The games
//! of a set that is not complete are kept until it is.

mod elo;
mod json;
mod rating;
mod sprt;
mod table;
#[cfg(test)]
mod tests;
mod text;

pub use elo::Elo;
pub use sprt::{Hypothesis, Sprt, SprtSettings, SprtVerdict};
pub use table::{Against, LostBy, PlayerRow, Tally, TournamentTable};

use super::{Ending, GameLine, Points};
use elo::Sets;
use std::collections::{BTreeMap, HashMap};

/// The results so far. Games can be added in any order.
#[derive(Clone, Debug)]
pub struct Results {
    names: Vec<String>,
    players: Vec<Totals>,
    /// The results of each two players, with the smaller index first in the key.
    pairings: BTreeMap<(usize, usize), Pairing>,
    /// The sums over the sets of each group of players; the key has their indices, sorted.
    groups: BTreeMap<Vec<usize>, Group>,
    seats: Vec<Tally>,
    endings: BTreeMap<Ending, u64>,
    open: HashMap<u64, OpenSet>,
}

/// A game to be counted.
#[derive(Clone, Copy, Debug)]
pub struct PlayedGame<'a> {
    /// The number of its set.
    pub set: u64,
    /// The players, by their index, the one at the first seat first.
    pub players: &'a [usize],
    /// The points of each seat.
    pub points: &'a [Points],
    /// What ended it.
    pub termination: Ending,
    /// The seat, from 0, that lost otherwise than by the rules, if one did.
    pub by: Option<u8>,
}

/// The counts of a player.
#[derive(Clone, Debug, Default)]
struct Totals {
    games: u64,
    tally: Tally,
    /// For each seat, the results from that seat.
    seats: Vec<Tally>,
    lost_by: LostBy,
}

/// The results of two players, as wins, draws and losses of the first.
#[derive(Clone, Debug, Default)]
struct Pairing {
    tally: Tally,
    sets: Sets,
}

/// Sums over all complete sets of a group of players, in half points.
#[derive(Clone, Debug)]
struct Group {
    sets: u64,
    /// For each player, the sum of its results.
    sums: Vec<u64>,
    /// For each two players, the sum of the products of their results in a set; a matrix, row by row.
    products: Vec<u64>,
}

/// A set that is not complete yet.
#[derive(Clone, Debug)]
struct OpenSet {
    /// The players' indices, sorted.
    players: Vec<usize>,
    /// How many of its games were played.
    games: usize,
    /// The half points of each player against each other; a matrix, row by row.
    halves: Vec<u64>,
}

impl<'a> PlayedGame<'a> {
    /// The game of a line, which belongs to this set.
    pub fn new(set: u64, players: &'a [usize], line: &'a GameLine) -> PlayedGame<'a> {
        let (points, termination, by) = (&line.points, line.termination, line.by);
        PlayedGame { set, players, points, termination, by }
    }

    /// The result of one seat against another, in half points.
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

    /// Adds a game. One with an unknown player, or without points for every seat, is ignored.
    pub fn add(&mut self, played: &PlayedGame<'_>) {
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

    fn add_to_set(&mut self, played: &PlayedGame<'_>) {
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

    /// Counts a complete set.
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
