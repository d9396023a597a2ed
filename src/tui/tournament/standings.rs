use crate::tui::table::{self, Column};
use crate::tui::{Canvas, text};
use quadrille_arena::tournament::{PlayerRow, Tally, TournamentTable};
use quadrille_text::wording::dashed;
use ratatui::layout::Rect;
use ratatui::text::Line;

/// A column other than the name: the heading, the line above the heading, the minimum width, the cell text, and the
/// table width from which the column is shown even if names are truncated to make space.
struct StandingsColumn {
    head: &'static str,
    above: &'static str,
    width: u16,
    text: fn(&PlayerRow) -> String,
    from: u16,
}

/// The column is shown only if no name has to be truncated to make space.
const WHERE_FREE: u16 = u16::MAX;

#[rustfmt::skip]
const COLUMNS: [StandingsColumn; 9] = [
    StandingsColumn { head: "games", above: "", width: 5, text: |row| row.games.to_string(), from: 34 },
    StandingsColumn { head: "points", above: "", width: 7, text: |row| row.tally.points().to_string(), from: 0 },
    StandingsColumn { head: "W-D-L", above: "", width: 5, text: wins_draws_losses, from: WHERE_FREE },
    StandingsColumn { head: "wins", above: "", width: 5, text: |row| row.tally.wins.to_string(), from: 66 },
    StandingsColumn { head: "draws", above: "", width: 5, text: |row| row.tally.draws.to_string(), from: 66 },
    StandingsColumn { head: "losses", above: "", width: 6, text: |row| row.tally.losses.to_string(), from: 66 },
    StandingsColumn { head: "vs mean", above: "Elo", width: 7, text: |row| row.elo.to_string(), from: 42 },
    StandingsColumn { head: "+/-", above: "", width: 5, text: error, from: 46 },
    StandingsColumn { head: "LOS", above: "", width: 6, text: superiority, from: WHERE_FREE },
];
const GAMES: usize = 0;
/// The index of the combined column of wins, draws and losses, for tables without separate columns.
const TOGETHER: usize = 2;
const WINS: usize = 3;
const LOS: usize = 8;

fn wins_draws_losses(row: &PlayerRow) -> String {
    let Tally { wins, draws, losses } = row.tally;
    dashed([wins, draws, losses])
}

/// Formats the likelihood of superiority over the next player.
fn superiority(row: &PlayerRow) -> String {
    row.superiority.map_or_else(|| "-".to_owned(), |likely| format!("{:.1}%", 100.0 * likely))
}

/// Formats the Elo error.
fn error(row: &PlayerRow) -> String {
    row.elo.error().map_or_else(|| "-".to_owned(), |error| format!("{error:.1}"))
}

/// The minimum width of a name, and the width of a rank, in columns.
const NAME: u16 = 8;
const RANK: u16 = 2;

struct Layout {
    gap: u16,
    rank: Column,
    name: Column,
    columns: Vec<(&'static StandingsColumn, u16)>,
    is_whole: bool,
}

impl Layout {
    fn of(table: &TournamentTable, width: u16) -> Layout {
        let gap = if width < 48 { 1 } else { 2 };
        let rank = RANK.max(table.rows.len().to_string().len() as u16);
        let longest = longest(table).max(NAME);
        let texts = table.rows.iter().map(|row| wins_draws_losses(row).len() as u16);
        let together = texts.max().unwrap_or(0).max(COLUMNS[TOGETHER].width);
        let columns = |shown: [bool; COLUMNS.len()]| -> Vec<(&'static StandingsColumn, u16)> {
            let all = COLUMNS.iter().enumerate().zip(shown).filter(|(_, shown)| *shown);
            let width =
                |at, column: &StandingsColumn| if at == TOGETHER { together } else { column.width };
            all.map(|((at, column), _)| (column, width(at, column))).collect()
        };
        let room = |shown| {
            let columns = columns(shown).into_iter().map(|(_, width)| gap + width).sum::<u16>();
            width.saturating_sub(rank + gap + columns)
        };
        let mut shown = std::array::from_fn(|at| width >= COLUMNS[at].from);
        let with = |mut shown: [bool; COLUMNS.len()], at: usize, except: Option<usize>| {
            shown[at] = true;
            if let Some(except) = except {
                shown[except] = false;
            }
            (room(shown) >= longest).then_some(shown)
        };
        if !shown[WINS] {
            // In two-player games, wins, draws and losses also tell the number of games.
            shown = with(shown, TOGETHER, None)
                .or_else(|| with(shown, TOGETHER, Some(GAMES)))
                .unwrap_or(shown);
        }
        shown = with(shown, LOS, None).unwrap_or(shown);
        Layout {
            gap,
            rank: Column::number(rank),
            name: Column::text(longest.min(room(shown).max(NAME))),
            columns: columns(shown),
            is_whole: shown[LOS] && shown[GAMES] && (shown[WINS] || shown[TOGETHER]),
        }
    }

    /// Returns the number of heading rows inside the area. The upper heading line goes above the area if that row is
    /// free.
    fn heads(&self, has_room_above: bool) -> u16 {
        1 + u16::from(self.has_above() && !has_room_above)
    }

    fn has_above(&self) -> bool {
        self.columns.iter().any(|(column, _)| !column.above.is_empty())
    }
}

/// Returns whether a table in this area shows all its columns and players.
pub(super) fn is_whole(table: &TournamentTable, has_room_above: bool, area: Rect) -> bool {
    let layout = Layout::of(table, area.width);
    let rows = usize::from(layout.heads(has_room_above)) + table.rows.len();
    layout.is_whole && rows <= area.height.into()
}

/// Returns the full width of the table if names are this many columns wide.
pub(super) fn width(name: u16) -> u16 {
    let columns = COLUMNS.iter().enumerate().filter(|(at, _)| *at != TOGETHER);
    let columns = columns.map(|(_, column)| column.width + 2);
    RANK + 2 + name + columns.sum::<u16>()
}

/// Returns the width of the longest name, in columns.
pub(super) fn longest(table: &TournamentTable) -> u16 {
    table.rows.iter().map(|row| text::width(&row.name)).max().unwrap_or(0) as u16
}

/// Returns the height of the table in this area: the headings and as many players as fit. Headings may also use the row
/// above `area` if it is free.
pub(super) fn height(table: &TournamentTable, has_room_above: bool, area: Rect) -> u16 {
    let heads = Layout::of(table, area.width).heads(has_room_above);
    let rows = table.rows.len().min(area.height.saturating_sub(heads).into()) as u16;
    heads + rows
}

pub(super) fn draw(table: &TournamentTable, has_room_above: bool, area: Rect, canvas: &mut Canvas) {
    let skin = canvas.skin;
    let layout = Layout::of(table, area.width);
    let gap = layout.gap;
    let shown = || layout.columns.iter().map(|(column, _)| column);
    let others = layout.columns.iter().map(|(_, width)| Column::number(*width));
    let columns: Vec<Column> = [layout.rank, layout.name].into_iter().chain(others).collect();
    let line = |y: u16| Rect { y, height: 1, ..area };

    let top = area.y + layout.heads(has_room_above) - 1;
    let mut draw_heads =
        |player: &'static str, head: fn(&StandingsColumn) -> &'static str, y: u16| {
            let heads = ["", player].into_iter().chain(shown().map(|column| head(column)));
            let heads: Vec<Line<'_>> = heads.map(|head| Line::styled(head, skin.dim())).collect();
            table::draw_row(&columns, gap, &heads, line(y), skin, canvas.buffer);
        };
    if layout.has_above() {
        draw_heads("", |column| column.above, top - 1);
    }
    draw_heads("player", |column| column.head, top);
    let room = usize::from(area.bottom().saturating_sub(top + 1));
    // If not all players fit, the last row shows how many are hidden.
    let seen = if table.rows.len() > room { room.saturating_sub(1) } else { table.rows.len() };
    for (index, (y, row)) in (top + 1..).zip(&table.rows[..seen]).enumerate() {
        let style = if index == 0 { skin.strong() } else { skin.plain() };
        let mut cells = vec![
            Line::styled((index + 1).to_string(), skin.dim()),
            Line::styled(&*row.name, style),
        ];
        cells.extend(shown().map(|column| Line::styled((column.text)(row), style)));
        table::draw_row(&columns, gap, &cells, line(y), skin, canvas.buffer);
    }
    if seen < table.rows.len() && room > 0 {
        let more = format!("and {} more", table.rows.len() - seen);
        let room = usize::from(area.width.saturating_sub(RANK + gap));
        let below = top + 1 + seen as u16;
        canvas.put((area.x + RANK + gap, below), &more, room, skin.dim());
    }
}
