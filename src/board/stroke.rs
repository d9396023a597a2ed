//! Straight lines in Braille dots, of which a cell has 2 × 4, about as far apart across as down.

use super::Sheet;
use ratatui::layout::Rect;
use ratatui::style::{Color, Style};
use ratatui::widgets::Widget;
use ratatui::widgets::canvas::{Canvas, Points};

/// The cell that a Braille dot is in.
pub(super) const fn cell((x, y): (i32, i32)) -> (u16, u16) {
    ((x / 2) as u16, (y / 4) as u16)
}

/// A straight line on a sheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stroke {
    /// The Braille dots it joins.
    pub ends: [(i32, i32); 2],
    /// 1 draws every dot of it, 2 every other one, and so on.
    pub every: usize,
    /// Whether it is twice as thick.
    pub thick: bool,
    /// How its cells look.
    pub style: Style,
}

impl Stroke {
    /// The Braille dot in which two lines meet, none if they do not.
    pub fn meets(&self, other: &Stroke) -> Option<(i32, i32)> {
        let [(ax, ay), (bx, by)] = self.ends.map(|(x, y)| (i64::from(x), i64::from(y)));
        let [(cx, cy), (dx, dy)] = other.ends.map(|(x, y)| (i64::from(x), i64::from(y)));
        let side = |x: i64, y: i64| (dx - cx) * (y - cy) - (dy - cy) * (x - cx);
        // The part of the way to the other end at which this line is on the other one.
        let (part, whole) = (side(ax, ay), side(ax, ay) - side(bx, by));
        let at =
            |from: i64, to: i64| Some((from + ((to - from) * part).checked_div(whole)?) as i32);
        let within = part.signum() * whole.signum() >= 0 && part.abs() <= whole.abs();
        if within { at(ax, bx).zip(at(ay, by)) } else { None }
    }

    fn dots(&self) -> impl Iterator<Item = (i32, i32)> {
        let [(x, y), (to_x, to_y)] = self.ends;
        let (dx, dy) = (to_x - x, to_y - y);
        let length = dx.abs().max(dy.abs()).max(1);
        let beside = if dx.abs() > dy.abs() { (0, 1) } else { (1, 0) };
        let along = move |step: i32, d: i32| (2 * d * step + length).div_euclid(2 * length);
        let middle = (0..=length).step_by(self.every.max(1));
        let middle = middle.map(move |step| (x + along(step, dx), y + along(step, dy)));
        let thick = self.thick;
        middle.flat_map(move |(x, y)| {
            [(x, y), (x + beside.0, y + beside.1)].into_iter().take(1 + usize::from(thick))
        })
    }
}

/// Draws lines on a sheet. Where two share a cell, all dots show, in the style of the later one.
pub(super) fn draw(sheet: &mut Sheet, strokes: &[Stroke]) {
    let seen = sheet.visible();
    if seen.is_empty() {
        return;
    }
    let (left, right) = (2 * i32::from(seen.x), 2 * i32::from(seen.right()) - 1);
    let (top, bottom) = (4 * i32::from(seen.y), 4 * i32::from(seen.bottom()) - 1);
    let in_sight =
        |&(x, y): &(i32, i32)| (left..=right).contains(&x) && (top..=bottom).contains(&y);
    let dots = |stroke: &Stroke| stroke.dots().filter(in_sight).collect::<Vec<_>>();
    let drawn: Vec<_> = strokes.iter().map(|stroke| (dots(stroke), stroke.style)).collect();
    // The canvas counts upwards. Its bounds are the dots in sight, so that it rounds nothing.
    let upwards = |&(x, y): &(i32, i32)| (f64::from(x), f64::from(-y));
    let coords: Vec<_> = drawn.iter().flat_map(|(dots, _)| dots.iter().map(upwards)).collect();
    let skin = sheet.skin();
    let (buffer, area) = sheet.raw();
    Canvas::default()
        .background_color(skin.paper().bg.unwrap_or(Color::Reset))
        .x_bounds([left.into(), right.into()])
        .y_bounds([(-bottom).into(), (-top).into()])
        .paint(|canvas| canvas.draw(&Points { coords: &coords, color: Color::Reset }))
        .render(area, buffer);
    for (dots, style) in drawn {
        for (x, y) in dots.into_iter().map(cell) {
            sheet.restyle(Rect { x, y, width: 1, height: 1 }, skin.afresh(style));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Format, Skin};
    use ratatui::buffer::Buffer;
    use ratatui::layout::{Position, Size};

    fn stroke(ends: [(i32, i32); 2]) -> Stroke {
        Stroke { ends, every: 1, thick: false, style: Style::new() }
    }

    #[test]
    fn a_stroke_goes_from_end_to_end_without_a_gap() {
        for end in [(9, 4), (-9, 4), (3, -8), (0, 5), (7, 0), (5, 5), (0, 0)] {
            let dots: Vec<_> = stroke([(2, 3), (2 + end.0, 3 + end.1)]).dots().collect();
            assert_eq!(dots[0], (2, 3));
            assert_eq!(dots[dots.len() - 1], (2 + end.0, 3 + end.1));
            let near = |(a, b): (&(i32, i32), &(i32, i32))| {
                (a.0 - b.0).abs() <= 1 && (a.1 - b.1).abs() <= 1
            };
            assert!(dots.iter().zip(&dots[1..]).all(near));
        }
    }

    #[test]
    fn strokes_meet_where_they_cross() {
        let [across, down] = [stroke([(0, 10), (20, 10)]), stroke([(5, 0), (5, 40)])];
        assert_eq!(across.meets(&down), Some((5, 10)));
        assert_eq!(down.meets(&across), Some((5, 10)));
        assert_eq!(across.meets(&stroke([(0, 12), (20, 12)])), None, "side by side");
        assert_eq!(down.meets(&stroke([(0, 90), (20, 90)])), None, "short of it");
    }

    /// A window shows the very cells that the whole sheet has there.
    #[test]
    fn strokes_look_alike_through_a_window() {
        let size = Size::new(40, 20);
        let bold = Style::new().bold();
        let strokes = [
            stroke([(0, 0), (79, 79)]),
            Stroke { thick: true, style: bold, ..stroke([(3, 70), (70, 11)]) },
            Stroke { every: 3, ..stroke([(79, 0), (0, 40)]) },
        ];
        let through = |room: Size, focus: Rect| {
            let mut buffer = Buffer::empty(Rect::from((Position::ORIGIN, room)));
            let area = buffer.area;
            let mut sheet =
                Sheet::lay(&mut buffer, area, Format::plain(size), focus, Skin::default());
            draw(&mut sheet, &strokes);
            (sheet.visible(), sheet.raw().1, buffer)
        };
        let (_, _, whole) = through(size, Rect::default());
        for focus in Rect::from((Position::ORIGIN, size)).positions() {
            let (seen, window, part) =
                through(Size::new(9, 5), Rect { x: focus.x, y: focus.y, width: 1, height: 1 });
            for (place, there) in window.positions().zip(seen.positions()) {
                assert_eq!(part[place], whole[there]);
            }
        }
    }
}
