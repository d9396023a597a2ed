//! Large digits, drawn in halves of cells.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

/// The ten digits, three dots wide and five high, row by row.
const DIGITS: [[u8; 5]; 10] = [
    [0b111, 0b101, 0b101, 0b101, 0b111],
    [0b010, 0b110, 0b010, 0b010, 0b111],
    [0b111, 0b001, 0b111, 0b100, 0b111],
    [0b111, 0b001, 0b111, 0b001, 0b111],
    [0b101, 0b101, 0b111, 0b001, 0b001],
    [0b111, 0b100, 0b111, 0b001, 0b111],
    [0b111, 0b100, 0b111, 0b101, 0b111],
    [0b111, 0b001, 0b001, 0b010, 0b010],
    [0b111, 0b101, 0b111, 0b101, 0b111],
    [0b111, 0b101, 0b111, 0b001, 0b111],
];

/// The columns of a number in which each dot is `scale` columns wide.
pub(super) fn width(number: u32, scale: u16) -> u16 {
    (number.to_string().len() as u16 * 4 - 1) * scale
}

/// The rows of a number in which each dot is `scale` halves of a cell high.
pub(super) const fn height(scale: u16) -> u16 {
    (5 * scale).div_ceil(2)
}

/// Draws a number into the top left of an area, by the upper and the lower half of a cell and the whole.
pub(super) fn draw(
    number: u32,
    scale: u16,
    [upper, lower, whole]: [char; 3],
    style: Style,
    area: Rect,
    buffer: &mut Buffer,
) {
    let digits: Vec<usize> =
        number.to_string().bytes().map(|byte| usize::from(byte - b'0')).collect();
    let is_set = |column: u16, half_row: u16| {
        let (column, row) = (column / scale, half_row / scale);
        let bits = DIGITS[digits[usize::from(column / 4)]].get(usize::from(row));
        column % 4 < 3 && bits.is_some_and(|bits| bits >> (2 - column % 4) & 1 == 1)
    };
    for column in 0..width(number, scale).min(area.width) {
        for row in 0..height(scale).min(area.height) {
            let glyph = match (is_set(column, 2 * row), is_set(column, 2 * row + 1)) {
                (true, true) => whole,
                (true, false) => upper,
                (false, true) => lower,
                (false, false) => continue,
            };
            buffer[(area.x + column, area.y + row)].set_char(glyph).set_style(style);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(number: u32, scale: u16) -> Vec<String> {
        let area = Rect::new(0, 0, width(number, scale), height(scale));
        let mut buffer = Buffer::empty(area);
        draw(number, scale, ['▀', '▄', '█'], Style::new(), area, &mut buffer);
        let row = |y| (0..area.width).map(|x| buffer[(x, y)].symbol().to_owned()).collect();
        (0..area.height).map(row).collect()
    }

    #[test]
    fn digits_are_three_by_five() {
        assert_eq!(drawn(24, 1), ["▀▀█ █ █", "█▀▀ ▀▀█", "▀▀▀   ▀"]);
        let twice = ["  ██  ", "████  ", "  ██  ", "  ██  ", "██████"];
        assert_eq!(drawn(1, 2), twice);
    }
}
