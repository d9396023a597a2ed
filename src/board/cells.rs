//! A scene on a sheet: which cells a thing fills, what is drawn in them, and where the marks of its places
//! stand.

use super::lattice::Lattice;
use super::{Format, Sheet, Spot};
use crate::scene::{At, Ground, Item, Role, Scene, Shape, Stroke};
use foldhash::{HashMap, HashSet};
use ratatui::layout::{Rect, Size};
use std::hash::Hash;

/// The format of a sheet for this ground in so much room, with a margin at both sides for the marks of
/// upright lines.
pub(super) fn format(ground: Ground, room: Size) -> Format {
    let Ground::Lattice { rows, cols } = ground;
    let format = Lattice::fit(Size::ZERO, Size::new(1, 1), rows, cols, room);
    let margins = [margin(Lattice::on(format).dx); 2];
    Format { across: format.across.padded(margins, room.width), ..format }
}

/// Columns on either side of an upright line for its mark, such that those of two neighbours are
/// apart, where dots are `dx` columns apart.
fn margin(dx: u16) -> u16 {
    (dx / 2 - 1).min(2)
}

/// The cells that a thing fills.
fn cells(lattice: Lattice, shape: &Shape) -> Rect {
    match *shape {
        Shape::Dot(at) => {
            let (x, y) = lattice.dot(at.row, at.col);
            Rect { x, y, width: 1, height: 1 }
        }
        Shape::Line([from, to], _) => {
            let ((x, y), (right, bottom)) =
                (lattice.dot(from.row, from.col), lattice.dot(to.row, to.col));
            if is_upright(shape) {
                Rect { x, y: y + 1, width: 1, height: bottom - y - 1 }
            } else {
                Rect { x: x + 1, y, width: right - x - 1, height: 1 }
            }
        }
        Shape::Area([from, to], _) => {
            let ((x, y), (right, bottom)) =
                (lattice.dot(from.row, from.col), lattice.dot(to.row, to.col));
            Rect { x: x + 1, y: y + 1, width: right - x - 1, height: bottom - y - 1 }
        }
    }
}

const fn is_upright(shape: &Shape) -> bool {
    matches!(shape, Shape::Line([At { col: from, .. }, At { col: to, .. }], _) if *from == *to)
}

/// Where the cursor is.
pub(super) fn focus<P: PartialEq>(scene: &Scene<P>, format: Format) -> Rect {
    let here = |item: &&Item<P>| item.place.is_some() && item.place == scene.focus;
    let item = scene.items.iter().find(here);
    item.map_or(Rect::ZERO, |item| cells(Lattice::on(format), &item.shape))
}

/// Where the marks of places may stand: on a line, and on either side of an upright one.
pub(super) fn spots<P: Copy + Eq + Hash>(scene: &Scene<P>, format: Format) -> HashMap<P, Spot> {
    let lattice = Lattice::on(format);
    let margin = margin(lattice.dx);
    let spot = |shape: &Shape| {
        let cells = cells(lattice, shape);
        if !is_upright(shape) {
            return Spot::Middle(cells);
        }
        let x = cells.x.saturating_sub(margin);
        let (y, width) = (cells.y + cells.height / 2, cells.x - x + 1 + margin);
        Spot::Middle(Rect { x, y, width, height: 1 })
    };
    scene.items.iter().filter_map(|item| Some((item.place?, spot(&item.shape)))).collect()
}

/// Draws a scene. What could be drawn where a mark will stand is left out.
pub(super) fn draw<P: Eq + Hash>(scene: &Scene<P>, marked: &HashSet<P>, sheet: &mut Sheet) {
    let (lattice, visible) = (Lattice::on(sheet.format()), sheet.visible());
    let is_marked = |item: &Item<P>| item.place.as_ref().is_some_and(|at| marked.contains(at));
    let is_faint = |item: &Item<P>| matches!(item.shape, Shape::Line(_, Stroke::Faint));
    for item in scene.items.iter().filter(|item| !(is_faint(item) && is_marked(item))) {
        let part = cells(lattice, &item.shape);
        if !part.intersects(visible) {
            continue;
        }
        match item.shape {
            Shape::Dot(_) => draw_dot(part, item.role, sheet),
            Shape::Line(_, stroke) => {
                draw_line(part, is_upright(&item.shape), stroke, item.role, sheet);
            }
            Shape::Area(_, letter) => draw_area(part, letter, item.role, sheet),
        }
    }
}

fn draw_dot(part: Rect, role: Role, sheet: &mut Sheet) {
    let style = sheet.skin().style(role);
    sheet.glyph(part.x, part.y, sheet.skin().glyphs().dot, style);
}

fn draw_line(part: Rect, is_upright: bool, stroke: Stroke, role: Role, sheet: &mut Sheet) {
    let style = sheet.skin().style(role);
    let glyphs = sheet.skin().glyphs();
    let axis = usize::from(is_upright);
    match stroke {
        Stroke::Solid => sheet.fill(part, glyphs.line[axis], style),
        Stroke::Ghost => sheet.fill(part, glyphs.ghost[axis], style),
        // A point in every other cell, the same from both ends. The cells between have the same style,
        // as each change of it costs some twenty bytes on the way to the terminal.
        Stroke::Faint => {
            sheet.fill(part, ' ', style);
            let length = part.width.max(part.height);
            let skip = usize::from(length % 2 == 1 && length > 1);
            for at in part.positions().skip(skip).step_by(2) {
                sheet.glyph(at.x, at.y, glyphs.faint, style);
            }
        }
        Stroke::Blocked => {
            let (x, y) = (part.x + part.width / 2, part.y + part.height / 2);
            sheet.glyph(x, y, glyphs.cross, style);
        }
    }
}

/// Fills an area where the theme has a background for it, and else hatches it.
fn draw_area(part: Rect, letter: Option<char>, role: Role, sheet: &mut Sheet) {
    let style = sheet.skin().style(role);
    let glyphs = sheet.skin().glyphs();
    let glyph = match (style.bg, letter) {
        (Some(_), _) => ' ',
        (None, Some(_)) => glyphs.hatch,
        (None, None) => return,
    };
    sheet.fill(part, glyph, style);
    if let Some(letter) = letter {
        let (x, y) = (part.x + part.width / 2, part.y + (part.height - 1) / 2);
        sheet.text(x - 1, y, &format!(" {letter} "), sheet.skin().last(style));
    }
}
