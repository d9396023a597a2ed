//! The look of the screen: a theme and a set of glyphs. Color is never the only indication.
//!
//! [`Glyphs::NARROW`] contains no glyphs of ambiguous width (Unicode Annex 11), for terminals set to Chinese, Japanese
//! or Korean.

use super::cells::ascii_line;
use super::{Background, Direction, FillInks, Palette, Role, SeatRole, Theme};
use quadrille_rules::Seat;
use ratatui::style::{Color, Modifier, Style};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Skin {
    theme: &'static Theme,
    glyphs: &'static Glyphs,
    background: Background,
    fill_inks: FillInks,
}

/// The glyphs used for drawing, each one column wide. East Asian fonts display some glyphs two columns wide
/// ("ambiguous" in Unicode Annex 11); only [`Glyphs::FULL`] contains such glyphs.
#[derive(Debug, PartialEq, Eq)]
pub struct Glyphs {
    pub mode: DrawMode,
    pub dot: char,
    /// A horizontal and a vertical line.
    pub line: [char; 2],
    /// The left and right halves of a horizontal line, then the upper and lower halves of a vertical line.
    pub line_halves: Option<[char; 4]>,
    /// An undrawn line under the cursor: horizontal, then vertical.
    pub ghost: [char; 2],
    /// A point of an undrawn line.
    pub faint: char,
    /// Fills an area, such as a taken box, if the theme has no background color for it.
    pub hatch: char,
    /// The frame of a die: three rows of three glyphs, with the middle one unused.
    pub frame: [[char; 3]; 3],
    /// The frame inside a card of the home screen: three rows of three glyphs, with the middle one unused.
    pub ring: [[char; 3]; 3],
    /// The crossing of two drawn lines, one horizontal and one vertical.
    pub line_crossing: char,
    /// Marks a blocked line, the place where it would cross a drawn line, a bad move, or a mistake.
    pub blocked: char,
    pub best: char,
    /// Precedes the player to move, and the selected menu entry.
    pub turn: char,
    /// Precedes the selected row of a form.
    pub row: char,
    /// The bars of a review's chart.
    pub bar: char,
    /// The left edge of a card in a panel, such as the score.
    pub edge: char,
    /// The upper, lower and left halves of a cell.
    pub halves: Option<[char; 3]>,
    /// The scroll bar: track and thumb.
    pub scroll: [char; 2],
    pub left: char,
    pub right: char,
    pub up: char,
    pub down: char,
}

/// How symbols and slanted lines are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DrawMode {
    /// With half blocks and Braille dots.
    Blocks,
    /// With letters and Braille dots.
    Letters,
    Ascii,
}

impl Glyphs {
    /// Only glyphs that are narrow in every terminal.
    pub const NARROW: Glyphs = Glyphs {
        mode: DrawMode::Letters,
        dot: '▪',
        line: ['╍', '╏'],
        line_halves: None,
        ghost: ['╌', '╎'],
        faint: '∙',
        hatch: '░',
        frame: [['⡎', '⠉', '⢱'], ['⡇', ' ', '⢸'], ['⢇', '⣀', '⡸']],
        ring: [['⡎', '⠉', '⢱'], ['⡇', ' ', '⢸'], ['⢇', '⣀', '⡸']],
        line_crossing: '▪',
        blocked: 'x',
        best: '*',
        turn: '►',
        row: '►',
        bar: '▮',
        edge: '⡇',
        halves: None,
        scroll: ['▯', '▮'],
        left: '◂',
        right: '▸',
        up: '▴',
        down: '▾',
    };

    /// All glyphs. Some of them are wide in terminals set to an East Asian language.
    pub const FULL: Glyphs = Glyphs {
        mode: DrawMode::Blocks,
        dot: '●',
        line: ['━', '┃'],
        line_halves: Some(['╸', '╺', '╹', '╻']),
        ghost: ['╍', '╏'],
        faint: '·',
        frame: [['╭', '─', '╮'], ['│', ' ', '│'], ['╰', '─', '╯']],
        ring: [['█', '▀', '█'], ['█', ' ', '█'], ['█', '▄', '█']],
        line_crossing: '╋',
        blocked: '×',
        row: '▌',
        bar: '█',
        edge: '█',
        halves: Some(['▀', '▄', '▌']),
        scroll: ['░', '█'],
        ..Glyphs::NARROW
    };

    pub const ASCII: Glyphs = Glyphs {
        mode: DrawMode::Ascii,
        dot: '+',
        line: ['-', '|'],
        ghost: ['.', ':'],
        faint: '.',
        hatch: ' ',
        frame: [['.', '-', '.'], ['|', ' ', '|'], ['\'', '-', '\'']],
        ring: [['+', '-', '+'], ['|', ' ', '|'], ['+', '-', '+']],
        line_crossing: '+',
        turn: '>',
        row: '>',
        bar: '#',
        edge: '|',
        scroll: ['.', '#'],
        left: '<',
        right: '>',
        up: '^',
        down: 'v',
        ..Glyphs::NARROW
    };

    /// Returns the glyph for a set of Braille dots, with the bit order of Unicode.
    pub fn braille(&self, dots: u8) -> char {
        match self.mode {
            DrawMode::Ascii => ascii_line(dots),
            DrawMode::Blocks | DrawMode::Letters => {
                char::from_u32(0x2800 + u32::from(dots)).unwrap_or(' ')
            }
        }
    }

    pub const fn pointer(&self, direction: Direction) -> char {
        match direction {
            Direction::Left => self.left,
            Direction::Right => self.right,
            Direction::Up => self.up,
            Direction::Down => self.down,
        }
    }
}

impl Default for Skin {
    /// Returns the theme with the terminal's own colors and narrow glyphs.
    fn default() -> Skin {
        Skin {
            theme: Theme::terminal(),
            glyphs: &Glyphs::NARROW,
            background: Background::Dark,
            fill_inks: FillInks::default(),
        }
    }
}

impl Skin {
    pub const fn with_theme(self, theme: &'static Theme) -> Skin {
        Skin { theme, ..self }
    }

    /// Returns the skin for a terminal with this background.
    pub const fn with_background(self, background: Background) -> Skin {
        Skin { background, ..self }
    }

    /// Returns the skin for a terminal whose sixteen colors allow these fills. Only relevant for themes without their
    /// own background.
    pub const fn with_fill_inks(self, fill_inks: FillInks) -> Skin {
        Skin { fill_inks, ..self }
    }

    /// Returns the terminal's background, if it is known.
    pub const fn background(self) -> Background {
        self.background
    }

    pub const fn theme(self) -> &'static Theme {
        self.theme
    }

    /// Returns whether the theme has the terminal's own colors, some of which may allow fills.
    pub fn uses_terminal_colours(self) -> bool {
        !self.theme.paints() && *self.theme.palette() != Palette::NONE
    }

    pub fn without_colour(self) -> Skin {
        self.with_theme(Theme::mono())
    }

    /// Returns the skin with [`Glyphs::FULL`], some of which may be too wide in terminals set to an East Asian
    /// language.
    pub const fn with_full_glyphs(self) -> Skin {
        self.with_glyphs(&Glyphs::FULL)
    }

    pub const fn with_glyphs(self, glyphs: &'static Glyphs) -> Skin {
        Skin { glyphs, ..self }
    }

    pub const fn in_ascii(self) -> Skin {
        self.with_glyphs(&Glyphs::ASCII)
    }

    pub const fn is_ascii(self) -> bool {
        matches!(self.glyphs.mode, DrawMode::Ascii)
    }

    /// Returns whether items larger than a glyph are drawn in pixels.
    pub const fn has_pixels(self) -> bool {
        matches!(self.glyphs.mode, DrawMode::Blocks)
    }

    pub const fn glyphs(self) -> &'static Glyphs {
        self.glyphs
    }

    /// Returns the style of a role, for patching onto an existing style.
    pub fn style(self, role: Role) -> Style {
        self.theme.style_on(self.background, role)
    }

    /// Returns the style of a box or area, or of the letter on it. Without a background, it is hatched.
    pub fn area(self, role: Role) -> Style {
        let style = self.style(role);
        if self.theme.paints() { style } else { self.fill_inks.apply(role, style) }
    }

    /// Returns the style that fills the screen before anything else is drawn.
    pub const fn paper(self) -> Style {
        self.theme.paper()
    }

    pub fn seat(self, seat: Seat) -> Style {
        self.style(Role::Of(SeatRole::Ink, seat))
    }

    pub const fn plain(self) -> Style {
        Style::new()
    }

    /// Makes the style bold, except black text on a fill, which many terminals would show in gray.
    pub fn last(self, style: Style) -> Style {
        if style.fg == Some(Color::Black) { style } else { style.add_modifier(Modifier::BOLD) }
    }

    pub fn cursor(self) -> Style {
        self.style(Role::Cursor)
    }

    pub fn wrong(self) -> Style {
        self.style(Role::Wrong)
    }

    pub fn dim(self) -> Style {
        self.style(Role::Dim)
    }

    pub fn strong(self) -> Style {
        self.style(Role::Strong)
    }
}
