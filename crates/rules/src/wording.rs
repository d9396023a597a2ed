//! Small pieces of sentences.

/// A count with its noun: `1 match`, `0 matches`, `2 matches`.
pub fn counted(count: usize, one: &str, many: &str) -> String {
    if count == 1 { format!("1 {one}") } else { format!("{count} {many}") }
}

/// A text for a message, cut to 40 letters.
pub fn cut(text: &str) -> String {
    cut_to(text, 40)
}

/// The same, with at most `most` letters.
pub fn cut_to(text: &str, most: usize) -> String {
    if text.char_indices().nth(most).is_none() {
        return text.to_owned();
    }
    text.chars().take(most - 3).chain("...".chars()).collect()
}

/// A small number as a word, any other in digits: `no`, `two`, `12`.
pub fn number(count: usize) -> String {
    const WORDS: [&str; 10] =
        ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"];
    WORDS.get(count).map_or_else(|| count.to_string(), |word| (*word).to_owned())
}

/// Words to choose from: `a, b or c`.
pub fn either(words: &[impl AsRef<str>]) -> String {
    listed(words, "or")
}

/// A list in a sentence: `a, b and c`, where `last` is `and`.
pub fn listed<T: AsRef<str>>(items: &[T], last: &str) -> String {
    let items: Vec<&str> = items.iter().map(AsRef::as_ref).collect();
    match &items[..] {
        [before @ .., item] if !before.is_empty() => {
            format!("{} {last} {item}", before.join(", "))
        }
        items => items.concat(),
    }
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
    fn a_list_has_its_last_item_behind_a_word() {
        assert_eq!(listed::<&str>(&[], "and"), "");
        assert_eq!(listed(&["a"], "and"), "a");
        assert_eq!(listed(&["a", "b"], "or"), "a or b");
        assert_eq!(listed(&["a", "b", "c"], "and"), "a, b and c");
    }
}
