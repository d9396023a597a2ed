//! Reports from a program's supervisor to the process that started it, as lines on a socket.

use quadrille_match::session::Forfeit;
use std::fmt;
use std::str::FromStr;

/// A report from the supervisor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum SupervisorMessage {
    /// The program's stderr is written to this file in the log folder.
    Messages(String),
    /// The program has started; its process id is also its process group id.
    Started(i32),
    /// The program and all its descendants have ended, for this reason: `exited with 1`.
    Ended(Forfeit),
}

impl fmt::Display for SupervisorMessage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SupervisorMessage::Messages(file) => write!(f, "messages {file}"),
            SupervisorMessage::Started(process) => write!(f, "started {process}"),
            SupervisorMessage::Ended(why) => write!(f, "ended {why}"),
        }
    }
}

impl FromStr for SupervisorMessage {
    type Err = ();

    fn from_str(line: &str) -> Result<SupervisorMessage, ()> {
        let (word, rest) = line.split_once(' ').ok_or(())?;
        match word {
            "messages" => Ok(SupervisorMessage::Messages(rest.to_owned())),
            "started" => rest.parse().map(SupervisorMessage::Started).map_err(drop),
            "ended" => Ok(SupervisorMessage::Ended(Forfeit::parse(rest))),
            _ => Err(()),
        }
    }
}
