//! The text form of a player, as commands and records have it.

use super::{EngineSeat, Player, ProgramSeat};
use crate::search::Level;
use std::fmt;
use std::str::FromStr;

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

/// How long an engine may think, in one clause.
pub(super) const THINKING_TIME: &str = "the thinking time is from 0.1 to 3600 seconds";

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
        let why = if command.is_empty() { "there is no command" } else { "a quote is not closed" };
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
    let error = || ParsePlayerError(format!("{word}: {THINKING_TIME}"));
    tenths(value).ok_or_else(error)
}

/// Tenths of a second as seconds, with one place if that is not 0.
pub(super) fn seconds(tenths: u32) -> String {
    match (tenths / 10, tenths % 10) {
        (seconds, 0) => seconds.to_string(),
        (seconds, part) => format!("{seconds}.{part}"),
    }
}

/// Tenths in a decimal with at most one place, if an engine may think that long.
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
            let reason = "the thinking time is from 0.1 to 3600 seconds";
            assert_eq!(error(&format!("engine:strong,{text}")), format!("{text}: {reason}"));
        }
        let example = "a program is written as cmd:python3 bot.py";
        assert_eq!(error("cmd: "), format!("there is no command; {example}"));
        assert_eq!(error("cmd:'bot"), format!("a quote is not closed; {example}"));
        assert_eq!(error("cmd,depth=3:bot"), "depth=3: a program takes time= and name=");
        assert_eq!(
            error("cmd,time=0:bot"),
            "time=0: the thinking time is from 0.1 to 3600 seconds"
        );
        assert_eq!(error("engine:strong,seed=x"), "seed=x: a seed is a whole number");
        assert_eq!(error("engine:strong,depth=3"), "depth=3: an engine takes time= and seed=");
        assert_eq!(Player::named("engine:god"), Player::Person("engine:god".to_owned()));
    }
}
