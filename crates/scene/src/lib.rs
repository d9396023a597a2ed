//! Boards as scenes, and how they look.
//!
//! A [`Scene`] is a list of items, the labels of moves, and the place to keep visible. Each item has a shape at points
//! of the ground, a [`Role`], and the place selected by a click. The ground is a lattice of dots, a grid of tiles, or
//! scattered points. A scene contains no cells, pixels or colors. [`cells`] draws a scene on the screen, scrolls it and
//! finds the place under the pointer; `pixels`, an optional feature, does the same in pixels; [`svg`] draws it as a
//! picture; [`motion`] interpolates between two scenes. A [`Theme`] defines a style for every [`Role`]; a [`Skin`] is a
//! theme with a set of glyphs.
//!
//! Color is never the only indication: in themes without their own background, tiles have frames, takeable dice have
//! brackets, and areas are hatched.
//!
//! It promises the same scene for the same position, in cells and in pictures. It must not know the rules' state beyond
//! what it is given, a terminal, a file or a clock.
#![cfg_attr(test, allow(clippy::disallowed_methods, clippy::disallowed_types))]

pub mod cells;
pub mod colour;
mod geometry;
mod item;
pub mod motion;
mod palette;
#[cfg(feature = "pixels")]
pub mod pixels;
#[cfg(not(feature = "pixels"))]
#[path = "no_pixels.rs"]
pub mod pixels;
mod skin;
pub mod svg;
mod terminal_colours;
mod theme;
mod theme_file;

pub use item::{
    At, BoardGeometry, Direction, Item, Label, Lettering, LineStyle, MoveQuality, Phase, PlaceId,
    Scene, SceneEnd, Shape, Stroke,
};
pub use palette::{Palette, SEATS};
pub use skin::{DrawMode, Glyphs, Skin};
pub use terminal_colours::{FillInks, TerminalColour, TerminalColours};
pub use theme::{Background, Depth, Role, SeatRole, Theme};
pub use theme_file::{built_in, built_in_names, read};
