//! The table of a tournament.

use crate::app::table::{self, Column};
use crate::app::text;
use crate::arena::tournament::{PlayerRow, TournamentTable};
use crate::board::Skin;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;

/// A column besides the name: its heading, the line above that, its width, its text, and the least width of the whole table at
/// which it is shown.
struct Figure {
    head: &'static str,
    above: &'static str,
    width: u16,
    text: fn(&PlayerRow) -> String,
    from: u16,
}

/// The columns, from left to right.
const FIGURES: &[Figure] = &[
    Figure { head: "games", above: "", width: 5, text: |row| row.games.to_string(), from: 34 },
    Figure { head: "points", above: "", width: 7, text: |row| row.points.to_string(), from: 0 },
    Figure { head: "wins", above: "", width: 5, text: |row| row.tally.wins.to_string(), from: 66 },
    Figure {
        head: "draws",
        above: "",
        width: 5,
        text: |row| row.tally.draws.to_string(),
        from: 66,
    },
    Figure {
        head: "losses",
        above: "",
        width: 6,
        text: |row| row.tally.losses.to_string(),
        from: 66,
    },
    Figure { head: "vs mean", above: "Elo", width: 7, text: |row| row.elo.to_string(), from: 42 },
    Figure { head: "+/-", above: "", width: 5, text: error, from: 46 },
];

/// The error of the Elo, as text.
fn error(row: &PlayerRow) -> String {
    row.elo.error().map_or_else(|| "-".to_owned(), |error| format!("{error:.1}"))
}

/// The least columns of a name, and the columns of a rank.
const NAME: u16 = 8;
const RANK: u16 = 2;

/// The width of the table if names have this many columns.
pub(super) fn width(name: u16) -> u16 {
    let figures = FIGURES.iter().map(|figure| figure.width + 2);
    RANK + 2 + name + figures.sum::<u16>()
}

/// The columns of the longest name.
pub(super) fn longest(table: &TournamentTable) -> u16 {
    table.rows.iter().map(|row| text::width(&row.name)).max().unwrap_or(0) as u16
}

/// Draws the headings and as many of the best players as fit. The row above `area` may be free for headings. Returns how
/// many rows that took.
pub(super) fn draw(
    table: &TournamentTable,
    has_room_above: bool,
    skin: Skin,
    area: Rect,
    buffer: &mut Buffer,
) -> u16 {
    let gap = if area.width < 48 { 1 } else { 2 };
    let figures: Vec<&Figure> = FIGURES.iter().filter(|figure| area.width >= figure.from).collect();
    let others: Vec<Column> = figures.iter().map(|figure| Column::number(figure.width)).collect();
    let rank = Column::number(RANK.max(table.rows.len().to_string().len() as u16));
    let taken = table::width(&others, gap) + table::width(&[rank], gap);
    let room = area.width.saturating_sub(taken).max(NAME);
    let name = Column::text(longest(table).clamp(NAME, room));
    let columns: Vec<Column> = [rank, name].into_iter().chain(others).collect();
    let line = |y: u16| Rect { y, height: 1, ..area };

    let has_above = figures.iter().any(|figure| !figure.above.is_empty());
    let top = area.y + u16::from(has_above && !has_room_above);
    let mut draw_heads = |heads: [&'static str; 2], of: fn(&Figure) -> &'static str, y: u16| {
        let heads = heads.into_iter().chain(figures.iter().map(|figure| of(figure)));
        let heads: Vec<Line<'_>> = heads.map(|head| Line::styled(head, skin.dim())).collect();
        table::draw_row(&columns, gap, &heads, line(y), skin, buffer);
    };
    if has_above {
        draw_heads(["", ""], |figure| figure.above, top - 1);
    }
    draw_heads(["", "player"], |figure| figure.head, top);
    let room = usize::from(area.bottom().saturating_sub(top + 1));
    // If not all fit, the last row says how many more there are.
    let seen = if table.rows.len() > room { room.saturating_sub(1) } else { table.rows.len() };
    for (index, (y, row)) in (top + 1..).zip(&table.rows[..seen]).enumerate() {
        let style = if index == 0 { skin.strong() } else { skin.plain() };
        let mut cells = vec![
            Line::styled((index + 1).to_string(), skin.dim()),
            Line::styled(&*row.name, style),
        ];
        cells.extend(figures.iter().map(|figure| Line::styled((figure.text)(row), style)));
        table::draw_row(&columns, gap, &cells, line(y), skin, buffer);
    }
    let mut rows = top - area.y + 1 + seen as u16;
    if seen < table.rows.len() && room > 0 {
        let more = format!("and {} more", table.rows.len() - seen);
        let room = usize::from(area.width.saturating_sub(RANK + gap));
        text::put((area.x + RANK + gap, area.y + rows), &more, room, skin.dim(), skin, buffer);
        rows += 1;
    }
    rows
}
