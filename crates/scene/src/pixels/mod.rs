//! Scenes in pixels: layout, drawing and pointer hits for terminals that show images.
//!
//! A board fills a rectangle of cells, as in [`cells`](crate::cells), with its own geometry inside: true squares, a whole
//! number of pixels between dots or tiles, and round dots. `layout` computes positions and sizes, `numbers` the places
//! of texts beside scattered points. `canvas` is the image; a figure that occurs many times, such as a dot or a digit,
//! is rasterized once. `items` draws the items of a scene from bottom to top, then `labels` the labels of moves.
//!
//! Everything is painted at full opacity in the colors of a theme, so that an image has few colors. A board that does
//! not fit legibly as a whole is left to the cells, which scroll.

mod canvas;
mod fonts;
mod inks;
mod items;
mod labels;
mod layout;
mod lines;
mod numbers;
mod tiles;

pub use fonts::Fonts;

use crate::{BoardGeometry, Item, Lettering, PlaceId, Scene, Shape, Skin};
use canvas::{Canvas, Point};
use foldhash::HashMap;
use inks::Inks;
use items::Painter;
use layout::{Ground, Layout, STRETCHES};
use numbers::{Block, NumberPlaces, distance};
use ratatui::layout::Size;

/// The size of a terminal's cell in pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CellSize {
    pub width: u16,
    pub height: u16,
}

/// An image in straight (not premultiplied) RGBA, row by row. Alpha is 0 where nothing is drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pixels {
    pub width: u32,
    pub height: u32,
    pub rgba: Vec<u8>,
}

/// A scene laid out in a rectangle of cells.
#[derive(Debug)]
pub struct Placement<'a> {
    scene: &'a Scene,
    layout: Layout,
    /// The places of the numbers of scattered points.
    numbers: Option<NumberPlaces>,
}

impl<'a> Placement<'a> {
    /// Lays out a scene. Returns `None` if the whole board does not fit legibly.
    pub fn new(
        scene: &'a Scene,
        lettering: Lettering,
        room: Size,
        cell: CellSize,
    ) -> Option<Placement<'a>> {
        let ground = &scene.ground;
        let lay_out = |stretch| Layout::new(ground, lettering, room, cell, stretch);
        let (layout, numbers) = match ground {
            BoardGeometry::Points(points) if lettering != Lettering::None => {
                let (layout, mut numbers) = (0..=STRETCHES).find_map(|stretch| {
                    let layout = lay_out(stretch)?;
                    let numbers = NumberPlaces::new(&layout, points)?;
                    Some((layout, numbers))
                })?;
                numbers.follow(scene, &layout);
                (layout, Some(numbers))
            }
            _ => (lay_out(0)?, None),
        };
        Some(Placement { scene, layout, numbers })
    }

    /// Draws the scene on the whole rectangle, over the theme's paper if the theme has one and `paints_paper` is set,
    /// otherwise over nothing.
    pub fn draw(&self, skin: Skin, fonts: &Fonts, paints_paper: bool) -> Pixels {
        let [width, height] = self.layout.size;
        let inks = Inks::new(skin);
        let paper = (paints_paper && skin.theme().paints()).then_some(inks.paper);
        let Some(canvas) = Canvas::new(self.layout.size, paper, fonts) else {
            return Pixels { width: 0, height: 0, rgba: Vec::new() };
        };
        let numbers = self.numbers.clone();
        let mut painter = Painter { layout: &self.layout, inks: &inks, canvas, numbers };
        painter.draw_ground(&self.scene.ground);
        painter.draw_items(self.scene);
        painter.draw_labels(self.scene);
        Pixels { width, height, rgba: painter.canvas.finish() }
    }

    /// Returns the place nearest to a pixel, at most `reach` pixels away. Of several places at the pixel, the topmost
    /// one is hit.
    pub fn hit(&self, pixel: Point, reach: f32) -> Option<PlaceId> {
        let far = |item: &Item| Some((item.place?, self.distance(&item.shape, pixel)?));
        let near = self.scene.items.iter().rev().filter_map(far).filter(|(_, far)| *far <= reach);
        near.min_by(|(_, one), (_, other)| one.total_cmp(other)).map(|(place, _)| place)
    }

    /// Returns each place with a pixel at which it is hit.
    pub fn places(&self) -> HashMap<PlaceId, Point> {
        let at = |shape: &Shape| match shape {
            Shape::Line(ends, _) => Some(middle(ends.map(|at| self.layout.point(at)))),
            Shape::Dot(at) | Shape::Tile(at, _) | Shape::Badge(at, _) | Shape::Label(at, _) => {
                Some(self.layout.point(*at))
            }
            _ => None,
        };
        self.scene.items.iter().filter_map(|item| Some((item.place?, at(&item.shape)?))).collect()
    }

    /// Returns the distance between an item, at its full size, and a pixel; 0 inside.
    fn distance(&self, shape: &Shape, pixel: Point) -> Option<f32> {
        let layout = &self.layout;
        let from_disc = |at: Point, radius: f32| (distance(pixel, [at; 2]) - radius).max(0.0);
        match shape {
            Shape::Line(ends, _) => {
                let line = ends.map(|at| layout.point(at));
                Some((distance(pixel, line) - layout.line / 2.0).max(0.0))
            }
            Shape::Dot(at) => Some(from_disc(layout.point(*at), layout.dot)),
            Shape::Badge(at, _) => Some(from_disc(layout.point(*at), layout.badge())),
            Shape::Tile(at, _) => {
                let half = [layout.tile() / 2.0; 2];
                Some(Block { middle: layout.point(*at), half }.distance(pixel))
            }
            Shape::Label(at, _) => Some(self.numbers.as_ref()?.place(*at)?.distance(pixel)),
            Shape::Arrow(at, side, _) => {
                Some(from_disc(layout.beside(*at, *side), layout.pointer() / 2.0))
            }
            Shape::Cross(_) | Shape::Area(..) | Shape::Polygon(..) | Shape::Note(..) => None,
        }
    }
}

fn middle([one, other]: [Point; 2]) -> Point {
    [0, 1].map(|axis| f32::midpoint(one[axis], other[axis]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{At, LineStyle, Role};

    const CELL: CellSize = CellSize { width: 10, height: 20 };

    fn placed(scene: &Scene, lettering: Lettering) -> Option<Placement<'_>> {
        Placement::new(scene, lettering, Size::new(40, 20), CELL)
    }

    #[test]
    fn nearest_place_within_reach_is_hit() {
        let mut scene = Scene::on(BoardGeometry::Lattice { rows: 3, cols: 3, numbered: false });
        let at = |row: u8, col: u8| At::new(row, col);
        let [across, down] = [PlaceId(0, 0), PlaceId(0, 1)];
        scene.add_at(across, Shape::Line([at(0, 0), at(0, 1)], LineStyle::Faint), Role::Board);
        scene.add_at(down, Shape::Line([at(0, 0), at(1, 0)], LineStyle::Faint), Role::Board);
        let placed = placed(&scene, Lettering::All).expect("a small board");
        let (corner, pitch) = (placed.layout.point(at(0, 0)), placed.layout.pitch);
        let hit = |x: f32, y: f32, reach| {
            placed.hit([corner[0] + x * pitch, corner[1] + y * pitch], reach)
        };
        assert_eq!(hit(0.5, 0.0, 0.0), Some(across));
        assert_eq!(hit(0.5, 0.05, 5.0), Some(across));
        assert_eq!(hit(0.05, 0.4, 5.0), Some(down));
        assert_eq!(hit(0.4, 0.3, pitch), Some(across));
        assert_eq!(hit(0.3, 0.4, pitch), Some(down));
        assert_eq!(hit(0.5, 0.5, 5.0), None);
        assert_eq!(hit(1.5, 0.0, 5.0), None);
    }

    #[test]
    fn boards_that_are_not_legible_are_left_to_cells() {
        let lattice = |count| BoardGeometry::Lattice { rows: count, cols: count, numbered: false };
        for (count, fits) in [(2, true), (10, true), (64, false)] {
            let scene = Scene::on(lattice(count));
            assert_eq!(placed(&scene, Lettering::All).is_some(), fits, "{count}");
        }
        // A picture is only looked at.
        let scene = Scene::on(lattice(50));
        assert!(placed(&scene, Lettering::All).is_none());
        assert!(placed(&scene, Lettering::None).is_some());
        let points = (0..3).map(|x| At::new(0, x)).chain([At::new(0, 1000)]).collect();
        let scene = Scene::on(BoardGeometry::Points(points));
        assert!(placed(&scene, Lettering::All).is_none(), "the first dots touch");
        for room in [Size::ZERO, Size::new(1, 1), Size::new(0, 30)] {
            assert!(
                Placement::new(&scene, Lettering::None, room, CELL)
                    .is_none_or(|placed| { placed.layout.size.iter().all(|length| *length > 0) })
            );
        }
    }

    fn is_whole(length: f32) -> bool {
        length.fract().abs() < f32::EPSILON
    }

    #[test]
    fn tiles_are_square_and_lines_have_sharp_edges() {
        for (count, ruled) in [(3, true), (5, false), (8, true)] {
            let scene =
                Scene::on(BoardGeometry::Grid { rows: count, cols: count, first: 'a', ruled });
            let layout = &placed(&scene, Lettering::All).expect("a small board").layout;
            let [x, y] = layout.point(At::new(1, 1));
            let [left, top] = layout.point(At::new(0, 0));
            assert!(is_whole(layout.pitch) && (x - left - (y - top)).abs() < f32::EPSILON);
            let edge = if ruled { layout.pitch + layout.line } else { layout.tile() };
            assert!(is_whole(x - edge / 2.0) && is_whole(y - edge / 2.0), "{layout:?}");
        }
        for count in 2..12 {
            let scene = Scene::on(BoardGeometry::Lattice { rows: count, cols: 2, numbered: false });
            let layout = &placed(&scene, Lettering::All).expect("a small board").layout;
            let edges = layout.point(At::new(1, 1)).map(|at| at - layout.line / 2.0);
            assert!(edges.into_iter().all(is_whole), "{layout:?}");
        }
    }
}
