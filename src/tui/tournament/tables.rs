//! The additional parts of a tournament's table, below the players if there is space, otherwise on separate pages.

use crate::tui::table::{self, Column};
use crate::tui::{Canvas, text};
use quadrille_arena::tournament::TextPart;
use quadrille_scene::Skin;
use ratatui::layout::Rect;
use ratatui::text::Line;

/// The gap between table columns, in screen columns.
const GAP: u16 = 2;
/// The minimum width of truncated names; a table that needs more space continues in a second block.
const MIN_NAME_WIDTH: u16 = 10;

/// A part of the table, or as much of a part as fits on a page.
pub(super) struct Block {
    heads: usize,
    rows: Vec<Vec<String>>,
    widths: Vec<u16>,
}

impl Block {
    pub fn height(&self) -> u16 {
        self.rows.len() as u16
    }

    fn draw(&self, area: Rect, canvas: &mut Canvas) {
        let skin = canvas.skin;
        let names = Column::text(self.widths[0]);
        let others = self.widths[1..].iter().map(|width| Column::number(*width));
        let columns: Vec<Column> = [names].into_iter().chain(others).collect();
        for (index, (y, cells)) in (area.y..area.bottom()).zip(&self.rows).enumerate() {
            let style = if index < self.heads { skin.dim() } else { skin.plain() };
            let cells: Vec<Line<'_>> =
                cells.iter().map(|cell| Line::styled(&**cell, style)).collect();
            // A cell that is alone in its row may use the whole width.
            let alone = [Column::text(area.width)];
            let columns = if cells.len() == 1 { &alone[..] } else { &columns };
            let row = Rect { y, height: 1, ..area };
            table::draw_row(columns, GAP, &cells, row, skin, canvas.buffer);
        }
    }

    /// Splits off the first rows, at least one below the headings. The remaining block repeats the headings.
    fn split(mut self, rows: usize) -> (Block, Option<Block>) {
        let rest = self.rows.split_off(rows.max(self.heads + 1).min(self.rows.len()));
        if rest.is_empty() {
            return (self, None);
        }
        let heads = self.rows[..self.heads].iter().cloned();
        let rest = heads.chain(rest).collect();
        let rest = Block { heads: self.heads, rows: rest, widths: self.widths.clone() };
        (self, Some(rest))
    }
}

/// Splits a part into blocks of at most this many columns. The remaining columns of a wide table go into further
/// blocks, with the names repeated.
pub(super) fn blocks(part: &TextPart, width: u16, skin: Skin) -> Vec<Block> {
    let table = match part {
        TextPart::Table(table) => table,
        TextPart::Sentences(sentences) => {
            let rows =
                sentences.iter().flat_map(|sentence| text::wrap(sentence, width.into(), 99, skin));
            let rows = rows.map(|row| vec![row]).collect();
            return vec![Block { heads: 0, rows, widths: vec![width] }];
        }
    };
    let count = table.rows.iter().map(Vec::len).max().unwrap_or_default();
    let widest = |column: usize| {
        let rows = table.rows.iter().filter(|row| column > 0 || row.len() > 1);
        let cells = rows.filter_map(|row| row.get(column));
        cells.map(|cell| text::width(cell)).max().unwrap_or_default() as u16
    };
    let widths: Vec<u16> = (0..count).map(widest).collect();
    let Some((&names, others)) = widths.split_first() else { return Vec::new() };
    let taken: u16 = others.iter().map(|other| GAP + other).sum();
    let names = match width.saturating_sub(taken) {
        room @ MIN_NAME_WIDTH.. => names.min(room),
        _ => names.min((width / 3).max(MIN_NAME_WIDTH)),
    };
    let mut blocks = Vec::new();
    let mut from = 1;
    while from < count || blocks.is_empty() {
        let (mut to, mut used) = (from, names);
        while to < count && (to == from || used + GAP + widths[to] <= width) {
            used += GAP + widths[to];
            to += 1;
        }
        let part = |row: &Vec<String>| {
            let others = row.get(from..to.min(row.len())).unwrap_or_default();
            row[..1].iter().chain(others).cloned().collect()
        };
        blocks.push(Block {
            heads: table.heads,
            rows: table.rows.iter().map(part).collect(),
            widths: [names].into_iter().chain(widths[from..to].iter().copied()).collect(),
        });
        from = to;
    }
    blocks
}

/// Distributes blocks over pages of this many rows. A block higher than a page continues on the next page.
pub(super) fn pages(blocks: Vec<Block>, height: u16) -> Vec<Vec<Block>> {
    let mut pages: Vec<Vec<Block>> = Vec::new();
    let mut free = 0;
    for block in blocks {
        let mut rest = Some(block);
        while let Some(block) = rest.take() {
            let page = pages.last_mut().filter(|page| !page.is_empty());
            match page {
                Some(page) if block.height() < free => {
                    free -= block.height() + 1;
                    page.push(block);
                }
                _ => {
                    let (first, others) = block.split(height.into());
                    free = height.saturating_sub(first.height());
                    pages.push(vec![first]);
                    rest = others;
                }
            }
        }
    }
    pages
}

pub(super) fn draw(blocks: &[Block], area: Rect, canvas: &mut Canvas) {
    let mut y = area.y;
    for (index, block) in blocks.iter().enumerate() {
        y += u16::from(index > 0);
        let height = area.bottom().saturating_sub(y).min(block.height());
        block.draw(Rect { y, height, ..area }, canvas);
        y += height;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quadrille_arena::tournament::TextTable;

    /// Creates a table of twelve columns and forty rows in which every cell has a different text.
    fn part() -> TextPart {
        let cell = |row: usize, column: usize| format!("{row}.{column}");
        let row = |row: usize| match row % 10 {
            5 => vec!["a kind with a long name".to_owned()],
            _ => (0..12).map(|column| cell(row, column)).collect(),
        };
        TextPart::Table(TextTable { heads: 2, rows: (0..40).map(row).collect() })
    }

    /// At every size, each cell is on some page, and each piece of the table has the headings.
    #[test]
    fn table_pages_keep_every_cell() {
        let TextPart::Table(table) = part() else { return };
        for (width, height) in [(1, 1), (12, 4), (30, 7), (36, 12), (60, 100), (200, 10)] {
            let pages = pages(blocks(&part(), width, Skin::default()), height);
            let cells = || pages.iter().flatten().flat_map(|block| block.rows.iter().flatten());
            for cell in table.rows.iter().flatten() {
                assert!(cells().any(|shown| shown == cell), "{cell} at {width}x{height}");
            }
            for page in &pages {
                assert!(page.iter().all(|block| block.rows.len() > block.heads));
                let rows = page.iter().map(|block| block.height() + 1).sum::<u16>() - 1;
                assert!(rows <= height.max(3), "{rows} at {width}x{height}");
            }
            for block in pages.iter().flatten().filter(|_| width >= 20) {
                let taken: u16 = block.widths.iter().map(|width| width + GAP).sum();
                assert!(taken - GAP <= width, "{taken} at {width}x{height}");
            }
        }
    }
}
