//! The board of Dots and Boxes.
//!
//! It is rows of lines, alternately horizontal and vertical ones, like lines of text: left and right
//! walk along a row, up and down go to the nearest line of the next row and keep the column they
//! came from.

use super::lattice::Lattice;
use super::{Direction, Format, Hint, Reply, Sheet, Spot, View, Widget};
use crate::rules::dots_and_boxes::{Line, Pipopipette};
use crate::rules::{Game, Seat};
use ratatui::layout::{Rect, Size};

/// The cursor: a line of the board, drawn or not.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct DotsAndBoxes {
    cursor: Line,
    /// The column to keep when moving up and down, in half steps from dot to dot.
    column: u8,
}

impl Default for DotsAndBoxes {
    fn default() -> Self {
        DotsAndBoxes { cursor: Line::Horizontal { row: 0, col: 0 }, column: 1 }
    }
}

/// The column of a line in half steps: dots are on even ones.
const fn column(line: Line) -> u8 {
    match line {
        Line::Horizontal { col, .. } => 2 * col + 1,
        Line::Vertical { col, .. } => 2 * col,
    }
}

/// The line nearest to a column in the same row of lines; of two equally near ones the left.
fn nearest(row: Line, column: u8, cols: u8) -> Line {
    match row {
        Line::Horizontal { row, .. } => {
            Line::Horizontal { row, col: (column.saturating_sub(1) / 2).min(cols - 2) }
        }
        Line::Vertical { row, .. } => Line::Vertical { row, col: (column / 2).min(cols - 1) },
    }
}

impl DotsAndBoxes {
    fn walk(&mut self, board: &Pipopipette, direction: Direction) {
        let cursor = self.cursor;
        let target = match (direction, cursor) {
            (Direction::Up, Line::Horizontal { row, col }) => {
                row.checked_sub(1).map(|row| Line::Vertical { row, col })
            }
            (Direction::Up, Line::Vertical { row, col }) => Some(Line::Horizontal { row, col }),
            (Direction::Down, Line::Horizontal { row, col }) => Some(Line::Vertical { row, col }),
            (Direction::Down, Line::Vertical { row, col }) => {
                Some(Line::Horizontal { row: row + 1, col })
            }
            (Direction::Left, Line::Horizontal { row, col }) => {
                col.checked_sub(1).map(|col| Line::Horizontal { row, col })
            }
            (Direction::Left, Line::Vertical { row, col }) => {
                col.checked_sub(1).map(|col| Line::Vertical { row, col })
            }
            (Direction::Right, Line::Horizontal { row, col }) => {
                Some(Line::Horizontal { row, col: col + 1 })
            }
            (Direction::Right, Line::Vertical { row, col }) => {
                Some(Line::Vertical { row, col: col + 1 })
            }
        };
        let Some(target) = target else { return };
        match direction {
            Direction::Up | Direction::Down => {
                let target = nearest(target, self.column, board.cols());
                if board.contains(target) {
                    self.cursor = target;
                }
            }
            Direction::Left | Direction::Right if board.contains(target) => {
                self.cursor = target;
                self.column = column(target);
            }
            _ => {}
        }
    }
}

/// Columns on either side of a vertical line for its mark, such that those of two neighbours are
/// apart, where dots are `dx` columns apart.
fn margin(dx: u16) -> u16 {
    (dx / 2 - 1).min(2)
}

fn cells(lattice: Lattice, line: Line) -> Rect {
    match line {
        Line::Horizontal { row, col } => lattice.right_of(row, col),
        Line::Vertical { row, col } => lattice.below(row, col),
    }
}

impl Widget for DotsAndBoxes {
    type Game = Pipopipette;
    type Place = Line;

    const PICTURE: [&'static str; 3] = ["▪╍╍▪╍╍▪  ▪", "╏ A╏", "▪╍╍▪  ▪╍╍▪"];
    const TAGLINE: &'static str = "Draw lines, close boxes; a box is a point and another turn.";

    fn format(&self, now: &Pipopipette, room: Size) -> Format {
        let format = Lattice::fit(Size::ZERO, Size::new(1, 1), now.rows(), now.cols(), room);
        let margins = [margin(Lattice::on(format).dx); 2];
        Format { across: format.across.padded(margins, room.width), ..format }
    }

    fn focus(&self, _: &Pipopipette, format: Format) -> Rect {
        cells(Lattice::on(format), self.cursor)
    }

    fn paint(&self, view: &View<Pipopipette>, sheet: &mut Sheet) {
        let board = view.now;
        let skin = sheet.skin();
        let glyphs = skin.glyphs();
        let lattice = Lattice::on(sheet.format());
        for row in 0..board.rows() {
            for col in 0..board.cols() {
                let (x, y) = lattice.dot(row, col);
                sheet.glyph(x, y, glyphs.dot, skin.strong());
                if row + 1 == board.rows() || col + 1 == board.cols() {
                    continue;
                }
                if let Some(owner) = board.owner(row, col) {
                    let square = lattice.square(row, col);
                    sheet.fill(square, glyphs.hatch, skin.seat(owner));
                    let (x, y) = (square.x + square.width / 2, square.y + (square.height - 1) / 2);
                    sheet.text(
                        x - 1,
                        y,
                        &format!(" {} ", owner.letter()),
                        skin.last(skin.seat(owner)),
                    );
                }
            }
        }
        for line in board.lines() {
            let axis = usize::from(matches!(line, Line::Vertical { .. }));
            let style = match &view.last {
                Some(last) if last.mv == line => {
                    let seat = last.before.to_move().unwrap_or(Seat::FIRST);
                    skin.last(skin.seat(seat))
                }
                _ => skin.plain(),
            };
            if board.is_drawn(line) {
                sheet.fill(cells(lattice, line), glyphs.line[axis], style);
            }
            if line == self.cursor && board.to_move().is_some() {
                if !board.is_drawn(line) {
                    sheet.fill(cells(lattice, line), glyphs.ghost[axis], style);
                }
                sheet.restyle(cells(lattice, line), skin.cursor());
            }
        }
    }

    fn cursor(&self) -> Line {
        self.cursor
    }

    fn places(&self, mv: Line) -> impl IntoIterator<Item = Line> {
        [mv]
    }

    /// On the line, and on either side of a vertical one: the boxes there are open, as it is not
    /// drawn.
    fn spots(&self, _: &Pipopipette, format: Format) -> impl Fn(Line) -> Spot {
        let lattice = Lattice::on(format);
        move |line| {
            let cells = cells(lattice, line);
            Spot::Middle(match line {
                Line::Horizontal { .. } => cells,
                Line::Vertical { .. } => {
                    let margin = margin(lattice.dx);
                    let x = cells.x.saturating_sub(margin);
                    let (y, width) = (cells.y + cells.height / 2, cells.x - x + 1 + margin);
                    Rect { x, y, width, height: 1 }
                }
            })
        }
    }

    fn arrow(&mut self, view: &View<Pipopipette>, direction: Direction) -> Reply<Line> {
        self.walk(view.now, direction);
        Reply::Taken
    }

    /// The lines in reading order.
    fn tour(&self, view: &View<Pipopipette>) -> Vec<Line> {
        let mut lines: Vec<Line> = view.now.lines().collect();
        lines.sort_by_key(|line| match *line {
            Line::Horizontal { row, col } => (2 * row, col),
            Line::Vertical { row, col } => (2 * row + 1, col),
        });
        lines
    }

    fn stops_at(&self, view: &View<Pipopipette>, line: Line) -> bool {
        !view.now.is_drawn(line)
    }

    fn go_to(&mut self, line: Line) {
        (self.cursor, self.column) = (line, column(line));
    }

    fn choose(&mut self, _: &View<Pipopipette>) -> Reply<Line> {
        Reply::Play(self.cursor)
    }

    fn settle(&mut self, _: &View<Pipopipette>) {}

    fn point_at(&mut self, mv: Line) {
        self.go_to(mv);
    }

    fn hints(&self, _: &View<Pipopipette>) -> Vec<Hint> {
        vec![("arrows", "move"), ("Enter", "draw"), ("Tab", "next")]
    }

    fn facts(&self, view: &View<Pipopipette>) -> Vec<(&'static str, String)> {
        let left = view.now.lines_left();
        vec![("left", format!("{left} line{}", if left == 1 { "" } else { "s" }))]
    }

    fn status(&self, _: &View<Pipopipette>) -> Option<String> {
        Some(self.cursor.to_string())
    }
}
