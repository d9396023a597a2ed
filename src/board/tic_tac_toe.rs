//! The board of Tic-tac-toe. The cursor walks through all nine cells.

use super::dice::{Grid, draw_symbol};
use super::{Direction, Format, Hint, Press, Reply, Sheet, Spot, View, Widget};
use crate::rules::Game;
use crate::rules::tic_tac_toe::{self as rules, Cell};
use ratatui::layout::{Rect, Size};

/// The cursor: a cell, taken or not.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TicTacToe {
    cursor: Cell,
}

impl Default for TicTacToe {
    /// In the middle.
    fn default() -> Self {
        TicTacToe { cursor: Cell::ALL[4] }
    }
}

/// Room for the numbers and the letters.
const LABELS: Size = Size::new(2, 1);

/// The lines between the cells.
const GAP: Size = Size::new(1, 1);

/// The cells in use, largest first, and the gaps between them.
const CELLS: [(Size, Size); 5] = [
    (Size::new(19, 9), GAP),
    (Size::new(15, 7), GAP),
    (Size::new(11, 5), GAP),
    (Size::new(7, 3), GAP),
    (Size::new(3, 1), GAP),
];

/// The row in the middle of a cell.
const fn middle(part: Rect) -> Rect {
    Rect { y: part.y + part.height / 2, height: 1, ..part }
}

impl TicTacToe {
    fn arrow(&mut self, direction: Direction) {
        let (cols, rows) = direction.step();
        let row = self.cursor.row().checked_add_signed(rows);
        let col = self.cursor.col().checked_add_signed(cols);
        if let (Some(row), Some(col)) = (row, col) {
            self.cursor = Cell::new(row, col).unwrap_or(self.cursor);
        }
    }

    /// To the next empty cell, in reading order.
    fn tab(&mut self, board: &rules::TicTacToe, back: bool) {
        let mut empty = Cell::ALL.to_vec();
        empty.retain(|&cell| board.at(cell).is_none());
        if let Some(&cell) = super::step_to(&empty, &self.cursor, |&cell| cell, back) {
            self.cursor = cell;
        }
    }
}

impl Widget for TicTacToe {
    type Game = rules::TicTacToe;
    type Place = Cell;

    const PICTURE: [&'static str; 3] = ["X ╏ O ╏", "  ╏ X ╏ O", "  ╏   ╏ X"];
    const TAGLINE: &'static str = "Three in a row on nine cells.";

    fn format(&self, _: &rules::TicTacToe, room: Size) -> Format {
        Grid::fit(3, LABELS, 0, &CELLS, room)
    }

    fn focus(&self, _: &rules::TicTacToe, format: Format) -> Rect {
        format.cell(self.cursor.row(), self.cursor.col())
    }

    fn paint(&self, view: &View<rules::TicTacToe>, sheet: &mut Sheet) {
        let skin = sheet.skin();
        let grid = Grid::on(sheet.format());
        grid.label(sheet, 'a');
        grid.rule(sheet);
        let won = view.now.winning_line();
        let cursor = view.now.to_move().is_some().then_some(self.cursor);
        for cell in Cell::ALL {
            let part = grid.format.cell(cell.row(), cell.col());
            if let Some(symbol) = view.now.at(cell) {
                let mut style = skin.seat(symbol.seat());
                if view.last.as_ref().is_some_and(|last| last.mv == cell) {
                    style = skin.last(style);
                }
                draw_symbol(sheet, part, symbol, style);
            }
            if won.is_some_and(|line| line.contains(&cell)) {
                sheet.restyle(part, skin.won());
            }
            if cursor == Some(cell) {
                // A bar is seen as well as the whole cell, and is less to write.
                sheet.restyle(middle(part), skin.cursor());
            }
        }
    }

    fn cursor(&self) -> Cell {
        self.cursor
    }

    fn places(&self, mv: Cell) -> impl IntoIterator<Item = Cell> {
        [mv]
    }

    fn spots(&self, _: &rules::TicTacToe, format: Format) -> impl Fn(Cell) -> Spot {
        move |cell| Spot::Middle(middle(format.cell(cell.row(), cell.col())))
    }

    fn press(&mut self, view: &View<rules::TicTacToe>, press: Press) -> Reply<Cell> {
        match press {
            Press::Arrow(direction) => self.arrow(direction),
            Press::Next => self.tab(view.now, false),
            Press::Previous => self.tab(view.now, true),
            Press::Choose => return Reply::Play(self.cursor),
            Press::Back | Press::Digit(_) => return Reply::Ignored,
        }
        Reply::Taken
    }

    fn settle(&mut self, _: &View<rules::TicTacToe>) {}

    fn point_at(&mut self, mv: Cell) {
        self.cursor = mv;
    }

    fn hints(&self, view: &View<rules::TicTacToe>) -> Vec<Hint> {
        if view.now.to_move().is_none() {
            return Vec::new();
        }
        vec![("arrows", "move"), ("Enter", "play"), ("Tab", "next")]
    }

    fn facts(&self, view: &View<rules::TicTacToe>) -> Vec<(&'static str, String)> {
        let left = view.now.cells().iter().filter(|cell| cell.is_none()).count();
        vec![("left", format!("{left} cell{}", if left == 1 { "" } else { "s" }))]
    }

    fn status(&self, view: &View<rules::TicTacToe>) -> Option<String> {
        view.now.to_move().map(|_| self.cursor.to_string())
    }
}
