//! Quadrant pixels, 2 × 2 per cell. A pixel is half as wide as it is high, so a square is two pixels wide and one pixel
//! high.

use super::Sheet;
use ratatui::layout::{Position, Rect};
use ratatui::style::{Color, Modifier, Style};

/// The glyph for each set of pixels in a cell. The bits are upper left, upper right, lower left and lower right.
const QUADRANTS: [char; 16] =
    [' ', '▘', '▝', '▀', '▖', '▌', '▞', '▛', '▗', '▚', '▐', '▜', '▄', '▙', '▟', '█'];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PixelRect {
    pub left: i32,
    pub top: i32,
    pub right: i32,
    pub bottom: i32,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Paint {
    Solid(Style),
    /// Fills every fully painted cell with this glyph, for themes without a fill color.
    Hatch(Style, char),
}

/// The pixels of one stroke. Layers are ordered by stroke.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Layer(u16);

/// The pixels of the visible cells. Later layers cover earlier layers.
#[derive(Debug)]
pub(super) struct PixelCanvas {
    pub region: Rect,
    /// The layers of each cell; empty until the first stroke is painted.
    cells: Vec<[Layer; 4]>,
    paints: Vec<Paint>,
}

/// Returns the points of the first `part` of a straight line, without gaps. The whole line has the same points in both
/// directions.
pub(super) fn straight(
    ends: [(i32, i32); 2],
    part: f32,
) -> impl Iterator<Item = (i32, i32)> + Clone {
    let is_backward = ends[1] < ends[0];
    let [(x, y), to] = if is_backward { [ends[1], ends[0]] } else { ends };
    let (dx, dy) = (to.0 - x, to.1 - y);
    let length = dx.abs().max(dy.abs()).max(1);
    let along = move |step: i32, d: i32| (2 * d * step + length).div_euclid(2 * length);
    let there = (length as f32 * part).round() as i32;
    (0..=there).map(move |step| {
        let step = if is_backward { length - step } else { step };
        (x + along(step, dx), y + along(step, dy))
    })
}

impl PixelRect {
    pub fn of(cells: Rect) -> PixelRect {
        let [left, top, right, bottom] =
            [cells.left(), cells.top(), cells.right(), cells.bottom()].map(|at| 2 * i32::from(at));
        PixelRect { left, top, right, bottom }
    }

    /// Returns the cells that contain any of these pixels.
    pub fn cells(self) -> Rect {
        let first = |at: i32| at.max(0) as u16 / 2;
        let (x, y) = (first(self.left), first(self.top));
        let end = |at: i32| first(at + 1);
        Rect {
            x,
            y,
            width: end(self.right).saturating_sub(x),
            height: end(self.bottom).saturating_sub(y),
        }
    }

    /// Shrinks the rectangle by `across` pixels on the left and right and by `down` pixels at the top and bottom.
    pub const fn inner(self, across: i32, down: i32) -> PixelRect {
        PixelRect {
            left: self.left + across,
            top: self.top + down,
            right: self.right - across,
            bottom: self.bottom - down,
        }
    }

    /// Returns the central part, scaled by `shown` in both directions.
    pub fn part(self, shown: f32) -> PixelRect {
        let short = |length: i32| (length as f32 * (1.0 - shown) / 2.0) as i32;
        self.inner(short(self.right - self.left), short(self.bottom - self.top))
    }
}

impl Paint {
    /// Returns the background of a style, or the foreground if the style is reversed. Returns `None` if that color is
    /// not set.
    pub fn face(style: Style) -> Option<Paint> {
        match style.bg {
            Some(colour) => Some(Paint::Solid(Style::new().fg(colour))),
            None if style.add_modifier.contains(Modifier::REVERSED) => {
                Some(Paint::Solid(Style { add_modifier: Modifier::empty(), ..style }))
            }
            None => None,
        }
    }

    pub const fn ink(style: Style) -> Paint {
        let add_modifier = style.add_modifier.intersection(Modifier::DIM.union(Modifier::BOLD));
        Paint::Solid(Style { bg: None, add_modifier, ..style })
    }
}

impl PixelCanvas {
    /// Creates a canvas for the visible part of a sheet and its pads.
    pub fn over(sheet: &Sheet) -> PixelCanvas {
        let Rect { x, y, width, height } = sheet.view.visible();
        let format = sheet.format;
        let [across, down] = [format.across, format.down].map(|axis| axis.pads[0].max(1));
        let (left, top) = (x.saturating_sub(across), y.saturating_sub(down));
        let region = Rect {
            x: left,
            y: top,
            width: width + across + (x - left),
            height: height + down + (y - top),
        };
        PixelCanvas {
            region: region.intersection(sheet.area()),
            cells: Vec::new(),
            paints: Vec::new(),
        }
    }

    /// Adds a layer on top of all others. A `u16` is enough for the largest board, which has about ten thousand items.
    pub fn layer(&mut self, paint: Paint) -> Layer {
        self.paints.push(paint);
        Layer(self.paints.len().min(u16::MAX.into()) as u16)
    }

    fn index(&self, at: Position) -> Option<usize> {
        let Rect { x, y, width, .. } = self.region;
        let is_in = self.region.contains(at);
        is_in.then(|| usize::from(at.y - y) * usize::from(width) + usize::from(at.x - x))
    }

    pub fn fill(&mut self, part: PixelRect, layer: Layer) {
        let seen = PixelRect::of(self.region);
        let (left, right) = (part.left.max(seen.left), part.right.min(seen.right));
        let (top, bottom) = (part.top.max(seen.top), part.bottom.min(seen.bottom));
        if left >= right || top >= bottom {
            return;
        }
        if self.cells.is_empty() {
            self.cells = vec![[Layer::default(); 4]; self.region.area() as usize];
        }
        let width = usize::from(self.region.width);
        let [left, right] = [left, right].map(|x| (x - seen.left) as usize);
        for y in (top - seen.top) as usize..(bottom - seen.top) as usize {
            let row = &mut self.cells[y / 2 * width..][..width];
            for x in left..right {
                row[x / 2][y % 2 * 2 + x % 2] = layer;
            }
        }
    }

    pub fn erase(&mut self, part: PixelRect) {
        if !self.cells.is_empty() {
            self.fill(part, Layer::default());
        }
    }

    /// Clears all pixels of these cells.
    pub fn clear(&mut self, part: Rect) {
        if !self.cells.is_empty() {
            for at in part.positions() {
                if let Some(index) = self.index(at) {
                    self.cells[index] = [Layer::default(); 4];
                }
            }
        }
    }

    /// Returns the layers of a cell; `None` if the cell is not painted.
    pub fn at(&self, at: Position) -> Option<[Layer; 4]> {
        let layers = *self.cells.get(self.index(at)?)?;
        (layers != [Layer::default(); 4]).then_some(layers)
    }

    /// Draws all pixels. A cell can show two colors: that of its topmost layer, and the most frequent color of the
    /// other layers. Unpainted pixels keep their background.
    pub fn draw(&self, sheet: &mut Sheet) {
        let width = usize::from(self.region.width.max(1));
        for (row, cells) in (self.region.y..).zip(self.cells.chunks(width)) {
            for (x, layers) in (self.region.x..).zip(cells) {
                if *layers != [Layer::default(); 4]
                    && let Some((glyph, style)) = self.cell_glyph(*layers, (x, row), sheet)
                {
                    sheet.glyph(x, row, glyph, style);
                }
            }
        }
    }

    fn paint(&self, layer: Layer) -> Option<Paint> {
        self.paints.get(usize::from(layer.0.checked_sub(1)?)).copied()
    }

    fn cell_glyph(
        &self,
        layers: [Layer; 4],
        at: (u16, u16),
        sheet: &Sheet,
    ) -> Option<(char, Style)> {
        let has_pixels = sheet.skin.has_pixels();
        // Fast path: most cells are completely inside an area.
        if layers == [layers[0]; 4]
            && let Some(Paint::Solid(Style { fg: Some(colour), add_modifier, .. })) =
                self.paint(layers[0])
            && !add_modifier.contains(Modifier::DIM)
        {
            return Some((' ', Style::new().bg(colour)));
        }
        let paints = layers.map(|layer| self.paint(layer));
        // Hatching fills whole cells. Without quadrant glyphs, it fills cells that are at least half covered.
        let least = if has_pixels { 4 } else { 2 };
        let count = |paint: &Paint| paints.iter().filter(|other| **other == Some(*paint)).count();
        match paints.iter().flatten().find(|paint| count(paint) >= least) {
            Some(Paint::Hatch(style, glyph)) => {
                // A letter in every cell would not look like hatching.
                let is_bare = glyph.is_ascii_alphabetic() && !(at.0 + 2 * at.1).is_multiple_of(4);
                return Some((if is_bare { ' ' } else { *glyph }, *style));
            }
            Some(Paint::Solid(style)) if !has_pixels => {
                return Some((' ', Style::new().bg(style.fg?)));
            }
            None if !has_pixels => return None,
            _ => {}
        }
        let solid = paints.map(|paint| match paint {
            Some(Paint::Solid(style)) => Some(style),
            _ => None,
        });
        let (top, _) = layers
            .iter()
            .zip(&solid)
            .filter(|(_, style)| style.is_some())
            .max_by_key(|(layer, _)| **layer)?;
        let place = layers.iter().position(|layer| layer == top)?;
        let top = solid[place]?;
        let others = || solid.iter().filter(|style| **style != Some(top));
        let count = |style: &&Option<Style>| others().filter(|other| other == style).count();
        let under = others().max_by_key(count).copied().flatten();
        let background = under.and_then(|style| style.fg).filter(|colour| *colour != Color::Reset);
        // Two paints without a color of their own are indistinguishable.
        let joins = under.is_some() && background.is_none();
        let is_set = |style: &Option<Style>| *style == Some(top) || (joins && style.is_some());
        let mask: usize = (0..4).filter(|&at| is_set(&solid[at])).map(|at| 1 << at).sum();
        match top.fg {
            Some(colour) if mask == 15 && !top.add_modifier.contains(Modifier::DIM) => {
                Some((' ', Style::new().bg(colour)))
            }
            _ => Some((QUADRANTS[mask], background.map_or(top, |colour| top.bg(colour)))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Skin;
    use crate::cells::SheetFormat;
    use ratatui::buffer::Buffer;
    use ratatui::layout::Size;

    /// Draws on a canvas of 6 × 3 cells. Returns the lines of text and the buffer.
    fn drawn(skin: Skin, paint: impl FnOnce(&mut PixelCanvas)) -> (Vec<String>, Buffer) {
        let mut buffer = Buffer::empty(Rect::new(0, 0, 6, 3));
        let (area, format) = (buffer.area, SheetFormat::plain(Size::new(6, 3)));
        let mut sheet = Sheet::lay(&mut buffer, area, format, Rect::ZERO, skin);
        let mut canvas = PixelCanvas::over(&sheet);
        paint(&mut canvas);
        canvas.draw(&mut sheet);
        let line = |y| (0..6).map(|x| buffer[(x, y)].symbol().to_owned()).collect();
        ((0..3).map(line).collect(), buffer)
    }

    fn full() -> Skin {
        Skin::default().with_full_glyphs()
    }

    const fn pixel((left, top): (i32, i32)) -> PixelRect {
        PixelRect { left, top, right: left + 1, bottom: top + 1 }
    }

    const RED: Paint = Paint::Solid(Style::new().fg(Color::Red));
    const BLUE: Paint = Paint::Solid(Style::new().fg(Color::Blue));

    #[test]
    fn pixels_are_quarters_of_cells() {
        let (lines, _) = drawn(full(), |canvas| {
            let red = canvas.layer(RED);
            canvas.fill(PixelRect { left: 1, top: 1, right: 8, bottom: 4 }, red);
            for at in [(9, 0), (-1, -1), (12, 0)] {
                canvas.fill(pixel(at), red);
            }
        });
        assert_eq!(lines, ["▗▄▄▄▝ ", "▐     ", "      "]);
    }

    #[test]
    fn cell_shows_its_top_colour_and_its_most_common_colour() {
        let (lines, buffer) = drawn(full(), |canvas| {
            let red = canvas.layer(RED);
            let blue = canvas.layer(BLUE);
            canvas.fill(PixelRect { left: 0, top: 0, right: 1, bottom: 2 }, red);
            canvas.fill(pixel((1, 0)), blue);
            canvas.fill(PixelRect { left: 2, top: 0, right: 3, bottom: 1 }, red);
            canvas.fill(pixel((3, 0)), blue);
        });
        assert_eq!(lines[0], "▝▝    ");
        assert_eq!((buffer[(0, 0)].fg, buffer[(0, 0)].bg), (Color::Blue, Color::Red));
        assert_eq!((buffer[(1, 0)].fg, buffer[(1, 0)].bg), (Color::Blue, Color::Reset));
    }

    #[test]
    fn line_has_no_gap_and_the_same_points_in_both_directions() {
        for to in [(11, 5), (11, 0), (0, 5), (3, 5), (11, 2), (7, -4), (-3, 9)] {
            let points: Vec<_> = straight([(0, 0), to], 1.0).collect();
            assert_eq!((points[0], points[points.len() - 1]), ((0, 0), to));
            let mut back: Vec<_> = straight([to, (0, 0)], 1.0).collect();
            back.reverse();
            assert_eq!(points, back);
            let is_near = |pair: &[(i32, i32)]| {
                (pair[0].0 - pair[1].0).abs() <= 1 && (pair[0].1 - pair[1].1).abs() <= 1
            };
            assert!(points.windows(2).all(is_near), "{to:?}");
            let half: Vec<_> = straight([to, (0, 0)], 0.5).collect();
            assert!(back_starts_with(&points, &half), "{to:?}");
        }
    }

    /// Returns whether a partial line from the far end has the points of the whole line.
    fn back_starts_with(points: &[(i32, i32)], half: &[(i32, i32)]) -> bool {
        points.iter().rev().zip(half).all(|(one, other)| one == other)
    }

    #[test]
    fn pixels_fill_whole_cells_without_quadrants() {
        let (lines, buffer) = drawn(Skin::default(), |canvas| {
            let red = canvas.layer(RED);
            canvas.fill(PixelRect { left: 0, top: 0, right: 3, bottom: 1 }, red);
        });
        assert_eq!(lines[0].trim(), "");
        assert_eq!((buffer[(0, 0)].bg, buffer[(1, 0)].bg), (Color::Red, Color::Reset));
    }
}
