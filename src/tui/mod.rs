//! Draws what screens show into the cells of a terminal: one renderer a kind of view. What only a drawing knows it returns or
//! notes: where the cursor is, what can be clicked, where a menu can stand.

pub mod bar;
pub mod board;
mod digits;
pub mod targets;
pub mod text;

use crate::scene::Skin;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use targets::Targets;

/// Where a renderer draws: cells, how they look, and what can be clicked there.
pub struct Canvas<'a> {
    pub skin: Skin,
    pub targets: &'a Targets,
    pub buffer: &'a mut Buffer,
}

impl Canvas<'_> {
    /// The first row of an area, to be written from the left.
    pub fn row(&mut self, area: Rect) -> TextRow<'_> {
        let end = if area.is_empty() { area.x } else { area.right() };
        TextRow { x: area.x, y: area.y, end, skin: self.skin, buffer: self.buffer }
    }

    /// Draws an edge down the left side of an area.
    fn edge(&mut self, area: Rect, style: Style) {
        for y in area.top()..area.bottom() {
            self.buffer[(area.x, y)].set_char(self.skin.glyphs().edge).set_style(style);
        }
    }
}

/// A row that is written from the left. What has no room is cut, with a mark.
pub struct TextRow<'a> {
    x: u16,
    y: u16,
    end: u16,
    skin: Skin,
    buffer: &'a mut Buffer,
}

impl TextRow<'_> {
    /// The columns that are left.
    pub fn room(&self) -> usize {
        self.end.saturating_sub(self.x).into()
    }

    pub fn put(mut self, words: &str, style: Style) -> Self {
        let room = self.room();
        let fitted = text::fit(words, room, self.skin);
        (self.x, _) = self.buffer.set_stringn(self.x, self.y, fitted, room, style);
        self
    }

    /// Writes without a mark where the text is cut.
    pub fn put_part(mut self, words: &str, style: Style) -> Self {
        (self.x, _) = self.buffer.set_stringn(self.x, self.y, words, self.room(), style);
        self
    }

    /// Leaves columns free.
    pub fn skip(mut self, columns: u16) -> Self {
        self.x += columns;
        self
    }
}

/// Cuts rows off the top of an area, at most all of them, and returns them.
fn cut(rest: &mut Rect, rows: u16) -> Rect {
    let rows = rows.min(rest.height);
    let top = Rect { height: rows, ..*rest };
    *rest = Rect { y: rest.y + rows, height: rest.height - rows, ..*rest };
    top
}
