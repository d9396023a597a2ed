//! The positions of points, tiles and items on a sheet, and the size of the sheet in a given space.

use super::canvas::PixelRect;
use super::grid::{self, centre};
use super::point_layout::PointLayout;
use super::{SheetFormat, heavy, lattice};
use crate::{At, BoardGeometry, Direction, Lettering, Shape};
use foldhash::HashMap;
use ratatui::layout::{Rect, Size};

#[derive(Debug)]
pub(super) struct SheetLayout {
    pub format: SheetFormat,
    map: Map,
}

#[derive(Debug)]
enum Map {
    Lattice { has_labels: bool },
    Grid { ruled: bool },
    Points(PointLayout, HashMap<At, usize>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LabelSlot {
    /// Centered in this row of cells, over any ink.
    Middle(Rect),
    /// Left-aligned in this row of cells, over any ink.
    Left(Rect),
    /// Near these cells, in free cells only.
    Near(Rect),
}

/// The columns to the right of a numbered lattice and the rows below it, for the labels of the last dots.
const MARGIN: (u16, u16) = (4, 1);

/// Returns the format with coordinates if the whole board fits. If the board fits only without them, each axis has
/// coordinates if there is space; a scrolling board always has coordinates.
fn with_coordinates(labels: Size, room: Size, fit: impl Fn(Size) -> SheetFormat) -> SheetFormat {
    let all = [labels, Size { height: 0, ..labels }, Size { width: 0, ..labels }, Size::ZERO];
    all.into_iter().map(&fit).find(|format| format.fits(room)).unwrap_or_else(|| fit(labels))
}

/// Returns the number of columns on each side of a vertical line that its label may use if dots are `dx` columns apart.
/// The labels of neighboring lines do not touch.
fn margin(dx: u16) -> u16 {
    (dx / 2 - 1).min(2)
}

impl SheetLayout {
    /// Lays out a board as large as the space allows, up to a maximum size that still looks good. The result exceeds
    /// the space only if the board cannot be drawn any smaller.
    pub fn new(ground: &BoardGeometry, room: Size, lettering: Lettering) -> SheetLayout {
        let is_lettered = lettering != Lettering::None;
        let has_coordinates = lettering == Lettering::All;
        match *ground {
            BoardGeometry::Lattice { rows, cols, numbered } => {
                let fit = |labels| lattice::fit([rows, cols], labels, numbered, room);
                let coordinates = Size::new(grid::digits(rows.into()) as u16, 1);
                let mut format = match (has_coordinates, numbered) {
                    (false, _) => fit(Size::ZERO),
                    (true, true) => fit(coordinates),
                    (true, false) => with_coordinates(coordinates, room, fit),
                };
                let [across, down] = match (is_lettered, numbered) {
                    (false, _) => [[0; 2]; 2],
                    (true, false) => [[margin(format.across.pitch()); 2], [0; 2]],
                    (true, true) => [[0, MARGIN.0], [0, MARGIN.1]],
                };
                format.across = format.across.padded(across, room.width);
                format.down = format.down.padded(down, room.height);
                SheetLayout { format, map: Map::Lattice { has_labels: is_lettered } }
            }
            BoardGeometry::Grid { rows, cols, ruled, .. } => {
                // A column separates the row numbers from ruled tiles; for separate tiles, the pad does.
                let digits = grid::digits(rows.into()) as u16 + u16::from(ruled);
                let labels = if has_coordinates { Size::new(digits, 1) } else { Size::ZERO };
                let format = grid::fit([rows, cols], labels, ruled, is_lettered, room);
                SheetLayout { format, map: Map::Grid { ruled } }
            }
            BoardGeometry::Points(ref places) => {
                let (points, size) = PointLayout::fit(places, is_lettered, room);
                let indices = places.iter().enumerate().map(|(index, at)| (*at, index)).collect();
                SheetLayout { format: SheetFormat::plain(size), map: Map::Points(points, indices) }
            }
        }
    }

    /// Returns the cell of a point or the central cell of a tile.
    pub fn point(&self, at: At) -> (u16, u16) {
        match &self.map {
            Map::Lattice { .. } | Map::Grid { .. } => centre(self.format.field(at)),
            Map::Points(..) => super::braille::cell(self.end(at)).into(),
        }
    }

    /// Returns the Braille dot at which the lines of a point end.
    pub fn end(&self, at: At) -> (i32, i32) {
        let Map::Points(points, indices) = &self.map else {
            let (x, y) = self.point(at);
            return (2 * i32::from(x), 4 * i32::from(y));
        };
        indices.get(&at).map_or((0, 0), |index| points.end(*index))
    }

    /// Returns the weight of dots and lines; 0 if the board is drawn in glyphs.
    pub const fn weight(&self) -> u16 {
        match &self.map {
            Map::Lattice { .. } => lattice::weight(self.format.down.pitch()),
            Map::Points(points, _) => points.weight,
            Map::Grid { .. } => 0,
        }
    }

    /// Returns the pixels of an item; `None` if the item is drawn in glyphs.
    pub fn pixels(&self, shape: &Shape) -> Option<PixelRect> {
        let weight = i32::from(self.weight());
        match (&self.map, shape) {
            (Map::Grid { ruled: false }, Shape::Arrow(at, side, _)) => {
                // Without pads, there is no space next to a tile.
                let has_room = self.format.across.pads[0] > 1;
                let size = grid::pointer(self.format.down.field);
                has_room.then(|| heavy::beside_tile(self.format.field(*at), *side, size.into()))
            }
            (Map::Points(..), Shape::Dot(at)) if weight > 0 => {
                Some(heavy::disc_round(self.end(*at)))
            }
            (Map::Lattice { .. }, _) if weight > 0 => {
                let dot = lattice::dot(self.weight(), self.format.down.field);
                heavy::on_lattice(shape, (weight, dot.into()), |at| self.point(at))
            }
            _ => None,
        }
    }

    /// Returns the clickable cells of an item at its full size.
    pub fn cells(&self, shape: &Shape) -> Rect {
        match shape {
            Shape::Line(..) => self.glyph_cells(shape),
            _ => self.pixels(shape).map_or_else(|| self.glyph_cells(shape), PixelRect::cells),
        }
    }

    /// Returns the cells of an item drawn in glyphs. For lines and areas between scattered points, this is the bounding
    /// box.
    pub fn glyph_cells(&self, shape: &Shape) -> Rect {
        match shape {
            Shape::Dot(at) => self.one(*at),
            Shape::Tile(at, _) => self.format.field(*at),
            Shape::Arrow(at, side, _) => self.beside(*at, *side),
            Shape::Badge(at, _) => self.badge(*at),
            // The places of numbers depend on the lines; see `numbers`.
            Shape::Label(..) => Rect::ZERO,
            Shape::Line(ends, _) => self.between(*ends, is_upright(shape)),
            Shape::Cross(lines) => {
                let [one, other] = lines.map(|ends| self.round(&ends));
                one.intersection(other)
            }
            Shape::Area(corners, _) | Shape::Note(corners, _) => {
                let area = self.round(corners);
                let (width, height) = (area.width.saturating_sub(2), area.height.saturating_sub(2));
                Rect { x: area.x + 1, y: area.y + 1, width, height }
            }
            Shape::Polygon(corners, _) => self.round(corners),
        }
    }

    fn one(&self, at: At) -> Rect {
        let (x, y) = self.point(at);
        Rect { x, y, width: 1, height: 1 }
    }

    /// Returns the cells of a badge: the dot and one cell on each side.
    fn badge(&self, at: At) -> Rect {
        let dot = self.one(at);
        Rect { x: dot.x.saturating_sub(1), width: 3, ..dot }
    }

    fn round(&self, points: &[At]) -> Rect {
        let cells = points.iter().map(|at| self.one(*at));
        cells.reduce(Rect::union).unwrap_or(Rect::ZERO)
    }

    /// Returns the cells of a line. The ends are included except on a lattice, where they belong to the dots.
    fn between(&self, ends: [At; 2], upright: bool) -> Rect {
        let line = self.round(&ends);
        match &self.map {
            Map::Lattice { .. } if upright => {
                Rect { y: line.y + 1, height: line.height.saturating_sub(2), ..line }
            }
            Map::Lattice { .. } => {
                Rect { x: line.x + 1, width: line.width.saturating_sub(2), ..line }
            }
            Map::Grid { .. } | Map::Points(..) => line,
        }
    }

    /// Returns the cell just outside the middle of a side of a tile or a badge. At the edge of the sheet, returns the
    /// cell just inside.
    fn beside(&self, at: At, side: Direction) -> Rect {
        let part = match &self.map {
            Map::Lattice { .. } => self.badge(at),
            Map::Grid { .. } => self.format.field(at),
            Map::Points(..) => self.one(at),
        };
        let (x, y) = centre(part);
        let Size { width, height } = self.format.size();
        let (x, y) = match side {
            Direction::Left => (part.x.saturating_sub(1), y),
            Direction::Right => (part.right().min(width - 1), y),
            Direction::Up if part.y > self.format.down.labels => (x, part.y - 1),
            Direction::Up => (x, part.y),
            Direction::Down => (x, part.bottom().min(height - 1)),
        };
        Rect { x, y, width: 1, height: 1 }
    }

    pub const fn is_ruled(&self) -> bool {
        matches!(self.map, Map::Grid { ruled: true })
    }

    /// Returns whether lines are drawn with Braille dots between any two points.
    pub const fn is_scattered(&self) -> bool {
        matches!(self.map, Map::Points(..))
    }

    /// Returns the space for the label of a move selected at this item, if there is any. `is_framed` means that tiles
    /// have frames.
    pub fn slot(&self, shape: &Shape, is_framed: bool) -> Option<LabelSlot> {
        let cells = self.cells(shape);
        match (&self.map, shape) {
            (Map::Lattice { has_labels: false, .. }, _) | (Map::Grid { .. }, Shape::Arrow(..)) => {
                None
            }
            (Map::Lattice { .. }, Shape::Line(..)) if is_upright(shape) => {
                let margin = margin(self.format.across.pitch());
                let x = cells.x.saturating_sub(margin);
                let (y, width) = (cells.y + cells.height / 2, cells.x - x + cells.width + margin);
                Some(LabelSlot::Middle(Rect { x, y, width, height: 1 }))
            }
            (Map::Lattice { .. }, Shape::Line(..)) => Some(LabelSlot::Middle(cells)),
            // To the right of the dot and one row below it, where there are no segments; if there is no space below the
            // last row, directly to the right of the dot.
            (Map::Lattice { .. }, Shape::Dot(at) | Shape::Badge(at, _)) => {
                let ((x, y), weight) = (self.point(*at), self.weight());
                let (beside, below) = (x + 1 + weight, y + (2 * weight).max(1));
                let (x, y, width) = if below < self.format.down.length() {
                    (beside, below, self.format.across.pitch() - 1 - 2 * weight)
                } else {
                    (cells.right(), y, 1)
                };
                Some(LabelSlot::Left(Rect { x, y, width, height: 1 }))
            }
            (Map::Grid { ruled }, _) => {
                let is_blank = matches!(shape, Shape::Tile(_, None)) && !is_framed;
                Some(LabelSlot::Middle(match cells.height {
                    _ if *ruled || is_blank => Rect { y: centre(cells).1, height: 1, ..cells },
                    0..=2 => Rect { width: 1, height: 1, ..cells },
                    _ => Rect { y: cells.bottom() - 1, height: 1, ..cells },
                }))
            }
            (Map::Lattice { .. } | Map::Points(..), _) => None,
        }
    }
}

pub(super) const fn is_upright(shape: &Shape) -> bool {
    matches!(shape, Shape::Line([At { col: from, .. }, At { col: to, .. }], _) if *from == *to)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Row and column numbers identify a move, so only the board itself takes precedence over them.
    #[test]
    fn lattice_shows_numbers_where_they_fit() {
        for (rows, cols) in [(2, 2), (3, 5), (4, 4), (5, 5), (11, 11)] {
            let ground = BoardGeometry::Lattice { rows, cols, numbered: false };
            let least = Size::new(4 * u16::from(cols) - 3, 2 * u16::from(rows) - 1);
            let digits = grid::digits(rows.into()) as u16;
            for (width, height) in (9..120).flat_map(|width| (5..50).map(move |high| (width, high)))
            {
                let room = Size { width, height };
                let format = SheetLayout::new(&ground, room, Lettering::All).format;
                let (across, down) = (format.across.labels > 0, format.down.labels > 0);
                let fits = width >= least.width && height >= least.height;
                if fits {
                    assert_eq!(across, width >= least.width + digits, "{rows} x {cols} in {room}");
                    assert_eq!(down, height > least.height, "{rows} x {cols} in {room}");
                    let size = format.size();
                    assert!(size.width <= width && size.height <= height, "all of it shows");
                } else {
                    assert!(across && down, "{rows} x {cols} scrolls in {room}");
                }
            }
        }
    }
}
