//! What a board shows, whatever draws it, and how things look: scenes, themes, and what a theme gives a
//! style to.

pub mod cells;
pub mod colour;
mod item;
pub mod motion;
mod palette;
mod skin;
pub mod svg;
mod theme;
mod theme_file;

pub use item::{At, Direction, Ground, Item, Phase, Scene, Shape, Stroke};
pub use palette::{Colour, Paint, Palette, SEATS};
pub use skin::{Glyphs, Manner, Skin};
pub use theme::{Depth, Role, SeatRole, Theme};
pub use theme_file::{ThemeError, Why, built_in, built_in_names, read};
