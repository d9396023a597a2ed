//! What is played at the tables of this machine: each is asked, all at once.

use super::folder::{HostFile, OpenTable, connect};
use crate::catalogue;
use crate::engine::ugi::LineBuffer;
use crate::printable::printable;
use crate::remote::protocol::{GuestWord, LONGEST, Presence, TableWord, VERSION, Wanted};
use crate::rules::Seat;
use crate::session::SeatSet;
use crate::wording::counted;
use rustix::event::{PollFd, PollFlags};
use serde::Serialize;
use std::fmt;
use std::io::{self, Read, Write};
use std::os::unix::net::UnixStream;
use std::time::{Duration, Instant};

/// How long all of them together may take.
const PATIENCE: Duration = Duration::from_secs(2);
/// The most bytes of an answer.
const MOST: usize = 64 << 10;

/// A table, as anybody may see it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Look {
    pub name: String,
    /// Whose it is, if other users may come.
    pub shared_by: Option<String>,
    /// The id of the game.
    pub game: String,
    pub seats: Vec<LookedAtSeat>,
    pub moves: usize,
    /// How many watch.
    pub watching: usize,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LookedAtSeat {
    /// Who sits there; empty for somebody without a name, and for a free seat.
    pub name: String,
    /// Whether a guest can sit down there.
    pub free: bool,
    /// Whether the line of whoever sits there is down.
    pub away: bool,
    /// Whether whoever sits there has left, and the seat is kept.
    pub left: bool,
}

/// Looks at tables. `None` for one that does not answer in time.
pub fn look_at(tables: &[OpenTable]) -> Vec<Option<Look>> {
    let end = Instant::now() + PATIENCE;
    let words = [GuestWord::Greeting(VERSION), GuestWord::Look];
    let mut asked: Vec<Option<Asked>> =
        tables.iter().map(|table| Asked::ask(table, &words).ok()).collect();
    while asked.iter().flatten().any(|asked| !asked.is_done) && Instant::now() < end {
        let waiting = asked.iter().flatten().filter(|asked| !asked.is_done);
        let mut sources: Vec<_> =
            waiting.map(|asked| PollFd::new(&asked.stream, PollFlags::IN)).collect();
        if super::line::wait(&mut sources, Some(end)).is_err() {
            break;
        }
        asked.iter_mut().flatten().for_each(Asked::read);
    }
    let looks = tables.iter().zip(asked);
    let looks = looks.map(|(table, asked)| {
        let look = look(&table.name, &asked?.words)?;
        Some(Look { shared_by: table.shared_by(), ..look })
    });
    looks.collect()
}

/// Closes a table of this user. Its match is kept.
pub fn close(table: &OpenTable) -> io::Result<()> {
    let HostFile { token, .. } = HostFile::read(&table.path)?;
    let hello = GuestWord::Hello {
        name: "Host".to_owned(),
        wanted: Wanted::Any,
        token: Some(token.clone()),
        secret: None,
    };
    let greeting = GuestWord::Greeting(VERSION);
    // A table of version 1 is closed only by its host, whose terminal this one replaces.
    let ways = [
        vec![greeting.clone(), GuestWord::Close(Some(token))],
        vec![greeting, hello, GuestWord::Close(None)],
    ];
    for words in ways {
        let mut asked = Asked::ask(table, &words)?;
        let end = Instant::now() + PATIENCE;
        while !asked.is_done && Instant::now() < end {
            super::line::wait(&mut [PollFd::new(&asked.stream, PollFlags::IN)], Some(end))?;
            asked.read();
        }
        if asked.words.iter().any(|word| matches!(word, TableWord::Closed(_))) {
            return Ok(());
        }
    }
    Err(io::Error::other("the table does not answer"))
}

/// A table that has been asked, and what it has said so far.
struct Asked {
    stream: UnixStream,
    lines: LineBuffer,
    words: Vec<TableWord>,
    bytes: usize,
    is_done: bool,
}

impl Asked {
    fn ask(table: &OpenTable, words: &[GuestWord]) -> io::Result<Asked> {
        let mut stream = connect(&table.path)?;
        for word in words {
            stream.write_all(format!("{word}\n").as_bytes())?;
        }
        let lines = LineBuffer::new(LONGEST);
        Ok(Asked { stream, lines, words: Vec::new(), bytes: 0, is_done: false })
    }

    fn read(&mut self) {
        let mut bytes = [0; LONGEST];
        match self.stream.read(&mut bytes) {
            Ok(length @ 1..) => {
                self.bytes += length;
                let lines = self.lines.feed(&bytes[..length]).into_iter().flatten();
                self.words.extend(lines.filter_map(|line| TableWord::parse(&line)));
                let is_end = |word: &TableWord| matches!(word, TableWord::Closed(_));
                self.is_done |= self.bytes > MOST || self.words.iter().any(is_end);
            }
            Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => {}
            Ok(_) | Err(_) => self.is_done = true,
        }
    }
}

/// What a table has told; `None` if that is not a match.
fn look(name: &str, words: &[TableWord]) -> Option<Look> {
    let matches = || {
        words.iter().filter_map(|word| match word {
            TableWord::Match(key, value) => Some((&**key, &**value)),
            _ => None,
        })
    };
    let find = |wanted: &str| matches().find(|(key, _)| *key == wanted).map(|(_, value)| value);
    let presences = || {
        words.iter().filter_map(|word| match word {
            TableWord::Presence { presence, seats, .. } => Some((*presence, *seats)),
            _ => None,
        })
    };
    let seats_of = |wanted: Presence| -> SeatSet {
        let found = presences().filter(|(presence, _)| *presence == wanted);
        found.flat_map(|(_, seats)| seats.iter()).collect()
    };
    let [here, away, slow, left] =
        [Presence::Here, Presence::Away, Presence::Slow, Presence::Gone].map(seats_of);
    let away: SeatSet = away.iter().chain(slow.iter()).collect();
    let players = matches().filter(|(key, _)| ["person", "engine", "program"].contains(key));
    let seats = players.take(8).zip((0..).map(Seat::new)).map(|((kind, name), seat)| {
        let is_taken = [here, away, left].iter().any(|seats| seats.contains(seat));
        let free = kind == "person" && !is_taken;
        let name = if free { String::new() } else { name.to_owned() };
        LookedAtSeat { name, free, away: away.contains(seat), left: left.contains(seat) }
    });
    Some(Look {
        name: name.to_owned(),
        shared_by: None,
        game: find("game")?.to_owned(),
        seats: seats.collect(),
        moves: find("moves").and_then(|moves| moves.parse().ok()).unwrap_or_default(),
        watching: presences().filter(|(presence, _)| *presence == Presence::Watch).count(),
    })
}

impl Look {
    /// Whether there is a seat to sit down at, or to ask for.
    pub fn has_room(&self) -> bool {
        self.seats.iter().any(|seat| seat.free || seat.away)
    }

    /// What it is called where a game is called something.
    fn game_name(&self) -> &str {
        catalogue::find(&self.game).map_or(&self.game, |entry| entry.name)
    }
}

/// `quixo-2: Quixo, 1 Ann, 2 free, 12 moves, 1 watches`
impl fmt::Display for Look {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.name, printable(self.game_name()))?;
        if let Some(user) = &self.shared_by {
            write!(f, ", {user}'s table")?;
        }
        for (number, seat) in (1..).zip(&self.seats) {
            let name = if seat.name.is_empty() { "somebody" } else { &seat.name };
            let who = if seat.free { "free".into() } else { printable(name) };
            let absence = match seat {
                LookedAtSeat { away: true, .. } => " (away)",
                LookedAtSeat { left: true, .. } => " (left)",
                _ => "",
            };
            write!(f, ", {number} {who}{absence}")?;
        }
        write!(f, ", {}", counted(self.moves, "move", "moves"))?;
        match self.watching {
            0 => Ok(()),
            watching => write!(f, ", {watching} watching"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<TableWord> {
        text.lines().filter_map(TableWord::parse).collect()
    }

    #[test]
    fn a_table_is_a_line() {
        let said = "quadrille-table 1 0.1.0\nmatch table quixo\nmatch game quixo\nmatch setup \nmatch person Ann\n\
                    match person Bob\nmatch moves 1\nhave 0 0\npresence Ann gone 1\npresence Bob away 2\n\
                    presence Eve watch\nclosed so\n";
        let look = look("quixo", &words(said)).unwrap();
        let shared = Look { shared_by: Some("ann".to_owned()), ..look.clone() };
        assert!(shared.to_string().starts_with("quixo: Quixo, ann's table, 1 Ann (left), 2 Bob"));
        assert_eq!(
            look.to_string(),
            "quixo: Quixo, 1 Ann (left), 2 Bob (away), 1 move, 1 watching"
        );
    }

    #[test]
    fn seats_that_nobody_has_taken_are_free() {
        let said = "match game nim\nmatch person \nmatch engine engine:strong\nmatch person Ann\nmatch person \u{1b}\n\
                    presence x here 1,4\n";
        let look = look("nim-7", &words(said)).unwrap();
        let line = "nim-7: nim, 1 somebody, 2 engine:strong, 3 free, 4 \\u{1b}, 0 moves";
        assert_eq!(look.to_string(), line);
        assert_eq!(super::look("x", &words("hello\nfull\n")), None);
    }
}
