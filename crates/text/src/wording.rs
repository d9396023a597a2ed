//! Small pieces of sentences for many texts.

use std::fmt::Display;

/// Formats a count with its noun: `1 match`, `0 matches`, `2 matches`.
pub fn counted(count: usize, one: &str, many: &str) -> String {
    if count == 1 { format!("1 {one}") } else { format!("{count} {many}") }
}

/// Cuts a text for a message to 40 characters.
pub fn cut(text: &str) -> String {
    cut_to(text, 40)
}

/// Cuts a text to at most `most` characters.
pub fn cut_to(text: &str, most: usize) -> String {
    if text.char_indices().nth(most).is_none() {
        return text.to_owned();
    }
    text.chars().take(most - 3).chain("...".chars()).collect()
}

/// Writes a small number as a word, any other in digits: `no`, `two`, `12`.
pub fn number(count: usize) -> String {
    const WORDS: [&str; 10] =
        ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"];
    WORDS.get(count).map_or_else(|| count.to_string(), |word| (*word).to_owned())
}

/// Joins alternatives with `or`: `a, b or c`.
pub fn either(words: &[impl AsRef<str>]) -> String {
    listed(words, "or")
}

/// Joins items as in a sentence: `a, b and c`, where `last` is `and`.
pub fn listed<T: AsRef<str>>(items: &[T], last: &str) -> String {
    let items: Vec<&str> = items.iter().map(AsRef::as_ref).collect();
    match &items[..] {
        [before @ .., item] if !before.is_empty() => {
            format!("{} {last} {item}", before.join(", "))
        }
        items => items.concat(),
    }
}

/// Joins the scores of all seats, as records write them: `3-1`.
pub fn dashed<T: Display>(scores: impl IntoIterator<Item = T>) -> String {
    scores.into_iter().map(|score| score.to_string()).collect::<Vec<_>>().join("-")
}

/// Joins items as in a sentence: `1`, `1 and 2`, `1, 2 and 3`.
pub fn list<T: Display>(items: impl IntoIterator<Item = T>) -> String {
    let items: Vec<String> = items.into_iter().map(|item| item.to_string()).collect();
    listed(&items, "and")
}

pub fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().into_iter().flat_map(char::to_uppercase).collect::<String>() + letters.as_str()
}

/// Capitalizes the first letter, and adds a full stop.
pub fn sentence(text: &str) -> String {
    capital(text) + "."
}

/// Returns the second person of a verb in the third person singular: `draw` for `draws`.
pub fn second_person(verb: &str) -> &str {
    match verb {
        "has" => "have",
        "is" => "are",
        _ => {
            let sibilants = ["ches", "shes", "sses", "xes", "oes"];
            let ending = if sibilants.iter().any(|end| verb.ends_with(end)) { "es" } else { "s" };
            verb.strip_suffix(ending).unwrap_or(verb)
        }
    }
}

/// Puts the article before a noun: `an array`.
pub fn with_article(noun: &str) -> String {
    let article = if noun.starts_with(['a', 'i']) { "an" } else { "a" };
    format!("{article} {noun}")
}

/// Abbreviates a setup. A key is omitted if its value is self-explanatory: `random:12 seed=5`.
pub fn short_setup(setup: &str) -> String {
    let words = setup.split_whitespace().map(|word| match word.split_once('=') {
        Some((_, value)) if value.starts_with(|c: char| c.is_ascii_alphabetic()) => value,
        _ => word,
    });
    words.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counted_uses_singular_only_for_one() {
        assert_eq!(counted(1, "ply", "plies"), "1 ply");
        assert_eq!(
            [0, 2, 21].map(|n| counted(n, "ply", "plies")),
            ["0 plies", "2 plies", "21 plies"]
        );
    }

    #[test]
    fn listed_puts_the_conjunction_before_the_last_item() {
        assert_eq!(listed::<&str>(&[], "and"), "");
        assert_eq!(listed(&["a"], "and"), "a");
        assert_eq!(listed(&["a", "b"], "or"), "a or b");
        assert_eq!(listed(&["a", "b", "c"], "and"), "a, b and c");
    }

    #[test]
    fn dashed_joins_any_number_of_scores() {
        assert_eq!(dashed([3, 1]), "3-1");
        assert_eq!(dashed(["1/2", "1/2", "0"]), "1/2-1/2-0");
        assert_eq!(dashed::<u32>([]), "");
    }

    #[test]
    fn list_joins_items_as_in_a_sentence() {
        assert_eq!(list::<u8>([]), "");
        assert_eq!([list([1]), list([1, 2]), list([1, 2, 3])], ["1", "1 and 2", "1, 2 and 3"]);
    }

    #[test]
    fn second_person_drops_the_ending() {
        for (third, second) in [
            ("draws", "draw"),
            ("takes", "take"),
            ("closes", "close"),
            ("loses", "lose"),
            ("pushes", "push"),
            ("goes", "go"),
            ("does", "do"),
            ("has", "have"),
            ("is", "are"),
            ("should", "should"),
            ("drew", "drew"),
        ] {
            assert_eq!(second_person(third), second);
        }
    }

    #[test]
    fn with_article_uses_an_before_a_vowel() {
        assert_eq!(
            ["array", "integer", "table"].map(with_article),
            ["an array", "an integer", "a table"]
        );
    }
}
