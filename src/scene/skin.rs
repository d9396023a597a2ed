//! How things look on a screen: a theme and a set of glyphs. Nothing is shown by colour alone.
//!
//! [`Glyphs::NARROW`] has none of ambiguous width (Unicode Annex 11), for terminals set to Chinese, Japanese or Korean.

use super::cells::ascii_line;
use super::{Background, Direction, Role, SeatRole, Theme};
use crate::rules::Seat;
use ratatui::style::{Modifier, Style};

/// A theme and the glyphs to draw with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Skin {
    theme: &'static Theme,
    glyphs: &'static Glyphs,
    background: Background,
}

/// The glyphs that everything is drawn with, each one column wide. East Asian fonts show some glyphs two
/// columns wide ("ambiguous" in Unicode's Annex 11); only [`Glyphs::FULL`] has such.
#[derive(Debug, PartialEq, Eq)]
pub struct Glyphs {
    /// How crosses, circles and slanted lines are drawn.
    pub mode: DrawMode,
    pub dot: char,
    /// A line along a row, and one along a column.
    pub line: [char; 2],
    /// If the set has them, the left and the right half of a line along a row, then the upper and the lower
    /// half of a line along a column.
    pub line_halves: Option<[char; 4]>,
    /// A line under the cursor that is not drawn yet, along a row and along a column.
    pub ghost: [char; 2],
    /// A point of a line that nobody has drawn.
    pub faint: char,
    /// Fills an area, such as a taken box, where the theme has no background for it.
    pub hatch: char,
    /// The frame of a die: three rows of three, the middle one not used.
    pub frame: [[char; 3]; 3],
    /// The frame round a card of the home screen, drawn just outside it: three rows of three, the middle one not used.
    pub ring: [[char; 3]; 3],
    /// Where two drawn lines cross, one along a row and one along a column.
    pub line_crossing: char,
    /// Marks a line that cannot be drawn, the place where it would cross another, a bad move and a mistake.
    pub blocked: char,
    /// Stands before the best moves.
    pub best: char,
    /// The marks of a right and of a wrong answer.
    pub answers: [char; 2],
    /// Stands before the player to move, and before the entry of a menu that is chosen.
    pub turn: char,
    /// Stands before the row of a form that is under the cursor.
    pub row: char,
    /// What the bars of a review are made of, which show how a match went.
    pub bar: char,
    /// The left edge of a card in a panel, such as that of the score.
    pub edge: char,
    /// The upper, the lower and the left half of a cell, if the set has them.
    pub halves: Option<[char; 3]>,
    /// A scroll bar: the part for what is out of sight, and the part for what shows.
    pub scroll: [char; 2],
    pub left: char,
    pub right: char,
    pub up: char,
    pub down: char,
}

/// What symbols and slanted lines are made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DrawMode {
    /// Half blocks and Braille dots.
    Blocks,
    /// Letters and Braille dots.
    Letters,
    Ascii,
}

impl Glyphs {
    /// Glyphs that are narrow in every terminal.
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
        answers: ['✓', '✗'],
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
        ring: [['▗', '▄', '▖'], ['▐', ' ', '▌'], ['▝', '▀', '▘']],
        line_crossing: '╋',
        blocked: '×',
        row: '▌',
        bar: '█',
        edge: '▌',
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
        answers: ['+', 'x'],
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

    /// The glyph for these Braille dots of a cell; the bits are those of Unicode.
    pub fn braille(&self, dots: u8) -> char {
        match self.mode {
            DrawMode::Ascii => ascii_line(dots),
            DrawMode::Blocks | DrawMode::Letters => {
                char::from_u32(0x2800 + u32::from(dots)).unwrap_or(' ')
            }
        }
    }

    /// A small triangle that points that way.
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
    /// The theme that leaves the terminal's own colours alone, and narrow glyphs.
    fn default() -> Skin {
        Skin { theme: Theme::terminal(), glyphs: &Glyphs::NARROW, background: Background::Dark }
    }
}

impl Skin {
    pub const fn with_theme(self, theme: &'static Theme) -> Skin {
        Skin { theme, ..self }
    }

    /// The same on a terminal with this background.
    pub const fn with_background(self, background: Background) -> Skin {
        Skin { background, ..self }
    }

    /// The background of the terminal, as far as it is known.
    pub const fn background(self) -> Background {
        self.background
    }

    pub const fn theme(self) -> &'static Theme {
        self.theme
    }

    pub fn without_colour(self) -> Skin {
        self.with_theme(Theme::mono())
    }

    /// The same theme with [`Glyphs::FULL`], which may be too wide in terminals set to an East Asian
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

    /// Whether what is larger than a glyph is drawn in pixels.
    pub const fn has_pixels(self) -> bool {
        matches!(self.glyphs.mode, DrawMode::Blocks)
    }

    pub const fn glyphs(self) -> &'static Glyphs {
        self.glyphs
    }

    /// The style of this role, to be put over the style that is there.
    pub fn style(self, role: Role) -> Style {
        self.theme.style_on(self.background, role)
    }

    /// The style that fills the whole screen before anything is drawn.
    pub const fn paper(self) -> Style {
        self.theme.paper()
    }

    /// The style of the text of a seat: its name, its score, its moves.
    pub fn seat(self, seat: Seat) -> Style {
        self.style(Role::Of(SeatRole::Ink, seat))
    }

    /// A style that changes nothing.
    pub const fn plain(self) -> Style {
        Style::new()
    }

    /// This style, changed as it is for the last move.
    pub fn last(self, style: Style) -> Style {
        style.add_modifier(Modifier::BOLD)
    }

    pub fn cursor(self) -> Style {
        self.style(Role::Cursor)
    }

    pub fn wrong(self) -> Style {
        self.style(Role::Wrong)
    }

    /// The style of text that matters less.
    pub fn dim(self) -> Style {
        self.style(Role::Dim)
    }

    /// The style of text that matters more.
    pub fn strong(self) -> Style {
        self.style(Role::Strong)
    }
}
