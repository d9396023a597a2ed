use super::{Direction, PressReply, Selection, Widget, neighbour};
use crate::action::{ARROWS, Action, KeyHint};
use quadrille_rules::tic_tac_toe::{self as rules, Cell};
use quadrille_rules::{Position, Square, Symbol};
use quadrille_scene::{At, BoardGeometry, LineStyle, PlaceId, Role, Scene, SeatRole, Shape};
use quadrille_table::words::PositionView;

/// The cursor is a cell, empty or not.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct TicTacToeWidget;

fn at(cell: Cell) -> At {
    let Square { row, col } = cell.square();
    At::new(row, col)
}

impl Widget for TicTacToeWidget {
    type Game = rules::TicTacToe;
    type Place = Cell;

    const START: Cell = Cell::ALL[4];

    const TASK: &'static str = "mark a cell";

    fn ground(_: &rules::TicTacToe) -> BoardGeometry {
        BoardGeometry::Grid { rows: 3, cols: 3, first: 'a', ruled: true }
    }

    fn draw(selection: &Selection<Self>, view: &PositionView<rules::TicTacToe>, scene: &mut Scene) {
        let won = view.now.winning_line();
        let last = view.last.as_ref().map(|last| last.mv);
        for cell in Cell::ALL {
            let symbol = view.now.at(cell);
            let role = symbol.map_or(Role::Text, |symbol| {
                let role = match won {
                    Some(line) if line.contains(&cell) => SeatRole::WonFill,
                    None if view.is_won_by(symbol.seat()) => SeatRole::WonFill,
                    _ if last == Some(cell) => SeatRole::LastLine,
                    _ => SeatRole::Line,
                };
                Role::Of(role, symbol.seat())
            });
            scene.add_at(Self::id(cell), Shape::Tile(at(cell), symbol), role);
            if view.seat_to_play().is_some() && cell == selection.cursor {
                scene.add_at(Self::id(cell), Shape::Tile(at(cell), symbol), Role::Cursor);
            }
        }
        if let Some([first, _, last]) = won {
            scene.add(Shape::Line([at(first), at(last)], LineStyle::Heavy), Role::Good);
        }
    }

    fn add_ghost(view: &PositionView<rules::TicTacToe>, cell: Cell, role: Role, scene: &mut Scene) {
        let symbol = view.now.to_move().map(Symbol::from);
        scene.add_at(Self::id(cell), Shape::Tile(at(cell), symbol), role);
    }

    fn complete(selection: &Selection<Self>) -> Option<Cell> {
        Some(selection.cursor)
    }

    fn next_places(_: &Selection<Self>, mv: Cell) -> impl Iterator<Item = Cell> {
        [mv].into_iter()
    }

    fn arrow(
        selection: &mut Selection<Self>,
        _: &PositionView<rules::TicTacToe>,
        direction: Direction,
    ) -> PressReply<Cell> {
        let Square { row, col } = selection.cursor.square();
        let next = neighbour((row, col), direction, [3, 3]);
        let cell = next.and_then(|(row, col)| Cell::on(Square { row, col }));
        selection.cursor = cell.unwrap_or(selection.cursor);
        PressReply::Handled
    }

    fn tab_order(_: &Selection<Self>, _: &PositionView<rules::TicTacToe>) -> Vec<Cell> {
        Cell::ALL.to_vec()
    }

    fn is_tab_stop(_: &Selection<Self>, view: &PositionView<rules::TicTacToe>, cell: Cell) -> bool {
        view.now.at(cell).is_none()
    }

    fn place_of(mv: Cell) -> Cell {
        mv
    }

    fn id(cell: Cell) -> PlaceId {
        let Square { row, col } = cell.square();
        PlaceId(row, col)
    }

    fn place(PlaceId(row, col): PlaceId) -> Option<Cell> {
        Cell::on(Square { row, col })
    }

    fn key_hints(_: &Selection<Self>, view: &PositionView<rules::TicTacToe>) -> Vec<KeyHint> {
        if view.now.to_move().is_none() {
            return Vec::new();
        }
        vec![KeyHint::new(ARROWS, "move"), Action::Choose.to("play"), Action::Next.hint()]
    }
}
