//! Reasons for a program's forfeit.

use quadrille_text::wording::cut;
use std::fmt;
use std::time::Duration;

/// The reason for a program's forfeit.
///
/// [`Display`](fmt::Display) gives the text used in records: `illegal move "z9"`, `no answer after 2.05 s of 2.00`, `exited with 1`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Forfeit {
    IllegalMove(String),
    /// The program did not start in time.
    NoAnswer,
    /// The program did not move in time: the time taken, and the time for the move.
    Late(Duration, Duration),
    /// A program without a time limit produced no output for this long.
    Silence(Duration),
    /// The program could not be started; holds the reason.
    NotStarted(String),
    Exited(i32),
    /// Any other text, for example if the program was killed or broke the protocol.
    Other(String),
}

impl Forfeit {
    /// Creates the reason for an illegal move; a long move is truncated.
    pub fn illegal_move(mv: &str) -> Forfeit {
        Forfeit::IllegalMove(cut(mv))
    }

    /// Parses the text of a record. Accepts any text, and formats it unchanged.
    pub fn parse(text: &str) -> Forfeit {
        let between = |start, end| text.strip_prefix(start)?.strip_suffix(end);
        let illegal = || Some(Forfeit::IllegalMove(between("illegal move \"", "\"")?.to_owned()));
        // Earlier builds also wrote this for a move.
        let no_answer = || (text == "no answer").then_some(Forfeit::NoAnswer);
        let time = |text: &str| Duration::try_from_secs_f64(text.parse().ok()?).ok();
        let silence =
            || Some(Forfeit::Silence(time(between("no answer after ", " s of silence")?)?));
        let late = || {
            let (took, allowed) = between("no answer after ", "")?.split_once(" s of ")?;
            Some(Forfeit::Late(time(took)?, time(allowed)?))
        };
        let not_started =
            || Some(Forfeit::NotStarted(between("cannot be started: ", "")?.to_owned()));
        let exited = || Some(Forfeit::Exited(between("exited with ", "")?.parse().ok()?));
        let known = illegal().or_else(no_answer).or_else(silence).or_else(not_started);
        let known = known.or_else(late).or_else(exited).filter(|known| known.to_string() == text);
        known.unwrap_or_else(|| Forfeit::Other(text.to_owned()))
    }
}

impl fmt::Display for Forfeit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Forfeit::IllegalMove(mv) => write!(f, "illegal move \"{mv}\""),
            Forfeit::NoAnswer => f.write_str("no answer"),
            Forfeit::Late(took, allowed) => {
                write!(f, "no answer after {}", seconds_of(*took, *allowed))
            }
            Forfeit::Silence(time) => {
                write!(f, "no answer after {} s of silence", time.as_secs_f64())
            }
            Forfeit::NotStarted(why) => write!(f, "cannot be started: {why}"),
            Forfeit::Exited(status) => write!(f, "exited with {status}"),
            Forfeit::Other(text) => f.write_str(text),
        }
    }
}

/// Formats a time and its limit as `0.35 s of 0.30`.
pub fn seconds_of(took: Duration, allowed: Duration) -> String {
    format!("{:.2} s of {:.2}", took.as_secs_f64(), allowed.as_secs_f64())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_round_trips() {
        let silence = Forfeit::Silence(Duration::from_millis(200));
        let late = Forfeit::Late(Duration::from_millis(2050), Duration::from_secs(2));
        for (text, forfeit) in [
            ("illegal move \"H9,9\"", Forfeit::IllegalMove("H9,9".to_owned())),
            ("illegal move \"\"", Forfeit::IllegalMove(String::new())),
            ("no answer", Forfeit::NoAnswer),
            ("no answer after 0.2 s of silence", silence),
            ("no answer after 2.05 s of 2.00", late),
            ("cannot be started: /bot: no", Forfeit::NotStarted("/bot: no".to_owned())),
            ("exited with 1", Forfeit::Exited(1)),
        ] {
            assert_eq!(Forfeit::parse(text), forfeit);
            assert_eq!(forfeit.to_string(), text);
        }
        for text in [
            "",
            "illegal move",
            "no answer after 0.20 s of silence",
            "no answer after 2.050 s of 2.00",
            "no answer after 2.05 s of",
            "exited with 01",
        ] {
            assert_eq!(Forfeit::parse(text), Forfeit::Other(text.to_owned()));
        }
    }
}
