//! A player at a seat: a person, a guest, an engine or a program.

mod text;

pub use text::ParsePlayerError;

use crate::search::{Horizon, Level};
use std::path::Path;
use std::time::Duration;

/// Who sits at a seat.
///
/// [`Display`](std::fmt::Display) writes it as journals and commands do: a person's name, `guest:Bob`,
/// `engine:strong,time=5,seed=7` with what differs from the defaults, or `cmd:` and the command line of a program, as in
/// `cmd:python3 bot.py`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Player {
    /// A person at the keyboard. The name may be empty.
    Person(String),
    /// A person at another terminal.
    Guest(GuestSeat),
    /// An engine of ours.
    Engine(EngineSeat),
    /// A program of the user's. Code that has this value may start it: see [`Player::named`].
    Program(ProgramSeat),
}

/// What ends the search for a move, besides its time. Of several limits the first one reached ends it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SearchLimits {
    /// How many positions to look at.
    pub nodes: Option<u64>,
    /// How many plies to look ahead.
    pub depth: Option<u32>,
}

impl SearchLimits {
    /// Whether there is one. Then time is no limit unless it is named as well.
    pub const fn are_set(self) -> bool {
        self.nodes.is_some() || self.depth.is_some()
    }
}

/// A seat for somebody who sits at another terminal.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GuestSeat {
    /// Empty where nobody has come yet; at a table it is then `Player 2` or the like.
    pub name: String,
    /// Whether the guest may ask for hints and values.
    pub hints: bool,
}

/// An engine at a seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EngineSeat {
    /// How well it plays.
    pub level: Level,
    /// How many tenths of a second it may think about a move, where there is no clock; 0 for no limit.
    pub tenths: u32,
    /// The seed of its random choices. Without one they differ from match to match.
    pub seed: Option<u32>,
    /// What else ends its search for a move.
    pub limits: SearchLimits,
    /// MiB for its tables, if not the usual.
    pub hash: Option<u32>,
    /// How many threads it may think with, if not the usual number.
    pub threads: Option<u32>,
}

/// A program at a seat, which speaks the Universal Game Interface.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProgramSeat {
    called: String,
    /// Whether that is its name among the programs of the user's settings.
    is_named: bool,
    command: String,
    /// How many tenths of a second it may think about a move, where there is no clock; 0 for no limit.
    pub tenths: u32,
    /// What else ends its search for a move.
    pub limits: SearchLimits,
    /// Options of its own, by name, that it is given before it plays.
    options: Vec<(String, String)>,
}

/// Programs that run a file. A seat is then named after that file.
const RUNNERS: [&str; 12] =
    ["bash", "bun", "deno", "env", "java", "node", "perl", "python", "python3", "ruby", "sh", "uv"];

/// How many tenths of a second for a move, if nothing is said.
const USUAL_TENTHS: u32 = 20;

impl EngineSeat {
    /// The least and the most tenths of a second.
    pub const TENTHS: std::ops::RangeInclusive<u32> = 1..=36_000;

    /// The same in one clause, for somebody who has typed another time.
    pub const THINKING_TIME: &str = text::THINKING_TIME;

    /// Reads seconds, such as `2` or `0.5`, as tenths of a second; `None` if no engine may think that long, or it
    /// is no number with at most one place.
    pub fn read_seconds(text: &str) -> Option<u32> {
        text::tenths(text)
    }

    /// How long an engine may think about a move, if nothing is said.
    pub const USUAL_TIME: Duration = Duration::from_millis(100 * USUAL_TENTHS as u64);

    /// An engine of this level, with two seconds a move.
    pub const fn new(level: Level) -> EngineSeat {
        let limits = SearchLimits { nodes: None, depth: None };
        EngineSeat { level, tenths: USUAL_TENTHS, seed: None, limits, hash: None, threads: None }
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

    /// Checks that its level takes the limits it has. The error is a sentence.
    pub fn check_limits(&self) -> Result<(), String> {
        let level = self.level;
        let why = || format!("only strong and perfect take nodes and depth, not {level}");
        if self.limits.are_set() && !level.uses_time() { Err(why()) } else { Ok(()) }
    }

    /// Sets a UGI option: `Hash`, `Threads` or `Seed`. The error is a clause that says what it must be.
    pub fn set_option(&mut self, name: &str, value: &str) -> Result<(), String> {
        let number = |most: u32| {
            let number = value.parse().ok().filter(|number| (1..=most).contains(number));
            number.ok_or_else(|| format!("{name} must be a whole number from 1 to {most}"))
        };
        match name.to_ascii_lowercase().as_str() {
            "hash" => self.hash = Some(number(1 << 20)?),
            "threads" => self.threads = Some(number(1024)?),
            "seed" => {
                let seed = value.parse();
                self.seed = Some(seed.map_err(|_| "the seed must be a whole number".to_owned())?);
            }
            _ => return Err("an engine has the options Hash, Threads and Seed".to_owned()),
        }
        Ok(())
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
            tenths: USUAL_TENTHS,
            limits: SearchLimits::default(),
            options: Vec::new(),
        })
    }

    /// Sets an option of its own. Those that say what is played are not the user's to set: the error says so.
    pub fn set_option(&mut self, name: &str, value: &str) -> Result<(), String> {
        if ["Game", "Setup"].iter().any(|fixed| fixed.eq_ignore_ascii_case(name)) {
            return Err(format!("{name} is set by the match"));
        }
        self.options.retain(|(set, _)| !set.eq_ignore_ascii_case(name));
        self.options.push((name.to_owned(), value.to_owned()));
        Ok(())
    }

    /// Options of its own, by name, that it is given before it plays.
    pub fn options(&self) -> &[(String, String)] {
        &self.options
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
}

impl Player {
    /// The player that a name from a file stands for: an engine, or else a person. A program becomes a person
    /// too, with its command as the name, so that no file can start a program, and a guest becomes a person, so that no
    /// file can open a table. A person who is called `guest` stays one.
    pub fn named(name: &str) -> Player {
        match name.parse() {
            Ok(player @ (Player::Person(_) | Player::Engine(_))) => player,
            Ok(Player::Guest(guest)) if !guest.name.is_empty() => Player::Person(guest.name),
            Ok(Player::Guest(_) | Player::Program(_)) | Err(_) => Player::Person(name.to_owned()),
        }
    }

    /// The name for a list, from the name in a record or journal: a program is called like its file, not by its
    /// whole command line.
    pub fn called(name: &str) -> String {
        match name.parse() {
            Ok(Player::Guest(guest)) if guest.name.is_empty() => name.to_owned(),
            Ok(player) => player.name().to_owned(),
            Err(_) => name.to_owned(),
        }
    }

    /// What it is called at the table.
    pub fn name(&self) -> &str {
        match self {
            Player::Person(name) | Player::Guest(GuestSeat { name, .. }) => name,
            Player::Engine(engine) => engine.name(),
            Player::Program(program) => program.name(),
        }
    }

    /// Whether it is a person, at this terminal or at another one.
    pub const fn is_person(&self) -> bool {
        matches!(self, Player::Person(_) | Player::Guest(_))
    }

    /// Whether it is a person at another terminal.
    pub const fn is_guest(&self) -> bool {
        self.guest().is_some()
    }

    /// The seat of a guest, if it is one.
    pub const fn guest(&self) -> Option<&GuestSeat> {
        match self {
            Player::Guest(guest) => Some(guest),
            Player::Person(_) | Player::Engine(_) | Player::Program(_) => None,
        }
    }

    /// How many tenths of a second it may think about a move, where there is no clock; 0 for no limit, which a person
    /// has, and whoever has another limit and no time.
    pub const fn tenths(&self) -> u32 {
        match self {
            Player::Person(_) | Player::Guest(_) => 0,
            Player::Engine(engine) => engine.tenths,
            Player::Program(program) => program.tenths,
        }
    }

    /// Sets how many tenths of a second it may think about a move. For a person this does nothing.
    pub const fn set_tenths(&mut self, most: u32) {
        match self {
            Player::Person(_) | Player::Guest(_) => {}
            Player::Engine(EngineSeat { tenths, .. })
            | Player::Program(ProgramSeat { tenths, .. }) => *tenths = most,
        }
    }

    /// How long it may think about a move, where there is no clock; `None` for no limit.
    pub const fn time(&self) -> Option<Duration> {
        match self.tenths() {
            0 => None,
            tenths => Some(Duration::from_millis(100 * tenths as u64)),
        }
    }

    /// What else ends its search for a move.
    pub const fn limits(&self) -> SearchLimits {
        match self {
            Player::Person(_) | Player::Guest(_) => SearchLimits { nodes: None, depth: None },
            Player::Engine(engine) => engine.limits,
            Player::Program(program) => program.limits,
        }
    }

    /// Sets what ends its search for a move besides time. For a person this does nothing.
    pub const fn set_limits(&mut self, to: SearchLimits) {
        match self {
            Player::Person(_) | Player::Guest(_) => {}
            Player::Engine(EngineSeat { limits, .. })
            | Player::Program(ProgramSeat { limits, .. }) => *limits = to,
        }
    }

    /// Sets an option of the engine or program. The error is a clause that says what is wrong.
    pub fn set_option(&mut self, name: &str, value: &str) -> Result<(), String> {
        match self {
            Player::Person(_) | Player::Guest(_) => Err("a human player has no options".to_owned()),
            Player::Engine(engine) => engine.set_option(name, value),
            Player::Program(program) => program.set_option(name, value),
        }
    }

    /// The same in seconds, as text: `2`, `0.5`.
    pub fn seconds(&self) -> String {
        text::seconds(self.tenths())
    }

    /// Whether it makes a difference how long it may think.
    pub const fn uses_time(&self) -> bool {
        match self {
            Player::Person(_) | Player::Guest(_) => false,
            Player::Engine(engine) => engine.tenths > 0 && engine.level.uses_time(),
            Player::Program(program) => program.tenths > 0,
        }
    }

    /// Whether it can do what its level promises in a position where engines see this far within
    /// [`Level::patience`]. The error says why not.
    pub fn check_level(&self, horizon: Horizon) -> Result<(), String> {
        match (self, horizon) {
            (_, Horizon::Solved) => Ok(()),
            (Player::Engine(EngineSeat { level: Level::Perfect, .. }), _) => {
                Err("perfect cannot solve this game in its time; choose strong".to_owned())
            }
            _ => Ok(()),
        }
    }

    /// The engine of ours, if it is one.
    pub const fn engine(&self) -> Option<EngineSeat> {
        match self {
            Player::Engine(engine) => Some(*engine),
            Player::Person(_) | Player::Guest(_) | Player::Program(_) => None,
        }
    }

    /// The program, if it is one.
    pub const fn program(&self) -> Option<&ProgramSeat> {
        match self {
            Player::Program(program) => Some(program),
            Player::Person(_) | Player::Guest(_) | Player::Engine(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Seat;
    use crate::session::Players;

    #[test]
    fn a_program_that_is_read_is_only_shown() {
        let text = "cmd:rm -rf /";
        assert_eq!(Player::named(text), Player::Person(text.to_owned()));
        assert_eq!(text.parse(), Ok(Player::Program(ProgramSeat::new("rm -rf /").unwrap())));
        let shown = Players::named(2, &[text.to_owned(), "engine:strong".to_owned()]);
        assert_eq!(shown.as_slice()[0], Player::Person("rm".to_owned()));
        assert!(shown.as_slice()[1].engine().is_some());
    }

    #[test]
    fn no_file_makes_a_guest() {
        for (text, name) in [
            ("guest:Bob", "Bob"),
            ("guest,hints:Bob", "Bob"),
            ("guest", "guest"),
            ("guest:", "guest:"),
        ] {
            assert!(text.parse::<Player>().unwrap().is_guest());
            assert_eq!(Player::named(text), Player::Person(name.to_owned()));
            assert_eq!(Player::called(text), name);
        }
    }

    #[test]
    fn a_guest_is_a_person_at_another_terminal() {
        let seats = ["guest", "Ann", "guest,hints:Cy"].map(|text| text.parse().unwrap());
        let mut players = Players::seated(3, seats.to_vec());
        assert_eq!(players.names(), ["guest:Player 1", "Ann", "guest,hints:Cy"]);
        assert_eq!(players.people().count(), 3);
        assert!(players.guests().eq([Seat::new(0), Seat::new(2)]));
        assert_eq!(players.given_names(), ["Ann"], "a guest's name is not the host's");
        for (seat, name) in [(0, " Bob "), (1, "Eve"), (2, ""), (7, "Eve")] {
            players.name_person(Seat::new(seat), name);
        }
        assert_eq!(players.names(), ["guest:Bob", "Eve", "guest,hints:Player 3"]);
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
