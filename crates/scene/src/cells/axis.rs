//! One axis of a sheet: its labels and fields, and the part of them that is visible in a window. A field is a tile or
//! the space around a dot. Lengths are in screen cells.

use std::ops::Range;

/// The labels, a pad, the fields separated by gaps, and a second pad, in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Axis {
    pub labels: u16,
    /// The space before the first field and after the last one, for pointers and move labels.
    pub pads: [u16; 2],
    pub count: u16,
    pub field: u16,
    pub gap: u16,
}

/// The length of fields to show before labels and pads get any space: the height of a typical board.
const MIN_SHOWN: u16 = 7;

impl Axis {
    /// Creates an axis without labels, which can be cut anywhere.
    pub const fn plain(length: u16) -> Axis {
        Axis { labels: 0, pads: [0; 2], count: length, field: 1, gap: 0 }
    }

    pub const fn length(self) -> u16 {
        self.labels + self.pads[0] + self.span(self.count) + self.pads[1]
    }

    /// Returns the axis with these pads if it then fits into `room`, otherwise unchanged.
    pub(super) fn padded(self, pads: [u16; 2], room: u16) -> Axis {
        let padded = Axis { pads, ..self };
        if padded.length() <= room { padded } else { self }
    }

    pub const fn pitch(self) -> u16 {
        self.field + self.gap
    }

    pub const fn at(self, index: u16) -> u16 {
        self.labels + self.pads[0] + index * self.pitch()
    }

    /// Returns the length of this many fields, including the gaps between them.
    const fn span(self, fields: u16) -> u16 {
        (fields * self.pitch()).saturating_sub(self.gap)
    }

    /// Returns the part that is visible in `room` screen cells from `start`, keeping `focus` visible. Labels and pads
    /// stay at the ends; only the fields scroll. If space is short, a few fields come first, then the pads, the labels,
    /// the scroll bar if `bar` is set, and the remaining fields.
    pub(super) fn view(self, start: u16, room: u16, focus: &Range<u16>, bar: bool) -> AxisView {
        let whole = self.span(self.count);
        let mut spare = room - room.min(whole).min(MIN_SHOWN);
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
        AxisView { strips, whole, body, bar: (bar > 0).then_some(at), used }
    }

    /// Returns the range of fields to show: whole fields, unless even the focus does not fit. Scrolls by half a window,
    /// so the view rarely moves.
    fn scroll(self, room: u16, focus: &Range<u16>) -> Range<u16> {
        let whole = self.span(self.count);
        if whole <= room {
            return 0..whole;
        }
        let pitch = self.pitch();
        let within = |at: u16| at.saturating_sub(self.at(0)).min(whole);
        let focus = within(focus.start)..within(focus.end);
        let fields = (room + self.gap) / pitch;
        let first = focus.start / pitch;
        let last = focus.end.saturating_sub(self.field).div_ceil(pitch).max(first);
        if last - first >= fields {
            let middle = focus.start + focus.len() as u16 / 2;
            let from = middle.saturating_sub(room / 2).min(whole - room);
            return from..from + room;
        }
        let half = (fields / 2).max(1);
        let from = (first / half * half).saturating_sub(half / 2);
        let from = from.max((last + 1).saturating_sub(fields)).min(self.count - fields) * pitch;
        from..from + self.span(fields)
    }
}

/// A part of an axis, with its start on the axis (`from`) and on the screen (`at`).
#[derive(Clone, Copy, Debug)]
pub(super) struct Strip {
    pub from: u16,
    pub length: u16,
    pub at: u16,
}

#[derive(Clone, Debug)]
pub(super) struct AxisView {
    strips: [Strip; 4],
    /// The total length of all fields, and the visible range.
    whole: u16,
    body: Range<u16>,
    /// The screen position of the scroll bar, after the end of the axis.
    pub bar: Option<u16>,
    /// The number of screen cells used, including the scroll bar.
    pub used: u16,
}

impl AxisView {
    pub const fn fields(&self) -> Strip {
        self.strips[2]
    }

    pub fn is_cut(&self) -> bool {
        self.body != (0..self.whole)
    }

    /// Converts a position on the axis to the screen; `None` if it is not visible.
    pub fn on_screen(&self, at: u16) -> Option<u16> {
        let strip = |strip: &&Strip| (strip.from..strip.from + strip.length).contains(&at);
        self.strips.iter().find(strip).map(|strip| strip.at + (at - strip.from))
    }

    /// Converts a position on the screen to the axis; `None` if it is outside.
    pub fn on_sheet(&self, at: u16) -> Option<u16> {
        let strip = |strip: &&Strip| (strip.at..strip.at + strip.length).contains(&at);
        self.strips.iter().find(strip).map(|strip| strip.from + (at - strip.at))
    }

    /// Returns the thumb of a scroll bar that is as long as the visible fields. The thumb touches an end of the bar
    /// only if that end of the board is visible.
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

    const DICE: Axis = Axis { labels: 2, pads: [1; 2], count: 26, field: 3, gap: 0 };
    const DOTS: Axis = Axis { labels: 0, pads: [0; 2], count: 20, field: 1, gap: 3 };

    #[test]
    fn a_board_that_fits_is_centred() {
        let axis = Axis { count: 5, ..DICE };
        let seen = axis.view(3, 30, &(4..7), false);
        assert_eq!((seen.used, seen.is_cut()), (19, false));
        for at in 0..19 {
            assert_eq!(seen.on_screen(at), Some(3 + 5 + at));
        }
        assert_eq!(seen.on_screen(19), None);
    }

    #[test]
    fn focus_is_visible_where_it_fits() {
        for axis in [DICE, DOTS, Axis::plain(50)] {
            for (room, index) in (1..90).flat_map(|room| (0..axis.count).map(move |i| (room, i))) {
                let (field, gap) = (axis.at(index), axis.at(index) + axis.field);
                for focus in [field..gap, gap..gap + axis.gap] {
                    if focus.is_empty() || focus.end >= axis.length() {
                        continue;
                    }
                    let seen = axis.view(0, room, &focus, true);
                    let hidden = focus.clone().filter(|&at| seen.on_screen(at).is_none()).count();
                    let least = focus.len().saturating_sub(room.into());
                    assert!(hidden <= least, "{axis:?} {room} {focus:?}");
                    assert!(seen.used <= room);
                }
            }
        }
    }

    #[test]
    fn fields_scroll_whole_between_labels() {
        for (room, index) in (12..82).flat_map(|room| (0..26).map(move |index| (room, index))) {
            let seen = DICE.view(0, room, &(DICE.at(index)..DICE.at(index) + 3), true);
            let shown = [0, 1, 2, 81].map(|at| seen.on_screen(at));
            let first = seen.on_screen(0).unwrap();
            let last = first + seen.used - 1;
            assert_eq!(shown, [first, first + 1, first + 2, last - 1].map(Some));
            assert_eq!(seen.bar, Some(last));
            assert_eq!((seen.fields().from % 3, seen.fields().length % 3), (DICE.at(0) % 3, 0));
        }
    }

    #[test]
    fn narrow_view_drops_pads_labels_and_bar_before_fields() {
        for axis in [DICE, Axis { count: 5, ..DICE }, Axis { field: 1, count: 7, ..DICE }] {
            let parts = |room| {
                let seen = axis.view(0, room, &(4..7), true);
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
    fn scroll_thumb_touches_only_visible_ends() {
        for (room, index) in (2..50).flat_map(|room| (0..50).map(move |index| (room, index))) {
            let seen = Axis::plain(50).view(0, room, &(index..index + 1), false);
            let thumb = seen.thumb();
            assert!(!thumb.is_empty() && thumb.end <= room);
            if room > 14 {
                assert_eq!(thumb.start == 0, seen.body.start == 0, "{room} {index}");
                assert_eq!(thumb.end == room, seen.body.end == 50, "{room} {index}");
            }
        }
    }
}
