//! The lines to a program.

use super::words::{OneLine, Words, shown, write_words};
use super::{BadLine, Go};
use crate::rules::Setup;
use std::fmt;
use std::str::FromStr;

/// A line to a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// `ugi`: who are you? The answer is name and author, the options, and [`UgiOk`](super::Reply::UgiOk).
    Ugi,
    /// `isready`: answered as soon as all commands before it are done, also while a search runs.
    IsReady,
    /// `uginewgame`: the next position is of another game.
    NewGame,
    /// `setoption name N value V`; a button has no value.
    SetOption {
        /// The option's name, of one word or several.
        name: String,
        /// What it is set to.
        value: Option<String>,
    },
    /// `position startpos`, or `position fen` and the words of a setup; then `moves` and the moves.
    Position {
        /// Where the game began.
        start: Start,
        /// All moves from there.
        moves: Vec<String>,
    },
    /// `go`: choose a move.
    Go(Box<Go>),
    /// `stop`: answer now.
    Stop,
    /// `query`: what is known of the position.
    Query(Query),
    /// `legal`: all legal moves of the position, for programs that declare that they want them.
    Legal(Vec<String>),
    /// `quit`: end the program.
    Quit,
}

/// Where a game begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Start {
    /// With the setup that the options of the program say.
    Options,
    /// With this setup.
    Setup(Setup),
}

/// What can be asked of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Query {
    /// Is the game over?
    GameOver,
    /// Is it the first seat's turn?
    P1Turn,
    /// Who has won?
    Result,
    /// Whose turn is it, from 0?
    Turn,
    /// All legal moves.
    Legal,
    /// The whole state, as JSON.
    State,
}

impl Query {
    /// All of them.
    pub const ALL: [Query; 6] =
        [Query::GameOver, Query::P1Turn, Query::Result, Query::Turn, Query::Legal, Query::State];

    /// The word for it after `query`.
    pub const fn word(self) -> &'static str {
        match self {
            Query::GameOver => "gameover",
            Query::P1Turn => "p1turn",
            Query::Result => "result",
            Query::Turn => "turn",
            Query::Legal => "legal",
            Query::State => "state",
        }
    }
}

impl FromStr for Command {
    type Err = BadLine;

    fn from_str(line: &str) -> Result<Command, BadLine> {
        let mut words = Words::of(line);
        match words.next() {
            Some("ugi") => Ok(Command::Ugi),
            Some("isready") => Ok(Command::IsReady),
            Some("uginewgame") => Ok(Command::NewGame),
            Some("setoption") => set_option(words),
            Some("position") => position(words),
            Some("go") => Go::read(words).map(|go| Command::Go(Box::new(go))),
            Some("stop") => Ok(Command::Stop),
            Some("query") => query(words).map(Command::Query),
            Some("legal") => Ok(Command::Legal(words.map(str::to_owned).collect())),
            Some("quit") => Ok(Command::Quit),
            Some(word) => Err(BadLine::new(format_args!("there is no command {}", shown(word)))),
            None => Err(BadLine::new("the line is empty")),
        }
    }
}

fn set_option(mut words: Words<'_>) -> Result<Command, BadLine> {
    words.until(&["name"]);
    words.next();
    let name = words.until(&["value"]).join(" ");
    if name.is_empty() {
        return Err(BadLine::new("setoption: no option is named; write setoption name N value V"));
    }
    let value = words.next().map(|_| words.rest().to_owned());
    Ok(Command::SetOption { name, value })
}

fn position(mut words: Words<'_>) -> Result<Command, BadLine> {
    words.until(&["startpos", "fen"]);
    let start = match words.next() {
        Some("startpos") => Start::Options,
        Some(_) => {
            let setup = Setup::from_words(words.until(&["moves"]));
            Start::Setup(setup.map_err(|error| BadLine::new(format_args!("position: {error:#}")))?)
        }
        None => {
            return Err(BadLine::new(
                "position: write position startpos, or position fen and a setup",
            ));
        }
    };
    words.until(&["moves"]);
    let moves = words.skip(1).map(str::to_owned).collect();
    Ok(Command::Position { start, moves })
}

fn query(mut words: Words<'_>) -> Result<Query, BadLine> {
    let all = Query::ALL.map(Query::word).join(", ");
    let Some(word) = words.next() else {
        return Err(BadLine::new(format_args!("query: what? There is {all}")));
    };
    let query = Query::ALL.into_iter().find(|query| query.word() == word);
    query
        .ok_or_else(|| BadLine::new(format_args!("query: there is no {}, only {all}", shown(word))))
}

impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Command::Ugi => f.write_str("ugi"),
            Command::IsReady => f.write_str("isready"),
            Command::NewGame => f.write_str("uginewgame"),
            Command::SetOption { name, value } => {
                write!(f, "setoption name {}", OneLine(name))?;
                let value = value.as_deref().map(OneLine);
                value.map_or(Ok(()), |value| write!(f, " value {value}"))
            }
            Command::Position { start, moves } => {
                match start {
                    Start::Options => f.write_str("position startpos")?,
                    Start::Setup(setup) if setup.is_empty() => f.write_str("position fen")?,
                    Start::Setup(setup) => write!(f, "position fen {setup}")?,
                }
                if moves.is_empty() {
                    return Ok(());
                }
                f.write_str(" moves")?;
                write_words(f, moves)
            }
            Command::Go(go) => go.fmt(f),
            Command::Stop => f.write_str("stop"),
            Command::Query(query) => write!(f, "query {}", query.word()),
            Command::Legal(moves) => {
                f.write_str("legal")?;
                write_words(f, moves)
            }
            Command::Quit => f.write_str("quit"),
        }
    }
}
