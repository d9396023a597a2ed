//! What waits in a match with days per move until its players come: messages, open requests, how requests have ended,
//! and the end of the match.
//!
//! All of it is kept with the [seating](super::Seating), as lines of text. News are numbered, and each player's
//! [`Visit`] says up to which number the player's terminal was told. Players are known by their seats; a host without
//! a seat has the empty set.

use super::protocol::{
    MAX_CHAT_CHARS, MAX_NAME_CHARS, OneWord, ServerMessage, decode, read_name, read_request,
    read_seats, seat_list, write_request,
};
use jiff::{SignedDuration, Timestamp};
use quadrille_match::session::SeatSet;
use quadrille_table::play::Request;
use std::collections::VecDeque;
use std::fmt::Write;

/// The maximum number of kept messages.
const MAX_MESSAGES: usize = 50;
/// The maximum size of the kept messages, in bytes. Requests are bounded by their number.
pub(super) const MAX_KEPT_BYTES: usize = 64 << 10;
/// The maximum size of a kept message: its characters, at most 4 bytes each, its number and its time.
const MAX_MESSAGE_BYTES: usize = 4 * (MAX_CHAT_CHARS + MAX_NAME_CHARS) + 80;
const _: () = assert!(MAX_MESSAGES * MAX_MESSAGE_BYTES <= MAX_KEPT_BYTES);
/// How long a finished match waits for its players.
const MAX_WAIT: SignedDuration = SignedDuration::from_hours(30 * 24);

/// The word for a host without a seat.
const HOST: &str = "host";

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Waiting {
    /// The number of the last news.
    pub last_news: u64,
    /// The number of the last question, so that no later one has the same.
    pub last_question: u64,
    /// The last messages, oldest first.
    pub messages: VecDeque<Message>,
    pub requests: Vec<OpenRequest>,
    pub settled: Vec<SettledRequest>,
    pub visits: Vec<Visit>,
    /// When the match ended, if it has.
    pub ended: Option<Timestamp>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    pub number: u64,
    pub name: String,
    pub text: String,
    /// When it was sent; `None` in files of earlier builds.
    pub sent: Option<Timestamp>,
}

/// A request that has not been answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenRequest {
    /// The number of the question.
    pub number: u64,
    pub by: SeatSet,
    pub name: String,
    pub request: Request,
    /// The position that the request refers to, and whether the match has ended there.
    pub position: (usize, bool),
    /// The players who have not answered yet.
    pub waiting: Vec<SeatSet>,
}

/// A request that ended while a player was away.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettledRequest {
    pub number: u64,
    /// The player who has not been told.
    pub to: SeatSet,
    /// The lines that tell the player.
    pub question: ServerMessage,
    pub settlement: ServerMessage,
}

/// What a player has seen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Visit {
    pub by: SeatSet,
    /// The number of the last news that the player's terminal was told.
    pub seen: u64,
    /// Whether the player has left the finished board.
    pub has_left_end: bool,
}

impl Waiting {
    /// Adds a message, and drops the oldest if there are too many. Returns its number.
    pub fn add_message(&mut self, name: String, text: String, sent: Option<Timestamp>) -> u64 {
        self.last_news += 1;
        self.messages.push_back(Message { number: self.last_news, name, text, sent });
        if self.messages.len() > MAX_MESSAGES {
            self.messages.pop_front();
        }
        self.last_news
    }

    /// Keeps how a request ended for a player who is away, in place of an earlier request of the same asker.
    pub fn add_settled(&mut self, to: SeatSet, question: ServerMessage, settlement: ServerMessage) {
        let asker = |question: &ServerMessage| match question {
            ServerMessage::Question { name, .. } => Some(name.clone()),
            _ => None,
        };
        let by = asker(&question);
        self.settled.retain(|known| known.to != to || asker(&known.question) != by);
        self.last_news += 1;
        self.settled.push(SettledRequest { number: self.last_news, to, question, settlement });
    }

    /// Returns the requests that this player has to answer.
    pub fn to_answer(&self, player: SeatSet) -> impl Iterator<Item = &OpenRequest> {
        self.requests.iter().filter(move |open| open.waiting.contains(&player))
    }

    /// Returns whether the player has not seen the end of the match.
    pub fn has_end_for(&self, player: SeatSet) -> bool {
        let visit = self.visits.iter().find(|visit| visit.by == player);
        self.ended.is_some() && !visit.is_some_and(|visit| visit.has_left_end)
    }

    /// Returns whether a finished match is to be filed: each player has left its board, or it has waited long enough.
    pub fn is_over(&self, now: Timestamp) -> bool {
        let has_waited = |ended: Timestamp| now.duration_since(ended) >= MAX_WAIT;
        self.ended.is_some_and(|ended| {
            has_waited(ended) || self.visits.iter().all(|visit| visit.has_left_end)
        })
    }

    pub(super) fn write(&self, text: &mut String) {
        let Waiting { last_news, last_question, messages, requests, settled, visits, ended } = self;
        if (*last_news, *last_question) != (0, 0) {
            // Writing to a string never fails.
            let _ = writeln!(text, "numbers {last_news} {last_question}");
        }
        for Message { number, name, text: said, sent } in messages {
            let _ = writeln!(text, "said {number} {} {said}", OneWord(name));
            // Earlier builds pass this line over.
            text.extend(sent.iter().map(|sent| format!("sent {number} {}\n", sent.as_second())));
        }
        for open in requests {
            open.write(text);
        }
        for SettledRequest { number, to, question, settlement } in settled {
            let lines = [question.to_string(), settlement.to_string()];
            let [question, settlement] = [&lines[0], &lines[1]].map(|line| OneWord(line));
            let _ = writeln!(text, "settled {number} {} {question} {settlement}", player_word(*to));
        }
        for Visit { by, seen, has_left_end } in visits {
            let left = if *has_left_end { " left" } else { "" };
            let _ = writeln!(text, "visit {} {seen}{left}", player_word(*by));
        }
        text.extend(ended.iter().map(|ended| format!("ended {}\n", ended.as_second())));
    }

    /// Parses the values of the lines of [`write`](Waiting::write). The error names the invalid line.
    pub(super) fn read<'t, I: Iterator<Item = &'t str>>(
        all: impl Fn(&'static str) -> I,
    ) -> Result<Waiting, &'static str> {
        fn each<'t, T, C: FromIterator<T>>(
            key: &'static str,
            values: impl Iterator<Item = &'t str>,
            read: impl Fn(&mut dyn Iterator<Item = &'t str>) -> Option<T>,
        ) -> Result<C, &'static str> {
            values.map(|value| read(&mut value.split(' '))).collect::<Option<C>>().ok_or(key)
        }
        let numbers: Vec<(u64, u64)> =
            each("numbers", all("numbers"), |words| Some((number(words)?, number(words)?)))?;
        let (last_news, last_question) = numbers.first().copied().unwrap_or_default();
        let times: Vec<(u64, Timestamp)> = each("sent", all("sent"), |words| {
            Some((number(words)?, Timestamp::from_second(words.next()?.parse().ok()?).ok()?))
        })?;
        let messages = all("said").map(|value| {
            let mut words = value.splitn(3, ' ');
            let (number, name) = (number(&mut words)?, read_name(words.next()?)?);
            let sent = times.iter().find(|(said, _)| *said == number).map(|(_, sent)| *sent);
            Some(Message { number, name, text: words.next()?.to_owned(), sent })
        });
        let ended: Vec<Timestamp> = each("ended", all("ended"), |words| {
            Timestamp::from_second(words.next()?.parse().ok()?).ok()
        })?;
        Ok(Waiting {
            last_news,
            last_question,
            messages: messages.collect::<Option<_>>().ok_or("said")?,
            requests: each("request", all("request"), OpenRequest::read)?,
            settled: each("settled", all("settled"), |words| {
                let (number, to) = (number(words)?, player(words.next()?)?);
                let mut line = || ServerMessage::parse(&decode(words.next()?));
                Some(SettledRequest { number, to, question: line()?, settlement: line()? })
            })?,
            visits: each("visit", all("visit"), |words| {
                let (by, seen) = (player(words.next()?)?, number(words)?);
                Some(Visit { by, seen, has_left_end: words.next() == Some("left") })
            })?,
            ended: ended.first().copied(),
        })
    }
}

impl OpenRequest {
    fn write(&self, text: &mut String) {
        let OpenRequest { number, by, name, request, position: (node, is_over), waiting } = self;
        let waiting: Vec<String> = waiting.iter().map(|seats| player_word(*seats)).collect();
        let (by, waiting, name) = (player_word(*by), waiting.join("/"), OneWord(name));
        let state = if *is_over { "over" } else { "open" };
        let _ = write!(text, "request {number} {by} {waiting} {node} {state} {name} ");
        let _ = write_request(*request, text);
        text.push('\n');
    }

    fn read(words: &mut dyn Iterator<Item = &str>) -> Option<OpenRequest> {
        let (number, by) = (number(words)?, player(words.next()?)?);
        let waiting = words.next()?.split('/').map(player).collect::<Option<_>>()?;
        let position = (words.next()?.parse().ok()?, words.next()? == "over");
        let name = read_name(words.next()?)?;
        let rest: Vec<&str> = words.collect();
        let request = read_request(&rest.join(" "))?;
        Some(OpenRequest { number, by, name, request, position, waiting })
    }
}

fn number<'t>(words: &mut (impl Iterator<Item = &'t str> + ?Sized)) -> Option<u64> {
    words.next()?.parse().ok()
}

fn player_word(seats: SeatSet) -> String {
    if seats.is_empty() { HOST.to_owned() } else { seat_list(seats) }
}

fn player(word: &str) -> Option<SeatSet> {
    if word == HOST { Some(SeatSet::default()) } else { read_seats(word) }
}
