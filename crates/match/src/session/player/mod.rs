//! A player at a seat: a person, a guest, an engine or a program.

mod text;

pub use text::ParsePlayerError;

use quadrille_rules::Seat;
use quadrille_search::{Horizon, Level};
use quadrille_text::printable::is_name;
use quadrille_text::wording::cut;
use std::path::Path;
use std::time::Duration;

/// The player at a seat.
///
/// [`Display`](std::fmt::Display) gives the form used in journals and commands: a person's name, `guest:Bob`,
/// `engine:strong,time=5,seed=7` with non-default options, or `cmd:` and a program's command line, as in
/// `cmd:python3 bot.py`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Player {
    /// A person at this terminal, by name.
    Person(Option<String>),
    /// A person at a different terminal.
    Guest(GuestSeat),
    Engine(EngineSeat),
    /// A user's program. Any code that holds this value may start the program; see [`Player::named`].
    Program(ProgramSeat),
}

/// Limits of a search other than time. The search ends at the first limit reached.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SearchLimits {
    /// The maximum number of positions searched.
    pub nodes: Option<u64>,
    /// The maximum depth in plies.
    pub depth: Option<u32>,
}

impl SearchLimits {
    /// Returns whether any limit is set. If so, time is unlimited unless a time is given explicitly.
    pub const fn are_set(self) -> bool {
        self.nodes.is_some() || self.depth.is_some()
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GuestSeat {
    /// `None` until someone joins.
    pub name: Option<String>,
    /// Whether the guest may ask for hints and values.
    pub hints: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EngineSeat {
    pub level: Level,
    /// Time per move in tenths of a second, in matches without a clock; 0 for no limit.
    pub tenths: u32,
    /// The seed for random choices. With `None`, choices vary from match to match.
    pub seed: Option<u32>,
    /// Limits other than time.
    pub limits: SearchLimits,
    /// The size of the engine's tables in MiB; `None` for the default.
    pub hash: Option<u32>,
    /// The number of search threads; `None` for the default.
    pub threads: Option<u32>,
}

/// A seat played by a program that speaks the Universal Game Interface.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProgramSeat {
    display_name: String,
    /// Whether `display_name` is the program's name in the user's settings.
    is_named: bool,
    command: String,
    /// Time per move in tenths of a second, in matches without a clock; 0 for no limit.
    pub tenths: u32,
    /// Limits other than time.
    pub limits: SearchLimits,
    /// UGI options to set before the program plays, by name.
    options: Vec<(String, String)>,
}

/// Interpreters and other launchers. A seat is named after the file that they run instead.
const RUNNERS: [&str; 12] =
    ["bash", "bun", "deno", "env", "java", "node", "perl", "python", "python3", "ruby", "sh", "uv"];

/// The default time per move in tenths of a second.
const USUAL_TENTHS: u32 = 20;

impl EngineSeat {
    /// The valid range of the time per move in tenths of a second.
    pub const TENTHS: std::ops::RangeInclusive<u32> = 1..=36_000;

    /// The valid range of the time per move, as a clause for error messages.
    pub const THINKING_TIME: &str = text::THINKING_TIME;

    /// Parses seconds, such as `2` or `0.5`, as tenths of a second. `None` if out of range, or not a number with at
    /// most one decimal place.
    pub fn read_seconds(text: &str) -> Option<u32> {
        text::tenths(text)
    }

    pub const USUAL_TIME: Duration = Duration::from_millis(100 * USUAL_TENTHS as u64);

    /// Creates an engine of this level with two seconds per move.
    pub const fn new(level: Level) -> EngineSeat {
        let limits = SearchLimits { nodes: None, depth: None };
        EngineSeat { level, tenths: USUAL_TENTHS, seed: None, limits, hash: None, threads: None }
    }

    /// Returns the display name, which is the level's name.
    pub const fn name(self) -> &'static str {
        match self.level {
            Level::Beginner => "Beginner",
            Level::Casual => "Casual",
            Level::Skilled => "Skilled",
            Level::Strong => "Strong",
            Level::Perfect => "Perfect",
        }
    }

    /// Checks that the level supports the limits. The error is a sentence.
    pub fn check_limits(&self) -> Result<(), String> {
        let level = self.level;
        let why = || format!("only strong and perfect take nodes and depth, not {level}");
        if self.limits.are_set() && !level.uses_time() { Err(why()) } else { Ok(()) }
    }

    /// Sets a UGI option: `Hash`, `Threads` or `Seed`. The error is a clause that gives the valid values.
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
    /// Creates a program from this command line, split as a shell would split it, with two seconds per move. `None` if
    /// the command line is empty or has an unclosed quote.
    pub fn new(command: &str) -> Option<ProgramSeat> {
        let words = shlex::split(command).filter(|words| !words.is_empty())?;
        let file = |word: &String| {
            Path::new(word).file_name().map(|name| name.to_string_lossy().into_owned())
        };
        let mut files = words.iter().filter(|word| !word.starts_with('-')).filter_map(file);
        let first = files.next().unwrap_or_else(|| command.to_owned());
        let display_name =
            if RUNNERS.contains(&&*first) { files.next().unwrap_or(first) } else { first };
        let command = command.to_owned();
        Some(ProgramSeat {
            display_name,
            is_named: false,
            command,
            tenths: USUAL_TENTHS,
            limits: SearchLimits::default(),
            options: Vec::new(),
        })
    }

    /// Creates a program at another table, of which only the name is known. It has no command, so it cannot be started.
    pub fn elsewhere(name: &str) -> ProgramSeat {
        ProgramSeat {
            display_name: name.to_owned(),
            is_named: false,
            command: String::new(),
            tenths: 0,
            limits: SearchLimits::default(),
            options: Vec::new(),
        }
    }

    /// Sets a UGI option. Refuses options that determine which game is played.
    pub fn set_option(&mut self, name: &str, value: &str) -> Result<(), String> {
        if ["Game", "Setup"].iter().any(|fixed| fixed.eq_ignore_ascii_case(name)) {
            return Err(format!("{name} is set by the match"));
        }
        self.options.retain(|(set, _)| !set.eq_ignore_ascii_case(name));
        self.options.push((name.to_owned(), value.to_owned()));
        Ok(())
    }

    /// Returns the UGI options to set before the program plays, by name.
    pub fn options(&self) -> &[(String, String)] {
        &self.options
    }

    /// Sets the program's name from the user's settings.
    #[must_use]
    pub fn with_name(self, name: &str) -> ProgramSeat {
        ProgramSeat { display_name: name.to_owned(), is_named: true, ..self }
    }

    /// Returns the display name: the name in the settings, or the name of the file that the program runs.
    pub fn name(&self) -> &str {
        &self.display_name
    }

    pub fn command(&self) -> &str {
        &self.command
    }

    /// Returns the program and its arguments.
    pub fn words(&self) -> Vec<String> {
        shlex::split(&self.command).unwrap_or_default()
    }
}

/// The names on display for people without one, by seat.
const PLACEHOLDERS: [&str; 8] = [
    "Player 1", "Player 2", "Player 3", "Player 4", "Player 5", "Player 6", "Player 7", "Player 8",
];

impl Player {
    /// Returns the name on display for an unnamed person at this seat.
    pub fn placeholder(seat: Seat) -> &'static str {
        PLACEHOLDERS.get(seat.index()).copied().unwrap_or_default()
    }

    /// Returns whether a name is the one that a person without a name has at some seat.
    pub fn is_placeholder(name: &str) -> bool {
        PLACEHOLDERS.contains(&name)
    }

    /// Creates a person at this terminal, without a name if the text is blank.
    pub fn person(name: &str) -> Player {
        let name = name.trim();
        Player::Person((!name.is_empty()).then(|| name.to_owned()))
    }

    /// Parses a name read from a file as an engine or else as a person. A program becomes a person named after the
    /// command, so that no file can start a program; a guest becomes a person, so that no file can open a table. A
    /// person named `guest` stays a person.
    pub fn named(name: &str) -> Player {
        match name.parse() {
            Ok(player @ (Player::Person(_) | Player::Engine(_))) => player,
            Ok(Player::Guest(guest)) if guest.name.is_some() => Player::Person(guest.name),
            Ok(Player::Guest(_) | Player::Program(_)) | Err(_) => Player::person(name),
        }
    }

    /// Checks that a person can have this name: it is visible, and not the text of an engine, a program or a guest.
    /// The error is a clause.
    pub fn check_name(name: &str) -> Result<(), String> {
        if text::program_parts(name).is_some() {
            return Err("a command is not a name; use --seat or config.toml".to_owned());
        }
        match name.parse() {
            Ok(Player::Person(_)) if is_name(name) => Ok(()),
            Ok(_) => Err(format!("{:?} is not a name", cut(name))),
            Err(why) => Err(ParsePlayerError::to_string(&why)),
        }
    }

    /// Returns the display name for a name in a record or journal. For a program, this is its file name, not its whole
    /// command line.
    pub fn display_name(name: &str) -> String {
        let player = name.parse::<Player>().ok();
        player.as_ref().and_then(Player::name).unwrap_or(name).to_owned()
    }

    /// Returns the name of the player; `None` for an unnamed person. [`Players::name`](super::Players::name) returns a
    /// name for display.
    pub fn name(&self) -> Option<&str> {
        match self {
            Player::Person(name) | Player::Guest(GuestSeat { name, .. }) => name.as_deref(),
            Player::Engine(engine) => Some(engine.name()),
            Player::Program(program) => Some(program.name()),
        }
    }

    /// Returns whether the player is a person, at this terminal or a different one.
    pub const fn is_person(&self) -> bool {
        matches!(self, Player::Person(_) | Player::Guest(_))
    }

    /// Returns whether the player is a person at a different terminal.
    pub const fn is_guest(&self) -> bool {
        self.guest().is_some()
    }

    pub const fn guest(&self) -> Option<&GuestSeat> {
        match self {
            Player::Guest(guest) => Some(guest),
            Player::Person(_) | Player::Engine(_) | Player::Program(_) => None,
        }
    }

    /// Returns the time per move in tenths of a second, in matches without a clock. 0 means no limit: for people, and
    /// for engines and programs that have only other limits.
    pub const fn tenths(&self) -> u32 {
        match self {
            Player::Person(_) | Player::Guest(_) => 0,
            Player::Engine(engine) => engine.tenths,
            Player::Program(program) => program.tenths,
        }
    }

    /// Sets the time per move in tenths of a second. Does nothing for a person.
    pub const fn set_tenths(&mut self, most: u32) {
        match self {
            Player::Person(_) | Player::Guest(_) => {}
            Player::Engine(EngineSeat { tenths, .. })
            | Player::Program(ProgramSeat { tenths, .. }) => *tenths = most,
        }
    }

    /// Returns the time limit per move in a match without a clock; `None` if there is no limit.
    pub const fn time(&self) -> Option<Duration> {
        match self.tenths() {
            0 => None,
            tenths => Some(Duration::from_millis(100 * tenths as u64)),
        }
    }

    /// Returns the search limits other than time.
    pub const fn limits(&self) -> SearchLimits {
        match self {
            Player::Person(_) | Player::Guest(_) => SearchLimits { nodes: None, depth: None },
            Player::Engine(engine) => engine.limits,
            Player::Program(program) => program.limits,
        }
    }

    /// Sets the search limits other than time. Does nothing for a person.
    pub const fn set_limits(&mut self, to: SearchLimits) {
        match self {
            Player::Person(_) | Player::Guest(_) => {}
            Player::Engine(EngineSeat { limits, .. })
            | Player::Program(ProgramSeat { limits, .. }) => *limits = to,
        }
    }

    /// Sets an option of the engine or program. The error is a clause that describes the problem.
    pub fn set_option(&mut self, name: &str, value: &str) -> Result<(), String> {
        match self {
            Player::Person(_) | Player::Guest(_) => Err("a human player has no options".to_owned()),
            Player::Engine(engine) => engine.set_option(name, value),
            Player::Program(program) => program.set_option(name, value),
        }
    }

    /// Returns the time per move in seconds, as text: `2`, `0.5`.
    pub fn seconds(&self) -> String {
        text::seconds(self.tenths())
    }

    /// Returns whether the time per move affects the player.
    pub const fn uses_time(&self) -> bool {
        match self {
            Player::Person(_) | Player::Guest(_) => false,
            Player::Engine(engine) => engine.tenths > 0 && engine.level.uses_time(),
            Player::Program(program) => program.tenths > 0,
        }
    }

    /// Checks that the level can play at its promised strength from a position with this horizon within
    /// [`Level::patience`]. The error gives the reason.
    pub fn check_level(&self, horizon: Horizon) -> Result<(), String> {
        match (self, horizon) {
            (_, Horizon::Solved) => Ok(()),
            (Player::Engine(EngineSeat { level: Level::Perfect, .. }), _) => {
                Err("perfect cannot solve this game in its time; choose strong".to_owned())
            }
            _ => Ok(()),
        }
    }

    pub const fn engine(&self) -> Option<EngineSeat> {
        match self {
            Player::Engine(engine) => Some(*engine),
            Player::Person(_) | Player::Guest(_) | Player::Program(_) => None,
        }
    }

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
    use crate::session::Players;

    #[test]
    fn program_text_from_a_file_becomes_a_person() {
        let text = "cmd:rm -rf /";
        assert_eq!(Player::named(text), Player::person(text));
        assert_eq!(text.parse(), Ok(Player::Program(ProgramSeat::new("rm -rf /").unwrap())));
        let shown = Players::named(2, &[text.to_owned(), "engine:strong".to_owned()]);
        assert_eq!(shown.as_slice()[0], Player::person("rm"));
        assert!(shown.as_slice()[1].engine().is_some());
    }

    #[test]
    fn guest_text_from_a_file_becomes_a_person() {
        for (text, name) in [
            ("guest:Bob", "Bob"),
            ("guest,hints:Bob", "Bob"),
            ("guest", "guest"),
            ("guest:", "guest:"),
        ] {
            assert!(text.parse::<Player>().unwrap().is_guest());
            assert_eq!(Player::named(text), Player::person(name));
            assert_eq!(Player::display_name(text), name);
        }
    }

    #[test]
    fn name_of_a_person_is_no_other_player() {
        for name in ["Ann", "commander", "cmd", "engineer: Bob", "Zoë"] {
            assert_eq!(Player::check_name(name), Ok(()));
        }
        for command in ["cmd:bot", "cmd:", "cmd:'x", "cmd,time=5:bot", "cmd,x: bot"] {
            let why = "a command is not a name; use --seat or config.toml";
            assert_eq!(Player::check_name(command), Err(why.to_owned()));
        }
        for other in ["engine:strong", "guest", "guest:Bob", "", " ", "a\nb"] {
            assert_eq!(Player::check_name(other), Err(format!("{other:?} is not a name")));
        }
        assert!(Player::check_name("engine:god").unwrap_err().contains("the levels are"));
    }

    #[test]
    fn guest_counts_as_a_person() {
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
    fn placeholder_is_a_name_only_at_other_seats() {
        let seated = |names: &[&str]| {
            Players::named(2, &names.iter().map(ToString::to_string).collect::<Vec<_>>())
        };
        let unnamed = seated(&["Player 1", " "]);
        assert_eq!(unnamed, seated(&[]));
        assert_eq!(unnamed.as_slice(), [Player::Person(None), Player::Person(None)]);
        assert_eq!(unnamed.names(), ["Player 1", "Player 2"]);
        assert!(unnamed.given_names().is_empty());
        assert_eq!(seated(&["Player 2"]).given_names(), ["Player 2"]);
        // Two people are told apart after they have changed seats, and back at their own seats are unnamed again.
        let swapped = Players::seated(2, unnamed.rotated());
        assert_eq!(swapped.names(), ["Player 2", "Player 1"]);
        assert_eq!(Players::seated(2, swapped.rotated()), unnamed);
        let swapped = Players::seated(2, seated(&["", "engine:strong"]).rotated());
        assert_eq!(swapped.only_person(), Some(Seat::SECOND));
        assert_eq!(swapped.as_slice()[1], Player::Person(None));
    }

    #[test]
    fn usual_name_is_that_of_the_first_person_here() {
        let named = |seats: [&str; 3]| {
            let players = seats.map(|text| text.parse().unwrap()).to_vec();
            Players::seated(3, players).with_usual_name("Ann").names()
        };
        assert_eq!(named(["", "", "engine:casual"]), ["Ann", "Player 2", "engine:casual"]);
        assert_eq!(
            named(["engine:casual", "guest", ""]),
            ["engine:casual", "guest:Player 2", "Ann"]
        );
        assert_eq!(named(["Bob", "", ""]), ["Bob", "Player 2", "Player 3"]);
        assert_eq!(named(["", "Ann", ""]), ["Player 1", "Ann", "Player 3"], "one Ann only");
        assert_eq!(named(["guest", "engine:casual", "guest"])[0], "guest:Player 1");
        let unnamed = Players::seated(2, Vec::new());
        assert_eq!(unnamed.clone().with_usual_name(""), unnamed);
    }

    #[test]
    fn name_used_alone_is_that_of_the_only_person_here() {
        let alone = |seats: [&str; 2]| {
            let players = seats.map(|text| text.parse().unwrap()).to_vec();
            Players::seated(2, players).name_used_alone().map(str::to_owned)
        };
        assert_eq!(alone(["Bob", "Ann"]), None);
        assert_eq!(alone(["Bob", ""]), None);
        assert_eq!(alone(["engine:casual", "Bob"]).as_deref(), Some("Bob"));
        assert_eq!(alone(["guest:Eve", "Bob"]).as_deref(), Some("Bob"));
    }

    #[test]
    fn program_is_named_after_its_file() {
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
