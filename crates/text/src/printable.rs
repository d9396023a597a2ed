//! Makes texts that others have written, such as names, tags and paths, safe for a screen and for stderr.
//!
//! A character that acts on a terminal, or that cannot be seen, is written as an escape: `\n`, `\u{202e}`.
//! Code that shows such a text uses [`printable`]; files keep the original.

use std::borrow::Cow;
use std::io::{self, Write};
use unicode_properties::{
    GeneralCategory as Category, GeneralCategoryGroup as Group, UnicodeEmoji,
    UnicodeGeneralCategory,
};
use unicode_width::UnicodeWidthChar;

/// The maximum number of marks on a letter. More of them only write over the lines above and below.
const MARKS: usize = 4;

/// Blank characters that are letters or symbols by their category: the fillers of Hangul and the Braille pattern
/// without dots.
const BLANKS: [char; 5] = ['\u{115f}', '\u{1160}', '\u{3164}', '\u{ffa0}', '\u{2800}'];

#[derive(Clone, Copy, PartialEq, Eq)]
enum CharClass {
    Letter,
    Emoji,
    /// Any other character with its own width, including space.
    Other,
    /// Drawn on the letter before it.
    Mark,
    /// Decides whether the letters or emoji before and after it are joined.
    Joiner,
    /// To be escaped: a control or format character, a line separator, or blank.
    Unfit,
}

impl CharClass {
    fn of(c: char) -> CharClass {
        if matches!(c, '\u{200c}' | '\u{200d}') {
            return CharClass::Joiner;
        }
        let category = c.general_category();
        let takes_room = c.width().unwrap_or(0) > 0;
        match c.general_category_group() {
            _ if BLANKS.contains(&c) => CharClass::Unfit,
            Group::Mark => CharClass::Mark,
            // The vowels and final consonants of Hangul, as separate characters.
            Group::Letter if !takes_room => CharClass::Mark,
            Group::Letter => CharClass::Letter,
            // ASCII digits are emoji when marked as keycaps.
            _ if c.is_emoji_char() && !c.is_ascii() => CharClass::Emoji,
            Group::Number | Group::Punctuation | Group::Symbol if takes_room => CharClass::Other,
            _ if category == Category::SpaceSeparator => CharClass::Other,
            _ if matches!(category, Category::PrivateUse | Category::Unassigned) && takes_room => {
                CharClass::Other
            }
            _ => CharClass::Unfit,
        }
    }
}

/// Returns the text in printable form. Control and format characters, line separators and blank characters are escaped.
/// Joiners are kept only between letters and inside emoji, and of the marks on a letter only the first four.
///
/// ```
/// use quadrille_text::printable::printable;
///
/// assert_eq!(printable("Zoë"), "Zoë");
/// assert_eq!(printable("\u{1b}[2J"), "\\u{1b}[2J");
/// ```
pub fn printable(text: &str) -> Cow<'_, str> {
    if text.bytes().all(|byte| matches!(byte, b' '..=b'~')) {
        return Cow::Borrowed(text);
    }
    let mut printed = String::with_capacity(text.len());
    // The character before a mark or a joiner, and the number of marks on it.
    let (mut base, mut marks) = (CharClass::Unfit, 0);
    let mut rest = text.chars();
    while let Some(c) = rest.next() {
        let next = rest.clone().next().map(CharClass::of);
        match CharClass::of(c) {
            kind @ (CharClass::Letter | CharClass::Emoji | CharClass::Other) => {
                (base, marks) = (kind, 0);
                printed.push(c);
            }
            CharClass::Mark if marks == MARKS => {}
            CharClass::Mark if base != CharClass::Unfit => {
                marks += 1;
                printed.push(c);
            }
            CharClass::Joiner if joins(c, base) && next == Some(base) => printed.push(c),
            kind => {
                marks += usize::from(kind == CharClass::Mark);
                base = CharClass::Unfit;
                printed.extend(c.escape_default());
            }
        }
    }
    if printed == text { Cow::Borrowed(text) } else { Cow::Owned(printed) }
}

/// Returns whether a joiner affects characters of this class.
fn joins(joiner: char, class: CharClass) -> bool {
    match class {
        CharClass::Letter => true,
        CharClass::Emoji => joiner == '\u{200d}',
        _ => false,
    }
}

/// Writes a line to stderr in printable form.
#[allow(clippy::disallowed_methods, reason = "the only way to stderr")]
pub fn print_stderr(line: &str) {
    // If stderr is closed, the line has no reader.
    let _ = writeln!(io::stderr(), "{}", printable(line));
}

/// Returns whether a text can be a name: something in it is visible, and it has no control characters.
pub fn is_name(text: &str) -> bool {
    let is_seen = |c: char| {
        let kind = CharClass::of(c);
        matches!(kind, CharClass::Letter | CharClass::Emoji)
            || kind == CharClass::Other && !c.is_whitespace()
    };
    text.chars().any(is_seen) && !text.contains(char::is_control)
}

/// Returns the text as a single line: control characters, including line ends, become spaces.
pub fn in_a_line(text: &str) -> String {
    text.replace(char::is_control, " ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn print(text: &str) -> String {
        printable(text).into_owned()
    }

    #[test]
    fn control_and_invisible_characters_are_escaped() {
        assert_eq!(print("é\u{1b}[1m\n\u{9b}"), "é\\u{1b}[1m\\n\\u{9b}");
        for c in [
            '\u{2028}',
            '\u{2029}',
            '\u{200e}',
            '\u{61c}',
            '\u{202e}',
            '\u{2066}',
            '\u{2069}',
            '\u{e0041}',
            '\u{e007f}',
            '\u{200b}',
            '\u{2060}',
            '\u{feff}',
            '\u{ad}',
            '\u{fff9}',
            '\u{115f}',
            '\u{3164}',
            '\u{2800}',
            '\u{2065}',
            '\u{e0002}',
        ] {
            let escaped = format!("\\u{{{:x}}}", u32::from(c));
            assert_eq!(print(&format!("a{c}b")), format!("a{escaped}b"));
            assert_eq!(print(&c.to_string()), escaped, "it is seen that there is something");
            assert!(!is_name(&c.to_string()), "{escaped}");
        }
    }

    #[test]
    fn ordinary_text_stays_unchanged() {
        for text in [
            "Ann",
            "Zoë Müller-Lüdenscheidt",
            "Đặng Thị Ngọc",
            "Ann\u{300}\u{323}",
            "田中\u{3000}太郎",
            "김철수",
            "\u{1100}\u{1161}\u{11a8}",
            "می\u{200c}خواهم",
            "ශ\u{0dca}\u{200d}ර",
            "נָתָן",
            "🦀 ❤\u{fe0f}",
            "\u{1f468}\u{200d}\u{1f469}\u{200d}\u{1f467}",
            "\u{1f468}\u{1f3fb}\u{200d}\u{1f9b0}",
            "\u{1f3f3}\u{fe0f}\u{200d}\u{1f308}",
            "\u{1f3f4}\u{200d}\u{2620}\u{fe0f}",
            "\u{1f642}\u{200d}\u{2194}\u{fe0f}",
            "C:\\temp\\new",
            "a\u{a0}b",
        ] {
            assert!(matches!(printable(text), Cow::Borrowed(_)), "{text:?}");
            assert!(is_name(text), "{text:?}");
        }
    }

    #[test]
    fn joiners_are_kept_only_between_letters_and_inside_emoji() {
        assert_eq!(print("a\u{200d}b"), "a\u{200d}b");
        assert_eq!(print("\u{200d}b"), "\\u{200d}b");
        assert_eq!(print("a\u{200c}"), "a\\u{200c}");
        assert_eq!(print("a\u{200d}\u{200d}b"), "a\\u{200d}\\u{200d}b");
        assert_eq!(print("1\u{200d}2"), "1\\u{200d}2");
        assert_eq!(print("\u{1f468}\u{200d}"), "\u{1f468}\\u{200d}");
        assert_eq!(print("\u{1f468}\u{200d}a"), "\u{1f468}\\u{200d}a");
        assert_eq!(print("a\u{200d}\u{1f468}"), "a\\u{200d}\u{1f468}");
        assert_eq!(print("\u{1f468}\u{200c}\u{1f469}"), "\u{1f468}\\u{200c}\u{1f469}");
    }

    #[test]
    fn letter_keeps_at_most_four_marks() {
        let marks = "\u{301}".repeat(500);
        assert_eq!(print(&format!("a{marks}b\u{301}")), format!("a{}b\u{301}", &marks[..8]));
        assert_eq!(print(&marks), "\\u{301}".repeat(4), "marks on nothing");
        assert!(!is_name(&marks) && !is_name("\u{200d}") && !is_name(" \u{a0}") && !is_name(""));
        assert!(!is_name("a\nb"));
    }

    proptest! {
        /// Printing a printed text again changes nothing, and a visible text is not printed as blank.
        #[test]
        fn printable_is_idempotent(text in any::<String>(), odd in "[\u{200b}-\u{200f}\u{2028}-\u{202e}\u{300}-\u{310}\u{e0040}-\u{e0044}\u{3164}a b]{0,20}") {
            for text in [text, odd] {
                let printed = print(&text);
                prop_assert_eq!(print(&printed), printed.clone());
                prop_assert!(!printed.contains(char::is_control));
                prop_assert_eq!(printed.trim().is_empty(), text.trim().is_empty() && !text.contains(char::is_control) && !text.contains(['\u{2028}', '\u{2029}']));
            }
        }
    }
}
