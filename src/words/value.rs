//! Values of positions and moves in words.

use crate::engine::ValueFormat;
use crate::search::Value;
use crate::session::Match;

/// What a move of some value does.
enum Effect {
    /// It leads to a draw.
    Draws,
    /// Nobody is ahead after it.
    Even,
    /// A clause without its subject; empty if nothing is known.
    Does(String),
}

impl ValueFormat {
    /// What a move of this value does, in words: `wins by 2`, `wins in 7 moves`. The moves of both players count, as they
    /// do everywhere. Empty if nothing is known.
    pub fn in_words(self, value: Value) -> String {
        match self.effect(value) {
            Effect::Draws => "leads to a draw".to_owned(),
            Effect::Even => "keeps the match even".to_owned(),
            Effect::Does(worth) => worth,
        }
    }

    fn effect(self, value: Value) -> Effect {
        match self {
            ValueFormat::Margin => effect_on_margin(value),
            ValueFormat::Outcome => effect_on_outcome(value),
            ValueFormat::Round => Effect::Does(match (value.proven(), value.likely()) {
                (Some(dots), _) => format!("gives the offense {}", dots.abs()),
                (None, Some(dots)) => format!("gives the offense about {:.0}", dots.abs()),
                (None, None) => String::new(),
            }),
        }
    }

    /// How a match of this value to the player with this name stands: `Ann wins by 2`, `a draw with best play`.
    pub fn standing(self, name: &str, value: Value) -> String {
        match self.effect(value) {
            Effect::Draws => "a draw with best play".to_owned(),
            Effect::Even => "about even".to_owned(),
            Effect::Does(worth) => format!("{name} {worth}"),
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
}

fn effect_on_margin(value: Value) -> Effect {
    Effect::Does(match (value.lower, value.upper) {
        (Some(0), Some(0)) => return Effect::Draws,
        (Some(least), Some(most)) if least == most => match least {
            1.. => format!("wins by {least}"),
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
            Some(_) => return Effect::Even,
            None => String::new(),
        },
    })
}

fn effect_on_outcome(value: Value) -> Effect {
    let plies = value.plies.map_or(String::new(), |plies| match plies {
        0 => String::new(),
        1 => " in 1 move".to_owned(),
        _ => format!(" in {plies} moves"),
    });
    Effect::Does(match (value.lower, value.upper, value.estimate) {
        (Some(1..), _, _) => format!("wins{plies}"),
        (_, Some(..0), _) => format!("loses{plies}"),
        (Some(0), Some(0), _) => return Effect::Draws,
        (Some(0), _, _) => "does not lose".to_owned(),
        (_, Some(0), _) => "does not win".to_owned(),
        (_, _, Some(0.25..)) => "comes out ahead".to_owned(),
        (_, _, Some(estimate)) if estimate <= -0.25 => "falls behind".to_owned(),
        (_, _, Some(_)) => return Effect::Even,
        (_, _, None) => String::new(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

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
