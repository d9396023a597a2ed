//! The matches that were left, and what the screens that list them do with one.

use super::Context;
use super::matches::MatchScreen;
use super::menu::Menu;
use super::open_match::OpenMatch;
use super::screen::{Act, Answer};
use super::tasks::DiskTask;
use super::text::{fit, name, width, wrap};
use crate::board::Skin;
use crate::session::score;
use std::collections::HashSet;

/// A match that was left.
pub(crate) enum Unfinished {
    /// It is not written down: there is no state folder, or the write failed. The number is its own.
    InMemory(u64, Box<OpenMatch>),
    Stored(SavedMatch),
}

/// What a match that was left is known by, wherever in the list it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum UnfinishedId {
    InMemory(u64),
    Stored(String),
}

/// What the home screen says of a match that is written down.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SavedMatch {
    /// What [`DiskTask::Resume`] and [`DiskTask::Discard`] name it by.
    pub id: String,
    /// The game, for people.
    pub game: String,
    /// The names at the seats.
    pub names: Vec<String>,
    /// The score of all seats, `3-1`; empty where the game keeps none.
    pub score: String,
    /// How many moves were played.
    pub ply: usize,
    /// When it was left, in a few words. No two matches that are else alike have the same.
    pub when: String,
}

/// A match in a few words: the game and the names, which can be shortened, and what cannot.
struct Summary {
    does: &'static str,
    game: String,
    names: Vec<String>,
    facts: Vec<String>,
}

impl Unfinished {
    fn summary(&self) -> Summary {
        let mark = |ply: usize| format!("move {}", ply + 1);
        let (does, game, names, facts) = match self {
            Unfinished::Stored(SavedMatch { game, names, score, ply, when, .. }) => {
                let facts = vec![score.clone(), mark(*ply), when.clone()];
                ("Continue", game.clone(), names.clone(), facts)
            }
            Unfinished::InMemory(_, open_match) => {
                let over = open_match.game().outcome().is_some();
                let state = if over { "over".to_owned() } else { mark(open_match.game().ply()) };
                let score = score(open_match.game()).unwrap_or_default();
                let facts = vec![score, state, "not saved".to_owned()];
                let names = open_match.players().iter().map(|(_, player)| player.name().to_owned());
                let does = if over { "Look at" } else { "Continue" };
                (does, open_match.entry.name.to_owned(), names.collect(), facts)
            }
        };
        let facts = facts.into_iter().filter(|fact| !fact.is_empty()).collect();
        Summary { does, game, names, facts }
    }

    /// The match in a line of at most so many columns. The names are shortened first, and score, move
    /// and time last.
    pub fn line(&self, room: usize, skin: Skin) -> String {
        self.summary().line(room, skin)
    }

    /// What can be done with it, and with which match, in so many columns: `Continue` and `Ann 3 - 1 Bob`.
    pub fn label(&self, room: usize, skin: Skin) -> (String, String) {
        let Summary { does, names, facts, .. } = self.summary();
        let scores: Vec<&str> = facts.first().map_or("", String::as_str).split('-').collect();
        let versus = |most| match (&*names, &*scores) {
            ([first, second], [one, two]) => {
                let [first, second] = [first, second].map(|it| name(it, most, skin));
                format!("{first} {one} - {two} {second}")
            }
            _ => names.iter().map(|it| name(it, most, skin)).collect::<Vec<_>>().join(" - "),
        };
        let ways = [usize::MAX, 8, 3].map(versus).into_iter();
        let fits = ways.filter(|way| width(way) <= room).next();
        (does.to_owned(), fits.unwrap_or_default())
    }

    /// The match in a sentence, and why it is not saved, if it is not.
    pub fn about(&self, skin: Skin) -> String {
        let summary = self.summary();
        let names = summary.names(usize::MAX, " - ", skin);
        let parts = [vec![summary.game, names], summary.facts].concat().join(", ");
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

    /// What it is called on the store, if it was ever there.
    fn saved(&self) -> Option<&String> {
        match self {
            Unfinished::InMemory(_, open_match) => open_match.saved.journal.as_ref(),
            Unfinished::Stored(saved) => Some(&saved.id),
        }
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
    fn names(&self, most: usize, between: &str, skin: Skin) -> String {
        let names = self.names.iter().map(|it| name(it, most, skin).trim_end().to_owned());
        names.collect::<Vec<_>>().join(between)
    }

    fn line(&self, room: usize, skin: Skin) -> String {
        let Summary { does, game, facts, .. } = self;
        let wide = |names: String| format!("{does}: {game}  {names}  {}", facts.join("  "));
        let narrow = |names: &str| {
            let rest = format!(" {names} {}", facts.join(" "));
            format!("{}{rest}", fit(game, room.saturating_sub(width(&rest)), skin))
        };
        let ways = [wide(self.names(usize::MAX, " - ", skin)), wide(self.names(8, " - ", skin))];
        if let Some(line) = ways.into_iter().find(|line| width(line) <= room) {
            return line;
        }
        // Of the game at least so much must be left that it can be told from the others.
        let least = width(game).min(7);
        for names in [8, 3, 1].map(|most| self.names(most, "-", skin)) {
            if least + 2 + width(&names) + width(&facts.join(" ")) <= room {
                return narrow(&names);
            }
        }
        let rest = format!(" {}", facts.join(" "));
        let start = fit(game, room.saturating_sub(width(&rest)), skin);
        fit(&format!("{start}{rest}"), room, skin)
    }
}

/// Tells which matches are on the store, the latest first. A match of which more is in memory than
/// there is listed once, and one that is saved by now is in memory no more.
pub(super) fn tell(left: &mut Vec<Unfinished>, saved: Vec<SavedMatch>) {
    left.retain(|left| matches!(left, Unfinished::InMemory(_, open_match) if !open_match.saved.is_in_journal()));
    let known: HashSet<String> = left.iter().filter_map(|left| left.saved().cloned()).collect();
    let others = saved.into_iter().filter(|saved| !known.contains(&saved.id));
    left.extend(others.map(Unfinished::Stored));
}

/// Where a match stands in the list.
pub(super) fn place(left: &[Unfinished], id: &UnfinishedId) -> Option<usize> {
    left.iter().position(|left| left.has(id))
}

/// Goes on with a match, or looks at it again where it is over.
pub(super) fn take_up(context: &mut Context, id: &UnfinishedId) -> Vec<Act> {
    let Some(index) = place(&context.left, id) else { return Vec::new() };
    match context.left.remove(index) {
        Unfinished::InMemory(_, open_match) => {
            // There may be a place for it by now.
            vec![Act::push(MatchScreen::new(*open_match)), Act::run(DiskTask::Save)]
        }
        Unfinished::Stored(saved) => vec![Act::run(DiskTask::Resume(saved.id))],
    }
}

/// Asks whether a match is to be deleted; [`Answer::Delete`] comes back if so.
pub(super) fn ask_to_discard(context: &Context, id: &UnfinishedId) -> Option<Act> {
    let Summary { game, names, facts, .. } = context.left[place(&context.left, id)?].summary();
    let entries = [("Keep it".to_owned(), Answer::Close), ("Delete it".to_owned(), Answer::Delete)];
    let menu = Menu::new("Delete this match?", entries.into());
    let menu = menu.with_lines(vec![game, names.join(" - "), facts.join("  ")]);
    let menu = menu.with_about("A match that is deleted is gone for good.");
    Some(Act::push(menu))
}

/// Deletes a match, if it is still there.
pub(super) fn discard(context: &mut Context, id: &UnfinishedId) -> Vec<Act> {
    let Some(index) = place(&context.left, id) else { return Vec::new() };
    let saved = context.left.remove(index).saved().cloned();
    saved.map(|id| Act::run(DiskTask::Discard(id))).into_iter().collect()
}

/// Asks whether the program is to end although some matches are not saved; `None` if all are.
pub(super) fn ask_to_quit(context: &Context) -> Option<Act> {
    let unsaved: Vec<&Unfinished> =
        context.left.iter().filter(|left| matches!(left, Unfinished::InMemory(..))).collect();
    let summaries = unsaved.iter().map(|left| left.summary());
    let mut lines: Vec<String> =
        summaries.map(|it| format!("{}  {}", it.game, it.names(8, " - ", context.skin))).collect();
    let why = unsaved.iter().find_map(|left| match left {
        Unfinished::InMemory(_, open_match) => open_match.saved.not_in_journal.clone(),
        Unfinished::Stored(_) => None,
    });
    lines.truncate(4);
    lines.extend(why.iter().flat_map(|why| wrap(why, 38, 3, context.skin)));
    let title = match unsaved.len() {
        0 => return None,
        1 => "A match is not saved".to_owned(),
        n => format!("{n} matches are not saved"),
    };
    let entries = [("Stay".to_owned(), Answer::Close), ("Quit and lose".to_owned(), Answer::Quit)];
    let menu = Menu::new(title, entries.into()).with_lines(lines);
    let menu = menu.with_about("What is not saved is lost when the program ends.");
    Some(Act::push(menu))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(game: &str, names: &[&str], score: &str, when: &str, room: usize) -> String {
        let left = Unfinished::Stored(SavedMatch {
            id: String::new(),
            game: game.to_owned(),
            names: names.iter().map(|&name| name.to_owned()).collect(),
            score: score.to_owned(),
            ply: 11,
            when: when.to_owned(),
        });
        left.line(room, Skin::default())
    }

    #[test]
    fn names_are_shortened_before_the_game_and_the_rest_never() {
        let at = |room| line("Dots and Boxes", &["Annabella", "Bob"], "3-1", "14:05", room);
        assert_eq!(at(80), "Continue: Dots and Boxes  Annabella - Bob  3-1  move 12  14:05");
        assert_eq!(at(58), "Continue: Dots and Boxes  Annabel▸ - Bob  3-1  move 12  14:05");
        assert_eq!(at(46), "Dots and Boxes Annabel▸-Bob 3-1 move 12 14:05");
        assert_eq!(at(34), "Dots an▸ An▸-Bob 3-1 move 12 14:05");
        assert_eq!(at(24), "Dots ▸ 3-1 move 12 14:05");
        let six = ["Ann", "Bob", "Cleo", "Dan", "Eve", "Fay"];
        for when in ["14:05", "2026-11-20"] {
            let line = line("Making Intersections", &six, "3-2-12-0-4-5", when, 34);
            assert!(line.contains(" 3-2-12-0-4-5 move 12 "), "{line}");
            assert!(width(&line) <= 34, "{line}");
        }
    }
}
