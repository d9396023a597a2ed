//! Replies: the lines that a program sends.

use super::words::{OneLine, WordReader, shown};
use super::{BadLine, Info, UgiOption};
use std::fmt;
use std::str::FromStr;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    Name(String),
    Author(String),
    /// `option`: declares an option.
    Option(UgiOption),
    /// `ugiok`: all options have been declared.
    UgiOk,
    /// `readyok`: all commands before `isready` are done.
    ReadyOk,
    /// `info`: reports on the search.
    Info(Box<Info>),
    /// `bestmove`: the chosen move, or `none` if the game is over.
    BestMove(Option<String>),
    /// `response`: the answer to a query.
    Response(String),
}

/// Means that there is no move.
const NONE: &str = "none";

impl Reply {
    /// Creates an `info` that contains only a text for people.
    pub fn info(text: impl fmt::Display) -> Reply {
        Reply::Info(Box::new(Info::string(text)))
    }
}

impl FromStr for Reply {
    type Err = BadLine;

    fn from_str(line: &str) -> Result<Reply, BadLine> {
        let mut words = WordReader::of(line);
        match words.next() {
            Some("id") => match words.next() {
                Some("name") => Ok(Reply::Name(words.rest().to_owned())),
                Some("author") => Ok(Reply::Author(words.rest().to_owned())),
                _ => Err(BadLine::new("id: write id name, or id author")),
            },
            Some("option") => UgiOption::read(words).map(Reply::Option),
            Some("ugiok") => Ok(Reply::UgiOk),
            Some("readyok") => Ok(Reply::ReadyOk),
            Some("info") => Ok(Reply::Info(Box::new(Info::read(words)))),
            Some("bestmove") => match words.next() {
                Some(NONE) => Ok(Reply::BestMove(None)),
                Some(mv) => Ok(Reply::BestMove(Some(mv.to_owned()))),
                None => Err(BadLine::new("bestmove: the move is missing")),
            },
            Some("response") => Ok(Reply::Response(words.rest().to_owned())),
            Some(word) => Err(BadLine::new(format_args!("{} is not a word of UGI", shown(word)))),
            None => Err(BadLine::new("the line is empty")),
        }
    }
}

impl fmt::Display for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reply::Name(name) => write!(f, "id name {}", OneLine(name)),
            Reply::Author(name) => write!(f, "id author {}", OneLine(name)),
            Reply::Option(option) => option.fmt(f),
            Reply::UgiOk => f.write_str("ugiok"),
            Reply::ReadyOk => f.write_str("readyok"),
            Reply::Info(info) => info.fmt(f),
            Reply::BestMove(mv) => write!(f, "bestmove {}", OneLine(mv.as_deref().unwrap_or(NONE))),
            Reply::Response(answer) if answer.is_empty() => f.write_str("response"),
            Reply::Response(answer) => write!(f, "response {}", OneLine(answer)),
        }
    }
}
