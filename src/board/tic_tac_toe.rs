//! The board of Tic-tac-toe. The cursor walks through all nine cells.

use super::{Direction, Reply, Widget, neighbour};
use crate::action::{ARROWS, Action, KeyHint};
use crate::rules::tic_tac_toe::{self as rules, Cell};
use crate::rules::{Position, Square, Symbol};
use crate::scene::{At, Ground, LineStyle, Role, Scene, SeatRole, Shape};
use crate::words::View;

/// The cursor: a cell, taken or not.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TicTacToeWidget {
    cursor: Cell,
}

impl Default for TicTacToeWidget {
    /// In the middle.
    fn default() -> Self {
        TicTacToeWidget { cursor: Cell::ALL[4] }
    }
}

fn at(cell: Cell) -> At {
    let Square { row, col } = cell.square();
    At::new(row, col)
}

impl Widget for TicTacToeWidget {
    type Game = rules::TicTacToe;
    type Place = Cell;

    fn ground(&self, _: &rules::TicTacToe) -> Ground {
        Ground::Grid { rows: 3, cols: 3, first: 'a', ruled: true }
    }

    fn scene(&self, view: &View<rules::TicTacToe>) -> Scene<Cell> {
        let mut scene = Scene::on(self.ground(view.now));
        scene.focus = Some(self.cursor);
        let won = view.now.winning_line();
        let last = view.last.as_ref().map(|last| last.mv);
        for cell in Cell::ALL {
            let symbol = view.now.at(cell);
            let role = symbol.map_or(Role::Text, |symbol| {
                let role = match won {
                    Some(line) if line.contains(&cell) => SeatRole::WonFill,
                    _ if last == Some(cell) => SeatRole::LastLine,
                    _ => SeatRole::Line,
                };
                Role::Of(role, symbol.seat())
            });
            scene.add_at(cell, Shape::Tile(at(cell), symbol), role);
            if view.seat_to_play().is_some() && cell == self.cursor {
                scene.add_at(cell, Shape::Tile(at(cell), symbol), Role::Cursor);
            }
        }
        if let Some([first, _, last]) = won {
            scene.add(Shape::Line([at(first), at(last)], LineStyle::Heavy), Role::Good);
        }
        scene
    }

    fn add_ghost(
        &self,
        view: &View<rules::TicTacToe>,
        cell: Cell,
        role: Role,
        scene: &mut Scene<Cell>,
    ) {
        let symbol = view.now.to_move().map(Symbol::of);
        scene.add_at(cell, Shape::Tile(at(cell), symbol), role);
    }

    fn cursor(&self) -> Cell {
        self.cursor
    }

    fn next_places(&self, mv: Cell) -> impl IntoIterator<Item = Cell> {
        [mv]
    }

    fn arrow(&mut self, _: &View<rules::TicTacToe>, direction: Direction) -> Reply<Cell> {
        let Square { row, col } = self.cursor.square();
        let next = neighbour((row, col), direction, [3, 3]);
        let cell = next.and_then(|(row, col)| Cell::on(Square { row, col }));
        self.cursor = cell.unwrap_or(self.cursor);
        Reply::Handled
    }

    fn tab_order(&self, _: &View<rules::TicTacToe>) -> Vec<Cell> {
        Cell::ALL.to_vec()
    }

    fn is_tab_stop(&self, view: &View<rules::TicTacToe>, cell: Cell) -> bool {
        view.now.at(cell).is_none()
    }

    fn go_to(&mut self, cell: Cell) {
        self.cursor = cell;
    }

    fn choose(&mut self, _: &View<rules::TicTacToe>) -> Reply<Cell> {
        Reply::Play(self.cursor)
    }

    fn position_changed(&mut self, _: &View<rules::TicTacToe>) {}

    fn show_move(&mut self, mv: Cell) {
        self.cursor = mv;
    }

    fn key_hints(&self, view: &View<rules::TicTacToe>) -> Vec<KeyHint> {
        if view.now.to_move().is_none() {
            return Vec::new();
        }
        vec![KeyHint::new(ARROWS, "move"), Action::Choose.to("play"), Action::Next.hint()]
    }

    fn status(&self, view: &View<rules::TicTacToe>) -> Option<String> {
        view.now.to_move().map(|_| self.cursor.to_string())
    }
}
