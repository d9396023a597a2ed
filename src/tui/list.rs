//! Draws a list: the title, the columns, the visible entries, and a note below them.

use super::Canvas;
use super::canvas::{draw_seen, page_round};
use super::form::{FormLayout, draw_preview};
use super::{table, text};
use crate::view::{ColumnKind, ListCell, ListColumn, ListRow, ListView, Phrase, Tone};
use ratatui::layout::{Position, Rect};
use ratatui::text::{Line, Span};

const BETWEEN: &str = " - ";
const FILTER: u16 = 30;
/// The width of the column that takes the remaining width in the widest list, unless its texts are longer.
const REST: u16 = 40;
const GAP: u16 = 2;

/// Returns minimum widths of a list, each with the width of the column from that width on, widest list first. In
/// narrower lists the column is dropped. `None` for the column that takes the remaining width.
const fn widths(kind: ColumnKind) -> Option<&'static [(u16, u16)]> {
    Some(match kind {
        ColumnKind::Game => &[(72, 20), (36, 14), (0, 9)],
        ColumnKind::Score => &[(72, 13), (36, 7), (0, 6)],
        ColumnKind::State => &[(100, 19), (72, 9)],
        ColumnKind::Date => &[(52, 10)],
        ColumnKind::Number => &[(72, 5)],
        ColumnKind::Action => &[(0, 18)],
        ColumnKind::Rest => return None,
    })
}

pub fn draw(view: &ListView, area: Rect, canvas: &mut Canvas) -> Option<Position> {
    let skin = canvas.skin;
    let places = match view.preview {
        Some(_) => FormLayout::of(area),
        None => FormLayout::alone(table::block(area, widest(view))),
    };
    let (whole, list) = (places.whole, places.form);
    if let (Some(beside), Some(preview)) = (places.beside, &view.preview) {
        draw_preview(preview, Rect { height: beside.height.saturating_sub(1), ..beside }, canvas);
    }
    let row = |y| Rect { y, height: 1, ..list };
    let note = Rect { y: list.bottom() - view.note_rows, height: view.note_rows, ..whole };
    let mut bottom = note.y;
    if let Some(warning) = &view.warning {
        bottom -= 1;
        canvas.put_words(row(bottom), warning);
    }
    let head = table::head(list);
    let has_heads = view.columns.iter().any(|column| !column.head.is_empty());
    let top = head + u16::from(has_heads);
    let length = view.rows.len();
    if length == 0 {
        let height = bottom.saturating_sub(top);
        canvas.wrap(Rect { y: top, height, ..list }, &Phrase::dim(view.empty));
    }
    // If there is space, the line above the note stays empty.
    let page = usize::from(bottom.saturating_sub(top + u16::from(list.height > 12)));
    canvas.feedback.page.set(page);
    let seen = page_round(view.at, length, page);
    let taken = draw_seen(&seen, length, skin, row(list.y), canvas.buffer);
    let title = Rect { width: whole.width.saturating_sub(taken), ..whole };
    let typed_above = draw_title(view, title, canvas);
    let gap = if list.width < 36 { 1 } else { GAP };
    let columns = columns(view, gap, list.width);
    if has_heads && length > 0 {
        let heads = view.columns.iter().map(|column| Line::styled(column.head, skin.dim()));
        let heads: Vec<Line> = heads.collect();
        table::draw_row(&columns, gap, &heads, row(head), skin, canvas.buffer);
    }
    for (y, index) in (top..).zip(seen) {
        draw_row(view, &view.rows[index], gap, row(y), canvas);
        canvas.mark_row(index, index == view.at, row(y));
    }
    draw_note(view, &columns, note, canvas).or(typed_above)
}

fn draw_title(view: &ListView, line: Rect, canvas: &mut Canvas) -> Option<Position> {
    let x = 2 + canvas.put((line.x, line.y), &view.title, line.width.into(), canvas.skin.strong());
    let rest = Rect { x, width: line.right().saturating_sub(x), ..line };
    let Some(typed) = view.filter else {
        canvas.put_words(rest, &view.beside_title);
        return None;
    };
    canvas.put((x, line.y), "/", rest.width.into(), canvas.skin.strong());
    let width = rest.width.saturating_sub(1).min(FILTER);
    let input = Rect { x: x + 1, width, height: 1, ..rest };
    Some(canvas.put_typed(input, typed, canvas.skin.plain()))
}

/// Returns the width of a list in which every column has its maximum width.
fn widest(view: &ListView) -> u16 {
    let longest = text::width(view.longest).try_into().unwrap_or(u16::MAX);
    let kinds = view.columns.iter().map(|column| widths(column.kind));
    let all = kinds.map(|widths| widths.map_or(longest.max(REST), |widths| widths[0].1));
    let gaps = GAP * view.columns.len().saturating_sub(1) as u16;
    all.fold(gaps, u16::saturating_add)
}

fn columns(view: &ListView, gap: u16, width: u16) -> Vec<table::Column> {
    let fixed = |columns: &[(u16, u16)]| {
        columns.iter().find(|(from, _)| width >= *from).map_or(0, |(_, width)| *width)
    };
    let widths = view.columns.iter().map(|column| widths(column.kind).map(fixed));
    let taken = widths.clone().flatten().filter(|width| *width > 0).map(|width| width + gap);
    let rest = width.saturating_sub(taken.sum());
    let column = |(column, width): (&ListColumn, Option<u16>)| {
        let width = width.unwrap_or(rest);
        match column.kind {
            ColumnKind::Number => table::Column::number(width),
            _ => table::Column::text(width),
        }
    };
    view.columns.iter().zip(widths).map(column).collect()
}

fn draw_row(view: &ListView, entry: &ListRow, gap: u16, row: Rect, canvas: &mut Canvas) {
    let end = text::width(&entry.end) as u16;
    let x = row.right().saturating_sub(end);
    canvas.put((x, row.y), &entry.end, row.width.into(), canvas.skin.dim());
    let taken = if end > 0 { end + 2 } else { 0 };
    let row = Rect { width: row.width.saturating_sub(taken), ..row };
    let columns = columns(view, gap, row.width);
    let cells = entry.cells.iter().zip(&columns).map(|(cell, column)| line(cell, *column, canvas));
    let cells: Vec<Line> = cells.collect();
    table::draw_row(&columns, gap, &cells, row, canvas.skin, canvas.buffer);
}

/// Returns a cell, truncated to the width of its column.
fn line<'a>(cell: &'a ListCell, column: table::Column, canvas: &Canvas) -> Line<'a> {
    match cell {
        ListCell::Texts(texts) => {
            texts.iter().map(|words| Span::styled(&*words.text, canvas.style(words.tone))).collect()
        }
        ListCell::Shorter(words, shorter) => {
            let text = if column.fits(&words.text) { &*words.text } else { shorter };
            Line::styled(text, canvas.style(words.tone))
        }
        ListCell::Names(names, winner) => {
            let names: Vec<&str> = names.iter().map(|name| &**name).collect();
            let between = BETWEEN.len() * names.len().saturating_sub(1);
            let room = column.room().saturating_sub(between);
            let names = text::names_together(&names, room, canvas.skin);
            let mut line = Line::default();
            for (place, name) in names.into_iter().enumerate() {
                let tone = if *winner == Some(place) { Tone::Strong } else { Tone::Plain };
                line.extend((place > 0).then_some(Span::raw(BETWEEN)));
                line.push_span(Span::styled(name, canvas.style(tone)));
            }
            line
        }
    }
}

/// Draws the note, or the text input instead of the note. Returns the position of the text cursor, if any.
fn draw_note(
    view: &ListView,
    columns: &[table::Column],
    area: Rect,
    canvas: &mut Canvas,
) -> Option<Position> {
    if let Some((label, typed)) = view.typed {
        let x = canvas.put((area.x, area.y), label, area.width.into(), canvas.skin.strong());
        let input = Rect { x, width: area.right().saturating_sub(x), height: 1, ..area };
        return Some(canvas.put_typed(input, typed, canvas.skin.plain()));
    }
    let note = || {
        let is_dropped = view.details.iter().any(|(column, _)| !columns[*column].is_shown());
        let row = view.rows.get(view.at);
        let is_cut = |column: usize| match row.map(|row| &row.cells[column]) {
            Some(ListCell::Shorter(words, _)) => !columns[column].fits(&words.text),
            _ => false,
        };
        let cut = view.details.iter().filter(|(column, _)| is_dropped || is_cut(*column));
        let texts = cut.map(|(_, text)| &**text).chain([&*view.note.text]);
        Phrase::new(texts.collect::<Vec<_>>().join("  "), view.note.tone)
    };
    let note = view.message.clone().unwrap_or_else(note);
    match view.note_rows {
        1 => canvas.put_words(area, &note),
        _ => canvas.wrap(area, &note),
    };
    None
}
