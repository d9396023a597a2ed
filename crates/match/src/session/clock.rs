//! Time controls, and the remaining time of each seat.

use quadrille_rules::Seat;
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// The time control of a match.
///
/// [`Display`](fmt::Display) gives the form in a record's `Clock` tag: `300+5` or `3d`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TimeControl {
    /// A clock per seat for the match.
    Fischer(FischerClock),
    /// Days for each move. Match time is UTC since the match began, whether or not Quadrille runs.
    Days(DaysPerMove),
}

/// A clock per seat: a base time for all moves, and an increment per move.
///
/// [`Display`](fmt::Display) gives the form used on the command line, in seconds: `300+5`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FischerClock {
    pub base: Duration,
    pub increment: Duration,
}

/// How many times 24 hours a player has for each move. A player who takes longer is *overdue*: the player can still
/// move, but an opponent may claim the win. After twice the time, the player loses.
///
/// [`Display`](fmt::Display) gives `3d`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DaysPerMove(u8);

impl TimeControl {
    /// Formats the time control for people: `5 min + 3 s`, `3 days per move`.
    pub fn in_words(self) -> String {
        match self {
            TimeControl::Fischer(clock) => clock.in_words(),
            TimeControl::Days(days) => days.in_words(),
        }
    }

    /// Parses a time control as people write it, such as `5 min + 3 s` or `3 days per move`. A number without a unit is
    /// in seconds, as in `300+3`.
    pub fn from_words(text: &str) -> Result<TimeControl, ParseTimeControlError> {
        match DaysPerMove::from_words(text) {
            Ok(days) => Ok(TimeControl::Days(days)),
            Err(_) => FischerClock::from_words(text).map(TimeControl::Fischer),
        }
    }

    pub const fn fischer(self) -> Option<FischerClock> {
        match self {
            TimeControl::Fischer(clock) => Some(clock),
            TimeControl::Days(_) => None,
        }
    }

    pub const fn days(self) -> Option<DaysPerMove> {
        match self {
            TimeControl::Fischer(_) => None,
            TimeControl::Days(days) => Some(days),
        }
    }

    pub const fn face(self) -> ClockFace {
        match self {
            TimeControl::Fischer(_) => ClockFace::Seconds,
            TimeControl::Days(_) => ClockFace::Days,
        }
    }

    /// Returns each seat's time at the start of the match.
    const fn initial(self) -> Duration {
        match self {
            TimeControl::Fischer(clock) => clock.base,
            TimeControl::Days(days) => days.time(),
        }
    }

    /// Returns a seat's time after its move, of whose time this much was left.
    fn after_move(self, left: Duration) -> Duration {
        match self {
            TimeControl::Fischer(clock) => left + clock.increment,
            TimeControl::Days(days) => days.time(),
        }
    }

    /// Returns how long a seat may still move after its time is over.
    const fn grace(self) -> Duration {
        match self {
            TimeControl::Fischer(_) => Duration::ZERO,
            TimeControl::Days(days) => days.time(),
        }
    }
}

impl FischerClock {
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

    fn from_words(text: &str) -> Result<FischerClock, ParseTimeControlError> {
        let (base, increment) = text.split_once('+').unwrap_or((text, "0"));
        let times = read_time(base).zip(read_time(increment));
        let (base, increment) = times.ok_or(ParseTimeControlError)?;
        Ok(FischerClock { base, increment }.to_string().parse::<FischerClock>()?)
    }
}

impl DaysPerMove {
    /// Returns `None` unless there are 1 to 14 days.
    pub fn new(days: u8) -> Option<DaysPerMove> {
        (1..=14).contains(&days).then_some(DaysPerMove(days))
    }

    const fn time(self) -> Duration {
        Duration::from_secs(DAY.as_secs() * self.0 as u64)
    }

    /// Formats the days for people: `3 days per move`.
    pub fn in_words(self) -> String {
        let unit = if self.0 == 1 { "day" } else { "days" };
        format!("{} {unit} per move", self.0)
    }

    /// Parses the output of [`in_words`](DaysPerMove::in_words), and shorter forms such as `3 days` and `3d`.
    fn from_words(text: &str) -> Result<DaysPerMove, ParseTimeControlError> {
        let text = text.trim().to_lowercase();
        let text = text.strip_suffix("per move").unwrap_or(&text).trim_end();
        let days = ["days", "day", "d"].iter().find_map(|unit| text.strip_suffix(unit));
        format!("{}d", days.ok_or(ParseTimeControlError)?.trim_end()).parse()
    }
}

/// The text is out of range, or is neither a clock such as `300+5` nor a number of days such as `3d`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "write a clock as 300+5: 0.1 to 86400 seconds, plus 0 to 3600 per move; or as 3d: 1 to 14 days per move"
)]
pub struct ParseTimeControlError;

/// The text is out of range or is not a clock such as `300+5`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("write a clock as 300+5: 0.1 to 86400 seconds, plus 0 to 3600 per move")]
pub struct ParseFischerClockError;

impl From<ParseFischerClockError> for ParseTimeControlError {
    fn from(_: ParseFischerClockError) -> ParseTimeControlError {
        ParseTimeControlError
    }
}

impl FromStr for TimeControl {
    type Err = ParseTimeControlError;

    fn from_str(text: &str) -> Result<TimeControl, ParseTimeControlError> {
        match text.parse() {
            Ok(days) => Ok(TimeControl::Days(days)),
            Err(_) => Ok(TimeControl::Fischer(text.parse()?)),
        }
    }
}

impl FromStr for FischerClock {
    type Err = ParseFischerClockError;

    /// Parses a clock such as `300+5`. If there is no `+`, the increment is 0.
    fn from_str(text: &str) -> Result<FischerClock, ParseFischerClockError> {
        let (base, increment) = text.split_once('+').unwrap_or((text, "0"));
        let [base, increment] = [base, increment].map(seconds);
        let clock = base.zip(increment).map(|(base, increment)| FischerClock { base, increment });
        let [least, most] = FischerClock::BASE;
        let is_possible = |clock: &FischerClock| {
            (least..=most).contains(&clock.base) && clock.increment <= FischerClock::INCREMENT
        };
        clock.filter(is_possible).ok_or(ParseFischerClockError)
    }
}

impl FromStr for DaysPerMove {
    type Err = ParseTimeControlError;

    fn from_str(text: &str) -> Result<DaysPerMove, ParseTimeControlError> {
        let days =
            text.strip_suffix('d').filter(|days| days.bytes().all(|byte| byte.is_ascii_digit()));
        days.and_then(|days| DaysPerMove::new(days.parse().ok()?)).ok_or(ParseTimeControlError)
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
        match self {
            TimeControl::Fischer(clock) => clock.fmt(f),
            TimeControl::Days(days) => days.fmt(f),
        }
    }
}

impl fmt::Display for FischerClock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Uses as few decimal places as possible: `6+0.06`.
        write!(f, "{}+{}", self.base.as_secs_f64(), self.increment.as_secs_f64())
    }
}

impl fmt::Display for DaysPerMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}d", self.0)
    }
}

/// The remaining time of each seat. It is derived from the log alone: a move costs the time since its turn began, and
/// earns the increment, or with days per move the full time.
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
        let left = vec![control.initial(); seats.into()];
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

    /// Returns the match time at which this seat's time is over if the seat is to move.
    pub fn due(&self, turn: Seat) -> Duration {
        self.since + self.left.get(turn.index()).copied().unwrap_or_default()
    }

    /// Returns the match time at which this seat loses on time if the seat is to move.
    pub fn runs_out(&self, turn: Seat) -> Duration {
        self.due(turn) + self.control.grace()
    }

    /// Records a seat's move to position `node`. Moves at time 0 were made before the match began; they cost no time
    /// and earn no increment.
    pub(super) fn moved(&mut self, seat: Seat, node: usize, at: Duration) {
        self.left = self.left(Some(seat), at);
        if let Some(left) = self.left.get_mut(seat.index()).filter(|_| !at.is_zero()) {
            *left = self.control.after_move(*left);
        }
        if self.nodes.len() <= node {
            self.nodes.resize(node + 1, Vec::new());
        }
        self.nodes[node].clone_from(&self.left);
        self.since = at;
    }

    /// Begins the turn again at this match time, with the time that each seat had at its start.
    pub(super) fn begin_turn(&mut self, at: Duration) {
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

/// How a clock shows the remaining time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClockFace {
    /// `4:59`, `1:00:00` for an hour or more, and `9.9` in the last ten seconds.
    Seconds,
    /// `2 d 4 h`, `5 h 12 min` on the last day, and `overdue` when no time is left.
    Days,
}

impl ClockFace {
    /// Formats a remaining time. Rounds up, so `0.0` means that no time is left.
    pub fn shown(self, left: Duration) -> String {
        let unit = self.unit(left);
        let units = left.as_nanos().div_ceil(unit.as_nanos()) as u64;
        match (self, unit) {
            (ClockFace::Seconds, TENTH) => format!("{}.{}", units / 10, units % 10),
            (ClockFace::Seconds, _) => {
                let (minutes, seconds) = (units / 60, units % 60);
                match minutes / 60 {
                    0 => format!("{minutes}:{seconds:02}"),
                    hours => format!("{hours}:{:02}:{seconds:02}", minutes % 60),
                }
            }
            (ClockFace::Days, HOUR) => in_two_units([(units / 24, "d"), (units % 24, "h")]),
            (ClockFace::Days, _) if left.is_zero() => "overdue".to_owned(),
            (ClockFace::Days, _) => in_two_units([(units / 60, "h"), (units % 60, "min")]),
        }
    }

    /// Returns how long the displayed text of a running clock stays the same.
    pub fn shown_for(self, left: Duration) -> Duration {
        let unit = self.unit(left);
        let rest = Duration::from_nanos((left.as_nanos() % unit.as_nanos()) as u64);
        if rest.is_zero() { unit.min(left) } else { rest }
    }

    /// Returns whether so little time is left that the player should hurry.
    pub fn is_urgent(self, left: Duration) -> bool {
        let urgent = match self {
            ClockFace::Seconds => URGENT,
            ClockFace::Days => HOUR,
        };
        left <= urgent
    }

    /// Returns the unit in which this time is displayed.
    fn unit(self, left: Duration) -> Duration {
        match self {
            ClockFace::Seconds if left <= URGENT => TENTH,
            ClockFace::Seconds => Duration::from_secs(1),
            ClockFace::Days if left <= DAY => MINUTE,
            ClockFace::Days => HOUR,
        }
    }
}

const TENTH: Duration = Duration::from_millis(100);
/// Tenths of a second are shown if no more than this time is left.
const URGENT: Duration = Duration::from_secs(10);
const MINUTE: Duration = Duration::from_secs(60);
const HOUR: Duration = Duration::from_secs(3600);
const DAY: Duration = Duration::from_secs(24 * 3600);

/// Formats a time in two units, without a zero.
fn in_two_units(parts: [(u64, &str); 2]) -> String {
    let parts = parts.iter().filter(|(count, _)| *count > 0);
    parts.map(|(count, unit)| format!("{count} {unit}")).collect::<Vec<_>>().join(" ")
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
            ("1d", "1 day per move"),
            ("14d", "14 days per move"),
        ] {
            let clock: TimeControl = text.parse().unwrap();
            assert_eq!(clock.in_words(), words);
            for text in [text, words] {
                assert_eq!(TimeControl::from_words(text), Ok(clock), "{text}");
            }
        }
        assert_eq!(TimeControl::from_words("5min+3s"), "300+3".parse());
        assert_eq!(TimeControl::from_words("2 h"), "7200".parse());
        for days in ["3 days", "3 d", " 3 Days  per move ", "3d per move"] {
            assert_eq!(TimeControl::from_words(days), "3d".parse(), "{days}");
        }
        for wrong in [
            "",
            "5 x",
            "min",
            "25 h",
            "5 min +",
            "-5 min",
            "5 min + 2 h",
            "0 d",
            "15 days",
            "days",
            "d",
            "3 per move",
            "1.5 d",
            "3 d + 1 h",
        ] {
            assert_eq!(TimeControl::from_words(wrong), Err(ParseTimeControlError), "{wrong}");
        }
    }

    #[test]
    fn text_round_trips() {
        for text in ["300+5", "6+0.06", "0.1+0", "86400+3600", "1.5+0.125", "1d", "14d"] {
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
            "0d",
            "15d",
            "256d",
            "-1d",
            "+3d",
            "d",
            "3",
            "3d+5",
            "3 d",
        ] {
            let clock = text.parse::<TimeControl>();
            let expected = if text == "3" { Ok("3+0") } else { Err(ParseTimeControlError) };
            assert_eq!(clock.map(|clock| clock.to_string()), expected.map(str::to_owned), "{text}");
        }
        assert_eq!("3d".parse::<FischerClock>(), Err(ParseFischerClockError));
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
                (
                    ClockFace::Seconds.shown(millis(left)),
                    ClockFace::Seconds.shown_for(millis(left))
                ),
                (text.into(), millis(lasts))
            );
        }
    }

    #[test]
    fn displayed_days_last_until_their_text_changes() {
        const SECOND: u64 = 1000;
        const MINUTE: u64 = 60 * SECOND;
        const HOUR: u64 = 60 * MINUTE;
        let days = ClockFace::Days;
        for (left, text, lasts) in [
            (72 * HOUR, "3 d", HOUR),
            (72 * HOUR - 1, "3 d", HOUR - 1),
            (52 * HOUR, "2 d 4 h", HOUR),
            (48 * HOUR + 1, "2 d 1 h", 1),
            (24 * HOUR + 1, "1 d 1 h", 1),
            (24 * HOUR, "24 h", MINUTE),
            (5 * HOUR + 12 * MINUTE - 1, "5 h 12 min", MINUTE - 1),
            (5 * HOUR, "5 h", MINUTE),
            (HOUR - 30 * SECOND, "1 h", 30 * SECOND),
            (MINUTE, "1 min", MINUTE),
            (1, "1 min", 1),
            (0, "overdue", 0),
        ] {
            let left = millis(left);
            assert_eq!((days.shown(left), days.shown_for(left)), (text.into(), millis(lasts)));
        }
        assert!(days.is_urgent(millis(HOUR)) && !days.is_urgent(millis(HOUR + 1)));
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
