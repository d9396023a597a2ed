//! What a tournament is: who plays what, and on what terms.

use super::SprtSettings;
use crate::catalogue::Entry;
use crate::rules::{Seat, Setup};
use crate::session::clock::seconds;
use crate::session::{EngineSeat, Player, ProgramSeat, TimeControl};
use serde_json::{Map, Value, json};
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// A tournament: who plays what, and on what terms.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The game.
    pub entry: &'static Entry,
    /// Every setup, each with the number of its seats.
    pub setups: Vec<(Setup, u8)>,
    /// Who plays whom.
    pub format: Format,
    /// How often each set of players meets on each setup.
    pub rounds: u64,
    /// How long a move may take.
    pub time: Time,
    /// Gives each game its seeds.
    pub seed: u64,
    /// How games begin, if not with the players' own moves.
    pub openings: Option<Openings>,
    /// How many games are played at once.
    pub concurrency: usize,
    /// A game of more plies is a draw.
    pub max_plies: usize,
    /// The folder for the results, as the file names it.
    pub out: String,
    /// The sequential test, of two players.
    pub sprt: Option<SprtSettings>,
    /// The players.
    pub players: Vec<Contestant>,
}

/// Who plays whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Each against each; with more seats, each set of so many players.
    RoundRobin,
    /// The first player against all others; with more seats, each set that has the first player.
    Gauntlet,
    /// Each player against the next one in the list; with more seats, each set of neighbours.
    Ladder,
}

/// Games that begin with moves by chance, the same ones for every player and seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Openings {
    /// How many moves.
    pub plies: usize,
    /// Where chance begins.
    pub seed: u64,
}

/// A player of a tournament.
#[derive(Clone, Debug)]
pub struct Contestant {
    /// The name, which no other player has.
    pub name: String,
    /// An engine or a program.
    pub player: Player,
    /// Whether the program is started anew for each game.
    pub restart: bool,
}

impl Contestant {
    /// Whether it plays the same game each time where the others do.
    pub fn has_fixed_seed(&self) -> bool {
        self.player.engine().is_some_and(|engine| engine.seed.is_some())
    }
}

/// How long a move may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Time {
    /// So long each.
    Move(Duration),
    /// As a clock has it.
    Clock(TimeControl),
}

impl Time {
    /// The clock, if there is one.
    pub const fn clock(self) -> Option<TimeControl> {
        match self {
            Time::Move(_) => None,
            Time::Clock(clock) => Some(clock),
        }
    }
}

/// A text that is no time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParseTimeError;

impl fmt::Display for ParseTimeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(
            "must be move:0.1, from 0.001 to 3600 seconds a move, or a clock as 10+0.1, \
             seconds to begin with and for each move",
        )
    }
}

impl FromStr for Time {
    type Err = ParseTimeError;

    fn from_str(text: &str) -> Result<Time, ParseTimeError> {
        let Some(each) = text.strip_prefix("move:") else {
            return text.parse().map(Time::Clock).map_err(|_| ParseTimeError);
        };
        let each = seconds(each).filter(|it| !it.is_zero() && *it <= Duration::from_secs(3600));
        each.map(Time::Move).ok_or(ParseTimeError)
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

impl Format {
    const ALL: [(Format, &'static str); 3] = [
        (Format::RoundRobin, "round-robin"),
        (Format::Gauntlet, "gauntlet"),
        (Format::Ladder, "ladder"),
    ];
}

/// A word that is no format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParseFormatError;

impl fmt::Display for ParseFormatError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("must be round-robin, gauntlet or ladder")
    }
}

impl FromStr for Format {
    type Err = ParseFormatError;

    fn from_str(text: &str) -> Result<Format, ParseFormatError> {
        let found = Format::ALL.into_iter().find(|(_, word)| *word == text);
        found.map(|(format, _)| format).ok_or(ParseFormatError)
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let found = Format::ALL.into_iter().find(|(format, _)| format == self);
        f.write_str(found.map_or("", |(_, word)| word))
    }
}

impl Plan {
    /// The names of the players, in the order of the file.
    pub fn names(&self) -> Vec<String> {
        self.players.iter().map(|it| it.name.clone()).collect()
    }

    /// All that decides which games are played, and how: what is not in here can differ from run to run.
    pub fn terms(&self) -> Map<String, Value> {
        let setups: Vec<_> = self.setups.iter().map(|(setup, _)| setup.to_string()).collect();
        let players: Vec<_> = self.players.iter().map(contestant_terms).collect();
        let terms = json!({
            "game": self.entry.id,
            "setups": setups,
            "format": self.format.to_string(),
            "rounds": self.rounds,
            "time": self.time.to_string(),
            "seed": self.seed,
            "openings": self.openings.map(|it| json!({ "plies": it.plies, "seed": it.seed })),
            "max_plies": self.max_plies,
            "sprt": self.sprt.map(|it| json!({
                "elo0": it.elo0, "elo1": it.elo1, "alpha": it.alpha, "beta": it.beta
            })),
            "players": players,
        });
        match terms {
            Value::Object(terms) => terms,
            _ => Map::new(),
        }
    }

    /// The seed of whoever sits at this seat in a game.
    pub fn seed_of(&self, game: u64, seat: Seat) -> u32 {
        let number = game.wrapping_mul(8).wrapping_add(seat.index() as u64);
        fastrand::Rng::with_seed(self.seed ^ mix(number)).u32(..)
    }
}

/// Spreads numbers that follow one another over all numbers, as the last step of the generator of Steele, Lea
/// and Flood, *Fast Splittable Pseudorandom Number Generators*, 2014, does.
pub(super) fn mix(number: u64) -> u64 {
    let z = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

fn contestant_terms(it: &Contestant) -> Value {
    let mut terms = Map::new();
    terms.insert("name".to_owned(), it.name.clone().into());
    if let Some(EngineSeat { level, seed, .. }) = it.player.engine() {
        let seed = seed.map_or(String::new(), |seed| format!(",seed={seed}"));
        terms.insert("engine".to_owned(), format!("{level}{seed}").into());
    }
    if let Some(command) = it.player.program().map(ProgramSeat::command) {
        terms.insert("command".to_owned(), command.into());
        terms.insert("restart".to_owned(), it.restart.into());
    }
    Value::Object(terms)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_and_formats_are_read_as_they_are_written() {
        for text in ["move:0.1", "move:3600", "10+0.1", "0.5+0"] {
            assert_eq!(text.parse::<Time>().unwrap().to_string(), text);
        }
        for text in ["", "move:", "move:0", "move:-1", "move:3601", "move:1e3", "0.1s", "+1"] {
            assert_eq!(text.parse::<Time>(), Err(ParseTimeError), "{text}");
        }
        for text in ["round-robin", "gauntlet"] {
            assert_eq!(text.parse::<Format>().unwrap().to_string(), text);
        }
        assert_eq!("swiss".parse::<Format>(), Err(ParseFormatError));
    }
}
