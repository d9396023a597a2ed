//! A match of any game on its board.
//!
//! [`MatchBoard`] has a match that is being played: it belongs to a session, and only steps change it.
//! [`Viewer`] has a copy of a match, to walk through and look at.

use super::{Caption, Gesture, Notes, Press, Rank, Reply, Skin};
use crate::action::KeyHint;
use crate::rules::Setup;
use crate::scene::Scene;
use crate::session::{Actor, AnyMatch, AnySession, Conditions, Players, Refusal, Step};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect, Size};
use std::collections::BTreeSet;
use std::time::Duration;

/// What an engine found out about a legal move, to be written on the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveLabel {
    /// The text of the move.
    pub mv: String,
    /// At most five columns, such as `=`, `W7` or `~+2`; or nothing.
    pub text: String,
    /// Whether the move itself is drawn too, as a ghost.
    pub draws_move: bool,
    /// How good it is compared with the others.
    pub rank: Rank,
}

/// A match of any game with its board, which can be drawn and takes keys and the mouse. Widths and heights
/// are in cells of the screen.
pub trait AnyBoard: Send {
    /// The match.
    fn game(&self) -> &dyn AnyMatch;
    /// A copy of the moves from the start to the present position, to look at.
    fn copy_line(&self) -> Box<dyn Viewer>;
    /// Puts the cursor on the last move, if there is one; see
    /// [`Widget::show_move`](super::Widget::show_move).
    fn show_last_move(&mut self);
    /// Puts the cursor on the last move, if there is one, for a match that goes on. Where no move can be
    /// made from there, it goes to the nearest place where one can.
    fn put_cursor_near_last_move(&mut self);
    /// Keeps the move with this text in sight instead of the cursor, until a key is pressed or the match
    /// changes. The cursor stays where it is.
    fn focus_move(&mut self, text: &str);
    /// Answers a key. A move in the answer is legal, and not played yet.
    fn press(&mut self, key: Press) -> Reply<String>;
    /// Answers the mouse at this place of the screen; `area` is where the board was last drawn. A move in
    /// the answer is legal, and not played yet. A click on nothing drops the pick.
    fn point(&mut self, gesture: Gesture, at: Position, area: Rect) -> Reply<String>;
    /// Puts labels on legal moves, the better ones first: where several belong to one place, the first is
    /// shown. Labels of other moves are dropped. They stay until the position changes or other labels are
    /// put.
    fn label(&mut self, labels: Vec<MoveLabel>);
    /// Starts the animation of what has changed since the board was last shown, and returns how long it
    /// takes. `None` if nothing is to be animated, or if the board was not shown before.
    fn start_animation(&mut self) -> Option<Duration>;
    /// The board is no longer shown. When it is shown again, nothing is animated.
    fn hide(&mut self);
    /// Sets how far the animation has come, from 0 to 1; at 1 it ends.
    fn set_progress(&mut self, done: f32);
    /// Whether an animation runs.
    fn is_animating(&self) -> bool;
    /// Draws the board, as large as the area allows.
    fn draw(&self, area: Rect, buffer: &mut Buffer, skin: Skin);
    /// Draws the board as a small picture, as large as the area allows, without cursor and labels.
    fn draw_picture(&self, area: Rect, buffer: &mut Buffer, skin: Skin);
    /// Whether that picture fits into this room.
    fn has_room(&self, room: Size) -> bool;
    /// The scene for a picture: without cursor, labels and half-made move.
    fn still(&self) -> Scene<()>;
    /// The first label at the cursor. The board may have no room to show it in full.
    fn label_at_cursor(&self) -> Option<&MoveLabel>;
    /// Whether the half-made move can become the move with this text.
    fn can_become(&self, text: &str) -> bool;
    /// How much of this room the board would take up.
    fn size(&self, room: Size) -> Size;
    /// Shows or hides the coordinates of rows and columns; they are shown at first.
    fn show_coordinates(&mut self, shown: bool);
    /// What can be done on the board now, for the footer.
    fn key_hints(&self) -> Vec<KeyHint>;
    /// What the panel beside the board says about the position.
    fn caption(&self) -> Caption;
    /// What the last move has done, and the score if it has changed or the game is over: `Ann draws V1,1
    /// and takes a box. 2 to 1.` `in_words` adds who is to move.
    fn last_in_words(&self, players: &Players) -> Option<String>;
    /// The game and what it is played on: `Dots and Boxes, 5 x 5 dots`.
    fn title(&self) -> String;
    /// What is on the board, place by place; see
    /// [`Widget::read_out`](super::Widget::read_out).
    fn read_out(&self, players: &Players) -> Vec<String>;
    /// How to read the notes of this game; `None` if it has none.
    fn about_notes(&self) -> Option<&'static str>;
    /// Notes that help to read the position; empty in a game that has none.
    fn notes(&self, players: &Players) -> Notes;
    /// Lays the notes over the board, or takes them away.
    fn show_notes(&mut self, shown: bool);
    /// A line about the place under the cursor or the half-made move.
    fn status(&self) -> Option<String>;
    /// Whether the board shows an interlude: something that is over, such as a round, until a key is pressed.
    fn shows_interlude(&self) -> bool;
    /// The texts of all moves that can be made from here with these keys alone, in any order. For tests: it
    /// tries every state that the cursor can get into.
    fn reach(&self, keys: &[Press]) -> BTreeSet<String>;
    /// The texts of all moves that can be made from here by clicks alone, on a board drawn into this area.
    /// For tests, like [`reach`](AnyBoard::reach).
    fn reach_by_clicks(&self, area: Rect) -> BTreeSet<String>;
}

/// A match that is being played, with its board.
pub trait MatchBoard: AnyBoard {
    /// The session that owns the match.
    fn session(&self) -> &dyn AnySession;
    /// Lends the session to `act`, and then brings the board up to date.
    fn with_session(&mut self, act: &mut dyn FnMut(&mut dyn AnySession));
}

impl dyn MatchBoard + '_ {
    /// Takes a step; see [`AnySession::apply`].
    pub fn apply(&mut self, by: Actor, step: &Step, at: Duration) -> Result<(), Refusal> {
        let mut done = Ok(());
        self.with_session(&mut |session| done = session.apply(by, step.clone(), at));
        done
    }
}

/// A copy of a match with its board, to look at. Nothing is logged.
pub trait Viewer: AnyBoard {
    /// Lends the match to `change`, and then brings the board up to date.
    fn with_game(&mut self, change: &mut dyn FnMut(&mut dyn AnyMatch));
    /// Gives the match to a session, to be played on; see
    /// [`Session::new`](crate::session::Session::new).
    fn into_match_board(
        self: Box<Self>,
        given_setup: Setup,
        conditions: Conditions,
    ) -> Box<dyn MatchBoard>;
}
