//! A rectangular grid of cells: where each cell stands on the sheet, as large as the room allows, with
//! letters and numbers at its sides and lines between the cells.

use super::{Axis, Format, Sheet};
use ratatui::layout::{Rect, Size};

/// Cells of one size, with gaps between them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Grid {
    rows: u8,
    cols: u8,
    pub format: Format,
}

impl Grid {
    /// The format with the first of these pairs of cell and gap with which it fits into the room, or
    /// else with the last of them; with room for labels at the left and above, and with pads.
    pub fn fit(
        [rows, cols]: [u8; 2],
        labels: Size,
        pad: u16,
        pairs: &[(Size, Size)],
        room: Size,
    ) -> Format {
        let pads = [pad; 2];
        let axis =
            |labels, count: u8, cell, gap| Axis { labels, pads, count: count.into(), cell, gap };
        let format = |(cell, gap): (Size, Size)| Format {
            across: axis(labels.width, cols, cell.width, gap.width),
            down: axis(labels.height, rows, cell.height, gap.height),
        };
        let pair = Format::fit(pairs.iter().copied(), format, room);
        format(pair.unwrap_or((Size::new(1, 1), Size::ZERO)))
    }

    /// The grid on a sheet of this format.
    pub const fn on(format: Format) -> Grid {
        Grid { rows: format.down.count as u8, cols: format.across.count as u8, format }
    }

    /// Writes letters from `first` above the columns, and numbers from 1 to the left of the rows.
    pub fn label(self, sheet: &mut Sheet, first: char) {
        let style = sheet.skin().dim();
        for (col, letter) in (0..self.cols).zip(first..) {
            let (x, _) = centre(self.format.cell(0, col));
            sheet.glyph(x, 0, letter, style);
        }
        let digits = digits(self.rows.into());
        for row in 0..self.rows {
            let (_, y) = centre(self.format.cell(row, 0));
            sheet.text(0, y, &format!("{:>digits$}", row + 1), style);
        }
    }

    /// Draws lines in the gaps between the cells, which must be one cell wide.
    pub fn rule(self, sheet: &mut Sheet) {
        let skin = sheet.skin();
        let [along, down] = skin.glyphs().line;
        let board = self.format.cell(0, 0).union(self.format.cell(self.rows - 1, self.cols - 1));
        let below = (0..self.rows - 1).map(|row| self.format.cell(row, 0).bottom());
        let beside = (0..self.cols - 1).map(|col| self.format.cell(0, col).right());
        for y in below.clone() {
            sheet.fill(Rect { y, height: 1, ..board }, along, skin.plain());
        }
        for x in beside.clone() {
            sheet.fill(Rect { x, width: 1, ..board }, down, skin.plain());
        }
        for (x, y) in beside.flat_map(|x| below.clone().map(move |y| (x, y))) {
            sheet.glyph(x, y, skin.glyphs().dot, skin.plain());
        }
    }
}

/// How many columns a number takes.
pub(super) const fn digits(number: u16) -> usize {
    if number < 10 { 1 } else { 2 }
}

/// The cell in the middle of a part of the sheet.
pub(super) const fn centre(part: Rect) -> (u16, u16) {
    (part.x + part.width / 2, part.y + part.height / 2)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Skin;
    use ratatui::buffer::Buffer;

    #[test]
    fn rows_and_columns_need_not_be_as_many() {
        let area = Rect::new(0, 0, 13, 4);
        let cell = (Size::new(3, 1), Size::new(1, 1));
        let format = Grid::fit([2, 3], Size::new(2, 1), 0, &[cell], area.as_size());
        let mut buffer = Buffer::empty(area);
        let focus = format.cell(0, 0);
        let mut sheet = Sheet::lay(&mut buffer, area, format, focus, Skin::default());
        let grid = Grid::on(sheet.format());
        grid.label(&mut sheet, 'A');
        grid.rule(&mut sheet);
        let symbols: Vec<&str> = buffer.content.iter().map(ratatui::buffer::Cell::symbol).collect();
        let rows: Vec<String> = symbols.chunks(13).map(<[&str]>::concat).collect();
        let rows: Vec<&str> = rows.iter().map(|row| row.trim_end()).collect();
        assert_eq!(rows, ["   A   B   C", "1    ╏   ╏", "  ╍╍╍▪╍╍╍▪╍╍╍", "2    ╏   ╏"]);
    }
}
