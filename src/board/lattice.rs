//! A lattice of dots: where each dot stands on the sheet, as far apart as the room allows.

use super::Margin;
use ratatui::layout::{Rect, Size};

/// Dots `dx` columns and `dy` rows apart, with a margin round them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Lattice {
    rows: u16,
    cols: u16,
    margin: Margin,
    /// Columns from dot to dot.
    pub dx: u16,
    /// Rows from dot to dot.
    pub dy: u16,
}

/// The spacings in use, widest first. Cells are about twice as high as wide.
const SPACINGS: [(u16, u16); 6] = [(16, 8), (12, 6), (10, 5), (8, 4), (6, 3), (4, 2)];

impl Lattice {
    /// The widest lattice of this many dots that fits into the room, or else the narrowest.
    pub fn fit(rows: u8, cols: u8, room: Size) -> Lattice {
        Lattice::within(Margin::NONE, rows, cols, room)
    }

    /// The same with a margin, which takes its part of the room.
    pub fn within(margin: Margin, rows: u8, cols: u8, room: Size) -> Lattice {
        let lattice = |(dx, dy)| Lattice { rows: rows.into(), cols: cols.into(), margin, dx, dy };
        let mut all = SPACINGS.into_iter().map(lattice);
        let fits = |l: &Lattice| l.size().width <= room.width && l.size().height <= room.height;
        all.clone().find(fits).or(all.next_back()).unwrap_or(lattice((4, 2)))
    }

    /// The lattice that fills a sheet of this size, which [`Lattice::size`] gave.
    pub fn of(rows: u8, cols: u8, size: Size) -> Lattice {
        Lattice::fit(rows, cols, size)
    }

    /// The size of the sheet.
    pub const fn size(self) -> Size {
        self.margin.around(Size {
            width: (self.cols - 1) * self.dx + 1,
            height: (self.rows - 1) * self.dy + 1,
        })
    }

    /// The cell of a dot.
    pub const fn dot(self, row: u8, col: u8) -> (u16, u16) {
        (self.margin.left + col as u16 * self.dx, self.margin.top + row as u16 * self.dy)
    }

    /// The cells between a dot and the next one in its row.
    pub const fn right_of(self, row: u8, col: u8) -> Rect {
        let (x, y) = self.dot(row, col);
        Rect { x: x + 1, y, width: self.dx - 1, height: 1 }
    }

    /// The cells between a dot and the next one in its column.
    pub const fn below(self, row: u8, col: u8) -> Rect {
        let (x, y) = self.dot(row, col);
        Rect { x, y: y + 1, width: 1, height: self.dy - 1 }
    }

    /// The cells within the square to the right of and below a dot.
    pub const fn square(self, row: u8, col: u8) -> Rect {
        let (x, y) = self.dot(row, col);
        Rect { x: x + 1, y: y + 1, width: self.dx - 1, height: self.dy - 1 }
    }
}
