use super::{Gesture, MoveQuality, Press, PressReply};
use crate::action::KeyHint;
use quadrille_match::session::{Match, PlayerNames};
use quadrille_scene::{PlaceId, Scene};
use quadrille_table::words::Caption;
use std::collections::BTreeMap;
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

/// What a board shows besides the position and the labels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Details {
    /// The cursor, the half-made move and the labels. A picture has none.
    pub input: bool,
    /// The notes over the board.
    pub notes: bool,
    /// The text of unproven labels. Otherwise only their marks are shown.
    pub estimates: bool,
}

impl Default for Details {
    fn default() -> Details {
        Details { input: true, notes: false, estimates: true }
    }
}

/// How to reach moves, for tests.
pub enum Means<'a> {
    Keys(&'a [Press]),
    /// Clicks on these places of a scene.
    Clicks(&'a dyn Fn(&Scene) -> Vec<PlaceId>),
}

/// The board of a match of any game: a cursor, a half-made move and a scene. A board follows its match by keeping a
/// typed copy of the visible state.
pub trait AnyBoard: Send {
    /// Updates the board from its match. A new position clears the half-made move and the focus.
    fn follow(&mut self, game: &Match);
    /// Puts the cursor on the last move.
    fn go_to_last_move(&mut self);
    /// Puts the cursor on the last move of a match in progress, or on the nearest place where a move is possible.
    fn go_near_last_move(&mut self);
    /// Keeps the move with this text visible instead of the cursor until a key is pressed or the match changes. Does
    /// not move the cursor.
    fn focus_move(&mut self, text: &str);
    /// Handles a key. A move in the reply is legal and not yet played.
    fn press(&mut self, key: Press) -> PressReply<String>;
    /// Handles a mouse gesture at a place, or at an empty spot. A move in the reply is legal and not yet played. A
    /// click on an empty spot drops the pick.
    fn point(&mut self, gesture: Gesture, place: Option<PlaceId>) -> PressReply<String>;
    /// Lets time pass since the last key. Returns whether an Enter as the next key would still belong to a number that
    /// the last key completed, and not to the position or the screen that followed. [`press`](AnyBoard::press) ignores
    /// that Enter.
    fn pass(&mut self, time: Duration) -> bool;
    /// Sets the labels of legal moves, best first. Illegal moves are ignored. Labels last until the position changes or
    /// new labels are set.
    fn label(&mut self, labels: Vec<MoveLabel>);
    /// Returns the first label at the cursor. The board itself may not have enough space to show the full label.
    fn label_at_cursor(&self) -> Option<&MoveLabel>;
    /// Returns whether the half-made move can be completed to the move with this text.
    fn can_become(&self, text: &str) -> bool;
    /// Returns the board as data.
    fn scene(&self, details: Details) -> Scene;
    fn key_hints(&self) -> Vec<KeyHint>;
    /// Returns the text about the position for the side panel.
    fn caption(&self) -> Caption;
    /// Describes the place under the cursor, or the half-made move; with `helps`, also what the move gives the
    /// opponent.
    fn status(&self, helps: bool) -> Option<String>;

    /// Returns what the player to move does, as a command: `draw a line`. `None` if a move is half made; the status then
    /// says what is missing.
    fn task(&self) -> Option<&'static str>;

    /// Describes the last move, as `InWords::event` does, without a copy of the match.
    fn event(&self, names: &PlayerNames) -> Option<[String; 4]>;
    /// Returns whether the board shows an interlude, such as a finished round, until the next key.
    fn shows_interlude(&self) -> bool;
    /// Returns the texts of all moves that can be made from here by these means alone, each with the minimum number of
    /// inputs. For tests: explores every state of the board.
    fn reach(&self, means: &Means) -> BTreeMap<String, usize>;
}

impl dyn AnyBoard + '_ {
    /// Returns the scene for a picture.
    pub fn still(&self) -> Scene {
        self.scene(Details { input: false, ..Details::default() })
    }
}
