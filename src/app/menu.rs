//! A menu that lies over another screen: the pause, the result, a choice of rules.

use super::screen::{Act, Answer, Screen};
use super::targets::Target;
use super::{Context, keys, text};
use crate::action::{Action, DIGITS, Hint};
use crate::scene::Role;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::widgets::{Clear, Widget};
use std::iter;

/// Below this width a menu covers the middle of the screen; from it on it stands at the right, where
/// the match has its panel, and leaves the board in sight.
pub(super) const PANEL_FROM: u16 = 60;
/// The columns of the panel.
pub(super) const PANEL: u16 = 32;

/// A title, some lines, and entries of which one is chosen.
#[derive(Clone, Debug)]
pub(super) struct Menu {
    title: String,
    lines: Vec<String>,
    entries: Vec<(String, Answer)>,
    at: usize,
    about: &'static str,
}

impl Menu {
    pub fn new(title: impl Into<String>, entries: Vec<(String, Answer)>) -> Menu {
        Menu { title: title.into(), lines: Vec::new(), entries, at: 0, about: "" }
    }

    /// With lines between the title and the entries.
    pub fn with_lines(self, lines: Vec<String>) -> Menu {
        Menu { lines, ..self }
    }

    /// With a few words for its help.
    pub fn with_about(self, about: &'static str) -> Menu {
        Menu { about, ..self }
    }

    fn area(&self, within: Rect) -> Rect {
        let texts = iter::once(&self.title).chain(&self.lines);
        let entries = self.entries.iter().map(|(label, _)| text::width(label) + 2);
        let widest = texts.map(|text| text::width(text)).chain(entries).max().unwrap_or(0);
        let beside = within.width >= PANEL_FROM;
        let least = if beside { PANEL } else { 26 };
        let width = (widest as u16).saturating_add(6).clamp(least, 44).min(within.width);
        let height = (self.lines.len() + self.entries.len() + 4).min(within.height as usize) as u16;
        let spare = within.width - width;
        let x = within.x + if beside { spare } else { spare / 2 };
        Rect { x, y: within.y + (within.height - height) / 2, width, height }
    }
}

impl Screen for Menu {
    fn actions(&self, _: &Context) -> Vec<Action> {
        let numbers = &DIGITS[1..=self.entries.len().min(9)];
        [keys::WALK, &[Action::Choose, Action::Back], numbers].concat()
    }

    fn perform(&mut self, action: Action, _: &mut Context) -> Option<Vec<Act>> {
        let length = self.entries.len();
        match action {
            Action::Choose => return Some(vec![Act::Answer(self.entries.get(self.at)?.1)]),
            Action::Back => return Some(vec![Act::Pop]),
            // The first entry has the number 1.
            action => {
                let number = action.digit().map(usize::from);
                let at = number.and_then(|number| number.checked_sub(1)).filter(|&at| at < length);
                self.at = at.or_else(|| keys::walk(self.at, length, length, action))?;
            }
        }
        Some(Vec::new())
    }

    fn go_to_entry(&mut self, entry: usize, _: &Context) {
        self.at = entry;
    }

    fn wheel(&mut self, back: bool, _: &mut Context) -> Option<Vec<Act>> {
        keys::wheel(&mut self.at, self.entries.len(), back)
    }

    fn draw(&self, context: &Context, area: Rect, buffer: &mut Buffer) -> Option<Position> {
        let skin = context.skin;
        let area = self.area(area);
        Clear.render(area, buffer);
        buffer.set_style(area, skin.paper().patch(skin.style(Role::Panel)));
        frame(area, skin, buffer);
        let Rect { x, y, width, height } = area;
        let inner = width.saturating_sub(4) as usize;
        text::put((x + 2, y + 1), &self.title, inner, skin.strong(), skin, buffer);
        let room = height.saturating_sub(3) as usize;
        let lines = self.lines.iter().map(|line| (line.clone(), skin.plain(), None));
        // The empty line before the entries gives way to them.
        let gap = usize::from(self.lines.len() + self.entries.len() < room);
        let entries = self.entries.iter().enumerate().map(|(index, (label, _))| {
            let here = index == self.at;
            let mark = if here { skin.glyphs().turn } else { ' ' };
            let style = if here { skin.cursor() } else { skin.plain() };
            (format!("{mark} {label} "), style, Some(index))
        });
        // Where the menu is too high, what stands above the chosen entry scrolls away.
        let skip = (self.lines.len() + gap + self.at + 1).saturating_sub(room);
        let empty = iter::repeat_n((String::new(), skin.plain(), None), gap);
        let rows = lines.chain(empty).chain(entries).skip(skip).take(room);
        for (y, (row, style, entry)) in (y + 2..).zip(rows) {
            text::put((x + 2, y), &row, inner, style, skin, buffer);
            if let Some(entry) = entry {
                let chosen = Target::Entry(entry, Some(Action::Choose));
                context.targets.note(Rect { y, height: 1, ..area }, chosen);
            }
        }
        let glyphs = skin.glyphs();
        let below = self.lines.len() + gap + self.entries.len() > skip + room;
        for (more, y, glyph) in [(skip > 0, y, glyphs.up), (below, area.bottom() - 1, glyphs.down)]
        {
            if more {
                buffer[(x + width / 2, y)].set_char(glyph).set_style(skin.strong());
            }
        }
        None
    }

    fn hints(&self) -> Vec<Hint> {
        vec![Hint::new(&[Action::Up, Action::Down], "move"), Action::Choose.hint()]
    }

    fn about(&self) -> (String, String) {
        (self.title.clone(), self.about.to_owned())
    }

    fn way_out(&self) -> &'static str {
        "close"
    }

    fn is_overlay(&self) -> bool {
        true
    }
}

/// Draws a frame in the manner of squared paper.
fn frame(area: Rect, skin: crate::board::Skin, buffer: &mut Buffer) {
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
