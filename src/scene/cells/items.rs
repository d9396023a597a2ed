//! Draws the items of a scene, or parts of them while an animation runs.

use super::braille::{self, BrailleLine};
use super::canvas::{Canvas, Paint, PixelRect};
use super::label::Ink;
use super::layout::{Layout, Lettering, is_upright};
use super::polygons::{self, Painted, SmallLetter};
use super::{Sheet, grid, heavy, lattice, symbol, tile};
use crate::scene::{At, DrawMode, Ground, Item, LineStyle, Phase, Role, Scene, Shape, Skin};
use foldhash::HashSet;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;
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
    let is_left_out = |item: &Item<P>| {
        matches!(item.shape, Shape::Line(_, LineStyle::Faint))
            && item.place.as_ref().is_some_and(|place| labelled.contains(place))
    };
    let mut canvas = Canvas::over(sheet);
    let mut polygons = Vec::new();
    let mut lines = Vec::new();
    // What is drawn over the pixels and lines that stand for no drawn line.
    let mut over = Vec::new();
    // The layers of drawn lines, from below.
    let mut drawn = Vec::new();
    for item in scene.items.iter().filter(|item| !is_left_out(item)) {
        let Item { shape, role, .. } = item;
        let shown = amount(item.phase);
        let skin = sheet.skin();
        let style = skin.style(*role);
        let pixels = layout.pixels(shape).filter(|_| skin.glyphs().mode == DrawMode::Blocks);
        let part = pixels.map_or_else(|| place(item, layout), PixelRect::cells);
        match shape {
            Shape::Line(..) | Shape::Area(..) | Shape::Polygon(..) | Shape::Badge(..)
                if shown <= 0.0 => {}
            Shape::Line(ends, line_style) if layout.is_scattered() => {
                let ends = ends.map(|at| layout.end(at));
                if is_solid(*line_style, skin) {
                    let layer = canvas.layer(Paint::ink(style));
                    canvas.line(ends.map(pixel), shown, true, layer);
                    drawn.push(layer);
                } else {
                    lines.push(braille_line(ends, *line_style, style, skin).part(shown));
                }
            }
            _ if !part.intersects(canvas.region()) => {}
            Shape::Dot(at) if *role == Role::Faint && is_pixelled(layout, skin) => {
                let (left, top) = pixel(layout.end(*at));
                let small = PixelRect { left, top, right: left + 2, bottom: top + 1 };
                let layer = canvas.layer(Paint::ink(style));
                canvas.fill(small, layer);
            }
            _ if let Some(pixels) = pixels => {
                heavy::draw(&mut canvas, sheet, (shape, pixels), shown, *role, layout);
            }
            Shape::Polygon(corners, letter) => {
                let corners: Vec<_> = corners.iter().map(|at| pixel(layout.end(*at))).collect();
                let painted = polygons::paint(&mut canvas, &corners, shown, *letter, *role, skin);
                polygons.extend(painted);
            }
            Shape::Line(ends, _) if layout.is_ruled() => {
                let tiles = ends.map(|at| layout.format.field(at));
                draw_strike(tiles, shown, *role, &mut canvas, sheet);
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
                tile::draw(sheet, &mut canvas, part, symbol, *role, layout.is_ruled());
            }
            Shape::Arrow(_, _, points) => {
                sheet.glyph(part.x, part.y, skin.glyphs().pointer(*points), style);
            }
            Shape::Dot(_)
            | Shape::Cross(_)
            | Shape::Badge(..)
            | Shape::Label(..)
            | Shape::Note(..) => {
                over.push((shape, part, *role));
            }
        }
    }
    let letters = write_letters(&polygons, &mut canvas, scene, layout, sheet.skin());
    canvas.draw(sheet);
    for (at, letter, style) in letters {
        sheet.glyph(at.x, at.y, letter, style);
    }
    braille::draw(sheet, &lines, |x, y| {
        let layers = canvas.at(x, y).unwrap_or_default();
        layers.iter().all(|layer| drawn.binary_search(layer).is_err())
    });
    for (shape, part, role) in over {
        draw_mark(shape, part, role, layout, sheet);
    }
}

/// The pixel with this Braille dot.
const fn pixel((x, y): (i32, i32)) -> (i32, i32) {
    (x, y / 2)
}

/// Whether dots and lines between scattered points are drawn in pixels.
fn is_pixelled(layout: &Layout, skin: Skin) -> bool {
    layout.is_scattered() && skin.glyphs().mode == DrawMode::Blocks
}

/// Whether a line between scattered points is drawn in pixels. Those that are not there are Braille dots.
fn is_solid(line_style: LineStyle, skin: Skin) -> bool {
    matches!(line_style, LineStyle::Solid | LineStyle::Heavy)
        && skin.glyphs().mode == DrawMode::Blocks
}

/// A line in Braille dots. Where all lines are, those that are drawn are two dots thick; letters for them are in one row.
fn braille_line(
    ends: [(i32, i32); 2],
    line_style: LineStyle,
    style: Style,
    skin: Skin,
) -> BrailleLine {
    let is_thick = line_style == LineStyle::Solid && skin.glyphs().mode == DrawMode::Letters;
    let line_style = if is_thick { LineStyle::Heavy } else { line_style };
    BrailleLine::new(ends, line_style, style)
}

/// Writes the letters of areas between scattered points. Returns those that take one cell, to be written over the pixels.
fn write_letters<P>(
    polygons: &[Painted],
    canvas: &mut Canvas,
    scene: &Scene<P>,
    layout: &Layout,
    skin: Skin,
) -> Vec<SmallLetter> {
    if polygons.is_empty() {
        return Vec::new();
    }
    let mut inked = super::inked(scene, layout);
    let scale = if skin.glyphs().mode == DrawMode::Blocks { layout.weight().into() } else { 0 };
    let mut letters = Vec::new();
    for polygon in polygons {
        if let Some(letter) = polygon.letter(canvas, &inked, scale, skin) {
            inked.insert((letter.0.x, letter.0.y), Ink::Text);
            letters.push(letter);
        }
    }
    letters
}

/// How much of an item is shown, from 0 to 1.
const fn amount(phase: Phase) -> f32 {
    match phase {
        Phase::Part(shown) => shown,
        Phase::Whole | Phase::Moving(..) => 1.0,
    }
}

/// The cells of an item made of glyphs, also while it moves.
fn place<P>(item: &Item<P>, layout: &Layout) -> Rect {
    let to = layout.glyph_cells(&item.shape);
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
fn draw_strike(tiles: [Rect; 2], shown: f32, role: Role, canvas: &mut Canvas, sheet: &Sheet) {
    let skin = sheet.skin();
    if skin.glyphs().mode == DrawMode::Blocks && tiles[0].height > 1 {
        symbol::strike(canvas, tiles, shown, skin.style(role));
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
