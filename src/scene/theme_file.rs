//! Themes as text: TOML, of which every error says where it is.
//!
//! ```toml
//! inherit = "night"           # all that is not said here
//! cursor = "#ff9d00"
//! seats = ["#5ab6f2", …]      # eight
//! ```
//!
//! A theme with a `paper` paints, and needs all other colours too, its own or inherited. One without
//! leaves the background to the terminal; there colours may also be those of the sixteen, by name.

use super::colour::Rgb;
use super::palette::{Colour, Paint, Palette, SEATS};
use super::theme::Theme;
use crate::toml_file::{FileError, KeyValue, Source, Value};
use std::collections::BTreeMap;
use std::fmt;
use std::sync::OnceLock;

/// The themes of the game, the default first. Each stands behind the one it inherits from.
const FILES: [(&str, &str); 8] = [
    ("night", include_str!("../../assets/themes/night.toml")),
    ("paper", include_str!("../../assets/themes/paper.toml")),
    ("blueprint", include_str!("../../assets/themes/blueprint.toml")),
    ("blackboard", include_str!("../../assets/themes/blackboard.toml")),
    ("okabe-ito", include_str!("../../assets/themes/okabe-ito.toml")),
    ("contrast", include_str!("../../assets/themes/contrast.toml")),
    ("mono", include_str!("../../assets/themes/mono.toml")),
    ("terminal", include_str!("../../assets/themes/terminal.toml")),
];

/// The keys with one colour, in the order in which files have them.
const KEYS: [&str; 9] =
    ["paper", "panel", "grid", "text", "dim", "faint", "cursor", "good", "wrong"];

/// What is wrong in a theme, and where.
pub type ThemeError = FileError<Why>;

/// What is wrong with a key of a theme.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Why {
    /// It is no TOML; what its reader says.
    Syntax(String),
    /// There is no such key.
    Unknown,
    /// There is nothing in it.
    Empty,
    /// It should be a text, and is what TOML calls this.
    NoText(&'static str),
    /// It should be a list, and is what TOML calls this.
    NoList(&'static str),
    /// It is no colour.
    NoColour(String),
    /// There are so many seats.
    Seats(usize),
    /// It is left to the terminal, and the theme paints.
    NotPaintable,
    /// It is not there, and the theme paints.
    Missing,
    /// It can only be painted, and the theme does not paint.
    NoPaper,
    /// There is no theme of this name to inherit from.
    NoParent(String),
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Why::Syntax(message) => f.write_str(message),
            Why::Unknown => {
                write!(f, "no such key; there are inherit, {} and seats", KEYS.join(", "))
            }
            Why::Empty => f.write_str("sets nothing; a theme has colours, or inherits them"),
            Why::NoText(is) => write!(f, "should be a text in quotes, and is {is}"),
            Why::NoList(is) => write!(f, "should be a list of {SEATS} colours, and is {is}"),
            Why::NoColour(text) => {
                write!(f, "{text:?} is no colour; write #5ab6f2, or cyan or bright-cyan")
            }
            Why::Seats(count) => write!(f, "needs {SEATS} colours, and has {count}"),
            Why::NotPaintable => {
                f.write_str("the theme paints its own paper, so it needs a colour like #5ab6f2")
            }
            Why::Missing => {
                f.write_str("missing, and needed because the theme paints its own paper")
            }
            Why::NoPaper => {
                f.write_str("of use only in a theme that has a paper, and this has none")
            }
            Why::NoParent(name) => {
                let names = FILES.map(|(name, _)| name).join(", ");
                write!(f, "no theme {name:?} to inherit from; there are {names}")
            }
        }
    }
}

/// The names of the themes of the game, the default first.
pub fn built_in_names() -> impl ExactSizeIterator<Item = &'static str> {
    FILES.iter().map(|(name, _)| *name)
}

/// The theme of the game of this name. Each is read when it is first asked for.
pub fn built_in(name: &str) -> Option<&'static Theme> {
    FILES.iter().position(|(other, _)| *other == name).map(theme_of_the_game)
}

fn theme_of_the_game(index: usize) -> &'static Theme {
    static READ: [OnceLock<Theme>; FILES.len()] = [const { OnceLock::new() }; FILES.len()];
    READ[index].get_or_init(|| {
        let (name, text) = FILES[index];
        let source = Source { file: name, text };
        let theme = source.entries(Why::Syntax);
        let theme = theme.and_then(|entries| Reader { source }.theme(name, &entries));
        debug_assert!(theme.is_ok(), "{theme:?}");
        // A test reads all of them, so what follows is never needed.
        theme.unwrap_or_else(|_| Theme::new(name, Palette::NONE))
    })
}

impl Theme {
    /// The theme for whoever has asked for no other.
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

/// Reads a theme called `name` from the text of a file, which errors call `file`. It may inherit from
/// the themes of the game.
pub fn read(name: &str, file: &str, text: &str) -> Result<Theme, ThemeError> {
    let source = Source { file, text };
    let entries = source.entries(Why::Syntax)?;
    if entries.is_empty() {
        return Err(source.error(0, None, Why::Empty));
    }
    Reader { source }.theme(name, &entries)
}

/// A colour and where it stands; nowhere if it is inherited.
type Placed = (Colour, Option<usize>);

/// The colours that are known so far. The seats' are `seats.1` to `seats.8`.
type Known = BTreeMap<String, Placed>;

struct Reader<'a> {
    source: Source<'a>,
}

impl Reader<'_> {
    fn theme(&self, name: &str, entries: &[KeyValue<'_>]) -> Result<Theme, ThemeError> {
        let mut known = Known::new();
        // What is inherited comes first, wherever the file says so.
        let inherited = entries.iter().find(|(key, _)| key.get_ref() == "inherit");
        if let Some((_, value)) = inherited {
            let parent = self.text("inherit", value)?;
            let found = built_in(parent);
            let Some(parent) = found else {
                let why = Why::NoParent(parent.to_owned());
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
                key => return Err(self.error(at, Some(key), Why::Unknown)),
            }
        }
        Ok(Theme::new(name, self.palette(&known)?))
    }

    fn seats(&self, value: &Value<'_>, known: &mut Known) -> Result<(), ThemeError> {
        let Some(list) = value.get_ref().as_array() else {
            let why = Why::NoList(value.get_ref().type_str());
            return Err(self.error(value.span().start, Some("seats"), why));
        };
        if list.len() != SEATS {
            return Err(self.error(value.span().start, Some("seats"), Why::Seats(list.len())));
        }
        for (number, value) in (1..).zip(list.iter()) {
            let colour = self.colour("seats", value)?;
            known.insert(seat_key(number), (colour, Some(value.span().start)));
        }
        Ok(())
    }

    fn palette(&self, known: &Known) -> Result<Palette, ThemeError> {
        let own = |key: &str| known.get(key).map(|(colour, _)| *colour);
        let numbers: [usize; SEATS] = std::array::from_fn(|seat| seat + 1);
        let Some((_, paper)) = known.get("paper") else {
            for key in KEYS.iter().filter(|key| !["good", "wrong"].contains(key)) {
                if let Some((_, Some(at))) = known.get(*key) {
                    return Err(self.error(*at, Some(key), Why::NoPaper));
                }
            }
            let seats = numbers.map(|number| own(&seat_key(number)));
            return Ok(Palette::Plain { good: own("good"), wrong: own("wrong"), seats });
        };
        // What is missing is missed where the file says that it paints.
        let paints = paper.unwrap_or(0);
        let exact = |key: &str| {
            let named = if key.starts_with("seats") { "seats" } else { key };
            let Some((colour, at)) = known.get(key) else {
                return Err(self.error(paints, Some(named), Why::Missing));
            };
            let at = at.unwrap_or(paints);
            colour.exact().ok_or_else(|| self.error(at, Some(named), Why::NotPaintable))
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

    fn colour(&self, key: &str, value: &Value<'_>) -> Result<Colour, ThemeError> {
        let text = self.text(key, value)?;
        let wrong = || self.error(value.span().start, Some(key), Why::NoColour(text.to_owned()));
        Colour::parse(text).ok_or_else(wrong)
    }

    fn text<'a>(&self, key: &str, value: &'a Value<'_>) -> Result<&'a str, ThemeError> {
        self.source.text(key, value, Why::NoText)
    }

    fn error(&self, at: usize, key: Option<&str>, why: Why) -> ThemeError {
        self.source.error(at, key, why)
    }
}

fn seat_key(number: usize) -> String {
    format!("seats.{number}")
}

fn inherit(palette: &Palette, known: &mut Known) {
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
