//! Unfinished matches.

use super::OpenMatch;
use super::text::shorten;
use quadrille_match::session::{Player, score};
use quadrille_match::store::MatchId;
use quadrille_text::printable::printable;
use std::collections::HashSet;

/// A match that was left before its end, that waits for its players to see the end, or that is not saved.
pub(crate) enum Unfinished {
    /// An unsaved match, because there is no state folder or the write failed. The number identifies the match.
    InMemory(u64, Box<OpenMatch>),
    Stored(SavedMatch),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum UnfinishedId {
    InMemory(u64),
    Stored(String),
}

impl UnfinishedId {
    /// Returns whether this is the stored match with this id.
    pub fn is_match(&self, id: &MatchId) -> bool {
        matches!(self, UnfinishedId::Stored(name) if MatchId::of_name(name).as_ref() == Some(id))
    }
}

/// The facts about a saved match that screens need.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SavedMatch {
    /// The id of the match for [`DiskTask::Resume`](super::DiskTask::Resume) and
    /// [`DiskTask::Discard`](super::DiskTask::Discard).
    pub id: String,
    pub game: String,
    pub names: Vec<String>,
    /// The friends at other terminals, who have seats.
    pub guests: Vec<String>,
    /// The scores of all seats, such as `3-1`; empty if the game has no scores.
    pub score: String,
    /// The number of moves; `None` for an open table, to which the host can return.
    pub ply: Option<usize>,
    /// Whether the match has ended and waits for its players to see the end.
    pub is_over: bool,
    /// What waits for the user in a match with days per move, most urgent first.
    pub waiting: Vec<String>,
    /// The time left if something waits, otherwise when the match was left. It distinguishes matches that are otherwise
    /// equal.
    pub when: String,
}

pub(crate) struct Summary {
    /// The verb for the action: resuming the match or reopening it.
    verb: &'static str,
    pub game: String,
    names: Vec<String>,
    /// The scores; empty if the game has none.
    pub score: String,
    pub state: String,
    pub when: String,
}

impl Unfinished {
    pub fn summary(&self) -> Summary {
        let state = |ply: usize, is_over: bool| {
            if is_over { "over".to_owned() } else { format!("move {}", ply + 1) }
        };
        let verb = |is_over: bool| if is_over { "View" } else { "Resume" };
        match self {
            Unfinished::Stored(saved) => Summary {
                verb: verb(saved.is_over),
                game: saved.game.clone(),
                names: saved.names.clone(),
                score: saved.score.clone(),
                state: match (&*saved.waiting, saved.ply) {
                    ([], None) => "open table".to_owned(),
                    ([], Some(ply)) => state(ply, saved.is_over),
                    (waiting, _) => waiting.join(", "),
                },
                when: saved.when.clone(),
            },
            Unfinished::InMemory(_, open_match) => {
                let game = open_match.current_match();
                let over = game.outcome().is_some();
                let players = open_match.players();
                let names = players.iter().map(|(seat, _)| players.name(seat).to_owned());
                Summary {
                    verb: verb(over),
                    game: open_match.entry.name.to_owned(),
                    names: names.collect(),
                    score: score(game).unwrap_or_default(),
                    state: state(game.ply(), over),
                    when: "not saved".to_owned(),
                }
            }
        }
    }

    /// Returns the verb, such as `Resume`, and descriptions such as `Dots and Boxes, Ann 3 - 1 Bob`, longest first.
    pub fn label(&self) -> (String, Vec<String>) {
        let summary = self.summary();
        let scores: Vec<&str> = summary.score.split('-').collect();
        let (names, score) = match (&*summary.names, &*scores) {
            ([first, second], [one, two]) => {
                let [first, second] = [first, second].map(|whole| printable(whole));
                (format!("{first} {one} - {two} {second}"), format!(", {one} - {two}"))
            }
            _ => (summary.names(usize::MAX), String::new()),
        };
        let game = summary.game;
        let ways = [format!("{game}, {names}"), format!("{game}{score}"), names, game];
        (summary.verb.to_owned(), ways.into())
    }

    /// Describes the match in a sentence, to a user with this name. If the match is not saved, explains why.
    pub fn about(&self, user: &str) -> String {
        let summary = self.summary();
        let mut facts = summary.facts();
        if let (Unfinished::Stored(SavedMatch { ply: Some(_), when, .. }), Some(last)) =
            (self, facts.last_mut())
            && !self.waits()
            && last == when
        {
            *last = format!("saved {when}");
        }
        let parts = [vec![summary.heading(user)], facts].concat().join(", ");
        match self {
            Unfinished::InMemory(_, open_match) => match &open_match.saved.not_in_journal {
                Some(why) => format!("{why}; {parts}"),
                None => parts,
            },
            Unfinished::Stored(_) => parts,
        }
    }

    pub fn id(&self) -> UnfinishedId {
        match self {
            Unfinished::InMemory(number, _) => UnfinishedId::InMemory(*number),
            Unfinished::Stored(saved) => UnfinishedId::Stored(saved.id.clone()),
        }
    }

    /// Returns the id of the match in the store, if it has ever been saved.
    pub fn stored_id(&self) -> Option<&String> {
        match self {
            Unfinished::InMemory(_, open_match) => open_match.saved.journal.as_ref(),
            Unfinished::Stored(saved) => Some(&saved.id),
        }
    }

    /// Returns the names of the friends who have seats at other terminals.
    pub fn guests(&self) -> Vec<String> {
        match self {
            Unfinished::Stored(saved) => saved.guests.clone(),
            Unfinished::InMemory(_, open_match) => {
                let players = open_match.players().as_slice().iter();
                let guests = players.filter_map(Player::guest);
                guests.filter_map(|guest| guest.name.clone()).collect()
            }
        }
    }

    /// Returns whether something waits for the user in this match.
    pub fn waits(&self) -> bool {
        matches!(self, Unfinished::Stored(saved) if !saved.waiting.is_empty())
    }

    pub fn has(&self, id: &UnfinishedId) -> bool {
        match (self, id) {
            (Unfinished::InMemory(number, _), UnfinishedId::InMemory(id)) => number == id,
            (Unfinished::Stored(saved), UnfinishedId::Stored(id)) => saved.id == *id,
            _ => false,
        }
    }
}

impl Summary {
    /// Names the game and the players, or only the opponent of the user with this name: `Quixo vs Bob`.
    fn heading(&self, user: &str) -> String {
        let game = &self.game;
        match &*self.names {
            [you, other] | [other, you] if you == user => format!("{game} vs {}", printable(other)),
            [first, second] => format!("{game}, {} vs {}", printable(first), printable(second)),
            _ => format!("{game}, {}", self.names(usize::MAX)),
        }
    }

    /// Returns the players' names, each truncated to `most` columns.
    pub fn names(&self, most: usize) -> String {
        let names = self.names.iter().map(|whole| shorten(whole, most).trim_end().to_owned());
        names.collect::<Vec<_>>().join(" - ")
    }

    pub fn facts(&self) -> Vec<String> {
        let facts = [&self.score, &self.state, &self.when].into_iter();
        facts.filter(|fact| !fact.is_empty()).cloned().collect()
    }
}

/// Updates the list with the matches in the store, latest first. A match with unsaved moves is listed once, as the
/// version in memory. A match that has since been saved is removed from memory.
pub(super) fn merge_saved(list: &mut Vec<Unfinished>, saved: Vec<SavedMatch>) {
    list.retain(|unfinished| {
        matches!(unfinished, Unfinished::InMemory(_, open_match) if !open_match.saved.is_in_journal())
    });
    let known: HashSet<String> = list.iter().filter_map(Unfinished::stored_id).cloned().collect();
    let others = saved.into_iter().filter(|saved| !known.contains(&saved.id));
    list.extend(others.map(Unfinished::Stored));
}

/// Returns the number of matches in which something waits for the user.
pub(super) fn count_waiting(list: &[Unfinished]) -> usize {
    list.iter().filter(|unfinished| unfinished.waits()).count()
}

pub(super) fn index_of(list: &[Unfinished], id: &UnfinishedId) -> Option<usize> {
    list.iter().position(|unfinished| unfinished.has(id))
}
