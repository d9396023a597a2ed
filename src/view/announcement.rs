//! What happened on a screen, for renderers that say it instead of drawing it.

use std::collections::VecDeque;

/// A report of a screen. A renderer says each one once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Announcement {
    /// What happened, or what holds from now on, as a clause.
    Event(String),
    /// Why a key or a line had no effect.
    Refusal(String),
    /// A question that people at this terminal can answer.
    Question(AskedQuestion),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AskedQuestion {
    /// Its number at a shared table; `None` if no other question can be open.
    pub number: Option<u64>,
    pub words: String,
}

/// The latest announcements of a screen, oldest first. A renderer remembers how many it has heard.
#[derive(Clone, Debug, Default)]
pub struct Announcements {
    count: usize,
    last: VecDeque<Announcement>,
}

impl Announcements {
    /// The maximum number of stored announcements. Another terminal can cause them without end.
    const CAPACITY: usize = 100;

    pub fn add(&mut self, announcement: Announcement) {
        if self.last.len() == Self::CAPACITY {
            self.last.pop_front();
        }
        self.last.push_back(announcement);
        self.count += 1;
    }

    pub fn count(&self) -> usize {
        self.count
    }

    /// Returns the announcements after the first `count`, unless already discarded.
    pub fn after(&self, count: usize) -> impl Iterator<Item = &Announcement> {
        let new = self.count.saturating_sub(count).min(self.last.len());
        self.last.range(self.last.len() - new..)
    }
}
