//! Unique, portable file names made from the user's texts.

use super::Head;
use crate::session::Player;
use std::collections::hash_map::RandomState;
use std::fmt;
use std::hash::BuildHasher;
use std::str::FromStr;

const LETTERS: &[u8] = b"0123456789abcdefghijklmnopqrstuvwxyz";
/// The number of random letters at the end of a name.
const RANDOM: usize = 6;

/// The six random letters and digits at the end of a match's name in the store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MatchId(String);

impl MatchId {
    pub(super) fn random() -> MatchId {
        let chance = RandomState::new().hash_one(());
        let letter = |n| char::from(LETTERS[(chance >> (8 * n)) as usize % LETTERS.len()]);
        MatchId((0..RANDOM).map(letter).collect())
    }

    /// Returns the end of a journal's or record's name; `None` if the user has renamed the file.
    pub fn of_name(name: &str) -> Option<MatchId> {
        name.rsplit_once('-')?.1.parse().ok()
    }
}

impl FromStr for MatchId {
    type Err = ();

    fn from_str(text: &str) -> Result<MatchId, ()> {
        let is_valid = text.len() == RANDOM && text.bytes().all(|byte| LETTERS.contains(&byte));
        if is_valid { Ok(MatchId(text.to_owned())) } else { Err(()) }
    }
}

impl fmt::Display for MatchId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Returns a unique name for a match: day, game and players for people to read, followed by random letters and digits.
pub(super) fn new_name(head: &Head) -> String {
    name_with(head, &MatchId::random())
}

/// Returns the name of the match with this id.
pub(super) fn name_with(head: &Head, id: &MatchId) -> String {
    let names: Vec<String> = head.names.iter().map(|name| Player::display_name(name)).collect();
    let words = format!("{} {} {}", head.date, head.game, names.join(" "));
    format!("{}-{id}", file_name(&words))
}

/// Turns a text into a file name that is valid on any system: letters and digits, with hyphens between words. Empty if
/// the text has no letters or digits.
pub(super) fn file_name(text: &str) -> String {
    /// The maximum length in bytes. File names are limited to 255 bytes, and an extension is still to be added.
    const MAX_BYTES: usize = 160;
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let mut name = words.collect::<Vec<_>>().join("-");
    while name.len() > MAX_BYTES {
        name.pop();
    }
    name
}

/// Yields candidate file names in order: `ID.game`, `ID-2.game` and so on.
pub(super) fn candidates(id: &str, extension: &str) -> impl Iterator<Item = String> {
    (1_u32..).map(move |n| match n {
        1 => format!("{id}.{extension}"),
        n => format!("{id}-{n}.{extension}"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use quadrille_rules::Setup;
    use std::collections::HashSet;

    #[test]
    fn file_name_has_only_letters_digits_and_hyphens() {
        assert_eq!(file_name(" Ann/../Bob's: \u{1b} 3"), "Ann-Bob-s-3");
        assert_eq!(
            (file_name("../ ."), file_name("Ünal 李")),
            (String::new(), "Ünal-李".to_owned())
        );
        assert_eq!(file_name(&"é".repeat(300)).len(), 160);
    }

    #[test]
    fn every_match_gets_a_unique_id() {
        let head = Head {
            game: "dots-and-boxes".to_owned(),
            setup: Setup::new(),
            given_setup: Setup::new(),
            date: "2026-11-20".to_owned(),
            clock: None,
            levels: None,
            names: vec!["Ann".to_owned(), "cmd:python3 bot.py".to_owned()],
        };
        let ids: HashSet<String> = (0..100).map(|_| new_name(&head)).collect();
        assert_eq!(ids.len(), 100);
        let start = "2026-11-20-dots-and-boxes-Ann-bot-py-";
        assert!(ids.iter().all(|id| id.starts_with(start)), "{ids:?}");
        assert!(ids.iter().all(|id| MatchId::of_name(id).is_some()), "{ids:?}");
    }
}
