//! Large digits, capitals and a few signs, drawn with half blocks.

use super::Canvas;
use quadrille_scene::{Skin, cells};
use ratatui::layout::Rect;
use ratatui::style::Style;

/// The capitals, as high as the digits and, except for I, M and W, as wide, so that `PLAYER 1` fits on a card.
const CAPITALS: [(u16, [u8; 5]); 26] = [
    (3, [0b010, 0b101, 0b111, 0b101, 0b101]),
    (3, [0b110, 0b101, 0b110, 0b101, 0b110]),
    (3, [0b111, 0b100, 0b100, 0b100, 0b111]),
    (3, [0b110, 0b101, 0b101, 0b101, 0b110]),
    (3, [0b111, 0b100, 0b110, 0b100, 0b111]),
    (3, [0b111, 0b100, 0b110, 0b100, 0b100]),
    (3, [0b111, 0b100, 0b101, 0b101, 0b111]),
    (3, [0b101, 0b101, 0b111, 0b101, 0b101]),
    (1, [1, 1, 1, 1, 1]),
    (3, [0b001, 0b001, 0b001, 0b101, 0b111]),
    (3, [0b101, 0b101, 0b110, 0b101, 0b101]),
    (3, [0b100, 0b100, 0b100, 0b100, 0b111]),
    (5, [0b10001, 0b11011, 0b10101, 0b10001, 0b10001]),
    (3, [0b110, 0b101, 0b101, 0b101, 0b101]),
    (3, [0b111, 0b101, 0b101, 0b101, 0b111]),
    (3, [0b111, 0b101, 0b111, 0b100, 0b100]),
    (3, [0b111, 0b101, 0b101, 0b111, 0b001]),
    (3, [0b110, 0b101, 0b110, 0b101, 0b101]),
    (3, [0b111, 0b100, 0b111, 0b001, 0b111]),
    (3, [0b111, 0b010, 0b010, 0b010, 0b010]),
    (3, [0b101, 0b101, 0b101, 0b101, 0b111]),
    (3, [0b101, 0b101, 0b101, 0b101, 0b010]),
    (5, [0b10001, 0b10001, 0b10101, 0b11011, 0b10001]),
    (3, [0b101, 0b101, 0b010, 0b101, 0b101]),
    (3, [0b101, 0b101, 0b010, 0b010, 0b010]),
    (3, [0b111, 0b001, 0b010, 0b100, 0b111]),
];

/// Returns the width of a character in dots, and its five rows of dots.
const fn dots(letter: char) -> (u16, [u8; 5]) {
    match letter {
        'A'..='Z' => CAPITALS[letter as usize - 'A' as usize],
        'a'..='z' => CAPITALS[letter as usize - 'a' as usize],
        ' ' => (1, [0; 5]),
        '-' => (3, [0, 0, 0b111, 0, 0]),
        _ => cells::dots(letter),
    }
}

/// Returns whether a character of a sentence can be drawn.
const fn has(letter: char) -> bool {
    matches!(letter, 'A'..='Z' | 'a'..='z' | '0'..='9' | ' ' | '!' | '.' | '-')
}

/// Splits a sentence between words into lines that are at most `room` columns wide. Returns `None` unless it can be
/// drawn in at most `most` lines.
pub fn lines(text: &str, room: u16, most: usize, skin: Skin) -> Option<Vec<String>> {
    if skin.glyphs().halves.is_none() || !text.chars().all(has) {
        return None;
    }
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        let longer = lines.last().map(|line| format!("{line} {word}"));
        match longer.filter(|longer| width(longer, 1) <= room).zip(lines.last_mut()) {
            Some((longer, line)) => *line = longer,
            None => lines.push(word.to_owned()),
        }
    }
    let fits = lines.len() <= most && lines.iter().all(|line| width(line, 1) <= room);
    (fits && !lines.is_empty()).then_some(lines)
}

/// Returns the width in columns of a text drawn with dots `scale` columns wide.
pub fn width(text: &str, scale: u16) -> u16 {
    let columns: u16 = text.chars().map(|letter| dots(letter).0 + 1).sum();
    columns.saturating_sub(1) * scale
}

/// Returns the height in rows of a line of text drawn with dots `scale` half cells high.
pub const fn height(scale: u16) -> u16 {
    (5 * scale).div_ceil(2)
}

/// Draws a line of text at the top left of an area, if the glyphs include half blocks.
pub fn draw(text: &str, scale: u16, style: Style, area: Rect, canvas: &mut Canvas<'_>) {
    let Some([upper, lower, _]) = canvas.skin.glyphs().halves else { return };
    let whole = canvas.skin.glyphs().bar;
    let mut x = area.x;
    for letter in text.chars() {
        let (width, rows) = dots(letter);
        let is_set = |column: u16, half_row: u16| {
            let bits = rows.get(usize::from(half_row / scale));
            bits.is_some_and(|bits| bits >> (width - 1 - column / scale) & 1 == 1)
        };
        for column in (0..width * scale).take_while(|column| x + column < area.right()) {
            for row in 0..height(scale).min(area.height) {
                let glyph = match (is_set(column, 2 * row), is_set(column, 2 * row + 1)) {
                    (true, true) => whole,
                    (true, false) => upper,
                    (false, true) => lower,
                    (false, false) => continue,
                };
                canvas.buffer[(x + column, area.y + row)].set_char(glyph).set_style(style);
            }
        }
        x += (width + 1) * scale;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::RenderFeedback;
    use crate::tui::images::BoardImages;
    use crate::tui::targets::Targets;
    use quadrille_scene::cells::BoardOnScreen;
    use quadrille_scene::{Glyphs, Skin};
    use ratatui::buffer::Buffer;

    fn drawn(text: &str, scale: u16) -> Vec<String> {
        let area = Rect::new(0, 0, width(text, scale), height(scale));
        let mut buffer = Buffer::empty(area);
        let (skin, targets) = (Skin::default().with_glyphs(&Glyphs::FULL), Targets::default());
        let (feedback, board) = (&RenderFeedback::default(), &BoardOnScreen::default());
        let (targets, images) = (&targets, &BoardImages::default());
        let mut canvas = Canvas { skin, targets, feedback, board, images, buffer: &mut buffer };
        draw(text, scale, Style::new(), area, &mut canvas);
        let row = |y| (0..area.width).map(|x| buffer[(x, y)].symbol().to_owned()).collect();
        (0..area.height).map(row).collect()
    }

    #[test]
    fn sentences_are_capitals_of_the_same_height() {
        assert_eq!(
            drawn("Ann wins!", 1),
            [
                "▄▀▄ █▀▄ █▀▄   █   █ █ █▀▄ █▀▀ █",
                "█▀█ █ █ █ █   █▄▀▄█ █ █ █ ▀▀█ ▀",
                "▀ ▀ ▀ ▀ ▀ ▀   ▀   ▀ ▀ ▀ ▀ ▀▀▀ ▀",
            ]
        );
        // No two characters look alike, except for O and 0, S and 5, which most small fonts share.
        let all: Vec<char> = ('A'..='Z').chain('0'..='9').chain("!.- ".chars()).collect();
        let same = all.iter().flat_map(|one| all.iter().map(move |other| (*one, *other)));
        let same: Vec<_> =
            same.filter(|(one, other)| one < other && dots(*one) == dots(*other)).collect();
        assert_eq!(same, [('0', 'O'), ('5', 'S')]);
        for letter in all {
            assert!(has(letter) && dots(letter) == dots(letter.to_ascii_lowercase()), "{letter}");
            let (width, rows) = dots(letter);
            assert!(rows.iter().all(|row| u16::from(*row) < 1 << width), "{letter}");
        }
    }

    #[test]
    fn sentence_is_split_between_words_or_not_drawn() {
        let full = Skin::default().with_glyphs(&Glyphs::FULL);
        let split = |text, room| lines(text, room, 2, full).map(|lines| lines.join("/"));
        for (text, room, split_text) in [
            ("Ann wins", 29, Some("Ann wins")),
            ("Ann wins", 28, Some("Ann/wins")),
            ("Player 1 wins", 29, Some("Player 1/wins")),
            ("Beginner wins", 29, Some("Beginner/wins")),
            ("Beginner wins", 28, None),
            ("You win!", 29, Some("You win!")),
            ("Ann and Bob share the win", 29, None),
            ("Draw", 17, Some("Draw")),
            ("Élise wins", 40, None),
            ("Ann, Bob", 40, None),
            ("", 40, None),
        ] {
            assert_eq!(split(text, room).as_deref(), split_text, "{text} in {room}");
        }
        for skin in [Skin::default().in_ascii(), Skin::default().with_glyphs(&Glyphs::NARROW)] {
            assert_eq!(lines("Draw", 40, 2, skin), None);
        }
    }

    #[test]
    fn digits_are_three_by_five() {
        assert_eq!(drawn("24", 1), ["▀▀█ █ █", "█▀▀ ▀▀█", "▀▀▀   ▀"]);
        let twice = ["  ██  ", "████  ", "  ██  ", "  ██  ", "██████"];
        assert_eq!(drawn("1", 2), twice);
        assert_eq!(drawn("!1:7.", 1), ["█ ▄█  ▄ ▀▀█  ", "▀  █  ▄  ▄▀  ", "▀ ▀▀▀    ▀  ▀"]);
    }
}
