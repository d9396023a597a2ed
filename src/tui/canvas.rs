//! Canvas operations shared by most renderers.

use super::targets::Target;
use super::{Canvas, text};
use crate::action::Action;
use crate::view::{Phrase, Tone, Typed};
use quadrille_scene::{Role, Skin};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;
use std::cell::{Cell, RefCell};
use std::ops::Range;

/// The visible part of a list or a text, as last drawn.
#[derive(Debug)]
pub struct RenderFeedback {
    pub page: Cell<usize>,
    /// The largest possible index of the top row.
    pub end: Cell<usize>,
    /// The center columns of the cards and of the entries below them, with their indices; `None` if everything is drawn
    /// as a list.
    pub(super) middles: RefCell<Option<Vec<(usize, u16)>>>,
    /// The number of columns in which a tournament's running games are arranged.
    pub columns: Cell<usize>,
    /// The number of additional pages of a tournament.
    pub pages: Cell<usize>,
}

impl Default for RenderFeedback {
    fn default() -> RenderFeedback {
        let middles = RefCell::new(Some(Vec::new()));
        let (page, end) = (Cell::new(usize::MAX), Cell::new(usize::MAX));
        RenderFeedback { page, end, middles, columns: Cell::new(1), pages: Cell::new(0) }
    }
}

impl RenderFeedback {
    /// Returns the one of these entries drawn closest to the column of the entry `at`; `None` if all entries are drawn
    /// as a list.
    pub fn nearest(&self, at: usize, entries: Range<usize>) -> Option<usize> {
        let middles = self.middles.borrow();
        let middles = middles.as_ref()?;
        let middle = |entry| middles.iter().find(|(other, _)| *other == entry).map(|(_, x)| *x);
        let here = middle(at).unwrap_or(0);
        entries.min_by_key(|entry| middle(*entry).map_or(u16::MAX, |x| x.abs_diff(here)))
    }

    /// Records the scroll limits of a text of `rows` rows in a space of `room` rows. Returns the rows to draw if `top`
    /// is the requested first row.
    pub fn rows(&self, top: usize, rows: usize, room: usize) -> Range<usize> {
        let end = rows.saturating_sub(room);
        self.end.set(end);
        self.page.set(room.saturating_sub(1).max(1));
        let top = top.min(end);
        top..(top + room).min(rows)
    }
}

impl Canvas<'_> {
    pub fn style(&self, tone: Tone) -> Style {
        match tone {
            Tone::Plain => self.skin.plain(),
            Tone::Strong => self.skin.strong(),
            Tone::Dim => self.skin.dim(),
            Tone::Key => self.skin.style(Role::Key),
            Tone::Wrong => self.skin.wrong(),
        }
    }

    /// Writes text, truncated with an ellipsis if necessary. Returns the column after it.
    pub fn put(&mut self, at: (u16, u16), text: &str, room: usize, style: Style) -> u16 {
        text::put(at, text, room, style, self.skin, self.buffer).0
    }

    /// Writes words on a line and returns the column after them.
    pub fn put_words(&mut self, line: Rect, words: &Phrase) -> u16 {
        self.put((line.x, line.y), &words.marked(), line.width.into(), self.style(words.tone))
    }

    /// Wraps words into the rows of an area. Returns the number of rows used.
    pub fn wrap(&mut self, area: Rect, words: &Phrase) -> u16 {
        let rows = text::wrap(&words.marked(), area.width.into(), area.height.into(), self.skin);
        let style = self.style(words.tone);
        for (y, row) in (area.y..).zip(&rows) {
            self.buffer.set_string(area.x, y, row, style);
        }
        rows.len() as u16
    }

    /// Writes text input on a line. Returns the position of the text cursor.
    pub fn put_typed(&mut self, area: Rect, typed: Typed, style: Style) -> Position {
        text::draw_field(typed.text, typed.cursor, area, style, self.buffer)
    }

    /// Makes an entry clickable. If the cursor is `here`, a click chooses the entry, and the row is highlighted one
    /// column beyond its text on each side.
    pub fn mark_row(&mut self, entry: usize, here: bool, row: Rect) {
        if here {
            let line = Rect { x: row.x - 1, width: row.width + 2, height: 1, ..row };
            self.buffer.set_style(line.intersection(self.buffer.area), self.skin.cursor());
        }
        self.targets.note(row, Target::Entry(entry, here.then_some(Action::Choose)));
    }
}

/// Returns the list rows to draw so that the cursor's row `at` is visible. Scrolls by half pages, so the list rarely
/// moves.
pub fn page_round(at: usize, rows: usize, room: usize) -> Range<usize> {
    let page = room.max(1);
    let half = (page / 2).max(1);
    let from = (at / half * half).saturating_sub(half / 2).min(rows.saturating_sub(page));
    from..(from + room).min(rows)
}

/// Writes the range of visible rows at the right end of a line, unless all rows are visible. Returns the columns used.
pub fn draw_seen(
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
