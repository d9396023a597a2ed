//! Small pieces of sentences that many texts share.

use std::fmt::Display;

/// A count with its noun: `1 match`, `0 matches`, `2 matches`.
pub fn counted(count: usize, one: &str, many: &str) -> String {
    if count == 1 { format!("1 {one}") } else { format!("{count} {many}") }
}

/// The scores of all seats as one word, as records write them: `3-1`.
pub fn dashed<T: Display>(scores: impl IntoIterator<Item = T>) -> String {
    scores.into_iter().map(|score| score.to_string()).collect::<Vec<_>>().join("-")
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
    fn one_is_singular_and_all_else_plural() {
        assert_eq!(counted(1, "ply", "plies"), "1 ply");
        assert_eq!(
            [0, 2, 21].map(|n| counted(n, "ply", "plies")),
            ["0 plies", "2 plies", "21 plies"]
        );
    }

    #[test]
    fn scores_are_joined_whatever_their_number() {
        assert_eq!(dashed([3, 1]), "3-1");
        assert_eq!(dashed(["1/2", "1/2", "0"]), "1/2-1/2-0");
        assert_eq!(dashed::<u32>([]), "");
    }

    #[test]
    fn a_vowel_has_another_article() {
        assert_eq!(
            ["array", "integer", "table"].map(with_article),
            ["an array", "an integer", "a table"]
        );
    }
}
