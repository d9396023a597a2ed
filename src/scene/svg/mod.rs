//! A scene as SVG that is small, can be read by people, and says in words what it shows.
//!
//! `metrics` says where the points of the ground stand, `shapes` draws the items, and `frame` the texts
//! round the board. Sizes and colours are CSS classes in one `<style>` element.

mod colours;
mod element_kind;
mod frame;
mod geometry;
mod metrics;
mod numbers;
mod shapes;
mod text;

pub use colours::pictured;
pub use frame::{Frame, SeatCard};

use super::{Scene, Theme};
use colours::Colours;
use metrics::Metrics;
use std::fmt::{self, Write};
use text::escaped;

/// A picture as SVG, and its natural size.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Svg {
    /// The text of the file.
    pub text: String,
    /// Width and height in pixels, before it is scaled.
    pub size: [u32; 2],
}

/// Draws a scene as SVG, `width` pixels wide or in its natural size. The scene should have no cursor. A
/// theme that leaves colours to the terminal is changed as [`pictured`] says.
pub fn write<P>(scene: &Scene<P>, frame: &Frame, theme: &Theme, width: Option<u32>) -> Svg {
    let theme = pictured(theme);
    let mut colours = Colours::new(&theme);
    let metrics = Metrics::new(&scene.ground);
    let layout = frame::lay_out(&metrics, frame);
    let body = {
        let mut body = String::new();
        // Writing to a string never fails.
        let _ = frame::draw(frame, &layout, &mut colours, &mut body);
        let [x, y] = layout.board;
        let _ = writeln!(body, "<g id=\"board\" transform=\"translate({x} {y})\">");
        let _ = metrics.draw_ground(&scene.ground, &mut colours, &mut body);
        let _ = shapes::draw(scene, &metrics, &mut colours, &mut body);
        body.push_str("</g>\n");
        body
    };
    let mut text = String::new();
    let _ = head(frame, layout.size, width, &mut text);
    let _ = colours.write(&metrics, &mut text);
    text.push_str(&body);
    text.push_str("</svg>\n");
    Svg { text, size: layout.size }
}

/// The height of a picture of this size, in pixels, once it is scaled to the wanted width.
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
