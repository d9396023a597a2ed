//! The unit and notation of values. `words` describes values in sentences.

use quadrille_match::session::Match;
use quadrille_search::Value;
use std::fmt::Write;

/// The unit of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueFormat {
    /// The margin in points over the best opponent at the end of the game.
    Margin,
    /// The outcome in a game without scores: 1 for a win, 0 for a draw, -1 for a loss.
    Outcome,
    /// The result of this round: the number of dots that the offense scores, negative for the other seats.
    Round,
}

impl ValueFormat {
    pub fn of(game: &Match) -> ValueFormat {
        if game.scores().is_some() { ValueFormat::Margin } else { ValueFormat::Outcome }
    }

    /// Formats a value for a board in at most five characters: a proven value as [`write`](ValueFormat::write) does,
    /// otherwise the likely value.
    pub fn write_short(self, value: Value) -> String {
        match (value.proven(), value.point_estimate()) {
            (None, Some(likely)) if self == ValueFormat::Outcome => self.estimate(likely),
            (None, Some(likely)) if likely.round() == 0.0 => "~0".to_owned(),
            (None, Some(likely)) => format!("~{likely:+.0}"),
            _ => self.write(value),
        }
    }

    /// Formats a value in a few ASCII characters. Exact margins are `+2`, `=` and `-3`. Outcomes are `W7`, `=` and
    /// `L8`, with the number of plies to the end if known. Bounds are written on their sides of `..`, an estimate has
    /// the prefix `~`, and `.` means unknown.
    pub fn write(self, value: Value) -> String {
        if let Some(exact) = value.proven() {
            return self.number(exact, value.plies);
        }
        // An outcome is always between -1 and 1.
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
        assert_eq!(ValueFormat::Outcome.write(Value::exact(1).with_plies(7)), "W7");
        assert_eq!(ValueFormat::Outcome.write(Value::exact(-1).with_plies(8)), "L8");
        assert_eq!(ValueFormat::Outcome.write(Value::exact(0).with_plies(8)), "=");
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
