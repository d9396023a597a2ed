//! The plan of a tournament: players, setups, format, and time.

use super::{Extent, SprtSettings};
use crate::catalogue::GameEntry;
use crate::rules::{Seat, Setup};
use crate::session::clock::seconds;
use crate::session::{EngineSeat, Player, ProgramSeat, SearchLimits, TimeControl};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

/// The key of the terms that has the kind of each setup.
pub(super) const KINDS: &str = "kinds";
/// The key of the terms that has [`TournamentPlan::earlier`].
pub(super) const EARLIER: &str = "earlier";

/// What the file of a tournament says: players, setups, format, and time.
#[derive(Clone, Debug)]
pub struct TournamentPlan {
    pub entry: &'static GameEntry,
    pub setups: Vec<PlannedSetup>,
    /// How much there was before each time that something was added. The games of that come first in the schedule.
    pub earlier: Vec<Extent>,
    /// In which order the setups of a round are played; `None` if the file does not say.
    pub order: Option<SetupOrder>,
    pub format: TournamentFormat,
    /// How often the same players meet on each setup.
    pub rounds: u64,
    pub time: Time,
    /// How many seconds longer than its time a move may take; `None` for the usual: a moment where each move has its
    /// time, and nothing on a clock.
    pub margin: Option<Duration>,
    /// Whether the records have comments on what the players thought of their moves.
    pub comments: bool,
    /// Gives each game its seeds.
    pub seed: u64,
    /// The random moves that each game begins with, if any.
    pub openings: Option<Openings>,
    pub concurrency: usize,
    /// A game of this many plies is a draw.
    pub max_plies: usize,
    /// The folder for the results, as the file names it: relative to the file.
    pub out: String,
    /// The sequential test, of two players.
    pub sprt: Option<SprtSettings>,
    pub players: Vec<Contestant>,
}

#[derive(Clone, Debug)]
pub struct PlannedSetup {
    pub setup: Setup,
    /// Its number of seats.
    pub seats: u8,
    /// What its kind is called. The results of all setups of a kind are also counted by themselves.
    pub kind: Arc<str>,
}

/// Who plays whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TournamentFormat {
    /// Each player against each other; in games of three seats, each three players.
    RoundRobin,
    /// The first player against all others; in games of three seats, the first player with each two others.
    Gauntlet,
    /// Each player against the next one in the list; with more seats, each set of neighbours.
    Ladder,
}

/// In which order the setups of a round are played.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SetupOrder {
    /// In an order that the seed of the tournament decides. So setups of one kind, which are neighbours in the file, do
    /// not come one after another: a tournament that ends early has seen all kinds.
    #[default]
    Shuffled,
    /// In the order of the file.
    Given,
}

/// Random moves at the start of each game, the same ones for every player and seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Openings {
    pub plies: usize,
    pub seed: u64,
}

#[derive(Clone, Debug)]
pub struct Contestant {
    /// The name, which no other player has.
    pub name: String,
    pub player: Player,
    /// Its time, if that is not the time of the tournament.
    pub time: Option<Time>,
    /// Whether its program is started afresh for each game.
    pub restart: bool,
}

impl Contestant {
    /// Whether it is an engine of ours that searches up to a number of positions or plies, whatever the time. Such an
    /// engine plays the same game whenever it is asked the same, if it also has forgotten all earlier games.
    pub fn is_repeatable(&self) -> bool {
        self.player.engine().is_some_and(|engine| engine.limits.are_set()) && self.time.is_none()
    }

    /// Whether each game is played by a new copy of it.
    pub fn begins_afresh(&self) -> bool {
        self.restart || self.is_repeatable()
    }

    /// Whether its own random choices are the same in every game.
    pub fn has_fixed_seed(&self) -> bool {
        self.player.engine().is_some_and(|engine| engine.seed.is_some())
    }

    /// What of it is in the terms of a tournament.
    pub(super) fn terms(&self) -> Value {
        let (engine, program) = (self.player.engine(), self.player.program());
        let level = engine.map(|EngineSeat { level, seed, .. }| {
            seed.map_or(level.to_string(), |seed| format!("{level},seed={seed}"))
        });
        let number = |(name, number): (&str, Option<u32>)| Some((name.to_owned(), number?.into()));
        let options = engine.map_or([None; 2], |engine| [engine.hash, engine.threads]);
        let mut options: Map<String, Value> =
            ["Hash", "Threads"].into_iter().zip(options).filter_map(number).collect();
        let named = program.map_or(&[][..], ProgramSeat::options).iter().cloned();
        options.extend(named.map(|(name, value)| (name, value.into())));
        let SearchLimits { nodes, depth } = self.player.limits();
        let mut terms = json!({
            "name": self.name,
            "engine": level,
            "options": (!options.is_empty()).then_some(options),
            "time": self.time.map(|time| time.to_string()),
            "nodes": nodes,
            "depth": depth,
            "command": program.map(ProgramSeat::command),
            "restart": program.map(|_| self.restart),
        });
        // Earlier builds did not write what is not set.
        if let Value::Object(terms) = &mut terms {
            terms.retain(|_, value| !value.is_null());
        }
        terms
    }
}

/// How long a move may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Time {
    /// A fixed time for each move.
    Move(Duration),
    /// A clock for each seat.
    Clock(TimeControl),
}

impl Time {
    pub const fn clock(self) -> Option<TimeControl> {
        match self {
            Time::Move(_) => None,
            Time::Clock(clock) => Some(clock),
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParseTimeError {
    #[error(
        "must be move:0.1, from 0.001 to 3600 seconds a move, or a clock such as 10+0.1, seconds to begin with and for \
         each move"
    )]
    Form,
    /// A number alone is ambiguous: `--seat` takes it as the time of a move, `--clock` as that of the game.
    #[error("must be move:{0} for each move, or {0}+0 for the game")]
    Number(String),
}

impl FromStr for Time {
    type Err = ParseTimeError;

    fn from_str(text: &str) -> Result<Time, ParseTimeError> {
        let Some(each) = text.strip_prefix("move:") else {
            let clock = text.parse().map_err(|_| ParseTimeError::Form)?;
            let number = || ParseTimeError::Number(text.to_owned());
            return text.contains('+').then_some(Time::Clock(clock)).ok_or_else(number);
        };
        let each =
            seconds(each).filter(|time| !time.is_zero() && *time <= Duration::from_secs(3600));
        each.map(Time::Move).ok_or(ParseTimeError::Form)
    }
}

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Time::Move(each) => write!(f, "move:{}", each.as_secs_f64()),
            Time::Clock(clock) => clock.fmt(f),
        }
    }
}

impl TournamentPlan {
    /// The names of the players, in the order of the file.
    pub fn names(&self) -> Vec<String> {
        self.players.iter().map(|player| player.name.clone()).collect()
    }

    /// How much there is now.
    pub fn extent(&self) -> Extent {
        Extent { rounds: self.rounds, setups: self.setups.len(), players: self.players.len() }
    }

    /// All that decides which games are played, and how, as JSON; and the kinds of the setups, for whoever merges parts.
    /// What is not in it, such as `concurrency`, may change from run to run.
    pub fn terms(&self) -> Map<String, Value> {
        let setups: Vec<_> = self.setups.iter().map(|setup| setup.setup.to_string()).collect();
        let kinds: Vec<_> = self.setups.iter().map(|setup| &*setup.kind).collect();
        let players: Vec<_> = self.players.iter().map(Contestant::terms).collect();
        let terms = json!({
            "game": self.entry.id,
            "setups": setups,
            KINDS: kinds,
            "order": self.order.unwrap_or_default(),
            "format": self.format,
            "rounds": self.rounds,
            "time": self.time.to_string(),
            "seed": self.seed,
            "openings": self.openings,
            "max_plies": self.max_plies,
            "sprt": self.sprt,
            "players": players,
        });
        let Value::Object(mut terms) = terms else { return Map::new() };
        // Earlier builds did not write it.
        if let Some(margin) = self.margin {
            terms.insert("margin".to_owned(), margin.as_secs_f64().into());
        }
        if !self.earlier.is_empty() {
            terms.insert(EARLIER.to_owned(), json!(self.earlier));
        }
        terms
    }

    /// How long a move of a player may take. `None` stands for no limit: the player has another one.
    pub fn time_of(&self, player: &Contestant) -> Option<Time> {
        player.time.or((!player.player.limits().are_set()).then_some(self.time))
    }

    /// Whether what this player plays depends on its time.
    pub fn goes_by_time(&self, player: &Contestant) -> bool {
        let engine = player.player.engine();
        engine.is_none_or(|engine| engine.level.uses_time()) && self.time_of(player).is_some()
    }

    /// The clock that all these players have; `None` if they have none, or different ones.
    pub fn clock_of(&self, players: &[usize]) -> Option<TimeControl> {
        let mut clocks = players.iter().map(|&player| self.time_of(&self.players[player])?.clock());
        let first = clocks.next().flatten()?;
        clocks.all(|clock| clock == Some(first)).then_some(first)
    }

    /// The seed for the player at this seat in a game.
    pub fn seed_of(&self, game: u64, seat: Seat) -> u32 {
        let number = game.wrapping_mul(8).wrapping_add(seat.index() as u64);
        fastrand::Rng::with_seed(self.seed ^ mix(number)).u32(..)
    }
}

/// Maps consecutive numbers to numbers that look random: the mixing step of Steele, Lea and Flood, *Fast Splittable
/// Pseudorandom Number Generators* (2014).
pub(super) fn mix(number: u64) -> u64 {
    let z = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_as_they_are_written() {
        for text in ["move:0.1", "move:3600", "10+0.1", "0.5+0"] {
            assert_eq!(text.parse::<Time>().unwrap().to_string(), text);
        }
        for text in ["", "move:", "move:0", "move:-1", "move:3601", "move:1e3", "0.1s", "+1"] {
            assert_eq!(text.parse::<Time>(), Err(ParseTimeError::Form), "{text}");
        }
    }
}
