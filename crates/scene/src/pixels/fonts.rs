//! The outlines of letters.

use foldhash::HashMap;
use skrifa::instance::{LocationRef, Size};
use skrifa::outline::{DrawSettings, OutlinePen};
use skrifa::{FontRef, MetadataProvider};
use tiny_skia::{Path, PathBuilder, Transform};

/// The outlines of printable ASCII in a regular and a bold font. Capital letters have a height of 1.
#[derive(Debug)]
pub struct Fonts {
    faces: [HashMap<char, Outline>; 2],
}

#[derive(Debug)]
struct Outline {
    /// `None` for a space.
    path: Option<Path>,
    advance: f32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Weight {
    Regular,
    Bold,
}

impl Fonts {
    /// Reads two font files. Returns `None` if one of them is not a font.
    pub fn new(regular: impl AsRef<[u8]>, bold: impl AsRef<[u8]>) -> Option<Fonts> {
        Some(Fonts { faces: [outlines(regular.as_ref())?, outlines(bold.as_ref())?] })
    }

    pub(super) fn path(&self, letter: char, weight: Weight) -> Option<&Path> {
        self.outline(letter, weight)?.path.as_ref()
    }

    /// Returns the width of a letter relative to the height of capitals.
    pub(super) fn advance(&self, letter: char, weight: Weight) -> f32 {
        self.outline(letter, weight).map_or(0.0, |outline| outline.advance)
    }

    fn outline(&self, letter: char, weight: Weight) -> Option<&Outline> {
        let face = &self.faces[weight as usize];
        face.get(&letter).or_else(|| face.get(&'?'))
    }
}

fn outlines(font: &[u8]) -> Option<HashMap<char, Outline>> {
    let font = FontRef::new(font).ok()?;
    let (size, location) = (Size::unscaled(), LocationRef::default());
    let height = font.metrics(size, location).cap_height.filter(|height| *height > 0.0)?;
    let to_unit = Transform::from_scale(1.0 / height, -1.0 / height);
    let (charmap, glyphs) = (font.charmap(), font.outline_glyphs());
    let metrics = font.glyph_metrics(size, location);
    let outline = |letter: char| {
        let id = charmap.map(letter)?;
        let mut pen = Pen(PathBuilder::new());
        glyphs.get(id)?.draw(DrawSettings::unhinted(size, location), &mut pen).ok()?;
        let path = pen.0.finish().and_then(|path| path.transform(to_unit));
        Some((letter, Outline { path, advance: metrics.advance_width(id)? / height }))
    };
    Some((' '..='~').filter_map(outline).collect())
}

struct Pen(PathBuilder);

impl OutlinePen for Pen {
    fn move_to(&mut self, x: f32, y: f32) {
        self.0.move_to(x, y);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        self.0.line_to(x, y);
    }

    fn quad_to(&mut self, cx: f32, cy: f32, x: f32, y: f32) {
        self.0.quad_to(cx, cy, x, y);
    }

    fn curve_to(&mut self, cx: f32, cy: f32, dx: f32, dy: f32, x: f32, y: f32) {
        self.0.cubic_to(cx, cy, dx, dy, x, y);
    }

    fn close(&mut self) {
        self.0.close();
    }
}
