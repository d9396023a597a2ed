//! Theme files in TOML. Every error includes its location.
//!
//! ```toml
//! inherit = "night"           # everything not set in this file
//! cursor = "#ff9d00"
//! seats = ["#5ab6f2", …]      # eight colors
//! ```
//!
//! A theme with `paper` paints its own background and needs all other colors too, defined in the file or inherited. A
//! theme without `paper` leaves the background to the terminal; its colors may also be the names of the terminal's
//! sixteen colors.

use super::colour::Rgb;
use super::palette::{self, COLOURS, KEYS, Palette, SEATS};
use super::theme::Theme;
use quadrille_text::toml_file::{Entry, Fault, FileError, Source};
use quadrille_text::wording::cut;
use ratatui::style::Color;
use std::sync::OnceLock;
use toml::de::{DeTable, DeValue};

/// The built-in themes, starting with the default.
const FILES: [(&str, &str); 8] = [
    ("night", include_str!("../assets/themes/night.toml")),
    ("paper", include_str!("../assets/themes/paper.toml")),
    ("blueprint", include_str!("../assets/themes/blueprint.toml")),
    ("blackboard", include_str!("../assets/themes/blackboard.toml")),
    ("okabe-ito", include_str!("../assets/themes/okabe-ito.toml")),
    ("contrast", include_str!("../assets/themes/contrast.toml")),
    ("mono", include_str!("../assets/themes/mono.toml")),
    (TERMINAL, include_str!("../assets/themes/terminal.toml")),
];

/// The theme with the user's own background and sixteen colors.
const TERMINAL: &str = "terminal";
const ON_LIGHT: &str = include_str!("../assets/themes/terminal-on-light.toml");

/// Returns the names of the built-in themes, starting with the default.
pub fn built_in_names() -> impl ExactSizeIterator<Item = &'static str> {
    FILES.iter().map(|(name, _)| *name)
}

/// Returns the built-in theme with this name, parsed on first use.
pub fn built_in(name: &str) -> Option<&'static Theme> {
    FILES.iter().position(|(other, _)| *other == name).map(theme_of_the_game)
}

fn theme_of_the_game(index: usize) -> &'static Theme {
    static READ: [OnceLock<Theme>; FILES.len()] = [const { OnceLock::new() }; FILES.len()];
    READ[index].get_or_init(|| {
        let (name, text) = FILES[index];
        let theme = own(name, text);
        if name == TERMINAL { theme.with_light(own(name, ON_LIGHT)) } else { theme }
    })
}

/// Parses a built-in theme. A test parses all built-in themes, so the fallback is never used.
fn own(name: &str, text: &str) -> Theme {
    let source = Source { file: name, text };
    let palette = source.parse().and_then(|table| palette_of(source, &table));
    debug_assert!(palette.is_ok(), "{palette:?}");
    Theme::new(name, palette.unwrap_or(Palette::NONE))
}

impl Theme {
    pub fn night() -> &'static Theme {
        theme_of_the_game(0)
    }

    /// Returns the theme with the user's own background and sixteen colors.
    pub fn terminal() -> &'static Theme {
        theme_of_the_game(FILES.len() - 1)
    }

    pub fn mono() -> &'static Theme {
        theme_of_the_game(FILES.len() - 2)
    }
}

/// Parses the theme `name` from the text of a file; `file` is the file name for errors. The theme may inherit from a
/// built-in theme.
///
/// ```
/// let text = "inherit = \"night\"\ncursor = \"#ff9d00\"";
/// let theme = quadrille_scene::read("mine", "mine.toml", text)?;
/// assert!(theme.paints());
/// # Ok::<(), quadrille_text::toml_file::FileError>(())
/// ```
pub fn read(name: &str, file: &str, text: &str) -> Result<Theme, FileError> {
    let source = Source { file, text };
    let table = source.parse()?;
    if table.is_empty() {
        let why = "is empty; a theme sets colors or inherits them";
        return Err(source.error(Fault::without_key(0, why)));
    }
    palette_of(source, &table).map(|palette| Theme::new(name, palette))
}

fn palette_of(source: Source<'_>, table: &DeTable<'_>) -> Result<Palette, FileError> {
    palette(&Entry::all(table, "")).map_err(|fault| source.error(fault))
}

fn palette(entries: &[Entry<'_>]) -> Result<Palette, Fault> {
    let mut palette = Palette::NONE;
    // Inherited colors are set first, regardless of the position of `inherit` in the file.
    if let Some(entry) = entries.iter().find(|entry| entry.name == "inherit") {
        let name = entry.text()?;
        let names = || FILES.map(|(name, _)| name).join(", ");
        let why = || {
            format!("cannot inherit from unknown theme {:?}; known themes: {}", cut(name), names())
        };
        palette = built_in(name).ok_or_else(|| entry.wrong(why()))?.palette().clone();
    }
    // The byte offset at which the file sets each color.
    let mut places = [None; COLOURS];
    let mut set = |index: usize, entry: &Entry<'_>| -> Result<(), Fault> {
        palette.0[index] = Some(colour(entry)?);
        places[index] = Some(entry.value.span().start);
        Ok(())
    };
    for entry in entries.iter().filter(|entry| entry.name != "inherit") {
        if entry.name == "seats" {
            let list = entry.read(&format!("a list of {SEATS} colors"), DeValue::as_array)?;
            if list.len() != SEATS {
                let count = list.len();
                return Err(entry.wrong(format!("needs {SEATS} colors, not {count}")));
            }
            for (index, value) in list.iter().enumerate() {
                set(index, &Entry { value, ..entry.clone() })?;
            }
        } else {
            let keys = || KEYS.join(", ");
            let why = || format!("unknown key; the keys are inherit, {} and seats", keys());
            let index = KEYS.iter().position(|name| *name == entry.name);
            set(SEATS + index.ok_or_else(|| entry.unknown(why()))?, entry)?;
        }
    }
    let names = ["seats"; SEATS].into_iter().chain(KEYS);
    for ((name, colour), place) in names.zip(palette.0).zip(places) {
        let why = match colour {
            None if palette.paints() => "missing; required in a theme that sets paper",
            Some(colour) if palette.paints() && Rgb::of(colour).is_none() => {
                "a theme that sets paper needs a color such as #5ab6f2 here"
            }
            Some(_) if !palette.paints() && !["seats", "good", "wrong"].contains(&name) => {
                "only allowed in a theme that sets paper"
            }
            _ => continue,
        };
        // A missing color is reported at the position where the file sets `paper`.
        return Err(Fault::new(place.or(places[SEATS]).unwrap_or(0), name, why));
    }
    Ok(palette)
}

fn colour(entry: &Entry<'_>) -> Result<Color, Fault> {
    let text = entry.text()?;
    let why = || format!("{:?} is not a color; write #5ab6f2, cyan or bright-cyan", cut(text));
    palette::parse(text).ok_or_else(|| entry.wrong(why()))
}
