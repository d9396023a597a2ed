//! The colours that a theme is made of.

use super::colour::Rgb;
use ratatui::style::Color;

/// How many seats have a colour of their own; no game has more seats.
pub const SEATS: usize = 8;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Palette {
    /// A theme that paints its own background, so contrast is known.
    Painting(Paint<Rgb>),
    /// A theme that leaves the background to the terminal. What has no colour is shown by bold, dim,
    /// underline and reverse.
    Plain {
        /// The colour of what is right or best.
        good: Option<Colour>,
        /// The colour of what is wrong.
        wrong: Option<Colour>,
        seats: [Option<Colour>; SEATS],
    },
}

/// All colours of a theme that paints.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Paint<C> {
    /// The background of the whole screen.
    pub paper: C,
    /// Areas that lie on the paper: menus, cards.
    pub panel: C,
    /// The lines of squared paper.
    pub grid: C,
    pub text: C,
    /// Text that matters less.
    pub dim: C,
    /// What is seen but not read, such as free edges.
    pub faint: C,
    /// The cursor, and the keys at the bottom; nothing else.
    pub cursor: C,
    /// The colour of what is right or best.
    pub good: C,
    /// The colour of what is wrong.
    pub wrong: C,
    pub seats: [C; SEATS],
}

/// A colour of a theme that does not paint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Colour {
    Exact(Rgb),
    /// One of the terminal's own sixteen, which its user can set there.
    Terminal(Color),
}

/// The names of the terminal's colours in theme files.
const TERMINAL: [(&str, Color); 16] = [
    ("black", Color::Black),
    ("red", Color::Red),
    ("green", Color::Green),
    ("yellow", Color::Yellow),
    ("blue", Color::Blue),
    ("magenta", Color::Magenta),
    ("cyan", Color::Cyan),
    ("white", Color::Gray),
    ("bright-black", Color::DarkGray),
    ("bright-red", Color::LightRed),
    ("bright-green", Color::LightGreen),
    ("bright-yellow", Color::LightYellow),
    ("bright-blue", Color::LightBlue),
    ("bright-magenta", Color::LightMagenta),
    ("bright-cyan", Color::LightCyan),
    ("bright-white", Color::White),
];

impl Colour {
    /// Reads `#5ab6f2`, or the name of one of the sixteen, such as `bright-cyan`.
    pub fn parse(text: &str) -> Option<Colour> {
        let own = || {
            TERMINAL.iter().find(|(name, _)| *name == text).map(|(_, own)| Colour::Terminal(*own))
        };
        Rgb::parse(text).map(Colour::Exact).or_else(own)
    }

    /// The colour, if it is not left to the terminal.
    pub const fn exact(self) -> Option<Rgb> {
        match self {
            Colour::Exact(rgb) => Some(rgb),
            Colour::Terminal(_) => None,
        }
    }
}

impl Palette {
    pub const NONE: Palette = Palette::Plain { good: None, wrong: None, seats: [None; SEATS] };

    /// The colours of the theme `terminal` on a light background: those of the sixteen that terminals draw dark
    /// enough to be read there. What is best has the colour of text, as no other is left that no seat has.
    pub const TERMINAL_ON_LIGHT: Palette = Palette::Plain {
        good: None,
        wrong: Some(Colour::Terminal(Color::Magenta)),
        seats: [
            Some(Colour::Terminal(Color::Blue)),
            Some(Colour::Terminal(Color::Red)),
            Some(Colour::Terminal(Color::DarkGray)),
            Some(Colour::Terminal(Color::Magenta)),
            Some(Colour::Terminal(Color::LightBlue)),
            Some(Colour::Terminal(Color::Black)),
            Some(Colour::Terminal(Color::LightRed)),
            Some(Colour::Terminal(Color::LightMagenta)),
        ],
    };

    /// Whether a terminal with sixteen colours can show it as it is.
    pub fn fits_sixteen(&self) -> bool {
        let Palette::Plain { good, wrong, seats } = self else { return false };
        let mut all = [good, wrong].into_iter().chain(seats).flatten();
        all.all(|colour| matches!(colour, Colour::Terminal(_)))
    }
}
