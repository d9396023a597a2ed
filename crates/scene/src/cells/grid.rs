//! Sizes and edge labels of grids of tiles.

use super::{Sheet, SheetFormat};
use crate::{At, Role};
use ratatui::layout::{Rect, Size};

/// The sizes of ruled tiles, largest first, excluding the line between tiles.
const RULED: [(u16, u16); 9] =
    [(39, 19), (35, 17), (27, 13), (23, 11), (19, 9), (15, 7), (11, 5), (7, 3), (3, 1)];
const LINE: Size = Size::new(1, 1);

/// The sizes of separate tiles, largest first, with the gap between columns. There is no gap between rows: the lower
/// half of each tile's last row stays empty, which is about as high as a column is wide.
const DICE: [(u16, u16); 7] = [(23, 11), (19, 9), (15, 7), (11, 5), (9, 4), (7, 3), (5, 2)];
const APART: Size = Size::new(1, 0);

/// The smallest separate tile, and the gaps between tiles of this size.
const DIE: (u16, u16) = (3, 1);
const GAPS: [Size; 3] = [LINE, APART, Size::ZERO];

/// Returns the format with the largest tiles that fit into `room`, or with the smallest tiles if none fit. If `padded`,
/// separate tiles have pads for pointers.
pub(super) fn fit(
    counts: [u8; 2],
    labels: Size,
    ruled: bool,
    padded: bool,
    room: Size,
) -> SheetFormat {
    let format = |(tile, gap): ((u16, u16), Size)| {
        let mut format = SheetFormat::even(counts, labels, tile.into(), gap);
        if padded && !ruled {
            let Size { width, height } = pads(pointer(tile.1));
            (format.across.pads, format.down.pads) = ([width; 2], [height; 2]);
        }
        format
    };
    let all: Vec<SheetFormat> = if ruled {
        RULED.into_iter().map(|tile| format((tile, LINE))).collect()
    } else {
        let small = GAPS.map(|gap| (DIE, gap));
        DICE.map(|tile| (tile, APART)).into_iter().chain(small).map(format).collect()
    };
    SheetFormat::fit(&all, room)
}

/// Returns the height in pixels of a vertical pointer next to a tile of this height; 0 means that pointers are glyphs.
pub(super) const fn pointer(tile: u16) -> u16 {
    match tile {
        0..5 => 0,
        5..9 => 3,
        9.. => 5,
    }
}

/// Returns the space around the tiles for pointers of this height.
const fn pads(pointer: u16) -> Size {
    match pointer {
        0 => Size::new(1, 1),
        _ => Size::new(pointer + 1, pointer.div_ceil(2)),
    }
}

/// Writes the column names above and the row names to the left, if the sheet has space for labels.
pub(super) fn label([columns, rows]: [Vec<String>; 2], sheet: &mut Sheet) {
    let (format, style) = (sheet.format, sheet.skin.dim());
    for (col, name) in columns.iter().enumerate().filter(|_| format.down.labels > 0) {
        let (x, _) = centre(format.field(At::new(0, col as i32)));
        sheet.text(x + 1 - name.len() as u16, 0, name, style);
    }
    let digits = digits(format.down.count);
    for (row, name) in rows.iter().enumerate().filter(|_| format.across.labels > 0) {
        let (_, y) = centre(format.field(At::new(row as i32, 0)));
        sheet.text(0, y, &format!("{name:>digits$}"), style);
    }
}

/// Draws lines in the gaps between tiles, which must be one cell wide.
pub(super) fn rule(sheet: &mut Sheet) {
    let (format, glyphs) = (sheet.format, sheet.skin.glyphs());
    let style = sheet.skin.style(Role::Board);
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

pub(super) const fn digits(number: u16) -> usize {
    if number < 10 { 1 } else { 2 }
}

pub(super) const fn centre(part: Rect) -> (u16, u16) {
    (part.x + part.width / 2, part.y + part.height / 2)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Skin;
    use ratatui::buffer::{Buffer, Cell};

    #[test]
    fn grid_may_have_unequal_rows_and_columns() {
        let area = Rect::new(0, 0, 13, 4);
        let format = fit([2, 3], Size::new(2, 1), true, true, area.as_size());
        let mut buffer = Buffer::empty(area);
        let focus = format.field(At::new(0, 0));
        let mut sheet = Sheet::lay(&mut buffer, area, format, focus, Skin::default());
        let names = ["ABC", "12"].map(|names| names.chars().map(String::from).collect());
        label(names, &mut sheet);
        rule(&mut sheet);
        let symbols: Vec<&str> = buffer.content.iter().map(Cell::symbol).collect();
        let rows: Vec<String> = symbols.chunks(13).map(<[&str]>::concat).collect();
        let rows: Vec<&str> = rows.iter().map(|row| row.trim_end()).collect();
        assert_eq!(rows, ["   A   B   C", "1    ╏   ╏", "  ╍╍╍▪╍╍╍▪╍╍╍", "2    ╏   ╏"]);
    }
}
