//! A connection: its identity and its queue of lines.

use crate::Identity;
use crate::protocol::{OneWord, ServerMessage, decode};
use quadrille_match::session::LoggedStep;
use std::collections::VecDeque;
use std::fmt::Write;
use std::time::Duration;

pub type PersonId = u32;

/// The maximum size of a connection's queue in bytes, excluding the log.
const MAX_QUEUE_BYTES: usize = 64 << 10;

/// The system user at the other end of a connection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PeerUser {
    pub uid: u32,
    /// The user's name, unless it is the table's own user.
    pub other_user: Option<String>,
}

/// What is verified about the other end of a connection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    pub peer: PeerUser,
    pub identity: Identity,
}

impl Origin {
    /// Appends the words ` uid 1000`, ` user mallory`, ` vouched Bob` and ` key AAAA…`.
    pub(crate) fn write(&self, text: &mut String) {
        let PeerUser { uid, other_user } = &self.peer;
        // Writing to a string never fails.
        let _ = write!(text, " uid {uid}");
        let Identity { name, key } = &self.identity;
        for (key, name) in [("user", other_user), ("vouched", name), ("key", key)] {
            if let Some(name) = name {
                let _ = write!(text, " {key} {}", OneWord(name));
            }
        }
    }

    /// Parses the words of [`write`](Origin::write). Unknown words are ignored.
    pub(crate) fn read(text: &str) -> Option<Origin> {
        let (mut uid, mut other_user, mut identity) = (None, None, Identity::default());
        let mut words = text.split(' ');
        while let Some(word) = words.next() {
            match word {
                "uid" => uid = Some(words.next()?.parse().ok()?),
                "user" => other_user = Some(decode(words.next()?)),
                "vouched" => identity.name = Some(decode(words.next()?)),
                "key" => identity.key = Some(decode(words.next()?)),
                _ => {}
            }
        }
        Some(Origin { peer: PeerUser { uid: uid?, other_user }, identity })
    }

    /// Returns whether the player is known to be neither the host nor a guest on the host's account.
    pub fn is_limited(&self) -> bool {
        self.identity.name.is_some() || self.peer.other_user.is_some()
    }

    /// Returns whether both may be the same person. The unverified connections of a system user count as one person.
    pub fn is_same(&self, other: &Origin) -> bool {
        let are_unverified = !self.identity.is_verified() && !other.identity.is_verified();
        self.peer.uid == other.peer.uid
            && (are_unverified || self.identity.is_same_person(&other.identity))
    }
}

/// The role of a connection at the table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum PersonRole {
    /// No `hello` yet.
    New,
    /// Waiting for consent to take a seat.
    Waits,
    Plays,
    Watches(String),
}

#[derive(Debug)]
#[allow(clippy::struct_excessive_bools, reason = "independent flags")]
pub(super) struct Person {
    pub id: PersonId,
    pub peer: PeerUser,
    pub since: Duration,
    pub has_greeted: bool,
    /// When the last line arrived; `None` before the first ping. A terminal that never pings is never considered
    /// silent.
    pub heard: Option<Duration>,
    /// What the bridge or the screen has verified.
    pub identity: Identity,
    pub role: PersonRole,
    /// The queued lines, each with the number of the news that it tells.
    words: VecDeque<(String, Option<u64>)>,
    bytes: usize,
    has_missed: bool,
    /// Whether the connection was dropped because its queue was full.
    pub is_slow: bool,
    /// How many steps of the log were sent; `None` before the terminal has requested the log.
    steps: Option<usize>,
    /// The final message, sent before the connection is dropped.
    last: Option<String>,
    is_dropped: bool,
}

impl Person {
    pub fn new(id: PersonId, peer: PeerUser, since: Duration) -> Person {
        Person {
            id,
            peer,
            since,
            has_greeted: false,
            heard: None,
            identity: Identity::default(),
            role: PersonRole::New,
            words: VecDeque::new(),
            bytes: 0,
            has_missed: false,
            is_slow: false,
            steps: None,
            last: None,
            is_dropped: false,
        }
    }

    pub fn origin(&self) -> Origin {
        Origin { peer: self.peer.clone(), identity: self.identity.clone() }
    }

    pub fn is_settled(&self) -> bool {
        matches!(self.role, PersonRole::Plays | PersonRole::Watches(_))
    }

    pub fn is_new(&self) -> bool {
        self.role == PersonRole::New && !self.is_dropped
    }

    pub fn is_dropped(&self) -> bool {
        self.is_dropped
    }

    pub fn watches(&self) -> Option<&str> {
        match &self.role {
            PersonRole::Watches(name) if !self.is_dropped => Some(name),
            _ => None,
        }
    }

    /// Queues a message. If the queue is full, a player skips the message, and any other connection is dropped.
    pub fn send(&mut self, word: &ServerMessage) {
        self.queue(word, None);
    }

    /// Queues news like other messages. Its number is returned with the line, because only then the player is told.
    pub fn send_news(&mut self, word: &ServerMessage, number: u64) {
        self.queue(word, Some(number));
    }

    fn queue(&mut self, word: &ServerMessage, news: Option<u64>) {
        if self.is_dropped {
            return;
        }
        let line = word.to_string();
        if self.bytes + line.len() <= MAX_QUEUE_BYTES {
            self.bytes += line.len();
            self.words.push_back((line, news));
        } else if self.role == PersonRole::Plays {
            self.has_missed = true;
        } else {
            self.is_slow = true;
            self.end_with(&ServerMessage::No("your connection is too slow to watch".to_owned()));
        }
    }

    /// Returns whether messages were skipped and the queue has room again.
    pub fn has_missed(&self) -> bool {
        self.has_missed && self.words.is_empty() && !self.is_dropped
    }

    pub fn catch_up(&mut self) {
        self.has_missed = false;
    }

    /// Sends the log starting with this step.
    pub fn begin_log(&mut self, from: usize) {
        self.steps = Some(from);
    }

    /// Returns how many steps of the log were sent; `None` if the peer does not follow the log.
    pub fn steps_sent(&self) -> Option<usize> {
        self.steps
    }

    /// Returns the next message, and the number of the news that it tells.
    pub fn next_word(&mut self) -> Option<(String, Option<u64>)> {
        let (line, news) = self.words.pop_front()?;
        self.bytes -= line.len();
        Some((line, news))
    }

    pub fn next_step(&mut self, log: &[LoggedStep]) -> Option<String> {
        let steps = self.steps.as_mut()?;
        let step = log.get(*steps)?;
        *steps += 1;
        Some(ServerMessage::Log(step.clone()).to_string())
    }

    pub fn last_word(&mut self) -> Option<String> {
        self.last.take()
    }

    pub fn has_words(&self, steps: usize) -> bool {
        let is_behind = self.steps.is_some_and(|told| told < steps);
        !self.words.is_empty() || self.has_missed || is_behind || self.last.is_some()
    }

    /// Replaces the final message if it has not been sent yet.
    pub fn ends_instead_with(&mut self, word: &ServerMessage) {
        if let Some(last) = &mut self.last {
            *last = word.to_string();
        }
    }

    pub fn end_silently(&mut self) {
        (self.is_dropped, self.has_missed) = (true, false);
    }

    /// Sets the final message, after which the connection is dropped.
    pub fn end_with(&mut self, word: &ServerMessage) {
        if !self.is_dropped {
            (self.last, self.is_dropped, self.has_missed) = (Some(word.to_string()), true, false);
        }
    }
}
