//! Themes: a style for each role.
//!
//! A theme with a `paper` paints: the app fills the screen with it first, an ink has no background of its own, and a
//! glyph keeps the background of its cell. A theme without paper (`terminal`, `mono`) leaves the background alone, and
//! shows by bold, dim, underlined and reversed what has no colour. `terminal` has other colours on a light background
//! ([`Theme::style_on`]); a [`Skin`](super::Skin) knows which one it is.
//!
//! Colours that the file does not give (fills, cards, lines) are mixed from its colours over the paper, and adjusted
//! until text on them can be read. [`Theme::at`] brings a theme to what the terminal can show: with 256 colours the
//! nearest, by a measure in which tint weighs more than lightness, so that dark fills do not all become grey; mixes are
//! made of the colours shown then. With sixteen colours, `terminal` stands in. Tests compute what `night` to `contrast`
//! promise of contrast and colour blindness, and draw every screen in every theme.

use super::colour::Rgb;
use super::palette::{COLOURS, Palette, SEATS};
use crate::rules::{Outcome, Seat};
use foldhash::HashMap;
use ratatui::style::{Color, Style};
use strum::{EnumIter, IntoEnumIterator};

/// What something on the screen means. A role has one meaning, and things that mean different things have
/// different roles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, EnumIter)]
pub enum Role {
    Text,
    /// Text that matters less.
    Dim,
    /// What is seen but need not be: a dot that is of no use, the rest of a bar.
    Faint,
    /// What a board is made of: a line that nobody has drawn yet, one between cells.
    Board,
    /// Text that matters more: titles, names.
    Strong,
    /// The lines of squared paper.
    Grid,
    /// An area on the paper, such as a menu, with text on it.
    Panel,
    /// A tile that is nobody's.
    Tile,
    /// A tile that is nobody's and may be taken.
    OpenTile,
    /// The cursor, with text on it.
    Cursor,
    /// A mark beside the cursor: a bar before a row, a frame round a card.
    Marker,
    /// The row or the card where the cursor is, with text on it.
    Chosen,
    /// Text that matters less on such a row or card.
    ChosenDim,
    /// The keys named in the footer.
    Key,
    /// What is picked: the first half of a move.
    Pick,
    /// What is right, and the line through a winning row.
    Good,
    /// What is wrong, or stands in the way of a move.
    Wrong,
    /// The best moves.
    Best,
    /// Dice that the push chosen so far would move.
    Moved,
    /// The symbols of the winning line, in a theme that does not paint.
    Won,
    /// What counts as points.
    Counted,
    /// What belongs to a seat.
    #[strum(disabled)]
    Of(SeatRole, Seat),
}

/// What something that belongs to a seat means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, EnumIter)]
pub enum SeatRole {
    /// Text of the seat: its letter, its score, its moves.
    Ink,
    /// A line or a symbol of the seat.
    Line,
    /// The line or symbol of the last move.
    LastLine,
    /// A taken area, with text on it.
    Fill,
    /// Text of the seat on a taken area.
    FillInk,
    /// An area taken by the last move, and at the end one of the winner, with text on it.
    WonFill,
    /// A taken area of a loser, with quiet text on it.
    LostFill,
    /// The card of the seat to move, with text on it.
    Card,
    /// Text that matters less on that card.
    CardDim,
    /// Text of the seat on that card.
    CardInk,
    /// Text of the seat on the row where the cursor is.
    ChosenInk,
}

/// How many colours a terminal has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// All of 24 bits.
    TrueColour,
    /// 256; all but the first sixteen are the same in every terminal.
    Indexed256,
    /// The sixteen that the user has chosen.
    Ansi16,
    /// No colours, or none wanted.
    None,
}

/// Whether the terminal's own background is dark or light. It counts only for a theme that leaves it alone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Background {
    #[default]
    Dark,
    Light,
}

impl Background {
    /// What text stands out from better: black on a light one, white on a dark one.
    pub fn of(colour: Rgb) -> Background {
        let [black, white] = [Rgb(0, 0, 0), Rgb(255, 255, 255)].map(|ink| colour.contrast(ink));
        if black > white { Background::Light } else { Background::Dark }
    }
}

type Styles = HashMap<Role, Style>;

/// A style for every role, made from a palette.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Theme {
    name: String,
    palette: Palette,
    paper: Style,
    styles: Styles,
    /// The styles on a light background, if they differ.
    on_light: Option<Styles>,
}

impl SeatRole {
    /// The role of an area that this seat has taken. It is bright until the next move. When the match is over, it is
    /// bright if the seat has won, and pale if another seat has.
    pub fn fill(seat: Seat, is_new: bool, outcome: Option<Outcome>) -> Role {
        let fill = match outcome {
            None if is_new => SeatRole::WonFill,
            None => SeatRole::Fill,
            Some(outcome) if outcome.has(seat) => SeatRole::WonFill,
            Some(_) => SeatRole::LostFill,
        };
        Role::Of(fill, seat)
    }
}

impl Role {
    /// All of them.
    pub fn all() -> impl Iterator<Item = Role> {
        let of_seats = |role| (0..SEATS as u8).map(move |seat| Role::Of(role, Seat::new(seat)));
        Role::iter().chain(SeatRole::iter().flat_map(of_seats))
    }
}

impl Theme {
    /// A theme of these colours, for a terminal that shows them all.
    pub fn new(name: impl Into<String>, palette: Palette) -> Theme {
        Theme::shown(name.into(), palette, Depth::TrueColour)
    }

    /// The same theme for a terminal with this many colours. For 256, each colour becomes the nearest of
    /// them. For sixteen, a theme that needs more is replaced by `terminal`. For none, only bold, dim,
    /// underline and reverse are left.
    pub fn at(&self, depth: Depth) -> Theme {
        match depth {
            Depth::TrueColour | Depth::Indexed256 => Theme {
                on_light: self.on_light.clone(),
                ..Theme::shown(self.name.clone(), self.palette.clone(), depth)
            },
            Depth::Ansi16 if !self.palette.fits_sixteen() => Theme::terminal().clone(),
            Depth::Ansi16 => self.clone(),
            Depth::None => Theme::new(self.name.clone(), Palette::NONE),
        }
    }

    /// Takes the styles of another theme where the terminal's background is light. Its colours must be those of the
    /// terminal, so that they are the same at every depth.
    pub(super) fn with_light(self, light: Theme) -> Theme {
        Theme { on_light: Some(light.styles), ..self }
    }

    fn shown(name: String, palette: Palette, depth: Depth) -> Theme {
        let shown = palette.0.map(|colour| colour.map(|colour| colour_at(colour, depth)));
        let (paper, styles) = match Painter::of(&palette, depth) {
            Some(painter) => {
                let paper = painter.on(painter.ink(painter.text), painter.paper);
                (paper, Role::all().map(|role| (role, painter.style(role))).collect())
            }
            None => (Style::new(), Role::all().map(|role| (role, plain(role, &shown))).collect()),
        };
        Theme { name, palette, paper, styles, on_light: None }
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether it has the same styles as another theme; their names may differ.
    pub fn looks_like(&self, other: &Theme) -> bool {
        self.paper == other.paper && self.styles == other.styles
    }

    pub const fn palette(&self) -> &Palette {
        &self.palette
    }

    /// Whether it paints its own background.
    pub const fn paints(&self) -> bool {
        self.palette.paints()
    }

    /// The style that fills the whole screen before anything is drawn. In themes that do not paint it
    /// changes nothing.
    pub const fn paper(&self) -> Style {
        self.paper
    }

    /// The style of a role on a dark background. Put it over the style that is there: many roles have no background of
    /// their own.
    pub fn style(&self, role: Role) -> Style {
        self.style_on(Background::Dark, role)
    }

    /// The style of a role where the terminal's background is this one.
    pub fn style_on(&self, background: Background, role: Role) -> Style {
        let on_light = self.on_light.as_ref().filter(|_| background == Background::Light);
        on_light.unwrap_or(&self.styles).get(&role).copied().unwrap_or_default()
    }
}

/// The colour as a terminal of this depth shows it.
fn colour_at(colour: Color, depth: Depth) -> Color {
    match (colour, depth) {
        (Color::Rgb(red, green, blue), Depth::Indexed256) => {
            Color::Indexed(Rgb(red, green, blue).nearest())
        }
        _ => colour,
    }
}

/// The style of a role in a theme that does not paint. It can fill nothing; what has no colour is shown by
/// bold, dim, underline and reverse.
fn plain(role: Role, colours: &[Option<Color>; COLOURS]) -> Style {
    let [seats @ .., good, wrong] = colours.map(|fg| Style { fg, ..Style::new() });
    let style = Style::new();
    match role {
        Role::Text | Role::Panel | Role::Tile | Role::ChosenDim => style,
        Role::Dim | Role::Faint | Role::Board | Role::Grid => style.dim(),
        Role::Strong | Role::Key | Role::OpenTile | Role::Marker | Role::Chosen => style.bold(),
        Role::Cursor => style.reversed(),
        Role::Pick => good.bold().underlined(),
        Role::Good | Role::Best | Role::Counted => good.bold(),
        Role::Wrong => wrong.bold(),
        Role::Moved => style.underlined(),
        Role::Won => style.bold().reversed(),
        Role::Of(role, seat) => {
            let ink = seats[seat.index() % SEATS];
            match role {
                SeatRole::Ink
                | SeatRole::Line
                | SeatRole::Fill
                | SeatRole::FillInk
                | SeatRole::CardInk => ink,
                SeatRole::LastLine | SeatRole::WonFill | SeatRole::ChosenInk => ink.bold(),
                SeatRole::LostFill => ink.dim(),
                SeatRole::Card => style.bold(),
                SeatRole::CardDim => style.dim(),
            }
        }
    }
}

/// The least contrast, by WCAG 2, of text, of text that matters less, and of shapes.
const TEXT: f64 = 7.0;
const QUIET: f64 = 4.5;
const SHAPE: f64 = 3.0;

/// Makes the styles of a theme that paints.
///
/// Contrast matters more than the planned mix of colours: a fill gets paler until its letter can be read, and
/// a line stronger until it can be seen. Contrast is measured between the colours that a terminal of this
/// depth shows.
struct Painter {
    colours: [Rgb; COLOURS],
    paper: Rgb,
    text: Rgb,
    depth: Depth,
}

impl Painter {
    /// `None` for a palette that does not paint.
    fn of(palette: &Palette, depth: Depth) -> Option<Painter> {
        let mut colours = [Rgb(0, 0, 0); COLOURS];
        for (rgb, colour) in colours.iter_mut().zip(palette.0) {
            *rgb = Rgb::of(colour?)?;
        }
        let [.., paper, _, _, text, _, _, _, _, _] = colours;
        Some(Painter { colours, paper, text, depth })
    }

    fn colour(&self, rgb: Rgb) -> Color {
        colour_at(rgb.into(), self.depth)
    }

    /// The contrast of two colours as the terminal shows them.
    fn contrast(&self, one: Rgb, two: Rgb) -> f64 {
        let shown = |rgb: Rgb| Rgb::of(self.colour(rgb)).unwrap_or(rgb);
        shown(one).contrast(shown(two))
    }

    fn ink(&self, ink: Rgb) -> Style {
        Style::new().fg(self.colour(ink))
    }

    fn on(&self, ink: Style, background: Rgb) -> Style {
        ink.bg(self.colour(background))
    }

    /// The ink over the paper: this many percent, or as many more as it takes to see it.
    fn line(&self, ink: Rgb, percent: u8) -> Style {
        let mix = |percent| ink.over(self.paper, percent);
        let is_seen = |&percent: &u8| self.contrast(mix(percent), self.paper) >= SHAPE;
        self.ink(mix((percent..100).step_by(5).find(is_seen).unwrap_or(100)))
    }

    /// The ink, mixed in these steps with the text's colour until it has a contrast of `least` on a background.
    fn clear(&self, ink: Rgb, background: Rgb, least: f64, step: usize) -> Style {
        let mix = |percent| self.text.over(ink, percent);
        let is_clear = |&percent: &u8| self.contrast(mix(percent), background) >= least;
        self.ink(mix((0..100).step_by(step).find(is_clear).unwrap_or(100)))
    }

    /// A background, with the ink mixed with the text's colour until it can be read there.
    fn readable(&self, ink: Rgb, background: Rgb) -> Style {
        self.on(self.clear(ink, background, QUIET, 5), background)
    }

    /// The colour over the paper as a background for text: this many percent, or as many fewer as it takes until text
    /// has a contrast of `least` on it.
    fn background(&self, colour: Rgb, percent: u8, least: f64) -> Rgb {
        let mix = |percent| colour.over(self.paper, percent);
        let is_clear = |&percent: &u8| self.contrast(self.text, mix(percent)) >= least;
        mix((0..=percent).rev().step_by(2).find(is_clear).unwrap_or(0))
    }

    /// A background at full strength, with the text colour that reads best on it.
    fn badge(&self, background: Rgb) -> Style {
        let contrast = |ink: &Rgb| self.contrast(*ink, background);
        let own = if contrast(&self.paper) > contrast(&self.text) { self.paper } else { self.text };
        let all = [own, Rgb(0, 0, 0), Rgb(255, 255, 255)];
        let ink = all.into_iter().find(|ink| contrast(ink) >= QUIET).unwrap_or(self.text);
        self.on(self.ink(ink), background)
    }

    fn style(&self, role: Role) -> Style {
        let [seats @ .., paper, panel, grid, text, dim, faint, cursor, good, wrong] = self.colours;
        let chosen = self.background(cursor, 25, TEXT);
        match role {
            Role::Text => self.ink(text),
            Role::Dim => self.ink(dim),
            Role::Faint => self.ink(faint),
            Role::Board => self.clear(faint, paper, SHAPE, 1),
            Role::Strong => self.ink(text).bold(),
            Role::Grid => self.ink(grid),
            Role::Panel => self.on(self.ink(text), panel),
            Role::Tile => self.on(self.ink(text), grid.over(paper, 60)),
            Role::OpenTile => self.on(self.ink(text), grid),
            // A reversed style below would swap these two colours.
            Role::Cursor => self.badge(cursor).not_reversed(),
            Role::Marker => self.ink(cursor),
            Role::Chosen | Role::Moved => self.on(self.ink(text), chosen),
            Role::ChosenDim => self.readable(dim, chosen),
            Role::Key => self.ink(cursor).bold(),
            Role::Pick => self.ink(good).bold().underlined(),
            Role::Good => self.ink(good),
            Role::Best => self.ink(good).bold(),
            Role::Wrong => self.ink(wrong).bold(),
            Role::Won => Style::new().bold().reversed(),
            Role::Counted => self.badge(good).bold(),
            Role::Of(role, seat) => {
                let seat = seats[seat.index() % SEATS];
                let mixed = |percent, least| self.background(seat, percent, least);
                let (card, fill) = (mixed(20, TEXT), mixed(30, QUIET));
                match role {
                    SeatRole::Ink => self.ink(seat),
                    SeatRole::Line => self.line(seat, 75),
                    SeatRole::LastLine => self.line(seat, 100).bold(),
                    SeatRole::Fill => self.on(self.ink(text), fill),
                    SeatRole::FillInk => self.readable(seat, fill),
                    SeatRole::WonFill => self.on(self.ink(text), mixed(50, QUIET)).bold(),
                    SeatRole::LostFill => self.readable(dim, mixed(16, QUIET)),
                    SeatRole::Card => self.on(self.ink(text), card),
                    SeatRole::CardDim => self.readable(dim, card),
                    SeatRole::CardInk => self.readable(seat, card),
                    SeatRole::ChosenInk => self.readable(seat, chosen),
                }
            }
        }
    }
}
