//! A connection: who is at its other end, and what it has to be told.

use crate::net::protocol::TableWord;
use crate::session::LoggedStep;
use std::collections::VecDeque;
use std::time::Duration;

/// A connection, by its number.
pub type PersonId = u32;

/// The most bytes of words that wait for somebody to take them. The log is not among them.
const MOST_BYTES: usize = 64 << 10;

/// Whose process is at the other end of a connection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PeerUser {
    pub uid: u32,
    /// The name of the user, unless it is the user of the table.
    pub other_user: Option<String>,
}

/// What is certain about the player at the other end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Origin {
    pub peer: PeerUser,
    /// The name for which the player's key vouches.
    pub vouched: Option<String>,
}

impl Origin {
    /// Whether it is known to be neither the host nor a guest with the host's account.
    pub fn is_limited(&self) -> bool {
        self.vouched.is_some() || self.peer.other_user.is_some()
    }
}

/// What somebody does here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum PersonRole {
    /// Nothing is known yet.
    New,
    /// Waits for the consent of others to sit down.
    Waits,
    Plays,
    /// Watches, under this name.
    Watches(String),
}

#[derive(Debug)]
#[allow(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub(super) struct Person {
    pub id: PersonId,
    pub peer: PeerUser,
    pub since: Duration,
    /// The version of the protocol, once it has greeted.
    pub version: Option<u32>,
    /// When it last said something, once it has pinged. A terminal that never does is not expected to.
    pub heard: Option<Duration>,
    /// The name that the bridge has vouched for.
    pub named: Option<String>,
    pub role: PersonRole,
    words: VecDeque<String>,
    bytes: usize,
    has_missed: bool,
    /// Whether it is dropped as too much waited for it.
    pub is_slow: bool,
    /// How many steps of the log it has been told; `None` before it has asked.
    steps: Option<usize>,
    /// What it is told last, before it is dropped.
    last: Option<String>,
    is_dropped: bool,
}

impl Person {
    pub fn new(id: PersonId, peer: PeerUser, since: Duration) -> Person {
        Person {
            id,
            peer,
            since,
            version: None,
            heard: None,
            named: None,
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
        Origin { peer: self.peer.clone(), vouched: self.named.clone() }
    }

    /// Whether it has a seat or watches.
    pub fn is_settled(&self) -> bool {
        matches!(self.role, PersonRole::Plays | PersonRole::Watches(_))
    }

    /// Whether it has not said hello.
    pub fn is_new(&self) -> bool {
        self.role == PersonRole::New && !self.is_dropped
    }

    pub fn is_dropped(&self) -> bool {
        self.is_dropped
    }

    /// The name of somebody who watches.
    pub fn watches(&self) -> Option<&str> {
        match &self.role {
            PersonRole::Watches(name) if !self.is_dropped => Some(name),
            _ => None,
        }
    }

    /// Queues a word. If the queue is full, somebody at a seat misses it, and others are dropped.
    pub fn tell(&mut self, word: &TableWord) {
        if self.is_dropped {
            return;
        }
        let line = word.to_string();
        if self.bytes + line.len() <= MOST_BYTES {
            self.bytes += line.len();
            self.words.push_back(line);
        } else if self.role == PersonRole::Plays {
            self.has_missed = true;
        } else {
            self.is_slow = true;
            self.end_with(&TableWord::No("your connection is too slow to watch".to_owned()));
        }
    }

    /// Whether something was left out, and there is room again.
    pub fn has_missed(&self) -> bool {
        self.has_missed && self.words.is_empty() && !self.is_dropped
    }

    pub fn catch_up(&mut self) {
        self.has_missed = false;
    }

    /// From now on it is told the log from this step.
    pub fn begin_log(&mut self, from: usize) {
        self.steps = Some(from);
    }

    /// Returns how many steps of the log were sent, if this peer follows the log.
    pub fn steps_sent(&self) -> Option<usize> {
        self.steps
    }

    pub fn next_word(&mut self) -> Option<String> {
        let word = self.words.pop_front()?;
        self.bytes -= word.len();
        Some(word)
    }

    pub fn next_step(&mut self, log: &[LoggedStep]) -> Option<String> {
        let steps = self.steps.as_mut()?;
        let step = log.get(*steps)?;
        *steps += 1;
        Some(TableWord::Log(step.clone()).to_string())
    }

    pub fn last_word(&mut self) -> Option<String> {
        self.last.take()
    }

    pub fn has_words(&self, steps: usize) -> bool {
        let is_behind = self.steps.is_some_and(|told| told < steps);
        !self.words.is_empty() || self.has_missed || is_behind || self.last.is_some()
    }

    /// Says this in place of its last word, if that is not said yet.
    pub fn ends_instead_with(&mut self, word: &TableWord) {
        if let Some(last) = &mut self.last {
            *last = word.to_string();
        }
    }

    /// Says this last, and is dropped.
    pub fn end_with(&mut self, word: &TableWord) {
        if !self.is_dropped {
            (self.last, self.is_dropped, self.has_missed) = (Some(word.to_string()), true, false);
        }
    }
}
