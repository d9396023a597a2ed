//! Names in a typed line: of commands, and of the entries of lists and menus.

use super::views::row_text;
use crate::app::{App, Commands};
use crate::view::View;
use quadrille_text::printable::printable;
use quadrille_text::wording::cut;

pub(super) enum Found<T> {
    One(T),
    /// The names that the text could mean.
    Several(Vec<String>),
    None,
}

/// What a word means on a screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    Ask(&'static str),
    /// The command with this index.
    Command(usize),
}

/// What a text can name.
pub(super) struct Name<T> {
    /// The names, the usual one first, in lower case.
    pub words: Vec<String>,
    /// Whether one letter is not enough.
    pub is_final: bool,
    pub meaning: T,
}

pub(super) fn split(text: &str) -> (&str, &str) {
    let (first, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    (first, rest.trim())
}

pub(super) fn quoted(text: &str) -> String {
    format!("\"{}\"", printable(&cut(text)))
}

/// Returns the words for those commands that work now, or that work for some entry of a list.
pub(super) fn names(commands: &Commands) -> impl Iterator<Item = Name<Meaning>> {
    let named = commands
        .iter()
        .enumerate()
        .filter(|(_, command)| command.is_available() || command.is_of_entry());
    named.map(|(at, command)| Name {
        words: command.words(),
        is_final: command.is_final(),
        meaning: Meaning::Command(at),
    })
}

pub(super) fn named_exactly<T: Copy>(text: &str, names: &[Name<T>]) -> Option<T> {
    let text = text.to_lowercase();
    names.iter().find(|name| name.words.contains(&text)).map(|name| name.meaning)
}

/// Returns what a text or its beginning names. One letter names nothing that cannot be undone, and only the usual name
/// of anything else.
pub(super) fn find<T: Copy + PartialEq>(text: &str, names: &[Name<T>]) -> Found<T> {
    if let Some(meaning) = named_exactly(text, names) {
        return Found::One(meaning);
    }
    let text = text.to_lowercase();
    let is_letter = text.chars().count() < 2;
    let begun = names.iter().filter(|name| !(text.is_empty() || is_letter && name.is_final));
    let begun = begun.filter_map(|name| {
        let enough = if is_letter { name.words.get(..1)? } else { &name.words };
        Some((enough.iter().find(|word| word.starts_with(&text))?, name.meaning))
    });
    let begun: Vec<(&String, T)> = begun.collect();
    match begun[..] {
        [] => Found::None,
        [(word, meaning), ref others @ ..]
            if others.iter().all(|(other, also)| *also == meaning || *other == word) =>
        {
            Found::One(meaning)
        }
        _ => Found::Several(begun.into_iter().map(|(word, _)| word.clone()).collect()),
    }
}

/// Returns the entries of the view on top.
pub(super) fn entries(view: &View<'_>, app: &App) -> Vec<Name<usize>> {
    let names: Vec<(Vec<String>, bool)> = match view {
        View::Menu(_) => {
            let commands = app.commands();
            let entries = commands.iter().filter(|command| command.label().is_some());
            entries.map(|entry| (entry.words(), entry.is_final())).collect()
        }
        View::Cards(cards) => {
            let entries = cards.entries.iter().map(|entry| entry.name.clone());
            let names = cards.cards.iter().map(|card| card.name.to_owned()).chain(entries);
            names.map(|name| (vec![name], false)).collect()
        }
        View::Form(form) => {
            form.rows.iter().map(|row| (vec![row.field.label.clone()], false)).collect()
        }
        View::List(list) => {
            list.rows.iter().map(|row| (vec![row_text(list, row)], false)).collect()
        }
        _ => Vec::new(),
    };
    let names = names.into_iter().enumerate().map(|(meaning, (words, is_final))| {
        let words = words.into_iter().map(|word| word.to_lowercase()).collect();
        Name { words, is_final, meaning }
    });
    names.collect()
}

/// Returns the entry that a text names by its name, the beginning of its name, or one of its words.
pub(super) fn entry_named(text: &str, entries: &[Name<usize>]) -> Option<usize> {
    match find(text, entries) {
        Found::One(entry) => return Some(entry),
        Found::Several(_) => return None,
        Found::None => {}
    }
    let text = text.to_lowercase();
    let has_word = |name: &&Name<usize>| {
        let words =
            name.words.iter().flat_map(|name| name.split(|letter: char| !letter.is_alphanumeric()));
        let is_enough = !(name.is_final && text.chars().count() < 2);
        is_enough && words.into_iter().any(|word| word.starts_with(&text))
    };
    let mut found = entries.iter().filter(has_word);
    found.next().filter(|_| found.next().is_none()).map(|name| name.meaning)
}
