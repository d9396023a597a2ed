//! Who sits at a seat.

use crate::printable::printable;
use crate::rules::Seat;
use crate::search::{Horizon, Level};
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// Who sits at a seat, as records and commands write it: a person's name, or
/// `engine:strong,time=5,seed=7` with what differs from the defaults.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Player {
    /// Somebody at the keys. The name may be empty.
    Person(String),
    /// An engine.
    Engine(EngineSeat),
}

/// An engine at a seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EngineSeat {
    /// How well it plays.
    pub level: Level,
    /// How many tenths of a second it may think about a move, at least 1.
    pub tenths: u32,
    /// Where its chance begins; without one it differs from match to match.
    pub seed: Option<u32>,
}

/// Text that begins as an engine does and does not go on so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParsePlayerError(String);

impl fmt::Display for ParsePlayerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ParsePlayerError {}

const ENGINE: &str = "engine:";

impl EngineSeat {
    /// The least and the most tenths of a second.
    pub const TENTHS: std::ops::RangeInclusive<u32> = 1..=36_000;

    /// An engine of this level, with two seconds a move.
    pub const fn new(level: Level) -> EngineSeat {
        EngineSeat { level, tenths: 20, seed: None }
    }

    /// How long it may think about a move, in seconds.
    pub fn seconds(self) -> String {
        match (self.tenths / 10, self.tenths % 10) {
            (seconds, 0) => seconds.to_string(),
            (seconds, part) => format!("{seconds}.{part}"),
        }
    }

    /// What it is called at the table: by its level.
    pub const fn name(self) -> &'static str {
        match self.level {
            Level::Beginner => "Beginner",
            Level::Casual => "Casual",
            Level::Strong => "Strong",
            Level::Perfect => "Perfect",
        }
    }

    /// How long it may think about a move.
    pub const fn time(self) -> Duration {
        Duration::from_millis(100 * self.tenths as u64)
    }
}

impl Player {
    /// Who is meant by a name as it is written; what cannot be an engine is a person.
    pub fn named(name: &str) -> Player {
        name.parse().unwrap_or_else(|_| Player::Person(name.to_owned()))
    }

    /// What it is called at the table.
    pub fn name(&self) -> &str {
        match self {
            Player::Person(name) => name,
            Player::Engine(engine) => engine.name(),
        }
    }

    /// Whether it can keep what its level promises where engines see this far, and if not, why not.
    pub fn promise(&self, horizon: &Horizon) -> Result<(), String> {
        match (self, horizon) {
            (Player::Engine(EngineSeat { level: Level::Perfect, .. }), Horizon::Sees(far)) => {
                Err(format!("perfect is for games solved within the time; here strong sees {far}"))
            }
            _ => Ok(()),
        }
    }

    /// The engine, if it is one.
    pub const fn engine(&self) -> Option<EngineSeat> {
        match self {
            Player::Engine(engine) => Some(*engine),
            Player::Person(_) => None,
        }
    }
}

/// Who sits where, one a seat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Players(Vec<Player>);

impl Players {
    /// People and engines by their names, as they are written. Names that are missing or empty
    /// become `Player 1` and so on.
    pub fn named(seats: u8, names: &[String]) -> Players {
        let player = |seat: usize| match names.get(seat).map(|name| name.trim()) {
            None | Some("") => Player::Person(format!("Player {}", seat + 1)),
            Some(name) => Player::named(name),
        };
        Players((0..usize::from(seats)).map(player).collect())
    }

    /// All of them, in the order of their seats.
    pub fn iter(&self) -> impl Iterator<Item = (Seat, &Player)> {
        (0..).map(Seat::new).zip(&self.0)
    }

    /// What the player at a seat is called at the table.
    pub fn name(&self, seat: Seat) -> &str {
        self.0.get(seat.index()).map_or("", Player::name)
    }

    /// The same people and engines as one speaks of them, each by a name of its own that can be printed:
    /// where two are called `Strong`, the one at the first seat is `Strong 1`.
    #[must_use]
    pub fn told_apart(&self) -> Players {
        let is_shared =
            |name: &str| self.iter().filter(|(_, other)| other.name() == name).count() > 1;
        let apart = self.iter().map(|(seat, player)| {
            let name = printable(player.name());
            let shared = is_shared(player.name());
            Player::Person(if shared { format!("{name} {seat}") } else { name.into_owned() })
        });
        Players(apart.collect())
    }

    /// The engine at a seat, if one sits there.
    pub fn engine(&self, seat: Seat) -> Option<EngineSeat> {
        self.0.get(seat.index())?.engine()
    }

    /// The seats of people.
    pub fn people(&self) -> impl Iterator<Item = Seat> {
        self.iter().filter(|(_, player)| player.engine().is_none()).map(|(seat, _)| seat)
    }

    /// Whether only engines play.
    pub fn are_engines(&self) -> bool {
        self.people().next().is_none()
    }

    /// Their names, as they are written.
    pub fn names(&self) -> Vec<String> {
        self.0.iter().map(ToString::to_string).collect()
    }

    /// The names that people have given, without those that only count the seats.
    pub fn given_names(&self) -> Vec<String> {
        let given = self.iter().filter_map(|(seat, player)| match player {
            Player::Person(name) if *name != format!("Player {seat}") => Some(name.clone()),
            _ => None,
        });
        given.collect()
    }
}

impl FromStr for Player {
    type Err = ParsePlayerError;

    fn from_str(text: &str) -> Result<Player, ParsePlayerError> {
        let Some(words) = text.strip_prefix(ENGINE) else {
            return Ok(Player::Person(text.to_owned()));
        };
        let mut words = words.split(',');
        let error = |reason: String| ParsePlayerError(reason);
        let level = words.next().unwrap_or_default();
        let level = level.parse().map_err(|why| error(format!("{level:?}: {why}")))?;
        let mut engine = EngineSeat::new(level);
        for word in words {
            match word.split_once('=') {
                Some(("time", value)) => {
                    engine.tenths = tenths(value).ok_or_else(|| {
                        error(format!("{word}: seconds to think are from 0.1 to 3600"))
                    })?;
                }
                Some(("seed", value)) => {
                    let seed = value.parse();
                    let seed = seed.map_err(|_| error(format!("{word}: a seed is a whole number")));
                    engine.seed = Some(seed?);
                }
                _ => return Err(error(format!("{word}: an engine takes time= and seed="))),
            }
        }
        Ok(Player::Engine(engine))
    }
}

/// Tenths in a decimal with at most one place, if an engine may think that long.
fn tenths(text: &str) -> Option<u32> {
    let (whole, part) = text.split_once('.').unwrap_or((text, "0"));
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if !digits(whole) || !digits(part) || part.len() != 1 {
        return None;
    }
    let tenths = whole.parse::<u32>().ok()?.checked_mul(10)?.checked_add(part.parse().ok()?)?;
    EngineSeat::TENTHS.contains(&tenths).then_some(tenths)
}

impl fmt::Display for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Player::Person(name) => f.write_str(name),
            Player::Engine(engine) => engine.fmt(f),
        }
    }
}

impl fmt::Display for EngineSeat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let EngineSeat { level, tenths, seed } = *self;
        write!(f, "{ENGINE}{level}")?;
        if tenths != EngineSeat::new(level).tenths {
            write!(f, ",time={}", self.seconds())?;
        }
        seed.map_or(Ok(()), |seed| write!(f, ",seed={seed}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_what_is_read() {
        for text in [
            "Ann",
            "",
            "engineer",
            "engine:perfect",
            "engine:casual,time=0.5",
            "engine:strong,time=60,seed=7",
        ] {
            assert_eq!(text.parse::<Player>().unwrap().to_string(), text);
        }
        assert_eq!(Player::named("engine:strong,time=2.0"), Player::named("engine:strong"));
    }

    #[test]
    fn what_is_no_engine_says_why() {
        let error = |text: &str| text.parse::<Player>().unwrap_err().to_string();
        assert_eq!(error("engine:god"), "\"god\": a level is beginner, casual, strong or perfect");
        for time in ["0", "x", "", "1.25", "3601", "-1", "1e9", "99999999999"] {
            let text = format!("time={time}");
            let reason = "seconds to think are from 0.1 to 3600";
            assert_eq!(error(&format!("engine:strong,{text}")), format!("{text}: {reason}"));
        }
        assert_eq!(error("engine:strong,seed=x"), "seed=x: a seed is a whole number");
        assert_eq!(error("engine:strong,depth=3"), "depth=3: an engine takes time= and seed=");
        assert_eq!(Player::named("engine:god"), Player::Person("engine:god".to_owned()));
    }
}
