//! User input on a board and the board's replies.

use super::Direction;
use quadrille_scene::PlaceId;
use std::fmt::Display;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Press {
    Arrow(Direction),
    /// Selects the place under the cursor, or confirms.
    Choose,
    Back,
    /// Moves to the next place where a move is possible.
    Next,
    Previous,
    /// Erases the last digit of a typed number, or drops the pick.
    Erase,
    /// A digit, 0 to 9, of a typed number.
    Digit(u8),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Gesture {
    /// The mouse moved with no button down.
    Hover,
    Leave,
    /// The left button was pressed.
    Press,
    /// The mouse moved with the left button down.
    Drag,
    /// The left button was released.
    Release,
    /// The right button was pressed, which drops the pick.
    Drop,
}

/// A gesture at a place, or at an empty spot of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pointer {
    pub gesture: Gesture,
    pub place: Option<PlaceId>,
}

impl Gesture {
    pub const fn clicks(self) -> bool {
        matches!(self, Gesture::Press | Gesture::Drop)
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PressReply<M> {
    /// No effect.
    Ignored,
    /// The cursor or the pick changed, or the cursor could not move any further.
    Handled,
    /// Play this legal move.
    Play(M),
    /// The move is illegal, for this reason.
    Refused(String),
}

impl<M> PressReply<M> {
    /// Refuses the input with the rules' reason in plain English.
    pub(super) fn refused(reason: &impl Display) -> PressReply<M> {
        PressReply::Refused(format!("{reason:#}"))
    }
}
