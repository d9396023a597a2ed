//! Draws the items of a scene, or parts of them while an animation runs.

use super::layout::{Layout, Lettering, is_upright};
use super::symbol::Pixels;
use super::{Sheet, braille, grid, lattice, tile};
use crate::scene::At;
use crate::scene::{DrawMode, Ground, Item, LineStyle, Phase, Role, Scene, Shape};
use foldhash::HashSet;
use ratatui::layout::{Position, Rect};
use std::hash::Hash;

/// Draws what belongs to the ground itself: coordinates, and the lines between ruled tiles.
pub(super) fn draw_ground(ground: &Ground, lettering: Lettering, sheet: &mut Sheet) {
    let has_coordinates = lettering == Lettering::All;
    match *ground {
        Ground::Lattice { .. } if has_coordinates => lattice::number(sheet),
        Ground::Grid { first, ruled, .. } => {
            if has_coordinates {
                grid::label(sheet, first);
            }
            if ruled {
                grid::rule(sheet);
            }
        }
        Ground::Lattice { .. } | Ground::Points(_) => {}
    }
}

/// Draws all items but the faint lines of places that will have a label.
pub(super) fn draw_items<P: Copy + Eq + Hash>(
    scene: &Scene<P>,
    layout: &Layout,
    labelled: &HashSet<P>,
    sheet: &mut Sheet,
) {
    let visible = sheet.visible();
    let is_left_out = |item: &Item<P>| {
        matches!(item.shape, Shape::Line(_, LineStyle::Faint))
            && item.place.as_ref().is_some_and(|place| labelled.contains(place))
    };
    let mut pixels = Pixels::default();
    let mut lines = Vec::new();
    let mut over_lines = Vec::new();
    for item in scene.items.iter().filter(|item| !is_left_out(item)) {
        let Item { shape, role, .. } = item;
        let part = place(item, layout);
        let shown = amount(item.phase);
        let style = sheet.skin().style(*role);
        match shape {
            Shape::Line(..) | Shape::Area(..) | Shape::Polygon(..) | Shape::Badge(..)
                if shown <= 0.0 => {}
            Shape::Line(ends, line_style) if layout.is_scattered() => {
                let line =
                    braille::BrailleLine::new(ends.map(|at| layout.end(at)), *line_style, style);
                lines.push(line.part(shown));
            }
            _ if !part.intersects(sheet.area().intersection(visible_with_pads(visible))) => {}
            Shape::Polygon(corners, letter) => {
                let corners: Vec<_> = corners.iter().map(|at| layout.end(*at)).collect();
                draw_polygon(&corners, shown, part, *letter, *role, sheet);
            }
            Shape::Line(ends, _) if layout.is_ruled() => {
                let tiles = ends.map(|at| layout.format.field(at));
                draw_strike(tiles, shown, *role, &mut pixels, sheet);
            }
            Shape::Line(ends, LineStyle::Solid | LineStyle::Heavy) if shown < 1.0 => {
                draw_begun(part, *ends, shown, *role, sheet);
            }
            Shape::Line(_, line_style) => {
                draw_line(part, is_upright(shape), *line_style, *role, sheet);
            }
            Shape::Area(_, letter) => draw_area(grown(part, shown), *letter, *role, sheet),
            Shape::Tile(_, symbol) => {
                let symbol = symbol.map(|symbol| (symbol, shown));
                tile::draw(sheet, &mut pixels, part, symbol, *role, layout.is_ruled());
            }
            Shape::Arrow(_, _, points) => {
                let glyph = sheet.skin().glyphs().pointer(*points);
                sheet.glyph(part.x, part.y, glyph, style);
            }
            Shape::Dot(_)
            | Shape::Cross(_)
            | Shape::Badge(..)
            | Shape::Label(..)
            | Shape::Note(..) => {
                over_lines.push((shape, part, *role));
            }
        }
    }
    braille::draw(sheet, &lines);
    for (shape, part, role) in over_lines {
        draw_mark(shape, part, role, layout, sheet);
    }
    pixels.draw(sheet);
}

/// How much of an item is shown, from 0 to 1.
const fn amount(phase: Phase) -> f32 {
    match phase {
        Phase::Part(shown) => shown,
        Phase::Whole | Phase::Moving(..) => 1.0,
    }
}

/// The cells that an item fills, also while it moves.
fn place<P>(item: &Item<P>, layout: &Layout) -> Rect {
    let to = layout.cells(&item.shape);
    let Phase::Moving(from, way) = item.phase else { return to };
    let from = layout.format.field(from);
    let along = |from: u16, to: u16| (f32::from(from) * (1.0 - way) + f32::from(to) * way).round();
    Rect { x: along(from.x, to.x) as u16, y: along(from.y, to.y) as u16, ..to }
}

/// The middle part of some cells, `shown` of it across and down.
fn grown(part: Rect, shown: f32) -> Rect {
    let shrunk = |length: u16| {
        // Odd if the whole is odd, so that the middle stays where it is.
        let short = (f32::from(length) * (1.0 - shown) / 2.0).floor() as u16;
        (short, length - 2 * short)
    };
    let ((x, width), (y, height)) = (shrunk(part.width), shrunk(part.height));
    Rect { x: part.x + x, y: part.y + y, width, height }
}

/// The visible part with a column and a row more on each side, for pointers at the rim.
const fn visible_with_pads(Rect { x, y, width, height }: Rect) -> Rect {
    let (left, top) = (x.saturating_sub(1), y.saturating_sub(1));
    Rect { x: left, y: top, width: width + 1 + (x - left), height: height + 1 + (y - top) }
}

/// Draws an item that lies over lines.
fn draw_mark(shape: &Shape, part: Rect, role: Role, layout: &Layout, sheet: &mut Sheet) {
    let (style, glyphs) = (sheet.skin().style(role), sheet.skin().glyphs());
    match shape {
        Shape::Dot(_) => sheet.glyph(part.x, part.y, glyphs.dot, style),
        Shape::Cross(lines) => {
            let [one, other] = lines.map(|ends| ends.map(|at| layout.end(at)));
            if let Some((x, y)) = braille::meeting(one, other).map(braille::cell) {
                sheet.glyph(x, y, glyphs.blocked, style);
            }
        }
        Shape::Badge(_, text) => {
            // Where the theme has no background for it, only brackets show it.
            let [left, right] = if style.bg.is_some() { [' '; 2] } else { ['[', ']'] };
            sheet.text(part.x, part.y, &format!("{left}{text:^1}{right}"), style);
        }
        Shape::Label(_, text) => sheet.whole_text(part, text, style),
        Shape::Note(_, text) => {
            let fits = text.chars().count() <= part.width.into();
            let text = if fits { text } else { "+" };
            let spare = part.width.saturating_sub(text.chars().count() as u16);
            sheet.text(part.x + spare / 2, part.y + (part.height.max(1) - 1) / 2, text, style);
        }
        _ => {}
    }
}

fn draw_line(part: Rect, is_upright: bool, line_style: LineStyle, role: Role, sheet: &mut Sheet) {
    let style = sheet.skin().style(role);
    let glyphs = sheet.skin().glyphs();
    let axis = usize::from(is_upright);
    match line_style {
        LineStyle::Solid | LineStyle::Heavy => sheet.fill(part, glyphs.line[axis], style),
        LineStyle::Ghost => sheet.fill(part, glyphs.ghost[axis], style),
        // A point in every other cell, symmetrical about the middle. The cells between get the same style,
        // because each change of style costs about twenty bytes on the way to the terminal.
        LineStyle::Faint => {
            sheet.fill(part, ' ', style);
            let length = part.width.max(part.height);
            let skip = usize::from(length % 2 == 1 && length > 1);
            for at in part.positions().skip(skip).step_by(2) {
                sheet.glyph(at.x, at.y, glyphs.faint, style);
            }
        }
        LineStyle::Blocked => {
            let (x, y) = grid::centre(part);
            sheet.glyph(x, y, glyphs.blocked, style);
        }
    }
}

/// Draws the first part of a line, from its first end on, in steps of half a cell.
fn draw_begun(part: Rect, ends: [At; 2], shown: f32, role: Role, sheet: &mut Sheet) {
    let style = sheet.skin().style(role);
    let glyphs = sheet.skin().glyphs();
    let is_upright = ends[0].col == ends[1].col;
    let is_backward = (ends[0].row, ends[0].col) > (ends[1].row, ends[1].col);
    let halves = 2.0 * f32::from(part.width.max(part.height)) * shown;
    let (cells, half) = (halves as u16 / 2, halves as u16 % 2 == 1);
    let mut draw = |at: Option<Position>, glyph: char| {
        if let Some(Position { x, y }) = at {
            sheet.glyph(x, y, glyph, style);
        }
    };
    let mut cells_on = part.positions().collect::<Vec<_>>();
    if is_backward {
        cells_on.reverse();
    }
    let mut rest = cells_on.into_iter();
    for at in rest.by_ref().take(cells.into()) {
        draw(Some(at), glyphs.line[usize::from(is_upright)]);
    }
    if let (true, Some(ends)) = (half, glyphs.line_halves) {
        draw(rest.next(), ends[2 * usize::from(is_upright) + usize::from(is_backward)]);
    }
}

/// Strikes a line through tiles. Where cells are not drawn in pixels there is no such line: the tiles alone
/// show who has won.
fn draw_strike(tiles: [Rect; 2], shown: f32, role: Role, pixels: &mut Pixels, sheet: &Sheet) {
    let skin = sheet.skin();
    if skin.glyphs().mode == DrawMode::Blocks && tiles[0].height > 1 {
        pixels.strike(tiles, shown, skin.style(role));
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
        let text = if part.width < 3 { letter.to_string() } else { format!(" {letter} ") };
        let half = text.len() as u16 / 2;
        sheet.text(x - half, y, &text, sheet.skin().last(style));
    }
}

/// Fills the cells whose middle is inside, as [`draw_area`] does. A polygon shown in part is a smaller one of
/// the same form.
fn draw_polygon(
    corners: &[(i32, i32)],
    shown: f32,
    part: Rect,
    letter: char,
    role: Role,
    sheet: &mut Sheet,
) {
    let style = sheet.skin().style(role);
    let glyph = if style.bg.is_some() { ' ' } else { sheet.skin().glyphs().hatch };
    let smaller = (shown < 1.0).then(|| scaled(corners, shown));
    let mut filled = Vec::new();
    for at in part.intersection(sheet.visible()).positions() {
        let dot = (2 * i32::from(at.x) + 1, 4 * i32::from(at.y) + 2);
        let is_there = smaller.as_ref().is_none_or(|smaller| is_inside(smaller, dot));
        if is_there && is_inside(corners, dot) {
            sheet.glyph(at.x, at.y, glyph, style);
            filled.push(at);
        }
    }
    // A letter only where enough of the area stays visible round it.
    if filled.len() > 5
        && let Some(middle) = middle(&filled)
    {
        sheet.glyph(middle.x, middle.y, letter, sheet.skin().last(style));
    }
}

/// The corners of the same polygon, scaled round the mean of its corners.
fn scaled(corners: &[(i32, i32)], shown: f32) -> Vec<(i32, i32)> {
    let count = corners.len().max(1) as i32;
    let sum = |axis: fn(&(i32, i32)) -> i32| corners.iter().map(axis).sum::<i32>() / count;
    let middle = (sum(|at| at.0), sum(|at| at.1));
    let scale = |at: i32, middle: i32| middle + ((at - middle) as f32 * shown).round() as i32;
    corners.iter().map(|at| (scale(at.0, middle.0), scale(at.1, middle.1))).collect()
}

/// The cell nearest to the middle of all these cells.
fn middle(cells: &[Position]) -> Option<Position> {
    let count = cells.len() as u32;
    let sum = |axis: fn(&Position) -> u16| cells.iter().map(|at| u32::from(axis(at))).sum::<u32>();
    let (x, y) = (sum(|at| at.x), sum(|at| at.y));
    // A cell is about twice as high as wide.
    let far = |at: &&Position| {
        (count * u32::from(at.x)).abs_diff(x) + 2 * (count * u32::from(at.y)).abs_diff(y)
    };
    cells.iter().min_by_key(far).copied()
}

/// Whether a point is inside a polygon: a ray from it crosses the rim an odd number of times.
fn is_inside(corners: &[(i32, i32)], (x, y): (i32, i32)) -> bool {
    let next = corners.iter().cycle().skip(1);
    let crossed = corners.iter().zip(next).filter(|&(&(ax, ay), &(bx, by))| {
        let ((ax, ay), (bx, by)) =
            if ay < by { ((ax, ay), (bx, by)) } else { ((bx, by), (ax, ay)) };
        ay <= y && y < by && (x - ax) * (by - ay) < (bx - ax) * (y - ay)
    });
    crossed.count() % 2 == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_is_inside_a_polygon_or_not() {
        let arrow = [(0, 0), (20, 0), (20, 20), (10, 8), (0, 20)];
        let inside = |x, y| is_inside(&arrow, (x, y));
        assert!(inside(3, 3) && inside(17, 12) && inside(10, 7));
        assert!(!inside(10, 12) && !inside(21, 5) && !inside(-1, 5) && !inside(10, -1));
    }
}
