//! Scrolling through more rows than there is room for.

use crate::action::Action;
use crate::board::Skin;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use std::cell::Cell;
use std::ops::Range;

/// How far a text is scrolled. Only drawing finds out how far it can go.
pub(super) struct Scroll {
    top: usize,
    /// The last row that can stand at the top, and the rows of a page, both from the last drawing.
    end: Cell<usize>,
    page: Cell<usize>,
}

impl Default for Scroll {
    fn default() -> Scroll {
        Scroll { top: 0, end: Cell::new(usize::MAX), page: Cell::new(1) }
    }
}

impl Scroll {
    /// The actions that scroll.
    pub const ACTIONS: &[Action] = &[
        Action::Up,
        Action::Down,
        Action::NextPage,
        Action::PageUp,
        Action::PageDown,
        Action::First,
        Action::Last,
    ];

    /// Does one of these actions; `false` if it is none of them.
    pub fn perform(&mut self, action: Action) -> bool {
        let (end, page) = (self.end.get(), self.page.get());
        let top = match action {
            Action::NextPage | Action::PageDown => self.top.saturating_add(page),
            Action::PageUp => self.top.saturating_sub(page),
            Action::First => 0,
            Action::Last => end,
            Action::Down => self.top.saturating_add(1),
            Action::Up => self.top.saturating_sub(1),
            _ => return false,
        };
        self.top = top.min(end);
        true
    }

    /// Scrolls by a notch of the wheel; `false` at the end.
    pub fn wheel(&mut self, back: bool) -> bool {
        const NOTCH: usize = 3;
        let was = self.top.min(self.end.get());
        let to = if back { was.saturating_sub(NOTCH) } else { was + NOTCH };
        self.top = to.min(self.end.get());
        self.top != was
    }

    /// The rows to draw, out of `rows`, where there is room for `room` of them.
    pub fn seen(&self, rows: usize, room: usize) -> Range<usize> {
        let end = rows.saturating_sub(room);
        self.end.set(end);
        self.page.set(room.saturating_sub(1).max(1));
        let top = self.top.min(end);
        top..(top + room).min(rows)
    }
}

/// Writes at the right end of a line which rows are in sight, unless all are. Returns how many columns that
/// takes.
pub(super) fn draw_seen(
    seen: &Range<usize>,
    rows: usize,
    skin: Skin,
    line: Rect,
    buffer: &mut Buffer,
) -> u16 {
    if seen.len() >= rows {
        return 0;
    }
    let text = format!("{}-{} of {rows}", seen.start + 1, seen.end);
    let width = text.len() as u16;
    let x = line.right().saturating_sub(width);
    buffer.set_stringn(x, line.y, &text, text.len(), skin.dim());
    (width + 2).min(line.width)
}
