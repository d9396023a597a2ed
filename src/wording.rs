//! Small pieces of sentences that many texts share.

pub use quadrille_rules::wording::{counted, cut, cut_to, either, listed, number};

use std::fmt::Display;

/// The scores of all seats as one word, as records write them: `3-1`.
pub fn dashed<T: Display>(scores: impl IntoIterator<Item = T>) -> String {
    scores.into_iter().map(|score| score.to_string()).collect::<Vec<_>>().join("-")
}

/// Joins items as in a sentence: `1`, `1 and 2`, `1, 2 and 3`.
pub fn list<T: Display>(items: impl IntoIterator<Item = T>) -> String {
    let items: Vec<String> = items.into_iter().map(|item| item.to_string()).collect();
    listed(&items, "and")
}

/// The text with a capital first letter.
pub fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().into_iter().flat_map(char::to_uppercase).collect::<String>() + letters.as_str()
}

/// The text with a capital at its start and a full stop.
pub fn sentence(text: &str) -> String {
    capital(text) + "."
}

/// A noun with its article: `an array`.
pub fn with_article(noun: &str) -> String {
    let article = if noun.starts_with(['a', 'i']) { "an" } else { "a" };
    format!("{article} {noun}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_joined_whatever_their_number() {
        assert_eq!(dashed([3, 1]), "3-1");
        assert_eq!(dashed(["1/2", "1/2", "0"]), "1/2-1/2-0");
        assert_eq!(dashed::<u32>([]), "");
    }

    #[test]
    fn a_list_is_joined_as_in_a_sentence() {
        assert_eq!(list::<u8>([]), "");
        assert_eq!([list([1]), list([1, 2]), list([1, 2, 3])], ["1", "1 and 2", "1, 2 and 3"]);
    }

    #[test]
    fn a_vowel_has_another_article() {
        assert_eq!(
            ["array", "integer", "table"].map(with_article),
            ["an array", "an integer", "a table"]
        );
    }
}
