//! Scenes as compact, readable SVG with a text description.
//!
//! `metrics` computes the positions of points, `shapes` draws the items, and `frame` draws the text around the board.
//! Sizes and colors are CSS classes in a single `<style>` element.
//!
//! Consecutive elements of the same kind and role share a group; consecutive lines share a path. Each element has two
//! classes, one for its kind and one for its role (`line a-lastline`); only the classes in use are defined. A picture
//! cannot leave colors to a terminal, so [`pictured`] provides them.

mod colours;
mod element_kind;
mod frame;
mod metrics;
mod numbers;
mod parts;
mod shapes;
mod text;

#[cfg(feature = "pixels")]
pub(crate) use colours::completed;
pub use colours::pictured;
pub use frame::{Frame, SeatCard};
pub use parts::Bounds;

use super::{Scene, Theme};
use colours::Colours;
use metrics::Metrics;
use parts::SvgPart;
use std::fmt::{self, Write};
use text::escaped;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Svg {
    pub text: String,
    /// The width and height in pixels, before scaling.
    pub size: [u32; 2],
}

/// Draws a scene as SVG, `width` pixels wide or at its natural size. The scene should not contain a cursor.
/// [`pictured`] completes themes that leave colors to the terminal.
pub fn write(scene: &Scene, frame: &Frame, theme: &Theme, width: Option<u32>) -> Svg {
    let drawing = Drawing::new(scene, frame, theme);
    let text = drawing.text(frame, width, |parts| parts.iter().collect());
    Svg { text, size: drawing.size }
}

/// A picture whose parts can be drawn separately.
#[derive(Debug)]
pub struct Drawing {
    /// The width and height in pixels, before scaling.
    pub size: [u32; 2],
    style: String,
    corner: [f64; 2],
    round_the_board: Vec<SvgPart>,
    /// The parts of the board. Their bodies are relative to the corner of the board, their bounds are relative to the
    /// picture.
    board: Vec<SvgPart>,
}

impl Drawing {
    /// Creates a drawing; see [`write()`].
    pub fn new(scene: &Scene, frame: &Frame, theme: &Theme) -> Drawing {
        let theme = pictured(theme);
        let mut colours = Colours::new(&theme);
        let metrics = Metrics::new(&scene.ground);
        let layout = frame::lay_out(&metrics, frame);
        let round_the_board = frame::draw(frame, &layout, &mut colours);
        let mut board = metrics.draw_ground(&scene.ground, &mut colours);
        board.extend(shapes::draw(scene, &metrics, &mut colours));
        let [x, y] = layout.board;
        for part in &mut board {
            let [left, top, right, bottom] = part.bounds;
            part.bounds = [left + x, top + y, right + x, bottom + y];
        }
        let mut style = String::new();
        // Writing to a string never fails.
        let _ = colours.write(&metrics, &mut style);
        Drawing { size: layout.size, style, corner: layout.board, round_the_board, board }
    }

    /// Returns an SVG that looks like the whole picture within these bounds and has few elements outside the bounds.
    pub fn within(&self, bounds: Bounds) -> String {
        self.text(&Frame::default(), None, |parts| parts::within(parts, bounds).collect())
    }

    /// Returns the areas that differ from the previous picture; `None` if the whole picture has changed.
    pub fn changes(&self, before: &Drawing) -> Option<Vec<Bounds>> {
        if (self.size, self.corner) != (before.size, before.corner) {
            return None;
        }
        let mut changes = parts::changes(&before.round_the_board, &self.round_the_board);
        changes.extend(parts::changes(&before.board, &self.board));
        Some(changes)
    }

    fn text<'p>(
        &'p self,
        frame: &Frame,
        width: Option<u32>,
        choose: impl Fn(&'p [SvgPart]) -> Vec<&'p SvgPart>,
    ) -> String {
        let mut text = String::new();
        // Writing to a string never fails.
        let _ = head(frame, self.size, width, &mut text);
        text.push_str(&self.style);
        let _ = parts::write(&choose(&self.round_the_board), &mut text);
        let [x, y] = self.corner;
        let _ = writeln!(text, "<g id=\"board\" transform=\"translate({x} {y})\">");
        let _ = parts::write(&choose(&self.board), &mut text);
        text.push_str("</g>\n</svg>\n");
        text
    }
}

/// Returns the height in pixels of a picture scaled to this width.
pub fn height([width, height]: [u32; 2], wanted: u32) -> u32 {
    let (width, height) = (u64::from(width.max(1)), u64::from(height));
    ((u64::from(wanted) * height + width / 2) / width).clamp(1, u32::MAX.into()) as u32
}

fn head(frame: &Frame, size: [u32; 2], wanted: Option<u32>, out: &mut String) -> fmt::Result {
    let [across, down] = size;
    let width = wanted.unwrap_or(across);
    let height = height(size, width);
    writeln!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {across} {down}\" role=\"img\" aria-labelledby=\"title desc\">"
    )?;
    writeln!(out, "<title id=\"title\">{}</title>", escaped(&frame.name))?;
    writeln!(out, "<desc id=\"desc\">{}</desc>", escaped(&frame.description))
}
