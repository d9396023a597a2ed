//! Draws charts over time, with a table below them.

use super::Canvas;
use super::canvas::draw_seen;
use super::table::{self, Column};
use super::text;
use crate::view::{Chart, ChartView, Phrase};
use jiff::civil::Date;
use quadrille_scene::{Role, Skin};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::text::Line;

/// The height of the bars, in rows. The dates are below the bars.
const BARS: u16 = 3;
/// The width of the words on the left of the chart, in columns.
const WORDS: u16 = 28;
/// The width of the ratings between the words and the bars, in columns.
const RATINGS: u16 = 5;
const BARS_WIDTH: u16 = 60;
/// The ratings at the top and bottom of a chart are multiples of this number.
const ROUND: i32 = 100;

/// The maximum width of the whole view and of the texts in the table, in columns.
const MAX_WIDTH: u16 = 80;
const TEXT: u16 = 40;
const COUNT: u16 = 6;
/// In a narrower view, the bars are below the words, and the headings of the table are single letters.
const NARROW: u16 = 44;
/// The maximum height of the summary, and of the note below the table, in rows.
const NOTE: u16 = 3;

/// Draws the view. Returns the position of the text cursor, if any.
pub fn draw(view: &ChartView, area: Rect, canvas: &mut Canvas) -> Option<Position> {
    let mut area = table::block(area, MAX_WIDTH);
    let cursor = draw_input(view, &mut area, canvas);
    let skin = canvas.skin;
    let feedback = canvas.feedback;
    let above = Above::of(view, area.width, skin);
    let note = text::wrap(view.note, area.width.into(), NOTE.into(), skin);
    let (head, rows) = (usize::from(above.height), view.rows.len());
    // An empty row separates the note from the table.
    let below = if note.is_empty() { 0 } else { note.len() + 1 };
    let all = head + rows + below;
    let seen = feedback.rows(view.top, all, area.height.into());
    // Draws everything above the rows of the table, then copies the visible part.
    let whole = Rect { x: 0, y: 0, width: area.width, height: above.height };
    let mut drawn = Buffer::empty(whole);
    drawn.set_style(whole, skin.paper());
    above.draw(view, whole, &mut Canvas { buffer: &mut drawn, ..*canvas });
    for (y, row) in (area.y..area.bottom()).zip(seen.clone()) {
        let line = Rect { y, height: 1, ..area };
        if row < head {
            for x in 0..area.width {
                canvas.buffer[(area.x + x, y)] = drawn[(x, row as u16)].clone();
            }
        } else if let Some((words, counts)) = view.rows.get(row - head) {
            draw_table_row(words, counts, line, canvas);
        } else if let Some(text) = (row - head - rows).checked_sub(1).and_then(|at| note.get(at)) {
            canvas.put_words(line, &Phrase::dim(text));
        }
    }
    draw_seen(&seen, all, skin, area, canvas.buffer);
    cursor
}

/// Draws the text input or the message on the last row, and takes this row from the area.
fn draw_input(view: &ChartView, area: &mut Rect, canvas: &mut Canvas) -> Option<Position> {
    if view.typed.is_none() && view.message.is_none() {
        return None;
    }
    area.height = area.height.saturating_sub(1);
    let mut line = Rect { y: area.bottom(), height: 1, ..*area };
    let Some((label, typed)) = view.typed else {
        canvas.put_words(line, &Phrase::wrong(view.message.unwrap_or_default()));
        return None;
    };
    if let Some(message) = view.message {
        area.height = area.height.saturating_sub(1);
        canvas.put_words(Rect { y: area.bottom(), height: 1, ..*area }, &Phrase::wrong(message));
    }
    let x = canvas.put((line.x, line.y), label, line.width.into(), canvas.skin.strong());
    (line.width, line.x) = (line.right().saturating_sub(x), x);
    Some(canvas.put_typed(line, typed, canvas.skin.plain()))
}

/// The layout of what is above the rows of the table.
struct Above {
    summary: Vec<String>,
    charts: Vec<u16>,
    table: u16,
    height: u16,
}

impl Above {
    fn of(view: &ChartView, width: u16, skin: Skin) -> Above {
        let summary = text::wrap(&view.summary, width.into(), NOTE.into(), skin);
        let mut y = 2 + summary.len() as u16;
        let mut charts = Vec::new();
        for chart in &view.charts {
            charts.push(y);
            let words = chart.words.len() as u16;
            let bars = if chart.history.is_empty() { 0 } else { BARS + 1 };
            y += if width < NARROW { words + bars } else { words.max(bars) } + 1;
        }
        // The title of the table, an empty row, and the headings or the text instead of the table.
        Above { summary, charts, table: y, height: y + 3 }
    }

    fn draw(&self, view: &ChartView, area: Rect, canvas: &mut Canvas) {
        let skin = canvas.skin;
        canvas.put_words(area, &Phrase::strong(&view.title));
        for (y, row) in (1..).zip(&self.summary) {
            canvas.put_words(Rect { y, ..area }, &Phrase::plain(row));
        }
        for (chart, y) in view.charts.iter().zip(&self.charts) {
            draw_chart(chart, Rect { y: *y, height: self.table - *y, ..area }, canvas);
        }
        canvas.put_words(Rect { y: self.table, ..area }, &Phrase::strong(view.table_title));
        let line = Rect { y: self.table + 2, height: 1, ..area };
        if let Some(empty) = view.empty {
            canvas.put_words(line, &Phrase::dim(empty));
            return;
        }
        let heads = view.heads.map(|head| if area.width < NARROW { &head[..1] } else { head });
        let heads = [""].into_iter().chain(heads).map(|head| Line::styled(head, skin.dim()));
        let heads: Vec<Line> = heads.collect();
        table::draw_row(&columns(area.width), 1, &heads, line, skin, canvas.buffer);
    }
}

/// Returns the columns of the table, with a gap of one column after each.
fn columns(width: u16) -> [Column; 4] {
    let count = Column::number(if width < NARROW { COUNT - 3 } else { COUNT - 1 });
    let room = width.saturating_sub(table::width(&[count; 3], 1) + 1);
    [Column::text(room.min(TEXT)), count, count, count]
}

fn draw_table_row(words: &Phrase, counts: &[u32; 3], line: Rect, canvas: &mut Canvas) {
    let (skin, style) = (canvas.skin, canvas.style(words.tone));
    let counts = counts.map(|number| {
        Line::styled(number.to_string(), if number == 0 { skin.dim() } else { style })
    });
    let cells: Vec<Line> = [Line::styled(&*words.text, style)].into_iter().chain(counts).collect();
    table::draw_row(&columns(line.width), 1, &cells, line, skin, canvas.buffer);
}

fn draw_chart(chart: &Chart, area: Rect, canvas: &mut Canvas) {
    let is_narrow = area.width < NARROW;
    let width = if is_narrow { area.width } else { WORDS.min(area.width) };
    for (y, words) in (area.y..).zip(&chart.words) {
        canvas.put_words(Rect { y, width: width.saturating_sub(1), ..area }, words);
    }
    let bars = if is_narrow {
        Rect { y: area.y + chart.words.len() as u16, ..area }
    } else {
        Rect { x: area.x + width, width: area.width - width, ..area }
    };
    draw_bars(chart.history, canvas.skin, bars, canvas.buffer);
}

/// Draws the rating over time as bars, with ratings on the left and the first and last day below. A single day is a
/// point.
fn draw_bars(history: &[(Date, f64)], skin: Skin, area: Rect, buffer: &mut Buffer) {
    let taken = RATINGS.min(area.width);
    let width = (area.width - taken).min(BARS_WIDTH);
    let area = Rect { x: area.x + taken, width, height: BARS, ..area };
    let is_point = history.len() == 1;
    let by_column = over_time(history, if is_point { 1.min(width) } else { width }.into());
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
        let top = height.div_ceil(2);
        let bottom = if is_point { top - 1 } else { 0 };
        for row in bottom..top {
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
    fn single_day_is_a_point() {
        let area = Rect::new(0, 0, 40, 5);
        let drawn = |days: &[&str]| {
            let mut buffer = Buffer::empty(area);
            let history = days.iter().map(|day| (day.parse().unwrap(), 1000.0));
            draw_bars(&history.collect::<Vec<_>>(), Skin::default(), area, &mut buffer);
            let rows = area.rows().take(BARS.into()).flat_map(Rect::positions);
            let is_drawn = |at: &Position| at.x >= RATINGS && buffer[*at].symbol() != " ";
            rows.filter(is_drawn).count()
        };
        assert_eq!(drawn(&["2026-11-01"]), 1);
        assert_eq!(drawn(&["2026-11-01", "2026-11-02"]), 35);
    }

    #[test]
    fn chart_range_is_rounded_and_not_empty() {
        assert_eq!(round_ends(&[1013.4, 1100.0, 899.9]), [800, 1100]);
        assert_eq!(round_ends(&[1100.0]), [1100, 1200]);
    }
}
