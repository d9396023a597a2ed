//! A line of text that is being typed.

use crossterm::event::{Event, KeyEvent};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;
use tui_input::backend::crossterm::EventHandler;
use tui_input::{Input, InputRequest};

/// A text field with the usual editing keys.
#[derive(Clone, Debug, Default)]
pub(super) struct Field(Input);

impl Field {
    /// A field that holds this text, the cursor behind it.
    pub fn new(text: &str) -> Field {
        Field(Input::new(text.to_owned()))
    }

    /// What is typed so far.
    pub fn text(&self) -> &str {
        self.0.value()
    }

    /// Takes a key; `false` if it edits nothing.
    pub fn key(&mut self, key: &KeyEvent) -> bool {
        self.0.handle_event(&Event::Key(*key)).is_some()
    }

    /// Takes pasted text, without line breaks and the like.
    pub fn paste(&mut self, text: &str) {
        for c in text.chars().filter(|c| !c.is_control()) {
            self.0.handle(InputRequest::InsertChar(c));
        }
    }

    /// Draws the text into a line, scrolled so that the cursor is in sight, and says where that is.
    pub fn draw(&self, area: Rect, style: Style, buffer: &mut Buffer) -> Position {
        let room = area.width.saturating_sub(1) as usize;
        let skip = self.0.visual_scroll(room);
        let line = ratatui::text::Line::styled(self.text(), style);
        ratatui::widgets::Widget::render(
            ratatui::widgets::Paragraph::new(line).scroll((0, skip as u16)),
            area,
            buffer,
        );
        let x = self.0.visual_cursor().saturating_sub(skip).min(room);
        Position { x: area.x + x as u16, y: area.y }
    }
}
