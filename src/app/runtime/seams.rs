//! Avoids seams between cells. In many fonts, block glyphs leave a part of the first or last row of pixels, or of the
//! last column, to the background of their cell; only backgrounds fill whole cells.

use ratatui::buffer::{Buffer, Cell};
use ratatui::style::{Color, Modifier};

/// The glyph for each set of quarters of a cell. The bits are upper left, upper right, lower left and lower right.
const QUADRANTS: [char; 16] =
    [' ', '▘', '▝', '▀', '▖', '▌', '▞', '▛', '▗', '▚', '▐', '▜', '▄', '▙', '▟', '█'];

/// Modifiers that a glyph and a background show differently.
const UNEQUAL: Modifier = Modifier::DIM
    .union(Modifier::UNDERLINED)
    .union(Modifier::HIDDEN)
    .union(Modifier::CROSSED_OUT)
    .union(Modifier::SLOW_BLINK)
    .union(Modifier::RAPID_BLINK);

/// A color as shown, where the terminal's own colors for text and background are different.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Shade {
    Text,
    Paper,
    Colour(Color),
}

/// An edge of a cell.
struct Edge {
    /// The columns and rows to the cell on the other side.
    step: (i32, i32),
    /// The quarters of this cell at the edge, each with the quarter on the other side.
    quarters: [(usize, usize); 2],
    /// How much a seam counts.
    weight: u32,
}

/// The edges at which glyphs leave gaps. With the font `DejaVu Sans Mono` in xterm, they leave a row above them at sizes
/// 8, 9, 11, 12 and 14, a row below them at 10 and 13, and a column to the right at 8 and 9.
const EDGES: [Edge; 3] = [
    Edge { step: (0, -1), quarters: [(0, 2), (1, 3)], weight: 3 },
    Edge { step: (0, 1), quarters: [(2, 0), (3, 1)], weight: 2 },
    Edge { step: (1, 0), quarters: [(1, 0), (3, 2)], weight: 1 },
];

/// Paints whole cells by their background. Exchanges the glyph and the background of half rows if fewer seams
/// show then. Every quarter of a cell keeps its color.
pub(super) fn close(buffer: &mut Buffer) {
    let width = usize::from(buffer.area.width.max(1));
    for index in 0..buffer.content.len() {
        let cell = &buffer.content[index];
        let Some(quarters) = quarters(cell).filter(|_| !cell.modifier.intersects(UNEQUAL)) else {
            continue;
        };
        let (ink, ground) = shades(cell);
        let at = ((index % width) as u16, (index / width) as u16);
        let is_exchanged = quarters == 15
            || (quarters == 3 || quarters == 12)
                && seams(buffer, at, quarters, ink) < seams(buffer, at, quarters, ground);
        if is_exchanged {
            set(&mut buffer.content[index], 15 - quarters, ground, ink);
        }
    }
}

/// Returns the set of quarters of a block glyph.
fn quarters(cell: &Cell) -> Option<usize> {
    let symbol = cell.symbol();
    // The bytes of the block elements; nearly all cells end here.
    let [0xe2, 0x96, _] = symbol.as_bytes() else { return None };
    let glyph = symbol.chars().next()?;
    QUADRANTS.iter().position(|quadrant| *quadrant == glyph)
}

/// Returns the colors of a cell's glyph and background.
fn shades(cell: &Cell) -> (Shade, Shade) {
    let shade = |colour, own| if colour == Color::Reset { own } else { Shade::Colour(colour) };
    let (text, paper) = (shade(cell.fg, Shade::Text), shade(cell.bg, Shade::Paper));
    if cell.modifier.contains(Modifier::REVERSED) { (paper, text) } else { (text, paper) }
}

/// Returns the color of each quarter of a cell. Other glyphs than blocks count as background.
fn quarter_shades(cell: &Cell, quarters: usize) -> [Shade; 4] {
    let (ink, ground) = shades(cell);
    [0, 1, 2, 3].map(|at| if quarters >> at & 1 == 1 { ink } else { ground })
}

/// Weighs the seams at the edges of a cell with these quarters if this is the color of its background.
fn seams(buffer: &Buffer, (x, y): (u16, u16), own: usize, ground: Shade) -> u32 {
    let Some(cell) =
        buffer.content.get(usize::from(y) * usize::from(buffer.area.width) + usize::from(x))
    else {
        return 0;
    };
    let own = quarter_shades(cell, own);
    let weigh = |edge: &Edge| {
        let at = (i32::from(x) + edge.step.0, i32::from(y) + edge.step.1);
        let at = (u16::try_from(at.0).ok()?, u16::try_from(at.1).ok()?);
        let other = buffer.cell((buffer.area.x + at.0, buffer.area.y + at.1))?;
        let other = quarter_shades(other, quarters(other).unwrap_or(0));
        let seam = |(here, there): (usize, usize)| match (own[here], other[there]) {
            (one, other) if one == ground || other == ground => 0,
            // A tint between two colors shows less.
            (one, other) => 1 + u32::from(one == other),
        };
        Some(edge.weight * edge.quarters.into_iter().map(seam).sum::<u32>())
    };
    EDGES.iter().filter_map(weigh).sum()
}

/// Changes a cell to these quarters and colors, unless no style shows them.
fn set(cell: &mut Cell, quarters: usize, ink: Shade, ground: Shade) {
    let colour = |shade, own| match shade {
        Shade::Colour(colour) => Some(colour),
        shade => (shade == own).then_some(Color::Reset),
    };
    // No ink shows in a blank cell.
    let ink_as = |own, kept| if quarters == 0 { Some(kept) } else { colour(ink, own) };
    let plain = ink_as(Shade::Text, cell.fg).zip(colour(ground, Shade::Paper));
    let reversed = colour(ground, Shade::Text).zip(ink_as(Shade::Paper, cell.bg));
    let ((fg, bg), is_reversed) = match (plain, reversed) {
        (Some(colours), _) => (colours, false),
        (None, Some(colours)) => (colours, true),
        (None, None) => return,
    };
    (cell.fg, cell.bg) = (fg, bg);
    cell.modifier.set(Modifier::REVERSED, is_reversed);
    cell.set_char(QUADRANTS[quarters]);
}

#[cfg(test)]
mod tests {
    use super::*;
    use ratatui::style::Style;

    fn closed(lines: &[&str], style: Style) -> (Buffer, Vec<String>) {
        let mut buffer = Buffer::with_lines(lines.iter().copied());
        buffer.set_style(buffer.area, style);
        let before = buffer.clone();
        close(&mut buffer);
        for (before, after) in before.content.iter().zip(&buffer.content) {
            let shown = |cell: &Cell| quarter_shades(cell, quarters(cell).unwrap_or(0));
            assert_eq!(shown(before), shown(after), "{before:?} became {after:?}");
        }
        let width = usize::from(buffer.area.width);
        let text = buffer.content.chunks(width);
        let text = text.map(|row| row.iter().map(Cell::symbol).collect()).collect();
        (buffer, text)
    }

    #[test]
    fn whole_cells_are_painted_by_their_background() {
        let themed = Style::new().fg(Color::Red).bg(Color::Rgb(1, 2, 3));
        for style in [Style::new(), themed, Style::new().fg(Color::Red), themed.reversed().bold()] {
            let (buffer, lines) = closed(&["██a", "██ "], style);
            assert_eq!(lines, ["  a", "   "]);
            let cell = &buffer[(0, 0)];
            assert_eq!(shades(cell).1, shades(&buffer[(2, 0)]).0, "{style:?}");
        }
    }

    #[test]
    fn half_cells_have_the_background_with_the_fewest_seams() {
        let style = Style::new().fg(Color::Red).bg(Color::Blue);
        // Thin lines stay glyphs; steps continue the cell above.
        for (lines, expected) in [
            (&["   ", "▀▀▀", "   "][..], &["   ", "▀▀▀", "   "][..]),
            (&["   ", "▄▄▄", "   "], &["   ", "▄▄▄", "   "]),
            (&["███", "▀▀▀", "   "], &["   ", "▄▄▄", "   "]),
            (&["   ", "▄▄▄", "███"], &["   ", "▄▄▄", "   "]),
            (&["▄▄▄", "▀▀▀"], &["▀▀▀", "▄▄▄"]),
        ] {
            assert_eq!(closed(lines, style).1, expected, "{lines:?}");
        }
    }

    #[test]
    fn glyphs_that_a_background_cannot_show_stay() {
        assert_eq!(closed(&["██"], Style::new().dim()).1, ["██"]);
        assert_eq!(closed(&["█▀"], Style::new().underlined()).1, ["█▀"]);
        let (buffer, lines) = closed(&["▪●━⠿░▁"], Style::new());
        assert_eq!(
            (lines, buffer[(0, 0)].modifier),
            (vec!["▪●━⠿░▁".to_owned()], Modifier::empty())
        );
    }
}
