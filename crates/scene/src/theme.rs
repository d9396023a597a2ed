//! Themes: a style for each role.
//!
//! A theme with `paper` paints its own background: the app fills the screen with `paper` first, inks have no
//! background, and glyphs keep the background of their cell. A theme without `paper` (`terminal`, `mono`) leaves the
//! background alone and uses bold, dim, underline and reverse where it has no color. `terminal` has different colors
//! for light backgrounds ([`Theme::style_on`]), which a [`Skin`](super::Skin) selects.
//!
//! Colors missing from the file (fills, cards, lines) are mixed from the theme's colors over `paper`, then adjusted
//! until text on them is readable. [`Theme::at`] reduces a theme to the terminal's color depth. For 256 colors, it
//! takes the nearest color, weighting tint more than lightness, so that dark fills do not all become gray; mixtures
//! are made from the reduced colors. For sixteen or eight colors, `terminal` is used instead. Tests check the
//! contrast and color-blindness claims of the themes from `night` to `contrast`, and draw every screen in every theme.

use super::colour::Rgb;
use super::palette::{COLOURS, Palette, SEATS};
use foldhash::HashMap;
use quadrille_rules::{Outcome, Seat};
use ratatui::style::{Color, Style};
use std::iter;
use strum::{EnumIter, IntoEnumIterator};

/// The meaning of something on the screen. Each role has one meaning, and different meanings have different roles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, EnumIter)]
pub enum Role {
    Text,
    /// Secondary text.
    Dim,
    /// Nonessential marks, such as a useless dot or the rest of a bar.
    Faint,
    /// The board itself, such as an undrawn line or a line between cells.
    Board,
    /// Emphasized text, such as titles and names.
    Strong,
    Grid,
    /// An area on top of the background, such as a menu, with text on it.
    Panel,
    Tile,
    /// A neutral tile that may be taken.
    OpenTile,
    /// The cursor, with text on it.
    Cursor,
    /// A mark next to the cursor, such as a bar before a row or a frame around a card.
    Marker,
    /// The selected row or card, with text on it.
    Chosen,
    /// Secondary text on the selected row or card.
    ChosenDim,
    /// The keys in the footer.
    Key,
    /// The first half of a move.
    Pick,
    /// Correct answers and the line through a winning row.
    Good,
    /// Wrong answers, and obstacles to a move.
    Wrong,
    Best,
    /// Dice that would be moved by the chosen push.
    Moved,
    /// The symbols of the winning line, in themes without their own background.
    Won,
    /// Marks that score points.
    Counted,
    #[strum(disabled)]
    Of(SeatRole, Seat),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, EnumIter)]
pub enum SeatRole {
    /// Text in the seat's color: its letter, score and moves.
    Ink,
    Line,
    LastLine,
    /// A taken area, with text on it.
    Fill,
    /// Text in the seat's color on a taken area.
    FillInk,
    /// An area taken by the last move or, after the match, a winner's area, with text on it.
    WonFill,
    /// A loser's area, with dimmed text on it.
    LostFill,
    /// A taken area that lines may cross: pale, inside an outline.
    Area,
    /// Such an area taken by the last move or, after the match, a winner's.
    WonArea,
    /// The card of the seat to move, with text on it.
    Card,
    CardDim,
    CardInk,
    ChosenInk,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    TrueColour,
    /// The 256-color palette; all but the first sixteen colors are identical in every terminal.
    Indexed256,
    /// The sixteen user-defined colors.
    Ansi16,
    /// The first eight of them.
    Ansi8,
    /// No colors: not supported or disabled.
    None,
}

/// The brightness of the terminal's own background. Only relevant for themes without their own background.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Background {
    #[default]
    Dark,
    Light,
}

impl Background {
    /// Returns `Light` if black text is more readable on the color than white text.
    pub fn of(colour: Rgb) -> Background {
        let [black, white] = [Rgb(0, 0, 0), Rgb(255, 255, 255)].map(|ink| colour.contrast(ink));
        if black > white { Background::Light } else { Background::Dark }
    }
}

type Styles = HashMap<Role, Style>;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Theme {
    name: String,
    palette: Palette,
    paper: Style,
    styles: Styles,
    /// The styles for a light background, if they are different.
    on_light: Option<Styles>,
}

impl SeatRole {
    /// Returns the role of an area taken by this seat: bright until the next move. After the match, a winner's areas
    /// are bright and a loser's are pale.
    pub fn fill(seat: Seat, is_new: bool, outcome: Option<Outcome>) -> Role {
        let fill = match outcome {
            None if is_new => SeatRole::WonFill,
            None => SeatRole::Fill,
            Some(outcome) if outcome.is_winner(seat) => SeatRole::WonFill,
            Some(_) => SeatRole::LostFill,
        };
        Role::Of(fill, seat)
    }

    /// Returns the role of an area that lines may cross, taken by this seat.
    pub fn area(seat: Seat, is_new: bool, outcome: Option<Outcome>) -> Role {
        let is_strong = outcome.map_or(is_new, |outcome| outcome.is_winner(seat));
        Role::Of(if is_strong { SeatRole::WonArea } else { SeatRole::Area }, seat)
    }
}

impl Role {
    pub fn all() -> impl Iterator<Item = Role> {
        let of_seats = |role| (0..SEATS as u8).map(move |seat| Role::Of(role, Seat::new(seat)));
        Role::iter().chain(SeatRole::iter().flat_map(of_seats))
    }
}

impl Theme {
    /// Creates a theme with these colors, at full color depth.
    pub fn new(name: impl Into<String>, palette: Palette) -> Theme {
        Theme::shown(name.into(), palette, Depth::TrueColour)
    }

    /// Returns the theme reduced to this color depth. For 256 colors, each color is replaced by the nearest one. For
    /// sixteen or eight colors, a theme that needs more is replaced by `terminal`, and for eight, bright colors by
    /// normal ones. Without colors, only bold, dim, underline and reverse remain.
    pub fn at(&self, depth: Depth) -> Theme {
        match depth {
            Depth::TrueColour | Depth::Indexed256 => Theme {
                on_light: self.on_light.clone(),
                ..Theme::shown(self.name.clone(), self.palette.clone(), depth)
            },
            Depth::Ansi16 if !self.palette.fits_sixteen() => Theme::terminal().clone(),
            Depth::Ansi16 => self.clone(),
            Depth::Ansi8 => {
                let mut theme = self.at(Depth::Ansi16);
                for styles in iter::once(&mut theme.styles).chain(&mut theme.on_light) {
                    for style in styles.values_mut() {
                        style.fg = style.fg.and_then(normal);
                    }
                }
                theme
            }
            Depth::None => Theme::new(self.name.clone(), Palette::NONE),
        }
    }

    /// Adopts the styles of `light` for light backgrounds. That theme must use the terminal's own colors, so that they
    /// do not depend on the color depth.
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

    /// Returns whether two themes have the same styles; names may differ.
    pub fn looks_like(&self, other: &Theme) -> bool {
        self.paper == other.paper && self.styles == other.styles
    }

    pub const fn palette(&self) -> &Palette {
        &self.palette
    }

    /// Returns whether the theme paints its own background.
    pub const fn paints(&self) -> bool {
        self.palette.paints()
    }

    /// Returns the style that fills the screen before anything else is drawn; empty in themes without their own
    /// background.
    pub const fn paper(&self) -> Style {
        self.paper
    }

    /// Returns the style of a role on a dark background, for patching onto an existing style: many roles have no
    /// background of their own.
    pub fn style(&self, role: Role) -> Style {
        self.style_on(Background::Dark, role)
    }

    /// Returns the style of a role on this terminal background.
    pub fn style_on(&self, background: Background, role: Role) -> Style {
        let on_light = self.on_light.as_ref().filter(|_| background == Background::Light);
        on_light.unwrap_or(&self.styles).get(&role).copied().unwrap_or_default()
    }
}

/// Returns the color as displayed by a terminal of this color depth.
fn colour_at(colour: Color, depth: Depth) -> Color {
    match (colour, depth) {
        (Color::Rgb(red, green, blue), Depth::Indexed256) => {
            Color::Indexed(Rgb(red, green, blue).nearest())
        }
        _ => colour,
    }
}

/// Returns the one of the first eight colors that replaces this one of the sixteen. Bright black has no counterpart:
/// black may be the background.
fn normal(colour: Color) -> Option<Color> {
    Some(match colour {
        Color::DarkGray => return None,
        Color::LightRed => Color::Red,
        Color::LightGreen => Color::Green,
        Color::LightYellow => Color::Yellow,
        Color::LightBlue => Color::Blue,
        Color::LightMagenta => Color::Magenta,
        Color::LightCyan => Color::Cyan,
        Color::White => Color::Gray,
        normal => normal,
    })
}

/// Returns the style of a role in a theme without its own background. Uses bold, dim, underline and reverse in place of
/// fills and missing colors.
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
                | SeatRole::Area
                | SeatRole::CardInk => ink,
                SeatRole::LastLine
                | SeatRole::WonFill
                | SeatRole::WonArea
                | SeatRole::ChosenInk => ink.bold(),
                SeatRole::LostFill => ink.dim(),
                SeatRole::Card => style.bold(),
                SeatRole::CardDim => style.dim(),
            }
        }
    }
}

/// The minimum contrast ratio of text, secondary text and shapes, as defined by WCAG 2.
const TEXT: f64 = 7.0;
const QUIET: f64 = 4.5;
const SHAPE: f64 = 3.0;

/// The contrast of a blank tile to the paper, and between one that may be taken and one that may not.
const TILE: f64 = 1.6;
const TILE_STEP: f64 = 1.2;

/// The contrast of pale and of stronger areas to the paper. The outline, not the fill, shows the shape of an area.
const PALE: f64 = 1.2;
const STRONG: f64 = 1.6;

/// The least step in contrast from a pale to a stronger area in 256 colors.
const NEXT: f64 = 1.15;

/// Creates the styles of a theme with its own background.
///
/// Contrast takes precedence over the planned mixture: a fill gets paler until its letter is readable, and a line gets
/// stronger until it is visible. Contrast is measured between the colors displayed at this depth.
struct Painter {
    colours: [Rgb; COLOURS],
    paper: Rgb,
    text: Rgb,
    /// The background of the selected row or card.
    chosen: Rgb,
    depth: Depth,
}

impl Painter {
    /// Returns `None` for a palette without `paper`.
    fn of(palette: &Palette, depth: Depth) -> Option<Painter> {
        let mut colours = [Rgb(0, 0, 0); COLOURS];
        for (rgb, colour) in colours.iter_mut().zip(palette.0) {
            *rgb = Rgb::of(colour?)?;
        }
        let [.., paper, _, _, text, _, _, cursor, _, _] = colours;
        let painter = Painter { colours, paper, text, chosen: paper, depth };
        Some(Painter { chosen: painter.background(cursor, 25, TEXT), ..painter })
    }

    fn colour(&self, rgb: Rgb) -> Color {
        colour_at(rgb.into(), self.depth)
    }

    /// Returns the contrast with this color, both as displayed at this depth.
    fn contrast_with(&self, one: Rgb) -> impl Fn(Rgb) -> f64 {
        let shown = |rgb: Rgb| Rgb::of(self.colour(rgb)).unwrap_or(rgb);
        let one = shown(one);
        move |other| one.contrast(shown(other))
    }

    fn ink(&self, ink: Rgb) -> Style {
        Style::new().fg(self.colour(ink))
    }

    fn on(&self, ink: Style, background: Rgb) -> Style {
        ink.bg(self.colour(background))
    }

    /// Mixes at least this percentage of the ink over `paper`, increased until the line is visible.
    fn line(&self, ink: Rgb, percent: u8) -> Style {
        let mix = |percent| ink.over(self.paper, percent);
        let contrast = self.contrast_with(self.paper);
        let is_seen = |&percent: &u8| contrast(mix(percent)) >= SHAPE;
        self.ink(mix((percent..100).step_by(5).find(is_seen).unwrap_or(100)))
    }

    /// Mixes the ink with the text color, in steps of this percentage, until its contrast with a background is at
    /// least `least`.
    fn clear(&self, ink: Rgb, background: Rgb, least: f64, step: usize) -> Style {
        let mix = |percent| self.text.over(ink, percent);
        let contrast = self.contrast_with(background);
        let is_clear = |&percent: &u8| contrast(mix(percent)) >= least;
        self.ink(mix((0..100).step_by(step).find(is_clear).unwrap_or(100)))
    }

    /// Returns a background with the ink, mixed with the text color until the ink is readable.
    fn readable(&self, ink: Rgb, background: Rgb) -> Style {
        self.on(self.clear(ink, background, QUIET, 5), background)
    }

    /// Mixes at most this percentage of the color over `paper`, reduced until text has a contrast of at least `least`
    /// on it.
    fn background(&self, colour: Rgb, percent: u8, least: f64) -> Rgb {
        let mix = |percent| colour.over(self.paper, percent);
        let contrast = self.contrast_with(self.text);
        let is_clear = |&percent: &u8| contrast(mix(percent)) >= least;
        mix((0..=percent).rev().step_by(2).find(is_clear).unwrap_or(0))
    }

    /// Returns the backgrounds of a blank tile and of one that may be taken, which is lighter in all themes. Both stand
    /// out from the paper and from each other.
    fn tiles(&self, grid: Rgb) -> [Rgb; 2] {
        let is_dark = self.paper.luminance() < self.text.luminance();
        let mix = |percent: u8| self.text.over(grid, percent);
        let first = |from: u8, to: Rgb, least: f64| {
            let contrast = self.contrast_with(to);
            (from..100).find(|percent| contrast(mix(*percent)) >= least).unwrap_or(100)
        };
        let weak = first(0, self.paper, TILE);
        let strong = first(weak, mix(weak), TILE_STEP);
        let [weak, strong] = [weak, strong].map(mix);
        if is_dark { [weak, strong] } else { [strong, weak] }
    }

    /// Returns two backgrounds in the color of a seat for areas inside outlines: a pale one and a stronger one. With
    /// 256 colors, these are the two palest that differ from the paper.
    fn tints(&self, seat: Rgb) -> [Rgb; 2] {
        let mix = |percent| seat.over(self.paper, percent);
        let contrast = self.contrast_with(self.paper);
        let first = |from: u8, least: f64| {
            (from..100).find(|percent| contrast(mix(*percent)) >= least).unwrap_or(100)
        };
        let pale = first(1, PALE);
        let least = match self.depth {
            Depth::Indexed256 => contrast(mix(pale)) * NEXT,
            _ => STRONG,
        };
        // Between the few colors of a palette there may be none; then only the outline is stronger.
        let strong = first(pale, least);
        let strong = if contrast(mix(strong)) <= SHAPE { strong } else { pale };
        [mix(pale), mix(strong)]
    }

    /// Returns a full-strength background with the most readable text color.
    fn badge(&self, background: Rgb) -> Style {
        let contrast = self.contrast_with(background);
        let own = if contrast(self.paper) > contrast(self.text) { self.paper } else { self.text };
        let all = [own, Rgb(0, 0, 0), Rgb(255, 255, 255)];
        let ink = all.into_iter().find(|ink| contrast(*ink) >= QUIET).unwrap_or(self.text);
        self.on(self.ink(ink), background)
    }

    fn style(&self, role: Role) -> Style {
        let [seats @ .., paper, panel, grid, text, dim, faint, cursor, good, wrong] = self.colours;
        let chosen = self.chosen;
        match role {
            Role::Text => self.ink(text),
            Role::Dim => self.ink(dim),
            Role::Faint => self.ink(faint),
            Role::Board => self.clear(faint, paper, SHAPE, 1),
            Role::Strong => self.ink(text).bold(),
            Role::Grid => self.ink(grid),
            Role::Panel => self.on(self.ink(text), panel),
            Role::Tile => self.badge(self.tiles(grid)[0]),
            Role::OpenTile => self.badge(self.tiles(grid)[1]),
            // The `reversed` style below would swap these two colors.
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
                let (card, fill) = (|| mixed(20, TEXT), || mixed(30, QUIET));
                match role {
                    SeatRole::Ink => self.ink(seat),
                    SeatRole::Line => self.line(seat, 75),
                    SeatRole::LastLine => self.line(seat, 100).bold(),
                    SeatRole::Fill => self.on(self.ink(text), fill()),
                    SeatRole::FillInk => self.readable(seat, fill()),
                    SeatRole::WonFill => self.on(self.ink(text), mixed(50, QUIET)).bold(),
                    SeatRole::LostFill => self.readable(dim, mixed(16, QUIET)),
                    SeatRole::Area => self.readable(seat, self.tints(seat)[0]),
                    SeatRole::WonArea => self.readable(seat, self.tints(seat)[1]).bold(),
                    SeatRole::Card => self.on(self.ink(text), card()),
                    SeatRole::CardDim => self.readable(dim, card()),
                    SeatRole::CardInk => self.readable(seat, card()),
                    SeatRole::ChosenInk => self.readable(seat, chosen),
                }
            }
        }
    }
}
