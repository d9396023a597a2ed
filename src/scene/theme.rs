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
use super::palette::{Colour, Paint, Palette, SEATS};
use crate::rules::{Outcome, Seat};
use ratatui::style::{Color, Modifier, Style};

/// What something on the screen means. A role has one meaning, and things that mean different things have
/// different roles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
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
    Of(SeatRole, Seat),
}

/// What something that belongs to a seat means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
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
    /// An area that was taken before the last one, with text on it.
    OldFill,
    /// A taken area of the winner, with text on it.
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

/// A style for every role, made from a palette.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Theme {
    name: String,
    palette: Palette,
    paper: Style,
    styles: Vec<Style>,
    /// The styles on a light background, if they differ.
    on_light: Option<Vec<Style>>,
}

impl SeatRole {
    /// The role of an area that this seat has taken. When the match is over, it is brighter if the seat has
    /// won, and paler if another seat has.
    pub fn fill(seat: Seat, outcome: Option<Outcome>) -> Role {
        let fill = match outcome {
            None => SeatRole::Fill,
            Some(outcome) if outcome.has(seat) => SeatRole::WonFill,
            Some(_) => SeatRole::LostFill,
        };
        Role::Of(fill, seat)
    }

    pub const ALL: [SeatRole; 12] = [
        SeatRole::Ink,
        SeatRole::Line,
        SeatRole::LastLine,
        SeatRole::Fill,
        SeatRole::FillInk,
        SeatRole::OldFill,
        SeatRole::WonFill,
        SeatRole::LostFill,
        SeatRole::Card,
        SeatRole::CardDim,
        SeatRole::CardInk,
        SeatRole::ChosenInk,
    ];
}

impl Role {
    /// The roles that belong to no seat.
    pub const COMMON: [Role; 21] = [
        Role::Text,
        Role::Dim,
        Role::Faint,
        Role::Board,
        Role::Strong,
        Role::Grid,
        Role::Panel,
        Role::Tile,
        Role::OpenTile,
        Role::Cursor,
        Role::Marker,
        Role::Chosen,
        Role::ChosenDim,
        Role::Key,
        Role::Pick,
        Role::Good,
        Role::Wrong,
        Role::Best,
        Role::Moved,
        Role::Won,
        Role::Counted,
    ];

    /// All of them, in the order in which a theme keeps their styles.
    pub fn all() -> impl Iterator<Item = Role> {
        let seats = || (0..SEATS as u8).map(Seat::new);
        let of_seats = SeatRole::ALL.into_iter();
        let of_seats = of_seats.flat_map(move |role| seats().map(move |seat| Role::Of(role, seat)));
        Role::COMMON.into_iter().chain(of_seats)
    }

    /// Its index in that order.
    const fn index(self) -> usize {
        match self {
            Role::Text => 0,
            Role::Dim => 1,
            Role::Faint => 2,
            Role::Board => 3,
            Role::Strong => 4,
            Role::Grid => 5,
            Role::Panel => 6,
            Role::Tile => 7,
            Role::OpenTile => 8,
            Role::Cursor => 9,
            Role::Marker => 10,
            Role::Chosen => 11,
            Role::ChosenDim => 12,
            Role::Key => 13,
            Role::Pick => 14,
            Role::Good => 15,
            Role::Wrong => 16,
            Role::Best => 17,
            Role::Moved => 18,
            Role::Won => 19,
            Role::Counted => 20,
            Role::Of(role, seat) => {
                Role::COMMON.len() + role as usize * SEATS + seat.index() % SEATS
            }
        }
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

    /// Has these colours where the terminal's background is light. They must be those of the terminal, so that they are
    /// the same at every depth.
    pub(super) fn with_light(self, palette: Palette) -> Theme {
        Theme { on_light: Some(Theme::new("", palette).styles), ..self }
    }

    fn shown(name: String, palette: Palette, depth: Depth) -> Theme {
        let (paper, styles) = match &palette {
            Palette::Painting(paint) => {
                let painter = Painter { paint, depth };
                let paper = painter.ink(paint.text).bg(painter.colour(paint.paper));
                (paper, Role::all().map(|role| painter.style(role)).collect())
            }
            Palette::Plain { good, wrong, seats } => {
                let fg = |colour: Option<Colour>| match colour {
                    Some(Colour::Terminal(own)) => Style::new().fg(own),
                    Some(Colour::Exact(rgb)) => Style::new().fg(colour_at(rgb, depth)),
                    None => Style::new(),
                };
                let [good, wrong] = [*good, *wrong].map(fg);
                let seats = seats.map(fg);
                (Style::new(), Role::all().map(|role| plain(role, good, wrong, &seats)).collect())
            }
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
        matches!(self.palette, Palette::Painting(_))
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
        on_light.unwrap_or(&self.styles)[role.index()]
    }
}

/// The colour as a terminal of this depth shows it.
fn colour_at(rgb: Rgb, depth: Depth) -> Color {
    match depth {
        Depth::TrueColour => Color::Rgb(rgb.0, rgb.1, rgb.2),
        _ => Color::Indexed(rgb.nearest()),
    }
}

/// The style of a role in a theme that does not paint. It can fill nothing; what has no colour is shown by
/// bold, dim, underline and reverse.
fn plain(role: Role, good: Style, wrong: Style, seats: &[Style; SEATS]) -> Style {
    let style = Style::new();
    match role {
        Role::Text | Role::Panel | Role::Tile | Role::ChosenDim => style,
        Role::Dim | Role::Faint | Role::Board | Role::Grid => style.add_modifier(Modifier::DIM),
        Role::Strong | Role::Key | Role::OpenTile | Role::Marker | Role::Chosen => {
            style.add_modifier(Modifier::BOLD)
        }
        Role::Cursor => style.add_modifier(Modifier::REVERSED),
        Role::Pick => good.add_modifier(Modifier::BOLD | Modifier::UNDERLINED),
        Role::Good | Role::Best | Role::Counted => good.add_modifier(Modifier::BOLD),
        Role::Wrong => wrong.add_modifier(Modifier::BOLD),
        Role::Moved => style.add_modifier(Modifier::UNDERLINED),
        Role::Won => style.add_modifier(Modifier::BOLD | Modifier::REVERSED),
        Role::Of(role, seat) => {
            let ink = seats[seat.index() % SEATS];
            match role {
                SeatRole::Ink
                | SeatRole::Line
                | SeatRole::Fill
                | SeatRole::FillInk
                | SeatRole::CardInk => ink,
                SeatRole::LastLine | SeatRole::WonFill | SeatRole::ChosenInk => {
                    ink.add_modifier(Modifier::BOLD)
                }
                SeatRole::OldFill | SeatRole::LostFill => ink.add_modifier(Modifier::DIM),
                SeatRole::Card => style.add_modifier(Modifier::BOLD),
                SeatRole::CardDim => style.add_modifier(Modifier::DIM),
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
struct Painter<'a> {
    paint: &'a Paint<Rgb>,
    depth: Depth,
}

impl Painter<'_> {
    fn colour(&self, rgb: Rgb) -> Color {
        colour_at(rgb, self.depth)
    }

    /// The contrast of two colours as the terminal shows them.
    fn contrast(&self, one: Rgb, two: Rgb) -> f64 {
        let shown = |rgb: Rgb| match self.colour(rgb) {
            Color::Indexed(index) => Rgb::indexed(index).unwrap_or(rgb),
            _ => rgb,
        };
        shown(one).contrast(shown(two))
    }

    fn ink(&self, ink: Rgb) -> Style {
        Style::new().fg(self.colour(ink))
    }

    /// The ink over the paper: this many percent, or as many more as it takes to see it.
    fn line(&self, ink: Rgb, percent: u8) -> Style {
        let mix = |percent| ink.over(self.paint.paper, percent);
        let seen = |&percent: &u8| self.contrast(mix(percent), self.paint.paper) >= SHAPE;
        self.ink(mix((percent..100).step_by(5).find(seen).unwrap_or(100)))
    }

    /// The ink, mixed with the text's colour until it can be seen on the paper.
    fn shape(&self, ink: Rgb) -> Style {
        let mix = |percent| self.paint.text.over(ink, percent);
        let seen = |&percent: &u8| self.contrast(mix(percent), self.paint.paper) >= SHAPE;
        self.ink(mix((0..100).find(seen).unwrap_or(100)))
    }

    /// The seat's colour over the paper as a background: this many percent, or as many fewer as it takes
    /// until `ink` has a contrast of `least` on it.
    fn background(&self, seat: Rgb, percent: u8, ink: Rgb, least: f64) -> Rgb {
        let mix = |percent| seat.over(self.paint.paper, percent);
        let read = |&percent: &u8| self.contrast(ink, mix(percent)) >= least;
        mix((0..=percent).rev().step_by(2).find(read).unwrap_or(0))
    }

    /// The ink, mixed with the text's colour until it can be read on this background.
    fn ink_on(&self, ink: Rgb, background: Rgb) -> Style {
        let mix = |percent| self.paint.text.over(ink, percent);
        let read = |&percent: &u8| self.contrast(mix(percent), background) >= QUIET;
        self.ink(mix((0..100).step_by(5).find(read).unwrap_or(100)))
    }

    /// A background at full strength, with the text colour that reads best on it.
    fn badge(&self, background: Rgb) -> Style {
        let Paint { paper, text, .. } = *self.paint;
        let contrast = |ink: &Rgb| self.contrast(*ink, background);
        let own = [paper, text].into_iter().max_by(|a, b| contrast(a).total_cmp(&contrast(b)));
        let all = [own.unwrap_or(paper), Rgb(0, 0, 0), Rgb(255, 255, 255)];
        let ink = all.into_iter().find(|ink| contrast(ink) >= QUIET).unwrap_or(text);
        self.ink(ink).bg(self.colour(background))
    }

    fn style(&self, role: Role) -> Style {
        let Paint { paper, panel, grid, text, dim, faint, cursor, good, wrong, seats } =
            *self.paint;
        let bold = Modifier::BOLD;
        let chosen = self.background(cursor, 25, text, TEXT);
        match role {
            Role::Text => self.ink(text),
            Role::Dim => self.ink(dim),
            Role::Faint => self.ink(faint),
            Role::Board => self.shape(faint),
            Role::Strong => self.ink(text).add_modifier(bold),
            Role::Grid => self.ink(grid),
            Role::Panel => self.ink(text).bg(self.colour(panel)),
            Role::Tile => self.ink(text).bg(self.colour(grid.over(paper, 60))),
            Role::OpenTile => self.ink(text).bg(self.colour(grid)),
            // A reversed style below would swap these two colours.
            Role::Cursor => self.badge(cursor).remove_modifier(Modifier::REVERSED),
            Role::Marker => self.ink(cursor),
            Role::Chosen => self.ink(text).bg(self.colour(chosen)),
            Role::ChosenDim => self.ink_on(dim, chosen).bg(self.colour(chosen)),
            Role::Key => self.ink(cursor).add_modifier(bold),
            Role::Pick => self.ink(good).add_modifier(bold | Modifier::UNDERLINED),
            Role::Good => self.ink(good),
            Role::Best => self.ink(good).add_modifier(bold),
            Role::Wrong => self.ink(wrong).add_modifier(bold),
            Role::Moved => self.ink(text).bg(self.colour(self.background(cursor, 25, text, TEXT))),
            Role::Won => Style::new().add_modifier(bold | Modifier::REVERSED),
            Role::Counted => self.badge(good).add_modifier(bold),
            Role::Of(role, seat) => {
                let seat = seats[seat.index() % SEATS];
                let card = self.background(seat, 20, text, TEXT);
                let fill = self.background(seat, 30, text, QUIET);
                match role {
                    SeatRole::Ink => self.ink(seat),
                    SeatRole::Line => self.line(seat, 75),
                    SeatRole::LastLine => self.line(seat, 100).add_modifier(bold),
                    SeatRole::Fill => self.ink(text).bg(self.colour(fill)),
                    SeatRole::FillInk => self.ink_on(seat, fill).bg(self.colour(fill)),
                    SeatRole::OldFill => {
                        let background = self.background(seat, 20, text, QUIET);
                        self.ink(text).bg(self.colour(background))
                    }
                    SeatRole::WonFill => {
                        let background = self.background(seat, 50, text, QUIET);
                        self.ink(text).bg(self.colour(background)).add_modifier(bold)
                    }
                    SeatRole::LostFill => {
                        let background = self.background(seat, 16, text, QUIET);
                        self.ink_on(dim, background).bg(self.colour(background))
                    }
                    SeatRole::Card => self.ink(text).bg(self.colour(card)),
                    SeatRole::CardDim => self.ink_on(dim, card).bg(self.colour(card)),
                    SeatRole::CardInk => self.ink_on(seat, card).bg(self.colour(card)),
                    SeatRole::ChosenInk => self.ink_on(seat, chosen).bg(self.colour(chosen)),
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_role_has_a_place_of_its_own() {
        for (place, role) in Role::all().enumerate() {
            assert_eq!(role.index(), place, "{role:?}");
        }
        assert_eq!(Role::all().count(), 21 + 12 * SEATS);
    }
}
