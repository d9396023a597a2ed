//! Large digits, drawn with half blocks.

use super::Canvas;
use quadrille_scene::cells::dots;
use ratatui::layout::Rect;
use ratatui::style::Style;

/// Returns the width in columns of a number or a time drawn with dots `scale` columns wide.
pub fn width(text: &str, scale: u16) -> u16 {
    let columns: u16 = text.chars().map(|letter| dots(letter).0 + 1).sum();
    columns.saturating_sub(1) * scale
}

/// Returns the height in rows of a number drawn with dots `scale` half cells high.
pub const fn height(scale: u16) -> u16 {
    (5 * scale).div_ceil(2)
}

/// Draws a number or a time at the top left of an area, if the glyphs include half blocks.
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
    fn digits_are_three_by_five() {
        assert_eq!(drawn("24", 1), ["▀▀█ █ █", "█▀▀ ▀▀█", "▀▀▀   ▀"]);
        let twice = ["  ██  ", "████  ", "  ██  ", "  ██  ", "██████"];
        assert_eq!(drawn("1", 2), twice);
        assert_eq!(drawn("!1:7.", 1), ["█ ▄█  ▄ ▀▀█  ", "▀  █  ▄  ▄▀  ", "▀ ▀▀▀    ▀  ▀"]);
    }
}
