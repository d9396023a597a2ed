//! Tiles: separate dice or cells of a ruled board.

use super::Sheet;
use super::canvas::PixelCanvas;
use super::grid::centre;
use super::symbol;
use crate::{Role, SeatRole, Skin};
use quadrille_rules::Symbol;
use ratatui::layout::{Margin, Rect};
use ratatui::style::{Color, Modifier, Style};

/// Returns whether separate tiles are filled with color instead of framed.
pub(super) fn are_solid(skin: Skin) -> bool {
    skin.theme().paints() && skin.has_pixels()
}

/// Draws a tile and the fraction of its symbol written so far, 0 to 1.
pub(super) fn draw(
    sheet: &mut Sheet,
    canvas: &mut PixelCanvas,
    part: Rect,
    symbol: Option<(Symbol, f32)>,
    role: Role,
    is_ruled: bool,
) {
    let skin = sheet.skin;
    let is_framed = !is_ruled && !are_solid(skin);
    let style = match role {
        // A picked tile that is too small for a frame looks like the cursor but has brackets.
        Role::Pick if is_framed && part.height <= 2 => skin.cursor(),
        // A theme without its own background marks the winning line by style.
        Role::Of(SeatRole::WonFill, _) if !skin.theme().paints() => {
            skin.style(role).patch(skin.style(Role::Won))
        }
        _ => skin.style(role),
    };
    let is_cursor = role == Role::Cursor;
    // The cursor on a cell of a ruled board is a frame, or brackets where there is no room for one. It fills a cell that
    // is partly hidden.
    let has_brackets = [part.x, part.right() - 1].iter().all(|x| sheet.shows((*x, part.y).into()));
    if is_ruled && is_cursor && (part.height > 1 || has_brackets) {
        if let Some((symbol, written)) = symbol {
            canvas.clear(part);
            let style = skin.seat(symbol.seat());
            let looks = symbol::SymbolStyle { style, has_gap: false, is_ghost: false, written };
            symbol::draw(sheet, canvas, part, symbol, looks);
        }
        frame_cursor(sheet, part, symbol.is_some());
        return;
    }
    let has_gap = !is_ruled && !is_framed;
    let face = if is_framed && part.height > 2 { part.inner(Margin::new(1, 1)) } else { part };
    // A picked tile is raised: it has a frame in its own color, or brackets if it is too small for a frame.
    let is_picked = role == Role::Pick;
    let is_raised = is_picked && has_gap && part.height > 2 && part.width > 2;
    if is_framed && !is_cursor && face != part {
        let style = if is_picked { skin.cursor() } else { skin.plain() };
        frame(sheet, part, style);
    }
    let ground = match role {
        // The last move has the background of a taken tile.
        Role::Of(SeatRole::LastLine, seat) => skin.style(Role::Of(SeatRole::Fill, seat)).bg,
        _ => style.bg,
    };
    // The tile may cover a different tile.
    canvas.clear(part);
    let has_ground = ground.is_some() || style.add_modifier.contains(Modifier::REVERSED);
    match ground.or(style.fg) {
        // A tile without a background is a hint, filled with its own ink.
        Some(colour) if has_gap => {
            fill_to_gap(sheet, face, colour);
            if face.height == 1 {
                underline(sheet, face);
            }
        }
        _ if is_ruled && !has_ground => {}
        _ => {
            sheet.fill(face, ' ', Style { bg: ground, ..style });
        }
    }
    if is_raised {
        fill_frame(sheet, face, skin.style(Role::OpenTile));
    }
    let ink = |seat| match role {
        Role::Of(SeatRole::Fill, _) => skin.style(Role::Of(SeatRole::FillInk, seat)),
        Role::Pick if is_raised => {
            skin.style(Role::OpenTile).patch(skin.style(Role::Of(SeatRole::Line, seat)))
        }
        Role::Of(SeatRole::LostFill, _) | Role::Moved => {
            style.patch(skin.style(Role::Of(SeatRole::Line, seat)))
        }
        _ if has_gap && style.bg.is_none() => Style { fg: skin.paper().bg, ..style },
        _ => style,
    };
    let is_ghost = matches!(role, Role::Best | Role::Of(SeatRole::Ink, _));
    match symbol {
        Some((symbol, written)) => {
            let looks =
                symbol::SymbolStyle { style: ink(symbol.seat()), has_gap, is_ghost, written };
            symbol::draw(sheet, canvas, face, symbol, looks);
        }
        None if is_framed && !is_cursor => {
            let (x, y) = centre(face);
            sheet.glyph(x, y, '-', style);
        }
        None => {}
    }
    let best = skin.glyphs().best;
    let flags = match role {
        Role::OpenTile | Role::Of(SeatRole::Fill, _) | Role::Pick => Some(['[', ']']),
        Role::Best => Some([best; 2]),
        _ => None,
    };
    let is_bracketed = is_picked && !is_raised && face.width > 2;
    if let Some([left, right]) = flags.filter(|_| is_framed || is_bracketed) {
        let y = centre(face).1;
        let ink = match skin.paper().bg {
            Some(paper) if has_gap => Style::new().fg(paper),
            _ => skin.style(Role::Strong),
        };
        sheet.glyph(face.x, y, left, ink);
        sheet.glyph(face.right() - 1, y, right, ink);
    }
}

/// Fills a tile except for the lower half of its last row, which is the gap to the next tile.
fn fill_to_gap(sheet: &mut Sheet, part: Rect, colour: Color) {
    let rows = if part.height == 1 { 1 } else { part.height - 1 };
    sheet.fill(Rect { height: rows, ..part }, ' ', Style::new().bg(colour));
    let last = Rect { y: part.y + rows, height: part.height - rows, ..part };
    sheet.fill(last, '▀', Style::new().fg(colour));
}

/// Separates a tile of one row from the tile below it by a line in the color of the paper.
fn underline(sheet: &mut Sheet, part: Rect) {
    let paper = sheet.skin.paper().bg.unwrap_or_default();
    for at in part.positions() {
        sheet.restyle(at, Style::new().fg(paper).underlined());
    }
}

/// Fills the inside of a tile that has a gap below it, leaving a frame half a cell thick.
fn fill_frame(sheet: &mut Sheet, part: Rect, inside: Style) {
    let inner = Rect { x: part.x + 1, width: part.width - 2, ..part };
    let colour = inside.bg.unwrap_or_default();
    sheet.fill(Rect { height: 1, ..inner }, '▄', Style::new().fg(colour));
    let below = Rect { y: part.y + 1, height: part.height - 2, ..inner };
    sheet.fill(below, ' ', Style::new().bg(colour));
}

/// Draws the cursor inside the edge of a cell: a frame or, around a symbol, only its sides. In a single row, these are
/// brackets, which point at a symbol.
fn frame_cursor(sheet: &mut Sheet, part: Rect, has_symbol: bool) {
    let style = sheet.skin.style(Role::Marker);
    if part.height == 1 {
        let glyphs = sheet.skin.glyphs();
        let [left, right] = if has_symbol { [glyphs.right, glyphs.left] } else { ['[', ']'] };
        sheet.glyph(part.x, part.y, left, style);
        sheet.glyph(part.right() - 1, part.y, right, style);
        return;
    }
    if !has_symbol {
        return frame(sheet, part, style);
    }
    let [top, middle, bottom] = sheet.skin.glyphs().frame;
    for y in part.top()..part.bottom() {
        let [left, _, right] = match y {
            _ if y == part.top() => top,
            _ if y == part.bottom() - 1 => bottom,
            _ => middle,
        };
        sheet.glyph(part.x, y, left, style);
        sheet.glyph(part.right() - 1, y, right, style);
    }
}

fn frame(sheet: &mut Sheet, part: Rect, style: Style) {
    let [top, middle, bottom] = sheet.skin.glyphs().frame;
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
