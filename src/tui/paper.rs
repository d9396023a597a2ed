//! The background of the home screen: squared paper, and the title in block letters.

use quadrille_scene::{Role, Skin};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

/// The title; each string is a row of squares.
const TITLE: [&str; 6] = [
    ".##..#..#..##..###..###..#.#...#...###",
    "#..#.#..#.#..#.#..#.#..#.#.#...#...#..",
    "#..#.#..#.#..#.#..#.#..#.#.#...#...##.",
    "#..#.#..#.####.#..#.###..#.#...#...#..",
    "#.#..#..#.#..#.#..#.#.#..#.#...#...#..",
    ".#.#..##..#..#.###..#..#.#.###.###.###",
];

const WIDTH: u16 = TITLE[0].len() as u16;

/// The distance between the points of the squared paper, (columns, rows).
const SQUARE: (usize, usize) = (4, 2);

/// Returns the width and height of the title for squares this many columns wide. One-column squares are half a cell
/// high, so a cell holds two, one above the other.
pub const fn title_size(square: u16) -> (u16, u16) {
    (WIDTH * square, TITLE.len() as u16 * square / 2)
}

/// Draws the title with squares `square` columns wide, 1 or 2.
pub fn draw_title(at: Position, square: u16, skin: Skin, buffer: &mut Buffer) {
    let (width, height) = title_size(square);
    let filled = |x: u16, half: u16| {
        TITLE[usize::from(half / square)].as_bytes()[usize::from(x / square)] == b'#'
    };
    for (x, y) in (0..height).flat_map(|y| (0..width).map(move |x| (x, y))) {
        let glyph = match (filled(x, 2 * y), filled(x, 2 * y + 1)) {
            (true, true) => '█',
            (true, false) => '▀',
            (false, true) => '▄',
            (false, false) => continue,
        };
        if let Some(cell) = buffer.cell_mut((at.x + x, at.y + y)) {
            cell.set_char(glyph).set_style(skin.style(Role::Strong));
        }
    }
}

/// Draws the points of the squared paper at a distance of at least one cell from everything else.
pub fn draw_squares(area: Rect, skin: Skin, buffer: &mut Buffer) {
    let paper = skin.paper().bg;
    let is_blank = |buffer: &Buffer, x: u16, y: u16| {
        let cell = buffer.cell((x, y));
        cell.is_none_or(|cell| cell.symbol() == " " && Some(cell.bg) == paper)
    };
    for y in (area.y + 1..area.bottom()).step_by(SQUARE.1) {
        for x in (area.x + 2..area.right()).step_by(SQUARE.0) {
            if (x - 2..=x + 2).all(|x| is_blank(buffer, x, y)) {
                buffer[(x, y)].set_char(skin.glyphs().faint).set_style(skin.style(Role::Grid));
            }
        }
    }
}
