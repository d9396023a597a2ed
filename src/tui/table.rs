//! Tables on the screen: rows of aligned columns.

use super::text;
use crate::board::Skin;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;

/// A column of a table. A column of width 0 is hidden.
#[derive(Clone, Copy, Debug)]
pub struct Column {
    width: u16,
    is_number: bool,
}

impl Column {
    pub const fn text(width: u16) -> Column {
        Column { width, is_number: false }
    }

    /// Creates a column of right-aligned numbers.
    pub const fn number(width: u16) -> Column {
        Column { width, is_number: true }
    }

    pub fn room(self) -> usize {
        self.width.into()
    }

    pub fn fits(self, text: &str) -> bool {
        text::width(text) <= self.room()
    }

    pub const fn is_shown(self) -> bool {
        self.width > 0
    }
}

/// Returns the total screen width of these columns, including a gap after each column.
pub fn width(columns: &[Column], gap: u16) -> u16 {
    columns.iter().filter(|column| column.is_shown()).map(|column| column.width + gap).sum()
}

/// Writes the cells of a row. A truncated cell ends with a mark.
pub fn draw_row(
    columns: &[Column],
    gap: u16,
    cells: &[Line<'_>],
    row: Rect,
    skin: Skin,
    buffer: &mut Buffer,
) {
    let mut x = row.x;
    for (column, cell) in columns.iter().zip(cells).filter(|(column, _)| column.is_shown()) {
        let spare = usize::from(column.width).saturating_sub(cell.width()) as u16;
        let mut at = if column.is_number { x + spare } else { x };
        for span in &cell.spans {
            let room = (x + column.width).min(row.right()).saturating_sub(at);
            let style = cell.style.patch(span.style);
            (at, _) = text::put((at, row.y), &span.content, room.into(), style, skin, buffer);
        }
        x += column.width + gap;
    }
}

/// Returns the area of a text or a table: centered, at most `widest` columns wide, with margins of at least two
/// columns.
pub fn block(area: Rect, widest: u16) -> Rect {
    let width = area.width.saturating_sub(4).min(widest);
    Rect { x: area.x + (area.width - width) / 2, width, ..area }
}

/// Returns the row of the headings: below the title and, if there is space, an empty row.
pub const fn head(area: Rect) -> u16 {
    area.y + if area.height > 12 { 2 } else { 1 }
}
