//! Draws the move list: each move with its number, one column per seat, in as many blocks as fit side by side.

use crate::tui::targets::Target;
use crate::tui::{Canvas, cut};
use crate::view::{BoardView, MoveList};
use quadrille_rules::Seat;
use quadrille_scene::Skin;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use std::ops::Range;

/// The width of a seat's mark, including the gap after it, in columns.
const MARK: u16 = 2;

struct MoveRow {
    /// The range of moves in each column, possibly empty.
    cells: Vec<Range<usize>>,
}

/// Draws the rows that fit, below a heading.
pub(super) fn draw(
    view: &BoardView<'_>,
    list: &MoveList<'_>,
    mut area: Rect,
    canvas: &mut Canvas<'_>,
) {
    if list.moves.is_empty() || area.is_empty() {
        return;
    }
    if area.height > 3 {
        let dim = canvas.skin.dim();
        canvas.row(cut(&mut area, 1)).put("moves", dim);
    }
    let widest = (0..list.moves.len()).map(|index| list.width(index)).max().unwrap_or(1) as u16;
    let seats = view.seats.len() as u16;
    let columns = if area.width < seats * (widest + 1) { 1 } else { seats };
    // A seat without its own column is identified by its mark.
    let mark = if columns == 1 { MARK } else { 0 };
    let narrowest = mark + columns * (widest + 1);
    let most = (area.width / narrowest).max(1);
    let cell = |blocks: u16| (area.width / blocks).saturating_sub(mark) / columns;
    let rows = |blocks: u16| list.rows(columns, cell(blocks).into());
    let fits = |blocks: &u16| rows(*blocks).len() <= usize::from(area.height * blocks);
    let blocks = (1..most).find(fits).unwrap_or(most);
    let (width, rows) = (area.width / blocks, rows(blocks));
    let room = usize::from(area.height * blocks);
    let skip = list.skip(&rows, room);
    for (place, row) in (0..).zip(rows.iter().skip(skip).take(room)) {
        let (block, y) = (place / area.height, area.y + place % area.height);
        let x = area.x + block * width;
        draw_row(view, list, row, cell(blocks), Rect { x, y, width, height: 1 }, canvas);
    }
}

impl MoveList<'_> {
    /// Returns the move under the cursor. An index beyond the list selects the beginning. `None` selects the end of the
    /// list and emphasizes the last move.
    fn marked(&self) -> Option<usize> {
        self.ply.map(|ply| ply.wrapping_sub(1))
    }

    /// Returns the number of rows to skip so that the marked move is centered or the end of the list is at the bottom.
    fn skip(&self, rows: &[MoveRow], room: usize) -> usize {
        let last = rows.len().saturating_sub(room);
        let Some(marked) = self.marked() else { return last };
        let has = |row: &MoveRow| row.cells.iter().any(|cell| cell.contains(&marked));
        rows.iter().position(has).unwrap_or(0).saturating_sub(room / 2).min(last)
    }

    /// Returns the width of a move with its number and its mark.
    fn width(&self, index: usize) -> usize {
        self.digits() + 1 + self.moves[index].1.len() + self.mark(index).len()
    }

    /// Returns the number of digits of the last number.
    fn digits(&self) -> usize {
        self.moves.len().max(1).ilog10() as usize + 1
    }

    /// Returns the number of a move, as wide as the last number.
    fn number(&self, index: usize) -> String {
        format!("{:>width$}", index + 1, width = self.digits())
    }

    fn mark(&self, index: usize) -> &'static str {
        self.marks.get(index).copied().unwrap_or_default()
    }

    /// Returns the moves in rows. The moves of a turn are in their seat's column, in several rows if the column is too
    /// narrow. If all seats share a column, each turn starts a new row.
    fn rows(&self, columns: u16, cell: usize) -> Vec<MoveRow> {
        let columns = usize::from(columns);
        let mut rows: Vec<MoveRow> = Vec::new();
        let mut at = None;
        let mut first = 0;
        for turn in self.moves.chunk_by(|(one, _), (other, _)| one == other) {
            let column = if columns == 1 { 0 } else { turn[0].0.index() };
            let begins = at.is_none_or(|at| columns == 1 || column <= at);
            at = Some(column);
            let parts = self.broken(first..first + turn.len(), cell);
            for (part, range) in parts.into_iter().enumerate() {
                if begins || part > 0 || rows.is_empty() {
                    rows.push(MoveRow { cells: vec![0..0; columns] });
                }
                if let Some(row) = rows.last_mut() {
                    row.cells[column] = range;
                }
            }
            first += turn.len();
        }
        rows
    }

    /// Splits the moves of a turn into parts that fit into `cell` columns.
    fn broken(&self, turn: Range<usize>, cell: usize) -> Vec<Range<usize>> {
        let mut parts: Vec<Range<usize>> = Vec::new();
        let mut used = 0;
        for index in turn {
            let width = self.width(index) + 1;
            match parts.last_mut() {
                Some(part) if used + width <= cell => part.end += 1,
                _ => {
                    used = 0;
                    parts.push(index..index + 1);
                }
            }
            used += width;
        }
        parts
    }

    fn style(&self, index: usize, seat: Seat, skin: Skin) -> Style {
        match self.marked() {
            Some(marked) if marked == index => skin.cursor(),
            None if index + 1 == self.moves.len() => skin.seat(seat).add_modifier(Modifier::BOLD),
            _ => skin.seat(seat),
        }
    }
}

fn draw_row(
    view: &BoardView<'_>,
    list: &MoveList<'_>,
    row: &MoveRow,
    cell: u16,
    area: Rect,
    canvas: &mut Canvas<'_>,
) {
    let skin = canvas.skin;
    let mut from = 0;
    if let [only] = &*row.cells {
        let seat = list.moves[only.start].0;
        let mark = view.seats[seat.index()].mark.to_string();
        canvas.row(area).put(&mark, skin.seat(seat));
        from += MARK;
    }
    for (column, range) in (0..).zip(&row.cells) {
        let mut x = from + column * cell;
        for index in range.clone() {
            let (seat, mv) = &list.moves[index];
            let style = list.style(index, *seat, skin);
            let behind = if list.marked() == Some(index) { style } else { skin.wrong() };
            let row = canvas.row(area).skip(x).put(&list.number(index), skin.dim()).skip(1);
            let row = row.put(mv, style).put_part(list.mark(index), behind);
            let end = area.width - row.room() as u16;
            if list.ply.is_some() {
                let place = Rect { x: area.x + x, width: end.saturating_sub(x), ..area };
                canvas.targets.note(place, Target::Entry(index, None));
            }
            x = end + 1;
        }
    }
}
