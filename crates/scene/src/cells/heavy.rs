//! Large boards: dots, lines, areas, badges and pointers are drawn in pixels instead of glyphs.
//!
//! A unit is a square of pixels, two pixels wide and one pixel high. The weight of a board is the thickness of its
//! lines in units. All other sizes are proportional to the weight, so boards of all sizes look alike.

use super::canvas::{Layer, Paint, PixelCanvas, PixelRect};
use super::layout::SheetLayout;
use super::letters;
use crate::{At, Direction, LineStyle, Role, SeatRole, Shape, Skin};
use ratatui::layout::Rect;
use ratatui::style::Style;

/// The width and height of a badge, in units at a weight of 1.
const BADGE: [i32; 2] = [5, 7];

/// Returns a rectangle of this size in units around the center of a dot's cell, which is also the center of its lines.
/// Lines two units wide start at this cell, so that they fill whole columns.
fn round((x, y): (u16, u16), weight: i32, [width, height]: [i32; 2]) -> PixelRect {
    let (middle, top) =
        (2 * i32::from(x) + weight, 2 * i32::from(y) + (weight - height).div_euclid(2));
    PixelRect { left: middle - width, right: middle + width, top, bottom: top + height }
}

/// Returns the pixels of an item on a lattice whose dots have this size in units at a weight of 1. Lines end at their
/// dots; areas touch the four lines around them.
pub(super) fn on_lattice(
    shape: &Shape,
    (weight, dot): (i32, i32),
    cell: impl Fn(At) -> (u16, u16),
) -> Option<PixelRect> {
    let square = |at: At, units: i32| round(cell(at), weight, [units * weight; 2]);
    Some(match shape {
        Shape::Dot(at) => square(*at, dot),
        Shape::Badge(at, _) => round(cell(*at), weight, BADGE.map(|units| units * weight)),
        Shape::Line([from, to], _) => {
            let along = square(*from, 1);
            let [first, last] = [from.min(to), from.max(to)].map(|end| square(*end, dot));
            if from.row == to.row {
                PixelRect { left: first.right, right: last.left, ..along }
            } else {
                PixelRect { top: first.bottom, bottom: last.top, ..along }
            }
        }
        Shape::Area([first, last], _) => {
            let (first, last) = (square(*first, 1), square(*last, 1));
            PixelRect { left: first.right, right: last.left, top: first.bottom, bottom: last.top }
        }
        Shape::Arrow(at, side, _) => {
            let badge = square(*at, BADGE[0]);
            let middle = (
                badge.left + badge.right,
                2 * (badge.top + (BADGE[0] * weight - weight) / 2) + weight,
            );
            pointer(badge.inner(-2, -1), middle, *side, 2 * weight + 1)
        }
        Shape::Cross(_)
        | Shape::Polygon(..)
        | Shape::Tile(..)
        | Shape::Label(..)
        | Shape::Note(..) => return None,
    })
}

/// Returns the pixels of a dot around this Braille dot: whole cells, so that all dots look alike.
pub(super) const fn disc_round((x, y): (i32, i32)) -> PixelRect {
    let (left, top) = (x / 2 * 2 - 2, y / 4 * 2);
    PixelRect { left, right: left + 8, top, bottom: top + 4 }
}

/// Returns the pixels of a pointer next to a tile. The lower half of a tile's last row is a gap.
pub(super) fn beside_tile(tile: Rect, side: Direction, size: i32) -> PixelRect {
    let part = PixelRect::of(tile);
    let part = PixelRect { bottom: part.bottom - 1, ..part };
    let middle = (part.left + part.right, part.top + part.bottom);
    pointer(part.inner(-1, -1), middle, side, size)
}

/// Returns the pixels of a pointer of this height just outside a rectangle. `middle` is the rectangle's center,
/// multiplied by two.
fn pointer(part: PixelRect, middle: (i32, i32), side: Direction, size: i32) -> PixelRect {
    match side {
        Direction::Up | Direction::Down => {
            let left = middle.0 / 2 - (2 * size - 1);
            let top = if side == Direction::Up { part.top - size } else { part.bottom };
            PixelRect { left, right: left + 4 * size - 2, top, bottom: top + size }
        }
        Direction::Left | Direction::Right => {
            let top = (middle.1 - (2 * size - 1)) / 2;
            let left = if side == Direction::Left { part.left - 2 * size } else { part.right };
            PixelRect { left, right: left + 2 * size, top, bottom: top + 2 * size - 1 }
        }
    }
}

/// Draws the fraction `shown` of an item in its pixels.
pub(super) fn draw(
    canvas: &mut PixelCanvas,
    (shape, pixels): (&Shape, PixelRect),
    shown: f32,
    role: Role,
    layout: &SheetLayout,
    skin: Skin,
) {
    let weight = i32::from(layout.weight());
    let style = skin.style(role);
    match shape {
        Shape::Dot(_) => {
            let layer = match Paint::face(style) {
                Some(face) => canvas.layer(face),
                None => ink(canvas, style),
            };
            disc(canvas, pixels, layer);
            // The cursor is a ring, also where it has no color of its own.
            if role == Role::Cursor {
                let PixelRect { left, top, right, bottom } = pixels;
                canvas.erase(pixels.inner((right - left) / 3, (bottom - top) / 3));
            }
        }
        Shape::Badge(_, text) => {
            let pixels = pixels.part(shown);
            // If the theme has no background for it, only the number is drawn.
            match Paint::face(style) {
                Some(face) => {
                    let layer = canvas.layer(face);
                    canvas.fill(pixels, layer);
                }
                None => canvas.erase(pixels),
            }
            if let Some(letter) = text.chars().next() {
                write(canvas, pixels, letter, weight, style);
            }
        }
        Shape::Line(ends, line_style) => {
            draw_line(canvas, pixels, *ends, *line_style, weight, shown, style);
        }
        Shape::Area(_, letter) => {
            let style = skin.area(role);
            let face = Paint::face(style);
            if face.is_none() && letter.is_none() {
                return;
            }
            let layer = canvas.layer(face.unwrap_or(Paint::Hatch(style, skin.glyphs().hatch)));
            canvas.fill(pixels.part(shown), layer);
            if let Some(letter) = letter {
                let ink = if face.is_some() { letter_style(role, skin) } else { skin.last(style) };
                write(canvas, pixels, *letter, weight, ink);
            }
        }
        Shape::Arrow(_, _, points) => triangle(canvas, pixels, *points, style),
        Shape::Cross(_)
        | Shape::Polygon(..)
        | Shape::Tile(..)
        | Shape::Label(..)
        | Shape::Note(..) => {}
    }
}

/// Returns the style of a large letter on an area: the owner's ink until the match is over.
pub(super) fn letter_style(role: Role, skin: Skin) -> Style {
    match role {
        Role::Of(SeatRole::Fill, seat) => {
            Style { bg: None, ..skin.area(Role::Of(SeatRole::FillInk, seat)) }
        }
        role => Style { bg: None, ..skin.area(role) },
    }
}

/// Adds a layer in the ink of a style. If the style is reversed, the ink consists of unpainted pixels.
fn ink(canvas: &mut PixelCanvas, style: Style) -> Layer {
    match (Paint::face(style), style.bg) {
        (Some(_), None) => Layer::default(),
        _ => canvas.layer(Paint::ink(style)),
    }
}

fn disc(canvas: &mut PixelCanvas, pixels: PixelRect, layer: Layer) {
    let (radius, middle) =
        ((pixels.bottom - pixels.top) as f32 / 2.0, i32::midpoint(pixels.left, pixels.right));
    for (row, y) in (pixels.top..pixels.bottom).enumerate() {
        let up = radius - 0.5 - row as f32;
        let half = (2.0 * (radius * radius - up * up).sqrt()).round() as i32;
        let row = PixelRect { left: middle - half, right: middle + half, top: y, bottom: y + 1 };
        canvas.fill(row, layer);
    }
}

pub(super) fn write(
    canvas: &mut PixelCanvas,
    pixels: PixelRect,
    letter: char,
    scale: i32,
    style: Style,
) {
    let (width, rows) = letters::dots(letter);
    let layer = ink(canvas, style);
    let left = i32::midpoint(pixels.left, pixels.right) - i32::from(width) * scale;
    let top = (pixels.top + pixels.bottom - 5 * scale) / 2;
    for (y, bits) in (0..).zip(rows) {
        for x in (0..i32::from(width)).filter(|x| bits >> (i32::from(width) - 1 - x) & 1 == 1) {
            let (left, top) = (left + 2 * x * scale, top + y * scale);
            let dot = PixelRect { left, top, right: left + 2 * scale, bottom: top + scale };
            canvas.fill(dot, layer);
        }
    }
}

/// Draws a triangle that fills these pixels.
fn triangle(canvas: &mut PixelCanvas, pixels: PixelRect, points: Direction, style: Style) {
    let PixelRect { left, top, right, bottom } = pixels;
    let layer = canvas.layer(Paint::ink(style));
    for step in 0..bottom - top {
        let y = if points == Direction::Up { bottom - 1 - step } else { top + step };
        let row = PixelRect { top: y, bottom: y + 1, ..pixels };
        if matches!(points, Direction::Up | Direction::Down) {
            canvas.fill(row.inner(2 * step, 0), layer);
        }
    }
    for step in 0..right - left {
        let x = if points == Direction::Left { right - 1 - step } else { left + step };
        let column = PixelRect { left: x, right: x + 1, ..pixels };
        if matches!(points, Direction::Left | Direction::Right) {
            canvas.fill(column.inner(0, step / 2), layer);
        }
    }
}

/// Draws the fraction `shown` of the line between two dots, where the whole line fills these pixels.
fn draw_line(
    canvas: &mut PixelCanvas,
    pixels: PixelRect,
    ends: [At; 2],
    line_style: LineStyle,
    weight: i32,
    shown: f32,
    style: Style,
) {
    let is_upright = ends[0].col == ends[1].col;
    let PixelRect { left, top, right, bottom } = pixels;
    // The length in units of the line's weight.
    let length = (if is_upright { bottom - top } else { (right - left) / 2 }) / weight;
    let part = |from: i32, to: i32, wider: i32| {
        let [from, to, wider] = [from, to, wider].map(|units| units * weight);
        if is_upright {
            PixelRect { top: top + from, bottom: top + to, ..pixels }.inner(-2 * wider, 0)
        } else {
            PixelRect { left: left + 2 * from, right: left + 2 * to, ..pixels }.inner(0, -wider)
        }
    };
    // The cursor is a line of its own color.
    let layer = match Paint::face(style) {
        Some(face) => canvas.layer(face),
        None => ink(canvas, style),
    };
    // Twice the distance from the middle; gaps are symmetrical about the middle.
    let far = |at: i32| (2 * at + 1 - length).abs();
    match line_style {
        LineStyle::Solid | LineStyle::Heavy => {
            let there = (length as f32 * shown).round() as i32;
            let from = if ends[0] > ends[1] { length - there } else { 0 };
            canvas.fill(part(from, from + there, 0), layer);
        }
        LineStyle::Ghost => {
            for at in (0..length).filter(|at| far(*at) % 4 < 2) {
                canvas.fill(part(at, at + 1, 0), layer);
            }
        }
        // The points stay small on heavy boards. Next to thin lines, two points per gap are enough; more would stand
        // out more than the lines.
        LineStyle::Faint => {
            let end = length / 4;
            let is_there = |at: &i32| match weight {
                1 => [end, length - 1 - end].contains(at),
                _ => far(*at) % 6 < 2,
            };
            for at in (1..length - 1).filter(is_there) {
                let PixelRect { left, top, right, .. } = part(at, at + 1, 0);
                let left = i32::midpoint(left, right) - 1;
                canvas.fill(PixelRect { left, top, right: left + 2, bottom: top + 1 }, layer);
            }
        }
        // Covers the drawn line except for its middle, which keeps the owner's color between two gaps.
        LineStyle::Blocked => {
            let middle = |at: &i32| far(*at) < 2;
            let gap = |at: &i32| !middle(at) && far(*at) < 6;
            for at in (0..length).filter(|at| !middle(at)) {
                let part = part(at, at + 1, 0);
                if gap(&at) { canvas.erase(part) } else { canvas.fill(part, layer) }
            }
        }
    }
}
