//! The board of Dots and Boxes.
//!
//! The cursor treats the lines of the board as rows, alternately horizontal and vertical. Left and right move along a
//! row. Up and down move to the nearest line in the next row and keep the original column.

use super::{Direction, PressReply, Selection, Widget};
use crate::action::{ARROWS, Action, KeyHint};
use quadrille_rules::dots_and_boxes::{DotsAndBoxes, Line};
use quadrille_rules::{Position, Seat};
use quadrille_scene::{At, BoardGeometry, LineStyle, PlaceId, Role, Scene, SeatRole, Shape};
use quadrille_table::words::PositionView;
use quadrille_table::words::dots_and_boxes::{boxes, open_side};

/// The cursor is a line of the board, drawn or not.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct DotsAndBoxesWidget {
    /// The column to keep while moving up and down, in half steps between dots.
    column: u8,
}

impl Default for DotsAndBoxesWidget {
    fn default() -> Self {
        DotsAndBoxesWidget { column: column(DotsAndBoxesWidget::START) }
    }
}

/// Returns the column of a line, in half steps; dots are in even columns.
const fn column(line: Line) -> u8 {
    match line {
        Line::Horizontal { col, .. } => 2 * col + 1,
        Line::Vertical { col, .. } => 2 * col,
    }
}

/// Returns the next line in a direction; up and down keep to `column`.
fn next_line(board: &DotsAndBoxes, from: Line, direction: Direction, column: u8) -> Option<Line> {
    let (right, down) = direction.step();
    let next = match from {
        Line::Horizontal { row, col } if down == 0 => {
            Line::Horizontal { row, col: col.checked_add_signed(right)? }
        }
        Line::Vertical { row, col } if down == 0 => {
            Line::Vertical { row, col: col.checked_add_signed(right)? }
        }
        Line::Horizontal { row, .. } => {
            let row = if down < 0 { row.checked_sub(1)? } else { row };
            Line::Vertical { row, col: (column / 2).min(board.cols() - 1) }
        }
        // If two lines are equally near, the left one.
        Line::Vertical { row, .. } => {
            let row = if down < 0 { row } else { row + 1 };
            Line::Horizontal { row, col: (column.saturating_sub(1) / 2).min(board.cols() - 2) }
        }
    };
    board.contains(next).then_some(next)
}

fn ends(line: Line) -> [At; 2] {
    match line {
        Line::Horizontal { row, col } => [At::new(row, col), At::new(row, col + 1)],
        Line::Vertical { row, col } => [At::new(row, col), At::new(row + 1, col)],
    }
}

fn beside(board: &DotsAndBoxes, line: Line) -> impl Iterator<Item = (u8, u8)> {
    board.boxes_beside(line).into_iter().flatten()
}

/// Returns the boxes that this line would complete.
fn closed_by(board: &DotsAndBoxes, line: Line) -> impl Iterator<Item = (u8, u8)> {
    let is_drawn = move |side: &Line| *side == line || board.is_drawn(*side);
    beside(board, line).filter(move |square| DotsAndBoxes::sides(*square).iter().all(is_drawn))
}

/// Returns the taken boxes with their owners, in the order they were taken.
fn boxes_in_order(board: &DotsAndBoxes, played: &[(Seat, Line)]) -> Vec<(Seat, (u8, u8))> {
    let cols = usize::from(board.cols());
    let mut sides_drawn = vec![0; usize::from(board.rows()) * cols];
    let mut boxes = Vec::new();
    for (row, col) in played.iter().flat_map(|(_, line)| beside(board, *line)) {
        let drawn = &mut sides_drawn[usize::from(row) * cols + usize::from(col)];
        *drawn += 1;
        if *drawn == 4 {
            boxes.extend(board.owner(row, col).map(|owner| (owner, (row, col))));
        }
    }
    boxes
}

/// Returns how many boxes can be taken one after the other from this position.
fn open_boxes(mut board: DotsAndBoxes) -> usize {
    let mut open: Vec<Line> =
        board.boxes().filter_map(|square| open_side(&board, square)).collect();
    let mut taken = 0;
    while let Some(line) = open.pop() {
        let closed = closed_by(&board, line).count();
        // Fails if two boxes share the open side and the first already closed it.
        if board.play(line).is_ok() {
            taken += closed;
            open.extend(beside(&board, line).filter_map(|square| open_side(&board, square)));
        }
    }
    taken
}

/// Returns the number of boxes that a line closes, and the number it opens. If the line closes a box, the same seat
/// moves again, and the second number is how many more boxes that seat can take. Otherwise, it is how many more boxes
/// the next seat can take than before the line.
fn line_effect(board: &DotsAndBoxes, line: Line) -> [usize; 2] {
    let closes = closed_by(board, line).count();
    let mut after = board.clone();
    let _ = after.play(line);
    let open = open_boxes(after);
    [closes, if closes > 0 { open } else { open - open_boxes(board.clone()) }]
}

impl Widget for DotsAndBoxesWidget {
    type Game = DotsAndBoxes;
    type Place = Line;

    const START: Line = Line::Horizontal { row: 0, col: 0 };

    const TASK: &'static str = "draw a line";

    fn ground(now: &DotsAndBoxes) -> BoardGeometry {
        BoardGeometry::Lattice { rows: now.rows(), cols: now.cols(), numbered: false }
    }

    fn draw(selection: &Selection<Self>, view: &PositionView<DotsAndBoxes>, scene: &mut Scene) {
        let (board, cursor) = (view.now, selection.cursor);
        let area = |row: u8, col: u8| [At::new(row, col), At::new(row + 1, col + 1)];
        let all = |rows: u8, cols: u8| {
            (0..rows).flat_map(move |row| (0..cols).map(move |col| (row, col)))
        };
        let last = view.last.as_ref();
        let new: Vec<(u8, u8)> =
            last.map(|last| closed_by(last.before, last.mv).collect()).unwrap_or_default();
        for (seat, square) in boxes_in_order(board, view.played) {
            let role = SeatRole::fill(seat, new.contains(&square), view.outcome);
            scene.add(Shape::Area(area(square.0, square.1), Some(seat.letter())), role);
        }
        let turn = view.seat_to_play();
        let is_free = turn.is_some() && !board.is_drawn(cursor);
        if let Some(seat) = turn.filter(|_| is_free) {
            for (row, col) in closed_by(board, cursor) {
                scene.add(Shape::Area(area(row, col), None), Role::Of(SeatRole::Card, seat));
            }
        }
        for line in board.lines().filter(|line| !board.is_drawn(*line)) {
            scene.add_at(Self::id(line), Shape::Line(ends(line), LineStyle::Faint), Role::Board);
        }
        for (number, (seat, line)) in (1..).zip(view.played) {
            let is_last = number == view.played.len();
            let role = if is_last { SeatRole::LastLine } else { SeatRole::Line };
            scene.add_at(
                Self::id(*line),
                Shape::Line(ends(*line), LineStyle::Solid),
                Role::Of(role, *seat),
            );
        }
        if turn.is_some() {
            let line_style = if is_free { LineStyle::Ghost } else { LineStyle::Blocked };
            scene.add(Shape::Line(ends(cursor), line_style), Role::Cursor);
        }
        for (row, col) in all(board.rows(), board.cols()) {
            scene.add(Shape::Dot(At::new(row, col)), Role::Strong);
        }
    }

    fn add_ghost(_: &PositionView<DotsAndBoxes>, mv: Line, role: Role, scene: &mut Scene) {
        scene.add_at(Self::id(mv), Shape::Line(ends(mv), LineStyle::Ghost), role);
    }

    fn complete(selection: &Selection<Self>) -> Option<Line> {
        Some(selection.cursor)
    }

    fn next_places(_: &Selection<Self>, mv: Line) -> impl Iterator<Item = Line> {
        [mv].into_iter()
    }

    fn arrow(
        selection: &mut Selection<Self>,
        view: &PositionView<DotsAndBoxes>,
        direction: Direction,
    ) -> PressReply<Line> {
        if let Some(line) = next_line(view.now, selection.cursor, direction, selection.own.column) {
            selection.cursor = line;
            if matches!(direction, Direction::Left | Direction::Right) {
                selection.own.goes_to(line);
            }
        }
        PressReply::Handled
    }

    /// Lines in reading order.
    fn tab_order(_: &Selection<Self>, view: &PositionView<DotsAndBoxes>) -> Vec<Line> {
        let mut lines: Vec<Line> = view.now.lines().collect();
        lines.sort_by_key(|line| match *line {
            Line::Horizontal { row, col } => (2 * row, col),
            Line::Vertical { row, col } => (2 * row + 1, col),
        });
        lines
    }

    fn is_tab_stop(_: &Selection<Self>, view: &PositionView<DotsAndBoxes>, line: Line) -> bool {
        !view.now.is_drawn(line)
    }

    fn goes_to(&mut self, line: Line) {
        self.column = column(line);
    }

    fn place_of(mv: Line) -> Line {
        mv
    }

    fn id(line: Line) -> PlaceId {
        match line {
            Line::Horizontal { row, .. } => PlaceId(2 * row, column(line)),
            Line::Vertical { row, .. } => PlaceId(2 * row + 1, column(line)),
        }
    }

    fn place(PlaceId(row, column): PlaceId) -> Option<Line> {
        let [half, col] = [row / 2, column / 2];
        match (row % 2, column % 2) {
            (0, 1) => Some(Line::Horizontal { row: half, col }),
            (1, 0) => Some(Line::Vertical { row: half, col }),
            _ => None,
        }
    }

    fn key_hints(_: &Selection<Self>, _: &PositionView<DotsAndBoxes>) -> Vec<KeyHint> {
        vec![KeyHint::new(ARROWS, "move"), Action::Choose.to("draw"), Action::Next.hint()]
    }

    fn status(
        selection: &Selection<Self>,
        view: &PositionView<DotsAndBoxes>,
        helps: bool,
    ) -> Option<String> {
        let line = selection.cursor;
        if view.now.to_move().is_none() || view.now.is_drawn(line) {
            return Some(line.to_string());
        }
        let [closes, gives] = line_effect(view.now, line);
        Some(match (closes, if helps { gives } else { 0 }) {
            (0, 0) => line.to_string(),
            (0, gives) => format!("{line} gives away {}", boxes(gives)),
            (_, 0) => format!("{line} closes {}", boxes(closes)),
            (_, gives) => format!("{line} closes {}, then {gives} more", boxes(closes)),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn taken(board: &DotsAndBoxes) -> usize {
        board.score().iter().sum::<u32>() as usize
    }

    fn open_boxes_by_score(mut board: DotsAndBoxes) -> usize {
        let start = taken(&board);
        loop {
            let now = taken(&board);
            let mut next = board.lines().filter(|&line| !board.is_drawn(line)).map(|line| {
                let mut next = board.clone();
                next.play(line).unwrap();
                next
            });
            match next.find(|next| taken(next) > now) {
                Some(closed) => board = closed,
                None => return now - start,
            }
        }
    }

    fn line_effect_by_score(board: &DotsAndBoxes, line: Line) -> [usize; 2] {
        let mut after = board.clone();
        after.play(line).unwrap();
        let closes = taken(&after) - taken(board);
        let open = open_boxes_by_score(after);
        [closes, if closes > 0 { open } else { open - open_boxes_by_score(board.clone()) }]
    }

    #[test]
    fn line_effect_matches_the_rules() {
        let mut rng = fastrand::Rng::with_seed(1);
        let mut seen = [0; 2];
        for (rows, cols) in [(2, 2), (3, 3), (2, 6), (5, 4)] {
            let mut board = DotsAndBoxes::new(rows, cols).unwrap();
            loop {
                let free: Vec<Line> = board.lines().filter(|line| !board.is_drawn(*line)).collect();
                for &line in &free {
                    let value = line_effect(&board, line);
                    assert_eq!(value, line_effect_by_score(&board, line), "{line} of\n{board}");
                    seen = [seen[0].max(value[0]), seen[1].max(value[1])];
                }
                let Some(line) = rng.choice(free) else { break };
                board.play(line).unwrap();
            }
        }
        assert!(seen[0] == 2 && seen[1] > 5, "{seen:?}");
    }
}
