//! The plan of a tournament: players, setups, format, and time.

use super::{Extent, SprtSettings};
use quadrille_match::session::seconds;
use quadrille_match::session::{EngineSeat, FischerClock, Player, ProgramSeat, SearchLimits};
use quadrille_rules::{Seat, Setup};
use quadrille_table::catalogue::GameEntry;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

/// The key for the kind of each setup in the terms.
pub(super) const KINDS: &str = "kinds";
/// The key for [`TournamentPlan::seating`] in the terms.
pub(super) const SEATING: &str = "seating";
/// The key for [`TournamentPlan::earlier`] in the terms.
pub(super) const EARLIER: &str = "earlier";
pub(super) const LEVELS: &str = "levels";

/// The contents of a tournament file: players, setups, format, and time.
#[derive(Clone, Debug)]
pub struct TournamentPlan {
    pub entry: &'static GameEntry,
    pub setups: Vec<PlannedSetup>,
    /// The extent of the tournament before each extension. The games of these extents come first in the schedule.
    pub earlier: Vec<Extent>,
    /// The order in which the setups of a round are played; `None` if the file does not specify it.
    pub order: Option<SetupOrder>,
    /// The order of the players in each set. A tournament of an earlier build keeps its own.
    pub seating: SeatOrder,
    pub format: TournamentFormat,
    /// How many times the same players meet on each setup.
    pub rounds: u64,
    pub time: Time,
    /// The tolerance for exceeding the time. `None` selects the default: a short tolerance for a fixed move time, none
    /// for a clock.
    pub margin: Option<Duration>,
    /// Whether the records contain the players' comments on their moves.
    pub comments: bool,
    /// The seed from which the seeds of each game are derived.
    pub seed: u64,
    /// The random moves at the start of each game, if any.
    pub openings: Option<Openings>,
    pub concurrency: usize,
    /// The maximum number of plies, at which a game is a draw.
    pub max_plies: usize,
    /// The folder for the results as written in the file: relative to the file.
    pub out: String,
    /// The sequential test, for two players only.
    pub sprt: Option<SprtSettings>,
    pub players: Vec<Contestant>,
    /// The version of the levels; see `Level::VERSION`.
    pub levels: u32,
}

#[derive(Clone, Debug)]
pub struct PlannedSetup {
    pub setup: Setup,
    /// The number of seats.
    pub seats: u8,
    /// The name of the setup's kind. The results of each kind are also counted separately.
    pub kind: Arc<str>,
}

/// The pairing format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TournamentFormat {
    /// Each player meets every other; with three seats, every three players meet.
    RoundRobin,
    /// The first player meets all others; with three seats, every two others together.
    Gauntlet,
    /// Each player meets the next one in the list; with more seats, neighbors meet in groups.
    Ladder,
}

/// The order in which the setups of a round are played.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SetupOrder {
    /// In an order determined by the seed of the tournament. Setups of one kind, which are neighbors in the file, are
    /// then spread out, so that a tournament that ends early has covered all kinds.
    #[default]
    Shuffled,
    /// In file order.
    Given,
}

/// The cyclic order in which the players of a set sit at the board. It makes no difference with two seats.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SeatOrder {
    /// In an order that is drawn for each set, using the seed of the tournament. Over the rounds, each group of players
    /// takes all orders in turn.
    #[default]
    Drawn,
    /// In file order, as in earlier builds. Who draws after whom, and gains by it, then depends on the file.
    Listed,
}

/// Random moves at the start of each game, the same for every player and seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Openings {
    pub plies: usize,
    pub seed: u64,
}

#[derive(Clone, Debug)]
pub struct Contestant {
    /// The player's name, unique in the tournament.
    pub name: String,
    pub player: Player,
    /// The player's time, if it differs from the tournament's time.
    pub time: Option<Time>,
    /// Whether the program is restarted for each game.
    pub restart: bool,
}

impl Contestant {
    /// Returns whether this is a built-in engine limited by positions or plies instead of time. Such an engine plays
    /// the same game again under the same conditions, provided that it has forgotten all earlier games.
    pub fn is_repeatable(&self) -> bool {
        self.player.engine().is_some_and(|engine| engine.limits.are_set()) && self.time.is_none()
    }

    /// Returns whether each game uses a new instance of the player.
    pub fn begins_afresh(&self) -> bool {
        self.restart || self.is_repeatable()
    }

    /// Returns whether the player's own random choices are the same in every game.
    pub fn has_fixed_seed(&self) -> bool {
        self.player.engine().is_some_and(|engine| engine.seed.is_some())
    }

    /// Returns the player's part of the tournament's terms.
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
        // Earlier builds did not write unset keys.
        if let Value::Object(terms) = &mut terms {
            terms.retain(|_, value| !value.is_null());
        }
        terms
    }
}

/// The time limit of a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Time {
    /// A fixed time per move.
    Move(Duration),
    /// A clock per seat.
    Clock(FischerClock),
}

impl Time {
    pub const fn clock(self) -> Option<FischerClock> {
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
    /// A bare number is ambiguous: `--seat` interprets it as time per move, `--clock` as time per game.
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
    /// Returns the names of the players, in file order.
    pub fn names(&self) -> Vec<String> {
        self.players.iter().map(|player| player.name.clone()).collect()
    }

    /// Returns the current extent.
    pub fn extent(&self) -> Extent {
        Extent { rounds: self.rounds, setups: self.setups.len(), players: self.players.len() }
    }

    /// Returns everything that determines which games are played and how, as JSON, and the kinds of the setups, which
    /// are needed to merge shards. Settings not included, such as `concurrency`, may change between runs.
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
        if self.has_cyclic_orders() {
            terms.insert(SEATING.to_owned(), json!(self.seating));
        }
        // Earlier builds did not write this key.
        if let Some(margin) = self.margin {
            terms.insert("margin".to_owned(), margin.as_secs_f64().into());
        }
        // Earlier builds did not write this key.
        if self.has_levels() && self.levels > 1 {
            terms.insert(LEVELS.to_owned(), self.levels.into());
        }
        if !self.earlier.is_empty() {
            terms.insert(EARLIER.to_owned(), json!(self.earlier));
        }
        terms
    }

    /// Returns whether some setup has enough seats for more than one cyclic order.
    pub(super) fn has_cyclic_orders(&self) -> bool {
        self.setups.iter().any(|setup| setup.seats > 2)
    }

    /// Returns the time limit of a player; `None` if the player has a limit other than time.
    pub fn time_of(&self, player: &Contestant) -> Option<Time> {
        player.time.or((!player.player.limits().are_set()).then_some(self.time))
    }

    /// Returns whether this player's moves depend on how much time it has.
    pub fn goes_by_time(&self, player: &Contestant) -> bool {
        let engine = player.player.engine();
        engine.is_none_or(|engine| engine.level.uses_time()) && self.time_of(player).is_some()
    }

    /// Returns whether a level plays.
    pub fn has_levels(&self) -> bool {
        self.players.iter().any(|player| player.player.engine().is_some())
    }

    /// Returns the version of the levels; `None` if none of these players is a level.
    pub fn levels_of(&self, players: &[usize]) -> Option<u32> {
        let is_level = |&player: &usize| self.players[player].player.engine().is_some();
        players.iter().any(is_level).then_some(self.levels)
    }

    /// Returns the clock shared by all these players; `None` if they have no clock or different clocks.
    pub fn clock_of(&self, players: &[usize]) -> Option<FischerClock> {
        let mut clocks = players.iter().map(|&player| self.time_of(&self.players[player])?.clock());
        let first = clocks.next().flatten()?;
        clocks.all(|clock| clock == Some(first)).then_some(first)
    }

    /// Returns the seed for the player at this seat in a game.
    pub fn seed_of(&self, game: u64, seat: Seat) -> u32 {
        let number = game.wrapping_mul(8).wrapping_add(seat.index() as u64);
        fastrand::Rng::with_seed(self.seed ^ mix(number)).u32(..)
    }
}

/// Maps consecutive numbers to pseudorandom numbers: the mixing step of Steele, Lea and Flood, *Fast Splittable
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
