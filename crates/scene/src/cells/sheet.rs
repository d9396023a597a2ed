//! A sheet on which a board is drawn, seen through a window that may be smaller than the sheet.
//!
//! A field contains one tile or one dot. A cell is a character cell, on the sheet or on the screen, never a square of
//! the board.

use super::axis::{Axis, AxisView};
use crate::{At, Skin};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect, Size};
use ratatui::style::{Color, Modifier, Style};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SheetFormat {
    pub across: Axis,
    pub down: Axis,
}

impl SheetFormat {
    /// Creates the format of a sheet without labels that can be cut anywhere: each cell is a field.
    pub const fn plain(size: Size) -> SheetFormat {
        SheetFormat { across: Axis::plain(size.width), down: Axis::plain(size.height) }
    }

    /// Creates the format of a sheet with rows and columns of fields, gaps between them, and space for labels on the
    /// left and at the top.
    pub(super) fn even([rows, cols]: [u8; 2], labels: Size, field: Size, gap: Size) -> SheetFormat {
        let axis = |labels, count: u8, field, gap| {
            let count = count.into();
            Axis { labels, pads: [0; 2], count, field, gap }
        };
        SheetFormat {
            across: axis(labels.width, cols, field.width, gap.width),
            down: axis(labels.height, rows, field.height, gap.height),
        }
    }

    pub(super) fn fit(all: &[SheetFormat], room: Size) -> SheetFormat {
        let fitting = all.iter().find(|format| format.fits(room)).or(all.last());
        fitting.copied().unwrap_or(SheetFormat::plain(room))
    }

    pub const fn fits(self, room: Size) -> bool {
        let Size { width, height } = self.size();
        width <= room.width && height <= room.height
    }

    pub const fn size(self) -> Size {
        Size { width: self.across.length(), height: self.down.length() }
    }

    pub const fn field(self, At { row, col }: At) -> Rect {
        let (x, y) = (self.across.at(col as u16), self.down.at(row as u16));
        Rect { x, y, width: self.across.field, height: self.down.field }
    }

    /// Returns the size that the sheet occupies in `room`, including scroll bars.
    pub fn size_in(self, room: Size) -> Size {
        let view = self.view(Rect::from((Position::ORIGIN, room)), Rect::ZERO);
        Size { width: view.across.used, height: view.down.used }
    }

    /// Returns the view of the sheet in `area`: centered if the sheet fits. Otherwise, the view is scrolled to show
    /// `focus`, a part of the sheet, with scroll bars that take a column or a row from the other axis.
    pub(super) fn view(self, area: Rect, focus: Rect) -> SheetView {
        let across =
            |bar| self.across.view(area.x, area.width, &(focus.left()..focus.right()), bar);
        let down = |bar| self.down.view(area.y, area.height, &(focus.top()..focus.bottom()), bar);
        let across_is_cut = across(down(false).is_cut()).is_cut();
        let down = down(across_is_cut);
        SheetView { across: across(down.is_cut()), down }
    }
}

/// The visible part of a sheet and its position on the screen.
#[derive(Clone, Debug)]
pub(super) struct SheetView {
    across: AxisView,
    down: AxisView,
}

impl SheetView {
    /// Returns the visible part of the sheet, without labels and pads.
    pub const fn visible(&self) -> Rect {
        let (across, down) = (self.across.fields(), self.down.fields());
        Rect { x: across.from, y: down.from, width: across.length, height: down.length }
    }

    pub const fn visible_on_screen(&self) -> Rect {
        let (across, down) = (self.across.fields(), self.down.fields());
        Rect { x: across.at, y: down.at, ..self.visible() }
    }

    /// Converts a screen position to a cell of the sheet.
    pub fn on_sheet(&self, at: Position) -> Option<Position> {
        Some(Position { x: self.across.on_sheet(at.x)?, y: self.down.on_sheet(at.y)? })
    }

    /// Converts a cell of the sheet to its screen position, if visible.
    fn on_screen(&self, x: u16, y: u16) -> Option<Position> {
        Some(Position { x: self.across.on_screen(x)?, y: self.down.on_screen(y)? })
    }
}

/// A sheet being drawn. Coordinates are cells relative to the sheet's top left corner. Anything drawn outside the
/// visible part is dropped.
#[derive(Debug)]
pub(super) struct Sheet<'a> {
    buffer: &'a mut Buffer,
    pub format: SheetFormat,
    pub view: SheetView,
    pub skin: Skin,
}

impl<'a> Sheet<'a> {
    /// Places a sheet in `area` with `focus` visible.
    pub fn lay(
        buffer: &'a mut Buffer,
        area: Rect,
        format: SheetFormat,
        focus: Rect,
        skin: Skin,
    ) -> Sheet<'a> {
        let view = format.view(area.intersection(buffer.area), focus);
        let mut sheet = Sheet { buffer, format, view, skin };
        sheet.draw_bars();
        sheet
    }

    pub const fn area(&self) -> Rect {
        let Size { width, height } = self.format.size();
        Rect { x: 0, y: 0, width, height }
    }

    pub fn shows(&self, at: Position) -> bool {
        self.view.on_screen(at.x, at.y).is_some()
    }

    /// Writes text starting at a cell, one cell per character.
    pub fn text(&mut self, x: u16, y: u16, text: &str, style: Style) {
        for (step, glyph) in (0..).zip(text.chars()) {
            self.glyph(x + step, y, glyph, style);
        }
    }

    /// Writes text that must not be truncated, because part of a number would look like a different number. If any part
    /// is not visible, faint points replace the whole text.
    pub(super) fn whole_text(&mut self, part: Rect, text: &str, style: Style) {
        if part.positions().all(|at| self.shows(at)) {
            self.text(part.x, part.y, text, style);
        } else {
            self.fill(part, self.skin.glyphs().faint, style);
        }
    }

    /// Writes one glyph, which must be one column wide.
    pub fn glyph(&mut self, x: u16, y: u16, glyph: char, style: Style) {
        if let Some(place) = self.view.on_screen(x, y) {
            self.put(place, glyph, style);
        }
    }

    /// Adds a style to a cell, which keeps its glyph.
    pub fn restyle(&mut self, at: Position, style: Style) {
        if let Some(place) = self.view.on_screen(at.x, at.y)
            && let Some(cell) = self.buffer.cell_mut(place)
        {
            cell.set_style(style);
        }
    }

    pub fn fill(&mut self, part: Rect, glyph: char, style: Style) {
        for place in part.positions() {
            self.glyph(place.x, place.y, glyph, style);
        }
    }

    /// Draws the scroll bars if there is space: on the right for hidden rows, at the bottom for hidden columns.
    fn draw_bars(&mut self) {
        let [track, handle] = self.skin.glyphs().scroll;
        let style = self.skin.dim();
        let glyph =
            |thumb: &std::ops::Range<u16>, at| if thumb.contains(&at) { handle } else { track };
        let Rect { x, y, width, height } = self.view.visible_on_screen();
        let SheetView { across, down } = self.view.clone();
        if let Some(x) = across.bar {
            for at in 0..height {
                self.put(Position { x, y: y + at }, glyph(&down.thumb(), at), style);
            }
        }
        if let Some(y) = down.bar {
            for at in 0..width {
                self.put(Position { x: x + at, y }, glyph(&across.thumb(), at), style);
            }
        }
    }

    /// Sets the glyph and the style of a cell. If the style has no background, the cell keeps its background.
    fn put(&mut self, place: Position, glyph: char, style: Style) {
        let ink = self.skin.paper().fg.unwrap_or(Color::Reset);
        if let Some(cell) = self.buffer.cell_mut(place) {
            cell.fg = ink;
            cell.modifier = Modifier::empty();
            cell.set_char(glyph).set_style(style);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sheet_fits_in_its_own_size() {
        let labelled = Axis { labels: 2, pads: [1; 2], count: 9, field: 3, gap: 0 };
        let dots = Axis { labels: 0, pads: [0; 2], count: 9, field: 1, gap: 1 };
        let axes = [labelled, dots, Axis::plain(17)];
        for (across, down) in axes.into_iter().flat_map(|a| axes.map(move |b| (a, b))) {
            let format = SheetFormat { across, down };
            // In smaller spaces, labels or pads are omitted.
            for (width, height) in (15..40).flat_map(|width| (15..40).map(move |y| (width, y))) {
                let room = Size { width, height };
                let used = format.size_in(room);
                assert!(used.width <= width && used.height <= height);
                assert_eq!(format.size_in(used), used, "{format:?} in {room}");
            }
        }
    }
}
