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
pub(super) const ROWS: u16 = 5;
/// The rows of the bars. The dates stand below them.
const BARS: u16 = 3;
/// The columns of the words at the left of the chart.
const WORDS: u16 = 24;
/// The columns of the ratings between them and the bars.
const RATINGS: u16 = 5;
/// The most columns of the bars.
const WIDEST: u16 = 60;
/// The ratings at the top and at the bottom of a chart are multiples of this.
const ROUND: i32 = 100;

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
    draw_chart(
        strength,
        skin,
        Rect { x: area.x + taken, width: area.width - taken, ..area },
        buffer,
    );
}

/// Draws the rating over time as bars, with the ratings at the left and the first and the last day below.
fn draw_chart(strength: &Strength, skin: Skin, area: Rect, buffer: &mut Buffer) {
    let taken = RATINGS.min(area.width);
    let width = (area.width - taken).min(WIDEST);
    let area = Rect { x: area.x + taken, width, height: BARS, ..area };
    let by_column = over_time(strength, width.into());
    if by_column.is_empty() {
        return;
    }
    let [least, most] = round_ends(&by_column);
    for (rating, y) in [(most, area.y), (least, area.bottom() - 1)] {
        let x = area.x - taken;
        text::put((x, y), &format!("{rating:>4}"), taken.into(), skin.dim(), skin, buffer);
    }
    let days = [strength.history.first(), strength.history.last()].into_iter().flatten();
    let mut days: Vec<String> = days.map(|(day, _)| day.to_string()).collect();
    // The chart of a single day has it once.
    days.dedup();
    let wanted = days.iter().map(|day| text::width(day) + 1).sum::<usize>();
    if wanted <= usize::from(width) + 1 {
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

/// Round ratings below and above all of these.
fn round_ends(ratings: &[f64]) -> [i32; 2] {
    let least = ratings.iter().copied().fold(f64::INFINITY, f64::min);
    let most = ratings.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let least = (least / f64::from(ROUND)).floor() as i32 * ROUND;
    let most = (most / f64::from(ROUND)).ceil() as i32 * ROUND;
    [least, most.max(least + ROUND)]
}

/// The rating in each of so many columns of time, from the first day with a result to the last.
fn over_time(strength: &Strength, columns: usize) -> Vec<f64> {
    let Some(((first, _), (last, _))) = strength.history.first().zip(strength.history.last())
    else {
        return Vec::new();
    };
    let day = |day| first.until(day).map_or(0, |span| span.get_days()) as usize;
    let days = day(*last) + 1;
    let at = |column: usize| {
        // The last day that falls into this column or before.
        let end = ((column + 1) * days).div_ceil(columns);
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
        assert_eq!(over_time(&strength, 8), days);
        let halves: Vec<f64> = days.into_iter().flat_map(|day| [day, day]).collect();
        assert_eq!(over_time(&strength, 16), halves);
        assert_eq!(over_time(&strength, 4), [1000.0, 1100.0, 1100.0, 900.0]);
        assert_eq!(over_time(&strength, 0), [0.0; 0]);
    }

    #[test]
    fn the_ends_of_the_ratings_are_round_and_apart() {
        assert_eq!(round_ends(&[1013.4, 1100.0, 899.9]), [800, 1100]);
        assert_eq!(round_ends(&[1100.0]), [1100, 1200]);
    }
}
