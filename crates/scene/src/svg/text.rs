//! Text in a picture: escaped, measured and truncated without knowing the font.

use quadrille_text::printable::printable;
use std::borrow::Cow;
use unicode_width::UnicodeWidthChar;

/// Escapes text for XML. Characters forbidden in XML are replaced; invisible characters are escaped.
pub(super) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in printable(text).chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            // XML allows neither of these characters, even escaped.
            '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

/// Estimates the width of a text in pixels in an arbitrary sans-serif font of this size. The estimate tends to be too
/// large rather than too small.
pub(super) fn width(text: &str, size: f64) -> f64 {
    size * text.chars().map(share).sum::<f64>()
}

/// Returns the width of a letter as a fraction of the font size.
fn share(c: char) -> f64 {
    match c {
        'i' | 'j' | 'l' | 'I' | '.' | ',' | '\'' | ' ' | ':' | '|' => 0.33,
        'f' | 't' | 'r' | '(' | ')' | '-' => 0.43,
        'm' | 'w' | 'M' | 'W' | '@' | '%' => 0.93,
        'A'..='Z' => 0.74,
        _ => match c.width().unwrap_or(0) {
            0 => 0.0,
            1 => 0.64,
            _ => 1.05,
        },
    }
}

/// Returns the text if it fits into `room` pixels, otherwise the start of the text followed by `…`. Reads only as much
/// of the text as fits.
pub(super) fn fitted(text: &str, size: f64, room: f64) -> Cow<'_, str> {
    // Most letters are at least a third of the font size wide. Only accents have no width, and a letter has few
    // accents.
    let longest = 16 * (room / size).max(0.0) as usize + 16;
    let begun = text.char_indices().nth(longest).map_or(text, |(end, _)| &text[..end]);
    let text = printable(begun);
    let (mut taken, mut end) = (0.0, 0);
    for (at, c) in text.char_indices() {
        taken += share(c);
        if size * taken + size <= room {
            end = at + c.len_utf8();
        }
        if size * taken > room {
            // There is no space before the `…`.
            return Cow::Owned(format!("{}…", text[..end].trim_end()));
        }
    }
    text
}

/// Rounds to one decimal place.
pub(super) fn number(value: f64) -> f64 {
    // Adding 0 converts -0 to 0.
    (value * 10.0).round() / 10.0 + 0.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_and_invalid_characters_are_escaped() {
        assert_eq!(escaped("<a b=\"1\">&"), "&lt;a b=&quot;1&quot;&gt;&amp;");
        assert_eq!(escaped("a\u{1b}\u{202e}b"), "a\\u{1b}\\u{202e}b");
        assert!(!escaped("\u{fffe}\u{ffff}").contains(['\u{fffe}', '\u{ffff}']));
    }

    #[test]
    fn fitted_truncates_only_long_text() {
        assert_eq!(fitted("Ann", 16.0, 100.0), "Ann");
        let cut = fitted("Wolfeschlegelsteinhausenbergerdorff", 16.0, 100.0);
        assert!(cut.ends_with('…') && cut.len() > 6 && width(&cut, 16.0) <= 102.0, "{cut}");
        assert_eq!(fitted("Ann", 16.0, 0.0), "…");
        // A quadratic algorithm would take hours.
        assert!(fitted(&"n".repeat(10_000_000), 16.0, 100.0).len() < 20);
    }

    #[test]
    fn svg_numbers_have_at_most_one_decimal() {
        for (value, text) in [(1.0, "1"), (1.25, "1.3"), (-0.01, "0"), (-2.34, "-2.3")] {
            assert_eq!(number(value).to_string(), text);
        }
    }
}
