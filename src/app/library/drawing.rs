//! How the library is drawn: a title, the list with its columns, and a line about the record under the cursor.

use super::{LibraryScreen, TypingFor};
use crate::app::record_summary::RecordSummary;
use crate::app::table::{self, Column};
use crate::app::{Context, list, scroll, text};
use crate::board::Skin;
use crate::wording::counted;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::text::Line;

/// From each width on, the columns of game, result, date and length; names get the rest. A column without
/// width is shown below the list.
const COLUMNS: [(u16, [u16; 4]); 4] =
    [(72, [20, 13, 10, 5]), (52, [14, 7, 10, 0]), (36, [14, 7, 0, 0]), (0, [9, 6, 0, 0])];

/// The most columns of the whole list, and those of names in it. Longer names make it wider.
const WIDEST: u16 = 96;
const NAMES: u16 = 40;

impl LibraryScreen {
    /// Draws the screen; returns where the cursor is if text is typed.
    pub(super) fn draw_all(
        &self,
        context: &Context,
        area: Rect,
        buffer: &mut Buffer,
    ) -> Option<Position> {
        let skin = context.skin;
        let shown = self.shown();
        let longer =
            (self.widest_names.min(usize::from(u16::MAX - WIDEST)) as u16).saturating_sub(NAMES);
        let area = table::block(area, WIDEST + longer);
        let row = |y: u16| Rect { y, height: 1, ..area };
        let mut cursor = self.draw_title(shown.len(), skin, row(area.y), buffer);
        let status = row(area.bottom() - 1);
        let mut bottom = status.y;
        if let Some(first) = self.damaged.first() {
            bottom -= 1;
            let more = self.damaged.len() - 1;
            let more = if more > 0 { format!("{more} more damaged; ") } else { String::new() };
            let text = format!("! {more}{first}");
            text::put((area.x, bottom), &text, area.width.into(), skin.wrong(), skin, buffer);
        }
        let head = table::head(area);
        let top = head + 1;
        let (columns, gap) = (columns(area.width), gap(area.width));
        if shown.is_empty() {
            let rows = usize::from(bottom.saturating_sub(top));
            let why = text::wrap(self.why_empty(), area.width.into(), rows, skin);
            for (y, row) in (top..).zip(&why) {
                text::put((area.x, y), row, area.width.into(), skin.dim(), skin, buffer);
            }
        } else {
            let heads = ["game", "names", "result", "date", "moves"];
            let heads = heads.map(|head| Line::styled(head, skin.dim()));
            table::draw_row(&columns, gap, &heads, row(head), skin, buffer);
        }
        // An empty line stays above the last one if there is room.
        let page = usize::from(bottom.saturating_sub(top + u16::from(area.height > 12)));
        self.list.set_page(page);
        let seen = list::page_round(self.list.at(), shown.len(), page);
        scroll::draw_seen(&seen, shown.len(), skin, row(area.y), buffer);
        for (y, index) in (top..).zip(seen) {
            let record = shown[index];
            let cells = [
                Line::raw(record.game_name()),
                record.names_line(columns[1].room(), skin),
                Line::raw(result(record, columns[2])),
                Line::styled(&*record.date, skin.dim()),
                Line::styled(record.plies.to_string(), skin.dim()),
            ];
            table::draw_row(&columns, gap, &cells, row(y), skin, buffer);
            list::mark_row(index, index == self.list.at(), row(y), context, buffer);
        }
        if let Some(place) = self.draw_status(skin, status, buffer) {
            cursor = Some(place);
        }
        cursor
    }

    fn draw_title(
        &self,
        shown: usize,
        skin: Skin,
        area: Rect,
        buffer: &mut Buffer,
    ) -> Option<Position> {
        let room = |x: u16| area.right().saturating_sub(x) as usize;
        let x = area.x;
        let (x, y) = buffer.set_stringn(x, area.y, "Records", room(x), skin.strong());
        if let Some((TypingFor::Filter, field)) = &self.typing {
            buffer.set_stringn(x + 2, y, "/", room(x + 2), skin.strong());
            let input = Rect { x: x + 3, y, width: (room(x + 3) as u16).min(30), height: 1 };
            return Some(field.draw(input, skin.plain(), buffer));
        }
        let all = self.records.as_ref().map_or(0, Vec::len);
        if !self.filter.is_empty() {
            let text = format!("/{}  {shown} of {all}", self.filter);
            text::put((x + 2, y), &text, room(x + 2), skin.plain(), skin, buffer);
        } else if all > 0 {
            let text = counted(all, "match", "matches");
            text::put((x + 2, y), &text, room(x + 2), skin.dim(), skin, buffer);
        }
        None
    }

    /// The text in place of an empty list.
    fn why_empty(&self) -> &'static str {
        match &self.records {
            None => "",
            Some(records) if records.is_empty() => {
                "No records yet. Each match that ends is kept here."
            }
            Some(_) => "No record has these words.",
        }
    }

    fn draw_status(&self, skin: Skin, area: Rect, buffer: &mut Buffer) -> Option<Position> {
        let room = |x: u16| area.right().saturating_sub(x) as usize;
        let x = area.x;
        let label = match &self.typing {
            Some((TypingFor::Name(_), _)) => "new name: ",
            Some((TypingFor::Path(_), _)) => "export to: ",
            _ => "",
        };
        if let (false, Some((_, field))) = (label.is_empty(), &self.typing) {
            let (x, y) = buffer.set_stringn(x, area.y, label, room(x), skin.strong());
            let input = Rect { x, y, width: room(x) as u16, height: 1 };
            return Some(field.draw(input, skin.plain(), buffer));
        }
        let text = match (&self.message, self.current()) {
            (Some(message), _) => message.clone(),
            (None, Some(record)) if !columns(area.width)[4].is_shown() => {
                let RecordSummary { id, result, date, plies, .. } = record;
                let moves = counted(*plies, "move", "moves");
                format!("{result}  {date}  {moves}  {id}")
            }
            (None, Some(record)) if !columns(area.width)[2].fits(&record.result) => {
                format!("{}  {}", record.result, record.id)
            }
            (None, Some(record)) => record.id.clone(),
            (None, None) => return None,
        };
        let style = if self.message.is_some() { skin.strong() } else { skin.dim() };
        text::put((x, area.y), &text, room(x), style, skin, buffer);
        None
    }
}

/// The result, without how the match ended where that does not fit; the last line of the screen has it whole.
fn result(record: &RecordSummary, column: Column) -> &str {
    let (score, _) = record.result.split_once(',').unwrap_or((&record.result, ""));
    if column.fits(&record.result) { &record.result } else { score }
}

/// The columns of the list at this width: game, names, result, date, length.
fn columns(width: u16) -> [Column; 5] {
    let way = COLUMNS.iter().find(|(from, _)| width >= *from).map_or(COLUMNS[3].1, |(_, way)| *way);
    let [game, result, date, length] = way;
    let others = [game, result, date].map(Column::text);
    let others = table::width(&others, gap(width)) + length;
    let names = width.saturating_sub(others + gap(width));
    let [game, names, result, date] = [game, names, result, date].map(Column::text);
    [game, names, result, date, Column::number(length)]
}

const fn gap(width: u16) -> u16 {
    if width < 36 { 1 } else { 2 }
}
