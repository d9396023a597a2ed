//! Lists with a cursor.

use super::command::Commands;
use super::screen::{Effect, Input, PointerInput};
use crate::action::{Action, KeyHint};
use crate::tui::RenderFeedback;

/// The cursor of a list. The owner of the list passes the list's length.
#[derive(Default)]
pub(super) struct ListState {
    at: usize,
}

impl ListState {
    pub const MOVE: KeyHint = KeyHint::new(&[Action::Up, Action::Down], "move");

    const ACTIONS: &[Action] = &[
        Action::Up,
        Action::Down,
        Action::Next,
        Action::Previous,
        Action::First,
        Action::Last,
        Action::PageUp,
        Action::PageDown,
    ];

    /// Adds the commands that move the cursor.
    pub fn add_to(commands: Commands) -> Commands {
        commands.show(ListState::MOVE).hide(ListState::ACTIONS)
    }

    pub const fn at(&self) -> usize {
        self.at
    }

    pub const fn go_to(&mut self, entry: usize) {
        self.at = entry;
    }

    /// Returns the cursor after the list has changed: `found`, the new index of the entry, or otherwise the nearest
    /// valid index.
    pub fn place(&self, found: Option<usize>, length: usize) -> usize {
        found.unwrap_or(self.at.min(length.saturating_sub(1)))
    }

    /// Moves the cursor; `None` for other actions. Single steps wrap around; page steps stop at the ends.
    pub fn move_cursor(&mut self, action: Action, length: usize, page: usize) -> Option<()> {
        let (at, last, page) = (self.at, length.saturating_sub(1), page.max(1));
        self.at = match action {
            Action::Up | Action::Previous => at.checked_sub(1).unwrap_or(last),
            Action::Down | Action::Next if at >= last => 0,
            Action::Down | Action::Next => at + 1,
            Action::First => 0,
            Action::Last => last,
            Action::PageUp => at.saturating_sub(page),
            Action::PageDown => at.saturating_add(page).min(last),
            _ => return None,
        };
        Some(())
    }

    /// Handles a key or mouse input that moves the cursor. The wheel stops at the ends.
    pub fn input(
        &mut self,
        input: &Input,
        length: usize,
        feedback: &RenderFeedback,
    ) -> Option<Vec<Effect>> {
        let last = length.saturating_sub(1);
        let to = match *input {
            Input::Action(action) => {
                return self.move_cursor(action, length, feedback.page.get()).map(|()| Vec::new());
            }
            Input::GoTo(entry) => {
                self.at = entry;
                return Some(Vec::new());
            }
            Input::Pointer(PointerInput::Wheel { back: true }) => self.at.saturating_sub(1),
            Input::Pointer(PointerInput::Wheel { back: false }) => (self.at + 1).min(last),
            _ => return None,
        };
        (std::mem::replace(&mut self.at, to) != to).then(Vec::new)
    }
}
