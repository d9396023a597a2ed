//! Queries all tables on this machine at once.
#![allow(clippy::disallowed_methods, clippy::disallowed_types, reason = "asks tables")]

use super::folder::{HostFile, OpenTable, connect};
use super::peer::{Peer, wait};
use crate::protocol::{ClientMessage, Presence, ServerMessage, VERSION};
use quadrille_rules::Seat;
use quadrille_table::catalogue;
use quadrille_text::printable::printable;
use quadrille_text::wording::counted;
use serde::Serialize;
use std::fmt;
use std::io;
use std::iter;
use std::time::{Duration, Instant};

/// The total time limit for all queries.
const QUERY_TIMEOUT: Duration = Duration::from_secs(2);
/// The maximum number of messages in an answer. A table sends fewer than fifty.
const MAX_MESSAGES: usize = 100;

/// The public state of a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TableSummary {
    pub name: String,
    pub shared_by: Option<String>,
    pub game: String,
    pub seats: Vec<SeatSummary>,
    pub moves: usize,
    pub watching: usize,
    /// Whether the table has a host, whose terminal is not connected.
    #[serde(skip)]
    pub is_host_away: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SeatSummary {
    /// The player's name; empty for a free seat or an unnamed player.
    pub name: String,
    /// Whether a guest can take the seat.
    pub free: bool,
    /// Whether the player's connection is down.
    pub away: bool,
    /// Whether the player has left and the seat is still reserved.
    pub left: bool,
}

/// Queries tables. Returns `None` for each table that does not answer in time.
pub fn query_tables(tables: &[OpenTable]) -> Vec<Option<TableSummary>> {
    let said = ask(tables, &[ClientMessage::Greeting(VERSION), ClientMessage::Look]);
    let summaries = tables.iter().zip(said).map(|(table, said)| {
        let summary = parse_summary(&table.name, &said.ok()?)?;
        Some(TableSummary { shared_by: table.shared_by(), ..summary })
    });
    summaries.collect()
}

/// Closes a table of this user. The match is saved.
pub fn close(table: &OpenTable) -> io::Result<()> {
    let HostFile { token, .. } = HostFile::read(&table.path)?;
    let words = [ClientMessage::Greeting(VERSION), ClientMessage::Close(Some(token))];
    for said in ask(std::slice::from_ref(table), &words) {
        if said?.iter().any(is_last) {
            return Ok(());
        }
    }
    Err(io::Error::other("the table did not answer"))
}

/// Sends these messages to all tables at once. Returns the messages received from each table until its answer is
/// complete or the time is up.
fn ask(tables: &[OpenTable], words: &[ClientMessage]) -> Vec<io::Result<Vec<ServerMessage>>> {
    let end = Instant::now() + QUERY_TIMEOUT;
    let ask = |table: &OpenTable| {
        let mut peer = Peer::socket(connect(&table.path, true)?)?;
        for word in words {
            peer.push(word);
        }
        Ok((peer, Vec::new()))
    };
    let mut asked: Vec<io::Result<(Peer, Vec<ServerMessage>)>> = tables.iter().map(ask).collect();
    loop {
        for (peer, said) in asked.iter_mut().flatten() {
            peer.exchange();
            let lines = iter::from_fn(|| peer.next_line()).flatten();
            said.extend(lines.filter_map(|line| ServerMessage::parse(&line)));
            if said.len() >= MAX_MESSAGES || said.iter().any(is_last) {
                peer.stop_reading();
            }
        }
        let is_done = asked.iter().flatten().all(|(peer, _)| peer.has_ended());
        let sources = asked.iter().flatten().flat_map(|(peer, _)| peer.sources());
        if is_done || Instant::now() >= end || wait(sources, Some(end)).is_err() {
            break;
        }
    }
    asked.into_iter().map(|asked| Ok(asked?.1)).collect()
}

fn is_last(word: &ServerMessage) -> bool {
    matches!(word, ServerMessage::Closed(_))
}

/// Parses a table's answer; `None` if the answer does not describe a match.
fn parse_summary(name: &str, words: &[ServerMessage]) -> Option<TableSummary> {
    let matches = || {
        words.iter().filter_map(|word| match word {
            ServerMessage::Match(key, value) => Some((&**key, &**value)),
            _ => None,
        })
    };
    let find = |wanted: &str| matches().find(|(key, _)| *key == wanted).map(|(_, value)| value);
    let people = || {
        words.iter().filter_map(|word| match word {
            ServerMessage::Presence { name, presence, seats } => Some((name, *presence, *seats)),
            _ => None,
        })
    };
    let presences = || people().map(|(_, presence, seats)| (presence, seats));
    let host = words.iter().find_map(|word| match word {
        ServerMessage::Greeting(greeting) => greeting.host.as_ref(),
        _ => None,
    });
    let mut hosts = people().filter(|(name, ..)| Some(*name) == host);
    let presence_at = |seat: Seat| {
        presences().find(|(_, seats)| seats.contains(seat)).map(|(presence, _)| presence)
    };
    let players = matches().filter(|(key, _)| ["person", "engine", "program"].contains(key));
    let seats = players.take(8).zip((0..).map(Seat::new)).map(|((kind, name), seat)| {
        let presence = presence_at(seat);
        let free = kind == "person" && presence.is_none();
        let name = if free { String::new() } else { name.to_owned() };
        let away = matches!(presence, Some(Presence::Away | Presence::Slow));
        SeatSummary { name, free, away, left: presence == Some(Presence::Gone) }
    });
    Some(TableSummary {
        name: name.to_owned(),
        shared_by: None,
        game: find("game")?.to_owned(),
        seats: seats.collect(),
        moves: find("moves").and_then(|moves| moves.parse().ok()).unwrap_or_default(),
        watching: presences().filter(|(presence, _)| *presence == Presence::Watch).count(),
        is_host_away: hosts.any(|(_, presence, _)| presence != Presence::Here),
    })
}

impl TableSummary {
    /// Returns whether a seat is free or can be requested.
    pub fn has_room(&self) -> bool {
        self.seats.iter().any(|seat| seat.free || seat.away)
    }

    /// Returns the game's display name, or its id if the game is unknown.
    fn game_name(&self) -> &str {
        catalogue::find(&self.game).map_or(&self.game, |entry| entry.name)
    }
}

/// Formats `quixo-2: Quixo, 1 Ann, 2 free, 12 moves, 1 watches`.
impl fmt::Display for TableSummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.name, printable(self.game_name()))?;
        if let Some(user) = &self.shared_by {
            write!(f, ", {user}'s table")?;
        }
        for (number, seat) in (1..).zip(&self.seats) {
            let name = if seat.name.is_empty() { "somebody" } else { &seat.name };
            let who = if seat.free { "free".into() } else { printable(name) };
            let absence = match seat {
                SeatSummary { away: true, .. } => " (away)",
                SeatSummary { left: true, .. } => " (left)",
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

    fn words(text: &str) -> Vec<ServerMessage> {
        text.lines().filter_map(ServerMessage::parse).collect()
    }

    #[test]
    fn table_summary_is_one_line() {
        let said = "quadrille-table 2 0.1.0\nmatch table quixo\nmatch game quixo\nmatch setup \nmatch person Ann\n\
                    match person Bob\nmatch moves 1\nhave 0 0\npresence Ann gone 1\npresence Bob away 2\n\
                    presence Eve watch\nclosed so\n";
        let summary = parse_summary("quixo", &words(said)).unwrap();
        assert!(!summary.is_host_away, "a lobby table has no host");
        let shared = TableSummary { shared_by: Some("ann".to_owned()), ..summary.clone() };
        assert!(shared.to_string().starts_with("quixo: Quixo, ann's table, 1 Ann (left), 2 Bob"));
        assert_eq!(
            summary.to_string(),
            "quixo: Quixo, 1 Ann (left), 2 Bob (away), 1 move, 1 watching"
        );
    }

    /// One terminal of the host may have several seats.
    #[test]
    fn host_is_away_or_here() {
        for (presence, is_away) in [("here", false), ("away", true), ("gone", true)] {
            let said = format!(
                "quadrille-table 2 0.1.0 id x host Ann%20and%20Eve\nmatch game intersections\nmatch person Ann\n\
                 match person Bob\nmatch person Eve\npresence Ann%20and%20Eve {presence} 1,3\n\
                 presence Bob away 2\n"
            );
            assert_eq!(parse_summary("x", &words(&said)).unwrap().is_host_away, is_away);
        }
    }

    #[test]
    fn untaken_seats_are_free() {
        let said = "match game nim\nmatch person \nmatch engine engine:strong\nmatch person Ann\nmatch person \u{1b}\n\
                    presence x here 1,4\n";
        let summary = parse_summary("nim-7", &words(said)).unwrap();
        let line = "nim-7: nim, 1 somebody, 2 engine:strong, 3 free, 4 \\u{1b}, 0 moves";
        assert_eq!(summary.to_string(), line);
        assert_eq!(parse_summary("x", &words("hello\nfull\n")), None);
    }
}
