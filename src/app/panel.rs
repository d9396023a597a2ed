//! How a match looks: its title, the board, and the panel with the seats and the moves.

use super::menu::{PANEL, PANEL_FROM};
use super::open_match::Shown;
use super::review::{GRAPH, Review};
use super::text;
use crate::board::Skin;
use crate::rules::{Outcome, Seat};
use ratatui::buffer::Buffer;
use ratatui::layout::{Rect, Size};
use std::ops::Range;

/// From this width on, board and panel stand together in the middle.
const MIDDLE_FROM: u16 = 120;
/// The columns of a name.
const NAME: u16 = 14;

/// What the panel shows besides the match.
#[derive(Clone, Copy, Default)]
pub(super) struct PanelContent<'a> {
    /// The whole line of moves of a match that is looked at, in which the present one is marked;
    /// else the moves played are listed.
    pub line: Option<&'a [(Seat, String)]>,
    /// What stands behind the moves, one for each; or nothing.
    pub marks: &'a [&'static str],
    /// What is drawn at the bottom.
    pub review: Option<&'a Review>,
    /// More lines, under those of the match.
    pub facts: &'a [(&'static str, String)],
}

/// Draws a match into all of the area but its last line, and says where the board is.
pub(super) fn draw(
    shown: Shown<'_>,
    content: PanelContent<'_>,
    skin: Skin,
    area: Rect,
    buffer: &mut Buffer,
) -> Rect {
    let board = if area.width >= PANEL_FROM {
        draw_title(shown, skin, area, buffer);
        let [board, panel] = side_by_side(shown, area);
        draw_panel(shown, content, skin, panel, buffer);
        board
    } else {
        draw_seats_in_line(shown, skin, Rect { height: 1, ..area }, buffer);
        Rect { y: area.y + 1, height: area.height.saturating_sub(2), ..area }
    };
    shown.board.draw(board, buffer, skin);
    board
}

fn draw_title(shown: Shown<'_>, skin: Skin, area: Rect, buffer: &mut Buffer) {
    let room = area.width as usize - 1;
    let name = shown.entry.name;
    let (x, y) = buffer.set_stringn(area.x + 1, area.y, name, room, skin.strong());
    let room = area.right().saturating_sub(x) as usize;
    let words = format!("  {}", shown.short_setup());
    if text::width(&words) <= room {
        text::put((x, y), &words, room, skin.dim(), skin, buffer);
    }
}

/// Where the board and the panel go: the panel at the right, or, on a wide screen, beside the board
/// and both in the middle.
fn side_by_side(shown: Shown<'_>, area: Rect) -> [Rect; 2] {
    let (y, height) = (area.y + 2, area.height.saturating_sub(3));
    let room = Size { width: area.width - PANEL - 3, height };
    let board = Rect { x: area.x + 1, y, width: room.width, height };
    let panel = Rect { x: board.right() + 2, y, width: PANEL - 1, height };
    let used = shown.board.size(room).width;
    if area.width < MIDDLE_FROM || used >= room.width {
        return [board, panel];
    }
    let x = area.x + (room.width - used) / 2;
    [Rect { x, width: used, ..board }, Rect { x: x + used + 4, ..panel }]
}

/// The last move, and what the board has to say.
pub(super) fn facts(shown: Shown<'_>) -> Vec<(&'static str, String)> {
    let last = shown.game().moves().last();
    let last = last.map(|(seat, mv)| ("last", format!("{mv}  {}", shown.name(*seat))));
    last.into_iter().chain(shown.board.facts()).collect()
}

/// All seats in one line, the one to move first wherever they do not fit.
fn draw_seats_in_line(shown: Shown<'_>, skin: Skin, area: Rect, buffer: &mut Buffer) {
    let seats: Vec<Seat> = shown.seats().collect();
    // Names give way to the marks and the scores.
    let name = (area.width / seats.len().max(1) as u16).saturating_sub(9).min(NAME);
    let first = match shown.game().to_move() {
        Some(seat) if seats.len() > 2 => seat.index(),
        _ => 0,
    };
    let mut x = area.x;
    for seat in seats.iter().cycle().skip(first).take(seats.len()) {
        if x >= area.right() {
            break;
        }
        let rest = Rect { x, width: area.right() - x, ..area };
        x = draw_turn(shown, *seat, name, skin, rest, buffer);
    }
}

/// A seat: whether it is to move or has won, its name, its mark, its score. Says where that ends.
fn draw_turn(
    shown: Shown<'_>,
    seat: Seat,
    name: u16,
    skin: Skin,
    area: Rect,
    buffer: &mut Buffer,
) -> u16 {
    let game = shown.game();
    let turn = match game.outcome() {
        // A draw has no winner to point at.
        Some(outcome) => outcome != Outcome::shared(game.seats()) && outcome.has(seat),
        None => game.to_move() == Some(seat),
    };
    let mark = if turn { skin.glyphs().turn } else { ' ' };
    let style = if turn { skin.strong() } else { skin.plain() };
    let room = |x: u16| area.right().saturating_sub(x) as usize;
    let (x, y) = (area.x, area.y);
    let gap = if name == 0 { "" } else { " " };
    let (x, _) = buffer.set_stringn(x, y, format!("{mark}{gap}"), room(x), style);
    let name = text::name(shown.name(seat), room(x).min(name as usize), skin);
    let (x, _) = buffer.set_stringn(x, y, name, room(x), style);
    let letter = format!("{gap}{} ", game.mark(seat));
    let (x, _) = buffer.set_stringn(x, y, letter, room(x), skin.last(skin.seat(seat)));
    let Some(score) = game.scores().and_then(|scores| scores.get(seat.index()).copied()) else {
        return x;
    };
    buffer.set_stringn(x, y, format!("{score} "), room(x), style).0
}

fn draw_panel(
    shown: Shown<'_>,
    content: PanelContent<'_>,
    skin: Skin,
    area: Rect,
    buffer: &mut Buffer,
) {
    let game = shown.game();
    let mut y = area.y;
    let row = |y: u16| Rect { y, height: 1, ..area };
    let scores = game.scores().unwrap_or_default();
    for seat in shown.seats() {
        if y >= area.bottom() {
            return;
        }
        let x = draw_turn(shown, seat, NAME, skin, row(y), buffer).max(area.x + 22);
        let score = scores.get(seat.index()).copied().unwrap_or(0);
        let room = area.right().saturating_sub(x) as usize;
        let bar = skin.glyphs().bar.to_string().repeat(room.min(score as usize));
        buffer.set_stringn(x, y, bar, room, skin.seat(seat));
        y += 1;
    }
    let moves = game.moves();
    let ply = ("moves", moves.len().to_string());
    y += 1;
    let more = content.facts.iter().cloned();
    for (label, value) in facts(shown).into_iter().chain([ply]).chain(more) {
        if y >= area.bottom() {
            return;
        }
        let room = area.width as usize;
        buffer.set_stringn(area.x, y, label, room, skin.dim());
        let room = room.saturating_sub(10);
        text::put((area.x + 10, y), &value, room, skin.plain(), skin, buffer);
        y += 1;
    }
    let marked = content.line.map(|_| moves.len().wrapping_sub(1));
    let mut rest = Rect { y, height: area.bottom().saturating_sub(y), ..area };
    if let Some(review) = content.review.filter(|_| rest.height > GRAPH + 2) {
        rest.height -= GRAPH + 1;
        let graph = Rect { y: rest.bottom() + 1, height: GRAPH, ..rest };
        review.draw(moves.len(), shown.name(Seat::FIRST), skin, graph, buffer);
    }
    let marks = content.marks;
    draw_moves(content.line.unwrap_or(moves), marks, marked, skin, rest, buffer);
}

/// Lists moves: the end of the list, or, if one is marked, the part round that. A mark beyond the
/// list shows its beginning.
fn draw_moves(
    moves: &[(Seat, String)],
    marks: &[&str],
    marked: Option<usize>,
    skin: Skin,
    area: Rect,
    buffer: &mut Buffer,
) {
    let mark = |index: usize| *marks.get(index).unwrap_or(&"");
    let widths = moves.iter().enumerate().map(|(index, (_, mv))| mv.len() + mark(index).len());
    let rows = rows(widths, area.width as usize);
    let room = area.height as usize;
    let last = rows.len().saturating_sub(room);
    let skip = match marked {
        Some(marked) => {
            let row = rows.iter().position(|row| row.contains(&marked)).unwrap_or(0);
            row.saturating_sub(room / 2).min(last)
        }
        None => last,
    };
    for (y, row) in (area.y..).zip(rows.into_iter().skip(skip).take(room)) {
        let room = |x: u16| area.right().saturating_sub(x) as usize;
        let number = format!("{:>3}", row.start + 1);
        let (mut x, _) = buffer.set_stringn(area.x, y, number, room(area.x), skin.dim());
        for index in row {
            (x, _) = buffer.set_stringn(x, y, " ", room(x), skin.dim());
            let style = if marked == Some(index) { skin.cursor() } else { skin.dim() };
            for text in [&*moves[index].1, mark(index)] {
                (x, _) = buffer.set_stringn(x, y, text, room(x), style);
            }
        }
    }
}

/// Which moves stand in which row of a list, each row begun with the number of its first move.
fn rows(widths: impl Iterator<Item = usize>, width: usize) -> Vec<Range<usize>> {
    let mut rows: Vec<Range<usize>> = Vec::new();
    let mut used = 0;
    for (index, needed) in widths.enumerate() {
        match rows.last_mut() {
            Some(row) if used + 1 + needed <= width => row.end += 1,
            _ => {
                used = (index + 1).to_string().len().max(3);
                rows.push(index..index + 1);
            }
        }
        used += 1 + needed;
    }
    rows
}
