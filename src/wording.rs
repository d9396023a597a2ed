//! Small pieces of sentences that many texts share.

pub use quadrille_rules::wording::{counted, cut, cut_to, either, listed};

use std::fmt::Display;

/// The scores of all seats as one word, as records write them: `3-1`.
pub fn dashed<T: Display>(scores: impl IntoIterator<Item = T>) -> String {
    scores.into_iter().map(|score| score.to_string()).collect::<Vec<_>>().join("-")
}

/// A noun with its article: `an array`.
pub fn with_article(noun: &str) -> String {
    let article = if noun.starts_with(['a', 'i']) { "an" } else { "a" };
    format!("{article} {noun}")
}

/// A good move, why it is good, and what it leads to: `V1,1, which takes a box and wins by 2`. `why`, which may be of
/// several clauses, and `worth` may be empty.
pub fn hint(mv: &str, why: &str, worth: &str) -> String {
    match (why, worth) {
        ("", "") => mv.to_owned(),
        ("", does) | (does, "") => format!("{mv}, which {does}"),
        // A win is mentioned only once.
        (why, worth) if why.split(' ').next() == worth.split(' ').next() => {
            format!("{mv}, which {worth}")
        }
        (why, worth) if why.contains([',', ';']) => format!("{mv}, which {why}; it {worth}"),
        (why, worth) => format!("{mv}, which {why} and {worth}"),
    }
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
    fn a_hint_says_why_and_mentions_a_win_once() {
        assert_eq!(hint("a1", "", ""), "a1");
        assert_eq!(hint("a1", "makes two threats", ""), "a1, which makes two threats");
        assert_eq!(hint("a1", "", "leads to a draw"), "a1, which leads to a draw");
        assert_eq!(hint("a1", "wins at once", "wins in 1 move"), "a1, which wins in 1 move");
        assert_eq!(hint("a1", "takes a box", "wins by 2"), "a1, which takes a box and wins by 2");
        assert_eq!(
            hint("a1", "gives nothing away; 1 line is left", "wins by 2"),
            "a1, which gives nothing away; 1 line is left; it wins by 2"
        );
    }

    #[test]
    fn a_vowel_has_another_article() {
        assert_eq!(
            ["array", "integer", "table"].map(with_article),
            ["an array", "an integer", "a table"]
        );
    }
}
