//! Lines between dots, between scattered points, and through tiles.

use super::canvas::{Point, rounded};
use super::items::{FRAME, Painter};
use super::{Ground, middle};
use crate::colour::Rgb;
use crate::{At, LineStyle, Role};

impl Painter<'_, '_> {
    /// Draws the fraction `shown` of a line, from its first end.
    pub fn line(&mut self, ends: [At; 2], line_style: LineStyle, shown: f32, role: Role) {
        let [from, to] = ends.map(|at| self.layout.point(at));
        let part =
            |to: Point| [0, 1].map(|axis| from[axis] + (to[axis] - from[axis]) * shown.min(1.0));
        match self.layout.ground {
            Ground::Lattice { .. } => self.lattice_line([from, part(to)], line_style, role),
            Ground::Points => self.scattered_line([from, part(to)], line_style, role),
            Ground::Dice | Ground::Ruled => {
                // The line extends slightly beyond the symbols on the tiles at its ends.
                let beyond = self.layout.tile() * 0.34;
                let way = [0, 1].map(|axis| to[axis] - from[axis]);
                let by = way.map(|way| if way.abs() < 0.5 { 0.0 } else { way.signum() * beyond });
                let from = [0, 1].map(|axis| from[axis] - by[axis]);
                let end = [0, 1]
                    .map(|axis| from[axis] + (to[axis] + by[axis] - from[axis]) * shown.min(1.0));
                self.canvas.line(
                    [from, end],
                    self.layout.tile() * 0.09,
                    None,
                    self.inks.mark(role),
                );
            }
        }
    }

    fn scattered_line(&mut self, ends: [Point; 2], line_style: LineStyle, role: Role) {
        let line = self.layout.line;
        let (width, dash) = match line_style {
            LineStyle::Solid => (line, None),
            LineStyle::Heavy => (line * 1.35, None),
            LineStyle::Ghost => (line, Some([line * 1.6, line * 2.4])),
            LineStyle::Blocked => ((line * 0.5).max(1.25), Some([4.0, 5.0])),
            LineStyle::Faint => ((line * 0.4).max(1.25), Some([0.01, 5.0])),
        };
        // A preview leaves its dots free.
        let by = if line_style == LineStyle::Ghost { self.layout.dot + line } else { 0.0 };
        if let Some(ends) = shortened(ends, by) {
            self.canvas.line(ends, width, dash, self.inks.mark(role));
        }
    }

    fn lattice_line(&mut self, ends: [Point; 2], line_style: LineStyle, role: Role) {
        let (line, colour) = (self.layout.line, self.inks.mark(role));
        match line_style {
            LineStyle::Solid | LineStyle::Heavy => {
                let [from, to] = thickened(ends, line / 2.0);
                self.canvas.fill(from, to, colour);
            }
            // The cursor is a bar of its own color; a frame around a line that is drawn already.
            LineStyle::Ghost | LineStyle::Blocked if role == Role::Cursor => {
                let half = line / 2.0 + (line * 0.3).round().max(1.0);
                if let Some(inner) = shortened(ends, self.layout.dot + 1.5) {
                    self.bar(thickened(inner, half), half, line_style == LineStyle::Ghost, colour);
                }
            }
            LineStyle::Ghost => {
                let dash = Some([line * 0.8, line * 2.0]);
                if let Some(ends) = shortened(ends, self.layout.dot + line / 2.0) {
                    self.canvas.line(ends, line * 0.8, dash, colour);
                }
            }
            LineStyle::Blocked => {
                if let Some(ends) = shortened(ends, self.layout.dot) {
                    self.canvas.line(ends, (line / 3.0).max(1.0), Some([3.0, 4.0]), colour);
                }
            }
            LineStyle::Faint => self.points(ends, colour),
        }
    }

    /// Draws a bar with round ends, or a frame of that size.
    fn bar(&mut self, [from, to]: [Point; 2], round: f32, is_filled: bool, colour: Rgb) {
        if is_filled {
            if let Some(path) = rounded(from, to, round) {
                self.canvas.fill_path(path, colour);
            }
            return;
        }
        let stroke = FRAME.min(round * 0.5).max(1.0);
        let inset = stroke / 2.0;
        let [from, to] = [from.map(|at| at + inset), to.map(|at| at - inset)];
        if let Some(path) = rounded(from, to, round) {
            self.canvas.stroke(&path, stroke, colour);
        }
    }

    /// Draws evenly spaced points between two dots, symmetrical about the middle.
    fn points(&mut self, ends: [Point; 2], colour: Rgb) {
        let (line, dot) = (self.layout.line, self.layout.dot);
        let radius = (line * 0.18).clamp(0.75, 1.75);
        let gap = (self.layout.pitch / 11.0).round().max(4.0);
        let at = middle(ends);
        let way = direction(ends);
        let count = ((self.layout.pitch / 2.0 - dot - gap * 0.4) / gap).floor().max(0.0) as i32;
        for step in -count..=count {
            let at = [0, 1].map(|axis| at[axis] + way[axis] * gap * step as f32);
            self.disc(at, radius, colour);
        }
    }

    /// Draws the lines between ruled tiles.
    pub fn rule(&mut self, counts: [u8; 2]) {
        let layout = self.layout;
        let (half, width) = (layout.pitch / 2.0, layout.line / 2.0);
        let corner = |row: u8, col: u8| layout.point(At::new(row, col));
        let [first, last] =
            [corner(0, 0), corner(counts[1].saturating_sub(1), counts[0].saturating_sub(1))];
        let [left, top] = first.map(|at| at - half);
        let [right, bottom] = last.map(|at| at + half);
        let colour = self.inks.ink(Role::Board);
        for col in 1..counts[0] {
            let x = left + f32::from(col) * layout.pitch;
            self.canvas.fill([x - width, top], [x + width, bottom], colour);
        }
        for row in 1..counts[1] {
            let y = top + f32::from(row) * layout.pitch;
            self.canvas.fill([left, y - width], [right, y + width], colour);
        }
    }
}

/// Returns the unit vector along a line.
fn direction([from, to]: [Point; 2]) -> Point {
    let way = [to[0] - from[0], to[1] - from[1]];
    let length = (way[0] * way[0] + way[1] * way[1]).sqrt().max(f32::MIN_POSITIVE);
    way.map(|way| way / length)
}

/// Returns the corners of an upright or level line of twice this thickness.
fn thickened(ends: [Point; 2], half: f32) -> [Point; 2] {
    let way = direction(ends);
    let [from, to] =
        [f32::min, f32::max].map(|pick| [0, 1].map(|axis| pick(ends[0][axis], ends[1][axis])));
    let by = way.map(|way| if way == 0.0 { half } else { 0.0 });
    [[0, 1].map(|axis| from[axis] - by[axis]), [0, 1].map(|axis| to[axis] + by[axis])]
}

/// Returns a line without its first and last `by` pixels; `None` if nothing is left.
fn shortened(ends: [Point; 2], by: f32) -> Option<[Point; 2]> {
    let way = direction(ends);
    let [from, to] = ends;
    let length = (to[0] - from[0]) * way[0] + (to[1] - from[1]) * way[1];
    (length > 2.0 * by).then(|| {
        [
            [0, 1].map(|axis| from[axis] + way[axis] * by),
            [0, 1].map(|axis| to[axis] - way[axis] * by),
        ]
    })
}
