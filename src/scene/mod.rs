//! How things look, whatever they are: themes, and what a theme gives a style to.

pub mod colour;
mod palette;
mod theme;
mod theme_file;

pub use palette::{Colour, Paint, Palette, SEATS};
pub use theme::{Depth, Role, SeatRole, Theme};
pub use theme_file::{ThemeError, Why, built_in, read};
