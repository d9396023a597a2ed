//! A sheet of paper to draw a board on, seen through a window that may be smaller.

use super::Skin;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect, Size};
use ratatui::style::Style;

/// Room on the four sides of a board, for labels and marks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Margin {
    pub left: u16,
    pub top: u16,
    pub right: u16,
    pub bottom: u16,
}

impl Margin {
    /// No room at all.
    pub const NONE: Margin = Margin { left: 0, top: 0, right: 0, bottom: 0 };

    /// The size of a board and its margin together.
    pub const fn around(self, board: Size) -> Size {
        let Margin { left, top, right, bottom } = self;
        Size { width: left + board.width + right, height: top + board.height + bottom }
    }
}

/// The sheet. Its coordinates are cells from its own top left corner; what falls outside the window
/// is not drawn.
#[derive(Debug)]
pub struct Sheet<'a> {
    buffer: &'a mut Buffer,
    /// Where on the screen the sheet is seen.
    window: Rect,
    /// The cell of the sheet at the window's top left corner.
    origin: Position,
    size: Size,
    skin: Skin,
}

impl<'a> Sheet<'a> {
    /// Lays a sheet of `size` into `area`: centred where it fits, and else scrolled so that `focus`,
    /// a part of the sheet, is in sight. Small triangles at the edges say where it goes on.
    pub fn lay(
        buffer: &'a mut Buffer,
        area: Rect,
        size: Size,
        focus: Rect,
        skin: Skin,
    ) -> Sheet<'a> {
        let area = area.intersection(buffer.area);
        let (x, width, from_x) = span(area.x, area.width, size.width, focus.x + focus.width / 2);
        let (y, height, from_y) =
            span(area.y, area.height, size.height, focus.y + focus.height / 2);
        let window = Rect { x, y, width, height };
        Sheet { buffer, window, origin: Position { x: from_x, y: from_y }, size, skin }
    }

    /// How large the whole sheet is.
    pub const fn size(&self) -> Size {
        self.size
    }

    /// The looks to draw with.
    pub const fn skin(&self) -> Skin {
        self.skin
    }

    /// The part of the sheet that is in sight.
    pub const fn visible(&self) -> Rect {
        let Position { x, y } = self.origin;
        Rect { x, y, width: self.window.width, height: self.window.height }
    }

    /// The buffer and the area in it that the visible part fills, to draw with a ratatui widget.
    pub const fn raw(&mut self) -> (&mut Buffer, Rect) {
        (self.buffer, self.window)
    }

    /// Writes text, one cell a character, from a cell to the right.
    pub fn text(&mut self, x: u16, y: u16, text: &str, style: Style) {
        for (step, glyph) in (0..).zip(text.chars()) {
            self.glyph(x + step, y, glyph, style);
        }
    }

    /// Writes one glyph, which must be one column wide.
    pub fn glyph(&mut self, x: u16, y: u16, glyph: char, style: Style) {
        let Some(place) = self.on_screen(x, y) else { return };
        if let Some(cell) = self.buffer.cell_mut(place) {
            cell.set_char(glyph).set_style(style);
        }
    }

    /// Writes the same glyph into every cell of a part of the sheet.
    pub fn fill(&mut self, part: Rect, glyph: char, style: Style) {
        for place in part.intersection(self.visible()).positions() {
            self.glyph(place.x, place.y, glyph, style);
        }
    }

    /// Adds a style to a part of the sheet and leaves its glyphs.
    pub fn restyle(&mut self, part: Rect, style: Style) {
        for place in part.intersection(self.visible()).positions() {
            if let Some(at) = self.on_screen(place.x, place.y)
                && let Some(cell) = self.buffer.cell_mut(at)
            {
                cell.set_style(style);
            }
        }
    }

    /// Marks the edges beyond which the sheet goes on. To be called when all else is drawn.
    pub fn mark_edges(&mut self) {
        let Rect { x, y, width, height } = self.window;
        if width == 0 || height == 0 {
            return;
        }
        let seen = self.visible();
        let glyphs = self.skin.glyphs();
        let (middle_x, middle_y) = (x + width / 2, y + height / 2);
        let edges = [
            (seen.x > 0, x, middle_y, glyphs.more_left),
            (seen.right() < self.size.width, x + width - 1, middle_y, glyphs.more_right),
            (seen.y > 0, middle_x, y, glyphs.more_up),
            (seen.bottom() < self.size.height, middle_x, y + height - 1, glyphs.more_down),
        ];
        for (more, x, y, glyph) in edges {
            if more && let Some(cell) = self.buffer.cell_mut((x, y)) {
                cell.set_char(glyph).set_style(self.skin.more());
            }
        }
    }

    fn on_screen(&self, x: u16, y: u16) -> Option<Position> {
        let visible = self.visible().contains(Position { x, y });
        visible.then(|| Position {
            x: self.window.x + (x - self.origin.x),
            y: self.window.y + (y - self.origin.y),
        })
    }
}

/// Along one axis: where the window begins and how long it is, and which cell of the sheet it begins
/// with. A sheet that is too long moves by half windows, so that it stands still for most keys.
fn span(start: u16, room: u16, length: u16, focus: u16) -> (u16, u16, u16) {
    if length <= room {
        return (start + (room - length) / 2, length, 0);
    }
    let half = (room / 2).max(1);
    let from = (focus / half * half).saturating_sub(half / 2);
    (start, room, from.min(length - room))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sheet_that_fits_is_centred() {
        assert_eq!(span(3, 10, 4, 0), (6, 4, 0));
        assert_eq!(span(3, 10, 10, 9), (3, 10, 0));
        assert_eq!(span(3, 0, 0, 0), (3, 0, 0));
    }

    #[test]
    fn the_focus_of_a_larger_sheet_is_always_in_sight() {
        for room in 1..20 {
            for length in room + 1..60 {
                for focus in 0..length {
                    let (_, seen, from) = span(0, room, length, focus);
                    assert!((from..from + seen).contains(&focus), "{room} {length} {focus}");
                    assert!(from + seen <= length);
                }
            }
        }
    }
}
