//! Text for the screen: made printable, then truncated or wrapped to fit.

use quadrille_scene::Skin;
use quadrille_text::printable::printable;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Paragraph, Widget};
use unicode_width::UnicodeWidthStr;

/// Separates the parts of a status line.
pub const SEPARATOR: &str = " · ";

/// Returns the width of a text in columns.
pub fn width(text: &str) -> usize {
    Line::raw(printable(text)).width()
}

/// Returns the text if it fits, otherwise the start of the text and a truncation mark.
pub fn fit(text: &str, room: usize, skin: Skin) -> String {
    let text = &*printable(text);
    if width(text) <= room {
        return text.to_owned();
    }
    let mut fitted = beginning(text, room.saturating_sub(1));
    if room > 0 {
        fitted.push(skin.glyphs().right);
    }
    fitted
}

/// Like [`fit`], with the mark of the default skin, which [`replace_non_ascii`] replaces where necessary.
pub fn shorten(text: &str, room: usize) -> String {
    fit(text, room, Skin::default())
}

/// Truncates a name to `room` columns. Below three columns, only the first letters are kept, without a mark.
pub fn name(name: &str, room: usize, skin: Skin) -> String {
    if room < 3 { beginning(name, room) } else { fit(name, room, skin) }
}

/// Truncates each name to `room` columns. Names that would then look identical, such as `Player 1` and `Player 2`, keep
/// their last letter.
pub fn names(names: &[&str], room: usize, skin: Skin) -> Vec<String> {
    let cut: Vec<String> = names.iter().map(|whole| name(whole, room, skin)).collect();
    let apart = names.iter().zip(&cut).map(|(name, short)| {
        let looks_alike = cut.iter().filter(|other| *other == short).count() > 1;
        if looks_alike && width(name) > room { around(name, room, skin) } else { short.clone() }
    });
    apart.collect()
}

/// Truncates the longest names so that all names together fit into `room` columns, none shorter than three columns. If
/// that is impossible, truncates no name.
pub fn names_together(all: &[&str], room: usize, skin: Skin) -> Vec<String> {
    let widths: Vec<usize> = all.iter().map(|name| width(name)).collect();
    let fits = |most: &usize| widths.iter().map(|width| width.min(most)).sum::<usize>() <= room;
    let longest = widths.iter().max().copied().unwrap_or_default();
    names(all, (3..=longest).rev().find(fits).unwrap_or(longest), skin)
}

/// Returns the start and the last letter of a text longer than `room` columns, with a mark between them if the mark
/// fits.
fn around(text: &str, room: usize, skin: Skin) -> String {
    let text = &*printable(text);
    let line = Line::raw(text);
    let last = line.styled_graphemes(Style::new()).last().map_or("", |letter| letter.symbol);
    let mark = if room < 3 { String::new() } else { skin.glyphs().right.to_string() };
    let Some(rest) = room.checked_sub(width(last) + width(&mark)) else {
        return beginning(text, room);
    };
    format!("{}{mark}{last}", beginning(text, rest))
}

/// Returns the longest prefix of a text that fits into `room` columns.
pub fn beginning(text: &str, room: usize) -> String {
    let line = Line::raw(printable(text));
    let mut used = 0;
    let letters = line.styled_graphemes(Style::new()).map(|letter| letter.symbol);
    letters
        .take_while(|letter| {
            used += Span::raw(*letter).width();
            used <= room
        })
        .collect()
}

/// Writes a text, truncated with a mark if necessary. Returns the position after the text.
pub fn put(
    (x, y): (u16, u16),
    text: &str,
    room: usize,
    style: Style,
    skin: Skin,
    buffer: &mut Buffer,
) -> (u16, u16) {
    buffer.set_stringn(x, y, fit(text, room, skin), room, style)
}

/// Writes a text field on a line, scrolled to make its cursor visible; `cursor` is the number of characters before it.
/// Returns the screen position of the text cursor.
pub fn draw_field(
    text: &str,
    cursor: usize,
    area: Rect,
    style: Style,
    buffer: &mut Buffer,
) -> Position {
    let room = area.width.saturating_sub(1) as usize;
    let before: String = text.chars().take(cursor).collect();
    let before = width(&before);
    let skip = before.saturating_sub(room);
    Paragraph::new(Line::styled(printable(text), style))
        .scroll((0, u16::try_from(skip).unwrap_or(u16::MAX)))
        .render(area, buffer);
    Position { x: area.x + (before - skip) as u16, y: area.y }
}

/// Wraps a text at word boundaries into at most `rows` rows of `room` columns. Truncates the rest with a mark.
pub fn wrap(text: &str, room: usize, rows: usize, skin: Skin) -> Vec<String> {
    let mut wrapped = into_rows(text, room);
    if wrapped.len() > rows {
        let rest = wrapped.split_off(rows.saturating_sub(1)).join(" ");
        wrapped.extend((rows > 0).then_some(rest));
    }
    wrapped.iter().map(|row| fit(row, room, skin)).collect()
}

/// Returns whether a text fits into this many rows of `room` columns.
pub fn fits(text: &str, room: usize, rows: u16) -> bool {
    width(text) <= room || into_rows(text, room).len() <= rows.into()
}

/// Wraps a text at word boundaries into rows of `room` columns.
pub fn into_rows(text: &str, room: usize) -> Vec<String> {
    let mut rows: Vec<String> = Vec::new();
    let words = text.split_whitespace().map(printable);
    for word in words.flat_map(|word| pieces(&word, room)) {
        match rows.last_mut() {
            Some(row) if width(row) + 1 + width(&word) <= room => {
                row.push(' ');
                row.push_str(&word);
            }
            _ => rows.push(word),
        }
    }
    rows
}

/// Splits a word into pieces that fit into `room` columns. Paths are split after slashes.
fn pieces(word: &str, room: usize) -> Vec<String> {
    let mut pieces = Vec::new();
    let mut rest = word;
    // A longer piece cannot fit. The limit avoids measuring a very long name again for each piece.
    let begun = |text: &str| text.char_indices().nth(8 * room).map_or(text.len(), |(end, _)| end);
    while room > 0 && width(&rest[..begun(rest)]) > room {
        let fits = |end: &usize| width(&rest[..*end]) <= room;
        let ends = rest.char_indices().map(|(at, letter)| (at + letter.len_utf8(), letter));
        let ends: Vec<(usize, char)> = ends.take_while(|(end, _)| fits(end)).collect();
        let slash = ends.iter().rfind(|(_, letter)| *letter == '/');
        let Some((end, _)) = slash.or(ends.last()) else { break };
        let (piece, behind) = rest.split_at(*end);
        pieces.push(piece.to_owned());
        rest = behind;
    }
    pieces.push(rest.to_owned());
    pieces
}

/// Replaces every non-ASCII character with a question mark, for terminals without UTF-8. Only names and other user text
/// contain such characters, since the skin's glyphs are ASCII. Truncation marks are replaced with the skin's mark,
/// because menus truncate text without a skin, and [`SEPARATOR`] becomes a hyphen.
pub fn replace_non_ascii(area: Rect, skin: Skin, buffer: &mut Buffer) {
    let mark = Skin::default().glyphs().right.to_string();
    for place in area.intersection(buffer.area).positions() {
        let cell = &mut buffer[place];
        if cell.symbol() == mark {
            cell.set_char(skin.glyphs().right);
        } else if cell.symbol() == SEPARATOR.trim() {
            cell.set_char('-');
        } else if !cell.symbol().is_ascii() {
            cell.set_char('?');
        }
    }
}

/// Replaces clusters whose width differs between terminals, because they would shift the rest of the row or cover it:
/// an emoji with modifiers or joiners becomes its first emoji, and a flag becomes its two letters. Removes two-column
/// characters that are partly covered. The dot of [`SEPARATOR`] becomes the skin's, which is narrow everywhere if need
/// be.
pub fn settle_widths(area: Rect, skin: Skin, buffer: &mut Buffer) {
    let area = area.intersection(buffer.area);
    for place in area.positions() {
        let symbol = buffer[place].symbol();
        if symbol == SEPARATOR.trim() {
            buffer[place].set_char(skin.glyphs().faint);
            continue;
        }
        let wide = !symbol.is_ascii() && symbol.width() > 1;
        let next = Position { x: place.x + 1, ..place };
        let is_covered = wide && area.contains(next) && buffer[next].symbol() != " ";
        if is_covered {
            buffer[place].set_char(' ');
            continue;
        }
        let Some(settled) = settled(symbol) else { continue };
        let (style, width) = (buffer[place].style(), symbol.width());
        let letters = settled.chars().chain(std::iter::repeat(' '));
        for (x, letter) in (place.x..area.right()).zip(letters).take(width) {
            buffer[(x, place.y)].set_char(letter).set_style(style);
        }
    }
}

/// Returns the cluster without the parts that make its width uncertain; `None` if it has no such parts.
fn settled(symbol: &str) -> Option<String> {
    const REGIONAL_A: u32 = 0x1f1e6;
    let first = symbol.chars().next()?;
    if ('\u{1f1e6}'..='\u{1f1ff}').contains(&first) {
        let letter =
            |c: char| char::from_u32(u32::from(c).checked_sub(REGIONAL_A)? + u32::from('A'));
        return Some(symbol.chars().filter_map(letter).collect());
    }
    let is_modifier = |c: char| match c {
        '\u{fe0e}' | '\u{fe0f}' | '\u{20e3}' | '\u{1f3fb}'..='\u{1f3ff}' => true,
        // Between letters, joiners select their forms.
        '\u{200d}' => !first.is_alphabetic(),
        _ => false,
    };
    let is_uncertain = symbol.chars().skip(1).any(is_modifier);
    is_uncertain.then(|| first.to_string())
}

/// The start of each line of a list.
pub const ITEM: &str = "- ";

/// Reflows paragraphs to `room` columns. Only paragraphs with longer lines are wrapped, lists line by line. Text beside
/// a drawing moves below the drawing.
pub fn reflow(text: &str, room: usize) -> String {
    let paragraphs = text.split("\n\n").map(|paragraph| {
        let lines: Vec<&str> = paragraph.lines().collect();
        if lines.iter().all(|line| width(line) <= room) {
            return paragraph.split('\n').map(printable).collect::<Vec<_>>().join("\n");
        }
        if lines.iter().all(|line| line.starts_with(ITEM)) {
            return lines
                .iter()
                .flat_map(|line| into_rows(line, room))
                .collect::<Vec<_>>()
                .join("\n");
        }
        if !paragraph.starts_with(' ') {
            return into_rows(paragraph, room).join("\n");
        }
        let Some(column) = column_of_words(&lines) else { return paragraph.to_owned() };
        let (mut drawing, mut words) = (Vec::new(), Vec::new());
        for line in lines {
            let (left, right) = line.split_at_checked(column).unwrap_or((line, ""));
            drawing.push(left.trim_end());
            words.push(right);
        }
        format!("{}\n\n{}", drawing.join("\n"), into_rows(&words.join(" "), room).join("\n"))
    });
    paragraphs.collect::<Vec<_>>().join("\n\n")
}

/// Returns the column where the text beside a drawing starts: after a gap of at least three columns in every line.
fn column_of_words(lines: &[&str]) -> Option<usize> {
    let column = |line: &&str| Some(line.trim_end().rfind("   ")? + 3);
    let column = lines.iter().filter_map(column).max()?;
    let gap = |line: &&str| line.get(..column).is_none_or(|left| left.ends_with("   "));
    lines.iter().all(|line| line.len() <= column || gap(line)).then_some(column)
}

#[cfg(test)]
mod tests {
    use super::*;
    use quadrille_table::catalogue::GAMES;

    #[test]
    fn ambiguous_width_characters_are_replaced() {
        let area = Rect::new(0, 0, 12, 1);
        for (text, shown) in [
            ("a\u{267b}\u{fe0f}b", "a\u{267b} b"),
            ("a\u{1f972}\u{1f3fb}b", "a\u{1f972}"),
            ("\u{1f1e9}\u{1f1ea}!", "DE!"),
            ("1\u{fe0f}\u{20e3}!", "1 !"),
            ("\u{1f468}\u{200d}\u{1f469}\u{200d}\u{1f467}!", "\u{1f468}!"),
            ("\u{1f3f3}\u{fe0f}\u{200d}\u{1f308}!", "\u{1f3f3} !"),
            ("\u{1f980}\u{7530}Zoe\u{308}!", "\u{1f980}\u{7530}Zoe\u{308}!"),
        ] {
            let mut buffer = Buffer::empty(area);
            let end = buffer.set_stringn(0, 0, text, 12, Style::new().bold());
            settle_widths(area, Skin::default(), &mut buffer);
            let mut row = String::new();
            let mut x = 0;
            while x < end.0 {
                let cell = &buffer[(x, 0)];
                assert_eq!(cell.symbol().chars().count() > 1, cell.symbol().contains('\u{308}'));
                row.push_str(cell.symbol());
                x += cell.symbol().width() as u16;
            }
            assert!(row.starts_with(shown), "{row:?} for {text:?}");
        }
        assert_eq!(settled("\u{dc1}\u{dca}\u{200d}\u{dbb}"), None, "letters");
        // A menu covers the second half of a two-column character.
        let mut buffer = Buffer::empty(area);
        buffer.set_string(0, 0, "\u{7530}", Style::new());
        buffer.set_string(1, 0, "|", Style::new());
        settle_widths(area, Skin::default(), &mut buffer);
        assert_eq!((buffer[(0, 0)].symbol(), buffer[(1, 0)].symbol()), (" ", "|"));
    }

    #[test]
    fn truncated_text_ends_in_a_mark() {
        let fit = |text, room| fit(text, room, Skin::default());
        assert_eq!((fit("abc", 3), fit("abcd", 3)), ("abc".to_owned(), "ab▸".to_owned()));
        assert_eq!((fit("小林", 3), fit("a", 0)), ("小▸".to_owned(), String::new()));
        let wrap = |text, rows| wrap(text, 5, rows, Skin::default());
        assert_eq!(wrap("ab cd ef", 2), ["ab cd", "ef"]);
        assert_eq!(wrap("ab cd ef gh", 1), ["ab c▸"]);
        assert!(wrap("ab", 0).is_empty());
        assert_eq!(wrap("abcdefg hi", 2), ["abcde", "fg hi"], "a word longer than the row");
        assert_eq!(wrap("/a/b/cde", 2), ["/a/b/", "cde"], "a path");
        assert_eq!(wrap("a/小林小", 3), ["a/", "小林", "小"]);
        let name = |text, room| name(text, room, Skin::default());
        assert_eq!((name("Annabella", 8), name("Annabella", 1)), ("Annabel▸".into(), "A".into()));
    }

    #[test]
    fn similar_truncated_names_show_their_difference() {
        let cut = |all: &[&str], room| names(all, room, Skin::default());
        let players = ["Player 1", "Player 2"];
        assert_eq!(cut(&players, 8), players);
        assert_eq!(cut(&players, 4), ["Pl▸1", "Pl▸2"]);
        assert_eq!(cut(&players, 2), ["P1", "P2"]);
        assert_eq!(cut(&players, 1), ["1", "2"]);
        let together = |all: &[&str], room| names_together(all, room, Skin::default());
        assert_eq!(together(&["Annabella", "Bob"], 12), ["Annabella", "Bob"]);
        assert_eq!(together(&["Annabella", "Bob"], 8), ["Anna▸", "Bob"]);
        assert_eq!(together(&players, 8), ["Pl▸1", "Pl▸2"]);
        assert_eq!(together(&["Annabella", "Bob"], 5), ["Annabella", "Bob"]);
        assert!(together(&[], 5).is_empty());
        assert_eq!(cut(&players, 0), ["", ""]);
        assert_eq!(cut(&["Annabella", "Anna", "Bob"], 4), ["Ann▸", "Anna", "Bob"]);
        assert_eq!(cut(&["Annabella", "Annabel小", "Bob"], 4), ["An▸a", "A▸小", "Bob"]);
        assert_eq!(cut(&["Strong", "Strong"], 6), ["Strong", "Strong"]);
        assert_eq!(cut(&["林小", "林小"], 1), ["", ""]);
    }

    #[test]
    fn truncated_ascii_text_ends_in_a_mark() {
        let skin = Skin::default().in_ascii();
        for cut in [fit("Zoë und Jürgen", 12, skin), fit("Zoë und Jürgen", 12, Skin::default())]
        {
            let mut buffer = Buffer::with_lines([cut]);
            replace_non_ascii(buffer.area, skin, &mut buffer);
            assert_eq!(buffer, Buffer::with_lines(["Zo? und J?r>"]));
        }
        let mut buffer = Buffer::with_lines(["a · b"]);
        settle_widths(buffer.area, Skin::default(), &mut buffer);
        assert_eq!(buffer, Buffer::with_lines(["a ∙ b"]), "narrow in every terminal");
        let mut buffer = Buffer::with_lines(["a · b"]);
        replace_non_ascii(buffer.area, skin, &mut buffer);
        assert_eq!(buffer, Buffer::with_lines(["a - b"]));
    }

    #[test]
    fn unprintable_character_has_the_width_of_its_escape() {
        let odd = "a\u{202e}b";
        assert_eq!((width(odd), fit(odd, 20, Skin::default())), (10, "a\\u{202e}b".to_owned()));
        assert_eq!(fit(odd, 5, Skin::default()), "a\\u{▸");
        assert_eq!(reflow(odd, 80), "a\\u{202e}b");
        assert_eq!(reflow("- one two\n- three", 7), "- one\ntwo\n- three");
        assert_eq!(wrap(odd, 20, 1, Skin::default()), ["a\\u{202e}b"]);
    }

    /// On a narrow screen, no word of the rules is lost or truncated, and rows are filled.
    #[test]
    fn rules_reflow_without_losing_words() {
        for game in &GAMES {
            assert_eq!(reflow(game.rules, 80), game.rules);
            for room in [28, 38, 58] {
                let text = reflow(game.rules, room);
                assert!(text.lines().all(|line| width(line) <= room), "{}: {text}", game.id);
                let sorted = |text: &str| {
                    let mut words: Vec<String> =
                        text.split_whitespace().map(str::to_owned).collect();
                    words.sort();
                    words
                };
                assert_eq!(sorted(&text), sorted(game.rules), "{}", game.id);
                let prose = text.split("\n\n").filter(|paragraph| !paragraph.starts_with(' '));
                for paragraph in prose {
                    let lines: Vec<&str> = paragraph.lines().collect();
                    for pair in lines.windows(2) {
                        let next = pair[1].split(' ').next().unwrap_or_default();
                        let full = width(pair[0]) + 1 + width(next) > room;
                        assert!(full, "{}: {pair:?}", game.id);
                    }
                }
            }
        }
    }
}
