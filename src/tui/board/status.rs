use super::layout::{BoardLayout, OVER_BOARD};
use crate::tui::targets::Target;
use crate::tui::{Canvas, text};
use crate::view::{BoardView, StatusLine, Track, Typing};
use quadrille_scene::Role;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;
use ratatui::widgets::{Clear, Widget};

/// The minimum and maximum width of the progress bar of a replay, in columns.
const BAR: [usize; 2] = [4, 40];

/// Draws the text input, or the longest form of the status that fits. Returns the position of the text cursor, if any.
pub(super) fn draw(
    view: &BoardView<'_>,
    places: &BoardLayout,
    canvas: &mut Canvas<'_>,
) -> Option<Position> {
    if let Some(typing) = &view.typing {
        return Some(draw_typing(typing, places.status, canvas));
    }
    let has_panel = places.panel.is_some();
    let bare = view.bare_status.as_ref().filter(|_| !has_panel);
    let status = bare.unwrap_or(&view.status);
    let rows = places.message_rows(view, status.room);
    let (area, skin) = (places.status, canvas.skin);
    if let Some(track) = &status.track {
        draw_track(track, status, has_panel, rows, area, canvas);
        return None;
    }
    if status.is_idle
        && let Some(event) = &view.event
    {
        let room = usize::from(area.width).saturating_sub(2);
        let fits = |form: &&String| text::width(form) <= room;
        let form = event.forms.iter().find(fits).or(event.forms.last())?;
        let row = canvas.row(area).put(&event.mark.to_string(), skin.seat(event.seat));
        row.skip(1).put(form, skin.plain());
        return None;
    }
    let forms = || std::iter::once(&status.text).chain(&status.shorter);
    let form = forms().find(|text| text::fits(text, area.width.into(), rows));
    let text = form.or(forms().last())?;
    let behind = draw_message(text, rows, skin.style(status.role), area, canvas);
    let mut row = canvas.row(behind);
    for words in status.more.iter().flatten().filter(|words| !has_panel && *words != text) {
        if text::width(words) + 2 <= row.room() {
            row = row.skip(2).put(words, skin.dim());
        }
    }
    None
}

/// Draws the progress of a replay: a bar as wide as possible, followed by text.
fn draw_track(
    track: &Track,
    status: &StatusLine,
    has_panel: bool,
    rows: u16,
    area: Rect,
    canvas: &mut Canvas<'_>,
) {
    let skin = canvas.skin;
    let row = canvas.row(area).put(&track.text, skin.strong());
    if !has_panel && 2 + text::width(&status.text) > row.room() {
        let message = format!("{}  {}", track.text, status.text);
        draw_message(&message, rows, skin.plain(), area, canvas);
        return;
    }
    let mut left = row.room();
    let mut texts = Vec::from_iter(Some(&status.text).filter(|text| !text.is_empty()));
    left = texts.iter().fold(left, |left, text| left.saturating_sub(2 + text::width(text)));
    for forms in &status.more {
        if let Some(form) = forms.iter().find(|form| 2 + text::width(form) <= left) {
            left -= 2 + text::width(form);
            texts.push(form);
        }
    }
    let spare = left.saturating_sub(2);
    let mut row = row;
    if track.plies > 0 && spare >= BAR[0] {
        let width = spare.min(BAR[1]);
        let done = width * track.ply / track.plies;
        let bar = |glyph: char, width: usize| glyph.to_string().repeat(width);
        let glyphs = skin.glyphs();
        row = row.skip(2).put(&bar(glyphs.bar, done), skin.dim());
        row = row.put(&bar(glyphs.ghost[0], width - done), skin.style(Role::Faint));
    }
    for text in texts {
        row = row.skip(2).put(text, skin.plain());
    }
}

/// Draws a message of at most this many rows, ending on `line`. Clicks on a message of several rows do not reach the
/// board beneath. Returns the rest of the last row.
fn draw_message(
    message: &str,
    rows: u16,
    style: Style,
    line: Rect,
    canvas: &mut Canvas<'_>,
) -> Rect {
    let room = usize::from(line.width);
    let wrapped = if text::width(message) <= room || rows < 2 {
        vec![text::fit(message, room, canvas.skin)]
    } else {
        text::wrap(message, room, rows.into(), canvas.skin)
    };
    let height = wrapped.len() as u16;
    let area = Rect { y: (line.y + 1).saturating_sub(height), height, ..line };
    let area = area.intersection(canvas.buffer.area);
    if height > 1 {
        Clear.render(area, canvas.buffer);
        canvas.buffer.set_style(area, canvas.skin.paper());
        canvas.targets.note(area, Target::Message);
    }
    for (row, words) in area.rows().zip(&wrapped) {
        canvas.row(row).put(words, style);
    }
    let used = wrapped.last().map_or(0, |words| text::width(words) as u16).min(line.width);
    Rect { x: line.x + used, width: line.width - used, ..line }
}

/// Draws the text input, with the remark after it if there is space, otherwise above it. Returns the position of the
/// text cursor.
fn draw_typing(typing: &Typing<'_>, area: Rect, canvas: &mut Canvas<'_>) -> Position {
    let skin = canvas.skin;
    let taken = (area.width / 3).max(16).min(area.width);
    canvas.row(area).put(":", skin.strong());
    let input = Rect { x: area.x + 1, width: taken - 1, ..area };
    let cursor = text::draw_field(typing.text, typing.cursor, input, skin.plain(), canvas.buffer);
    let Some((remark, role)) = typing.remark else { return cursor };
    let x = area.x + taken + 1;
    let behind = Rect { x, width: area.right().saturating_sub(x), ..area };
    let above = Rect { y: area.y.saturating_sub(1), ..area };
    let fits = text::fits(remark, behind.width.into(), 1);
    let (line, rows) = if fits { (behind, 1) } else { (above, OVER_BOARD) };
    draw_message(remark, rows, skin.style(role), line, canvas);
    cursor
}
