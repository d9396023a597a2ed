//! The boards, one widget per game. A widget turns a position into a scene and keys into a move.
//!
//! A widget never decides what is legal: it asks the rules. A [`Selection`] holds the cursor and the pick, which is the
//! first half of a move, such as the die taken or the first of two points. A selection is a comparable, hashable value,
//! so a test can explore every state reachable by keys and clicks ([`AnyBoard::reach`]) and check that they produce
//! exactly the legal moves.
//!
//! The selection handles keys. The widget defines arrows, digits, complete moves and Tab stops; everything else is
//! shared by all games. The rules reject illegal moves with a reason, so [`PressReply::Play`] is always legal. The
//! session, not the board, plays the move. A click moves the cursor and selects the place, like keys. A click on the
//! pick or on an empty spot, or with the right button, drops the pick.
//!
//! An [`AnyBoard`] is a widget with a typed copy of the visible state of the match that it follows. [`WithBoard`] ties
//! a board to the owner of the match, so that no change is missed.
//!
//! - A board neither draws nor measures anything: it returns a scene without cells or colors, and a renderer places
//!   and animates the scene and finds the place under the pointer. A position does not record who drew a line, so the
//!   scene is made from the moves played; lines and symbols from the setup have no owner.
//! - A [`MoveLabel`] is an engine's result for a legal move. The widget maps the move to a place. The layout does not
//!   depend on labels, so boards do not shift when values arrive. Labels come best first; if several share a place, the
//!   first is shown. If space is short, only the star of the best move remains.

mod any_board;
mod arrow_map;
mod dots_and_boxes;
mod intersections;
mod join_the_dots;
mod press;
mod quixo;
mod selection;
mod tic_tac_toe;
mod widget_board;
mod with_board;

pub use any_board::{AnyBoard, Details, Means, MoveLabel};
pub use dots_and_boxes::DotsAndBoxesWidget;
pub use intersections::IntersectionsWidget;
pub use join_the_dots::JoinTheDotsWidget;
pub use press::{Gesture, Pointer, Press, PressReply};
pub use quixo::QuixoWidget;
pub use selection::Selection;
pub use tic_tac_toe::TicTacToeWidget;
pub use with_board::{Viewer, WithBoard};

use crate::action::KeyHint;
pub use quadrille_scene::{Direction, Glyphs, MoveQuality, Skin};
use quadrille_table::catalogue::GAMES;

use quadrille_match::session::Match;
use quadrille_rules::Position;
use quadrille_scene::{BoardGeometry, PlaceId, Role, Scene};
use quadrille_table::words::{PositionView, Words};
use std::fmt::Display;
use std::hash::Hash;
use std::time::Duration;

/// Creates the board of a match; returns `None` for a match of a different game.
type BoardOf = fn(&Match) -> Option<Box<dyn AnyBoard>>;

const BOARDS: [BoardOf; GAMES.len()] = [
    widget_board::board::<DotsAndBoxesWidget>,
    widget_board::board::<JoinTheDotsWidget>,
    widget_board::board::<QuixoWidget>,
    widget_board::board::<TicTacToeWidget>,
    widget_board::board::<IntersectionsWidget>,
];

/// Returns the adjacent (row, column) in a direction, on a board of this size; `None` at the edge.
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

/// Returns the ends of a move that are still to be chosen: both without a pick, one if the other is picked, none if the
/// pick is not part of the move.
fn open_ends<P: Copy + Eq>(pick: Option<P>, ends: [P; 2]) -> impl Iterator<Item = P> {
    ends.into_iter().filter(move |&end| match pick {
        None => true,
        Some(pick) => end != pick && ends.contains(&pick),
    })
}

pub type MoveOf<W> = <<W as Widget>::Game as Position>::Move;

pub type ReplyOf<W> = PressReply<MoveOf<W>>;

/// The board of one game. The value itself is the game-specific state; the cursor and the pick are in a [`Selection`].
///
///
/// ```
/// use quadrille::board::{Direction, Press, PressReply, Viewer};
/// use quadrille_table::catalogue;
///
/// let entry = catalogue::find("dots-and-boxes").ok_or("no such game")?;
/// let mut viewer = Viewer::open(entry, &"size=3".parse()?)?;
/// assert_eq!(viewer.board.press(Press::Arrow(Direction::Right)), PressReply::Handled);
/// assert_eq!(viewer.board.press(Press::Choose), PressReply::Play("H0,1".to_owned()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Widget: Clone + Eq + Hash + Default + Send + 'static {
    type Game: Words;
    /// A place for the cursor, such as a line, a die or a point.
    type Place: Copy + Display + Eq + Hash + Send;

    const START: Self::Place;

    /// What the player to move does, as a command: `draw a line`.
    const TASK: &'static str;

    /// What to do after a pick, as a command, for games where the cursor is the end of a half-made move and returns to the
    /// pick when the half-made move is dropped. `None` if the cursor moves freely and Enter on the pick drops it.
    const UNFINISHED: Option<&'static str> = None;

    fn ground(now: &Self::Game) -> BoardGeometry;

    fn draw(selection: &Selection<Self>, view: &PositionView<Self::Game>, scene: &mut Scene);

    /// Adds the result of a legal move to a scene, drawn in this role.
    fn add_ghost(view: &PositionView<Self::Game>, mv: MoveOf<Self>, role: Role, scene: &mut Scene);

    /// Returns the move that the place under the cursor completes, legal or not.
    fn complete(selection: &Selection<Self>) -> Option<MoveOf<Self>>;

    /// Returns the reason if the place under the cursor cannot be picked.
    fn check_pick(
        selection: &Selection<Self>,
        view: &PositionView<Self::Game>,
    ) -> Result<(), String> {
        let _ = (selection, view);
        Ok(())
    }

    /// Returns the next places for the cursor on the way to this legal move: either end without a pick, the other end
    /// with a pick, none if the pick is not part of the move.
    fn next_places(
        selection: &Selection<Self>,
        mv: MoveOf<Self>,
    ) -> impl Iterator<Item = Self::Place>;

    /// Returns whether a move is half made.
    fn is_half_made(selection: &Selection<Self>) -> bool {
        selection.pick.is_some()
    }

    /// Called before each key, to end states that last until the next key. Returns a reply if the key is consumed.
    fn before(
        selection: &mut Selection<Self>,
        view: &PositionView<Self::Game>,
        press: Press,
    ) -> Option<ReplyOf<Self>> {
        let _ = (selection, view, press);
        None
    }

    /// Forgets the history of arrow keys, so that the exploration of all states terminates.
    fn forget_way(&mut self) {}

    /// Moves the cursor, or the end of the half-made move, in a direction.
    fn arrow(
        selection: &mut Selection<Self>,
        view: &PositionView<Self::Game>,
        direction: Direction,
    ) -> ReplyOf<Self>;

    fn tab_order(selection: &Selection<Self>, view: &PositionView<Self::Game>) -> Vec<Self::Place>;

    /// Returns whether Tab stops at a place: a move can start or end there.
    fn is_tab_stop(
        selection: &Selection<Self>,
        view: &PositionView<Self::Game>,
        place: Self::Place,
    ) -> bool;

    /// Called when the cursor moves by any means other than an arrow key.
    fn goes_to(&mut self, place: Self::Place) {
        let _ = place;
    }

    /// Handles a digit of a typed number.
    fn digit(
        selection: &mut Selection<Self>,
        view: &PositionView<Self::Game>,
        digit: u8,
    ) -> ReplyOf<Self> {
        let _ = (selection, view, digit);
        PressReply::Ignored
    }

    /// Lets time pass since the last key. Returns whether an Enter as the next key would still belong to a number that
    /// the last key completed.
    fn pass(&mut self, time: Duration) -> bool {
        let _ = time;
        false
    }

    /// Called when the position has changed and the pick has been dropped. Keeps the cursor in a sensible place.
    fn position_changed(selection: &mut Selection<Self>, view: &PositionView<Self::Game>) {
        let _ = (selection, view);
    }

    fn place_of(mv: MoveOf<Self>) -> Self::Place;

    /// Returns the number of a place in scenes.
    fn id(place: Self::Place) -> PlaceId;

    /// Returns the place with this number, possibly outside the board.
    fn place(id: PlaceId) -> Option<Self::Place>;

    /// Returns the key hints, most important first.
    fn key_hints(selection: &Selection<Self>, view: &PositionView<Self::Game>) -> Vec<KeyHint>;

    /// Describes the place under the cursor or the half-made move; see [`AnyBoard::status`].
    fn status(
        selection: &Selection<Self>,
        view: &PositionView<Self::Game>,
        helps: bool,
    ) -> Option<String> {
        let _ = helps;
        selection.status(view)
    }

    /// Returns whether an interlude, such as a finished round, is shown until the next key.
    fn shows_interlude(&self) -> bool {
        false
    }
}
