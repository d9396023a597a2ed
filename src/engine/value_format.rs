//! The unit of a value, and its notation; `words` puts it into sentences.

use crate::search::Value;
use crate::session::Match;
use std::fmt::Write;

/// The unit of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueFormat {
    /// The lead in points over the best of the others at the end of the game.
    Margin,
    /// In a game without scores: 1 a win, 0 a draw, -1 a loss.
    Outcome,
    /// The result of this round: the dots that the offense scores in it, negative for the other seats.
    Round,
}

impl ValueFormat {
    pub fn of(game: &Match) -> ValueFormat {
        if game.scores().is_some() { ValueFormat::Margin } else { ValueFormat::Outcome }
    }

    /// Formats a value in at most five characters, for a board: as [`write`](ValueFormat::write) does if it is proven,
    /// otherwise the likely value.
    pub fn write_short(self, value: Value) -> String {
        match (value.proven(), value.likely()) {
            (None, Some(likely)) if self == ValueFormat::Outcome => self.estimate(likely),
            (None, Some(likely)) if likely.round() == 0.0 => "~0".to_owned(),
            (None, Some(likely)) => format!("~{likely:+.0}"),
            _ => self.write(value),
        }
    }

    /// Formats a value in a few ASCII characters. Exact margins are `+2`, `=` and `-3`, outcomes `W7`, `=` and `L8`
    /// with the plies to the end, if known. Bounds stand on their sides of `..`, an estimate has the prefix `~`, and
    /// `.` means unknown.
    pub fn write(self, value: Value) -> String {
        if let Some(exact) = value.proven() {
            return self.number(exact, value.plies);
        }
        // An outcome is never below -1 or above 1.
        let (least, most) =
            if self == ValueFormat::Outcome { (Some(-1), Some(1)) } else { (None, None) };
        match (value.lower, value.upper) {
            (None, None) => {
                value.estimate.map_or(".".to_owned(), |estimate| self.estimate(estimate))
            }
            (lower, upper) => {
                let side = |bound: Option<i32>| {
                    bound.map_or(String::new(), |number| self.number(number, None))
                };
                format!("{}..{}", side(lower.or(least)), side(upper.or(most)))
            }
        }
    }

    fn number(self, value: i32, plies: Option<u32>) -> String {
        match (self, value) {
            (_, 0) => "=".to_owned(),
            (ValueFormat::Margin | ValueFormat::Round, _) => format!("{value:+}"),
            (ValueFormat::Outcome, _) => {
                let mut text = if value > 0 { "W" } else { "L" }.to_owned();
                if let Some(plies) = plies {
                    // Writing to a string never fails.
                    let _ = write!(text, "{plies}");
                }
                text
            }
        }
    }

    fn estimate(self, value: f32) -> String {
        let value = if self == ValueFormat::Outcome { value.clamp(-1.0, 1.0) } else { value };
        let tenths = (value * 10.0).round() / 10.0;
        if tenths == 0.0 {
            return "~0.0".to_owned();
        }
        format!("~{tenths:+.1}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn value_is_written_in_a_few_characters() {
        let value = |lower, upper| Value { lower, upper, ..Value::default() };
        let margin = |lower, upper| ValueFormat::Margin.write(value(lower, upper));
        assert_eq!(margin(Some(2), Some(2)), "+2");
        assert_eq!(margin(Some(0), Some(0)), "=");
        assert_eq!(margin(Some(-3), Some(-3)), "-3");
        assert_eq!(margin(Some(-3), Some(0)), "-3..=");
        assert_eq!(margin(Some(1), None), "+1..");
        assert_eq!(margin(None, Some(0)), "..=");
        assert_eq!(margin(None, None), ".");
        let outcome = |lower, upper| ValueFormat::Outcome.write(value(lower, upper));
        assert_eq!(outcome(Some(0), Some(0)), "=");
        assert_eq!(outcome(Some(1), Some(1)), "W");
        assert_eq!(outcome(Some(0), None), "=..W");
        assert_eq!(outcome(None, Some(0)), "L..=");
        assert_eq!(ValueFormat::Outcome.write(Value::exact(1).in_plies(7)), "W7");
        assert_eq!(ValueFormat::Outcome.write(Value::exact(-1).in_plies(8)), "L8");
        assert_eq!(ValueFormat::Outcome.write(Value::exact(0).in_plies(8)), "=");
        assert_eq!(ValueFormat::Outcome.write(Value::estimate(-0.25)), "~-0.3");
        assert_eq!(ValueFormat::Margin.write(Value::estimate(-0.04)), "~0.0");
        assert_eq!(ValueFormat::Margin.write(Value::estimate(1.5)), "~+1.5");
        assert_eq!(
            [4, 0, -4].map(|margin| ValueFormat::Round.write(Value::exact(margin))),
            ["+4", "=", "-4"]
        );
        assert_eq!(ValueFormat::Round.write_short(Value::estimate(-2.6)), "~-3");
        assert_eq!(ValueFormat::Margin.write_short(Value::exact(-3)), "-3");
        assert_eq!(ValueFormat::Margin.write_short(Value::between(-4, 2)), "~-1");
        assert_eq!(ValueFormat::Margin.write_short(Value::estimate(-0.2)), "~0");
        assert_eq!(ValueFormat::Margin.write_short(Value::default()), ".");
        assert_eq!(ValueFormat::Outcome.write_short(Value::estimate(0.42)), "~+0.4");
    }
}
