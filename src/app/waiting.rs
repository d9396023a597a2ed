//! All matches that were left, where they are more than the home screen shows.

use super::left;
use super::screen::{Act, Answer, View};
use super::scroll;
use super::{Desk, keys, text};
use crate::board::{Hint, Press};
use crossterm::event::{KeyCode, KeyEvent};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use std::cell::Cell;

/// The entry under the cursor.
#[derive(Default)]
pub(super) struct Waiting {
    at: usize,
    said: Option<String>,
    /// The rows of a page, as of the last drawing.
    page: Cell<usize>,
}

impl View for Waiting {
    fn key(&mut self, key: &KeyEvent, desk: &mut Desk) -> Option<Vec<Act>> {
        let said = self.said.take().is_some();
        let length = desk.left.len();
        self.at = self.at.min(length.saturating_sub(1));
        match (key.code, keys::press(key)) {
            (KeyCode::Char('d'), _) => {
                let asked = left::ask_to_discard(desk, self.at).map(|act| vec![act]);
                asked.or(said.then(Vec::new))
            }
            (_, Some(Press::Choose)) if length > 0 => {
                let mut acts = vec![Act::Pop];
                acts.extend(left::take_up(desk, self.at));
                Some(acts)
            }
            (_, Some(Press::Back)) => Some(vec![Act::Pop]),
            _ => match keys::walk(self.at, length, self.page.get(), key) {
                Some(at) => {
                    self.at = at;
                    Some(Vec::new())
                }
                None => said.then(Vec::new),
            },
        }
    }

    fn draw(&self, desk: &Desk, area: Rect, buffer: &mut Buffer) -> Option<Position> {
        let skin = desk.skin;
        let length = desk.left.len();
        let at = self.at.min(length.saturating_sub(1));
        let room = area.width.saturating_sub(2) as usize;
        let top = area.y + 2;
        let page = area.bottom().saturating_sub(top + 3) as usize;
        self.page.set(page);
        let seen = scroll::page_round(at, length, page);
        let taken = scroll::draw_seen(&seen, length, skin, area, buffer) as usize;
        let title = "Matches to go on with";
        let place = (area.x + 1, area.y);
        text::put(place, title, room.saturating_sub(taken), skin.strong(), skin, buffer);
        for (y, index) in (top..).zip(seen) {
            let here = index == at;
            if here {
                buffer.set_string(area.x + 1, y, skin.glyphs().turn.to_string(), skin.strong());
            }
            let line = desk.left[index].line(room.saturating_sub(4), skin);
            let style = if here { skin.cursor() } else { skin.plain() };
            text::put((area.x + 3, y), &format!(" {line} "), room - 2, style, skin, buffer);
        }
        let (note, style) = match (&self.said, desk.left.get(at)) {
            (Some(said), _) => (said.clone(), skin.strong()),
            (None, Some(left)) => (left.about(skin), skin.dim()),
            (None, None) => ("None is left.".to_owned(), skin.dim()),
        };
        for (y, row) in (area.bottom() - 2..).zip(text::wrap(&note, room, 2, skin)) {
            buffer.set_string(area.x + 1, y, row, style);
        }
        None
    }

    fn hints(&self) -> Vec<Hint> {
        vec![("arrows", "move"), ("Enter", "go on"), ("d", "delete"), ("Esc", "home")]
    }

    fn about(&self) -> (String, String) {
        let text = "Every match you left before its end, the latest first. Enter goes on with it, d \
                    deletes it after it has asked.";
        ("Matches to go on with".to_owned(), text.to_owned())
    }

    fn hear(&mut self, line: &str) -> bool {
        self.said = Some(line.to_owned());
        true
    }

    fn answer(&mut self, answer: Answer, desk: &mut Desk) -> Vec<Act> {
        if answer == Answer::Delete { left::discard(desk, self.at) } else { Vec::new() }
    }
}
