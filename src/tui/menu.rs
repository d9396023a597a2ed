//! Draws a menu over a view or beside a board.

use super::Canvas;
use super::board::MIN_WIDTH_FOR_PANEL;
use super::targets::Target;
use super::text;
use crate::action::Action;
use crate::view::MenuView;
use quadrille_scene::Role;
use ratatui::layout::{Margin, Rect};
use ratatui::style::Style;
use ratatui::widgets::{Clear, Widget};
use std::iter;

/// The minimum and maximum width of a centered menu, in columns.
const WIDTH: (u16, u16) = (26, 44);

/// The maximum width of the menu's text lines, in columns; longer lines are wrapped.
const LINE: usize = 28;

/// The maximum height of a wrapped line, in rows.
const ROWS: usize = 10;

pub fn draw(view: &MenuView, within: Rect, canvas: &mut Canvas) {
    let lines = wrap(view, LINE.min(usize::from(within.width).saturating_sub(4)), canvas);
    let area = middle(view, &lines, within);
    if area.width < 3 || area.height < 3 {
        return;
    }
    // On a narrow screen, the strips left and right of the menu would be unreadable.
    let cleared = if within.width < MIN_WIDTH_FOR_PANEL { within } else { area };
    Clear.render(cleared, canvas.buffer);
    let paper = canvas.skin.paper();
    canvas.buffer.set_style(cleared, paper);
    canvas.buffer.set_style(area, paper.patch(canvas.skin.style(Role::Panel)));
    draw_frame(area, canvas);
    let more = draw_rows(view, Some(&lines), area.inner(Margin::new(1, 1)), canvas);
    draw_more(more, area, canvas);
}

pub fn draw_beside(view: &MenuView, place: Rect, canvas: &mut Canvas) {
    let lines = wrap(view, usize::from(place.width).saturating_sub(4), canvas);
    let head = view.has_title_beside.then_some(&*lines);
    let rows = view.entries.len() + head.map_or(0, |lines| lines.len() + 2);
    let framed = Rect { height: place.height.min(rows as u16 + 2), ..place };
    // A menu with its own background needs no frame, and a small menu has no space for a frame.
    let has_frame = !canvas.skin.theme().paints() && framed.height > 4;
    let inner = if has_frame { framed.inner(Margin::new(1, 1)) } else { place };
    if has_frame {
        draw_frame(framed, canvas);
    }
    let more = draw_rows(view, head, inner, canvas);
    if !inner.is_empty() {
        draw_more(more, if has_frame { framed } else { inner }, canvas);
    }
}

fn wrap(view: &MenuView, room: usize, canvas: &Canvas) -> Vec<String> {
    let wrap = |line: &String| {
        if text::width(line) <= room {
            vec![line.clone()]
        } else {
            text::wrap(line, room, ROWS, canvas.skin)
        }
    };
    view.lines.iter().flat_map(wrap).collect()
}

/// Returns the centered area of a menu with these lines, including its frame.
fn middle(view: &MenuView, lines: &[String], within: Rect) -> Rect {
    let texts = iter::once(view.title).chain(lines.iter().map(|line| &**line));
    let entries = view.entries.iter().map(|label| text::width(label) + 2);
    let widest = texts.map(text::width).chain(entries).max().unwrap_or(0);
    let width = (widest as u16).saturating_add(6).clamp(WIDTH.0, WIDTH.1).min(within.width);
    let height = (lines.len() + view.entries.len() + 4).min(within.height.into()) as u16;
    let (x, y) = ((within.width - width) / 2, (within.height - height) / 2);
    Rect { x: within.x + x, y: within.y + y, width, height }
}

enum MenuRow<'a> {
    Text(&'a str, Style),
    Entry(usize),
}

/// Draws the entries below the title and these lines. Returns whether rows are hidden above and below.
fn draw_rows(
    view: &MenuView,
    lines: Option<&[String]>,
    area: Rect,
    canvas: &mut Canvas,
) -> [bool; 2] {
    let skin = canvas.skin;
    let title = lines.map(|_| MenuRow::Text(view.title, skin.strong()));
    let lines = lines.unwrap_or_default().iter().map(|line| MenuRow::Text(line, skin.plain()));
    let head: Vec<MenuRow> = title.into_iter().chain(lines).collect();
    let room = usize::from(area.height);
    // The empty line before the entries is dropped if the entries need the space.
    let has_gap = !head.is_empty() && head.len() + view.entries.len() < room;
    let gap = has_gap.then_some(MenuRow::Text("", skin.plain()));
    let above = head.len() + usize::from(has_gap);
    let entries = (0..view.entries.len()).map(MenuRow::Entry);
    let rows: Vec<MenuRow> = head.into_iter().chain(gap).chain(entries).collect();
    // If there are too many rows, the first rows scroll out of view.
    let to_cursor = above + (view.at + 1).min(view.entries.len());
    let skip = to_cursor.saturating_sub(room);
    for (y, row) in (area.y..).zip(rows.iter().skip(skip).take(room)) {
        let line = Rect { y, height: 1, ..area };
        let room = usize::from(line.width).saturating_sub(2);
        match row {
            MenuRow::Text(text, style) => {
                canvas.put((line.x + 1, y), text, room, *style);
            }
            MenuRow::Entry(index) => {
                let here = *index == view.at;
                let (mark, style) =
                    if here { (skin.glyphs().turn, skin.cursor()) } else { (' ', skin.plain()) };
                canvas.buffer.set_style(line, style);
                let label = format!("{mark} {}", view.entries[*index]);
                canvas.put((line.x + 1, y), &label, room, style);
                canvas.targets.note(line, Target::Entry(*index, Some(Action::Choose)));
            }
        }
    }
    [skip > 0, rows.len() > skip + room]
}

fn draw_more([above, below]: [bool; 2], area: Rect, canvas: &mut Canvas) {
    let (glyphs, style) = (canvas.skin.glyphs(), canvas.skin.strong());
    let ends = [(above, area.y, glyphs.up), (below, area.bottom() - 1, glyphs.down)];
    for (_, y, glyph) in ends.into_iter().filter(|(more, ..)| *more) {
        canvas.buffer[(area.right().saturating_sub(2), y)].set_char(glyph).set_style(style);
    }
}

fn draw_frame(area: Rect, canvas: &mut Canvas) {
    let (glyphs, style) = (canvas.skin.glyphs(), canvas.skin.dim());
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
        canvas.buffer[place].set_char(glyph).set_style(style);
    }
}
