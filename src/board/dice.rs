//! A square grid of cells, each with a cross, a circle or nothing in it: where each cell stands on
//! the sheet, as large as the room allows, and how the symbols are drawn in it.

use super::{Axis, Format, Sheet};
use crate::rules::Symbol;
use ratatui::layout::{Rect, Size};
use ratatui::style::Style;

/// Cells of one size, with gaps between them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Grid {
    /// Cells in a row, and in a column.
    side: u8,
    pub format: Format,
}

impl Grid {
    /// The format with the first of these pairs of cell and gap with which it fits into the room, or
    /// else with the last of them; with room for labels at the left and above, and with pads.
    pub fn fit(side: u8, labels: Size, pad: u16, pairs: &[(Size, Size)], room: Size) -> Format {
        let (count, pads) = (side.into(), [pad; 2]);
        let format = |(cell, gap): (Size, Size)| Format {
            across: Axis { labels: labels.width, pads, count, cell: cell.width, gap: gap.width },
            down: Axis { labels: labels.height, pads, count, cell: cell.height, gap: gap.height },
        };
        let pair = Format::fit(pairs.iter().copied(), format, room);
        format(pair.unwrap_or((Size::new(1, 1), Size::ZERO)))
    }

    /// The grid on a sheet of this format.
    pub const fn on(format: Format) -> Grid {
        Grid { side: format.across.count as u8, format }
    }

    /// Writes letters from `first` above the columns, and numbers from 1 to the left of the rows.
    pub fn label(self, sheet: &mut Sheet, first: char) {
        let style = sheet.skin().dim();
        for (index, letter) in (0..self.side).zip(first..) {
            let (x, _) = centre(self.format.cell(0, index));
            sheet.glyph(x, 0, letter, style);
            let (_, y) = centre(self.format.cell(index, 0));
            let digits = digits(self.side.into());
            sheet.text(0, y, &format!("{:>digits$}", index + 1), style);
        }
    }

    /// Draws lines in the gaps between the cells, which must be one cell wide.
    pub fn rule(self, sheet: &mut Sheet) {
        let skin = sheet.skin();
        let [along, down] = skin.glyphs().line;
        let board = self.format.cell(0, 0).union(self.format.cell(self.side - 1, self.side - 1));
        let gaps = (0..self.side - 1).map(|index| self.format.cell(index, index));
        for before in gaps.clone() {
            sheet.fill(Rect { y: before.bottom(), height: 1, ..board }, along, skin.plain());
        }
        for before in gaps.clone() {
            sheet.fill(Rect { x: before.right(), width: 1, ..board }, down, skin.plain());
        }
        for (left, above) in gaps.clone().flat_map(|a| gaps.clone().map(move |b| (a, b))) {
            sheet.glyph(left.right(), above.bottom(), skin.glyphs().dot, skin.plain());
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

/// The crosses and circles, largest first, of odd width and height.
const DRAWINGS: [[&[&str]; 2]; 3] = [
    [
        &[r"\\   //", r" \\ // ", r"  XXX  ", r" // \\ ", r"//   \\"],
        &[r" .---. ", r"/     \", r"|     |", r"\     /", r" '---' "],
    ],
    [&[r"\ /", r" X ", r"/ \"], &[r".-.", r"( )", r"'-'"]],
    [&["X"], &["O"]],
];

/// Draws a symbol in the middle of a part of the sheet, as large as there is room for.
pub(super) fn draw_symbol(sheet: &mut Sheet, part: Rect, symbol: Symbol, style: Style) {
    let fits = |drawing: &&[&str]| {
        drawing.len() <= part.height.into() && drawing[0].len() <= part.width.into()
    };
    let drawing = DRAWINGS.iter().map(|both| both[symbol.seat().index()]).find(fits);
    let drawing = drawing.unwrap_or_default();
    let (x, y) = centre(part);
    for (row, text) in (0..).zip(drawing) {
        let left = x - text.len() as u16 / 2;
        sheet.text(left, y - drawing.len() as u16 / 2 + row, text, style);
    }
}
