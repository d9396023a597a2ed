//! A lattice of dots as large as the space allows, with each dot at the center of a field.

use super::SheetFormat;
use ratatui::layout::Size;

/// The distances between dots in columns and rows, widest first. Cells are about twice as high as they are wide.
const SPACINGS: [(u16, u16); 9] =
    [(28, 14), (24, 12), (20, 10), (16, 8), (12, 6), (10, 5), (8, 4), (6, 3), (4, 2)];

/// Returns the format of the widest lattice that fits into `room`, or of the narrowest lattice if none fits. If
/// `has_badges`, dots have space for badges.
pub(super) fn fit(counts: [u8; 2], labels: Size, has_badges: bool, room: Size) -> SheetFormat {
    let formats = |(dx, dy): (u16, u16)| {
        fields(dy, has_badges).iter().map(move |&(width, height)| {
            let gap = Size::new(dx - width, dy - height);
            SheetFormat::even(counts, labels, Size { width, height }, gap)
        })
    };
    let all: Vec<SheetFormat> = SPACINGS.into_iter().flat_map(formats).collect();
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

/// Returns the width of a dot in a field of this height, in units at a weight of 1: an odd number, which is centered on
/// a line of one unit.
pub(super) const fn dot(weight: u16, field: u16) -> u16 {
    match (weight, field) {
        (1, 3) => 5,
        _ => 3,
    }
}

/// Returns the possible sizes of a dot's field in columns and rows, largest first. The field has space for a badge;
/// without badges, dots that are far apart are large if there is room.
const fn fields(dy: u16, has_badges: bool) -> &'static [(u16, u16)] {
    match (weight(dy), has_badges) {
        (0, false) => &[(1, 1)],
        (0, true) => &[(3, 1)],
        (1, false) if dy < 8 => &[(3, 2)],
        (1, false) => &[(5, 3), (3, 2)],
        (1, true) => &[(5, 4)],
        (_, false) => &[(7, 3)],
        (_, true) => &[(11, 7)],
    }
}
