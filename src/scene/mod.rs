//! Boards as scenes, and their appearance.
//!
//! A [`Scene`] is a list of items, each with a shape at points of the ground, a [`Role`], and the place that a click
//! chooses. The ground is a lattice of dots, a grid of tiles, or scattered points. A scene has no cells, pixels or
//! colours, and lives for one frame. [`cells`] draws it on a screen and [`svg`] as a picture; [`motion`] interpolates
//! between two scenes. A [`Theme`] has a style for every [`Role`], and a [`Skin`] a theme and all glyphs.
//!
//! Colour is never the only sign: in themes that do not paint, tiles have frames, takeable dice have brackets, and
//! areas are hatched.

pub mod cells;
pub mod colour;
mod geometry;
mod item;
pub mod motion;
mod palette;
mod skin;
pub mod svg;
mod theme;
mod theme_file;

pub use item::{At, Direction, Ground, Item, LineStyle, Phase, Scene, Shape};
pub use palette::{Palette, SEATS};
pub use skin::{DrawMode, Glyphs, Skin};
pub use theme::{Background, Depth, Role, SeatRole, Theme};
pub use theme_file::{built_in, built_in_names, read};
