//! The click targets in the last drawing.

use crate::action::Action;
use ratatui::layout::{Position, Rect};
use std::cell::RefCell;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    Action(Action),
    /// Moves the cursor to the entry with this index, then performs the action, if there is one.
    Entry(usize, Option<Action>),
    /// Moves the cursor to a row of a form and chooses the value with this index.
    Value(usize, usize),
    /// Passes the place under the mouse to the board.
    Board,
    Message,
}

/// The click targets with their areas on the screen. Screens record the targets while drawing.
#[derive(Debug, Default)]
pub struct Targets(RefCell<Vec<(Rect, Target)>>);

impl Targets {
    /// Makes an area clickable, on top of areas recorded earlier.
    pub fn note(&self, area: Rect, target: Target) {
        self.0.borrow_mut().push((area, target));
    }

    pub fn clear(&self) {
        self.0.borrow_mut().clear();
    }

    /// Returns the target under the mouse.
    pub fn at(&self, place: Position) -> Option<Target> {
        let targets = self.0.borrow();
        let at = targets.iter().rev().find(|(area, _)| area.contains(place));
        at.map(|(_, target)| *target)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn click_hits_the_last_drawn_target() {
        let targets = Targets::default();
        targets.note(Rect::new(0, 0, 10, 5), Target::Board);
        targets.note(Rect::new(2, 1, 4, 1), Target::Action(Action::Undo));
        let at = |x, y| targets.at(Position { x, y });
        assert_eq!(at(2, 1), Some(Target::Action(Action::Undo)));
        assert_eq!(at(6, 1), Some(Target::Board));
        assert_eq!(at(10, 1), None);
        targets.clear();
        assert_eq!(targets.at(Position { x: 2, y: 1 }), None);
    }
}
