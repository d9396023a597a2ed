use super::{Gesture, MoveQuality, Press, PressReply, Skin};
use crate::action::KeyHint;
use quadrille_match::session::{Match, Players};
use quadrille_scene::Scene;
use quadrille_scene::cells::{self, Lettering, Placement};
use quadrille_table::words::Caption;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect, Size};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveLabel {
    pub mv: String,
    /// The label's text, such as `=`, `W7` or `~+2`: at most five columns, possibly empty.
    pub text: String,
    pub is_proven: bool,
    /// Whether to draw the move as a ghost as well.
    pub draws_move: bool,
    pub rank: MoveQuality,
}

/// The board of a match of any game: draws the position and handles the keyboard and mouse. A board follows its match
/// by keeping a typed copy of the visible state. Widths and heights are in screen cells.
pub trait AnyBoard: Send {
    /// Updates the board from its match. A new position clears the half-made move and the focus.
    fn follow(&mut self, game: &Match);
    fn show_last_move(&mut self);
    /// Puts the cursor on the last move of a match in progress, or on the nearest place where a move is possible.
    fn put_cursor_near_last_move(&mut self);
    /// Scrolls to the move with this text instead of the cursor until a key is pressed or the match changes. Does not
    /// move the cursor.
    fn focus_move(&mut self, text: &str);
    /// Handles a key. A move in the reply is legal and not yet played.
    fn press(&mut self, key: Press) -> PressReply<String>;
    /// Returns whether an Enter as the next key would belong to a number that the last key completed, and not to the
    /// position or the screen that followed. [`press`](AnyBoard::press) ignores that Enter.
    fn expects_enter(&self) -> bool;
    /// Lets time pass since the last key.
    fn pass(&mut self, time: Duration);
    /// Handles a mouse gesture at a screen cell; `area` is where the board was last drawn. A move in the reply is legal
    /// and not yet played. A click on an empty spot drops the pick.
    fn point(&mut self, gesture: Gesture, at: Position, area: Rect) -> PressReply<String>;
    /// Sets the labels of legal moves, best first. If several moves share a place, only the first label is shown.
    /// Illegal moves are ignored. Labels last until the position changes or new labels are set.
    fn label(&mut self, labels: Vec<MoveLabel>);
    /// Shows the text of unproven labels, or only their marks. On by default.
    fn show_estimates(&mut self, shown: bool);
    /// Starts animating the changes since the board was last shown and returns the duration. Returns `None` if nothing
    /// changed or the board was not shown before.
    fn start_animation(&mut self) -> Option<Duration>;
    /// Marks the board as not shown, so showing it again starts no animation.
    fn hide(&mut self);
    /// Sets the progress of the animation, 0 to 1. The animation ends at 1.
    fn set_progress(&mut self, done: f32);
    fn is_animating(&self) -> bool;
    fn draw(&self, area: Rect, buffer: &mut Buffer, skin: Skin);
    /// Returns the scene for a picture, without the cursor, labels and half-made move.
    fn still(&self) -> Scene<()>;
    /// Returns the first label at the cursor. The board itself may not have enough space to show the full label.
    fn label_at_cursor(&self) -> Option<&MoveLabel>;
    /// Returns whether the half-made move can be completed to the move with this text.
    fn can_become(&self, text: &str) -> bool;
    /// Returns the size that the board occupies in `room`.
    fn size(&self, room: Size) -> Size;
    /// Shows or hides row and column coordinates. On by default.
    fn show_coordinates(&mut self, shown: bool);
    fn key_hints(&self) -> Vec<KeyHint>;
    /// Returns the text about the position for the side panel.
    fn caption(&self) -> Caption;
    /// Describes the effect of the last move; see [`words::event`](quadrille_table::words::event).
    fn event(&self, players: &Players) -> Option<[String; 4]>;
    fn hide_cursor(&mut self, is_hidden: bool);
    /// Shows or hides the notes drawn over the board.
    fn show_notes(&mut self, shown: bool);
    /// Describes the place under the cursor, or the half-made move; with `helps`, also what the move gives the opponent.
    fn status(&self, helps: bool) -> Option<String>;
    /// Returns whether the board shows an interlude, such as a finished round, until the next key.
    fn shows_interlude(&self) -> bool;
    /// Returns the texts of all moves that can be made from here with only these keys, each with the minimum number of
    /// key presses. For tests: explores every state of the cursor.
    fn reach(&self, keys: &[Press]) -> BTreeMap<String, usize>;
    /// Returns the texts of all moves that can be made from here with clicks alone, on a board drawn in this area. For
    /// tests, like [`reach`](AnyBoard::reach).
    fn reach_by_clicks(&self, area: Rect) -> BTreeSet<String>;
}

impl dyn AnyBoard + '_ {
    /// Draws the board as a small picture, as large as the area allows, without cursor and lettering.
    pub fn draw_picture(&self, area: Rect, buffer: &mut Buffer, skin: Skin) {
        Placement::new(&self.still(), None, Lettering::None, area).draw(&[], buffer, skin);
    }

    /// Returns whether the small picture fits into this room.
    pub fn has_room(&self, room: Size) -> bool {
        cells::has_room(&self.still().ground, room)
    }
}
