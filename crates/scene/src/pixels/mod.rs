//! Scenes in pixels: layout, drawing and pointer hits for terminals that show images.
//!
//! A board fills the same rectangle of cells as in [`cells`](crate::cells), with its own geometry inside: true squares,
//! a whole number of pixels between dots or tiles, and round dots. A board that does not fit legibly is left to the
//! cells, which scroll.

mod layout;

use crate::{Lettering, PlaceId, Role, Scene, Shape, Skin};
use foldhash::HashMap;
use layout::Layout;
use ratatui::layout::Size;
use tiny_skia::{FillRule, Paint, PathBuilder, Pixmap, Transform};

/// The size of a terminal's cell in pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CellSize {
    pub width: u16,
    pub height: u16,
}

/// The outlines of the letters of both fonts.
#[derive(Debug)]
pub struct Fonts;

impl Fonts {
    /// Reads two font files. Returns `None` if a file is not a font.
    pub fn new(regular: Vec<u8>, bold: Vec<u8>) -> Option<Fonts> {
        [regular, bold].iter().all(|font| skrifa::FontRef::new(font).is_ok()).then_some(Fonts)
    }
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
}

impl<'a> Placement<'a> {
    /// Lays out a scene in a rectangle of cells. Returns `None` if the whole board does not fit legibly.
    pub fn new(
        scene: &'a Scene,
        lettering: Lettering,
        room: Size,
        cell: CellSize,
    ) -> Option<Placement<'a>> {
        Some(Placement { scene, layout: Layout::new(&scene.ground, lettering, room, cell)? })
    }

    /// Draws the scene on the whole rectangle, over the theme's paper or over nothing.
    pub fn draw(&self, skin: Skin, _fonts: &Fonts, paints_paper: bool) -> Pixels {
        let [width, height] = self.layout.size;
        let Some(mut pixmap) = Pixmap::new(width, height) else {
            return Pixels { width: 0, height: 0, rgba: Vec::new() };
        };
        let rgb = |colour| crate::colour::Rgb::of(colour).map(|rgb| [rgb.0, rgb.1, rgb.2]);
        if let Some([r, g, b]) = skin.paper().bg.and_then(rgb).filter(|_| paints_paper) {
            pixmap.fill(tiny_skia::Color::from_rgba8(r, g, b, 255));
        }
        for item in &self.scene.items {
            let Shape::Dot(at) = item.shape else { continue };
            let [x, y] = self.layout.point(at);
            let Some(path) = PathBuilder::from_circle(x, y, 6.0) else { continue };
            let role = if item.role == Role::Cursor { Role::Marker } else { item.role };
            let [r, g, b] = skin.style(role).fg.and_then(rgb).unwrap_or([128; 3]);
            let mut paint = Paint::default();
            paint.set_color_rgba8(r, g, b, 255);
            pixmap.fill_path(&path, &paint, FillRule::Winding, Transform::identity(), None);
        }
        Pixels { width, height, rgba: pixmap.take_demultiplied() }
    }

    /// Returns the place nearest to a pixel, at most `reach` pixels away.
    pub fn hit(&self, pixel: [f32; 2], reach: f32) -> Option<PlaceId> {
        let far = |at: [f32; 2]| (at[0] - pixel[0]).hypot(at[1] - pixel[1]);
        let near = self.places().into_iter().map(|(place, at)| (place, far(at)));
        let near = near.filter(|(_, far)| *far <= reach);
        near.min_by(|(_, one), (_, other)| one.total_cmp(other)).map(|(place, _)| place)
    }

    /// Returns each place with a pixel at which it is hit.
    pub fn places(&self) -> HashMap<PlaceId, [f32; 2]> {
        let at = |shape: &Shape| match shape {
            Shape::Line([from, to], _) => {
                let ends = [*from, *to].map(|at| self.layout.point(at));
                Some([0, 1].map(|axis| f32::midpoint(ends[0][axis], ends[1][axis])))
            }
            Shape::Dot(at) | Shape::Tile(at, _) | Shape::Badge(at, _) | Shape::Label(at, _) => {
                Some(self.layout.point(*at))
            }
            _ => None,
        };
        self.scene.items.iter().filter_map(|item| Some((item.place?, at(&item.shape)?))).collect()
    }
}
