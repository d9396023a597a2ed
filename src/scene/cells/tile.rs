//! Tiles: dice that lie apart, or cells of a ruled board.

use super::Sheet;
use super::grid::centre;
use super::symbol::{self, Pixels};
use crate::rules::Symbol;
use crate::scene::{Role, SeatRole};
use ratatui::layout::{Rect, Size};

/// So large is the cursor at most: what changes has to be written to the terminal.
const CURSOR: Size = Size::new(11, 5);

/// Draws a tile and what stands on it.
pub(super) fn draw(
    sheet: &mut Sheet,
    pixels: &mut Pixels,
    part: Rect,
    symbol: Option<Symbol>,
    role: Role,
    is_ruled: bool,
) {
    let skin = sheet.skin();
    let style = skin.style(role);
    let is_cursor = role == Role::Cursor;
    let is_framed = !is_ruled && !skin.theme().paints();
    let face = if is_framed && part.height > 2 { inside(part) } else { part };
    if is_cursor {
        sheet.fill(middle(face), ' ', style);
    } else if style.bg.is_some() {
        sheet.fill(part, ' ', style);
    } else if is_framed && part.height > 2 {
        frame(sheet, part);
        sheet.fill(face, ' ', style);
    }
    let ink = |seat| match role {
        Role::Of(SeatRole::Fill, _) => skin.style(Role::Of(SeatRole::FillInk, seat)),
        Role::Of(SeatRole::LostFill, _) | Role::Moved => {
            style.patch(skin.style(Role::Of(SeatRole::Line, seat)))
        }
        _ => style,
    };
    match symbol {
        Some(symbol) => symbol::draw(sheet, pixels, face, symbol, ink(symbol.seat())),
        None if is_framed && !is_cursor => {
            let (x, y) = centre(face);
            sheet.glyph(x, y, '-', style);
        }
        None => {}
    }
    let is_open = matches!(role, Role::OpenTile | Role::Of(SeatRole::Fill, _) | Role::Pick);
    if is_framed && is_open {
        let y = centre(face).1;
        sheet.glyph(face.x, y, '[', skin.style(Role::Strong));
        sheet.glyph(face.right() - 1, y, ']', skin.style(Role::Strong));
    }
}

/// All but the rim.
const fn inside(part: Rect) -> Rect {
    Rect { x: part.x + 1, y: part.y + 1, width: part.width - 2, height: part.height - 2 }
}

/// The middle of a tile, or all of a small one.
fn middle(part: Rect) -> Rect {
    let (width, height) = (part.width.min(CURSOR.width), part.height.min(CURSOR.height));
    let (x, y) = (part.x + (part.width - width) / 2, part.y + (part.height - height) / 2);
    Rect { x, y, width, height }
}

fn frame(sheet: &mut Sheet, part: Rect) {
    let [top, middle, bottom] = sheet.skin().glyphs().frame;
    let style = sheet.skin().plain();
    for y in part.top()..part.bottom() {
        let [left, inner, right] = match y {
            _ if y == part.top() => top,
            _ if y == part.bottom() - 1 => bottom,
            _ => middle,
        };
        sheet.fill(Rect { y, height: 1, ..part }, inner, style);
        sheet.glyph(part.x, y, left, style);
        sheet.glyph(part.right() - 1, y, right, style);
    }
}
