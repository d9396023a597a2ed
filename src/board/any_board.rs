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

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveLabel {
    pub mv: String,
    /// At most five columns, such as `=`, `W7` or `~+2`; may be empty.
    pub text: String,
    pub is_proven: bool,
    /// Whether the move itself is drawn too, as a ghost.
    pub draws_move: bool,
    pub rank: Rank,
}

/// The board of a match of any game, which can be drawn and handles keys and the mouse. It follows its match, keeping a
/// typed copy of the visible state. Widths and heights are in screen cells.
pub trait AnyBoard: Send {
    /// Updates the board from its match. A new position clears the half-made move and the focus.
    fn follow(&mut self, game: &Match);
    fn show_last_move(&mut self);
    /// Puts the cursor on the last move of a match in progress, or on the nearest place where a move is possible.
    fn put_cursor_near_last_move(&mut self);
    /// Keeps the move with this text in sight instead of the cursor, until a key is pressed or the match changes. The
    /// cursor does not move.
    fn focus_move(&mut self, text: &str);
    /// Handles a key. A move in the reply is legal, and not yet played.
    fn press(&mut self, key: Press) -> PressReply<String>;
    /// Handles the mouse at a screen cell; `area` is where the board was last drawn. A move in the reply is legal, and
    /// not yet played. A click on nothing drops the pick.
    fn point(&mut self, gesture: Gesture, at: Position, area: Rect) -> PressReply<String>;
    /// Sets the labels of legal moves, best first: of several at one place, the first is shown. Illegal moves are
    /// ignored. Labels last until the position changes or new ones are set.
    fn label(&mut self, labels: Vec<MoveLabel>);
    /// Shows the texts of unproven labels, or only their marks. On by default.
    fn show_estimates(&mut self, shown: bool);
    /// Starts the animation of changes since the board was last shown, and returns its duration. `None` without
    /// changes, or if the board was not shown before.
    fn start_animation(&mut self) -> Option<Duration>;
    /// Marks the board as not shown. Showing it again starts no animation.
    fn hide(&mut self);
    /// Sets the progress of the animation, 0 to 1; at 1 it ends.
    fn set_progress(&mut self, done: f32);
    fn is_animating(&self) -> bool;
    fn draw(&self, area: Rect, buffer: &mut Buffer, skin: Skin);
    /// Returns the scene for a picture: without cursor, labels and half-made move.
    fn still(&self) -> Scene<()>;
    /// Returns the first label at the cursor. The board may have no space to show it in full.
    fn label_at_cursor(&self) -> Option<&MoveLabel>;
    /// Returns whether the half-made move can become the move with this text.
    fn can_become(&self, text: &str) -> bool;
    /// Returns the part of `room` that the board takes.
    fn size(&self, room: Size) -> Size;
    /// Shows or hides row and column coordinates. On by default.
    fn show_coordinates(&mut self, shown: bool);
    fn key_hints(&self) -> Vec<KeyHint>;
    /// Returns the text on the position for the panel beside the board.
    fn caption(&self) -> Caption;
    /// Describes the effect of the last move; see [`words::event`](crate::words::event).
    fn event(&self, players: &Players) -> Option<[String; 4]>;
    fn hide_cursor(&mut self, is_hidden: bool);
    /// Shows or hides the notes over the board.
    fn show_notes(&mut self, shown: bool);
    /// Describes the place under the cursor or the half-made move.
    fn status(&self) -> Option<String>;
    /// Returns whether the board shows an interlude, such as a finished round, until a key is pressed.
    fn shows_interlude(&self) -> bool;
    /// Returns the texts of all moves that these keys alone can make from here, each with the minimum number of keys.
    /// For tests: explores every state of the cursor.
    fn reach(&self, keys: &[Press]) -> BTreeMap<String, usize>;
    /// Returns the texts of all moves that clicks alone can make from here, on a board drawn into this area. For tests,
    /// like [`reach`](AnyBoard::reach).
    fn reach_by_clicks(&self, area: Rect) -> BTreeSet<String>;
}

impl dyn AnyBoard + '_ {
    /// Draws the board as a small picture, as large as the area allows, without cursor and lettering.
    pub fn draw_picture(&self, area: Rect, buffer: &mut Buffer, skin: Skin) {
        Placement::new(&self.still(), None, Lettering::None, area).draw(&[], buffer, skin);
    }

    /// Returns whether that picture fits into this room.
    pub fn has_room(&self, room: Size) -> bool {
        cells::has_room(&self.still().ground, room)
    }
}
