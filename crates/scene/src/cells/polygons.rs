//! Areas between scattered points: a pale fill of whole cells, an outline of Braille dots, and the owner's letter at a
//! visible position.

use super::braille::{self, BrailleLine};
use super::canvas::{Layer, Paint, PixelCanvas, PixelRect};
use super::heavy;
use super::letters;
use super::numbers::Occupied;
use crate::{LineStyle, Role, SeatRole, Skin};
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;

#[derive(Debug)]
pub(super) struct Painted {
    /// The corners in Braille dots.
    corners: Vec<(i32, i32)>,
    cells: Rect,
    pub fill: Layer,
    letter: char,
    role: Role,
    edge: Style,
}

pub(super) type SmallLetter = (Position, char, Style);

/// The number of Braille dots of a cell, of eight, that must be inside an area for the cell to be filled.
const MIN_DOTS: i32 = 4;

/// Fills the area with these corners in Braille dots, cell by cell. An incomplete area is painted at a smaller scale.
pub(super) fn paint(
    canvas: &mut PixelCanvas,
    corners: &[(i32, i32)],
    shown: f32,
    letter: char,
    role: Role,
    skin: Skin,
) -> Option<Painted> {
    let corners = if shown < 1.0 { scaled(corners, shown) } else { corners.to_vec() };
    let style = skin.area(role);
    // Without colors, the outline and the letter show the area.
    let is_plain = style.fg.is_none() && style.bg.is_none();
    let fill = canvas.layer(Paint::face(style).unwrap_or_else(|| {
        let hatch = match skin.glyphs().hatch {
            _ if is_plain => ' ',
            _ if skin.is_ascii() => letter.to_ascii_lowercase(),
            hatch => hatch,
        };
        Paint::Hatch(style, hatch)
    }));
    let ends = |axis: fn(&(i32, i32)) -> i32| {
        let all = || corners.iter().map(axis);
        Some((all().min()?, all().max()?))
    };
    let ((left, right), (top, bottom)) = (ends(|at| at.0)?, ends(|at| at.1)?);
    let [from, to] = [(left, top), (right, bottom)].map(braille::cell);
    let cells = Rect { x: from.x, y: from.y, width: to.x - from.x + 1, height: to.y - from.y + 1 };
    let seen = canvas.region;
    for Rect { y, .. } in cells.rows().filter(|row| row.intersects(seen)) {
        let mut inside = vec![0; usize::from(cells.width)];
        for dot_y in 4 * i32::from(y)..4 * i32::from(y) + 4 {
            for pair in crossings(&corners, dot_y).chunks_exact(2) {
                for x in pair[0].ceil() as i32..=pair[1].floor() as i32 {
                    inside[(x / 2 - i32::from(cells.x)) as usize] += 1;
                }
            }
        }
        for (x, _) in (cells.x..).zip(inside).filter(|(_, inside)| *inside >= MIN_DOTS) {
            canvas.fill(PixelRect::of(Rect { x, y, width: 1, height: 1 }), fill);
        }
    }
    Some(Painted { corners, cells, fill, letter, role, edge: edge(role, skin) })
}

/// Returns the style of an area's outline.
fn edge(role: Role, skin: Skin) -> Style {
    match role {
        // The owner's colour would not stand out from a fill of the same color.
        Role::Of(..) if skin.uses_terminal_colours() && skin.area(role).bg.is_some() => {
            skin.strong()
        }
        Role::Of(SeatRole::WonArea, seat) => skin.style(Role::Of(SeatRole::LastLine, seat)),
        Role::Of(_, seat) => skin.style(Role::Of(SeatRole::Line, seat)),
        role => skin.style(role),
    }
}

/// Returns the x coordinates at which the boundary crosses a row of pixels, in ascending order.
fn crossings(corners: &[(i32, i32)], y: i32) -> Vec<f32> {
    let next = corners.iter().cycle().skip(1);
    let crossing = |(&(ax, ay), &(bx, by)): (&(i32, i32), &(i32, i32))| {
        let ((ax, ay), (bx, by)) =
            if ay < by { ((ax, ay), (bx, by)) } else { ((bx, by), (ax, ay)) };
        (ay <= y && y < by).then(|| ax as f32 + ((y - ay) * (bx - ax)) as f32 / (by - ay) as f32)
    };
    let mut all: Vec<f32> = corners.iter().zip(next).filter_map(crossing).collect();
    all.sort_by(f32::total_cmp);
    all
}

/// Scales a polygon about the mean of its corners.
fn scaled(corners: &[(i32, i32)], shown: f32) -> Vec<(i32, i32)> {
    let count = corners.len().max(1) as i32;
    let sum = |axis: fn(&(i32, i32)) -> i32| corners.iter().map(axis).sum::<i32>() / count;
    let middle = (sum(|at| at.0), sum(|at| at.1));
    let scale = |at: i32, middle: i32| middle + ((at - middle) as f32 * shown).round() as i32;
    corners.iter().map(|at| (scale(at.0, middle.0), scale(at.1, middle.1))).collect()
}

impl Painted {
    /// Returns the lines around the area.
    pub fn outline(&self, line_style: LineStyle) -> impl Iterator<Item = BrailleLine> {
        let ends = self.corners.iter().zip(self.corners.iter().cycle().skip(1));
        ends.map(move |(from, to)| BrailleLine {
            ends: [*from, *to],
            line_style,
            shown: 1.0,
            style: self.edge,
        })
    }

    /// Writes the letter where most of the surrounding area is visible, as a large letter if `scale` is not 0 and there
    /// is enough space. If there is space for only one cell, returns the letter instead. If no cell is left, the letter
    /// goes next to the area.
    pub fn letter(
        &self,
        canvas: &mut PixelCanvas,
        occupied: &Occupied,
        scale: i32,
        skin: Skin,
    ) -> Option<SmallLetter> {
        let style = heavy::letter_style(self.role, skin);
        let place = self.roomiest(canvas, occupied);
        if let Some((at, room)) = place {
            let (width, _) = letters::dots(self.letter);
            // The size in cells, with a margin of one cell on each side.
            let needed = (i32::from(width) * scale + 1) / 2 + 1;
            if scale > 0 && room >= needed {
                let cell = PixelRect::of(Rect { x: at.x, y: at.y, width: 1, height: 1 });
                heavy::write(canvas, cell, self.letter, scale, style);
                return None;
            }
            return Some((at, self.letter, skin.last(style)));
        }
        let near = self.near(canvas, occupied)?;
        let ink = match self.role {
            Role::Of(_, seat) => skin.seat(seat),
            role => skin.style(role),
        };
        Some((near, self.letter, skin.last(ink)))
    }

    /// Returns the cell farthest from the boundary of the visible part, and its distance in columns. A row counts as
    /// two columns.
    fn roomiest(&self, canvas: &PixelCanvas, occupied: &Occupied) -> Option<(Position, i32)> {
        let cells = self.cells.intersection(canvas.region);
        let (width, height) = (usize::from(cells.width), usize::from(cells.height));
        let is_free = |at: Position| canvas.at(at) == Some([self.fill; 4]) && occupied.is_free(at);
        // One extra cell on each side, marked as occupied.
        let stride = width + 2;
        let mut far = vec![0_i32; stride * (height + 2)];
        for (row, y) in (1..).zip(cells.top()..cells.bottom()) {
            for (column, x) in (1..).zip(cells.left()..cells.right()) {
                let at = row * stride + column;
                if is_free(Position { x, y }) {
                    let back = [at - 1, at - stride - 1, at - stride, at - stride + 1];
                    let [beside, above @ ..] = back.map(|at| far[at]);
                    far[at] = above.into_iter().map(|far| far + 2).fold(beside + 1, i32::min);
                }
            }
        }
        for at in (stride..stride * (height + 1)).rev() {
            let ahead = [at + 1, at + stride - 1, at + stride, at + stride + 1];
            let [beside, below @ ..] = ahead.map(|at| far.get(at).copied().unwrap_or(0));
            far[at] = below.into_iter().map(|far| far + 2).fold(far[at].min(beside + 1), i32::min);
        }
        let (at, room) =
            (0..far.len()).map(|at| (at, far[at])).rev().max_by_key(|&(_, room)| room)?;
        let (x, y) = ((at % stride).checked_sub(1)? as u16, (at / stride).checked_sub(1)? as u16);
        (room > 0).then_some((Position { x: cells.x + x, y: cells.y + y }, room))
    }

    /// Returns the free cell nearest to the visible part; `None` if no part is visible.
    fn near(&self, canvas: &PixelCanvas, occupied: &Occupied) -> Option<Position> {
        let is_own = |layer: &Layer| *layer == self.fill;
        let seen = |at: &Position| canvas.at(*at).is_some_and(|cell| cell.iter().any(is_own));
        let cells = self.cells.intersection(canvas.region);
        let own: Vec<Position> = cells.positions().filter(seen).collect();
        let middle = own.get(own.len() / 2)?;
        let around = Rect {
            x: cells.x.saturating_sub(2),
            y: cells.y.saturating_sub(1),
            width: cells.width + 4,
            height: cells.height + 2,
        };
        let is_free = |at: &Position| {
            let others = canvas.at(*at).is_some_and(|cell| {
                cell.iter().any(|layer| *layer != Layer::default() && !is_own(layer))
            });
            !others && occupied.is_free(*at)
        };
        let far = |at: &Position| {
            own.iter().map(|own| own.x.abs_diff(at.x) + 2 * own.y.abs_diff(at.y)).min()
        };
        let from_middle = |at: &Position| middle.x.abs_diff(at.x) + 2 * middle.y.abs_diff(at.y);
        let free = around.intersection(canvas.region).positions().filter(is_free);
        free.min_by_key(|at| (far(at), from_middle(at)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pixels_between_crossings_are_inside() {
        let arrow = [(0, 0), (20, 0), (20, 20), (10, 8), (0, 20)];
        assert_eq!(crossings(&arrow, 4), [0.0, 20.0]);
        let inside: Vec<i32> = crossings(&arrow, 14).iter().map(|x| x.round() as i32).collect();
        assert_eq!(inside, [0, 5, 15, 20]);
        assert!(crossings(&arrow, 20).is_empty() && crossings(&arrow, -1).is_empty());
    }
}
