//! Straight lines drawn with Braille dots. A cell has 2 × 4 dots, spaced about equally in both directions.

use super::Sheet;
use super::canvas::straight;
use crate::LineStyle;
use foldhash::HashMap;
use ratatui::layout::Position;
use ratatui::style::Style;

pub(super) const fn cell((x, y): (i32, i32)) -> Position {
    Position { x: (x / 2) as u16, y: (y / 4) as u16 }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct BrailleLine {
    /// The Braille dots at the two ends.
    pub ends: [(i32, i32); 2],
    pub line_style: LineStyle,
    /// The visible part, measured from the first end, 0 to 1.
    pub shown: f32,
    pub style: Style,
}

impl BrailleLine {
    /// Returns whether the line has been drawn, as opposed to merely being possible.
    const fn is_there(&self) -> bool {
        matches!(self.line_style, LineStyle::Solid | LineStyle::Heavy)
    }

    fn dots(&self) -> impl Iterator<Item = (i32, i32)> {
        dots(self.ends, self.line_style, self.shown)
    }
}

/// Returns the rows of a disc of Braille dots, or of a ring, with its top left corner at a Braille dot.
pub(super) fn disc(
    (left, top): (i32, i32),
    size: i32,
    is_ring: bool,
    style: Style,
) -> impl Iterator<Item = BrailleLine> {
    let half = |radius: f32, up: f32| (radius * radius - up * up).max(0.0).sqrt().round() as i32;
    let radius = size as f32 / 2.0;
    let middle = left + size / 2;
    (0..size).flat_map(move |row| {
        let up = radius - 0.5 - row as f32;
        let (outer, inner) = (half(radius, up), if is_ring { half(radius / 2.0, up) } else { 0 });
        let y = top + row;
        let sides = [(middle - outer, middle - inner), (middle + inner, middle + outer)];
        sides.into_iter().map(move |(from, to)| BrailleLine {
            ends: [(from, y), (to - 1, y)],
            line_style: LineStyle::Solid,
            shown: 1.0,
            style,
        })
    })
}

fn dots(
    ends: [(i32, i32); 2],
    line_style: LineStyle,
    shown: f32,
) -> impl Iterator<Item = (i32, i32)> {
    let [(x, y), (to_x, to_y)] = ends;
    let near = (x.min(to_x) & !1, y.min(to_y) & !3);
    let far = (x.max(to_x) | 1, y.max(to_y) | 3);
    // The second row of dots stays in the rows and columns of cells between the ends.
    let beside = if (to_x - x).abs() > (to_y - y).abs() {
        (0, if y.max(to_y) == far.1 { -1 } else { 1 })
    } else {
        (if x.max(to_x) == far.0 { -1 } else { 1 }, 0)
    };
    let is_between =
        move |at: &(i32, i32)| (near.0..=far.0).contains(&at.0) && (near.1..=far.1).contains(&at.1);
    let thickness = if line_style == LineStyle::Heavy { 2 } else { 1 };
    let every = match line_style {
        LineStyle::Solid | LineStyle::Heavy => 1,
        LineStyle::Ghost => 2,
        LineStyle::Blocked => 3,
        LineStyle::Faint => 4,
    };
    straight(ends, shown).step_by(every).flat_map(move |(x, y)| {
        let both = [(x, y), (x + beside.0, y + beside.1)].into_iter().take(thickness);
        both.filter(is_between)
    })
}

/// Returns the cells of a whole line, each once.
pub(super) fn cells(ends: [(i32, i32); 2], line_style: LineStyle) -> Vec<Position> {
    let mut cells: Vec<Position> = dots(ends, line_style, 1.0).map(cell).collect();
    cells.sort_unstable();
    cells.dedup();
    cells
}

/// Draws lines in the free cells of a sheet. If two lines share a cell, the cell shows the dots of both in the style of
/// the later line.
pub(super) fn draw(sheet: &mut Sheet, lines: &[BrailleLine], is_free: impl Fn(Position) -> bool) {
    let seen = sheet.view.visible();
    let glyphs = sheet.skin.glyphs();
    let mut cells: HashMap<Position, (u8, bool, Style)> = HashMap::default();
    for line in lines {
        for (x, y) in line.dots() {
            let at = cell((x, y));
            if seen.contains(at) {
                let (bits, is_there, style) = cells.entry(at).or_default();
                *is_there |= line.is_there();
                *bits |= BITS[(y % 4) as usize][(x % 2) as usize];
                *style = line.style;
            }
        }
    }
    for (at, (bits, is_there, style)) in cells.into_iter().filter(|(at, _)| is_free(*at)) {
        // ASCII has no Braille dots, so a line with every second dot missing would look solid.
        let is_ghost = !is_there && sheet.skin.is_ascii();
        let glyph = if is_ghost { glyphs.ghost[0] } else { glyphs.braille(bits) };
        sheet.glyph(at.x, at.y, glyph, style);
    }
}

/// The bit of each dot in a Braille glyph, by row and column of the dot.
const BITS: [[u8; 2]; 4] = [[0x01, 0x08], [0x02, 0x10], [0x04, 0x20], [0x40, 0x80]];

/// Returns the ASCII character that best resembles a line through a Braille cell, based on the heights of the line in
/// the left and right halves.
pub(crate) fn ascii(bits: u8) -> char {
    let height = |column: usize| {
        let rows = (0..4).filter(|&row| bits & BITS[row][column] != 0);
        let (count, sum) = rows.fold((0, 0), |(count, sum), row| (count + 1, sum + row));
        (count > 0).then(|| (2 * sum / count, count))
    };
    match (height(0), height(1)) {
        (None, None) => ' ',
        (Some((_, 2..)), None) | (None, Some((_, 2..))) | (Some((_, 3..)), Some((_, 3..))) => '|',
        (Some((left, _)), Some((right, _))) if right + 1 < left => '/',
        (Some((left, _)), Some((right, _))) if left + 1 < right => '\\',
        (Some((height, _)), _) | (None, Some((height, _))) => match height {
            0 | 1 => '\'',
            2..=4 => '-',
            _ => '_',
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Skin;
    use crate::cells::SheetFormat;
    use ratatui::buffer::Buffer;
    use ratatui::layout::{Rect, Size};

    fn line(ends: [(i32, i32); 2]) -> BrailleLine {
        BrailleLine { ends, line_style: LineStyle::Solid, shown: 1.0, style: Style::new() }
    }

    #[test]
    fn braille_line_has_no_gaps() {
        for end in [(9, 4), (-9, 4), (3, -8), (0, 5), (7, 0), (5, 5), (0, 0)] {
            let dots: Vec<_> = line([(2, 3), (2 + end.0, 3 + end.1)]).dots().collect();
            assert_eq!(dots[0], (2, 3));
            assert_eq!(dots[dots.len() - 1], (2 + end.0, 3 + end.1));
            let near = |(a, b): (&(i32, i32), &(i32, i32))| {
                (a.0 - b.0).abs() <= 1 && (a.1 - b.1).abs() <= 1
            };
            assert!(dots.iter().zip(&dots[1..]).all(near));
        }
    }

    #[test]
    fn window_matches_that_part_of_the_sheet() {
        let size = Size::new(40, 20);
        let bold = Style::new().bold();
        let lines = [
            line([(0, 0), (79, 79)]),
            BrailleLine { line_style: LineStyle::Heavy, style: bold, ..line([(3, 70), (70, 11)]) },
            BrailleLine { line_style: LineStyle::Blocked, ..line([(79, 0), (0, 40)]) },
        ];
        let through = |room: Size, focus: Rect| {
            let mut buffer = Buffer::empty(Rect::from((Position::ORIGIN, room)));
            let area = buffer.area;
            let mut sheet =
                Sheet::lay(&mut buffer, area, SheetFormat::plain(size), focus, Skin::default());
            draw(&mut sheet, &lines, |_| true);
            (sheet.view.visible(), sheet.view.visible_on_screen(), buffer)
        };
        let (_, _, whole) = through(size, Rect::default());
        for focus in Rect::from((Position::ORIGIN, size)).positions() {
            let (seen, window, part) =
                through(Size::new(9, 5), Rect { x: focus.x, y: focus.y, width: 1, height: 1 });
            for (place, there) in window.positions().zip(seen.positions()) {
                assert_eq!(part[place], whole[there]);
            }
        }
    }

    #[test]
    fn ascii_lines_keep_their_slope() {
        let braille = "⠉⠒⠤⣀⡇⢸⠑⢄⡠⠊⣿⠀⡎⢱⢇⡸".chars();
        let ascii: String = braille.map(|glyph| ascii((glyph as u32 - 0x2800) as u8)).collect();
        assert_eq!(ascii, "'--_||\\\\//| /\\\\/");
    }
}
