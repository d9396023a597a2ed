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
use crate::toml_file::{FileError, KeyValue, Source, TomlValue};
use crate::wording::cut;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::OnceLock;
use toml::de::DeValue;

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

/// The keys with one colour, in the order in which the files list them.
const KEYS: [&str; 9] =
    ["paper", "panel", "grid", "text", "dim", "faint", "cursor", "good", "wrong"];

/// What is wrong in a theme file, and where.
pub type ThemeError = FileError<ThemeProblem>;

/// What is wrong in a theme file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ThemeProblem {
    /// It is not TOML; the message of the parser.
    Syntax(String),
    /// There is no such key.
    Unknown,
    /// The file sets nothing.
    Empty,
    /// It should be a string, and is this TOML type.
    NoText(&'static str),
    /// It should be an array, and is this TOML type.
    NoList(&'static str),
    /// This text is not a colour.
    NoColour(String),
    /// `seats` has this many colours, and not eight.
    Seats(usize),
    /// The colour is one of the terminal's, but the theme paints.
    NotPaintable,
    /// The key is missing, but the theme paints.
    Missing,
    /// The key is for themes that paint, and this one does not.
    NoPaper,
    /// There is no theme of this name to inherit from.
    NoParent(String),
}

impl fmt::Display for ThemeProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ThemeProblem::Syntax(message) => f.write_str(message),
            ThemeProblem::Unknown => {
                write!(f, "no such key; there are inherit, {} and seats", KEYS.join(", "))
            }
            ThemeProblem::Empty => {
                f.write_str("sets nothing; a theme has colours, or inherits them")
            }
            ThemeProblem::NoText(is) => write!(f, "should be text in quotes, but is {is}"),
            ThemeProblem::NoList(is) => {
                write!(f, "should be a list of {SEATS} colours, but is {is}")
            }
            ThemeProblem::NoColour(text) => {
                let text = cut(text);
                write!(f, "{text:?} is not a colour; write #5ab6f2, or cyan or bright-cyan")
            }
            ThemeProblem::Seats(count) => write!(f, "needs {SEATS} colours, and has {count}"),
            ThemeProblem::NotPaintable => {
                f.write_str("the theme paints its own paper, so it needs a colour like #5ab6f2")
            }
            ThemeProblem::Missing => {
                f.write_str("missing, and needed because the theme paints its own paper")
            }
            ThemeProblem::NoPaper => {
                f.write_str("of use only in a theme that has a paper, and this has none")
            }
            ThemeProblem::NoParent(name) => {
                let names = FILES.map(|(name, _)| name).join(", ");
                let name = cut(name);
                write!(f, "no theme {name:?} to inherit from; there are {names}")
            }
        }
    }
}

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
        let theme = source.entries(ThemeProblem::Syntax);
        let theme = theme.and_then(|entries| ThemeReader { source }.theme(name, &entries));
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
/// # Ok::<(), quadrille::scene::ThemeError>(())
/// ```
pub fn read(name: &str, file: &str, text: &str) -> Result<Theme, ThemeError> {
    let source = Source { file, text };
    let entries = source.entries(ThemeProblem::Syntax)?;
    if entries.is_empty() {
        return Err(source.error(0, None, ThemeProblem::Empty));
    }
    ThemeReader { source }.theme(name, &entries)
}

/// A colour, and its offset in the file in bytes; `None` if it is inherited.
type PlacedColour = (Colour, Option<usize>);

/// The colours read so far, by key. Those of seats are `seats.1` to `seats.8`.
type KnownColours = BTreeMap<String, PlacedColour>;

struct ThemeReader<'a> {
    source: Source<'a>,
}

impl ThemeReader<'_> {
    fn theme(&self, name: &str, entries: &[KeyValue<'_>]) -> Result<Theme, ThemeError> {
        let mut known = KnownColours::new();
        // Inherited colours come first, wherever `inherit` stands in the file.
        let inherited = entries.iter().find(|(key, _)| key.get_ref() == "inherit");
        if let Some((_, value)) = inherited {
            let parent = self.text("inherit", value)?;
            let found = built_in(parent);
            let Some(parent) = found else {
                let why = ThemeProblem::NoParent(parent.to_owned());
                return Err(self.error(value.span().start, Some("inherit"), why));
            };
            inherit(parent.palette(), &mut known);
        }
        for (key, value) in entries {
            let at = key.span().start;
            match key.get_ref().as_ref() {
                "inherit" => {}
                "seats" => self.seats(value, &mut known)?,
                key if KEYS.contains(&key) => {
                    let colour = self.colour(key, value)?;
                    known.insert(key.to_owned(), (colour, Some(value.span().start)));
                }
                key => return Err(self.error(at, Some(key), ThemeProblem::Unknown)),
            }
        }
        Ok(Theme::new(name, self.palette(&known)?))
    }

    fn seats(&self, value: &TomlValue<'_>, known: &mut KnownColours) -> Result<(), ThemeError> {
        let Some(list) = value.get_ref().as_array() else {
            let why = ThemeProblem::NoList(value.get_ref().type_str());
            return Err(self.error(value.span().start, Some("seats"), why));
        };
        if list.len() != SEATS {
            return Err(self.error(
                value.span().start,
                Some("seats"),
                ThemeProblem::Seats(list.len()),
            ));
        }
        for (number, value) in (1..).zip(list.iter()) {
            let colour = self.colour("seats", value)?;
            known.insert(seat_key(number), (colour, Some(value.span().start)));
        }
        Ok(())
    }

    fn palette(&self, known: &KnownColours) -> Result<Palette, ThemeError> {
        let own = |key: &str| known.get(key).map(|(colour, _)| *colour);
        let numbers: [usize; SEATS] = std::array::from_fn(|seat| seat + 1);
        let Some((_, paper)) = known.get("paper") else {
            for key in KEYS.iter().filter(|key| !["good", "wrong"].contains(key)) {
                if let Some((_, Some(at))) = known.get(*key) {
                    return Err(self.error(*at, Some(key), ThemeProblem::NoPaper));
                }
            }
            let seats = numbers.map(|number| own(&seat_key(number)));
            return Ok(Palette::Plain { good: own("good"), wrong: own("wrong"), seats });
        };
        // A missing colour is reported where the file sets `paper`.
        let paints = paper.unwrap_or(0);
        let exact = |key: &str| {
            let named = if key.starts_with("seats") { "seats" } else { key };
            let Some((colour, at)) = known.get(key) else {
                return Err(self.error(paints, Some(named), ThemeProblem::Missing));
            };
            let at = at.unwrap_or(paints);
            colour.exact().ok_or_else(|| self.error(at, Some(named), ThemeProblem::NotPaintable))
        };
        let mut seats = [Rgb(0, 0, 0); SEATS];
        for (seat, number) in seats.iter_mut().zip(numbers) {
            *seat = exact(&seat_key(number))?;
        }
        Ok(Palette::Painting(Paint {
            paper: exact("paper")?,
            panel: exact("panel")?,
            grid: exact("grid")?,
            text: exact("text")?,
            dim: exact("dim")?,
            faint: exact("faint")?,
            cursor: exact("cursor")?,
            good: exact("good")?,
            wrong: exact("wrong")?,
            seats,
        }))
    }

    fn colour(&self, key: &str, value: &TomlValue<'_>) -> Result<Colour, ThemeError> {
        let text = self.text(key, value)?;
        let wrong =
            || self.error(value.span().start, Some(key), ThemeProblem::NoColour(text.to_owned()));
        Colour::parse(text).ok_or_else(wrong)
    }

    fn text<'a>(&self, key: &str, value: &'a TomlValue<'_>) -> Result<&'a str, ThemeError> {
        self.source.value(key, value, DeValue::as_str, ThemeProblem::NoText)
    }

    fn error(&self, at: usize, key: Option<&str>, why: ThemeProblem) -> ThemeError {
        self.source.error(at, key, why)
    }
}

fn seat_key(number: usize) -> String {
    format!("seats.{number}")
}

fn inherit(palette: &Palette, known: &mut KnownColours) {
    let mut take = |key: String, colour: Colour| known.insert(key, (colour, None));
    match *palette {
        Palette::Painting(paint) => {
            let Paint { paper, panel, grid, text, dim, faint, cursor, good, wrong, seats } = paint;
            let colours = [paper, panel, grid, text, dim, faint, cursor, good, wrong];
            for (key, colour) in KEYS.iter().zip(colours) {
                take((*key).to_owned(), Colour::Exact(colour));
            }
            for (number, seat) in (1..).zip(seats) {
                take(seat_key(number), Colour::Exact(seat));
            }
        }
        Palette::Plain { good, wrong, seats } => {
            for (key, colour) in [("good", good), ("wrong", wrong)] {
                colour.map(|colour| take(key.to_owned(), colour));
            }
            for (number, seat) in (1..).zip(seats) {
                seat.map(|seat| take(seat_key(number), seat));
            }
        }
    }
}
