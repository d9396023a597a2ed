//! The symbols X and O, drawn as large as the space allows.

use super::Sheet;
use super::canvas::{Paint, PixelCanvas, PixelRect, straight};
use super::grid::centre;
use quadrille_rules::Symbol;
use ratatui::layout::Rect;
use ratatui::style::Style;
use std::f32::consts::TAU;

/// Returns the upper or lower half of a cell as pixels.
const fn half(x: i32, y: i32) -> PixelRect {
    PixelRect { left: 2 * x, top: y, right: 2 * x + 2, bottom: y + 1 }
}

/// Draws the first `part` of a straight line between the centers of two parts of the sheet.
pub(super) fn strike(canvas: &mut PixelCanvas, ends: [Rect; 2], part: f32, style: Style) {
    let layer = canvas.layer(Paint::ink(style));
    let middle =
        |part: Rect| (i32::from(part.x + part.width / 2), i32::from(2 * part.y + part.height));
    for (x, y) in straight(ends.map(middle), part) {
        canvas.fill(half(x, y), layer);
    }
}

/// X and O made of letters, largest first, with odd widths and heights.
const LETTERS: [[&[&str]; 2]; 3] = [
    [
        &[r"\\   //", r" \\ // ", r"  XXX  ", r" // \\ ", r"//   \\"],
        &[r" .---. ", r"/     \", r"|     |", r"\     /", r" '---' "],
    ],
    [&[r"\ /", r" X ", r"/ \"], &[r".-.", r"( )", r"'-'"]],
    [&["X"], &["O"]],
];

#[derive(Clone, Copy, Debug)]
pub(super) struct SymbolStyle {
    pub style: Style,
    /// Whether the lower half of the last row is the gap to the next tile.
    pub has_gap: bool,
    /// Whether only every second pixel, or only a single letter, is drawn.
    pub is_ghost: bool,
    /// The fraction written so far, in pen order, 0 to 1.
    pub written: f32,
}

pub(super) fn draw(
    sheet: &mut Sheet,
    canvas: &mut PixelCanvas,
    part: Rect,
    symbol: Symbol,
    looks: SymbolStyle,
) {
    if sheet.skin.has_pixels() && part.height > 1 {
        draw_pixels(canvas, part, symbol, looks);
        return;
    }
    let fits = |drawing: &&[&str]| {
        drawing.len() <= part.height.into()
            && drawing[0].len() <= part.width.into()
            && (drawing.len() == 1 || !looks.is_ghost)
    };
    let drawing = LETTERS.iter().map(|both| both[symbol.seat().index()]).find(fits);
    let drawing = drawing.unwrap_or_default();
    let (x, y) = centre(part);
    let rows = (drawing.len() as f32 * looks.written).ceil() as usize;
    for (row, text) in (0..).zip(drawing).take(rows) {
        let left = x - text.len() as u16 / 2;
        sheet.text(left, y - drawing.len() as u16 / 2 + row, text, looks.style);
    }
}

/// Draws a symbol in pixels, approximately square, with strokes that get thicker with its size.
fn draw_pixels(canvas: &mut PixelCanvas, part: Rect, symbol: Symbol, looks: SymbolStyle) {
    let height = 2 * part.height - u16::from(looks.has_gap);
    let air = u16::from(height > 7);
    let height = height - 2 * air;
    let width = height.min(part.width - 2);
    // To be centered, both widths must be odd or both must be even.
    let width = width - (part.width - width) % 2;
    let (left, top) = (part.x + (part.width - width) / 2, 2 * part.y + air);
    let size = f32::from(width.min(height));
    let stroke = (size / 6.0).max(1.0);
    let layer = canvas.layer(Paint::ink(looks.style));
    // Converts a pixel to the range -1 to 1 in each direction.
    let unit = |at: u16, length: u16| (f32::from(2 * at) + 1.0) / f32::from(length) - 1.0;
    for (x, y) in (0..height).flat_map(|y| (0..width).map(move |x| (x, y))) {
        let (u, v) = (unit(x, width), unit(y, height));
        let is_inked = match symbol {
            Symbol::X => (u.abs() - v.abs()).abs() * size / 2.0 <= stroke * 0.8,
            Symbol::O => {
                let radius = u.hypot(v);
                radius <= 1.0 + 0.3 / size && (1.0 - radius) * size / 2.0 <= stroke
            }
        };
        let is_written = looks.written >= 1.0 || turn(symbol, u, v) < looks.written;
        if is_inked && is_written && !(looks.is_ghost && (x + y) % 2 == 1) {
            canvas.fill(half((left + x).into(), (top + y).into()), layer);
        }
    }
}

/// Returns the time at which the pen reaches a point of a symbol, 0 to 1. An X consists of two strokes, first down to
/// the right and then down to the left; an O starts at the top.
fn turn(symbol: Symbol, u: f32, v: f32) -> f32 {
    match symbol {
        Symbol::X if (u - v).abs() <= (u + v).abs() => (v + 1.0) / 4.0,
        Symbol::X => (v + 3.0) / 4.0,
        Symbol::O => (-u).atan2(-v).rem_euclid(TAU) / TAU,
    }
}
