//! What the value of a position counts, and how that is written.

use crate::search::Value;
use crate::session::Match;
use std::fmt::Write;

/// What a value counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueFormat {
    /// The lead in points over the best of the others at the end of the game.
    Margin,
    /// In a game without scores: 1 a win, 0 a draw, -1 a loss.
    Outcome,
    /// What this round brings: the dots that the offense scores in it, below 0 for the other seats.
    Round,
}

impl ValueFormat {
    pub fn of(game: &Match) -> ValueFormat {
        if game.scores().is_some() { ValueFormat::Margin } else { ValueFormat::Outcome }
    }

    /// A value in at most five characters, for a board: as [`write`](ValueFormat::write) does if it is proven, and
    /// else what is likely.
    pub fn write_short(self, value: Value) -> String {
        match (value.proven(), value.likely()) {
            (None, Some(likely)) if self == ValueFormat::Outcome => self.estimate(likely),
            (None, Some(likely)) if likely.round() == 0.0 => "~0".to_owned(),
            (None, Some(likely)) => format!("~{likely:+.0}"),
            _ => self.write(value),
        }
    }

    /// A value in a few characters, all of which are ASCII. Exact margins are `+2`, `=` and `-3`,
    /// outcomes `W7`, `=` and `L8` with the plies to the end where they are known. Bounds
    /// stand on their sides of `..`, an estimate has `~` before it, and `.` means that nothing is known.
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

    /// What a move of this value does, in words: `wins by 2`, `wins in 7 moves`. The moves of both players count, as they
    /// do everywhere. Empty if nothing is known.
    pub fn in_words(self, value: Value) -> String {
        match self {
            ValueFormat::Margin => margin_in_words(value),
            ValueFormat::Outcome => outcome_in_words(value),
            ValueFormat::Round => match (value.proven(), value.likely()) {
                (Some(dots), _) => format!("gives the offense {}", dots.abs()),
                (None, Some(dots)) => format!("gives the offense about {:.0}", dots.abs()),
                (None, None) => String::new(),
            },
        }
    }

    /// How a match of this value to the player with this name stands: `Ann wins by 2`, `a draw with best play`.
    pub fn standing(self, name: &str, value: Value) -> String {
        match &*self.in_words(value) {
            DRAWS => "a draw with best play".to_owned(),
            EVEN => "about even".to_owned(),
            worth => format!("{name} {worth}"),
        }
    }

    /// What a hint says of the value of a match, as in [`in_words`](ValueFormat::in_words). A range in which one may
    /// still lose or win is no reason for a move, so of that it says nothing.
    pub fn hint_in_words(self, value: Value) -> String {
        let may_lose_or_win =
            value.lower.is_some_and(|least| least < 0) && value.upper.is_some_and(|most| most > 0);
        if may_lose_or_win { String::new() } else { self.in_words(value) }
    }

    /// What the values of moves look like in this match and what they mean, a line each, for help.
    pub fn help(game: &Match) -> String {
        let has_rounds = game.now().facts().iter().any(|(fact, _)| *fact == "round");
        let value_format = if has_rounds { ValueFormat::Round } else { ValueFormat::of(game) };
        let values = match value_format {
            ValueFormat::Round => {
                "- +4: this move is by the offense, and brings it 4 points in this round.\n\
                 - -4: this move is by another player, and the offense gets 4.\n\
                 - =: the offense gets no points in this round.\n\
                 - ~-4: not proven. The offense gets about 4."
            }
            ValueFormat::Outcome => {
                "- W1: whoever makes this move wins with it.\n\
                 - L6: whoever makes it loses in 6 moves, counting the moves of both players.\n\
                 - =: a draw.\n\
                 - ~+0.2: not proven. The engine judges it, from -1, a loss, to +1, a win."
            }
            ValueFormat::Margin => {
                "- +2: whoever makes this move wins the match by 2.\n\
                 - -3: whoever makes it loses by 3.\n\
                 - =: a draw.\n\
                 - ~+1: not proven. The engine expects a win by about 1."
            }
        };
        format!("{values}\n\nThat is if everybody plays their best from there.")
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

/// What moves do that lead to a draw, and those after which nobody is ahead.
const DRAWS: &str = "leads to a draw";
const EVEN: &str = "keeps the match even";

fn margin_in_words(value: Value) -> String {
    match (value.lower, value.upper) {
        (Some(least), Some(most)) if least == most => match least {
            1.. => format!("wins by {least}"),
            0 => DRAWS.to_owned(),
            _ => format!("loses by {}", -least),
        },
        (Some(least @ 1..), Some(most)) => format!("wins by {least} to {most}"),
        (Some(least), Some(most @ ..0)) => format!("loses by {} to {}", -most, -least),
        (Some(0), Some(most)) => format!("does not lose, may win by up to {most}"),
        (Some(least), Some(0)) => format!("does not win, may lose by up to {}", -least),
        (Some(least), Some(most)) => {
            format!("may lose by up to {} or win by up to {most}", -least)
        }
        (Some(least @ 1..), None) => format!("wins by at least {least}"),
        (Some(0), None) => "does not lose".to_owned(),
        (Some(least), None) => format!("may lose, by {} at most", -least),
        (None, Some(most @ 1..)) => format!("may win, by {most} at most"),
        (None, Some(0)) => "does not win".to_owned(),
        (None, Some(most)) => format!("loses by at least {}", -most),
        (None, None) => match value.estimate.map(f32::round) {
            Some(ahead @ 1.0..) => format!("should win by about {ahead}"),
            Some(behind @ ..=-1.0) => format!("should lose by about {}", -behind),
            Some(_) => EVEN.to_owned(),
            None => String::new(),
        },
    }
}

fn outcome_in_words(value: Value) -> String {
    let plies = value.plies.map_or(String::new(), |plies| match plies {
        0 => String::new(),
        1 => " in 1 move".to_owned(),
        _ => format!(" in {plies} moves"),
    });
    match (value.lower, value.upper, value.estimate) {
        (Some(1..), _, _) => format!("wins{plies}"),
        (_, Some(..0), _) => format!("loses{plies}"),
        (Some(0), Some(0), _) => DRAWS.to_owned(),
        (Some(0), _, _) => "does not lose".to_owned(),
        (_, Some(0), _) => "does not win".to_owned(),
        (_, _, Some(0.25..)) => "comes out ahead".to_owned(),
        (_, _, Some(estimate)) if estimate <= -0.25 => "falls behind".to_owned(),
        (_, _, Some(_)) => EVEN.to_owned(),
        (_, _, None) => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_a_few_characters() {
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

    #[test]
    fn a_value_is_said_in_words() {
        let margin = |value| ValueFormat::Margin.in_words(value);
        assert_eq!(margin(Value::exact(2)), "wins by 2");
        assert_eq!(margin(Value::exact(-3)), "loses by 3");
        assert_eq!(margin(Value::exact(0)), "leads to a draw");
        assert_eq!(margin(Value::between(1, 4)), "wins by 1 to 4");
        assert_eq!(margin(Value::between(-3, -1)), "loses by 1 to 3");
        assert_eq!(margin(Value::between(0, 16)), "does not lose, may win by up to 16");
        assert_eq!(margin(Value::between(-3, 0)), "does not win, may lose by up to 3");
        assert_eq!(margin(Value::between(-3, 4)), "may lose by up to 3 or win by up to 4");
        let hint = |value| ValueFormat::Margin.hint_in_words(value);
        assert_eq!(hint(Value::between(-3, 4)), "", "it speaks for no move");
        assert_eq!(hint(Value::between(0, 4)), "does not lose, may win by up to 4");
        let least = |lower| margin(Value { lower: Some(lower), ..Value::default() });
        assert_eq!(
            [1, 0, -2].map(least),
            ["wins by at least 1", "does not lose", "may lose, by 2 at most"]
        );
        let most = |upper| margin(Value { upper: Some(upper), ..Value::default() });
        assert_eq!(
            [1, 0, -2].map(most),
            ["may win, by 1 at most", "does not win", "loses by at least 2"]
        );
        assert_eq!(margin(Value::estimate(-1.6)), "should lose by about 2");
        assert_eq!(margin(Value::estimate(3.2)), "should win by about 3");
        assert_eq!(margin(Value::estimate(-0.4)), "keeps the match even");
        assert_eq!(margin(Value::default()), "");
        let outcome = |value| ValueFormat::Outcome.in_words(value);
        assert_eq!(outcome(Value::exact(1).in_plies(7)), "wins in 7 moves");
        assert_eq!(outcome(Value::exact(-1).in_plies(1)), "loses in 1 move");
        assert_eq!(outcome(Value::exact(0)), "leads to a draw");
        assert_eq!(outcome(Value { lower: Some(0), ..Value::default() }), "does not lose");
        assert_eq!(outcome(Value::estimate(-0.4)), "falls behind");
        assert_eq!(ValueFormat::Round.in_words(Value::exact(3)), "gives the offense 3");
        assert_eq!(ValueFormat::Round.in_words(Value::exact(-3)), "gives the offense 3");
        assert_eq!(ValueFormat::Round.in_words(Value::estimate(-2.6)), "gives the offense about 3");
    }

    #[test]
    fn a_standing_names_the_player_only_if_one_is_ahead() {
        let margin = |value| ValueFormat::Margin.standing("Ann", value);
        assert_eq!(margin(Value::exact(-3)), "Ann loses by 3");
        assert_eq!(margin(Value::exact(0)), "a draw with best play");
        assert_eq!(margin(Value::estimate(0.2)), "about even");
        let outcome = |value| ValueFormat::Outcome.standing("Ann", value);
        assert_eq!(outcome(Value::exact(1).in_plies(7)), "Ann wins in 7 moves");
        assert_eq!(outcome(Value::exact(0)), "a draw with best play");
        assert_eq!(outcome(Value::estimate(0.1)), "about even");
    }
}
