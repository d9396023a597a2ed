//! The reports of a program's supervisor to the process that started it: lines on a socket.

use crate::session::Forfeit;
use std::fmt;
use std::str::FromStr;

/// A report of the supervisor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Word {
    /// The program's standard error goes to this file in the folder for messages.
    Messages(String),
    /// The program runs with this process id, which is also that of its process group.
    Started(i32),
    /// The program and all that it has started have ended, for this reason: `exited with 1`.
    Ended(Forfeit),
}

impl fmt::Display for Word {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Word::Messages(file) => write!(f, "messages {file}"),
            Word::Started(process) => write!(f, "started {process}"),
            Word::Ended(why) => write!(f, "ended {why}"),
        }
    }
}

impl FromStr for Word {
    type Err = ();

    fn from_str(line: &str) -> Result<Word, ()> {
        let (word, rest) = line.split_once(' ').ok_or(())?;
        match word {
            "messages" => Ok(Word::Messages(rest.to_owned())),
            "started" => rest.parse().map(Word::Started).map_err(drop),
            "ended" => Ok(Word::Ended(Forfeit::parse(rest))),
            _ => Err(()),
        }
    }
}
