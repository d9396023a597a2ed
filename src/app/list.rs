//! Lists with a cursor.

use super::Context;
use super::targets::Target;
use crate::action::Action;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use std::cell::Cell;
use std::ops::Range;

/// The cursor of a list. Whoever keeps the list says how long it is.
pub(super) struct ListState {
    at: usize,
    /// How many entries a page has in the last drawing. In a list that has never told, pages lead to its ends.
    page: Cell<usize>,
}

impl Default for ListState {
    fn default() -> ListState {
        ListState { at: 0, page: Cell::new(usize::MAX) }
    }
}

impl ListState {
    /// The actions that move the cursor.
    pub const ACTIONS: &[Action] = &[
        Action::Up,
        Action::Down,
        Action::Next,
        Action::Previous,
        Action::First,
        Action::Last,
        Action::PageUp,
        Action::PageDown,
    ];

    /// The entry under the cursor.
    pub const fn at(&self) -> usize {
        self.at
    }

    pub const fn go_to(&mut self, entry: usize) {
        self.at = entry;
    }

    /// Where the cursor belongs after a change of the list: on its entry if that was found, or else near where it was.
    pub fn place(&self, found: Option<usize>, length: usize) -> usize {
        found.unwrap_or(self.at.min(length.saturating_sub(1)))
    }

    /// Moves the cursor; `None` if the action does not do that. Single steps wrap round at the ends, pages stop there.
    pub fn walk(&mut self, action: Action, length: usize) -> Option<()> {
        let (at, last, page) = (self.at, length.saturating_sub(1), self.page.get().max(1));
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

    /// Moves the cursor by a step, for the wheel. Returns whether it moves: it stops at the ends.
    pub fn wheel(&mut self, back: bool, length: usize) -> bool {
        let last = length.saturating_sub(1);
        let to = if back { self.at.saturating_sub(1) } else { (self.at + 1).min(last) };
        std::mem::replace(&mut self.at, to) != to
    }

    /// Notes how many entries are drawn on a page.
    pub fn set_page(&self, page: usize) {
        self.page.set(page);
    }
}

/// The rows of a list to draw, with the cursor's row `at` in sight, out of `rows` and with room for `room`.
/// They move by half pages, so that the list stands still for most keys.
pub(super) fn page_round(at: usize, rows: usize, room: usize) -> Range<usize> {
    let page = room.max(1);
    let half = (page / 2).max(1);
    let from = (at / half * half).saturating_sub(half / 2).min(rows.saturating_sub(page));
    from..(from + room).min(rows)
}

/// Lets an entry be clicked. If the cursor is `here`, a click chooses it, and its row is filled, one column wider than its
/// text on each side.
pub(super) fn mark_row(
    entry: usize,
    here: bool,
    row: Rect,
    context: &Context,
    buffer: &mut Buffer,
) {
    if here {
        let line = Rect { x: row.x - 1, width: row.width + 2, height: 1, ..row };
        buffer.set_style(line.intersection(buffer.area), context.skin.cursor());
    }
    context.targets.note(row, Target::Entry(entry, here.then_some(Action::Choose)));
}
