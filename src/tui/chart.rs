//! Draws charts over time, with a table below them.

use super::Canvas;
use super::canvas::draw_seen;
use super::table::{self, Column};
use super::text;
use crate::view::{Chart, ChartView, Phrase};
use jiff::civil::Date;
use quadrille_scene::{Role, Skin};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;
use std::ops::Range;

/// The height of a chart, including the empty row below it.
const ROWS: u16 = 5;
/// The height of the bars, in rows. The dates are below the bars.
const BARS: u16 = 3;
/// The width of the words on the left of the chart, in columns.
const WORDS: u16 = 24;
/// The width of the ratings between the words and the bars, in columns.
const RATINGS: u16 = 5;
const BARS_WIDTH: u16 = 60;
/// The ratings at the top and bottom of a chart are multiples of this number.
const ROUND: i32 = 100;

/// The maximum width of the whole view and of the texts in the table, in columns.
const MAX_WIDTH: u16 = 80;
const TEXT: u16 = 40;
const COUNT: u16 = 6;
/// The maximum height of the note below the table, in rows.
const NOTE: u16 = 3;

pub fn draw(view: &ChartView, area: Rect, canvas: &mut Canvas) {
    let area = table::block(area, MAX_WIDTH);
    let feedback = canvas.feedback;
    if view.charts.is_empty() {
        draw_table(view, area, canvas, |room| feedback.rows(view.top, view.rows.len(), room));
        return;
    }
    // Draws everything, then copies the visible rows.
    let above = 1 + ROWS * view.charts.len() as u16;
    let note = text::wrap(view.note, area.width.into(), NOTE.into(), canvas.skin).len();
    let below = (note + view.rows.len()).min(usize::from(u16::MAX) / 2) as u16;
    let whole = Rect { x: 0, y: 0, width: area.width, height: above.saturating_add(below + 4) };
    let mut drawn = Buffer::empty(whole);
    drawn.set_style(whole, canvas.skin.plain());
    let mut offscreen = Canvas { buffer: &mut drawn, ..*canvas };
    offscreen.put_words(whole, &Phrase::strong(view.title));
    for (y, chart) in (1..).step_by(ROWS.into()).zip(&view.charts) {
        draw_chart(chart, Rect { y, ..whole }, &mut offscreen);
    }
    let table = Rect { y: above, height: whole.height - above, ..whole };
    draw_table(view, table, &mut offscreen, |_| 0..view.rows.len());
    let seen = feedback.rows(view.top, whole.height.into(), area.height.into());
    for (y, row) in (area.y..area.bottom()).zip(seen.clone()) {
        for x in 0..area.width {
            canvas.buffer[(area.x + x, y)] = drawn[(x, row as u16)].clone();
        }
    }
    draw_seen(&seen, whole.height.into(), canvas.skin, area, canvas.buffer);
}

/// Draws the rows `seen` of the table.
fn draw_table(
    view: &ChartView,
    area: Rect,
    canvas: &mut Canvas,
    seen: impl FnOnce(usize) -> Range<usize>,
) {
    let skin = canvas.skin;
    let is_narrow = area.width < 44;
    let count = Column::number(if is_narrow { COUNT - 2 } else { COUNT });
    canvas.put_words(area, &Phrase::strong(view.table_title));
    let note = text::wrap(view.note, area.width.into(), NOTE.into(), skin).len() as u16;
    let table = Rect { height: area.height - note, ..area };
    canvas.wrap(Rect { y: table.bottom(), height: note, ..area }, &Phrase::dim(view.note));
    if let Some(empty) = view.empty {
        canvas.put_words(Rect { y: area.y + 2, ..area }, &Phrase::dim(empty));
        return;
    }
    let room = area.width - table::width(&[count; 3], 0);
    let columns = [Column::text(room.min(TEXT)), count, count, count];
    let line = |y| Rect { y, height: 1, ..area };
    let head = table::head(area);
    // On a narrow screen, headings are single letters.
    let heads = view.heads.map(|head| if is_narrow { &head[..1] } else { head });
    let heads = [""].into_iter().chain(heads).map(|head| Line::styled(head, skin.dim()));
    table::draw_row(&columns, 0, &heads.collect::<Vec<_>>(), line(head), skin, canvas.buffer);
    let room = usize::from(table.bottom().saturating_sub(head + 1));
    let seen = seen(room);
    draw_seen(&seen, view.rows.len(), skin, area, canvas.buffer);
    for (y, (words, counts)) in (head + 1..).zip(&view.rows[seen]) {
        let style = canvas.style(words.tone);
        let counts = counts.map(|number| {
            Line::styled(number.to_string(), if number == 0 { skin.dim() } else { style })
        });
        let cells: Vec<Line> =
            [Line::styled(&*words.text, style)].into_iter().chain(counts).collect();
        table::draw_row(&columns, 0, &cells, line(y), skin, canvas.buffer);
    }
}

fn draw_chart(chart: &Chart, area: Rect, canvas: &mut Canvas) {
    for (y, words) in (area.y..).zip(&chart.words) {
        canvas.put_words(Rect { y, width: WORDS, ..area }, words);
    }
    let taken = WORDS.min(area.width);
    let bars = Rect { x: area.x + taken, width: area.width - taken, ..area };
    draw_bars(chart.history, canvas.skin, bars, canvas.buffer);
}

/// Draws the rating over time as bars, with ratings on the left and the first and last day below.
fn draw_bars(history: &[(Date, f64)], skin: Skin, area: Rect, buffer: &mut Buffer) {
    let taken = RATINGS.min(area.width);
    let width = (area.width - taken).min(BARS_WIDTH);
    let area = Rect { x: area.x + taken, width, height: BARS, ..area };
    let by_column = over_time(history, width.into());
    if by_column.is_empty() {
        return;
    }
    let [least, most] = round_ends(&by_column);
    for (rating, y) in [(most, area.y), (least, area.bottom() - 1)] {
        let x = area.x - taken;
        text::put((x, y), &format!("{rating:>4}"), taken.into(), skin.dim(), skin, buffer);
    }
    let days = [history.first(), history.last()].into_iter().flatten();
    let mut days: Vec<String> = days.map(|(day, _)| day.to_string()).collect();
    // If the chart covers a single day, the day is shown once.
    days.dedup();
    let needed = days.iter().map(|day| text::width(day) + 1).sum::<usize>();
    if needed <= usize::from(width) + 1 {
        for (at, day) in days.iter().enumerate() {
            let x = if at == 0 { area.x } else { area.right() - text::width(day) as u16 };
            text::put((x, area.bottom()), day, width.into(), skin.dim(), skin, buffer);
        }
    }
    let halves = 2 * area.height;
    for (x, rating) in (area.x..).zip(&by_column) {
        let part = (rating - f64::from(least)) / f64::from(most - least);
        let height = 1 + (part * f64::from(halves - 1)).round() as u16;
        for row in 0..height.div_ceil(2) {
            let is_half = 2 * row + 1 == height;
            let glyph = match skin.glyphs().halves {
                Some([_, lower, _]) if is_half => lower,
                _ => skin.glyphs().bar,
            };
            let style = skin.style(Role::Faint);
            buffer[(x, area.bottom() - 1 - row)].set_char(glyph).set_style(style);
        }
    }
}

/// Returns the nearest round ratings below and above all ratings.
fn round_ends(ratings: &[f64]) -> [i32; 2] {
    let least = ratings.iter().copied().fold(f64::INFINITY, f64::min);
    let most = ratings.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let least = (least / f64::from(ROUND)).floor() as i32 * ROUND;
    let most = (most / f64::from(ROUND)).ceil() as i32 * ROUND;
    [least, most.max(least + ROUND)]
}

/// Returns the rating in each column, from the first day with a result to the last.
fn over_time(history: &[(Date, f64)], columns: usize) -> Vec<f64> {
    let Some(((first, _), (last, _))) = history.first().zip(history.last()) else {
        return Vec::new();
    };
    let day = |day| first.until(day).map_or(0, |span| span.get_days()) as usize;
    let days = day(*last) + 1;
    let at = |column: usize| {
        // The last day at or before this column.
        let end = ((column + 1) * days).div_ceil(columns);
        let known = history.iter().rev().find(|(date, _)| day(*date) < end);
        known.map_or(0.0, |(_, rating)| *rating)
    };
    (0..columns).map(at).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chart_places_days_in_proportion() {
        let history = [("2026-11-01", 1000.0), ("2026-11-03", 1100.0), ("2026-11-08", 900.0)];
        let strength = history.map(|(day, rating)| (day.parse().unwrap(), rating));
        let days = [1000.0, 1000.0, 1100.0, 1100.0, 1100.0, 1100.0, 1100.0, 900.0];
        assert_eq!(over_time(&strength, 8), days);
        let halves: Vec<f64> = days.into_iter().flat_map(|day| [day, day]).collect();
        assert_eq!(over_time(&strength, 16), halves);
        assert_eq!(over_time(&strength, 4), [1000.0, 1100.0, 1100.0, 900.0]);
        assert_eq!(over_time(&strength, 0), [0.0; 0]);
    }

    #[test]
    fn chart_range_is_rounded_and_not_empty() {
        assert_eq!(round_ends(&[1013.4, 1100.0, 899.9]), [800, 1100]);
        assert_eq!(round_ends(&[1100.0]), [1100, 1200]);
    }
}
