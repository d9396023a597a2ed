//! The progress of a tournament: how many games are played, how fast, and how long the rest takes.

use crate::app::text;
use crate::arena::tournament::TournamentStatus;
use crate::board::Skin;
use crate::tui::bar;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use std::time::Duration;

/// The least and the most columns of the bar.
const BAR: (u16, u16) = (8, 40);
/// The columns between two texts.
const GAP: u16 = 3;

/// How many games of this run have ended, and how long that took.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct GameRate {
    played: u64,
    time: Duration,
}

impl GameRate {
    /// Sets how many games have ended in how much time. Running games do not count, but their time does.
    pub fn set(&mut self, played: u64, time: Duration) {
        *self = GameRate { played, time };
    }

    /// Games a second; `None` until a game has ended.
    fn rate(self) -> Option<f64> {
        let seconds = self.time.as_secs_f64();
        (self.played > 0 && seconds > 0.0).then(|| self.played as f64 / seconds)
    }

    /// `5.1 games a second`, `12 games a minute`.
    fn in_words(self) -> Option<String> {
        let rate = self.rate()?;
        let (number, unit) = match rate {
            1.0.. => (rate, "a second"),
            rate if rate * 60.0 >= 1.0 => (rate * 60.0, "a minute"),
            _ => (rate * 3600.0, "an hour"),
        };
        // Two digits are enough.
        let number = if number < 9.95 { format!("{number:.1}") } else { format!("{number:.0}") };
        let games = if number == "1.0" { "game" } else { "games" };
        Some(format!("{} {games} {unit}", number.trim_end_matches(".0")))
    }

    /// How long this many games take, in words.
    fn time_for(self, games: u64) -> Option<String> {
        let seconds = (games as f64 / self.rate()?).ceil() as u64;
        let minutes = seconds.div_ceil(60);
        Some(match (seconds, minutes) {
            (..90, _) => format!("{seconds} s"),
            (_, ..100) => format!("{minutes} min"),
            (_, ..2880) => format!("{} h {} min", minutes / 60, minutes % 60),
            _ => format!("{} days", minutes / 1440),
        })
    }
}

/// The percentage of games played; 100 only when all are.
fn percent(status: &TournamentStatus) -> u64 {
    100 * status.played / status.games.max(1)
}

/// Draws the bar, and behind it as many words as fit.
pub(super) fn draw(
    status: &TournamentStatus,
    rate: GameRate,
    skin: Skin,
    area: Rect,
    buffer: &mut Buffer,
) {
    let left = status.games.saturating_sub(status.played);
    let digits = status.games.to_string().len();
    let games = if area.width < 60 { "" } else { " games" };
    // In the order on the screen, each with its importance: 0 is the most important.
    let texts = [
        (0, Some(format!("{:>3} %", percent(status)))),
        (2, Some(format!("{:>digits$} of {}{games}", status.played, status.games))),
        (1, rate.time_for(left).map(|time| format!("about {time} left"))),
        (3, rate.in_words()),
    ];
    let mut room = area.width.saturating_sub(BAR.0);
    let mut shown = [false; 4];
    for rank in 0..texts.len() {
        let Some(at) = texts.iter().position(|(other, _)| *other == rank) else { continue };
        let width = texts[at].1.as_ref().map_or(0, |text| text::width(text) as u16 + GAP);
        if width > room {
            break;
        }
        room -= width;
        shown[at] = true;
    }
    // The bar takes at most a third of the line, so that its width does not change with the words.
    let bar_width = (BAR.0 + room).min(BAR.1).min((area.width / 3).max(BAR.0)).min(area.width);
    let line = Rect { width: bar_width, height: 1, ..area };
    let part = bar::BarSegment { amount: status.played as u32, ink: skin.strong(), letter: None };
    bar::draw(&[part], status.games as u32, skin, line, buffer);
    let mut x = line.right() + GAP - 1;
    for (text, _) in texts.iter().zip(shown).filter(|(_, shown)| *shown) {
        let Some(words) = &text.1 else { continue };
        let style = if text.0 == 0 { skin.strong() } else { skin.dim() };
        let spare = area.right().saturating_sub(x).into();
        (x, _) = text::put((x, area.y), words, spare, style, skin, buffer);
        x += GAP;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rate(played: u64, seconds: u64) -> GameRate {
        GameRate { played, time: Duration::from_secs(seconds) }
    }

    #[test]
    fn the_speed_is_given_in_a_fitting_unit() {
        let words = |played, seconds| rate(played, seconds).in_words().unwrap_or_default();
        assert_eq!(words(9_900, 10), "990 games a second");
        assert_eq!(words(51, 10), "5.1 games a second");
        assert_eq!(words(10, 10), "1 game a second");
        assert_eq!(words(5, 10), "30 games a minute");
        assert_eq!(words(2, 600), "12 games an hour");
        assert_eq!(words(0, 10), "");
    }

    #[test]
    fn the_time_left_is_rounded_to_a_fitting_unit() {
        let time = |games| rate(10, 10).time_for(games).unwrap_or_default();
        assert_eq!([time(0), time(89), time(90), time(5_940)], ["0 s", "89 s", "2 min", "99 min"]);
        assert_eq!([time(6_001), time(400_000)], ["1 h 41 min", "4 days"]);
        assert_eq!(rate(0, 10).time_for(5), None);
    }
}
