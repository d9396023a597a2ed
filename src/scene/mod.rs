//! What a board shows, and how things look.
//!
//! A [`Scene`] is drawn by [`cells`] on a screen and by [`svg`] as a picture; [`motion`] gives the scenes
//! between two of them. A [`Theme`] has a style for every [`Role`].

pub mod cells;
pub mod colour;
mod item;
pub mod motion;
mod palette;
mod skin;
pub mod svg;
mod theme;
mod theme_file;

pub use item::{At, Direction, Ground, Item, LineStyle, Phase, Scene, Shape};
pub use palette::{Colour, Paint, Palette, SEATS};
pub use skin::{DrawMode, Glyphs, Skin};
pub use theme::{Background, Depth, Role, SeatRole, Theme};
pub use theme_file::{built_in, built_in_names, read};
