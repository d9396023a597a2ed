//! A proportional bar, for scores and progress.

use quadrille_scene::{Role, Skin};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

/// A segment of a bar. The letter identifies the seat when there are no colors.
pub struct BarSegment {
    pub amount: u32,
    pub ink: Style,
    pub letter: Option<char>,
}

/// Draws the segments one after the other as shares of `total`, in half-cell steps if the glyphs support it. The rest
/// of the bar is dimmed.
pub fn draw(parts: &[BarSegment], total: u32, skin: Skin, area: Rect, buffer: &mut Buffer) {
    let ends = ends(parts, total, usize::from(area.width) * 2, skin.glyphs().halves.is_none());
    let owner = |half: usize| ends.iter().position(|&end| half < end);
    let paints = skin.theme().paints();
    let mut before = None;
    for (at, x) in (area.x..area.right()).enumerate() {
        let [left, right] = [owner(2 * at), owner(2 * at + 1)];
        let cell = &mut buffer[(x, area.y)];
        let begins = left.is_some() && left != before;
        before = left;
        match (left.and_then(|at| parts.get(at)), right.and_then(|at| parts.get(at))) {
            (None, _) if paints => {
                cell.set_char(' ').set_style(skin.style(Role::OpenTile));
            }
            (None, _) => {
                cell.set_char(skin.glyphs().ghost[0]).set_style(skin.style(Role::Faint));
            }
            (Some(part), _) if begins && !paints && part.letter.is_some() => {
                cell.set_char(part.letter.unwrap_or(' ')).set_style(part.ink);
            }
            (Some(part), other) if left != right && paints => {
                let background = match other {
                    Some(other) => other.ink.fg,
                    None => skin.style(Role::OpenTile).bg,
                };
                let [_, _, half] = skin.glyphs().halves.unwrap_or([' '; 3]);
                let background = Style { bg: background, ..Style::new() };
                cell.set_char(half).set_style(part.ink).set_style(background);
            }
            (Some(part), _) => {
                cell.set_char(skin.glyphs().bar).set_style(part.ink);
            }
        }
    }
}

/// Returns the end of each segment, in half cells; if `whole`, only at cell boundaries. A nonzero segment gets at least
/// one step.
fn ends(parts: &[BarSegment], total: u32, halves: usize, whole: bool) -> Vec<usize> {
    let step = if whole { 2 } else { 1 };
    let mut sum = 0;
    let mut end = 0;
    let ends = parts.iter().map(|part| {
        sum += part.amount as usize;
        let exact = halves * sum / (total as usize).max(1);
        let least = if part.amount > 0 { end + step } else { end };
        end = (exact.div_ceil(step) * step).clamp(least.min(halves), halves);
        end
    });
    ends.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(amount: u32) -> BarSegment {
        BarSegment { amount, ink: Style::new(), letter: None }
    }

    #[test]
    fn bar_shares_are_proportional_and_visible() {
        let ends = |amounts: &[u32], of, whole| {
            let parts: Vec<BarSegment> = amounts.iter().map(|&amount| part(amount)).collect();
            ends(&parts, of, 60, whole)
        };
        assert_eq!(ends(&[15, 10], 25, false), [36, 60]);
        assert_eq!(ends(&[2, 1], 16, false), [7, 11]);
        assert_eq!(ends(&[2, 1], 16, true), [8, 12]);
        assert_eq!(ends(&[1, 0, 1], 3969, false), [1, 1, 2]);
        assert_eq!(ends(&[0, 0], 0, false), [0, 0]);
        assert_eq!(ends(&[9, 9, 9], 3, false), [60, 60, 60], "more than can be had");
    }
}
