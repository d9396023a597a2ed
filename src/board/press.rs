//! What people do on a board, and what it answers.

use super::Direction;
use ratatui::layout::{Position, Rect};
use std::fmt::Display;

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
    /// Erase the last digit of a typed number, or drop the pick.
    Erase,
    /// A digit, 0 to 9, of a number typed.
    Digit(u8),
}

/// What the mouse did on a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Gesture {
    /// It moved, with no button down.
    Hover,
    /// It left the board.
    Leave,
    /// The left button went down.
    Press,
    /// It moved with the left button down.
    Drag,
    /// The left button came up.
    Release,
    /// The right button went down, which drops the pick.
    Drop,
    /// The wheel turned, to show what lies that way.
    Scroll(Direction),
}

/// A gesture at a cell of the screen, on a board that was last drawn in `area`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pointer {
    pub gesture: Gesture,
    pub at: Position,
    pub area: Rect,
}

impl Gesture {
    /// Whether a button went down.
    pub const fn clicks(self) -> bool {
        matches!(self, Gesture::Press | Gesture::Drop)
    }

    /// Whether it only changes which part of the board is seen, and what is marked there.
    pub const fn only_looks(self) -> bool {
        matches!(self, Gesture::Scroll(_) | Gesture::Leave)
    }
}

/// What a board answers to a key or the mouse.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PressReply<M> {
    /// The key or the mouse means nothing here, and nothing has changed.
    Ignored,
    /// It was understood: the cursor or the pick has changed, or could go no further.
    Handled,
    /// Play this legal move.
    Play(M),
    /// It asks for something impossible, for this reason.
    Refused(String),
}

impl<M> PressReply<M> {
    /// A refusal with the reason of the rules, in plain words.
    pub(super) fn refused(reason: &impl Display) -> PressReply<M> {
        PressReply::Refused(format!("{reason:#}"))
    }
}
