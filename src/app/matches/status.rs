//! The status line of a match.

use super::{ENGINE_GOES_ON, MatchScreen};
use crate::app::panel::MatchLayout;
use crate::app::text;
use crate::board::{Rank, Skin};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

impl MatchScreen {
    /// What the board says about the place under the cursor, and what a move there is worth.
    fn status_with_worth(&self) -> Option<String> {
        let status = self.open_match.table.status();
        let Some(label) = self.open_match.table.label_at_cursor() else { return status };
        let best = if label.rank == Rank::Best { ", best" } else { "" };
        let here = status.map_or(String::new(), |status| format!("{status}   "));
        Some(format!("{here}worth {}{best}", label.text))
    }

    /// The status while nothing is wrong. No engine thinks while the match is not `live`, because a menu lies
    /// over it.
    fn status(&self, live: bool) -> Option<String> {
        let table = &*self.open_match.table;
        if let Some(mv) = &self.unconfirmed {
            return Some(format!("{mv}? Enter plays it, Esc cancels"));
        }
        match self.open_match.engine_to_move() {
            _ if self.passes_by_itself() => table.status(),
            _ if table.shows_interlude() => {
                table.status().map(|passed| format!("{passed}; press a key"))
            }
            Some(_) if self.assistance.is_waiting() => Some(ENGINE_GOES_ON.to_owned()),
            Some(engine) if self.open_match.program_to_ask_about().is_some() => {
                Some(format!("{} waits; Enter asks whether to start it", engine.name()))
            }
            Some(engine) if live && self.assistance.is_starting() => {
                Some(format!("{} is starting", engine.name()))
            }
            Some(engine) if live => Some(format!("{} thinks", engine.name())),
            Some(engine) => Some(format!("{} waits", engine.name())),
            None => self.assistance.hint_line(table).or_else(|| self.status_with_worth()),
        }
    }

    /// Draws the status line; returns the cursor's position if a move is typed. The match is not `live`
    /// while a menu lies over it.
    pub(super) fn draw_status(
        &self,
        live: bool,
        skin: Skin,
        places: MatchLayout,
        buffer: &mut Buffer,
    ) -> Option<Position> {
        let area = places.status;
        if let Some(field) = &self.typing {
            let refused = self.refusal.as_deref().unwrap_or_default();
            let wanted = (area.width / 3).max(16).min(area.width);
            buffer.set_string(area.x, area.y, ":", skin.strong());
            let input = Rect { x: area.x + 1, width: wanted - 1, ..area };
            let cursor = field.draw(input, skin.plain(), buffer);
            let x = area.x + wanted + 1;
            let room = area.right().saturating_sub(x) as usize;
            text::put((x, area.y), refused, room, skin.wrong(), skin, buffer);
            return Some(cursor);
        }
        let over = self.open_match.shown().result();
        let status = self.status(live);
        let trouble = self.open_match.saved.troubles().next();
        let (text, style) = match (&self.refusal, trouble, &self.note, status) {
            (Some(reason), _, _, _) => (format!("! {reason}"), skin.wrong()),
            (None, Some(trouble), _, _) => (format!("! {trouble}"), skin.wrong()),
            (None, None, None, Some(passed)) if self.open_match.table.shows_interlude() => {
                (passed, skin.strong())
            }
            (None, None, Some(note), _) => (note.clone(), skin.plain()),
            (None, None, None, Some(status)) if over.is_empty() => (status, skin.plain()),
            (None, None, None, _) => (over, skin.strong()),
        };
        let (mut x, y) = text::put((area.x, area.y), &text, area.width.into(), style, skin, buffer);
        if places.panel.is_none() {
            // Where there is no panel, what it would say stands here, as far as there is room.
            let said = self.assistance.panel_lines(&self.open_match, live).unwrap_or_default();
            for words in [self.open_match.table.caption().progress].iter().chain(&said) {
                let room = area.right().saturating_sub(x + 2) as usize;
                if text::width(words) <= room {
                    (x, _) = text::put((x + 2, y), words, room, skin.dim(), skin, buffer);
                }
            }
        }
        None
    }
}
