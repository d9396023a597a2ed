//! Counts the results of a tournament and builds the table.
//!
//! Points, wins, draws and losses are counted per game. Elo and its error are computed from complete *sets*: games of
//! the same players on the same setup with the same opening, in which each player sits at each seat once. The games of
//! an incomplete set are kept until it is complete.

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
use std::collections::{BTreeMap, HashMap};

/// The maximum number of kinds of setups for a table by kind.
const MAX_KINDS: usize = 100;

/// The results so far. Games can be added in any order.
#[derive(Clone, Debug)]
pub struct Results {
    names: Vec<String>,
    all: Counts,
    /// The counts of each kind of setup. Empty if all setups are of the same kind, or if there are too many kinds for a
    /// table.
    kinds: Vec<(String, Counts)>,
    open: HashMap<u64, OpenSet>,
}

/// A game to count.
#[derive(Clone, Copy, Debug)]
pub struct PlayedGame<'a> {
    /// The index of the game's set.
    pub set: u64,
    /// The index of the setup's kind.
    pub kind: usize,
    /// The indices of the players, in seat order.
    pub players: &'a [usize],
    /// The points of each seat.
    pub points: &'a [Points],
    /// How the game ended.
    pub termination: Ending,
    /// The index of the seat that lost for a reason other than the rules, if any.
    pub by: Option<u8>,
}

/// An incomplete set.
#[derive(Clone, Debug, Default)]
struct OpenSet {
    /// The number of games played.
    games: usize,
    /// The half points of each player against each opponent.
    halves: BTreeMap<(usize, usize), u64>,
}

impl<'a> PlayedGame<'a> {
    /// Combines a line with the scheduled game it belongs to.
    pub fn new(fixture: &'a Fixture, line: &'a GameLine) -> PlayedGame<'a> {
        let &Fixture { set, kind, ref players, .. } = fixture;
        let (points, termination, by) = (&line.points, line.termination, line.by);
        PlayedGame { set, kind, players, points, termination, by }
    }

    /// Returns the results of each seat against each other seat, in half points, with the players at both seats.
    fn results(&self) -> impl Iterator<Item = (usize, [usize; 2], u64)> {
        let seats = 0..self.players.len();
        let pairs =
            seats.clone().flat_map(move |seat| seats.clone().map(move |other| (seat, other)));
        pairs.filter(|(seat, other)| seat != other).map(|(seat, other)| {
            let halves = 1 + self.points[seat].cmp(&self.points[other]) as i8;
            (seat, [seat, other].map(|seat| self.players[seat]), halves as u64)
        })
    }
}

impl Results {
    /// Creates empty results for these players and kinds of setups.
    pub fn new(names: Vec<String>, kinds: &[String]) -> Results {
        let none = Counts::new(names.len());
        let has_kinds = (2..=MAX_KINDS).contains(&kinds.len());
        let kinds = kinds.iter().filter(|_| has_kinds).map(|kind| (kind.clone(), none.clone()));
        Results { names, kinds: kinds.collect(), all: none, open: HashMap::new() }
    }

    /// Adds a game. A game with an unknown player, or without points for every seat, is ignored.
    pub fn add(&mut self, played: &PlayedGame<'_>) {
        let is_known = |&player: &usize| player < self.names.len();
        if played.points.len() != played.players.len() || !played.players.iter().all(is_known) {
            return;
        }
        self.counts(played.kind).for_each(|counts| counts.add(played));
        let set = self.open.entry(played.set).or_default();
        set.games += 1;
        for (_, players, halves) in played.results() {
            *set.halves.entry(players.into()).or_default() += halves;
        }
        if set.games == played.players.len()
            && let Some(set) = self.open.remove(&played.set)
        {
            self.counts(played.kind).for_each(|counts| counts.close(&set));
        }
    }

    /// Returns the counts of all games and the counts of a kind of setup.
    fn counts(&mut self, kind: usize) -> impl Iterator<Item = &mut Counts> {
        [&mut self.all].into_iter().chain(self.kinds.get_mut(kind).map(|(_, counts)| counts))
    }
}
