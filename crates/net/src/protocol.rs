//! The protocol between a terminal and a table, version 2.
//!
//! Both ends send lines of UTF-8 of at most [`MAX_LINE_BYTES`] bytes. A line begins with a keyword. Unknown keywords
//! are ignored, so that later versions can add keywords. A name is a single word with each space written as `%20`.
//!
//! | the terminal sends | the table sends |
//! |---|---|
//! | `quadrille-table 2 0.1.0` | `quadrille-table 2 0.1.0 id X host Ann`, with the table's id and its host; an older peer is refused |
//! | `hello Bob`, `hello Bob seat 2,3`, `hello Bob watch`, each optionally with `token T`, and at another user's table with `secret S` | `welcome 2 T`, `welcome watch T`, `full`, `no REASON`; `wait TEXT` while the host is asked |
//! | `hello Bob token T move`: another terminal takes over the seat, and gets a new token | `welcome 2 U`; the terminal with the token T gets `moved REASON` |
//! | `hello Bob token T beside`: another terminal has the token's seat, so this one asks for a different seat | `welcome 3 U`, or `elsewhere` if no seat is free |
//! | `quadrille-table 2 0.1.0 list`, then `mine T U …` with its tokens from this destination, on as many lines as needed, and `list`: the terminal has chosen no table | `table quixo waits TEXT`, `table quixo idle TEXT` for each match that this guest may know, then `choose` |
//! | `open NAME` after that or in place of `list`; `open` alone leaves the choice to the host | the greeting of that table |
//! | `look` | the match and the presences, then `closed` |
//! | `have 12 89abcdef`: the number of steps and their checksum | `match KEY VALUE` for each line of the head, then `have N SUM`, followed by the rest of the log |
//! | `propose 13 play H0,0`, `propose 13 seat 2 resign` | `log 13 83512 2 play H0,0` to everyone, or `refused 13 REASON` |
//! | `ask takeback 4` (a position), `ask draw`, `ask rematch`, `ask rematch swap` | `question 7 Bob takeback 3 moves`, `… redo 1 moves`, `… draw`, `… rematch`, `… rematch swap`, `… seat 2`, to the asker and to the players who have to answer |
//! | `answer 7 yes`, `answer 7 no`, `withdraw 7` | `settled 7 yes Bob`, `settled 7 no Bob` with the author of the last answer; `settled 7 gone` and the cause: `moved Bob`, `resigned Bob`, `left Bob`, `takenback`, `ended`, `rematch`, `withdrawn`, `expired` |
//! | `say TEXT` | `said Bob TEXT`; with days per move also after `have`, if the player has not seen it, and `past Bob TEXT` if the player has; before both, `sent SECONDS` with the time in UTC |
//! | `ping T`, every ten seconds | `pong T` |
//! | `ready`: this terminal shows all seats as taken, so the clock may start | |
//! | `remove Bob`: the host removes a guest or a watcher | `removed Bob Ann` to the others, before the presence |
//! | `close`: the host closes the table, and the match is saved; `close T` with the host's token needs no `hello` | `closed REASON` |
//! | `bye` | |
//! | | `presence Bob here 2`, `presence Bob away 2`, `presence Bob slow 2`, `presence Eve watch`, `presence Eve gone` |
//! | | `clock 83512 runs`, `clock 83512 stands`: the match time |
//! | | `id k3v9mw`: identifies the match, so that terminals that share a state folder keep one record |
//! | | `trouble TEXT`: why the match could not be saved; `trouble` without a text: the match is saved again |
//!
//! A process on the host's account may send `as Bob`, and `key KEY` with a public ssh key in base64, before its
//! greeting: what ssh has verified about the guest. This name overrides any other name. `match you Bob 2` tells the
//! receiver its name and seat.
//!
//! `quadrille table connect` itself answers `list` and `open`, unless its command names the table. An older one passes
//! them over.
//!
//! The id of a table stays the same through rematches and resumes, and no other table has it. A terminal sends a token
//! only to the table whose id came with the token.

use jiff::Timestamp;
use quadrille_match::session::{LoggedStep, Player, SeatSet, Session, Step};
use quadrille_match::store::MatchId;
use quadrille_rules::Seat;
use quadrille_table::play::{Lapse, QuestionKind, Request, Settlement};
use quadrille_text::wording::cut_to;
use std::fmt;
use std::time::Duration;
use strum::{Display, EnumString};

/// The maximum length of a line in bytes, excluding the line ending.
pub const MAX_LINE_BYTES: usize = 4096;
/// The version of the protocol. A table serves a later peer by this version.
pub const VERSION: u32 = 2;
/// The reason for dropping a connection that has not greeted in time.
pub const NOTHING_SAID: &str = "connection timed out";
pub const GREETING: &str = "quadrille-table";
/// The word in the greeting of a terminal that lists tables or names one afterwards.
pub const CHOOSES: &str = "list";
/// The maximum number of tokens that a guest sends for the list, which is more than a host has matches.
pub const MAX_TOKENS: usize = 400;
/// The maximum number of tokens in one line.
pub const MAX_TOKENS_PER_LINE: usize = 100;
/// The maximum length of a chat message, in characters.
pub const MAX_CHAT_CHARS: usize = 200;
/// The maximum length of a name, in characters.
pub const MAX_NAME_CHARS: usize = 40;
/// The maximum number of steps of a match at a table. Normal matches never come close.
pub const MAX_STEPS: usize = 200_000;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SeatRequest {
    /// Any free seat.
    #[default]
    Any,
    Seats(SeatSet),
    Watch,
}

/// Which terminal sends a token, or comes with a vouched name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SeatClaimant {
    /// The terminal that has the seat, after a dropped connection.
    #[default]
    SameTerminal,
    /// Another terminal of the player, which takes over the seat.
    NewTerminal,
    /// Another terminal of the player, which asks for a seat of its own.
    SecondTerminal,
}

/// The content of a `hello`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hello {
    pub name: String,
    pub wanted: SeatRequest,
    /// The token of a seat, if the table has issued one.
    pub token: Option<String>,
    pub claimant: SeatClaimant,
    /// The secret of another user's table.
    pub secret: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ClientMessage {
    Greeting(u32),
    /// The guest's verified name.
    As(String),
    /// The guest's verified ssh key in base64.
    Key(String),
    Hello(Hello),
    Look,
    /// Tokens of this guest's seats at the tables of this destination.
    Mine(Vec<String>),
    /// Asks for the matches that this guest may know.
    List,
    /// Chooses a table; `None` leaves the choice to the host.
    Open(Option<String>),
    Have(LogChecksum),
    Propose {
        number: u64,
        seat: Option<Seat>,
        step: Step,
    },
    Ask(Request),
    Answer {
        number: u64,
        yes: bool,
    },
    Withdraw(u64),
    Say(String),
    Ping(String),
    /// Removes this player or watcher.
    Remove(String),
    /// Confirms that this terminal knows that all players have joined.
    Ready,
    /// Closes the table. The host's token makes this valid even before a `hello`.
    Close(Option<String>),
    Bye,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ServerMessage {
    Greeting(TableGreeting),
    Welcome {
        seats: SeatSet,
        token: String,
    },
    Full,
    /// The player's seat is at another terminal, and no other seat is free.
    Elsewhere,
    No(String),
    /// A match that the guest may choose.
    Table(ListedTable),
    /// The end of the list.
    Choose,
    /// The seat is not free; holds the names of the players who are asked.
    Wait(String),
    /// The token with which a player who has asked for a seat returns.
    Ticket(String),
    /// A line of the match head: key and value.
    Match(String, String),
    Have(LogChecksum),
    Log(LoggedStep),
    Refused {
        number: u64,
        reason: String,
    },
    Question {
        number: u64,
        name: String,
        kind: QuestionKind,
    },
    Settled {
        number: u64,
        settlement: Settlement,
    },
    /// When the next message, which waited for the player or which the player has seen, was sent.
    Sent(Timestamp),
    Said {
        name: String,
        text: String,
    },
    /// A kept message that the player has seen.
    Past {
        name: String,
        text: String,
    },
    Presence {
        name: String,
        presence: Presence,
        seats: SeatSet,
    },
    /// The host `by` has removed this player or watcher.
    Removed {
        name: String,
        by: String,
    },
    Clock {
        at: Duration,
        runs: bool,
    },
    /// Identifies the match, once it is saved.
    Id(MatchId),
    Trouble(String),
    Pong(String),
    Closed(String),
    /// The seat of this terminal is at another terminal now; holds a sentence for the player.
    Moved(String),
}

/// A line in the list of matches that a guest may choose.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedTable {
    pub name: String,
    /// Whether something waits for the guest.
    pub waits: bool,
    /// The match, and what waits.
    pub text: String,
}

/// The table's first line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TableGreeting {
    pub version: u32,
    /// The table's id; `None` only in tests.
    pub id: Option<String>,
    /// The host's name; `None` at a table without a host, and for other users of the machine.
    pub host: Option<String>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LogChecksum {
    pub count: usize,
    pub sum: u32,
}

/// A participant's presence at the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Display, EnumString)]
#[strum(serialize_all = "lowercase")]
pub enum Presence {
    /// Seated and connected.
    Here,
    /// Seated; the connection is down.
    Away,
    Watch,
    /// Left. A player whose seat is still reserved may return.
    Gone,
    /// Like `Away` or `Gone`, because the table dropped the connection for accepting data too slowly.
    Slow,
}

impl ClientMessage {
    /// Parses a line; `None` for an unknown keyword or invalid arguments.
    pub fn parse(line: &str) -> Option<ClientMessage> {
        let (word, rest) = split(line);
        Some(match word {
            GREETING => ClientMessage::Greeting(version(rest)?),
            "as" => ClientMessage::As(read_name(rest)?),
            "key" => ClientMessage::Key(read_key(rest)?),
            "hello" => hello(rest)?,
            "look" => ClientMessage::Look,
            "mine" => {
                let tokens = rest.split(' ').filter(|token| !token.is_empty());
                ClientMessage::Mine(tokens.take(MAX_TOKENS_PER_LINE).map(str::to_owned).collect())
            }
            "list" => ClientMessage::List,
            "open" => ClientMessage::Open((!rest.is_empty()).then(|| rest.to_owned())),
            "have" => ClientMessage::Have(LogChecksum::parse(rest)?),
            "propose" => {
                let (number, rest) = split(rest);
                let (seat, step) = match rest.strip_prefix("seat ") {
                    Some(rest) => {
                        let (seat, step) = split(rest);
                        (Some(read_seat(seat)?), step)
                    }
                    None => (None, rest),
                };
                ClientMessage::Propose {
                    number: number.parse().ok()?,
                    seat,
                    step: Step::parse(step)?,
                }
            }
            "ask" => ClientMessage::Ask(read_request(rest)?),
            "answer" => {
                let (number, rest) = split(rest);
                ClientMessage::Answer { number: number.parse().ok()?, yes: yes(rest)? }
            }
            "withdraw" => ClientMessage::Withdraw(rest.parse().ok()?),
            "remove" => ClientMessage::Remove(read_name(rest)?),
            "say" => ClientMessage::Say(cut_to(rest.trim(), MAX_CHAT_CHARS)),
            "ping" => ClientMessage::Ping(cut_to(rest, MAX_NAME_CHARS)),
            "ready" => ClientMessage::Ready,
            "close" => ClientMessage::Close((!rest.is_empty()).then(|| rest.to_owned())),
            "bye" => ClientMessage::Bye,
            _ => return None,
        })
    }
}

fn hello(rest: &str) -> Option<ClientMessage> {
    let mut words = rest.split(' ');
    let name = read_name(words.next()?)?;
    let (mut wanted, mut token, mut secret) = (SeatRequest::Any, None, None);
    let mut claimant = SeatClaimant::SameTerminal;
    while let Some(word) = words.next() {
        match word {
            "watch" => wanted = SeatRequest::Watch,
            "seat" => wanted = SeatRequest::Seats(read_seats(words.next()?)?),
            "token" => token = Some(words.next()?.to_owned()),
            "secret" => secret = Some(words.next()?.to_owned()),
            "move" => claimant = SeatClaimant::NewTerminal,
            "beside" => claimant = SeatClaimant::SecondTerminal,
            _ => {}
        }
    }
    Some(ClientMessage::Hello(Hello { name, wanted, token, claimant, secret }))
}

fn table_greeting(rest: &str) -> Option<ServerMessage> {
    let mut words = rest.split(' ');
    let version = words.next()?.parse().ok()?;
    // The program's version is only for people who read the line.
    words.next();
    let (mut id, mut host) = (None, None);
    while let Some(word) = words.next() {
        match word {
            "id" => id = Some(words.next()?.to_owned()).filter(|id| !id.is_empty()),
            "host" => host = Some(read_name(words.next()?)?),
            _ => {}
        }
    }
    Some(ServerMessage::Greeting(TableGreeting { version, id, host }))
}

impl ServerMessage {
    /// Parses a line; `None` for an unknown keyword or invalid arguments.
    pub fn parse(line: &str) -> Option<ServerMessage> {
        let (word, rest) = split(line);
        Some(match word {
            GREETING => table_greeting(rest)?,
            "welcome" => {
                let (seats, token) = split(rest);
                ServerMessage::Welcome {
                    seats: read_seats_or_watch(seats)?,
                    token: token.to_owned(),
                }
            }
            "full" => ServerMessage::Full,
            "elsewhere" => ServerMessage::Elsewhere,
            "no" => ServerMessage::No(rest.to_owned()),
            "wait" => ServerMessage::Wait(rest.to_owned()),
            "table" => {
                let (name, rest) = split(rest);
                let (state, text) = split(rest);
                let (name, text) = (name.to_owned(), text.to_owned());
                ServerMessage::Table(ListedTable { name, waits: state == "waits", text })
            }
            "choose" => ServerMessage::Choose,
            "match" => {
                let (key, value) = split(rest);
                ServerMessage::Match(key.to_owned(), value.to_owned())
            }
            "have" => ServerMessage::Have(LogChecksum::parse(rest)?),
            "log" => ServerMessage::Log(LoggedStep::parse(rest)?),
            "refused" => {
                let (number, reason) = split(rest);
                ServerMessage::Refused { number: number.parse().ok()?, reason: reason.to_owned() }
            }
            "question" => {
                let (number, rest) = split(rest);
                let (name, rest) = split(rest);
                let (number, name) = (number.parse().ok()?, read_name(name)?);
                ServerMessage::Question { number, name, kind: question_kind(rest)? }
            }
            "settled" => {
                let (number, rest) = split(rest);
                ServerMessage::Settled {
                    number: number.parse().ok()?,
                    settlement: settlement(rest)?,
                }
            }
            "sent" => ServerMessage::Sent(Timestamp::from_second(rest.parse().ok()?).ok()?),
            "said" | "past" => {
                let (name, text) = split(rest);
                let (name, text) = (read_name(name)?, cut_to(text, MAX_CHAT_CHARS));
                match word {
                    "said" => ServerMessage::Said { name, text },
                    _ => ServerMessage::Past { name, text },
                }
            }
            "presence" => {
                let mut words = rest.split(' ');
                let name = read_name(words.next()?)?;
                let presence = words.next()?.parse().ok()?;
                let seats = words.next().map_or(Some(SeatSet::default()), read_seats)?;
                ServerMessage::Presence { name, presence, seats }
            }
            "ticket" => ServerMessage::Ticket(rest.to_owned()),
            "removed" => {
                let (name, by) = split(rest);
                ServerMessage::Removed { name: read_name(name)?, by: read_name(by)? }
            }
            "clock" => {
                let (at, runs) = split(rest);
                let at = Duration::from_millis(at.parse().ok()?);
                let runs = match runs {
                    "runs" => true,
                    "stands" => false,
                    _ => return None,
                };
                ServerMessage::Clock { at, runs }
            }
            "id" => ServerMessage::Id(rest.parse().ok()?),
            "trouble" => ServerMessage::Trouble(rest.to_owned()),
            "pong" => ServerMessage::Pong(rest.to_owned()),
            "closed" => ServerMessage::Closed(rest.to_owned()),
            "moved" => ServerMessage::Moved(rest.to_owned()),
            _ => return None,
        })
    }
}

impl fmt::Display for ClientMessage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ClientMessage::Greeting(version) => greet(*version, f),
            ClientMessage::As(name) => write!(f, "as {}", OneWord(name)),
            ClientMessage::Key(key) => write!(f, "key {key}"),
            ClientMessage::Hello(Hello { name, wanted, token, claimant, secret }) => {
                write!(f, "hello {}", OneWord(name))?;
                match wanted {
                    SeatRequest::Any => {}
                    SeatRequest::Seats(seats) => write!(f, " seat {}", seat_list(*seats))?,
                    SeatRequest::Watch => f.write_str(" watch")?,
                }
                token.as_ref().map_or(Ok(()), |token| write!(f, " token {token}"))?;
                f.write_str(match claimant {
                    SeatClaimant::SameTerminal => "",
                    SeatClaimant::NewTerminal => " move",
                    SeatClaimant::SecondTerminal => " beside",
                })?;
                secret.as_ref().map_or(Ok(()), |secret| write!(f, " secret {secret}"))
            }
            ClientMessage::Look => f.write_str("look"),
            ClientMessage::Mine(tokens) => write!(f, "mine {}", tokens.join(" ")),
            ClientMessage::List => f.write_str("list"),
            ClientMessage::Open(None) => f.write_str("open"),
            ClientMessage::Open(Some(name)) => write!(f, "open {name}"),
            ClientMessage::Have(have) => have.fmt(f),
            ClientMessage::Propose { number, seat, step } => {
                write!(f, "propose {number} ")?;
                seat.map_or(Ok(()), |seat| write!(f, "seat {seat} "))?;
                step.fmt(f)
            }
            ClientMessage::Ask(request) => {
                f.write_str("ask ")?;
                write_request(*request, f)
            }
            ClientMessage::Answer { number, yes } => {
                write!(f, "answer {number} {}", yes_or_no(*yes))
            }
            ClientMessage::Withdraw(number) => write!(f, "withdraw {number}"),
            ClientMessage::Remove(name) => write!(f, "remove {}", OneWord(name)),
            ClientMessage::Say(text) => write!(f, "say {text}"),
            ClientMessage::Ping(text) => write!(f, "ping {text}"),
            ClientMessage::Ready => f.write_str("ready"),
            ClientMessage::Close(token) => {
                f.write_str("close")?;
                token.as_ref().map_or(Ok(()), |token| write!(f, " {token}"))
            }
            ClientMessage::Bye => f.write_str("bye"),
        }
    }
}

impl fmt::Display for ServerMessage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ServerMessage::Greeting(TableGreeting { version, id, host }) => {
                greet(*version, f)?;
                id.as_ref().map_or(Ok(()), |id| write!(f, " id {id}"))?;
                host.as_ref().map_or(Ok(()), |host| write!(f, " host {}", OneWord(host)))
            }
            ServerMessage::Welcome { seats, token } => {
                let seats = seat_list(*seats);
                write!(f, "welcome {} {token}", if seats.is_empty() { "watch" } else { &seats })
            }
            ServerMessage::Full => f.write_str("full"),
            ServerMessage::Elsewhere => f.write_str("elsewhere"),
            ServerMessage::No(reason) => write!(f, "no {reason}"),
            ServerMessage::Wait(text) => write!(f, "wait {text}"),
            ServerMessage::Table(ListedTable { name, waits, text }) => {
                write!(f, "table {name} {} {text}", if *waits { "waits" } else { "idle" })
            }
            ServerMessage::Choose => f.write_str("choose"),
            ServerMessage::Ticket(token) => write!(f, "ticket {token}"),
            ServerMessage::Match(key, value) => write!(f, "match {key} {value}"),
            ServerMessage::Have(have) => have.fmt(f),
            ServerMessage::Log(step) => write!(f, "log {step}"),
            ServerMessage::Refused { number, reason } => write!(f, "refused {number} {reason}"),
            ServerMessage::Question { number, name, kind } => {
                write!(f, "question {number} {} ", OneWord(name))?;
                match kind {
                    QuestionKind::TakeBack { moves } => write!(f, "takeback {moves} moves"),
                    QuestionKind::Redo { moves } => write!(f, "redo {moves} moves"),
                    QuestionKind::Draw => write_request(Request::Draw, f),
                    QuestionKind::Rematch { swap } => {
                        write_request(Request::Rematch { swap: *swap }, f)
                    }
                    QuestionKind::Seat(seats) => write!(f, "seat {}", seat_list(*seats)),
                    QuestionKind::Sits(seats) => write!(f, "sits {}", seat_list(*seats)),
                    // No table asks this question.
                    QuestionKind::NewMatch => f.write_str("new match"),
                }
            }
            ServerMessage::Settled { number, settlement } => {
                write!(f, "settled {number} ")?;
                match settlement {
                    Settlement::Answered { yes, by } => {
                        f.write_str(yes_or_no(*yes))?;
                        by.as_ref().map_or(Ok(()), |name| write!(f, " {}", OneWord(name)))
                    }
                    Settlement::Gone(lapse) => {
                        write!(f, "gone {lapse}")?;
                        lapse.by().map_or(Ok(()), |name| write!(f, " {}", OneWord(name)))
                    }
                }
            }
            ServerMessage::Sent(at) => write!(f, "sent {}", at.as_second()),
            ServerMessage::Said { name, text } => write!(f, "said {} {text}", OneWord(name)),
            ServerMessage::Past { name, text } => write!(f, "past {} {text}", OneWord(name)),
            ServerMessage::Presence { name, presence, seats } => {
                write!(f, "presence {} {presence}", OneWord(name))?;
                let seats = seat_list(*seats);
                if seats.is_empty() { Ok(()) } else { write!(f, " {seats}") }
            }
            ServerMessage::Removed { name, by } => {
                write!(f, "removed {} {}", OneWord(name), OneWord(by))
            }
            ServerMessage::Clock { at, runs } => {
                write!(f, "clock {} {}", at.as_millis(), if *runs { "runs" } else { "stands" })
            }
            ServerMessage::Id(id) => write!(f, "id {id}"),
            ServerMessage::Trouble(text) => write!(f, "trouble {text}"),
            ServerMessage::Pong(text) => write!(f, "pong {text}"),
            ServerMessage::Closed(reason) => write!(f, "closed {reason}"),
            ServerMessage::Moved(reason) => write!(f, "moved {reason}"),
        }
    }
}

impl LogChecksum {
    fn parse(text: &str) -> Option<LogChecksum> {
        let (count, sum) = split(text);
        Some(LogChecksum { count: count.parse().ok()?, sum: u32::from_str_radix(sum, 16).ok()? })
    }

    /// Returns the checksum of a match with this head and no steps.
    pub fn nothing(game: &str, setup: &str, clock: &str) -> LogChecksum {
        let mut hasher = crc32fast::Hasher::new();
        for part in [game, setup, clock] {
            hasher.update(part.as_bytes());
            hasher.update(b"\n");
        }
        LogChecksum { count: 0, sum: hasher.finalize() }
    }

    /// Returns the checksum of the first `count` steps of this match.
    pub fn of(session: &Session, count: usize) -> LogChecksum {
        let game = session.current_match();
        let clock = session.conditions().clock.map_or(String::new(), |clock| clock.to_string());
        let head = LogChecksum::nothing(game.id(), &game.setup().to_string(), &clock);
        let mut hasher = crc32fast::Hasher::new_with_initial(head.sum);
        for step in session.log().iter().take(count) {
            hasher.update(format!("{step}\n").as_bytes());
        }
        LogChecksum { count, sum: hasher.finalize() }
    }
}

impl fmt::Display for LogChecksum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "have {} {:08x}", self.count, self.sum)
    }
}

pub(super) fn read_request(text: &str) -> Option<Request> {
    Some(match text.split_once(' ') {
        Some(("takeback", node)) => Request::TakeBack(node.parse().ok()?),
        Some(("rematch", "swap")) => Request::Rematch { swap: true },
        None if text == "draw" => Request::Draw,
        None if text == "rematch" => Request::Rematch { swap: false },
        _ => return None,
    })
}

pub(super) fn write_request(request: Request, f: &mut impl fmt::Write) -> fmt::Result {
    match request {
        Request::TakeBack(node) => write!(f, "takeback {node}"),
        Request::Draw => f.write_str("draw"),
        Request::Rematch { swap: false } => f.write_str("rematch"),
        Request::Rematch { swap: true } => f.write_str("rematch swap"),
    }
}

fn question_kind(text: &str) -> Option<QuestionKind> {
    let moves = |text: &str| text.strip_suffix(" moves")?.parse().ok();
    Some(match split(text) {
        ("takeback", rest) => QuestionKind::TakeBack { moves: moves(rest)? },
        ("redo", rest) => QuestionKind::Redo { moves: moves(rest)? },
        ("seat", seats) => QuestionKind::Seat(read_seats(seats)?),
        ("sits", seats) => QuestionKind::Sits(read_seats(seats)?),
        _ => match read_request(text)? {
            Request::Draw => QuestionKind::Draw,
            Request::Rematch { swap } => QuestionKind::Rematch { swap },
            Request::TakeBack(_) => return None,
        },
    })
}

fn settlement(text: &str) -> Option<Settlement> {
    let (word, rest) = split(text);
    if word == "gone" {
        let (cause, by) = split(rest);
        let by = read_name(by);
        return Some(Settlement::Gone(match (cause, by) {
            ("withdrawn", _) => Lapse::Withdrawn,
            ("expired", _) => Lapse::Expired,
            ("takenback", _) => Lapse::TakenBack,
            ("ended", _) => Lapse::Ended,
            ("rematch", _) => Lapse::Rematch,
            ("resigned", Some(by)) => Lapse::Resigned { by },
            ("left", Some(by)) => Lapse::Left { by },
            // Treat an unknown cause as a change of position.
            (_, by) => Lapse::Moved { by },
        }));
    }
    Some(Settlement::Answered { yes: yes(word)?, by: read_name(rest) })
}

/// A text encoded as one word.
pub struct OneWord<'a>(pub &'a str);

impl fmt::Display for OneWord<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.replace('%', "%25").replace(' ', "%20"))
    }
}

/// Decodes a text encoded as [`OneWord`].
pub(super) fn decode(word: &str) -> String {
    word.replace("%20", " ").replace("%25", "%")
}

/// Decodes a name; `None` if it is invalid.
pub(super) fn read_name(word: &str) -> Option<String> {
    let name = decode(word);
    fit_name(&name).filter(|fit| *fit == name)
}

fn read_key(word: &str) -> Option<String> {
    let is_base64 = |c: char| c.is_ascii_alphanumeric() || "+/=".contains(c);
    (!word.is_empty() && word.chars().all(is_base64)).then(|| word.to_owned())
}

/// Shortens a name to a valid one; `None` if nothing valid is left.
pub fn fit_name(name: &str) -> Option<String> {
    let name: String = name.trim().chars().take(MAX_NAME_CHARS).collect();
    let name = name.trim();
    Player::check_name(name).ok().map(|()| name.to_owned())
}

fn split(text: &str) -> (&str, &str) {
    text.split_once(' ').unwrap_or((text, ""))
}

fn version(rest: &str) -> Option<u32> {
    split(rest).0.parse().ok()
}

/// Checks the version in a table's greeting. The error is a sentence.
pub(super) fn check_version(version: u32) -> Result<(), String> {
    if version == VERSION {
        return Ok(());
    }
    Err(format!(
        "the table uses protocol version {version}, this program {VERSION}; install the same Quadrille on both machines"
    ))
}

fn greet(version: u32, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    write!(f, "{GREETING} {version} {}", env!("CARGO_PKG_VERSION"))
}

fn read_seat(word: &str) -> Option<Seat> {
    let number: u8 = word.parse().ok()?;
    (1..=8).contains(&number).then(|| Seat::new(number - 1))
}

/// Parses seats, such as `2` or `2,3`.
pub fn read_seats(word: &str) -> Option<SeatSet> {
    word.split(',').map(read_seat).collect()
}

fn read_seats_or_watch(word: &str) -> Option<SeatSet> {
    if word == "watch" { Some(SeatSet::default()) } else { read_seats(word) }
}

pub(super) fn seat_list(seats: SeatSet) -> String {
    seats.iter().map(|seat| seat.to_string()).collect::<Vec<_>>().join(",")
}

fn yes(word: &str) -> Option<bool> {
    match word {
        "yes" => Some(true),
        "no" => Some(false),
        _ => None,
    }
}

const fn yes_or_no(yes: bool) -> &'static str {
    if yes { "yes" } else { "no" }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const GUEST: [&str; 36] = [
        "key AAAAC3Nza+/=",
        "hello Bob",
        "hello Ann%20Lee seat 2,3 token 0a1b",
        "hello 100%25 watch",
        "hello Eve watch token x",
        "hello Eve seat 2 secret y",
        "hello Eve token x move",
        "hello Eve move",
        "hello Eve seat 2 token x beside secret y",
        "as Bob",
        "look",
        "mine k3v9mw t2",
        "list",
        "open",
        "open quixo-2",
        "have 12 0089abcd",
        "propose 13 play H0,0",
        "propose 13 seat 2 resign",
        "propose 1 go 0",
        "propose 1 end time: 2",
        "ask takeback 4",
        "ask rematch",
        "ask rematch swap",
        "ask draw",
        "answer 7 yes",
        "answer 8 no",
        "withdraw 7",
        "remove Ann%20Lee",
        "say good luck to you",
        "ping 7",
        "ready",
        "close",
        "close 0a1b",
        "bye",
        "propose 2 offer-draw",
        "propose 2 pause",
    ];
    const TABLE: [&str; 49] = [
        "table quixo-2 waits Quixo, your turn",
        "table quixo idle Quixo, Bob's turn",
        "choose",
        "welcome 2 0a1b",
        "welcome 1,4 0a1b",
        "welcome watch 0a1b",
        "full",
        "elsewhere",
        "moved You joined from another terminal",
        "no the seat is taken",
        "wait the host is asked",
        "match game quixo",
        "match setup ",
        "match name Ann Lee",
        "have 0 0089abcd",
        "log 13 83512 2 play H0,0",
        "log 14 83512 arbiter end forfeit: 2: x y",
        "refused 13 it is not your turn",
        "question 7 Bob takeback 3 moves",
        "question 8 Ann%20Lee redo 1 moves",
        "question 9 Eve draw",
        "question 10 Eve rematch",
        "question 11 Eve rematch swap",
        "question 12 Bob seat 2,3",
        "settled 7 yes",
        "settled 7 yes Ann%20Lee",
        "settled 8 no Bob",
        "settled 9 gone moved",
        "settled 9 gone moved Ann%20Lee",
        "settled 9 gone takenback",
        "settled 9 gone resigned Bob",
        "settled 9 gone ended",
        "settled 9 gone rematch",
        "settled 9 gone left Bob",
        "settled 9 gone withdrawn",
        "settled 9 gone expired",
        "removed Bob Ann%20Lee",
        "said Bob hello there",
        "presence Bob here 2,3",
        "presence Bob away 2",
        "presence Eve watch",
        "presence Eve gone",
        "presence Ann gone 1",
        "presence Bob slow 2",
        "clock 100 runs",
        "clock 100 stands",
        "id k3v9mw",
        "trouble the disk is full",
        "closed the host has left",
    ];

    #[test]
    fn protocol_line_round_trips() {
        for line in GUEST {
            assert_eq!(ClientMessage::parse(line).unwrap().to_string(), line);
        }
        for line in TABLE {
            assert_eq!(ServerMessage::parse(line).unwrap().to_string(), line);
        }
        let greeting = ClientMessage::Greeting(7).to_string();
        assert_eq!(ClientMessage::parse(&greeting), Some(ClientMessage::Greeting(7)));
        for (line, id, host) in [
            (greeting.clone(), None, None),
            (format!("{greeting} id k3 host Ann%20Lee"), Some("k3"), Some("Ann Lee")),
            (format!("{greeting} color blue id k3"), Some("k3"), None),
            ("quadrille-table 7".to_owned(), None, None),
        ] {
            let (id, host) = (id.map(str::to_owned), host.map(str::to_owned));
            let greeting = ServerMessage::Greeting(TableGreeting { version: 7, id, host });
            assert_eq!(ServerMessage::parse(&line), Some(greeting.clone()));
            assert_eq!(ServerMessage::parse(&greeting.to_string()), Some(greeting));
        }
    }

    #[test]
    fn malformed_protocol_lines_are_ignored() {
        for line in [
            "",
            " ",
            "hello",
            "hello ",
            "hello \u{1b}",
            "hello Bob seat 9",
            "hello Bob seat",
            "hello Bob token",
            "propose",
            "propose x play a",
            "propose 1",
            "propose 1 seat 0 resign",
            "propose -1 resign",
            "ask",
            "ask takeback",
            "ask takeback -1",
            "ask rematch twice",
            "answer",
            "answer yes",
            "answer 7",
            "answer x yes",
            "answer 7 maybe",
            "withdraw",
            "withdraw x",
            "remove",
            "have 1",
            "have x 0",
            "have 1 xyz",
            "quadrille-table",
            "quadrille-table x 1",
            "later words",
            "as",
            "key",
            "key a b",
        ] {
            assert_eq!(ClientMessage::parse(line), None, "{line}");
        }
        for line in [
            "",
            "welcome",
            "log",
            "log 1 2",
            "presence Bob",
            "presence Bob asleep",
            "clock 1",
            "clock x runs",
            "question 7 Bob",
            "question 7 Bob takeback 3",
            "question x Bob draw",
            "question 7 Bob seat 9",
            "settled 7",
            "settled 7 maybe",
            "removed Bob",
            "said",
            "id",
            "id ../../x",
            "id K3V9MW",
            "later words",
        ] {
            assert_eq!(ServerMessage::parse(line), None, "{line}");
        }
        assert_eq!(
            ClientMessage::parse("hello Bob from elsewhere seat 2"),
            ClientMessage::parse("hello Bob seat 2"),
            "unknown words in a hello"
        );
        let long = format!("hello {}", "x".repeat(MAX_NAME_CHARS + 1));
        assert_eq!(ClientMessage::parse(&long), None);
        assert_eq!(
            ClientMessage::parse(&format!("say {}", "x".repeat(1000)))
                .map(|word| word.to_string().len()),
            Some(4 + MAX_CHAT_CHARS)
        );
    }

    /// A line cut at any byte parses as a different line or not at all, without a panic.
    #[test]
    fn truncated_protocol_line_does_not_panic() {
        for line in GUEST.iter().chain(&TABLE) {
            for cut in 0..line.len() {
                let (_, _) =
                    (ClientMessage::parse(&line[..cut]), ServerMessage::parse(&line[cut..]));
            }
        }
    }

    proptest! {
        /// Every parsed line formats to text that parses to the same value.
        #[test]
        fn random_protocol_line_round_trips(line in "(hello|say|propose|have|ask|answer|question|settled|settled 7 gone|log|presence|removed|said|match|refused|clock|as|key|welcome)? ?[ -~\u{e9}\u{202e}]{0,40}") {
            if let Some(word) = ClientMessage::parse(&line) {
                prop_assert_eq!(ClientMessage::parse(&word.to_string()), Some(word));
            }
            if let Some(word) = ServerMessage::parse(&line) {
                prop_assert_eq!(ServerMessage::parse(&word.to_string()), Some(word));
            }
        }
    }
}
