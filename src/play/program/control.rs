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

const MESSAGES: &str = "messages ";
const STARTED: &str = "started ";
const ENDED: &str = "ended ";

impl fmt::Display for Word {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Word::Messages(file) => write!(f, "{MESSAGES}{file}"),
            Word::Started(process) => write!(f, "{STARTED}{process}"),
            Word::Ended(why) => write!(f, "{ENDED}{why}"),
        }
    }
}

impl FromStr for Word {
    type Err = ();

    fn from_str(line: &str) -> Result<Word, ()> {
        let rest = |word| line.strip_prefix(word).map(str::to_owned);
        let started = || rest(STARTED).and_then(|number| number.parse().ok()).map(Word::Started);
        let word = rest(MESSAGES).map(Word::Messages).or_else(started);
        word.or_else(|| Some(Word::Ended(Forfeit::parse(&rest(ENDED)?)))).ok_or(())
    }
}
