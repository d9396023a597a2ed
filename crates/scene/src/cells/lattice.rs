//! A lattice of dots as large as the space allows, with each dot at the centre of a field.

use super::SheetFormat;
use ratatui::layout::Size;

/// The distances between dots in columns and rows, widest first. Cells are about twice as high as they are wide.
const SPACINGS: [(u16, u16); 9] =
    [(28, 14), (24, 12), (20, 10), (16, 8), (12, 6), (10, 5), (8, 4), (6, 3), (4, 2)];

/// Returns the format of the widest lattice that fits into `room`, or of the narrowest lattice if none fits. If
/// `has_badges`, dots have space for badges.
pub(super) fn fit(counts: [u8; 2], labels: Size, has_badges: bool, room: Size) -> SheetFormat {
    let all = SPACINGS.map(|(dx, dy)| {
        let field = field(dy, has_badges);
        let gap = Size::new(dx - field.width, dy - field.height);
        SheetFormat::even(counts, labels, field, gap)
    });
    SheetFormat::fit(&all, room)
}

/// Returns the weight of lines and dots at this row spacing: the height of a horizontal line in pixels, or 0 if the
/// board is drawn in glyphs.
pub(super) const fn weight(dy: u16) -> u16 {
    match dy {
        0..6 => 0,
        6..12 => 1,
        12.. => 2,
    }
}

/// Returns the width of a dot at this row spacing, in units at a weight of 1: an odd number, which is centred on a line
/// of one unit. Beside badges, dots are small.
pub(super) const fn dot(dy: u16, has_badges: bool) -> u16 {
    match dy {
        8..12 if !has_badges => 5,
        _ => 3,
    }
}

/// Returns the size of a dot's field, which has space for a badge.
const fn field(dy: u16, has_badges: bool) -> Size {
    match (weight(dy), has_badges) {
        (0, false) => Size::new(1, 1),
        (0, true) => Size::new(3, 1),
        (1, false) => Size::new(dot(dy, has_badges), dot(dy, has_badges).div_ceil(2)),
        (1, true) => Size::new(5, 4),
        (_, false) => Size::new(7, 3),
        (_, true) => Size::new(11, 7),
    }
}
