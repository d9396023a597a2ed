//! Match clocks: each seat's time for all of its moves.

use quadrille_rules::Seat;
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// The time control for each seat: a base time and an increment per move.
///
/// [`Display`](fmt::Display) gives the form used on the command line and in a record's `Clock` tag, in seconds:
/// `300+5`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TimeControl {
    pub base: Duration,
    pub increment: Duration,
}

impl TimeControl {
    pub const BASE: [Duration; 2] = [Duration::from_millis(100), Duration::from_secs(86_400)];
    pub const INCREMENT: Duration = Duration::from_secs(3600);

    /// Formats the clock for people: `5 min + 3 s`.
    pub fn in_words(self) -> String {
        let base = time_in_words(self.base);
        if self.increment.is_zero() {
            return base;
        }
        format!("{base} + {}", time_in_words(self.increment))
    }

    /// Parses a clock as people write it, such as `5 min + 3 s`. A number without a unit is in seconds, as in `300+3`.
    pub fn from_words(text: &str) -> Result<TimeControl, ParseTimeControlError> {
        let (base, increment) = text.split_once('+').unwrap_or((text, "0"));
        let times = read_time(base).zip(read_time(increment));
        let (base, increment) = times.ok_or(ParseTimeControlError)?;
        TimeControl { base, increment }.to_string().parse()
    }
}

/// The text is out of range or is not a clock such as `300+5`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("write a clock as 300+5: 0.1 to 86400 seconds, plus 0 to 3600 per move")]
pub struct ParseTimeControlError;

impl FromStr for TimeControl {
    type Err = ParseTimeControlError;

    /// Parses a clock such as `300+5`. If there is no `+`, the increment is 0.
    fn from_str(text: &str) -> Result<TimeControl, ParseTimeControlError> {
        let (base, increment) = text.split_once('+').unwrap_or((text, "0"));
        let [base, increment] = [base, increment].map(seconds);
        let control = base.zip(increment).map(|(base, increment)| TimeControl { base, increment });
        let [least, most] = TimeControl::BASE;
        let is_possible = |control: &TimeControl| {
            (least..=most).contains(&control.base) && control.increment <= TimeControl::INCREMENT
        };
        control.filter(is_possible).ok_or(ParseTimeControlError)
    }
}

/// Parses seconds as a decimal with at most three decimal places.
pub fn seconds(text: &str) -> Option<Duration> {
    let (whole, part) = text.split_once('.').unwrap_or((text, "0"));
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if !is_number(whole) || !is_number(part) || part.len() > 3 {
        return None;
    }
    let millis: u64 = format!("{part:0<3}").parse().ok()?;
    let millis = whole.parse::<u64>().ok()?.checked_mul(1000)?.checked_add(millis)?;
    Some(Duration::from_millis(millis))
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Uses as few decimal places as possible: `6+0.06`.
        write!(f, "{}+{}", self.base.as_secs_f64(), self.increment.as_secs_f64())
    }
}

/// The remaining time of each seat. It is derived from the log alone: a move costs the time since its turn began, and
/// earns the increment.
///
/// Each position stores the times when a move last reached it; going back to the position restores them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clocks {
    control: TimeControl,
    /// The remaining time of each seat, by position number.
    nodes: Vec<Vec<Duration>>,
    /// The remaining time of each seat at the start of the current turn.
    left: Vec<Duration>,
    /// The match time at the start of the current turn.
    since: Duration,
    /// The match time when the match ended, if it has ended.
    end: Option<Duration>,
}

impl Clocks {
    /// Creates full clocks for all seats, including at the positions reached so far.
    pub(super) fn new(control: TimeControl, seats: u8, nodes: usize) -> Clocks {
        let left = vec![control.base; seats.into()];
        let nodes = vec![left.clone(); nodes];
        Clocks { control, nodes, left, since: Duration::ZERO, end: None }
    }

    pub const fn control(&self) -> TimeControl {
        self.control
    }

    /// Returns the remaining time of each seat at this match time, in seat order. Only the clock of the seat to move
    /// runs.
    pub fn left(&self, turn: Option<Seat>, at: Duration) -> Vec<Duration> {
        let mut left = self.left.clone();
        let at = self.end.unwrap_or(at);
        if let Some(left) = turn.and_then(|seat| left.get_mut(seat.index())) {
            *left = left.saturating_sub(at.saturating_sub(self.since));
        }
        left
    }

    /// Returns the match time at which this seat's clock runs out if the seat is to move.
    pub fn runs_out(&self, turn: Seat) -> Duration {
        self.since + self.left.get(turn.index()).copied().unwrap_or_default()
    }

    /// Records a seat's move to position `node`. Moves at time 0 were made before the match began; they cost no time
    /// and earn no increment.
    pub(super) fn moved(&mut self, seat: Seat, node: usize, at: Duration) {
        self.left = self.left(Some(seat), at);
        if let Some(left) = self.left.get_mut(seat.index()).filter(|_| !at.is_zero()) {
            *left += self.control.increment;
        }
        if self.nodes.len() <= node {
            self.nodes.resize(node + 1, Vec::new());
        }
        self.nodes[node].clone_from(&self.left);
        self.since = at;
    }

    /// Restores the clocks after a jump to position `node`.
    pub(super) fn gone_to(&mut self, node: usize, at: Duration) {
        if let Some(left) = self.nodes.get(node) {
            self.left.clone_from(left);
        }
        (self.since, self.end) = (at, None);
    }

    /// Stops the clocks because the match ended on this seat's turn.
    pub(super) fn stop(&mut self, turn: Option<Seat>, at: Duration) {
        self.left = self.left(turn, at);
        (self.since, self.end) = (at, Some(at));
    }
}

/// Formats a time as a clock shows it: `4:59`, `1:00:00` for an hour or more, and `9.9` in the last ten seconds. Rounds
/// up, so `0.0` means that no time is left.
pub fn shown(left: Duration) -> String {
    let units = left.as_nanos().div_ceil(step(left).as_nanos()) as u64;
    if step(left) == TENTH {
        return format!("{}.{}", units / 10, units % 10);
    }
    let (minutes, seconds) = (units / 60, units % 60);
    match minutes / 60 {
        0 => format!("{minutes}:{seconds:02}"),
        hours => format!("{hours}:{:02}:{seconds:02}", minutes % 60),
    }
}

/// Formats a time with units: `0.5 s`, `5 min`, `1 min 30 s`.
fn time_in_words(time: Duration) -> String {
    let minutes = time.as_secs() / 60;
    let seconds = time.saturating_sub(Duration::from_secs(60 * minutes));
    match (minutes, seconds.as_secs_f64()) {
        (0, seconds) => format!("{seconds} s"),
        (minutes, _) if seconds.is_zero() => format!("{minutes} min"),
        (minutes, seconds) => format!("{minutes} min {seconds} s"),
    }
}

/// Parses the output of [`time_in_words`].
fn read_time(text: &str) -> Option<Duration> {
    let mut rest = text.trim();
    let mut time = Duration::ZERO;
    while !rest.is_empty() {
        let end = rest.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(rest.len());
        let number = seconds(&rest[..end])?;
        rest = rest[end..].trim_start();
        let end = rest.find(|c: char| !c.is_alphabetic()).unwrap_or(rest.len());
        let unit = match &*rest[..end].to_lowercase() {
            "" | "s" | "sec" | "second" | "seconds" => 1,
            "m" | "min" | "minute" | "minutes" => 60,
            "h" | "hour" | "hours" => 3600,
            _ => return None,
        };
        rest = rest[end..].trim_start();
        time = time.checked_add(number.checked_mul(unit)?)?;
    }
    (!text.trim().is_empty()).then_some(time)
}

/// Returns how long the displayed text of a running clock stays the same.
pub fn shown_for(left: Duration) -> Duration {
    let step = step(left);
    let rest = Duration::from_nanos((left.as_nanos() % step.as_nanos()) as u64);
    if rest.is_zero() { step.min(left) } else { rest }
}

const TENTH: Duration = Duration::from_millis(100);
/// Tenths of a second are shown if no more than this time is left.
pub const URGENT: Duration = Duration::from_secs(10);

/// Returns the unit in which this time is displayed.
fn step(left: Duration) -> Duration {
    if left <= URGENT { TENTH } else { Duration::from_secs(1) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clock_words_round_trip() {
        for (text, words) in [
            ("300+3", "5 min + 3 s"),
            ("60+0", "1 min"),
            ("90+0.5", "1 min 30 s + 0.5 s"),
            ("0.1+0", "0.1 s"),
            ("86400+3600", "1440 min + 60 min"),
        ] {
            let clock: TimeControl = text.parse().unwrap();
            assert_eq!(clock.in_words(), words);
            for text in [text, words] {
                assert_eq!(TimeControl::from_words(text), Ok(clock), "{text}");
            }
        }
        assert_eq!(TimeControl::from_words("5min+3s"), "300+3".parse());
        assert_eq!(TimeControl::from_words("2 h"), "7200".parse());
        for wrong in ["", "5 x", "min", "25 h", "5 min +", "-5 min", "5 min + 2 h"] {
            assert_eq!(TimeControl::from_words(wrong), Err(ParseTimeControlError), "{wrong}");
        }
    }

    #[test]
    fn text_round_trips() {
        for text in ["300+5", "6+0.06", "0.1+0", "86400+3600", "1.5+0.125"] {
            assert_eq!(text.parse::<TimeControl>().unwrap().to_string(), text);
        }
        assert_eq!("300".parse::<TimeControl>().unwrap().to_string(), "300+0");
        assert_eq!("06.50+1.0".parse::<TimeControl>().unwrap().to_string(), "6.5+1");
        for text in [
            "",
            "+",
            "5+",
            "+5",
            "none",
            "0+5",
            "0.099+1",
            "1.0001+0",
            "86401+0",
            "60+3601",
            "-1+0",
            "1e3+0",
            "60+5+5",
            " 60+5",
            "60 + 5",
            "1.+0",
            ".5+0",
            "99999999999999999999+0",
        ] {
            assert_eq!(text.parse::<TimeControl>(), Err(ParseTimeControlError), "{text}");
        }
    }

    fn millis(millis: u64) -> Duration {
        Duration::from_millis(millis)
    }

    #[test]
    fn displayed_time_lasts_until_its_text_changes() {
        for (left, text, lasts) in [
            (3_600_000, "1:00:00", 1000),
            (3_599_001, "1:00:00", 1),
            (3_599_000, "59:59", 1000),
            (300_000, "5:00", 1000),
            (60_500, "1:01", 500),
            (10_001, "0:11", 1),
            (10_000, "10.0", 100),
            (9_950, "10.0", 50),
            (9_900, "9.9", 100),
            (100, "0.1", 100),
            (1, "0.1", 1),
            (0, "0.0", 0),
        ] {
            assert_eq!(
                (shown(millis(left)), shown_for(millis(left))),
                (text.into(), millis(lasts))
            );
        }
    }

    /// Only the clock of the seat to move runs, and no clock runs after the match is over.
    #[test]
    fn move_costs_elapsed_time_and_earns_the_increment() {
        let mut clocks = Clocks::new("10+2".parse().unwrap(), 2, 1);
        let left = |clocks: &Clocks, turn, at| {
            clocks.left(turn, millis(at)).iter().map(Duration::as_millis).collect::<Vec<_>>()
        };
        let [ann, bob] = [Seat::FIRST, Seat::SECOND];
        assert_eq!(left(&clocks, Some(ann), 4000), [6000, 10_000]);
        assert_eq!(clocks.runs_out(ann), millis(10_000));
        clocks.moved(ann, 1, millis(4000));
        assert_eq!(left(&clocks, Some(bob), 5000), [8000, 9000]);
        assert_eq!(clocks.runs_out(bob), millis(14_000));
        clocks.moved(bob, 2, millis(5000));
        clocks.gone_to(1, millis(6000));
        assert_eq!(left(&clocks, Some(bob), 6500), [8000, 9500]);
        // The same move is made again later: the later time counts.
        clocks.moved(bob, 2, millis(9000));
        assert_eq!(left(&clocks, Some(ann), 9000), [8000, 9000]);
        clocks.stop(Some(ann), millis(10_000));
        assert_eq!(left(&clocks, None, 99_000), [7000, 9000]);
        clocks.gone_to(2, millis(20_000));
        assert_eq!(left(&clocks, Some(ann), 20_500), [7500, 9000]);
    }

    #[test]
    fn initial_moves_do_not_change_the_clocks() {
        let mut clocks = Clocks::new("10+2".parse().unwrap(), 2, 1);
        clocks.moved(Seat::FIRST, 1, Duration::ZERO);
        assert_eq!(clocks.left(Some(Seat::SECOND), Duration::ZERO), [millis(10_000); 2]);
    }
}
