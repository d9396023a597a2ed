//! The base colors of a theme.

use super::colour::Rgb;
use ratatui::style::Color;

/// The number of seat colors, which is also the maximum number of seats.
pub const SEATS: usize = 8;

/// The keys of the other colors in theme files: the screen background (`paper`), areas such as menus and cards
/// (`panel`), the lines of squared paper (`grid`), text, secondary text (`dim`), nonessential marks such as undrawn
/// edges (`faint`), the cursor and the keys in the footer (`cursor`), correct and best moves (`good`), and errors
/// (`wrong`).
pub(super) const KEYS: [&str; 9] =
    ["paper", "panel", "grid", "text", "dim", "faint", "cursor", "good", "wrong"];

pub(super) const COLOURS: usize = SEATS + KEYS.len();

/// The colors of a theme: the seats first, then the keys of theme files from `paper` to `wrong`.
///
/// A theme with `paper` paints its own background, so contrast is known. It defines every color as [`Color::Rgb`]. A
/// theme without `paper` leaves the background to the terminal. It defines at most the colors of the seats, `good` and
/// `wrong`, which may be among the terminal's sixteen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Palette(pub(super) [Option<Color>; COLOURS]);

impl Palette {
    pub const NONE: Palette = Palette([None; COLOURS]);

    /// Returns whether the palette defines `paper`.
    pub const fn paints(&self) -> bool {
        self.0[SEATS].is_some()
    }

    pub fn colour(&self, key: &str) -> Option<Color> {
        self.0[SEATS + KEYS.iter().position(|name| *name == key)?]
    }

    /// Returns whether a 16-color terminal can display the palette unchanged.
    pub fn fits_sixteen(&self) -> bool {
        self.0.iter().flatten().all(|colour| Rgb::of(*colour).is_none())
    }
}

/// Parses `#5ab6f2` or the name of one of the terminal's sixteen colors, such as `bright-cyan`.
pub(super) fn parse(text: &str) -> Option<Color> {
    const NAMES: [&str; 8] =
        ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"];
    match text {
        // In ratatui, `White` is the bright white.
        "white" => Some(Color::Gray),
        _ if NAMES.contains(&text.strip_prefix("bright-").unwrap_or(text)) => text.parse().ok(),
        _ => Rgb::parse(text).map(Color::from),
    }
}
