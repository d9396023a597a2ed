//! The speed of a tournament, and the remaining time.

use std::time::Duration;

/// The number of games finished in this run, and the time that they took.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct GameRate {
    played: u64,
    time: Duration,
}

impl GameRate {
    /// Sets the number of finished games and the elapsed time, which includes the time of running games.
    pub fn set(&mut self, played: u64, time: Duration) {
        *self = GameRate { played, time };
    }

    /// Returns the games per second; `None` until a game has ended.
    fn rate(self) -> Option<f64> {
        let seconds = self.time.as_secs_f64();
        (self.played > 0 && seconds > 0.0).then(|| self.played as f64 / seconds)
    }

    /// Formats the speed, as in `5.1 games a second` or `12 games a minute`.
    pub fn in_words(self) -> Option<String> {
        let rate = self.rate()?;
        let (number, unit) = match rate {
            1.0.. => (rate, "a second"),
            rate if rate * 60.0 >= 1.0 => (rate * 60.0, "a minute"),
            _ => (rate * 3600.0, "an hour"),
        };
        // Two significant digits are enough.
        let number = if number < 9.95 { format!("{number:.1}") } else { format!("{number:.0}") };
        let games = if number == "1.0" { "game" } else { "games" };
        Some(format!("{} {games} {unit}", number.trim_end_matches(".0")))
    }

    pub fn time_for(self, games: u64) -> Option<String> {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn rate(played: u64, seconds: u64) -> GameRate {
        GameRate { played, time: Duration::from_secs(seconds) }
    }

    #[test]
    fn rate_picks_a_suitable_unit() {
        let words = |played, seconds| rate(played, seconds).in_words().unwrap_or_default();
        assert_eq!(words(9_900, 10), "990 games a second");
        assert_eq!(words(51, 10), "5.1 games a second");
        assert_eq!(words(10, 10), "1 game a second");
        assert_eq!(words(5, 10), "30 games a minute");
        assert_eq!(words(2, 600), "12 games an hour");
        assert_eq!(words(0, 10), "");
    }

    #[test]
    fn time_left_is_rounded_to_a_suitable_unit() {
        let time = |games| rate(10, 10).time_for(games).unwrap_or_default();
        assert_eq!([time(0), time(89), time(90), time(5_940)], ["0 s", "89 s", "2 min", "99 min"]);
        assert_eq!([time(6_001), time(400_000)], ["1 h 41 min", "4 days"]);
        assert_eq!(rate(0, 10).time_for(5), None);
    }
}
