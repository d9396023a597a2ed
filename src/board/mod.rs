//! The boards: one widget a game, each saying by a scene what its board shows, and turning keys into a
//! move.
//!
//! A widget never decides what is legal: it asks the rules, and a half-made move (the die taken, the
//! first of two points) is all the state it has besides the cursor.

mod any_board;
mod caption;
mod compass;
mod dots_and_boxes;
mod intersections;
mod join_the_dots;
mod press;
mod quixo;
mod stage;
mod tic_tac_toe;
pub mod words;

pub use any_board::{AnyBoard, MoveLabel, Table, Viewer, open};
pub use caption::{Bar, Caption};
pub use dots_and_boxes::DotsAndBoxes;
pub use intersections::Intersections;
pub use join_the_dots::JoinTheDots;
pub use press::{Gesture, Press, Reply};
pub use quixo::Quixo;
pub use tic_tac_toe::TicTacToe;

use crate::action::Hint;
pub use crate::scene::cells::Rank;
pub use crate::scene::{Direction, Glyphs, Skin};

use crate::rules::{Game, Outcome, Seat};
use crate::scene::{Ground, Role, Scene};
use crate::session::{LastMove, Players};
use std::hash::Hash;

/// What a widget looks at.
#[derive(Clone, Copy, Debug)]
pub struct View<'a, G: Game> {
    /// The present position.
    pub now: &'a G,
    /// The move that led to it.
    pub last: Option<LastMove<'a, G>>,
    /// All moves that led to it, each with the seat that played it. No position knows that.
    pub played: &'a [(Seat, G::Move)],
    /// How the match has ended here, which need not be by the rules of the game.
    pub outcome: Option<Outcome>,
    /// Whether somebody is at the board; else there is no cursor.
    pub is_live: bool,
}

impl<G: Game> View<'_, G> {
    /// Who is to move at a board where somebody is: then there is a cursor.
    fn mover(&self) -> Option<Seat> {
        self.now.to_move().filter(|_| self.is_live && self.outcome.is_none())
    }
}

/// The cell next to one that way, as (row, column) of a board with so many rows and columns, unless the
/// board ends there.
fn neighbour(
    (row, col): (u8, u8),
    direction: Direction,
    [rows, cols]: [u8; 2],
) -> Option<(u8, u8)> {
    let (right, down) = direction.step();
    let row = row.checked_add_signed(down).filter(|&row| row < rows)?;
    let col = col.checked_add_signed(right).filter(|&col| col < cols)?;
    Some((row, col))
}

/// Of the two ends of a move those that are still to be chosen, one of them where the other is picked,
/// and none where neither is.
fn open_ends<P: Copy + Eq>(pick: Option<P>, ends: [P; 2]) -> impl Iterator<Item = P> {
    ends.into_iter().filter(move |&end| match pick {
        None => true,
        Some(pick) => end != pick && ends.contains(&pick),
    })
}

/// What a widget makes of a key, with a move of its game.
pub type ReplyOf<W> = Reply<<<W as Widget>::Game as Game>::Move>;

/// The board of one game. The value itself is the cursor and the pick; two equal ones answer alike,
/// so that all that keys can reach can be searched.
pub trait Widget: Clone + Eq + Hash + Default + Send + 'static {
    /// The game whose positions it draws.
    type Game: Game;
    /// What the cursor stands on.
    type Place: Copy + Eq + Hash + Send;

    /// A setup and the moves of a match worth a picture, small enough for a card of the home screen.
    const SAMPLE: (&'static str, &'static str);
    /// The game in one line of at most 60 columns.
    const TAGLINE: &'static str;

    /// What the board is drawn on.
    fn ground(&self, now: &Self::Game) -> Ground;

    /// What the board shows.
    fn scene(&self, view: &View<Self::Game>) -> Scene<Self::Place>;

    /// Adds a legal move to a scene as it would be, with this role.
    fn add_ghost(
        &self,
        view: &View<Self::Game>,
        mv: <Self::Game as Game>::Move,
        role: Role,
        scene: &mut Scene<Self::Place>,
    );

    /// Where the cursor is.
    fn cursor(&self) -> Self::Place;

    /// The place that is picked, the first half of a move.
    fn picked(&self) -> Option<Self::Place> {
        None
    }

    /// Where the cursor goes next to choose this legal move: before the pick to either end of a
    /// line, after it to the other end, and nowhere if the pick is not part of the move.
    fn places(&self, mv: <Self::Game as Game>::Move) -> impl IntoIterator<Item = Self::Place>;

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

    /// The live actions of this moment, the board's own ones, the most important first.
    fn hints(&self, view: &View<Self::Game>) -> Vec<Hint>;

    /// What is said of the position beside the board.
    fn caption(&self, view: &View<Self::Game>) -> Caption;

    /// What a move has done, for whoever hears it: what stands behind the name of the player, without the
    /// last full stop, such as `draws V1,1 and takes a box`. The names are told apart. Who is to move, and
    /// the score if it has changed, is said behind it for all games alike.
    fn describe(
        before: &Self::Game,
        mv: <Self::Game as Game>::Move,
        after: &Self::Game,
        players: &Players,
    ) -> String;

    /// What is on the board, for whoever hears it: by places, a sentence a line, and what one needs for the
    /// next move first. The names are told apart.
    fn read_out(view: &View<Self::Game>, players: &Players) -> Vec<String>;

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
