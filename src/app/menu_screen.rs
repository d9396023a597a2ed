//! A menu over another screen.

use super::list::ListState;
use super::menu::Menu;
use super::screen::{About, Act, Screen};
use super::targets::Target;
use super::{Context, text};
use crate::action::{Action, DIGITS, KeyHint};
use crate::board::Skin;
use crate::scene::Role;
use crate::tui::board::PANEL_FROM;
use ratatui::buffer::Buffer;
use ratatui::layout::{Margin, Position, Rect};
use ratatui::style::Style;
use ratatui::widgets::{Clear, Widget};
use std::iter;
use std::time::Duration;

/// The least and the most columns of a menu in the middle of a screen.
const WIDTH: (u16, u16) = (26, 44);

/// A menu with a cursor.
pub(super) struct MenuScreen {
    menu: Menu,
    list: ListState,
}

impl MenuScreen {
    pub fn new(menu: Menu) -> MenuScreen {
        let mut list = ListState::default();
        list.go_to(menu.at);
        MenuScreen { menu, list }
    }

    /// The area in the middle of another where it lies, with its frame.
    fn middle_of(&self, within: Rect) -> Rect {
        let texts = iter::once(&self.menu.title).chain(&self.menu.lines);
        let entries = self.menu.entries.iter().map(|(label, _)| text::width(label) + 2);
        let widest = texts.map(|text| text::width(text)).chain(entries).max().unwrap_or(0);
        let width = (widest as u16).saturating_add(6).clamp(WIDTH.0, WIDTH.1).min(within.width);
        let height =
            (self.menu.lines.len() + self.menu.entries.len() + 4).min(within.height.into()) as u16;
        let (x, y) = ((within.width - width) / 2, (within.height - height) / 2);
        Rect { x: within.x + x, y: within.y + y, width, height }
    }

    /// Draws the entries, and with `has_head` the title and the lines. Returns whether something is out of
    /// sight above and below.
    fn draw_rows(
        &self,
        has_head: bool,
        context: &Context,
        area: Rect,
        buffer: &mut Buffer,
    ) -> [bool; 2] {
        let skin = context.skin;
        let head: Vec<MenuRow> = if has_head {
            iter::once(MenuRow::Text(&self.menu.title, skin.strong()))
                .chain(self.menu.lines.iter().map(|line| MenuRow::Text(line, skin.plain())))
                .collect()
        } else {
            Vec::new()
        };
        let room = usize::from(area.height);
        // The empty line before the entries is dropped if they need the room.
        let has_gap = !head.is_empty() && head.len() + self.menu.entries.len() < room;
        let gap = has_gap.then_some(MenuRow::Text("", skin.plain()));
        let entries = (0..self.menu.entries.len()).map(MenuRow::Entry);
        let above = head.len() + usize::from(has_gap);
        let rows: Vec<MenuRow> = head.into_iter().chain(gap).chain(entries).collect();
        // If there are too many rows, the first ones scroll away.
        let skip = (above + self.list.at() + 1).saturating_sub(room);
        for (y, row) in (area.y..).zip(rows.iter().skip(skip).take(room)) {
            let line = Rect { y, height: 1, ..area };
            match row {
                MenuRow::Text(text, style) => {
                    text::put((line.x + 1, y), text, room_in(line), *style, skin, buffer);
                }
                MenuRow::Entry(index) => {
                    self.draw_entry(*index, skin, line, buffer);
                    let chosen = Target::Entry(*index, Some(Action::Choose));
                    context.targets.note(line, chosen);
                }
            }
        }
        [skip > 0, rows.len() > skip + room]
    }

    fn draw_entry(&self, index: usize, skin: Skin, line: Rect, buffer: &mut Buffer) {
        let here = index == self.list.at();
        let (mark, style) =
            if here { (skin.glyphs().turn, skin.cursor()) } else { (' ', skin.plain()) };
        buffer.set_style(line, style);
        let text = format!("{mark} {}", self.menu.entries[index].0);
        text::put((line.x + 1, line.y), &text, room_in(line), style, skin, buffer);
    }

    /// Marks that there is more above or below an area.
    fn draw_more([above, below]: [bool; 2], skin: Skin, area: Rect, buffer: &mut Buffer) {
        let glyphs = skin.glyphs();
        let ends = [(above, area.y, glyphs.up), (below, area.bottom() - 1, glyphs.down)];
        for (_, y, glyph) in ends.into_iter().filter(|(more, ..)| *more) {
            buffer[(area.right().saturating_sub(2), y)].set_char(glyph).set_style(skin.strong());
        }
    }
}

/// A row of a menu.
enum MenuRow<'a> {
    Text(&'a str, Style),
    /// One of the entries.
    Entry(usize),
}

/// Closes the menu before these acts.
fn closing(acts: &[Act]) -> Vec<Act> {
    [&[Act::Pop], acts].concat()
}

/// The columns of a text in a line, with one left empty on either side.
fn room_in(line: Rect) -> usize {
    usize::from(line.width).saturating_sub(2)
}

impl Screen for MenuScreen {
    fn actions(&self, _: &Context) -> Vec<Action> {
        let numbers = &DIGITS[1..=self.menu.entries.len().min(9)];
        [ListState::ACTIONS, &[Action::Choose, Action::Back], numbers].concat()
    }

    fn perform(&mut self, action: Action, _: &mut Context) -> Option<Vec<Act>> {
        if !self.menu.guard.is_zero() && action != Action::Back {
            return None;
        }
        let length = self.menu.entries.len();
        match action {
            Action::Choose => {
                let (_, acts) = self.menu.entries.get(self.list.at())?;
                return Some(closing(acts));
            }
            Action::Back => return Some(self.leaves()),
            // The first entry has the number 1.
            action => {
                let number = action.digit().map(usize::from);
                let at = number.and_then(|number| number.checked_sub(1)).filter(|&at| at < length);
                match at {
                    Some(at) => self.list.go_to(at),
                    None => self.list.walk(action, length)?,
                }
            }
        }
        Some(Vec::new())
    }

    fn list_mut(&mut self) -> Option<(&mut ListState, usize)> {
        Some((&mut self.list, self.menu.entries.len()))
    }

    fn go_to_entry(&mut self, entry: usize, _: &Context) {
        // A click on an entry was not meant for the board.
        self.menu.guard = Duration::ZERO;
        self.list.go_to(entry);
    }

    fn time_passed(&mut self, time: Duration) {
        self.menu.guard = self.menu.guard.saturating_sub(time);
    }

    fn draw(&self, context: &Context, area: Rect, buffer: &mut Buffer) -> Option<Position> {
        let skin = context.skin;
        let within = area;
        let area = self.middle_of(within);
        if area.width < 3 || area.height < 3 {
            return None;
        }
        // On a narrow screen the strips beside it would be unreadable.
        let cleared = if within.width < PANEL_FROM { within } else { area };
        Clear.render(cleared, buffer);
        buffer.set_style(cleared, skin.paper());
        buffer.set_style(area, skin.paper().patch(skin.style(Role::Panel)));
        frame(area, skin, buffer);
        let inner = area.inner(Margin::new(1, 1));
        let more = self.draw_rows(true, context, inner, buffer);
        MenuScreen::draw_more(more, skin, area, buffer);
        None
    }

    fn draw_beside(&self, context: &Context, place: Rect, buffer: &mut Buffer) -> Option<Position> {
        let skin = context.skin;
        let has_head = self.menu.has_title_beside;
        let rows = self.menu.entries.len() + if has_head { self.menu.lines.len() + 2 } else { 0 };
        let framed = Rect { height: place.height.min(rows as u16 + 2), ..place };
        // A painted menu needs no frame, and a small one has no room for it.
        let has_frame = !skin.theme().paints() && framed.height > 4;
        let inner = if has_frame { framed.inner(Margin::new(1, 1)) } else { place };
        if has_frame {
            frame(framed, skin, buffer);
        }
        let more = self.draw_rows(has_head, context, inner, buffer);
        if !inner.is_empty() {
            MenuScreen::draw_more(more, skin, if has_frame { framed } else { inner }, buffer);
        }
        None
    }

    fn key_hints(&self) -> Vec<KeyHint> {
        vec![KeyHint::new(&[Action::Up, Action::Down], "move"), Action::Choose.hint()]
    }

    fn about(&self) -> About {
        About::new(self.menu.title.clone(), self.menu.about)
    }

    fn leaves(&self) -> Vec<Act> {
        closing(&self.menu.closed)
    }

    fn way_out(&self) -> &'static str {
        "close"
    }

    fn is_overlay(&self) -> bool {
        true
    }
}

/// Draws a frame of dots and dashes.
fn frame(area: Rect, skin: Skin, buffer: &mut Buffer) {
    let glyphs = skin.glyphs();
    let style = skin.dim();
    let (right, bottom) = (area.right() - 1, area.bottom() - 1);
    for place in area.positions() {
        let corner_x = place.x == area.x || place.x == right;
        let corner_y = place.y == area.y || place.y == bottom;
        let glyph = match (corner_x, corner_y) {
            (true, true) => glyphs.dot,
            (false, true) => glyphs.ghost[0],
            (true, false) => glyphs.ghost[1],
            (false, false) => continue,
        };
        buffer[place].set_char(glyph).set_style(style);
    }
}
