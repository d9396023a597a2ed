//! The looks of a board: which glyphs, which styles. Nothing is told by colour alone.

use super::Direction;
use crate::rules::Seat;
use ratatui::style::{Color, Modifier, Style};

/// How things look on the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Skin {
    colour: bool,
    ascii: bool,
    glyphs: &'static Glyphs,
}

/// The glyphs that boards are drawn with: each one column wide in every terminal, none of those that
/// East Asian fonts show two columns wide (ambiguous in Unicode's Annex 11).
#[derive(Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say which is which")]
pub struct Glyphs {
    pub dot: char,
    /// A line along a row, and one along a column.
    pub line: [char; 2],
    /// The same, not drawn yet, only under the cursor.
    pub ghost: [char; 2],
    pub hatch: char,
    /// The frame of a die: three rows of three, the middle one not used.
    pub frame: [[char; 3]; 3],
    /// Where something was that is gone.
    pub gone: char,
    /// Where two lines would cross.
    pub cross: char,
    /// Before what is best.
    pub best: char,
    pub turn: char,
    pub bar: char,
    /// A scroll bar: the part of it that stands for what is out of sight, and for what is seen.
    pub scroll: [char; 2],
    pub left: char,
    pub right: char,
    pub up: char,
    pub down: char,
}

/// The seats' colours, of the sixteen that every terminal lets its user choose.
const SEATS: [Color; 8] = [
    Color::Cyan,
    Color::Yellow,
    Color::Magenta,
    Color::Green,
    Color::Red,
    Color::Blue,
    Color::LightMagenta,
    Color::LightGreen,
];

impl Glyphs {
    /// For terminals that show Unicode.
    pub const UNICODE: Glyphs = Glyphs {
        dot: '▪',
        line: ['╍', '╏'],
        ghost: ['╌', '╎'],
        hatch: '░',
        frame: [['⡎', '⠉', '⢱'], ['⡇', ' ', '⢸'], ['⢇', '⣀', '⡸']],
        gone: '▫',
        cross: 'x',
        best: '*',
        turn: '►',
        bar: '▮',
        scroll: ['▯', '▮'],
        left: '◂',
        right: '▸',
        up: '▴',
        down: '▾',
    };

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
    fn default() -> Skin {
        Skin { colour: true, ascii: false, glyphs: &Glyphs::UNICODE }
    }
}

impl Skin {
    /// The same looks without any colour.
    pub const fn without_colour(self) -> Skin {
        Skin { colour: false, ..self }
    }

    /// The same looks in ASCII, for which all glyphs are translated when a screen is drawn.
    pub const fn in_ascii(self) -> Skin {
        Skin { ascii: true, ..self }
    }

    /// Whether the screen is to be translated to ASCII.
    pub const fn is_ascii(self) -> bool {
        self.ascii
    }

    /// The glyphs to draw with.
    pub const fn glyphs(self) -> &'static Glyphs {
        self.glyphs
    }

    /// Something that belongs to a seat.
    pub fn seat(self, seat: Seat) -> Style {
        self.fg(SEATS[seat.index() % SEATS.len()])
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
        Style::new().add_modifier(Modifier::REVERSED)
    }

    /// What was picked, the first half of a move.
    pub fn pick(self) -> Style {
        self.fg(Color::Green).add_modifier(Modifier::BOLD | Modifier::UNDERLINED)
    }

    /// What the move chosen so far would move.
    pub fn moved(self) -> Style {
        Style::new().add_modifier(Modifier::UNDERLINED)
    }

    /// What stands in the way.
    pub fn wrong(self) -> Style {
        self.fg(Color::Red).add_modifier(Modifier::BOLD)
    }

    /// What matters less.
    pub fn dim(self) -> Style {
        Style::new().add_modifier(Modifier::DIM)
    }

    /// What matters more.
    pub fn strong(self) -> Style {
        Style::new().add_modifier(Modifier::BOLD)
    }

    /// The line that has won.
    pub fn won(self) -> Style {
        Style::new().add_modifier(Modifier::BOLD | Modifier::REVERSED)
    }

    /// What counts for points.
    pub fn counted(self) -> Style {
        self.fg(Color::Green).add_modifier(Modifier::BOLD)
    }

    /// The best moves.
    pub fn best(self) -> Style {
        self.fg(Color::Green).add_modifier(Modifier::BOLD)
    }

    fn fg(self, colour: Color) -> Style {
        if self.colour { Style::new().fg(colour) } else { Style::new() }
    }
}
