//! Draws a text page.

use super::Canvas;
use super::canvas::draw_seen;
use super::{table, text};
use crate::view::{ReaderPart, ReaderView};
use quadrille_scene::{Role, Skin};
use ratatui::layout::Rect;
use ratatui::text::{Line, Span, Text};
use ratatui::widgets::Widget;
use std::iter;

/// The maximum width of a text, in columns.
const MAX_WIDTH: u16 = 80;

pub fn draw(view: &ReaderView, area: Rect, canvas: &mut Canvas) {
    let block = table::block(area, MAX_WIDTH);
    let body = Rect { y: area.y + 2, height: area.height - 2, ..block };
    let lines = lines(view.parts, body.width.into(), canvas.skin);
    let seen = canvas.feedback.rows(view.top, lines.len(), body.height.into());
    let taken = draw_seen(&seen, lines.len(), canvas.skin, block, canvas.buffer);
    Text::from(lines[seen].to_vec()).render(body, canvas.buffer);
    let room = (block.width - taken).into();
    let title = format!("{}: {}", view.title, view.kind);
    let title = if text::width(&title) <= room { &title } else { view.title };
    canvas.put((block.x, block.y), title, room, canvas.skin.strong());
}

/// Returns the lines of all parts, with an empty line between parts.
fn lines(parts: &[ReaderPart], width: usize, skin: Skin) -> Vec<Line<'static>> {
    let keys = parts.iter().filter_map(|part| match part {
        ReaderPart::Keys(rows) => Some(rows),
        ReaderPart::Text(_) => None,
    });
    let widest = keys.flatten().map(|(keys, _)| keys.len()).max().unwrap_or(0);
    let parts = parts.iter().map(|part| match part {
        ReaderPart::Keys(rows) => key_lines(rows, widest, width, skin),
        ReaderPart::Text(text) => text_lines(text, width, skin),
    });
    let parts: Vec<Vec<Line>> = parts.filter(|lines| !lines.is_empty()).collect();
    parts.join(&Line::default())
}

/// Returns a column of keys with their meanings beside them.
fn key_lines(
    rows: &[(String, &'static str)],
    widest: usize,
    width: usize,
    skin: Skin,
) -> Vec<Line<'static>> {
    let room = width.saturating_sub(widest + 2);
    let lines = rows.iter().flat_map(|(keys, sentence)| {
        // A wrapped meaning stays in its column.
        let keys = iter::once(&**keys).chain(iter::repeat(""));
        keys.zip(text::wrap(sentence, room, usize::MAX, skin)).map(|(keys, sentence)| {
            let keys = Span::styled(format!("{keys:widest$}  "), skin.style(Role::Key));
            Line::from(vec![keys, Span::raw(sentence)])
        })
    });
    lines.collect()
}

/// Returns paragraphs with emphasized headings.
fn text_lines(text: &str, width: usize, skin: Skin) -> Vec<Line<'static>> {
    let text = text::reflow(text, width);
    let lines = text.lines().flat_map(|line| {
        let is_long = text::width(line) > width;
        if is_long { text::wrap(line, width, usize::MAX, skin) } else { vec![line.to_owned()] }
    });
    let lines = lines.map(|line| {
        let (heading, rest) = line.split_at(heading(&line));
        let heading = Span::styled(heading.to_owned(), skin.strong());
        Line::from(vec![heading, Span::raw(rest.to_owned())])
    });
    lines.collect()
}

/// Returns the length of the heading at the start of a line (words in capitals followed by a full stop), or 0.
fn heading(line: &str) -> usize {
    let end = line.find('.').map_or(0, |stop| stop + 1);
    let is_capital = |c: char| c.is_ascii_uppercase() || c == ' ' || c == '.';
    if end > 2 && !line.starts_with(' ') && line[..end].chars().all(is_capital) { end } else { 0 }
}
