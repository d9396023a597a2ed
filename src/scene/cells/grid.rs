//! Tiles in rows and columns: how large they are, and what stands at their edges.

use super::{Axis, Sheet, SheetFormat};
use crate::scene::{At, Role};
use ratatui::layout::{Rect, Size};

/// The gap between tiles that lie apart. There is no row between them: the lower half of each tile's last row
/// stays empty, which is about as high as a column is wide.
const APART: Size = Size::new(1, 0);

/// The sizes of tiles that lie apart, each with its gap, largest first.
const DICE: [(Size, Size); 10] = [
    (Size::new(23, 11), APART),
    (Size::new(19, 9), APART),
    (Size::new(15, 7), APART),
    (Size::new(11, 5), APART),
    (Size::new(9, 4), APART),
    (Size::new(7, 3), APART),
    (Size::new(5, 2), APART),
    (Size::new(3, 1), Size::new(1, 1)),
    (Size::new(3, 1), APART),
    (Size::new(3, 1), Size::ZERO),
];

/// The line between ruled tiles.
const LINE: Size = Size::new(1, 1);

/// The sizes of ruled tiles, each with its line, largest first.
const RULED: [(Size, Size); 9] = [
    (Size::new(39, 19), LINE),
    (Size::new(35, 17), LINE),
    (Size::new(27, 13), LINE),
    (Size::new(23, 11), LINE),
    (Size::new(19, 9), LINE),
    (Size::new(15, 7), LINE),
    (Size::new(11, 5), LINE),
    (Size::new(7, 3), LINE),
    (Size::new(3, 1), LINE),
];

/// The format with the largest tiles that fit into the room, or else with the smallest ones. It has room for
/// `labels` above and at the left; if `padded`, tiles that lie apart also have pads for pointers round them.
pub(super) fn fit(
    [rows, cols]: [u8; 2],
    labels: Size,
    ruled: bool,
    padded: bool,
    room: Size,
) -> SheetFormat {
    let format = |(cell, gap): (Size, Size)| {
        let pads = if padded && !ruled { pads(pointer(cell.height)) } else { Size::ZERO };
        let axis = |labels, pad, count: u8, field, gap| {
            let (pads, count) = ([pad; 2], count.into());
            Axis { labels, pads, count, field, gap }
        };
        SheetFormat {
            across: axis(labels.width, pads.width, cols, cell.width, gap.width),
            down: axis(labels.height, pads.height, rows, cell.height, gap.height),
        }
    };
    let pairs: &[(Size, Size)] = if ruled { &RULED } else { &DICE };
    let pair = SheetFormat::fit(pairs.iter().copied(), format, room);
    format(pair.unwrap_or((Size::new(1, 1), Size::ZERO)))
}

/// How many pixels high a pointer up or down is beside a tile of this height; 0 where it is a glyph.
pub(super) const fn pointer(tile: u16) -> u16 {
    match tile {
        0..5 => 0,
        5..9 => 3,
        9.. => 5,
    }
}

/// The room for pointers of this height round the tiles.
const fn pads(pointer: u16) -> Size {
    match pointer {
        0 => Size::new(1, 1),
        _ => Size::new(pointer + 1, pointer.div_ceil(2)),
    }
}

/// Writes letters from `first` above the columns, and numbers from 1 to the left of the rows.
pub(super) fn label(sheet: &mut Sheet, first: char) {
    let (format, style) = (sheet.format(), sheet.skin().style(Role::Dim));
    for (col, letter) in (0..format.across.count).zip(first..) {
        let (x, _) = centre(format.field(At::new(0, col)));
        sheet.glyph(x, 0, letter, style);
    }
    let digits = digits(format.down.count);
    for row in 0..format.down.count {
        let (_, y) = centre(format.field(At::new(row, 0)));
        sheet.text(0, y, &format!("{:>digits$}", row + 1), style);
    }
}

/// Draws lines in the gaps between the tiles, which must be one cell wide.
pub(super) fn rule(sheet: &mut Sheet) {
    let (format, glyphs) = (sheet.format(), sheet.skin().glyphs());
    let style = sheet.skin().style(Role::Board);
    let [along, down] = glyphs.line;
    let (rows, cols) = (format.down.count, format.across.count);
    let tile = |row, col| format.field(At::new(row, col));
    let board = tile(0, 0).union(tile(rows - 1, cols - 1));
    let below = (0..rows - 1).map(|row| tile(row, 0).bottom());
    let beside = (0..cols - 1).map(|col| tile(0, col).right());
    for y in below.clone() {
        sheet.fill(Rect { y, height: 1, ..board }, along, style);
    }
    for x in beside.clone() {
        sheet.fill(Rect { x, width: 1, ..board }, down, style);
    }
    for (x, y) in beside.flat_map(|x| below.clone().map(move |y| (x, y))) {
        sheet.glyph(x, y, glyphs.line_crossing, style);
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
    use crate::scene::Skin;
    use ratatui::buffer::{Buffer, Cell};

    #[test]
    fn rows_and_columns_need_not_be_as_many() {
        let area = Rect::new(0, 0, 13, 4);
        let format = fit([2, 3], Size::new(2, 1), true, true, area.as_size());
        let mut buffer = Buffer::empty(area);
        let focus = format.field(At::new(0, 0));
        let mut sheet = Sheet::lay(&mut buffer, area, format, focus, Skin::default());
        label(&mut sheet, 'A');
        rule(&mut sheet);
        let symbols: Vec<&str> = buffer.content.iter().map(Cell::symbol).collect();
        let rows: Vec<String> = symbols.chunks(13).map(<[&str]>::concat).collect();
        let rows: Vec<&str> = rows.iter().map(|row| row.trim_end()).collect();
        assert_eq!(rows, ["   A   B   C", "1    ╏   ╏", "  ╍╍╍▪╍╍╍▪╍╍╍", "2    ╏   ╏"]);
    }
}
