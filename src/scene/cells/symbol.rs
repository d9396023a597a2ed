//! The symbols X and O, as large as there is room for.

use super::Sheet;
use super::grid::centre;
use crate::rules::Symbol;
use crate::scene::DrawMode;
use foldhash::HashMap;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;
use std::f32::consts::TAU;

/// Pixels to draw. A cell has two, one above the other.
#[derive(Default)]
pub(super) struct Pixels(HashMap<(u16, u16), [Option<Style>; 2]>);

impl Pixels {
    /// Sets a pixel in the foreground colour of a style. `y` counts pixels, not cells.
    fn set(&mut self, x: u16, y: u16, style: Style) {
        let style = Style { bg: None, ..style };
        self.0.entry((x, y / 2)).or_default()[usize::from(y % 2)] = Some(style);
    }

    /// Removes the pixels in these cells, before something is drawn over them.
    pub fn cover(&mut self, part: Rect) {
        if !self.0.is_empty() {
            for Position { x, y } in part.positions() {
                self.0.remove(&(x, y));
            }
        }
    }

    /// Sets the pixels of a straight line between the middles of two parts of the sheet, or the first part
    /// of it.
    pub fn strike(&mut self, [from, to]: [Rect; 2], part: f32, style: Style) {
        let middle =
            |part: Rect| (i32::from(part.x + part.width / 2), i32::from(2 * part.y + part.height));
        let ((x, y), (to_x, to_y)) = (middle(from), middle(to));
        let steps = (to_x - x).abs().max((to_y - y).abs()).max(1);
        let along = |step: i32, from: i32, to: i32| {
            (from + ((to - from) * 2 * step + steps).div_euclid(2 * steps)) as u16
        };
        for step in 0..=(steps as f32 * part).round() as i32 {
            self.set(along(step, x, to_x), along(step, y, to_y), style);
        }
    }

    /// Draws all pixels. Those not set keep their background.
    pub fn draw(self, sheet: &mut Sheet) {
        for ((x, y), pair) in self.0 {
            let (glyph, style) = match pair {
                [Some(top), Some(bottom)] if top == bottom => ('█', top),
                [Some(top), Some(bottom)] => ('▀', bottom.fg.map_or(top, |below| top.bg(below))),
                [Some(top), None] => ('▀', top),
                [None, Some(bottom)] => ('▄', bottom),
                [None, None] => continue,
            };
            sheet.glyph(x, y, glyph, style);
        }
    }
}

/// X and O made of letters, largest first, each of odd width and height.
const LETTERS: [[&[&str]; 2]; 3] = [
    [
        &[r"\\   //", r" \\ // ", r"  XXX  ", r" // \\ ", r"//   \\"],
        &[r" .---. ", r"/     \", r"|     |", r"\     /", r" '---' "],
    ],
    [&[r"\ /", r" X ", r"/ \"], &[r".-.", r"( )", r"'-'"]],
    [&["X"], &["O"]],
];

/// How a symbol is drawn.
#[derive(Clone, Copy, Debug)]
pub(super) struct SymbolStyle {
    pub style: Style,
    /// Whether the lower half of the last row is the gap to the next tile.
    pub has_gap: bool,
    /// Whether it is a ghost: then only every other pixel is drawn, or a single letter.
    pub is_ghost: bool,
    /// How much of it is drawn, as a pen would, from 0 to 1.
    pub written: f32,
}

/// Draws a symbol in the middle of a part of the sheet.
pub(super) fn draw(
    sheet: &mut Sheet,
    pixels: &mut Pixels,
    part: Rect,
    symbol: Symbol,
    looks: SymbolStyle,
) {
    if sheet.skin().glyphs().mode == DrawMode::Blocks && part.height > 1 {
        draw_pixels(pixels, part, symbol, looks);
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

/// A symbol in pixels: about square, and in strokes that grow with it.
fn draw_pixels(pixels: &mut Pixels, part: Rect, symbol: Symbol, looks: SymbolStyle) {
    let height = 2 * part.height - u16::from(looks.has_gap);
    let air = u16::from(height > 7);
    let height = height - 2 * air;
    let width = height.min(part.width - 2);
    // It can only stand in the middle if both widths are odd or both even.
    let width = width - (part.width - width) % 2;
    let (left, top) = (part.x + (part.width - width) / 2, 2 * part.y + air);
    let size = f32::from(width.min(height));
    let stroke = (size / 6.0).max(1.0);
    // From -1 to 1 across and down.
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
            pixels.set(left + x, top + y, looks.style);
        }
    }
}

/// When a pen comes to a place of a symbol, from 0 to 1. An X is two strokes, down to the right and then
/// down to the left; an O goes round from the top.
fn turn(symbol: Symbol, u: f32, v: f32) -> f32 {
    match symbol {
        Symbol::X if (u - v).abs() <= (u + v).abs() => (v + 1.0) / 4.0,
        Symbol::X => (v + 3.0) / 4.0,
        Symbol::O => (-u).atan2(-v).rem_euclid(TAU) / TAU,
    }
}
