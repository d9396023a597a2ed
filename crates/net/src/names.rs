//! Detection of names that look alike.

use unicode_normalization::UnicodeNormalization;
use unicode_security::confusable_detection::skeleton;

/// Returns whether two names are easily confused: they have the same letters and digits, ignoring case, diacritics and
/// look-alike letters (Unicode Technical Standard 39, *Confusable Detection*). A false positive only appends a number
/// to a name.
pub(super) fn look_alike(one: &str, other: &str) -> bool {
    // Some letters look alike only in upper case, and some only in lower case.
    small(one) == small(other) || small(&one.to_uppercase()) == small(&other.to_uppercase())
}

/// Reduces a name to the skeleton of its letters and digits, in lower case and without diacritics.
fn small(name: &str) -> String {
    // Apply compatibility forms first, for characters such as circled digits. A skeleton may contain capitals, so
    // lower-case afterwards.
    let plain: String = name.nfkd().collect();
    let letters = skeleton(&plain).collect::<String>().to_lowercase();
    let letters = skeleton(&letters).filter(|c| c.is_alphanumeric());
    letters.map(|c| if c == 'i' { 'l' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn look_alike_matches_similar_names() {
        for (one, other) in [
            ("Ann", "\u{410}nn"),
            ("cop", "\u{441}\u{43e}\u{440}"),
            ("BETA", "\u{392}\u{395}\u{3a4}\u{391}"),
            ("Bill", "BiII"),
            ("Bob", "B0b"),
            ("Ann", "ann"),
            ("Ann Lee", "Ann  Lee."),
            ("J\u{fc}rgen", "Ju\u{308}rgen"),
            ("Bob", "\u{ff22}\u{ff4f}\u{ff42}"),
            ("Bob", "\u{1d401}\u{1d428}\u{1d41b}"),
            ("Player 1", "\u{13e2}layer 1"),
            ("Player 1", "P\u{217c}ayer 1"),
            ("Player 1", "Player \u{2460}"),
            ("Bob", "\u{432}\u{43e}\u{432}"),
            ("Nina", "\u{39d}ina"),
            ("Soren", "S\u{f8}ren"),
            ("Iris", "iris"),
            ("Mia", "\u{41c}ia"),
        ] {
            assert!(look_alike(one, other), "{one} {other}");
        }
        for (one, other) in [
            ("Ann", "Anne"),
            ("Bob", "Bob 2"),
            ("Bob 2", "Bob 3"),
            ("\u{418}\u{432}\u{430}\u{43d}", "\u{41e}\u{43b}\u{435}\u{433}"),
            ("\u{92e}\u{940}\u{930}\u{93e}", "\u{92e}\u{93e}\u{930}\u{93e}"),
            ("\u{738b}\u{4f1f}", "\u{738b}\u{82b3}"),
        ] {
            assert!(!look_alike(one, other), "{one} {other}");
        }
    }
}
