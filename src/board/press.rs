//! Keys as a board understands them, and how any widget answers one.

use super::{Direction, ReplyOf, View, Widget};
use crate::rules::Position;
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
pub enum Reply<M> {
    /// The key or the mouse means nothing here, and nothing has changed.
    Ignored,
    /// It was understood: the cursor or the pick has changed, or could go no further.
    Handled,
    /// Play this legal move.
    Play(M),
    /// It asks for something impossible, for this reason.
    Refused(String),
}

impl<M> Reply<M> {
    /// A refusal with the reason of the rules, in plain words.
    pub(super) fn refused(reason: &impl Display) -> Reply<M> {
        Reply::Refused(format!("{reason:#}"))
    }
}

/// Gives a key to a widget. Moves are checked here, for all widgets: an illegal one becomes a refusal.
pub(super) fn press<W: Widget>(widget: &mut W, view: &View<W::Game>, press: Press) -> ReplyOf<W> {
    if widget.before(press) {
        return Reply::Handled;
    }
    match press {
        Press::Arrow(direction) => widget.arrow(view, direction),
        Press::Choose => match widget.choose(view) {
            Reply::Play(mv) => match view.now.check(mv) {
                Ok(()) => Reply::Play(mv),
                Err(illegal) => Reply::refused(&illegal),
            },
            reply => reply,
        },
        Press::Back => widget.back(),
        Press::Next | Press::Previous => {
            if let Some(place) = next_stop(widget, view, press == Press::Previous) {
                widget.go_to(place);
            }
            Reply::Handled
        }
        Press::Digit(digit) => widget.digit(view, digit),
    }
}

/// Puts the cursor where a move can be made, if there is such a place and it is not there: a match may be opened in its
/// middle.
pub(super) fn to_a_stop<W: Widget>(widget: &mut W, view: &View<W::Game>) {
    if !widget.is_tab_stop(view, widget.cursor())
        && let Some(place) = next_stop(widget, view, false)
    {
        widget.go_to(place);
    }
}

/// The next stop of the Tab order after the cursor, or before it when going `back`. The order is a circle, and the
/// cursor's own place is its last stop.
fn next_stop<W: Widget>(widget: &W, view: &View<W::Game>, back: bool) -> Option<W::Place> {
    let mut order = widget.tab_order(view);
    if back {
        order.reverse();
    }
    // A cursor that is not in the Tab order stands before its first place.
    let passed = order.iter().position(|&place| place == widget.cursor()).map_or(0, |at| at + 1);
    order.rotate_left(passed);
    order.into_iter().find(|&place| widget.is_tab_stop(view, place))
}
