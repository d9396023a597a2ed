//! A lattice of dots, as large as the room allows, each dot in the centre of a field.

use super::SheetFormat;
use ratatui::layout::Size;

/// Columns and rows between dots, widest first. Cells are about twice as high as wide.
const SPACINGS: [(u16, u16); 9] =
    [(28, 14), (24, 12), (20, 10), (16, 8), (12, 6), (10, 5), (8, 4), (6, 3), (4, 2)];

/// Returns the format of the widest lattice that fits into `room`, or else of the narrowest, with space for badges
/// around the dots if it `has_badges`.
pub(super) fn fit(counts: [u8; 2], labels: Size, has_badges: bool, room: Size) -> SheetFormat {
    let all = SPACINGS.map(|(dx, dy)| {
        let field = field(dy, has_badges);
        let gap = Size::new(dx - field.width, dy - field.height);
        SheetFormat::even(counts, labels, field, gap)
    });
    SheetFormat::fit(&all, room)
}

/// Returns the weight of lines and dots for this row spacing: the height of a horizontal line in pixels, or 0 for
/// glyphs.
pub(super) const fn weight(dy: u16) -> u16 {
    match dy {
        0..6 => 0,
        6..12 => 1,
        12.. => 2,
    }
}

/// Returns the width of a dot in units, for a weight of 1, at this row spacing. Four units look round, and so do three
/// drawn at twice the size. Dots are small if there are badges.
pub(super) const fn dot(dy: u16, has_badges: bool) -> u16 {
    match dy {
        8..12 if !has_badges => 4,
        _ => 3,
    }
}

/// Returns the size of a dot's field, which also holds its badge.
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
