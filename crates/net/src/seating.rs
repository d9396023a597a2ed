//! Who owns the seats of a table.
//!
//! A table has an id, which stays the same through rematches and resumes. A seat belongs to the terminal that has the
//! seat's token, or to the player for whom an ssh key vouches; otherwise the name in the journal says whose it is, and
//! the host is asked. So a seat stays with its player although its table gets a new process, socket or name.
//!
//! The table's process keeps the seating of an unfinished match in a [file](super::seating_file) of its own. Neither the
//! journal nor the record contains a token.

use super::Origin;
use super::protocol::{OneWord, decode, read_name, read_seats, seat_list};
use quadrille_match::session::{Players, SeatSet};
use quadrille_rules::Seat;
use std::fmt::Write;
use std::path::PathBuf;
use strum::{Display, EnumString};

/// The maximum number of void tokens. Only terminals that are still retrying have them.
const MAX_VOID_TOKENS: usize = 32;

/// The keys of players in the file: guests, guests whom the host has not confirmed, and those who ask for a seat.
const GUEST: &str = "guest";
const UNCONFIRMED: &str = "unconfirmed";
const ASKER: &str = "asks";

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Seating {
    /// The table's id.
    pub id: String,
    /// The table's name.
    pub table: String,
    /// The secret for other users of this machine; `None` if they may not join.
    pub secret: Option<String>,
    pub host_token: String,
    /// The socket of the last process of this table.
    pub socket: Option<PathBuf>,
    /// Whether a guest may [wake](crate::wake) the table; otherwise the match waits for its host.
    pub can_wake: bool,
    /// Whether the table starts programs, which the host must permit first.
    pub has_programs: bool,
    /// The guests with seats.
    pub guests: Vec<SeatOwner>,
    /// The players who ask the host for a seat.
    pub asks: Vec<SeatOwner>,
    /// Tokens that are no longer valid, oldest first.
    pub void: Vec<VoidToken>,
}

/// A guest and its seats.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeatOwner {
    pub seats: SeatSet,
    pub name: String,
    pub token: String,
    /// `None` if only the name is known, from the journal.
    pub origin: Option<Origin>,
    /// Whether the host knows that this player plays.
    pub is_confirmed: bool,
}

/// A token whose terminal has lost its seat, and is told so when it returns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VoidToken {
    pub token: String,
    pub why: VoidReason,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Display, EnumString)]
#[strum(serialize_all = "lowercase")]
pub enum VoidReason {
    /// The host removed the player.
    Removed,
    /// The guest joined from another terminal.
    Moved,
    /// The host returned from another terminal.
    Resumed,
    /// The host did not give the seat to this player.
    Declined,
}

impl Seating {
    /// Returns the guests of a match that was saved without a seating: the names in the journal say who they are, except
    /// at the seat that was just `freed`. `tokens` generates the tokens, which no terminal has.
    pub fn guests_by_name<E>(
        players: &Players,
        freed: Option<Seat>,
        mut tokens: impl FnMut() -> Result<String, E>,
    ) -> Result<Vec<SeatOwner>, E> {
        let mut guests: Vec<SeatOwner> = Vec::new();
        for seat in players.named_guests().filter(|&seat| Some(seat) != freed) {
            let name = players.name(seat);
            match guests.iter_mut().find(|guest| guest.name == name) {
                Some(guest) => guest.seats = guest.seats.iter().chain([seat]).collect(),
                None => guests.push(SeatOwner {
                    seats: [seat].into_iter().collect(),
                    name: name.to_owned(),
                    token: tokens()?,
                    origin: None,
                    is_confirmed: true,
                }),
            }
        }
        Ok(guests)
    }

    pub(super) fn write(&self) -> String {
        let Seating { id, table, secret, host_token, .. } = self;
        let Seating { socket, can_wake, has_programs, guests, asks, void, .. } = self;
        // Writing to a string never fails.
        let mut text = format!("id {id}\ntable {table}\n");
        text.extend(secret.iter().map(|secret| format!("shared {secret}\n")));
        let _ = writeln!(text, "token {}", OneWord(host_token));
        let socket = socket.as_ref().and_then(|socket| socket.to_str());
        text.extend(socket.map(|socket| format!("socket {}\n", OneWord(socket))));
        text.extend(can_wake.then_some("wakes for guests\n"));
        text.extend(has_programs.then_some("starts programs\n"));
        for guest in guests {
            guest.write(if guest.is_confirmed { GUEST } else { UNCONFIRMED }, &mut text);
        }
        for asker in asks {
            asker.write(ASKER, &mut text);
        }
        text.extend(
            void.iter().map(|VoidToken { token, why }| format!("void {} {why}\n", OneWord(token))),
        );
        text
    }

    /// Parses the lines of [`write`](Seating::write) among others. The error names the missing or invalid line.
    pub(super) fn read(text: &str) -> Result<Seating, &'static str> {
        let all = |key: &'static str| {
            let lines = text.lines().filter_map(|line| line.split_once(' '));
            lines.filter(move |(name, _)| *name == key).map(|(_, value)| value)
        };
        let one = |key| all(key).next().map(str::to_owned).ok_or(key);
        Ok(Seating {
            id: one("id")?,
            table: one("table")?,
            secret: one("shared").ok(),
            host_token: decode(&one("token")?),
            socket: one("socket").ok().map(|socket| decode(&socket).into()),
            can_wake: one("wakes").is_ok(),
            has_programs: one("starts").is_ok(),
            guests: [(GUEST, true), (UNCONFIRMED, false)]
                .into_iter()
                .flat_map(|(key, is_confirmed)| all(key).map(move |text| (text, is_confirmed)))
                .map(|(text, is_confirmed)| SeatOwner::read(text, is_confirmed))
                .collect::<Option<_>>()
                .ok_or(GUEST)?,
            asks: all(ASKER)
                .map(|text| SeatOwner::read(text, false))
                .collect::<Option<_>>()
                .ok_or(ASKER)?,
            void: all("void").map(VoidToken::read).collect::<Option<_>>().ok_or("void")?,
        })
    }
}

/// Adds a void token, and drops the oldest if there are too many.
pub(super) fn push_void(void: &mut Vec<VoidToken>, token: String, why: VoidReason) {
    void.push(VoidToken { token, why });
    let extra = void.len().saturating_sub(MAX_VOID_TOKENS);
    void.drain(..extra);
}

impl SeatOwner {
    fn write(&self, key: &str, text: &mut String) {
        let SeatOwner { seats, name, token, origin, .. } = self;
        let (token, name) = (OneWord(token), OneWord(name));
        let _ = write!(text, "{key} {} {token} {name}", seat_list(*seats));
        if let Some(origin) = origin {
            origin.write(text);
        }
        text.push('\n');
    }

    fn read(text: &str, is_confirmed: bool) -> Option<SeatOwner> {
        let mut words = text.splitn(4, ' ');
        Some(SeatOwner {
            seats: read_seats(words.next()?)?,
            token: decode(words.next()?),
            name: read_name(words.next()?)?,
            origin: words.next().and_then(Origin::read),
            is_confirmed,
        })
    }
}

impl VoidToken {
    fn read(text: &str) -> Option<VoidToken> {
        let (token, why) = text.split_once(' ')?;
        Some(VoidToken { token: decode(token), why: why.parse().ok()? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn oldest_void_token_is_dropped() {
        let mut void = Vec::new();
        for number in 0..=MAX_VOID_TOKENS {
            push_void(&mut void, number.to_string(), VoidReason::Moved);
        }
        let tokens = void.iter().map(|void| void.token.parse::<usize>().unwrap());
        assert!(tokens.eq(1..=MAX_VOID_TOKENS));
    }
}
