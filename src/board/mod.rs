//! The boards: one widget a game, each drawing a position and turning keys into a move, over shared
//! pieces for sheets that may be larger than the screen, lattices of dots, and grids of cells.
//!
//! A widget never decides what is legal: it asks the rules, and a half-made move (the die taken, the
//! first of two points) is all the state it has besides the cursor.

mod any_board;
mod axis;
mod cells;
mod chart;
mod compass;
mod dots_and_boxes;
mod grid;
mod intersections;
mod join_the_dots;
mod lattice;
mod mark;
mod press;
mod quixo;
mod sheet;
mod skin;
mod stroke;
mod symbol;
mod tic_tac_toe;

pub use any_board::{AnyBoard, Table, Viewer, open};
pub use axis::Axis;
pub use dots_and_boxes::DotsAndBoxes;
pub use intersections::Intersections;
pub use join_the_dots::JoinTheDots;
pub use mark::{Mark, Spot};
pub use press::{Gesture, Press, Reply};
pub use quixo::Quixo;
pub use sheet::{Format, Sheet};
pub use skin::{Glyphs, Skin};
pub use tic_tac_toe::TicTacToe;

use crate::rules::{Game, Seat};
use crate::scene::{Ground, Scene};
use crate::session::Last;
use ratatui::layout::{Rect, Size};
use std::hash::Hash;

/// The four arrow keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "they are what they are called")]
pub enum Direction {
    Left,
    Right,
    Up,
    Down,
}

impl Direction {
    /// All four, in no particular order.
    pub const ALL: [Direction; 4] =
        [Direction::Left, Direction::Right, Direction::Up, Direction::Down];

    /// The step on the screen, (columns, rows); rows count downwards.
    pub const fn step(self) -> (i8, i8) {
        match self {
            Direction::Left => (-1, 0),
            Direction::Right => (1, 0),
            Direction::Up => (0, -1),
            Direction::Down => (0, 1),
        }
    }

    /// The way back.
    pub const fn opposite(self) -> Direction {
        match self {
            Direction::Left => Direction::Right,
            Direction::Right => Direction::Left,
            Direction::Up => Direction::Down,
            Direction::Down => Direction::Up,
        }
    }

    /// The cell next to one that way, as (row, column) of a board with so many rows and columns,
    /// unless the board ends there.
    fn neighbour(self, (row, col): (u8, u8), [rows, cols]: [u8; 2]) -> Option<(u8, u8)> {
        let (right, down) = self.step();
        let row = row.checked_add_signed(down).filter(|&row| row < rows)?;
        let col = col.checked_add_signed(right).filter(|&col| col < cols)?;
        Some((row, col))
    }
}

/// What a widget looks at.
#[derive(Clone, Copy, Debug)]
pub struct View<'a, G: Game> {
    /// The present position.
    pub now: &'a G,
    /// The move that led to it.
    pub last: Option<Last<'a, G>>,
    /// All moves that led to it, each with the seat that played it. No position knows that.
    pub played: &'a [(Seat, G::Move)],
}

/// What a widget makes of a key, with a move of its game.
pub type ReplyOf<W> = Reply<<<W as Widget>::Game as Game>::Move>;

/// Keys of the moment and what they do: `("arrows", "move")`.
pub type Hint = (&'static str, &'static str);

/// The board of one game. The value itself is the cursor and the pick; two equal ones answer alike,
/// so that all that keys can reach can be searched.
pub trait Widget: Clone + Eq + Hash + Default + Send + 'static {
    /// The game whose positions it draws.
    type Game: Game;
    /// What the cursor stands on.
    type Place: Copy + Eq + Hash;

    /// A setup and the moves of a match worth a picture, small enough for a card of the home screen.
    const SAMPLE: (&'static str, &'static str);
    /// The game in one line of at most 60 columns.
    const TAGLINE: &'static str;

    /// What the board is drawn on, where the widget says by a [`scene`](Widget::scene) what it shows. Else
    /// it draws that itself, by `format`, `focus`, `paint` and `spots`.
    fn ground(&self, now: &Self::Game) -> Option<Ground> {
        let _ = now;
        None
    }

    /// What the board shows, where there is a [`ground`](Widget::ground).
    fn scene(&self, view: &View<Self::Game>) -> Option<Scene<Self::Place>> {
        let _ = view;
        None
    }

    /// The sheet that [`Widget::paint`] draws on: as large as looks well in `room`, and larger than
    /// it only where the board cannot be drawn smaller.
    fn format(&self, now: &Self::Game, room: Size) -> Format {
        self.ground(now).map_or(Format::plain(Size::ZERO), |ground| cells::format(ground, room))
    }

    /// The part of a sheet of this format to keep in sight: where the cursor is.
    fn focus(&self, now: &Self::Game, format: Format) -> Rect {
        let _ = (now, format);
        Rect::ZERO
    }

    /// Draws the board on a sheet of the format that [`Widget::format`] gave.
    fn paint(&self, view: &View<Self::Game>, sheet: &mut Sheet) {
        let _ = (view, sheet);
    }

    /// Where the cursor is.
    fn cursor(&self) -> Self::Place;

    /// Where the cursor goes next to choose this legal move: before the pick to either end of a
    /// line, after it to the other end, and nowhere if the pick is not part of the move.
    fn places(&self, mv: <Self::Game as Game>::Move) -> impl IntoIterator<Item = Self::Place>;

    /// Where on a sheet of this format the mark of a place may stand.
    fn spots(&self, now: &Self::Game, format: Format) -> impl Fn(Self::Place) -> Spot {
        let _ = (now, format);
        |_| Spot::Middle(Rect::ZERO)
    }

    /// Comes before the answer to each key, and ends what lasts only until the next one. `true` if
    /// the key does nothing else.
    fn before(&mut self, press: Press) -> bool {
        let _ = press;
        false
    }

    /// Moves the cursor, or what is half made, that way.
    fn arrow(&mut self, view: &View<Self::Game>, direction: Direction) -> ReplyOf<Self>;

    /// The places that Tab looks through, in their order.
    fn tour(&self, view: &View<Self::Game>) -> Vec<Self::Place>;

    /// Whether Tab stops at a place of the tour: a move can be made, or made whole, there.
    fn stops_at(&self, view: &View<Self::Game>, place: Self::Place) -> bool;

    /// Puts the cursor on a place of the tour.
    fn go_to(&mut self, place: Self::Place);

    /// Chooses what is under the cursor. The move in the answer need not be legal: the rules are
    /// asked in one place, for all widgets.
    fn choose(&mut self, view: &View<Self::Game>) -> ReplyOf<Self>;

    /// Drops the pick, if there is one.
    fn back(&mut self) -> ReplyOf<Self> {
        Reply::Ignored
    }

    /// Takes a digit of a number typed.
    fn digit(&mut self, view: &View<Self::Game>, digit: u8) -> ReplyOf<Self> {
        let _ = (view, digit);
        Reply::Ignored
    }

    /// The position has changed: drop the pick, and leave the cursor where it still makes sense.
    fn settle(&mut self, view: &View<Self::Game>);

    /// Puts the cursor where this move, which led to the present position, was made, for a match
    /// that is only looked at. No key may go there, and [`Widget::settle`] must follow before one is
    /// pressed.
    fn point_at(&mut self, mv: <Self::Game as Game>::Move);

    /// The live keys of this moment, the board's own ones, the most important first.
    fn hints(&self, view: &View<Self::Game>) -> Vec<Hint>;

    /// How much there is on the board of a setup, in a few words: `16 boxes, 40 lines`.
    fn extent(&self, start: &Self::Game) -> String;

    /// Lines for the panel, such as `("left", "27 lines")`.
    fn facts(&self, view: &View<Self::Game>) -> Vec<(&'static str, String)>;

    /// A line about what is under the cursor or half made, for the status line.
    fn status(&self, view: &View<Self::Game>) -> Option<String> {
        let _ = view;
        None
    }

    /// Whether it shows something that passed, until a key is pressed.
    fn shows_interlude(&self) -> bool {
        false
    }
}
