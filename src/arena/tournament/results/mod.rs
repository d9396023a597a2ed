//! Counting the results of a tournament, and making the table.
//!
//! Points, wins, draws and losses are counted game by game. Elo and its error are computed from complete *sets*: games
//! of the same players on the same setup with the same opening, in which each player sits at each seat once. The games
//! of a set that is not complete are kept until it is.

mod counts;
mod elo;
mod json;
mod kinds;
mod rating;
mod sprt;
mod table;
#[cfg(test)]
mod tests;
mod text;

pub use elo::{Elo, Sets};
pub use kinds::{Difference, KindRow, KindTable};
pub use sprt::{Hypothesis, Sprt, SprtSettings, SprtVerdict};
pub use table::{Against, LostBy, PlayerRow, Tally, TournamentTable};
pub use text::{TextPart, TextTable};

use super::{Ending, Fixture, GameLine, Points};
use counts::Counts;
use std::collections::HashMap;

/// With more kinds of setups than this there is no table by kind.
const MOST_KINDS: usize = 100;

/// The results so far. Games can be added in any order.
#[derive(Clone, Debug)]
pub struct Results {
    names: Vec<String>,
    all: Counts,
    /// The counts of each kind of setup. Empty if all setups are of one kind, or if there are too many kinds for a
    /// table.
    kinds: Vec<(String, Counts)>,
    open: HashMap<u64, OpenSet>,
}

/// A game to be counted.
#[derive(Clone, Copy, Debug)]
pub struct PlayedGame<'a> {
    /// The number of its set.
    pub set: u64,
    /// The kind of its setup, by its index.
    pub kind: usize,
    /// The players, by their index, the one at the first seat first.
    pub players: &'a [usize],
    /// The points of each seat.
    pub points: &'a [Points],
    /// What ended it.
    pub termination: Ending,
    /// The seat, from 0, that lost otherwise than by the rules, if one did.
    pub by: Option<u8>,
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
    /// The game of the schedule that this line is about.
    pub fn new(fixture: &'a Fixture, line: &'a GameLine) -> PlayedGame<'a> {
        let &Fixture { set, kind, ref players, .. } = fixture;
        let (points, termination, by) = (&line.points, line.termination, line.by);
        PlayedGame { set, kind, players, points, termination, by }
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
    /// No games yet between these players. `kinds` are the kinds of setups.
    pub fn new(names: Vec<String>, kinds: &[String]) -> Results {
        let none = Counts::new(names.len());
        let has_kinds = (2..=MOST_KINDS).contains(&kinds.len());
        let kinds = kinds.iter().filter(|_| has_kinds).map(|kind| (kind.clone(), none.clone()));
        Results { names, kinds: kinds.collect(), all: none, open: HashMap::new() }
    }

    /// Adds a game. One with an unknown player, or without points for every seat, is ignored.
    pub fn add(&mut self, played: &PlayedGame<'_>) {
        let is_known = |&player: &usize| player < self.names.len();
        if played.points.len() != played.players.len() || !played.players.iter().all(is_known) {
            return;
        }
        let kind = self.kinds.get_mut(played.kind).map(|(_, counts)| counts);
        for counts in [&mut self.all].into_iter().chain(kind) {
            counts.add(played);
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
            let kind = self.kinds.get_mut(played.kind).map(|(_, counts)| counts);
            for counts in [&mut self.all].into_iter().chain(kind) {
                counts.close(&set);
            }
        }
    }
}
