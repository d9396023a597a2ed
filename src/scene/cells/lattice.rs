//! A lattice of dots: where each dot stands on the sheet, as far apart as the room allows.

use super::grid::{centre, digits};
use super::{Axis, Sheet, SheetFormat};
use crate::scene::{At, Role};
use ratatui::layout::Size;

/// Dots in the middle of fields that are `dx` columns and `dy` rows apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Lattice {
    pub format: SheetFormat,
    /// Columns from dot to dot.
    pub dx: u16,
    /// Rows from dot to dot.
    pub dy: u16,
}

/// The spacings in use, widest first. Cells are about twice as high as wide.
const SPACINGS: [(u16, u16); 9] =
    [(28, 14), (24, 12), (20, 10), (16, 8), (12, 6), (10, 5), (8, 4), (6, 3), (4, 2)];

impl Lattice {
    /// The format of the widest lattice of this many dots that fits into the room, or else of the
    /// narrowest, with room for labels at the left and above, and round the dots for badges if it `has_badges`.
    pub fn fit(labels: Size, has_badges: bool, rows: u8, cols: u8, room: Size) -> SheetFormat {
        let axis = |labels, count: u8, field, pitch| {
            let (count, gap) = (count.into(), pitch - field);
            Axis { labels, pads: [0; 2], count, field, gap }
        };
        let format = |(dx, dy)| {
            let field = field(weight(dy), has_badges);
            SheetFormat {
                across: axis(labels.width, cols, field.width, dx),
                down: axis(labels.height, rows, field.height, dy),
            }
        };
        format(SheetFormat::fit(SPACINGS.into_iter(), format, room).unwrap_or((4, 2)))
    }

    /// The lattice on a sheet of this format.
    pub const fn on(format: SheetFormat) -> Lattice {
        let SheetFormat { across, down } = format;
        Lattice { format, dx: across.field + across.gap, dy: down.field + down.gap }
    }

    /// How heavy lines and dots are: 0 where glyphs draw them, else how many pixels high a line along a row is.
    pub const fn weight(self) -> u16 {
        weight(self.dy)
    }

    pub const fn dot(self, at: At) -> (u16, u16) {
        centre(self.format.field(at))
    }
}

/// How heavy lines and dots are where rows are this far apart.
const fn weight(dy: u16) -> u16 {
    match dy {
        0..6 => 0,
        6..12 => 1,
        12.. => 2,
    }
}

/// The field of a dot: room for the dot, or for its badge.
const fn field(weight: u16, has_badges: bool) -> Size {
    match (weight, has_badges) {
        (0, false) => Size::new(1, 1),
        (0, true) => Size::new(3, 1),
        (1, false) => Size::new(3, 2),
        (1, true) => Size::new(5, 4),
        (_, false) => Size::new(7, 3),
        (_, true) => Size::new(11, 7),
    }
}

/// Writes the numbers of columns above them, and of rows to their left, where the sheet has room for labels.
pub(super) fn number(sheet: &mut Sheet) {
    let (lattice, style) = (Lattice::on(sheet.format()), sheet.skin().style(Role::Dim));
    let SheetFormat { across, down } = lattice.format;
    for col in (0..across.count).filter(|_| down.labels > 0) {
        let (x, _) = lattice.dot(At::new(0, col));
        sheet.text(x + 1 - digits(col) as u16, 0, &col.to_string(), style);
    }
    let digits = digits(down.count);
    for row in (0..down.count).filter(|_| across.labels > 0) {
        let (_, y) = lattice.dot(At::new(row, 0));
        sheet.text(0, y, &format!("{row:>digits$}"), style);
    }
}
