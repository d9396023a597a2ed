//! The list of moves: a row a turn, a column a seat.

use crate::app::open_match::MatchView;
use crate::app::targets::{Target, Targets};
use crate::app::text;
use crate::board::Skin;
use crate::rules::Seat;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use std::ops::Range;

/// The columns of a move number, with the gap behind it.
const NUMBER: u16 = 5;
/// From this width on, a list too long for one block stands in two, side by side.
const WIDE: u16 = 40;
/// The columns between these two.
const GAP: u16 = 2;

/// Moves to be listed.
#[derive(Clone, Copy)]
pub(super) struct MoveList<'a> {
    pub shown: MatchView<'a>,
    pub moves: &'a [(Seat, String)],
    /// The marks behind the moves, such as `?`, one for each; empty without a review.
    pub marks: &'a [&'static str],
    /// The move under the cursor; an index beyond the list shows its beginning. With `None` the end of the
    /// list is shown, and the last move stands out.
    pub marked: Option<usize>,
    /// Where to note that moves can be clicked.
    pub targets: Option<&'a Targets>,
}

/// A row: moves that stand side by side.
struct MoveRow {
    first: usize,
    /// For each column the range of its moves, which may be empty.
    cells: Vec<Range<usize>>,
}

impl MoveList<'_> {
    /// Draws as many rows as there is room for.
    pub fn draw(&self, skin: Skin, area: Rect, buffer: &mut Buffer) {
        if area.is_empty() {
            return;
        }
        let widest = (0..self.moves.len()).map(|index| self.width(index)).max().unwrap_or(1) as u16;
        let seats = u16::from(self.shown.game.seats());
        let narrowest = NUMBER + seats * (widest + 1);
        let columns = if area.width < narrowest { 1 } else { seats };
        let number = if columns == 1 { NUMBER + 2 } else { NUMBER };
        let cell = |width: u16| width.saturating_sub(number) / columns;
        let (mut width, mut rows) = (area.width, self.rows(columns, cell(area.width).into()));
        let mut blocks = 1;
        if width >= WIDE.max(2 * narrowest + GAP) && rows.len() > usize::from(area.height) {
            blocks = 2;
            width = (width - GAP) / 2;
            rows = self.rows(columns, cell(width).into());
        }
        let cell = cell(width);
        let room = usize::from(area.height * blocks);
        let skip = self.skip(&rows, room);
        for (place, row) in (0..).zip(rows.iter().skip(skip).take(room)) {
            let (block, y) = (place / area.height, area.y + place % area.height);
            let x = area.x + block * (width + GAP);
            self.draw_row(row, cell, skin, Rect { x, y, width, height: 1 }, buffer);
        }
    }

    /// How many rows to skip at the top, so that the marked move stands in the middle, or the end of the
    /// list at the bottom.
    fn skip(&self, rows: &[MoveRow], room: usize) -> usize {
        let last = rows.len().saturating_sub(room);
        let Some(marked) = self.marked else { return last };
        let has = |row: &MoveRow| row.cells.iter().any(|cell| cell.contains(&marked));
        rows.iter().position(has).unwrap_or(0).saturating_sub(room / 2).min(last)
    }

    fn width(&self, index: usize) -> usize {
        self.moves[index].1.len() + self.mark(index).len()
    }

    fn mark(&self, index: usize) -> &'static str {
        self.marks.get(index).copied().unwrap_or_default()
    }

    /// The moves in rows. The moves of a turn stand in the column of their seat, in several rows if it is
    /// too narrow. If all seats share a column, each turn begins a row.
    fn rows(&self, columns: u16, cell: usize) -> Vec<MoveRow> {
        let columns = usize::from(columns);
        let mut rows: Vec<MoveRow> = Vec::new();
        let mut at = None;
        let turns = self.moves.chunk_by(|(one, _), (other, _)| one == other);
        let mut first = 0;
        for turn in turns {
            let column = if columns == 1 { 0 } else { turn[0].0.index() };
            let begins = at.is_none_or(|at| columns == 1 || column <= at);
            at = Some(column);
            for (part, range) in
                self.broken(first..first + turn.len(), cell).into_iter().enumerate()
            {
                if begins || part > 0 || rows.is_empty() {
                    rows.push(MoveRow { first: range.start, cells: vec![0..0; columns] });
                }
                if let Some(row) = rows.last_mut() {
                    row.cells[column] = range;
                }
            }
            first += turn.len();
        }
        rows
    }

    /// The moves of a turn, split into parts that fit into `cell` columns.
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

    fn draw_row(&self, row: &MoveRow, cell: u16, skin: Skin, area: Rect, buffer: &mut Buffer) {
        let number = format!("{:>3}", row.first + 1);
        buffer.set_stringn(area.x, area.y, number, area.width.into(), skin.dim());
        let mut from = area.x + NUMBER;
        if let [only] = &*row.cells {
            // Without a column of its own, a seat is shown by its mark.
            let seat = self.moves[only.start].0;
            let mark = self.shown.game.now().mark(seat).to_string();
            buffer.set_stringn(from, area.y, mark, 1, skin.seat(seat));
            from += 2;
        }
        for (column, range) in (0..).zip(&row.cells) {
            let mut x = from + column * cell;
            for index in range.clone() {
                let (_, mv) = &self.moves[index];
                let from = x;
                let room = |x: u16| area.right().saturating_sub(x) as usize;
                let style = self.style(index, skin);
                (x, _) = text::put((x, area.y), mv, room(x), style, skin, buffer);
                let marked = if self.marked == Some(index) { style } else { skin.wrong() };
                (x, _) = buffer.set_stringn(x, area.y, self.mark(index), room(x), marked);
                if let Some(targets) = self.targets {
                    let here = Rect { x: from, width: x - from, ..area };
                    targets.note(here, Target::Entry(index, None));
                }
                x += 1;
            }
        }
    }

    fn style(&self, index: usize, skin: Skin) -> Style {
        let ink = skin.seat(self.moves[index].0);
        match self.marked {
            Some(marked) if marked == index => skin.cursor(),
            None if index + 1 == self.moves.len() => ink.add_modifier(Modifier::BOLD),
            _ => ink,
        }
    }
}
