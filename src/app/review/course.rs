//! The course of a match, drawn from left to right in the colours of who was ahead.

use super::Review;
use crate::board::Skin;
use crate::engine::Evaluation;
use crate::rules::Seat;
use crate::scene::Role;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

/// The columns of the numbers at the left, with a gap.
const LABELS: u16 = 4;
/// The most columns of a ply.
const WIDEST: u16 = 3;

/// The value of each position for the first of two seats, if known.
pub(super) struct Course {
    values: Vec<Option<f32>>,
}

impl Course {
    pub fn new(evaluations: &[Evaluation]) -> Course {
        let worth = |evaluation: &Evaluation| evaluation.value_for(Seat::FIRST).likely();
        Course { values: evaluations.iter().map(worth).collect() }
    }

    /// The largest lead of either seat, at least 1.
    fn most(&self) -> f32 {
        self.values.iter().flatten().fold(1.0, |most, value| value.abs().max(most))
    }

    /// Draws the course as bars above and below a middle line.
    pub fn draw(&self, review: &Review, ply: usize, skin: Skin, area: Rect, buffer: &mut Buffer) {
        if area.height < 3 || area.width < 2 * LABELS {
            return;
        }
        let most = self.most();
        let above = area.height / 2;
        let middle = area.y + above;
        for (y, label) in [
            (area.y, format!("{most:+.0}")),
            (middle, "=".to_owned()),
            (middle + above, format!("{:+.0}", -most)),
        ] {
            buffer.set_stringn(area.x, y, format!("{label:>3}"), LABELS.into(), skin.dim());
        }
        let area = Rect { x: area.x + LABELS, width: area.width - LABELS, ..area };
        let columns = Columns::of(self.values.len(), area.width);
        for x in 0..columns.used {
            let plies = columns.plies(x);
            let place = (area.x + x, middle);
            buffer[place].set_char(skin.glyphs().faint).set_style(skin.style(Role::Faint));
            if plies.clone().any(|ply| review.mistake(ply).is_some()) {
                buffer[place].set_char('?').set_style(skin.wrong());
            }
            if plies.contains(&ply) {
                buffer[place].set_style(skin.cursor());
            }
            let values = self.values.get(plies).unwrap_or_default();
            let furthest =
                values.iter().flatten().copied().max_by(|a, b| a.abs().total_cmp(&b.abs()));
            if let Some(value) = furthest {
                draw_column(value / most, above, place, skin, buffer);
            }
        }
    }
}

/// Draws a bar up or down from the middle line; `part`, from -1 to 1, is its share of the rows.
fn draw_column(part: f32, rows: u16, (x, middle): (u16, u16), skin: Skin, buffer: &mut Buffer) {
    let halves = skin.glyphs().halves;
    let fine = if halves.is_some() { 2.0 } else { 1.0 };
    let steps = (part.abs() * f32::from(rows) * fine).ceil() as u16;
    let steps = if halves.is_some() { steps } else { 2 * steps };
    let is_up = part > 0.0;
    let ink = skin.seat(if is_up { Seat::FIRST } else { Seat::new(1) });
    for row in 0..steps.div_ceil(2) {
        let y = if is_up { middle - 1 - row } else { middle + 1 + row };
        let is_half = 2 * row + 1 == steps;
        let glyph = match halves {
            Some([_, lower, _]) if is_half && is_up => lower,
            Some([upper, ..]) if is_half => upper,
            _ => skin.glyphs().bar,
        };
        buffer[(x, y)].set_char(glyph).set_style(ink);
    }
}

/// How plies share the columns: several columns a ply, or several plies a column.
struct Columns {
    plies: usize,
    used: u16,
}

impl Columns {
    fn of(plies: usize, width: u16) -> Columns {
        let each = (usize::from(width) / plies.max(1)).min(usize::from(WIDEST)) as u16;
        let used = if each == 0 { width } else { each * plies as u16 };
        Columns { plies, used }
    }

    /// The plies in a column.
    fn plies(&self, column: u16) -> std::ops::Range<usize> {
        let at = |column: u16| usize::from(column) * self.plies / usize::from(self.used.max(1));
        at(column)..at(column + 1).max(at(column) + 1)
    }
}
