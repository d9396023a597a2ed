//! The text form of a player in commands and records.

use super::{EngineSeat, GuestSeat, Player, ProgramSeat, SearchLimits, USUAL_TENTHS};
use std::fmt;
use std::str::FromStr;

/// Why a text that begins like a guest, engine or program is invalid, in one clause.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ParsePlayerError(String);

const ENGINE: &str = "engine:";
const PROGRAM: &str = "cmd";
const GUEST: &str = "guest";
/// The suffix for a guest who may ask for hints and values.
const HINTS: &str = ",hints";
/// The prefix for an option of a program, as in `option.Hash=64`.
const OPTION: &str = "option.";

/// The valid range of the time per move, as a clause for error messages.
pub(super) const THINKING_TIME: &str = "the thinking time must be 0.1 to 3600 seconds";

impl FromStr for Player {
    type Err = ParsePlayerError;

    /// Parses user input: a name, a guest, an engine, or a program.
    fn from_str(text: &str) -> Result<Player, ParsePlayerError> {
        if let Some(words) = text.strip_prefix(ENGINE) {
            return parse_engine(words).map(Player::Engine);
        }
        if let Some(rest) = text.strip_prefix(GUEST)
            && (rest.is_empty() || rest.starts_with([',', ':']))
        {
            return parse_guest(rest).map(Player::Guest);
        }
        match program_parts(text) {
            Some((words, command)) => parse_program(words, command.trim()).map(Player::Program),
            None => Ok(Player::person(text)),
        }
    }
}

/// Splits the text of a program into its options and its command.
pub(super) fn program_parts(text: &str) -> Option<(&str, &str)> {
    let (words, command) = text.strip_prefix(PROGRAM)?.split_once(':')?;
    (words.is_empty() || words.starts_with(',')).then_some((words, command))
}

/// Parses the text after the keyword: options, which begin with a comma, and the name, which begins with a colon.
fn parse_guest(rest: &str) -> Result<GuestSeat, ParsePlayerError> {
    let (words, name) = rest.split_once(':').unwrap_or((rest, ""));
    let hints = match words {
        "" => false,
        HINTS => true,
        _ => {
            let why =
                format!("{}: the only option of a guest is hints, as in guest,hints", &words[1..]);
            return Err(ParsePlayerError(why));
        }
    };
    let name = Some(name.trim().to_owned()).filter(|name| !name.is_empty());
    Ok(GuestSeat { name, hints })
}

fn parse_engine(words: &str) -> Result<EngineSeat, ParsePlayerError> {
    let mut words = words.split(',');
    let level = words.next().unwrap_or_default();
    let level = level.parse().map_err(|why| ParsePlayerError(format!("{level:?}: {why}")))?;
    let mut engine = EngineSeat::new(level);
    let mut limits = TypedLimits::default();
    for word in words {
        let wrong = |why: &str| ParsePlayerError(format!("{word}: {why}"));
        match word.split_once('=') {
            Some((name, value)) if limits.take(name, value).map_err(wrong)? => {}
            Some((name @ ("hash" | "threads" | "seed"), value)) => {
                engine.set_option(name, value).map_err(|why| wrong(&why))?;
            }
            _ => {
                return Err(wrong(
                    "an engine takes time=, nodes=, depth=, hash=, threads= and seed=",
                ));
            }
        }
    }
    (engine.tenths, engine.limits) = (limits.tenths(), limits.limits);
    engine.check_limits().map_err(ParsePlayerError)?;
    Ok(engine)
}

/// Search limits as typed by the user.
#[derive(Default)]
struct TypedLimits {
    tenths: Option<u32>,
    limits: SearchLimits,
}

impl TypedLimits {
    /// Parses a limit. Returns `false` if `name` is not a limit.
    fn take(&mut self, name: &str, value: &str) -> Result<bool, &'static str> {
        match name {
            "time" => self.tenths = Some(tenths(value).ok_or(THINKING_TIME)?),
            "nodes" => {
                let nodes = value.parse().ok().filter(|nodes| *nodes > 0);
                self.limits.nodes =
                    Some(nodes.ok_or("nodes must be a whole number of at least 1")?);
            }
            "depth" => {
                let depth = value.parse().ok().filter(|depth| *depth > 0);
                self.limits.depth =
                    Some(depth.ok_or("depth must be a whole number of at least 1")?);
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Returns the time per move. If only other limits are given, the time is unlimited.
    fn tenths(&self) -> u32 {
        self.tenths.unwrap_or(default_tenths(self.limits))
    }
}

/// Returns the default time per move.
const fn default_tenths(limits: SearchLimits) -> u32 {
    if limits.are_set() { 0 } else { USUAL_TENTHS }
}

/// Parses the options and the command. The options are either empty or begin with a comma.
fn parse_program(words: &str, command: &str) -> Result<ProgramSeat, ParsePlayerError> {
    let error = || {
        let why = if command.is_empty() { "the command is empty" } else { "unclosed quote" };
        ParsePlayerError(format!("{why}; write a program as cmd:python3 bot.py"))
    };
    let mut program = ProgramSeat::new(command).ok_or_else(error)?;
    let mut limits = TypedLimits::default();
    for word in words.split(',').skip(1) {
        let wrong = |why: &str| ParsePlayerError(format!("{word}: {why}"));
        match word.split_once('=') {
            Some((name, value)) if limits.take(name, value).map_err(wrong)? => {}
            Some(("name", value)) if !value.is_empty() => program = program.with_name(value),
            Some((name, value)) if name.starts_with(OPTION) && name.len() > OPTION.len() => {
                let set = program.set_option(&name[OPTION.len()..], value);
                set.map_err(|why| wrong(&why))?;
            }
            _ => {
                return Err(wrong("a program takes time=, nodes=, depth=, name= and option.NAME="));
            }
        }
    }
    (program.tenths, program.limits) = (limits.tenths(), limits.limits);
    Ok(program)
}

/// Formats tenths of a second as seconds, with one decimal place unless it is 0.
pub(super) fn seconds(tenths: u32) -> String {
    match (tenths / 10, tenths % 10) {
        (seconds, 0) => seconds.to_string(),
        (seconds, part) => format!("{seconds}.{part}"),
    }
}

/// Parses a decimal with at most one decimal place as tenths; `None` if out of range.
pub(super) fn tenths(text: &str) -> Option<u32> {
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
            Player::Person(name) => f.write_str(name.as_deref().unwrap_or_default()),
            Player::Guest(guest) => guest.fmt(f),
            Player::Engine(engine) => engine.fmt(f),
            Player::Program(program) => program.fmt(f),
        }
    }
}

impl fmt::Display for GuestSeat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let GuestSeat { name, hints } = self;
        f.write_str(GUEST)?;
        f.write_str(if *hints { HINTS } else { "" })?;
        name.as_ref().map_or(Ok(()), |name| write!(f, ":{name}"))
    }
}

impl fmt::Display for ProgramSeat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ProgramSeat { display_name, is_named, command, tenths, limits, options } = self;
        if command.is_empty() {
            return f.write_str(display_name);
        }
        f.write_str(PROGRAM)?;
        if *is_named {
            write!(f, ",name={display_name}")?;
        }
        write_limits(f, *tenths, *limits)?;
        for (name, value) in options {
            write!(f, ",{OPTION}{name}={value}")?;
        }
        write!(f, ":{command}")
    }
}

impl fmt::Display for EngineSeat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let EngineSeat { level, tenths, seed, limits, hash, threads } = *self;
        write!(f, "{ENGINE}{level}")?;
        write_limits(f, tenths, limits)?;
        for (name, value) in [("hash", hash), ("threads", threads), ("seed", seed)] {
            if let Some(value) = value {
                write!(f, ",{name}={value}")?;
            }
        }
        Ok(())
    }
}

fn write_limits(f: &mut fmt::Formatter<'_>, tenths: u32, limits: SearchLimits) -> fmt::Result {
    // If other limits are set, an omitted time means no time limit.
    if tenths != default_tenths(limits) && tenths != 0 {
        write!(f, ",time={}", seconds(tenths))?;
    }
    let SearchLimits { nodes, depth } = limits;
    nodes.map_or(Ok(()), |nodes| write!(f, ",nodes={nodes}"))?;
    depth.map_or(Ok(()), |depth| write!(f, ",depth={depth}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_round_trips() {
        for text in [
            "Ann",
            "",
            "engineer",
            "engine:perfect",
            "engine:casual,time=0.5",
            "engine:strong,time=60,seed=7",
            "cmd:python3 'my bot.py' --depth 4",
            "cmd,name=mine,time=0.5:./bot, : and so on",
            "engine:strong,nodes=10000,hash=64,seed=7",
            "engine:strong,time=2,nodes=500,depth=8,threads=2",
            "cmd,nodes=400,option.Hash=64,option.Use Book=false:./bot",
            "cmdr Keen",
            "cmdr: Keen",
            "guest",
            "guest:Bob",
            "guest,hints",
            "guest,hints:Bob: the builder",
            "guests: all",
        ] {
            assert_eq!(text.parse::<Player>().unwrap().to_string(), text);
        }
        assert_eq!(Player::named("engine:strong,time=2.0"), Player::named("engine:strong"));
    }

    #[test]
    fn invalid_engine_error_states_its_reason() {
        let error = |text: &str| text.parse::<Player>().unwrap_err().to_string();
        assert_eq!(
            error("engine:god"),
            "\"god\": the levels are beginner, casual, skilled, strong and perfect"
        );
        for time in ["0", "x", "", "1.25", "3601", "-1", "1e9", "99999999999"] {
            let text = format!("time={time}");
            let reason = "the thinking time must be 0.1 to 3600 seconds";
            assert_eq!(error(&format!("engine:strong,{text}")), format!("{text}: {reason}"));
        }
        let example = "write a program as cmd:python3 bot.py";
        assert_eq!(error("cmd: "), format!("the command is empty; {example}"));
        assert_eq!(error("cmd:'bot"), format!("unclosed quote; {example}"));
        assert_eq!(error("cmd,depth=0:bot"), "depth=0: depth must be a whole number of at least 1");
        assert_eq!(
            error("cmd,size=3:bot"),
            "size=3: a program takes time=, nodes=, depth=, name= and option.NAME="
        );
        assert_eq!(error("cmd,option.setup=x:bot"), "option.setup=x: setup is set by the match");
        assert_eq!(
            error("cmd,time=0:bot"),
            "time=0: the thinking time must be 0.1 to 3600 seconds"
        );
        assert_eq!(error("engine:strong,seed=x"), "seed=x: the seed must be a whole number");
        assert_eq!(
            error("engine:strong,size=3"),
            "size=3: an engine takes time=, nodes=, depth=, hash=, threads= and seed="
        );
        assert_eq!(
            error("engine:strong,hash=0"),
            "hash=0: hash must be a whole number from 1 to 1048576"
        );
        assert_eq!(
            error("guest,time=5:Bob"),
            "time=5: the only option of a guest is hints, as in guest,hints"
        );
        assert_eq!(
            error("engine:strong,nodes=x"),
            "nodes=x: nodes must be a whole number of at least 1"
        );
        assert_eq!(Player::named("engine:god"), Player::person("engine:god"));
    }
}
