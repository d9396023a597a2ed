//! Draws the course of a match from left to right: the lead over time, above the middle line for the first seat and
//! below it for the second. Mistakes and the current ply are marked.

use crate::tui::Canvas;
use crate::view::ValueGraph;
use quadrille_rules::Seat;
use quadrille_scene::Role;
use ratatui::layout::Rect;
use std::ops::Range;

/// The width of the numbers on the left, including a gap, in columns.
const LABELS: u16 = 4;
/// The maximum width of a ply, in columns.
const MAX_PLY_WIDTH: u16 = 3;

pub(super) fn draw(course: &ValueGraph, area: Rect, canvas: &mut Canvas<'_>) {
    if area.height < 3 || area.width < 2 * LABELS {
        return;
    }
    let skin = canvas.skin;
    // The largest lead of either seat, at least 1.
    let most = course.values.iter().flatten().fold(1.0, |most: f32, value| value.abs().max(most));
    let above = area.height / 2;
    let middle = area.y + above;
    for (y, label) in [
        (area.y, format!("{most:+.0}")),
        (middle, "=".to_owned()),
        (middle + above, format!("{:+.0}", -most)),
    ] {
        let place = Rect { y, height: 1, width: LABELS, ..area };
        canvas.row(place).put_part(&format!("{label:>3}"), skin.dim());
    }
    let (left, width) = (area.x + LABELS, area.width - LABELS);
    let (all, is_mistake) = (course.values.len(), |ply| course.mistakes.contains(&ply));
    let each = (usize::from(width) / all.max(1)).min(usize::from(MAX_PLY_WIDTH)) as u16;
    let used = if each == 0 { width } else { each * all as u16 };
    for column in 0..used {
        let plies = plies_of(column, used, all);
        let place = (left + column, middle);
        let cell = &mut canvas.buffer[place];
        cell.set_char(skin.glyphs().faint).set_style(skin.style(Role::Faint));
        // A ply that spans several columns is marked in the first one.
        let is_first = column == 0 || plies_of(column - 1, used, all) != plies;
        if is_first && plies.clone().any(is_mistake) {
            cell.set_char(skin.glyphs().blocked).set_style(skin.wrong());
        }
        if plies.contains(&course.ply) {
            cell.set_style(skin.cursor());
        }
        let values = course.values.get(plies).unwrap_or_default();
        let furthest = values.iter().flatten().max_by(|a, b| a.abs().total_cmp(&b.abs()));
        if let Some(value) = furthest {
            draw_column(value / most, above, place, canvas);
        }
    }
}

/// Returns the plies shown in a column. Either a ply spans several columns, or a column covers several plies.
fn plies_of(column: u16, used: u16, all: usize) -> Range<usize> {
    let at = |column: u16| usize::from(column) * all / usize::from(used.max(1));
    at(column)..at(column + 1).max(at(column) + 1)
}

/// Draws a bar up or down from the middle line; `part` is the fraction of the rows, -1 to 1.
fn draw_column(part: f32, rows: u16, (x, middle): (u16, u16), canvas: &mut Canvas<'_>) {
    let skin = canvas.skin;
    let halves = skin.glyphs().halves;
    let fine = if halves.is_some() { 2.0 } else { 1.0 };
    let steps = (part.abs() * f32::from(rows) * fine).ceil() as u16;
    let steps = if halves.is_some() { steps } else { 2 * steps };
    let is_up = part > 0.0;
    let ink = skin.seat(if is_up { Seat::FIRST } else { Seat::SECOND });
    for row in 0..steps.div_ceil(2) {
        let y = if is_up { middle - 1 - row } else { middle + 1 + row };
        let is_half = 2 * row + 1 == steps;
        let glyph = match halves {
            Some([_, lower, _]) if is_half && is_up => lower,
            Some([upper, ..]) if is_half => upper,
            _ => skin.glyphs().bar,
        };
        canvas.buffer[(x, y)].set_char(glyph).set_style(ink);
    }
}
