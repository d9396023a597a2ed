//! A scene as a picture: SVG that is small, can be read by hand, and says in words what it shows.
//!
//! Where a point of the ground stands says `plan`; what an item looks like, `shapes`; what is said
//! round the board, `frame`. How large things are and what colours they have are classes, in one block of
//! style.

mod colours;
mod frame;
mod geometry;
mod kind;
mod numbers;
mod plan;
mod shapes;
mod text;

pub use colours::pictured;
pub use frame::{Frame, SeatCard};

use super::{Scene, Theme};
use colours::Colours;
use plan::Plan;
use std::fmt::{self, Write};
use text::escaped;

/// A picture as SVG, and how large it is before it is scaled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Svg {
    /// The text of the file.
    pub text: String,
    /// Columns and rows of pixels at its natural size.
    pub size: [u32; 2],
}

/// The picture of a scene, as it is to be looked at: the cursor is no part of it, so the scene should
/// have none. It is `width` pixels wide, or of its natural size. A theme that leaves colours to the
/// terminal is drawn as [`pictured`] says.
pub fn write<P>(scene: &Scene<P>, frame: &Frame, theme: &Theme, width: Option<u32>) -> Svg {
    let theme = pictured(theme);
    let mut colours = Colours::new(&theme);
    let plan = Plan::new(&scene.ground);
    let around = frame::around(&plan, frame);
    let body = {
        let mut body = String::new();
        // A string takes all that is written.
        let _ = frame::draw(frame, &around, &mut colours, &mut body);
        let [x, y] = around.board;
        let _ = writeln!(body, "<g id=\"board\" transform=\"translate({x} {y})\">");
        let _ = plan.draw_ground(&scene.ground, &mut colours, &mut body);
        let _ = shapes::draw(scene, &plan, &mut colours, &mut body);
        body.push_str("</g>\n");
        body
    };
    let mut text = String::new();
    let _ = head(frame, around.size, width, &mut text);
    let _ = colours.write(&plan, &mut text);
    text.push_str(&body);
    text.push_str("</svg>\n");
    Svg { text, size: around.size }
}

/// How high a picture of this size is when it is so wide.
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
