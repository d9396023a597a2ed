//! The board of Tic-tac-toe. The cursor walks through all nine cells.

use super::grid::Grid;
use super::symbol::{draw_cursor, draw_symbol};
use super::{Direction, Format, Hint, Reply, Sheet, Spot, View, Widget};
use crate::rules::tic_tac_toe::{self as rules, Cell};
use crate::rules::{Game, Square, Symbol};
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

/// The part of a sheet of this format that a cell takes.
const fn part(format: Format, cell: Cell) -> Rect {
    let Square { row, col } = cell.square();
    format.cell(row, col)
}

impl Widget for TicTacToe {
    type Game = rules::TicTacToe;
    type Place = Cell;

    const SAMPLE: (&'static str, &'static str) = ("", "b2 b1 a1 a2 c3");
    const TAGLINE: &'static str = "Three in a row on nine cells.";

    fn format(&self, _: &rules::TicTacToe, room: Size) -> Format {
        Grid::fit([3, 3], LABELS, 0, &CELLS, room)
    }

    fn focus(&self, _: &rules::TicTacToe, format: Format) -> Rect {
        part(format, self.cursor)
    }

    fn paint(&self, view: &View<rules::TicTacToe>, sheet: &mut Sheet) {
        let skin = sheet.skin();
        let grid = Grid::on(sheet.format());
        grid.label(sheet, 'a');
        grid.rule(sheet);
        let won = view.now.winning_line();
        let cursor = view.now.to_move().is_some().then_some(self.cursor);
        for cell in Cell::ALL {
            let part = part(grid.format, cell);
            if let Some(symbol) = view.now.at(cell) {
                let mut style = skin.seat(symbol.seat());
                if view.last.as_ref().is_some_and(|last| last.mv == cell) {
                    style = skin.last(style);
                }
                draw_symbol(sheet, part, symbol, style);
            }
            if won.is_some_and(|line| line.contains(&cell)) {
                sheet.restyle(part, skin.won_by(view.now.at(cell).map(Symbol::seat)));
            }
            if cursor == Some(cell) {
                draw_cursor(sheet, part);
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
        move |cell| Spot::Middle(middle(part(format, cell)))
    }

    fn arrow(&mut self, _: &View<rules::TicTacToe>, direction: Direction) -> Reply<Cell> {
        let Square { row, col } = self.cursor.square();
        let next = direction.neighbour((row, col), [3, 3]);
        let cell = next.and_then(|(row, col)| Cell::on(Square { row, col }));
        self.cursor = cell.unwrap_or(self.cursor);
        Reply::Taken
    }

    fn tour(&self, _: &View<rules::TicTacToe>) -> Vec<Cell> {
        Cell::ALL.to_vec()
    }

    fn stops_at(&self, view: &View<rules::TicTacToe>, cell: Cell) -> bool {
        view.now.at(cell).is_none()
    }

    fn go_to(&mut self, cell: Cell) {
        self.cursor = cell;
    }

    fn choose(&mut self, _: &View<rules::TicTacToe>) -> Reply<Cell> {
        Reply::Play(self.cursor)
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

    fn extent(&self, start: &rules::TicTacToe) -> String {
        format!("{} cells", start.cells().len())
    }

    fn facts(&self, view: &View<rules::TicTacToe>) -> Vec<(&'static str, String)> {
        let left = view.now.cells().iter().filter(|cell| cell.is_none()).count();
        vec![("left", format!("{left} cell{}", if left == 1 { "" } else { "s" }))]
    }

    fn status(&self, view: &View<rules::TicTacToe>) -> Option<String> {
        view.now.to_move().map(|_| self.cursor.to_string())
    }
}
