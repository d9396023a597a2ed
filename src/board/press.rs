//! Keys as a board understands them, and how any widget answers one.

use super::{Direction, ReplyOf, View, Widget};
use crate::rules::Game;
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

/// What the mouse does on a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Gesture {
    /// It has come to a place, with no button down.
    Hover,
    /// It has left the board.
    Leave,
    /// The left button goes down.
    Press,
    /// It has come to a place with the left button down.
    Drag,
    /// The left button comes up.
    Release,
    /// The right button goes down.
    Drop,
    /// The wheel turns, to show what lies that way.
    Scroll(Direction),
}

/// What a widget makes of a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply<M> {
    /// The key means nothing here, and nothing has changed.
    Ignored,
    /// The cursor or the pick has changed, or could not go further.
    Taken,
    /// This move, which is legal, is to be played.
    Play(M),
    /// The key asks for what cannot be, for this reason.
    Refused(String),
}

impl<M> Reply<M> {
    /// What the rules say against it, in plain words.
    pub(super) fn refused(reason: &impl Display) -> Reply<M> {
        Reply::Refused(format!("{reason:#}"))
    }
}

/// Gives a key to a widget. A move that the rules refuse is refused here, whatever the widget.
pub(super) fn press<W: Widget>(widget: &mut W, view: &View<W::Game>, press: Press) -> ReplyOf<W> {
    if widget.before(press) {
        return Reply::Taken;
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
            Reply::Taken
        }
        Press::Digit(digit) => widget.digit(view, digit),
    }
}

/// The stop after the cursor on the tour, or before it when going back; round the ends, and the
/// cursor itself only if there is no other.
fn next_stop<W: Widget>(widget: &W, view: &View<W::Game>, back: bool) -> Option<W::Place> {
    let mut tour = widget.tour(view);
    if back {
        tour.reverse();
    }
    // A cursor that is not on the tour stands before all of it.
    let passed = tour.iter().position(|&place| place == widget.cursor()).map_or(0, |at| at + 1);
    tour.rotate_left(passed);
    tour.into_iter().find(|&place| widget.stops_at(view, place))
}
