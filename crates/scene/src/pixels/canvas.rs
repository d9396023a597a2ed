//! An image on which figures, strokes and text are painted.

use super::fonts::{Fonts, Weight};
use crate::colour::Rgb;
use foldhash::HashMap;
use tiny_skia::{
    FillRule, LineCap, LineJoin, Mask, Paint, Path, PathBuilder, Pixmap, PremultipliedColorU8,
    Rect, Stroke, Transform,
};

/// A point of an image, in pixels from its top left corner.
pub(super) type Point = [f32; 2];

/// A shape that occurs many times on a board. Its coverage is computed once and then copied. Lengths are in quarters of
/// a pixel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Figure {
    Disc {
        diameter: u16,
    },
    Ring {
        diameter: u16,
        stroke: u16,
    },
    Square {
        side: u16,
        round: u16,
    },
    Frame {
        side: u16,
        round: u16,
        stroke: u16,
    },
    /// Two crossing strokes inside a square.
    Cross {
        side: u16,
        stroke: u16,
    },
    Star {
        diameter: u16,
    },
    /// A triangle that points right, down, left or up after this many quarter turns.
    Pointer {
        turns: u8,
        size: u16,
    },
    /// A letter on a baseline that starts at the origin.
    Letter {
        letter: char,
        weight: Weight,
        height: u16,
    },
}

/// A length in quarters of a pixel.
pub(super) fn quarters(length: f32) -> u16 {
    (length * 4.0).round() as u16
}

const fn pixels(quarters: u16) -> f32 {
    quarters as f32 / 4.0
}

#[derive(Debug)]
struct Stamp {
    coverage: Mask,
    left: i32,
    top: i32,
}

#[derive(Debug)]
pub(super) struct Canvas<'f> {
    pixmap: Pixmap,
    /// The color of the empty image; `None` if it is transparent.
    paper: Option<Rgb>,
    pub fonts: &'f Fonts,
    /// By figure and position of its origin between two pixels, in quarters.
    stamps: HashMap<(Figure, [u8; 2]), Option<Stamp>>,
}

impl<'f> Canvas<'f> {
    pub fn new(
        [width, height]: [u32; 2],
        paper: Option<Rgb>,
        fonts: &'f Fonts,
    ) -> Option<Canvas<'f>> {
        let mut pixmap = Pixmap::new(width, height)?;
        if let Some(Rgb(red, green, blue)) = paper {
            pixmap.fill(tiny_skia::Color::from_rgba8(red, green, blue, u8::MAX));
        }
        Some(Canvas { pixmap, paper, fonts, stamps: HashMap::default() })
    }

    /// Returns the image in straight RGBA.
    pub fn finish(self) -> Vec<u8> {
        let mut data = self.pixmap.take();
        // Everything painted on opaque paper is opaque.
        if self.paper.is_none() {
            straighten(&mut data);
        }
        data
    }

    pub fn put(&mut self, figure: Figure, [x, y]: Point, colour: Rgb) {
        let [x, y] = [x, y].map(|at| (at * 4.0).round() as i32);
        let between = [x, y].map(|at| at.rem_euclid(4) as u8);
        let fonts = self.fonts;
        let stamp = self.stamps.entry((figure, between)).or_insert_with(|| {
            let [x, y] = between.map(|quarters| pixels(quarters.into()));
            stamp(path(figure, fonts)?.transform(Transform::from_translate(x, y))?)
        });
        if let Some(stamp) = stamp {
            blend(&mut self.pixmap, stamp, [x.div_euclid(4), y.div_euclid(4)], colour);
        }
    }

    /// Fills whole pixels.
    pub fn fill(&mut self, [left, top]: Point, [right, bottom]: Point, colour: Rgb) {
        self.set([left, top], [right, bottom], Some(colour));
    }

    /// Fills whole pixels with the paper.
    pub fn clear(&mut self, from: Point, to: Point) {
        self.set(from, to, self.paper);
    }

    fn set(&mut self, from: Point, to: Point, colour: Option<Rgb>) {
        let size = [self.pixmap.width(), self.pixmap.height()];
        let within =
            |at: Point| [0, 1].map(|axis| at[axis].round().clamp(0.0, size[axis] as f32) as usize);
        let ([left, top], [right, bottom]) = (within(from), within(to));
        let colour = colour.map_or(PremultipliedColorU8::TRANSPARENT, opaque);
        for row in
            self.pixmap.pixels_mut().chunks_exact_mut(size[0] as usize).take(bottom).skip(top)
        {
            if left < right {
                row[left..right].fill(colour);
            }
        }
    }

    pub fn fill_path(&mut self, path: Path, colour: Rgb) {
        if let Some(stamp) = stamp(path) {
            blend(&mut self.pixmap, &stamp, [0, 0], colour);
        }
    }

    /// Fills a polygon whose edges will be covered.
    pub fn fill_polygon(&mut self, corners: &[Point], colour: Rgb) {
        let paint = Paint { anti_alias: false, ..paint(colour) };
        if let Some(path) = polyline(corners, true) {
            self.pixmap.fill_path(&path, &paint, FillRule::Winding, Transform::identity(), None);
        }
    }

    /// Draws the outline of a path.
    pub fn stroke(&mut self, path: &Path, width: f32, colour: Rgb) {
        if let Some(path) = path.stroke(&round(width), 1.0) {
            self.fill_path(path, colour);
        }
    }

    /// Draws lines with round ends from point to point.
    pub fn lines(&mut self, points: &[Point], width: f32, colour: Rgb) {
        for ends in points.windows(2) {
            self.line([ends[0], ends[1]], width, None, colour);
        }
    }

    /// Draws a line with round ends; `dash` has the lengths of dashes and gaps.
    pub fn line(&mut self, ends: [Point; 2], width: f32, dash: Option<[f32; 2]>, colour: Rgb) {
        let Some([dash, gap]) = dash else { return self.capsule(ends, width, colour) };
        let [from, to] = ends;
        let way = [to[0] - from[0], to[1] - from[1]];
        let length = (way[0] * way[0] + way[1] * way[1]).sqrt();
        let along = |far: f32| [0, 1].map(|axis| from[axis] + way[axis] * (far / length).min(1.0));
        // The dashes are symmetrical about the middle.
        let count = ((length - dash) / (dash + gap)).floor().max(0.0);
        let mut start = (length - dash - count * (dash + gap)).max(0.0) / 2.0;
        for _ in 0..=count as u32 {
            self.capsule([along(start), along(start + dash)], width, colour);
            start += dash + gap;
        }
    }

    /// Paints the pixels within half a width of a line, those at the edge in part.
    fn capsule(&mut self, [from, to]: [Point; 2], width: f32, colour: Rgb) {
        let reach = f32::midpoint(width, 1.0);
        let [right, down] = [to[0] - from[0], to[1] - from[1]];
        let length = (right * right + down * down).max(f32::MIN_POSITIVE);
        // Half the width of the line along a row of pixels.
        let across =
            if down.abs() < 1e-3 { f32::INFINITY } else { reach * length.sqrt() / down.abs() };
        let size = [self.pixmap.width(), self.pixmap.height()];
        let within = |axis: usize, at: f32| at.clamp(0.0, size[axis] as f32) as usize;
        let [left, top] = [0, 1].map(|axis| from[axis].min(to[axis]) - reach);
        let [end, bottom] = [0, 1].map(|axis| from[axis].max(to[axis]) + reach + 1.0);
        let solid = opaque(colour);
        let pixels = self.pixmap.pixels_mut();
        for row in within(1, top)..within(1, bottom) {
            let y = row as f32 + 0.5 - from[1];
            let middle = if across.is_finite() { from[0] + right * y / down } else { left };
            let first = within(0, left.max(middle - across - 1.0));
            let last = within(0, end.min(middle + across + 1.0));
            let start = row * size[0] as usize;
            for (column, pixel) in
                (first..).zip(pixels[start + first..start + last.max(first)].iter_mut())
            {
                let x = column as f32 + 0.5 - from[0];
                let along = ((x * right + y * down) / length).clamp(0.0, 1.0);
                let [x, y] = [x - along * right, y - along * down];
                let covered = (reach - (x * x + y * y).sqrt()).clamp(0.0, 1.0);
                match level(covered * width.min(1.0)) {
                    0 => {}
                    u8::MAX => *pixel = solid,
                    covered => *pixel = mixed(solid, *pixel, covered),
                }
            }
        }
    }

    pub fn text_width(&self, text: &str, weight: Weight, height: f32) -> f32 {
        text.chars().map(|letter| self.fonts.advance(letter, weight)).sum::<f32>() * height
    }

    /// Writes text whose capitals have this height, centered at a point.
    pub fn text(&mut self, text: &str, weight: Weight, height: f32, [x, y]: Point, colour: Rgb) {
        let mut pen = x - self.text_width(text, weight, height) / 2.0;
        let baseline = (y + height / 2.0).round();
        for letter in text.chars() {
            let figure = Figure::Letter { letter, weight, height: quarters(height) };
            self.put(figure, [pen, baseline], colour);
            pen += self.fonts.advance(letter, weight) * height;
        }
    }
}

/// Converts partly transparent pixels from premultiplied to straight colors.
fn straighten(rgba: &mut [u8]) {
    for pixel in rgba.chunks_exact_mut(4) {
        let [red, green, blue, alpha] = pixel else { continue };
        if !matches!(*alpha, 0 | u8::MAX) {
            let alpha = u32::from(*alpha);
            for part in [red, green, blue] {
                *part = ((u32::from(*part) * 255 + alpha / 2) / alpha).min(255) as u8;
            }
        }
    }
}

fn paint(Rgb(red, green, blue): Rgb) -> Paint<'static> {
    let mut paint = Paint::default();
    paint.set_color_rgba8(red, green, blue, u8::MAX);
    paint
}

fn opaque(Rgb(red, green, blue): Rgb) -> PremultipliedColorU8 {
    PremultipliedColorU8::from_rgba(red, green, blue, u8::MAX)
        .unwrap_or(PremultipliedColorU8::TRANSPARENT)
}

fn round(width: f32) -> Stroke {
    Stroke { width, line_cap: LineCap::Round, line_join: LineJoin::Round, ..Stroke::default() }
}

/// Returns the path through these points.
pub(super) fn polyline(points: &[Point], is_closed: bool) -> Option<Path> {
    let mut path = PathBuilder::new();
    for (index, [x, y]) in points.iter().enumerate() {
        if index == 0 { path.move_to(*x, *y) } else { path.line_to(*x, *y) }
    }
    if is_closed {
        path.close();
    }
    path.finish()
}

/// Returns a rectangle with round corners.
pub(super) fn rounded([left, top]: Point, [right, bottom]: Point, round: f32) -> Option<Path> {
    let round = round.min((right - left) / 2.0).min((bottom - top) / 2.0);
    if round <= 0.0 {
        return Rect::from_ltrb(left, top, right, bottom).map(PathBuilder::from_rect);
    }
    // The distance of the control points of a quarter circle from its ends.
    let rest = round * (1.0 - 0.552_284_8);
    let mut path = PathBuilder::new();
    path.move_to(left + round, top);
    path.line_to(right - round, top);
    path.cubic_to(right - rest, top, right, top + rest, right, top + round);
    path.line_to(right, bottom - round);
    path.cubic_to(right, bottom - rest, right - rest, bottom, right - round, bottom);
    path.line_to(left + round, bottom);
    path.cubic_to(left + rest, bottom, left, bottom - rest, left, bottom - round);
    path.line_to(left, top + round);
    path.cubic_to(left, top + rest, left + rest, top, left + round, top);
    path.close();
    path.finish()
}

fn square(side: f32, round: f32) -> Option<Path> {
    rounded([-side / 2.0; 2], [side / 2.0; 2], round)
}

/// Returns the outline of a figure around its origin.
fn path(figure: Figure, fonts: &Fonts) -> Option<Path> {
    let outlined = |path: Option<Path>, stroke: u16| path?.stroke(&round(pixels(stroke)), 1.0);
    match figure {
        Figure::Disc { diameter } => PathBuilder::from_circle(0.0, 0.0, pixels(diameter) / 2.0),
        Figure::Ring { diameter, stroke } => {
            let radius = (pixels(diameter) - pixels(stroke)) / 2.0;
            outlined(PathBuilder::from_circle(0.0, 0.0, radius), stroke)
        }
        Figure::Square { side, round } => square(pixels(side), pixels(round)),
        Figure::Frame { side, round, stroke } => {
            let (side, round, width) = (pixels(side), pixels(round), pixels(stroke));
            outlined(square(side - width, round - width / 2.0), stroke)
        }
        Figure::Cross { side, stroke } => {
            let reach = (pixels(side) - pixels(stroke)) / 2.0;
            let mut path = PathBuilder::new();
            for (x, y) in [(reach, reach), (-reach, reach)] {
                path.move_to(-x, -y);
                path.line_to(x, y);
            }
            outlined(path.finish(), stroke)
        }
        Figure::Star { diameter } => {
            // The directions of the points of a star and of the corners between them, as parts of the radius.
            const STAR: [Point; 10] = [
                [0.0, -1.0],
                [0.259, -0.356],
                [0.951, -0.309],
                [0.418, 0.136],
                [0.588, 0.809],
                [0.0, 0.44],
                [-0.588, 0.809],
                [-0.418, 0.136],
                [-0.951, -0.309],
                [-0.259, -0.356],
            ];
            let radius = pixels(diameter) / 2.0;
            polyline(&STAR.map(|at| at.map(|part| part * radius)), true)
        }
        Figure::Pointer { turns, size } => {
            let half = pixels(size) / 2.0;
            let turned = |[x, y]: Point| match turns {
                0 => [x, y],
                1 => [-y, x],
                2 => [-x, -y],
                _ => [y, -x],
            };
            let corners = [[0.8, 0.0], [-0.7, 1.0], [-0.7, -1.0]];
            polyline(&corners.map(|at| turned(at).map(|part| part * half)), true)
        }
        Figure::Letter { letter, weight, height } => {
            let height = pixels(height);
            fonts.path(letter, weight)?.clone().transform(Transform::from_scale(height, height))
        }
    }
}

fn stamp(path: Path) -> Option<Stamp> {
    let bounds = path.bounds();
    let (left, top) = (bounds.left().floor(), bounds.top().floor());
    let [width, height] =
        [bounds.right() - left, bounds.bottom() - top].map(|length| length.ceil().max(1.0) as u32);
    let path = path.transform(Transform::from_translate(-left, -top))?;
    let mut coverage = Mask::new(width, height)?;
    coverage.fill_path(&path, FillRule::Winding, true, Transform::identity());
    for part in coverage.data_mut() {
        *part = level(f32::from(*part) / 255.0);
    }
    Some(Stamp { coverage, left: left as i32, top: top as i32 })
}

/// Returns one of 16 levels of coverage. More would not look better, and every level is a color of the image.
fn level(part: f32) -> u8 {
    (part * 15.0).round() as u8 * 17
}

/// Paints a color where a stamp covers the image.
fn blend(pixmap: &mut Pixmap, stamp: &Stamp, [x, y]: [i32; 2], colour: Rgb) {
    let (left, top) = (stamp.left + x, stamp.top + y);
    let width = pixmap.width() as i32;
    let rows = stamp.coverage.data().chunks_exact(stamp.coverage.width() as usize);
    let skipped = (-left).max(0) as usize;
    let taken = (width - left).max(0) as usize;
    let solid = opaque(colour);
    let pixels = pixmap.pixels_mut();
    for (row, coverage) in (top..).zip(rows) {
        let Ok(row) = usize::try_from(row) else { continue };
        let start = row * width as usize + (left + skipped as i32).max(0) as usize;
        let coverage = coverage.iter().take(taken).skip(skipped);
        let Some(row) = pixels.get_mut(start..) else { return };
        for (pixel, coverage) in row.iter_mut().zip(coverage) {
            match coverage {
                0 => {}
                255 => *pixel = solid,
                coverage => *pixel = mixed(solid, *pixel, *coverage),
            }
        }
    }
}

/// Returns `below` covered with a color by `part` of 255.
fn mixed(
    above: PremultipliedColorU8,
    below: PremultipliedColorU8,
    part: u8,
) -> PremultipliedColorU8 {
    let mix = |above: u8, below: u8| {
        let sum = u32::from(above) * u32::from(part) + u32::from(below) * u32::from(255 - part);
        ((sum + 127) / 255) as u8
    };
    let [red, green, blue, alpha] = [
        mix(above.red(), below.red()),
        mix(above.green(), below.green()),
        mix(above.blue(), below.blue()),
        mix(above.alpha(), below.alpha()),
    ];
    PremultipliedColorU8::from_rgba(red, green, blue, alpha).unwrap_or(below)
}
