//! How a cross, a circle and the cursor are drawn in a cell.

use super::Sheet;
use super::grid::centre;
use crate::rules::Symbol;
use ratatui::layout::Rect;
use ratatui::style::Style;

/// Marks the cell under the cursor by a bar across its middle, half as wide: that is seen as well as
/// the whole cell, and is less to write to the terminal.
pub(super) fn draw_cursor(sheet: &mut Sheet, cell: Rect) {
    let (x, y) = centre(cell);
    let width = ((cell.width / 2) | 1).max(3).min(cell.width);
    let style = sheet.skin().cursor();
    sheet.restyle(Rect { x: x - width / 2, y, width, height: 1 }, style);
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
