//! Draws the app: the top screen, the visible screens below it, and the footer.

use super::{App, Context, text};
use crate::action::Action;
use crate::tui::{self, Canvas, Drawn, footer};
use crate::view::View;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

/// The minimum usable screen size, in columns and rows.
const MIN_SIZE: (u16, u16) = (30, 10);

impl App {
    /// Draws the screen. Returns the cursor position if text is being typed.
    pub fn draw(&self, area: Rect, buffer: &mut Buffer) -> Option<Position> {
        let skin = self.style.skin;
        buffer.set_style(area, skin.paper());
        let Rect { width, height, .. } = area;
        self.cramped.set(width < MIN_SIZE.0 || height < MIN_SIZE.1);
        self.targets.clear();
        self.images.clear();
        self.record_drawing();
        if self.cramped.get() {
            self.draw_cramped(area, buffer);
            return None;
        }
        let (mut body, below) = footer::split(area);
        let note = self.page_note();
        let line = note.map(|_| footer::cut_line(&mut body));
        let mut drawn = Drawn::default();
        let views = self.views();
        if let [top, beneath @ ..] = &*views {
            let App { targets, board, images, context: Context { feedback, .. }, .. } = self;
            let canvas = &mut Canvas { skin, targets, feedback, board, images, buffer };
            for view in beneath.iter().rev() {
                drawn = tui::draw_beneath(view, body, canvas).over(drawn);
            }
            // Nothing below a menu can be clicked.
            targets.clear();
            drawn = match (top, drawn.place) {
                (View::Menu(menu), Some(place)) => {
                    tui::draw_beside(menu, place, canvas);
                    drawn
                }
                _ => tui::draw(top, body, canvas).over(drawn),
            };
            let keys = self.keymap();
            let below = match self.mover_with_keys() {
                Some((_, seat, name)) => footer::draw_name(name, seat, below, canvas),
                None => below,
            };
            footer::draw(&self.key_hints(), &keys, below, canvas);
            if let Some((line, words)) = line.zip(note) {
                footer::draw_note(words, line, canvas);
            }
        }
        if skin.is_ascii() {
            text::replace_non_ascii(area, skin, buffer);
        } else {
            text::settle_widths(area, skin, buffer);
        }
        drawn.cursor
    }

    /// Returns the views of the visible screens, top first. Menus lie over other screens.
    pub(super) fn views(&self) -> Vec<View<'_>> {
        let mut views = Vec::new();
        for screen in self.stack.iter().rev() {
            #[cfg(test)]
            self.views_made.set(self.views_made.get() + 1);
            views.push(screen.view(views.is_empty(), &self.context));
            if !matches!(views.last(), Some(View::Menu(_))) {
                break;
            }
        }
        views
    }

    pub(super) fn lowest_shown(&self) -> usize {
        self.stack.len() - self.views().len()
    }

    /// Draws a message with the required screen size.
    fn draw_cramped(&self, area: Rect, buffer: &mut Buffer) {
        let Rect { width, height, .. } = area;
        let (needs, has) =
            (format!("needs {}x{}, ", MIN_SIZE.0, MIN_SIZE.1), format!("have {width}x{height}"));
        let leaves = format!("{} leaves", self.context.settings.keys.name(Action::Leave));
        let x = if needs.len() + has.len() <= width as usize { needs.len() as u16 } else { 0 };
        let below = u16::from(x == 0);
        for (x, y, text) in [(0, 0, needs), (x, below, has), (0, below + 1, leaves)] {
            if y < height {
                let (place, room) = ((area.x + x, area.y + y), (width - x) as usize);
                buffer.set_stringn(place.0, place.1, text, room, self.style.skin.plain());
            }
        }
    }
}
