//! The boards: one widget a game, each drawing a position and turning keys into a move, over shared
//! pieces for sheets that may be larger than the screen, lattices of dots, and grids of dice.
//!
//! A widget never decides what is legal: it asks the rules, and a half-made move (the die taken, the
//! first of two points) is all the state it has besides the cursor.

mod axis;
mod chart;
mod compass;
mod dice;
mod dots_and_boxes;
mod intersections;
mod join_the_dots;
mod lattice;
mod mark;
mod quixo;
mod sheet;
mod skin;
mod stroke;
mod table;
mod tic_tac_toe;

pub use axis::Axis;
pub use dots_and_boxes::DotsAndBoxes;
pub use intersections::Intersections;
pub use join_the_dots::JoinTheDots;
pub use mark::{Mark, Spot};
pub use quixo::Quixo;
pub use sheet::{Format, Sheet};
pub use skin::{Glyphs, Skin};
pub use table::{Seated, Table};
pub use tic_tac_toe::TicTacToe;

use crate::play::Last;
use crate::rules::Game;
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
}

/// A key, as a board understands it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Press {
    /// Move the cursor.
    Arrow(Direction),
    /// Choose what is under the cursor, or confirm.
    Choose,
    /// One step back: drop the pick.
    Back,
    /// To the next place where a move is possible.
    Next,
    /// To the previous one.
    Previous,
    /// A digit, 0 to 9, of a number typed.
    Digit(u8),
}

/// What a widget makes of a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply<M> {
    /// The key means nothing here, and nothing has changed.
    Ignored,
    /// The cursor or the pick has changed, or could not go further.
    Taken,
    /// This move is to be played. It need not be legal: the rules say why not.
    Play(M),
    /// The key asks for what cannot be, for this reason.
    Refused(String),
}

/// What a widget looks at.
#[derive(Clone, Copy, Debug)]
pub struct View<'a, G: Game> {
    /// The present position.
    pub now: &'a G,
    /// The move that led to it.
    pub last: Option<Last<'a, G>>,
}

/// Keys of the moment and what they do: `("arrows", "move")`.
pub type Hint = (&'static str, &'static str);

/// The board of one game. The value itself is the cursor and the pick; two equal ones answer alike,
/// so that all that keys can reach can be searched.
pub trait Widget: Clone + Eq + Hash + Default + Send + 'static {
    /// The game whose positions it draws.
    type Game: Game;
    /// What the cursor stands on.
    type Place: Copy + Eq + Hash;

    /// A small drawing for the home screen: three rows of at most 11 columns.
    const PICTURE: [&'static str; 3];
    /// The game in one line of at most 60 columns.
    const TAGLINE: &'static str;

    /// The sheet that [`Widget::paint`] draws on: as large as looks well in `room`, and larger than
    /// it only where the board cannot be drawn smaller.
    fn format(&self, now: &Self::Game, room: Size) -> Format;

    /// The part of a sheet of this format to keep in sight: where the cursor is.
    fn focus(&self, now: &Self::Game, format: Format) -> Rect;

    /// Draws the board on a sheet of the format that [`Widget::format`] gave.
    fn paint(&self, view: &View<Self::Game>, sheet: &mut Sheet);

    /// Where the cursor is.
    fn cursor(&self) -> Self::Place;

    /// Where the cursor goes next to choose this legal move: before the pick to either end of a
    /// line, after it to the other end, and nowhere if the pick is not part of the move.
    fn places(&self, mv: <Self::Game as Game>::Move) -> impl IntoIterator<Item = Self::Place>;

    /// Where on a sheet of this format the mark of a place may stand.
    fn spots(&self, now: &Self::Game, format: Format) -> impl Fn(Self::Place) -> Spot;

    /// Answers a key.
    fn press(&mut self, view: &View<Self::Game>, press: Press)
    -> Reply<<Self::Game as Game>::Move>;

    /// The position has changed: drop the pick, and leave the cursor where it still makes sense.
    fn settle(&mut self, view: &View<Self::Game>);

    /// Puts the cursor where this move, which led to the present position, was made, for a match
    /// that is only looked at. No key may go there, and [`Widget::settle`] must follow before one is
    /// pressed.
    fn point_at(&mut self, mv: <Self::Game as Game>::Move);

    /// The live keys of this moment, the board's own ones, the most important first.
    fn hints(&self, view: &View<Self::Game>) -> Vec<Hint>;

    /// Lines for the panel, such as `("left", "27 lines")`.
    fn facts(&self, view: &View<Self::Game>) -> Vec<(&'static str, String)>;

    /// A line about what is under the cursor or half made, for the status line.
    fn status(&self, view: &View<Self::Game>) -> Option<String> {
        let _ = view;
        None
    }

    /// Whether it shows something that passed, until a key is pressed.
    fn holds(&self) -> bool {
        false
    }
}

/// The entry after `current` of a sorted list of places, or before it when going back; round the
/// ends, and never `current` itself unless it is the only one.
fn step_to<'a, T, K: Ord>(
    places: &'a [T],
    current: &T,
    order: impl Fn(&T) -> K,
    back: bool,
) -> Option<&'a T> {
    let at = order(current);
    if back {
        places.iter().rev().find(|place| order(place) < at).or(places.last())
    } else {
        places.iter().find(|place| order(place) > at).or(places.first())
    }
}
