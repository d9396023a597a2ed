//! The positions of scattered points on a sheet. With numbers, points keep a readable distance: if necessary, the
//! picture is stretched to fill the space and, if that is not enough, exceeds the space. Without numbers, points fit
//! into any space.

use crate::At;
use ratatui::layout::Size;

/// The free columns and rows between two numbered points, so that a line between them is visible.
const GAP: (i64, i64) = (2, 1);

/// The minimum height of a picture with heavy dots, provided that the dots have enough space.
const HEAVY_FROM: u16 = 24;

/// The number of steps from the true proportions to a picture that fills the space.
const STRETCHES: u16 = 4;

/// The positions of points on a sheet. Points are numbered starting at 1.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct PointLayout {
    /// For each point, the Braille dot (x, y) at which its lines end.
    ends: Vec<(i32, i32)>,
    /// The weight of dots: 0 for glyphs, 1 for heavy dots.
    pub weight: u16,
}

/// The extent of the points in board units, and the space needed for each point.
struct PointExtent {
    /// The largest column and row of any point; the smallest are 0.
    width: i64,
    height: i64,
    /// The width of the longest number in cells; 0 without numbers.
    digits: i64,
    /// The number of cells by which a dot extends on each side.
    weight: i64,
}

impl PointExtent {
    fn new(places: &[At], numbered: bool, weight: u16) -> PointExtent {
        let digits = i64::from(places.len().max(1).ilog10()) + 1;
        PointExtent {
            width: places.iter().map(|place| place.col.into()).max().unwrap_or(0),
            height: places.iter().map(|place| place.row.into()).max().unwrap_or(0),
            digits: if numbered { digits + 2 * i64::from(weight) } else { 0 },
            weight: weight.into(),
        }
    }

    /// Returns the minimum distances between points in columns and in rows, of which only one has to be met. Points
    /// without numbers may share a cell.
    fn apart(&self) -> (i64, i64) {
        match self.digits {
            0 => (0, 0),
            digits => (1 + digits + GAP.0 + 2 * self.weight, 1 + GAP.1 + self.weight),
        }
    }

    fn longer(&self) -> i64 {
        self.width.max(self.height)
    }

    /// Returns the longer side, in Braille dots, of the largest layout that fits into `room`.
    fn fitting(&self, room: Size) -> i64 {
        let across = 2 * (i64::from(room.width) - self.digits - 2 * self.weight) - 1;
        let down = 4 * (i64::from(room.height) - 2 * self.weight) - 1;
        let side = |dots: i64, extent: i64| dots * self.longer() / extent.max(1);
        side(across, self.width).min(side(down, self.height)).max(0)
    }

    /// Returns the size of the sheet, in cells, for a layout whose longer side is `side` Braille dots.
    fn size(&self, side: i64) -> Size {
        let cells = |extent: i64, dots: i64| {
            side * extent / self.longer().max(1) / dots + 1 + 2 * self.weight
        };
        Size {
            width: (cells(self.width, 2) + self.digits) as u16,
            height: cells(self.height, 4) as u16,
        }
    }

    /// Returns the Braille dot at a point's true position on a sheet, not counting the margin for heavy dots.
    fn dot(&self, place: At, sheet: &FreeCells) -> (i64, i64) {
        (
            i64::from(place.col) * (2 * sheet.columns - 1) / self.width.max(1),
            i64::from(place.row) * (4 * sheet.rows - 1) / self.height.max(1),
        )
    }

    /// Lays out the points on a sheet of this size, each at its true position. If numbers would touch, moves the later
    /// point to a nearby free position if `may_move`; otherwise returns `None`.
    fn lay_out(&self, places: &[At], size: Size, may_move: bool) -> Option<PointLayout> {
        let mut free = FreeCells::new(self, size);
        let mut ends = Vec::with_capacity(places.len());
        for place in places {
            let mut dot = self.dot(*place, &free);
            if !free.is_free((dot.0 / 2, dot.1 / 4)) {
                if !may_move {
                    return None;
                }
                dot = free.near(dot).map_or(dot, |(column, row)| (2 * column, 4 * row + 1));
            }
            free.take((dot.0 / 2, dot.1 / 4));
            let (x, y) = (dot.0 + 2 * self.weight, dot.1 + 4 * self.weight);
            // A heavy dot extends three pixels to the left of the right half of its cell.
            let x = if self.weight > 0 { x | 1 } else { x };
            ends.push((x as i32, y as i32));
        }
        Some(PointLayout { ends, weight: self.weight as u16 })
    }

    /// Returns the least stretched layout in which every point is at its true position and the layout fits into `room`,
    /// with the size of the sheet.
    fn stretched(&self, places: &[At], room: Size) -> Option<(PointLayout, Size)> {
        let fitting = self.size(self.fitting(room));
        let fits = fitting.width <= room.width && fitting.height <= room.height;
        (0..=STRETCHES).filter(|_| fits).find_map(|step| {
            let stretch = |from: u16, to: u16| from + (to - from) * step / STRETCHES;
            let size = Size {
                width: stretch(fitting.width, room.width),
                height: stretch(fitting.height, room.height),
            };
            Some((self.lay_out(places, size, false)?, size))
        })
    }

    /// Returns the longer side, in Braille dots, of the smallest layout in which no numbers touch and all points are at
    /// their true positions. If that is far too large, returns a side at which all numbers fit after some points are
    /// moved.
    fn least(&self, places: &[At]) -> i64 {
        let (columns, rows) = self.apart();
        let mut least = 0;
        for (index, a) in places.iter().enumerate() {
            for b in &places[..index] {
                // Adds two dots, because both positions and the side are rounded.
                let side = |dots: i64, a: i32, b: i32| {
                    let distance = i64::from(a.abs_diff(b)).max(1);
                    ((dots + 2) * self.longer() + distance - 1) / distance
                };
                least =
                    least.max(side(2 * columns, a.col, b.col).min(side(4 * rows, a.row, b.row)));
            }
        }
        let count = places.len() as i64;
        if least * least > 64 * 64 * count { (22 * 22 * count).isqrt() } else { least }
    }
}

impl PointLayout {
    /// Lays out the points. Also returns the size of the sheet in cells. The layout fills the space in true
    /// proportions. If numbers would touch, the layout is stretched step by step until it fills the whole space;
    /// stretching preserves crossings. If numbers would still touch, the layout exceeds the space, and points that
    /// would touch earlier points are moved to nearby free positions.
    pub fn fit(places: &[At], numbered: bool, room: Size) -> (PointLayout, Size) {
        if numbered && room.height >= HEAVY_FROM {
            let heavy = PointExtent::new(places, numbered, 1).stretched(places, room);
            if let Some(heavy) = heavy.filter(|(_, size)| size.height >= HEAVY_FROM) {
                return heavy;
            }
        }
        let extent = PointExtent::new(places, numbered, 0);
        let mut side = extent.fitting(room);
        if numbered {
            if let Some(stretched) = extent.stretched(places, room) {
                return stretched;
            }
            side = side.max(extent.least(places));
        }
        let size = extent.size(side);
        (extent.lay_out(places, size, true).unwrap_or_default(), size)
    }

    /// Returns the Braille dot at which the lines of the point with this index end.
    pub fn end(&self, index: usize) -> (i32, i32) {
        self.ends.get(index).copied().unwrap_or_default()
    }
}

/// The cells that are far enough from all points placed so far.
struct FreeCells {
    columns: i64,
    rows: i64,
    apart: (i64, i64),
    free: Vec<bool>,
}

impl FreeCells {
    fn new(extent: &PointExtent, size: Size) -> FreeCells {
        let columns = (i64::from(size.width) - extent.digits - 2 * extent.weight).max(1);
        let rows = (i64::from(size.height) - 2 * extent.weight).max(1);
        FreeCells {
            columns,
            rows,
            apart: extent.apart(),
            free: vec![true; (columns * rows) as usize],
        }
    }

    fn is_free(&self, (column, row): (i64, i64)) -> bool {
        self.free[(row * self.columns + column) as usize]
    }

    /// Returns the cells that are less than this many columns and rows away.
    fn around(
        &self,
        (column, row): (i64, i64),
        (columns, rows): (i64, i64),
    ) -> impl Iterator<Item = (i64, i64)> + use<> {
        let columns = (column - columns + 1).max(0)..(column + columns).min(self.columns);
        let rows = (row - rows + 1).max(0)..(row + rows).min(self.rows);
        rows.flat_map(move |row| columns.clone().map(move |column| (column, row)))
    }

    fn take(&mut self, cell: (i64, i64)) {
        for (column, row) in self.around(cell, self.apart) {
            self.free[(row * self.columns + column) as usize] = false;
        }
    }

    /// Returns a free cell near a Braille dot. The search starts in a small square and doubles the side until it
    /// succeeds.
    fn near(&self, (x, y): (i64, i64)) -> Option<(i64, i64)> {
        let far = |&(column, row): &(i64, i64)| {
            let (dx, dy) = (2 * column - x, 4 * row + 1 - y);
            dx * dx + dy * dy
        };
        let sides = std::iter::successors(Some(4), |side| Some(2 * side));
        sides.take_while(|&side| side < 4 * self.columns.max(self.rows)).find_map(|side| {
            let square = self.around((x / 2, y / 4), (2 * side, side));
            square.filter(|&cell| self.is_free(cell)).min_by_key(far)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::braille::cell;
    use super::*;
    use crate::BoardGeometry;
    use quadrille_rules::Position;
    use quadrille_rules::join_the_dots::{JoinTheDots, Point, UNIT};
    use ratatui::layout::{Position as Cell, Rect};

    fn places(points: &[Point]) -> Vec<At> {
        match BoardGeometry::scattered(points.iter().map(|point| (point.x, point.y))) {
            BoardGeometry::Points(places) => places,
            ground => panic!("{ground:?}"),
        }
    }

    fn layout(setup: &str) -> Vec<Point> {
        JoinTheDots::from_setup(&setup.parse().unwrap()).unwrap().points().to_vec()
    }

    /// Returns sets of points that are too close together to be distinguishable at any scale that fits on a screen.
    fn hostile() -> Vec<Vec<Point>> {
        let bow = |count: u32, at: u32| (0..count).map(move |i| Point { x: at + i, y: at + i * i });
        let mut pair = layout("layout=random:10");
        pair.push(Point { x: pair[0].x + 1, y: pair[0].y });
        vec![
            pair,
            bow(200, 0).collect(),
            bow(100, 0).chain(bow(100, 900_000)).collect(),
            bow(190, 0).chain(layout("layout=circle:10")).collect(),
            vec![Point { x: 0, y: 0 }, Point { x: 1, y: 0 }, Point { x: UNIT, y: 1 }],
            layout("layout=circle:200"),
        ]
    }

    fn rooms() -> impl Iterator<Item = Size> {
        [(0, 0), (1, 1), (20, 8), (44, 18), (120, 45), (300, 90), (10, 200)]
            .into_iter()
            .map(Size::from)
    }

    /// Lays out the points and asserts that all numbers are on the sheet and do not touch. Returns the size of the
    /// sheet and the layout.
    fn lay_out(points: &[Point], room: Size) -> (Size, PointLayout) {
        let places = places(points);
        let (layout, size) = PointLayout::fit(&places, true, room);
        let labelled = |index: usize| {
            let digits = (index + 1).ilog10() as u16 + 1;
            let Cell { x, y } = cell(layout.end(index));
            let weight = layout.weight;
            Rect {
                x: x - weight,
                y: y - weight,
                width: 1 + digits + 4 * weight,
                height: 1 + weight,
            }
        };
        let labels: Vec<Rect> = (0..points.len()).map(labelled).collect();
        for (index, label) in labels.iter().enumerate() {
            assert!(
                label.right() <= size.width && label.bottom() <= size.height,
                "{label:?} {size}"
            );
            let (columns, rows) = (GAP.0 as u16, GAP.1 as u16);
            let apart = |other: &Rect| {
                other.right() + columns <= label.x
                    || label.right() + columns <= other.x
                    || other.bottom() + rows <= label.y
                    || label.bottom() + rows <= other.y
            };
            for other in &labels[..index] {
                assert!(apart(other), "{label:?} and {other:?} touch");
            }
        }
        (size, layout)
    }

    /// Returns whether every numbered point is at its true position on a sheet of this size.
    fn is_true(points: &[Point], size: Size, weight: u16) -> bool {
        let places = places(points);
        PointExtent::new(&places, true, weight).lay_out(&places, size, false).is_some()
    }

    #[test]
    fn point_numbers_stay_apart_at_their_points() {
        let sets = (0..30).map(|seed| format!("layout=random:10 seed={seed}"));
        let more = ["layout=eight", "layout=circle:12", "layout=circle:60", "layout=random:200"];
        for setup in sets.chain(more.map(str::to_owned)) {
            let points = layout(&setup);
            for room in rooms() {
                let (size, layout) = lay_out(&points, room);
                assert!(is_true(&points, size, layout.weight), "{setup} in {room} on {size}");
            }
        }
    }

    #[test]
    fn ten_random_points_fit_without_scrolling() {
        let room = Size::new(44, 18);
        let fits = |seed: &u32| {
            let size = lay_out(&layout(&format!("layout=random:10 seed={seed}")), room).0;
            size.width <= room.width && size.height <= room.height
        };
        assert_eq!((0..100).filter(fits).count(), 100);
    }

    /// The space beside a review on a screen of 80 × 24, then on a screen of 40 × 12.
    #[test]
    fn ten_random_points_stretch_before_scrolling() {
        let fitting = |room: Size| {
            let fits = |seed: &u32| {
                let points = layout(&format!("layout=random:10 seed={seed}"));
                let (size, layout) = lay_out(&points, room);
                let fits = size.width <= room.width && size.height <= room.height;
                fits && is_true(&points, size, layout.weight)
            };
            (0..100).filter(fits).count()
        };
        assert_eq!(fitting(Size::new(42, 15)), 100);
        assert!(fitting(Size::new(36, 9)) > 85, "{}", fitting(Size::new(36, 9)));
    }

    #[test]
    fn overlapping_point_numbers_move_apart() {
        for points in hostile() {
            for room in rooms() {
                let (size, _) = lay_out(&points, room);
                let least = 22 * 22 * points.len() as u32 / 8;
                assert!(size.area() <= room.area().max(2 * least), "{size} in {room}");
            }
        }
    }

    #[test]
    fn point_layout_fills_the_room() {
        let places = places(&layout("layout=circle:12"));
        for room in [Size::new(44, 18), Size::new(44, 60), Size::new(u16::MAX, 300)] {
            let (_, size) = PointLayout::fit(&places, true, room);
            let (width, height) = (i32::from(size.width), i32::from(size.height));
            assert!(width == i32::from(room.width) || height == i32::from(room.height), "{size}");
            assert!((width - 2 * height).abs() <= 4, "{size} does not look square");
        }
    }

    #[test]
    fn unnumbered_points_stay_in_place_in_any_room() {
        let more = ["layout=random:200", "layout=circle:12", "points=0,0;0,1"].map(layout);
        for places in hostile().iter().chain(&more).map(|points| places(points)) {
            for room in rooms().filter(|room| room.area() > 0) {
                let (layout, size) = PointLayout::fit(&places, false, room);
                assert!(size.width <= room.width && size.height <= room.height, "{size} in {room}");
                let layout_there =
                    PointExtent::new(&places, false, 0).lay_out(&places, size, false);
                assert_eq!(layout_there.as_ref(), Some(&layout), "in {room}");
                let is_on = |Cell { x, y }| x < size.width && y < size.height;
                assert!(layout.ends.iter().all(|end| is_on(cell(*end))), "{size} in {room}");
            }
        }
    }

    #[test]
    fn zero_to_two_points_have_a_layout() {
        for points in [vec![], vec![Point { x: 9, y: 9 }], layout("points=0,0;0,1")] {
            for room in rooms() {
                lay_out(&points, room);
            }
        }
    }
}
