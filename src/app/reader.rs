//! Text to read: the rules, and the help for any screen.

use super::screen::{Act, Screen, View};
use super::{Desk, keys};
use crate::board::{Direction, Hint, Press};
use crate::catalogue::Entry;
use crossterm::event::{KeyCode, KeyEvent};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::text::{Line, Span, Text};
use ratatui::widgets::{Paragraph, Widget, Wrap};
use std::cell::Cell;

/// A text under a title, as far down as it was scrolled.
pub(super) struct Reader {
    title: String,
    /// Keys and what they do, before the text.
    keys: Vec<Hint>,
    text: String,
    top: u16,
    /// The last line that can stand at the top, and a page, both as of the last drawing: only that
    /// knows how the text wraps.
    end: Cell<u16>,
    page: Cell<u16>,
}

impl Reader {
    fn new(title: String, keys: Vec<Hint>, text: String) -> Reader {
        Reader { title, keys, text, top: 0, end: Cell::new(u16::MAX), page: Cell::new(1) }
    }

    /// The rules of a game.
    pub fn rules(entry: &Entry) -> Reader {
        Reader::new(format!("{}: the rules", entry.name), Vec::new(), entry.rules.to_owned())
    }

    /// Help for a screen: its keys of this moment, and what it says about itself.
    pub fn help(screen: &Screen) -> Reader {
        let (name, text) = screen.view().about();
        let mut keys = screen.all_hints();
        keys.push(("Ctrl-C", "leave the program at once"));
        keys.push(("Ctrl-Z", "suspend the program"));
        Reader::new(format!("{name}: help"), keys, text)
    }

    fn lines(&self, desk: &Desk) -> Text<'_> {
        let keys = self.keys.iter().map(|(key, does)| {
            Line::from(vec![
                Span::styled(format!("{key:>12}  "), desk.skin.strong()),
                Span::raw(*does),
            ])
        });
        let gap = (!self.keys.is_empty()).then(Line::default);
        keys.chain(gap).chain(self.text.lines().map(Line::raw)).collect()
    }
}

impl View for Reader {
    fn key(&mut self, key: &KeyEvent, _: &mut Desk) -> Option<Vec<Act>> {
        let (end, page) = (self.end.get(), self.page.get());
        let top = match (key.code, keys::press(key)) {
            (KeyCode::PageDown, _) | (_, Some(Press::Choose)) => self.top.saturating_add(page),
            (KeyCode::PageUp, _) => self.top.saturating_sub(page),
            (KeyCode::Home | KeyCode::Char('g'), _) => 0,
            (KeyCode::End | KeyCode::Char('G'), _) => end,
            (_, Some(Press::Arrow(Direction::Down))) => self.top.saturating_add(1),
            (_, Some(Press::Arrow(Direction::Up))) => self.top.saturating_sub(1),
            (_, Some(Press::Back)) => return Some(vec![Act::Pop]),
            _ => return None,
        };
        self.top = top.min(end);
        Some(Vec::new())
    }

    fn draw(&self, desk: &Desk, area: Rect, buffer: &mut Buffer) -> Option<Position> {
        let skin = desk.skin;
        buffer.set_stringn(area.x + 1, area.y, &self.title, area.width as usize - 1, skin.strong());
        let body = Rect {
            x: area.x + 1,
            y: area.y + 2,
            width: (area.width - 2).min(80),
            height: area.height - 2,
        };
        let text = Paragraph::new(self.lines(desk)).wrap(Wrap { trim: false });
        // Wrapped by words, a line is at most one row longer than by letters, mostly not even that;
        // counting by drawing on a tall sheet is exact.
        let rows = wrapped_rows(&text, body.width);
        let end = rows.saturating_sub(body.height);
        self.end.set(end);
        self.page.set(body.height.saturating_sub(1).max(1));
        let top = self.top.min(end);
        text.scroll((top, 0)).render(body, buffer);
        if end > 0 {
            let seen = format!("{}-{} of {rows}", top + 1, (top + body.height).min(rows));
            let x = area.right().saturating_sub(seen.len() as u16 + 1);
            buffer.set_stringn(x, area.y, &seen, seen.len(), skin.dim());
        }
        None
    }

    fn hints(&self) -> Vec<Hint> {
        vec![("arrows", "scroll"), ("Space", "next page"), ("Esc", "close")]
    }

    fn about(&self) -> (String, String) {
        (self.title.clone(), String::new())
    }
}

/// How many rows a paragraph takes at a width.
fn wrapped_rows(text: &Paragraph, width: u16) -> u16 {
    let tall = Rect::new(0, 0, width, 500);
    let mut buffer = Buffer::empty(tall);
    text.clone().render(tall, &mut buffer);
    let blank = |y: &u16| (0..width).all(|x| buffer[(x, *y)].symbol() == " ");
    (0..tall.height).rev().find(|y| !blank(y)).map_or(0, |y| y + 1)
}
