//! Theme files: TOML. Every error says where it is.
//!
//! ```toml
//! inherit = "night"           # all that is not said here
//! cursor = "#ff9d00"
//! seats = ["#5ab6f2", …]      # eight
//! ```
//!
//! A theme with a `paper` paints its own background, and needs all other colours too, its own or inherited.
//! One without leaves the background to the terminal; its colours may also be names of the sixteen.

use super::colour::Rgb;
use super::palette::{Colour, Paint, Palette, SEATS};
use super::theme::Theme;
use crate::toml_file::{Entry, Fault, FileError, Source};
use crate::wording::cut;
use std::sync::OnceLock;
use toml::de::{DeTable, DeValue};

/// The built-in themes, the default first.
const FILES: [(&str, &str); 8] = [
    ("night", include_str!("../../assets/themes/night.toml")),
    ("paper", include_str!("../../assets/themes/paper.toml")),
    ("blueprint", include_str!("../../assets/themes/blueprint.toml")),
    ("blackboard", include_str!("../../assets/themes/blackboard.toml")),
    ("okabe-ito", include_str!("../../assets/themes/okabe-ito.toml")),
    ("contrast", include_str!("../../assets/themes/contrast.toml")),
    ("mono", include_str!("../../assets/themes/mono.toml")),
    (TERMINAL, include_str!("../../assets/themes/terminal.toml")),
];

/// The theme that leaves the user's own background and sixteen colours alone.
const TERMINAL: &str = "terminal";

/// The names of the built-in themes, the default first.
pub fn built_in_names() -> impl ExactSizeIterator<Item = &'static str> {
    FILES.iter().map(|(name, _)| *name)
}

/// The built-in theme of this name. Each is parsed when it is first asked for.
pub fn built_in(name: &str) -> Option<&'static Theme> {
    FILES.iter().position(|(other, _)| *other == name).map(theme_of_the_game)
}

fn theme_of_the_game(index: usize) -> &'static Theme {
    static READ: [OnceLock<Theme>; FILES.len()] = [const { OnceLock::new() }; FILES.len()];
    READ[index].get_or_init(|| {
        let (name, text) = FILES[index];
        let source = Source { file: name, text };
        let palette = source.parse().and_then(|table| palette_of(source, &table));
        let theme = palette.map(|palette| Theme::new(name, palette));
        debug_assert!(theme.is_ok(), "{theme:?}");
        let theme = match name {
            TERMINAL => theme.map(|theme| theme.with_light(Palette::TERMINAL_ON_LIGHT)),
            _ => theme,
        };
        // A test reads all of them, so this fallback is never used.
        theme.unwrap_or_else(|_| Theme::new(name, Palette::NONE))
    })
}

impl Theme {
    /// The default theme.
    pub fn night() -> &'static Theme {
        theme_of_the_game(0)
    }

    /// The theme that leaves the user's own background and sixteen colours alone.
    pub fn terminal() -> &'static Theme {
        theme_of_the_game(FILES.len() - 1)
    }

    /// The theme without any colours.
    pub fn mono() -> &'static Theme {
        theme_of_the_game(FILES.len() - 2)
    }
}

/// Reads a theme called `name` from the text of a file; `file` is its name in errors. It may inherit from
/// built-in themes.
///
/// ```
/// let text = "inherit = \"night\"\ncursor = \"#ff9d00\"";
/// let theme = quadrille::scene::read("mine", "mine.toml", text)?;
/// assert!(theme.paints());
/// # Ok::<(), quadrille::toml_file::FileError>(())
/// ```
pub fn read(name: &str, file: &str, text: &str) -> Result<Theme, FileError> {
    let source = Source { file, text };
    let table = source.parse()?;
    if table.is_empty() {
        let why = "sets nothing; a theme has colours, or inherits them";
        return Err(source.error(Fault::without_key(0, why)));
    }
    palette_of(source, &table).map(|palette| Theme::new(name, palette))
}

/// The keys with one colour, in the order in which the files list them. Without a paper only the last two are of use.
const KEYS: [&str; 9] =
    ["paper", "panel", "grid", "text", "dim", "faint", "cursor", "good", "wrong"];

const COLOURS: usize = SEATS + KEYS.len();

/// The colours read so far, those of the seats before those of [`KEYS`]. Each has its offset in the file in bytes, or
/// `None` if it is inherited.
type Known = [Option<(Colour, Option<usize>)>; COLOURS];

fn palette_of(source: Source<'_>, table: &DeTable<'_>) -> Result<Palette, FileError> {
    let known = colours(&Entry::all(table, ""));
    known.and_then(|known| palette(&known)).map_err(|fault| source.error(fault))
}

fn colours(entries: &[Entry<'_>]) -> Result<Known, Fault> {
    let mut known: Known = [None; COLOURS];
    // Inherited colours come first, wherever `inherit` stands in the file.
    if let Some(entry) = entries.iter().find(|entry| entry.name == "inherit") {
        let name = entry.text()?;
        let names = || FILES.map(|(name, _)| name).join(", ");
        let why = || format!("no theme {:?} to inherit from; there are {}", cut(name), names());
        let parent = built_in(name).ok_or_else(|| entry.wrong(why()))?;
        known = inherited(parent.palette()).map(|colour| colour.map(|colour| (colour, None)));
    }
    for entry in entries {
        match entry.name {
            "inherit" => {}
            "seats" => {
                let list = entry.read(&format!("a list of {SEATS} colours"), DeValue::as_array)?;
                if list.len() != SEATS {
                    let count = list.len();
                    return Err(entry.wrong(format!("needs {SEATS} colours, and has {count}")));
                }
                for (known, value) in known.iter_mut().zip(list.iter()) {
                    *known = Some(colour(&Entry { value, ..entry.clone() })?);
                }
            }
            key => {
                let keys = || KEYS.join(", ");
                let why = || format!("no such key; there are inherit, {} and seats", keys());
                let index = KEYS.iter().position(|name| *name == key);
                let index = index.ok_or_else(|| entry.unknown(why()))?;
                known[SEATS + index] = Some(colour(entry)?);
            }
        }
    }
    Ok(known)
}

fn colour(entry: &Entry<'_>) -> Result<(Colour, Option<usize>), Fault> {
    let text = entry.text()?;
    let why = || format!("{:?} is not a colour; write #5ab6f2, or cyan or bright-cyan", cut(text));
    let colour = Colour::parse(text).ok_or_else(|| entry.wrong(why()))?;
    Ok((colour, Some(entry.value.span().start)))
}

fn inherited(palette: &Palette) -> [Option<Colour>; COLOURS] {
    let (seats, others) = match *palette {
        Palette::Painting(paint) => {
            let Paint { paper, panel, grid, text, dim, faint, cursor, good, wrong, seats } = paint;
            let others = [paper, panel, grid, text, dim, faint, cursor, good, wrong];
            let exact = |colour| Some(Colour::Exact(colour));
            (seats.map(exact), others.map(exact))
        }
        Palette::Plain { good, wrong, seats } => {
            (seats, [None, None, None, None, None, None, None, good, wrong])
        }
    };
    let mut all = seats.into_iter().chain(others);
    std::array::from_fn(|_| all.next().flatten())
}

fn palette(known: &Known) -> Result<Palette, Fault> {
    let (_, others) = known.split_at(SEATS);
    let Some((_, paper)) = others[0] else {
        // All but `good` and `wrong`.
        for (known, key) in others.iter().zip(KEYS).take(KEYS.len() - 2) {
            if let Some((_, Some(at))) = *known {
                let why = "of use only in a theme that has a paper, and this has none";
                return Err(Fault::new(at, key, why));
            }
        }
        let colours = known.map(|known| known.map(|(colour, _)| colour));
        let [seats @ .., _, _, _, _, _, _, _, good, wrong] = colours;
        return Ok(Palette::Plain { good, wrong, seats });
    };
    // A missing colour is reported where the file sets `paper`.
    let paints = paper.unwrap_or(0);
    let mut exact = [Rgb(0, 0, 0); COLOURS];
    let keys = ["seats"; SEATS].into_iter().chain(KEYS);
    for ((exact, known), key) in exact.iter_mut().zip(known).zip(keys) {
        let why = "missing, and needed because the theme paints its own paper";
        let (colour, at) = known.ok_or_else(|| Fault::new(paints, key, why))?;
        let why = "the theme paints its own paper, so it needs a colour like #5ab6f2";
        let why = || Fault::new(at.unwrap_or(paints), key, why);
        *exact = colour.exact().ok_or_else(why)?;
    }
    let [seats @ .., paper, panel, grid, text, dim, faint, cursor, good, wrong] = exact;
    let paint = Paint { paper, panel, grid, text, dim, faint, cursor, good, wrong, seats };
    Ok(Palette::Painting(paint))
}
