//! A lattice of dots: as far apart as the room allows, each in the middle of a field.

use super::SheetFormat;
use ratatui::layout::Size;

/// The columns and rows from dot to dot in use, widest first. Cells are about twice as high as wide.
const SPACINGS: [(u16, u16); 9] =
    [(28, 14), (24, 12), (20, 10), (16, 8), (12, 6), (10, 5), (8, 4), (6, 3), (4, 2)];

/// The format of the widest lattice of this many dots that fits into the room, or else of the narrowest, with room round
/// the dots for badges if it `has_badges`.
pub(super) fn fit(counts: [u8; 2], labels: Size, has_badges: bool, room: Size) -> SheetFormat {
    let all = SPACINGS.map(|(dx, dy)| {
        let field = field(dy, has_badges);
        let gap = Size::new(dx - field.width, dy - field.height);
        SheetFormat::even(counts, labels, field, gap)
    });
    SheetFormat::fit(&all, room)
}

/// How heavy lines and dots are where rows are this far apart: 0 where glyphs draw them, else how many pixels high a line
/// along a row is.
pub(super) const fn weight(dy: u16) -> u16 {
    match dy {
        0..6 => 0,
        6..12 => 1,
        12.. => 2,
    }
}

/// How many units a dot is across, for a weight of 1, where rows are this far apart. Four are round, and so are three
/// drawn twice as large. Beside badges dots are small.
pub(super) const fn dot(dy: u16, has_badges: bool) -> u16 {
    match dy {
        8..12 if !has_badges => 4,
        _ => 3,
    }
}

/// The field of a dot: room for the dot, or for its badge.
const fn field(dy: u16, has_badges: bool) -> Size {
    match (weight(dy), has_badges) {
        (0, false) => Size::new(1, 1),
        (0, true) => Size::new(3, 1),
        (1, false) if dot(dy, has_badges) == 3 => Size::new(3, 2),
        (1, false) => Size::new(5, 2),
        (1, true) => Size::new(5, 4),
        (_, false) => Size::new(7, 3),
        (_, true) => Size::new(11, 7),
    }
}
