//! The boards: one widget a game. A widget turns a position into a scene, and keys into a move.
//!
//! A widget never decides what is legal: it asks the rules. A [`Hand`] has the cursor and the pick, the first half of a
//! move, such as the die taken or the first of two points. It is a plain value that can be compared and hashed, so a
//! test searches all that keys and clicks can reach ([`AnyBoard::reach`]): every legal move and no other.
//!
//! The hand answers a key. The widget says what an arrow and a digit do, which move is complete, and where Tab stops;
//! the rest is the same for all. A move that the rules refuse is refused there, in their words, so [`PressReply::Play`] is
//! always legal. It is not played yet: that is a step of the session. A click goes to the place under it and chooses
//! there, as keys would. A click on the pick, on nothing, or with the right button drops the pick.
//!
//! An [`AnyBoard`] is a widget with a typed copy of what there is to see of its match, which it follows. [`OnBoard`] ties
//! one to what owns the match, so that no change is missed.
//!
//! - The scene lives for one frame and knows no cell or colour. A position does not say who drew a line, so the view has
//!   the line of moves; what a setup put on the board has no owner.
//! - A board knows how it was last seen: [`AnyBoard::start_animation`] looks again and starts a motion. What keys and
//!   clicks mean does not depend on it.
//! - A [`MoveLabel`] is what is known of a legal move. A widget says to which of its places a move belongs. The layout
//!   is the same with labels and without, so no board jumps when values come in. Labels come best first; where several
//!   belong to one place, the first is shown. Where there is no room, only the star of the best is left.

mod animator;
mod any_board;
mod arrow_map;
mod dots_and_boxes;
mod hand;
mod intersections;
mod join_the_dots;
mod on_board;
mod press;
mod quixo;
mod tic_tac_toe;
mod widget_board;

pub use any_board::{AnyBoard, MoveLabel};
pub use dots_and_boxes::DotsAndBoxesWidget;
pub use hand::Hand;
pub use intersections::IntersectionsWidget;
pub use join_the_dots::JoinTheDotsWidget;
pub use on_board::{OnBoard, Viewer};
pub use press::{Gesture, Pointer, Press, PressReply};
pub use quixo::QuixoWidget;
pub use tic_tac_toe::TicTacToeWidget;

use crate::action::KeyHint;
use crate::catalogue::GAMES;
pub use crate::scene::cells::Rank;
pub use crate::scene::{Direction, Glyphs, Skin};

use crate::rules::Position;
use crate::scene::{Ground, Role, Scene};
use crate::session::Match;
use crate::words::{PositionView, Words};
use std::fmt::Display;
use std::hash::Hash;

/// Makes the board of a match of its game; `None` for a match of another game.
type BoardOf = fn(&Match) -> Option<Box<dyn AnyBoard>>;

/// The boards of all games.
const BOARDS: [BoardOf; GAMES.len()] = [
    widget_board::board::<DotsAndBoxesWidget>,
    widget_board::board::<JoinTheDotsWidget>,
    widget_board::board::<QuixoWidget>,
    widget_board::board::<TicTacToeWidget>,
    widget_board::board::<IntersectionsWidget>,
];

/// The (row, column) next to this one that way, on a board with this many rows and columns; `None` beyond
/// its edge.
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

/// The ends of a move that are still to be chosen: both without a pick, one if the other is picked, none if
/// the pick is not part of the move.
fn open_ends<P: Copy + Eq>(pick: Option<P>, ends: [P; 2]) -> impl Iterator<Item = P> {
    ends.into_iter().filter(move |&end| match pick {
        None => true,
        Some(pick) => end != pick && ends.contains(&pick),
    })
}

/// The move of a widget's game.
pub type MoveOf<W> = <<W as Widget>::Game as Position>::Move;

/// The reply of a widget to a key, with a move of its game.
pub type ReplyOf<W> = PressReply<MoveOf<W>>;

/// The board of one game. The value itself is what the game keeps besides cursor and pick, which all games have in a
/// [`Hand`].
///
/// ```
/// use quadrille::board::{Direction, Press, PressReply, Viewer};
/// use quadrille::catalogue;
///
/// let entry = catalogue::find("dots-and-boxes").ok_or("no such game")?;
/// let mut viewer = Viewer::open(entry, &"size=3".parse()?)?;
/// assert_eq!(viewer.board.press(Press::Arrow(Direction::Right)), PressReply::Handled);
/// assert_eq!(viewer.board.press(Press::Choose), PressReply::Play("H0,1".to_owned()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Widget: Clone + Eq + Hash + Default + Send + 'static {
    /// The game whose positions it draws.
    type Game: Words;
    /// What the cursor stands on: a line, a die, a point.
    type Place: Copy + Display + Eq + Hash + Send;

    /// Where the cursor is at first.
    const START: Self::Place;

    /// What Enter says on the pick itself, if the cursor is the end of a half-made move and goes back to the pick when
    /// that is dropped. Otherwise the cursor goes anywhere, and Enter on the pick drops it.
    const UNFINISHED: Option<&'static str> = None;

    /// The ground that the board is drawn on.
    fn ground(now: &Self::Game) -> Ground;

    /// Adds what the board shows to a scene on that ground.
    fn draw(hand: &Hand<Self>, view: &PositionView<Self::Game>, scene: &mut Scene<Self::Place>);

    /// Adds a legal move to a scene as it would look, in this role.
    fn add_ghost(
        view: &PositionView<Self::Game>,
        mv: MoveOf<Self>,
        role: Role,
        scene: &mut Scene<Self::Place>,
    );

    /// The move that is complete with the place under the cursor. It need not be legal.
    fn complete(hand: &Hand<Self>) -> Option<MoveOf<Self>>;

    /// Whether the place under the cursor can be picked; else why not.
    fn check_pick(hand: &Hand<Self>, view: &PositionView<Self::Game>) -> Result<(), String> {
        let _ = (hand, view);
        Ok(())
    }

    /// Where the cursor can go next to make this legal move: without a pick to either end of a line, with
    /// one to the other end, and nowhere if the pick is not part of the move.
    fn next_places(hand: &Hand<Self>, mv: MoveOf<Self>) -> impl Iterator<Item = Self::Place>;

    /// Called before each key, to end what lasts only until the next key. A reply means that the key does nothing else.
    fn before(
        hand: &mut Hand<Self>,
        view: &PositionView<Self::Game>,
        press: Press,
    ) -> Option<ReplyOf<Self>> {
        let _ = (hand, view, press);
        None
    }

    /// Forgets where the cursor came from, so that a search through all states ends.
    fn forget_way(&mut self) {}

    /// Moves the cursor, or the end of the half-made move, that way.
    fn arrow(
        hand: &mut Hand<Self>,
        view: &PositionView<Self::Game>,
        direction: Direction,
    ) -> ReplyOf<Self>;

    /// The places that Tab goes through, in order.
    fn tab_order(hand: &Hand<Self>, view: &PositionView<Self::Game>) -> Vec<Self::Place>;

    /// Whether Tab stops at a place of the Tab order: a move can be begun or completed there.
    fn is_tab_stop(hand: &Hand<Self>, view: &PositionView<Self::Game>, place: Self::Place) -> bool;

    /// The cursor goes to a place without an arrow.
    fn goes_to(&mut self, place: Self::Place) {
        let _ = place;
    }

    /// Takes a digit of a typed number.
    fn digit(hand: &mut Hand<Self>, view: &PositionView<Self::Game>, digit: u8) -> ReplyOf<Self> {
        let _ = (hand, view, digit);
        PressReply::Ignored
    }

    /// The position has changed, and the pick was dropped. Leaves the cursor where it still makes sense.
    fn position_changed(hand: &mut Hand<Self>, view: &PositionView<Self::Game>) {
        let _ = (hand, view);
    }

    /// Where this move was made.
    fn place_of(mv: MoveOf<Self>) -> Self::Place;

    /// What can be done on the board now, the most important first.
    fn key_hints(hand: &Hand<Self>, view: &PositionView<Self::Game>) -> Vec<KeyHint>;

    /// What the status line says about the place under the cursor or the half-made move.
    fn status(hand: &Hand<Self>, view: &PositionView<Self::Game>) -> Option<String> {
        hand.status(view)
    }

    /// Whether it shows an interlude: something that is over, such as a round, until a key is pressed.
    fn shows_interlude(&self) -> bool {
        false
    }
}
