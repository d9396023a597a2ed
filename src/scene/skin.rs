//! The looks of a board: which glyphs, which styles. Nothing is told by colour alone.

use super::cells::ascii_stroke;
use super::{Direction, Role, SeatRole, Theme};
use crate::rules::Seat;
use ratatui::style::{Modifier, Style};

/// How things look on the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Skin {
    theme: &'static Theme,
    glyphs: &'static Glyphs,
}

/// The glyphs that everything is drawn with, each one column wide. Those that East Asian fonts show two
/// columns wide (ambiguous in Unicode's Annex 11) are in [`Glyphs::FULL`] only.
#[derive(Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say which is which")]
pub struct Glyphs {
    /// How crosses, circles and slanted lines are drawn.
    pub manner: Manner,
    pub dot: char,
    /// A line along a row, and one along a column.
    pub line: [char; 2],
    /// The left and the right half of a line along a row, the upper and the lower one of a line along a
    /// column, where there are such.
    pub line_halves: Option<[char; 4]>,
    /// A line that is not drawn yet, only under the cursor.
    pub ghost: [char; 2],
    /// A point of a line that nobody has drawn.
    pub faint: char,
    pub hatch: char,
    /// The frame of a die: three rows of three, the middle one not used.
    pub frame: [[char; 3]; 3],
    /// The frame round a card, drawn just outside it: three rows of three, the middle one not used.
    pub ring: [[char; 3]; 3],
    /// Where a line along a row and one along a column cross.
    pub crossing: char,
    /// Where something was that is gone.
    pub gone: char,
    /// Where two lines would cross.
    pub cross: char,
    /// Before what is best.
    pub best: char,
    pub turn: char,
    /// Before the row under the cursor.
    pub row: char,
    pub bar: char,
    /// The left edge of a card.
    pub edge: char,
    /// The upper, the lower and the left half of a cell, where there are such.
    pub halves: Option<[char; 3]>,
    /// A scroll bar: the part of it that stands for what is out of sight, and for what is seen.
    pub scroll: [char; 2],
    pub left: char,
    pub right: char,
    pub up: char,
    pub down: char,
}

/// What pictures are put together from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Manner {
    /// Half blocks and Braille dots.
    Blocks,
    /// Letters and Braille dots.
    Letters,
    /// ASCII alone.
    Ascii,
}

impl Glyphs {
    /// Glyphs that are narrow in every terminal.
    pub const NARROW: Glyphs = Glyphs {
        manner: Manner::Letters,
        dot: '▪',
        line: ['╍', '╏'],
        line_halves: None,
        ghost: ['╌', '╎'],
        faint: '∙',
        hatch: '░',
        frame: [['⡎', '⠉', '⢱'], ['⡇', ' ', '⢸'], ['⢇', '⣀', '⡸']],
        ring: [['⡎', '⠉', '⢱'], ['⡇', ' ', '⢸'], ['⢇', '⣀', '⡸']],
        crossing: '▪',
        gone: '▫',
        cross: 'x',
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

    /// Glyphs that are narrow in every terminal but those set to an East Asian language.
    pub const FULL: Glyphs = Glyphs {
        manner: Manner::Blocks,
        dot: '●',
        line: ['━', '┃'],
        line_halves: Some(['╸', '╺', '╹', '╻']),
        ghost: ['╍', '╏'],
        faint: '·',
        frame: [['╭', '─', '╮'], ['│', ' ', '│'], ['╰', '─', '╯']],
        ring: [['▗', '▄', '▖'], ['▐', ' ', '▌'], ['▝', '▀', '▘']],
        crossing: '╋',
        gone: '○',
        cross: '×',
        row: '▌',
        bar: '█',
        edge: '▌',
        halves: Some(['▀', '▄', '▌']),
        scroll: ['░', '█'],
        ..Glyphs::NARROW
    };

    /// Glyphs of ASCII alone.
    pub const ASCII: Glyphs = Glyphs {
        manner: Manner::Ascii,
        dot: '+',
        line: ['-', '|'],
        line_halves: None,
        ghost: ['.', ':'],
        faint: '.',
        hatch: ' ',
        frame: [['.', '-', '.'], ['|', ' ', '|'], ['\'', '-', '\'']],
        ring: [['+', '-', '+'], ['|', ' ', '|'], ['+', '-', '+']],
        crossing: '+',
        gone: 'o',
        cross: 'x',
        best: '*',
        turn: '>',
        row: '>',
        bar: '#',
        edge: '|',
        halves: None,
        scroll: ['.', '#'],
        left: '<',
        right: '>',
        up: '^',
        down: 'v',
    };

    /// The glyph for these Braille dots of a cell, numbered as Unicode numbers them.
    pub fn braille(&self, dots: u8) -> char {
        match self.manner {
            Manner::Ascii => ascii_stroke(dots),
            Manner::Blocks | Manner::Letters => {
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
    /// The looks that leave the terminal's own colours alone.
    fn default() -> Skin {
        Skin { theme: Theme::terminal(), glyphs: &Glyphs::NARROW }
    }
}

impl Skin {
    /// The same looks in the colours of this theme.
    pub const fn with_theme(self, theme: &'static Theme) -> Skin {
        Skin { theme, ..self }
    }

    /// The theme.
    pub const fn theme(self) -> &'static Theme {
        self.theme
    }

    /// The same looks without any colour.
    pub fn without_colour(self) -> Skin {
        self.with_theme(Theme::mono())
    }

    /// The same looks with glyphs that may be too wide in terminals set to an East Asian language.
    pub const fn with_full_glyphs(self) -> Skin {
        self.with_glyphs(&Glyphs::FULL)
    }

    /// The same looks with these glyphs.
    pub const fn with_glyphs(self, glyphs: &'static Glyphs) -> Skin {
        Skin { glyphs, ..self }
    }

    /// The same looks in ASCII.
    pub const fn in_ascii(self) -> Skin {
        self.with_glyphs(&Glyphs::ASCII)
    }

    /// Whether nothing but ASCII is to be shown.
    pub const fn is_ascii(self) -> bool {
        matches!(self.glyphs.manner, Manner::Ascii)
    }

    /// The glyphs to draw with.
    pub const fn glyphs(self) -> &'static Glyphs {
        self.glyphs
    }

    /// What a thing of this role looks like, to be put over what is there.
    pub fn style(self, role: Role) -> Style {
        self.theme.style(role)
    }

    /// What the whole screen is filled with before anything is drawn.
    pub const fn paper(self) -> Style {
        self.theme.paper()
    }

    /// Something that belongs to a seat.
    pub fn seat(self, seat: Seat) -> Style {
        self.style(Role::Of(SeatRole::Ink, seat))
    }

    /// Nothing in particular.
    pub const fn plain(self) -> Style {
        Style::new()
    }

    /// What was played last.
    pub fn last(self, style: Style) -> Style {
        style.add_modifier(Modifier::BOLD)
    }

    /// What is under the cursor.
    pub fn cursor(self) -> Style {
        self.style(Role::Cursor)
    }

    /// What stands in the way.
    pub fn wrong(self) -> Style {
        self.style(Role::Wrong)
    }

    /// What matters less.
    pub fn dim(self) -> Style {
        self.style(Role::Dim)
    }

    /// What matters more.
    pub fn strong(self) -> Style {
        self.style(Role::Strong)
    }
}
