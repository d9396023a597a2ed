//! Commands: the lines that a program receives.

use super::words::{OneLine, WordReader, shown, write_words};
use super::{BadLine, Go};
use quadrille_rules::Setup;
use std::fmt;
use std::str::FromStr;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// `ugi`: identify yourself. The program answers with its name and author, its options, and
    /// [`UgiOk`](super::Reply::UgiOk).
    Ugi,
    /// `isready`: answered as soon as all earlier commands are done, even during a search.
    IsReady,
    /// `uginewgame`: the next position belongs to a different game.
    NewGame,
    /// `setoption name N value V`; a button has no value.
    SetOption {
        /// May consist of several words.
        name: String,
        value: Option<String>,
    },
    /// `position startpos`, or `position fen` and the words of a setup; followed by `moves` and the moves, if any.
    Position {
        start: Start,
        /// All moves since the first position.
        moves: Vec<String>,
    },
    Go(Box<Go>),
    Stop,
    Query(Query),
    /// `legal`: all legal moves of the position, for programs whose options request them.
    Legal(Vec<String>),
    Quit,
}

/// The first position of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Start {
    /// The setup given by the program's options.
    Options,
    Setup(Setup),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Query {
    /// Is the game over?
    GameOver,
    /// Is it the first seat's turn?
    P1Turn,
    /// Who has won?
    Result,
    /// Which seat's turn is it, counted from 0?
    Turn,
    Legal,
    /// The complete state, as JSON.
    State,
    /// The values of the position and its moves from the last search, as JSON.
    Values,
}

impl Query {
    pub const ALL: [Query; 7] = [
        Query::GameOver,
        Query::P1Turn,
        Query::Result,
        Query::Turn,
        Query::Legal,
        Query::State,
        Query::Values,
    ];

    /// Returns the keyword that follows `query`.
    pub const fn word(self) -> &'static str {
        match self {
            Query::GameOver => "gameover",
            Query::P1Turn => "p1turn",
            Query::Result => "result",
            Query::Turn => "turn",
            Query::Legal => "legal",
            Query::State => "state",
            Query::Values => "values",
        }
    }
}

impl Command {
    /// Parses a line. Also returns the unknown words that were skipped.
    pub fn read(line: &str) -> Result<(Command, Vec<String>), BadLine> {
        let mut words = WordReader::of(line);
        let command = match words.next() {
            Some("ugi") => Command::Ugi,
            Some("isready") => Command::IsReady,
            Some("uginewgame") => Command::NewGame,
            Some("setoption") => set_option(&mut words)?,
            Some("position") => position(&mut words)?,
            Some("go") => Command::Go(Box::new(Go::read(&mut words)?)),
            Some("stop") => Command::Stop,
            Some("query") => Command::Query(query(&mut words)?),
            Some("legal") => Command::Legal(words.by_ref().map(str::to_owned).collect()),
            Some("quit") => Command::Quit,
            Some(word) => {
                return Err(BadLine::new(format_args!("unknown command {}", shown(word))));
            }
            None => return Err(BadLine::new("the line is empty")),
        };
        Ok((command, words.all_passed_over()))
    }

    pub const fn word(&self) -> &'static str {
        match self {
            Command::Ugi => "ugi",
            Command::IsReady => "isready",
            Command::NewGame => "uginewgame",
            Command::SetOption { .. } => "setoption",
            Command::Position { .. } => "position",
            Command::Go(_) => "go",
            Command::Stop => "stop",
            Command::Query(_) => "query",
            Command::Legal(_) => "legal",
            Command::Quit => "quit",
        }
    }
}

impl FromStr for Command {
    type Err = BadLine;

    fn from_str(line: &str) -> Result<Command, BadLine> {
        Command::read(line).map(|(command, _)| command)
    }
}

fn set_option(words: &mut WordReader<'_>) -> Result<Command, BadLine> {
    words.pass_over_until(&["name"]);
    words.next();
    let name = words.until(&["value"]).join(" ");
    if name.is_empty() {
        return Err(BadLine::new("setoption: missing name; write setoption name N value V"));
    }
    let value = words.next().map(|_| words.rest().to_owned());
    Ok(Command::SetOption { name, value })
}

fn position(words: &mut WordReader<'_>) -> Result<Command, BadLine> {
    words.pass_over_until(&["startpos", "fen"]);
    let start = match words.next() {
        Some("startpos") => Start::Options,
        Some(_) => {
            let setup = Setup::from_words(words.until(&["moves"]));
            Start::Setup(setup.map_err(|error| BadLine::new(format_args!("position: {error}")))?)
        }
        None => {
            return Err(BadLine::new(
                "position: write position startpos, or position fen and a setup",
            ));
        }
    };
    words.pass_over_until(&["moves"]);
    let moves = words.by_ref().skip(1).map(str::to_owned).collect();
    Ok(Command::Position { start, moves })
}

fn query(words: &mut WordReader<'_>) -> Result<Query, BadLine> {
    let all = Query::ALL.map(Query::word).join(", ");
    let Some(word) = words.next() else {
        return Err(BadLine::new(format_args!("query: missing keyword; choose {all}")));
    };
    let query = Query::ALL.into_iter().find(|query| query.word() == word);
    query.ok_or_else(|| {
        BadLine::new(format_args!("query: unknown keyword {}; choose {all}", shown(word)))
    })
}

impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !matches!(self, Command::Go(_)) {
            f.write_str(self.word())?;
        }
        match self {
            Command::Ugi | Command::IsReady | Command::NewGame | Command::Stop | Command::Quit => {
                Ok(())
            }
            Command::SetOption { name, value } => {
                write!(f, " name {}", OneLine(name))?;
                let value = value.as_deref().map(OneLine);
                value.map_or(Ok(()), |value| write!(f, " value {value}"))
            }
            Command::Position { start, moves } => {
                match start {
                    Start::Options => f.write_str(" startpos")?,
                    Start::Setup(setup) if setup.is_empty() => f.write_str(" fen")?,
                    Start::Setup(setup) => write!(f, " fen {setup}")?,
                }
                if moves.is_empty() {
                    return Ok(());
                }
                f.write_str(" moves")?;
                write_words(f, moves)
            }
            Command::Go(go) => go.fmt(f),
            Command::Query(query) => write!(f, " {}", query.word()),
            Command::Legal(moves) => write_words(f, moves),
        }
    }
}
