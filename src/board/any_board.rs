//! The board of any game.

use super::{Gesture, Press, PressReply, Rank, Skin};
use crate::action::KeyHint;
use crate::scene::Scene;
use crate::scene::cells::{self, Lettering, Placement};
use crate::session::{Match, Players};
use crate::words::Caption;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect, Size};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

/// What an engine found out about a legal move, to be written on the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveLabel {
    /// The text of the move.
    pub mv: String,
    /// At most five columns, such as `=`, `W7` or `~+2`; or nothing.
    pub text: String,
    /// Whether that is proven.
    pub is_proven: bool,
    /// Whether the move itself is drawn too, as a ghost.
    pub draws_move: bool,
    /// How good it is compared with the others.
    pub rank: Rank,
}

/// The board of a match of any game, which can be drawn and takes keys and the mouse. It follows its match, and has a
/// typed copy of what there is to see of it. Widths and heights are in cells of the screen.
pub trait AnyBoard: Send {
    /// Brings the board up to date with its match. Where another position has come, a half-made move is dropped, and so
    /// is the focus.
    fn follow(&mut self, game: &Match);
    /// Puts the cursor on the last move, if there is one.
    fn show_last_move(&mut self);
    /// Puts the cursor on the last move, if there is one, for a match that goes on. Where no move can be
    /// made from there, it goes to the nearest place where one can.
    fn put_cursor_near_last_move(&mut self);
    /// Keeps the move with this text in sight instead of the cursor, until a key is pressed or the match
    /// changes. The cursor stays where it is.
    fn focus_move(&mut self, text: &str);
    /// Answers a key. A move in the answer is legal, and not played yet.
    fn press(&mut self, key: Press) -> PressReply<String>;
    /// Answers the mouse at this place of the screen; `area` is where the board was last drawn. A move in
    /// the answer is legal, and not played yet. A click on nothing drops the pick.
    fn point(&mut self, gesture: Gesture, at: Position, area: Rect) -> PressReply<String>;
    /// Puts labels on legal moves, the better ones first: where several belong to one place, the first is
    /// shown. Labels of other moves are dropped. They stay until the position changes or other labels are
    /// put.
    fn label(&mut self, labels: Vec<MoveLabel>);
    /// Shows the texts of labels that are not proven, or only their marks; these are shown at first.
    fn show_estimates(&mut self, shown: bool);
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
    /// What the last move did; see [`words::event`](crate::words::event).
    fn event(&self, players: &Players) -> Option<[String; 4]>;
    /// Hides the cursor, or shows it again.
    fn hide_cursor(&mut self, is_hidden: bool);
    /// Lays the notes over the board, or takes them away.
    fn show_notes(&mut self, shown: bool);
    /// A line about the place under the cursor or the half-made move.
    fn status(&self) -> Option<String>;
    /// Whether the board shows an interlude: something that is over, such as a round, until a key is pressed.
    fn shows_interlude(&self) -> bool;
    /// The texts of all moves that can be made from here with these keys alone, each with the fewest keys that make it.
    /// For tests: it tries every state that the cursor can get into.
    fn reach(&self, keys: &[Press]) -> BTreeMap<String, usize>;
    /// The texts of all moves that can be made from here by clicks alone, on a board drawn into this area.
    /// For tests, like [`reach`](AnyBoard::reach).
    fn reach_by_clicks(&self, area: Rect) -> BTreeSet<String>;
}

impl dyn AnyBoard + '_ {
    /// Draws the board as a small picture, as large as the area allows, without cursor and lettering.
    pub fn draw_picture(&self, area: Rect, buffer: &mut Buffer, skin: Skin) {
        Placement::new(&self.still(), None, Lettering::None, area).draw(&[], buffer, skin);
    }

    /// Whether that picture fits into this room.
    pub fn has_room(&self, room: Size) -> bool {
        cells::has_room(&self.still().ground, room)
    }
}
