//! One direction of a sheet, across or down: what stands along it, and which part of that is seen
//! through a window that may be too small.

use std::ops::Range;

/// Labels, a pad, cells with gaps between them, and another pad, one after the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Axis {
    /// Room for the labels.
    pub labels: u16,
    /// Room before and after the cells for what belongs to the first and to the last one.
    pub pads: [u16; 2],
    /// How many cells there are.
    pub count: u16,
    /// How long a cell is.
    pub cell: u16,
    /// How long the gap between two of them is.
    pub gap: u16,
}

/// So much of the cells comes before the labels and all else where there is not room for everything:
/// the boards that most matches are played on are this high.
const FIRST: u16 = 7;

impl Axis {
    /// An axis without labels and without cells that must not be cut.
    pub const fn plain(length: u16) -> Axis {
        Axis { labels: 0, pads: [0; 2], count: length, cell: 1, gap: 0 }
    }

    /// How long all of it is.
    pub const fn length(self) -> u16 {
        self.labels + self.pads[0] + self.span(self.count) + self.pads[1]
    }

    /// The same with other pads where there is room for all of it.
    pub(super) fn padded(self, pads: [u16; 2], room: u16) -> Axis {
        let padded = Axis { pads, ..self };
        if padded.length() <= room { padded } else { self }
    }

    /// Where a cell begins.
    pub const fn at(self, index: u16) -> u16 {
        self.labels + self.pads[0] + index * (self.cell + self.gap)
    }

    /// How long so many cells are with the gaps between them.
    const fn span(self, cells: u16) -> u16 {
        (cells * (self.cell + self.gap)).saturating_sub(self.gap)
    }

    /// What is seen in `room` cells of the screen from `start`, with `focus` in sight. The labels and
    /// the pads stay at the ends, and only the cells between them scroll. Where there is not room for
    /// everything, a few cells come first, then the pads, the labels, the bar that is asked for
    /// beyond the end, and all other cells.
    pub(super) fn through(self, start: u16, room: u16, focus: &Range<u16>, bar: bool) -> Seen {
        let whole = self.span(self.count);
        let mut spare = room - room.min(whole).min(FIRST);
        let mut give = |wish: u16| {
            let given = if wish <= spare { wish } else { 0 };
            spare -= given;
            given
        };
        let pads = if give(self.pads[0] + self.pads[1]) > 0 { self.pads } else { [0; 2] };
        let labels = give(self.labels);
        let bar = give(bar.into());
        let body = self.scroll(room - labels - pads[0] - pads[1] - bar, focus);
        let used = labels + pads[0] + body.len() as u16 + pads[1] + bar;
        let mut at = start + (room - used) / 2;
        let first = self.at(0);
        let strips = [
            (0, labels),
            (self.labels, pads[0]),
            (first + body.start, body.len() as u16),
            (first + whole, pads[1]),
        ];
        let strips = strips.map(|(from, length)| {
            at += length;
            Strip { from, length, at: at - length }
        });
        Seen { strips, whole, body, bar: (bar > 0).then_some(at), used }
    }

    /// Which part of the cells to show in so much room: whole ones, unless there is not even room for
    /// the focus. It moves by half windows, so that it stands still for most keys.
    fn scroll(self, room: u16, focus: &Range<u16>) -> Range<u16> {
        let whole = self.span(self.count);
        if whole <= room {
            return 0..whole;
        }
        let pitch = self.cell + self.gap;
        let within = |at: u16| at.saturating_sub(self.at(0)).min(whole);
        let focus = within(focus.start)..within(focus.end);
        let cells = (room + self.gap) / pitch;
        let first = focus.start / pitch;
        let last = focus.end.saturating_sub(self.cell).div_ceil(pitch).max(first);
        if last - first >= cells {
            let middle = focus.start + focus.len() as u16 / 2;
            let from = middle.saturating_sub(room / 2).min(whole - room);
            return from..from + room;
        }
        let half = (cells / 2).max(1);
        let from = (first / half * half).saturating_sub(half / 2);
        let from = from.max((last + 1).saturating_sub(cells)).min(self.count - cells) * pitch;
        from..from + self.span(cells)
    }
}

/// A part of an axis, and where on the screen it is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Strip {
    pub from: u16,
    pub length: u16,
    pub at: u16,
}

/// What is seen of an axis.
#[derive(Clone, Debug)]
pub(super) struct Seen {
    strips: [Strip; 4],
    /// How long all cells are, and which part of that is seen.
    whole: u16,
    body: Range<u16>,
    /// Where on the screen the bar beyond the end is.
    pub bar: Option<u16>,
    /// How much of the screen it takes.
    pub used: u16,
}

impl Seen {
    /// The strip of the cells.
    pub const fn cells(&self) -> Strip {
        self.strips[2]
    }

    /// Whether there are cells out of sight.
    pub fn is_cut(&self) -> bool {
        self.body != (0..self.whole)
    }

    /// Where on the screen this is.
    pub fn on_screen(&self, at: u16) -> Option<u16> {
        let strip = |strip: &&Strip| (strip.from..strip.from + strip.length).contains(&at);
        self.strips.iter().find(strip).map(|strip| strip.at + (at - strip.from))
    }

    /// What is at this place of the screen.
    pub fn on_sheet(&self, at: u16) -> Option<u16> {
        let strip = |strip: &&Strip| (strip.at..strip.at + strip.length).contains(&at);
        self.strips.iter().find(strip).map(|strip| strip.from + (at - strip.at))
    }

    /// The part of a scroll bar as long as the cells in sight that stands for them. It touches an end
    /// of the bar only where it has come to that end.
    pub fn thumb(&self) -> Range<u16> {
        let (whole, seen) = (u32::from(self.whole.max(1)), self.body.len() as u32);
        let start = (u32::from(self.body.start) * seen).div_ceil(whole) as u16;
        let end = ((u32::from(self.body.end) * seen / whole) as u16).max(1);
        start.min(end - 1)..end
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DICE: Axis = Axis { labels: 2, pads: [1; 2], count: 26, cell: 3, gap: 0 };
    const DOTS: Axis = Axis { labels: 0, pads: [0; 2], count: 20, cell: 1, gap: 3 };

    #[test]
    fn what_fits_is_centred() {
        let axis = Axis { count: 5, ..DICE };
        let seen = axis.through(3, 30, &(4..7), false);
        assert_eq!((seen.used, seen.is_cut()), (19, false));
        for at in 0..19 {
            assert_eq!(seen.on_screen(at), Some(3 + 5 + at));
        }
        assert_eq!(seen.on_screen(19), None);
    }

    #[test]
    fn the_focus_is_in_sight_wherever_there_is_room_for_it() {
        for axis in [DICE, DOTS, Axis::plain(50)] {
            for (room, index) in (1..90).flat_map(|room| (0..axis.count).map(move |i| (room, i))) {
                let (cell, gap) = (axis.at(index), axis.at(index) + axis.cell);
                for focus in [cell..gap, gap..gap + axis.gap] {
                    if focus.is_empty() || focus.end >= axis.length() {
                        continue;
                    }
                    let seen = axis.through(0, room, &focus, true);
                    let hidden = focus.clone().filter(|&at| seen.on_screen(at).is_none()).count();
                    let least = focus.len().saturating_sub(room.into());
                    assert!(hidden <= least, "{axis:?} {room} {focus:?}");
                    assert!(seen.used <= room);
                }
            }
        }
    }

    #[test]
    fn cells_are_seen_whole_between_labels_that_stay() {
        for (room, index) in (12..82).flat_map(|room| (0..26).map(move |index| (room, index))) {
            let seen = DICE.through(0, room, &(DICE.at(index)..DICE.at(index) + 3), true);
            let shown = [0, 1, 2, 81].map(|at| seen.on_screen(at));
            let first = seen.on_screen(0).unwrap();
            let last = first + seen.used - 1;
            assert_eq!(shown, [first, first + 1, first + 2, last - 1].map(Some));
            assert_eq!(seen.bar, Some(last));
            assert_eq!((seen.cells().from % 3, seen.cells().length % 3), (DICE.at(0) % 3, 0));
        }
    }

    #[test]
    fn where_room_is_short_cells_come_before_pads_and_labels_and_the_bar() {
        for axis in [DICE, Axis { count: 5, ..DICE }, Axis { cell: 1, count: 7, ..DICE }] {
            let parts = |room| {
                let seen = axis.through(0, room, &(4..7), true);
                [seen.on_screen(2), seen.on_screen(0), seen.bar].map(|part| part.is_some())
            };
            assert_eq!(parts(12), [true, true, true]);
            assert_eq!(parts(11), [true, true, false]);
            assert_eq!(parts(9), [true, false, false]);
            assert_eq!(parts(8), [false, false, true]);
            assert_eq!(parts(7), [false, false, false]);
        }
    }

    #[test]
    fn the_thumb_touches_only_the_ends_that_are_in_sight() {
        for (room, index) in (2..50).flat_map(|room| (0..50).map(move |index| (room, index))) {
            let seen = Axis::plain(50).through(0, room, &(index..index + 1), false);
            let thumb = seen.thumb();
            assert!(!thumb.is_empty() && thumb.end <= room);
            if room > 14 {
                assert_eq!(thumb.start == 0, seen.body.start == 0, "{room} {index}");
                assert_eq!(thumb.end == room, seen.body.end == 50, "{room} {index}");
            }
        }
    }
}
