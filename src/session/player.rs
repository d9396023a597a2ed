//! Who sits at a seat.

use crate::printable::printable;
use crate::rules::Seat;
use crate::search::{Horizon, Level};
use std::fmt;
use std::path::Path;
use std::str::FromStr;
use std::time::Duration;

/// Who sits at a seat.
///
/// [`Display`](fmt::Display) writes it as records and commands do: a person's name, `engine:strong,time=5,seed=7` with
/// what differs from the defaults, or `cmd:` and the command line of a program, as in `cmd:python3 bot.py`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Player {
    /// A person at the keyboard. The name may be empty.
    Person(String),
    /// An engine of ours.
    Engine(EngineSeat),
    /// A program of the user's. Code that has this value may start it: see [`Player::named`].
    Program(ProgramSeat),
}

/// An engine at a seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EngineSeat {
    /// How well it plays.
    pub level: Level,
    /// How many tenths of a second it may think about a move, at least 1.
    pub tenths: u32,
    /// The seed of its random choices. Without one they differ from match to match.
    pub seed: Option<u32>,
}

/// A program at a seat, which speaks the Universal Game Interface.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProgramSeat {
    called: String,
    /// Whether that is its name among the programs of the user's settings.
    is_named: bool,
    command: String,
    /// How many tenths of a second it may think about a move, at least 1, where there is no clock.
    pub tenths: u32,
}

/// Why a text that begins like an engine or a program is neither, in one clause.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParsePlayerError(String);

impl fmt::Display for ParsePlayerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ParsePlayerError {}

const ENGINE: &str = "engine:";
const PROGRAM: &str = "cmd";

/// Programs that run a file. A seat is then named after that file.
const RUNNERS: [&str; 12] =
    ["bash", "bun", "deno", "env", "java", "node", "perl", "python", "python3", "ruby", "sh", "uv"];

impl EngineSeat {
    /// The least and the most tenths of a second.
    pub const TENTHS: std::ops::RangeInclusive<u32> = 1..=36_000;

    /// An engine of this level, with two seconds a move.
    pub const fn new(level: Level) -> EngineSeat {
        EngineSeat { level, tenths: 20, seed: None }
    }

    /// What it is called at the table: by its level.
    pub const fn name(self) -> &'static str {
        match self.level {
            Level::Beginner => "Beginner",
            Level::Casual => "Casual",
            Level::Skilled => "Skilled",
            Level::Strong => "Strong",
            Level::Perfect => "Perfect",
        }
    }

    /// How long it may think about a move.
    pub const fn time(self) -> Duration {
        Duration::from_millis(100 * self.tenths as u64)
    }
}

impl ProgramSeat {
    /// A program with this command line and two seconds a move. The line is split as a shell does it; `None`
    /// where nothing is in it, or a quote in it has no end.
    pub fn new(command: &str) -> Option<ProgramSeat> {
        let words = shlex::split(command).filter(|words| !words.is_empty())?;
        let file = |word: &String| {
            Path::new(word).file_name().map(|name| name.to_string_lossy().into_owned())
        };
        let mut files = words.iter().filter(|word| !word.starts_with('-')).filter_map(file);
        let first = files.next().unwrap_or_else(|| command.to_owned());
        let called = if RUNNERS.contains(&&*first) { files.next().unwrap_or(first) } else { first };
        let command = command.to_owned();
        Some(ProgramSeat {
            called,
            is_named: false,
            command,
            tenths: EngineSeat::new(Level::Strong).tenths,
        })
    }

    /// The same with its name among the programs of the user's settings.
    #[must_use]
    pub fn with_name(self, name: &str) -> ProgramSeat {
        ProgramSeat { called: name.to_owned(), is_named: true, ..self }
    }

    /// What it is called at the table: as in the settings, or like the file it runs.
    pub fn name(&self) -> &str {
        &self.called
    }

    /// The command line that starts it.
    pub fn command(&self) -> &str {
        &self.command
    }

    /// The program and its arguments.
    pub fn words(&self) -> Vec<String> {
        shlex::split(&self.command).unwrap_or_default()
    }

    /// How long it may think about a move, where there is no clock.
    pub const fn time(&self) -> Duration {
        Duration::from_millis(100 * self.tenths as u64)
    }
}

impl Player {
    /// The player that a name from a file stands for: an engine, or else a person. A program becomes a person
    /// too, with its command as the name, so that no file can start a program.
    pub fn named(name: &str) -> Player {
        match name.parse() {
            Ok(Player::Program(_)) | Err(_) => Player::Person(name.to_owned()),
            Ok(player) => player,
        }
    }

    /// The name for a list, from the name in a record or journal: a program is called like its file, not by its
    /// whole command line.
    pub fn called(name: &str) -> String {
        name.parse().map_or_else(|_| name.to_owned(), |player: Player| player.name().to_owned())
    }

    /// What it is called at the table.
    pub fn name(&self) -> &str {
        match self {
            Player::Person(name) => name,
            Player::Engine(engine) => engine.name(),
            Player::Program(program) => program.name(),
        }
    }

    /// Whether it is a person.
    pub const fn is_person(&self) -> bool {
        matches!(self, Player::Person(_))
    }

    /// How many tenths of a second it may think about a move, where there is no clock; 0 for a person, who has
    /// no limit.
    pub const fn tenths(&self) -> u32 {
        match self {
            Player::Person(_) => 0,
            Player::Engine(engine) => engine.tenths,
            Player::Program(program) => program.tenths,
        }
    }

    /// Sets how many tenths of a second it may think about a move. For a person this does nothing.
    pub const fn set_tenths(&mut self, most: u32) {
        match self {
            Player::Person(_) => {}
            Player::Engine(EngineSeat { tenths, .. })
            | Player::Program(ProgramSeat { tenths, .. }) => *tenths = most,
        }
    }

    /// How long it may think about a move, where there is no clock; 0 for a person.
    pub const fn time(&self) -> Duration {
        Duration::from_millis(100 * self.tenths() as u64)
    }

    /// The same in seconds, as text: `2`, `0.5`.
    pub fn seconds(&self) -> String {
        seconds(self.tenths())
    }

    /// Whether it can do what its level promises in a position where engines see this far. The
    /// error says why not.
    pub fn promise(&self, horizon: &Horizon) -> Result<(), String> {
        match (self, horizon) {
            (Player::Engine(EngineSeat { level: Level::Perfect, .. }), Horizon::Sees(far)) => {
                Err(format!("perfect is for games solved within the time; here strong sees {far}"))
            }
            _ => Ok(()),
        }
    }

    /// The engine of ours, if it is one.
    pub const fn engine(&self) -> Option<EngineSeat> {
        match self {
            Player::Engine(engine) => Some(*engine),
            Player::Person(_) | Player::Program(_) => None,
        }
    }

    /// The program, if it is one.
    pub const fn program(&self) -> Option<&ProgramSeat> {
        match self {
            Player::Program(program) => Some(program),
            Player::Person(_) | Player::Engine(_) => None,
        }
    }
}

/// Who sits where: one player for each seat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Players(Vec<Player>);

impl Players {
    /// The players at a table of this many seats. Those that are missing or have no name become `Player 1`
    /// and so on.
    pub fn seated(seats: u8, players: Vec<Player>) -> Players {
        let mut players: Vec<Player> = players.into_iter().take(seats.into()).collect();
        players.resize(seats.into(), Player::Person(String::new()));
        for (number, player) in (1..).zip(&mut players) {
            if let Player::Person(name) = player {
                *name = match name.trim() {
                    "" => format!("Player {number}"),
                    name => name.to_owned(),
                };
            }
        }
        Players(players)
    }

    /// The same by their names, as they are read from a file; see [`Player::named`].
    pub fn named(seats: u8, names: &[String]) -> Players {
        Players::seated(seats, names.iter().map(|name| Player::named(name)).collect())
    }

    /// All of them, in the order of their seats.
    pub fn iter(&self) -> impl Iterator<Item = (Seat, &Player)> {
        (0..).map(Seat::new).zip(&self.0)
    }

    /// What the player at a seat is called at the table.
    pub fn name(&self, seat: Seat) -> &str {
        self.0.get(seat.index()).map_or("", Player::name)
    }

    /// The same players, with names that can be printed and that no two of them share: where two are called
    /// `Strong`, the one at the first seat becomes `Strong 1`.
    #[must_use]
    pub fn with_distinct_names(&self) -> Players {
        let is_shared =
            |name: &str| self.iter().filter(|(_, other)| other.name() == name).count() > 1;
        let apart = self.iter().map(|(seat, player)| {
            let name = printable(player.name());
            let shared = is_shared(player.name());
            Player::Person(if shared { format!("{name} {seat}") } else { name.into_owned() })
        });
        Players(apart.collect())
    }

    /// The engine at a seat, ours or a program, if one sits there.
    pub fn engine(&self, seat: Seat) -> Option<&Player> {
        self.0.get(seat.index()).filter(|player| !player.is_person())
    }

    /// The seats of people.
    pub fn people(&self) -> impl Iterator<Item = Seat> {
        self.iter().filter(|(_, player)| player.is_person()).map(|(seat, _)| seat)
    }

    /// The programs.
    pub fn programs(&self) -> impl Iterator<Item = &ProgramSeat> {
        self.0.iter().filter_map(Player::program)
    }

    /// Whether only engines play.
    pub fn are_engines(&self) -> bool {
        self.people().next().is_none()
    }

    /// All of them, the one at the first seat first.
    pub fn as_slice(&self) -> &[Player] {
        &self.0
    }

    /// Their names, as they are written.
    pub fn names(&self) -> Vec<String> {
        self.0.iter().map(ToString::to_string).collect()
    }

    /// The names of people, without `Player 1` and the like.
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

    /// Reads what is typed: a name, an engine, or a program.
    fn from_str(text: &str) -> Result<Player, ParsePlayerError> {
        if let Some(words) = text.strip_prefix(ENGINE) {
            return parse_engine(words).map(Player::Engine);
        }
        match text.strip_prefix(PROGRAM).and_then(|rest| rest.split_once(':')) {
            Some((words, command)) if words.is_empty() || words.starts_with(',') => {
                parse_program(words, command.trim()).map(Player::Program)
            }
            _ => Ok(Player::Person(text.to_owned())),
        }
    }
}

fn parse_engine(words: &str) -> Result<EngineSeat, ParsePlayerError> {
    let mut words = words.split(',');
    let level = words.next().unwrap_or_default();
    let level = level.parse().map_err(|why| ParsePlayerError(format!("{level:?}: {why}")))?;
    let mut engine = EngineSeat::new(level);
    for word in words {
        match word.split_once('=') {
            Some(("time", value)) => engine.tenths = parse_tenths(word, value)?,
            Some(("seed", value)) => {
                let seed = value.parse();
                let error = |_| ParsePlayerError(format!("{word}: a seed is a whole number"));
                engine.seed = Some(seed.map_err(error)?);
            }
            _ => return Err(ParsePlayerError(format!("{word}: an engine takes time= and seed="))),
        }
    }
    Ok(engine)
}

/// Reads the options and the command. The options are an empty text or begin with a comma.
fn parse_program(words: &str, command: &str) -> Result<ProgramSeat, ParsePlayerError> {
    let error = || {
        let why = if command.is_empty() { "there is no command" } else { "a quote has no end" };
        ParsePlayerError(format!("{why}; a program is written as cmd:python3 bot.py"))
    };
    let mut program = ProgramSeat::new(command).ok_or_else(error)?;
    for word in words.split(',').skip(1) {
        match word.split_once('=') {
            Some(("time", value)) => program.tenths = parse_tenths(word, value)?,
            Some(("name", value)) if !value.is_empty() => program = program.with_name(value),
            _ => return Err(ParsePlayerError(format!("{word}: a program takes time= and name="))),
        }
    }
    Ok(program)
}

fn parse_tenths(word: &str, value: &str) -> Result<u32, ParsePlayerError> {
    let error = || ParsePlayerError(format!("{word}: seconds to think are from 0.1 to 3600"));
    tenths(value).ok_or_else(error)
}

/// Tenths of a second as seconds, with one place if that is not 0.
fn seconds(tenths: u32) -> String {
    match (tenths / 10, tenths % 10) {
        (seconds, 0) => seconds.to_string(),
        (seconds, part) => format!("{seconds}.{part}"),
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
            Player::Program(program) => program.fmt(f),
        }
    }
}

impl fmt::Display for ProgramSeat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ProgramSeat { called, is_named, command, tenths } = self;
        f.write_str(PROGRAM)?;
        if *is_named {
            write!(f, ",name={called}")?;
        }
        if *tenths != EngineSeat::new(Level::Strong).tenths {
            write!(f, ",time={}", seconds(*tenths))?;
        }
        write!(f, ":{command}")
    }
}

impl fmt::Display for EngineSeat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let EngineSeat { level, tenths, seed } = *self;
        write!(f, "{ENGINE}{level}")?;
        if tenths != EngineSeat::new(level).tenths {
            write!(f, ",time={}", seconds(tenths))?;
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
            "cmd:python3 'my bot.py' --depth 4",
            "cmd,name=mine,time=0.5:./bot, : and so on",
            "cmdr Keen",
            "cmdr: Keen",
        ] {
            assert_eq!(text.parse::<Player>().unwrap().to_string(), text);
        }
        assert_eq!(Player::named("engine:strong,time=2.0"), Player::named("engine:strong"));
    }

    #[test]
    fn what_is_no_engine_says_why() {
        let error = |text: &str| text.parse::<Player>().unwrap_err().to_string();
        assert_eq!(
            error("engine:god"),
            "\"god\": a level is beginner, casual, skilled, strong or perfect"
        );
        for time in ["0", "x", "", "1.25", "3601", "-1", "1e9", "99999999999"] {
            let text = format!("time={time}");
            let reason = "seconds to think are from 0.1 to 3600";
            assert_eq!(error(&format!("engine:strong,{text}")), format!("{text}: {reason}"));
        }
        let example = "a program is written as cmd:python3 bot.py";
        assert_eq!(error("cmd: "), format!("there is no command; {example}"));
        assert_eq!(error("cmd:'bot"), format!("a quote has no end; {example}"));
        assert_eq!(error("cmd,depth=3:bot"), "depth=3: a program takes time= and name=");
        assert_eq!(error("cmd,time=0:bot"), "time=0: seconds to think are from 0.1 to 3600");
        assert_eq!(error("engine:strong,seed=x"), "seed=x: a seed is a whole number");
        assert_eq!(error("engine:strong,depth=3"), "depth=3: an engine takes time= and seed=");
        assert_eq!(Player::named("engine:god"), Player::Person("engine:god".to_owned()));
    }

    #[test]
    fn a_program_that_is_read_is_only_shown() {
        let text = "cmd:rm -rf /";
        assert_eq!(Player::named(text), Player::Person(text.to_owned()));
        assert_eq!(text.parse(), Ok(Player::Program(ProgramSeat::new("rm -rf /").unwrap())));
        assert_eq!(Players::named(2, &[text.to_owned()]).programs().count(), 0);
    }

    #[test]
    fn a_program_is_called_like_its_file() {
        let name = |command: &str| ProgramSeat::new(command).unwrap().name().to_owned();
        assert_eq!(name("python3 -u bots/bot.py --depth 4"), "bot.py");
        assert_eq!(name("./mine 7"), "mine");
        assert_eq!(name("/usr/bin/env python3 bot.py"), "python3");
        assert_eq!(name("'/opt/my bot'"), "my bot");
        assert_eq!(name("python3"), "python3");
        assert_eq!(ProgramSeat::new("bot").unwrap().with_name("mine").name(), "mine");
        assert_eq!(ProgramSeat::new("bot 'a b'").unwrap().words(), ["bot", "a b"]);
    }
}
