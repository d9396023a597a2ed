//! What can be clicked, as noted by the last drawing.

use crate::action::Action;
use ratatui::layout::{Position, Rect};
use std::cell::RefCell;

/// What a click does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// It does this action, like its key.
    Action(Action),
    /// It puts the cursor on the entry with this number, and then does this action, if any.
    Entry(usize, Option<Action>),
    /// It puts the cursor on a row of a form, and chooses the value with this number.
    Value(usize, usize),
    /// It points at the board, which fills the area.
    Board,
    /// It takes away the message that lies there.
    Message,
}

/// The targets and their areas on the screen. Screens note them while they draw.
#[derive(Debug, Default)]
pub struct Targets(RefCell<Vec<(Rect, Target)>>);

impl Targets {
    /// Makes an area clickable. It lies over those noted before.
    pub fn note(&self, area: Rect, target: Target) {
        self.0.borrow_mut().push((area, target));
    }

    /// Forgets all targets.
    pub fn clear(&self) {
        self.0.borrow_mut().clear();
    }

    /// The target under the mouse, and its area.
    pub fn at(&self, place: Position) -> Option<(Target, Rect)> {
        let targets = self.0.borrow();
        let (area, target) = targets.iter().rev().find(|(area, _)| area.contains(place))?;
        Some((*target, *area))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_target_drawn_last_is_clicked() {
        let targets = Targets::default();
        targets.note(Rect::new(0, 0, 10, 5), Target::Board);
        targets.note(Rect::new(2, 1, 4, 1), Target::Action(Action::Undo));
        let at = |x, y| targets.at(Position { x, y }).map(|(target, _)| target);
        assert_eq!(at(2, 1), Some(Target::Action(Action::Undo)));
        assert_eq!(at(6, 1), Some(Target::Board));
        assert_eq!(at(10, 1), None);
        targets.clear();
        assert_eq!(targets.at(Position { x: 2, y: 1 }), None);
    }
}
