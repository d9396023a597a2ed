//! Draws the items of a scene, complete or in mid-animation.

use super::braille::{self, BrailleLine};
use super::canvas::{Layer, PixelCanvas, PixelRect};
use super::layout::SheetLayout;
use super::polygons::{self, Painted, SmallLetter};
use super::{Placement, Sheet, grid, heavy, symbol, tile};
use crate::geometry::meeting;
use crate::{At, Item, LineStyle, Phase, PlaceId, Role, Shape, Skin};
use foldhash::HashSet;
use ratatui::layout::Rect;
use ratatui::style::Style;

impl Placement<'_> {
    /// Draws all items except faint lines whose place has a label.
    pub(super) fn draw_items(&self, labelled: &HashSet<PlaceId>, sheet: &mut Sheet) {
        let layout = &self.layout;
        let is_left_out = |item: &Item| {
            matches!(item.shape, Shape::Line(_, LineStyle::Faint))
                && item.place.is_some_and(|place| labelled.contains(&place))
        };
        let mut canvas = PixelCanvas::over(sheet);
        let mut polygons = Vec::new();
        let (mut faint_dots, mut lines) = (Vec::new(), Vec::new());
        // Items drawn on top of the pixels and of undrawn lines.
        let mut over = Vec::new();
        for item in self.items().filter(|item| !is_left_out(item)) {
            let Item { shape, role, .. } = item;
            let shown = amount(item.phase);
            let skin = sheet.skin;
            let style = skin.style(*role);
            let pixels = layout.pixels(shape).filter(|_| skin.has_pixels());
            let part = pixels.map_or_else(|| place(item, layout), PixelRect::cells);
            if let Some(dot) = braille_dot(item, layout, skin) {
                let lines = if *role == Role::Faint { &mut faint_dots } else { &mut lines };
                lines.extend(dot);
                continue;
            }
            match shape {
                Shape::Line(..) | Shape::Area(..) | Shape::Polygon(..) | Shape::Badge(..)
                    if shown <= 0.0 => {}
                Shape::Line(ends, line_style) if layout.is_scattered() => {
                    let ends = ends.map(|at| layout.end(at));
                    lines.push(BrailleLine {
                        ends,
                        line_style: thickened(*line_style, skin),
                        shown,
                        style,
                    });
                }
                Shape::Label(..) => {
                    let part = self.cells(shape);
                    if !part.is_empty() {
                        over.push((shape, part, style));
                    }
                }
                _ if !part.intersects(canvas.region) => {}
                _ if pixels.is_some() => {
                    if let Some(pixels) = pixels {
                        heavy::draw(&mut canvas, (shape, pixels), shown, *role, layout, skin);
                    }
                }
                Shape::Polygon(corners, letter) => {
                    let corners: Vec<_> = corners.iter().map(|at| layout.end(*at)).collect();
                    let painted =
                        polygons::paint(&mut canvas, &corners, shown, *letter, *role, skin);
                    let outline = thickened(LineStyle::Solid, skin);
                    lines.extend(painted.iter().flat_map(|painted| painted.outline(outline)));
                    polygons.extend(painted);
                }
                // Without pixels, the winning line is shown only by its tiles.
                Shape::Line(ends, _) if layout.is_ruled() => {
                    let tiles = ends.map(|at| layout.format.field(at));
                    if skin.has_pixels() && tiles[0].height > 1 {
                        symbol::strike(&mut canvas, tiles, shown, style);
                    }
                }
                Shape::Line(ends, line_style) => {
                    draw_line(part, *ends, *line_style, shown, style, sheet);
                }
                Shape::Area(_, letter) => {
                    draw_area(grown(part, shown), *letter, sheet.skin.area(*role), sheet);
                }
                Shape::Tile(_, symbol) => {
                    let symbol = symbol.map(|symbol| (symbol, shown));
                    tile::draw(sheet, &mut canvas, part, symbol, *role, layout.is_ruled());
                }
                Shape::Arrow(_, _, points) => {
                    sheet.glyph(part.x, part.y, skin.glyphs().pointer(*points), style);
                }
                Shape::Dot(_) | Shape::Cross(_) | Shape::Badge(..) | Shape::Note(..) => {
                    // A popping badge is briefly one cell wider on each side.
                    let wider = u16::from(shown > 1.0);
                    let (x, width) = (part.x.saturating_sub(wider), part.width + 2 * wider);
                    over.push((shape, Rect { x, width, ..part }, style));
                }
            }
        }
        let letters = self.write_letters(&polygons, &mut canvas, sheet.skin);
        canvas.draw(sheet);
        for (at, letter, style) in letters {
            sheet.glyph(at.x, at.y, letter, style);
        }
        // The corners of areas keep the color of the outline.
        let lines = [faint_dots, lines].concat();
        // Lines cross areas, but not dots and letters.
        let fills: Vec<Layer> = polygons.iter().map(|polygon| polygon.fill).collect();
        braille::draw(sheet, &lines, |at| {
            let layers = canvas.at(at).unwrap_or_default();
            layers
                .iter()
                .all(|layer| *layer == Layer::default() || fills.binary_search(layer).is_ok())
        });
        for (shape, part, style) in over {
            draw_mark(shape, part, style, layout, sheet);
        }
    }

    /// Writes the letters of areas between scattered points. Returns the letters that occupy a single cell, which are
    /// written on top of the pixels.
    fn write_letters(
        &self,
        polygons: &[Painted],
        canvas: &mut PixelCanvas,
        skin: Skin,
    ) -> Vec<SmallLetter> {
        if polygons.is_empty() {
            return Vec::new();
        }
        let mut occupied = self.occupied();
        let scale = if skin.has_pixels() { self.layout.weight().into() } else { 0 };
        let letter = |polygon: &Painted| {
            let letter = polygon.letter(canvas, &occupied, scale, skin)?;
            occupied.add_text(Rect { x: letter.0.x, y: letter.0.y, width: 1, height: 1 });
            Some(letter)
        };
        polygons.iter().filter_map(letter).collect()
    }
}

/// Returns the style of a line between scattered points: drawn lines are two Braille dots thick. In ASCII, they are a
/// single row of letters.
const fn thickened(line_style: LineStyle, skin: Skin) -> LineStyle {
    match line_style {
        LineStyle::Solid if !skin.is_ascii() => LineStyle::Heavy,
        LineStyle::Heavy if skin.is_ascii() => LineStyle::Solid,
        other => other,
    }
}

/// Returns the Braille dots of a scattered point: of a faint one, which is small, and of a large one without pixels.
fn braille_dot(item: &Item, layout: &SheetLayout, skin: Skin) -> Option<Vec<BrailleLine>> {
    let Shape::Dot(at) = item.shape else { return None };
    if !layout.is_scattered() || skin.is_ascii() {
        return None;
    }
    let style = skin.style(item.role);
    if item.role == Role::Faint {
        let (x, y) = layout.end(at);
        return Some(braille::disc((x & !1, y & !1), 2, false, style).collect());
    }
    let pixels = layout.pixels(&item.shape).filter(|_| !skin.has_pixels());
    let PixelRect { left, top, bottom, .. } = pixels?;
    let ink = Style { fg: style.bg.or(style.fg), bg: None, ..style };
    let (ink, is_ring) = (ink.not_reversed().not_underlined(), item.role == Role::Cursor);
    Some(braille::disc((left, 2 * top), 2 * (bottom - top), is_ring, ink).collect())
}

/// Returns the visible fraction of an item, 0 to 1.
const fn amount(phase: Phase) -> f32 {
    match phase {
        Phase::Part(shown) => shown,
        Phase::Whole | Phase::Moving(..) => 1.0,
    }
}

/// Returns the cells of an item made of glyphs, also while the item is moving.
fn place(item: &Item, layout: &SheetLayout) -> Rect {
    let to = layout.glyph_cells(&item.shape);
    let Phase::Moving(from, way) = item.phase else { return to };
    let from = layout.format.field(from);
    let along = |from: u16, to: u16| (f32::from(from) * (1.0 - way) + f32::from(to) * way).round();
    Rect { x: along(from.x, to.x) as u16, y: along(from.y, to.y) as u16, ..to }
}

/// Returns the central part of a range of cells, scaled by `shown` in both directions.
fn grown(part: Rect, shown: f32) -> Rect {
    let shrunk = |length: u16| {
        // Keeps the parity of the full size, so that the center does not move.
        let short = (f32::from(length) * (1.0 - shown) / 2.0).floor() as u16;
        (short, length - 2 * short)
    };
    let ((x, width), (y, height)) = (shrunk(part.width), shrunk(part.height));
    Rect { x: part.x + x, y: part.y + y, width, height }
}

fn draw_mark(shape: &Shape, part: Rect, style: Style, layout: &SheetLayout, sheet: &mut Sheet) {
    let glyphs = sheet.skin.glyphs();
    match shape {
        // A large dot in ASCII; the others are drawn with Braille dots.
        Shape::Dot(_) if layout.is_scattered() && layout.weight() > 0 => {
            sheet.text(part.x.saturating_sub(1), part.y, &format!("({})", glyphs.dot), style);
        }
        Shape::Dot(_) => sheet.glyph(part.x, part.y, glyphs.dot, style),
        Shape::Cross(lines) => {
            let point = |at| <[i32; 2]>::from(layout.end(at)).map(f64::from);
            if let Some([x, y]) = meeting(lines.map(|ends| ends.map(point))) {
                let at = braille::cell((x.round() as i32, y.round() as i32));
                sheet.glyph(at.x, at.y, glyphs.blocked, style);
            }
        }
        Shape::Badge(_, text) => {
            // If the theme has no background for the item, brackets mark it.
            let [left, right] = if style.bg.is_some() { [' '; 2] } else { ['[', ']'] };
            let inner = usize::from(part.width.saturating_sub(2));
            sheet.text(part.x, part.y, &format!("{left}{text:^inner$}{right}"), style);
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

/// Draws the fraction `shown` of a line in glyphs, in half-cell steps.
fn draw_line(
    part: Rect,
    ends: [At; 2],
    line_style: LineStyle,
    shown: f32,
    style: Style,
    sheet: &mut Sheet,
) {
    let glyphs = sheet.skin.glyphs();
    let is_upright = ends[0].col == ends[1].col;
    let axis = usize::from(is_upright);
    let length = if is_upright { part.height } else { part.width };
    match line_style {
        LineStyle::Solid | LineStyle::Heavy => {
            let is_backward = ends[0] > ends[1];
            let halves = (2.0 * f32::from(length) * shown) as u16;
            for at in part.positions() {
                let along = if is_upright { at.y - part.y } else { at.x - part.x };
                let along = if is_backward { length - 1 - along } else { along };
                let half = 2 * axis + usize::from(is_backward);
                let glyph = match halves.saturating_sub(2 * along) {
                    0 => None,
                    1 => glyphs.line_halves.map(|halves| halves[half]),
                    _ => Some(glyphs.line[axis]),
                };
                if let Some(glyph) = glyph {
                    sheet.glyph(at.x, at.y, glyph, style);
                }
            }
        }
        LineStyle::Ghost => sheet.fill(part, glyphs.ghost[axis], style),
        // A point in every second cell, symmetrical about the middle. The cells in between get the same style, because
        // each change of style adds about twenty bytes of terminal output.
        LineStyle::Faint => {
            sheet.fill(part, ' ', style);
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

/// Fills an area with the theme's background, or hatches the area if the theme has no background for it.
fn draw_area(part: Rect, letter: Option<char>, style: Style, sheet: &mut Sheet) {
    let glyph = match (style.bg, letter) {
        (Some(_), _) => ' ',
        (None, Some(_)) => sheet.skin.glyphs().hatch,
        (None, None) => return,
    };
    sheet.fill(part, glyph, style);
    if let Some(letter) = letter {
        let (x, y) = (part.x + part.width / 2, part.y + (part.height - 1) / 2);
        let text = if part.width < 3 { letter.to_string() } else { format!(" {letter} ") };
        let half = text.len() as u16 / 2;
        sheet.text(x - half, y, &text, sheet.skin.last(style));
    }
}
