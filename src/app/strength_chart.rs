//! How strong somebody is in each game, with a chart over time.

use super::{Context, text};
use crate::catalogue::{GAMES, GameEntry};
use crate::puzzles::strength::Strength;
use crate::rules::Setup;
use crate::scene::{Role, Skin};
use crate::session::EngineSeat;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

/// The rows of a game, with the empty one below.
pub(super) const ROWS: u16 = 4;
/// The columns of the words at the left of the chart.
const WORDS: u16 = 24;

/// The games in which somebody has a strength.
pub(super) fn strengths(context: &Context) -> Vec<(&'static GameEntry, Strength)> {
    let today = context.today();
    let of = |entry: &&'static GameEntry| {
        Some((*entry, Strength::of(&context.progress, entry.id, today)?))
    };
    GAMES.iter().filter_map(|entry| of(&entry)).collect()
}

/// Draws the strength in a game into [`ROWS`] rows.
pub(super) fn draw(
    entry: &GameEntry,
    strength: &Strength,
    skin: Skin,
    area: Rect,
    buffer: &mut Buffer,
) {
    let level = strength.level(entry.id, &Setup::new());
    let fits =
        level.map_or(String::new(), |level| format!("{} fits you", EngineSeat::new(level).name()));
    let lines = [
        (entry.name.to_owned(), skin.strong()),
        (strength.to_string(), skin.plain()),
        (fits, skin.dim()),
    ];
    for (y, (line, style)) in (area.y..).zip(&lines) {
        text::put((area.x, y), line, WORDS.into(), *style, skin, buffer);
    }
    let taken = WORDS.min(area.width);
    let chart =
        Rect { x: area.x + taken, width: area.width - taken, height: lines.len() as u16, ..area };
    draw_chart(strength, skin, chart, buffer);
}

/// Draws the rating over time as bars: the first day at the left, the last at the right.
fn draw_chart(strength: &Strength, skin: Skin, area: Rect, buffer: &mut Buffer) {
    let by_column = over_time(strength, area.width.into());
    let least = by_column.iter().copied().fold(f64::INFINITY, f64::min);
    let most = by_column.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let halves = 2 * area.height;
    for (x, rating) in (area.x..).zip(&by_column) {
        let part = (rating - least) / (most - least).max(1.0);
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

/// The rating in each of at most so many columns of time. A day has a column of its own where there is room.
fn over_time(strength: &Strength, columns: usize) -> Vec<f64> {
    let Some(((first, _), (last, _))) = strength.history.first().zip(strength.history.last())
    else {
        return Vec::new();
    };
    let day = |day| first.until(day).map_or(0, |span| span.get_days()) as usize;
    let days = day(*last) + 1;
    let columns = columns.min(days);
    let at = |column: usize| {
        // The last day that falls into this column or before.
        let end = (column + 1) * days / columns;
        let known = strength.history.iter().rev().find(|(date, _)| day(*date) < end);
        known.map_or(0.0, |(_, rating)| *rating)
    };
    (0..columns).map(at).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_chart_has_the_days_in_their_places() {
        let history = [("2026-11-01", 1000.0), ("2026-11-03", 1100.0), ("2026-11-08", 900.0)];
        let history = history.map(|(day, rating)| (day.parse().unwrap(), rating)).to_vec();
        let strength = Strength { rating: 900.0, deviation: 80.0, results: 3, history };
        let days = [1000.0, 1000.0, 1100.0, 1100.0, 1100.0, 1100.0, 1100.0, 900.0];
        assert_eq!(over_time(&strength, 50), days);
        assert_eq!(over_time(&strength, 4), [1000.0, 1100.0, 1100.0, 900.0]);
        assert_eq!(over_time(&strength, 0), [0.0; 0]);
    }
}
